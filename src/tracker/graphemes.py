"""Split text into grapheme clusters and tell which characters join, hide, or control a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_LEFT_OUT = "‹…›"
_NO_BASE = "◌"

_EMPTY_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_EMPTY_BRAILLE = "\u2800"

# Group names are the alphabet of `_PIECE`.
_KIND = re.compile(
    r"(?P<n>\n)|(?P<j>\u200d)|(?P<z>\u200c)"
    r"|(?P<v>[\ufe0e\ufe0f])|(?P<w>[\ufe00-\ufe02\U000e0100-\U000e01ef])|(?P<f>[\u180b-\u180d\u180f])"
    rf"|(?P<x>[{_EMPTY_LETTERS}\ufe03-\ufe0d])"
    r"|(?P<d>[0-9#*])"
    r"|(?P<o>[\u1820-\u1878\u1880-\u18aa])"
    r"|(?P<k>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af])"
    r"|(?P<r>[\U0001f1e6-\U0001f1ff])|(?P<t>[\U0001f3fb-\U0001f3ff])"
    r"|(?P<p>[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23fa"
    r"\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff])"
)
# Arabic to Sinhala, then Burmese, Khmer and Mongolian.
_JOINING_SCRIPT = re.compile(r"[\u0620-\u0dff\u1000-\u109f\u1780-\u18af]")

# Limits: pointed Hebrew has up to five marks on a letter, an emoji family of four has three joiners.
_MARKS = "[mu]{0,5}"
_PIECE = re.compile(
    rf"p[tv]?(?:jp[tv]?){{0,3}}{_MARKS}"
    rf"|(?:s|of?){_MARKS}(?:[jz](?:s|of?|u){_MARKS}){{0,3}}"
    rf"|rr{_MARKS}|kw?{_MARKS}|dv?{_MARKS}"
    r"|(?<![^n])(?P<bare>[mu]{1,5})|(?P<heap>[mu]+)"
    rf"|(?P<hidden>[xjzvwf]){_MARKS}"
    rf"|n|.{_MARKS}"
)


def clusters(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of `text`, each of which must not be cut in two, in a form that is safe to draw.

    Control and invisible characters become visible signs. A mark without a letter gets a dotted circle, and more marks
    than a letter can have become ‹…›. Line ends stay.
    """
    for found in _PIECE.finditer("".join(map(_kind, text))):
        piece = text[found.start() : found.end()]
        match found.lastgroup:
            case "hidden":
                yield sign(piece[0]) + piece[1:]
            case "bare":
                yield _NO_BASE + piece
            case "heap":
                yield _LEFT_OUT
            case _:
                yield piece


@lru_cache(4096)
def _kind(char: str) -> str:
    """Return the letter that stands for how `char` combines with its neighbors; the pattern `_PIECE` uses the letters.

    n is a line end, j a joiner, z a non-joiner, d a digit, p a picture, k an ideograph, o a Mongolian letter; v, w and
    f are the variation selectors of d and p, of k, and of o. s is a letter and u a mark of another script that joiners
    work in, m any other mark, r half of a flag, t a skin tone. x must not be drawn. b is everything else.
    """
    category = unicodedata.category(char)
    if category != "Cn" and (found := _KIND.match(char)):
        return str(found.lastgroup)
    if category.startswith("C") or category in {"Zl", "Zp"}:
        return "x"
    joining = _JOINING_SCRIPT.match(char)
    if category.startswith("M"):
        return "u" if joining else "m"
    return "s" if joining and category.startswith("L") else "b"


def sign(char: str) -> str:
    """Return a visible sign in place of a control or invisible character, such as ␛ or ‹U+200B›."""
    if char < " ":
        return chr(0x2400 + ord(char))
    return "␡" if char == "\x7f" else f"‹U+{ord(char):04X}›"


def seen(char: str) -> bool:
    """Return True if this character is visible on its own: a letter, number, sign or symbol that is not blank."""
    return unicodedata.category(char)[0] in "LNPS" and char not in _EMPTY_LETTERS + _EMPTY_BRAILLE


_TWO_CELLS = "\u200d\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
"""Characters that join a picture to others or make it one: what they are part of takes two cells."""


def cells(text: str) -> int:
    """Return the number of terminal cells that the line `text` takes. It must be safe to draw, as from `shown_line`."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, clusters(text)))


def _cells(piece: str) -> int:
    if len(piece) > 1 and unicodedata.category(piece[0]) == "So" and any(char in _TWO_CELLS for char in piece):
        return 2
    return sum(
        0 if unicodedata.category(char)[0] == "M" else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in piece
        if char not in "\u200c\u200d\ufe0e\ufe0f"
    )
