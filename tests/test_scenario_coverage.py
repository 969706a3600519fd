"""Every row of the table of options has its scenarios: every option, every key, every outcome of every roll."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.runner import scenarios

from tracker import games

FOLDER = Path(__file__).parent / "scenarios"
OUTCOMES = ("strong hit", "weak hit", "miss")
Step = dict[str, Any]


@dataclass(frozen=True)
class Row:
    move: str
    roll: str
    outcome: str
    choose: str
    options: tuple[str, ...]
    keys: tuple[str, ...]
    """Keys of a step that the row speaks of, besides its options."""

    def __str__(self) -> str:
        return f"{self.move}, {self.outcome}"


def table(text: str) -> list[Row]:
    rows: list[Row] = []
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines() if "|" in line]
    for move, roll, when, choose, said in cells[2:]:
        if said == "the same":
            options, keys = rows[-1].options, rows[-1].keys
        else:
            parts = [part.strip() for part in said.split(";")]
            options = tuple(part.split("`")[1] for part in parts if part.startswith("`"))
            keys = tuple(name for name in re.findall(r"`(\w+)`", f"{roll} {said}") if name not in options)
        rows.append(Row(move, roll, when.split(",")[0], choose, options, keys))
    return rows


def outcome(step: Step) -> str:
    told: str = step.get("expect", {}).get("outcome", "no roll")
    return told


def picks(step: Step) -> set[str]:
    """Return what the character who rolls picks, and what all others in the party pick."""
    return {key for one in (step, *step.get("others", {}).values()) for key in one.get("choose", [])}


def missing(row: Row, steps: Iterable[Step]) -> list[str]:
    """Return what the row speaks of and no step shows."""
    of_move = [step for step in steps if step["move"] == row.move]
    fitting = of_move if row.outcome == "–" else [step for step in of_move if outcome(step) == row.outcome]
    found = [key for key in row.options if not any(key in picks(step) for step in fitting)]
    found += [key for key in row.keys if not any(key in step for step in of_move)]
    if row.choose.startswith("up to") and all(picks(step) for step in fitting):
        found.append("nothing chosen")
    return found if fitting else [*found, "the move itself"]


ROWS = table((FOLDER / "OPTIONS.md").read_text(encoding="utf-8"))
ROLLING = sorted({row.move for row in ROWS if row.roll != "none"})
MOVES: list[Step] = [
    step
    for path in sorted(FOLDER.glob("*.toml"))
    for scenario in scenarios(path)
    if scenario["game"] == "ironsworn"
    for step in scenario["step"]
    if step["do"] == "move" and not step.get("expect", {}).get("refused")
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_option_of_the_row_is_played(row: Row) -> None:
    assert not missing(row, MOVES), f"{row}: no scenario for {', '.join(missing(row, MOVES))}"


@pytest.mark.parametrize("move", ROLLING)
def test_every_outcome_of_the_roll_is_played(move: str) -> None:
    played = {outcome(step) for step in MOVES if step["move"] == move}
    assert played >= set(OUTCOMES), f"{move}: no scenario for {', '.join(sorted(set(OUTCOMES) - played))}"


def test_every_move_of_the_game_has_a_row() -> None:
    by_hand = {"by hand", "character", "story", "notes", "packs"}
    moves = {move.id.rpartition("/")[2] for move in games.get("ironsworn").moves.values() if move.group not in by_hand}
    assert {row.move for row in ROWS} == moves
    assert len(moves) == 35


def test_every_step_that_rolls_says_its_outcome() -> None:
    assert all(outcome(step) in OUTCOMES for step in MOVES if "challenge" in step.get("dice", {}))


def test_row_that_nobody_plays_is_reported_in_full() -> None:
    text = "| move | roll | outcome | choose | options |\n|---|---|---|---|---|\n"
    first, second = table(
        text + "| leap | +edge | weak hit | up to 1 | `far` momentum −1; `high`. With `rank`: nothing |\n"
        "| leap | +edge | miss, health 0 | 1 | the same |"
    )
    hit: Step = {"move": "leap", "choose": ["far"], "expect": {"outcome": "weak hit"}}
    miss: Step = {**hit, "rank": "epic", "expect": {"outcome": "miss"}, "others": {"bo": {"choose": ["high"]}}}
    assert missing(first, []) == ["far", "high", "rank", "nothing chosen", "the move itself"]
    assert missing(first, [hit]) == ["high", "rank", "nothing chosen"]
    assert missing(second, [hit]) == ["far", "high", "rank", "the move itself"]
    assert missing(second, [hit, miss]) == []
