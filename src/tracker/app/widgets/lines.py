"""Lines of text, drawn by whoever knows what they mean."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size

from tracker.app.widgets.drawn import Drawn


class Lines(Drawn[tuple[Content, ...]]):
    """As many rows as it has lines; where it has none it is not there at all."""

    DEFAULT_CSS = "Lines { height: auto; }"

    def on_mount(self) -> None:
        if not self.data:
            self.display = False

    def update(self, data: tuple[Content, ...]) -> None:
        # Contents are equal if their text is; here the colours count as well.
        if len(data) == len(self.data) and all(new.is_same(old) for new, old in zip(data, self.data, strict=True)):
            return
        resized = len(data) != len(self.data)
        self.data = data
        if resized:
            self.display = bool(data)
        self.refresh(layout=resized)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.data)

    def render(self) -> Content:
        return Content("\n").join(self.data)
