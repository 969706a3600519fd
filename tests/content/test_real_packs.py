"""With `pytest --packs DIR`: the reader on real packs, compared with their JSON, which is read here without it."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tracker import games
from tracker.content import pack_cache, packs
from tracker.content.datasworn import NO_PACK, NotAPack, Pack, read
from tracker.games.api.asset_abilities import gift
from tracker.games.api.content import Oracle
from tracker.games.ironsworn.state import ABILITIES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "path" in metafunc.fixturenames:
        folders = metafunc.config.getoption("packs")
        found = [path for folder in folders for path in sorted(Path(folder).rglob("*.json"))]
        names = [f"{path.parent.name}/{path.stem}" for path in found]
        metafunc.parametrize("path", found, ids=names, scope="module")


@pytest.fixture(scope="module")
def raw(path: Path) -> Any:
    return json.loads(path.read_bytes())


@pytest.fixture(scope="module")
def pack(path: Path, raw: Any) -> Pack:
    if "_id" not in raw or "datasworn_version" not in raw:
        with pytest.raises(NotAPack, match=NO_PACK):
            read(path.read_bytes())
        pytest.skip("no pack, and refused as such")
    return read(path.read_bytes(), games.get("ironsworn").moves)


def inside(collections: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield all nodes in collections, however deep, with the keys that lead to them."""
    for key, one in (collections or {}).items():
        for name, node in (one.get("contents") or {}).items():
            yield (key, name), node
        for path, node in inside(one.get("collections")):
            yield (key, *path), node


