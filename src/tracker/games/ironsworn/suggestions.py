"""Suggestions: moves that fit now, plain rolls, due moves, oracles."""

from __future__ import annotations

from typing import NamedTuple

from tracker.games.api.format import counted
from tracker.games.api.schema import State
from tracker.games.api.view import Action, DueItem, Odds, Oracles, Start
from tracker.games.common.oracle import TABLES_AT_ONCE
from tracker.games.ironsworn.availability import why_not
from tracker.games.ironsworn.dice import ODDS, action_odds, progress_odds, shown_odds
from tracker.games.ironsworn.moves import MOVES, NAMED
from tracker.games.ironsworn.state import OPEN, READY, STATS, living, owed_label
from tracker.text import shown_line


class _Fit(NamedTuple):
    """A suggested move with the stats that it may use, or its track."""

    move: str
    stats: tuple[str, ...] = ()
    track: str = ""
    no_roll: bool = False


def now(state: State, who: str) -> tuple[Action, ...]:
    """Return the moves that fit the state, best first; unavailable ones come last, disabled.

    In a fight every move keeps its place and its number, even when disabled: a player who knows the number must never
    start another move. Only End the Fight moves to the front, once it is possible and likely to succeed.
    """
    fixed = _in_a_fight(state, who)
    found: dict[str, _Fit] = {}
    for fit in (*fixed, *_to_enter(state, who), *_of_tracks(state, who), *_of_need(state, who), *_always(state)):
        found.setdefault(fit.move, fit)
    actions = [_action(state, who, fit) for fit in found.values()]
    rest = sorted(actions[len(fixed) :], key=lambda action: bool(action.reason))
    actions = [*actions[: len(fixed)], *rest]
    return tuple(action._replace(key=f"m{n}" if n < 10 else "") for n, action in enumerate(actions, 1))


def _in_a_fight(state: State, who: str) -> list[_Fit]:
    """Return the moves of a fight: Strike with the initiative, Clash without; End the Fight first if ripe."""
    me = state["party"][who]
    if not _fights(state, who):
        return []
    weapon = ("iron", "edge")
    ripe = next((i for i, t in state["tracks"].items() if _ripe(t, "fight")), "")
    secure, danger = _Fit("secure_an_advantage", STATS), _Fit("face_danger", STATS)
    end = _Fit("end_the_fight", track=ripe or _first(state, "fight"))
    first = [end] if ripe and not why_not(state, who, "end_the_fight") else []
    if me["initiative"] == "you":
        fits = [_Fit("strike", weapon), secure, end, danger]
    else:
        fits = [_Fit("clash", weapon), danger, _Fit("turn_the_tide", no_roll=True), secure, end]
    ally = [_Fit("aid_your_ally", STATS)] if len(living(state)) > 1 else []
    return list(dict.fromkeys([*first, *fits, _Fit("gather_information", ("wits",)), *ally]))


def _fights(state: State, who: str) -> bool:
    return bool(state["party"][who]["initiative"] != "none" and _first(state, "fight"))


def _to_enter(state: State, who: str) -> list[_Fit]:
    """Suggest Enter the Fray if there are foes and the character is not in a fight."""
    out = state["party"][who]["initiative"] == "none" and _first(state, "fight")
    return [_Fit("enter_the_fray", ("heart", "shadow", "wits"))] if out else []


def _of_tracks(state: State, who: str) -> list[_Fit]:
    """Suggest moves for tracks that are ripe, blocked or under way; no journeys during a fight."""
    fits: list[_Fit] = []
    fights = _fights(state, who)
    for move, kind in (("fulfill_your_vow", "vow"), ("reach_your_destination", "journey")):
        ripe = next((i for i, t in state["tracks"].items() if _ripe(t, kind)), "")
        if ripe and not (fights and kind == "journey"):
            fits.append(_Fit(move, track=ripe))
    if any(track["status"] == "blocked" for track in state["tracks"].values()):
        fits.append(_Fit("overcome", no_roll=True))
    if _first(state, "journey") and not fights:
        fits.append(_Fit("undertake_a_journey", ("wits",)))
    return fits


def _of_need(state: State, who: str) -> list[_Fit]:
    """Suggest moves for low tracks, debilities and unspent experience; none during a fight."""
    me = state["party"][who]
    fits: list[_Fit] = []
    if me["initiative"] != "none":
        return fits
    if "wounded" in me["debilities"] or me["health"] <= 2:
        fits.append(_Fit("heal", (min("wits", "iron", key=lambda stat: int(me[stat])),)))
    if "unprepared" in me["debilities"] or "shaken" in me["debilities"] or me["spirit"] <= 2:
        fits.append(_Fit("sojourn", ("heart",)))
    elif state["supply"] <= 2:
        fits.append(_Fit("resupply", ("wits",)))
    if me["xp"] - me["spent"] >= 2:
        fits.append(_Fit("advance", no_roll=True))
    return fits


