"""The widgets of the table in a real, tiny app: what they show, what they tell, what they leave alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, ClassVar

import pytest
from rich.style import Style
from tests.app.test_draw import ALLOWED, HOSTILE
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.events import MouseScrollDown
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from tracker.app.keymap import Hint
from tracker.app.theme import HEARTH, roles
from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Header, Heading
from tracker.app.widgets.journal_pane import AT_ONCE, JournalView
from tracker.app.widgets.rolls import LastResult, LastRoll
from tracker.app.widgets.sheet import FlagGrid, LineRow, MeterRow, MomentumRuler, Tile
from tracker.app.widgets.tracks import TrackList
from tracker.games.api.view import Card, Clock, Counter, Flag, Flags, Line, Member, Meter, Momentum, Start, Stat, Track

EDGE = Stat("kara.edge", "edge", 3, "e", Start("roll", (("using", "edge"),)))
HEALTH = Meter("kara.health", "health", 4, 5)
SUPPLY = Meter("supply", "supply", 3, 5, "shared")
MOMENTUM = Momentum("kara.momentum", "momentum", 6, -6, 10, 9, 1)
NAMES = ("wounded", "shaken", "unprepared", "maimed", "cursed", "encumbered", "corrupted", "tormented")
FLAGS = Flags(tuple(Flag("kara.debilities", name, name, name == "encumbered") for name in NAMES))
TRACKS = (
    Track("raiders", "Raider pack", "fight", "formidable", 16, "they have initiative"),
    Track("road", "To Ravencliff", "journey", "dangerous", 24),
    Track("heir", "Find the lost heir", "vow", "extreme", 6),
    Track("bonds", "Bonds", "3 held", "", 3),
    Track("ford", "Avenge the Ford", "vow", "epic", 40, closed="fulfilled"),
)
PARTY = (Member("kara", "Kara", "h4 s5 m+6"), Member("tayla", "Tayla", "h2 s4 m-1"))
HEADING = Heading("The Sundered Vale", "the drowned mill", PARTY, "kara")
KEYS = (Hint("m", "Move", "say('move')"), Hint("o", "Oracle", "say('oracle')"), Hint("?", "Keys", "say('keys')"))


class Tiny(App[None]):
    """App that shows the given widgets and records the arrow keys that they do not use."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [
        Binding(key, f"left('{key}')", key) for key in ("up", "down", "left", "right", "space", "plus")
    ]

    def __init__(self, *widgets: Widget) -> None:
        super().__init__()
        self.shown = widgets
        self.said: list[str] = []
        self.heard: list[Message] = []
        self.register_theme(HEARTH)
        self.theme = "hearth"

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return variables | roles(variables, ansi=False)

    def compose(self) -> ComposeResult:
        return self.shown

    def action_left(self, key: str) -> None:
        self.said.append(key)

    def action_say(self, word: str) -> None:
        self.said.append(word)


