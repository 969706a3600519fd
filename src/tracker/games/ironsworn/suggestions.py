"""Suggested moves, moves of a fight and of a track, roll buttons, due moves, oracles."""

from __future__ import annotations

from tracker.games.api.phrases import counted
from tracker.games.api.schema import State
from tracker.games.api.view import Action, DueItem, Fight, Odds, Oracles, Side, Start, numbered
from tracker.games.common import clocks, notes
from tracker.games.common.members import living
from tracker.games.common.oracle import TABLES_AT_ONCE
from tracker.games.ironsworn.availability import first_open, no_advance, why_not
from tracker.games.ironsworn.dice import ODDS, action_odds, progress_odds, shown_odds
from tracker.games.ironsworn.moves import MOVES, NAMED, ORACLE
from tracker.games.ironsworn.ranks import MARK_WORDS, RANKS
from tracker.games.ironsworn.sheet import tracks, waypoints
from tracker.games.ironsworn.state import (
    OPEN,
    READY,
    STATS,
    owed_label,
    owed_times,
    owners,
    times_due,
)
from tracker.records import NamedTuple
from tracker.text import shown_line


class _Suggestion(NamedTuple):
    """A move that `now` suggests because it fits the state; `_action` makes a button of it.

    `move` is the last part of its id, and `stats` are those that it may use. A progress move has the id of its `track`
    instead. `no_roll` is True for a move without a roll.
    """

    move: str
    stats: tuple[str, ...] = ()
    track: str = ""
    no_roll: bool = False


def now(state: State, who: str) -> tuple[Action, ...]:
    """Return the moves that fit the state, best first; those that cannot be made now come last, disabled.

    In a fight, combat moves come first; End the Fight leads once it is possible and likely to succeed.
    """
    found: dict[str, _Suggestion] = {}
    for fit in (
        *_in_a_fight(state, who),
        *_to_enter(state, who),
        *_of_tracks(state, who),
        *_of_need(state, who),
        *_always(state, who),
    ):
        found.setdefault(fit.move, fit)
    return numbered(_action(state, who, fit) for fit in found.values())


def _in_a_fight(state: State, who: str) -> list[_Suggestion]:
    """Return the combat moves to suggest: Strike with the initiative, Clash without; [] outside a fight.

    End the Fight comes first if it is possible and a foe has at least READY ticks.
    """
    me = state["party"][who]
    if not _fights(state, who):
        return []
    weapon = ("iron", "edge")
    ripe = next((i for i, t in state["tracks"].items() if _ripe(t, "fight")), "")
    secure, danger = _Suggestion("secure_an_advantage", STATS), _Suggestion("face_danger", STATS)
    end = _Suggestion("end_the_fight", track=ripe or first_open(state, "fight"))
    first = [end] if ripe and not why_not(state, who, "end_the_fight") else []
    if me["initiative"] == "you":
        fits = [_Suggestion("strike", weapon), secure, end, danger]
    else:
        fits = [_Suggestion("clash", weapon), danger, _Suggestion("turn_the_tide", no_roll=True), secure, end]
    ally = [_Suggestion("aid_your_ally", STATS)] if len(living(state)) > 1 else []
    return list(dict.fromkeys([*first, *fits, _Suggestion("gather_information", ("wits",)), *ally]))


def _fights(state: State, who: str) -> bool:
    return bool(state["party"][who]["initiative"] != "none" and first_open(state, "fight"))


def _to_enter(state: State, who: str) -> list[_Suggestion]:
    """Return Enter the Fray if there are foes and the character is not in a fight, else []."""
    out = state["party"][who]["initiative"] == "none" and first_open(state, "fight")
    return [_Suggestion("enter_the_fray", ("heart", "shadow", "wits"))] if out else []


def _of_tracks(state: State, who: str) -> list[_Suggestion]:
    """Return moves to suggest for blocked vows, journeys under way, and tracks with at least READY ticks.

    During a fight no journey is suggested.
    """
    fits: list[_Suggestion] = []
    fights = _fights(state, who)
    for move, kind in (("fulfill_your_vow", "vow"), ("reach_your_destination", "journey")):
        ripe = next((i for i, t in state["tracks"].items() if _ripe(t, kind)), "")
        if ripe and not (fights and kind == "journey"):
            fits.append(_Suggestion(move, track=ripe))
    if any(track["status"] == "blocked" for track in state["tracks"].values()):
        fits.append(_Suggestion("overcome", no_roll=True))
    if first_open(state, "journey") and not fights:
        fits.append(_Suggestion("undertake_a_journey", ("wits",)))
    return fits


