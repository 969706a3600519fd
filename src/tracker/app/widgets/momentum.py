"""Momentum on its ruler."""

from __future__ import annotations

from textual.content import Content

from tracker.app.draw import ruler
from tracker.app.widgets.meter import FieldRow
from tracker.games.sheet import Momentum
from tracker.games.words import signed


class MomentumRuler(FieldRow[Momentum]):
    """Three rows: the number in the column of the meters, the ruler, and the words under it."""

    DEFAULT_CSS = "MomentumRuler { height: 3; }"

    def render(self) -> Content:
        number = self.row(Content(), signed(self.data.value), self.data.note)
        return Content("\n").join([number, *ruler(self.data)])
