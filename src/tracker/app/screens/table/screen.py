"""The table: the main screen of an open campaign."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Region
from textual.layout import Layout
from textual.message import Message
from textual.screen import UPDATE_PERIOD
from textual.strip import Strip
from textual.widget import Widget

from tracker.app.focus import nearest_widget
from tracker.app.key_queue import current_key
from tracker.app.keymap import Hint
from tracker.app.screens.base import (
    ADD,
    BESIDE,
    DUE,
    FIND,
    FOLD,
    KEYS,
    NEW_NOTE,
    PASSAGE,
    REDO,
    SPEAK,
    SUBTRACT,
    UNDO,
    MinSizeScreen,
    key,
)
from tracker.app.screens.journal_input import SOON, JournalInput
from tracker.app.screens.table.layout import TableLayout
from tracker.app.screens.table_view import TableView
from tracker.app.screens.window_sizes import BY_WIDTH
from tracker.app.widgets.base import PaintCache, ValueWidget
from tracker.app.widgets.header import Header
from tracker.app.widgets.journal_pane import JournalView, journal
from tracker.app.widgets.sheet import FlagGrid, RatingsGrid, RatingsPane, SheetPane, Tile, first_rollable
from tracker.campaign.journal import is_session_due
from tracker.campaign.player import Player
from tracker.games.api.errors import Refused
from tracker.games.api.schema import Effect
from tracker.games.api.view import Action, Flag, Ratings, Start, Track
from tracker.text import shown_line

if TYPE_CHECKING:
    from textual.widget import AwaitMount

    from tracker.app.screens.base import Modal
    from tracker.app.screens.dialog.screen import Again, Dialog, Question
    from tracker.app.screens.find import SearchResult
    from tracker.app.screens.list_screen import Choices
    from tracker.app.screens.overlay import Overlay
    from tracker.app.screens.table.company import TableCompany
    from tracker.app.screens.table.panes import Panes
    from tracker.app.widgets.belongings import ThingRow
    from tracker.app.widgets.buttons import ActionChip, Chip
    from tracker.app.widgets.passage_input import PassageInput
    from tracker.app.widgets.tabs import Tabs
    from tracker.app.widgets.tracks import TrackList
    from tracker.campaign.log import Entry
    from tracker.campaign.recap import Recap
    from tracker.campaign.run import Run
    from tracker.campaign.undo import Reversal
    from tracker.campaign.unsent_input import PendingInput, Subject

_LAYOUT = TableLayout()
FOLLOW_SECONDS = 1.0
"""Seconds between two checks of the file of a read-only campaign for changes."""
TYPES = frozenset({"write", "passage", "command"})
"""Actions after which text is typed."""
WRITES = TYPES | {
    *("moves", "roll", "oracle", "part", "new_track", "owed", "undo", "redo"),
    *("change", "mark", "character", "dice", "retry", "new_note", "keep_answer"),
}
"""Actions that a read-only campaign ignores."""
COMMANDS = {
    "undo": ("undo the last thing", "undo"),
    "redo": ("redo what you just undid", "redo"),
    "due": ("do what is due next", "owed"),
    "moves": ("pick a move", "moves"),
    "oracle": ("ask the oracle", "oracle"),
    "journal": ("the full journal", "whole_journal"),
    "notes": ("people, places, and things of the story", "notes"),
    "keep": ("make a note of the oracle's last answer", "keep_answer"),
    "find": ("find in the journal, notes, moves, and tables", "find"),
    "stats": ("charts of luck, dice, moves, and numbers over time", "statistics"),
    "recap": ("the last session in ten lines", "recap"),
    "party": ("the party side by side", "party"),
    "dice": ("switch between app dice and real dice", "dice"),
    "help": ("all keys on this screen", "keys"),
    "leave": ("back to the campaigns", "leave"),
}
"""Commands of the command line that are not about numbers, flags, people, moves or tables: description and action."""


class HistoryProgress(Message):
    """Message from the writer's thread to the table: the progress of an undo or redo that reads the full history.

    `percent` is 0 to 100, or None when the undo or redo has ended.
    """

    def __init__(self, percent: int | None) -> None:
        super().__init__()
        self.percent = percent


class SessionEvent(Message):
    """Message to the table about an event in the session, which may come from another thread.

    `what` is "sign" (the save status changed), "stale" (another program changed the file) or "untidy" (there is a new
    warning in the session's notes).
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what


class TableScreen(MinSizeScreen[None]):
    """Main screen of an open campaign, with the sheet, the actions, the tracks and the journal.

    The session holds the data; the screen shows it and starts what keys ask for.
    """

    CSS_PATH = "table.tcss"
    HORIZONTAL_BREAKPOINTS = BY_WIDTH
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        key("m", "moves", "Move", "move", "Make a move."),
        key("r", "roll('r')", "Roll", "roll", "Roll without a move: r, then a stat's letter."),
        key("v", "roll('v')", "Other roll", "progress", "Make this game's other kind of roll."),
        key("a", "roll('a')", "Harm", "harm", "Take damage."),
        key("z", "roll('z')", "Rest", "rest", "Take a rest."),
        key("g", "gm_side", "GM side", "gm", "Open the GM side."),
        key("o", "oracle", "Oracle", "oracle", "Ask the oracle: yes or no, or a table."),
        key("j", "write", "Journal", "journal", "Write a line in the journal."),
        key("J", "whole_journal", "Full journal", "journal.whole", "Read, edit, or undo entries of the full journal."),
        PASSAGE,
        key("colon", "command", "Command", "command", "Type a command, such as undo or a move."),
        key("w", "notes", "World notes", "notes", "Open your notes on people, places, and things."),
        NEW_NOTE,
        key("S", "statistics", "Statistics", "statistics", "See charts of luck, dice, moves, and numbers."),
        key("R", "recap", "Recap", "recap", "Sum up the last session in ten lines."),
        FIND,
        key("s", "part", "Scene", "part", "Start a new scene or session."),
        FOLD,
        key("t", "tracks", "Tracks", "tracks", "Go to the tracks; Enter shows your options."),
        key("n", "new_track", "New track", "track.new", "Start a track or a clock."),
        key("l", "tab", "Next tab", "tab", "Show the next tab, in a narrow window."),
        DUE,
        UNDO,
        REDO,
        ADD,
        SUBTRACT,
        key("space", "mark", "Mark", "mark", "Mark or clear the flag under the cursor."),
        key("p", "party", "Party", "party", "Compare the party; add, remove, or switch."),
        key("b", "belongings", "Belongings", "belongings", "See what you have, and how to get more."),
        key("c", "character", "Character", "character", "Make a new character."),
        key("d", "dice", "Dice", "dice", "Switch between app dice and real dice."),
        key("h", "together", "Together", "together", "Play with friends: host, or join by code."),
        key("i", "code", "Code", "together.code", "Show the code that friends join with."),
        key("P", "people", "Who plays", "people", "See who plays which character, and who is here."),
        key("y", "agree", "Agree", "together.agree", "Let in a friend, or agree to what one asks."),
        KEYS,
        key("q", "leave", "Campaigns", "leave", "Return to the campaigns; everything is saved."),
        key("ctrl+s", "retry", "Save again", "retry", "Try to save again now."),
        key("E", "export", "Export", "export", "Export a web page, Markdown, a vault, or JSON."),
        key("ctrl+e", "copy", "Save a copy", "copy", "Save a copy elsewhere, and play on in it."),
        *BESIDE,
        *SPEAK,
    ]

    @property
    def layout(self) -> Layout:
        return _LAYOUT

    def __init__(self, player: Player) -> None:
        self._paint_cache = PaintCache()
        super().__init__()
        self.player = player
        self.session = player.session
        self.view = TableView(player, partial(current_key, self))
        player.notice = self.view.opening_notice()
        self.session.listeners.append(self._hear)
        self.journal_input = JournalInput(self, self, player)
        self.panes: Panes | None = None
        """Controller of the panes that are mounted after the first frame; None before that."""
        self.laid = asyncio.Event()
        """Event set once all panes are mounted. Keys wait for it: one must not act on a table without its panes."""
        self.grid: RatingsPane | None = None
        """Grid of ratings."""
        self._rest_waits = False
        self._wrote_from: Widget | None = None
        self._refused = False
        """True while the message shown is that of `refuse`."""
        self.noticed_at = 0.0
        """Monotonic time at which the present message was first shown."""
        self._just_applied = False
        """True from the end of a procedure to the next key."""
        self._far = ""
        """First word, "Undone" or "Redone", of the message after an undo or redo in the background."""
        self._keys_before_recap: int | None = None
        """Number of keys pressed when a recap was begun that nobody asked for; None for one that the player wants."""
        self.sought = ""
        """Last search term, with which the next search starts."""
        self.company: TableCompany | None = None
        """Controller of playing with others; None until the player does so."""

    @cached_property
    def begun_runs(self) -> dict[Subject, PendingInput]:
        """Unsubmitted input of the procedures that the player has left, by `Run.subject`.

        After a restart it has only typed text.
        """
        from tracker.campaign.unsent_input import load_input

        return load_input(self.session.save.real)

    def keep_begun(self) -> str:
        """Store unsubmitted input, of the journal's line and of procedures, on disk.

        Return "" on success, else the reason for the failure.
        """
        unkept = self.journal_input.keep()
        if "begun_runs" in self.__dict__ and not self.session.readonly:  # not loaded: nothing was begun here
            from tracker.campaign.unsent_input import save_input

            try:
                save_input(self.session.save.real, self.begun_runs)
            except OSError as error:
                return unkept or error.strerror or str(error)
        return unkept

    # -- what is there ----------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        return self._paint_cache.lines(crop, self._paint)

    def _paint(self, crop: Region) -> list[Strip]:
        # The screen itself paints only a background, which never changes.
        return self._paint_cache.picture((), self.size, crop, super().render_lines)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        self._paint_cache.expire()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        self._paint_cache.clear()
        super().notify_style_update()

    def compose(self) -> ComposeResult:
        # Textual sets these classes after the first frame, and would paint everything again.
        width, height = self.app.size
        for size, steps in ((width, self.HORIZONTAL_BREAKPOINTS), (height, self.VERTICAL_BREAKPOINTS)):
            self.add_class(next(name for least, name in reversed(steps) if size >= least), update=False)
        yield Header(self.view.heading(), id="head")
        if (grid := self.view.ratings())[1]:
            yield self._lay_grid(*grid)
        yield SheetPane(self.view.title(), self.view.fields(), id="sheet")
        yield JournalView(lambda: journal(self.session, folded=self.view.folded), id="journal")

    def _lay_grid(self, title: str, ratings: tuple[Ratings, ...]) -> RatingsPane:
        self.grid = RatingsPane(title, ratings, id="grid")
        return self.grid

    def on_mount(self) -> None:
        self.call_after_refresh(self._lay_the_rest)
        if self.session.readonly:
            self.set_interval(FOLLOW_SECONDS, self.follow)

    @on(events.Unmount)
    async def _part(self) -> None:
        """End the connection to other players when this screen is removed, also when a signal ends the app."""
        if self.company:
            await self.company.part()

    def follow(self) -> None:
        """In a read-only campaign, read and show what another program has written to the file; else do nothing."""
        if self.session.follow():
            self.show(self.player.notice)
            self.lead()

    async def _lay_the_rest(self) -> None:
        """Mount the panes that are not in the first frame, which has only the header, the sheet and the journal.

        One frame with everything would take a quarter longer.
        """
        from tracker.app.screens.table.panes import Panes

        await self.query_one(SheetPane).lay_the_rest()
        panes = Panes(self, self.view, self.journal_input)
        await panes.lay()
        self.panes = panes
        self._name_scene()
        self.laid.set()
        self.run_worker(self._read_content, thread=True)

    def _read_content(self) -> None:
        """Load tables and assets, so that no key waits for them. Runs in a thread.

        Show which packs are missing, else the first problem in the player's files and packs.
        """
        if not (problems := self.session.content().problems):
            return
        key = current_key(self, "o")
        missing = [title for title, _ in self.session.missing_packs()]
        if missing:
            what = f"“{missing[0]}” isn't" if len(missing) == 1 else f"{len(missing)} packs aren't"
            told = f"{what} installed; {key} shows how to get {'it' if len(missing) == 1 else 'them'}."
        else:
            more = f" {len(problems) - 1} more: {key} shows all." if len(problems) > 1 else ""
            told = shown_line(problems[0], 200) + more
        self.call_later(self.show, told)

    def on_resize(self) -> None:
        if self.panes:
            self.panes.resized()
            self._name_scene()

    def _name_scene(self) -> None:
        """Show the scene over the journal if the header has no room for it."""
        head = self.query_one(Header)
        self.query_one(JournalView).name_scene("" if head.tells_scene else head.data.scene)

    def hints(self) -> tuple[Hint, ...]:
        return tuple(map(self.hint, ("moves", "oracle", "write", "tracks", "undo", "keys", "leave")))

    # -- showing what has changed -----------------------------------------------------------------------

    def show(self, notice: str = "") -> None:
        """Update every pane from the state and show the message `notice`; "" removes the message shown before.

        Unchanged widgets are not painted. The sheet is updated at once and the rest with the next frame, since a
        changed number would take three times as long in one frame with the journal.
        """
        if not self.is_open:  # closed meanwhile
            return
        self.player.notice = shown_line(notice, 400)
        self.noticed_at = time.monotonic()
        self._refused = False
        self.player.find_active()
        self._show_grid(*self.view.ratings())
        self.query_one(SheetPane).show(self.view.title(), self.view.fields())
        if not self._rest_waits:
            self._rest_waits = True
            self.set_timer(UPDATE_PERIOD, self.catch_up)

    def refuse(self, why: str) -> None:
        """Show why a key does nothing. Unlike other messages, this one is removed with the next key."""
        self.show(why)
        self._refused = True

    def clear_refusal(self) -> None:
        """Remove the message of `refuse`; do nothing if a later message has replaced it."""
        if self._refused:
            self._refused = False
            self.player.notice = ""
            self.show_last()

    def _show_grid(self, title: str, ratings: tuple[Ratings, ...]) -> None:
        if self.grid:
            self.grid.show(title, ratings)
        elif ratings:
            self.mount(self._lay_grid(title, ratings), before="#sheet")

    def catch_up(self) -> None:
        """Update at once what `show` has put off until the next frame: panes, journal and header.

        Do nothing if that is done already.
        """
        if not self._rest_waits:
            return
        self._rest_waits = False
        if not self.is_open:  # closed meanwhile
            return
        if self.panes:
            self.panes.show()
        self.query_one(JournalView).renew()
        heading = self.view.heading()
        self.query_one(Header).update(heading)
        self._name_scene()
        for dialog in self._dialogs():
            dialog.heading = heading._replace(active=dialog.heading.active)

    def show_last(self) -> None:
        """Update only the pane with the last roll and the message."""
        if self.panes:
            self.panes.show_last()

    def show_sign(self) -> None:
        """Update the save status in the header of the table and of every dialog over it."""
        saved, reason = self.view.sign()
        head = self.query_one(Header)
        company = self.view.company
        head.update(head.data._replace(saved=saved, reason=reason, company=company))
        for dialog in self._dialogs():
            dialog.heading = dialog.heading._replace(saved=saved, reason=reason, company=company)

    def _dialogs(self) -> Iterator[Modal[Any]]:
        """Yield the dialogs over this table, the lowest first; none once its campaign is closed."""
        if self.tracker.session is self.session:
            yield from (cast("Modal[Any]", screen) for screen in self.app.screen_stack if screen.is_modal)

    def lead(self) -> None:
        """Call `follow` of every dialog over the table. Call this after a change of the state from elsewhere."""
        for dialog in list(self._dialogs()):
            dialog.follow()

    def _hear(self, what: str) -> None:
        """Post an event of the session, of a kind that SessionEvent has, to this screen; ignore others.

        Can be called from any thread.
        """
        if what in {"sign", "stale", "untidy"} and self.is_open:
            self.post_message(SessionEvent(what))

    def on_session_event(self, message: SessionEvent) -> None:
        if message.what == "stale":
            self.session.refresh()
            self.show(f"{self.session.notes[-1]}{self._way_out()}")
            self.lead()
        elif message.what == "sign":
            # This event precedes the painting of the sheet: no number is ever shown with an older save status.
            self.show_sign()
        elif message.what == "untidy":
            self.show(self.session.notes[-1])

    # -- procedures -------------------------------------------------------------------------------------

    def start(self, start: Start, who: str = "", *, odds_first: bool = False) -> None:
        """Open the dialog of a procedure, for the active character or for the one with the id `who`.

        `odds_first` waits for Enter before the first roll, so that the player sees the odds. If the procedure
        is refused or the campaign is read-only, show the reason instead.
        """
        self._ask(lambda: self.player.start(start, who), odds_first=odds_first)

    def _ask(self, run: Callable[[], Run], again: Again | None = None, *, odds_first: bool = False) -> None:
        if self.session.readonly:
            self.refuse(f"This campaign is read-only: {self.session.readonly}.")
            return
        try:
            begun = run()
        except Refused as error:
            self.refuse(str(error))
        else:
            self.ask(begun, again, odds_first=odds_first)

    def ask(
        self,
        run: Run,
        again: Again | None = None,
        *,
        odds_first: bool = False,
        question: Question | None = None,
        then: Callable[[Dialog, Entry | None], None] | None = None,
    ) -> None:
        """Open a dialog for this run and return at once.

        Unsubmitted input from an earlier dialog of the run is filled in. When the dialog closes, the table is updated
        and `then` is called with the dialog and the new entry, or None if the player left. `again` returns the last
        roll, for the key that repeats it; `odds_first` waits for Enter before the first roll; `question` is set if the
        run asks the oracle.
        """
        from tracker.app.screens.dialog.screen import Dialog

        session, known = self.session, len(self.session.notes)
        name = shown_line(session.state["party"].get(run.who, {}).get("name", ""))
        speaks = self.player.active
        heading = self.view.heading()._replace(active=run.who or speaks)
        left = self.begun_runs
        oracle = None if question else self._open_oracle
        dialog = Dialog(
            session, run, heading, name, left, again=again, odds_first=odds_first, question=question, oracle=oracle
        )
        before = self.player.party

        def done(entry: Entry | None) -> None:
            made = dialog.run
            self.player.welcome(before)
            dialog.forget()
            if entry is None:
                dialog.begun.leave(session.state)
                self.begun_runs[made.subject] = dialog.begun
                self.set_timer(SOON, self.keep_begun)  # a kill loses nothing typed; the next frame need not wait
            noticed = session.notes[known:]
            back = f"{name} is done; you play {self.player.name} again." if run.who not in {"", speaks} else ""
            gone = "" if entry else dialog.message
            self.show(gone or (noticed[0] if noticed else back if entry else self._left(made)))
            self.catch_up()  # the whole table is painted anyway
            self._just_applied = entry is not None
            if then:
                then(dialog, entry)

        self.app.push_screen(dialog, done)

    def _left(self, run: Run) -> str:
        return (
            f"{run.move.name} is unfinished: {current_key(self, 'x')} resumes it."
            if self.session.log.open_run(run.opened)
            else self.player.notice
        )

    def _pick(self, title: str, choices: Choices) -> None:
        """Open a dialog with this list, whose values are a Start or an Action. The picked one is started."""
        from tracker.app.screens.list_screen import ListScreen

        def go(picked: Start | Action | None) -> None:
            if isinstance(picked, Action):
                self.begin(picked)
            elif picked:
                self.start(picked)

        self.app.push_screen(ListScreen(self.view.heading(), title, choices), go)

    def on_chip_pressed(self, message: Chip.Pressed) -> None:
        self.begin(cast("ActionChip", message.chip).action)

    def begin(self, action: Action) -> None:
        """Do what an action stands for: open its screen if it names one, else start its procedure.

        `action.reason` is not looked at.
        """
        match action.opens:
            case "owed":
                self.action_owed()
            case "oracle":
                self.action_oracle()
            case "gm":
                self.action_gm_side()
            case "note":
                self.open_note(dict(action.start.answers)["note"])
            case "":
                self.start(action.start)

    def on_tile_pressed(self, message: Tile.Pressed) -> None:
        self.start(message.tile.data.roll, odds_first=True)  # Enter pressed by accident rolls nothing

    def on_ratings_grid_pressed(self, message: RatingsGrid.Pressed) -> None:
        self.start(message.stat.roll, odds_first=True)

    def action_roll(self, key: str) -> None:
        """Start the roll that the game always offers under `key`, or show why it is not possible."""
        action = next((roll for roll in self.player.bare_rolls() if roll.key == key), None)
        if action is None or action.reason:
            self.refuse(f"{action.label}: {action.reason}." if action else self._nobody())
        else:
            self._ask(lambda: self.player.start(action.start), self._rolled_last if key == "r" else None)

    def own_word(self, action: str) -> str:
        """Return the game's own label for an action such as "roll('v')", or "" if the game has none."""
        return next((one.label for one in self.player.bare_rolls() if action == f"roll('{one.key}')"), "")

    def _rolled_last(self) -> tuple[Run, PendingInput] | None:
        """Return (new run, its input) to repeat the active character's last roll, at the step that shows its odds.

        Return None if there is no such roll. Raise Refused if the move cannot begin.
        """
        from tracker.app.screens.dialog.forms import up_to_odds

        run = self.player.repeat_last()
        return up_to_odds(run) if run else None

    def _nobody(self) -> str:
        return f"No character yet: {current_key(self, 'c')} makes one."

    def action_oracle(self) -> None:
        if self.player.active:
            self._open_oracle(lambda: None)
        else:
            self.refuse(self._nobody())

    def _open_oracle(self, then: Callable[[], None]) -> None:
        """Open the oracle over the top screen, and call `then` when it is closed."""
        from tracker.app.screens.oracle import OracleScreen
        from tracker.campaign.unsent_input import PendingInput

        begun = self.begun_runs.setdefault((self.player.active, "oracle"), PendingInput())
        self.app.push_screen(OracleScreen(self.player, self.view.heading(), begun, self.ask), lambda _: then())

    def action_command(self) -> None:
        """Open the command line, which takes moves, names and numbers as plain mode does, and the table's own commands.

        Those are COMMANDS, `say` and `note`.
        """
        from tracker.app.screens.command_line import CommandScreen
        from tracker.campaign.typed_commands import Begin, Change, Command, Meaning, Play, Word

        words = {word: Word(about) for word, (about, _) in COMMANDS.items()}
        words["say"] = Word("write a line in the journal", "TEXT")
        words["note"] = Word("read a world note, or make it", "NAME")

        def act(meaning: Meaning | None) -> None:
            match meaning:
                case Change(effect, who):
                    self.change(effect, who)
                case Begin(action, who):
                    if action.reason:
                        self.refuse(f"{action.label}: {action.reason}.")
                    else:
                        self.start(action.start, who)
                case Play(who):
                    self.speak_as(who)
                case Command("say", text):
                    self._write(text)
                case Command("note", name):
                    self._open_or_make_note(name)
                case Command(word, _):
                    self.call_later(self.run_action, COMMANDS[word][1])

        self.app.push_screen(CommandScreen(self.view.heading(), self.player, words), act)

    def _write(self, text: str) -> None:
        from tracker.campaign.mentions import notice

        try:
            self.session.write(text, self.player.voice)
        except Refused as error:
            self.refuse(str(error))
        else:
            self.show(notice(self.session, text, lambda _: current_key(self, "W")))

    def action_character(self) -> None:
        """Open the dialog that makes a character, or resume a character that was left unfinished."""
        self._ask(self.player.make_character)

    def action_owed(self) -> None:
        """Start the next due item of the active character, else of another one; the active character stays the same.

        If nothing is due, show that; if the item cannot begin, show the reason.
        """
        who, due = self.player.next_due()
        if due:
            self._ask(lambda: self.player.start_due(who, due[0]))
        else:
            self.show(self.player.nothing_due())

    def action_moves(self) -> None:
        if self.player.active:
            from tracker.app.screens.move_picker import move_choices

            self._pick("Make a move", move_choices(self.session, self.player.active))
        else:
            self.action_character()

    def action_new_track(self) -> None:
        """Start a track or a clock; while a friend knocks or asks for something, say no to that instead."""
        if self.company and self.company.company.question():
            self.company.decline()
        elif self.player.active:
            self.start(self.session.game.new_track)
        else:
            self.action_character()

    def on_track_list_pressed(self, message: TrackList.Pressed) -> None:
        fight = self.view.fight()
        there = (*self.session.game.tracks(self.session.state), *(fight.foes if fight else ()))
        if any(track.id == message.track.id for track in there):
            self.pick_for_track(message.track)

    def pick_for_track(self, track: Track) -> None:
        """Open the list of actions on a track; the picked one is started."""
        from tracker.app.screens.move_picker import track_choices

        self._pick(track.name, track_choices(self.session, self.player.active, track))

    # -- changes by hand --------------------------------------------------------------------------------

    def change(self, effect: Effect, who: str = "") -> None:
        """Make a change by hand and show it; if it is refused, show the reason.

        The entry names the character with the id `who`, by default the active one.
        """
        try:
            entry = self.player.change(effect, who)
        except Refused as error:
            self.refuse(str(error))
            return
        self.show(", ".join(shown_line(phrase, 200) for phrase in entry["facts"]["changed"]))

    def change_number(self, focused: Widget | None, by: int) -> None:
        if isinstance(focused, ValueWidget) and focused.at:
            self.change({"at": focused.at, "by": by})
        else:
            self.refuse("Move to a number first, with arrows or Tab.")

    def action_change(self, by: int) -> None:
        self.change_number(self.focused, by)

    def action_mark(self) -> None:
        widget = self.focused
        if isinstance(widget, FlagGrid) and widget.here:
            self._flip(widget.here)

    def on_flag_grid_toggled(self, message: FlagGrid.Toggled) -> None:
        self._flip(message.flag)

    def _flip(self, flag: Flag) -> None:
        try:
            effect = flag.flipped()
        except Refused as error:
            self.refuse(str(error))
        else:
            self.change(effect)

    # -- undo -------------------------------------------------------------------------------------------

    def action_undo(self) -> None:
        self._reverse(self.session.undos.last, "Nothing to undo.")

    def action_redo(self) -> None:
        self._reverse(self.session.undos.next_redo, "Nothing to redo.")

    def toggle_undone(self, entry: Entry, *, undone: bool) -> None:
        """Undo this entry, however old. If `undone` is True, it is undone now: redo it instead.

        If that is refused, show the reason.
        """
        nothing = "" if undone else "Already undone."
        self._reverse(lambda: self.session.undos.toggle(entry, undone=undone), nothing)

    def _reverse(self, decide: Callable[[], Reversal | None], nothing: str) -> None:
        """Make the undo or redo that `decide` returns. If it returns None, show the message `nothing`.

        For an entry of another player, ask first. An entry from before the snapshot is undone or redone in the
        background. If `decide` or the undo raises Refused, or the file cannot be read, show the reason.
        """
        try:
            reversal = decide()
        except Refused as error:
            self.refuse(str(error))
            return
        except OSError as error:
            self.refuse(f"The history can't be read: {error.strerror or error}.")
            return
        if reversal and (whose := self.player.whose(reversal)):
            self._ask_to_reverse(reversal, whose, nothing)
        else:
            self._make_reversal(reversal, nothing)

    def _ask_to_reverse(self, reversal: Reversal, whose: str, nothing: str) -> None:
        """Ask the player before an undo or redo of what another player did, and make it if the answer is yes.

        `whose` is a sentence that says whose entry it changes; `nothing` is the message if nothing changes.
        """
        from tracker.app.screens.list_screen import about_a_friends

        def answered(word: str | None) -> None:
            if word == "yes":
                self._make_reversal(reversal, nothing)
                for screen in self._before():
                    screen.show()

        done = "undid" if reversal.did == "redo" else "did"
        question = about_a_friends(self.view.heading(), reversal.did.capitalize(), done, whose)
        self.app.push_screen(question, answered)

    def _make_reversal(self, reversal: Reversal | None, nothing: str) -> None:
        try:
            if reversal and reversal.far:
                self._undo_far(reversal)
            else:
                told = self.player.reverse(reversal)
                self.show(told) if told else self.refuse(nothing)
        except Refused as error:
            self.refuse(str(error))

    def _undo_far(self, reversal: Reversal) -> None:
        """Start to undo or redo an entry from before the snapshot, in a thread.

        HistoryProgress messages report the progress. Raise Refused if another one is under way.
        """
        told = -1
        self._far = reversal.word

        def step(done: float) -> None:
            nonlocal told
            if (percent := int(done * 100)) != told:
                told = percent
                self.post_message(HistoryProgress(percent))

        def done() -> None:
            self.post_message(HistoryProgress(None))

        self.session.undos.undo_far(reversal.undoes, step, done, did=reversal.did)

    def on_history_progress(self, message: HistoryProgress) -> None:
        if message.percent is None:
            try:
                self.session.adopt_late()
            except Refused as error:
                self.refuse(str(error))
            else:
                self.show(f"{self._far}: an older entry")
            self.lead()
        else:
            from tracker.app.screens.background_work import bar

            self.player.notice = f"Reading the full history  {bar(message.percent)}"
            self.show_last()
            for screen in self._before():
                screen.show_notice()

    def _before(self) -> Iterator[Overlay]:
        """Return an iterator over the full-window screens that are open over this table."""
        from tracker.app.screens.overlay import Overlay

        before = (screen for screen in self.app.screen_stack if isinstance(screen, Overlay))
        return (screen for screen in before if screen.is_mounted and screen.is_open)

    # -- other screens ----------------------------------------------------------------------------------

    def action_belongings(self) -> None:
        self._open_belongings()

    def _open_belongings(self, thing: str = "") -> None:
        """Open the belongings of the active character. The cursor is on the thing with the id `thing`, or on the first.

        Without an active character, open the dialog that makes one instead.
        """
        from tracker.app.screens.belongings import BelongingsScreen

        if self.player.active:
            self.catch_up()
            self.app.push_screen(BelongingsScreen(self, thing))
        else:
            self.action_character()

    def action_party(self) -> None:
        from tracker.app.screens.party import PartyScreen

        self.catch_up()
        self.app.push_screen(PartyScreen(self))

    def action_gm_side(self) -> None:
        from tracker.app.screens.gm import GmScreen

        self.catch_up()
        self.app.push_screen(GmScreen(self))

    def action_statistics(self) -> None:
        from tracker.app.screens.statistics import StatisticsScreen
        from tracker.campaign.statistics import gather

        self.catch_up()
        name = shown_line(self.session.save.name.removesuffix(".toml"))
        work = partial(gather, self.session)
        self.app.push_screen(StatisticsScreen(self.view.heading(), f"Statistics of {name}", work))

    def action_recap(self) -> None:
        self._ask_recap(unasked=False)

    def tell_last_time(self) -> None:
        """Show the recap if the last session was some hours ago, unless the player does something else first."""
        if is_session_due(self.session):
            self._ask_recap(unasked=True)

    def _ask_recap(self, *, unasked: bool) -> None:
        """Compute the recap in a thread and show it.

        With `unasked`, do not show it if a key was pressed in the meantime.
        """
        self._keys_before_recap = self.tracker.keys_received if unasked else None
        self.run_worker(self._find_recap, group="recap", thread=True, exclusive=True)

    def _find_recap(self) -> None:
        from tracker.campaign.recap import recap

        try:
            found = recap(self.session, self.player.active)
        except OSError as error:
            self.call_later(self.refuse, f"The history can't be read: {error.strerror or error}.")
            return
        self.call_later(self._show_recap, found)

    def _show_recap(self, found: Recap) -> None:
        from tracker.app.screens.recap import RecapScreen

        if self.app.screen is not self or not self.is_open:
            return
        before = self._keys_before_recap
        if before is not None and (self.tracker.keys_received != before or not found.lines):
            return
        breaks = () if self.session.readonly else self.session.game.breaks(self.session.state)
        self.catch_up()
        self.app.push_screen(
            RecapScreen(self.view.heading(), found, breaks), lambda begins: self.action_part() if begins else None
        )

    def action_notes(self) -> None:
        from tracker.app.screens.notes import NotesScreen

        self.catch_up()
        self.app.push_screen(NotesScreen(self))

    def open_note(self, ident: str) -> None:
        """Open the world note with this id over the top screen."""
        from tracker.app.screens.notes import NoteScreen

        self.catch_up()
        self.app.push_screen(NoteScreen(self, ident))

    def _open_or_make_note(self, name: str) -> None:
        from tracker.campaign.mentions import note_called
        from tracker.games.common.notes import MAKE

        try:
            ident = note_called(self.session, name)
        except Refused as error:
            self.refuse(str(error))
            return
        if ident:
            self.open_note(ident)
        elif name:
            self.start(Start(MAKE, (("name", name),)))
        else:
            self.action_notes()

    def action_keep_answer(self) -> None:
        """Start a new note with the oracle's last answer as its text; if there is no answer, show that."""
        from tracker.campaign.mentions import note_of_answer

        if start := note_of_answer(self.session):
            self.start(start)
        else:
            self.refuse("The oracle hasn't answered yet.")

    def action_new_note(self) -> None:
        """Start a new note. Its name is the first @name in the journal's newest text that has no note yet.

        If there is none, the dialog asks for a name.
        """
        from tracker.campaign.mentions import new_note

        self.start(new_note(self.session))

    def say(self, notice: str) -> None:
        """Show a message on the table."""
        self.show(notice)

    async def show_journal(self, at: str = "") -> None:
        """Open the full journal at the entry with the id `at`, or at its end for "".

        An open input line of the table is closed first, since the journal has its own. If its draft cannot be saved,
        the journal is not opened.
        """
        from tracker.app.screens.journal import JournalScreen

        if await self.journal_input.put_away():
            self.app.push_screen(JournalScreen(self, at), lambda _: self.show())

    async def action_whole_journal(self) -> None:
        self.catch_up()
        await self.show_journal()

    def find(self, then: Callable[[SearchResult], Awaitable[None]] | None = None) -> None:
        """Open the search and await `then`, by default `go_to`, with the result that the player picks, if any."""
        from tracker.app.screens.find import FindScreen

        async def go(found: SearchResult | None) -> None:
            if found:
                await (then or self.go_to)(found)

        def remember(sought: str) -> None:
            self.sought = sought

        heading, who = self.view.heading(), self.player.active
        self.app.push_screen(FindScreen(heading, self.session, who, self.sought, remember), go)

    def action_find(self) -> None:
        self.find()

    async def go_to(self, found: SearchResult) -> None:
        """Go to a search result: start a move, roll on a table, open a note or the journal, or show a track."""
        if found.kind == "move":
            self.start(Start(found.id))
        elif found.kind == "table":
            self.start(self.session.game.oracles().roll_on([found.id]))
        elif found.kind == "entry":
            self.catch_up()
            await self.show_journal(found.id)
        elif found.kind == "note":
            self.open_note(found.id)
        elif self.panes:
            self.panes.go_to_track(found.id)

    async def on_journal_view_pressed(self) -> None:
        await self.action_whole_journal()

    def mount_line(self, line: PassageInput) -> AwaitMount:
        """Mount the input line on this screen, below the journal; await the result to wait until it is mounted."""
        return self.mount(line)

    def after_line(self) -> None:
        """Focus the widget that had the focus before the line was opened, else the first stat to roll with."""
        if self._wrote_from and self._wrote_from.is_attached and self._wrote_from.focusable:
            self._wrote_from.focus()
            return
        if there := first_rollable(self):
            there.focus()

    def action_part(self) -> None:
        from tracker.app.screens.move_picker import new_part_choices

        self._pick("New scene or session", new_part_choices(self.session))

    def action_fold(self) -> None:
        self.view.folded = not self.view.folded
        alone = f"Story only: {current_key(self, 'f')} shows the rolls again."
        self.show(alone if self.view.folded else "Showing story and rolls.")

    def action_tracks(self) -> None:
        self.catch_up()
        if not (self.session.game.tracks(self.session.state) or self.view.fight()):
            self.show(self.session.game.no_tracks)
        elif self.panes:
            self.panes.open_tracks()

    def action_tab(self) -> None:
        if self.panes and self.panes.narrow:
            self.panes.open_next()
        else:
            self.show("Tabs only appear in a narrow window.")

    def on_tabs_picked(self, message: Tabs.Picked) -> None:
        if self.panes:
            self.panes.open(message.name)

    async def action_write(self) -> None:
        if not self.journal_input.is_open:
            self._wrote_from = self.focused
        if not self.query_one(JournalView).display and self.panes:
            self.panes.open("Journal")
        await self.journal_input.write()

    async def action_passage(self) -> None:
        await self.journal_input.write_passage()

    def on_thing_row_pressed(self, message: ThingRow.Pressed) -> None:
        self._open_belongings(message.thing)

    # -- playing with others ----------------------------------------------------------------------------

    def with_company(self, name: str = "") -> TableCompany | None:
        """Return the controller of playing with others; the first call makes it.

        `name` is the player's name, "" for the usual one; later calls ignore it. If playing with others is not
        possible, show the reason and return None.
        """
        if self.company is None:
            from tracker.coop.plans import how_to_install

            if missing := how_to_install():
                self.refuse(missing)
                return None
            from tracker.app.screens.table.company import TableCompany

            try:
                self.company = TableCompany(self, name)
            except Refused as error:
                self.refuse(str(error))
            except OSError as error:  # a key of this player is damaged
                self.refuse(f"Can't play together: {error.strerror or error}.")
        return self.company

    def action_together(self) -> None:
        if company := self.with_company():
            company.choose()

    def action_code(self) -> None:
        if company := self.with_company():
            company.show_code()

    def action_people(self) -> None:
        if company := self.with_company():
            company.show_people()

    def action_agree(self) -> None:
        if self.company:
            self.company.agree()

    # -- the rest ---------------------------------------------------------------------------------------

    def action_speak(self, number: int) -> None:
        if number <= len(self.player.party):
            self.speak_as(self.player.party[number - 1])

    async def on_key(self, event: events.Key) -> None:
        """Remove an earlier refusal; refuse a digit that no character has, and keys that write to a read-only campaign.

        Right after a procedure, refuse Enter on a stat or a thing: one Enter too many would begin a roll or open a
        screen. Esc closes the journal's input line.
        """
        self.clear_refusal()
        just_applied, self._just_applied = self._just_applied, False
        if just_applied and event.key == "enter":
            self._refuse_to_press(event)
        if event.key in map(str, range(len(self.player.party) + 1, 10)):
            event.stop()
            self.refuse(f"There is no character {event.key}: {current_key(self, 'p')} shows the party.")
        if event.key == "escape":
            await self.journal_input.escape(event)
        elif self.session.readonly:
            self._refuse_to_write(event)

    def _refuse_to_press(self, event: events.Key) -> None:
        """Consume Enter on a stat or a thing of the sheet, and show that it has to be pressed again.

        Do nothing if anything else has the focus.
        """
        from tracker.app.widgets.belongings import ThingRow

        match self.focused:
            case Tile(data=stat) | RatingsGrid(here=stat) if stat:
                does = f"roll with {stat.label}"
            case ThingRow():
                does = "see your options"
            case _:
                return
        event.stop()
        self.refuse(f"Press Enter again to {does}.")

    def _refuse_to_write(self, event: events.Key) -> None:
        """Consume a key that would write to a read-only campaign, and show why; ignore any other key.

        If text would be typed next, open a notice, so that the text does not run commands.
        """
        from tracker.app.keymap import declared, key_of

        bound = (one for one in declared(type(self)) if event.key in key_of(self.app, one).split(","))
        actions = {one.action.partition("(")[0] for one in bound}
        if not actions & WRITES:
            return
        event.stop()
        if actions & TYPES:
            self.journal_input.say_readonly()
        else:
            self.refuse(f"This campaign is read-only: {self.session.readonly}.")

    def speak_as(self, who: str) -> None:
        """Make the character with the id `who` the active one, and update the table."""
        self.player.active = who
        self.show()

    def action_beside(self, way: str) -> None:
        if there := nearest_widget(self, way):
            there.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for an action that is not possible now.

        That is a digit without a party member, a roll or a GM's side that the game does not have, and in a read-only
        campaign every action that would change it.
        """
        if action in WRITES and self.session.readonly:
            return False
        if action == "agree":
            return bool(self.company and self.company.company.question())
        if action == "speak" and parameters and isinstance(parameters[0], int):
            return parameters[0] <= len(self.player.party)
        if action == "gm_side":
            return self.view.has_gm_side
        if action == "roll" and parameters and self.player.active:
            return any(roll.key == parameters[0] for roll in self.player.bare_rolls())
        return super().check_action(action, parameters)

    def on_header_picked(self, message: Header.Picked) -> None:
        self.speak_as(message.member_id)

    def action_dice(self) -> None:
        try:
            self.player.change_dice()
        except Refused as error:
            self.refuse(str(error))
        else:
            self.show("Real dice: type in what you roll." if self.player.types_dice else "App dice: tracker rolls.")

    def action_retry(self) -> None:
        known = len(self.session.notes)
        self.session.retry()
        if self.session.unmarked:
            from tracker.app.screens.unmarked_entry import ask_tail

            ask_tail(self, self.session, lambda: self._tell_read(known))
        else:
            self._tell_read(known)

    def _tell_read(self, known: int) -> None:
        """Show a message after the file was read again: the session's first note after the first `known` ones.

        Without a new note, show what the player can do, if anything is left to do.
        """
        self.show("".join(self.session.notes[known : known + 1]) or self._way_out().removeprefix(". "))

    def _way_out(self) -> str:
        """Return what the player can do if the file has changed and cannot be read as it is; "" otherwise.

        The text begins with ". ", to follow a message without a period.
        """
        if self.session.unmarked:
            return f". {current_key(self, '^s')} asks whether to keep it."
        return f". {current_key(self, '^e')} saves a copy of everything elsewhere." if self.session.detached else ""

    def action_export(self) -> None:
        self.tracker.export()

    def action_copy(self) -> None:
        if self.session.readonly:
            self.refuse("This campaign is read-only here; c on the list of campaigns copies it.")
        else:
            self.tracker.save_copy()

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    async def action_leave(self) -> None:
        await self.tracker.leave_table()
