"""Datasworn's Markdown as lines of plain text, and the links in it.

Packs write emphasis, lists, tables, links such as `[Strike](datasworn:move:classic/combat/strike)`, and macros such as
`{{table>…}}`, which stand for another node. All patterns are bounded, so that no text takes long.
"""

from __future__ import annotations

import re

from tracker.content.datasworn import target
from tracker.games.api.content import Content
from tracker.records import NamedTuple

LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\(([^()\s]{1,300})\)")
"""Pattern of a link: its label, and its target as written."""
MACRO = re.compile(r"\{\{([^{}\n]{0,300})\}\}")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.{1,1000}?)(?<=\S)\1")
_WEAK = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])(.{1,400}?)(?<=[^\s*_])\1(?![\w*])")
_ITEM = re.compile(r"( {0,12})[*+-] +(?=\S)")
_HEADING = re.compile(r"#{1,6} +")
_RULE = re.compile(r"[|: -]*-[|: -]*")
_MARKUP = re.compile(r"[\[{*_|#\n-]")
_MACROS = {"table", "table_columns", "text"}
_CELLS_MOST = 12
_BULLET = "• "


class Link(NamedTuple):
    """A link or a macro in a text of a pack, as `read` finds it.

    `label` is the text shown for it. `kind` and `id` name its target; the kind is "text" (of a move), "oracle",
    "asset", "foe", "truth" or "page".
    """

    label: str
    kind: str
    id: str


class Marked(NamedTuple):
    """A text of a pack after `read` has removed its markup.

    `lines` are the paragraphs, with "" for a blank line. `links` holds each link and macro that names a node, once.
    `unknown` holds those that name nothing, as the pack writes them; an unknown macro stays in the text.
    """

    lines: tuple[str, ...]
    links: tuple[Link, ...] = ()
    unknown: tuple[str, ...] = ()


def read(text: str, content: Content | None = None) -> Marked:
    """Remove the markup from a text of a pack and return the result.

    A macro becomes the name of the table or move that it refers to, looked up in `content`; without `content`, or if it
    has no such node, a name made from the id.
    """
    if not _MARKUP.search(text):
        return Marked((text,) if text else ())
    links: dict[tuple[str, str], Link] = {}
    unknown: list[str] = []

    def linked(found: re.Match[str]) -> str:
        label, written = found[1], found[2]
        kind, ident = target(written.removeprefix("datasworn:").removeprefix("id:"))
        if kind:
            links.setdefault((kind, ident), Link(_plain(label), kind, ident))
        elif "://" in written:
            return f"{label} ({written})"
        elif not _is_collection(written):
            unknown.append(found[0])
        return label

    def stood_for(found: re.Match[str]) -> str:
        between = ">" if ">" in found[1] else ":"  # 0.0.10 writes a colon
        name, sign, written = found[1].partition(between)
        kind, ident = target(written)
        if name not in _MACROS or not sign or not (kind or _is_collection(written)):
            unknown.append(found[0])
            return found[0]
        label = _name(kind, ident or written, content)
        if kind:
            links.setdefault((kind, ident), Link(label, kind, ident))
        return f"[{label}]" if name == "text" else f"(table: {label})"

    def inline(line: str) -> str:
        kept: list[str] = []

        def hidden(found: re.Match[str]) -> str:  # ids have underscores, which are no emphasis
            kept.append(stood_for(found))
            return "\0"

        line = LINK.sub(linked, line.replace("\0", ""))
        line = _plain(MACRO.sub(hidden, line) if "{{" in line else line)
        return re.sub("\0", lambda _: kept.pop(0), line) if kept else line

    lines: list[str] = []
    rows: list[list[str]] = []
    for raw in text.split("\n"):
        stripped = raw.strip()
        if stripped.startswith("|"):
            if not _RULE.fullmatch(stripped):
                rows.append([inline(cell.strip()) for cell in stripped.strip("|").split("|")[:_CELLS_MOST]])
            continue
        lines += _laid(rows)
        rows = []
        if not stripped:
            if lines and lines[-1]:
                lines.append("")
        elif item := _ITEM.match(raw):
            deeper = "  " * max(0, len(item[1]) // 2 - 1)
            lines.append(f"{deeper}{_BULLET}{inline(raw[item.end() :].strip())}")
        else:
            lines.append(inline(_HEADING.sub("", stripped, count=1)))
    lines += _laid(rows)
    while lines and not lines[-1]:
        lines.pop()
    return Marked(tuple(lines), tuple(links.values()), tuple(dict.fromkeys(unknown)))


def plain(text: str, content: Content | None = None) -> str:
    """Return a text of a pack, such as a row of a table, without its markup. Line ends stay.

    `content` has the tables and moves whose names replace macros; without it, names are made from their ids.
    """
    return "\n".join(read(text, content).lines)


def _plain(line: str) -> str:
    return _WEAK.sub(r"\2", _STRONG.sub(r"\2", line))


def _laid(rows: list[list[str]]) -> list[str]:
    """Return one line for each row of a table, with the cells padded so that columns line up."""
    width = max(map(len, rows), default=0)
    widths = [max(len(row[n]) for row in rows if n < len(row)) for n in range(width)]
    return ["   ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=False)).rstrip() for row in rows]


def _is_collection(written: str) -> bool:
    """Return True if this is the id of a collection. Packs may refer to one, but tracker shows only its parts."""
    name, colon, _ = written.removeprefix("datasworn:").removeprefix("id:").partition(":")
    if colon:
        return name.endswith(("_collection", "_category"))
    return "/collections/" in name


def _name(kind: str, ident: str, content: Content | None) -> str:
    if content is not None and kind == "oracle" and ident in content.oracles:
        return content.oracles[ident].name
    if content is not None and kind == "text" and ident in content.texts:
        return content.texts[ident].name
    return ident.rpartition("/")[2].replace("_", " ").title()
