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
from tests.scenarios.runner import WORDS, Play, Scenario, scenarios
from tests.test_scenario_coverage import MOVES, OUTCOMES, ROWS, Step, outcome, picks
from tests.test_wherever_coverage import wanted

from tracker import games
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.dice import ScriptedDice
from tracker.saves.disk import Disk

FOLDER = Path(__file__).parents[1] / "scenarios"
TYPED_IN = {"at": "dice_are", "to": "typed in"}
AT_ONCE = 22
COMMON = {"do", "who", "move", "dice", "expect", "after"}
"""Keys that say nothing about what is asked."""
NO_DICE = ScriptedDice({})


class Made(NamedTuple):
    """A procedure that the rules alone have played, with the answers given. `run` is None if it was refused."""

    procedure: str
    who: str
    answers: dict[str, Any]
    dice: dict[str, Any]
    run: Run | None


class Done(NamedTuple):
    """What the rules alone made of a step: the procedures played for it, in order, and the state after it."""

    made: list[Made]
    state: Any


class Rules(Play):
    """A scenario played without a screen; records what each step led to."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder, reopen=False)
        self.done: list[Done] = []

    def _step(self, step: Any) -> Any:
        self.made: list[Made] = []
        state = super()._step(step)
        self.done.append(Done(self.made, self.session.state))
        return state

    def _drive(self, procedure: str, who: str, answers: dict[str, Any]) -> tuple[Entry, Run]:
        told = {key: value for key, value in answers.items() if key != "dice"}
        self.made.append(Made(procedure, who, told, answers["dice"], None))
        entry, run = super()._drive(procedure, who, answers)
        self.made[-1] = self.made[-1]._replace(run=run)
        return entry, run


def table(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state without the source of the dice, which only the app asks for."""
    return {name: value for name, value in state.items() if name != TYPED_IN["at"]}


async def by_hand(player: Player, step: Any, who: str) -> None:
    """Change a number outside a move: move the cursor to it, then press `+` or `-`."""
    hands = Hands(player)
    await hands.speak_as(who)
    for field in ("momentum", "health", "spirit", "supply"):
        if field in step:
            at = field if field == "supply" else f"{who}.{field}"
            await player.tab_to(next(w for w in player.table.query("*") if getattr(w, "at", None) == at))
            await player.press(*("+" if step["do"] == "gain" else "-") * step[field])


async def refusal(player: Player, made: Made, knows: set[str] | None) -> str:
    """Play this by keys; why the app does not let it happen, or "" if it has happened."""
    pools = {key: ScriptedDice(faces) for key, faces in made.dice.items()}
    try:
        await Hands(player, knows=knows).make(
            made.procedure, made.who, made.answers, lambda key, dice: pools.get(key, pools.get("", NO_DICE)).roll(dice)
        )
    except Unable as reason:
        return str(reason)
    assert not any(pool.left for pool in pools.values())
    said = dict(player.session.log.entries[-1].get("answers", ()))
    if made.run is None and any(said.get(key) != value for key, value in made.answers.items()):
        player.session.undo()
        return "the app has taken other answers than these"
    return ""


def put_down(player: Player, made: Made) -> None:
    """Make the change without keys, for steps that only prepare the state."""
    run, said = player.session.begin(made.procedure, made.who), made.answers
    while run.prompt is not None:
        run.answer(said.get(run.prompt.key, run.prompt.default))
    player.session.finish(run)


async def play_in_the_app(player: Player, rules: Rules, knows: set[str] | None) -> None:
    """Play the steps of a scenario in the app, and compare each with what the rules alone make of it.

    Steps that are refused are taken back.
    """
    hands, session = Hands(player), player.session
    while session.undo():
        pass
    session.do("given", [*rules.words.given(rules.scenario.get("given", {})), TYPED_IN])
    player.table.player.active = "you"
    player.table.show()
    await player.rest()
    for step, done in zip(rules.scenario["step"], rules.done, strict=True):
        where = f"{rules.scenario['id']}, {step['do']} {step.get('move', '')}"
        if step["do"] in rules.words.BY_HAND:
            await by_hand(player, step, step.get("who", "you"))
        for before, made in enumerate(done.made):
            if knows is not None and made is not done.made[-1]:
                put_down(player, made)
                continue
            refused = await refusal(player, made, knows)
            if refused:
                assert made.run is None, f"{where}: {refused}"
                await hands.leave()
                for _ in range(before):
                    session.undo()
            else:
                assert made.run is not None, f"{where}: the rules refuse this"
                entry = session.log.entries[-1]
                assert (entry["did"], entry["who"]) == (made.procedure, made.who), where
                assert [list(answer) for answer in entry.get("answers", [])] == made.run.answers, where
        assert table(session.state) == table(done.state), where


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disk, "sync", QuickDisk.sync)
    monkeypatch.setattr(Disk, "sync_folder", QuickDisk.sync_folder)


