"""What has changed between two states, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tracker.games.api.schema import Effect, Record, State
from tracker.text import shown_line


def phrased(
    effects: Iterable[Effect], phrase: Callable[[Effect, str], str], who: str, party: Iterable[str]
) -> list[str]:
    """A phrase for each effect, given what it is and who need not be named.

    Whoever acts is not, unless the numbers of others in the party stand beside theirs.
    """
    phrases = [(effect, phrase(effect, who)) for effect in effects]
    touched = {effect["at"].partition(".")[0] for effect, words in phrases if words}.intersection(party)
    if touched - {who}:
        return [words for effect, _ in phrases if (words := phrase(effect, ""))]
    return [words for _, words in phrases if words]


def plain_changes(top: Record, before: State, after: State, who: str, label: Callable[[str], str]) -> list[str]:
    """Return the difference between two states, one phrase each, for games without phrases of their own."""
    from tracker.games.api.effects import difference

    def phrase(effect: Effect, unnamed: str) -> str:
        at: str = effect["at"]
        owner = at.partition(".")[0]
        named = owner in after["party"] and owner != unnamed
        whose = f"{shown_line(after['party'][owner]['name'])}: " if named else ""
        if "add" in effect:
            return f"{whose}new: {shown_line(str(effect['add'].get('name', effect['add']['id'])))}"
        if "drop" in effect:
            gone = _value(top, before, at)[effect["drop"]]
            return f"{whose}gone: {shown_line(str(gone.get('name', effect['drop'])))}"
        old, new = (shown_line(str(value)) for value in (_value(top, before, at), effect["to"]))
        return f"{whose}{label(at)} {old} → {new}" if old else f"{whose}{label(at)}: {new}"

    return phrased(difference(top, before, after), phrase, who, before["party"])


def _value(top: Record, state: State, at: str) -> Any:
    """Return the value at this path, or "" if nothing is there."""
    path = at.split(".")
    found: Any = state
    for key in path if path[0] in top.fields else ["party", *path]:
        found = found.get(key, "") if isinstance(found, Mapping) else ""
    return found
