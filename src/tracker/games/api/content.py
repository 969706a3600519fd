"""Content that a game is played with besides its rules: oracle tables, assets and pieces, ours or the player's.

Also its texts as plain words: those of packs are Markdown with links and macros.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from tracker.games.api.schema import Record
from tracker.records import NamedTuple
from tracker.text import shown_line

_SPLIT_EVENLY = {25, 50, 100}

DIE_MOST = 10_000
"""Most sides of a die in a pack."""
RANKS = ("troublesome", "dangerous", "formidable", "extreme", "epic")
"""Ranks of foes, from low to high."""
NAME_CELLS = 100
"""Characters of a table's name with its group and source."""
TEXT_MOST = 600
"""Characters kept of each text in a row."""
# Patterns as text: the module is imported at every start, and most evenings need none of them.
_MACRO = r"\{\{[^{}\n]*\}\}"
_LINK = r"\[([^\[\]\n]*)\]\([^()\n]*\)"
_MARKS = r"(?<![\w*])(\*\*|\*)(?=\S)|(?<=\S)(\*\*|\*)(?![\w*])|(?<!\w)(__|_)(?=\S)|(?<=\S)(__|_)(?!\w)"
_BULLET = r"\n+[ ]*[*+-][ ]+"


class Source(NamedTuple):
    """Where a piece of content was published, in the words of its publisher. Fields that are not given are empty.

    `license` is the web address of the license. `page` is the page of the book, or 0.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    license: str = ""
    url: str = ""
    page: int = 0


OURS = Source()
"""The source of content that we ship or that players write themselves: nothing to attribute."""


class FurtherRoll(NamedTuple):
    """A roll that a row of a table asks for: `times` rolls on the table with the id `table`.

    `same_table` is True if that is the table with the row itself, as in "roll twice". With `distinct`, a result that
    came up before is rolled again. If `auto` is False, the player is asked whether to make the roll.
    """

    table: str
    times: int = 1
    same_table: bool = False
    distinct: bool = False
    auto: bool = True


class Oracle(NamedTuple):
    """An oracle table: rows of text, one of which a die picks.

    A table with `parts`, the ids of other tables, has no rows: each part is rolled, and the results are joined with the
    string `join`. `since` and `upto` hold the lowest and the highest face of each row, 0 in both for a row that cannot
    be rolled, such as one to choose by hand. If `since` is empty, each row begins after the row before it; if `upto` is
    empty, all rows are equally likely. `die` is the number of sides; if it is 0, `sides` is computed from the rows.

    `columns` are the captions if there are several columns, and `more` has the texts of each row after the first
    column. `rolls` holds the further rolls of each row. All three are empty if no row needs them.
    """

    id: str
    name: str
    group: str
    rows: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    join: str = ""
    upto: tuple[int, ...] = ()
    since: tuple[int, ...] = ()
    die: int = 0
    columns: tuple[str, ...] = ()
    more: tuple[tuple[str, ...], ...] = ()
    rolls: tuple[tuple[FurtherRoll, ...], ...] = ()
    about: str = ""
    source: Source = OURS

    @property
    def sides(self) -> int:
        """Number of sides of the die to roll on this table; 0 for a table made of `parts`."""
        if self.die or self.upto:
            return self.die or max(self.upto)
        return 100 if len(self.rows) in _SPLIT_EVENLY else len(self.rows)

    def row(self, face: int) -> str:
        """Return the text of the row for this face of the die, or "" if no row has the face.

        Raise ValueError if the face is not from 1 to `sides`.
        """
        if not 1 <= face <= self.sides:
            raise ValueError(f"{self.name} has no row for {face}; it goes from 1 to {self.sides}.")
        number = self.row_number(face)
        return "" if number is None else self.rows[number]

    def row_number(self, face: int) -> int | None:
        """Return the index of the row for this face of the die, or None if no row has the face.

        The table must have rows, and `face` be from 1 to `sides`; neither is checked.
        """
        if not self.upto:
            return (face - 1) * len(self.rows) // self.sides
        return next((number for number, (first, last) in enumerate(self.spans()) if first <= face <= last), None)

    def spans(self) -> tuple[tuple[int, int], ...]:
        """Return (lowest face, highest face) of each row; (0, 0) for a row that cannot be rolled.

        A table made of parts has none: ().
        """
        upto = self.upto or tuple((n + 1) * self.sides // len(self.rows) for n in range(len(self.rows)))
        since = self.since or (1, *(last + 1 for last in upto[:-1]))
        return tuple(zip(since, upto, strict=True)) if upto else ()


class Ability(NamedTuple):
    """One of the abilities of an asset: a text, and what it gives in play.

    `name` is "" for an ability without a name of its own. If `marked` is True, everyone who takes the asset has the
    ability from the start; others have to buy it. `gives` has one string for each thing that the ability gives, such as
    "+1 face_danger", in the format that `asset_abilities.gift` parses. `guesses` has the same for things that a program
    found in the text and nobody has checked.
    """

    text: str
    marked: bool = False
    gives: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    name: str = ""


class Meter(NamedTuple):
    """A number on an asset besides health: a meter, a counter or a clock. `most` is 0 if it has no limit."""

    id: str
    name: str
    value: int = 0
    least: int = 0
    most: int = 0
    kind: Literal["meter", "counter", "clock"] = "meter"


class Flag(NamedTuple):
    """A box on an asset that is marked or not, such as "battered"."""

    id: str
    name: str
    on: bool = False


class AssetOption(NamedTuple):
    """A question that the player answers when taking an asset: free text, or one of `choices` if there are any.

    `stats` names the stat that each choice stands for; it is empty if they stand for none.
    """

    id: str
    name: str
    choices: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()


class Asset(NamedTuple):
    """An asset card: a companion, a path, a talent or the like, with its abilities.

    `health` is the maximum health of a companion, and 0 for other kinds. `asks` is the title of the prompt for the
    player's note on the asset, such as "Its name"; "" if there is none. `needs` is the requirement in words. `shared`
    is True if the whole party owns the asset.
    """

    id: str
    name: str
    kind: str
    abilities: tuple[Ability, ...]
    health: int = 0
    asks: str = ""
    needs: str = ""
    shared: bool = False
    meters: tuple[Meter, ...] = ()
    flags: tuple[Flag, ...] = ()
    options: tuple[AssetOption, ...] = ()
    source: Source = OURS


class Foe(NamedTuple):
    """A foe of a pack, with which a fight can begin. `rank` is one of the game's ranks."""

    id: str
    name: str
    rank: str
    nature: str = ""
    features: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    tactics: tuple[str, ...] = ()
    text: str = ""
    quest: str = ""
    source: Source = OURS


