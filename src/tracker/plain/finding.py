"""What a word means, where a number, a name or a part of one may be typed."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.games.refused import Refused


def find(word: str, named: Sequence[Sequence[str]]) -> int | None:
    """Which of these is meant: by its number from 1 on, a name of it, how one begins, or a part of whole words.

    None if nothing is; Refused if more than one could be. The first name is the one that players read.
    """
    word = word.strip().casefold()
    if not word:
        return None
    if word.isascii() and word.isdigit():
        number = int(word[:9])
        if 1 <= number <= len(named):
            return number - 1
        return next((n for n, names in enumerate(named) if word in names), None)
    folded = [[name.casefold() for name in names if name] for names in named]
    for fits in (str.__eq__, str.startswith, _has_words):
        found = [n for n, names in enumerate(folded) if any(fits(name, word) for name in names)]
        if len(found) > 1:
            raise Refused(f"“{word}” could be {' or '.join(named[n][0] for n in found)}: type more of it.")
        if found:
            return found[0]
    return None


def _has_words(name: str, words: str) -> bool:
    """Face Danger has “danger” and “dan”, but not “anger”."""
    return len(words) >= 3 and f" {words}" in name
