"""What can be done with one track."""

from __future__ import annotations

from tracker.games import clocks
from tracker.games.ironsworn.layout import OPEN
from tracker.games.ironsworn.legal import why_not
from tracker.games.ironsworn.odds import progress_odds, shown_odds
from tracker.games.ironsworn.rolls import RANKS
from tracker.games.ironsworn.tracks import MARK_WORDS
from tracker.games.schema import State
from tracker.games.sheet import Action, Odds, Start

FULL = 40


def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:
    """Its moves first, then what is done by hand; of a track that is over, only that."""
    if clocks.is_clock(track):
        return clocks.actions(state, track)
    this = state["tracks"][track]
    rename = _act(track, "n", "Rename", "track/rename", "call it something else")
    if this["status"] not in OPEN:
        return (  # what changes nothing until something is typed comes first: Enter twice falls on it
            rename,
            _act(track, "o", "Open it again", "track/reopen", "it was not over after all"),
            _act(track, "a", "Put it away", "track/put_away", "it is not shown any more"),
        )
    moves = (
        move._replace(reason=move.reason or why_not(state, who, move.start.procedure.rpartition("/")[2]))
        for move in _moves(track, this)
    )
    mark = f"a whole mark, {MARK_WORDS[this['rank']]}, outside a move"
    return (
        *moves,
        _act(track, "+", "Mark progress", "track/mark", mark, "every box is full" if this["ticks"] >= FULL else ""),
        _act(track, "-", "Clear progress", "track/clear", mark, "" if this["ticks"] else "nothing is marked"),
        _act(track, "k", "Change the rank", "track/rank", f"it is {this['rank']}"),
        rename,
        _act(track, "x", "Close it", "track/close", "without a progress move"),
        _act(track, "p", "Progress roll", "roll/progress", "and nothing else"),
    )


def _moves(track: str, this: State) -> tuple[Action, ...]:
    odds = shown_odds(progress_odds(this["ticks"]))
    blocked = "its obstacle comes first" if this["status"] == "blocked" else ""
    match this["kind"]:
        case "vow":
            moves = [
                _act(track, "m", "Reach a Milestone", "quest/reach_a_milestone", "mark progress", blocked),
                _act(track, "f", "Fulfill Your Vow", "quest/fulfill_your_vow", "", blocked, odds),
                _act(track, "g", "Forsake Your Vow", "quest/forsake_your_vow", "give it up"),
            ]
        case "journey":
            moves = [
                _act(track, "u", "Undertake a Journey", "adventure/undertake_a_journey", "a leg of it"),
                _act(track, "d", "Reach Your Destination", "adventure/reach_your_destination", "", blocked, odds),
            ]
        case _:
            moves = [
                _act(track, "s", "Strike", "combat/strike", "with the initiative"),
                _act(track, "c", "Clash", "combat/clash", "without it"),
                _act(track, "e", "End the Fight", "combat/end_the_fight", "", blocked, odds),
            ]
    if blocked:
        moves.insert(0, _act(track, "o", "Overcome the Obstacle", "quest/overcome", "it is out of the way"))
    return tuple(moves)


def _act(track: str, key: str, label: str, move: str, note: str, reason: str = "", odds: Odds = ()) -> Action:
    return Action(key, label, Start(move, (("track", track),)), note, odds, reason)


def track_odds(state: State, track: str) -> tuple[tuple[str, Odds], ...]:
    """Of the progress roll, as it stands and with one more mark."""
    if clocks.is_clock(track) or state["tracks"][track]["status"] not in OPEN:
        return ()
    this = state["tracks"][track]
    after = min(FULL, this["ticks"] + RANKS[this["rank"]].ticks)
    now = ("now", shown_odds(progress_odds(this["ticks"])))
    return (now, ("after another mark", shown_odds(progress_odds(after)))) if after > this["ticks"] else (now,)
