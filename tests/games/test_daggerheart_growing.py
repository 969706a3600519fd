"""A character of Daggerheart who grows: levels, cards, armor, and what the sheet says of it."""

from pathlib import Path
from typing import Any

import pytest
from tests.games.daggerheart_table import GAME, STATE, campaign, play

from tracker.campaign.fold import fold
from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Pick, Text
from tracker.games.api.schema import State
from tracker.games.api.view import Flags
from tracker.games.daggerheart.derived_values import thresholds

UP = GAME.moves["level/level_up"]
FIRST = [["experience", "Sailor"], ["1.take", "hp_slot"]]


def after(*effects: dict[str, Any]) -> State:
    return fold(GAME.top, STATE, effects)


def level(n: int) -> State:
    return after({"at": "wren.level", "to": n})


class TestLevelUp:
    def test_domain_card_is_asked_for_and_optional(self, tmp_path: Path) -> None:
        run = Run(GAME, UP, "wren", STATE, [*FIRST, ["2.take", "evasion"]])
        assert isinstance(run.prompt, Text)
        assert run.prompt.title == "New domain card for level 2 (optional)"
        with campaign(tmp_path) as table:
            answers = {"experience": "Sailor", "1.take": "hp_slot", "2.take": "evasion"}
            play(table, "level/level_up", **answers)
            assert not table.state["party"]["wren"]["cards"]
            play(
                table,
                "level/level_up",
                **{"1.take": "hp_slot", "2.take": "traits", "2.traits": ["agility", "finesse"]},
                card="Whirlwind",
            )
            assert [card["name"] for card in table.state["party"]["wren"]["cards"].values()] == ["Whirlwind"]

    def test_domain_card_advancement_asks_for_its_name(self) -> None:
        run = Run(GAME, UP, "wren", STATE, [*FIRST, ["2.take", "domain_card"], ["2.card", "Book of Ava"]])
        assert run.draft.me["cards"]["book_of_ava"]["name"] == "Book of Ava"
        assert "2.card" in [prompt.key for prompt in run.seen if not prompt.quiet]

    def test_multiclass_and_subclass_ask_for_their_names(self) -> None:
        two = [["1.tier", "tier_3"], ["1.take", "multiclass"], ["1.class", "Druid"], ["card", ""]]
        run = Run(GAME, UP, "wren", level(5), two)
        assert (run.prompt, run.draft.me["class"]) == (None, "Ranger and Druid")
        assert "Ranger and Druid, level 6" in GAME.sheet(run.draft.state, "wren")[0].title
        run = Run(
            GAME, UP, "wren", level(5), [["1.tier", "tier_3"], ["1.take", "subclass"], ["1.subclass", "Beastbound"]]
        )
        assert run.draft.me["features"]["beastbound"]["name"] == "Beastbound"

    def test_advancements_ask_for_their_tier_from_level_5(self) -> None:
        """The first pick stays, whatever is answered about the second."""
        run = Run(GAME, UP, "wren", level(5), [["1.tier", "tier_2"], ["1.take", "evasion"]])
        assert isinstance(run.prompt, Pick)
        assert run.prompt.title == "Advancement 2 of 2: which tier's boxes?"
        assert [option.note for option in run.prompt.options] == ["9 boxes left", "13 boxes left"]
        assert not run.quiet()

    def test_advancement_beyond_its_boxes_is_refused_and_changes_nothing(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("change", [{"at": "wren.taken.tier_2.evasion", "by": 1}])
            before = table.state
            run = table.begin("level/level_up", "wren", (("experience", "Sailor"),))
            with pytest.raises(Refused, match=r"^Evasion \+1: no box left\.$"):
                run.answer("evasion")
            assert table.state == before

    def test_same_experience_cannot_be_raised_twice(self) -> None:
        run = Run(GAME, UP, "wren", STATE, [["experience", "Sailor"], ["1.take", "experiences"]])
        assert isinstance(run.prompt, Choose)
        with pytest.raises(Refused, match=r"^You can't choose the same thing twice\.$"):
            run.answer(["guide", "guide"])
        assert run.draft.me["experiences"]["guide"]["bonus"] == 2


def test_same_experience_cannot_be_used_twice_in_a_roll(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        before = table.state
        run = table.begin("action/roll", "wren", (("trait", "agility"),))
        with pytest.raises(Refused, match=r"^You can't choose the same thing twice\.$"):
            run.revise("experiences", ["guide", "guide"])
        assert table.state == before


class TestArmor:
    def test_new_armor_has_no_marks_and_the_old_keeps_its_own(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("change", [{"at": "wren.armor_name", "to": "Hide"}, {"at": "wren.armor", "by": 2}])
            entry = play(table, "sheet/armor", **{"from": "full_plate"})
            wren = table.state["party"]["wren"]
            assert (wren["armor_name"], wren["armor"], wren["armor_max"], wren["agility"]) == ("Full plate", 0, 4, 1)
            assert "Armor Slots marked 2 → 0" in entry["facts"]["changed"]
            assert entry["facts"]["told"] == "Hide keeps its 2 marked"
            play(table, "sheet/armor", **{"from": "leather"}, used=2)
            assert table.state["party"]["wren"]["armor"] == 2

    def test_armor_of_the_same_name_keeps_its_marks(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "sheet/armor", **{"from": "leather"})
            table.do("change", [{"at": "wren.armor", "by": 2}])
            play(table, "sheet/armor", name="Leather", major=6, severe=13, score=4)
            assert table.state["party"]["wren"]["armor"] == 2

    @pytest.mark.parametrize(("move", "key"), [("sheet/armor", "from"), ("character/make", "armor")])
    def test_common_armors_are_offered_with_all_their_numbers(self, move: str, key: str) -> None:
        made = {"how": "choose", "name": "Ash", "class": "bard", "two": "agility", "ones": ["finesse", "instinct"]}
        made |= {"minus": "strength", "experience_1": "", "experience_2": ""}
        run = Run(GAME, GAME.moves[move], "wren", STATE, made.items())
        assert isinstance(run.prompt, Pick)
        assert run.prompt.key == key
        notes = {option.label: option.note for option in run.prompt.options}
        assert notes["Full plate"] == "thresholds 9/18, score 4, Evasion -2, Agility -1"
        assert notes["Gambeson"] == "thresholds 6/12, score 3, Evasion +1"


@pytest.mark.parametrize(
    ("loop", "steps", "told"),
    [
        ("loop", 6, "The pack closes in triggers and loops to 6"),
        ("increasing", 6, "The pack closes in triggers and loops to 7"),
        ("decreasing", 9, "The pack closes in triggers and loops to 5"),
        ("loop", 2, "The pack closes in 6 → 4"),
    ],
)
def test_looping_countdown_tells_that_it_fires(loop: str, steps: int, told: str) -> None:
    state = after({"at": "countdowns.pack.loop", "to": loop})
    run = Run(GAME, GAME.moves["countdown/move"], "", state, [["name", "pack"], ["advance", steps]])
    assert GAME.changes(state, run.draft.state, "") == [told]


def test_countdown_set_back_to_its_start_does_not_fire() -> None:
    state = after({"at": "countdowns.pack.loop", "to": "loop"}, {"at": "countdowns.pack.value", "by": -2})
    run = Run(GAME, GAME.moves["countdown/back"], "", state, [["name", "pack"], ["advance", 2]])
    assert GAME.changes(state, run.draft.state, "") == ["The pack closes in 4 → 6"]


def test_vulnerable_by_stress_is_shown_with_how_it_ends() -> None:
    fields = GAME.sheet(after({"at": "wren.stress", "by": 6}), "wren")[0].fields
    [flag] = [flag for field in fields if isinstance(field, Flags) for flag in field.flags if flag.id == "vulnerable"]
    assert (flag.label, flag.on, flag.reason) == ("Vulnerable (Stress)", True, "ends when you clear a Stress")
    [free] = [
        one
        for f in GAME.sheet(STATE, "wren")[0].fields
        if isinstance(f, Flags)
        for one in f.flags
        if one.id == "vulnerable"
    ]
    assert (free.on, free.reason) == (False, "")


class TestSlots:
    def test_slots_can_exceed_those_of_the_class(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "sheet/slots", hp_max=7, stress_max=7, threshold_bonus=1, slots_per_hit=2)
            wren = table.state["party"]["wren"]
            assert (wren["hp_max"], wren["stress_max"], wren["slots_per_hit"]) == (7, 7, 2)
            assert thresholds(wren) == (8, 15)

    def test_slots_below_the_marks_are_refused(self) -> None:
        worn = after({"at": "wren.hp", "by": 4})
        asked = Run(GAME, GAME.moves["sheet/slots"], "wren", worn)
        with pytest.raises(Refused):
            asked.revise("hp_max", 4)
        with pytest.raises(Refused, match="clear one first"):
            Run(GAME, GAME.moves["sheet/slots"], "wren", after({"at": "wren.hp", "by": 6}))

    def test_changed_armor_keeps_the_score_of_a_shield(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "sheet/armor", **{"from": "leather"})
            table.do("change", [{"at": "wren.armor_max", "by": 2}])
            play(table, "sheet/armor", **{"from": "chainmail"})
            assert table.state["party"]["wren"]["armor_max"] == 4 + 2
            play(table, "sheet/armor", **{"from": "none."})
            assert table.state["party"]["wren"]["armor_max"] == 2


def test_tag_team_is_refreshed_for_members_out_of_play(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        table.do("edit", [{"at": "nib.tag_team", "to": True}, {"at": "nib.status", "to": "retired"}])
        play(table, "story/session")
        assert not table.state["party"]["nib"]["tag_team"]
