"""Copies of packs as they were read: equal to the pack, and never trusted."""

import contextlib
import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.content.small_packs import GENERATIONS, data, fen

from tracker.content import pack_cache, packs
from tracker.content.datasworn import read
from tracker.games.api.content import Content
from tracker.games.api.errors import Refused

EMPTY = Content({}, {})
SOURCES, ORACLES, ASSETS, FOES, TRUTHS, TEXTS, PAGES = range(7)


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of packs in a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "tracker" / "packs"


def content(version: str = "0.2.0") -> Content:
    return read(data(fen(version)), None).content._replace(problems=())


def body() -> Any:
    """Return the JSON of a valid copy, to be changed."""
    return json.loads(pack_cache.form(content()).partition(b"\n")[2])


def copy_with(raw: Any) -> bytes:
    """Return the bytes of a copy with this JSON and the mark that fits it."""
    made = json.dumps(raw, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return b"%d %08x\n" % (pack_cache.FORM, zlib.crc32(made)) + made


@pytest.mark.parametrize("version", GENERATIONS)
def test_copy_of_each_generation_holds_what_was_read(version: str) -> None:
    made = content(version)
    again = pack_cache.parse(pack_cache.form(made), "fen")
    assert again == made
    for pieces, others in zip(made, again, strict=True):
        if isinstance(pieces, dict) and isinstance(others, dict):
            assert [*map(type, pieces.values())] == [*map(type, others.values())]
    assert again.assets["fen/companion/otter"].meters == made.assets["fen/companion/otter"].meters


def test_form_has_another_number_if_the_reader_gives_something_else() -> None:
    forms = [pack_cache.form(content(version)).partition(b"\n")[2] for version in GENERATIONS]
    assert (pack_cache.FORM, zlib.crc32(b"".join(forms))) == (1, 3181124128), "raise FORM, and write both numbers here"


def test_campaign_reads_the_copy_and_not_the_pack(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = data(fen())
    summary, _ = packs.add(read(written), written)

    def fails(*_: object) -> None:
        raise AssertionError("the pack was read")

    monkeypatch.setattr(packs, "load", fails)
    used = {"fen": {"title": "The Fen", "sha": summary.sha}}
    assert packs.merged(EMPTY, used, ()).problems == ()
    assert packs.merged(EMPTY, used, ()).oracles == content().oracles
    assert store.exists()


def test_moves_of_the_game_are_linked_in_a_copy_too() -> None:
    written = data(fen(ident="classic"))
    packs.add(read(written), written)
    stored = packs.find("classic")
    assert stored
    moves = {"adventure/face_danger"}
    assert packs.content_of(stored, moves).texts == read(written, moves).content.texts
    assert packs.content_of(stored, moves).texts["classic/adventure/face_danger"].move == "adventure/face_danger"
    assert packs.content_of(stored, ()).texts["classic/adventure/face_danger"].move == ""


@pytest.mark.parametrize("damage", ["gone", "cut", "one bit", "older form", "empty", "a link", "a folder"])
def test_damaged_copy_is_made_again_from_the_pack(damage: str, tmp_path: Path) -> None:
    written = data(fen())
    packs.add(read(written), written)
    stored = packs.find("fen")
    assert stored
    path = next(Path(pack_cache.folder()).iterdir())
    good = path.read_bytes()
    path.unlink()
    match damage:
        case "cut":
            path.write_bytes(good[: len(good) // 2])
        case "one bit":
            path.write_bytes(good[:-40] + bytes([good[-40] ^ 1]) + good[-39:])
        case "older form":
            path.write_bytes(b"0" + good[1:])
        case "empty":
            path.write_bytes(b"")
        case "a link":
            (tmp_path / "elsewhere").write_bytes(good)
            path.symlink_to(tmp_path / "elsewhere")
        case "a folder":
            path.mkdir()
    assert pack_cache.find("fen", stored.sha) is None
    assert packs.content_of(stored, ()) == read(written).content._replace(problems=())
    assert damage == "a folder" or (path.read_bytes() == good and not path.is_symlink())


def test_damaged_pack_without_a_copy_is_refused(store: Path) -> None:
    written = data(fen())
    packs.add(read(written), written)
    stored = packs.find("fen")
    assert stored
    path = next(store.glob("fen@*"))
    path.write_bytes(path.read_bytes()[:-10])
    assert packs.content_of(stored, ()).oracles
    next(Path(pack_cache.folder()).iterdir()).unlink()
    with pytest.raises(Refused, match="was changed or damaged"):
        packs.content_of(stored, ())


def test_copy_goes_with_its_pack() -> None:
    for version in ("0.1.0", "0.2.0"):
        written = data(fen(version))
        packs.add(read(written), written)
        stored = packs.find("fen")
        assert stored
        assert [path.name for path in Path(pack_cache.folder()).iterdir()] == [f"fen-{stored.sha}.json"]
    packs.remove("fen")
    assert not [*Path(pack_cache.folder()).iterdir()]


def test_players_own_files_stay_where_copies_are_removed(store: Path, tmp_path: Path) -> None:
    old = f"fen-{'0' * 16}.json"
    (tmp_path / "documents").mkdir()
    for name in ("thesis.json", old):
        (tmp_path / "documents" / name).write_text("mine")
    store.parent.mkdir(parents=True)
    copies = Path(pack_cache.folder())
    copies.symlink_to(tmp_path / "documents")
    written = data(fen())
    packs.add(read(written), written)
    assert {path.name for path in (tmp_path / "documents").iterdir()} == {"thesis.json", old}
    copies.unlink()
    (tmp_path / "documents").rename(copies)
    packs.add(read(written), written)
    stored = packs.find("fen")
    assert stored
    assert {path.name for path in copies.iterdir()} == {"thesis.json", f"fen-{stored.sha}.json"}


def test_folder_that_cannot_be_written_only_costs_the_copy(store: Path) -> None:
    store.parent.mkdir(parents=True)
    Path(pack_cache.folder()).write_text("a file in its place")
    written = data(fen())
    packs.add(read(written), written)
    stored = packs.find("fen")
    assert stored
    assert packs.content_of(stored, ()).oracles == content().oracles


def at(raw: Any, *path: int) -> list[Any]:
    """Return the list at a place in the JSON of a copy."""
    for step in path:
        raw = raw[step]
    assert isinstance(raw, list)
    return raw


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((ORACLES, 0, 0), "other/table"),
        ((ORACLES, 0, 3), []),
        ((ORACLES, 0, 4), ["fen/part"]),
        ((ORACLES, 0, 6), [99_999, 100]),
        ((ORACLES, 0, 7, 0), 101),
        ((ORACLES, 0, 8), 10**30),
        ((ORACLES, 0, 8), True),
        ((ORACLES, 0, 9), ["one", "two"]),
        ((ORACLES, 0, 12), "\x1b[31mred"),
        ((ORACLES, 0, 12), "c1 \x9b31m"),
        ((ORACLES, 0, 12), "del \x7f"),
        ((ORACLES, 0, 12), "lone \ud800"),
        ((ORACLES, 0, 13), -1),
        ((ORACLES, 0, 13), 99),
        ((ORACLES, 0), ["too", "short"]),
        ((ASSETS, 0, 4), 100),
        ((ASSETS, 0, 7), 1),
        ((ASSETS, 0, 8, 0, 2), 50),
        ((ASSETS, 0, 8, 0, 5), "spell"),
        ((FOES, 0, 2), "legendary"),
        ((TRUTHS, 0, 3), 0),
        ((TEXTS, 0, 8), "a table"),
        ((PAGES, 0, 3), None),
        ((SOURCES, 0, 4), -1),
        ((SOURCES,), {}),
        ((PAGES,), "no list"),
    ],
)
def test_impossible_value_with_a_right_mark_makes_no_copy(path: tuple[int, ...], value: object) -> None:
    raw = body()
    assert pack_cache.parse(copy_with(raw), "fen") == content()
    at(raw, *path[:-1])[path[-1]] = value
    with pytest.raises((ValueError, TypeError)):
        pack_cache.parse(copy_with(raw), "fen")


@pytest.mark.parametrize("raw", [None, 1, "text", {}, [], [[]], [[]] * 7, [[]] * 8, [[], [[]], [], [], [], [], []]])
def test_other_json_with_a_right_mark_makes_no_copy_or_an_empty_one(raw: object) -> None:
    with contextlib.suppress(ValueError, TypeError):
        assert pack_cache.parse(copy_with(raw), "fen") == Content({}, {})


def test_copy_of_a_pack_in_another_encoding_is_refused() -> None:
    made = json.dumps(body()).encode("utf-16-le")
    with pytest.raises((ValueError, TypeError)):
        pack_cache.parse(b"%d %08x\n" % (pack_cache.FORM, zlib.crc32(made)) + made, "fen")


def test_deep_json_with_a_right_mark_makes_no_copy(store: Path) -> None:
    written = data(fen())
    packs.add(read(written), written)
    deep = b"[" * 200_000
    path = next(Path(pack_cache.folder()).iterdir())
    path.write_bytes(b"%d %08x\n" % (pack_cache.FORM, zlib.crc32(deep)) + deep)
    stored = packs.find("fen")
    assert stored
    assert pack_cache.find("fen", stored.sha) is None
    assert store.exists()


def test_random_changes_with_a_right_mark_never_crash() -> None:
    chance = random.Random(14)
    others: tuple[Any, ...] = (None, True, -1, 0, 7, 10**12, 0.5, "", "x", "\x00", [], [1], ["x"], {}, {"x": 1})
    for _ in range(300):
        raw = body()
        for _ in range(chance.randint(1, 3)):
            there = raw
            while isinstance(there, list) and there:
                n = chance.randrange(len(there))
                if not isinstance(there[n], list) or not there[n] or chance.random() < 0.2:
                    there[n] = chance.choice(others)
                    break
                there = there[n]
        try:
            made = pack_cache.parse(copy_with(raw), "fen")
        except (ValueError, TypeError):
            continue
        for oracle in made.oracles.values():
            assert all(oracle.row_number(face) is None or oracle.row(face) for face in range(1, min(oracle.die, 100)))
