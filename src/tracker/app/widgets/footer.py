"""The line at the bottom: the keys of what has the focus."""

from __future__ import annotations

from textual import events
from textual.content import Content

from tracker.app.keymap import Hint, display_several, hint_of, key_of
from tracker.app.widgets.base import DOWN, UP, ValueWidget

GAP = 3


MOVE = hint_of(UP, DOWN)


class Footer(ValueWidget[tuple[Hint, ...]]):
    """Widget with the line of key hints at the bottom of a screen.

    Hints that do not fit are left out from the end; none is cut.
    """

    DEFAULT_CSS = "Footer { background: $bar; padding: 0 1; }"

    def look(self) -> tuple[Hint, ...]:
        return self._with_own_keys()

    def _places(self) -> list[tuple[range, Hint]]:
        places: list[tuple[range, Hint]] = []
        x = 0
        hints = list(self._with_own_keys())
        while len(hints) > 2 and sum(_drawn(one).cell_length + GAP for one in hints) - GAP > self.size.width:
            # The way out stays in sight: the last of the others gives way.
            at = next((n for n in range(len(hints) - 1, 0, -1) if hints[n].key != "Esc"), 0)
            del hints[at]
        for hint in hints:
            end = x + _drawn(hint).cell_length
            if end > self.size.width:
                break
            places.append((range(x, end), hint))
            x = end + GAP
        return places

    def _with_own_keys(self) -> tuple[Hint, ...]:
        """Return the hints with the keys that the player has set in place of the default ones."""
        if not getattr(self.app, "own_keys", None):
            return self.data
        return tuple(
            hint._replace(key=display_several(key_of(self.app, one) for one in hint.bindings))
            if hint.bindings
            else hint
            for hint in self.data
        )

    def render(self) -> Content:
        return Content(" " * GAP).join(_drawn(hint) for _, hint in self._places())

    async def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        for cells, hint in self._places():
            if offset is not None and offset.x in cells:
                event.stop()
                await self.screen.run_action(hint.action)


def _drawn(hint: Hint) -> Content:
    return Content.assemble((hint.key, "bold $key"), " ", (hint.description, "$muted"))
