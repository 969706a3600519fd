"""Sheet, party and clocks as view data."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.schema import State
from tracker.games.api.view import Action, Clock, Counter, Field, Line, Member, Meter, Pane, Ratings, Start, Stat, Track
from tracker.games.common import clocks
from tracker.games.wherever.dice import MARKS_FOR, NONE, PENALTIES
from tracker.games.wherever.state import HOT, RECOVERY, SKILLS, TRACKS, broken, harms_of
from tracker.text import shown_line

ROLL = "action/roll"


def members(state: State) -> tuple[Member, ...]:
    return tuple(
        Member(
            ident,
            shown_line(who["name"]),
            f"H{who['health']} R{who['resolve']} st{who['stress']} wp{who['wp']}",
            who["status"] if who["status"] != "alive" else "Broken" if broken(who) else "",
        )
        for ident, who in state["party"].items()
        if who["status"] != "gone"
    )


def sheet(state: State, who: str) -> tuple[Pane, ...]:
    me = state["party"][who]
    return (
        Pane("skills", "Skills", tuple(_column(who, me, attribute) for attribute in SKILLS)),
        Pane("sheet", shown_line(me["name"]), (*_numbers(who, me), *_harms(who, me))),
    )


def _column(who: str, me: State, attribute: str) -> Ratings:
    """Return an attribute with its four skills, each with the marks towards the next die."""
    head = Stat(f"{who}.{attribute}", attribute, me[attribute], "", Start(ROLL))
    skills = (
        Stat(
            f"{who}.skills.{skill}",
            skill,
            "–" if me["skills"][skill] == NONE else me["skills"][skill],
            HOT[skill],
            Start(ROLL, (("skill", skill),)),
            _clock(me["marks"][skill], me["skills"][skill]),
            begun=bool(me["marks"][skill]),
        )
        for skill in SKILLS[attribute]
    )
    return Ratings(head, tuple(skills))


def _clock(marks: int, die: str) -> str:
    return f"{marks}/{MARKS_FOR[die]}" if MARKS_FOR[die] else ""


def _numbers(who: str, me: State) -> Iterator[Field]:
    for track in TRACKS:
        yield Meter(f"{who}.{track}", track, me[track], me[f"{track}_max"], "" if me[track] else "Broken")
    yield Counter(f"{who}.stress", "stress", me["stress"], sign="▲")
    yield Meter(f"{who}.wp", "WP", me["wp"], me["wp_max"])


def _harms(who: str, me: State) -> Iterator[Field]:
    for sort, harms in harms_of(me).items():
        for harm in harms.values():
            told = ", ".join(filter(None, (f"{PENALTIES[harm['grade']]} {harm['on']}", shown_line(harm["name"]))))
            yield Line("", harm["grade"], told)
        if harms or me["recovery"][sort]:
            yield Clock(f"{who}.recovery.{sort}", f"{sort} recovery", me["recovery"][sort], RECOVERY)


def tracks(state: State) -> tuple[Track, ...]:
    """Return the clocks, the only tracks of this game."""
    return clocks.shown(state)


def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:  # noqa: ARG001
    """Return the actions on a clock, the same for every character."""
    return clocks.actions(state, track)
