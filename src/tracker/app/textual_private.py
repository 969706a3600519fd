"""Private names of Textual and Rich, all in this module: an upgrade that changes one shows here.

Textual and Rich memoize small functions for the lifetime of the process, with room for thousands of results. Every
piece of text has a style of its own (it carries its place, for text selection), so an evening fills all of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual._styles_cache import StylesCache
from textual.color import Color
from textual.css.scalar import Scalar
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Region
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Iterable
    from functools import _CacheInfo


MOST = 1024
"""Results that one function may keep; a screen of 200 by 50 cells needs fewer."""


class Cached(Protocol):
    """Protocol of a function wrapped in `functools.lru_cache`, whose cache `trim_caches` can clear."""

    def cache_info(self) -> _CacheInfo: ...
    def cache_clear(self) -> None: ...


LARGE: tuple[Cached, ...] = (
    Strip.render_ansi,
    Segment._split_cells,  # noqa: SLF001
    Scalar.resolve,
    Region.__contains__,
    Region.grow,
    Region.intersection,
    Region.shrink,
    Region.union,
)
"""The functions that may keep more than MOST results."""


class Styles(Stylesheet):
    """A style sheet that sets only the rules that have changed, without animation.

    Textual looks for animated changes whenever the focus moves: it computes all 90 rules of each widget twice, and then
    sets them all again. Measured: that is a third of the cost of Tab.
    """

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:  # noqa: ARG003, FBT001, FBT002
        styles = node.styles.base
        before: dict[str, object] = {**styles.get_rules()}
        after: dict[str, object] = {**rules}
        for name in before.keys() | after.keys():
            value = after.get(name)
            if value is not before.get(name):
                setattr(styles, name, value)
        node.notify_style_update()


def trim_caches() -> None:
    """Drop cached results of Textual and Rich that would otherwise add up over hours. Fast enough for every screen."""
    # Its keys are the widgets' own caches, of widgets that are gone too: 2 MB for every move.
    StylesCache.get_inner_outer.cache_clear()
    for function in LARGE:
        if function.cache_info().currsize > MOST:
            function.cache_clear()


def forget_lines(closed: Widget) -> None:
    """Drop the painted lines of a widget that will not be painted again.

    A closed screen is a reference cycle: its widgets stay in memory until the next full garbage collection, and most of
    that memory is painted lines.
    """
    lines = closed._styles_cache  # noqa: SLF001
    break_cycles(lines._cache.values())  # noqa: SLF001
    lines.clear()
    lines._simple_strip = None  # noqa: SLF001


def break_cycles(dropped: Iterable[Strip]) -> None:
    """Clear the caches through which painted lines refer to themselves, so that unused lines are freed at once."""
    for strip in dropped:
        strip._divide_cache.clear()  # noqa: SLF001
        strip._crop_extend_cache.clear()  # noqa: SLF001
        strip._line_length_cache.clear()  # noqa: SLF001


def forget_widget(screen: Screen[Any], removed: Widget) -> None:
    """Drop the references that keep a removed widget in memory as long as its screen is open.

    An Input subscribes to a signal of the screen and never unsubscribes, `query_one` caches the widgets that it
    found, and a TextArea watches the app's theme.
    """
    screen.text_selection_started_signal.unsubscribe(removed)
    screen._query_one_cache.clear()  # noqa: SLF001
    for watchers in getattr(screen.app, "__watchers", {}).values():
        watchers[:] = [(watcher, callback) for watcher, callback in watchers if watcher is not removed]


async def wait_mounted(screen: Screen[Any]) -> None:
    """Coroutine that returns when a screen that was pushed has its widgets."""
    await screen._mounted_event.wait()  # noqa: SLF001


@lru_cache(maxsize=1024)
def _dim(style: RichStyle | None, color: Color) -> RichStyle | None:
    (segment,) = BackgroundScreen.process_segments([Segment("", style)], color)
    return segment.style


class Dimmed(Visual):
    """Background of a dialog: the screen below it as it looks now, in weaker colors.

    Textual would compute each color again through Rich whenever the dialog changes its layout. Measured: that is a
    quarter of the cost of the next prompt.
    """

    def __init__(self, screen: Screen[Any], color: Color) -> None:
        self._screen = screen
        self._color = color

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:  # noqa: ARG002
        below = self._screen._compositor.render_strips()[:height]  # noqa: SLF001 (as Textual does it here)
        return [self._dimmed(strip).crop(0, width) for strip in below]

    def _dimmed(self, strip: Strip) -> Strip:
        return Strip([Segment(part.text, _dim(part.style, self._color)) for part in strip if not part.control])

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        return self._screen.size.height
