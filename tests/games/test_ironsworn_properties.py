"""What holds after any evening: whoever acts, whatever is answered, however the dice fall."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.answering import fitting
from tests.campaign.playing import GAME, Quick, fresh_folder, open_session, within
from tests.scenarios import ironsworn

from tracker.campaign.fold import apply, fold, locate, start
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Number, Text
from tracker.games.api.schema import Effect, State
from tracker.games.api.schema import Integer as Points
from tracker.games.api.schema import Path as Place
from tracker.games.api.view import Start
from tracker.games.common.members import living
from tracker.games.ironsworn.state import DEBILITIES, STATS

MOVES = tuple(ident for ident, move in GAME.moves.items() if move.group != "by hand")
PROGRESS = (
    "roll/progress",
    "adventure/reach_your_destination",
    "combat/end_the_fight",
    "quest/fulfill_your_vow",
    "relationship/write_your_epilogue",
)
RESTS = ("adventure/heal", "adventure/resupply", "adventure/make_camp", "relationship/sojourn")
GIVEN: dict[str, Any] = {
    **dict(zip(STATS, (3, 2, 2, 1, 1), strict=True)),
    "xp_earned": 4,
    "bonds": 2,
    "initiative": "foe",
    "companion": {"name": "Rook", "health": 2, "max": 2, "abilities": 2},
    "held": {
        "nine_knots": {"on": ["one", "two", "three"], "meters": {"knots": 2}},
        "drover": {"on": ["one", "two", "three"]},
        "hall_singer": {"on": ["one", "two", "three"]},
        "felling_axe": {"on": ["one", "three"]},
        "spear_and_net": {"on": ["one", "two", "three"]},
        "river_otter": {"on": ["one", "three"]},
    },
    "allies": {
        "ana": {"heart": 3, "initiative": "you", "weapon": "deadly"},
        "bo": {"health": 1, "spirit": 1, "debilities": ["wounded", "shaken"]},
    },
    "tracks": {
        "oath": {"kind": "vow", "rank": "troublesome", "ticks": 12},
        "feud": {"kind": "vow", "rank": "epic", "ticks": 7},
        "road": {"kind": "journey", "rank": "dangerous", "ticks": 16},
        "wolf": {"kind": "fight", "rank": "formidable", "ticks": 8},
    },
}
PARTY = ("you", *GIVEN["allies"])
LOST = ("health", "spirit", "momentum")
TABLE = fold(GAME.top, start(GAME.top), ironsworn.given(GIVEN))

hardships: st.SearchStrategy[list[Effect]] = st.fixed_dictionaries(
    {
        at: st.sampled_from([0, -2, -5, -9, 8])
        for at in ("supply", *(f"{who}.{track}" for who in PARTY for track in LOST))
    }
).map(lambda losses: [{"at": at, "by": points} for at, points in losses.items() if points])
"""What + and - on the sheet do before the evening begins: the table is still one that the rules allow."""


# -- answering at random --------------------------------------------------------------------------------


def evening(data: st.DataObject, moves: Sequence[str] = MOVES, most: int = 6) -> Iterator[Run]:
    """Play moves to their ends: due ones, or some of these. Skip those that cannot be made now."""
    state = fold(GAME.top, TABLE, data.draw(hardships, "hardships"))
    for _ in range(data.draw(st.integers(1, most), "moves")):
        run = begun(data, state, moves)
        if run is None:
            continue
        to_the_end(data, run)
        yield run
        state = run.draft.state


def begun(data: st.DataObject, state: State, moves: Sequence[str]) -> Run | None:
    who = data.draw(st.sampled_from(list(state["party"])), "who")
    due = [owed.start for owed in GAME.owed(state, who) if owed.start]
    if bool(due) and data.draw(st.booleans(), "owed"):
        procedure, known = data.draw(st.sampled_from(due))
    else:
        procedure, known = data.draw(st.sampled_from(list(moves)), "move"), ()
    try:
        return Run(GAME, GAME.moves[procedure], who, state, known)
    except Refused:
        return None


def to_the_end(data: st.DataObject, run: Run, settled: Collection[str] = ()) -> None:
    """Answer what is asked, and revise some of what is not, but nothing that is settled."""
    looked_at = 0
    while True:
        for prompt in run.seen[looked_at:]:
            looked_at += 1
            if prompt.quiet and prompt.key not in settled and data.draw(st.booleans(), f"revise {prompt.key}"):
                # A number can be refused for a reason that its prompt does not know; nothing has changed then.
                with suppress(Refused) if isinstance(prompt, Number) else nullcontext():
                    run.revise(prompt.key, data.draw(fitting(prompt), prompt.key))
                break
        else:
            if run.prompt is None:
                return
            try:
                run.answer(data.draw(fitting(run.prompt), run.prompt.key))
            except Refused:
                # A note cannot take the name of another one, which the prompt for a text does not know.
                assume(not isinstance(run.prompt, Text))
                raise


def changes(run: Run) -> Iterator[tuple[State, Effect, State]]:
    """Yield what a move changed, one effect at a time."""
    before = run.state
    for effect in run.draft.effects:
        after = apply(GAME.top, before, effect)
        yield before, effect, after
        before = after


def any_evening(examples: int = 30) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return lambda test: settings(max_examples=examples)(given(st.data())(test))


# -- what is wrong with a table -------------------------------------------------------------------------


def wrong(state: State) -> list[str]:
    """Return what no rule allows in this state and no hand has written."""
    found = [] if within(GAME.top, state) else ["something is off its track"]
    for who, me in state["party"].items():
        if not -6 <= me["momentum"] <= 10 - len(me["debilities"]):
            found.append(f"{who} has momentum {me['momentum']} with {len(me['debilities'])} debilities")
        if who in living(state) and (state["supply"] == 0) != ("unprepared" in me["debilities"]):
            found.append(f"supply is {state['supply']}, and {who} has {list(me['debilities'])}")
    return found


class TestState:
    @any_evening(100)
    def test_any_play_stays_legal(self, data: st.DataObject) -> None:
        for run in evening(data):
            assert not wrong(run.draft.state), run.answers


class TestLosses:
    @any_evening()
    def test_every_lost_point_is_counted_somewhere(self, data: st.DataObject) -> None:
        """A lost point is in the number, in momentum or in a setback; for supply, in what each character owes."""
        for run in evening(data):
            for before, effect, after in changes(run):
                found = locate(GAME.top, before, effect["at"])
                if found and effect.get("by", 0) < 0 and isinstance(found[1], Points) and found[1].rest:
                    assert landed(before, after, found[0]) == {-effect["by"]}, effect


def landed(before: State, after: State, place: Place) -> set[int]:
    """Return how many points a loss has cost; for supply, count those of every character."""
    lost = _at(before, place) - _at(after, place)
    if place == ("supply",):
        return {
            lost + _at(after, owed) - _at(before, owed)
            for w in living(before)
            for owed in [("party", w, "out_of_supply")]
        }
    momentum, setback = (*place[:2], "momentum"), (*place[:2], "setback")
    if place != momentum:
        lost += _at(before, momentum) - _at(after, momentum)
    return {lost + _at(after, setback) - _at(before, setback)}


def _at(state: State, place: Place) -> int:
    value: Any = state
    for key in place:
        value = value[key]
    return int(value)


class TestDebilities:
    @any_evening()
    def test_debility_keeps_its_track_from_rising(self, data: st.DataObject) -> None:
        for run in evening(data, RESTS):
            for before, effect, after in changes(run):
                for who in before["party"]:
                    old, new = before["party"][who], after["party"][who]
                    for debility, track in (("wounded", "health"), ("shaken", "spirit")):
                        if debility in old["debilities"]:
                            assert new[track] <= old[track], effect
                    if "unprepared" in old["debilities"] and who in living(before):
                        assert after["supply"] <= before["supply"], effect


class TestRolls:
    @any_evening()
    def test_roll_never_beats_a_10_and_a_match_is_never_a_weak_hit(self, data: st.DataObject) -> None:
        for run in evening(data):
            told = run.draft.facts
            if "challenge" in told:
                assert not (10 in told["challenge"] and told["outcome"] == "strong hit")
                assert not (told["match"] and told["outcome"] == "weak hit")
                assert told["match"] == (told["challenge"][0] == told["challenge"][1])

    @settings(max_examples=100)
    @given(st.data(), st.sets(st.sampled_from(DEBILITIES)), st.integers(-6, 10))
    def test_burn_improves_the_outcome_and_resets_momentum_by_debilities(
        self, data: st.DataObject, marked: set[str], momentum: int
    ) -> None:
        better = ["miss", "weak hit", "strong hit"]
        words = {**GIVEN, "debilities": sorted(marked), "momentum": min(momentum, 10 - len(marked))}
        state = fold(GAME.top, start(GAME.top), ironsworn.given(words))
        run = Run(GAME, GAME.moves["roll/action"], "you", state, {"using": data.draw(st.sampled_from(STATS))})
        assert run.prompt is not None
        run.answer(data.draw(fitting(run.prompt), "dice"))
        told = run.draft.facts
        if told["burn_offered"]:
            by_the_dice = told["outcome"]
            run.revise("burn", True)
            assert better.index(run.draft.facts["outcome"]) > better.index(by_the_dice)
            assert run.draft.facts["before_burn"] == by_the_dice
            assert run.draft.state["party"]["you"]["momentum"] == max(0, 2 - len(marked))
        else:
            assert run.value("burn") is None

    @any_evening()
    def test_progress_roll_ignores_and_keeps_momentum(self, data: st.DataObject) -> None:
        for run in evening(data, PROGRESS):
            if run.move.id not in PROGRESS:
                continue
            touched = [effect for effect in run.draft.effects if effect["at"].endswith(".momentum")]
            assert not touched or run.value("choose") == ["momentum"]
            other = data.draw(st.integers(-6, 10 - len(run.state["party"][run.who]["debilities"])), "momentum")
            moved = apply(GAME.top, run.state, {"at": f"{run.who}.momentum", "to": other})
            again = Run(GAME, run.move, run.who, moved, run.answers)
            assert (again.draft.effects, again.draft.facts) == (run.draft.effects, run.draft.facts)


class TestDueMoves:
    @any_evening()
    def test_due_move_is_removed_once_made(self, data: st.DataObject) -> None:
        for run in evening(data):
            who = data.draw(st.sampled_from(list(run.draft.state["party"])))
            for owed in GAME.owed(run.draft.state, who):
                assert owed.start is not None
                try:
                    due = Run(GAME, GAME.moves[owed.start.procedure], who, run.draft.state, owed.start.answers)
                except Refused:
                    continue
                to_the_end(data, due, settled=dict(owed.start.answers))
                assert any(count(owed.label, b, who) > count(owed.label, a, who) for b, _, a in changes(due)), owed


def count(label: str, state: State, who: str) -> int:
    return [owed.label for owed in GAME.owed(state, who)].count(label)


class TestSetback:
    @settings(max_examples=60)
    @given(st.data(), st.tuples(*[st.integers(0, 5)] * 3), st.integers(1, 12), st.sampled_from([0, 1, 20]))
    def test_setback_is_paid_in_full_if_anything_can_pay(
        self, data: st.DataObject, held: tuple[int, int, int], points: int, ticks: int
    ) -> None:
        oath = {"kind": "vow", "rank": "formidable", "ticks": ticks}
        words = {
            **dict(zip(("health", "spirit", "supply"), held, strict=True)),
            "momentum": -6,
            "tracks": {"oath": oath},
        }
        before = fold(GAME.top, start(GAME.top), [*ironsworn.given(words), {"at": "you.momentum", "by": -points}])
        run = Run(GAME, GAME.moves["suffer/face_a_setback"], "you", before)
        to_the_end(data, run)
        after = run.draft.state
        left = (after["party"]["you"]["health"], after["party"]["you"]["spirit"], after["supply"])
        in_progress = after["tracks"]["oath"]["ticks"] < ticks
        assert sum(held) - sum(left) == (0 if in_progress else points if ticks else min(points, sum(held)))
        assert after["party"]["you"]["setback"] == 0


class TestButton:
    @any_evening(40)
    def test_button_is_disabled_exactly_if_its_move_is_refused(self, data: st.DataObject) -> None:
        for run in evening(data, most=3):
            state = run.draft.state
            for who in state["party"]:
                for action in (*GAME.now(state, who), *GAME.rolls(state, who)):
                    assert bool(action.reason) == refused(action.start, who, state), action


def refused(begin: Start, who: str, state: State) -> bool:
    try:
        run = Run(GAME, GAME.moves[begin.procedure], who, state, begin.answers)
    except Refused:
        return True
    return any(run.prompt and run.prompt.key == key for key, _ in begin.answers)


# -- undo -----------------------------------------------------------------------------------------------


@contextmanager
def played(folder: Path, data: st.DataObject) -> Iterator[tuple[Session, list[State]]]:
    """Play an evening in a real save; yield the state after each item."""
    path = str(folder / "tale.toml")
    new_campaign(path, GAME, Quick())
    session = open_session(path)
    try:
        session.do("given", ironsworn.given(GIVEN))
        states = [session.state]
        for effect in data.draw(hardships, "hardships"):
            session.do("edit", [effect])
            states.append(session.state)
        for _ in range(data.draw(st.integers(1, 4), "moves")):
            run = begun(data, session.state, MOVES)
            if run is not None:
                to_the_end(data, run)
                session.finish(run)
                states.append(session.state)
        yield session, states
    finally:
        session.close()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> pytest.TempPathFactory:
    return tmp_path_factory


class TestUndo:
    @any_evening(30)
    def test_undo_and_redo_restore_the_state_exactly(
        self, folders: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        with played(fresh_folder(folders), data) as (session, states):
            for state in reversed(states[:-1]):
                session.undo()
                assert session.state == state
            for state in states[1:]:
                session.redo()
                assert session.state == state

    @any_evening(30)
    def test_undo_of_a_middle_entry_leaves_a_legal_state(
        self, folders: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        with played(fresh_folder(folders), data) as (session, _):
            after_the_given = session.log.entries[1:]
            if after_the_given:
                which = data.draw(st.integers(0, len(after_the_given) - 1), "undone")
                session.undo(after_the_given[which]["id"])
                joined = any(entry["did"] == "character/make" for entry in after_the_given[which + 1 :])
                # Who joins at supply 0 is unprepared, and stays so when the loss before is undone.
                assert not [problem for problem in wrong(session.state) if not (joined and "unprepared" in problem)]
