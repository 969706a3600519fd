"""Read tables, assets and equipment from TOML. Report invalid parts with file and line, and take the rest."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from tracker.content.line_numbers import LineNumbers, Path
from tracker.games import GAMES, get
from tracker.games.api.asset_abilities import SCOPES, gift
from tracker.games.api.content import (
    Ability,
    Asset,
    AssetOption,
    Content,
    Flag,
    Meter,
    Oracle,
    PieceKind,
)
from tracker.games.api.schema import Choice, Integer, Line, is_id
from tracker.saves.toml import BadToml, parse
from tracker.text import NAME_MOST, shown_line

TEXT_MOST = 200
ABILITY_MOST = 1200
ABILITIES_MOST = 6
TOLD_MOST = 20
"""Most problems listed per file; further ones are only counted."""

_REAL_DICE = (4, 6, 8, 10, 12, 20, 100)
_BREAKS_A_LINE = {"Cc", "Zl", "Zp"}
_BOM = b"\xef\xbb\xbf"

T = TypeVar("T")
NOTHING = Content({}, {})


class _Wrong(Exception):
    """Raised for an invalid value in a content file. `why` is the reason for the player, `path` leads to the value."""

    def __init__(self, why: str, path: Path) -> None:
        super().__init__(why)
        self.why = why
        self.path = path


class _File:
    """One content file that is being read. It collects the problems found in it as sentences for the player."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = shown_line(name)
        self._data = data.removeprefix(_BOM)
        self._told: list[str] = []
        self._untold = 0

    def top(self) -> dict[str, Any] | None:
        """Return the parsed tables, or None, with the problem recorded, if the file is not TOML."""
        try:
            return parse(self._data)
        except BadToml as error:
            self._told.append(f"{self.name}, line {error.line}: {_shown(error.why, TEXT_MOST)}.")
            return None

    @cached_property
    def _lines(self) -> LineNumbers:
        return LineNumbers(self._data.decode())

    def tell(self, why: str, path: Path) -> None:
        if len(self._told) < TOLD_MOST:
            self._told.append(f"{self.name}, line {self._lines.of(path)}: {why}.")
        else:
            self._untold += 1

    def problems(self) -> Iterable[str]:
        yield from self._told
        if self._untold:
            yield f"{self.name}: {self._untold} more problems not shown."


class _Taken(NamedTuple, Generic[T]):
    """A valid table, asset or piece (equipment, adversary) from a content file, with its place in that file.

    `what` is the value, and `path` leads to it in `file`, for a problem that is found later.
    """

    what: T
    file: _File
    path: Path


def read(
    files: Iterable[tuple[str, bytes]], game: str, moves: Collection[str] | None = None, ours: Content = NOTHING
) -> Content:
    """Return the content of these (name, bytes) files for a game, added to `ours`.

    A part of the files replaces one of `ours` with the same id. Assets may name only moves in `moves`, by the last
    parts of their ids; any move if it is None. Invalid parts are skipped, with a sentence for each in `problems`.
    """
    opened = [_File(name, data) for name, data in files]
    tables: dict[str, _Taken[Oracle]] = {}
    assets: dict[str, _Taken[Asset]] = {}
    kinds = get(game).pieces if game in GAMES else {}
    pieces: dict[str, dict[str, _Taken[Mapping[str, Any]]]] = {kind: {} for kind in kinds}
    for file in opened:
        top = file.top()
        if top is not None and _is_for(game, top, file, kinds):
            for kind, made in kinds.items():
                _take(pieces[kind], file, top.get(kind, []), kind, partial(_piece, kind=made))
            _take(tables, file, top.get("table", []), "table", _oracle)
            _take(assets, file, top.get("asset", []), "asset", partial(_asset, moves=moves))
    return Content(
        MappingProxyType({**ours.oracles, **_with_whole_parts(tables, ours.oracles)}),
        MappingProxyType({**ours.assets, **{ident: taken.what for ident, taken in assets.items()}}),
        tuple(problem for file in opened for problem in file.problems()),
        {kind: {ident: taken.what for ident, taken in found.items()} for kind, found in pieces.items()},
    )


