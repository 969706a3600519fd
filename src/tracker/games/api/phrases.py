"""What has changed between two states, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tracker.games.api.schema import Effect


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
