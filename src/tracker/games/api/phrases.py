"""Differences between two states in words, from the labels of the schema and a table of phrases per game.

Also numbers, dates and times in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from tracker.games.api.schema import OWN, Collection, Counters, Effect, Kind, Path, Record, State, state_difference
from tracker.text import shown_line


def arrow(old: object, new: object) -> str:
    """Return a change as text, such as "6 → 5"."""
    return f"{old} → {new}"


def counted(number: int, word: str) -> str:
    """Return a number with its noun, such as "1 point", "2 points" or "3 entries"; `word` is the singular."""
    if number == 1:
        return f"1 {word}"
    return f"{number} {word[:-1]}ies" if word.endswith("ry") else f"{number} {word}s"


def signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def date(at: datetime) -> str:
    """Return a date such as "November 18, 2026"."""
    return f"{at:%B} {at.day}, {at.year}"


def short_date(at: datetime) -> str:
    """Return a date such as "Nov 18, 2026"."""
    return f"{at:%b} {at.day}, {at.year}"


def time_of_day(at: datetime) -> str:
    """Return a time such as "8:03 p.m."."""
    return f"{at.hour % 12 or 12}:{at:%M} {'a.m.' if at.hour < 12 else 'p.m.'}"


class Change:
    """One difference between two states, as `changes` passes it to the functions that describe it in words.

    `form` is "+" for an added record, "-" for a dropped one, else "". `old` and `new` are the values; `old` is empty
    for an added record, and `new` for a dropped one. `path` begins at the top of the state and ends with the field, or
    with the id of the added or dropped record. `whose` names the character or track that changed, such as "Kara: ". It
    is "" for the character with the id `unnamed`, and for state that belongs to nobody.
    """

    def __init__(self, top: Record, effect: Effect, before: State, after: State, unnamed: str) -> None:
        self.before, self.after = before, after
        self.form = "+" if "add" in effect else "-" if "drop" in effect else ""
        self._place = place = _Place(top, effect["at"])
        self.path, self.key, self._item = place.path, f"{self.form}{place.pattern}", place.item
        if self.form:
            ident = effect["add"]["id"] if self.form == "+" else effect["drop"]
            self.old: Any = {} if self.form == "+" else _value(before, place.path)[ident]
            self.new: Any = effect["add"] if self.form == "+" else {}
            self.path = self._item = (*place.path, ident)
        else:
            self.old, self.new = _value(before, place.path), effect["to"]
        within = place.in_collection and len(self.path) > 2
        self.member = self.path[1] if within and self.path[0] == "party" else ""
        self.whose = possessor(after, self.path[0], self.path[1], unnamed) if within else ""

    @property
    def name(self) -> str:
        """Name of the innermost record that contains the change; if it has none, its note or its id."""
        one = self.new or self.old if self.form else _value(self.after, self._item)
        return shown_line(str(one.get("name", one.get("note")) or self._item[-1]))

    def words(self) -> dict[str, str]:
        """Return {placeholder: value} for a template, such as `name` and `new`. All values are safe to show."""
        words = {"whose": self.whose, "id": self.path[-1].replace("_", " ")}
        if self._item:
            words["name"] = self.name
        if self.form:
            return words | {"sort": self.path[-2].removesuffix("s")}
        label = what = self._place.label
        if len(self._item) > 2 and "name" in _value(self.after, self._item):
            what = self.name if self._place.is_own else f"{self.name} {self.path[-1]}"
        return words | {
            "label": label,
            "what": what,
            "old": shown_line(str(self.old)),
            "new": shown_line(str(self.new)),
        }


Phrase: TypeAlias = str | Mapping[Any, str] | Callable[[Change], str]
"""How a change is worded: a template, a mapping from new values to templates, or a function.

In a mapping, None is for all values that it does not list. An empty text leaves the change out.
"""
Phrases: TypeAlias = Mapping[str, Phrase]
"""Phrases by path, with `*` for an id, such as `party.*.status`.

