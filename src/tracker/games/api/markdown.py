"""Texts of packs, which are Markdown with links and macros, as plain words on one line."""

from __future__ import annotations

import re

_MACRO = re.compile(r"\{\{[^{}\n]*\}\}")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\n]*\)")
_MARKS = re.compile(r"(?<![\w*])(\*\*|\*)(?=\S)|(?<=\S)(\*\*|\*)(?![\w*])|(?<!\w)(__|_)(?=\S)|(?<=\S)(__|_)(?!\w)")
_BULLET = re.compile(r"\n+[ ]*[*+-][ ]+")


def plain(text: str) -> str:
    """Return the words of a Markdown text on one line: no marks for emphasis, no addresses of links, no macros."""
    text = _BULLET.sub("; ", "\n" + _LINK.sub(r"\1", _MACRO.sub("", text)))
    return " ".join(_MARKS.sub("", text).split()).removeprefix("; ")
