"""Text that came from outside, made fit to be shown.

Every string from a save, a pack, a peer or the command line passes here before it is drawn, logged or put
in an error. What a terminal would act on, and what would hide, becomes a visible sign; all else stays.
"""

from __future__ import annotations

import re

NAME_MOST = 60

_TAB = "    "
_LINE_END = "↵"
_CUT = "…"

# Scripts that need nothing but their letters: no mark, no joiner, no code point that is still unassigned.
_PLAIN = re.compile(
    r"[\n -~\u00a1-\u00ac\u00ae-\u02ff\u038e-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1eff"
    r"\u2010-\u2027\u2030-\u205e\u2190-\u2426\u2500-\u27bf\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fef\uac00-\ud7a3]*"
)


def shown(text: str) -> str:
    """`text` as it may be drawn, line by line; what is fit to be shown already comes back as it is."""
    if _PLAIN.fullmatch(text):
        return text
    from tracker.graphemes import pieces

    return "".join(pieces(_spaced(text)))


def shown_line(text: str, most: int = NAME_MOST) -> str:
    """`text` as it may be drawn on one line of at most `most` characters, which is at least 1."""
    line = _spaced(text).replace("\n", _LINE_END)
    if _PLAIN.fullmatch(line):
        return line if len(line) <= most else line[: most - 1] + _CUT
    from tracker.graphemes import pieces

    kept, fits = "", ""
    for piece in pieces(line):
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
    from tracker.graphemes import seen

    if not any(map(seen, text)):
        return "A name needs a character that can be seen."
    return None


def _spaced(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", _TAB)
