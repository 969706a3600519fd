"""Texts of packs, which are Markdown with links and macros, as plain words on one line; also the rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tracker.games.api.content import Oracle, from_pack
from tracker.text import shown_line

TEXT_MOST = 600
"""Characters kept of each text in a row."""
_MACRO = re.compile(r"\{\{[^{}\n]*\}\}")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\n]*\)")
_MARKS = re.compile(r"(?<![\w*])(\*\*|\*)(?=\S)|(?<=\S)(\*\*|\*)(?![\w*])|(?<!\w)(__|_)(?=\S)|(?<=\S)(__|_)(?!\w)")
_BULLET = re.compile(r"\n+[ ]*[*+-][ ]+")


def plain(text: str) -> str:
    """Return a Markdown text as plain words on one line, without marks for emphasis, link addresses and macros."""
    text = _BULLET.sub("; ", "\n" + _LINK.sub(r"\1", _MACRO.sub("", text)))
    return " ".join(_MARKS.sub("", text).split()).removeprefix("; ")


def row_text(oracle: Oracle, row: int) -> str:
    """Return the text of the row with the index `row`, followed by the texts of its other columns in parentheses."""
    words = plain if from_pack(oracle.id) else str
    first = shown_line(words(oracle.rows[row]), TEXT_MOST)
    more = oracle.more[row] if oracle.more else ()
    captions = oracle.columns[1:] or ("",) * len(more)
    beside = "; ".join(
        f"{f'{shown_line(caption, 40)}: ' if caption else ''}{shown_line(words(text), TEXT_MOST)}"
        for caption, text in zip(captions, more, strict=False)
        if text
    )
    if not first or not beside:
        return first or beside
    return f"{first} ({beside})"


def row_lines(oracle: Oracle) -> Iterator[tuple[str, str]]:
    """Yield (faces, text) of each row. The faces are text such as "7-12", or "" if the row cannot be rolled."""
    for row, (first, last) in enumerate(oracle.spans()):
        yield f"{first}-{last}" if first < last else str(last or ""), row_text(oracle, row)
