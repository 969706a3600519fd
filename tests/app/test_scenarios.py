"""The worked examples of the rules, played in the app by keys: each ends in the same state as without a screen."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.app.by_keys import Hands, Unable
from tests.app.helpers import Player, QuickDisk, campaign, playing
from tests.scenarios.runner import Play, Scenario, scenarios
from tests.test_scenario_coverage import MOVES, OUTCOMES, ROLLING, ROWS, Row, Step, missing, outcome, picks

from tracker.dice import ScriptedDice
from tracker.saves.disk import Disk
from tracker.table.log import Entry
from tracker.table.run import Run

FOLDER = Path(__file__).parents[1] / "scenarios"
TYPED_IN = {"at": "dice_are", "to": "typed in"}
AT_ONCE = 22
ALL = [one for path in sorted(FOLDER.glob("ironsworn*.toml")) for one in scenarios(path)]


class Done(NamedTuple):
    """What the rules alone made of a step: the answers that were given, and the table after it."""

    procedure: str
    who: str
    answers: dict[str, Any]
    dice: dict[str, Any]
    run: Run | None
    state: Any


class Rules(Play):
    """A scenario without a screen, which remembers what became of each step."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder, reopen=False)
        self.done: list[Done] = []

    def _step(self, step: Any) -> Any:
        self.last: Any = ("", "", {}, {}, None)
        state = super()._step(step)
        self.done.append(Done(*self.last, self.session.state))
        return state

    def _drive(self, procedure: str, who: str, answers: dict[str, Any]) -> tuple[Entry, Run]:
        told = {key: value for key, value in answers.items() if key != "dice"}
        self.last = (procedure, who, told, answers["dice"], None)
        entry, run = super()._drive(procedure, who, answers)
        self.last = (*self.last[:4], run)
        return entry, run


def table(state: Mapping[str, Any]) -> dict[str, Any]:
    """All of it but where dice come from, which only the app asks."""
    return {name: value for name, value in state.items() if name != TYPED_IN["at"]}


async def by_hand(player: Player, step: Any, who: str) -> None:
    """Points lost or gained outside a move: the cursor on the number, then `+` or `-`."""
    hands = Hands(player)
    await hands.speak_as(who)
    for field in ("momentum", "health", "spirit", "supply"):
        if field in step:
            at = field if field == "supply" else f"{who}.{field}"
            await player.tab_to(next(w for w in player.table.query("*") if getattr(w, "at", None) == at))
            await player.press(*("+" if step["do"] == "gain" else "-") * step[field])


async def refusal(player: Player, done: Done, knows: set[str] | None) -> str:
    """Play this step by keys; why the app does not let it happen, or "" if it has happened."""
    pools = {key: ScriptedDice(faces) for key, faces in done.dice.items()}
    try:
        await Hands(player, knows=knows).make(
            done.procedure, done.who, done.answers, lambda key, wanted: pools.get(key, pools[""]).roll(wanted)
        )
    except Unable as reason:
        return str(reason)
    assert not any(pool.left for pool in pools.values())
    return ""


async def play_in_the_app(player: Player, rules: Rules, knows: set[str] | None) -> None:
    """The steps of a scenario, each compared with what the rules alone made of it."""
    hands, session = Hands(player), player.session
    while session.undo():
        pass
    session.do("given", [*rules.words.given(rules.scenario.get("given", {})), TYPED_IN])
    player.table.view.who = "you"
    player.table.show()
    await player.rest()
    for step, done in zip(rules.scenario["step"], rules.done, strict=True):
        where = f"{rules.scenario['id']}, {step['do']} {step.get('move', '')}"
        if not done.procedure:
            await by_hand(player, step, step.get("who", "you"))
            assert table(session.state) == table(done.state), where
            continue
        refused = await refusal(player, done, knows)
        if refused:
            assert done.run is None, f"{where}: {refused}"
            await hands.leave()
        else:
            assert done.run is not None, f"{where}: the rules refuse this"
            entry = session.log.entries[-1]
            assert (entry["did"], entry["who"]) == (done.procedure, done.who), where
            assert [list(answer) for answer in entry.get("answers", [])] == done.run.answers, where
        assert table(session.state) == table(done.state), where


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disk, "sync", QuickDisk.sync)
    monkeypatch.setattr(Disk, "sync_folder", QuickDisk.sync_folder)


# -- which are played -----------------------------------------------------------------------------------


def shows(step: Step) -> set[tuple[str, str]]:
    """What of the table of options a step shows: its rows, and of each the options, the keys and the outcome."""
    if step["do"] != "move" or step.get("expect", {}).get("refused"):
        return {("refused", step["do"])} if step.get("expect", {}).get("refused") else set()
    rows = [row for row in ROWS if row.move == step["move"] and row.outcome in {"–", outcome(step)}]
    found = {(row.move, outcome(step)) for row in ROWS if row.move == step["move"]}
    for row in rows:
        shown = picks(step) & set(row.options) | set(row.keys) & set(step) or {"nothing chosen"}
        found |= {(str(row), what) for what in shown}
    return found


def cover(given: list[Scenario]) -> list[Scenario]:
    """As few of them as show everything that all of them show, near enough: the richest for its length first."""
    shown = {one["id"]: set().union(*map(shows, one["step"])) for one in given}
    left: set[tuple[str, str]] = set().union(*shown.values())
    chosen: list[Scenario] = []
    while left:
        best = max(given, key=lambda one: len(shown[one["id"]] & left) / (1 + len(one["step"])))
        chosen.append(best)
        left -= shown[best["id"]]
    return chosen


COVER = cover(ALL)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Several in one app, because a start costs as much as ten keys."""
    if "some" in metafunc.fixturenames:
        played = ALL if metafunc.config.getoption("whole") else COVER
        metafunc.parametrize("some", [played[n : n + AT_ONCE] for n in range(0, len(played), AT_ONCE)], ids=_ids)


def _ids(some: list[Scenario]) -> str:
    return f"{some[0]['id']}–{some[-1]['id']}"


def test_it_ends_as_the_rules_alone_end_it(
    some: list[Scenario], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The short run paints only the table that each leaves, and opens the list of moves once for each move."""
    knows: set[str] | None = None if request.config.getoption("whole") else set()

    async def evening() -> None:
        async with playing(campaign(tmp_path, name="app")) as player:
            await player.press("escape")
            for scenario in some:
                rules = Rules(scenario, tmp_path)
                rules.play()
                with contextlib.nullcontext() if knows is None else player.app.batch_update():
                    await play_in_the_app(player, rules, knows)
                await player.rest()

    asyncio.run(evening())


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_option_of_the_row_is_among_them(row: Row) -> None:
    played = [step for one in COVER for step in one["step"] if step in MOVES]
    assert not missing(row, played)


def test_every_outcome_of_every_roll_is_among_them() -> None:
    played = {(step["move"], outcome(step)) for one in COVER for step in one["step"] if step in MOVES}
    assert played >= {(move, one) for move in ROLLING for one in OUTCOMES}