class TruthOption(NamedTuple):
    """One answer to a truth about the world. The faces `since` to `upto` select it; both are 0 if it cannot be rolled.

    `tables` are the ids of tables to roll on for details, and `quest` is an idea for a vow.
    """

    text: str
    since: int
    upto: int
    quest: str = ""
    tables: tuple[str, ...] = ()


class Truth(NamedTuple):
    """A question about the world that players answer when a campaign begins.

    `die` is the number of sides of the die that picks one of its options.
    """

    id: str
    name: str
    options: tuple[TruthOption, ...]
    die: int = 100
    about: str = ""
    source: Source = OURS


class MoveText(NamedTuple):
    """The full text of a move in a pack, for reading.

    `move` is the id of the same move in the game, or "" if tracker cannot play it. `strong`, `weak` and `miss` are the
    texts of the outcomes, "" for a move without a roll. `tables` are the ids of the move's own tables. `asset` is the
    id of the asset that the move belongs to, or "".
    """

    id: str
    name: str
    group: str
    text: str
    move: str = ""
    strong: str = ""
    weak: str = ""
    miss: str = ""
    tables: tuple[str, ...] = ()
    asset: str = ""
    source: Source = OURS


class Page(NamedTuple):
    """Any other text of a pack to read, such as a region, a site or a rarity; `kind` is that word."""

    id: str
    kind: str
    name: str
    text: str
    source: Source = OURS


class PieceKind(NamedTuple):
    """A kind of content besides tables and assets that players may keep in files, such as weapons.

    `record` is the schema of a piece, and `needs` lists its required fields. `wrong` validates a piece: it returns
    (name of the wrong field, reason), or None if the piece is valid.
    """

    record: Record
    needs: tuple[str, ...]
    wrong: Callable[[Mapping[str, Any]], tuple[str, str] | None]


class PackInfo(NamedTuple):
    """An installed pack that a campaign can use: id, version of the format, hash and title."""

    id: str
    version: str
    sha: str
    title: str


class Content(NamedTuple):
    """All content of a campaign, each kind by id.

    `problems` has one sentence for each thing that could not be read. `pieces` holds the player's own weapons, armor
    and adversaries, by kind and id. `foes`, `truths`, `texts` of moves and `pages` come only from packs. `installed`
    returns all packs on this computer, including those that the campaign does not use.
    """

    oracles: Mapping[str, Oracle]
    assets: Mapping[str, Asset]
    problems: tuple[str, ...] = ()
    pieces: Mapping[str, Mapping[str, Mapping[str, Any]]] = MappingProxyType({})
    foes: Mapping[str, Foe] = MappingProxyType({})
    truths: Mapping[str, Truth] = MappingProxyType({})
    texts: Mapping[str, MoveText] = MappingProxyType({})
    pages: Mapping[str, Page] = MappingProxyType({})
    installed: Callable[[], tuple[PackInfo, ...]] = tuple


