"""Suggested moves, due items and oracles."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.schema import State
from tracker.games.api.view import Action, DueItem, Oracles, Start, numbered
from tracker.games.common.members import living
from tracker.games.common.oracle import TABLES_AT_ONCE, ask_fate, fate_questions
from tracker.games.wherever.action import as_it_stands
from tracker.games.wherever.availability import why_not
from tracker.games.wherever.dice import chances, shown_odds
from tracker.games.wherever.moves import MOVES, owed_label
from tracker.games.wherever.state import ATTRIBUTE_OF, harms_of, misplaced

SKILLS = 3
"""Number of skills that are suggested."""


def now(state: State, who: str) -> tuple[Action, ...]:
    """Return the suggested moves of the character `who`: the best skills, then others that fit the sheet.

    Those that cannot be made now come last, with the reason.
    """
    actions = sorted((*_skills(state, who), *_needs(state, who)), key=lambda action: bool(action.reason))
    return numbered(actions)


def chance_told(state: State) -> tuple[str, ...]:  # noqa: ARG001
    """Return ways to say what the percentage beside a skill means, longest first."""
    return ("% = odds of a mixed success or better", "% = odds of 1 edge or more")


def _skills(state: State, who: str) -> Iterator[Action]:
    me, reason = state["party"][who], why_not(state, who, "roll")
    pools = {skill: as_it_stands(me, skill, [me["situation"]]) for skill in ATTRIBUTE_OF}

    def hopeless(skill: str) -> float:
        counted = chances(pools[skill])
        return counted.outcomes[0] / counted.total

    for skill in sorted(pools, key=hopeless)[:SKILLS]:
        pool = pools[skill]
        note = " + ".join(pool[:2])
        start = Start("action/roll", (("skill", skill),))
        yield Action("", skill.capitalize(), start, note, shown_odds(chances(pool)), reason)


def _needs(state: State, who: str) -> Iterator[Action]:
    me = state["party"][who]
    yield _of(state, who, "action/attack", "")
    if len(living(state)) > 1:
        yield _of(state, who, "action/group", "one for all")
    yield _of(state, who, "after/consequence", "what it costs")
    yield _of(state, who, "after/benefit", "what it brings")
    if me["stress"] or any(harms_of(me).values()):
        yield _of(state, who, "montage/montage", f"stress {me['stress']}" if me["stress"] else "recover")
    if any(not harm["name"] or misplaced(harm) for harms in harms_of(me).values() for harm in harms.values()):
        yield _of(state, who, "sheet/name_harm", "and what it affects")
    if me["supplies"]:
        yield _of(state, who, "gear/use_supply", "")


def _of(state: State, who: str, move: str, note: str) -> Action:
    return Action("", MOVES[move].name, Start(move), note, (), why_not(state, who, move))


def rolls(state: State, who: str) -> tuple[Action, ...]:
    """Return the actions that always have a button. One that cannot be made now has a reason."""
    return (
        Action("r", "Roll", Start("action/roll"), reason=why_not(state, who, "roll")),
        Action("v", "Opposed roll", Start("action/opposed"), reason=why_not(state, who, "opposed")),
        Action("o", "Oracle", Start("fate/ask"), opens="oracle"),
    )


def owed(state: State, who: str) -> tuple[DueItem, ...]:
    """Return the due items of the character `who`: saves, hits and injuries.

    An item that is due several times is returned as often.
    """
    due = state["party"][who]["owed"]
    return tuple(DueItem(owed_label(name), "", _settles(name)) for name, many in due.items() for _ in range(many))


def _settles(name: str) -> Start:
    stem, _, more = name.rpartition("_")
    if stem == "broken_save" and more.isdigit():
        return Start("harm/broken_save", (("damage", int(more)),))
    if stem == "hit" and more.isdigit():
        return Start("harm/hit", (("more", int(more)),))
    if name == "permanent_injury":
        return Start("harm/injury")
    return Start("owed/strike_off", (("owed", name),))


ASK = "fate/ask"

FATE_SIDES = 6
ODDS = {
    "almost_certain": ("almost certain", 2),
    "likely": ("likely", 3),
    "even": ("50/50", 4),
    "unlikely": ("unlikely", 5),
    "small_chance": ("small chance", 6),
}
"""Label of each likelihood, and the lowest d6 face that means yes."""


def ask(table: Draft) -> Procedure:
    """Ask the oracle for a yes or no at chosen odds, or for a roll on oracle tables."""
    yield from ask_fate(table, ODDS, "aleus", FATE_SIDES)


def oracles() -> Oracles:
    """Return the oracles on offer: yes or no at five odds, and rolls on tables."""
    return Oracles(fate_questions(ASK, ODDS, FATE_SIDES), Start(ASK, (("choose", ["spark"]),)), TABLES_AT_ONCE)
