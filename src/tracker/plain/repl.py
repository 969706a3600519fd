"""The table in lines: what stands on it, and what can be typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tracker.campaign import library
from tracker.campaign.journal import changed, rested
from tracker.campaign.log import Entry
from tracker.campaign.player import Player
from tracker.campaign.run import Run
from tracker.campaign.session import ReadOnly, SaveError, Session
from tracker.dice import Dice
from tracker.games.api.errors import Refused
from tracker.games.api.schema import Effect
from tracker.games.api.view import Action, DueItem, Start
from tracker.plain import lookup, words
from tracker.plain.console import Console
from tracker.plain.driver import PromptDriver
from tracker.plain.lookup import find
from tracker.text import shown_line

LINES = 10
"""How many lines of the journal are read out, where no number is given."""


class Command(NamedTuple):
    """A word that can be typed at the table; `rest` says what may follow it."""

    do: Callable[[str], None]
    rest: str
    help: str


class Table:
    """One campaign, open. The truth is in the session; this reads it out and passes words on."""

    def __init__(self, talk: Console, session: Session, dice: Dice, usual: str) -> None:
        """`usual` is how this player's dice fall, where the campaign does not say it."""
        self._talk = talk
        self._session = session
        self._player = Player(session, usual)
        self._dice = dice
        self._over = False
        self._warned = False
        self.refused_change = False
        """True once a change was refused because the campaign is read-only."""
        self._menu: list[str] = []
        self._notes = 0
        self._commands = {
            "moves": Command(self._moves, "", "all moves, by group"),
            "tables": Command(self._tables, "", "the tables of the oracle; the name of one rolls on it"),
            "owed": Command(self._settle_owed, "", "do what is owed next, or go on with a roll that was left"),
            "sheet": Command(self._sheet, "", "who you are, and your numbers"),
            "belongings": Command(self._belongings, "", "what you have, and what brings more of it"),
            "party": Command(self._say_party, "", "everybody, with what they owe and what is not by the rules"),
            "tracks": Command(self._tracks, "", "the tracks, those that are over too"),
            "journal": Command(self._journal, "or journal 30", "the last lines"),
            "say": Command(self._write, "and a text", "write a line in the journal"),
            "as": Command(self._speak, "and a name", "speak as that character"),
            "mark": Command(lambda word: self._flag(word, on=True), "and a word", "mark that word on the sheet"),
            "clear": Command(lambda word: self._flag(word, on=False), "and a word", "clear that word on the sheet"),
            "dice": Command(self._change_dice, "", "dice rolled here, or typed in from the table, in this campaign"),
            "undo": Command(self._undo, "", "take back the last thing, whatever it was"),
            "redo": Command(self._redo, "", "bring back what was undone"),
            "save": Command(self._save, "", "try to save again now"),
            "copy": Command(self._copy, "and a name or a path", "save a copy there, and play on in it"),
            "help": Command(self._help, "", "these lines"),
            "quit": Command(self._quit, "", "the end; everything is saved"),
        }
        if session.game.gm_side(session.state):
            self._commands["gm"] = Command(self._gm_side, "", "the GM's side, and what can be done there")

    def play(self) -> None:
        """Until the player has had enough."""
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
        line = line.strip()
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        if not line:
            self._say_menu(again=True)
        elif " " in line and (named := self._named(line)):  # “mark progress” is a move, “mark wounded” is not
            self._start(named)
        elif command and (command.rest or not rest):
            command.do(rest.strip())
        elif effect := lookup.parse_edit(self._session, self._player.active, line):
            self._change(effect)
        else:
            self._start(self._meant(line))

    # -- saying how things stand ------------------------------------------------------------------------

    def _opening(self) -> Iterator[str]:
        session = self._session
        yield f"{shown_line(session.save.name.removesuffix('.toml'))}, {session.game.name}"
        if session.readonly:
            yield f"Read only: {session.readonly}."
        if scene := session.state.get("scene"):
            yield f"Scene: {shown_line(scene)}"
        if rested(session):
            yield "Some hours have passed: the word new session begins one."
        yield from self._about_me()
        yield from (words.track(track) for track in session.game.tracks(session.state) if not track.closed)

    def _about_me(self) -> Iterator[str]:
        session = self._session
        members = session.game.members(session.state)
        me = next((member for member in members if member.id == self._player.active), None)
        if me is None:
            yield "Nobody is at the table yet."
            return
        yield f"You are {me.title}."
        yield from words.sheet(session, self._player.active)
        if len(members) > 1:
            yield f"The party: {', '.join(member.name for member in members)}"

    def _say_notes(self) -> None:
        for note in self.untold():
            self._talk.say(note)

    def untold(self) -> list[str]:
        """Return what was noticed about the file since the last call, one sentence each."""
        notes = self._session.notes[self._notes :]
        self._notes += len(notes)
        return notes

    def _say_menu(self, *, again: bool) -> None:
        """Once, and whenever it has changed: then a number may mean something else."""
        actions = self._actions()
        menu = [*self._owed_lines(), *(f"{n}. {one.label} {one.reason}" for n, one in enumerate(actions, 1))]
        if menu == self._menu and not again:
            return
        self._menu = menu
        for line in self._owed_lines():
            self._talk.say(line)
        for number, action in enumerate(actions, 1):
            self._talk.say(f"{number}. {words.action(action)}")

    def _owing(self) -> list[tuple[str, DueItem]]:
        return [(who, due) for who, all_due in self._player.due() for due in all_due]

    def _owed_lines(self) -> list[str]:
        party = self._session.state["party"]
        lines = [
            words.owed(due, "" if who == self._player.active else shown_line(party[who]["name"]))
            for who, due in self._owing()
        ]
        return [*lines, "The word owed does the first of these."] if lines else []

    def _actions(self) -> list[Action]:
        """What the menu offers: what fits this moment, then the bare rolls."""
        game, state = self._session.game, self._session.state
        if not self._player.active:
            return [Action("", game.moves[game.make_character.procedure].name, game.make_character)]
        fitting = game.now(state, self._player.active)
        known = [one.start for one in fitting]
        actions = [*fitting, *(one for one in self._player.bare_rolls() if one.start not in known)]
        if self._player.busy:
            return [one._replace(reason="a roll is open") for one in actions]
        return actions

    def _gm_side(self, _: str) -> None:
        game = self._session.game
        if side := game.gm_side(self._session.state):
            for line in words.gm_side(game, side):
                self._talk.say(line)

    # -- what can be typed ------------------------------------------------------------------------------

    def _named(self, name: str) -> Action | None:
        """The move of exactly this name."""
        moves = self._session.game.moves.values()
        return next((Action("", m.name, Start(m.id)) for m in moves if m.name.lower() == name.lower()), None)

    def _meant(self, words: str) -> Action:
        """The move that is meant: one of the menu, or else of all moves, on to which the numbers go."""
        menu = self._actions()
        there = menu + [Action("", move.name, Start(move.id)) for move in self._session.game.moves.values()]
        found = find(words, [(one.label, one.key) for one in menu])
        if found is None:
            found = find(words, [(one.label,) for one in there])
        if found is None and (roll := lookup.parse_tables(self._session, words.removeprefix("oracle "))):
            return roll
        if found is None:
            raise Refused(f"Nobody here knows “{shown_line(words)}”; help tells what can be typed.")
        return there[found]

    def _start(self, action: Action) -> None:
        move = self._session.game.moves[action.start.procedure]
        if not move.solo and self._player.busy:
            raise Refused("A roll is open: owed goes on with it, undo takes it back.")
        if action.reason:
            raise Refused(f"{action.label}: {action.reason}.")
        self._ask(self._player.start(action.start))

    def _ask(self, run: Run) -> None:
        self._talk.say(run.move.name)
        before = self._player.party
        entry = PromptDriver(self._talk, self._session, run, self._dice, by_hand=self._player.types_dice).drive()
        if entry is None:
            waits = self._session.log.open_run(run.opened)
            self._talk.say(f"{run.move.name} waits under owed." if waits else "Nothing has happened.")
            return
        self._player.welcome(before)
        self._say_done(f"{run.move.name}: {words.clauses(*changed(entry)) or 'nothing has changed'}")

    def _say_done(self, what: str) -> None:
        """Say what changed, and whether it is saved."""
        sign = self._session.settle()
        self._player.find_active()
        self._talk.say(f"{what}. {words.sign(sign)}{self._way_out()}")

    def _way_out(self) -> str:
        """Return what to do about a file that is not this campaign any more, or ""."""
        return " copy NAME saves everything elsewhere." if self._session.detached else ""

    def _moves(self, _: str) -> None:
        for line in words.moves(self._session.game, len(self._actions()) + 1):
            self._talk.say(line)

    def _tables(self, _: str) -> None:
        for line in lookup.lines(self._session):
            self._talk.say(line)

    def _settle_owed(self, _: str) -> None:
        """What the one who speaks owes; or else what somebody else does, who then speaks."""
        all_owed = self._owing()
        if not all_owed:
            raise Refused("Nothing is owed.")
        self._player.active, due = all_owed[0]
        self._ask(self._player.start_due(self._player.active, due))

    def _sheet(self, _: str) -> None:
        for line in self._about_me():
            self._talk.say(line)

    def _belongings(self, _: str) -> None:
        if not self._player.active:
            raise Refused("Nobody is at the table yet.")
        for holding in self._session.game.belongings(self._session.state, self._player.active):
            for line in words.holding(holding):
                self._talk.say(line)

    def _say_party(self, _: str) -> None:
        for member in self._session.game.members(self._session.state):
            due = ", ".join(owed.label for owed in self._session.owed(member.id))
            self._talk.say(f"{member.title}:")
            for line in words.sheet(self._session, member.id):
                self._talk.say(line)
            if due:
                self._talk.say(f"owed: {due}")
        for line in self._session.game.lint(self._session.state):
            self._talk.say(f"Not by the rules: {shown_line(line, 200)}")

    def _tracks(self, _: str) -> None:
        tracks = self._session.game.tracks(self._session.state)
        for track in tracks:
            self._talk.say(words.track(track))
        if not tracks:
            self._talk.say("There is no track yet.")

    def _journal(self, many: str) -> None:
        if many and not (many.isascii() and many.isdigit()):
            raise Refused("How many lines? Type journal and a number.")
        lines = words.journal(self._session, int(many[:6]) if many else LINES)
        for line in lines or ["Nothing has happened yet."]:
            self._talk.say(line)

    def _write(self, text: str) -> None:
        if not text:
            raise Refused("Write what? Type say and a text.")
        self._session.write(text, self._player.active)
        self._say_done("Written")

    def _speak(self, name: str) -> None:
        members = self._session.game.members(self._session.state)
        found = find(name, [(member.name, member.id) for member in members])
        if found is None:
            there = ", ".join(member.name for member in members) or "nobody yet"
            raise Refused(f"Nobody here is called “{shown_line(name)}”; here is {there}.")
        self._player.active = members[found].id
        self._talk.say(f"You are {members[found].name}.")

    def _change_dice(self, _: str) -> None:
        self._say_changed(self._player.change_dice())

    def _undo(self, _: str) -> None:
        self._say_undone(self._player.undo(), "Nothing is left to undo.")

    def _redo(self, _: str) -> None:
        self._say_undone(self._player.redo(), "Nothing is left to redo.")

    def _say_undone(self, what: str, nothing: str) -> None:
        if what:
            self._say_done(what)
        else:
            self._talk.say(nothing)

    def _save(self, _: str) -> None:
        self._session.retry()
        self._session.settle()
        self._talk.say(words.sign(self._session.sign))

    def _copy(self, said: str) -> None:
        if not said:
            raise Refused("Copy where? Type copy and a name, or a path.")
        library.save_copy(self._session, said)
        self._talk.say(f"Saved a copy. You play on in {shown_line(self._session.save.path, 300)}.")

    def _help(self, _: str) -> None:
        for word, command in self._commands.items():
            self._talk.say(f"{' '.join(filter(None, (word, command.rest)))}: {command.help}")
        for line in (
            "a number of the menu or of moves, or a part of a name: make that move",
            *lookup.examples(self._session, self._player.active),
            "nothing but Enter: the menu",
            "inside a move: note and a text keeps a line of your own with it; back is one step back, leave leaves it, "
            "and rolled dice wait under owed",
        ):
            self._talk.say(line)

    def _quit(self, _: str) -> None:
        sign = self._session.settle()
        if sign.word == "NOT SAVED" and not self._warned:
            self._warned = True
            raise Refused(
                f"{words.sign(sign)} Once more quit leaves without it, save tries again, copy NAME saves it elsewhere."
            )
        self._over = True

    # -- changes by hand --------------------------------------------------------------------------------

    def _flag(self, word: str, *, on: bool) -> None:
        self._change(lookup.flagged(self._session, self._player.active, word, on=on))

    def _change(self, effect: Effect) -> None:
        self._say_changed(self._player.change(effect))

    def _say_changed(self, entry: Entry) -> None:
        self._say_done(words.clauses(*changed(entry)))
