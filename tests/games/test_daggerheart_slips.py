"""Mistakes that other tools for Daggerheart make again and again."""

from pathlib import Path
from typing import Any

import pytest
from tests.games.daggerheart_table import campaign, play
from tests.games.wherever_table import go

from tracker.campaign.session import Session
from tracker.games.api.errors import Refused


def numbers(table: Session, who: str = "wren") -> tuple[Any, ...]:
    me = table.state["party"][who]
    return me["hope"], me["stress"], table.state["fear"], table.state["spotlight"]


def test_failure_with_hope_gives_hope_and_no_fear(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        told = play(table, "action/roll", trait="presence", difficulty=20, dice={"hope": 9, "fear": 4})["facts"]
        assert told["outcome"] == "failure with hope"
        assert numbers(table) == (5, 0, 3, "gm")


def test_attack_hits_by_total_and_not_by_the_higher_die(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        missed = play(table, "action/attack", targets=["wolf"], dice={"hope": 8, "fear": 1})["facts"]
        assert missed["outcome"] == "failure with hope"
        assert table.state["adversaries"]["wolf"]["hp"] == 0
        hit = play(table, "action/attack", targets=["wolf"], dice={"hope": 4, "fear": 9}, damage={"damage": [5]})[
            "facts"
        ]
        assert hit["outcome"] == "success with fear"
        assert table.state["adversaries"]["wolf"]["hp"] == 2


@pytest.mark.parametrize("faces", [(9, 3), (3, 9), (6, 6)])
def test_reaction_gives_no_hope_or_fear_and_clears_no_stress(faces: tuple[int, int], tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        table.do("change", [{"at": "wren.stress", "by": 2}])
        before = numbers(table)
        play(table, "action/reaction", trait="agility", dice={"hope": faces[0], "fear": faces[1]})
        assert numbers(table) == before
        assert table.state["countdowns"]["pack"]["value"] == 6


def test_two_experiences_cost_two_hope_before_the_roll(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        run = go(table, table.begin("action/roll", "wren"), trait="agility", experiences=["guide", "lie"])
        assert run.draft.me["hope"] == 2
        go(table, run, dice={"hope": 4, "fear": 9})
        table.finish(run)
        assert numbers(table)[0] == 2


def test_tag_team_costs_three_hope_and_gives_two_fear(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        play(
            table,
            "action/tag_team",
            partner="boro",
            targets=[],
            difficulty=12,
            choose="wren",
            **{
                "wren.trait": "agility",
                "wren.dice": {"hope": 3, "fear": 9},
                "boro.trait": "strength",
                "boro.dice": {"hope": 9, "fear": 3},
            },
        )
        assert numbers(table) == (1, 0, 5, "gm")
        assert table.state["party"]["boro"]["hope"] == 2


def test_reroll_leaves_nothing_of_the_old_result(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        play(
            table,
            "action/roll",
            trait="agility",
            difficulty=12,
            dice={"hope": 2, "fear": 9},
            reroll=["fear"],
            reroll_dice={"fear": 1},
        )
        assert numbers(table) == (5, 0, 3, "gm")


def test_single_hit_cannot_mark_three_armor_slots(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        run = table.begin("harm/take", "wren")
        run.answer(20)
        for slots in ("slot_2", "slot_3"):
            with pytest.raises(Refused):
                run.answer(slots)
        run.answer("slot_1")
        table.finish(run)
        wren = table.state["party"]["wren"]
        assert (wren["armor"], wren["hp"]) == (1, 2)


def test_scar_lowers_the_maximum_of_hope(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        table.do("change", [{"at": "wren.hope", "by": 9}, {"at": "wren.hp", "by": 6}])
        play(table, "harm/death_move", choose="avoid_death", dice={"hope": 1})
        wren = table.state["party"]["wren"]
        assert (wren["hope"], wren["hope_max"], wren["scars"]) == (5, 5, 1)
        play(table, "sheet/clear", hp=1)
        play(table, "action/roll", trait="agility", difficulty=5, dice={"hope": 9, "fear": 1})
        assert table.state["party"]["wren"]["hope"] == 5


def test_risk_it_all_with_equal_dice_clears_everything(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        table.do("change", [{"at": "wren.stress", "by": 4}, {"at": "wren.hp", "by": 6}])
        play(table, "harm/death_move", choose="risk_it_all", dice={"hope": 6, "fear": 6})
        wren = table.state["party"]["wren"]
        assert (wren["hp"], wren["stress"], wren["down"], wren["status"]) == (0, 0, "", "alive")
