"""View data of the fight and of the GM's side, with the actions on countdowns and adversaries."""

from __future__ import annotations

from tracker.games.api.phrases import arrow, signed
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Fight, Foe, GmSide, Meter, Side, Start, Track
from tracker.games.common import notes
from tracker.games.common.members import living
from tracker.games.daggerheart.availability import why_not
from tracker.games.daggerheart.battle_points import budget, cost, fielded
from tracker.games.daggerheart.derived_values import (
    are_secret,
    conditions,
    creatures,
    facing,
    is_reduced,
    resistances,
    thresholds,
)
from tracker.games.daggerheart.moves import owed_label
from tracker.games.daggerheart.sheet import tracks
from tracker.games.daggerheart.state import FEAR_MOST, LISTENING
from tracker.text import shown_line

_FOE = "adversaries."
"""Prefix that tells an adversary's id from a countdown's in the list of tracks. No id has a dot."""
FEAR_BANDS = (
    ("incidental", 0, 1),
    ("minor", 1, 3),
    ("standard", 2, 4),
    ("major", 4, 8),
    ("climactic", 6, 12),
)
"""Word for the weight of a scene, and the lowest and highest Fear that is usually spent in it."""


# -- one countdown, one adversary -----------------------------------------------------------------------


def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:
    """Return the actions on a countdown, or on an adversary if `track` starts with `adversaries.`.

    `track` is the id of a countdown, or `adversaries.ID`. `who` is the character who would attack the adversary.
    """
    if track.startswith(_FOE):
        ident = track.removeprefix(_FOE)
        return (*_against(state, who, ident), *foe_actions(state, ident))
    this = state["countdowns"][track]
    rename = _count(track, "n", "Rename", "rename", "change the name")
    close = _count(track, "c", "Close", "close", "remove it")
    if this["ended"]:
        return (_count(track, "a", "Restart", "again", f"from {this['start']}"), rename, close)
    value = this["value"]
    listen: tuple[Action, ...] = ()
    if this["kind"] in LISTENING:
        words = "rolls don't advance it" if this["paused"] else "action rolls advance it"
        listen = (_count(track, "l", "Advance with rolls", "listen", words),)
    return (
        _count(track, "-", "Advance", "move", arrow(value, value - 1)),
        _count(
            track,
            "+",
            "Set back",
            "back",
            arrow(value, value + 1),
            "" if value < this["start"] else "already at its start",
        ),
        *listen,
        rename,
        close,
    )


def _count(ident: str, key: str, label: str, move: str, note: str, reason: str = "") -> Action:
    return Action(key, label, Start(f"countdown/{move}", (("name", ident),)), note, (), reason)


def _against(state: State, who: str, ident: str) -> tuple[Action, ...]:
    if state["adversaries"][ident]["defeated"] or who not in state["party"]:
        return ()
    start = Start("action/attack", (("targets", (ident,)),))
    return (Action("w", "Attack it", start, "with a weapon", (), why_not(state, who, "attack")),)


def foe_actions(state: State, ident: str) -> tuple[Action, ...]:
    """Return the GM's actions on the adversary with this id. If it is defeated, most are disabled with a reason."""
    one = state["adversaries"][ident]
    out = "already defeated" if one["defeated"] else ""
    me, target = (("adversary", ident),), (("target", ident),)
    attack = f"d20 {signed(one['attack'])}" + (f", {shown_line(one['damage'])}" if one["damage"] else "")
    if one["spotlit"]:
        attack += "; has acted: 1 Fear to spotlight it again"
    return (
        Action("a", "Attack", Start("gm/attack", me), attack, (), out),
        Action("h", "Deal damage", Start("gm/harm", target), _health(one), (), out),
        Action("s", "Stress", Start("gm/stress", target), f"{one['stress']} of {one['stress_max']} marked", (), out),
        Action("o", "Condition", Start("gm/condition", target), ", ".join(conditions(one)), (), out),
        Action("e", "Heal it", Start("gm/clear", target), "clear HP or Stress"),
        Action("d", "Edit numbers", Start("gm/renumber", me), "Difficulty, thresholds, HP, attack", (), out),
        Action("i", "Experience", Start("gm/experience", me), "what it is good at", (), out),
        Action("p", "Feature", Start("gm/feature", me), "a special ability", (), out),
        Action("r", "Reaction", Start("gm/roll", me), "d20 vs a Difficulty", (), out),
        Action("C", "Copy", Start("gm/copy", me), "same numbers, nothing marked"),
        Action("t", "Remove", Start("gm/remove", me), "it leaves the fight"),
        notes.open_or_make(state, one["name"]),
    )


