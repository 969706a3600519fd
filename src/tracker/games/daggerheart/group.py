"""Rolls of several characters: group rolls and Tag Team rolls."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Option, Pick, Prompt
from tracker.games.daggerheart.action import (
    SECRET,
    RollResult,
    ask_countdowns,
    ask_difficulty,
    ask_trait,
    at_stake,
    others,
    outcome_of,
    plan_roll,
    remember,
    rerolled,
    spend_hope,
    spend_token,
    throw,
)
from tracker.games.daggerheart.attack import (
    ask_aims,
    come_out,
    named,
    strike,
    struck,
    weapon_option,
)
from tracker.games.daggerheart.derived_values import are_secret, arms, name, standing
from tracker.games.daggerheart.dice import CRITICAL, OUTCOMES, announced, in_capitals, is_dice, is_success
from tracker.games.daggerheart.harm import damage_of, deal
from tracker.games.daggerheart.state import TAG_TEAM_COST

NO_WEAPON = "none."
"""Key of the option for no weapon. No weapon has this id, because an id has no dot."""


def group(table: Draft) -> Procedure:
    """Make a group roll: the acting character rolls as leader, and those who join make reaction rolls.

    Each reaction roll that succeeds adds 1 to the leader's total, and each that fails subtracts 1. Only the leader's
    roll has consequences. Raise Refused if the leader cannot act now, nobody else can, or someone lacks the Hope for
    the chosen Experiences.
    """
    table.begin("group")
    difficulty = yield from ask_difficulty(table, secret=False)
    listening = yield from ask_countdowns(table)
    rest = [one for one in standing(table.state) if one != table.who]
    chosen = yield Choose(
        key="participants",
        title="Who joins the leader?",
        options=tuple(Option(one, name(table.state, one)) for one in rest),
        least=1,
        most=len(rest),
        default=rest,
    )
    bonus, totals = 0, {}
    rolled: list[str] = []
    for one in (one for one in rest if one in chosen):
        part = f"{one}."
        trait = yield ask_trait(table, one, difficulty, part, reaction=True)
        meant = yield from plan_roll(table, one, trait, part=part)
        thrown = yield from rerolled(table, (yield from throw(table, meant, difficulty, reaction=True)))
        lies, outcome = thrown.lies, thrown.lies.reaction(difficulty)  # a critical reaction counts as any success
        bonus += 1 if outcome != "failure" else -1
        totals[one] = lies.total
        _so_far(table, rolled, thrown, outcome, difficulty)
        table.facts["reaction"] = True
        rolled.append(f"{name(table.state, one)} {lies.total}, {outcome}")
    trait = yield ask_trait(table, table.who, difficulty, plus=bonus)
    meant = yield from plan_roll(table, table.who, trait, helpers=others(table.state, table.who), group=bonus)
    stakes = at_stake(table, (table.who,), difficulty, listening)
    thrown = yield from rerolled(table, (yield from throw(table, meant, difficulty, stakes=stakes)))
    table.facts = {**thrown.facts, "totals": totals, "rolls": rolled}
    spend_token(table, table.who)
    outcome_of(table, (table.who,), table.who, thrown.lies, difficulty, listening)
    remember(table, difficulty)


def tag_team(table: Draft) -> Procedure:
    """Make a Tag Team roll of two characters. Both roll, and the player picks the roll that counts for both.

    It is one action roll, and the damage of both is one hit. It costs 3 Hope, and is possible once a session. Raise
    Refused if the acting character cannot pay or act now, there is no partner, or someone lacks the Hope for the chosen
    Experiences.
    """
    table.begin("tag_team")
    party = table.state["party"]
    rest = [one for one in standing(table.state) if one != table.who]
    if not rest:
        raise Refused("There is no one to team up with.")
    partner = yield Pick(
        key="partner",
        title="Partner",
        options=tuple(Option(one, name(table.state, one)) for one in rest),
        default=rest[0] if len(rest) == 1 else None,
        quiet=len(rest) == 1,
    )
    aims = yield from ask_aims(table)
    concealed = bool(aims) and are_secret(table.state)
    difficulty = yield from ask_difficulty(
        table, default=min(aims.values()) if aims else None, secret=False, concealed=concealed
    )
    shown = SECRET if concealed else difficulty
    listening = yield from ask_countdowns(table)
    spend_hope(table, table.who, TAG_TEAM_COST)
    table.to(f"{table.who}.tag_team", True)
    both = (table.who, partner)
    lie: dict[str, RollResult] = {}
    armed: dict[str, Mapping[str, Any]] = {}
    told: dict[str, str] = {}
    for one in both:
        part = f"{one}."
        weapon = (yield from _ask_weapon(table, one, part)) if aims else None
        if weapon:
            armed[one] = weapon
            come_out(table, one)
        trait = weapon["trait"] if weapon else (yield ask_trait(table, one, shown, part))
        helpers = others(table.state, *both)
        meant = yield from plan_roll(table, one, trait, part=part, helpers=helpers, targets=aims)
        stakes = at_stake(table, both, difficulty, listening)
        against = named(table, aims, difficulty)
        thrown = yield from throw(table, meant, difficulty, stakes=stakes, against=against, concealed=concealed)
        thrown = lie[one] = yield from rerolled(table, thrown)
        came = thrown.lies.outcome(difficulty)
        _so_far(table, list(told.values()), thrown, came, shown)
        told[one] = f"{name(table.state, one)} {announced(thrown.lies.total, came)}"
    counts = yield Pick(
        key="choose",
        title="Whose roll counts for both?",
        options=tuple(
            Option(
                one,
                name(table.state, one),
                f"{each.lies.total}, {in_capitals(each.lies.outcome(difficulty))}",
                hot=str(n),
            )
            for n, (one, each) in enumerate(lie.items(), 1)
        ),
        default=min(lie, key=lambda one: OUTCOMES.index(lie[one].lies.outcome(difficulty))),
    )
    thrown, lies = lie[counts], lie[counts].lies
    table.facts = {**thrown.facts, "team": [party[one]["name"] for one in both], "counts": party[counts]["name"]}
    table.facts["rolls"] = [words for one, words in told.items() if one != counts]
    table.facts["paid"] = TAG_TEAM_COST + thrown.facts.get("paid", 0)
    for one in both:
        spend_token(table, one)
    outcome = outcome_of(table, both, counts, lies, difficulty, listening, concealed=concealed)
    if not aims:
        remember(table, difficulty)
    if not is_success(outcome):
        return
    if hits := struck(aims, difficulty, lies):
        yield from _one_hit(table, hits, armed, critical=outcome == CRITICAL)
    if "felt" not in table.facts:
        table.facts["told"] = "on an attack both roll damage, as one hit"


def _ask_weapon(table: Draft, who: str, part: str) -> Generator[Prompt, Answer, Mapping[str, Any] | None]:
    """Ask for the weapon of a member of the team; return its record, or None if the member does not attack with one.

    `part` is the prefix of the prompt's key.
    """
    me = table.state["party"][who]
    weapons = arms(me)
    chosen = yield Pick(
        key=f"{part}weapon",
        title=f"What does {name(table.state, who)} attack with?",
        options=(
            *(weapon_option(ident, one) for ident, one in weapons.items()),
            Option(NO_WEAPON, "something else", "any trait, no damage here"),
        ),
        default=next(iter(weapons)),
    )
    return weapons.get(chosen)


def _one_hit(table: Draft, hits: list[str], armed: Mapping[str, Mapping[str, Any]], *, critical: bool) -> Procedure:
    """Roll damage for each member who has a weapon, and deal the sum as one hit to each adversary in `hits`.

    `armed` maps a member's id to the weapon. If the damage types differ, ask which one counts. Do nothing if no weapon
    has damage dice. Raise Refused if the damage of a weapon cannot be parsed.
    """
    total, rolled = 0, []
    dealt = {one: weapon for one, weapon in armed.items() if is_dice(weapon["damage"])}
    for one, weapon in dealt.items():
        proficiency = table.state["party"][one]["proficiency"]
        part = f"{one}."
        dealt_by = yield from deal(weapon["damage"], proficiency, part, f"{name(table.state, one)}: ")
        total += yield from damage_of(table, dealt_by, critical=critical, part=part)
        rolled.append(f"{table.facts['rolled']} = {table.facts['damage_total']}")
    if not dealt:
        return
    table.facts |= {"rolled": " and ".join(rolled) if len(rolled) > 1 else table.facts["rolled"], "damage_total": total}
    sorts = list(dict.fromkeys(weapon["type"] for weapon in dealt.values()))
    sort = sorts[0]
    if len(sorts) > 1:
        sort = yield Pick(
            key="type",
            title=f"{total} damage in one hit: which type?",
            options=tuple(Option(one, one, hot=one[0]) for one in sorts),
        )
    yield from strike(table, hits, total, sort)


def _so_far(table: Draft, before: list[str], thrown: RollResult, outcome: str, difficulty: int) -> None:
    """Put the roll `thrown` in place of all facts, so that its card is shown while others still have to roll.

    `before` describes the earlier rolls in words. `difficulty` is the one to show, 0 for a secret one.
    """
    table.facts = {**thrown.facts, "roller": table.state["party"][thrown.roll.who]["name"], "rolls": list(before)}
    table.facts |= {"total": thrown.lies.total, "difficulty": difficulty, "outcome": outcome}
