"""A box with a title around what belongs together."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from tracker.app.widgets.cached import CachedWidget


class Box(CachedWidget):
    """It looks the same wherever the focus is: Textual works out the styles of all that stands in one that does not."""

    DEFAULT_CSS = """
    Box {
        layout: vertical; height: auto; padding: 0 1;
        border: round $rule; border-title-color: $muted; border-subtitle-color: $faint;
    }
    """

    def __init__(self, title: str, *children: Widget, id: str, hint: str = "") -> None:  # noqa: A002
        self._caption = title
        super().__init__(*children, id=id)
        self.call(title)
        if hint:
            self.border_subtitle = Content(hint)

    def call(self, title: str) -> None:
        """Give it this title; text is shown as it is."""
        self._caption = title
        # A rule without a corner runs right up to the title.
        content = Content(title if self.styles.border_left[0] else f" {title} ")
        if self.border_title != content:
            self.border_title = content

    def notify_style_update(self) -> None:
        # Only now is it known whether there is a corner.
        super().notify_style_update()
        self.call(self._caption)


class Pane(Box):
    """One of several: with room it is a round box, in a narrow window only a rule with the title."""

    DEFAULT_CSS = """
    Pane:focus-within { border: round $primary; border-title-color: $primary; border-title-style: bold; }
    """
