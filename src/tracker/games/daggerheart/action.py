"""Rolls of the players: actions, reactions, group rolls, Tag Team, and the GM's verdict on a secret roll."""

from __future__ import annotations

from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.legal import begin
from tracker.games.daggerheart.outcome import (
    ask_countdowns,
    at_stake,
    outcome_of,
    settle,
    spend_token,
)
from tracker.games.daggerheart.rolling import ask_difficulty, ask_trait, declared, others, rerolled, throw
from tracker.games.daggerheart.rolls import CRITICAL, told_outcome
from tracker.games.prompts import Confirm, Number
from tracker.text import shown_line

DAMAGE_MOST = 999


def roll(table: Draft) -> Procedure:
    """An action roll: pay, roll, Hope or Fear, countdowns, spotlight."""
    begin(table, "roll")
    difficulty = yield from ask_difficulty(table)
    listening = yield from ask_countdowns(table)
    trait = yield ask_trait(table, table.who, difficulty)
    meant = yield from declared(table, table.who, trait, helpers=others(table.state, table.who))
    stakes = at_stake(table, (table.who,), difficulty, listening)
    thrown = yield from rerolled(table, (yield from throw(table, meant, difficulty, stakes=stakes)))
    table.facts |= thrown.facts
    spend_token(table, table.who)
    outcome_of(table, (table.who,), table.who, thrown.lies, difficulty, listening)


def verdict(table: Draft) -> Procedure:
    """What the GM says about the last secret roll. Its countdowns waited for this; and its spotlight, with Hope."""
    begin(table, "verdict")
    by, with_hope = table.state["secret_by"], table.state["secret"] == "hope"
    name = shown_line(table.state["party"][by]["name"]) if by in table.state["party"] else "the roll"
    listening = yield from ask_countdowns(table, after=True)
    rolled = f"{table.state['secret_total']} with {'Hope' if with_hope else 'Fear'}"
    success = yield Confirm(key="success", title=f"{name} rolled {rolled}. Is that a success?")
    outcome = told_outcome(success, with_hope)
    table.to("secret", "")
    table.to("secret_by", "")
    table.to("secret_total", 0)
    table.facts |= {"outcome": outcome, "by": name}
    settle(table, outcome, listening, moved=not with_hope)


def reaction(table: Draft) -> Procedure:
    """The same dice, and nothing moves: no Hope, no Fear, no help, no countdown, no spotlight."""
    begin(table, "reaction")
    difficulty = yield from ask_difficulty(table, secret=False)
    damage = yield Number(
        key="damage", title="damage, half on a success", low=0, high=DAMAGE_MOST, default=0, quiet=True
    )
    trait = yield ask_trait(table, table.who, difficulty)
    meant = yield from declared(table, table.who, trait)
    thrown = yield from rerolled(table, (yield from throw(table, meant, difficulty, reaction=True)))
    lies, outcome = thrown.lies, thrown.lies.reaction(difficulty)
    told = {"total": lies.total, "difficulty": difficulty, "outcome": outcome, "reaction": True}
    table.facts |= {**thrown.facts, **told}
    if damage:
        left = {"failure": damage, "success": (damage + 1) // 2, CRITICAL: 0}[outcome]
        table.facts["damage"] = left
        if left:
            table.mine(f"owed.damage_{left}_physical", 1)
