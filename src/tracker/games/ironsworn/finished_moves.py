"""What past entries of Ironsworn show: rolls with their exact odds, dice, burns, and events for a recap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tracker.games.api.facts import is_whole, items
from tracker.games.api.finished_moves import Feat, Gauge, Landmark, PastDie, PastMove, PastRoll, RollKind, thrown
from tracker.games.api.schema import State
from tracker.games.common.landmarks import called, changed, changed_members
from tracker.games.ironsworn.cards import TONES, is_roll
from tracker.games.ironsworn.dice import (
    HIGHEST_SCORE,
    MARKS,
    TICKS_PER_BOX,
    ActionRoll,
    ProgressRoll,
    action_odds,
    progress_odds,
)
from tracker.games.ironsworn.state import COUNTS, COUNTS_NO_LONGER, other_debilities
from tracker.text import shown_line

ACTION, PROGRESS = "action roll", "progress roll"
_OUTCOMES = tuple((outcome, TONES[outcome]) for outcome in MARKS)
KINDS = tuple(RollKind(name, _OUTCOMES, "match", (1, 10)) for name in (ACTION, PROGRESS))
_DICE = {
    "action": ("action die", 6),
    "challenge": ("challenge die", 10),
    "challenge_1": ("challenge die", 10),
    "challenge_2": ("challenge die", 10),
    "oracle": ("d100", 100),
}
_MOST_ADDS = 99
"""Highest stat or sum of adds for which odds are counted; anything above was typed into the file."""


def rolls(move: PastMove) -> tuple[PastRoll, ...]:
    """Return the rolls of a move: its own roll, then the focus rolls of Sojourn; () if its facts have no roll."""
    found = (_roll(move, facts, part) for part, facts in _each(move.facts))
    return tuple(filter(None, found))


def _each(facts: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (prefix of the prompt keys, facts) for each action roll or progress roll in the facts of a move."""
    others = facts.get("focus_of")
    several = others.items() if isinstance(others, Mapping) else ()
    focused = [("focus_", facts.get("focus")), *((f"focus.{who}_", one) for who, one in several)]
    for part, one in [("", facts), *focused]:
        if isinstance(one, Mapping) and is_roll(one):
            yield part, one


def _roll(move: PastMove, facts: Mapping[str, Any], part: str) -> PastRoll | None:
    challenge = move.faces(f"{part}dice", "challenge") or ([] if "rerolled" in facts else facts["challenge"])
    outcome = facts["outcome"]
    kind = ACTION if "action" in facts else PROGRESS
    if len(challenge) != 2 or not all(1 <= face <= 10 for face in challenge):
        return PastRoll(kind, outcome)
    pair = challenge[0], challenge[1]
    if kind == PROGRESS:
        ticks = facts["ticks"]
        fell: ActionRoll | ProgressRoll = ProgressRoll(ticks, pair)
        odds = progress_odds(ticks) if ticks >= 0 else None
    else:
        die = move.faces(f"{part}dice", "action") or ([] if "rerolled" in facts else [facts["action"]])
        stat, adds, momentum = facts["stat"], facts["adds"] - _late(move, facts, part), facts["momentum"]
        if len(die) != 1 or not 1 <= die[0] <= 6:
            return PastRoll(kind, outcome)
        fell = ActionRoll(die[0], pair, stat, adds, momentum)
        odds = action_odds(stat, adds, momentum) if abs(stat) + abs(adds) <= _MOST_ADDS else None
    if odds is None:
        return PastRoll(kind, outcome, match=fell.match)
    return PastRoll(kind, outcome, fell.outcome, (odds.strong, odds.weak, odds.miss), fell.match)


def _late(move: PastMove, facts: Mapping[str, Any], part: str) -> int:
    """Return the points that assets added after the dice were rolled: the last of the named bonuses; 0 for none.

    `facts` are those of one roll of the move, and `part` is the prefix of its prompt keys.
    """
    keys = move.answers.get(f"{part}late_help")
    many = len(keys) if isinstance(keys, list) else 0
    pairs = [one for one in items(facts, "plus") if isinstance(one, list) and len(one) == 2 and is_whole(one[1])]
    return sum(points for _, points in pairs[len(pairs) - many :]) if 0 < many <= len(pairs) else 0


