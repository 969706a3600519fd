"""The sheet, as it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.schema import State
from tracker.games.sheet import Action, Clock, Counter, Field, Line, Member, Meter, Pane, Ratings, Start, Stat, Track
from tracker.games.wherever.layout import HOT, RECOVERY, SKILLS, TRACKS, broken
from tracker.games.wherever.rolls import CLOCKS, NONE, PENALTIES
from tracker.games.words import signed
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
        Pane("sheet", shown_line(me["name"]), (*_numbers(who, me), *_harms(who, me), *_character(who, me))),
        Pane("gear", "Gear", tuple(_gear(who, me))),
    )


def _column(who: str, me: State, attribute: str) -> Ratings:
    """An attribute over its four skills, each with the clock that leads to the next die."""
    head = Stat(f"{who}.{attribute}", attribute, me[attribute], "", Start(ROLL))
    skills = (
        Stat(
            f"{who}.skills.{skill}",
            skill,
            "–" if me["skills"][skill] == NONE else me["skills"][skill],
            HOT[skill],
            Start(ROLL, (("skill", skill),)),
            _clock(me["marks"][skill], me["skills"][skill]),
        )
        for skill in SKILLS[attribute]
    )
    return Ratings(head, tuple(skills))


def _clock(marks: int, die: str) -> str:
    return f"{marks}/{CLOCKS[die]}" if CLOCKS[die] else ""


def _numbers(who: str, me: State) -> Iterator[Field]:
    for track in TRACKS:
        yield Meter(f"{who}.{track}", track, me[track], me[f"{track}_max"], "" if me[track] else "Broken")
    yield Counter(f"{who}.stress", "stress", me["stress"])
    yield Meter(f"{who}.wp", "WP", me["wp"], me["wp_max"])


def _harms(who: str, me: State) -> Iterator[Field]:
    for sort, harms in me["harms"].items():
        for harm in harms.values():
            named = ", ".join(filter(None, (shown_line(harm["name"]), f"{PENALTIES[harm['grade']]} {harm['on']}")))
            yield Line("", harm["grade"], named)
        if harms or me["recovery"][sort]:
            yield Clock(f"{who}.recovery.{sort}", f"{sort} recovery", me["recovery"][sort], RECOVERY)


def _character(who: str, me: State) -> Iterator[Field]:
    for ident, drive in me["drives"].items():
        yield Meter(f"{who}.drives.{ident}.intensity", shown_line(drive["name"]), drive["intensity"], 3, "drive")
    if me["talents"]:
        yield Line("", "talents", ", ".join(f"{shown_line(t['name'])} {t['die']}" for t in me["talents"].values()))
    if me["traits"]:
        told = (f"{shown_line(t['name'])} {signed(t['points'])}" for t in me["traits"].values())
        yield Line("", "traits", ", ".join(told))


def _gear(who: str, me: State) -> Iterator[Field]:
    for ident, item in me["gear"].items():
        note = item["place"] if item["reliability"] else "broken"
        name = shown_line(item["name"])
        yield Meter(f"{who}.gear.{ident}.reliability", name, item["reliability"], item["max"], note)
    for supply in me["supplies"].values():
        yield Line("", shown_line(supply["name"]), f"{supply['die']} supply")


def tracks(state: State) -> tuple[Track, ...]:  # noqa: ARG001
    return ()


def track_moves(state: State, track: str) -> tuple[Action, ...]:  # noqa: ARG001
    return ()
