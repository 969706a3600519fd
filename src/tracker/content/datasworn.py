"""Reader for Datasworn, the open JSON format of the Ironsworn family, in its generations 0.0.10, 0.1 and 0.2.

All generations become the same types of `tracker.games.api.content`. An id is the pack's id and the keys that lead to
a node, joined with slashes, such as `classic/action_and_theme/action`; `target` finds it from an id as packs write it.
Texts stay Markdown, without control characters: `tracker.content.markup` turns them into lines and links.

A pack is data from strangers: sizes, depth and ids are limited, and nothing in it is run or used as a pattern.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

from tracker.games.api.content import (
    DIE_MOST,
    RANKS,
    Ability,
    Asset,
    AssetOption,
    Content,
    Flag,
    Foe,
    FurtherRoll,
    Meter,
    MoveText,
    Oracle,
    Page,
    Source,
    Truth,
    TruthOption,
    link_moves,
)
from tracker.games.api.facts import is_whole
from tracker.records import NamedTuple
from tracker.text import shown_line

SIZE_MOST = 32_000_000
"""Most bytes of a pack; the largest official one has 2.5 million."""
DEPTH_MOST = 12
"""Most collections inside one another; official packs have 4."""
NODES_MOST = 20_000
"""Most nodes of a pack that are read; the largest official one has 400."""
ROWS_MOST = 2_000
TEXT_MOST = 20_000
NAME_MOST = 200
ID_MOST = 200
PROBLEMS_MOST = 500
"""Most problems that are told one by one."""
PLAYED = "classic"
"""Id of the pack whose moves are those of the game Ironsworn."""

NO_PACK = "it is JSON, but not a Datasworn pack"

_ID = re.compile(r"[a-z0-9][a-z0-9_]*")
_OTHER = re.compile(r"[^a-z0-9]+")
_DIE = re.compile(r"1?d([1-9][0-9]{0,5})")
# 0.0.10 writes the place of a node inside an ability like this.
_ABILITY = re.compile(
    r"(?P<asset>[a-z0-9_/]+)/abilities/(?P<number>[0-9]{1,2})(?:/(?P<what>moves|oracles)/(?P<key>[a-z0-9_]+))?"
)
_DICE = re.compile(r"[1-9][0-9]?d[1-9][0-9]{0,5}(?:[+-][0-9]{1,3})?")
_VERSION = re.compile(r"0\.(?:0\.10|1|2)(?:[.\-+][0-9A-Za-z.\-+]{0,40})?")
_NO_TEXTS = ("", "")
"""The further columns of a row that has none."""
_MORE_OF_ROWS = frozenset({"text2", "text3", "oracle_rolls"})
"""Keys of rows with further columns or rolls."""
# C0 and C1 controls but the line end, and lone surrogates, which no file can hold.
_UNSAFE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

_KINDS = {
    "move": "text",
    "moves": "text",
    "asset": "asset",
    "assets": "asset",
    "oracle_rollable": "oracle",
    "oracles": "oracle",
    "npc": "foe",
    "npcs": "foe",
    "variant": "foe",
    "truth": "truth",
    "truths": "truth",
    "option": "truth",
}
_PAGES = {
    "atlas_entry": "region",
    "atlas": "region",
    "delve_site": "site",
    "delve_sites": "site",
    "delve_site_theme": "theme",
    "site_themes": "theme",
    "delve_site_domain": "domain",
    "site_domains": "domain",
    "rarity": "rarity",
    "rarities": "rarity",
}
_KNOWN_ERRORS = {
    "formidable=2 box": "the weak hit counts boxes where it must be ticks",
    "challecustomnge": "a word of its outcomes is misspelled",
}
"""Errors of published moves: the words that show the error, and what is wrong."""

_Made = TypeVar("_Made")


class NotAPack(ValueError):
    """Raised for data that is not a Datasworn pack; the message is a clause for the player."""


class Pack(NamedTuple):
    """A Datasworn pack after it was read: its content, and what the pack says about itself.

    `version` is the version of the Datasworn format, such as "0.1.0". `ruleset` is the id of the pack that this one
    extends, or its own id if it extends none. `source` is the source of the whole pack.
    """

    id: str
    version: str
    title: str
    ruleset: str
    date: str
    source: Source
    content: Content


class _Wrong(Exception):
    """Raised for a node that cannot be read; the message is a clause for the player."""


def target(written: str) -> tuple[str, str]:
    """Return (kind, id) of the node that `written` names; packs write such ids in links, macros and fields.

    The kind is "text" (of a move), "asset", "oracle", "foe", "truth" or "page". Return ("", "") if `written` is not an
    id, or names something that cannot be shown alone, such as a collection.
    """
    name, colon, path = written.partition(":")
    if colon:
        words = name.split(".")
        parts = path.replace(".", "/").split("/")
        kind = _KINDS.get(words[-1], "")
        page = _PAGES.get(words[-1]) if len(words) == 1 else None
    else:
        first, *rest = written.split("/")
        if len(rest) < 2 or rest[0] not in {*_KINDS, *_PAGES}:
            return "", ""
        word, *keys = rest
        page = _PAGES.get(word)
        kind = _KINDS.get(word, "")
        if inside := _ABILITY.fullmatch("/".join(keys)) if word == "assets" else None:
            keys = [inside["asset"], inside["number"], *filter(None, [inside["key"]])]
            kind = {"moves": "text", "oracles": "oracle", None: ""}[inside["what"]]
        elif word == "npcs" and len(keys) > 2 and keys[-2] == "variants":
            keys = [*keys[:-2], keys[-1]]
        parts = "/".join([first, *keys]).split("/")
    if page:
        parts.insert(1, page)
        kind = "page"
    if not kind or len(parts) < 2 or not all(map(_ID.fullmatch, parts)):
        return "", ""
    return kind, "/".join(parts)


def clean(text: str) -> str:
    """Return the text with line ends as \\n, tabs as spaces, and without other control characters and surrogates."""
    if text.isprintable() or not _UNSAFE.search(text):
        return text
    return _UNSAFE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " "))


def read(data: bytes, moves: Collection[str] | None = ()) -> Pack:
    """Read a pack from the bytes of its JSON file.

    `moves` are the ids of the game's moves: only texts of these are linked to a move. With None, all texts that name a
    move are. Nodes that cannot be read are left out; the content's `problems` has a sentence for each of the first
    PROBLEMS_MOST. Raise NotAPack if the data is not a pack.
    """
    if len(data) > SIZE_MOST:
        raise NotAPack(f"it is larger than {SIZE_MOST // 1_000_000} MB")
    try:
        raw = json.loads(data)
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data"
        raise NotAPack("it ends in the middle of a character" if cut else "it is not UTF-8 text") from None
    except RecursionError:
        raise NotAPack("its JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise NotAPack(f"it is not JSON: {error.msg}, line {error.lineno}") from None
    except ValueError:  # a number with thousands of digits
        raise NotAPack("it is not JSON that can be read") from None
    if not isinstance(raw, dict):
        raise NotAPack(NO_PACK)
    pack = _Reader(raw).pack()
    return pack if moves is None else pack._replace(content=link_moves(pack.content, moves))


class _Reader:
    """Reader of one pack. Its mappings of tables, assets and so on grow as the nodes of the pack are read."""

    def __init__(self, raw: dict[str, Any]) -> None:
        ident, version = raw.get("_id", raw.get("id")), raw.get("datasworn_version")
        if not isinstance(version, str) or not isinstance(ident, str):
            raise NotAPack(f"{NO_PACK}: it has no _id and datasworn_version")
        if not _VERSION.fullmatch(version):
            raise NotAPack(f"it is Datasworn {shown_line(version, 20)}; tracker reads 0.0.10, 0.1 and 0.2")
        if not _ID.fullmatch(ident) or len(ident) > 40:
            raise NotAPack(f"its id “{shown_line(ident, 40)}” should be 1 to 40 characters of a-z, 0-9 and _")
        self._raw, self._id, self._version = raw, ident, version
        self._problems: list[str] = []
        self._untold = 0
        self._nodes = 0
        self._oracles: dict[str, Oracle] = {}
        self._assets: dict[str, Asset] = {}
        self._foes: dict[str, Foe] = {}
        self._truths: dict[str, Truth] = {}
        self._texts: dict[str, MoveText] = {}
        self._pages: dict[str, Page] = {}

    def pack(self) -> Pack:
        raw = self._raw
        source = _source(raw, Source())
        ruleset = raw.get("ruleset")
        title = source.title or self._id
        for field, make in (
            ("moves", self._move),
            ("assets", self._asset),
            ("oracles", self._oracle),
            ("npcs", self._npc),
            ("atlas", self._region),
        ):
            self._collections(field, make, source)
        for field, alone in (
            ("truths", self._truth),
            ("rarities", self._rarity),
            ("delve_sites", self._site),
            ("site_themes", self._theme),
            ("site_domains", self._domain),
        ):
            for key, node in self._items(raw, field, self._id):
                self._try(f"{self._id}/{key}", _bound(alone, key, node, source))
        self._check_rolls()
        if self._untold:
            self._problems.append(f"{self._id}: {self._untold} further problems are not listed.")
        return Pack(
            self._id,
            self._version,
            title[:NAME_MOST],
            ruleset if isinstance(ruleset, str) and _ID.fullmatch(ruleset) and len(ruleset) <= 40 else self._id,
            clean(raw["date"])[:20] if isinstance(raw.get("date"), str) else "",
            source._replace(title=title[:NAME_MOST]),
            Content(
                self._oracles,
                self._assets,
                tuple(self._problems),
                foes=self._foes,
                truths=self._truths,
                texts=self._texts,
                pages=self._pages,
            ),
        )

    # -- problems and walking -------------------------------------------------------------------------------

    def _tell(self, ident: str, why: str) -> None:
        """Record a problem with the node `ident` for the player. `why` is a clause."""
        if len(self._problems) < PROBLEMS_MOST:
            self._problems.append(f"{shown_line(ident, ID_MOST)}: {why}.")
        else:
            self._untold += 1

    def _try(self, ident: str, make: Callable[[], None]) -> None:
        """Call `make` to read the node `ident`. If it raises _Wrong, record the problem and leave the node out.

        Do nothing once NODES_MOST nodes were read.
        """
        self._nodes += 1
        if self._nodes > NODES_MOST:
            if self._nodes == NODES_MOST + 1:
                self._tell(self._id, f"only the first {NODES_MOST:,} nodes are read")
            return
        try:
            make()
        except _Wrong as wrong:
            self._tell(ident, f"{wrong}; it is left out")

    def _items(
        self, node: Mapping[str, Any], field: str, ident: str, *, loose: bool = False
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (key, node) for each node in the mapping at `node[field]`; yield nothing if there is none.

        `ident` is the id of `node`, for messages. A value that is not a node, or whose key cannot be part of an id, is
        skipped, and a problem is recorded. With `loose`, such a key is changed to fit instead; use it where no other
        node refers to the key.
        """
        there = node.get(field)
        if there is None:
            return
        if not isinstance(there, dict):
            self._tell(ident, f"{field} should be nodes by key")
            return
        for key, one in there.items():
            if loose:
                key = _OTHER.sub("_", key.lower()).strip("_")[:60] or "field"
            if not _ID.fullmatch(key) or len(key) > 60:
                self._tell(ident, f"the key “{shown_line(key, 40)}” is not made of a-z, 0-9 and _; it is left out")
            elif not isinstance(one, dict):
                self._tell(f"{ident}/{key}", f"this should be a node of {field}, not {_kind(one)}; it is left out")
            else:
                yield key, one

    def _collections(
        self, field: str, make: Callable[[str, dict[str, Any], _Collection], None], source: Source
    ) -> None:
        for key, node in self._items(self._raw, field, self._id):
            ident = f"{self._id}/{key}"
            self._walk(ident, node, make, _Collection((), source, node))

    def _walk(
        self,
        ident: str,
        node: dict[str, Any],
        make: Callable[[str, dict[str, Any], _Collection], None],
        outer: _Collection,
    ) -> None:
        try:
            name = _name(node, ident)
        except _Wrong as wrong:
            self._tell(ident, str(wrong))
            name = _words(ident)
        here = _Collection((*outer.names, name), _source(node, outer.source), node)
        if len(here.names) > DEPTH_MOST or len(ident) > ID_MOST:
            self._tell(ident, f"collections are at most {DEPTH_MOST} deep; it is left out")
            return
        for key, one in self._items(node, "contents", ident):
            self._try(f"{ident}/{key}", _bound(make, f"{ident}/{key}", one, here))
        for key, one in self._items(node, "collections", ident):
            self._walk(f"{ident}/{key}", one, make, here)

    def _add(self, into: dict[str, _Made], ident: str, made: _Made, node: Mapping[str, Any]) -> None:
        """Add `made`, which was read from `node`, to the mapping `into` under the id `ident`.

        Record a problem if the node states a different id. Raise _Wrong if the id is too long or taken.
        """
        if len(ident) > ID_MOST:
            raise _Wrong(f"its id is longer than {ID_MOST} characters")
        if ident in into:
            raise _Wrong("another node has this id")
        written = node.get("_id")
        if written is not None and (not isinstance(written, str) or target(written)[1] != ident):
            self._tell(ident, f"its id is written as “{shown_line(str(written), 80)}”, which does not fit its place")
        into[ident] = made

    # -- moves ------------------------------------------------------------------------------------------------

    def _move(self, ident: str, node: dict[str, Any], where: _Collection) -> None:
        self._add(self._texts, ident, self._move_text(ident, node, where.group, where.source), node)

    def _move_text(self, ident: str, node: dict[str, Any], group: str, source: Source, asset: str = "") -> MoveText:
        source = _source(node, source)
        name, text = _name(node, ident), _text(node, "text")
        outcomes = _dict(node, "outcomes")
        results = [_text(_dict(outcomes, key), "text") for key in ("strong_hit", "weak_hit", "miss")]
        tables = []
        if isinstance(node.get("oracles"), list):  # 0.0.10 names tables that are elsewhere in the pack
            for written in node["oracles"]:
                kind, table = target(written) if isinstance(written, str) else ("", "")
                if kind == "oracle":
                    tables.append(table)
                else:
                    self._tell(ident, f"its table “{shown_line(str(written), 60)}” is not the id of a table")
        else:
            tables = self._embedded(ident, node, name, source)
        for words, why in _KNOWN_ERRORS.items():
            if any(words in one for one in (text, *results)):
                self._tell(ident, why)
        move = ident.removeprefix(f"{PLAYED}/") if self._id == PLAYED and not asset else ""
        strong, weak, miss = results
        return MoveText(
            ident,
            name,
            group,
            text,
            move,
            strong,
            weak,
            miss,
            tuple(tables),
            asset,
            source,
        )

    # -- tables -----------------------------------------------------------------------------------------------

    def _oracle(self, ident: str, node: dict[str, Any], where: _Collection) -> None:
        source = _source(node, where.source)
        name = _name(node, ident)
        about = _text(node, "summary") or _text(node, "description")
        column = str(node.get("oracle_type", "")).startswith("column")
        if column:  # its name alone, such as “Prefix”, says little
            name = f"{where.names[-1]}: {name}"
            about = about or _text(where.node, "summary") or _text(where.node, "description")
        labels = {**_dict(where.node, "column_labels"), **_dict(node, "column_labels")}
        made = self._table(ident, node, name, where.group, source, labels)
        match = _text(_dict(node, "match"), "text")
        self._add(self._oracles, ident, made._replace(about="\n\n".join(filter(None, (about, match)))), node)

    def _embedded(self, ident: str, node: Mapping[str, Any], group: str, source: Source) -> list[str]:
        """Read the tables inside a move, an ability or an option, and return their ids. Invalid tables are left out.

        `ident` is the id of that node; the tables get its `group` and, if they state none of their own, its `source`.
        """
        made = []
        for key, one in self._items(node, "oracles", ident):
            at = f"{ident}/{key}"
            self._try(at, _bound(self._inner_table, at, one, group, source))
            if at in self._oracles:
                made.append(at)
        return made

    def _inner_table(self, ident: str, node: dict[str, Any], group: str, source: Source) -> None:
        made = self._table(ident, node, _name(node, ident), group, _source(node, source), _dict(node, "column_labels"))
        match = _text(_dict(node, "match"), "text")
        self._add(self._oracles, ident, made._replace(about=match), node)

    def _table(
        self,
        ident: str,
        node: Mapping[str, Any],
        name: str,
        group: str,
        source: Source,
        labels: Mapping[str, Any],
        *,
        field: str = "rows",
        die: int = 0,
    ) -> Oracle:
        """Read the table `node`, whose rows are in its field `field`, and return it. Raise _Wrong if it is invalid.

        A node without dice of its own needs `die`, the number of sides; its rows may leave out faces of this die.
        `labels` are the captions of the columns. Invalid rows are left out, and a problem is recorded for each.
        """
        raws = node.get(field)
        if not isinstance(raws, list):
            raise _Wrong(f"{field} should be a list")
        if len(raws) > ROWS_MOST:
            raise _Wrong(f"it has {len(raws):,} rows; the limit is {ROWS_MOST:,}")
        if not raws:
            raise _Wrong("it has no rows")
        whole = not die
        sides = die or _die(node.get("dice", "1d100"))
        if not sides:
            self._tell(ident, f"tracker can't roll {shown_line(str(node['dice']), 20)}; its rows can only be read")
        rows: list[str] = []
        spans: list[tuple[int, int]] = []
        more: dict[int, tuple[str, ...]] = {}
        rolls: dict[int, tuple[FurtherRoll, ...]] = {}
        for number, raw in enumerate(raws, 1):
            # Packs have thousands of rows, nearly all of this form. All checks on each would take twice as long.
            if type(raw) is dict and _MORE_OF_ROWS.isdisjoint(raw):
                text, span = raw.get("text"), raw.get("roll", raw)
                first, last = (span.get("min"), span.get("max")) if type(span) is dict else (0, 0)
                if type(first) is type(last) is int and 1 <= first <= last <= sides and type(text) is str:  # noqa: SIM102
                    if len(text) <= TEXT_MOST and text.isprintable():
                        spans.append((first, last))
                        rows.append(text)
                        continue
            try:
                if not isinstance(raw, dict):
                    raise _Wrong(f"it should be a node, not {_kind(raw)}")
                faces = _span(raw, sides) if sides else (0, 0)
                text, *wider = (_text(raw, key) for key in ("text", "text2", "text3"))
                further = self._further(raw, ident, number)
            except _Wrong as wrong:
                self._tell(ident, f"row {number} is left out: {wrong}")
                continue
            if any(wider):
                more[len(rows)] = tuple(wider)
            if further:
                rolls[len(rows)] = further
            spans.append(faces)
            rows.append(text)
        if not rows:
            raise _Wrong("none of its rows can be read")
        if whole and sides:
            self._check_faces(ident, spans, sides)
        columns: tuple[str, ...] = ()
        width = max((n for texts in more.values() for n, text in enumerate(texts, 1) if text), default=0)
        if width:
            keys = ("text", "text2", "text3")[: width + 1]
            columns = tuple(_label(labels, key, n) for n, key in enumerate(keys, 1))
        return Oracle(
            ident,
            name,
            group,
            tuple(rows),
            upto=tuple([last for _, last in spans]),
            since=tuple([first for first, _ in spans]),
            die=sides,
            columns=columns,
            more=tuple([more.get(n, _NO_TEXTS)[:width] for n in range(len(rows))]) if width else (),
            rolls=tuple([rolls.get(n, ()) for n in range(len(rows))]) if rolls else (),
            source=source,
        )

    def _further(self, raw: Mapping[str, Any], ident: str, number: int) -> tuple[FurtherRoll, ...]:
        made = []
        for one in _list(raw, "oracle_rolls"):
            if not isinstance(one, dict):
                raise _Wrong("a further roll should be a node")
            times = one.get("number_of_rolls", 1)
            if not is_whole(times) or not 1 <= times <= 20:
                raise _Wrong("a further roll is made 1 to 20 times")
            written = one.get("oracle")
            kind, table = target(written) if isinstance(written, str) else ("oracle", ident)
            if kind != "oracle":
                self._tell(ident, f"row {number} rolls on “{shown_line(str(written), 60)}”, which isn't a table")
                continue
            if one.get("dice"):
                self._tell(ident, f"row {number} asks for other dice on the next table, which are not used")
            made.append(
                FurtherRoll(
                    table,
                    times,
                    table == ident,
                    distinct=one.get("duplicates") == "reroll",
                    auto=one.get("auto") is not False,
                )
            )
        return tuple(made)

    def _check_faces(self, ident: str, spans: list[tuple[int, int]], sides: int) -> None:
        """Record a problem if faces of the die have no row, or more than one, or if no row can be rolled.

        `spans` holds (lowest face, highest face) of each row; (0, 0) for a row that cannot be rolled.
        """
        edges = [face for first, last in spans for face in (first - 1, last)]
        if edges[:1] == [0] and edges[-1:] == [sides] and edges[1:-1:2] == edges[2::2]:
            return
        rolled = sorted(span for span in spans if span != (0, 0))
        if not rolled:
            if spans:
                self._tell(ident, "none of its rows can be rolled")
            return
        free: list[str] = []
        twice: list[str] = []
        last = 0
        for first, upto in rolled:
            if first > last + 1:
                free.append(_faces(last + 1, first - 1))
            elif first <= last:
                twice.append(_faces(first, min(last, upto)))
            last = max(last, upto)
        if last < sides:
            free.append(_faces(last + 1, sides))
        if free:
            self._tell(ident, f"no row for {_some(free)} of its d{sides}")
        if twice:
            self._tell(ident, f"several rows for {_some(twice)}; the first counts")

    def _check_rolls(self) -> None:
        """Record a problem for each row or move that refers to a table of this pack that does not exist."""
        mine = f"{self._id}/"
        for ident, oracle in self._oracles.items():
            for number, further in enumerate(oracle.rolls, 1):
                for roll in further:
                    if roll.table.startswith(mine) and roll.table not in self._oracles:
                        self._tell(ident, f"row {number} rolls on {roll.table}, which does not exist")
        for ident, text in self._texts.items():
            for table in text.tables:
                if table.startswith(mine) and table not in self._oracles:
                    self._tell(ident, f"its table {table} does not exist")

    # -- assets -----------------------------------------------------------------------------------------------

    def _asset(self, ident: str, node: dict[str, Any], where: _Collection) -> None:
        source = _source(node, where.source)
        name = _name(node, ident)
        kind = (_line(node, "category") or where.names[-1]).lower()
        raws = _list(node, "abilities")
        if len(raws) > 12:
            raise _Wrong(f"it has {len(raws)} abilities; the limit is 12")
        fields = _Fields(companion="companion" in kind)
        self._controls(ident, node, fields)
        if isinstance(node.get("broken"), dict):  # 0.2 has this flag beside the controls
            fields.flag("broken", _label(node["broken"], "label", "broken"))
        self._options(ident, node, fields)
        abilities = []
        for number, raw in enumerate(raws):
            at = f"{ident}/{number}"
            if not isinstance(raw, dict):
                raise _Wrong(f"ability {number + 1} should be a node, not {_kind(raw)}")
            text = _text(raw, "text")
            if not text:
                raise _Wrong(f"ability {number + 1} has no text")
            abilities.append(Ability(text, raw.get("enabled") is True, name=_line(raw, "name")))
            self._controls(at, raw, fields)
            self._options(at, raw, fields)
            self._embedded(at, raw, name, source)
            for key, move in self._items(raw, "moves", at):
                self._try(f"{at}/{key}", _bound(self._asset_move, f"{at}/{key}", move, name, source, ident))
        made = Asset(
            ident,
            name,
            kind,
            tuple(abilities),
            fields.health,
            fields.asks,
            _text(node, "requirement"),
            node.get("shared") is True,
            tuple(fields.meters.values()),
            tuple(fields.flags.values()),
            tuple(fields.options.values()),
            source,
        )
        self._add(self._assets, ident, made, node)

    def _asset_move(self, ident: str, node: dict[str, Any], group: str, source: Source, asset: str) -> None:
        self._add(self._texts, ident, self._move_text(ident, node, group, source, asset), node)

    def _controls(self, ident: str, node: Mapping[str, Any], fields: _Fields) -> None:
        """Read the meters, flags and choices of an asset or an ability into `fields`.

        An invalid one is left out, and a problem is recorded.
        """
        for key, raw in self._items(node, "controls", ident, loose=True):
            try:
                self._control(ident, key, raw, fields)
            except _Wrong as wrong:
                self._tell(ident, f"its {key} is left out: {wrong}")

    def _control(self, ident: str, key: str, raw: dict[str, Any], fields: _Fields) -> None:
        label = _label(raw, "label", _words(key))
        match raw.get("field_type"):
            case "condition_meter" | "counter" | "clock" as kind:
                least, value = (_whole(raw, field, -99, 99, 0) for field in ("min", "value"))
                most = _whole(raw, "max", 0, 99, 0) if raw.get("max") is not None else 0
                companion = fields.companion or bool(raw.get("moves"))  # only a companion's health has moves
                if kind == "condition_meter" and key == "health" and companion and not fields.health and most:
                    fields.health = most
                else:
                    fields.meter(key, label, value, least, most, "meter" if kind == "condition_meter" else kind)
                for inner, flag in self._items(raw, "controls", ident, loose=True):
                    fields.flag(inner, _label(flag, "label", _words(inner)), on=flag.get("value") is True)
            case "checkbox" | "card_flip":
                fields.flag(key, label, on=raw.get("value") is True)
            case "select_enhancement" | "select_value":
                fields.option(key, label, *_choices(raw))
            case "text":
                fields.option(key, label)
            case other:
                raise _Wrong(f"“{shown_line(str(other), 40)}” isn't a kind of control")

    def _options(self, ident: str, node: Mapping[str, Any], fields: _Fields) -> None:
        for key, raw in self._items(node, "options", ident, loose=True):
            try:
                if key == "name" and raw.get("field_type") == "text" and not fields.asks:
                    fields.asks = "Its name"
                else:
                    self._control(ident, key, raw, fields)
            except _Wrong as wrong:
                self._tell(ident, f"its {key} is left out: {wrong}")

    # -- foes, truths and pages -------------------------------------------------------------------------------

    def _npc(self, ident: str, node: dict[str, Any], where: _Collection) -> None:
        source = _source(node, where.source)
        made = Foe(
            ident,
            _name(node, ident),
            _rank(node),
            _line(node, "nature"),
            _texts(node, "features"),
            _texts(node, "drives"),
            _texts(node, "tactics"),
            _paragraphs(node, "summary", "description", "your_truth"),
            _text(node, "quest_starter"),
            source,
        )
        self._add(self._foes, ident, made, node)
        for key, raw in self._items(node, "variants", ident):
            self._try(f"{ident}/{key}", _bound(self._variant, f"{ident}/{key}", raw, made))

    def _variant(self, ident: str, node: dict[str, Any], foe: Foe) -> None:
        variant = foe._replace(
            id=ident,
            name=_name(node, ident),
            rank=_rank(node),
            nature=_line(node, "nature") or foe.nature,
            text=_text(node, "description"),
        )
        self._add(self._foes, ident, variant, node)

    def _truth(self, key: str, node: dict[str, Any], outer: Source) -> None:
        ident, source = f"{self._id}/{key}", _source(node, outer)
        name, sides = _name(node, ident), _die(node.get("dice", "1d100"))
        if not sides:
            raise _Wrong("tracker rolls one die for a truth")
        options: list[TruthOption] = []
        spans: list[tuple[int, int]] = []
        for number, raw in enumerate(_list(node, "options")):
            at = f"{ident}/{number}"
            if not isinstance(raw, dict):
                raise _Wrong(f"option {number + 1} should be a node, not {_kind(raw)}")
            tables = self._embedded(at, raw, name, source)
            if isinstance(raw.get("table"), dict):  # 0.0.10 has one table without a name
                self._try(at, _bound(self._inner_table, at, {"name": name, **raw["table"]}, name, source))
                tables += [at] if at in self._oracles else []
            spans.append(_span(raw, sides))
            text = _paragraphs(raw, "summary", "description")
            options.append(TruthOption(text, *spans[-1], _text(raw, "quest_starter"), tuple(tables)))
        self._check_faces(ident, spans, sides)
        about = _paragraphs(node, "summary", "your_character")
        self._add(self._truths, ident, Truth(ident, name, tuple(options), sides, about, source), node)

    def _page(self, kind: str, key: str, node: dict[str, Any], text: str, outer: Source) -> None:
        ident = f"{self._id}/{kind}/{key}"
        page = Page(ident, kind, _name(node, ident), text, _source(node, outer))
        self._add(self._pages, ident, page, node)

    def _region(self, ident: str, node: dict[str, Any], where: _Collection) -> None:
        text = _paragraphs(node, "summary", "description", "notes")
        if features := _texts(node, "features"):
            text += "\n\n" + "\n".join(f"* {feature}" for feature in features)
        quest = _text(node, "quest_starter")
        key = ident.removeprefix(f"{self._id}/")
        self._page("region", key, node, f"{text}\n\n{quest}" if quest else text, where.source)

    def _rarity(self, key: str, node: dict[str, Any], source: Source) -> None:
        text = _paragraphs(node, "description")
        written = node.get("asset")
        if isinstance(written, str) and target(written)[0] == "asset":
            text += f"\n\nGoes with [{_words(written)}](datasworn:{written})"
        cost = node.get("xp_cost")
        self._page("rarity", key, node, f"{text}\n\nCosts {cost} experience" if is_whole(cost) else text, source)

    def _theme(self, key: str, node: dict[str, Any], source: Source) -> None:
        self._part_of_site("theme", key, node, source)

    def _domain(self, key: str, node: dict[str, Any], source: Source) -> None:
        self._part_of_site("domain", key, node, source)

    def _part_of_site(self, kind: str, key: str, node: dict[str, Any], outer: Source) -> None:
        """Read a theme or a domain of a site: a page, and tables for some faces of a d100 each.

        `kind` is "theme" or "domain", `key` the node's key in the pack, and `outer` the source of what is around it.
        Raise _Wrong if it has no name, or a table is invalid.
        """
        source, ident = _source(node, outer), f"{self._id}/{kind}/{key}"
        name = _name(node, ident)
        self._page(kind, key, node, _paragraphs(node, "summary", "description"), outer)
        for field in ("features", "dangers"):
            at = f"{ident}/{field}"
            table = self._table(at, node, f"{name}: {field}", f"Site {kind}s", source, {}, field=field, die=100)
            rolled = [face for span in zip(table.since, table.upto, strict=True) for face in span if face]
            if rolled:
                faces = _faces(min(rolled), max(rolled))
                table = table._replace(about=f"Has {faces} of the d100; the rest is in the site's other tables.")
            self._oracles[at] = table

    def _site(self, key: str, node: dict[str, Any], outer: Source) -> None:
        source, ident = _source(node, outer), f"{self._id}/site/{key}"
        name = _name(node, ident)
        lines = [_text(node, "description")]
        for field in ("rank", "region", "theme", "domain"):
            value = node.get(field)
            if field == "rank" and is_whole(value):
                lines.append(f"Rank: {_rank(node)}")
            elif isinstance(value, str):
                known = target(value)[0]
                words = _words(value)
                lines.append(f"{field.capitalize()}: {f'[{words}](datasworn:{value})' if known else words}")
        self._page("site", key, node, "\n\n".join(filter(None, lines)), outer)
        denizens = []
        for raw in _list(node, "denizens"):
            if isinstance(raw, dict):
                often = _line(raw, "frequency").replace("_", " ")
                written = raw.get("npc")
                link = isinstance(written, str) and target(written)[0] == "foe"
                foe = f"[{_words(str(written))}](datasworn:{written})" if link else ""
                named = _line(raw, "name")
                raw = {**raw, "text": f"{named} ({foe})" if named and foe else named or foe or f"{often}: you choose"}
            denizens.append(raw)
        at = f"{ident}/denizens"
        self._oracles[at] = self._table(
            at, {"rows": denizens, "dice": "1d100"}, f"{name}: denizens", "Site denizens", source, {}
        )


