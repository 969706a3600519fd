"""Reasons why a move cannot be made now."""

from __future__ import annotations

from tracker.games.api.schema import State
from tracker.games.ironsworn.state import OPEN, living
from tracker.text import shown_line


def why_not(state: State, who: str, move: str) -> str:
    """Return the reason in a few words, or "" if nothing is in the way. `move` is an id, or the last part of one."""
    move = move.rpartition("/")[2]
    me = state["party"][who]
    if me["status"] != "alive":
        return f"{shown_line(me['name'])} is {me['status']}"
    if reason := _no_track(state, move):
        return reason
    proactive = me["initiative"] == "foe" and _open(state, "fight") and "it needs the initiative"
    unspent = me["xp"] - me["spent"]
    reasons = {
        "strike": me["initiative"] != "you" and "it needs the initiative",
        "secure_an_advantage": proactive,
        "aid_your_ally": (len(living(state)) < 2 and "there is no ally") or proactive,
        "clash": me["initiative"] != "foe" and "only while the foe has the initiative",
        "turn_the_tide": (me["tide"] and "once in a fight; it is used")
        or (me["initiative"] != "foe" and "only while the foe has the initiative"),
        "end_the_fight": me["latest"] != "strong hit" and "only right after a strong hit",
        "write_your_epilogue": _open(state, "vow") and "a vow is still open",
        "advance": unspent < 2 and f"{unspent} experience is unspent; it takes 2 or 3",
        "face_a_setback": not me["setback"] and "no setback is owed",
        "out_of_supply": not me["out_of_supply"] and "no supply is owed",
        "test_your_bond": not me["bonds"] and "there is no bond to test",
        "companion_endure_harm": not any(a["max"] for a in me["assets"].values()) and "there is no companion",
    }
    return reasons.get(move) or ""


_TRACKS = {
    "strike": "fight",
    "clash": "fight",
    "end_the_fight": "fight",
    "reach_your_destination": "journey",
    "reach_a_milestone": "vow",
    "fulfill_your_vow": "vow",
    "forsake_your_vow": "vow",
}


def _no_track(state: State, move: str) -> str:
    if move == "overcome":
        return "" if any(t["status"] == "blocked" for t in state["tracks"].values()) else "no vow is blocked"
    if move in {"reach_a_milestone", "fulfill_your_vow"} and _open(state, "vow"):
        free = any(t["kind"] == "vow" and t["status"] == "open" for t in state["tracks"].values())
        return "" if free else "its obstacle comes first"
    kind = _TRACKS.get(move)
    return f"no open {kind}" if kind and not _open(state, kind) else ""


def _open(state: State, kind: str) -> bool:
    return any(track["kind"] == kind and track["status"] in OPEN for track in state["tracks"].values())