def _is_for(game: str, top: Mapping[str, Any], file: _File, kinds: Collection[str]) -> bool:
    """Return True if the file with the tables `top` is for this game.

    Record a problem if the file names no game or an unknown one, and for each unknown key. A file for another known
    game is skipped without a problem. `kinds` are the keys of the game's kinds of pieces.
    """
    named = top.get("game")
    if named is None:
        file.tell(f'the game is missing; write game = "{game}" at the top', ())
    elif named not in tuple(GAMES):
        file.tell(f"unknown game {_quoted(named)}; use {_either(GAMES)}", ("game",))
    elif named == game:
        for key in top:
            if key not in {"game", "table", "asset", *kinds}:
                there = _both(f"[[{one}]]" for one in ("table", *(kinds or ("asset",))))
                file.tell(f"unknown key {_quoted(key)}; use {there}", (key, 0))
        return True
    return False


def _take(into: dict[str, _Taken[T]], file: _File, raws: object, what: str, made_of: Callable[[Any, Path], T]) -> None:
    """Add each valid item of the list `raws` to `into` by its id; record a problem in `file` for each invalid one.

    `what` is the items' key in the file, such as "table"; `made_of` turns an item into a value or raises _Wrong.
    """
    if not isinstance(raws, list):
        file.tell(f"write [[{what}]] with two brackets on each side", (what,))
        return
    for n, raw in enumerate(raws):
        path = (what, n)
        try:
            made = made_of(raw, path)
            ident = raw["id"]
            if ident in into:
                raise _Wrong(f"the {what} id {ident} is already used in {into[ident].file.name}", (*path, "id"))
        except _Wrong as error:
            file.tell(error.why, error.path)
        else:
            into[ident] = _Taken(made, file, path)


def _with_whole_parts(tables: Mapping[str, _Taken[Oracle]], ours: Mapping[str, Oracle]) -> dict[str, Oracle]:
    """Return {id: table} of `tables`, without those that have a part that cannot be rolled; record a problem for each.

    Each part must be a table with rows, in `tables` or in `ours`, the tables shipped with the game. A table that is
    itself a part of one of `ours` must have rows.
    """
    known = {**ours, **{ident: taken.what for ident, taken in tables.items()}}
    used = {part: oracle.name for oracle in ours.values() for part in oracle.parts}
    whole: dict[str, Oracle] = {}
    for ident, (oracle, file, path) in tables.items():
        wrong = next((n for n, part in enumerate(oracle.parts) if part not in known or known[part].parts), None)
        if wrong is not None:
            part = oracle.parts[wrong]
            why = f"the table {part} has its own parts" if part in known else f"no table has the id {part}"
            file.tell(why, (*path, "parts", wrong))
        elif oracle.parts and ident in used:
            file.tell(f"{used[ident]} rolls on the table {ident}, so it needs rows", (*path, "parts"))
        else:
            whole[ident] = oracle
    return whole


# -- one table, one asset -------------------------------------------------------------------------------


def _oracle(raw: object, path: Path) -> Oracle:
    table = _fields(raw, path, needs=("id", "name", "group"), may=("rows", "parts", "join"))
    ident = _id(table["id"], "id", (*path, "id"))
    name = _text(table["name"], "name", (*path, "name"), NAME_MOST)
    group = _text(table["group"], "group", (*path, "group"), NAME_MOST)
    if ("rows" in table) == ("parts" in table):
        raise _Wrong(f"the table {ident} needs either rows or parts", path)
    if "rows" in table:
        if "join" in table:
            raise _Wrong("join goes with parts, not with rows", (*path, "join"))
        rows, upto = _rows(table["rows"], (*path, "rows"))
        return Oracle(ident, name, group, rows, upto=upto)
    parts = _list(table["parts"], "parts", (*path, "parts"), least=2, most=6)
    ids = tuple(_id(part, f"part {n + 1}", (*path, "parts", n)) for n, part in enumerate(parts))
    return Oracle(ident, name, group, parts=ids, join=_join(table.get("join", ""), (*path, "join")))


