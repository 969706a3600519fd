"""Which moves a character can make now, and the reasons why others cannot be made."""

from __future__ import annotations

from tracker.games.api.schema import State
from tracker.games.common.members import living, out_of_play
from tracker.games.ironsworn.state import ASSET_COST, OPEN, UPGRADE_COST, experience, no_asset, no_upgrade, owners


def why_not(state: State, who: str, move: str) -> str:
    """Return why the character cannot make a move now, in a few words, or "" if nothing is in the way.

    `move` is the id of the move, or its last part.
    """
    move = move.rpartition("/")[2]
    me = state["party"][who]
    if move == "ask_the_oracle":  # the player asks, whatever has become of the character
        return ""
    if reason := out_of_play(me) or _no_track(state, move):
        return reason
    held = "you have initiative" if me["initiative"] == "you" else "not in the fight"
    lost = "no initiative" if me["initiative"] == "foe" else "not in the fight"
    proactive = me["initiative"] == "foe" and first_open(state, "fight") and lost
    reasons = {
        "strike": me["initiative"] != "you" and lost,
        "secure_an_advantage": proactive,
        "aid_your_ally": (len(living(state)) < 2 and "no ally") or proactive,
        "clash": me["initiative"] != "foe" and held,
        "turn_the_tide": (me["tide"] and "used in this fight") or (me["initiative"] != "foe" and held),
        "end_the_fight": me["latest"] != "strong hit" and "needs a strong hit",
        "write_your_epilogue": _has_vow(state, who) and "a vow is open",
        "advance": no_advance(me),
        "face_a_setback": not me["setback"] and "no setback is due",
        "out_of_supply": not me["out_of_supply"] and "nothing is due",
        "test_your_bond": not me["bonds"] and "no bond to test",
        "companion_endure_harm": not any(a["max"] for a in me["assets"].values()) and "no companion",
    }
    return reasons.get(move) or ""


def _has_vow(state: State, who: str) -> bool:
    """Return True if a vow that this character swore or shares is open."""
    vows = (t for t in state["tracks"].values() if t["kind"] == "vow" and t["status"] in OPEN)
    return any(who in owners(state, vow) for vow in vows)


def first_open(state: State, kind: str) -> str:
    """Return the id of the first track of this kind that is open or blocked, or "" if there is none."""
    return next((i for i, t in state["tracks"].items() if t["kind"] == kind and t["status"] in OPEN), "")


def no_advance(me: State) -> str:
    """Return the reason why experience can buy nothing for the character, or "" if it can."""
    unspent = experience(me)
    if unspent < UPGRADE_COST:
        return f"costs {UPGRADE_COST}+ xp; you have {unspent}"
    if no_asset(me) and no_upgrade(me):
        return f"costs {ASSET_COST} xp; you have {unspent}"
    return ""


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
        return "" if any(t["status"] == "blocked" for t in state["tracks"].values()) else "no obstacle"
    if move in {"reach_a_milestone", "fulfill_your_vow"} and first_open(state, "vow"):
        free = any(t["kind"] == "vow" and t["status"] == "open" for t in state["tracks"].values())
        return "" if free else "vow is blocked"
    kind = _TRACKS.get(move)
    return f"no {kind}" if kind and not first_open(state, kind) else ""
