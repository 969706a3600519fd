"""Plain mode between two moves: print the state of the campaign, and handle what the player types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tracker.campaign import library
from tracker.campaign.journal import JournalLine, as_written, is_session_due
from tracker.campaign.journal import find as find_lines
from tracker.campaign.log import Entry
from tracker.campaign.mentions import note_called, note_of_answer, notice
from tracker.campaign.player import Player
from tracker.campaign.run import Run
from tracker.campaign.session import ReadOnly, SaveError, Session
from tracker.campaign.typed_commands import (
    OLD_WORDS,
    Begin,
    Change,
    Command,
    Play,
    Word,
    find,
    interpret,
    question,
    roll_called,
)
from tracker.campaign.unsent_input import PendingInput, Subject, load_input, save_input
from tracker.dice import Dice
from tracker.games.api import plain_text
from tracker.games.api.errors import Refused
from tracker.games.api.view import Action, DueItem, Start
from tracker.games.common.notes import MAKE
from tracker.games.common.scenes import SCENE, SESSION
from tracker.plain import text_lines
from tracker.plain.console import Console
from tracker.plain.dialog import PromptDriver
from tracker.plain.unmarked_entry import ask_tail
from tracker.records import NamedTuple
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.campaign.undo import Reversal
    from tracker.plain.company import PlainCompany

LINES = 10
"""Number of journal lines that `journal` prints if the player gives no number."""


class Handler(NamedTuple):
    """A word that plain mode handles itself: the function that does it, and its help.

    `do` is called with the rest of the line, and `word` describes the word for `help`. `reads` is True if the word only
    prints something; such a word works inside a move, too.
    """

    do: Callable[[str], None]
    word: Word
    reads: bool = False


class Repl:
    """Plain mode for one open campaign: it prints the campaign and handles the lines that the player types."""

    def __init__(
        self,
        talk: Console,
        session: Session,
        dice: Dice,
        usual: str,
        *,
        recaps: bool = False,
        company: PlainCompany | None = None,
    ) -> None:
        """`usual` is the player's setting for where dice come from, used if the campaign has none of its own.

        If `recaps` is True, `play` begins with a recap when the campaign was left some hours ago. `company` is the
        controller of a shared campaign.
        """
        self._company = company
        self._talk = talk
        self._session = session
        self._player = Player(session, usual)
        self._dice = dice
        self._over = False
        self._warned = False
        self._asked: Reversal | None = None
        """The undo or redo of what another player did, which the player was asked about last."""
        self.refused_change = False
        """True once a change was refused because the campaign is read-only."""
        self._recaps = recaps and is_session_due(session)
        self._menu: list[str] = []
        self._kept = load_input(session.save.real)
        """Notes on moves that the player left before any roll, by the `subject` of the run; the app's drafts too."""
        self._notes = 0
        self._handlers = {
            "moves": Handler(
                self._moves, Word("all moves by group, or one group, such as moves combat", "GROUP"), True
            ),
            "tables": Handler(
                self._tables,
                Word("the oracle tables, or those of a group; the name of a table rolls on it", "GROUP", optional=True),
                True,
            ),
            "due": Handler(self._do_due, Word("do what is due next, or resume an unfinished roll")),
            "sheet": Handler(self._sheet, Word("your character sheet"), True),
            "belongings": Handler(self._belongings, Word("what you have, and how to get more"), True),
            "party": Handler(self._say_party, Word("everyone, what is due, and rules checks"), True),
            "tracks": Handler(self._tracks, Word("all tracks, finished ones too"), True),
            "journal": Handler(
                self._journal, Word("the last 30 lines of the journal; without a number, the last 10", "30"), True
            ),
            "recap": Handler(self._recap, Word("what happened in the last session"), True),
            "stats": Handler(
                self._stats,
                Word("luck, dice, moves, and numbers over time; N is a session: 3, 2-4 or last", "N", optional=True),
                True,
            ),
            "find": Handler(self._find, Word("search the journal, newest first", "WORDS"), True),
            "oracle": Handler(
                self._oracle, Word("ask the oracle, or roll on a table by its name", "TABLE", optional=True)
            ),
            "roll": Handler(self._roll, Word("roll without a move, such as roll edge", "NAME", optional=True)),
            "scene": Handler(self._scene, Word("start a new scene", "TITLE", optional=True)),
            "session": Handler(self._new_session, Word("start a new session")),
            "say": Handler(self._write, Word("write a line in the journal", "TEXT")),
            "notes": Handler(
                self._list_notes,
                Word("the world notes, or those with a word in them", "WORD", optional=True),
                True,
            ),
            "note": Handler(self._read_note, Word("read a world note, or make it", "NAME")),
            "read": Handler(
                self._read_page, Word("read a move, table, asset, or foe of your packs in full", "NAME"), True
            ),
            "keep": Handler(self._keep_answer, Word("make a note of the oracle's last answer")),
            "dice": Handler(self._change_dice, Word("switch this campaign between app dice and real dice")),
            "undo": Handler(self._undo, Word("undo the last thing, whatever it was")),
            "redo": Handler(self._redo, Word("redo what was undone")),
            "save": Handler(self._save, Word("try to save again now")),
            "copy": Handler(self._copy, Word("save a copy under another name or path, and play on in it", "NAME")),
            "help": Handler(self._help, Word("this list; ? does the same")),
            "quit": Handler(self._quit, Word("save and quit")),
        }
        if session.game.gm_side(session.state):
            self._handlers["gm"] = Handler(self._gm_side, Word("the GM's side, and what can be done there"), True)
        if company:
            self._handlers |= {
                "code": Handler(lambda _: talk.say(company.code()), Word("the code that friends join with"), True),
                "people": Handler(self._people, Word("who plays, and who is here"), True),
                "yes": Handler(self._agree, Word("let in the friend who knocks, or agree to what one asks")),
                "no": Handler(self._decline, Word("turn the friend away, or say no")),
                "host": Handler(lambda _: talk.say(company.host_here()), Word("host this campaign from here")),
            }
        self.words = {name: handler.word for name, handler in self._handlers.items()}
        """The words that this class handles, for `interpret`, which itself handles moves, names and numbers."""

    def play(self) -> None:
        """Print where the campaign stands, then ask for lines and handle them until the player quits.

        Print the reason if a line is refused, and go on. Raise InputClosed if input ends before the player quits.
        """
        if self._session.state["packs"]:
            self._session.content()  # so that a missing pack is told at once
        for line in self._opening():
            self._talk.say(line)
        while not self._over:
            self._say_notes()
            self._say_menu(again=False)
            self._talk.say("What now? Type a number, a move, or help.")
            try:
                self._do(self._talk.ask())
            except (Refused, SaveError) as error:
                self.refused_change = self.refused_change or isinstance(error, ReadOnly)
                self._talk.say(str(error))

    def _do(self, line: str) -> None:
        if not line.strip():
            self._say_menu(again=True)
            return
        match interpret(self._player, line, self.words):
            case Change(effect, who):
                self._say_changed(self._player.change(effect, who))
            case Begin(action, who):
                self._start(action, who)
            case Play(who):
                self._player.active = who
                self._talk.say(f"You play {self._player.name}.")
            case Command(word, rest):
                self._handlers[word].do(rest)

    def _read(self, line: str) -> bool:
        """Handle a line typed inside a move.

        If its word only prints something, do that and return True; else return False. Raise Refused if the command
        refuses the rest of the line.
        """
        word, _, rest = OLD_WORDS.get(line.casefold(), line).partition(" ")
        word = word.casefold()
        if word == "due" and not rest:
            for due in self._due_lines() or ["Nothing is due."]:
                self._talk.say(due)
            return True
        handler = self._handlers.get(word)
        if not handler or not handler.reads or (rest and not handler.word.rest):
            return False
        handler.do(rest.strip())
        return True

    def _refusal(self, line: str) -> str:
        """Return why a line typed inside a move is no answer, if it is a command for between moves; else ""."""
        word, _, rest = OLD_WORDS.get(line.casefold(), line).partition(" ")
        handler = self._handlers.get(word.casefold())
        if not handler or (rest and not handler.word.rest):
            return ""
        return f"You are still in this move: answer it, or type leave before “{word}”."

    # -- the state of the campaign ----------------------------------------------------------------------

    def _opening(self) -> Iterator[str]:
        session = self._session
        yield f"{shown_line(session.save.name.removesuffix('.toml'))}, {session.game.name}"
        if session.readonly:
            yield text_lines.sentence(f"Read-only: {session.readonly}")
        if scene := session.state.get("scene"):
            yield f"Scene: {shown_line(scene)}"
        if is_session_due(session):
            yield "It's been a while: type new session to start one."
        if self._recaps:
            yield from self._recapped()
        yield from self._about_me()
        yield from (plain_text.track(track) for track in session.game.tracks(session.state) if not track.closed)

    def _about_me(self) -> Iterator[str]:
        session = self._session
        members = session.game.members(session.state)
        me = next((member for member in members if member.id == self._player.active), None)
        if me is None:
            yield "You have no character yet." if members else "No characters yet."
            if members:
                yield f"The party: {', '.join(member.name for member in members)}"
            return
        yield f"You play {me.title}."
        yield from text_lines.sheet(session, self._player.active)
        if len(members) > 1:
            yield f"The party: {', '.join(member.name for member in members)}"

    def _say_notes(self) -> None:
        for note in self.untold():
            self._talk.say(note)

    def untold(self) -> list[str]:
        """Return what is new since the last call, a sentence each: what others did, and the session's notes.

        If the active character has left the party, another one becomes active.
        """
        heard = self._company.heard() if self._company else []
        self._player.find_active()
        notes = self._session.notes[self._notes :]
        self._notes += len(notes)
        return [*heard, *notes]

    def _say_menu(self, *, again: bool) -> None:
        """Print due items and suggested moves with their numbers, if any of them has changed.

        With `again`, print them even if nothing has changed.
        """
        actions, due = self._player.menu(), self._due_lines()
        menu = [*due, *(f"{n}. {one.label} {one.reason}" for n, one in enumerate(actions, 1))]
        if menu == self._menu and not again:
            return
        self._menu = menu
        for line in due:
            self._talk.say(line)
        for number, action in enumerate(actions, 1):
            self._talk.say(f"{number}. {text_lines.action(action)}")

    def _all_due(self) -> list[tuple[str, DueItem]]:
        return [(who, due) for who, all_due in self._player.due() for due in all_due]

    def _due_lines(self) -> list[str]:
        party = self._session.state["party"]
        lines = [
            text_lines.due(due, "" if who == self._player.active else shown_line(party[who]["name"]))
            for who, due in self._all_due()
        ]
        others = [f"{name} has to do: {due.words}" for name, _, due in self._player.due_of_others()]
        if not lines:
            return others
        return [*lines, "Type due to do it." if len(lines) == 1 else "Type due to do the first of these.", *others]

    def _gm_side(self, _: str) -> None:
        game = self._session.game
        if not self._player.sees_gm_side:
            raise Refused("The table hides the GM's side; only the GM's screen shows it.")
        if side := game.gm_side(self._session.state):
            for line in text_lines.gm_side(game, side):
                self._talk.say(line)

    # -- moves ------------------------------------------------------------------------------------------

    def _start(self, action: Action, who: str) -> None:
        move = self._session.game.moves[action.start.procedure]
        if not move.solo and self._session.under_way(who):
            raise Refused("You have an unfinished roll: due resumes it, undo cancels it.")
        if action.reason:
            raise Refused(text_lines.sentence(f"{action.label}: {action.reason}"))
        self._ask(self._player.start(action.start, who))

    def _ask(self, run: Run) -> None:
        self._talk.say(run.move.name)
        before = self._player.party
        subject = run.subject
        if not run.opened and (note := self._kept.get(subject, PendingInput()).note):
            run.note = note
            self._talk.say(f"Note: {shown_line(note, 300)}")
        by_hand = self._player.types_dice
        entry = None
        try:
            entry = PromptDriver(
                self._talk,
                self._session,
                run,
                self._dice,
                self._read,
                self._refusal,
                by_hand=by_hand,
                untold=self.untold,
            ).drive()
        finally:  # even if input has ended
            self._keep_note(subject, run.note if entry is None and not run.opened else "")
        if entry is None:
            if self._session.log.open_run(run.opened):
                self._talk.say(f"{run.move.name} is unfinished: due resumes it.")
            elif run.note:
                self._talk.say(f"Nothing has changed. Your note is kept for the next {run.move.name}.")
            else:
                self._talk.say("Nothing has changed.")
            return
        self._player.welcome(before)
        self._say_done(text_lines.done(as_written(self._session.game, self._session.state, entry)))

    def _keep_note(self, subject: Subject, note: str) -> None:
        """Store the note on a run in the campaign's file of drafts, where the app finds it too; "" removes it.

        If the file cannot be written, print the reason.
        """
        begun = self._kept.setdefault(subject, PendingInput())
        if note == begun.note:
            return
        begun.note = note
        try:
            save_input(self._session.save.real, self._kept)
        except OSError as error:
            self._talk.say(f"This note can't be kept ({error.strerror or error}); finish the move to save it.")

    def _say_done(self, what: str) -> None:
        """Block until a change is saved or saving has failed; then print the phrase `what` with the save status."""
        sign = self._session.settle()
        self._player.find_active()
        self._talk.say(f"{text_lines.sentence(what)} {text_lines.sign(sign)}{self._way_out()}")

    def _way_out(self) -> str:
        """Return what the player can type if the file has changed and cannot be read as it is; "" otherwise.

        The text is a sentence with a blank before it.
        """
        if self._session.unmarked:
            return " save asks whether to keep it."
        return " copy NAME saves everything elsewhere." if self._session.detached else ""

    def _moves(self, group: str) -> None:
        game = self._session.game
        groups = list(dict.fromkeys(move.group for move in game.moves.values()))
        found = find(group, [(one,) for one in groups])
        if group and found is None:
            raise Refused(f"No group of moves is called “{shown_line(group)}”; choose from: {', '.join(groups)}.")
        for line in text_lines.moves(game, len(self._player.menu()) + 1, "" if found is None else groups[found]):
            self._talk.say(line)

    def _tables(self, group: str) -> None:
        if not group:
            for line in text_lines.tables(self._session):
                self._talk.say(line)
            return
        groups = text_lines.table_groups(self._session)
        fitting = [name for name in groups if group.casefold() in name.casefold()]
        if not fitting:
            raise Refused(f"No group of tables is called “{shown_line(group)}”; type tables for a list.")
        for name in fitting:
            self._talk.say(f"{name}: {'; '.join(groups[name])}")

    def _oracle(self, words: str) -> None:
        """Roll on the oracle tables, or ask the question with the odds, that the words name.

        Without words, let the player choose. Raise Refused if no table and no odds have that name, or if the oracle
        cannot be asked now.
        """
        oracles, player = self._session.game.oracles(), self._player
        if not words:
            start = next((one.start for one in oracles.questions), oracles.tables)
            self._ask(player.start(Start(start.procedure)))
            return
        action = question(oracles, self._session.content().oracles, words)
        if action is None:
            raise Refused(f"No oracle is called “{shown_line(words)}”; tables lists them.")
        self._start(action, player.active)

    def _roll(self, words: str) -> None:
        if not self._player.active:
            raise Refused("You have no character yet: make one first.")
        self._start(roll_called(self._player, words, self._player.active), self._player.active)

    def _scene(self, title: str) -> None:
        self._ask(self._player.start(Start(SCENE.id, (("title", title),) if title else ())))

    def _new_session(self, _: str) -> None:
        self._ask(self._player.start(Start(SESSION.id)))

    def _do_due(self, _: str) -> None:
        """Start or resume the first due item and make its character active. The active character's items come first.

        Raise Refused if nothing is due, or if the item cannot begin.
        """
        all_due = self._all_due()
        if not all_due:
            raise Refused(self._player.nothing_due())
        self._player.active, due = all_due[0]
        self._ask(self._player.start_due(self._player.active, due))

    # -- words that only print --------------------------------------------------------------------------

    def _sheet(self, _: str) -> None:
        for line in self._about_me():
            self._talk.say(line)

    def _belongings(self, _: str) -> None:
        if not self._player.active:
            raise Refused("You have no character yet.")
        for holding in self._session.game.belongings(self._session.state, self._player.active):
            for line in text_lines.holding(holding):
                self._talk.say(line)

    def _say_party(self, _: str) -> None:
        for member in self._session.game.members(self._session.state):
            due = ", ".join(item.label for item in self._session.owed(member.id))
            self._talk.say(f"{member.title}:")
            for line in text_lines.sheet(self._session, member.id):
                self._talk.say(line)
            if due:
                self._talk.say(f"due: {due}")
        for line in self._session.game.lint(self._session.state):
            self._talk.say(f"Rules check: {shown_line(line, 200)}")

    def _tracks(self, _: str) -> None:
        tracks = self._session.game.tracks(self._session.state)
        for track in tracks:
            self._talk.say(plain_text.track(track))
        if not tracks:
            self._talk.say("No tracks yet.")

    def _list_notes(self, wanted: str) -> None:
        for line in text_lines.notes(self._session.state, wanted):
            self._talk.say(line)

    def _read_note(self, name: str) -> None:
        """Print a world note, or start to make it if none has this name.

        Raise Refused if no name is given, or if a note cannot be made now.
        """
        if not name:
            raise Refused("Which note? Type note and a name; notes lists them.")
        if ident := note_called(self._session, name):
            for line in text_lines.note(self._session, ident, LINES):
                self._talk.say(line)
        else:
            self._ask(self._player.start(Start(MAKE, (("name", name),))))

    def _read_page(self, name: str) -> None:
        """Print the full text of a piece of the campaign's packs, or the names of several that `name` fits.

        Raise Refused if `name` is "" or no pack has such a text.
        """
        from tracker.plain.pack_pages import read_out

        for line in read_out(self._session.content(), name):
            self._talk.say(line)

    def _keep_answer(self, _: str) -> None:
        start = note_of_answer(self._session)
        if not start:
            raise Refused("The oracle hasn't answered yet.")
        self._ask(self._player.start(start))

    def _find(self, wanted: str) -> None:
        if not wanted:
            raise Refused("Find what? Type find and a word.")
        found: list[JournalLine] = []
        try:
            for some in find_lines(self._session, wanted):
                found += some
                if len(found) >= LINES:
                    break
        except OSError as error:
            self._talk.say(f"Can't read older entries right now: {error.strerror or error}.")
        for one in found[:LINES]:
            self._talk.say(text_lines.journal_line(one))
        if not found:
            self._talk.say(f"No line of the journal has “{shown_line(wanted)}”.")

    def _journal(self, many: str) -> None:
        if many and not (many.isascii() and many.isdigit()):
            raise Refused("How many lines? Type journal and a number.")
        lines = text_lines.journal(self._session, int(many[:6]) if many else LINES)
        for line in lines or ["The journal is empty."]:
            self._talk.say(line)

    def _recapped(self) -> Iterator[str]:
        from tracker.campaign.recap import recap, sentences

        try:
            yield from sentences(recap(self._session, self._player.active))
        except OSError as error:
            yield f"The history can't be read: {error.strerror or error}."

    def _recap(self, _: str) -> None:
        for line in self._recapped():
            self._talk.say(line)

    def _stats(self, sessions: str) -> None:
        """Print the statistics of the campaign, or of some sessions, such as "3", "2-4" or "last"; "" means all.

        Raise Refused if there is no such session or the history cannot be read.
        """
        from tracker.campaign.chronicle import select
        from tracker.campaign.statistics import gather, statistics
        from tracker.campaign.statistics_text import sentences

        wanted = select(self._session, sessions)
        try:
            found = statistics(gather(self._session), wanted)
        except OSError as error:
            raise Refused(f"The history can't be read: {error.strerror or error}.") from None
        for line in sentences(found):
            self._talk.say(line)

    def _help(self, _: str) -> None:
        for name, word in self.words.items():
            alone = f"{name}, " if word.optional else ""
            self._talk.say(f"{alone}{name}{f' {word.rest}' if word.rest else ''}: {word.help}")
        for line in (
            "as NAME: play that character",
            "mark WORD, clear WORD: mark or clear a box on the sheet",
            "a menu number, or part of a name: make that move",
            *text_lines.examples(self._session, self._player.active),
            "Enter alone: show the menu",
            "inside a move: note TEXT adds your own line, back goes back a step, leave stops here and keeps the dice",
        ):
            self._talk.say(line)

    # -- words that change something --------------------------------------------------------------------

    def _write(self, text: str) -> None:
        if not text:
            raise Refused("Write what? Type say and a text.")
        self._session.write(text, self._player.voice)
        self._say_done("Written")
        if said := notice(self._session, text, lambda name: f"note {name}"):
            self._talk.say(said)

    def _change_dice(self, _: str) -> None:
        if entry := self._player.change_dice():
            self._say_changed(entry)
        else:
            self._talk.say("Real dice: type in what you roll." if self._player.types_dice else "App dice.")

    def _undo(self, _: str) -> None:
        self._reverse(self._session.undos.last(), "undo", "Nothing to undo.")

    def _redo(self, _: str) -> None:
        self._reverse(self._session.undos.next_redo(), "redo", "Nothing to redo.")

    def _reverse(self, reversal: Reversal | None, word: str, nothing: str) -> None:
        """Make an undo or redo and print what it did; print `nothing` if there is none or nothing changes.

        If it is of what another player did, only say so the first time: the command `word`, typed again, makes it.
        Raise Refused if the file has to be read and cannot be.
        """
        if reversal and reversal != self._asked and (whose := self._player.whose(reversal)):
            self._asked = reversal
            self._talk.say(f"{whose} Type {word} again to {word} it.")
            return
        self._asked = None
        if what := self._player.reverse(reversal):
            self._say_done(plain_text.spoken(what))
        else:
            self._talk.say(nothing)

    # -- playing with others ----------------------------------------------------------------------------

    def _people(self, _: str) -> None:
        for line in self._company.people() if self._company else ():
            self._talk.say(line)

    def _agree(self, _: str) -> None:
        assert self._company
        self._talk.say(self._company.agree() or "No one asks you anything.")

    def _decline(self, _: str) -> None:
        assert self._company
        self._talk.say(self._company.decline() or "No one asks you anything.")

    # -- the file ---------------------------------------------------------------------------------------

    def _save(self, _: str) -> None:
        self._session.retry()
        self._session.settle()
        if question := self._session.unmarked:
            self._session.answer_tail(question, ask_tail(self._talk, question))
            self._session.settle()
            self._player.find_active()
        self._talk.say(text_lines.sign(self._session.sign))

    def _copy(self, said: str) -> None:
        if not said:
            raise Refused("Copy where? Type copy and a name, or a path.")
        library.save_copy(self._session, said)
        self._talk.say(f"Saved a copy. You play on in {shown_line(self._session.save.path, 300)}.")

    def _quit(self, _: str) -> None:
        sign = self._session.settle()
        if sign.word == "NOT SAVED" and not self._warned:
            self._warned = True
            raise Refused(
                f"{text_lines.sign(sign)} quit again leaves anyway; save tries again; copy NAME saves it elsewhere."
            )
        self._over = True

    def _say_changed(self, entry: Entry) -> None:
        self._say_done(text_lines.changes(entry))