def _rows(raw: object, path: Path) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return two tuples: the texts of the rows, and the highest face of each row.

    The second is () if all rows are equally likely. Raise _Wrong if a row is invalid.
    """
    rows = _list(raw, "rows", path, least=2, most=100)
    if not isinstance(rows[0], dict):
        return tuple(_text(row, f"row {n + 1}", (*path, n)) for n, row in enumerate(rows)), ()
    texts: list[str] = []
    upto: list[int] = []
    for n, row in enumerate(rows):
        at = (*path, n)
        row = _fields(row, at, needs=("upto", "text"))
        texts.append(_text(row["text"], f"row {n + 1}", at))
        least = upto[-1] + 1 if upto else 1
        if least > 100:
            raise _Wrong("the row before already ends at 100, the highest result", at)
        upto.append(_whole(row["upto"], "upto", at, least, 100))
    if upto[-1] not in _REAL_DICE:
        raise _Wrong(f"the last row ends at {upto[-1]}, which isn't a die; end at {_either(_REAL_DICE)}", at)
    return tuple(texts), tuple(upto)


def _join(raw: object, path: Path) -> str:
    if not isinstance(raw, str) or len(raw) > 10 or _broken(raw):
        raise _Wrong("join should be short text in quotes, such as a space", path)
    return raw


def _asset(raw: object, path: Path, moves: Collection[str] | None) -> Asset:
    optional = ("ability", "health", "asks", "needs", "shared", "meter", "flag", "option")
    asset = _fields(raw, path, needs=("id", "name", "kind"), may=optional)
    ident = _id(asset["id"], "id", (*path, "id"))
    name = _text(asset["name"], "name", (*path, "name"), NAME_MOST)
    kind = _text(asset["kind"], "kind", (*path, "kind"), NAME_MOST)
    if kind == "companion" and "health" not in asset:
        raise _Wrong("health is missing: a companion has 1 to 9", path)
    health = _whole(asset["health"], "health", (*path, "health"), 1, 9) if "health" in asset else 0
    asks, needs = (_text(asset[key], key, (*path, key)) if key in asset else "" for key in ("asks", "needs"))

    def each(key: str, most: int, made_of: Callable[[Any, Path], T]) -> tuple[T, ...]:
        raws = _list(asset.get(key, []), key, (*path, key), least=0, most=most)
        return tuple(made_of(one, (*path, key, n)) for n, one in enumerate(raws))

    return Asset(
        ident,
        name,
        kind,
        each("ability", ABILITIES_MOST, partial(_ability, moves=moves)),
        health,
        asks,
        needs,
        _yes_or_no(asset, "shared", path),
        each("meter", 9, _meter),
        each("flag", 9, _flag),
        each("option", 9, _option),
    )


_METERS: tuple[Literal["meter", "counter", "clock"], ...] = ("meter", "counter", "clock")


def _meter(raw: object, path: Path) -> Meter:
    meter = _fields(raw, path, needs=("id", "name"), may=("value", "least", "most", "kind"))
    kind = next((kind for kind in _METERS if kind == meter.get("kind", "meter")), None)
    if kind is None:
        raise _Wrong(f"the kind of a meter should be {_either(_METERS)}", (*path, "kind"))
    least = _whole(meter.get("least", 0), "least", (*path, "least"), -99, 0)
    most = _whole(meter.get("most", 0), "most", (*path, "most"), 0, 999)
    value = _whole(meter.get("value", max(0, least)), "value", (*path, "value"), least, most or 999)
    name = _text(meter["name"], "name", (*path, "name"), NAME_MOST)
    return Meter(_id(meter["id"], "id", (*path, "id")), name, value, least, most, kind)


def _flag(raw: object, path: Path) -> Flag:
    flag = _fields(raw, path, needs=("id", "name"), may=("on",))
    name = _text(flag["name"], "name", (*path, "name"), NAME_MOST)
    return Flag(_id(flag["id"], "id", (*path, "id")), name, _yes_or_no(flag, "on", path))


def _option(raw: object, path: Path) -> AssetOption:
    option = _fields(raw, path, needs=("id", "name"), may=("choices",))
    name = _text(option["name"], "name", (*path, "name"), NAME_MOST)
    raws = _list(option.get("choices", []), "choices", (*path, "choices"), least=0, most=20)
    choices = tuple(_text(one, f"choice {n + 1}", (*path, "choices", n)) for n, one in enumerate(raws))
    return AssetOption(_id(option["id"], "id", (*path, "id")), name, choices)


def _ability(raw: object, path: Path, moves: Collection[str] | None) -> Ability:
    ability = _fields(raw, path, needs=("text",), may=("name", "marked", "gives"))
    text = _text(ability["text"], "text", (*path, "text"), ABILITY_MOST)
    marked = _yes_or_no(ability, "marked", path)
    gives = _list(ability.get("gives", []), "gives", (*path, "gives"), least=0, most=12)
    for n, short in enumerate(gives):
        at = (*path, "gives", n)
        try:
            given = gift(_text(short, "what an ability gives", at))
        except ValueError as error:
            raise _Wrong(str(error).removesuffix("."), at) from None
        if moves is not None and (unknown := [one for one in given.moves if one not in {*SCOPES, *moves}]):
            raise _Wrong(f"no move has the id {unknown[0]}", at)
    name = _text(ability["name"], "name", (*path, "name"), NAME_MOST) if "name" in ability else ""
    return Ability(text, marked, tuple(gives), name=name)


def _piece(raw: object, path: Path, kind: PieceKind) -> Mapping[str, Any]:
    """Return all fields of the weapon, armor or adversary `raw`, with defaults for those not given.

    `kind` has the fields; `path` leads to `raw` in the file. Raise _Wrong if a field is missing, unknown or invalid.
    """
    fields = kind.record.fields
    piece = _fields(raw, path, needs=("id", *kind.needs), may=tuple(key for key in fields if key not in kind.needs))
    _id(piece["id"], "id", (*path, "id"))
    made: dict[str, Any] = {}
    for key, what in fields.items():
        at = (*path, key)
        match what:
            case Integer(low=low, high=high, start=start):
                made[key] = _whole(piece.get(key, start), key, at, low, high)
            case Choice(values=values):
                made[key] = piece.get(key, values[0])
                if made[key] not in values:
                    raise _Wrong(f"{key} is {_either(values)}", at)
            case Line(most=most):
                made[key] = _text(piece[key], key, at, most) if key in piece else ""
    if wrong := kind.wrong(made):
        raise _Wrong(wrong[1], (*path, wrong[0]))
    return made


# -- one value ------------------------------------------------------------------------------------------


def _fields(raw: object, path: Path, needs: tuple[str, ...], may: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return `raw` if it is a table with all keys in `needs` and no others except those in `may`; else raise _Wrong."""
    if not isinstance(raw, dict):
        raise _Wrong(f"this should be a table with {_both(needs)}", path)
    for key in raw:
        if key not in needs + may:
            raise _Wrong(f"unknown key {_quoted(key)}; use {_both(needs + may)}", (*path, key))
    for key in needs:
        if key not in raw:
            raise _Wrong(f"{key} is missing", path)
    return raw