class _Collection(NamedTuple):
    """The place of a node in the tree of a pack: the collections around it.

    `names` are the names of these collections, outermost first. `source` is the source that applies to nodes in them,
    and `node` is the innermost collection as the pack has it.
    """

    names: tuple[str, ...]
    source: Source
    node: Mapping[str, Any]

    @property
    def group(self) -> str:
        return " / ".join(self.names)


class _Fields:
    """The meters, flags and options of one asset while it is read. Their ids are unique among all three."""

    def __init__(self, *, companion: bool) -> None:
        self.companion = companion
        self.health = 0
        self.asks = ""
        self.meters: dict[str, Meter] = {}
        self.flags: dict[str, Flag] = {}
        self.options: dict[str, AssetOption] = {}

    def meter(self, key: str, name: str, value: int, least: int, most: int, kind: str) -> None:
        if most and not least <= value <= most:
            raise _Wrong(f"{value} is not from {least} to {most}")
        ident = self._free(key)
        self.meters[ident] = Meter(ident, name, value, least, most, "clock" if kind == "clock" else _meter_kind(kind))

    def flag(self, key: str, name: str, *, on: bool = False) -> None:
        if key not in self.flags:
            ident = self._free(key)
            self.flags[ident] = Flag(ident, name, on)

    def option(self, key: str, name: str, choices: tuple[str, ...] = (), stats: tuple[str, ...] = ()) -> None:
        ident = self._free(key)
        self.options[ident] = AssetOption(ident, name, choices, stats)

    def _free(self, key: str) -> str:
        ident, number = key, 1
        while ident in self.meters or ident in self.flags or ident in self.options:
            number += 1
            ident = f"{key}_{number}"
        if number > 20:
            raise _Wrong("there are more than 20 of it")
        return ident


