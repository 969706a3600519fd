"""What can be done now: the weapon and the traits that are likeliest to do it, and what the table calls for; owed."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.daggerheart.beings import arms, at_hand, facing, footing, name
from tracker.games.daggerheart.catalogue import MOVES, owed_label
from tracker.games.daggerheart.layout import living
from tracker.games.daggerheart.legal import why_not
from tracker.games.daggerheart.odds import odds, secret_odds, shown_odds
from tracker.games.daggerheart.rolls import TRAITS, net
from tracker.games.schema import State
from tracker.games.sheet import Action, Odds, Owed, Start
from tracker.games.words import signed
from tracker.text import shown_line

TRAITS_OFFERED = 3


def now(state: State, who: str) -> tuple[Action, ...]:
    """What is due first, then the weapon, the best traits, and the rest. What cannot be done comes last, greyed."""
    found = (*_due(state, who), *_attacks(state, who), *_traits(state, who), *_others(state, who))
    actions = sorted(found, key=lambda action: bool(action.reason))
    return tuple(action._replace(key=f"m{n}" if n < 10 else "") for n, action in enumerate(actions, 1))


def _due(state: State, who: str) -> Iterator[Action]:
    if state["party"][who]["down"] == "death_move":
        yield _of(state, who, "harm/death_move", "the last HP is marked")
    if state["secret"]:
        yield _of(state, who, "action/verdict", "a roll waits for it")


def _attacks(state: State, who: str) -> Iterator[Action]:
    """Each weapon in hand against the first who stands in the way: one key, and Enter rolls."""
    me, foes = state["party"][who], facing(state)
    if not foes:
        return
    foe = state["adversaries"][foes[0]]
    vulnerable, hidden = footing(state, foes[:1])
    own = net(bool(vulnerable), bool(hidden))
    with_what = {1: ", advantage", -1: ", disadvantage", 0: ""}[own]
    for ident, one in (at_hand(me) or arms(me)).items():
        start = Start("action/attack", (("weapon", ident), ("targets", (foes[0],))))
        note = f"{signed(me[one['trait']])} vs {foe['difficulty']}, {name(state, foes[0])}{with_what}"
        chances = shown_odds(odds(foe["difficulty"], me[one["trait"]], own))
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
            f"{signed(me[trait])} vs {difficulty}",
            _chances(me[trait], difficulty),
            reason,
        )
    yield _of(state, who, "action/roll", "any trait")


def _chances(value: int, difficulty: int) -> Odds:
    return shown_odds(odds(difficulty, value)) if difficulty else secret_odds()


def _others(state: State, who: str) -> Iterator[Action]:
    yield _of(state, who, "harm/take", "")
    yield _of(state, who, "action/reaction", "no Hope, no Fear")
    if len(living(state)) > 1:
        yield _of(state, who, "action/tag_team", "3 Hope, once a session")
        yield _of(state, who, "action/group", "one leads")
    yield _of(state, who, "rest/rest", "")


def _of(state: State, who: str, move: str, note: str) -> Action:
    return Action("", MOVES[move].name, Start(move), note, (), why_not(state, who, move.rpartition("/")[2]))


def rolls(state: State, who: str) -> tuple[Action, ...]:
    """The rolls that always have a button."""
    return (
        Action("r", "Roll", Start("action/roll"), reason=why_not(state, who, "roll")),
        Action("v", "Reaction", Start("action/reaction"), reason=why_not(state, who, "reaction")),
        Action("a", "Take damage", Start("harm/take"), reason=why_not(state, who, "take")),
        Action("z", "Rest", Start("rest/rest"), reason=why_not(state, who, "rest")),
        Action("o", "Ask fate", Start("fate/ask"), opens="oracle"),
    )


def owed(state: State, who: str) -> tuple[Owed, ...]:
    """A death move, a verdict on a roll of theirs, and damage that waits to be taken."""
    me = state["party"][who]
    due = []
    if me["down"] == "death_move":
        due.append(Owed(MOVES["harm/death_move"].name, "the last HP is marked", Start("harm/death_move")))
    if state["secret"] and state["secret_by"] == who:
        told = "Hope" if state["secret"] == "hope" else "Fear"
        due.append(Owed(MOVES["action/verdict"].name, f"{state['secret_total']} with {told}", Start("action/verdict")))
    due += [Owed(owed_label(key), "", _settles(key)) for key, many in me["owed"].items() for _ in range(many)]
    return tuple(due)


def _settles(key: str) -> Start:
    parts = key.split("_")
    if parts[0] == "damage" and len(parts) == 3 and parts[1].isdigit():
        return Start("harm/take", (("amount", int(parts[1])), ("type", parts[2])))
    return Start("owed/strike_off", (("owed", key),))
