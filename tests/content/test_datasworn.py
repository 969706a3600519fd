"""Packs in three generations give one form; what is wrong is told by node, and the rest loads."""

import json
from typing import Any

import pytest
from tests.content.small_packs import BY, GENERATIONS, NC, data, fen
from tests.hostile import HOSTILE

from tracker.content.datasworn import SIZE_MOST, NotAPack, Pack, clean, read, target
from tracker.games.api.content import AssetOption, Flag, FurtherRoll, Meter, Source


def nodes(pack: Pack) -> set[str]:
    content = pack.content
    return {
        *content.oracles,
        *content.assets,
        *content.foes,
        *content.truths,
        *content.texts,
        *content.pages,
    }


class TestGenerations:
    @pytest.mark.parametrize("version", GENERATIONS)
    def test_pack_loads_whole_without_a_problem(self, version: str) -> None:
        pack = read(data(fen(version)))
        assert pack.content.problems == ()
        assert (pack.id, pack.version, pack.title, pack.ruleset) == ("fen", version, "The Fen", "fen")
        assert pack.source == Source("The Fen", ("Ada Reed", "Bo Marsh"), BY, "https://fen.example")

    def test_newer_generations_give_equal_content(self) -> None:
        one, other = (read(data(fen(version))).content for version in ("0.1.0", "0.2.0"))
        assert one == other

    def test_oldest_generation_gives_equal_content_but_for_embedded_tables(self) -> None:
        old, new = (read(data(fen(version))) for version in ("0.0.10", "0.2.0"))
        assert nodes(old) ^ nodes(new) == {
            "fen/moves/sinking",
            "fen/marsh/wade/sinking",
            "fen/water/1",
            "fen/water/1/cause",
        }
        assert old.content.texts["fen/marsh/wade"].tables == ("fen/moves/sinking",)
        assert old.content.oracles["fen/bog/omen"].rolls == new.content.oracles["fen/bog/omen"].rolls
        assert old.content.foes == new.content.foes


