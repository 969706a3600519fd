"""Draft: the private copy of the state that a procedure works on."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tracker.games.api.errors import Refused
from tracker.games.api.schema import Effect, State

if TYPE_CHECKING:
    from tracker.games.api.content import Content
    from tracker.games.api.prompts import Answer, Prompt


Procedure: TypeAlias = "Generator[Prompt, Answer, None]"


class Draft:
    """The working copy of the state on which one procedure runs, acting for the character `who`.

    A Run makes it. Each effect that the procedure records is applied to this copy at once. In all methods, `at` is the
    path of the value to change, such as `kara.momentum` or `tracks.oath.ticks`. An effect that does not fit the schema
    changes nothing.
    """

    def __init__(
        self,
        state: State,
        who: str,
        apply: Callable[[State, Effect], State],
        content: Callable[[], Content],
        why_not: Callable[[State, str, str], str],
        apart: str = "",
    ) -> None:
        self.state = state
        self.who = who
        self.content = content
        """Function that returns the content of the campaign, reading it on first use."""
        self.effects: list[Effect] = []
        self.facts: dict[str, Any] = {}
        """Values that are stored in the entry for display, such as the outcome of a roll."""
        self.text = ""
        """Text of the entry in the journal."""
        self.notes: dict[str, Any] = {}
        """Values that the parts of a procedure share with each other. They are not stored."""
        self.not_offered: dict[str, str] = {}
        """Why something that may follow a roll is not offered now, such as a burn, by the key of its prompt."""
        self.apply = apply
        self._why_not = why_not
        self._apart = apart
        """The end of every new id: what is made under one name in two copies of a campaign must stay two things."""
        self._gains: dict[str, int] = {}
        self._last: dict[str, Any] = {}

    @property
    def me(self) -> Mapping[str, Any]:
        """The record of the acting character in the current state."""
        me: Mapping[str, Any] = self.state["party"][self.who]
        return me

    def why_not(self, move: str) -> str:
        """Return why the acting character cannot make this move now, or "" if it can be made.

        `move` is the id of a move, or its last part.
        """
        return self._why_not(self.state, self.who, move)

    def begin(self, move: str) -> None:
        """Raise Refused, with the reason, if the acting character cannot make this move now. Change nothing.

        `move` is the id of the move, or its last part.
        """
        if reason := self.why_not(move):
            raise Refused(f"{reason[0].upper()}{reason[1:]}.")

    def trial(self) -> Draft:
        """Return a new draft of the current state, for trying effects without recording them here."""
        trial = Draft(self.state, self.who, self.apply, self.content, self._why_not, self._apart)
        trial.notes, trial._gains = dict(self.notes), dict(self._gains)
        return trial

    def here(self) -> tuple[State, int, dict[str, int]]:
        """Return a checkpoint for `roll_back_to`: (state, number of effects recorded, points deferred with `gain`)."""
        return self.state, len(self.effects), dict(self._gains)

    def roll_back_to(self, here: tuple[State, int, dict[str, int]]) -> None:
        """Restore the state and the deferred points of a checkpoint, and discard the effects recorded since then.

        Facts, notes and text stay. `here` is the checkpoint, as the method `here` returns it.
        """
        self.state, count, gains = here
        self._gains = dict(gains)
        del self.effects[count:]

    def _record(self, effect: Effect) -> None:
        self.effects.append(effect)
        self.state = self.apply(self.state, effect)

    def by(self, at: str, points: int) -> None:
        """Record that the number at the path `at` changes by `points`, and change the state of this draft.

        Negative points are a loss. Points deferred there with `gain` are added; if the sum is 0, nothing is recorded.
        The number stays within the limits of the schema, which also says what happens with points that do not fit:
        a loss of health below 0, for example, may lower momentum.
        """
        points += self._gains.pop(at, 0)
        if points:
            self._record({"at": at, "by": points})

    def gain(self, at: str, points: int) -> None:
        """Defer a change of the number at `at`, and add it to the next change that `by` records there.

        So limits apply to the sum of both. If there is no further change, `settle` records this one when the procedure
        ends.
        """
        self._gains[at] = self._gains.get(at, 0) + points

    def finally_to(self, at: str, value: Any) -> None:
        """Set the field at `at` to `value` when the procedure ends.

        This overrides what the procedure itself sets there.
        """
        self._last[at] = value

    def settle(self) -> None:
        """Record the changes deferred with `gain` and `finally_to`. A Run calls this when the procedure has ended."""
        for at in list(self._gains):
            self.by(at, 0)
        while self._last:
            self.to(*self._last.popitem())

    def mine(self, name: str, points: int) -> None:
        """Record that a number of the acting character, such as `momentum`, changes by `points` (negative for a loss).

        See `by` for limits.
        """
        self.by(f"{self.who}.{name}", points)

    def to(self, at: str, value: Any) -> None:
        """Record that the field at the path `at` is set to `value`.

        For a number, `value` may be one of its `words`, such as "reset".
        """
        self._record({"at": at, "to": value})

    def add(self, at: str, record: dict[str, Any]) -> None:
        """Record the addition of `record`, which includes its "id", to the collection at the path `at`.

        If the collection has this id already, nothing changes.
        """
        self._record({"at": at, "add": record})

    def drop(self, at: str, ident: str) -> None:
        """Record the removal of the record with the id `ident` from the collection at the path `at`.

        If the collection has no such id, nothing changes.
        """
        self._record({"at": at, "drop": ident})

    def new_id(self, name: str, taken: Mapping[str, Any], *reserved: str) -> str:
        """Return an id of the form `[a-z0-9_]+`, derived from a name, that is neither in `taken` nor `reserved`.

        A name without ASCII letters and digits gives "one", and a number is added to an id that is taken.
        At a table with seats, it ends in letters that no other opening of the campaign uses.
        """
        stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40] or "one"
        end = f"_{self._apart}" if self._apart else ""
        ident, n = f"{stem}{end}", 1
        while ident in taken or ident in reserved:
            n += 1
            ident = f"{stem}_{n}{end}"
        return ident
