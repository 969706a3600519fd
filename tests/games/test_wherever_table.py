"""Limits and triggers of the state of Wherever We Go: which changes bring others with them."""

from pathlib import Path
from typing import Any

import pytest

from tracker import games
from tracker.campaign.fold import complete, fold, start
from tracker.campaign.log import Log
from tracker.games.wherever.state import TOP
from tracker.saves.save import Save

GAME = games.get("wherever")
GOLDEN = Path(__file__).parent / "wherever-rules-1.toml"


def table(**mine: Any) -> Any:
    """Return a state with Ilse, who has these numbers, and Oren beside her."""
    ilse = {"at": "party", "add": {"id": "ilse", "name": "Ilse", **mine}}
    return fold(TOP, start(TOP), [ilse, {"at": "party", "add": {"id": "oren", "name": "Oren"}}])


def after(state: Any, *effects: dict[str, Any]) -> Any:
    return fold(TOP, state, effects)["party"]["ilse"]


def by(at: str, points: int) -> dict[str, Any]:
    return {"at": f"ilse.{at}", "by": points}


def harm(sort: str, ident: str, grade: str, on: str = "force") -> dict[str, Any]:
    return {"at": f"ilse.harms.{sort}", "add": {"id": ident, "grade": grade, "on": on}}


class TestNumbers:
    def test_willpower_stops_at_its_maximum(self) -> None:
        assert after(table(wp=5), by("wp", 4))["wp"] == 6

    def test_track_stops_at_its_changed_maximum(self) -> None:
        assert after(table(wp=2, wp_max=3), by("wp", 4))["wp"] == 3

    def test_gain_never_lowers_a_value(self) -> None:
        assert after(table(wp=8), by("wp", 1))["wp"] == 8

    def test_stress_has_no_practical_maximum_and_stays_above_0(self) -> None:
        assert after(table(stress=40), by("stress", 1))["stress"] == 41
        assert after(table(stress=1), by("stress", -3))["stress"] == 0

    @pytest.mark.parametrize("track", ["health", "resolve"])
    def test_falling_maximum_lowers_what_is_above_it(self, track: str) -> None:
        me = after(table(**{track: 16, f"{track}_max": 16}), by(f"{track}_max", -2))
        assert (me[track], me[f"{track}_max"]) == (14, 14)
        assert not me["owed"]

    def test_falling_maximum_keeps_what_is_below_it(self) -> None:
        assert after(table(health=5, health_max=16), by("health_max", -2))["health"] == 5


class TestBroken:
    @pytest.mark.parametrize("track", ["health", "resolve"])
    def test_last_point_of_damage_makes_a_save_due_against_all_of_it(self, track: str) -> None:
        assert after(table(**{track: 3}), by(track, -5))["owed"] == {"broken_save_5": 1}

    def test_one_point_left_makes_no_save_due(self) -> None:
        assert after(table(health=3), by("health", -2))["owed"] == {}

    def test_damage_to_a_broken_character_makes_no_save_due(self) -> None:
        assert after(table(health=0), by("health", -2))["owed"] == {}

    def test_set_value_triggers_nothing(self) -> None:
        assert after(table(health=3), {"at": "ilse.health", "to": 0})["owed"] == {}


class TestAttributes:
    @pytest.mark.parametrize(
        ("attribute", "most"),
        [
            ("strength", "health_max"),
            ("dexterity", "health_max"),
            ("intuition", "resolve_max"),
            ("wits", "resolve_max"),
        ],
    )
    def test_one_step_is_two_points_of_the_maximum(self, attribute: str, most: str) -> None:
        me = after(table(**{attribute: "d10", most: 18}), by(attribute, -1))
        assert (me[attribute], me[most]) == ("d8", 16)
        me = after(table(**{attribute: "d10", most: 18}), by(attribute, 1))
        assert (me[attribute], me[most]) == ("d12", 20)

    def test_health_above_the_new_maximum_falls_with_it(self) -> None:
        assert after(table(strength="d8", health=14, health_max=14), by("strength", -1))["health"] == 12

    def test_step_below_d6_loses_the_character(self) -> None:
        me = after(table(strength="d6"), by("strength", -1))
        assert (me["strength"], me["status"], me["health_max"]) == ("d6", "lost", 12)

    def test_step_above_d12_does_nothing(self) -> None:
        me = after(table(strength="d12"), by("strength", 1))
        assert (me["strength"], me["status"], me["health_max"]) == ("d12", "alive", 12)

    @pytest.mark.parametrize("die", ["d4", "d7", "d20", "", 8, None, "0"])
    def test_die_off_the_ladder_is_refused(self, die: object) -> None:
        assert after(table(strength="d8"), {"at": "ilse.strength", "to": die})["strength"] == "d8"


