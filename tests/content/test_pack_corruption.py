"""Random damage to a pack: it is refused or told by node, whatever the damage is."""

import copy
import json
import random
from typing import Any

import pytest
from tests.content.small_packs import GENERATIONS, data, fen

from tracker.content import packs
from tracker.content.datasworn import NotAPack, Pack, read
from tracker.content.pack_abilities import with_gifts

SHORT = 100
JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**12,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x" * 30_000,
    "\x1b]0;gone\x07",
    "\ud800",
    "../../etc/passwd",
    "move:a.b/c.d",
    "{{table>{{text>x}}}}",
    "[a](datasworn:move:",
    "9d99999999",
    [],
    [None, 1, "x", [], {}],
    {},
    {"": {}},
    {"a.b/c": {"name": "x"}},
    {"contents": {"x": {"contents": []}}, "collections": {"y": 1}},
    {"min": 5, "max": 1},
    {"min": None, "max": 3},
)


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value in the JSON."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [one for key, value in inner for one in ((*path, key), *places(value, (*path, key)))]


def damaged(dice: random.Random) -> bytes:
    """Return a pack with one to five kinds of damage, in its tree or in its bytes."""
    pack = copy.deepcopy(fen(dice.choice(GENERATIONS)))
    for _ in range(dice.randint(1, 5)):
        path = dice.choice(places(pack))
        around: Any = pack
        for key in path[:-1]:
            around = around[key]
        match dice.randrange(4):
            case 0:
                around[path[-1]] = copy.deepcopy(dice.choice(JUNK))
            case 1:
                del around[path[-1]]
            case 2:
                other: Any = pack
                for key in dice.choice(places(pack)):
                    other = other[key]
                around[path[-1]] = copy.deepcopy(other)
            case _ if isinstance(around, dict):
                around[dice.choice(("", "a b", "__", "x" * 300, "a.b", "é", "contents"))] = around.pop(path[-1])
    written = bytearray(json.dumps(pack).encode())
    if dice.random() < 0.3:
        for _ in range(dice.randint(1, 8)):
            written[dice.randrange(len(written))] = dice.randrange(256)
    if dice.random() < 0.1:
        del written[dice.randrange(len(written)) :]
    return bytes(written)


def use(pack: Pack) -> None:
    """Do with a pack what the program does."""
    packs.summarize(pack, "")
    list(packs.unknown_targets(pack.content))
    packs.attributions(pack.content, pack.source)
    for oracle in pack.content.oracles.values():
        for face in range(1, oracle.sides + 1):
            oracle.row(face)
    for asset in pack.content.assets.values():
        with_gifts(asset, {"face_danger", "wade"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(10 if metafunc.config.getoption("faults") else 1))


def test_damaged_pack_is_refused_or_told(seed: int) -> None:
    refused = told = 0
    for n in range(SHORT):
        written = damaged(random.Random(seed * SHORT + n))
        try:
            pack = read(written)
        except NotAPack:
            refused += 1
            continue
        use(pack)
        told += bool(pack.content.problems)
        for problem in pack.content.problems:
            assert problem.endswith(".")
            assert problem.isprintable(), problem
    assert refused
    assert told > SHORT // 4


@pytest.mark.parametrize("version", GENERATIONS)
def test_pack_cut_anywhere_is_refused(version: str) -> None:
    whole = data(fen(version))
    for end in range(0, len(whole), 97):
        with pytest.raises(NotAPack):
            read(whole[:end])