A "+" before the path is for an added record, a "-" for a dropped one. The phrase under "" is for text fields that have
no phrase of their own. A number without a phrase reads like "health 5 → 4".
"""


def changes(
    top: Record, phrases: Phrases, before: State, after: State, who: str, *, last: tuple[str, ...] = ()
) -> list[str]:
    """Return the differences between two states, one phrase each; `top` is their schema.

    Phrases about the character `who` omit the name, unless other members of the party change too. Changes whose key in
    `phrases` begins with a string in `last` come last.
    """
    effects = state_difference(top, before, after)

    def worded(unnamed: str) -> list[tuple[Change, str]]:
        found = [Change(top, effect, before, after, unnamed) for effect in effects]
        found.sort(key=lambda change: change.key.startswith(last))
        return [(change, words) for change in found if (words := _worded(change, phrases))]

    told = worded(who)
    if {change.member for change, _ in told}.intersection(before["party"]) - {who}:
        told = worded("")
    return [words for _, words in told]


def label(top: Record, at: str) -> str:
    """Return the label of the field at the path `at` of an effect, such as "health" for `kara.health`.

    `top` is the schema of the state. A field without a label gets the last part of its path, with spaces for _.
    """
    return _Place(top, at).label


def possessor(state: State, room: str, ident: str, unnamed: str) -> str:
    """Return the prefix for a phrase about a record: its name with a colon, such as "Kara: ".

    `room` is its collection, such as "party". Return "" for the character `unnamed`, and for a record that does not
    exist or has no name.
    """
    one = state[room].get(ident)
    named = one and "name" in one and not (room == "party" and ident == unnamed)
    return f"{shown_line(one['name'])}: " if named else ""


def owed(label: Callable[[str], str]) -> Phrase:
    """Return a function that takes a change of a counter of due moves and describes it in words.

    It returns "due: MOVE" if the counter has risen, and "done: MOVE" if it has fallen. `label` turns the name of a
    counter into the name of its move.
    """

    def phrase(change: Change) -> str:
        name = label(change.path[-1])
        return f"{change.whose}due: {name}" if change.new > change.old else f"{change.whose}done: {name}"

    return phrase


def without_done(told: Iterable[str], move: str) -> list[str]:
    """Return the phrases `told` without the one that says that the move `move` is done."""
    return [phrase for phrase in told if phrase != f"done: {move}" and not phrase.endswith(f": done: {move}")]


def without_due(told: Iterable[str]) -> list[str]:
    """Return the phrases `told` without those that say that a move became due or is done."""
    return [phrase for phrase in told if not re.match(r"([^:]+: )?(due|done): ", phrase)]


def by_weight(told: Iterable[str]) -> list[str]:
    """Return phrases that describe changes, sorted for a list that may be cut off at its end.

    Phrases without a number, such as marks and deaths, come first, then "a → b" and due moves, and last the moves that
    are done. Phrases of one sort keep their order.
    """

    def weight(phrase: str) -> int:
        is_done = phrase.startswith("done: ") or ": done: " in phrase
        return 2 if is_done else 1 if " → " in phrase or "due: " in phrase else 0

    return sorted(told, key=weight)


def _worded(change: Change, phrases: Phrases) -> str:
    phrase = phrases.get(change.key)
    if phrase is None:
        phrase = _default(change, phrases)
    if isinstance(phrase, Mapping):
        phrase = phrase.get(change.new, phrase.get(None, ""))
    if not isinstance(phrase, str):
        return phrase(change)
    return phrase.format_map(change.words()) if phrase else ""


def _default(change: Change, phrases: Phrases) -> Phrase:
    if change.form:
        return "{whose}{sort}: {name}" if change.form == "+" else "{whose}{name} gone"
    if isinstance(change.new, bool):
        return "{whose}{what} yes" if change.new else "{whose}{what} no"
    if isinstance(change.new, str):
        return phrases.get("", "{whose}{what} {old} → {new}" if change.old else "{whose}{what}: {new}")
    return "{whose}{what} {old} → {new}"


class _Place:
    """The field at the path `at` of an effect: its full path, its label and the record around it.

    `pattern` is the path with `*` in place of ids, as in Phrases. `item` is the path of the innermost record around the
    field.
    """

    def __init__(self, top: Record, at: str) -> None:
        path = tuple(at.split("."))
        self.path: Path = path if path[0] in top.fields else ("party", *path)
        self.item: Path = ()
        self.in_collection = isinstance(top.fields.get(self.path[0]), Collection)
        kind: Kind | None = top
        pattern = []
        for n, key in enumerate(self.path):
            pattern.append("*" if isinstance(kind, Collection | Counters) else key)
            if isinstance(kind, Collection):
                self.item = self.path[: n + 1]
            kind = (
                kind.fields.get(key) if isinstance(kind, Record) else kind.of if isinstance(kind, Collection) else None
            )
        self.pattern = ".".join(pattern)
        self._label: str = getattr(kind, "label", "")

    @property
    def is_own(self) -> bool:
        """True if the field's label is the name of its record; the die of a talent is an example."""
        return self._label == OWN

    @property
    def label(self) -> str:
        return (self.item[-1] if self.is_own else self._label or self.path[-1]).replace("_", " ")


def _value(state: State, path: Path) -> Any:
    """Return the value at this path, or 0 if nothing is there."""
    found: Any = state
    for key in path:
        found = found.get(key, 0) if isinstance(found, Mapping) else 0
    return found