def dice(move: PastMove) -> tuple[PastDie, ...]:
    """Return the dice of a move, including rerolls. Dice that the game does not know by their name are left out."""
    return tuple(thrown(move, lambda _, name, __: _DICE.get(name)))


def feats(move: PastMove) -> tuple[Feat, ...]:
    """Return the burns and rerolls of a move, also those of its focus rolls; () if it has none."""
    found: list[Feat] = []
    for _, facts in _each(move.facts):
        before, outcome = facts.get("before_burn"), facts["outcome"]
        if before in MARKS:
            momentum, reset = facts.get("momentum"), facts.get("reset")
            paid = momentum - reset if is_whole(momentum) and is_whole(reset) else 0
            found.append(Feat("momentum burned", f"{before} → {outcome}", paid, "momentum"))
        if facts.get("rerolled"):
            found.append(Feat("dice rerolled", shown_line(str(facts.get("rerolled_by", "")), 40)))
    return tuple(found)


def gauges(state: State) -> tuple[Gauge, ...]:
    """Return gauges for momentum, health, spirit and experience of every character, for supply, and for all tracks.

    Tracks are measured in boxes.
    """
    found: list[Gauge] = []
    for who, me in state["party"].items():
        found += (
            Gauge(f"{who}.momentum", "momentum", me["momentum"], -6, 10, "main", who),
            Gauge(f"{who}.health", "health", me["health"], 0, 5, "meter", who),
            Gauge(f"{who}.spirit", "spirit", me["spirit"], 0, 5, "meter", who),
            Gauge(f"{who}.xp", "experience", me["xp"], 0, None, "count", who),
        )
    found.append(Gauge("supply", "supply", state["supply"], 0, 5, "meter"))
    for ident, track in state["tracks"].items():
        boxes = track["ticks"] // TICKS_PER_BOX
        found.append(Gauge(f"tracks.{ident}", called(track), boxes, 0, HIGHEST_SCORE, "track"))
    return tuple(found)


_BEGUN = {"vow": ("Vows", "sworn: {}"), "journey": ("Travel", "set out: {}"), "fight": ("Fights", "{}")}
_ENDED = {
    "fulfilled": ("Vows", "fulfilled: {}"),
    "forsaken": ("Vows", "forsaken: {}"),
    "arrived": ("Travel", "reached: {}"),
    "abandoned": ("Travel", "given up: {}"),
    "won": ("Fights", "{}, beaten"),
    "lost": ("Fights", "{}, lost"),
}


def landmarks(move: PastMove) -> tuple[Landmark, ...]:
    """Return the events of a move for a recap: vows, journeys, fights, bonds, assets and debilities; () for none.

    Events that all games share, such as new members, are not among them.
    """
    return (*_tracks(move.before, move.after), *_characters(move.before, move.after))


def _tracks(before: State, after: State) -> Iterator[Landmark]:
    for _, was, track in changed(before, after, "tracks"):
        if was is None:
            heading, words = _BEGUN[track["kind"]]
            yield Landmark(heading, words.format(called(track)))
        if track["status"] in _ENDED and (was is None or was["status"] != track["status"]):
            heading, words = _ENDED[track["status"]]
            yield Landmark(heading, words.format(called(track)))


def _characters(before: State, after: State) -> Iterator[Landmark]:
    for whose, was, me in changed_members(before, after):
        for bond in _new(was, me, "bonds"):
            yield Landmark("Gained", f"{whose}bond with {called(me['bonds'][bond])}")
        for asset in _new(was, me, "assets"):
            yield Landmark("Gained", f"{whose}{called(me['assets'][asset])}")
        for debility in _new(was, me, "debilities"):
            name = other_debilities(me).get(debility)
            yield Landmark("Changed", f"{whose}{name} {COUNTS}" if name else f"{whose}{debility} marked")
        for debility in _new(me, was, "debilities"):
            name = other_debilities(was).get(debility)
            yield Landmark("Changed", f"{whose}{name} {COUNTS_NO_LONGER}" if name else f"{whose}{debility} cleared")
        for asset in _new(me, was, "assets"):
            yield Landmark("Lost", f"{whose}{called(was['assets'][asset])}")


def _new(before: State, after: State, field: str) -> list[str]:
    return [] if before[field] is after[field] else [ident for ident in after[field] if ident not in before[field]]
