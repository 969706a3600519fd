"""Make text from outside safe to show.

Every string from a save, a content file or the command line passes through here before it is drawn, logged or put
in an error. Control, escape and bidirectional characters, and invisible ones, become visible signs; the rest stays.
"""

from __future__ import annotations

import re

NAME_MOST = 60

_TAB = "    "
_LINE_END = "↵"
_CUT = "…"

# Fast path: scripts without combining marks, joiners or unassigned code points.
_PLAIN = (
    r"[\n -~\u00a1-\u00ac\u00ae-\u02ff\u038e-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1eff"
    r"\u2010-\u2027\u2030-\u205e\u2190-\u2426\u2500-\u27bf\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fef\uac00-\ud7a3]*"
)


def shown(text: str) -> str:
    """Return `text` in a form that is safe to draw; safe text is returned unchanged.

    Line ends are kept, as line feeds; a tab becomes 4 spaces.
    """
    if (text.isascii() and text.isprintable()) or re.fullmatch(_PLAIN, text):
        return text
    from tracker.graphemes import clusters

    return "".join(clusters(_spaced(text)))


def shown_line(text: str, most: int = NAME_MOST) -> str:
    """Return `text` in a form that is safe to draw on one line, with ↵ for line ends.

    If that has more than `most` characters (`most` is at least 1), it is cut and ends in ….
    """
    line = _spaced(text).replace("\n", _LINE_END)
    if (line.isascii() and line.isprintable()) or re.fullmatch(_PLAIN, line):
        return line if len(line) <= most else line[: most - 1] + _CUT
    from tracker.graphemes import clusters

    kept, fits = "", ""
    for piece in clusters(line):
        kept += piece
        if len(kept) > most:
            return fits + _CUT
        if len(kept) < most:
            fits = kept
    return kept


def name_problem(text: str) -> str | None:
    """Return a sentence that says why `text` cannot be the name of a character or thing; None if it can."""
    if not text:
        return "A name can't be empty."
    if text.splitlines() != [text]:
        return "Keep the name to one line."
    if len(text) > NAME_MOST:
        return f"{len(text)} characters is too long for a name; the limit is {NAME_MOST}."
    from tracker.graphemes import seen

    if not any(map(seen, text)):
        return "A name needs a visible character."
    return None


def _spaced(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", _TAB)
