"""Clocks, which every game can have."""

from __future__ import annotations

from typing import Any

import pytest

from tracker import games
from tracker.campaign.fold import apply, complete, fold, start
from tracker.campaign.run import Run
from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.common import clocks
from tracker.games.ironsworn.state import TOP

GAME = games.get("ironsworn")
TIDE = {"at": "clocks", "add": {"id": "tide", "name": "The tide turns", "segments": 4, "filled": 1}}
KARA = {"at": "party", "add": {"id": "kara", "name": "Kara"}}
TABLE = fold(TOP, start(TOP), [KARA, TIDE])


def after(*effects: dict[str, Any], state: Any = TABLE) -> Any:
    return fold(TOP, state, effects)


def run(move: str, **answers: Any) -> Run:
    return Run(GAME, GAME.moves[move], "kara", TABLE, answers.items())


@pytest.mark.parametrize(("by", "filled"), [(1, 2), (3, 4), (9, 4), (-1, 0), (-9, 0)])
def test_clock_stays_between_empty_and_full(by: int, filled: int) -> None:
    assert after({"at": "clocks.tide.filled", "by": by})["clocks"]["tide"]["filled"] == filled


def test_save_from_before_clocks_has_none() -> None:
    old = {key: value for key, value in start(TOP).items() if key != "clocks"}
    state = complete(TOP, old)
    assert state["clocks"] == {}
    assert after(TIDE, state=state)["clocks"]["tide"]["filled"] == 1


@pytest.mark.parametrize("size", clocks.SIZES)
def test_begin_makes_as_many_segments_as_asked(size: int) -> None:
    done = run("clock/begin", name="The watch wakes", segments=str(size))
    assert done.prompt is None
    assert done.draft.state["clocks"]["the_watch_wakes"] == {"name": "The watch wakes", "segments": size, "filled": 0}


def test_two_clocks_may_share_a_name() -> None:
    done = run("clock/begin", name="Tide", segments="4")
    assert list(done.draft.state["clocks"]) == ["tide", "tide_2"]


def test_action_on_a_missing_clock_is_refused() -> None:
    empty = fold(TOP, start(TOP), [KARA])
    for name in ("fill", "empty", "rename", "close"):
        with pytest.raises(Refused, match="No clocks"):
            Run(GAME, GAME.moves[f"clock/{name}"], "kara", empty)


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ({"at": "clocks.tide.filled", "by": 2}, "The tide turns 1 → 3 of 4"),
        ({"at": "clocks.tide.filled", "by": 3}, "The tide turns is full: 4 of 4"),
        ({"at": "clocks.tide.name", "to": "Flood"}, "The tide turns is now called Flood"),
        ({"at": "clocks.tide.segments", "to": 8}, "The tide turns has 8 segments"),
        ({"at": "clocks", "drop": "tide"}, "clock closed: The tide turns (1 of 4)"),
    ],
)
def test_every_change_has_its_words(effect: dict[str, Any], words: str) -> None:
    assert GAME.changes(TABLE, after(effect), "kara") == [words]


def test_clock_is_listed_between_open_and_closed_tracks() -> None:
    open_one = {"at": "tracks", "add": {"id": "oath", "name": "Oath", "kind": "vow"}}
    over = {"at": "tracks", "add": {"id": "tide", "name": "Old", "kind": "vow", "status": "fulfilled"}}
    shown = GAME.tracks(after(over, open_one))
    assert [track.name for track in shown] == ["Oath", "The tide turns", "Old"]
    assert len({track.id for track in shown}) == 3


def test_clock_moves_import_no_game() -> None:
    """A draft of a state that has only clocks is enough."""
    from tracker.games.api.schema import Record
    from tracker.games.common import clock_moves

    top = Record({"clocks": clocks.CLOCKS})
    state = fold(top, start(top), [TIDE])
    draft = Draft(state, "", lambda s, effect: apply(top, s, effect), lambda: None, lambda *_: "")  # type: ignore[arg-type,return-value]
    procedure = clock_moves.fill(draft)
    next(procedure)
    procedure.send("tide")
    with pytest.raises(StopIteration):
        procedure.send(2)
    assert draft.state["clocks"]["tide"]["filled"] == 3