def use(*widgets: Widget, play: Callable[[Pilot[None]], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> Tiny:
    """Play with widgets; the app comes back with what was said and heard."""
    app = Tiny(*widgets)

    def hear(message: Message) -> None:
        # A message passes here once more for each parent that it bubbles to.
        ours = type(message).__module__.startswith("tracker.")
        if ours and not any(message is heard for heard in app.heard):
            app.heard.append(message)

    async def run() -> None:
        async with app.run_test(size=size, message_hook=hear) as pilot:
            await pilot.pause()
            await play(pilot)
            await pilot.pause()

    asyncio.run(run())
    return app


def rows(widget: Widget) -> list[str]:
    return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]


def looks(widgets: Sequence[Widget], width: int, *, height: int | None = None, focus: bool = False) -> list[list[str]]:
    """Return how each widget looks with this many cells inside its padding."""
    seen: list[list[str]] = []

    async def play(pilot: Pilot[None]) -> None:
        for widget in widgets:
            widget.styles.width = width + widget.styles.gutter.width
            if height is not None:
                widget.styles.height = height
        pilot.app.screen.set_focus(None)
        await pilot.pause()
        for widget in widgets:
            if focus:
                pilot.app.screen.set_focus(widget)
                await pilot.pause()
            assert widget.size.width == width
            seen.append(rows(widget))

    use(*widgets, play=play, size=(200, 60))
    return seen


def look(widget: Widget, width: int = 36, *, height: int | None = None, focus: bool = False) -> list[str]:
    return looks([widget], width, height=height, focus=focus)[0]


class TestChip:
    def test_chip_looks_like_a_button_with_its_key(self) -> None:
        assert look(Chip("m1", "Clash"), 10) == ["▐m1 Clash▌"]
        assert look(Chip("", "Apply"), 7) == ["▐Apply▌"]

    def test_cursor_keeps_the_chips_width(self) -> None:
        assert look(Chip("m1", "Clash"), 10, focus=True) == ["►m1 Clash◄"]

    def test_cursor_and_mouse_are_visible_without_color(self) -> None:
        chip = Chip("m1", "Clash")

        def styles() -> list[Style]:
            return [part.style for part in chip.render_line(0) if part.style and "Clash" in part.text]

        async def play(pilot: Pilot[None]) -> None:
            assert all(style.reverse for style in styles())
            pilot.app.screen.set_focus(None)
            await pilot.pause()
            assert not any(style.reverse or style.bold for style in styles())
            await pilot.hover(chip)
            assert all(style.bold for style in styles())

        use(chip, play=play)

    def test_choice_shows_if_it_is_taken(self) -> None:
        assert look(Chip("1", "momentum -1", on=True), 17) == ["▐1 ■ momentum -1▌"]
        assert look(Chip("2", "supply -1", on=False), 15) == ["▐2 □ supply -1▌"]

    def test_chip_fills_its_width(self) -> None:
        assert look(Chip("m1", "Clash"), 14) == ["▐m1 Clash    ▌"]
        assert look(Chip("m1", "Clash"), 8) == ["▐m1 Cl…▌"]

    def test_disabled_chip_says_why(self) -> None:
        assert look(Chip("m4", "Strike", reason="foe leads"), 22) == [" m4 Strike  foe leads"]

    def test_chip_is_as_wide_as_its_words(self) -> None:
        chips = [Chip("m1", "Clash"), Chip("1", "龍", on=False), Chip("m4", "Strike", reason="foe leads")]

        async def play(pilot: Pilot[None]) -> None:
            assert [chip.size.width for chip in chips] == [10, 8, 22]

        use(*chips, play=play)

    def test_enter_and_click_press_the_chip(self) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("enter")
            await pilot.click(Chip)

        chip = Chip("m1", "Clash")
        heard = use(chip, play=play).heard
        assert [isinstance(message, Chip.Pressed) and message.chip for message in heard] == [chip, chip]

    def test_disabled_chip_takes_no_focus_and_no_click(self) -> None:
        chip = Chip("m4", "Strike", reason="foe leads")

        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("tab")
            await pilot.click(Chip)
            await pilot.press("enter")
            assert not chip.has_focus

        assert use(chip, play=play).heard == []

    def test_update_changes_only_what_is_given(self) -> None:
        chip = Chip("1", "momentum -1", on=False)

        async def play(pilot: Pilot[None]) -> None:
            chip.update(on=True)
            await pilot.pause()
            assert rows(chip) == ["►1 ■ momentum -1◄"]
            chip.update(label="supply -1")
            await pilot.pause()
            assert rows(chip) == ["►1 ■ supply -1◄"]
            chip.update(reason="it is 0")
            await pilot.pause()
            assert rows(chip) == [" 1 ■ supply -1  it is 0"]
            assert not chip.has_focus
            chip.update(reason="")
            await pilot.pause()
            assert rows(chip) == ["▐1 ■ supply -1▌"]

        use(chip, play=play)


class TestTile:
    def test_value_is_over_the_name(self) -> None:
        assert look(Tile(EDGE), 7) == ["▎  3", "▎ edge"]
        assert look(Tile(EDGE), 7, focus=True) == ["►  3", "▎ edge"]

    def test_long_name_is_cut(self) -> None:
        assert look(Tile(EDGE._replace(label="Knowledge", value=-1)), 7) == ["▎  -1", "▎Knowl…"]

    def test_hotkey_is_underlined(self) -> None:
        tile = Tile(EDGE._replace(label="Agility", hot="g"))

        async def play(pilot: Pilot[None]) -> None:
            tile.styles.width = 12
            await pilot.pause()
            for focused in (tile, None):
                pilot.app.screen.set_focus(focused)
                await pilot.pause()
                name = tile.render_line(1)
                assert [part.text for part in name if part.style and part.style.underline] == ["g"]

        use(tile, play=play)

    def test_enter_and_click_press_the_tile(self) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("enter")
            await pilot.click(Tile)

        tile = Tile(EDGE)
        heard = use(tile, play=play).heard
        assert [isinstance(message, Tile.Pressed) and message.tile for message in heard] == [tile, tile]
        assert tile.at == "kara.edge"


class TestRows:
    def test_meter_row_is_drawn(self) -> None:
        assert look(MeterRow(SUPPLY)) == ["supply    ● ● ● ○ ○       3   shared"]
        assert look(MeterRow(SUPPLY), focus=True) == ["supply    ● ● ● ○ ○     ‹ 3 › shared"]

    def test_counter_row_is_drawn(self) -> None:
        assert look(MeterRow(Counter("kara.xp", "xp", 13, "earned"))) == ["xp                       13   earned"]

    @pytest.mark.parametrize(
        ("marks", "delta", "shown"), [(True, 2, "2 marked"), (True, -1, "1 cleared"), (False, 2, "↑2")]
    )
    def test_change_of_marks_is_told_in_words(self, marks: bool, delta: int, shown: str) -> None:
        row = MeterRow(HEALTH._replace(marks=marks))
        row.delta = delta
        assert shown in look(row, 48)[0]

    def test_clock_row_is_drawn(self) -> None:
        watch = Clock("watch", "The watch wakes", 3, 6)
        assert look(MeterRow(watch, columns=(18, 12)), 48) == ["The watch wakes   ■ ■ ■ □ □ □     3   of 6"]

    def test_text_row_is_drawn(self) -> None:
        weapon = Line("kara.weapon", "weapon", "a bow, two knives, a rope")
        assert look(LineRow(weapon)) == ["weapon    a bow, two knives, a rope"]
        assert look(LineRow(weapon), focus=True) == ["weapon   ►a bow, two knives, a rope◄"]
        assert look(LineRow(weapon), 20) == ["weapon    a bow, t…"]

    def test_row_knows_the_path_that_plus_and_minus_change(self) -> None:
        assert MeterRow(HEALTH).at == "kara.health"
        assert MomentumRuler(MOMENTUM).at == "kara.momentum"
        assert LineRow(Line("kara.weapon", "weapon", "bow")).at is None
        assert FlagGrid(FLAGS).at is None
        assert TrackList((TRACKS[0]._replace(at="tracks.raiders.ticks"),)).at == "tracks.raiders.ticks"

    def test_read_only_row_takes_no_focus(self) -> None:
        fixed = MeterRow(HEALTH._replace(at=""))
        widgets: list[Widget] = [fixed, LineRow(Line("", "weapon", "bow")), FlagGrid(Flags(())), TrackList(())]

        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("tab")
            assert pilot.app.focused is None

        use(*widgets, play=play)
        assert fixed.at is None

    def test_plus_and_minus_are_left_to_the_screen(self) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("plus", "space", "down")

        assert use(MeterRow(HEALTH), play=play).said == ["plus", "space", "down"]


class TestMomentum:
    @pytest.mark.parametrize(
        ("momentum", "shown"),
        [
            (
                MOMENTUM,
                [
                    "momentum                 +6",
                    "├───────────┾━━━━━━━━━━━●─────┤ ·",
                    "-6          0 ▲ reset     max +9",
                ],
            ),
            (
                MOMENTUM._replace(value=-1, most=10, reset=2),
                [
                    "momentum                 -1",
                    "├─────────●━┽───────────────────┤",
                    "-6          0   ▲ reset   max +10",
                ],
            ),
            (
                MOMENTUM._replace(value=0, most=10, reset=2, note="spent"),
                [
                    "momentum                  0   spent",
                    "├───────────●───────────────────┤",
                    "-6          0   ▲ reset   max +10",
                ],
            ),
            (
                MOMENTUM._replace(value=10, most=10, reset=2),
                [
                    "momentum                +10",
                    "├───────────┾━━━━━━━━━━━━━━━━━━━●",
                    "-6          0   ▲ reset   max +10",
                ],
            ),
        ],
        ids=["plus 6 of 9", "minus 1", "zero", "maximum"],
    )
    def test_momentum_has_number_ruler_and_words(self, momentum: Momentum, shown: list[str]) -> None:
        assert look(MomentumRuler(momentum)) == shown

    def test_momentum_shows_the_cursor(self) -> None:
        assert look(MomentumRuler(MOMENTUM), focus=True)[0] == "momentum               ‹ +6 ›"


class TestFlags:
    def test_flags_are_side_by_side(self) -> None:
        assert look(FlagGrid(FLAGS)) == [
            "□ wounded   □ shaken    □ unprepared",
            "□ maimed    □ cursed    ■ encumbered",
            "□ corrupted □ tormented",
        ]

    def test_cursor_shifts_no_flag(self) -> None:
        assert look(FlagGrid(FLAGS), focus=True)[0] == "□►wounded   □ shaken    □ unprepared"

    def test_narrow_grid_cuts_the_longest_first(self) -> None:
        assert look(FlagGrid(FLAGS), 35) == [
            "□ wounded   □ shaken    □ unprepar…",
            "□ maimed    □ cursed    ■ encumber…",
            "□ corrupted □ tormented",
        ]

    def test_arrows_move_inside_and_go_on_at_an_edge(self) -> None:
        grid = FlagGrid(FLAGS)
        under: list[str] = []

        async def play(pilot: Pilot[None]) -> None:
            for key in ("up", "left", "right", "right", "right", "down", "down", "down", "right", "left", "up"):
                await pilot.press(key)
                assert grid.here
                under.append(grid.here.id)

        app = use(grid, play=play)
        assert under == [
            "wounded", "wounded", "shaken", "unprepared", "unprepared", "encumbered", "tormented", "tormented",
            "tormented", "corrupted", "maimed",
        ]  # fmt: skip
        assert app.said == ["up", "left", "right", "down", "right"]

    def test_space_is_left_to_the_screen(self) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("space")

        app = use(FlagGrid(FLAGS), play=play)
        assert app.said == ["space"]
        assert app.heard == []

    @pytest.mark.parametrize(
        ("x", "y", "name"), [(0, 0, "wounded"), (13, 0, "shaken"), (34, 1, "encumbered"), (12, 2, "tormented")]
    )
    def test_click_moves_the_cursor_and_toggles(self, x: int, y: int, name: str) -> None:
        grid = FlagGrid(FLAGS)

        async def play(pilot: Pilot[None]) -> None:
            await pilot.click(grid, offset=(x, y))

        [message] = use(grid, play=play).heard
        assert isinstance(message, FlagGrid.Toggled)
        assert message.flag.id == name
        assert grid.here == message.flag

    @pytest.mark.parametrize(("x", "y"), [(40, 0), (30, 2)])
    def test_click_beside_the_flags_does_nothing(self, x: int, y: int) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.click(FlagGrid, offset=(x, y))

        assert use(FlagGrid(FLAGS), play=play).heard == []

    def test_cursor_stays_inside_when_flags_go(self) -> None:
        grid = FlagGrid(FLAGS)

        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("down", "down")
            grid.update(Flags(FLAGS.flags[:2]))
            await pilot.pause()
            assert grid.here == FLAGS.flags[1]
            assert rows(grid) == ["□ wounded □►shaken"]
            grid.update(Flags(()))
            assert grid.here is None

        use(grid, play=play)


class TestTracks:
    TIGHT: ClassVar = [
        "Raider pack       they have initiative",
        "  formidable   ■ ■ ■ ■ □ □ □ □ □ □  4",
        "To Ravencliff                  journey",
        "  dangerous    ■ ■ ■ ■ ■ ■ □ □ □ □  6",
        "Find the lost heir                 vow",
        "  extreme      ■ × □ □ □ □ □ □ □ □  1½",
        "Bonds                           3 held",
        "               * □ □ □ □ □ □ □ □ □  0¾",
        "Avenge the Ford              fulfilled",
    ]
    OVER: ClassVar = tuple(TRACKS[4]._replace(id=name, name=name) for name in ("Ford", "Mill", "Heir"))

    def test_track_has_two_rows(self) -> None:
        assert look(TrackList(TRACKS), 39) == self.TIGHT

    def test_odds_and_space_are_shown_if_all_fit(self) -> None:
        odds = (("strong", 25, "good"), ("weak", 50, "mid"), ("miss", 25, "bad"))
        known = tuple(track._replace(ends="End it", odds=odds) for track in TRACKS[:2])
        told = "  End it              ━━━─────··  75%"
        assert look(TrackList(known), 39, height=4) == self.TIGHT[:4]
        assert look(TrackList(known), 39, height=6) == [*self.TIGHT[:2], told, *self.TIGHT[2:4], told]
        assert look(TrackList(known), 39, height=8)[:4] == [*self.TIGHT[:2], told, ""]

    def test_tracks_without_odds_have_one_blank_row_between_them(self) -> None:
        assert look(TrackList(TRACKS[:2]), 39, height=8)[:5] == [*self.TIGHT[:2], "", *self.TIGHT[2:4]]

    def test_note_without_room_beside_the_name_is_whole_below_it(self) -> None:
        vow = Track("heir", "Find the lost heir of the mill", "vow", "epic", 0, "sworn by Bo")
        assert look(TrackList((vow,)), 36) == [
            "Find the lost heir of the mill",
            "  epic, sworn by Bo  □□□□□□□□□□  0",
        ]

    def test_rank_without_room_is_left_out(self) -> None:
        assert look(TrackList(TRACKS[:1]), 19)[1] == "    ■■■■□□□□□□  4"

    def test_closed_tracks_are_counted_until_asked_for(self) -> None:
        tracks = TrackList((*TRACKS[:1], *self.OVER))

        async def play(pilot: Pilot[None]) -> None:
            assert rows(tracks)[2:] == ["3 finished"]
            await pilot.press("down")
            assert rows(tracks)[2:] == ["► 3 finished: Enter shows them"]
            assert tracks.track is None
            assert tracks.at is None
            await pilot.press("enter", "down")
            assert [line.split()[:2] for line in rows(tracks)[2:]] == [
                ["3", "finished"], ["►", "Ford"], ["Mill", "fulfilled"], ["Heir", "fulfilled"],
            ]  # fmt: skip
            await pilot.press("enter", "up", "enter")
            assert rows(tracks)[2:] == ["► 3 finished: Enter shows them"]

        [message] = use(tracks, play=play).heard
        assert isinstance(message, TrackList.Pressed)
        assert message.track == self.OVER[0]

    def test_cursor_is_before_the_rank(self) -> None:
        assert look(TrackList(TRACKS), 39, focus=True)[1] == "► formidable   ■ ■ ■ ■ □ □ □ □ □ □  4"

    def test_narrow_list_is_drawn(self) -> None:
        assert look(TrackList(TRACKS), 30)[:4] == [
            "Raider pack        they have…",
            "  formidable   ■■■■□□□□□□  4",
            "To Ravencliff         journey",
            "  dangerous    ■■■■■■□□□□  6",
        ]

    def test_empty_list_says_so(self) -> None:
        assert look(TrackList((), empty="No tracks. Swear a vow with m.")) == ["No tracks. Swear a vow with m."]

    def test_arrows_move_inside_and_go_on_at_an_end(self) -> None:
        tracks = TrackList(TRACKS)
        under: list[str] = []

        async def play(pilot: Pilot[None]) -> None:
            for key in ("up", "down", "down", "down", "down", "down"):
                await pilot.press(key)
                assert tracks.track
                under.append(tracks.track.id)

        assert use(tracks, play=play).said == ["up", "down"]
        assert under == ["raiders", "road", "heir", "bonds", "ford", "ford"]

    def test_list_scrolls_with_the_cursor_and_says_there_is_more(self) -> None:
        tracks = TrackList(TRACKS)

        async def play(pilot: Pilot[None]) -> None:
            tracks.styles.width, tracks.styles.height = 39, 5
            await pilot.pause()
            assert [line[-1:] for line in rows(tracks)] == ["e", "4", "y", "6", "↓"]
            await pilot.press("down", "down")
            assert rows(tracks)[0].startswith("To Ravencliff")
            assert rows(tracks)[0].endswith("journey↑")
            assert rows(tracks)[4].endswith("↓")
            await pilot.press("down", "down")
            assert rows(tracks)[4].startswith("► Avenge")
            assert not rows(tracks)[4].endswith("↓")
            await pilot.press("up", "up", "up")
            assert rows(tracks)[0].startswith("To Ravencliff")

        use(tracks, play=play)

    def test_wheel_scrolls_and_the_cursor_stays(self) -> None:
        tracks = TrackList(TRACKS)

        async def play(pilot: Pilot[None]) -> None:
            tracks.styles.height = 4
            await pilot.pause()
            tracks.post_message(
                MouseScrollDown(tracks, x=1, y=1, delta_x=0, delta_y=1, button=0, shift=False, meta=False, ctrl=False)
            )
            await pilot.pause()
            assert rows(tracks)[0].startswith("To Ravencliff")
            assert tracks.track == TRACKS[0]

        use(tracks, play=play)

    def test_smaller_window_still_shows_the_cursor(self) -> None:
        tracks = TrackList(TRACKS)

        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("down", "down", "down")
            tracks.styles.height = 4
            await pilot.pause()
            assert any(line.startswith("►") for line in rows(tracks))

        use(tracks, play=play)

    def test_enter_presses_the_track_under_the_cursor(self) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("down", "enter")

        [message] = use(TrackList(TRACKS), play=play).heard
        assert isinstance(message, TrackList.Pressed)
        assert message.track == TRACKS[1]

    def test_click_moves_the_cursor_and_second_click_presses(self) -> None:
        tracks = TrackList(TRACKS)

        async def play(pilot: Pilot[None]) -> None:
            await pilot.click(tracks, offset=(3, 5))
            assert tracks.track == TRACKS[2]
            assert isinstance(pilot.app, Tiny)
            assert not pilot.app.heard
            await pilot.click(tracks, offset=(3, 4))

        [message] = use(tracks, play=play).heard
        assert isinstance(message, TrackList.Pressed)
        assert message.track == TRACKS[2]

    def test_cursor_stays_on_its_track(self) -> None:
        tracks = TrackList(TRACKS)

        async def play(pilot: Pilot[None]) -> None:
            await pilot.press("down", "down")
            tracks.update(TRACKS[1:])
            assert tracks.track == TRACKS[2]
            tracks.update(TRACKS[1:2])
            assert tracks.track == TRACKS[1]
            tracks.update(TRACKS[:2])
            assert tracks.track == TRACKS[0], "it was not there before"
            tracks.update(())
            assert tracks.track is None

        use(tracks, play=play)


class TestLastStrip:
    """The last roll in one line."""

    CARD = Card("Face Danger +edge", "■□", "WEAK HIT", "mid", short="edge 6 vs 5 and 9")
    CHANGED = ("momentum 2 → 3", "supply 5 → 4", "Find the lost heir 2 → 4")

    @pytest.mark.parametrize(
        ("width", "shown"),
        [
            (110, "edge 6 vs 5 and 9  momentum 2 → 3, supply 5 → 4, Find the lost heir 2 → 4"),
            (96, "momentum 2 → 3, supply 5 → 4, Find the lost heir 2 → 4"),
            (84, "momentum 2 → 3, supply 5 → 4, and 1 more change"),
            (76, "momentum 2 → 3, supply 5 → 4, and 1 more"),
            (70, "momentum 2 → 3, supply 5 → 4, …"),
            (62, "momentum 2 → 3, and 2 more"),
            (56, "momentum 2 → 3, …"),
            (36, ""),
        ],
    )
    def test_parts_without_room_are_omitted_whole(self, width: int, shown: str) -> None:
        told = LastRoll(LastResult("Face Danger", self.CARD, self.CHANGED))
        assert look(told, width, height=1) == [f"last   ■□  WEAK HIT   Face Danger  {shown}".rstrip()]

    def test_shortened_changes_show_marks_first_and_done_moves_last(self) -> None:
        card = Card("Endure Harm +iron", "□□", "MISS", "bad")
        changed = ("done: Endure Harm", "health 3 → 0", "momentum 0 → -3", "wounded marked")
        told = LastRoll(LastResult("Endure Harm", card, changed))
        shown = "wounded marked, health 3 → 0, momentum 0 → -3, and 1 more"
        assert look(told, 88, height=1) == [f"last   □□  MISS   Endure Harm  {shown}"]

    def test_move_without_a_roll_is_drawn(self) -> None:
        told = LastRoll(LastResult("Reach a Milestone", Card("Reach a Milestone"), self.CHANGED[2:]))
        assert look(told, 78, height=1) == ["last  Reach a Milestone  Find the lost heir 2 → 4"]


class TestHeader:
    LONG = HEADING._replace(scene="the mill that the river drowned in the spring")

    @pytest.mark.parametrize(
        ("heading", "shown"),
        [
            (HEADING, "The Sundered Vale  the drowned mill    ►1 Kara  h4 s5 m+6   2 Tayla  h2 s4 m-1   saved"),
            (HEADING, "The Sundered Vale  the drowned…    ►1 Kara  h4 s5 m+6   2 Tayla  h2 s4 m-1   saved"),
            (LONG, "The Sundered Vale  the mill tha…   ►1 Kara  h4 s5 m+6   2 Tayla  h2 s4 m-1   saved"),
            (HEADING, "The Sundered Vale  the drowned mill               ►1 Kara   2 Tayla   saved"),
            (HEADING, "The Sundered Vale      ►1 Kara   2 Tayla   saved"),
            (HEADING, "The Sunder…   ►1 Kara   2 Tayla   saved"),
            (HEADING, "The…   ►1 Kara   2 Tay…   saved"),
        ],
        ids=[
            "all of it where there is room",
            "the scene is cut first",
            "however long it is",
            "then all numbers go",
            "then the scene",
            "then names are cut",
            "as far as it takes",
        ],
    )
    def test_header_drops_parts_step_by_step(self, heading: Heading, shown: str) -> None:
        assert look(Header(heading), len(shown)) == [shown]

    def test_four_members_fit_80_columns_by_name(self) -> None:
        names = ("Kara", "Tayla", "Old Ferrin", "Brynhild the Tall")
        four = tuple(Member(str(n), name, "h5 s5 m+10") for n, name in enumerate(names, 1))
        assert look(Header(HEADING._replace(members=four, active="2")), 78) == [
            "The Sundered V…   1 Kara   ►2 Tayla   3 Old Ferrin   4 Brynhild the T…   saved"
        ]

    def test_crowded_header_keeps_the_keys(self) -> None:
        crowd = tuple(Member(str(n), f"Companion {n}", "h5 s5 m+10") for n in range(1, 11))
        assert look(Header(HEADING._replace(members=crowd, active="3")), 78) == [
            "The Sundered Vale    1   2   ►3 Companion 3   4   5   6   7   8   9      saved"
        ]

    def test_header_shows_not_saved_and_its_reason_in_full(self) -> None:
        broken = HEADING._replace(saved="NOT SAVED", reason="the disk is full")
        for width in (118, 78, 60, 40, 29):
            assert look(Header(broken), width)[0].endswith("NOT SAVED  the disk is full")

    @pytest.mark.parametrize("saved", ["saved", "saving", "NOT SAVED"])
    def test_save_status_is_whole_at_every_width(self, saved: str) -> None:
        party = tuple(Member(str(n), name, "h5 s5 m+10") for n, name in enumerate(HOSTILE))
        head = Header(Heading("龍の長い長い物語 [/oops]", "a very long scene indeed", party, "2", saved))

        async def play(pilot: Pilot[None]) -> None:
            for width in range(13, 130, 6):
                head.styles.width = width
                await pilot.pause()
                [line] = rows(head)
                assert line.endswith(saved)
                assert Content(line).cell_length <= width - 2

        use(head, play=play, size=(130, 5))

    def test_click_on_a_member_picks_it(self) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.click(Header, offset=(3, 0))
            await pilot.click(Header, offset=(46, 0))
            await pilot.click(Header, offset=(60, 0))
            await pilot.click(Header, offset=(76, 0))

        heard = use(Header(HEADING), play=play).heard
        assert [message.member_id for message in heard if isinstance(message, Header.Picked)] == ["kara", "tayla"]


class TestFooter:
    def test_footer_shows_keys_with_their_labels(self) -> None:
        assert look(Footer(KEYS), 40) == ["m Move   o Oracle   ? Keys"]

    def test_footer_shows_as_many_hints_as_fit_uncut(self) -> None:
        assert look(Footer(KEYS), 25) == ["m Move   o Oracle"]
        assert look(Footer(KEYS), 17) == ["m Move   o Oracle"]
        assert look(Footer(KEYS), 16) == ["m Move"]

    def test_footer_keeps_the_way_out_when_others_do_not_fit(self) -> None:
        hints = (*KEYS, Hint("Esc", "Back", "back"))
        assert look(Footer(hints), 30) == ["m Move   o Oracle   Esc Back"]
        assert look(Footer(hints), 20) == ["m Move   Esc Back"]

    def test_click_runs_the_action(self) -> None:
        async def play(pilot: Pilot[None]) -> None:
            await pilot.click(Footer, offset=(1, 0))
            await pilot.click(Footer, offset=(8, 0))
            await pilot.click(Footer, offset=(11, 0))

        keys = tuple(hint._replace(action=f"app.{hint.action}") for hint in KEYS)
        assert use(Footer(keys), play=play).said == ["move", "oracle"]


class TestRepainting:
    @pytest.mark.parametrize(
        ("kind", "old", "new"),
        [
            (Tile, EDGE, EDGE._replace(value=2)),
            (MeterRow, HEALTH, HEALTH._replace(value=3)),
            (MomentumRuler, MOMENTUM, MOMENTUM._replace(value=5)),
            (FlagGrid, FLAGS, Flags(tuple(flag._replace(on=True) for flag in FLAGS.flags))),
            (TrackList, TRACKS, (TRACKS[0]._replace(ticks=20), *TRACKS[1:])),
            (Header, HEADING, HEADING._replace(saved="saving")),
            (Footer, KEYS, KEYS[:2]),
        ],
    )
    def test_widget_is_painted_only_if_its_data_differs(self, kind: Any, old: Any, new: Any) -> None:
        class Counted(kind):  # type: ignore[misc]
            renders = 0

            def render(self) -> Any:
                self.renders += 1
                return super().render()

        widget = Counted(old)

        async def play(pilot: Pilot[None]) -> None:
            before, seen = rows(widget), widget.renders
            widget.update(old._replace() if hasattr(old, "_replace") else old)
            await pilot.pause()
            assert widget.renders == seen
            widget.update(new)
            await pilot.pause()
            assert widget.renders > seen
            assert rows(widget) != before

        use(widget, play=play)


class TestTextFromPlayers:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_text_is_shown_as_typed(self, name: str) -> None:
        widgets = {
            Chip("n", name): 0,
            Tile(EDGE._replace(label=name)): 1,
            MeterRow(HEALTH._replace(label=name), columns=(20, 12)): 0,
            LineRow(Line("", "note", name)): 0,
            MomentumRuler(MOMENTUM._replace(note=name)): 0,
            FlagGrid(Flags((Flag("kara.marks", "it", name, on=True),))): 0,
            TrackList((Track("it", name, "vow", "epic", 3),)): 0,
            Header(Heading(name, "", (Member("it", "x", name),), "it")): 0,
            Footer((Hint("n", name, ""),)): 0,
        }
        for seen, row in zip(looks(list(widgets), 60), widgets.values(), strict=True):
            assert name in seen[row]

    @pytest.mark.parametrize("width", [1, 3, 8, 21, 34])
    def test_text_is_cut_to_its_room_and_breaks_nothing(self, width: int) -> None:
        widgets = [
            widget
            for name in HOSTILE
            for widget in (
                Chip("n", name),
                Chip("n", name, reason=name),
                Tile(EDGE._replace(label=name)),
                MeterRow(HEALTH._replace(label=name, note=name)),
                LineRow(Line("", name, name)),
                FlagGrid(Flags(tuple(Flag("kara.marks", n, name, on=True) for n in "abc"))),
                TrackList((Track("it", name, "vow", "epic", 3, note=name),)),
            )
        ]
        looks(widgets, width)
        if width > 20:
            for widget in widgets:
                lines = str(widget.render()).split("\n")
                assert max(Content(line).cell_length for line in lines) <= width, widget


@pytest.mark.parametrize("focus", [True, False])
def test_only_glyphs_that_every_terminal_font_has(focus: bool) -> None:
    widgets = [
        Chip("m1", "Clash", on=True),
        Chip("m1", "Clash", on=False),
        Tile(EDGE),
        MeterRow(HEALTH),
        MeterRow(Clock("watch", "watch", 3, 6)),
        LineRow(Line("kara.weapon", "weapon", "bow")),
        MomentumRuler(MOMENTUM),
        FlagGrid(FLAGS),
        TrackList(TRACKS),
        Header(HEADING._replace(saved="NOT SAVED")),
        Footer(KEYS),
    ]
    for seen in looks(widgets, 40, height=3, focus=focus):
        assert all(ALLOWED.fullmatch(line) for line in seen), seen


def test_journal_that_hides_nearly_all_is_painted_and_scrolls() -> None:
    asked = 0

    def hidden() -> Iterator[Content]:
        nonlocal asked
        while True:
            asked += 1
            yield Content("Rain.") if asked % (AT_ONCE + 1) == 0 else Content()

    async def play(pilot: Pilot[None]) -> None:
        assert 0 < asked <= AT_ONCE
        view = pilot.app.query_one(JournalView)
        before = asked
        view.action_scroll(1)
        await pilot.pause()
        assert before < asked <= before + AT_ONCE

    use(JournalView(hidden, id="journal"), play=play)
