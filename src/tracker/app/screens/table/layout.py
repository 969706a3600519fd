"""Layout of the table, computed from the size of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from tracker.app.screens.window_sizes import COZY, LEAST, WIDE
from tracker.app.widgets.sheet import AIR, SheetPane

if TYPE_CHECKING:  # not imported for the first frame, which has none of these
    from tracker.app.widgets.belongings import HoldingsPane
    from tracker.app.widgets.fight import FightPane
    from tracker.app.widgets.journal_pane import JournalView
    from tracker.app.widgets.now_pane import NowPane
    from tracker.app.widgets.passage_input import PassageInput
    from tracker.app.widgets.rolls import LastRoll
    from tracker.app.widgets.sheet import MemberSummary, RatingsPane
    from tracker.app.widgets.tracks import TrackList

WIDE_LEFT = 56
"""Columns of the sheet in a wide window, where belongings are told in full."""
FRAME = 4
"""Columns of a frame with the blanks inside it."""
LEAST_JOURNAL = 37
LEAST_MIDDLE, MOST_MIDDLE = 38, 56
"""Columns of the journal, and of the panes between it and the sheet, with their frames."""
TALL = 36
"""Height from which dice are drawn and assets show their text."""
SHORT = 20
"""Below this height the action strip gets one row."""
TAIL = 4
"""Rows that the journal keeps below the tracks in a narrow window."""
FEW = 7
"""Rows, with frame, that tracks and last roll can do with."""
LEAST_ROLLS = 5
"""Rows, with frame, that a list of rolls needs at least."""
LEAST_LAST = 4
"""Rows, with frame, that the last result needs at least."""
LAST = 12
"""Rows of the last roll with dice, sum, reasons, changes and frame."""


class TableLayout(Layout):
    """Textual layout that places the panes of the table in the window.

    A narrow window has the sheet, one pane with tabs beside it, and strips below. A wider one has three columns: sheet,
    actions and tracks, journal. The style sheet decides which panes are displayed. All widgets are children of the
    screen, because containers would make the first frame 50% slower.
    """

    name = "table"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        shown = {child.id: child for child in children if child.display and child.id}
        if "sheet" not in shown:  # the layer of the notice
            return [WidgetPlacement(size.region, NULL_OFFSET, Spacing(), child) for child in children]
        size = Size(max(size.width, LEAST.width), max(size.height, LEAST.height))
        narrow = size.width < COZY
        grid = cast("RatingsPane", shown["grid"]).rows + (1 if narrow else 2) if "grid" in shown else 0
        board = Size(size.width, size.height - 2 - grid)
        regions = (_narrow if narrow else _columns)(board, shown)
        regions = {name: region.translate((0, 1 + grid)) for name, region in regions.items() if region.area}
        regions |= {
            "head": Region(0, 0, size.width, 1),
            "grid": Region(0, 1, size.width, grid),
            "foot": Region(0, size.height - 1, size.width, 1),
        }
        if "journal" in regions:
            rows = cast("PassageInput", shown["write"]).rows if "write" in shown else 1
            regions["write"] = _foot_of(regions["journal"], rows, narrow=narrow)
            if "journal" in shown:
                cast("JournalView", shown["journal"]).cover(regions["write"].height if "write" in shown else 0)
        return [
            WidgetPlacement(regions[name], NULL_OFFSET, Spacing(), child)
            for name, child in shown.items()
            if name in regions
        ]


Shown = dict[str, Widget]
"""Visible widgets by id."""


def _foot_of(journal: Region, rows: int, *, narrow: bool) -> Region:
    """Return the region of the last `rows` rows in the journal pane, for the input line; fewer if the pane is low.

    `narrow` is True for a pane without a frame, as in a narrow window.
    """
    inset = 0 if narrow else 1
    rows = max(1, min(rows, journal.height - 2))
    return Region(journal.x + 1, journal.bottom - rows - inset, journal.width - 1 - inset, rows)


def _stack(x: int, width: int, heights: dict[str, int]) -> dict[str, Region]:
    """Return the regions of panes with these heights, one below the other from row 0.

    All begin in column `x` and are `width` cells wide.
    """
    regions: dict[str, Region] = {}
    y = 0
    for name, height in heights.items():
        regions[name] = Region(x, y, width, max(0, height))
        y += max(0, height)
    return regions


def _sheet_rows(shown: Shown) -> int:
    return cast("SheetPane", shown["sheet"]).rows


def _roomy(shown: Shown) -> bool:
    return cast("SheetPane", shown["sheet"]).roomy


def _now_rows(shown: Shown, width: int, most: int) -> int:
    return cast("NowPane", shown["now"]).rows(width, most) if "now" in shown else most


def _track_rows(shown: Shown) -> int:
    return cast("TrackList", shown["tracks"]).rows if "tracks" in shown else 0


def _fight_rows(shown: Shown, width: int, *, whole: bool = True) -> int:
    return cast("FightPane", shown["fight"]).rows(width, whole=whole) if "fight" in shown else 0


def _next_rows(shown: Shown, width: int) -> int:
    """Return the number of rows, with the frame, of the pane for the next party member; 0 if there is no next member.

    `width` is that inside the frame.
    """
    rows = cast("MemberSummary", shown["next"]).rows(width) if "next" in shown else 0
    return rows + 2 if rows else 0


def _held(shown: Shown) -> list[HoldingsPane]:
    return [cast("HoldingsPane", pane) for pane in shown.values() if pane.has_class("holdings")]


def _narrow(size: Size, shown: Shown) -> dict[str, Region]:
    width = size.width
    now = _now_rows(shown, width, 1 if size.height < SHORT else 2)
    body = size.height - 2 - now
    left = 44 if _roomy(shown) else 38 if width < 100 else 42
    regions = _left_narrow(left, body, shown)
    right = {"tabs": 1}
    if "tracks" in shown or "fight" in shown or "rolls" not in shown:
        fight = min(_fight_rows(shown, width - left - 3), body - TAIL)
        tracks = max(2, min(_track_rows(shown), body - 2 - TAIL)) if "tracks" in shown else 0
        if "tracks" in shown or fight:
            right |= {"fight": fight, "tracks": 0 if fight else tracks}
        right["journal"] = body - sum(right.values())
    else:
        right["rolls"] = body - 1
    regions |= _stack(left, width - left, right)
    return regions | {"last": Region(0, body, width, 2), "now": Region(0, body + 2, width, now)}


def _left_narrow(width: int, height: int, shown: Shown) -> dict[str, Region]:
    """Return the regions of the left column of a narrow window: the sheet, then a row for each belonging.

    The sheet gets extra rows only if all belongings fit. Its title shows how many rows and belongings do not fit.
    """
    panes = {str(pane.id): len(pane.data.things) for pane in _held(shown)}
    rows = 1 + _sheet_rows(shown)
    held = sum(panes.values())
    sheet = max(min(rows, height), min(rows + AIR, height - held)) if held else height
    cast("SheetPane", shown["sheet"]).hide(max(0, rows - height), max(0, held - height + sheet))
    heights = {"sheet": sheet}
    left = height - sheet
    for name, count in panes.items():
        heights[name] = min(count, left)
        left -= heights[name]
    return _stack(0, width, heights)


def _left_roomy(width: int, height: int, shown: Shown) -> dict[str, Region]:
    """Return the regions of the left column of a wide window: sheet, belongings, and the next member if that fits.

    If there is too little room, the lowest panes are made smaller or left out first.
    """
    inside = width - 4
    cast("SheetPane", shown["sheet"]).hide(0, 0)
    wraps = cast("SheetPane", shown["sheet"]).wraps(inside)
    heights = {"sheet": min(height, _sheet_rows(shown) + wraps + AIR + 2)}
    left = height - heights["sheet"]
    panes = _held(shown)
    looks = list(zip(*(pane.rows(inside) for pane in panes), strict=True))
    frames = [2 if pane.data.things else 0 for pane in panes]
    fitting = (look for look in looks if sum(look) + sum(frames) <= left)
    wanted = next(fitting, looks[-1] if looks else ())
    for pane, rows, frame in zip(panes, wanted, frames, strict=True):
        given = min(rows + frame, left)
        heights[str(pane.id)] = given if given > frame else 0
        left -= heights[str(pane.id)]
    if _next_rows(shown, inside) <= left:
        heights["next"] = _next_rows(shown, inside)
        left -= heights["next"]
    # The first pane with content takes the remaining rows, else the sheet.
    there = [pane for pane in panes if heights[str(pane.id)]]
    grown = next((pane for pane in there if pane.data.things), None)
    heights[str(grown.id) if grown else "sheet"] += left
    return _stack(0, width, heights)


def _middle_width(width: int, left: int, shown: Shown) -> int:
    """Return the width of the middle column: as much as actions and tracks need, from LEAST_MIDDLE to MOST_MIDDLE.

    It is only wider than LEAST_MIDDLE if LEAST_JOURNAL columns are left for the journal.
    """
    if "now" not in shown or "tracks" not in shown:  # the first frame, or one after a resize
        return LEAST_MIDDLE
    now, tracks = cast("NowPane", shown["now"]), cast("TrackList", shown["tracks"])
    needed = max(now.needed, tracks.needed) + FRAME
    return max(LEAST_MIDDLE, min(needed, MOST_MIDDLE, width - left - LEAST_JOURNAL))


def _columns(size: Size, shown: Shown) -> dict[str, Region]:
    """Return the regions of the panes, by id, in three columns.

    They are: sheet, belongings and next member; actions, fight, tracks and rolls; journal.
    """
    width, height = size
    left = WIDE_LEFT if width >= WIDE else 45 if _roomy(shown) else 40
    middle = _middle_width(width, left, shown)
    inside = middle - FRAME
    now = min(_now_rows(shown, inside, 9) + 2, height - LEAST_LAST)
    fight = _fight_rows(shown, inside) + 2 if "fight" in shown else 0
    if fight and height - now - fight < min(_track_rows(shown) + 2, FEW) + FEW - 2:
        fight = _fight_rows(shown, inside, whole=False) + 2
    heights = {"now": now, "fight": fight}
    if "tracks" in shown:
        heights |= _tracks_and_rolls(height - now - fight, shown)
    return (
        _left_roomy(left, height, shown)
        | _stack(left, middle, heights)
        | {"journal": Region(left + middle, 0, width - left - middle, height)}
    )


def _tracks_and_rolls(height: int, shown: Shown) -> dict[str, int]:
    """Return the heights of "tracks", "last" (roll) and "rolls" (earlier ones) in a column of `height` rows.

    Earlier rolls are only there if at least LEAST_ROLLS rows are left over. Tracks or last roll without content take
    one row; tracks that would get only a frame take none.
    """
    tracks, last = cast("TrackList", shown["tracks"]), cast("LastRoll", shown["last"])
    if last.is_empty:
        least_last = most_last = 1
    else:
        least_last = min(FEW, max(LEAST_LAST, height - 4))
        most_last = LAST if last.pictured else least_last
    if not tracks.data:
        last_rows = max(least_last, min(most_last, height - 1))
        return {"tracks": 1, "last": last_rows}
    # Drawn dice if they fit, else words.
    looks = (most_last + 2, most_last, most_last - 1) if last.pictured else ()
    last_rows = next((rows for rows in looks if height - rows >= tracks.rows + 2), least_last)
    if height - last_rows < 3:  # an empty frame is useless
        return {"tracks": 0, "last": height}
    over = height - last_rows - tracks.most_rows - 2
    if "rolls" in shown and over >= LEAST_ROLLS:
        return {"tracks": tracks.most_rows + 2, "last": last_rows, "rolls": over}
    return {"tracks": height - last_rows, "last": last_rows}
