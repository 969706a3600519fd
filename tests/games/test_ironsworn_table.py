"""Limits and triggers of Ironsworn's state: which changes bring others with them."""

from pathlib import Path
from typing import Any

import pytest

from tracker import games
from tracker.campaign.fold import apply, complete, fold, start
from tracker.campaign.log import Log
from tracker.games.ironsworn.state import TOP
from tracker.saves.save import Save

GOLDEN = Path(__file__).parent / "rules-1.toml"


def table(**mine: Any) -> Any:
    """Return a state with Kara, who has these numbers, and Ana beside her."""
    kara = {"at": "party", "add": {"id": "kara", "name": "Kara", **mine}}
    return fold(TOP, start(TOP), [kara, {"at": "party", "add": {"id": "ana", "name": "Ana"}}])


def after(state: Any, *effects: dict[str, Any]) -> Any:
    return fold(TOP, state, effects)


def by(at: str, points: int) -> dict[str, Any]:
    return {"at": at, "by": points}


def mark(who: str, debility: str) -> dict[str, Any]:
    return {"at": f"{who}.debilities", "add": {"id": debility}}


class TestLosses:
    @pytest.mark.parametrize("track", ["health", "spirit"])
    def test_harm_beyond_health_costs_momentum(self, track: str) -> None:
        kara = after(table(**{track: 2, "momentum": 3}), by(f"kara.{track}", -5))["party"]["kara"]
        assert (kara[track], kara["momentum"], kara["setback"]) == (0, 0, 0)

    def test_momentum_below_minus_6_becomes_setback(self) -> None:
        kara = after(table(health=1, momentum=-5), by("kara.health", -4))["party"]["kara"]
        assert (kara["health"], kara["momentum"], kara["setback"]) == (0, -6, 2)

    def test_every_lost_point_is_counted_somewhere(self) -> None:
        for points in range(1, 20):
            before = table(health=3, momentum=2)
            kara = after(before, by("kara.health", -points))["party"]["kara"]
            assert (3 - kara["health"]) + (2 - kara["momentum"]) + kara["setback"] == points

    def test_empty_supply_makes_everybody_unprepared(self) -> None:
        state = after(table(momentum=10), by("supply", -5))
        assert all("unprepared" in who["debilities"] for who in state["party"].values())
        assert state["party"]["kara"]["momentum"] == 9
        assert [who["out_of_supply"] for who in state["party"].values()] == [0, 0]

    def test_supply_lost_below_0_is_due_for_everybody(self) -> None:
        state = after(table(), by("supply", -7))
        assert [who["out_of_supply"] for who in state["party"].values()] == [2, 2]

    def test_dead_characters_owe_no_supply(self) -> None:
        state = after(table(status="dead"), by("supply", -7))
        assert (state["party"]["kara"]["debilities"], state["party"]["kara"]["out_of_supply"]) == ({}, 0)


class TestGains:
    @pytest.mark.parametrize(
        ("debility", "at"), [("wounded", "kara.health"), ("shaken", "kara.spirit"), ("unprepared", "supply")]
    )
    def test_condition_blocks_its_track(self, debility: str, at: str) -> None:
        state = after(table(health=2, spirit=2), {"at": "supply", "to": 2}, mark("kara", debility))
        assert after(state, by(at, 2)) == state

    def test_momentum_stops_at_its_maximum(self) -> None:
        state = after(table(momentum=7), mark("kara", "maimed"), mark("kara", "cursed"), by("kara.momentum", 5))
        assert state["party"]["kara"]["momentum"] == 8

    def test_gain_never_lowers_a_value(self) -> None:
        state = after(table(), mark("kara", "maimed"), {"at": "kara.momentum", "to": 10}, by("kara.momentum", 1))
        assert state["party"]["kara"]["momentum"] == 10


