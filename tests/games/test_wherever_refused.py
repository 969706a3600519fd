"""What cannot be done in Wherever We Go is refused in one sentence; the state and rolled dice stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.games.wherever_table import GAME, campaign, go

from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Spread

LYING = {
    "skill": "stealth",
    "push": True,
    "dice": {"attribute": 4, "skill": 5, "stress": [1, 6]},
    "gamble": True,
    "gamble_dice": {"attribute": 10, "skill": 2, "stress": [1, 6]},
}
"""Two banes, so that four damage is to be spread: Ilse's lantern has two points left."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with campaign(tmp_path) as session:
        yield session


def one_sentence(reason: object) -> bool:
    said = str(reason)
    return said.endswith(".") and ". " not in said and "\n" not in said


class TestShares:
    @pytest.fixture
    def run(self, table: Session) -> Run:
        run = go(table, table.begin("action/roll", "ilse"), **LYING)
        assert isinstance(run.prompt, Spread)
        return run

    @pytest.mark.parametrize(
        ("shares", "why"),
        [
            ({}, "Assign 4 points in all, not 0."),
            ({"health": 3}, "Assign 4 points in all, not 3."),
            ({"health": 3, "resolve": 2}, "Assign 4 points in all, not 5."),
            ({"lantern": 3, "health": 1}, "Storm lantern takes at most 2, not 3."),
            ({"health": 5}, "Health takes at most 4, not 5."),
            ({"health": 5, "resolve": -1}, "Health takes at most 4, not 5."),
            ({"resolve": -1, "health": 4}, "Resolve: -1 is not a number of points."),
            ({"ladder": 4}, "“ladder” isn't an option"),
            ({"oren.wits": 4}, "“oren.wits” isn't an option"),
        ],
    )
    def test_invalid_shares_are_refused(self, table: Session, run: Run, shares: dict[str, int], why: str) -> None:
        before, lying = table.state, run.draft.facts["stress_dice"]
        with pytest.raises(Refused) as reason:
            run.answer(shares)
        assert str(reason.value).lower().startswith(why.lower())
        assert one_sentence(reason.value)
        assert table.state == before
        assert run.draft.facts["stress_dice"] == lying == [1, 1, 6]
        assert isinstance(run.prompt, Spread)
        run.answer({"lantern": 2, "other": 2})
        assert run.prompt is None


class TestRoll:
    @pytest.mark.parametrize(
        ("given", "key", "value", "why"),
        [
            ({"stress": 0}, "push", True, "Push: stress is 0."),
            ({"wp": 0}, "push", True, "Push: no WP left."),
            ({}, "talent", "swordplay", "“swordplay” isn't an option"),
            ({}, "help", ["ilse"], "“ilse” isn't an option"),
            ({}, "help", ["oren", "oren"], "You can't choose the same thing twice."),
            ({}, "bonus", -1, "Type a number from 0 to 20."),
            ({}, "penalty", 1, "Type a number from -20 to 0."),
        ],
    )
    def test_impossible_declaration_is_refused_before_the_roll(
        self, table: Session, given: dict[str, int], key: str, value: Any, why: str
    ) -> None:
        table.do("edit", [{"at": f"ilse.{name}", "to": n} for name, n in given.items()])
        table.do("edit", [{"at": "ilse.talents", "add": {"id": "dance", "name": "Dance"}}])
        run = table.begin("action/roll", "ilse", {"skill": "stealth"})
        before, asked = table.state, run.prompt
        with pytest.raises(Refused) as reason:
            run.revise(key, value)
        assert str(reason.value).startswith(why)
        assert one_sentence(reason.value)
        assert (table.state, run.prompt) == (before, asked)

    def test_second_gamble_is_refused_by_default(self, table: Session) -> None:
        run = go(table, table.begin("action/roll", "ilse"), **LYING)
        before = table.state
        with pytest.raises(Refused, match="Gamble: once per roll, unless the GM allows more"):
            run.revise("second_gamble", True)
        assert table.state == before
        assert run.draft.facts["stress_dice"] == [1, 1, 6]
        run.revise("gamble_limit", 2)
        run.revise("second_gamble", True)
        assert run.prompt
        assert run.prompt.key == "second_gamble_dice"

    def test_unknown_skill_is_refused(self, table: Session) -> None:
        before = table.state
        with pytest.raises(Refused, match="“swimming” isn't an option"):
            table.begin("action/roll", "ilse").answer("swimming")
        assert table.state == before

    @pytest.mark.parametrize(
        "faces", [{"attribute": 11, "skill": 2}, {"attribute": 0, "skill": 2}, {"attribute": 4}, {"talent": 3}]
    )
    def test_impossible_faces_are_refused(self, table: Session, faces: dict[str, int]) -> None:
        run = table.begin("action/roll", "ilse", {"skill": "stealth"})
        before = table.state
        with pytest.raises(Refused):
            table.rolled(run, faces)
        assert table.state == before
        assert not list(table.log.open_runs())


@pytest.mark.parametrize(
    ("what", "die"), [("strength", "0"), ("strength", "d4"), ("stealth", "d4"), ("stealth", "d20")]
)
def test_die_off_the_ladder_is_refused(table: Session, what: str, die: str) -> None:
    before = table.state
    run = table.begin("sheet/rate", "ilse", {"what": what})
    with pytest.raises(Refused, match=f"“{die}” isn't an option"):
        run.answer(die)
    assert table.state == before
    assert GAME.lint(table.state) == GAME.lint(before)
