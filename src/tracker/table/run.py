"""A procedure under way: the table it started from, and the answers so far. Everything else is replay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tracker.games.base import Answer, Draft, Game, Move, Procedure
from tracker.games.prompts import Prompt, Refused, Roll
from tracker.games.schema import Effect, State
from tracker.table.fold import apply

Answers = list[list[Answer]]


class Run:
    """Drives a procedure prompt by prompt. When `prompt` is None it has ended, and `draft` holds what it did.

    Quiet prompts are answered with their default and can be revised until the next roll. Dice once rolled are
    never asked for again, whatever becomes of the answers before them.
    """

    def __init__(self, game: Game, move: Move, who: str, state: State, answers: Iterable[Any] = ()) -> None:
        self.game = game
        self.move = move
        self.who = who
        self.opened = ""
        """The id of the newest open entry of this run, once dice have been rolled."""
        self._given: dict[str, Answer] = dict(answers)
        self.rebase(state)

    def rebase(self, state: State) -> None:
        """Replay on this table. An answer that no longer fits is asked again."""
        self.state = state
        self.draft = Draft(state, self.who, lambda s, effect: apply(self.game.top, s, effect))
        self.answers: Answers = []
        self.seen: list[Prompt] = []
        self.before_roll = 0
        """How many effects were recorded before the last roll."""
        self._last_roll = -1
        self._procedure: Procedure = self.move.make(self.draft)
        self.prompt: Prompt | None = next(self._procedure, None)
        self._go_on()

    def _go_on(self) -> None:
        while self.prompt is not None:
            key = self.prompt.key
            if key in self._given:
                try:
                    value = self.prompt.check(self._given[key])
                except Refused:
                    del self._given[key]
                    continue
            elif self.prompt.quiet:
                value = self.prompt.default
            else:
                return
            self._send(value)

    def _send(self, value: Answer) -> None:
        assert self.prompt is not None
        if isinstance(self.prompt, Roll):
            self.before_roll = len(self.draft.effects)
            self._last_roll = len(self.answers)
        self.answers.append([self.prompt.key, value])
        self.seen.append(self.prompt)
        try:
            self.prompt = self._procedure.send(value)
        except StopIteration:
            self.prompt = None

    # -- what a driver does -----------------------------------------------------------------------------

    @property
    def rolled(self) -> bool:
        """Whether dice lie on the table."""
        return self._last_roll >= 0

    @property
    def held(self) -> list[Effect]:
        """The effects from before the last roll: they are on the table while the run is open."""
        return self.draft.effects[: self.before_roll]

    def answer(self, value: Answer) -> None:
        """Answer the prompt that is asked; Refused, with nothing changed, if it does not fit."""
        assert self.prompt is not None
        self._given[self.prompt.key] = value = self.prompt.check(value)
        self._send(value)
        self._go_on()

    def value(self, key: str) -> Answer:
        """The answer that was given, or taken, under this key; None if it was not asked."""
        return next((value for k, value in self.answers if k == key), None)

    def quiet(self) -> list[Prompt]:
        """The prompts that were answered by themselves and can still be revised."""
        return [prompt for prompt in self.seen[self._last_roll + 1 :] if prompt.quiet]

    def revise(self, key: str, value: Answer) -> None:
        """Change a quiet answer; what follows it is asked again where it no longer fits."""
        prompt = next((p for p in self.quiet() if p.key == key), None)
        if prompt is None:
            raise Refused("That was settled before the dice fell.")
        self._given[key] = prompt.check(value)
        self.rebase(self.state)

    def back(self) -> bool:
        """Take back the last answer that was asked for; False if there is none since the last roll."""
        for n in range(len(self.answers) - 1, self._last_roll, -1):
            if not self.seen[n].quiet:
                for key, _ in self.answers[n:]:
                    self._given.pop(key, None)
                self.rebase(self.state)
                return True
        return False
