"""Moving the focus with arrow keys to the nearest widget on that side."""

from __future__ import annotations

from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_ELSEWHERE = 1000
"""More cells than any screen has."""


def nearest_widget(screen: Screen[None], way: str) -> Widget | None:
    """Return the nearest focusable widget `left`, `right`, `up` or `down` of the focused one; None if there is none.

    If no visible widget has the focus, return the first focusable one.
    """
    chain = [widget for widget in screen.focus_chain if widget.region]
    if screen.focused is None or not screen.focused.region:
        return chain[0] if chain else None
    here = screen.focused.region
    reached = {widget: _distance(here, widget.region, *_WAYS[way]) for widget in chain if widget is not screen.focused}
    near = [widget for widget, distance in reached.items() if distance is not None]
    return min(near, key=lambda widget: reached[widget] or 0, default=None)


def _distance(here: Region, there: Region, x: int, y: int) -> int | None:
    """Return how far the region `there` is from `here` in one direction; None if it is not on that side.

    (`x`, `y`) is the direction, such as (1, 0) for right. The number is only for comparisons. A row counts as four
    columns, and an offset across the direction counts double. For up and down, a widget in another column counts as
    farther than any in the same.
    """
    right, left = there.x - here.right, here.x - there.right
    below, above = there.y - here.bottom, here.y - there.bottom
    if x:
        along, across, shift = (right if x > 0 else left), 4 * max(below, above, 0), abs(there.y - here.y)
    else:
        along, across = 4 * (below if y > 0 else above), max(right, left, 0)
        across += _ELSEWHERE * (across > 0)
        shift = abs(there.x + there.width // 2 - here.x - here.width // 2) // 8
    return None if along < 0 else along + 2 * across + shift