def _always(state: State) -> list[_Fit]:
    """Return the moves that always fit; a vow comes first if none is open."""
    swear = _Fit("swear_an_iron_vow", ("heart",))
    open_vow = next((i for i, t in state["tracks"].items() if t["kind"] == "vow" and t["status"] == "open"), "")
    common = [_Fit("face_danger", STATS), _Fit("secure_an_advantage", STATS), _Fit("gather_information", ("wits",))]
    if not open_vow:
        return [swear, *common]
    return [common[0], _Fit("reach_a_milestone", no_roll=True), *common[1:], swear]


def _ripe(track: State, kind: str) -> bool:
    return bool(track["kind"] == kind and track["status"] == "open" and track["ticks"] >= READY)


def _first(state: State, kind: str) -> str:
    return next((i for i, t in state["tracks"].items() if t["kind"] == kind and t["status"] in OPEN), "")


def _action(state: State, who: str, fit: _Fit) -> Action:
    ident = NAMED[fit.move]
    reason = why_not(state, who, fit.move)
    if fit.track:
        track = state["tracks"][fit.track]
        odds: Odds = shown_odds(progress_odds(track["ticks"]))
        return Action("", MOVES[ident].name, Start(ident), shown_line(track["name"]), odds, reason)
    if fit.no_roll:
        return Action("", MOVES[ident].name, Start(ident), "no roll", (), reason)
    me = state["party"][who]
    best = max(fit.stats, key=lambda stat: int(me[stat]))
    return Action("", MOVES[ident].name, Start(ident), best, _odds(me[best], me, fit.move), reason)


def _odds(value: int, me: State, move: str) -> Odds:
    adds = me["waiting"].get("any", 0) + me["waiting"].get(move, 0)
    return shown_odds(action_odds(value, adds, me["momentum"]))


def rolls(state: State, who: str) -> tuple[Action, ...]:
    """Return the plain rolls that always have a button."""
    over = "" if state["party"][who]["status"] == "alive" else "out of play"
    no_track = "" if any(t["status"] in OPEN for t in state["tracks"].values()) else "no open track"
    return (
        Action("r", "Roll", Start("roll/action"), reason=over),
        Action("v", "Progress roll", Start("roll/progress"), reason=over or no_track),
        Action("o", "Oracle", Start("fate/ask_the_oracle", (("choose", ["yes_no"]),)), reason=over, opens="oracle"),
    )


_ASK = "fate/ask_the_oracle"
_TOGETHER = (("action", "theme"), ("character_role", "character_goal"), ("descriptor", "place"))


def oracles() -> Oracles:
    """Return yes/no at five odds, one of two answers, and rolls on tables."""
    asked = [
        Action(
            "",
            label,
            Start(_ASK, (("choose", ["yes_no"]), ("odds", key))),
            f"yes on {yes} or more",
            (("yes", 101 - yes, "good"), ("no", yes - 1, "bad")),
        )
        for key, (label, yes) in ODDS.items()
    ]
    _, likely = ODDS["likely"]
    two = Action(
        "",
        "one of two you name",
        Start(_ASK, (("choose", ["pick_two"]),)),
        f"d100 picks, the likelier from {likely} on",
    )
    return Oracles((*asked, two), Start(_ASK, (("choose", ["spark"]),)), TABLES_AT_ONCE, _TOGETHER)


def owed(state: State, who: str) -> tuple[DueItem, ...]:
    """Return all due moves, repeated as often as each is due."""
    me = state["party"][who]
    due = [
        DueItem(owed_label(name), "", _settles(state, who, name)) for name, n in me["owed"].items() for _ in range(n)
    ]
    for name in ("setback", "out_of_supply"):
        if me[name]:
            due.append(DueItem(owed_label(name), f"{counted(me[name], 'point')} to lose", _settles(state, who, name)))
    return tuple(due)


_POINTS = {"setback": "face_a_setback"}


def _settles(state: State, who: str, name: str) -> Start:
    """Return the call of a due move with its amount or burden; the call that strikes it off if it cannot be made."""
    stem, _, more = name.rpartition("_")
    told: tuple[tuple[str, str | int], ...] = ()
    move = _POINTS.get(name, name)
    if more.isdigit():
        move, told = stem, (("amount", int(more)),)
    elif more in {"cursed", "tormented"}:
        move, told = stem, (("burden", more),)
    if move not in NAMED or why_not(state, who, move):
        return Start("owed/strike_off", (("owed", name),))
    return Start(NAMED[move], told)
