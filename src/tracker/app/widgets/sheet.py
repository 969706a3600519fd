"""The pane of the active character's sheet, with a widget for each field, and a summary of another member."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.content import Content
from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.screen import Screen
from textual.widget import Widget

from tracker.app.drawings import COLUMNS, field_row, fit, pips_in, ruler
from tracker.app.key_queue import current_key
from tracker.app.widgets.base import CachedWidget, Pane, ValueWidget
from tracker.app.widgets.fields import Cell, FlagGrid, LineRow, MeterRow, MomentumRuler, Tile, line_rows
from tracker.games.api.phrases import signed
from tracker.games.api.view import Field, Flags, Line, Meter, Momentum, Row, Stat, each

_KINDS: dict[type, Any] = {Stat: Tile, Momentum: MomentumRuler, Flags: FlagGrid, Line: LineRow}
NARROW = 6
"""Most letters of a name if all tiles are to fit in one row."""
AIR = 3
"""Empty rows between the groups: under the stats, above the flags and below them."""


class _SheetLayout(Layout):
    """Layout of fields below each other.

    If there is room, long texts are wrapped and groups get blank rows between them.
    """

    name = "sheet"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        assert isinstance(parent, SheetPane)
        spare = max(0, size.height - parent.rows)
        longer: dict[Widget, int] = {}
        for child in children:
            if isinstance(child, LineRow):
                longer[child] = min(spare, child.rows(size.width) - 1)
                spare -= longer[child]
        air = min(AIR, spare)
        tiles = parent.tile_rows
        placements: list[WidgetPlacement] = []
        y = 0
        for child in children:
            is_flags = isinstance(child, FlagGrid)
            if is_flags and air >= 2:
                y += 1
            height = tiles if child.id == "tiles" else _height(child) + longer.get(child, 0)
            placements.append(WidgetPlacement(Region(0, y, size.width, height), NULL_OFFSET, Spacing(), child))
            y += height
            if (child.id == "tiles" and air >= 1) or (is_flags and air >= AIR):
                y += 1
        return placements


_LAYOUT = _SheetLayout()


class NoCharacterNotice(CachedWidget):
    def render(self) -> Content:
        return Content.assemble(("No characters yet.", "$muted"), f"\n{current_key(self, 'c')} makes one.")


class SheetPane(Pane):
    """Pane of the table with the fields of a character.

    Widgets are reused while the kinds of fields stay the same, else all are rebuilt. At first only the fields
    before the flags have widgets; `lay_the_rest` adds the others.
    """

    DEFAULT_CSS = """
    SheetPane { overflow-y: auto; scrollbar-size-vertical: 0; }
    .cells { layout: horizontal; height: 1; }
    #tiles.roomy { layout: grid; grid-size: 3; grid-rows: 2; height: 4; }
    #tiles.roomy Tile { width: 100%; }
    """

    @property
    def rows(self) -> int:
        """Number of rows that the fields need without blank rows between groups; 2 without fields."""
        return self.tile_rows + sum(_rows(field) for field in self.fields) or 2

    def wraps(self, width: int) -> int:
        """Return how many rows more than `rows` the fields need if long texts are wrapped in full at `width` cells."""
        return sum(line_rows(field, width) - 1 for field in self.fields if isinstance(field, Line))

    @property
    def tile_rows(self) -> int:
        """Number of rows for the tiles of the stats: 4 if a stat has a long name, else 2; 0 without stats."""
        stats = any(isinstance(field, Stat) for field in self.fields)
        return 0 if not stats else 4 if self.roomy else 2

    @property
    def roomy(self) -> bool:
        """True if a stat has a name too long for a narrow tile, so that the sheet should be wider."""
        return any(isinstance(field, Stat) and len(field.label) > NARROW for field in self.fields)

    @property
    def layout(self) -> Layout:
        return _LAYOUT

    def __init__(self, title: str, fields: tuple[Field, ...], *, id: str) -> None:  # noqa: A002
        self.fields = fields
        self._whole = False
        self._hidden = (0, 0)
        self._waits = False
        """True while a rebuild is pending and the widgets still belong to the old fields."""
        super().__init__(title, *self._widgets(self._above()), id=id, hint="+ - change, Enter rolls")

    def hide(self, rows: int, things: int) -> None:
        """Show in the title that this many rows of the sheet and things below it are hidden; nothing if both are 0."""
        if (rows, things) != self._hidden:
            self._hidden = rows, things
            self.call(self._caption)

    def call(self, title: str) -> None:
        rows, things = self._hidden
        more = f"{rows + things} more" + (f": {current_key(self, 'b')}" if things and not rows else "")
        super().call(f"{title}   ↓ {more}" if rows or things else title)
        self._caption = title

    def _above(self) -> int:
        """Return the number of fields before the flags, or of all fields if there are no flags."""
        return next((n for n, field in enumerate(self.fields) if isinstance(field, Flags)), len(self.fields))

    def _widgets(self, upto: int | None = None) -> Iterator[Widget]:
        if not self.fields:
            yield NoCharacterNotice()
            return
        made = [_made(field) for field in self.fields[:upto]]
        if tiles := [widget for widget in made if isinstance(widget, Tile)]:
            yield CachedWidget(*tiles, id="tiles", classes="roomy" if self.roomy else "")
        yield from (widget for widget in made if not isinstance(widget, Tile))

    async def lay_the_rest(self) -> None:
        """Coroutine that mounts the widgets of the flags and all later fields. Does nothing if they are mounted."""
        if not self._whole:  # else it was built anew in the meantime
            self._whole = True
            await self.mount(*map(_made, self.fields[self._above() :]))

    def show(self, title: str, fields: tuple[Field, ...]) -> None:
        """Show these fields under this title; unchanged fields are not repainted.

        If the kinds of fields differ, the widgets are rebuilt a moment later.
        """
        self.call(title)
        if self._waits or list(map(_make, fields)) != list(map(_make, self.fields)):
            self.fields = fields
            if not self._waits:
                self._waits = True
                self.call_later(self._rebuild)
            return
        self.fields = fields
        drawn: list[Any] = [widget for child in self.children for widget in child.children or (child,)]
        stats_first = sorted(fields, key=lambda field: not isinstance(field, Stat))
        for widget, field in zip(drawn, each(stats_first), strict=False):
            widget.update(field)

    async def _rebuild(self) -> None:
        focused = self.screen.focused
        at = focused.at if isinstance(focused, ValueWidget) else None
        mine = focused is None or self in focused.ancestors or bool(self.query(NoCharacterNotice))
        self._whole = True
        built: tuple[Field, ...] | None = None
        while built is None or list(map(_make, built)) != list(map(_make, self.fields)):  # it may change meanwhile
            await self.remove_children()
            built = self.fields
            await self.mount(*self._widgets())
        self._waits = False
        self.show(self._caption, self.fields)
        self.screen.refresh(layout=True)
        if mine:
            same = (widget for widget in self.query(ValueWidget) if at and widget.at == at)
            if there := next(same, None) or first_rollable(self.screen):
                there.focus()


def first_rollable(screen: Screen[Any]) -> Widget | None:
    """Return the widget that gets the focus by default: the first stat or grid of ratings; None if there is none."""
    return next(iter(screen.query("RatingsGrid, Tile")), None)


def _make(field: Field) -> object:
    """Return a key for the kind of a field: fields with the same key can be shown by the same widget."""
    return tuple(map(type, field.fields)) if isinstance(field, Row) else type(field)


def _rows(field: Field) -> int:
    if isinstance(field, Stat):
        return 0
    if isinstance(field, Flags):
        return -(-len(field.flags) // field.per_row)
    return 3 if isinstance(field, Momentum) else 1


def _height(widget: Widget) -> int:
    if isinstance(widget, NoCharacterNotice):
        return 2
    return _rows(widget.data) if isinstance(widget, ValueWidget) else 1


def _made(field: Field) -> Widget:
    if isinstance(field, Row):
        return CachedWidget(*map(Cell, field.fields), classes="cells")
    widget: Widget = _KINDS.get(type(field), MeterRow)(field)
    return widget


class MemberSummary(ValueWidget[tuple[Field, ...]]):
    """Pane of the table with a member who is not active, in a few lines that cannot be changed.

    They are stats, meters, momentum and set flags.
    """

    def rows(self, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width)[: self.size.height])

    def _lines(self, width: int) -> list[Content]:
        stats = [field for field in self.data if isinstance(field, Stat)]
        lines: list[Content] = []
        if stats:
            parts = (Content.assemble((f"{stat.label} ", "$muted"), (str(stat.value), "bold")) for stat in stats)
            line = Content("  ").join(parts)
            lines += [line, Content()] if line.cell_length <= width else line.wrap(width)
        for field in self.data:
            if isinstance(field, Meter):
                lines.append(
                    field_row(
                        field.label,
                        pips_in(field.value, field.high, COLUMNS[1], marks=field.marks),
                        str(field.value),
                        field.note,
                        width=width,
                    )
                )
            elif isinstance(field, Momentum):
                lines.append(field_row(field.label, Content(), signed(field.value), field.note, width=width))
                lines += ruler(field)
            elif isinstance(field, Flags) and (on := [flag.label for flag in field.flags if flag.on]):
                lines.append(fit(Content.assemble(("■ ", "$bad"), (", ".join(on), "bold $bad")), width))
        return lines