def _list(raw: object, what: str, path: Path, least: int, most: int) -> list[Any]:
    if not isinstance(raw, list):
        raise _Wrong(f"{what} should be a list in square brackets", path)
    if not least <= len(raw) <= most:
        raise _Wrong(f"{what} needs {least} to {most} items, not {len(raw)}", path)
    return raw


def _text(raw: object, what: str, path: Path, most: int = TEXT_MOST) -> str:
    """Return `raw` if it is one visible line of at most `most` characters; else raise _Wrong.

    `what` names the value in the error.
    """
    if not isinstance(raw, str):
        raise _Wrong(f"{what} should be text in quotes", path)
    if len(raw) > most:
        raise _Wrong(f"{what} has {len(raw)} characters; the limit is {most}", path)
    if _broken(raw):
        raise _Wrong(f"{what} contains a line break or a control character", path)
    if not _can_be_seen(raw):
        raise _Wrong(f"{what} is empty", path)
    return raw


def _id(raw: object, what: str, path: Path) -> str:
    if not isinstance(raw, str) or not is_id(raw):
        raise _Wrong(f"{what} should be 1 to 40 characters of a-z, 0-9 and _ in quotes", path)
    return raw


def _yes_or_no(fields: Mapping[str, Any], key: str, path: Path) -> bool:
    given = fields.get(key, False)
    if not isinstance(given, bool):
        raise _Wrong(f"{key} should be true or false", (*path, key))
    return given


def _whole(raw: object, what: str, path: Path, low: int, high: int) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or not low <= raw <= high:
        raise _Wrong(f"{what} should be a whole number from {low} to {high}", path)
    return raw


def _broken(text: str) -> bool:
    return not text.isprintable() and any(unicodedata.category(char) in _BREAKS_A_LINE for char in text)


def _can_be_seen(text: str) -> bool:
    if text.isascii():
        return bool(text.strip())
    from tracker.graphemes import seen

    return any(map(seen, text))


def _quoted(raw: object) -> str:
    return f"“{_shown(str(raw), 40)}”"


def _shown(text: str, most: int) -> str:
    """Return `text` in a form that is safe to show, at most `most` characters long. Fast for a text of any length."""
    return shown_line(text[: most + 1], most)


def _both(words: Iterable[object]) -> str:
    return _listed(words, "and")


def _either(words: Iterable[object]) -> str:
    return _listed(words, "or")


def _listed(words: Iterable[object], between: str) -> str:
    *most, last = map(str, words)
    return f"{', '.join(most)} {between} {last}" if most else last