# -- one value ----------------------------------------------------------------------------------------------------


def _bound(make: Callable[..., None], *given: Any) -> Callable[[], None]:
    return lambda: make(*given)


def _meter_kind(kind: str) -> Any:
    return "counter" if kind == "counter" else "meter"


def _kind(value: object) -> str:
    """Return a word for the type of a JSON value."""
    names = {str: "text", bool: "true or false", list: "a list", dict: "a node", type(None): "null"}
    return names.get(type(value), "a number")


def _text(node: Mapping[str, Any], key: str) -> str:
    """Return the text at `key` of a node, or "" if there is none.

    Raise _Wrong if the value is not text or is too long.
    """
    value = node.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Wrong(f"{key} should be text, not {_kind(value)}")
    if len(value) > TEXT_MOST:
        raise _Wrong(f"{key} has {len(value):,} characters; the limit is {TEXT_MOST:,}")
    return clean(value)


def _line(node: Mapping[str, Any], key: str) -> str:
    """Return the short text at `key` on one line, or "" if there is none.

    Raise _Wrong if it is not text or is too long.
    """
    text = " ".join(_text(node, key).split())
    if len(text) > NAME_MOST:
        raise _Wrong(f"{key} has {len(text):,} characters; the limit is {NAME_MOST}")
    return text


