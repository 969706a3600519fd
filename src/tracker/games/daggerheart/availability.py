"""Which moves a character can make now, and the reasons why others cannot be made."""

from __future__ import annotations

from tracker.games.api.schema import State
from tracker.games.common.members import living, out_of_play
from tracker.games.daggerheart.derived_values import standing
from tracker.games.daggerheart.dice import HIGHEST_LEVEL
from tracker.games.daggerheart.level_up import due_levels
from tracker.games.daggerheart.state import TAG_TEAM_COST
from tracker.text import shown_line

ACTS = frozenset({"roll", "attack", "reaction", "group", "tag_team", "spend_hope"})
"""Moves, by the last part of their id, that a character cannot make while unconscious or due for a death move."""
TURNS = frozenset({"roll", "attack", "group", "tag_team"})
"""Moves, by the last part of their id, that cost a spotlight token if the campaign uses tokens."""
SHORT_RESTS = 3


def why_not(state: State, who: str, move: str) -> str:
    """Return the reason why the character `who` cannot make a move now, or "" if nothing is in the way.

    `move` is an id such as "action/roll", or its last part. "short" stands for a short rest.
    """
    move = move.rpartition("/")[2]
    if move in {"short", "rest"}:
        return _no_rest(state, move)
    if move == "verdict":
        return "" if state["secret"] else "no secret roll to judge"
    me = state["party"].get(who)
    if me is None:
        return ""
    if reason := out_of_play(me):
        return reason
    if move in ACTS and me["down"]:
        return f"{shown_line(me['name'])} is unconscious" if me["down"] == "unconscious" else "death move is due"
    reasons = {
        "death_move": me["down"] != "death_move" and "the last HP is not marked",
        "level_up": me["level"] >= HIGHEST_LEVEL and f"level {HIGHEST_LEVEL} is the highest",
        "catch_up": not due_levels(me) and "no gains due",
        "spend_hope": not me["hope"] and "no Hope left",
        "group": len(standing(state)) < 2 and "needs another character",
        "tag_team": (len(standing(state)) < 2 and "needs another character")
        or (me["tag_team"] and "once per session, already used")
        or (me["hope"] < TAG_TEAM_COST and f"costs {TAG_TEAM_COST} Hope; you have {me['hope']}"),
        "strike_off": not me["owed"] and "nothing is due",
    }
    return reasons.get(move) or (_no_token(state, who) if move in TURNS else "")


def _no_token(state: State, who: str) -> str:
    """Return a reason if this character has no spotlight token left but others have one; otherwise return "".

    Others count only if they can act.
    """
    has = [one for one in standing(state) if state["party"][one]["tokens"]]
    return f"no spotlight token left; {_names(state, has)} still has one" if has and who not in has else ""


def _names(state: State, who: list[str]) -> str:
    return " or ".join(shown_line(state["party"][one]["name"]) for one in who)


def _no_rest(state: State, move: str) -> str:
    due = [one for one in living(state) if state["party"][one]["down"] == "death_move"]
    if due:
        return f"{shown_line(state['party'][due[0]]['name'])}'s death move is due"
    if not living(state):
        return "no one to rest"
    return "3 in a row, so the next rest is long" if move == "short" and state["short_rests"] >= SHORT_RESTS else ""
