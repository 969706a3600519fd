"""The known name that a misspelled word was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def most_similar(word: str, known: Iterable[str], least: float = 0.7) -> str:
    """Return the one of the `known` names that is most similar to `word`, or "" if none is similar enough.

    Upper and lower case count as the same. `least` is the lowest similarity that counts, from 0 to 1, as `difflib`
    measures it.
    """
    from difflib import get_close_matches

    names = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold()[:60], names, 1, least)
    return names[found[0]] if found else ""