def _of_need(state: State, who: str) -> list[_Suggestion]:
    """Return moves to suggest for low health, spirit or supply, debilities, and unspent experience.

    Return [] during a fight.
    """
    me = state["party"][who]
    fits: list[_Suggestion] = []
    if me["initiative"] != "none":
        return fits
    if "wounded" in me["debilities"] or me["health"] <= 2:
        fits.append(_Suggestion("heal", (min("wits", "iron", key=lambda stat: int(me[stat])),)))
    if "unprepared" in me["debilities"] or "shaken" in me["debilities"] or me["spirit"] <= 2:
        fits.append(_Suggestion("sojourn", ("heart",)))
    elif state["supply"] <= 2:
        fits.append(_Suggestion("resupply", ("wits",)))
    if not no_advance(me):
        fits.append(_Suggestion("advance", no_roll=True))
    return fits


def _always(state: State, who: str) -> list[_Suggestion]:
    """Return the moves that always fit; a vow comes first if none is open, or if the next one has a bonus."""
    swear = _Suggestion("swear_an_iron_vow", ("heart",))
    open_vow = next((i for i, t in state["tracks"].items() if t["kind"] == "vow" and t["status"] == "open"), "")
    common = [
        _Suggestion("face_danger", STATS),
        _Suggestion("secure_an_advantage", STATS),
        _Suggestion("gather_information", ("wits",)),
    ]
    if not open_vow or swear.move in state["party"][who]["waiting"]:
        return [swear, *common]
    return [common[0], _Suggestion("reach_a_milestone", no_roll=True), *common[1:], swear]


def _ripe(track: State, kind: str) -> bool:
    return bool(track["kind"] == kind and track["status"] == "open" and track["ticks"] >= READY)


def _action(state: State, who: str, fit: _Suggestion) -> Action:
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
    """Return the roll buttons: action roll, progress roll, oracle; a roll that cannot be made now is disabled."""
    over = "" if state["party"][who]["status"] == "alive" else "out of play"
    no_track = "" if any(t["status"] in OPEN for t in state["tracks"].values()) else "no open track"
    return (
        Action("r", "Roll", Start("roll/action"), reason=over),
        Action("v", "Progress roll", Start("roll/progress"), reason=over or no_track),
        Action("o", "Oracle", Start(ORACLE, (("choose", ["yes_no"]),)), opens="oracle"),
    )


_TOGETHER = (("action", "theme"), ("character_role", "character_goal"), ("descriptor", "place"))


def oracles() -> Oracles:
    """Return the yes/no questions at five odds, the choice between two answers, and the rolls on tables."""
    asked = [
        Action(
            "",
            label,
            Start(ORACLE, (("choose", ["yes_no"]), ("odds", key))),
            f"yes on {yes}+",
            (("yes", 101 - yes, "good"), ("no", yes - 1, "bad")),
        )
        for key, (label, yes) in ODDS.items()
    ]
    two = Action(
        "",
        "choose between two",
        Start(ORACLE, (("choose", ["pick_two"]),)),
        "name two; 75% for the likelier one",
    )
    return Oracles((*asked, two), Start(ORACLE, (("choose", ["spark"]),)), TABLES_AT_ONCE, _TOGETHER)


def owed(state: State, who: str) -> tuple[DueItem, ...]:
    """Return the due moves of a character, each as often as it is due; beyond OWED_MOST times, once with a count.

    A setback comes first, because the move that cost the momentum comes before what else it made due. Pay the Price
    comes after the other moves, because what one price made due is done before the next is paid.
    """
    me = state["party"][who]
    moves = [
        DueItem(label, "", _settles(state, who, name))
        for name, times in sorted(owed_times(me).items(), key=lambda one: one[0] == "pay_the_price")
        for label in times_due(owed_label(name), times)
    ]
    setback, out_of_supply = (
        [DueItem(owed_label(name), f"{counted(me[name], 'point')} to pay", _settles(state, who, name))] * bool(me[name])
        for name in ("setback", "out_of_supply")
    )
    return (*setback, *moves, *out_of_supply)


_POINTS = {"setback": "face_a_setback"}


def _settles(state: State, who: str, name: str) -> Start:
    """Return the start of a due move, with its amount or burden already answered.

    If the move cannot be made now, return the start of the procedure that removes it from the due moves.
    """
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


# -- a fight --------------------------------------------------------------------------------------------


_STANDS = {"you": "has initiative", "foe": "no initiative", "none": "not in the fight"}
_FIGHT_MOVES = ("strike", "clash", "secure_an_advantage", "face_danger", "turn_the_tide", "end_the_fight")


def fight(state: State, who: str) -> Fight | None:
    """Return the current fight with the moves of the character `who`, or None if no fight is open."""
    foes = tuple(track for track in tracks(state) if track.kind == "fight" and not track.closed)
    if not foes:
        return None
    sides = (
        Side(shown_line(state["party"][one]["name"]), _STANDS[state["party"][one]["initiative"]], one)
        for one in living(state)
    )
    return Fight(foes, tuple(sides), tuple(_fight_move(state, who, name) for name in _fight_moves(state, who)))


