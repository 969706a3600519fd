"""A procedure under way: the table it started from, and the answers so far. Everything else is replay."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from tracker.campaign.fold import apply
from tracker.campaign.session import Session
from tracker.content import shipped
from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game, Move
from tracker.games.api.prompts import Answer, Prompt, Roll
from tracker.games.api.schema import Effect, State

if TYPE_CHECKING:
    from tracker.games.api.content import Content


Answers = list[list[Answer]]


class Run:
    """Drives a procedure prompt by prompt. When `prompt` is None it has ended, and `draft` holds what it did.

    Quiet prompts are answered with their default and can be revised until the next roll. Dice once rolled are
    never asked for again, whatever becomes of the answers before them. What is refused changes nothing.
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
    ) -> None:
        self.game = game
        self._content = content or partial(shipped, game.id)
        self.move = move
        self.who = who
        self.opened = ""
        """The id of the newest open entry of this run, once dice have been rolled."""
        self.note = ""
        """A line of the player's own for the journal, kept with the entry."""
        self.settled: frozenset[str] = frozenset()
        """The keys of what was answered before anybody was asked: no step leads back there."""
        self._kept: dict[str, Answer] = dict(kept or {})
        """What was said at quiet prompts that a step back has left behind: it holds when they come again."""
        self._replay(state, dict(answers))

    def rebase(self, state: State) -> None:
        """Replay on this table. An answer that no longer fits is asked again."""
        self._replay(state, self._given)

    def _replay(self, state: State, given: Mapping[str, Answer]) -> None:
        left = dict(given)
        draft = Draft(state, self.who, lambda s, effect: apply(self.game.top, s, effect), self._content)
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
                        raise Refused("The dice that were rolled do not fit any more: take the roll back.") from None
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
        self.state = state
        self._given = left
        self.draft = draft
        self.answers = answers
        self.seen = seen
        self.prompt = prompt
        self.before_roll = before_roll
        """How many effects were recorded before the last roll."""
        self._last_roll = last_roll

    def _quietly(self, prompt: Prompt) -> Answer:
        try:
            return prompt.check(self._kept[prompt.key]) if prompt.key in self._kept else prompt.default
        except Refused:
            return prompt.default

    def settle(self) -> None:
        """What is answered now was decided by whatever began this run."""
        self.settled = frozenset(self._given)

    @property
    def subject(self) -> tuple[str, ...]:
        """Who does what, and about whom, as it was begun: what is left half-made is found again by this."""
        if self.opened:
            return self.who, self.move.id, self.opened
        return self.who, self.move.id, *sorted(f"{key}={value}" for key, value in self.answers if key in self.settled)

    # -- what a driver does -----------------------------------------------------------------------------

    @property
    def rolled(self) -> bool:
        """Whether dice lie on the table."""
        return self._last_roll >= 0

    @property
    def held(self) -> list[Effect]:
        """The effects from before the last roll: they are on the table while the run is open."""
        return self.draft.effects[: self.before_roll]

    @property
    def behind(self) -> bool:
        """Whether something that was answered once, dice perhaps, has not been come to again."""
        return len(self.answers) < len({key for key, _ in self.answers} | set(self._given))

    def answer(self, value: Answer) -> None:
        """Answer the prompt that is asked."""
        assert self.prompt is not None
        self._replay(self.state, {**self._given, self.prompt.key: self.prompt.check(value)})

    def trial(self, value: Answer) -> Run:
        """The run as it would be with this answer."""
        assert self.prompt is not None
        answers = [*self.answers, [self.prompt.key, value]]
        return Run(self.game, self.move, self.who, self.state, answers, self._content, self._kept)

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
        quiet = {p.key for p in self.seen if p.quiet}
        self._replay(self.state, {**self._given, key: prompt.check(value)})
        come_to = {key for key, _ in self.answers}
        # Quiet answers behind a roll that has become due were nobody's word.
        self._given = {key: value for key, value in self._given.items() if key in come_to or key not in quiet}

    @property
    def last_asked(self) -> Prompt | None:
        """The prompt that a step back leads to."""
        asked = (p for p in self.seen[self._last_roll + 1 :] if not p.quiet and p.key not in self.settled)
        return next(reversed(list(asked)), None)

    def back(self) -> bool:
        """Take back the last answer that was asked for; False if there is none since the last roll."""
        asked = self.last_asked
        if asked is None:
            return False
        taken = [key for key, _ in self.answers[self.seen.index(asked) :]]
        self._kept |= {key: self._given[key] for key in taken if key in self._given and key != asked.key}
        self._replay(self.state, {key: value for key, value in self._given.items() if key not in taken})
        return True


def again(session: Session, who: str) -> Run | None:
    """The newest roll of this character, answered as it was up to its dice; nothing falls yet. None if there is none.

    What no longer fits is asked again.
    """
    for entry in reversed(session.log.entries):
        if entry.get("who") != who or entry.get("open") or "facts" not in entry or not session.log.counts(entry):
            continue
        did = entry.get("did", "")
        if did not in session.game.moves or not session.game.card(did, entry["facts"]).dice:
            continue
        said, run = dict(entry.get("answers", [])), session.begin(did, who)
        with contextlib.suppress(Refused):
            while run.prompt is not None and not isinstance(run.prompt, Roll) and run.prompt.key in said:
                run.answer(said[run.prompt.key])
        return run
    return None
