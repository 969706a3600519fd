"""Somebody else of the party in a few lines, where the window has room for it."""

from __future__ import annotations

from textual.content import Content

from tracker.app.drawings import COLUMNS, field_row, fit, pips_in, ruler
from tracker.app.widgets.base import ValueWidget
from tracker.games.api.format import signed
from tracker.games.api.view import Field, Flags, Meter, Momentum, Stat


class MemberSummary(ValueWidget[tuple[Field, ...]]):
    """Only shown: their digit makes them the one who acts."""

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
