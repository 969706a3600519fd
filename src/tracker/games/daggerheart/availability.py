"""Reasons why a move cannot be made now."""

from __future__ import annotations

from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.schema import State
from tracker.games.daggerheart.creatures import standing
from tracker.games.daggerheart.dice import HIGHEST_LEVEL
from tracker.games.daggerheart.state import living
from tracker.text import shown_line

ACTS = frozenset({"roll", "attack", "reaction", "group", "tag_team", "spend_hope"})
"""Moves that a character who is down cannot make."""
TURNS = frozenset({"roll", "attack", "group", "tag_team"})
"""Moves that cost a spotlight token, if the campaign uses them."""
TAG_TEAM_COST = 3
SHORT_RESTS = 3


def why_not(state: State, who: str, move: str) -> str:
    """Return the reason in a few words, or "" if nothing is in the way. `move` is an id, or the last part of one."""
    move = move.rpartition("/")[2]
    if move in {"short", "rest"}:
        return _no_rest(state, move)
    if move == "verdict":
        return "" if state["secret"] else "no roll waits for a verdict"
    me = state["party"].get(who)
    if me is None:
        return ""
    name = shown_line(me["name"])
    if me["status"] != "alive":
        return f"{name} is {me['status']}"
    if move in ACTS and me["down"]:
        return f"{name} is unconscious" if me["down"] == "unconscious" else f"{name}'s death move comes first"
    reasons = {
        "death_move": me["down"] != "death_move" and "the last HP is not marked",
        "level_up": me["level"] >= HIGHEST_LEVEL and f"level {HIGHEST_LEVEL} is the highest",
        "spend_hope": not me["hope"] and "no Hope is held",
        "group": len(standing(state)) < 2 and "there is nobody else",
        "tag_team": (len(standing(state)) < 2 and "there is nobody else")
        or (me["tag_team"] and "once a session; it is used")
        or (me["hope"] < TAG_TEAM_COST and f"it costs {TAG_TEAM_COST} Hope, and {me['hope']} is held"),
        "strike_off": not me["owed"] and "nothing is owed",
    }
    return reasons.get(move) or (_no_token(state, who) if move in TURNS else "")


def _no_token(state: State, who: str) -> str:
    """Return a reason if this character has no spotlight token while others have one, else ""."""
    has = [one for one in standing(state) if state["party"][one]["tokens"]]
    return f"no spotlight token left, and {_names(state, has)} still has" if has and who not in has else ""


def _names(state: State, who: list[str]) -> str:
    return " or ".join(shown_line(state["party"][one]["name"]) for one in who)


def _no_rest(state: State, move: str) -> str:
    due = [one for one in living(state) if state["party"][one]["down"] == "death_move"]
    if due:
        return f"{shown_line(state['party'][due[0]]['name'])}'s death move comes first"
    if not living(state):
        return "nobody is there to rest"
    return "three in a row: the next rest is long" if move == "short" and state["short_rests"] >= SHORT_RESTS else ""


def begin(table: Draft, move: str) -> None:
    """Raise Refused with the reason if the move cannot be made now."""
    if reason := why_not(table.state, table.who, move):
        raise Refused(f"{reason[0].upper()}{reason[1:]}.")