def _health(one: State) -> str:
    if one["minion"]:
        return f"{one['count']} left; every {one['minion']} damage defeats one more"
    return f"{one['hp']} of {one['hp_max']} HP marked"


# -- the fight, as the players see it -------------------------------------------------------------------


def fight(state: State, who: str) -> Fight | None:
    """Return the fight as players see it, with the moves of the character `who`; None if no adversary is left."""
    foes = facing(state)
    if not foes:
        return None
    sides = (
        Side(
            shown_line(me["name"]),
            f"HP {me['hp']}/{me['hp_max']} marked, Stress {me['stress']}/{me['stress_max']}",
            ident,
        )
        for ident, me in state["party"].items()
        if me["status"] == "alive"
    )
    names = (
        ("action/attack", "Attack"),
        ("action/roll", "Action roll"),
        ("action/tag_team", "Tag Team"),
        ("harm/take", "Take damage"),
        ("action/reaction", "Reaction roll"),
    )
    moves = (
        Action("", label, Start(move), reason=why_not(state, who, move.rpartition("/")[2])) for move, label in names
    )
    return Fight(tuple(_foe_track(state, ident) for ident in foes), tuple(sides), tuple(moves))


def _foe_track(state: State, ident: str) -> Track:
    one = state["adversaries"][ident]
    held = conditions(one)
    secret = are_secret(state)
    # a condition leaves no room for the long word
    difficulty = () if secret else (f"{'Diff.' if held else 'Difficulty'} {one['difficulty']}",)
    note = ", ".join((*difficulty, *held))
    if one["minion"]:
        return Track(
            f"{_FOE}{ident}",
            shown_line(one["name"]),
            "minion",
            "left",
            one["count"],
            note,
            at=f"{_FOE}{ident}.count",
            segments=max(1, one["count"]),
        )
    return Track(
        f"{_FOE}{ident}",
        shown_line(one["name"]),
        one["type"],
        "HP marked",
        one["hp"],
        note,
        at=f"{_FOE}{ident}.hp",
        segments=max(1, one["hp_max"]),
        hidden=secret,
    )


# -- the GM's side --------------------------------------------------------------------------------------


def gm_side(state: State) -> GmSide:
    """Return the GM's side: Fear, spotlight, adversaries, countdowns and party, each with the GM's actions."""
    fear, spent = state["fear"], state["fear_spent"]
    none = "" if fear else "no Fear left"
    bands = ", ".join(f"{word} {low}–{high}" for word, low, high in FEAR_BANDS)
    fits = [word for word, low, high in FEAR_BANDS if low <= spent <= high]
    fitting = " or ".join(fits)
    article = "an" if fitting.startswith("incidental") else "a"
    usual = f"usual for {article} {fitting} scene" if fits else "more than climactic"
    weight = f"{spent} spent this scene ({usual})"
    mine = state["spotlight"] == "gm"
    turn = (
        Action("l", "Pass the spotlight", Start("gm/spotlight", (("to", "players"),)), "to the players")
        if mine
        else Action(
            "l",
            "Take the spotlight: 1 Fear",
            Start("gm/spend_fear", (("on", "interrupt"),)),
            f"Fear {arrow(fear, fear - 1)}",
            (),
            none,
        )
    )
    return GmSide(
        pool=Meter("fear", "Fear", fear, FEAR_MOST, weight, told=True),
        pool_note=f"{spent} spent this scene. Usual in a scene: {bands}.",
        pool_actions=(
            Action("f", "Spend Fear", Start("gm/spend_fear"), "spotlight, feature, Experience, spell effect", (), none),
            Action("y", "Gain Fear", Start("gm/take_fear"), "from the story"),
        ),
        turn=f"Spotlight: {'the GM' if mine else 'the players'}",
        turn_actions=(turn, *_verdict(state)),
        foes_title="Adversaries",
        foes=tuple(_foe(state, ident) for ident in state["adversaries"]),
        foes_note=_points(state),
        foes_actions=(
            Action("n", "New adversary", Start("gm/adversary"), "from your files, or your own"),
            Action("b", "Battle Points", Start("gm/battle_points"), _points(state)),
        ),
        tracks_title="Countdowns",
        tracks=tracks(state),
        tracks_actions=(
            Action("k", "Advance", Start("countdown/move"), "one step", (), _no_countdown(state)),
            Action("c", "New countdown", Start("countdown/begin"), "something is coming"),
        ),
        party=tuple(_side(state, me, ident) for ident, me in state["party"].items() if me["status"] == "alive"),
        actions=(
            Action("m", "GM move", Start("fate/gm_move"), "for solo play: what the GM does now"),
            Action("z", "Rest", Start("rest/rest"), "the party takes a break", (), why_not(state, "", "rest")),
            Action("w", "How we play", Start("gm/settings"), "edition, optional rules, what is automatic"),
        ),
    )