# -- which are played -----------------------------------------------------------------------------------


SHOWN = wanted()


def shows_of_the_format(step: Step) -> set[tuple[str, str]]:
    """Return which features of the scenario format this step uses."""
    return {(name, "") for name, shows in SHOWN.items() if shows(step)}


def shows_of_the_moves(step: Step) -> set[tuple[str, str]]:
    """Return the move of a step, its outcome, its keys and its options, or that it is refused.

    The rules play every option of every row; a screen shows an option alike wherever it is offered.
    """
    if step.get("expect", {}).get("refused"):
        return {("refused", step["do"])}
    if step["do"] != "move":
        return set()
    shown = {("option", option) for option in picks(step)} | {("key", key) for key in step if key not in COMMON}
    return shown | {("move", step["move"]), ("outcome", outcome(step))}


SHOWS = {"ironsworn": shows_of_the_moves, "wherever": shows_of_the_format}
"""For each game, what is to be seen in its scenarios."""


def played(game: str) -> list[Scenario]:
    """Return the game's scenarios in which something is played; questions about odds have no keys."""
    every = [one for path in sorted(FOLDER.glob(f"{game}*.toml")) for one in scenarios(path)]
    return [one for one in every if any(step["do"] not in WORDS[game].ASKED for step in one["step"])]


def cover(game: str) -> list[Scenario]:
    """Return a small set of scenarios that shows everything that all of them show.

    Scenarios are taken greedily: first the one that shows most for its length.
    """
    given = played(game)
    shown = {one["id"]: set().union(*map(SHOWS[game], one["step"])) for one in given}
    left: set[tuple[str, str]] = set().union(*shown.values())
    chosen: list[Scenario] = []
    while left:
        best = max(given, key=lambda one: len(shown[one["id"]] & left) / (1 + len(one["step"])))
        chosen.append(best)
        left -= shown[best["id"]]
    return chosen


COVER = {game: cover(game) for game in SHOWS}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Put several scenarios into one app, because a start costs as much as ten keys."""
    if "some" in metafunc.fixturenames:
        whole = metafunc.config.getoption("whole")
        every = [played(game) if whole else COVER[game] for game in SHOWS]
        several = [these[n : n + AT_ONCE] for these in every for n in range(0, len(these), AT_ONCE)]
        metafunc.parametrize("some", several, ids=_ids)


def _ids(some: list[Scenario]) -> str:
    return f"{some[0]['id']}–{some[-1]['id']}"


def test_scenario_in_the_app_ends_like_the_rules_alone(
    some: list[Scenario], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The short run takes shortcuts.

    It paints only the last table of each scenario, opens the list of moves once for each move, and uses no keys to
    prepare the state.
    """
    knows: set[str] | None = None if request.config.getoption("whole") else set()

    async def evening() -> None:
        async with playing(campaign(tmp_path, name="app", game=games.get(some[0]["game"]))) as player:
            await player.press("escape")
            for scenario in some:
                rules = Rules(scenario, tmp_path)
                rules.play()
                with contextlib.nullcontext() if knows is None else player.app.batch_update():
                    await play_in_the_app(player, rules, knows)
                await player.rest()

    asyncio.run(evening())


def test_sample_plays_every_move_outcome_option_and_key() -> None:
    steps = [step for one in COVER["ironsworn"] for step in one["step"] if step in MOVES]
    assert {step["move"] for step in steps} == {row.move for row in ROWS}
    assert {outcome(step) for step in steps} >= {*OUTCOMES}
    assert set().union(*map(picks, steps)) >= {option for row in ROWS for option in row.options}
    assert set().union(*steps) >= {key for row in ROWS for key in row.keys}
