"""Draft: the private copy of the state that a procedure works on; new_id()."""

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
    """A private copy of the state. Each effect that a procedure records is applied to the copy at once."""

    def __init__(
        self,
        state: State,
        who: str,
        apply: Callable[[State, Effect], State],
        content: Callable[[], Content],
        why_not: Callable[[State, str, str], str],
    ) -> None:
        self.state = state
        self.who = who
        self.content = content
        """Function that returns the content of the campaign, reading it on first use."""
        self.effects: list[Effect] = []
        self.facts: dict[str, Any] = {}
        self.text = ""
        self.apply = apply
        self._why_not = why_not

    @property
    def me(self) -> Mapping[str, Any]:
        """The acting character."""
        me: Mapping[str, Any] = self.state["party"][self.who]
        return me

    def why_not(self, move: str) -> str:
        """Return the game's reason why the acting character cannot make this move now, or ""."""
        return self._why_not(self.state, self.who, move)

    def begin(self, move: str) -> None:
        """Raise Refused with the reason if the acting character cannot make this move now."""
        if reason := self.why_not(move):
            raise Refused(f"{reason[0].upper()}{reason[1:]}.")

    def trial(self) -> Draft:
        """Return a new draft of the current state, for trying effects without recording them here."""
        return Draft(self.state, self.who, self.apply, self.content, self._why_not)

    def here(self) -> tuple[State, int]:
        """Return a checkpoint for `back_to`."""
        return self.state, len(self.effects)

    def back_to(self, here: tuple[State, int]) -> None:
        """Discard the effects recorded since a checkpoint."""
        self.state, count = here
        del self.effects[count:]

    def _record(self, effect: Effect) -> None:
        self.effects.append(effect)
        self.state = self.apply(self.state, effect)

    def by(self, at: str, points: int) -> None:
        """Record a gain or a loss of `points`; 0 records nothing. The fold applies limits and overflow."""
        if points:
            self._record({"at": at, "by": points})

    def mine(self, name: str, points: int) -> None:
        """Record a gain or loss of `points` in this number of the acting character."""
        self.by(f"{self.who}.{name}", points)

    def to(self, at: str, value: Any) -> None:
        self._record({"at": at, "to": value})

    def add(self, at: str, record: dict[str, Any]) -> None:
        self._record({"at": at, "add": record})

    def drop(self, at: str, ident: str) -> None:
        self._record({"at": at, "drop": ident})


def new_id(name: str, taken: Mapping[str, Any], *reserved: str) -> str:
    """Return an unused id of the form `[a-z0-9_]+`, derived from a name."""
    stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40] or "one"
    ident, n = stem, 1
    while ident in taken or ident in reserved:
        n += 1
        ident = f"{stem}_{n}"
    return ident
