"""What a typed command means: `health -1`, `mark wounded`, `as Kara`, `weather`, `strike`. Shared by the frontends.

`interpret` says what a line means and does nothing; the frontend acts on the result:

    match interpret(player, line, WORDS):
        case Change(effect, who):
            player.change(effect, who)
        case Begin(action, who):
            player.start(action.start, who)  # after refusing an action with a `reason`
        case Play(who):
            player.active = who
        case Command(word, rest):
            ...  # one of the frontend's own words

`interpret` raises Refused, with one sentence to show, if the line means nothing. `complete` returns the lines that a
typed prefix can become. A frontend passes its own words, such as `undo` and `say`, to both.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tracker.campaign.fold import locate
from tracker.campaign.player import Player
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game, Move
from tracker.games.api.schema import Effect, Ladder
from tracker.games.api.view import (
    Action,
    Clock,
    Counter,
    Field,
    Flag,
    Flags,
    Member,
    Meter,
    Momentum,
    Oracles,
    Ratings,
    Start,
    Stat,
    each,
)
from tracker.records import NamedTuple
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.content import Oracle

OLD_WORDS: Mapping[str, str] = {
    "?": "help",
    "owed": "due",
    "ask fate": "ask the oracle",
    "begin a clock": "start a clock",
    "begin a countdown": "start a countdown",
    "begin a track": "start a track",
    "bring somebody back": "bring a character back",
    "change a name": "rename a character",
    "open a track again": "reopen a track",
    "put a track away": "hide a finished track",
    "settle what is owed": "clear what's due",
    "take off the table": "remove from the table",
}
"""Other spellings of commands, in lowercase, and the command that each is replaced by; most are of earlier versions."""


class Word(NamedTuple):
    """A command word that a frontend handles itself, such as "quit". `help` explains it to the player.

    `rest` is a placeholder for what follows the word, such as "TEXT", or "" if nothing may follow.
    """

    help: str
    rest: str = ""
    optional: bool = False
    """True if the word may also be typed without its `rest`."""


class Change(NamedTuple):
    """The meaning of a typed line that changes a value by hand, such as `health -1`; a result of `interpret`.

    `effect` is the change to make. `who` is the id of the character named before a colon, or of the active one.
    """

    effect: Effect
    who: str


class Begin(NamedTuple):
    """The meaning of a typed line that starts a move or a roll; a result of `interpret`.

    `who` is the id of the character who makes it. If `action.reason` is not "", the move cannot begin now.
    """

    action: Action
    who: str


class Play(NamedTuple):
    """The meaning of a typed line that makes another character the active one; a result of `interpret`.

    `who` is the id of that character.
    """

    who: str


class Command(NamedTuple):
    """The meaning of a typed line that begins with one of the frontend's own words; a result of `interpret`.

    `word` is that word. `rest` is the text after it, or "".
    """

    word: str
    rest: str


Meaning: TypeAlias = Change | Begin | Play | Command


class Completion(NamedTuple):
    """A suggestion for a line that the player is typing; a result of `complete`.

    `line` is the whole line; it ends in a space if more has to be typed after it. `note` explains it.
    """

    line: str
    note: str = ""


def interpret(player: Player, line: str, words: Mapping[str, Word]) -> Meaning:
    """Return what a typed line means for the active character now; nothing is changed.

    `words` are the frontend's own words. Raise Refused, with a sentence for the player, if the line means nothing or
    could mean several things.
    """
    return _Table(player, player.active, words).interpret(_renewed(line))


def complete(player: Player, prefix: str, words: Mapping[str, Word]) -> list[Completion]:
    """Return the lines that can complete `prefix`. Case does not matter.

    Lines that begin with `prefix` come first, then those in which a later word begins with it. An empty prefix returns
    all suggestions that there are. `words` are the frontend's own words.
    """
    return list(_Table(player, player.active, words).complete(prefix.lstrip()))


def _renewed(line: str) -> str:
    return OLD_WORDS.get(line.strip().casefold(), line.strip())


# -- names ----------------------------------------------------------------------------------------------


FEW = 5
"""Most names in the message that a word could mean several things."""


def find(word: str, named: Sequence[Sequence[str]]) -> int | None:
    """Return the index in `named` of the item that `word` means, or None if there is none. Case does not matter.

    `named` has a list of names for each item, the one that players see first. `word` may be the number of the item,
    counted from 1, a name, the beginning of a name, or the beginning of a later word in a name. Raise Refused if
    several items match.
    """
    word = word.strip().casefold()
    if not word:
        return None
    if word.isascii() and word.isdigit():
        number = int(word[:9])
        if 1 <= number <= len(named):
            return number - 1
        return next((n for n, names in enumerate(named) if word in names), None)
    folded = [[name.casefold() for name in names if name] for names in named]
    for fits in (str.__eq__, str.startswith, _has_words):
        found = [n for n, names in enumerate(folded) if any(fits(name, word) for name in names)]
        if len(found) > 1:
            labels = list(dict.fromkeys(named[n][0] for n in found))
            told = " or ".join(
                labels if len(labels) <= FEW else [*labels[: FEW - 1], f"{len(labels) - FEW + 1} others"]
            )
            raise Refused(f"“{shown_line(word)}” could be {told}: type more of it.")
        if found:
            return found[0]
    return None


def _has_words(name: str, words: str) -> bool:
    """Return True if `words` begin a word of `name` after the first, as “dan” does in Face Danger.

    Return False for fewer than 3 characters.
    """
    return len(words) >= 3 and f" {words}" in name


def _same(word: str, *names: str) -> bool:
    return word.casefold() in map(str.casefold, names)


_NAMED = r"\s*+(?=[\s\d=]{0,200}[^\s\d=])(\S.{0,200}?)"
"""Pattern of a name that is not only digits. It is bounded, so that no typed line takes long."""
_NUMBER = rf"(set )?{_NAMED}(?:\s*+(=)\s*+|\s++)([+-]?)([0-9]{{1,6}})"
_DIE = rf"(?:set )?{_NAMED}\s++(d[0-9]{{1,2}})"
_BETWEEN = r"\s*[,+]\s*|\s+and\s+"


class _Number(NamedTuple):
    """A number on the sheet that a typed line can change.

    `names` are the names that the player may type, `at` is its path in the state, and `value` is the value as the
    sheet shows it. `unit` says what is counted, if the sheet draws the number instead, such as "segments".
    """

    names: tuple[str, ...]
    at: str
    value: str
    unit: str = ""


class _Table:
    """Interprets the lines typed for the character with the id `who`, or for none if it is ""."""

    def __init__(self, player: Player, who: str, words: Mapping[str, Word]) -> None:
        self._player, self._who, self._words = player, who, words
        self._session, self._game, self._state = player.session, player.session.game, player.session.state

    def interpret(self, line: str) -> Meaning:
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if " " in line and (move := self._move_called(line)):  # “mark progress” is a move, “mark wounded” is not
            return Begin(move, self._who)
        if word in self._words and (self._words[word].rest or not rest):
            return Command(word, rest)
        if word in {"mark", "clear"}:
            return Change(self._flag(word, rest), self._who)
        if line.casefold() in {"back", "leave"}:  # else it would be the beginning of a move's name
            raise Refused(f"{line.capitalize()} works inside a move; undo undoes the last thing.")
        if word == "as":
            return Play(self._member(rest))
        if (other := self._other(line)) and (meaning := other[0]._meaning(other[1])):  # noqa: SLF001
            return meaning
        meaning = self._meaning(line)
        if meaning is None:
            raise Refused(self._why_not(line, word))
        return meaning

    def _meaning(self, line: str) -> Meaning | None:
        """Return the change, move or character that this line means; None if it means nothing.

        Raise Refused if it could mean several things.
        """
        word, _, rest = line.partition(" ")
        if word.casefold() in {"mark", "clear"} and rest and not self._move_called(line):
            return Change(self._flag(word.casefold(), rest), self._who)
        if effect := self._edit(line):
            return Change(effect, self._who)
        if action := self._numbered(line) or self._called(line):
            return Begin(action, self._who)
        if member := next((member for member in self._members() if _same(line, member.name)), None):
            return Play(member.id)
        action = self._partly_called(line)
        return Begin(action, self._who) if action else None

    # -- characters -------------------------------------------------------------------------------------

    def _members(self) -> tuple[Member, ...]:
        return self._game.members(self._state)

    def _other(self, line: str) -> tuple[_Table, str] | None:
        """Split a line such as "Kara: health -1" and return (interpreter for that character, text after the colon).

        Return None if the line does not name a character before a colon.
        """
        name, colon, rest = line.partition(":")
        member = next((one for one in self._members() if colon and _same(name.strip(), one.name, one.id)), None)
        return (_Table(self._player, member.id, {}), rest.strip()) if member else None

    def _member(self, name: str) -> str:
        members = self._members()
        found = find(name, [(member.name, member.id) for member in members])
        if found is None:
            if not members:
                raise Refused("No characters yet: make one first.")
            there = ", ".join(member.name for member in members)
            raise Refused(
                f"No character is called “{shown_line(name)}”; choose from: {there}." if name else f"Play who? {there}."
            )
        return members[found].id

    # -- changes by hand --------------------------------------------------------------------------------

    def _fields(self) -> Iterator[Field]:
        panes = self._game.sheet(self._state, self._who) if self._who else ()
        return (field for pane in panes for field in each(pane.fields))

    def _stats(self) -> Iterator[Stat]:
        for field in self._fields():
            if isinstance(field, Stat):
                yield field
            elif isinstance(field, Ratings):
                yield from (field.head, *field.stats)

    def _numbers(self) -> Iterator[_Number]:
        for field in self._fields():
            if isinstance(field, (Meter, Momentum, Counter, Clock)):
                yield _Number((field.label, self._game.label(field.at)), field.at, str(field.value))
        for stat in self._stats():
            yield _Number((stat.label, self._game.label(stat.at)), stat.at, str(stat.value))
        for holding in self._game.belongings(self._state, self._who) if self._who else ():
            for thing in holding.things:
                if thing.number and not holding.on_sheet:
                    names = (thing.note or thing.name, thing.name)
                    yield _Number(names, thing.number.at, str(thing.number.value))
        for track in self._game.tracks(self._state):
            if not track.closed:
                unit = "segments" if track.segments else "ticks, 4 to a box"
                yield _Number((track.name, track.id), track.at, str(track.ticks), unit)

    def _edit(self, line: str) -> Effect | None:
        """Return the effect for a line such as `health -1`, `supply = 3`, `set supply 3` or `wits d8`.

        Return None if the line has another form, or if no number has this name or no such die. Raise Refused if several
        numbers match, or if the number cannot have this value.
        """
        die = re.fullmatch(_DIE, line)
        number = re.fullmatch(_NUMBER, line)
        if not die and not number:
            return None
        numbers = list(self._numbers())
        found = find((die or number)[1 if die else 2], [one.names for one in numbers])  # type: ignore[index]
        if found is None:
            return None
        at = numbers[found].at
        if die:
            return self._to_die(numbers[found], die[2])
        assert number is not None
        value = int(number[4] + number[5])
        if number[4] and not (number[1] or number[3]):
            return {"at": at, "by": value}
        return self._player.set_number(at, value)

    def _to_die(self, number: _Number, die: str) -> Effect | None:
        _, kind, now = locate(self._game.top, self._state, number.at) or ((), None, "")
        if not isinstance(kind, Ladder) or die not in kind.values:
            return None
        return {"at": number.at, "by": kind.values.index(die) - kind.values.index(now)}

    def _flags(self) -> list[Flag]:
        return [flag for field in self._fields() if isinstance(field, Flags) for flag in field.flags]

    def _flag(self, word: str, name: str) -> Effect:
        """Return the effect that marks or clears the flag `name` on the sheet; `word` says which, "mark" or "clear".

        Raise Refused if there is no such flag, or if it is in that state already.
        """
        flags = self._flags()
        found = find(name, [(flag.label, flag.id) for flag in flags])
        if not flags:
            raise Refused(f"There is nothing to {word} on this sheet.")
        if found is None:
            open_to = [flag.label for flag in flags if flag.on == (word == "clear")]
            if not name and not open_to:
                raise Refused("Nothing is marked." if word == "clear" else "Everything is marked.")
            raise Refused(
                f"“{shown_line(name)}” isn't on the sheet; choose from: {', '.join(flag.label for flag in flags)}."
                if name
                else f"{word.capitalize()} what? Choose from: {', '.join(open_to)}."
            )
        flag, on = flags[found], word == "mark"
        if flag.on == on and not flag.reason:
            raise Refused(f"{flag.label} is already marked." if on else f"{flag.label} is not marked.")
        return flag.flipped()

    # -- moves and tables -------------------------------------------------------------------------------

    def _moves(self) -> list[Action]:
        return [Action("", move.name, Start(move.id)) for move in self._game.moves.values()]

    def _move_called(self, name: str) -> Action | None:
        return next((move for move in self._moves() if _same(name, move.label)), None)

    def rolls(self) -> list[Action]:
        """Return an action for each stat or skill on the sheet that can be rolled."""
        return [Action("", stat.label, stat.roll) for stat in self._stats() if stat.roll.answers]

    def _numbered(self, line: str) -> Action | None:
        """Return the action whose number is typed as `line`; None if `line` is not digits or no action has this number.

        Numbers count the actions of the menu from 1 on, then all moves.
        """
        if not (line.isascii() and line.isdigit()):
            return None
        there = [*self._player.menu(self._who), *self._moves()]
        return there[int(line[:9]) - 1] if 1 <= int(line[:9]) <= len(there) else None

    def _menu(self) -> list[Action]:
        """Return the actions of the menu, without those that share their label with another one.

        A line with such a label starts the move of that name instead, which asks the player which one is meant.
        """
        menu = self._player.menu(self._who)
        labels = Tally(one.label for one in menu)
        return [one for one in menu if labels[one.label] == 1]

    def _called(self, line: str) -> Action | None:
        """Return the action whose label, hotkey or id is exactly `line`, in any case; None if there is none."""
        there = (*self._menu(), *self._moves(), *self.rolls())
        return next((one for one in there if _same(line, one.label, one.key, *_id_words(one))), None)

    def _partly_called(self, line: str) -> Action | None:
        """Return the action of which the line names a part, or None.

        The menu is searched first, then all moves, all rolls, the oracle tables and the other oracle rolls. Raise
        Refused if several names match.
        """
        for there in (self._menu(), self._moves(), self.rolls()):
            if (found := find(line, [(one.label,) for one in there])) is not None:
                return there[found]
        words = line[len("oracle ") :] if line.casefold().startswith("oracle ") else line
        return question(self._game.oracles(), self._session.content().oracles, words)

    # -- what cannot be ---------------------------------------------------------------------------------

    def _why_not(self, line: str, word: str) -> str:
        """Return a sentence for the player that says why a line means nothing. `word` is its first word."""
        if word in self._words:
            return f"Type {word} alone."
        number = re.fullmatch(_NUMBER, line) or re.fullmatch(_DIE, line)
        name = "" if number is None else number[2] if number.re.pattern == _NUMBER else number[1]
        if name and not self._called(name):
            near = _near(name, (one.names[0] for one in self._numbers()))
            way_out = f"did you mean {near}?" if near else "the sheet names them."
            return f"No number is called “{shown_line(name)}”; {way_out}"
        numbers = [one.names[0] for one in self._numbers()]
        if label := next((name for name in numbers if _same(line, name)), None):
            return f"Change {label} by how much? Type, for example, {label} -1."
        known = (*self._words, "mark", "clear", "as", *(one.label for one in self._moves()), *numbers)
        near = _near(line, known)
        return f"Unknown command “{shown_line(line)}”; {f'did you mean {near}?' if near else 'type help for a list.'}"

    # -- completion -------------------------------------------------------------------------------------

    def complete(self, prefix: str) -> Iterator[Completion]:
        if other := self._other(prefix):
            head = prefix[: prefix.index(":") + 1]
            for one in other[0].complete(other[1]):
                yield one._replace(line=f"{head} {one.line}")
            return
        typed = prefix.casefold()
        there = list(dict.fromkeys(self._lines()))
        yield from (one for one in there if one.line.casefold().startswith(typed))
        yield from (
            one for one in there if not one.line.casefold().startswith(typed) and _has_words(one.line.casefold(), typed)
        )

    def _lines(self) -> Iterator[Completion]:
        """Yield a Completion for each thing that can be typed for this character; a line may come more than once.

        These are commands, notes, numbers, marks, characters, moves, rolls, oracle tables and questions.
        """
        for word, about in self._words.items():
            yield Completion(f"{word} " if about.rest and not about.optional else word, about.help)
        for note in self._state["notes"].values() if "note" in self._words else ():
            yield Completion(f"note {shown_line(note['name'])}", note["kind"])
        for number in self._numbers():
            yield Completion(f"{number.names[0]} ", f"now {number.value} {number.unit}".strip())
        for flag in self._flags():
            yield Completion(f"{'clear' if flag.on else 'mark'} {flag.label}", flag.reason)
        for member in self._members():
            yield Completion(f"as {member.name}", member.kind)
        moves = self._game.moves
        for one in (*self._player.menu(self._who), *self._moves(), *self.rolls()):
            yield Completion(one.label, one.reason or moves[one.start.procedure].trigger)
        from tracker.games.api.content import table_names

        oracles = self._session.content().oracles
        for ident, name in table_names(oracles).items():
            place = (oracles[ident].group, oracles[ident].source.title)
            yield Completion(name, shown_line(" · ".join(filter(None, place))))
        for one in asked(self._game.oracles()):
            yield Completion(one.label, one.note)


def asked(oracles: Oracles) -> list[Action]:
    """Return a game's oracle rolls that are not tables, such as a question with given odds."""
    return [*oracles.questions, *oracles.besides]


