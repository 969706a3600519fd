"""TOML made by chance: by the grammar alone, and real files of ours with absurd values at the keys that we read."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from tests.faults.campaign import contents

from tracker.campaign.session import Session
from tracker.campaign.state import thaw
from tracker.saves.blocks import mark
from tracker.saves.toml import emit_key, emit_value

ROOT = Path(__file__).parents[2]
SAVES = [*sorted((ROOT / "saves").glob("*.toml")), *sorted((ROOT / "tests/games").glob("*rules-1.toml"))]
CONTENT = sorted((ROOT / "src/tracker/content").glob("*/*.toml"))
SETTINGS: dict[str, Any] = {
    "theme": "hearth",
    "dice": "typed",
    "keys": {"move": "M", "journal": {"write": "J"}, "quit": "ctrl+q"},
}
BEFORE, AFTER = 1, 4
"""How many entries of a campaign stand before its snapshot, and after."""


class Raw(str):
    """A value written into the file as it is."""

    __slots__ = ()


NOT_TOML = [
    Raw(text)
    for text in ("0123", "9223372036854775808", "1" * 30, "1" * 5000, "[" * 200 + "]" * 200, "x", "", "07:61:00")
]
"""Values that are none, or that we refuse to read."""
ABSURD = [
    Raw(text)
    for text in (
        "0", "-1", "1", "5", "-9223372036854775808", "9223372036854775807", "1_000_000_007", "0xffff_ffff", "0o777",
        "0b1010", "0.5", "-0.0", "1e308", "1e400", "inf", "-inf", "nan", "true", "false", "1979-05-27T07:32:00Z",
        "1979-05-27T00:32:00.999999-07:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
        "1979-05-27T07:32:00", "1979-05-27", "07:32:00", "00:00:00.5", "[]", "[[]]", "{}", "[1, 2]", "[1, 2, 3, 4]",
        '["a", "b"]', '[["a", 1]]', '[["a", [1]], [{}, 2]]', "[true, 1.5]", "[true, false]", "[1979-05-27, 0]",
        '[{ id = "x" }, 3]', "[-5, 300]", "[nan, inf]", "[99999999999, 0]", "{ a = 1 }", '{ id = "x", name = 3 }',
        "{ at = 1, by = 2 }", "{ a = { b = { c = [1, { d = 2 }] } } }", "{ '' = '' }", '{ "\\u001b[31m" = [] }',
        "[" * 30 + "]" * 30, "{ a = " * 30 + "1" + " }" * 30, '""', '" "', '"x"', '"kara"', "'''\n'''",
        '"\\u0000"', '"\\u001b[2J\\u0007"', '"\\u202e\\u200b\\ud7ff"', '"[/oops] [bold]x"', '"%s {0} ${x}"', '"漢字👩‍👩‍👧"',
        '"strong hit"', '"miss"', '"success"', '"success with hope"', '"acting"', '"gone"', '"dead"', '"edge"', '"d8"',
        '"reset"', '"""\na\n#= 1 00000000\n[[entry]]\n"""', '"' + "x" * 5000 + '"', '"' + "\\n" * 500 + '"',
        '"#= 1 00000000"', '"k3f9.1"', '"party.kara"', '"-"', '"."', '"a.b.c.d.e.f.g.h.i.j"', '"\\U0010ffff"',
    )
]  # fmt: skip
"""Every kind of value that TOML has, at its ends and where nobody expects it."""
KEYS = [
    "a",
    "id",
    "format",
    "game",
    "entry",
    "state",
    "0123",
    "-",
    '""',
    "'x y'",
    '"\\u001b"',
    "a.b",
    "party.kara.name",
    "01234567890123456789012",
]


def value(chance: random.Random) -> Raw:
    """Return a value of any kind; now and then one inside another."""
    plain = chance.choice(NOT_TOML if chance.random() < 0.03 else ABSURD)
    match chance.randrange(12):
        case 0:
            return Raw(f"[{plain}, {chance.choice(ABSURD)}]")
        case 1:
            return Raw("{ " + f"{chance.choice(['a', 'name', 'id'])} = {plain}".replace("\n", " ") + " }")
        case _:
            return plain


def text_of(tables: Any) -> str:
    """Write a value on one line, with `Raw` as it is."""
    if isinstance(tables, Raw):
        return str(tables)
    if isinstance(tables, dict):
        return "{ " + ", ".join(f"{emit_key(key)} = {text_of(one)}" for key, one in tables.items()) + " }"
    if isinstance(tables, list):
        return f"[{', '.join(map(text_of, tables))}]"
    return emit_value(tables)


def lines_of(tables: dict[str, Any]) -> str:
    return "".join(f"{emit_key(key)} = {text_of(one)}\n" for key, one in tables.items())


