"""Sheet, party, clocks and belongings (gear, supplies, talents, traits, drives, harms) as view data."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tracker.games.api.phrases import signed
from tracker.games.api.schema import State
from tracker.games.api.view import (
    NO_RATING,
    Action,
    Belonging,
    Clock,
    Counter,
    Field,
    Holding,
    Line,
    Mark,
    Member,
    Meter,
    Pane,
    Ratings,
    Start,
    Stat,
    Track,
)
from tracker.games.common import clocks
from tracker.games.wherever.dice import MARKS_FOR, NONE, PENALTIES, marks_in_words
from tracker.games.wherever.state import HOT, RECOVERY, SKILLS, SLOTS, TRACKS, WEIGHTS, broken, harms_of
from tracker.text import shown_line

ROLL = "action/roll"


def member(ident: str, who: State) -> Member:
    return Member(
        ident,
        shown_line(who["name"]),
        f"health {who['health']}, resolve {who['resolve']}, stress {who['stress']}, WP {who['wp']}",
        who["status"] if who["status"] != "alive" else "Broken" if broken(who) else "",
    )


def sheet(state: State, who: str) -> tuple[Pane, ...]:
    me = state["party"][who]
    return (
        Pane("skills", "Skills", tuple(_column(who, me, attribute) for attribute in SKILLS)),
        Pane("sheet", shown_line(me["name"]), (*_numbers(who, me), *_harms(who, me))),
    )


def _column(who: str, me: State, attribute: str) -> Ratings:
    """Return an attribute and its four skills as a column; the skills have their marks toward the next die."""
    head = Stat(f"{who}.{attribute}", attribute, me[attribute], "", Start(ROLL))
    skills = (
        Stat(
            f"{who}.skills.{skill}",
            skill,
            NO_RATING if me["skills"][skill] == NONE else me["skills"][skill],
            HOT[skill],
            Start(ROLL, (("skill", skill),)),
            marks_in_words(me["marks"][skill], me["skills"][skill]),
            begun=bool(me["marks"][skill]),
        )
        for skill in SKILLS[attribute]
    )
    return Ratings(head, tuple(skills))


def _numbers(who: str, me: State) -> Iterator[Field]:
    for track in TRACKS:
        yield Meter(f"{who}.{track}", track, me[track], me[f"{track}_max"], "" if me[track] else "Broken")
    yield Counter(f"{who}.stress", "stress", me["stress"], sign="▲")
    yield Meter(f"{who}.wp", "WP", me["wp"], me["wp_max"])
    if me["situation"]:
        yield Counter(f"{who}.situation", "next roll", signed(me["situation"]))


def _harms(who: str, me: State) -> Iterator[Field]:
    for sort, harms in harms_of(me).items():
        for harm in harms.values():
            told = ", ".join(filter(None, (f"{PENALTIES[harm['grade']]} {harm['on']}", shown_line(harm["name"]))))
            yield Line("", harm["grade"], told)
        if harms or me["recovery"][sort]:
            yield Clock(f"{who}.recovery.{sort}", f"{sort} recovery", me["recovery"][sort], RECOVERY)


def tracks(state: State) -> tuple[Track, ...]:
    """Return the clocks as tracks. This game has no others."""
    return clocks.shown(state)


def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:  # noqa: ARG001
    """Return the actions on the clock with the id `track`. They do not depend on the character `who`."""
    return clocks.actions(state, track)


# -- belongings -----------------------------------------------------------------------------------------


def belongings(state: State, who: str) -> tuple[Holding, ...]:
    me = state["party"][who]

    def group(
        key: str, thing: Callable[[str, str, State], Belonging], empty: str, take: Action, note: str = ""
    ) -> Holding:
        things = tuple(thing(who, ident, one) for ident, one in me[key].items())
        return Holding(key, key.capitalize(), things, note, empty, (take,))

    return (
        group(
            "gear",
            _item,
            "No gear yet: n takes an item.",
            Action("n", "Take an item", Start("gear/take")),
            note=_slots(me),
        ),
        group(
            "supplies",
            _supply,
            "No supplies yet: s takes some.",
            Action("s", "Take supplies", Start("gear/take_supply"), "used up in play"),
        ),
        group("talents", _talent, "No talents yet: t takes one.", Action("t", "Take a talent", Start("sheet/talent"))),
        group(
            "traits",
            _trait,
            "No traits yet: i takes one.",
            Action("i", "Take a trait", Start("sheet/trait"), "for good or ill"),
        ),
        group("drives", _drive, "No drives yet: v takes one.", Action("v", "Take a drive", Start("sheet/drive"))),
        Holding(
            "harms",
            "Harms",
            tuple(_harm(sort, ident, one) for sort, harms in harms_of(me).items() for ident, one in harms.items()),
            empty="No harm.",
            actions=(Action("h", "Take a harm", Start("sheet/harm"), "from the story"),),
            on_sheet=True,
        ),
    )


def _slots(me: State) -> str:
    taken = {
        place: sum(WEIGHTS[item["weight"]] for item in me["gear"].values() if item["place"] == place) for place in SLOTS
    }
    return ", ".join(f"{place} {taken[place]:g} of {most}" for place, most in SLOTS.items() if taken[place])


def _item(who: str, ident: str, item: State) -> Belonging:
    worn = "" if item["reliability"] else "broken"
    return Belonging(
        ident,
        shown_line(item["name"]),
        item["place"] if item["weight"] == "normal" else f"{item['place']}, {item['weight']}",
        number=Meter(f"{who}.gear.{ident}.reliability", "reliability", item["reliability"], item["max"], worn),
        actions=(Action("e", "Stow or drop it", Start("gear/stow", (("item", ident),))),),
    )


def _supply(who: str, ident: str, one: State) -> Belonging:
    die = Counter(f"{who}.supplies.{ident}.die", "die", one["die"])
    use = Start("gear/use_supply", (("supply", ident),))
    gone = "used up" if one["die"] == "gone" else ""
    return Belonging(ident, shown_line(one["name"]), number=die, actions=(Action("e", "Use it", use, reason=gone),))


def _talent(who: str, ident: str, one: State) -> Belonging:
    clock = MARKS_FOR[one["die"]]
    return Belonging(
        ident,
        shown_line(one["name"]),
        one["die"],
        marks=(Mark(shown_line(one["ability"], 200), True),) if one["ability"] else (),
        number=Meter(f"{who}.talents.{ident}.marks", "marks", one["marks"], clock) if clock else None,
        actions=(
            Action("g", "Train it", Start("montage/train", (("train", f"talent.{ident}"),)), "in a montage"),
            _let_go("talents", ident),
        ),
    )


def _trait(who: str, ident: str, one: State) -> Belonging:
    points = Counter(f"{who}.traits.{ident}.points", "points", signed(one["points"]))
    return Belonging(ident, shown_line(one["name"]), number=points, actions=(_let_go("traits", ident),))


def _drive(who: str, ident: str, one: State) -> Belonging:
    intensity = Counter(f"{who}.drives.{ident}.intensity", "intensity", one["intensity"])
    return Belonging(ident, shown_line(one["name"]), number=intensity, actions=(_let_go("drives", ident),))


def _harm(sort: str, ident: str, one: State) -> Belonging:
    this = (("harm", f"{sort}.{ident}"),)
    return Belonging(
        f"{sort}.{ident}",
        shown_line(one["name"] or f"{one['grade']} harm"),
        f"{one['grade']} {sort}, {PENALTIES[one['grade']]} {one['on']}",
        actions=(
            Action("e", "Describe it", Start("sheet/name_harm", this), "and what it affects"),
            Action("l", "Heal it", Start("sheet/heal_harm", this), "without a montage"),
        ),
    )


def _let_go(sort: str, ident: str) -> Action:
    return Action("l", "Let it go", Start("sheet/let_go", (("which", f"{sort}.{ident}"),)))