class TestNodes:
    content = read(data(fen())).content

    def test_move_has_its_text_outcomes_and_table(self) -> None:
        wade = self.content.texts["fen/marsh/wade"]
        assert (wade.name, wade.group, wade.move) == ("Wade", "Marsh moves", "")
        assert wade.miss == "On a __miss__, you sink."
        assert wade.tables == ("fen/marsh/wade/sinking",)
        assert wade.source.page == 3

    def test_move_of_the_played_pack_names_the_games_move(self) -> None:
        texts = read(data(fen(ident="classic")), {"adventure/face_danger"}).content.texts
        assert texts["classic/adventure/face_danger"].move == "adventure/face_danger"
        assert texts["classic/marsh/wade"].move == ""

    def test_move_of_another_pack_with_the_same_path_is_not_played(self) -> None:
        texts = read(data(fen()), {"adventure/face_danger"}).content.texts
        assert texts["fen/adventure/face_danger"].move == ""

    def test_asset_has_abilities_meters_flags_and_options(self) -> None:
        otter = self.content.assets["fen/companion/otter"]
        assert (otter.name, otter.kind, otter.health, otter.asks) == ("Otter", "companion", 4, "Its name")
        assert otter.needs == "Your otter swims."
        assert [(one.name, one.marked) for one in otter.abilities] == [("Swift", True), ("", False)]
        assert otter.meters == (Meter("fish", "fish", 1, 0, 3), Meter("tide", "tide", 0, 0, 6, "clock"))
        assert otter.flags == (Flag("lost", "lost"),)
        assert otter.options == (AssetOption("linked_stat", "linked stat", ("quick", "clever"), ("edge", "wits")),)

    def test_health_of_what_is_no_companion_is_a_meter(self) -> None:
        pack = fen()
        otter = pack["assets"]["companion"]["contents"]["otter"]
        otter["category"] = "Ritual"
        golem = read(data(pack)).content.assets["fen/companion/otter"]
        assert (golem.kind, golem.health) == ("ritual", 0)
        assert golem.meters[0] == Meter("health", "health", 4, 0, 4)

    def test_move_of_an_asset_names_it(self) -> None:
        dive = self.content.texts["fen/companion/otter/1/dive"]
        assert (dive.asset, dive.group, dive.strong) == ("fen/companion/otter", "Otter", "strong_hit")
        assert dive.source.page == 9

    def test_table_has_columns_further_rolls_and_about(self) -> None:
        omen = self.content.oracles["fen/bog/omen"]
        assert omen.about == "What the bog shows."
        assert (omen.columns, omen.more) == (("Sign", "Where"), (("far off",), ("",), ("",)))
        assert omen.rolls == (
            (),
            (FurtherRoll("fen/bog/depth", distinct=True),),
            (FurtherRoll("fen/bog/omen", 2, same_table=True, distinct=True),),
        )

    def test_table_with_another_die_keeps_a_row_that_cannot_be_rolled(self) -> None:
        depth = self.content.oracles["fen/bog/depth"]
        assert (depth.die, depth.since, depth.upto) == (20, (1, 7, 0), (6, 20, 0))
        assert [depth.row(face) for face in (1, 6, 7, 20)] == ["Knee", "Knee", "Chest", "Chest"]
        assert not depth.rolls[1][0].auto

    def test_column_is_named_after_its_collection_and_inherits_its_license(self) -> None:
        first = self.content.oracles["fen/bog/names/first"]
        assert (first.name, first.group) == ("Fen Names: First", "Bog / Fen Names")
        assert (first.source.license, first.source.page) == (NC, 22)

    def test_variant_is_a_foe_with_the_features_of_its_kind(self) -> None:
        eel, brood = self.content.foes["fen/beasts/eel"], self.content.foes["fen/beasts/eel/brood"]
        assert (eel.rank, brood.rank, brood.name) == ("formidable", "troublesome", "Eel Brood")
        assert (brood.features, brood.text) == (("Long", "Slick"), "Many small ones.")

    def test_truth_has_options_with_tables(self) -> None:
        water = self.content.truths["fen/water"]
        assert [(one.since, one.upto, one.tables) for one in water.options] == [
            (1, 50, ()),
            (51, 100, ("fen/water/1/cause",)),
        ]
        assert water.options[0].text == "Rising\n\nThe water rises."

    def test_site_its_theme_and_domain_are_pages_with_tables(self) -> None:
        kinds = {ident: page.kind for ident, page in self.content.pages.items()}
        assert kinds == {
            "fen/region/lowlands/reeds": "region",
            "fen/rarity/hook": "rarity",
            "fen/site/old_weir": "site",
            "fen/theme/sunken": "theme",
            "fen/domain/weir": "domain",
        }
        features = self.content.oracles["fen/domain/weir/features"]
        assert [features.row(face) for face in (20, 21, 100)] == ["", "Rotten gates", "Rotten gates"]
        denizens = self.content.oracles["fen/site/old_weir/denizens"]
        assert denizens.row(60) == "[Eel](datasworn:npc:fen/beasts/eel)"
        assert denizens.row(61) == "rare: you choose"


class TestTarget:
    @pytest.mark.parametrize(
        ("written", "found"),
        [
            ("move:classic/adventure/face_danger", ("text", "classic/adventure/face_danger")),
            ("classic/moves/adventure/face_danger", ("text", "classic/adventure/face_danger")),
            ("classic/oracles/moves/pay_the_price", ("oracle", "classic/moves/pay_the_price")),
            ("move.oracle_rollable:fen/a/b.c", ("oracle", "fen/a/b/c")),
            ("fen/assets/path/x/abilities/0/moves/y", ("text", "fen/path/x/0/y")),
            ("fen/npcs/beasts/eel/variants/brood", ("foe", "fen/beasts/eel/brood")),
            ("fen/oracles/monstrosity/abilities", ("oracle", "fen/monstrosity/abilities")),
            ("delve_site_theme:delve/ancient", ("page", "delve/theme/ancient")),
            ("delve/site_themes/ancient", ("page", "delve/theme/ancient")),
            ("oracle_collection:fen/bog", ("", "")),
            ("move.oracle_rollable/fen/a.b", ("", "")),
            ("move:../../etc/passwd", ("", "")),
            ("move:", ("", "")),
            ("", ("", "")),
        ],
    )
    def test_target_is_the_same_for_every_generation(self, written: str, found: tuple[str, str]) -> None:
        assert target(written) == found


