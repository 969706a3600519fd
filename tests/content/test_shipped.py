"""What comes with Ironsworn is complete, fair to roll on, and says nothing twice."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product

import pytest

from tracker.content import shipped
from tracker.games.api.asset_abilities import gift
from tracker.games.api.content import Ability, Asset, Oracle
from tracker.games.ironsworn.moves import HELPED

CONTENT = shipped("ironsworn")
TABLES = [oracle for oracle in CONTENT.oracles.values() if oracle.rows]
GENERATORS = [oracle for oracle in CONTENT.oracles.values() if oracle.parts]
ABILITIES = [ability for asset in CONTENT.assets.values() for ability in asset.abilities]

ROWS = {
    "action": 100,
    "theme": 100,
    "descriptor": 100,
    "challenge_rank": 5,
    "place": 50,
    "settlement_trouble": 50,
    "weather": 20,
    "journey_event": 50,
    "find": 50,
    "character_role": 50,
    "character_goal": 50,
    "character_trait": 100,
    "character_wants_now": 50,
    "rumour": 50,
    "combat_action": 50,
    "mystic_backlash": 50,
    "major_twist": 50,
    "omen": 50,
    "byname": 50,
}


def by_id(things: Iterable[Oracle | Asset]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("one", things, ids=lambda thing: thing.id)


def title(move: str) -> str:
    """Return the name of a move from its id: `enter_the_fray` is Enter the Fray."""
    return re.sub(r" (A|An|The) ", lambda word: word[0].lower(), move.replace("_", " ").title())


def test_shipped_content_has_no_problem() -> None:
    assert CONTENT.problems == ()


def test_game_without_content_has_none() -> None:
    assert not any(shipped("chess")[:-1])


class TestTables:
    def test_tables_have_all_their_rows(self) -> None:
        assert {ident: len(CONTENT.oracles[ident].rows) for ident in ROWS} == ROWS

    @by_id(TABLES)
    def test_plain_tables_have_a_real_die_and_equal_chances(self, one: Oracle) -> None:
        assert one.sides in {4, 6, 8, 10, 12, 20, 100}
        said = Counter(one.row(face) for face in range(1, one.sides + 1))
        assert {*said} == {*one.rows}
        assert one.upto or len({*said.values()}) == 1

    @by_id(TABLES)
    def test_tables_have_no_row_twice(self, one: Oracle) -> None:
        assert len({row.casefold().strip() for row in one.rows}) == len(one.rows)

    @by_id(TABLES)
    def test_rows_fit_on_a_line(self, one: Oracle) -> None:
        assert all(row == row.strip() and row.isprintable() and len(row) <= 76 for row in one.rows)

    def test_rank_tables_have_the_ranges_of_the_game(self) -> None:
        rank = CONTENT.oracles["challenge_rank"]
        ranges = {row: [face for face in range(1, 101) if rank.row(face) == row] for row in rank.rows}
        assert {row: (faces[0], faces[-1], len(faces)) for row, faces in ranges.items()} == {
            "troublesome": (1, 20, 20),
            "dangerous": (21, 55, 35),
            "formidable": (56, 80, 25),
            "extreme": (81, 93, 13),
            "epic": (94, 100, 7),
        }

    @pytest.mark.parametrize("ident", ["action", "theme"])
    def test_spark_tables_have_single_words(self, ident: str) -> None:
        assert all(re.fullmatch("[A-Z][a-z]+", row) for row in CONTENT.oracles[ident].rows)


class TestNames:
    def test_names_have_three_styles_and_settlements(self) -> None:
        assert {one.id for one in GENERATORS} == {"name_hill", "name_coast", "name_forest", "name_settlement"}

    @by_id(GENERATORS)
    def test_names_have_a_thousand_pronounceable_combinations(self, one: Oracle) -> None:
        first, last = (CONTENT.oracles[part].rows for part in one.parts)
        names = [one.join.join(halves) for halves in product(first, last)]
        assert len({*names}) > 1000
        unsaid = [name for name in names if re.search(r"(?i)[^aeiouy]{5}|[aeiouy]{5}|(.)\1\1", name)]
        assert unsaid == []
        assert all(re.fullmatch("[A-Z][a-z]{2,13}", name) for name in names)


class TestAssets:
    @pytest.mark.parametrize("kind", ["companion", "path", "combat talent", "ritual"])
    def test_every_kind_has_at_least_six_assets(self, kind: str) -> None:
        assert sum(asset.kind == kind for asset in CONTENT.assets.values()) >= 6

    def test_assets_have_names_and_abilities_of_their_own(self) -> None:
        assert len({asset.name for asset in CONTENT.assets.values()}) == len(CONTENT.assets)
        assert len({ability.text for ability in ABILITIES}) == len(ABILITIES)

    @by_id(CONTENT.assets.values())
    def test_assets_begin_with_one_ability_and_companions_with_a_pick(self, one: Asset) -> None:
        marked = [ability.marked for ability in one.abilities]
        if one.kind == "companion":
            assert marked == [False, False, False]
            assert 2 <= one.health <= 5
            assert one.asks == "Its name"
        else:
            assert marked == [True, False, False]
            assert one.health == 0

    @pytest.mark.parametrize("ability", ABILITIES, ids=lambda ability: ability.text[:40])
    def test_abilities_give_at_a_roll_what_they_say(self, ability: Ability) -> None:
        gifts = [gift(short) for short in ability.gives]
        kinds = {give.kind for given in gifts for give in given.gives}
        moves = {move for given in gifts for move in given.moves} - {"use"}
        assert moves <= HELPED
        assert all(title(move) in ability.text for move in moves)
        assert ("add +1" in ability.text.lower()) is ("add" in kinds)
        assert ("reroll any dice" in ability.text) is ("reroll" in kinds)

    @pytest.mark.parametrize("ability", ABILITIES, ids=lambda ability: ability.text[:40])
    def test_abilities_give_every_number_that_they_promise(self, ability: Ability) -> None:
        promised = re.findall(r"([+-]\d) (momentum|spirit|supply|health)", ability.text)
        promised += [(f"+{n}", "harm") for n in re.findall(r"inflict (\d) (?:more )?harm", ability.text)]
        changes = [give for short in ability.gives for give in gift(short).gives if give.kind == "change"]
        for size, what in promised:
            health = {"health", "patient"} if what == "health" else {what}
            assert any(give.what in health and give.points == int(size) for give in changes), (size, what)