def places(tables: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every table and list with each of its keys."""
    for key, one in list(tables.items() if isinstance(tables, dict) else enumerate(tables)):
        yield tables, key
        if isinstance(one, (dict, list)):
            yield from places(one)


def spoil(chance: random.Random, tables: Any, many: int) -> None:
    """Put absurd values at so many places, or take keys away, or add one."""
    for _ in range(many):
        found = list(places(tables))
        if not found:
            return
        # A place is as likely as its depth: one of a hundred fields of the state is no better than `facts`.
        inside, key = chance.choice(found)
        match chance.randrange(10):
            case 0 if isinstance(inside, dict):
                del inside[key]
            case 1 if isinstance(inside, list):
                inside.append(value(chance))
            case 2 if isinstance(inside, dict) and isinstance(inside[key], dict):
                inside[key][chance.choice(["id", "name", "x", "changed", "status", ""])] = value(chance)
            case _:
                inside[key] = value(chance)


@cache
def campaign(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the head of a campaign at its end, and all its entries."""
    session = Session.open(str(path), write=False)
    session.close()
    head = {"format": 1, "rules": 1, "id": "7f3c2a", "game": session.game.id, "entries": BEFORE + AFTER}
    return {**head, "state": thaw(session.state)}, [block.entry for block in contents(str(path)).blocks]


def save(chance: random.Random) -> bytes:
    """Return the bytes of a save with a few real entries, some values of which are absurd; its marks may fit or not."""
    head, entries = deepcopy(campaign(chance.choice(SAVES)))
    taken = chance.sample(entries, min(BEFORE + AFTER, len(entries)))
    for n, entry in enumerate(taken):
        entry["t"], entry["id"] = n + 1, f"k3f9.{n + 1}"
        entry.pop("undoes", None)
        entry.pop("closes", None)
    if chance.random() < 0.2 and len(taken) > 2:
        taken[-1] = {"id": "k3f9.90", "t": 90, "did": "undo", "undoes": taken[-2]["id"]}
    which = chance.random()
    blocks = [f"\n[[entry]]\n{lines_of(entry)}".encode() for entry in taken]
    before = b"".join(block + mark(n, block) for n, block in enumerate(blocks[:BEFORE], 1))
    if chance.random() < 0.7:
        head["base"] = {
            "upto": BEFORE,
            "last": [taken[BEFORE - 1]["t"], taken[BEFORE - 1]["id"]],
            "size": len(before),
            "crc": f"{_crc(before):08x}",
            "without": [],
            "state": deepcopy(head["state"]),
        }
    if which < 0.25:
        spoil(chance, head, chance.choice([1, 1, 2, 5]))
    if which > 0.2:
        for entry in chance.sample(taken, chance.choice([1, 2, len(taken)])):
            spoil(chance, entry.get("facts") or entry if chance.random() < 0.6 else entry, chance.choice([1, 1, 3]))
    body = lines_of(head).encode()
    wrong = chance.random() < 0.2
    blocks = [*blocks[:BEFORE], *(f"\n[[entry]]\n{lines_of(entry)}".encode() for entry in taken[BEFORE:])]
    parts = [body, mark(0, b"" if wrong and chance.random() < 0.5 else body)]
    for n, block in enumerate(blocks, 1):
        parts += [block, b"" if wrong and chance.random() < 0.3 else mark(n, block)]
    return b"".join(parts)


def _crc(data: bytes) -> int:
    import zlib

    return zlib.crc32(data)


def content(chance: random.Random) -> bytes:
    """Return the bytes of a file of tables and assets with absurd values."""
    tables = tomllib.loads(chance.choice(CONTENT).read_text())
    for key in [key for key, many in tables.items() if isinstance(many, list)]:
        tables[key] = chance.sample(tables[key], min(3, len(tables[key])))
    spoil(chance, tables, chance.choice([1, 2, 6]))
    return lines_of(tables).encode()


def settings(chance: random.Random) -> bytes:
    tables = deepcopy(SETTINGS)
    spoil(chance, tables, chance.choice([1, 2, 4]))
    return lines_of(tables).encode()


def grammar(chance: random.Random) -> bytes:
    """Return keys, tables and values in any order; most of it is TOML, some of it is not."""
    lines = ["format = 1", 'id = "x"', f'game = "{chance.choice(["ironsworn", "wherever", "daggerheart", "chess"])}"']
    lines = lines[: chance.choice([0, 0, 3])]
    for _ in range(chance.randrange(12)):
        key = chance.choice(KEYS)
        lines.append(
            chance.choice(
                [
                    f"{key} = {value(chance)}",
                    f"[{key}]",
                    f"[[{key}]]",
                    f"# {key}",
                    f"{key}.x = {value(chance)}",
                    "[[entry]]",
                ]
            )
        )
    return "\n".join(lines).encode("utf-8")


def broken(chance: random.Random, data: bytes) -> bytes:
    """Return the data with a few bytes deleted, doubled or replaced."""
    spoilt = bytearray(data)
    for _ in range(chance.choice([1, 1, 3])):
        at = chance.randrange(len(spoilt) + 1)
        upto = at + chance.choice([0, 1, 1, 5, 200])
        spoilt[at:upto] = chance.choice(
            [
                b"",
                b"",
                b'"',
                b"'''",
                b"[",
                b"}",
                b"\n",
                b"=",
                b"\x00",
                b"\xff",
                b"\xef\xbb\xbf",
                b"9" * 25,
                spoilt[upto : upto + 30],
            ]
        )
    return bytes(spoilt)


def case(seed: int) -> tuple[str, bytes]:
    """Return the kind of file that this seed makes, and its bytes."""
    chance = random.Random(seed)
    kind = chance.choices(["save", "content", "settings"], [7, 2, 1])[0]
    made = {"save": save, "content": content, "settings": settings}[kind](chance)
    how = chance.random()
    if how < 0.15:
        made = grammar(chance)
    return kind, broken(chance, made) if how > 0.85 or how < 0.03 else made
