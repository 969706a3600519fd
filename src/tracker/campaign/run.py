"""Run: a procedure under way, kept as a state and the answers so far; each change replays it from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from tracker.campaign.fold import apply
from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game, Move
from tracker.games.api.prompts import Answer, Prompt, Roll
from tracker.games.api.schema import Effect, State

if TYPE_CHECKING:
    from tracker.games.api.content import Content


Answers = list[list[Answer]]


class Run:
    """One procedure under way, which a frontend plays prompt by prompt.

    Answer `prompt` until it is None; `draft` then has the effects. Quiet prompts are answered with their default and
    can be revised until the next roll. Rolled dice are never asked for again, even if answers before them change. A
    method that raises Refused has changed nothing.

    `answers` are [key, value] pairs given in advance. `content` is a function that returns the tables and assets, by
    default those shipped with the game. `kept` has answers for quiet prompts to use instead of their defaults. `apart`
    is added to the ids of new things at a table with seats, so that no two players make the same one; else it is "".
    """

    def __init__(
        self,
        game: Game,
        move: Move,
        who: str,
        state: State,
        answers: Iterable[Any] = (),
        content: Callable[[], Content] | None = None,
        kept: Mapping[str, Answer] | None = None,
        apart: str = "",
    ) -> None:
        self.game = game
        self._content = content or partial(_shipped, game.id)
        self.move = move
        self.who = who
        self._apart = apart
        self.opened = ""
        """Id of the newest open entry of this run; "" before dice are rolled."""
        self.note = ""
        """The player's own journal line, stored with the entry."""
        self.settled: frozenset[str] = frozenset()
        """Keys answered by the caller of the run; `back` does not return to them."""
        self._kept: dict[str, Answer] = dict(kept or {})
        """Revised answers of quiet prompts that `back` has left, used again when the prompts return."""
        self._replay(state, dict(answers))

    def rebase(self, state: State) -> None:
        """Replay the run on this state.

        Answers that are no longer valid are dropped, so that `prompt` asks for them again. Raise Refused if rolled dice
        are no longer valid.
        """
        self._replay(state, self._given)

    def _replay(self, state: State, given: Mapping[str, Answer]) -> None:
        left = dict(given)
        draft = Draft(
            state,
            self.who,
            lambda s, effect: apply(self.game.top, s, effect),
            self._content,
            self.game.why_not,
            self._apart,
        )
        answers: Answers = []
        seen: list[Prompt] = []
        before_roll, last_roll = 0, -1
        procedure = self.move.make(draft)
        prompt = next(procedure, None)
        while prompt is not None:
            if prompt.key in left:
                try:
                    value = prompt.check(left[prompt.key])
                except Refused:
                    if isinstance(prompt, Roll):
                        raise Refused("These dice no longer fit: undo the roll.") from None
                    del left[prompt.key]
                    continue
            elif prompt.quiet:
                value = self._quietly(prompt)
            else:
                break
            if isinstance(prompt, Roll):
                before_roll, last_roll = len(draft.effects), len(answers)
            answers.append([prompt.key, value])
            seen.append(prompt)
            try:
                prompt = procedure.send(value)
            except StopIteration:
                prompt = None
        if prompt is None:
            draft.settle()
        self.state = state
        self._given = left
        self.draft = draft
        self.answers = answers
        self.seen = seen
        self.prompt = prompt
        self.before_roll = before_roll
        """Number of effects in `draft` that were recorded before the last roll; 0 if nothing was rolled."""
        self._last_roll = last_roll

    def _quietly(self, prompt: Prompt) -> Answer:
        try:
            return prompt.check(self._kept[prompt.key]) if prompt.key in self._kept else prompt.default
        except Refused:
            return prompt.default

    def settle(self) -> None:
        """Mark all answers given so far as settled, so that `back` does not return to them."""
        self.settled = frozenset(self._given)

    @property
    def subject(self) -> tuple[str, ...]:
        """Key that identifies this run in a store of input: character, move, and open entry or settled answers."""
        if self.opened:
            return self.who, self.move.id, self.opened
        return self.who, self.move.id, *sorted(f"{k}={value}" for k, value in self._given.items() if k in self.settled)

    # -- for frontends ----------------------------------------------------------------------------------

    @property
    def rolled(self) -> bool:
        """True once dice have been rolled."""
        return self._last_roll >= 0

    @property
    def held(self) -> list[Effect]:
        """Effects recorded before the last roll; the open entry has them, so they are part of the state already."""
        return self.draft.effects[: self.before_roll]

    @property
    def has_pending_answers(self) -> bool:
        """True if answers were given earlier to prompts that this run has not reached, for example after a rebase."""
        return len(self.answers) < len({key for key, _ in self.answers} | set(self._given))

    def answer(self, value: Answer) -> None:
        """Answer the present prompt, which must not be None, and replay the run up to the next one.

        Raise Refused if the value does not fit.
        """
        assert self.prompt is not None
        self._replay(self.state, {**self._given, self.prompt.key: self.prompt.check(value)})

    def trial(self, value: Answer) -> Run:
        """Return a copy of the run with the present prompt answered, for a preview; this run is not changed.

        If the value does not fit, the copy stays at the prompt. Raise Refused if the prompt is a Roll and the faces do
        not fit.
        """
        assert self.prompt is not None
        answers = [*self.answers, [self.prompt.key, value]]
        return Run(self.game, self.move, self.who, self.state, answers, self._content, self._kept, self._apart)

    def value(self, key: str) -> Answer:
        """Return the answer to the prompt with this key, given or by default; None if the run has not reached it."""
        return next((value for k, value in self.answers if k == key), None)

    def quiet(self) -> list[Prompt]:
        """Return the quiet prompts reached since the last roll, oldest first; their answers can still be revised."""
        return [prompt for prompt in self.seen[self._last_roll + 1 :] if prompt.quiet]

    def revise(self, key: str, value: Answer) -> None:
        """Change the answer of the quiet prompt with this key; later answers that no longer fit are asked again.

        Raise Refused if there is no such prompt since the last roll, or if the value does not fit.
        """
        prompt = next((p for p in self.quiet() if p.key == key), None)
        if prompt is None:
            raise Refused("That was decided before the roll.")
        quiet = {p.key for p in self.seen if p.quiet}
        self._replay(self.state, {**self._given, key: prompt.check(value)})
        come_to = {key for key, _ in self.answers}
        # Drop default answers after a new roll: nobody confirmed them.
        self._given = {key: value for key, value in self._given.items() if key in come_to or key not in quiet}

    @property
    def last_asked(self) -> Prompt | None:
        """The prompt that `back` returns to, or None if it would return False."""
        asked = (p for p in self.seen[self._last_roll + 1 :] if not p.quiet and p.key not in self.settled)
        return next(reversed(list(asked)), None)

    def back(self) -> bool:
        """Take back the player's last answer, so that `prompt` asks for it again, and return True.

        Return False, with nothing changed, if the player has answered nothing since the last roll.
        """
        asked = self.last_asked
        if asked is None:
            return False
        taken = [key for key, _ in self.answers[self.seen.index(asked) :]]
        self._kept |= {key: self._given[key] for key in taken if key in self._given and key != asked.key}
        self._replay(self.state, {key: value for key, value in self._given.items() if key not in taken})
        return True


def _shipped(game: str) -> Content:
    from tracker.content import shipped

    return shipped(game)
