"""Asking fate. The game prints no oracle; for playing alone there is one of ours, on a d6."""

from __future__ import annotations

from tracker.games.base import Draft, Procedure
from tracker.games.fortune import TABLES_AT_ONCE, ask_fate
from tracker.games.sheet import Action, Oracles, Start

ASK = "fate/ask"
ODDS = {
    "almost_certain": ("almost certain", 2),
    "likely": ("likely", 3),
    "even": ("as likely as not", 4),
    "unlikely": ("unlikely", 5),
    "small_chance": ("small chance", 6),
}
"""The face from which it is a yes."""


def ask(table: Draft) -> Procedure:
    """Yes or no, at odds that you name; or words that spark an idea."""
    yield from ask_fate(table, ODDS, "aleus", 6)


def oracles() -> Oracles:
    """Yes or no at five odds, and the tables."""
    questions = (
        Action(
            "",
            label,
            Start(ASK, (("choose", ["yes_no"]), ("odds", key))),
            f"yes on {yes} or more of a d6",
            (("yes", round(100 * (7 - yes) / 6), "good"), ("no", 100 - round(100 * (7 - yes) / 6), "bad")),
        )
        for key, (label, yes) in ODDS.items()
    )
    return Oracles(tuple(questions), Start(ASK, (("choose", ["spark"]),)), TABLES_AT_ONCE)
