"""StatisticsScreen: outcomes and luck, dice, numbers over time, and moves, as plots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app import plots
from tracker.app.drawings import column, fit
from tracker.app.keymap import Hint
from tracker.app.screens.background_work import SECONDS, BackgroundTask, bar
from tracker.app.screens.base import Modal, key
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Heading
from tracker.campaign import statistics_text as words
from tracker.campaign.chronicle import ALL, Selection
from tracker.campaign.session import SaveError, Step
from tracker.campaign.statistics import Gathered, RollTally, Series, Statistics, statistics
from tracker.games.api.phrases import counted
from tracker.text import shown_line

PAGES = ("Luck", "Dice", "Over time", "Moves")
SIDE_BY_SIDE = 100
"""Width from which two plots are drawn beside each other."""
_LABEL, _GAP = 18, 4
_COLUMNS = 6, 6, 7, 5
"""Widths of the columns of the page on moves: how often a move was made, and how it ended."""
EVERYONE = ""


class StatisticsScreen(Modal[None]):
    """Full-window screen with plots on four pages, of all sessions or one, and of all characters or one.

    The history is read in a thread with a progress bar. Keys work in the meantime.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,S", "back", "Back", "statistics.back", "Go back."),
        key("right,tab", "page(1)", "Next page", "statistics.next", "Show the next page."),
        key("left,shift+tab", "page(-1)", "Page before", "statistics.before", "Show the page before."),
        *(
            key(str(n), f"go({n - 1})", name, f"statistics.{n}", f"Show the page {name}.")
            for n, name in enumerate(PAGES, 1)
        ),
        key("s", "session", "Session", "statistics.session", "Count one session, then the next; then all again."),
        key("c", "character", "Character", "statistics.character", "Count one character, then the next; then all."),
        Binding("up", "scroll(-1)", "Up", id="statistics.up", tooltip="Scroll up.", show=False),
        Binding("down", "scroll(1)", "Down", id="statistics.down", tooltip="Scroll down.", show=False),
        Binding("pageup", "scroll(-12)", "Page up", id="statistics.pageup", tooltip="Scroll up.", show=False),
        Binding("pagedown", "scroll(12)", "Page down", id="statistics.pagedown", tooltip="Scroll down.", show=False),
    ]

    DEFAULT_CSS = "StatisticsScreen #scroll { height: 1fr; overflow-y: auto; scrollbar-size-vertical: 1; }"

    def __init__(self, heading: Heading, title: str, work: Callable[[Step], Gathered]) -> None:
        """`work` reads the history in a thread and returns what is counted. It may raise SaveError or OSError."""
        super().__init__(heading, title)
        self._work = work
        self._gathering: BackgroundTask[Gathered] | None = None
        self._gathered: Gathered | None = None
        self._problem = ""
        self._page = 0
        self._session = 0
        """Number of the session that is counted; 0 for all."""
        self._who = EVERYONE
        self.add_class("whole")

    def body(self) -> Iterator[Widget]:
        yield Lines((), id="pages", classes="bare")
        yield Widget(Lines((), id="plots"), id="scroll")

    def hints(self) -> tuple[Hint, ...]:
        if self._gathered is None:
            return (self.hint("back"),)
        found = self._gathered
        some: tuple[Hint, ...] = (self.hint("session"),) if len(found.begins) > 1 else ()
        some += (self.hint("character"),) if len(found.names) > 1 else ()
        pages = self.hint("page(1)", "Pages", also="page(-1)")
        return (pages, self.hint("scroll(1)", "Scroll", also="scroll(-1)"), *some, self.hint("back"))

    # -- gathering --------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self._gathering = BackgroundTask(self._work)
        # A screen that is closed meanwhile does not ask how the task has ended.
        self._gathering.ended.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        self._timer = self.set_interval(SECONDS, self._show)
        self.run_worker(self._wait(self._gathering))
        self._show()

    async def _wait(self, task: BackgroundTask[Gathered]) -> None:
        await asyncio.wait([task.ended])
        try:
            self._gathered = task.ended.result()
        except (SaveError, OSError) as error:
            self._problem = shown_line(str(error), 300)
        self._timer.stop()
        if self.is_open:
            self._show()
            self.query_one(Footer).update(self.hints())

    def on_unmount(self) -> None:
        super().on_unmount()
        if self._gathering:
            self._gathering.leave()

    # -- showing ----------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        if not self.is_open:
            return
        box = self.query_one("#card", Box)
        plots_, pages = self.query_one("#plots", Lines), self.query_one("#pages", Lines)
        if self._gathered is None:
            percent = self._gathering.percent if self._gathering else 0
            told = Content(self._problem) if self._problem else Content("Counting the whole history.")
            plots_.update((told,) if self._problem else (told, Content(bar(percent))))
            return
        found = statistics(self._gathered, self._wanted())
        box.border_subtitle = Content(self._scope())
        pages.update((_tabs(self._page), Content()))
        plots_.update(tuple(drawn(found, self._page, self.room - 1)))

    def _wanted(self) -> Selection:
        who = frozenset({self._who} if self._who else ())
        return (
            ALL._replace(first=self._session, last=self._session, who=who) if self._session else ALL._replace(who=who)
        )

    def _scope(self) -> str:
        assert self._gathered
        name = self._gathered.names.get(self._who, "everyone")
        return f"{f'session {self._session}' if self._session else 'all sessions'} · {name}"

    # -- keys -------------------------------------------------------------------------------------------

    def action_page(self, by: int) -> None:
        self.action_go((self._page + by) % len(PAGES))

    def action_go(self, page: int) -> None:
        self._page = page
        self._turned()

    def action_session(self) -> None:
        if self._gathered:
            numbers = [0, *sorted(self._gathered.begins)]
            self._session = numbers[(numbers.index(self._session) + 1) % len(numbers)]
            self._turned()

    def action_character(self) -> None:
        if self._gathered:
            names = [EVERYONE, *self._gathered.names]
            self._who = names[(names.index(self._who) + 1) % len(names)]
            self._turned()

    def _turned(self) -> None:
        self._show()
        self.query_one("#scroll").scroll_home(animate=False)

    def action_scroll(self, rows: int) -> None:
        self.query_one("#scroll").scroll_relative(y=rows, animate=False)

    def action_back(self) -> None:
        self.dismiss(None)


