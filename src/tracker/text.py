"""Text that came from outside, made fit to be shown.

Every string from a save, a pack, a peer or the command line passes here before it is drawn, logged or put
in an error. What a terminal would act on, and what would hide, becomes a visible sign; all else stays.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

NAME_MOST = 60

_TAB = "    "
_LINE_END = "↵"
_CUT = "…"
_LEFT_OUT = "‹…›"
_NO_BASE = "◌"

# Scripts that need nothing but their letters: no mark, no joiner, no code point that is still unassigned.
_PLAIN = re.compile(
    r"[\n -~\u00a1-\u00ac\u00ae-\u02ff\u038e-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1eff"
    r"\u2010-\u2027\u2030-\u205e\u2190-\u2426\u2500-\u27bf\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fef\uac00-\ud7a3]*"
)

_EMPTY_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_EMPTY_BRAILLE = "\u2800"

# The names of the groups are the letters in which `_PIECE` is written.
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
# From Arabic to Sinhala, then Burmese, Khmer and Mongolian.
_JOINING_SCRIPT = re.compile(r"[\u0620-\u0dff\u1000-\u109f\u1780-\u18af]")

# Pointed Hebrew needs five marks on one letter, a family of four three joiners.
_MARKS = "[mu]{0,5}"
_PIECE = re.compile(
    rf"p[tv]?(?:jp[tv]?){{0,3}}{_MARKS}"
    rf"|(?:s|of?){_MARKS}(?:[jz](?:s|of?|u){_MARKS}){{0,3}}"
    rf"|rr{_MARKS}|kw?{_MARKS}|dv?{_MARKS}"
    r"|(?<![^n])(?P<bare>[mu]{1,5})|(?P<heap>[mu]+)"
    rf"|(?P<hidden>[xjzvwf]){_MARKS}"
    rf"|n|.{_MARKS}"
)


def shown(text: str) -> str:
    """`text` as it may be drawn, line by line; what is fit to be shown already comes back as it is."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(_pieces(_spaced(text)))


def shown_line(text: str, most: int = NAME_MOST) -> str:
    """`text` as it may be drawn on one line of at most `most` characters, which is at least 1."""
    line = _spaced(text).replace("\n", _LINE_END)
    if _PLAIN.fullmatch(line):
        return line if len(line) <= most else line[: most - 1] + _CUT
    kept, fits = "", ""
    for piece in _pieces(line):
        kept += piece
        if len(kept) > most:
            return fits + _CUT
        if len(kept) < most:
            fits = kept
    return kept


def name_problem(text: str) -> str | None:
    """Why `text` cannot be a name, in one sentence; None if it can."""
    if not text:
        return "A name cannot be empty."
    if text.splitlines() != [text]:
        return "A name is one line."
    if len(text) > NAME_MOST:
        return f"A name has at most {NAME_MOST} characters, this has {len(text)}."
    if not any(map(_seen, text)):
        return "A name needs a character that can be seen."
    return None


def _seen(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNPS" and char not in _EMPTY_LETTERS + _EMPTY_BRAILLE


def _spaced(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", _TAB)


def _pieces(text: str) -> Iterator[str]:
    """`text` as it may be drawn, in pieces that must not be cut."""
    for found in _PIECE.finditer("".join(map(_kind, text))):
        piece = text[found.start() : found.end()]
        match found.lastgroup:
            case "hidden":
                yield _sign(piece[0]) + piece[1:]
            case "bare":
                yield _NO_BASE + piece
            case "heap":
                yield _LEFT_OUT
            case _:
                yield piece


@lru_cache(4096)
def _kind(char: str) -> str:
    """The letter for what `char` does to its neighbours.

    n line end; j joiner, z non-joiner; v, w, f variation selectors of d digits and p pictures, of k
    ideographs, of o Mongolian letters; s letters and u marks of the other scripts that joiners work in;
    m other marks; r halves of flags; t skin tones; x what must not be drawn; b all the rest.
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


def _sign(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    return "␡" if char == "\x7f" else f"‹U+{ord(char):04X}›"
