"""Dialog with the packs that a new campaign can use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.widgets.options import DIGITS, Row
from tracker.text import shown_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tracker.app.widgets.header import Heading
    from tracker.games.api.content import PackInfo

_BEGIN = "begin."
"""Value of the row that ends the dialog. Ids of packs have no dot."""
_ABOUT = "Tables, assets, foes, and texts of the marked packs join those of the game. You can change this later."


class NewPacksScreen(ListScreen):
    """Dialog in which the player marks the packs of a new campaign.

    Ends with a list of their ids, or with None if the player goes back.
    """

    def __init__(self, heading: Heading, title: str, packs: Sequence[PackInfo]) -> None:
        self._packs = packs
        self._marked: set[str] = set()
        about = [Content.styled(_ABOUT, "$muted")]
        super().__init__(heading, title, Choices(self._rows(), lambda _: about, filters=False))

    def _rows(self) -> tuple[Row, ...]:
        marked = ", ".join(shown_line(pack.title) for pack in self._packs if pack.id in self._marked)
        keys = dict(zip((pack.id for pack in self._packs), DIGITS, strict=False))
        return (
            Row("Begin", _BEGIN, "b", f"with {marked}" if marked else "without packs"),
            *(Row(shown_line(p.title), p.id, keys.get(p.id, ""), on=p.id in self._marked) for p in self._packs),
        )

    def picked(self, row: Row) -> None:
        if row.value == _BEGIN:
            self.dismiss([pack.id for pack in self._packs if pack.id in self._marked])
        else:
            self._marked ^= {row.value}
            self.choices = self.choices._replace(rows=self._rows())
            self.list.show(row.value)
