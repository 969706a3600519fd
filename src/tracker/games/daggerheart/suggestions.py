"""Suggested moves, due items and oracles for solo play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.phrases import signed
from tracker.games.api.prompts import Option, Pick, Roll
from tracker.games.api.schema import State
from tracker.games.api.view import Action, DueItem, Odds, Oracles, Start, numbered
from tracker.games.common.members import living
from tracker.games.common.oracle import TABLES_AT_ONCE, ask_fate, ask_question, fate_questions
from tracker.games.daggerheart.availability import why_not
from tracker.games.daggerheart.derived_values import are_secret, arms, at_hand, facing, footing, name
from tracker.games.daggerheart.dice import FACES, OUTCOMES, TRAITS, net, odds, secret_odds, shown_odds
from tracker.games.daggerheart.level_up import DUE
from tracker.games.daggerheart.moves import MOVES, owed_label
from tracker.text import shown_line

TRAITS_OFFERED = 3


def now(state: State, who: str) -> tuple[Action, ...]:
    """Return the suggested moves of the character `who`: due moves, attacks, the best traits, then others.

    Those that cannot be made now come last, with the reason.
    """
    found = (*_due(state, who), *_attacks(state, who), *_traits(state, who), *_others(state, who))
    actions = sorted(found, key=lambda action: bool(action.reason))
    return numbered(actions)


def chance_told(state: State) -> tuple[str, ...]:
    """Return ways to say what the percentage beside a suggested move means, longest first.

    A trait's chance is that against the Difficulty of the last roll. An attack's is that against its target, or if the
    players must not see that, the chance to roll with Hope.
    """
    if not state["difficulty"]:
        return ("% = odds of rolling with Hope", "% = with Hope")
    vs = f"{'traits ' if facing(state) else ''}vs {state['difficulty']}"
    hope = "; of an attack, rolling with Hope" if facing(state) and are_secret(state) else ""
    return (f"% = odds of success, {vs}{hope}", f"% = success, {vs}")


def _due(state: State, who: str) -> Iterator[Action]:
    if state["party"][who]["down"] == "death_move":
        yield _of(state, who, "harm/death_move", "the last HP is marked")
    if state["secret"]:
        yield _of(state, who, "action/verdict", "a secret roll awaits it")


def _attacks(state: State, who: str) -> Iterator[Action]:
    """Yield an attack on the first adversary with each weapon at hand, or with bare hands if there is none.

    Weapon and target are answered already. Yield nothing if there is no adversary.
    """
    me, foes = state["party"][who], facing(state)
    if not foes:
        return
    foe = state["adversaries"][foes[0]]
    secret = are_secret(state)
    vulnerable, hidden = footing(state, foes[:1])
    own = net(bool(vulnerable), bool(hidden))
    with_what = {1: ", advantage", -1: ", disadvantage", 0: ""}[own]
    for ident, one in (at_hand(me) or arms(me)).items():
        start = Start("action/attack", (("weapon", ident), ("targets", (foes[0],))))
        against = "" if secret else f"{foe['difficulty']}, "
        note = f"{signed(me[one['trait']])} vs {against}{name(state, foes[0])}{with_what}"
        chances = secret_odds() if secret else shown_odds(odds(foe["difficulty"], me[one["trait"]], own))
        yield Action("", shown_line(one["name"]), start, note, chances, why_not(state, who, "attack"))


def _traits(state: State, who: str) -> Iterator[Action]:
    me, difficulty = state["party"][who], state["difficulty"]
    reason = why_not(state, who, "roll")
    for trait in sorted(TRAITS, key=lambda trait: -int(me[trait]))[:TRAITS_OFFERED]:
        start = Start("action/roll", (("trait", trait),))
        yield Action(
            "",
            trait.capitalize(),
            start,
            f"{signed(me[trait])} vs {_shown(difficulty)}",
            _chances(me[trait], difficulty),
            reason,
        )
    if cast := me["spellcast"]:
        start = Start("action/roll", (("trait", cast),))
        note = f"{cast.capitalize()} {signed(me[cast])} vs {_shown(difficulty)}"
        yield Action("", "Spellcast", start, note, _chances(me[cast], difficulty), reason)
    yield _of(state, who, "action/roll", "any trait")


def _shown(difficulty: int) -> str:
    return str(difficulty) if difficulty else "a secret Difficulty"


def _chances(value: int, difficulty: int) -> Odds:
    return shown_odds(odds(difficulty, value)) if difficulty else secret_odds()


def _others(state: State, who: str) -> Iterator[Action]:
    yield _of(state, who, "harm/take", "")
    yield _of(state, who, "action/reaction", "no Hope, no Fear")
    if len(living(state)) > 1:
        yield _of(state, who, "action/tag_team", "3 Hope, once per session")
        yield _of(state, who, "action/group", "one leads")
    yield _of(state, who, "rest/rest", "")


def _of(state: State, who: str, move: str, note: str) -> Action:
    return Action("", MOVES[move].name, Start(move), note, (), why_not(state, who, move))


def rolls(state: State, who: str) -> tuple[Action, ...]:
    """Return the actions that always have a button. One that cannot be made now has a reason."""
    return (
        Action("r", "Roll", Start("action/roll"), reason=why_not(state, who, "roll")),
        Action("v", "Reaction", Start("action/reaction"), reason=why_not(state, who, "reaction")),
        Action("a", "Take damage", Start("harm/take"), reason=why_not(state, who, "take")),
        Action("z", "Rest", Start("rest/rest"), reason=why_not(state, who, "rest")),
        Action("o", "Oracle", Start("fate/ask"), opens="oracle"),
    )


def owed(state: State, who: str) -> tuple[DueItem, ...]:
    """Return the due items of the character `who`: a death move, the verdict on a secret roll, and those in `owed`.

    An item that is due several times is returned as often.
    """
    me = state["party"][who]
    due = []
    if me["down"] == "death_move":
        due.append(DueItem(MOVES["harm/death_move"].name, "the last HP is marked", Start("harm/death_move")))
    if state["secret"] and state["secret_by"] == who:
        told = "Hope" if state["secret"] == "hope" else "Fear"
        due.append(
            DueItem(MOVES["action/verdict"].name, f"{state['secret_total']} with {told}", Start("action/verdict"))
        )
    due += [DueItem(owed_label(key), "", _settles(key)) for key, many in me["owed"].items() for _ in range(many)]
    return tuple(due)


def _settles(key: str) -> Start:
    parts = key.split("_")
    if parts[0] == "damage" and len(parts) == 3 and parts[1].isdigit():
        return Start("harm/take", (("amount", int(parts[1])), ("type", parts[2])))
    if key.startswith(DUE):
        return Start("level/catch_up")
    return Start("owed/strike_off", (("owed", key),))


ASK: Final = "fate/ask"

ODDS: Final[Mapping[str, tuple[str, int]]] = {
    "almost_certain": ("almost certain", 3),
    "likely": ("likely", 5),
    "fifty_fifty": ("50/50", 7),
    "unlikely": ("unlikely", 9),
    "small_chance": ("small chance", 11),
}
"""Label of each likelihood, and the lowest d12 face that means yes."""

TABLES: Final[Mapping[str, str]] = {
    **{outcome: f"gm_{outcome.replace(' ', '_')}" for outcome in OUTCOMES},
    "opening": "gm_opening",
}
"""Oracle table of GM moves for each outcome of the last roll, and for an opening without one."""


def ask(table: Draft) -> Procedure:
    """Ask the oracle for a yes or no at chosen odds, or for a roll on oracle tables."""
    yield from ask_fate(table, ODDS, "alfus", FACES)


def gm_move(table: Draft) -> Procedure:
    """Roll for a GM move on the oracle table that fits the outcome of a roll, by default the last; for solo play.

    The result is stored in the facts; the state does not change.
    """
    yield from ask_question(table)
    after = yield Pick(
        key="after",
        title="After which roll?",
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
    """Return the oracles on offer: yes or no at five odds, the GM's move, and rolls on tables."""
    questions = fate_questions(ASK, ODDS, FACES)
    together = (("spark_action", "spark_theme"), ("scene_place", "scene_trouble"))
    besides = (Action("", "what the GM does", Start("fate/gm_move"), "A GM move that fits the last roll."),)
    return Oracles(questions, Start(ASK, (("choose", ["spark"]),)), TABLES_AT_ONCE, together, besides)