def _no_countdown(state: State) -> str:
    return "" if any(not one["ended"] for one in state["countdowns"].values()) else "no active countdown"


def _side(state: State, me: State, ident: str) -> Side:
    """Return the line about a character for the GM: the most important numbers, due items and conditions.

    `me` is the record of the character, and `ident` the id.
    """
    words = f"Evasion {me['evasion']}  {me['hp_max'] - me['hp']} HP left  Stress {me['stress']}/{me['stress_max']}  "
    words += f"Hope {me['hope']}"
    if state["settings"]["tokens"]:
        words += f"  tokens {me['tokens']}"
    due = [owed_label(key) for key, many in me["owed"].items() for _ in range(many)]
    if me["down"]:
        due.insert(0, me["down"].replace("_", " "))
    return Side(shown_line(me["name"], 20), "; ".join((words, *due, *conditions(me))), ident)


def _verdict(state: State) -> tuple[Action, ...]:
    return (Action("v", "Verdict", Start("action/verdict"), "on the secret roll"),) if state["secret"] else ()


def _foe(state: State, ident: str) -> Foe:
    one = state["adversaries"][ident]
    major, severe = thresholds(one)
    meters = (
        (Meter(f"{_FOE}{ident}.count", "left", one["count"], max(1, one["count"])),)
        if one["minion"]
        else (
            Meter(f"{_FOE}{ident}.hp", "HP", one["hp"], one["hp_max"], marks=True, told=True),
            Meter(f"{_FOE}{ident}.stress", "Stress", one["stress"], one["stress_max"], marks=True, told=True),
        )
    )
    damage = one["reduced"] if is_reduced(one) and one["reduced"] else one["damage"]
    words = [
        f"minor ┤{major}├ major ┤{severe}├ severe" if severe else "no thresholds",
        f"attack {signed(one['attack']) if one['attack'] else '+0'}"
        + (f", damage {shown_line(damage)}" if damage else ""),
    ]
    if one["type"] == "horde" and one["density"]:
        words.append(f"{creatures(one)} creatures" + (", reduced damage" if is_reduced(one) else ""))
    if on := conditions(one):
        words.append(", ".join(on))
    if tough := resistances(one):
        words.append(tough)
    words += [f"{shown_line(e['name'])} {signed(e['bonus'])}" for e in one["experiences"].values()]
    words += [_feature(each) for each in one["features"].values()]
    if one["note"]:
        words.append(shown_line(one["note"], 200))
    return Foe(
        ident,
        shown_line(one["name"]),
        one["type"],
        f"Difficulty {one['difficulty']}",
        meters,
        tuple(words),
        acts=bool(one["spotlit"]),
        out="defeated" if one["defeated"] else "",
        actions=foe_actions(state, ident),
    )


def _feature(one: State) -> str:
    cost = f" ({shown_line(one['cost'])})" if one["cost"] else ""
    return ": ".join(filter(None, (f"{shown_line(one['name'])}{cost}", shown_line(one["note"], 200))))


def _points(state: State) -> str:
    """Return in words the Battle Points of the adversaries in play and the party's budget; "" without a party."""
    pcs = len(living(state))
    return f"Battle Points {cost(pcs, fielded(state))} of {budget(pcs)}" if pcs else ""
