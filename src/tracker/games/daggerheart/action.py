"""Rolls of the players: actions, reactions, group rolls, Tag Team, and the GM's verdict on a secret roll."""

from __future__ import annotations

from collections.abc import Generator

from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.beings import standing
from tracker.games.daggerheart.legal import TAG_TEAM_COST, begin
from tracker.games.daggerheart.outcome import (
    ask_countdowns,
    at_stake,
    outcome_of,
    settle,
    spend_hope,
    spend_token,
)
from tracker.games.daggerheart.rolling import ask_difficulty, ask_trait, declared, throw
from tracker.games.daggerheart.rolls import CRITICAL, Duality, is_success, told_outcome
from tracker.games.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Refused
from tracker.text import shown_line

DAMAGE_MOST = 999


def roll(table: Draft) -> Procedure:
    """An action roll: pay, roll, Hope or Fear, countdowns, spotlight."""
    begin(table, "roll")
    difficulty = yield ask_difficulty(table)
    listening = yield from ask_countdowns(table)
    trait = yield ask_trait(table, table.who, difficulty)
    meant = yield from declared(table, table.who, trait)
    stakes = at_stake(table, (table.who,), difficulty, listening)
    lies = yield from throw(table, meant, difficulty, stakes=stakes)
    table.facts |= meant.facts
    spend_token(table, table.who)
    outcome_of(table, (table.who,), table.who, lies, difficulty, listening)


def verdict(table: Draft) -> Procedure:
    """What the GM says about the last secret roll: its countdowns and its spotlight were held back for this."""
    begin(table, "verdict")
    by, with_hope = table.state["secret_by"], table.state["secret"] == "hope"
    name = shown_line(table.state["party"][by]["name"]) if by in table.state["party"] else "the roll"
    listening = yield from ask_countdowns(table, after=True)
    success = yield Confirm(key="success", title=f"Did {name} succeed, with {'Hope' if with_hope else 'Fear'}?")
    outcome = told_outcome(success, with_hope)
    table.to("secret", "")
    table.to("secret_by", "")
    table.facts |= {"outcome": outcome, "by": name}
    settle(table, outcome, listening)


def reaction(table: Draft) -> Procedure:
    """The same dice, and nothing moves: no Hope, no Fear, no help, no countdown, no spotlight."""
    begin(table, "reaction")
    difficulty = yield ask_difficulty(table, secret=False)
    damage = yield Number(
        key="damage", title="damage, half on a success", low=0, high=DAMAGE_MOST, default=0, quiet=True
    )
    trait = yield ask_trait(table, table.who, difficulty)
    meant = yield from declared(table, table.who, trait, can_help=False)
    lies = yield from throw(table, meant, difficulty, reaction=True)
    outcome = lies.reaction(difficulty)
    table.facts |= {**meant.facts, "total": lies.total, "difficulty": difficulty, "outcome": outcome, "reaction": True}
    if damage:
        left = {"failure": damage, "success": (damage + 1) // 2, CRITICAL: 0}[outcome]
        table.facts["damage"] = left
        if left:
            table.mine(f"owed.damage_{left}_physical", 1)


def group(table: Draft) -> Procedure:
    """Everybody else reacts, +1 or -1 each; then the leader rolls, and only that roll counts."""
    begin(table, "group")
    difficulty = yield ask_difficulty(table, secret=False)
    listening = yield from ask_countdowns(table)
    others = [one for one in standing(table.state) if one != table.who]
    party = table.state["party"]
    chosen = yield Choose(
        key="participants",
        title="Who takes part, besides the leader",
        options=tuple(Option(one, shown_line(party[one]["name"])) for one in others),
        least=1,
        most=len(others),
        default=others,
    )
    bonus, totals = 0, {}
    for one in (one for one in others if one in chosen):
        lies = yield from _one_of(table, one, difficulty)
        bonus += 1 if lies.reaction(difficulty) != "failure" else -1
        totals[one] = lies.total
    trait = yield ask_trait(table, table.who, difficulty)
    meant = yield from declared(table, table.who, trait, plus=bonus)
    lies = yield from throw(table, meant, difficulty, stakes=at_stake(table, (table.who,), difficulty, listening))
    table.facts |= {**meant.facts, "bonus": bonus, "totals": totals}
    spend_token(table, table.who)
    outcome_of(table, (table.who,), table.who, lies, difficulty, listening)


def _one_of(table: Draft, who: str, difficulty: int) -> Generator[Prompt, Answer, Duality]:
    """The reaction roll of one who takes part: a critical is a success like another."""
    part = f"{who}."
    trait = yield ask_trait(table, who, difficulty, part)
    meant = yield from declared(table, who, trait, part=part, can_help=False)
    return (yield from throw(table, meant, difficulty, reaction=True))


def tag_team(table: Draft) -> Procedure:
    """Both roll, one roll counts for both, and the other never was: one action roll in all."""
    begin(table, "tag_team")
    party = table.state["party"]
    others = [one for one in standing(table.state) if one != table.who]
    if not others:
        raise Refused("There is nobody to team up with.")
    partner = yield Pick(
        key="partner",
        title="With whom",
        options=tuple(Option(one, shown_line(party[one]["name"])) for one in others),
        default=others[0] if len(others) == 1 else None,
        quiet=len(others) == 1,
    )
    difficulty = yield ask_difficulty(table, secret=False)
    listening = yield from ask_countdowns(table)
    spend_hope(table, table.who, TAG_TEAM_COST)
    table.to(f"{table.who}.tag_team", True)
    both = (table.who, partner)
    rolled = {}
    for one in both:
        part = f"{one}."
        trait = yield ask_trait(table, one, difficulty, part)
        meant = yield from declared(table, one, trait, part=part, can_help=False)
        stakes = at_stake(table, both, difficulty, listening)
        rolled[one] = (yield from throw(table, meant, difficulty, stakes=stakes)), meant.facts
    counts = yield Pick(
        key="choose",
        title="Whose roll counts for both",
        options=tuple(
            Option(one, shown_line(party[one]["name"]), f"{lies.total}, {lies.outcome(difficulty)}", hot=str(n))
            for n, (one, (lies, _)) in enumerate(rolled.items(), 1)
        ),
    )
    lies, facts = rolled[counts]
    table.facts |= {**facts, "team": [party[one]["name"] for one in both], "counts": party[counts]["name"]}
    table.facts["paid"] = TAG_TEAM_COST + facts.get("paid", 0)
    for one in both:
        spend_token(table, one)
    outcome = outcome_of(table, both, counts, lies, difficulty, listening)
    table.to("critical", outcome == CRITICAL)
    if is_success(outcome):
        table.facts["told"] = "on an attack both roll damage, and it is one hit"