def _tabs(page: int) -> Content:
    parts = [(f" {n + 1} {name} ", "bold reverse $key" if n == page else "$muted") for n, name in enumerate(PAGES)]
    marks = [("►" if n == page else " ", "$key") for n in range(len(PAGES))]
    return Content.assemble(*(part for pair in zip(marks, parts, strict=True) for part in pair))


def drawn(found: Statistics, page: int, width: int) -> Iterator[Content]:
    """Yield one page of plots in rows of at most `width` cells; if there is nothing to plot, a sentence that says so.

    `page` is 0 for luck, 1 for dice, 2 for numbers over time, and 3 for moves.
    """
    rows = list((_luck, _dice, _over_time, _moves)[page](found, width))
    while rows and not rows[-1].plain.strip():
        rows.pop()
    yield from rows or [Content.styled(words.NONE, "$muted")]


def _wrapped(text: str, width: int, style: str = "$muted") -> list[Content]:
    return list(Content.styled(text, style).wrap(width)) if text else []


# -- the pages ------------------------------------------------------------------------------------------


def _luck(found: Statistics, width: int) -> Iterator[Content]:
    if found.rolls:
        yield Content.styled(f"{plots.FULL} rolled   {plots.PROMISED} expected from the odds", "$faint")
    for rolls in found.rolls:
        yield Content()
        yield Content.styled(words.title(rolls).rstrip(":"), "bold")
        wide = width >= SIDE_BY_SIDE
        half = (width - _GAP) * 3 // 5 if wide else width
        rest = width - _GAP - half if wide else width
        left = plots.bars([plots.Bar(one.name, one.tone, one.fell, one.expected) for one in rolls.outcomes], half)
        told = " ".join(filter(None, (words.matches(rolls), words.streaks(rolls), words.changed(rolls))))
        left += _wrapped(told, half)
        right = [*_verdict(rolls, rest)]
        yield from plots.beside(left, right, half, _GAP) if wide else (*left, Content(), *right)