def _name(node: Mapping[str, Any], ident: str) -> str:
    """Return the name of a node on one line; `ident` is the node's id, for the message.

    Raise _Wrong if it has none, one that is too long, or one without visible characters.
    """
    name = _line(node, "name")
    if not name:
        raise _Wrong("it has no name")
    if not name.isascii():
        from tracker.graphemes import seen

        if not any(map(seen, name)):
            raise _Wrong(f"the name of {_words(ident)} can't be seen")
    return name


def _label(node: Mapping[str, Any], key: str, otherwise: str | int) -> str:
    """Return the caption at `key` of a node, or if there is none `otherwise`; if that is a number n, "Column n"."""
    value = node.get(key)
    if isinstance(value, str) and value.strip():
        return " ".join(clean(value).split())[:NAME_MOST]
    return f"Column {otherwise}" if isinstance(otherwise, int) else otherwise


def _texts(node: Mapping[str, Any], key: str) -> tuple[str, ...]:
    items = _list(node, key)
    if len(items) > 100 or not all(isinstance(item, str) and len(item) <= TEXT_MOST for item in items):
        raise _Wrong(f"{key} should be a list of texts")
    return tuple(map(clean, items))


def _paragraphs(node: Mapping[str, Any], *keys: str) -> str:
    """Return the texts at these keys, with a blank line between them. Missing ones are left out.

    Raise _Wrong if one is not text or is too long.
    """
    return "\n\n".join(filter(None, (_text(node, key) for key in keys)))