def question(oracles: Oracles, tables: Mapping[str, Oracle], words: str) -> Action | None:
    """Return the oracle roll that these words name: one or more tables, such as `action, theme`, or a question's odds.

    `tables` has the tables by id. Return None if nothing matches. Raise Refused if several names match, or if there are
    more tables than the game rolls together.
    """
    from tracker.games.api.content import table_names

    names = table_names(tables)
    for wanted in ([words], re.split(_BETWEEN, words)):  # a name may have a comma in it
        found = [None if word.isdigit() else _table(word, names, tables) for word in wanted]
        if ids := list(dict.fromkeys(ident for ident in found if ident)) if None not in found else []:
            if len(ids) > oracles.several:
                raise Refused(f"You can roll at most {oracles.several} tables together.")
            return Action("", " + ".join(shown_line(tables[ident].name) for ident in ids), oracles.roll_on(ids))
    there = asked(oracles)
    at = None if words.isdigit() else find(words, [(one.label,) for one in there])
    return None if at is None else there[at]


def roll_called(player: Player, words: str, who: str) -> Action:
    """Return the roll of the character with the id `who` that these words name: a stat, or one that is always offered.

    If `words` is "", return the first roll that the game always offers. Raise Refused if there is no such roll, if
    several match, or if `who` is "".
    """
    there = rolls(player, who)
    if not words:
        there = [one for one in there if not one.start.answers]
        return there[0]
    found = find(words, [(one.label, _words(one.label)) for one in there])
    if found is not None:
        return there[found]
    labels = [one.label for one in there]
    near = _near(words, labels)
    way_out = f"did you mean {near}?" if near else f"choose from: {', '.join(labels)}."
    raise Refused(f"No roll is called “{shown_line(words)}”; {way_out}")