def _fight_moves(state: State, who: str) -> tuple[str, ...]:
    """Return the moves to show beside the fight, by the last parts of their ids.

    For a character who is not in the fight, that is only Enter the Fray.
    """
    if state["party"][who]["initiative"] == "none":
        return ("enter_the_fray",)
    return (*_FIGHT_MOVES, "aid_your_ally") if len(living(state)) > 1 else _FIGHT_MOVES


def _fight_move(state: State, who: str, name: str) -> Action:
    return Action("", MOVES[NAMED[name]].name, Start(NAMED[name]), reason=why_not(state, who, name))


# -- a track --------------------------------------------------------------------------------------------


FULL = 40


def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:
    """Return the actions of the character `who` on a track or clock: moves first, then changes by hand.

    One that is not possible now has a reason. A closed track and a clock have no moves.
    """
    if clocks.is_clock(track):
        return clocks.actions(state, track)
    this = state["tracks"][track]
    rename = _act(track, "n", "Rename", "track/rename", "")
    noted = _noted(state, track, this)
    if this["status"] not in OPEN:
        return (  # harmless action first, so a double Enter changes nothing
            rename,
            _act(track, "o", "Reopen", "track/reopen", "it isn't over after all"),
            _act(track, "a", "Hide", "track/put_away", "keep it out of sight"),
            noted,
        )
    moves = (
        move._replace(reason=move.reason or why_not(state, who, move.start.procedure.rpartition("/")[2]))
        for move in _moves_on(track, this)
    )
    join = _act(track, "j", "Join", "track/join", "share this vow and its experience")
    joins = (join,) if this["kind"] == "vow" and who not in owners(state, this) else ()
    mark = f"{MARK_WORDS[this['rank']]}, without a move"
    return (
        *moves,
        *joins,
        _act(track, "+", "Mark progress", "track/mark", mark, "every box is full" if this["ticks"] >= FULL else ""),
        _act(track, "-", "Clear progress", "track/clear", mark, "" if this["ticks"] else "no progress to clear"),
        _act(track, "k", "Change the rank", "track/rank", f"now {this['rank']}"),
        rename,
        noted,
        _act(track, "x", "Close", "track/close", "end it without a roll"),
        _act(track, "p", "Progress roll", "roll/progress", "just the roll"),
    )


def _noted(state: State, track: str, this: State) -> Action:
    """Return the action for the note of a track: open it, or if there is none, make one (for a foe) or link one."""
    if this["kind"] == "fight":
        return notes.open_or_make(state, this["name"], notes.linked(state, this), this["about"])
    return notes.open_or_link(state, this, Start("track/note", (("track", track),)))


def _moves_on(track: str, this: State) -> tuple[Action, ...]:
    odds = shown_odds(progress_odds(this["ticks"]))
    blocked = "overcome its obstacle first" if this["status"] == "blocked" else ""
    match this["kind"]:
        case "vow":
            moves = [
                _act(track, "m", "Reach a Milestone", "quest/reach_a_milestone", "mark progress", blocked),
                _act(track, "f", "Fulfill Your Vow", "quest/fulfill_your_vow", "", blocked, odds),
                _act(track, "g", "Forsake Your Vow", "quest/forsake_your_vow", "give it up"),
            ]
        case "journey":
            moves = [
                _act(track, "u", "Undertake a Journey", "adventure/undertake_a_journey", "travel one more leg"),
                _act(track, "d", "Reach Your Destination", "adventure/reach_your_destination", "", blocked, odds),
                _act(track, "w", "Name a waypoint", "track/waypoint", waypoints(this) or "a place on the way"),
            ]
        case _:
            moves = [
                _act(track, "s", "Strike", "combat/strike", "when you have initiative"),
                _act(track, "c", "Clash", "combat/clash", "when the foe has initiative"),
                _act(track, "e", "End the Fight", "combat/end_the_fight", "", blocked, odds),
            ]
    if blocked:
        moves.insert(0, _act(track, "o", "Overcome the Obstacle", "quest/overcome", "the vow is open again"))
    return tuple(moves)


def _act(track: str, key: str, label: str, move: str, note: str, reason: str = "", odds: Odds = ()) -> Action:
    return Action(key, label, Start(move, (("track", track),)), note, odds, reason)


def track_odds(state: State, track: str) -> tuple[tuple[str, Odds], ...]:
    """Return (label, odds) pairs for the progress roll of a track: now, and after one more mark of progress.

    A full track has only the first pair. Return () for a clock or a closed track.
    """
    if clocks.is_clock(track) or state["tracks"][track]["status"] not in OPEN:
        return ()
    this = state["tracks"][track]
    after = min(FULL, this["ticks"] + RANKS[this["rank"]].ticks)
    now = ("now", shown_odds(progress_odds(this["ticks"])))
    return (now, ("after 1 more mark", shown_odds(progress_odds(after)))) if after > this["ticks"] else (now,)
