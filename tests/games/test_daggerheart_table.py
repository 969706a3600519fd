"""Limits and triggers of Daggerheart's state: which changes bring others with them."""

from pathlib import Path
from typing import Any

import pytest
from tests.games.daggerheart_table import GAME, STATE

from tracker.campaign.fold import complete, fold, start
from tracker.campaign.log import Log
from tracker.games.daggerheart.derived_values import conditions, thresholds
from tracker.games.daggerheart.state import TOP
from tracker.saves.save import Save

GOLDEN = Path(__file__).parent / "daggerheart-rules-1.toml"


def after(*effects: dict[str, Any]) -> Any:
    return fold(TOP, STATE, effects)


def by(at: str, points: int) -> dict[str, Any]:
    return {"at": at, "by": points}


def to(at: str, value: Any) -> dict[str, Any]:
    return {"at": at, "to": value}


class TestStress:
    def test_overflow_marks_one_hp_however_much_it_is(self) -> None:
        wren = after(by("wren.stress", 9))["party"]["wren"]
        assert (wren["stress"], wren["hp"]) == (6, 1)

    def test_overflow_marks_one_hp_each_by_setting(self) -> None:
        wren = after(to("settings.overflow", "each"), by("wren.stress", 8))["party"]["wren"]
        assert (wren["stress"], wren["hp"]) == (6, 2)

    def test_full_stress_makes_vulnerable_and_nothing_else_does(self) -> None:
        full = after(by("wren.stress", 6))
        assert conditions(full["party"]["wren"]) == ["vulnerable"]
        assert conditions(fold(TOP, full, [by("wren.stress", -1)])["party"]["wren"]) == []

    def test_adversary_stress_overflows_and_may_defeat_it(self) -> None:
        wolf = after(by("adversaries.wolf.hp", 4), by("adversaries.wolf.stress", 4))["adversaries"]["wolf"]
        assert (wolf["stress"], wolf["hp"], wolf["defeated"]) == (3, 5, True)

    def test_overflow_can_mark_the_last_hp(self) -> None:
        assert after(by("wren.hp", 5), by("wren.stress", 7))["party"]["wren"]["down"] == "death_move"


class TestHp:
    def test_last_hp_makes_a_death_move_due(self) -> None:
        assert after(by("wren.hp", 6))["party"]["wren"]["down"] == "death_move"

    def test_cleared_hp_wakes_a_character(self) -> None:
        down = after(by("wren.hp", 6), to("wren.down", "unconscious"))
        assert fold(TOP, down, [by("wren.hp", -1)])["party"]["wren"]["down"] == ""

    def test_adversary_is_defeated_by_its_last_hp_and_returns_when_cleared(self) -> None:
        beaten = after(by("adversaries.wolf.hp", 7))
        assert beaten["adversaries"]["wolf"]["defeated"]
        assert not fold(TOP, beaten, [by("adversaries.wolf.hp", -1)])["adversaries"]["wolf"]["defeated"]

    def test_lost_slots_take_their_marks_and_wake_nobody(self) -> None:
        wren = after(by("wren.hp", 6), by("wren.hp_max", -1))["party"]["wren"]
        assert (wren["hp"], wren["hp_max"], wren["down"]) == (5, 5, "death_move")


class TestHope:
    def test_hope_stops_at_its_slots(self) -> None:
        assert after(by("wren.hope", 9))["party"]["wren"]["hope"] == 6

    def test_lost_slot_lowers_held_hope(self) -> None:
        assert after(by("wren.hope", 9), by("wren.hope_max", -2))["party"]["wren"]["hope"] == 4

    def test_last_lost_slot_retires_the_character(self) -> None:
        assert after(by("wren.hope_max", -6))["party"]["wren"]["status"] == "retired"


def test_fear_stops_at_twelve() -> None:
    assert after(by("fear", 20))["fear"] == 12
    assert after(by("fear", -20))["fear"] == 0


def test_removed_armor_takes_its_marks_along() -> None:
    wren = after(by("wren.armor", 3), by("wren.armor_max", -2))["party"]["wren"]
    assert (wren["armor"], wren["armor_max"]) == (1, 1)


class TestCountdowns:
    @pytest.mark.parametrize(
        ("loop", "value", "start_", "ended"),
        [("none", 0, 6, True), ("loop", 6, 6, False), ("increasing", 7, 7, False), ("decreasing", 5, 5, False)],
    )
    def test_countdown_fires_once_however_far_it_moves(self, loop: str, value: int, start_: int, ended: bool) -> None:
        this = after(to("countdowns.pack.loop", loop), by("countdowns.pack.value", -20))["countdowns"]["pack"]
        assert (this["value"], this["start"], this["ended"]) == (value, start_, ended)

    def test_loop_with_start_0_ends(self) -> None:
        this = after(
            to("countdowns.pack.loop", "decreasing"), to("countdowns.pack.start", 1), by("countdowns.pack.value", -9)
        )["countdowns"]["pack"]
        assert this["ended"]


def test_spotlight_tokens_refill_when_all_are_spent() -> None:
    tokens = [to("settings.tokens", 2), *(to(f"{who}.tokens", 1) for who in STATE["party"])]
    state = after(*tokens, by("wren.tokens", -1), by("boro.tokens", -1))
    assert [me["tokens"] for me in state["party"].values()] == [0, 0, 1]
    state = fold(TOP, state, [by("nib.tokens", -1)])
    assert [me["tokens"] for me in state["party"].values()] == [2, 2, 2]


def test_last_minion_defeats_the_group() -> None:
    assert after(by("adversaries.rats.count", -5))["adversaries"]["rats"]["defeated"]


@pytest.mark.parametrize(("level", "armor", "told"), [(1, True, (7, 14)), (5, True, (11, 18)), (3, False, (3, 6))])
def test_thresholds_follow_from_armor_and_level(level: int, armor: bool, told: tuple[int, int]) -> None:
    bare = [] if armor else [to("wren.armor_base", {"major": 0, "severe": 0})]
    assert thresholds(after(to("wren.level", level), *bare)["party"]["wren"]) == told


def test_set_value_ignores_rules_and_triggers() -> None:
    wren = after(to("wren.hp", 6), to("wren.stress", 6), to("wren.hope", 9))["party"]["wren"]
    assert (wren["down"], wren["hope"]) == ("", 9)


def test_lint_reports_illegal_states() -> None:
    lines = " ".join(
        GAME.lint(after(to("wren.hope", 9), to("wren.level", 5), to("wren.hp", 6), to("countdowns.pack.value", 0)))
    )
    assert "Hope 9 is above its maximum 6" in lines
    assert "Proficiency 1 is too low" in lines
    assert "no death move is due" in lines
    assert "at 0, but has not ended" in lines
    assert GAME.lint(STATE) == ()


def test_rules_1_save_folds_to_the_same_state() -> None:
    """A save of that time. If this fails, the new rules need a new number; a new field alone does not."""
    save = Save.open(str(GOLDEN), write=False)
    log = Log(TOP, start(TOP), [block.entry for block in save.blocks])
    assert save.head.rules == GAME.rules == 1
    assert log.state == complete(TOP, save.head.state)


def test_rules_1_save_has_every_kind_of_effect() -> None:
    entries = [block.entry for block in Save.open(str(GOLDEN), write=False).blocks]
    effects = [effect for entry in entries for effect in entry.get("effects", [])]
    assert {form for effect in effects for form in effect} == {"at", "by", "to", "add", "drop"}
    assert all(any(key in entry for entry in entries) for key in ("open", "closes", "undoes"))
