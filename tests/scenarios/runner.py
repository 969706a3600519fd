"""Play scenarios: the state before, what the players do, the faces of the dice, and the state after."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.campaign.playing import Quick, open_session
from tests.scenarios import daggerheart, ironsworn, wherever

from tracker import games
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import new_campaign
from tracker.dice import ScriptedDice
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Roll

Scenario = dict[str, Any]
WORDS = {"ironsworn": ironsworn, "wherever": wherever, "daggerheart": daggerheart}
"""For each game, how its table is said in the words of scenarios."""

_SCENARIO = {"id", "game", "title", "given", "step", "expect"}
_STEP = {"do", "who", "expect", "after"}


class Unasked(Refused):
    """Raised when a step gives an answer that no prompt asks for; counts as refused."""


@cache
def scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios of a file, read once; the result must not be changed."""
    found: list[Scenario] = tomllib.loads(path.read_text(encoding="utf-8"))["scenario"]
    return found


def known(what: str, given: Mapping[str, Any], allowed: set[str]) -> None:
    """Assert that all given keys are allowed, so that no scenario passes because it is ignored."""
    unknown = set(given) - allowed
    assert not unknown, f"{what}: nobody knows the key {', '.join(sorted(unknown))}"


class Play:
    """One scenario in one save. With `reopen`, the campaign is closed and opened again at every prompt after dice."""

    def __init__(self, scenario: Scenario, folder: Path, *, reopen: bool) -> None:
        known(scenario["id"], scenario, _SCENARIO)
        self.scenario = scenario
        self.words = WORDS[scenario["game"]]
        self.path = str(folder / f"{scenario['id']}.toml")
        self.reopen = reopen
        self.before: list[Any] = []
        """The state before each thing that was done."""
        new_campaign(self.path, games.get(scenario["game"]), Quick())
        self.session = open_session(self.path)

    def play(self) -> None:
        try:
            self._play()
        finally:
            self.session.close()

    def _play(self) -> None:
        self.session.do("given", self.words.given(self.scenario.get("given", {})))
        given = self.session.state
        self.words.compare(given, self.scenario.get("given", {}))
        for step in self.scenario["step"]:
            self._step(step)
            self._found_again()
            if "after" in step:
                self.words.compare(self.session.state, step["after"])
        self.words.compare(self.session.state, self.scenario.get("expect", {}))
        self._undo_to(0)
        assert self.session.state == given

    def _undo_to(self, many: int) -> None:
        """Take back all but so many of the things that were done, each with one undo."""
        while len(self.before) > many:
            self.session.undo()
            assert self.session.state == self.before.pop()

    def _found_again(self) -> None:
        self.session.settle()
        again = open_session(self.path, write=False)
        again.close()
        assert again.state == self.session.state

    def _step(self, step: Mapping[str, Any]) -> None:
        expect = dict(step.get("expect", {}))
        assert step["do"] in self.words.KEYS, f"nobody knows how to do {step['do']}"
        known(f"{self.scenario['id']}, {step['do']}", step, _STEP | self.words.KEYS[step["do"]])
        known(f"{self.scenario['id']}, expect", expect, {"refused"} | self.words.TOLD)
        state, done, who = self.session.state, len(self.before), self.words.who(step, self.session.state)
        refused = expect.pop("refused", False)
        if step["do"] in self.words.BY_HAND:
            self.before.append(state)
            self.session.do("change", self.words.by_hand(step, who), who=who)
            assert not expect, "a change by hand tells nothing"
            return
        try:
            told = self._told(step, who)
        except Refused as reason:
            if not refused:
                raise AssertionError(f"refused: {reason}") from None
            if list(self.session.log.open_runs()):
                self.session.undo()
            self._undo_to(done)
            assert self.session.state == state
            return
        assert not refused, "this had to be refused"
        for key, wanted in expect.items():
            self.words.told(key, wanted, told(key))

    def _told(self, step: Mapping[str, Any], who: str) -> Callable[[str], Any]:
        """Return what a step says about itself."""
        if step["do"] in self.words.ASKED:
            return partial(self.words.asked, step, self.session.state)
        for procedure, answers in self.words.prepared(step, self.session.state):
            self._make(procedure, who, answers)
        procedure, answers = self.words.procedure(step, self.session.state)
        entry, run = self._make(procedure, who, answers)
        return partial(_told, entry, run)

    def _make(self, procedure: str, who: str, answers: dict[str, Any]) -> tuple[Entry, Run]:
        state = self.session.state
        made = self._drive(procedure, who, answers)
        self.before.append(state)
        return made

    def _drive(self, procedure: str, who: str, answers: dict[str, Any]) -> tuple[Entry, Run]:
        pools = {key: ScriptedDice(faces) for key, faces in answers.pop("dice").items()}
        run = self.session.begin(procedure, who)
        while True:
            if self.reopen and run.rolled:
                run = self._come_back(run)
            quiet = next((p.key for p in run.quiet() if p.key in answers and run.value(p.key) != answers[p.key]), None)
            if quiet:
                run.revise(quiet, answers[quiet])
            elif run.prompt is None:
                break
            elif isinstance(run.prompt, Roll):
                pool = pools.get(run.prompt.key, pools[""])
                self.session.rolled(run, pool.roll(run.prompt.dice))
            elif run.prompt.key in answers:
                run.answer(answers[run.prompt.key])
            else:
                assert run.prompt.default is not None, f"the step does not answer {run.prompt.key}"
                run.answer(run.prompt.default)
        left = [name for pool in pools.values() for name in pool.left]
        assert not left, f"the {min(left)} die was not rolled"
        said = {key for key, value in answers.items() if value is not False}  # a no that nobody asked for says nothing
        if unasked := said - {key for key, _ in run.answers}:
            raise Unasked(f"nobody asked for {min(unasked)}")
        return self.session.finish(run), run

    def _come_back(self, run: Run) -> Run:
        self.session.leave(run)
        self.session.close()
        self.session = open_session(self.path)
        return self.session.resume(run.opened)


def _told(entry: Entry, run: Run, key: str) -> Any:
    """What a step says about itself."""
    chosen = [prompt for prompt in run.seen if isinstance(prompt, Choose) and prompt.key == "choose"]
    special: dict[str, Callable[[], Any]] = {
        "options": lambda: [option.key for option in chosen[-1].options if not option.reason],
        "picks": lambda: chosen[-1].most,
    }
    return special[key]() if key in special else entry["facts"].get(key, False)
