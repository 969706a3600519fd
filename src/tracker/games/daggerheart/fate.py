"""The GM's voice for those who play alone: yes or no on one Duality Die, tables, and what the GM does next.

None of it is an action roll: no Hope, no Fear, no countdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.rolls import FACES, OUTCOMES
from tracker.games.fortune import TABLES_AT_ONCE, ask_fate, ask_question
from tracker.games.prompts import Option, Pick, Roll
from tracker.games.sheet import Action, Oracles, Start

ASK: Final = "fate/ask"
ODDS: Final[Mapping[str, tuple[str, int]]] = {
    "almost_certain": ("almost certain", 3),
    "likely": ("likely", 5),
    "fifty_fifty": ("50/50", 7),
    "unlikely": ("unlikely", 9),
    "small_chance": ("small chance", 11),
}
"""The label of each odds, and the face of a d12 from which it is a yes."""
TABLES: Final[Mapping[str, str]] = {
    **{outcome: f"gm_{outcome.replace(' ', '_')}" for outcome in OUTCOMES},
    "opening": "gm_opening",
}
"""The table of what a GM does after each outcome, and when the table looks at them."""


def ask(table: Draft) -> Procedure:
    """Yes or no, at odds that you name; or words that spark an idea."""
    yield from ask_fate(table, ODDS, "alfus", FACES)


def gm_move(table: Draft) -> Procedure:
    """What a GM might do now, by how the last roll went."""
    yield from ask_question(table)
    after = yield Pick(
        key="after",
        title="After which roll",
        options=tuple(Option(key, key) for key in TABLES),
        default=table.state["latest"] or "opening",
        quiet=True,
    )
    oracle = table.content().oracles[TABLES[after]]
    faces = yield Roll(key="dice", title=oracle.name, dice={"fate": oracle.sides}, at_once=True)
    table.facts |= {
        "tables": [oracle.name],
        "faces": [faces["fate"]],
        "sides": [oracle.sides],
        "told": oracle.row(faces["fate"]),
    }


def oracles() -> Oracles:
    """Yes or no at five odds, and the tables."""

    def chance(yes: int) -> int:
        return round(100 * (FACES + 1 - yes) / FACES)

    questions = (
        Action(
            "",
            label,
            Start(ASK, (("choose", ["yes_no"]), ("odds", key))),
            f"yes on {yes} or more of a d12",
            (("yes", chance(yes), "good"), ("no", 100 - chance(yes), "bad")),
        )
        for key, (label, yes) in ODDS.items()
    )
    together = (("spark_action", "spark_theme"), ("scene_place", "scene_trouble"))
    besides = (Action("", "what the GM does", Start("fate/gm_move"), "A move for the GM, by how the last roll went."),)
    return Oracles(tuple(questions), Start(ASK, (("choose", ["spark"]),)), TABLES_AT_ONCE, together, besides)