def changed(path: str, value: Any) -> Pack:
    """Return the pack with the value at this path, keys with slashes between, replaced."""
    pack = fen()
    at: Any = pack
    *outer, last = path.split("/")
    for key in outer:
        at = at[int(key)] if isinstance(at, list) else at[key]
    if isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return read(data(pack))


OMEN = "oracles/bog/contents/omen"


class TestBadInput:
    @pytest.mark.parametrize(
        ("written", "why"),
        [
            (b"", "not JSON"),
            (b"moves, assets", "not JSON"),
            (data(fen())[:5000], "not JSON"),
            (b"\xff\xfe\x00", "it is not"),
            (b"[" * 200_000, "nested too deeply"),
            (b"[1, 2]", "not a Datasworn pack"),
            (b"{}", "not a Datasworn pack"),
            (data({**fen(), "datasworn_version": "3.0.0"}), "Datasworn 3.0.0"),
            (data({**fen(), "datasworn_version": 2}), "not a Datasworn pack"),
            (data({**fen(), "_id": "../fen"}), "its id"),
            (data({**fen(), "_id": "a.b/c"}), "its id"),
            (data({**fen(), "_id": "\x1b[2J"}), "its id"),
            (b'{"_id": "fen", "datasworn_version": "0.2.0", "x": ' + b"9" * 5000 + b"}", "not JSON"),
            (b" " * (SIZE_MOST + 1), "larger than"),
        ],
    )
    def test_file_that_is_no_pack_is_refused_with_a_reason(self, written: bytes, why: str) -> None:
        with pytest.raises(NotAPack, match=why) as refused:
            read(written)
        assert "\x1b" not in str(refused.value)

    @pytest.mark.parametrize(
        ("path", "value", "problem"),
        [
            ("moves", [], "fen: moves should be nodes by key."),
            ("moves/marsh/contents/wade", "no", "fen/marsh/wade: this should be a node of contents, not text"),
            ("moves/marsh/contents/wade/text", 5, "fen/marsh/wade: text should be text, not a number; it is left out."),
            ("moves/marsh/contents/wade/name", "", "fen/marsh/wade: it has no name; it is left out."),
            ("moves/marsh/contents/wade/name", "\u200b", "fen/marsh/wade: the name of Wade can't be seen"),
            ("moves/marsh/contents/wade/outcomes", [1], "fen/marsh/wade: outcomes should be a node, not a list"),
            ("moves/marsh/contents/wade/text", "x" * 20_001, "fen/marsh/wade: text has 20,001 characters"),
            ("moves/marsh/contents/wade/_id", "move:fen/x", "fen/marsh/wade: its id is written as “move:fen/x”"),
            ("assets/companion/contents/otter/abilities/0", 1, "fen/companion/otter: ability 1 should be a node"),
            ("assets/companion/contents/otter/abilities", {}, "fen/companion/otter: abilities should be a list"),
            ("assets/companion/contents/otter/controls/fish/value", 9, "its fish is left out: 9 is not from 0 to 3."),
            ("assets/companion/contents/otter/controls/fish/field_type", "x", "its fish is left out: “x” isn't a kind"),
            (f"{OMEN}/rows", 3, "fen/bog/omen: rows should be a list; it is left out."),
            (f"{OMEN}/rows", [], "fen/bog/omen: it has no rows; it is left out."),
            (f"{OMEN}/rows/0", None, "fen/bog/omen: row 1 is left out: it should be a node, not null."),
            (f"{OMEN}/rows/0/roll", {"min": 1, "max": 30}, "fen/bog/omen: no row for 31 to 40 of its d100."),
            (f"{OMEN}/rows/0/roll", {"min": 1, "max": 45}, "fen/bog/omen: several rows for 41 to 45; the first"),
            (f"{OMEN}/rows/0/roll", {"min": 0, "max": 200}, "row 1 is left out: 0 to 200 is not on a d100."),
            (f"{OMEN}/rows/0/roll", {"min": "1", "max": 2}, "min and max should be whole numbers."),
            (f"{OMEN}/rows/1/oracle_rolls/0/oracle", "oracle_rollable:fen/x/y", "fen/x/y, which does not exist."),
            (f"{OMEN}/rows/1/oracle_rolls/0/oracle", "a.b/../c", "row 2 rolls on “a.b/../c”, which isn't a table."),
            (f"{OMEN}/rows/1/oracle_rolls/0/number_of_rolls", 10**9, "a further roll is made 1 to 20 times."),
            (f"{OMEN}/dice", "1d6d6", "fen/bog/omen: “1d6d6” should be a die, such as 1d100; it is left out."),
            (f"{OMEN}/dice", "2d6", "fen/bog/omen: tracker can't roll 2d6; its rows can only be read."),
            (f"{OMEN}/dice", "1d999999", "fen/bog/omen: a die has at most 10,000 sides; it is left out."),
            ("npcs/beasts/contents/eel/rank", 7, "fen/beasts/eel: rank should be a whole number from 1 to 5"),
            ("truths/water/options/0", "x", "fen/water: option 1 should be a node, not text; it is left out."),
            ("oracles/a.b", {}, "fen: the key “a.b” is not made of a-z, 0-9 and _; it is left out."),
        ],
    )
    def test_wrong_node_is_told_and_the_rest_loads(self, path: str, value: Any, problem: str) -> None:
        pack = changed(path, value)
        assert any(problem in told for told in pack.content.problems), pack.content.problems
        assert all(told.endswith(".") and "\n" not in told for told in pack.content.problems)
        assert len(nodes(pack)) >= len(nodes(read(data(fen())))) - 4

    def test_rows_of_several_dice_can_be_read_and_not_rolled(self) -> None:
        omen = changed(f"{OMEN}/dice", "2d6").content.oracles["fen/bog/omen"]
        assert (omen.sides, omen.since, omen.upto) == (0, (0, 0, 0), (0, 0, 0))

    def test_collections_inside_one_another_without_end_are_cut(self) -> None:
        inner: dict[str, Any] = {"name": "End", "contents": {}}
        for _ in range(50):
            inner = {"name": "More", "collections": {"deeper": inner}}
        problems = changed("oracles/bog/collections/names", inner).content.problems
        assert any("deep; it is left out" in told for told in problems)

    def test_problems_without_end_are_counted(self) -> None:
        pack = fen()
        pack["moves"]["marsh"]["contents"] = {f"move_{n}": {} for n in range(3000)}
        problems = read(data(pack)).content.problems
        assert len(problems) == 501
        assert problems[-1] == "fen: 2500 further problems are not listed."

    @pytest.mark.parametrize("text", [*(text for _, text in HOSTILE), "a\x1b[31mb\x07", "\ud800", "x\r\ny\tz"])
    def test_text_keeps_no_control_character(self, text: str) -> None:
        taken = changed("moves/marsh/contents/wade/text", f"x{text}").content.texts["fen/marsh/wade"].text
        assert taken == clean(f"x{text}")
        assert not any((ord(char) < 32 and char != "\n") or 0x7F <= ord(char) < 0xA0 for char in taken)
        taken.encode()

    def test_license_that_is_no_text_falls_back_to_the_collection(self) -> None:
        pack = changed("moves/marsh/contents/wade/_source", {"license": 5, "authors": "me", "page": True})
        assert pack.content.texts["fen/marsh/wade"].source == Source(
            "The Fen", ("Ada Reed", "Bo Marsh"), BY, "https://fen.example"
        )

    def test_missing_ids_are_made_from_the_place(self) -> None:
        text = json.dumps(fen()).replace('"_id": "', '"no_id": "').replace('"no_id": "fen"', '"_id": "fen"', 1)
        assert nodes(read(text.encode())) == nodes(read(data(fen())))
