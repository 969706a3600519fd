"""Pages of packs in plain mode: found by their name, read out as lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tracker.games.api.content import Content, from_pack
from tracker.games.api.errors import Refused
from tracker.text import shown, shown_line

if TYPE_CHECKING:
    from tracker.content.pack_pages import PageName

_UNPLAYED = "tracker doesn't play this move for you: type roll, and change the numbers by hand."
LISTED = 12
"""Names of pages that are listed at once."""


def read_out(content: Content, wanted: str) -> Iterator[str]:
    """Yield the lines of the page with the name `wanted`, or whose name contains that text; of several, the names.

    Raise Refused, at the first line, if `wanted` is "" or no pack of the campaign has such a page.
    """
    from tracker.content.pack_pages import UNPLAYED, page_of

    if not content.texts and not content.pages:
        raise Refused("No pack in use has texts; packs chooses packs, `tracker packs add` installs one.")
    if not wanted:
        raise Refused("Read what? Type read and the name of a move, table, asset, or foe.")
    found = _called(content, wanted)
    if not found:
        raise Refused(f"No text of your packs is called “{shown_line(wanted, 40)}”.")
    if len(found) > 1:
        for one in found[:LISTED]:
            yield f"{one.name}, {one.note}"
        if len(found) > LISTED:
            yield f"and {len(found) - LISTED} more"
        yield "Type read and one of these names."
        return
    page = page_of(content, found[0].kind, found[0].id)
    if page is None:
        raise Refused(f"The text of {found[0].name} can't be read.")
    yield f"{shown_line(page.title)}, {shown_line(page.place)}"
    for line in page.lines:
        if line.text == UNPLAYED:
            yield _UNPLAYED
        elif words := f"{line.lead}{line.text}".strip():
            yield from shown(words).splitlines()
    if page.links:
        yield f"See also: {', '.join(shown_line(link.label) for link in page.links)}"


def _called(content: Content, wanted: str) -> list[PageName]:
    """Return the page with the name `wanted`; else all whose names begin with it, else all whose names contain it.

    Case does not matter. Return [] if there is none.
    """
    from tracker.content.pack_pages import PageName, page_names

    tables = (
        PageName("oracle", table.id, shown_line(table.name), f"table of {shown_line(table.source.title)}")
        for table in content.oracles.values()
        if from_pack(table.id)
    )
    pages = [*page_names(content), *tables]
    sought = " ".join(wanted.casefold().split())
    names = [(page.name.casefold(), page) for page in pages]
    same = [page for name, page in names if name == sought]
    begin = [page for name, page in names if name.startswith(sought)]
    return same[:1] or begin or [page for name, page in names if sought in name]