def rolls(player: Player, who: str) -> list[Action]:
    """Return the rolls of the character with the id `who`: one for each stat, and those that the game always offers.

    Raise Refused if `who` is "", for a player without a character.
    """
    if not who:
        raise Refused("You have no character yet: make one first.")
    return [*_Table(player, who, {}).rolls(), *player.session.game.rolls(player.session.state, who)]


def short_ids(game: Game) -> dict[str, str]:
    """Return {id of a move: what is typed for it}, for all moves of the game.

    That is the part of the id after its last slash, or the whole id if several moves have the same last part.
    """
    last = {ident: ident.rpartition("/")[2] for ident in game.moves}
    ends = Tally(last.values())
    return {ident: short if ends[short] == 1 else ident for ident, short in last.items()}


def move_called(game: Game, words: str) -> Move:
    """Return the move that these words name, by id, by the last part of its id, by name, or by the beginning of one.

    Raise Refused if there is no such move, or several match.
    """
    there = list(game.moves.values())
    if exact := [move for move in there if words == move.id or _same(_words(words), move.name)]:
        return exact[0]
    ids = [(move.name, move.id, (last := move.id.rpartition("/")[2]), _words(last)) for move in there]
    found = None if words.isdigit() else find(words, ids)
    if found is not None:
        return there[found]
    near = _near(words, (name for names in ids for name in names))
    way_out = f"did you mean {near}?" if near else "`tracker move NAME` lists them."
    raise Refused(f"No move is called “{shown_line(words)}”; {way_out}")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _table(word: str, names: Mapping[str, str], oracles: Mapping[str, Oracle]) -> str | None:
    """Return the id of the table that `word` means, or None if there is none. Raise Refused if several match.

    `names` has the tables' names for players by id, `oracles` the tables. A whole name takes precedence over part of
    one, and a table of the game or the player over one of a pack.
    """
    from tracker.games.api.content import from_pack

    ours = [ident for ident in names if not from_pack(ident)]
    packs = [ident for ident in names if from_pack(ident)]
    whole_names = [
        [ident for ident in some if _same(word, names[ident], oracles[ident].name)] for some in (ours, packs)
    ]
    for some in (*whole_names, ours, packs):
        there = [(names[ident], oracles[ident].name, ident) for ident in some]
        if (found := find(word, there)) is not None:
            return some[found]
    return None


def _id_words(action: Action) -> tuple[str, ...]:
    """Return a tuple with the last part of the id of the action's procedure, written as words.

    It may be a former name of the move. Return () if the action has answers.
    """
    return () if action.start.answers else (action.start.procedure.rpartition("/")[2].replace("_", " "),)


def _near(word: str, known: Iterable[str]) -> str:
    """Return the known name that is most similar to `word` and has its first letter; "" if none is similar enough."""
    from tracker.similar_names import most_similar

    return most_similar(word, (name for name in known if name[:1].casefold() == word[:1].casefold()), 0.75)