def _verdict(rolls: RollTally, width: int) -> Iterator[Content]:
    if rolls.luck:
        luck = rolls.luck
        yield from _wrapped(words.luck(rolls), width, "$foreground")
        yield from plots.curve(luck.sums.low, luck.sums.chances, luck.points, width)
        yield from _wrapped(words.points(rolls), width, "$faint")


def _dice(found: Statistics, width: int) -> Iterator[Content]:
    for die in found.dice:
        yield from _wrapped(words.die(die), width, "bold")
        yield from plots.faces(die.faces, width)
        yield Content()


def _over_time(found: Statistics, width: int) -> Iterator[Content]:
    span = plots.Span(found.first, found.last, found.sessions)
    main = [one for one in found.series if one.group == "main"]
    for one in main:
        yield fit(Content.assemble((_called(one), "bold"), (f"   {_so_far(one)}", "$muted")), width)
        yield from plots.line(one.points, one.low, one.high, span, width, _height(one))
        yield Content()
    others = [one for one in found.series if one.group != "main"]
    for group, some in groupby(others, key=lambda one: one.group):
        yield Content.styled("Tracks" if group == "track" else "Other numbers", "bold")
        yield from _sparks(list(some), span, width)
        yield Content()


def _height(one: Series) -> int:
    """Return the number of rows for the plot of a series: one for each possible value, but from 4 to 7."""
    return min(max(one.high - one.low + 1, 4), 7)


def _called(one: Series) -> str:
    return f"{one.who}: {one.label}" if one.who else one.label


def _so_far(one: Series) -> str:
    values = [value for _, value in one.points]
    return f"now {values[-1]}, lowest {min(values)}, highest {max(values)}"


def _sparks(some: Sequence[Series], span: plots.Span, width: int) -> Iterator[Content]:
    label = min(max(len(_called(one)) for one in some) + 2, max(_LABEL, width // 3))
    ends = [f"{one.points[-1][1]} of {one.high}" for one in some]
    room = width - label - max(map(len, ends)) - 2
    for one, end in zip(some, ends, strict=True):
        picture = plots.spark(one.points, one.low, one.high, span, room)
        yield Content.assemble(column(fit(_called(one), label - 1), label).stylize("$muted"), picture, f"  {end}")


def _in_columns(cells: Iterable[object]) -> str:
    return "".join(str(cell).rjust(wide) for cell, wide in zip(cells, _COLUMNS, strict=True))


def _moves(found: Statistics, width: int) -> Iterator[Content]:
    rolled = [one for one in found.moves if one.good + one.mid + one.bad]
    others = [one for one in found.moves if not one.good + one.mid + one.bad]
    if rolled:
        label = min(max(len(one.name) for one in rolled) + 2, width // 2)
        most = max(one.times for one in rolled)
        room = width - label - sum(_COLUMNS)
        heads, legend = ("made", "good", "mixed", "bad"), "━ good  ─ mixed  · bad"
        yield Content.styled(
            " " * label + (legend if len(legend) <= room else "").ljust(room) + _in_columns(heads), "$faint"
        )
        for one in rolled:
            long = max(1, round(room * one.times / most))
            picture = plots.shares([(one.good, "good"), (one.mid, "mid"), (one.bad, "bad")], long)
            numbers = _in_columns((one.times, one.good, one.mid, one.bad))
            name = column(fit(one.name, label - 1), label)
            yield Content.assemble(name, column(picture, room), (numbers, "$muted"))
        yield Content()
    for feat in found.feats:
        cost = f" for {feat.paid} {feat.unit}" if feat.paid else ""
        yield Content.assemble((feat.name, "bold"), (f" {counted(feat.times, 'time')}{cost}", "$muted"))
        label = min(max((len(what) for what, _ in feat.what), default=0) + 4, width // 2)
        for what, times in feat.what[:6]:
            many = min(times, width - label - 6)
            yield Content.assemble(column(fit(f"  {what}", label - 1), label), "■" * many, (f" {times}", "$muted"))
    if found.feats:
        yield Content()
    if others:
        told = "; ".join(f"{one.name} {one.times}" for one in others)
        yield Content.styled("Without a roll", "bold")
        yield from _wrapped(told, width)