class TestLearning:
    @pytest.mark.parametrize(
        ("die", "marks", "higher"), [("0", 6, "d6"), ("d6", 8, "d8"), ("d8", 10, "d10"), ("d10", 12, "d12")]
    )
    def test_full_clock_clears_and_raises_the_skill(self, die: str, marks: int, higher: str) -> None:
        one_short = after(table(skills={"stealth": die}), by("marks.stealth", marks - 1))
        assert (one_short["skills"]["stealth"], one_short["marks"]["stealth"]) == (die, marks - 1)
        full = after(table(skills={"stealth": die}), by("marks.stealth", marks - 1), by("marks.stealth", 1))
        assert (full["skills"]["stealth"], full["marks"]["stealth"]) == (higher, 0)

    def test_extra_marks_begin_the_next_clock(self) -> None:
        me = after(table(skills={"stealth": "d6"}, marks={"stealth": 7}), by("marks.stealth", 4))
        assert (me["skills"]["stealth"], me["marks"]["stealth"]) == ("d8", 3)

    def test_d12_has_nothing_to_learn(self) -> None:
        me = after(table(skills={"stealth": "d12"}), by("marks.stealth", 3))
        assert (me["skills"]["stealth"], me["marks"]["stealth"]) == ("d12", 0)

    def test_talent_has_its_own_clock(self) -> None:
        me = after(
            table(talents={"step": {"name": "Ghost-step", "die": "d6", "marks": 7}}), by("talents.step.marks", 1)
        )
        assert (me["talents"]["step"]["die"], me["talents"]["step"]["marks"]) == ("d8", 0)

    def test_undone_mark_takes_its_raise_back(self) -> None:
        entries = [{"id": "a.1", "t": 1, "effects": [by("marks.stealth", 6)]}, {"id": "a.2", "t": 2, "undoes": "a.1"}]
        assert Log(TOP, table(), entries[:1]).state["party"]["ilse"]["skills"]["stealth"] == "d6"
        assert Log(TOP, table(), entries).state == table()


class TestRecovery:
    def test_full_clock_eases_all_harm_of_its_sort_and_refills_the_track(self) -> None:
        hurt = [
            harm("physical", "a", "minor"),
            harm("physical", "b", "major", "strength"),
            harm("mental", "c", "severe"),
        ]
        me = after(table(health=4, resolve=5), *hurt, by("recovery.physical", 2))
        assert list(me["harms"]["physical"]) == ["b"]
        assert me["harms"]["physical"]["b"]["grade"] == "severe"
        assert me["harms"]["mental"]["c"]["grade"] == "severe"
        assert (me["health"], me["resolve"], me["recovery"]) == (12, 5, {"physical": 0, "mental": 0})

    def test_extra_segments_carry_on(self) -> None:
        me = after(table(), harm("mental", "a", "major", "wits"), by("recovery.mental", 3))
        assert (me["harms"]["mental"]["a"]["grade"], me["recovery"]["mental"]) == ("severe", 1)

    def test_new_harm_of_the_sort_empties_the_clock(self) -> None:
        state = [harm("physical", "a", "severe"), by("recovery.physical", 1)]
        assert after(table(), *state, harm("physical", "b", "minor"))["recovery"]["physical"] == 0
        assert after(table(), *state, harm("mental", "b", "minor"))["recovery"]["physical"] == 1

    def test_unhurt_character_recovers_nothing(self) -> None:
        assert after(table(), by("recovery.physical", 1))["recovery"]["physical"] == 0


class TestGear:
    def test_reliability_stops_at_its_maximum(self) -> None:
        me = after(table(gear={"rope": {"name": "Rope", "reliability": 1, "max": 3}}), by("gear.rope.reliability", 9))
        assert me["gear"]["rope"]["reliability"] == 3

    def test_supplies_end_in_one_last_use(self) -> None:
        supplies = {"oil": {"name": "Oil", "die": "d8"}}
        dice = [after(table(supplies=supplies), by("supplies.oil.die", -n))["supplies"]["oil"]["die"] for n in range(6)]
        assert dice == ["d8", "d6", "last use", "gone", "gone", "gone"]


def test_lint_reports_illegal_states() -> None:
    state = table(
        wp=8, strength="d8", marks={"force": 9}, gear={f"i{n}": {"name": "Iron", "weight": "heavy"} for n in range(3)}
    )
    lines = " ".join(GAME.lint(state))
    assert "WP 8 is above its maximum 6" in lines
    assert "health should have a maximum of 14" in lines
    assert "force has 9 marks" in lines
    assert "6 of 4 slots are used at hand" in lines


def test_created_character_is_legal() -> None:
    assert GAME.lint(start(TOP)) == ()
    assert GAME.lint(table()) == ()


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
    ends = {effect["at"].partition(".")[2] for effect in effects}
    assert {"strength", "marks.stealth", "recovery.physical", "health", "wp"} <= ends