def rollable_tables(oracles: Mapping[str, Oracle]) -> tuple[Oracle, ...]:
    """Return the tables that can be rolled alone: all except those that are parts of another table."""
    parts = {part for oracle in oracles.values() for part in oracle.parts}
    return tuple(oracle for ident, oracle in oracles.items() if ident not in parts)


def from_pack(ident: str) -> bool:
    """Return True if this is the id of a piece from a pack. Only such ids have a slash."""
    return "/" in ident


def text_of_move(content: Content, move: str) -> MoveText | None:
    """Return the full text of the game's move with this id, or None if no pack of the campaign has it."""
    return next((text for text in content.texts.values() if text.move == move), None)


def link_moves(content: Content, moves: Collection[str]) -> Content:
    """Return the content with only those texts of moves linked to a move whose move is in `moves`, the game's ids.

    A text that is not linked to a move can only be read.
    """
    texts = content.texts.items()
    linked = {ident: text._replace(move="") if text.move and text.move not in moves else text for ident, text in texts}
    return content._replace(texts=linked)


def unplayed(content: Content) -> list[MoveText]:
    """Return the moves that can only be read, in the order of their packs. Moves that belong to assets are left out."""
    return [text for text in content.texts.values() if not text.move and not text.asset]


def table_names(oracles: Mapping[str, Oracle]) -> dict[str, str]:
    """Return {id: name} of each table that can be rolled alone. The names are unique, even if case is ignored.

    If tables of packs share a name, their group is added to it, and if needed the title of their source; if that does
    not help, the id is the name. Tables that are not from packs keep their names. Long names are cut to NAME_CELLS.
    """
    tables = rollable_tables(oracles)
    ways: tuple[Callable[[Oracle], str], ...] = (
        lambda table: table.name,
        lambda table: f"{table.group.rpartition(' / ')[2]}: {table.name}",
        lambda table: f"{table.group}: {table.name}",
        lambda table: f"{table.source.title}, {table.group}: {table.name}",
    )
    names = {table.id: table.name for table in tables if not from_pack(table.id)}
    taken = {name.casefold() for name in names.values()}
    left = [table for table in tables if from_pack(table.id)]
    for way in ways:
        called = [way(table) for table in left]
        count = Counter(map(str.casefold, called))
        alone = [count[name.casefold()] == 1 and name.casefold() not in taken for name in called]
        names |= {table.id: name for table, name, one in zip(left, called, alone, strict=True) if one}
        taken |= {name.casefold() for name, one in zip(called, alone, strict=True) if one}
        left = [table for table, one in zip(left, alone, strict=True) if not one]
    return {table.id: shown_line(names.get(table.id, table.id), NAME_CELLS) for table in tables}


def plain(text: str) -> str:
    """Return a Markdown text as plain words on one line, without marks for emphasis, link addresses and macros."""
    text = re.sub(_BULLET, "; ", "\n" + re.sub(_LINK, r"\1", re.sub(_MACRO, "", text)))
    return " ".join(re.sub(_MARKS, "", text).split()).removeprefix("; ")


def row_text(oracle: Oracle, row: int) -> str:
    """Return the text of the row with the index `row`, followed by the texts of its other columns in parentheses.

    Each of those comes after the caption of its column. Markup of packs is removed, and long texts are cut.
    """
    words = plain if from_pack(oracle.id) else str
    first = shown_line(words(oracle.rows[row]), TEXT_MOST)
    more = oracle.more[row] if oracle.more else ()
    captions = oracle.columns[1:] or ("",) * len(more)
    beside = "; ".join(
        f"{f'{shown_line(caption, 40)}: ' if caption else ''}{shown_line(words(text), TEXT_MOST)}"
        for caption, text in zip(captions, more, strict=False)
        if text
    )
    if not first or not beside:
        return first or beside
    return f"{first} ({beside})"


def row_lines(oracle: Oracle) -> Iterator[tuple[str, str]]:
    """Yield (faces, text) of each row, with its other columns in the text.

    The faces are text such as "7-12", or "" if the row cannot be rolled.
    """
    for row, (first, last) in enumerate(oracle.spans()):
        yield f"{first}-{last}" if first < last else str(last or ""), row_text(oracle, row)
