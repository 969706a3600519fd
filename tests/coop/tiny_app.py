"""An app that shows the keys it gets, to be run in a browser."""

from textual.app import App, ComposeResult
from textual.events import Key, Resize
from textual.widgets import Label


class TinyApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Label("ready", id="keys")
        yield Label("", id="size")

    def on_key(self, event: Key) -> None:
        self.query_one("#keys", Label).update(f"pressed {event.key}")

    def on_resize(self, event: Resize) -> None:
        self.query_one("#size", Label).update(f"size {event.size.width}x{event.size.height}")


if __name__ == "__main__":
    TinyApp().run()
