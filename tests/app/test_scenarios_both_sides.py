"""Scenarios of a game with a GM's side, played in the app by keys: each ends as the rules alone end it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.app.by_keys import Hands, Unable
from tests.app.helpers import Player, QuickDisk, playing
from tests.scenarios.runner import Play, Scenario, Unasked, scenarios

from tracker import games
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import new_campaign
from tracker.dice import ScriptedDice
from tracker.saves.disk import Disk

FOLDER = Path(__file__).parents[1] / "scenarios"
GAME = games.get("daggerheart")
TYPED_IN = {"at": "dice_are", "to": "typed in"}
ALL = [
    one
    for path in sorted(FOLDER.glob("daggerheart*.toml"))
    for one in scenarios(path)
    if all(step["do"] != "odds" for step in one["step"])
]


class Done(NamedTuple):
    """What the rules alone made of an act: its answers, and the state after it. `entry` is None if it was refused."""

    procedure: str
    who: str
    answers: dict[str, Any]
    dice: Mapping[str, Any]
    entry: Entry | None
    state: Any


class Rules(Play):
    """A scenario played without a screen; records everything that was done."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder, reopen=False)
        self.done: list[Done] = []

    def _drive(self, procedure: str, who: str, answers: dict[str, Any]) -> tuple[Entry, Run]:
        told = {key: value for key, value in answers.items() if key != "dice"}
        dice, before = dict(answers["dice"]), self.session.state
        self.done.append(Done(procedure, who, told, dice, None, before))
        try:
            entry, run = super()._drive(procedure, who, answers)
        except Unasked:
            self.done.pop()
            raise
        self.done[-1] = self.done[-1]._replace(entry=entry, state=self.session.state)
        return entry, run


def shows(scenario: Scenario) -> set[tuple[str, str]]:
    """Return what the scenario shows: each thing that is done, with what is said about it and its result."""
    found: set[tuple[str, str]] = set()
    for step in scenario["step"]:
        expect = step.get("expect", {})
        found |= {(step["do"], key) for key in step if key not in {"do", "who", "after", "expect"}}
        found |= {(step["do"], str(expect.get("outcome", ""))), (step["do"], str(expect.get("refused", "")))}
        found |= {(step["do"], str(step[key])) for key in ("choose", "kind", "on") if isinstance(step.get(key), str)}
    return found


def cover() -> list[Scenario]:
    """Return a small set of scenarios that shows everything that all of them show."""
    shown = {one["id"]: shows(one) for one in ALL}
    left = set().union(*shown.values())
    chosen: list[Scenario] = []
    while left:
        best = max(ALL, key=lambda one: len(shown[one["id"]] & left) / (1 + len(one["step"])))
        chosen.append(best)
        left -= shown[best["id"]]
    return chosen


COVER = cover()


def table(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name != TYPED_IN["at"]}


async def in_the_app(player: Player, rules: Rules, knows: set[str]) -> None:
    session = player.session
    while session.undo():
        pass
    session.do("given", [*rules.words.given(rules.scenario.get("given", {})), TYPED_IN])
    player.table.show()
    await player.rest()
    for done in rules.done:
        where = f"{rules.scenario['id']}, {done.procedure}"
        pools = {key: ScriptedDice(faces) for key, faces in done.dice.items()}
        hands = Hands(player, knows=knows)
        refused = ""
        try:
            speaks = done.who or player.table.player.active
            await hands.make(done.procedure, speaks, done.answers, _faces(pools))
        except Unable as reason:
            refused = str(reason) or "refused"
            await hands.leave()
        assert bool(refused) == (done.entry is None), f"{where}: {refused or 'the rules refuse this'}"
        if done.entry:
            assert [*map(list, session.log.entries[-1].get("answers", []))] == [
                *map(list, done.entry.get("answers", []))
            ], where
        assert table(session.state) == table(done.state), where


def _faces(pools: Mapping[str, ScriptedDice]) -> Any:
    return lambda key, wanted: pools.get(key, pools[""]).roll(wanted)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disk, "sync", QuickDisk.sync)
    monkeypatch.setattr(Disk, "sync_folder", QuickDisk.sync_folder)


def test_scenarios_in_the_app_end_like_the_rules_alone(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    whole = request.config.getoption("whole")
    knows = {move.id for move in GAME.moves.values() if move.solo}  # begun on the GM side, or by a key of their own
    path = tmp_path / "app.toml"
    new_campaign(str(path), GAME, QuickDisk())

    async def evening() -> None:
        async with playing(path) as player:
            await player.press("escape")
            for scenario in ALL if whole else COVER[::6]:
                rules = Rules(scenario, tmp_path)
                rules.play()
                with contextlib.nullcontext() if whole else player.app.batch_update():
                    await in_the_app(player, rules, set(knows) if whole else knows)
                await player.rest()

    asyncio.run(evening())


def test_sample_covers_everything() -> None:
    assert set().union(*map(shows, COVER)) == set().union(*map(shows, ALL))
    assert len(COVER) < len(ALL) / 2