class TestDebilities:
    def test_new_debility_lowers_momentum_to_the_new_maximum(self) -> None:
        assert after(table(momentum=10), mark("kara", "wounded"))["party"]["kara"]["momentum"] == 9

    def test_cleared_debility_raises_only_the_maximum(self) -> None:
        state = after(table(momentum=10), mark("kara", "wounded"), {"at": "kara.debilities", "drop": "wounded"})
        assert state["party"]["kara"]["momentum"] == 9

    def test_undone_debility_restores_momentum(self) -> None:
        """An inverse effect would leave 9; the state is always folded again."""
        entries = [{"id": "a.1", "t": 1, "effects": [mark("kara", "wounded")]}, {"id": "a.2", "t": 2, "undoes": "a.1"}]
        assert Log(TOP, table(momentum=10), entries[:1]).state["party"]["kara"]["momentum"] == 9
        assert Log(TOP, table(momentum=10), entries).state == table(momentum=10)

    def test_same_debility_cannot_be_marked_twice(self) -> None:
        once = after(table(momentum=10), mark("kara", "maimed"))
        assert after(once, mark("kara", "maimed")) == once

    @pytest.mark.parametrize(("count", "reset"), [(0, 2), (1, 1), (2, 0), (5, 0)])
    def test_burn_resets_momentum_by_their_number(self, count: int, reset: int) -> None:
        names = ["maimed", "cursed", "encumbered", "corrupted", "tormented"][:count]
        state = after(table(), *(mark("kara", name) for name in names), {"at": "kara.momentum", "to": "reset"})
        assert state["party"]["kara"]["momentum"] == reset


class TestSetValue:
    def test_set_value_ignores_rules_and_triggers(self) -> None:
        state = after(table(), {"at": "supply", "to": 0}, mark("kara", "maimed"), {"at": "kara.momentum", "to": 10})
        assert state["party"]["kara"]["momentum"] == 10
        assert "unprepared" not in state["party"]["ana"]["debilities"]

    @pytest.mark.parametrize("value", [11, -7, True, 4.0, "4", "fast"])
    def test_set_value_stays_within_the_schema(self, value: object) -> None:
        assert after(table(), {"at": "kara.momentum", "to": value}) == table()


def test_track_stops_at_forty_ticks() -> None:
    vow = {"at": "tracks", "add": {"id": "oath", "name": "Oath", "kind": "vow", "ticks": 36}}
    state = after(table(), vow, by("tracks.oath.ticks", 12))
    assert state["tracks"]["oath"]["ticks"] == 40
    assert after(state, by("tracks.oath.ticks", -90))["tracks"]["oath"]["ticks"] == 0


def test_lint_reports_illegal_states() -> None:
    state = after(
        table(edge=4), mark("kara", "maimed"), {"at": "kara.momentum", "to": 10}, {"at": "kara.spent", "to": 3}
    )
    lines = " ".join(games.get("ironsworn").lint(state))
    assert "momentum 10 is above its maximum 9" in lines
    assert "3 experience spent, but only 0 earned" in lines


def test_effect_on_nobody_is_idle() -> None:
    assert apply(TOP, table(), by("nobody.health", -1)) == table()


def test_rules_1_save_folds_to_the_same_state() -> None:
    """A save of that time. If this fails, the new rules need a new number; a new field alone does not."""
    save = Save.open(str(GOLDEN), write=False)
    log = Log(TOP, start(TOP), [block.entry for block in save.blocks])
    assert (save.head.rules, games.get("ironsworn").rules) == (1, 2)
    assert log.state == complete(TOP, save.head.state)


def test_rules_2_save_folds_to_the_same_state() -> None:
    """Assets with meters, boxes, questions, six abilities and things used once; one is shared by the party."""
    save = Save.open(str(GOLDEN.with_name("rules-2.toml")), write=False)
    log = Log(TOP, start(TOP), [block.entry for block in save.blocks])
    assert save.head.rules == games.get("ironsworn").rules == 2
    assert log.state == complete(TOP, save.head.state)
    assert log.state["party"]["ana"]["assets"]["lantern"]["meters"]["debt"]["value"] == -3


def test_rules_1_save_has_every_kind_of_effect() -> None:
    entries = [block.entry for block in Save.open(str(GOLDEN), write=False).blocks]
    effects = [effect for entry in entries for effect in entry.get("effects", [])]
    assert {form for effect in effects for form in effect} == {"at", "by", "to", "add", "drop"}
    assert {"at": "kara.momentum", "to": "reset"} in effects
    assert all(any(key in entry for entry in entries) for key in ("open", "closes", "undoes"))