def _dict(node: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = node.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _Wrong(f"{key} should be a node, not {_kind(value)}")
    return value


def _list(node: Mapping[str, Any], key: str) -> list[Any]:
    value = node.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise _Wrong(f"{key} should be a list, not {_kind(value)}")
    return value


def _whole(node: Mapping[str, Any], key: str, low: int, high: int, otherwise: int) -> int:
    value = node.get(key)
    if value is None:
        return otherwise
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise _Wrong(f"{key} should be a whole number from {low} to {high}")
    return value


def _die(written: object) -> int:
    """Return the number of sides of a die such as "1d100", or 0 for several dice, which tracker cannot roll on a table.

    Raise _Wrong for anything else.
    """
    if not isinstance(written, str) or len(written) > 40:
        raise _Wrong("dice should be text such as 1d100")
    one = _DIE.fullmatch(written.strip())
    if one is None and _DICE.fullmatch(written.strip()):
        return 0
    if one is None:
        raise _Wrong(f"“{shown_line(written, 20)}” should be a die, such as 1d100")
    if int(one[1]) > DIE_MOST:
        raise _Wrong(f"a die has at most {DIE_MOST:,} sides")
    return int(one[1])


def _span(raw: Mapping[str, Any], sides: int) -> tuple[int, int]:
    """Return (lowest face, highest face) of the row `raw`, or (0, 0) if the row cannot be rolled.

    Raise _Wrong if these are not faces of a die with this many sides.
    """
    where = raw.get("roll") if "roll" in raw else raw
    if where is None:
        return 0, 0
    if not isinstance(where, dict):
        raise _Wrong("roll should be a node with min and max")
    first, last = where.get("min"), where.get("max")
    if first is None and last is None:
        return 0, 0
    if not isinstance(first, int) or not isinstance(last, int) or isinstance(first, bool) or isinstance(last, bool):
        raise _Wrong("min and max should be whole numbers")
    if not 1 <= first <= last <= sides:
        raise _Wrong(f"{shown_line(f'{first} to {last}', 40)} is not on a d{sides}")
    return first, last


def _rank(node: Mapping[str, Any]) -> str:
    value = node.get("rank")
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= len(RANKS):
        raise _Wrong(f"rank should be a whole number from 1 to {len(RANKS)}")
    return RANKS[value - 1]


def _choices(raw: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (labels, stats) of the choices of a control. Raise _Wrong if the choices are invalid.

    `stats` names the stat of each choice; it is () unless every choice has one.
    """
    labels: list[str] = []
    stats: list[str] = []
    for key, choice in _dict(raw, "choices").items():
        if not isinstance(choice, dict) or not _ID.fullmatch(key):
            raise _Wrong("its choices should be nodes by key")
        labels.append(_label(choice, "label", _words(key)))
        stat = choice.get("stat")
        stats.append(stat if isinstance(stat, str) and _ID.fullmatch(stat) else "")
    if not 1 <= len(labels) <= 40:
        raise _Wrong("it needs 1 to 40 choices")
    return tuple(labels), tuple(stats) if all(stats) else ()


def _source(node: Mapping[str, Any], outer: Source) -> Source:
    """Return the source that a node states, or `outer` if it states none.

    Title, authors, license and URL that it leaves out are taken from `outer`, but not the page.
    """
    raw = node.get("_source", node if "datasworn_version" in node else None)
    if not isinstance(raw, dict):
        return outer
    authors = raw.get("authors")
    names = [one.get("name") for one in authors if isinstance(one, dict)] if isinstance(authors, list) else []
    page = raw.get("page")
    text = {key: raw[key] for key in ("title", "license", "url") if isinstance(raw.get(key), str)}
    return Source(
        clean(text.get("title", outer.title))[:NAME_MOST],
        tuple(clean(name)[:NAME_MOST] for name in names if isinstance(name, str))[:40] or outer.authors,
        clean(text.get("license", outer.license))[:NAME_MOST],
        clean(text.get("url", outer.url))[:NAME_MOST],
        page if isinstance(page, int) and not isinstance(page, bool) and 0 < page < 100_000 else 0,
    )


def _words(ident: str) -> str:
    """Return the last part of an id as a title, such as "Action And Theme", for a node without a name of its own."""
    last = ident.replace(":", "/").replace(".", "/").rpartition("/")[2]
    return shown_line(last.replace("_", " ").title(), 60)


def _faces(first: int, last: int) -> str:
    return f"{first} to {last}" if last > first else str(first)


def _some(spans: list[str]) -> str:
    """Return the first three `spans` separated by commas, and how many more there are."""
    return ", ".join(spans[:3]) + (f" and {len(spans) - 3} more" if len(spans) > 3 else "")
