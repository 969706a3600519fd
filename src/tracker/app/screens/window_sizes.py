"""Sizes of the window, in cells, at which screens change their layout."""

from __future__ import annotations

from textual.geometry import Size

LEAST = Size(60, 18)
"""Smallest window in which the app can be used; a smaller one shows a notice."""
COZY = 116
"""Width from which the table has three columns, and panes have frames."""
WIDE = 180
"""Width from which the sheet is wider, and earlier rolls have a pane."""
BY_WIDTH = [(0, "-compact"), (COZY, "-cozy"), (WIDE, "-wide")]
"""CSS class of a screen by the width of the window, in Textual's form: each holds from its width on."""