def embedded(raw: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the tables inside moves, abilities and truths, with the keys that lead to them."""
    for path, move in inside(raw["moves"]):
        if isinstance(move.get("oracles"), dict):
            for key, table in move["oracles"].items():
                yield (*path, key), table
    for path, asset in inside(raw["assets"]):
        for n, ability in enumerate(asset["abilities"]):
            for key, table in (ability.get("oracles") or {}).items():
                yield (*path, str(n), key), table
    for name, truth in raw["truths"].items():
        for n, option in enumerate(truth["options"]):
            for key, table in (option.get("oracles") or {}).items():
                yield (name, str(n), key), table
            if "table" in option:
                yield (name, str(n)), option["table"]


def of_sites(raw: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    for kind, field in (("theme", "site_themes"), ("domain", "site_domains")):
        for name, node in raw[field].items():
            for part in ("features", "dangers"):
                yield (kind, name, part), {"dice": "1d100", "rows": node[part]}


def tables(raw: Any) -> Iterator[tuple[str, Any]]:
    """Yield every table of a pack with its id."""
    for path, table in (*inside(raw["oracles"]), *embedded(raw), *of_sites(raw)):
        yield "/".join((raw["_id"], *path)), table


def rows(table: Any) -> Iterator[tuple[int, int, Any]]:
    """Yield the rows that can be rolled, each with its first and last face."""
    for row in table["rows"]:
        faces = row.get("roll", row)
        if faces is not None and faces["min"] is not None:
            yield faces["min"], faces["max"], row


def test_counts_are_those_of_the_json(pack: Pack, raw: Any) -> None:
    variants = sum(len(npc.get("variants") or {}) for _, npc in inside(raw["npcs"]))
    abilities = [ability for _, asset in inside(raw["assets"]) for ability in asset["abilities"]]
    assert packs.summarize(pack, "").counts == {
        "moves": len([*inside(raw["moves"])]),
        "asset moves": sum(len(ability.get("moves") or {}) for ability in abilities),
        "assets": len([*inside(raw["assets"])]),
        "abilities": len(abilities),
        "tables": len([*tables(raw)]) + len(raw["delve_sites"]),
        "foes": len([*inside(raw["npcs"])]) + variants,
        "truths": len(raw["truths"]),
        "pages": len([*inside(raw["atlas"])])
        + sum(len(raw[field]) for field in ("rarities", "delve_sites", "site_themes", "site_domains")),
    }


def test_every_face_of_every_table_gives_the_row_of_the_json(pack: Pack, raw: Any) -> None:
    for ident, table in tables(raw):
        oracle = pack.content.oracles[ident]
        assert oracle.die == int(table["dice"].removeprefix("1d")), ident
        assert len(oracle.rows) == len(table["rows"]), ident
        for face in range(1, oracle.die + 1):
            there = [row for first, last, row in rows(table) if first <= face <= last]
            number = oracle.row_number(face)
            assert (None if number is None else told(oracle, number)) == (texts(there[0]) if there else None), ident


def told(oracle: Oracle, number: int) -> list[str]:
    more = [*oracle.more[number]] if oracle.more else []
    return [oracle.rows[number], *more, *[""] * (2 - len(more))]


def texts(row: Any) -> list[str]:
    return [row.get(key) or "" for key in ("text", "text2", "text3")]


def test_every_denizen_of_a_site_has_its_faces(pack: Pack, raw: Any) -> None:
    for name, site in raw["delve_sites"].items():
        oracle = pack.content.oracles[f"{raw['_id']}/site/{name}/denizens"]
        spans = [(first, last) for first, last, _ in rows({"rows": site["denizens"]})]
        assert [*zip(oracle.since, oracle.upto, strict=True)] == spans


def test_every_further_roll_is_taken(pack: Pack, raw: Any) -> None:
    asked = Counter(
        {
            ident: sum(len(row.get("oracle_rolls") or []) for row in table["rows"])
            for ident, table in tables(raw)
            if any(row.get("oracle_rolls") for row in table["rows"])
        }
    )
    found = {ident: sum(map(len, oracle.rolls)) for ident, oracle in pack.content.oracles.items() if oracle.rolls}
    assert found == asked


def test_every_license_and_author_is_kept(pack: Pack, raw: Any) -> None:
    content = pack.content
    for field, made in (
        ("moves", content.texts),
        ("assets", content.assets),
        ("npcs", content.foes),
        ("oracles", content.oracles),
    ):
        for path, node in inside(raw[field]):
            source = made["/".join((raw["_id"], *path))].source
            if written := node.get("_source"):
                assert source.license == written["license"]
                assert source.title == written["title"]
                assert [*source.authors] == [author["name"] for author in written["authors"]]
            assert source.license
            assert source.authors


def test_every_text_is_taken(pack: Pack, raw: Any) -> None:
    for path, move in inside(raw["moves"]):
        made = pack.content.texts["/".join((raw["_id"], *path))]
        assert made.text == move["text"].replace("\t", " ")
        outcomes = move["outcomes"] or {}
        kept = {"strong_hit": made.strong, "weak_hit": made.weak, "miss": made.miss}
        assert {key: text for key, text in kept.items() if text} == {
            key: outcome["text"].replace("\t", " ") for key, outcome in outcomes.items()
        }
    for path, asset in inside(raw["assets"]):
        taken = pack.content.assets["/".join((raw["_id"], *path))]
        assert [one.text for one in taken.abilities] == [one["text"] for one in asset["abilities"]]
        assert [one.marked for one in taken.abilities] == [one["enabled"] for one in asset["abilities"]]


def test_every_move_of_the_played_pack_is_one_of_the_games(pack: Pack, raw: Any) -> None:
    texts = [text for text in pack.content.texts.values() if not text.asset]
    assert all(text.move for text in texts) if raw["_id"] == "classic" else not any(text.move for text in texts)


def test_copy_holds_what_was_read(pack: Pack) -> None:
    copied = pack_cache.parse(pack_cache.form(pack.content), pack.id)
    assert copied == pack.content._replace(problems=())


def test_no_problem_leaves_a_node_out(pack: Pack) -> None:
    assert not [told for told in pack.content.problems if "left out" in told]


def test_every_name_of_its_own_that_a_reading_uses_is_on_the_card(pack: Pack) -> None:
    for asset in packs.with_gifts(pack.content.assets, games.get("ironsworn").helped).values():
        chosen = {choice.lower().replace(" ", "_") for option in asset.options for choice in option.choices}
        parts = (one.id for part in (asset.meters, asset.flags, asset.options) for one in part)
        there = {*parts, *chosen, *ABILITIES, *(["health"] if asset.health else [])}
        gifts = [gift(text) for ability in asset.abilities for text in ability.gives]
        needed = {need.removeprefix("its ") for one in gifts for need, _ in one.needs if need.startswith("its ")}
        changed = {give.what for one in gifts for give in one.gives if give.kind in {"meter", "flag", "option", "most"}}
        assert needed | changed <= there, asset.id
