"""The sheet and the countdowns, as they are shown."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.daggerheart.beings import VULNERABLE, conditions, gold_words, thresholds
from tracker.games.daggerheart.layout import CONDITIONS, FEAR_MOST
from tracker.games.daggerheart.rolls import HOT, TRAITS
from tracker.games.schema import State
from tracker.games.sheet import Counter, Field, Flag, Flags, Line, Member, Meter, Pane, Row, Start, Stat, Track
from tracker.games.words import signed
from tracker.text import shown_line

ROLL = "action/roll"


def members(state: State) -> tuple[Member, ...]:
    return tuple(
        Member(
            ident,
            shown_line(who["name"]),
            f"hp {who['hp']}/{who['hp_max']} hope {who['hope']}",
            who["status"] if who["status"] != "alive" else who["down"].replace("_", " "),
        )
        for ident, who in state["party"].items()
        if who["status"] != "gone"
    )


def sheet(state: State, who: str) -> tuple[Pane, ...]:
    me = state["party"][who]
    sort = f"{shown_line(me['class'])}, level {me['level']}" if me["class"] else f"level {me['level']}"
    return (
        Pane(
            "sheet",
            f"{shown_line(me['name'])}   {sort}",
            (
                *(
                    Stat(f"{who}.{trait}", trait.capitalize(), signed(me[trait]), HOT[trait], _roll(trait))
                    for trait in TRAITS
                ),
                *_meters(who, me),
                Row(
                    (
                        Counter(f"{who}.evasion", "Evasion", me["evasion"]),
                        Counter(f"{who}.proficiency", "Proficiency", me["proficiency"]),
                        Counter(f"{who}.armor_max", "Armor Score", me["armor_max"]),
                    )
                ),
                Line("", "thresholds", "major from {}, severe from {}".format(*thresholds(me))),
                *_known(me),
                _conditions(who, me),
                Line("", "gold", gold_words(me["gold"])),
            ),
        ),
        Pane(
            "gm",
            "The GM",
            (
                Meter("fear", "Fear", state["fear"], FEAR_MOST),
                Line("", "spotlight", "the players" if state["spotlight"] == "players" else "the GM"),
            ),
        ),
    )


def _roll(trait: str) -> Start:
    return Start(ROLL, (("trait", trait),))


def _meters(who: str, me: State) -> Iterator[Field]:
    down = {"": "", "death_move": "death move", "unconscious": "unconscious"}[me["down"]]
    full = VULNERABLE in conditions(me) and VULNERABLE not in me["conditions"]
    yield Meter(f"{who}.hp", "HP", me["hp"], me["hp_max"], down or "marked")
    yield Meter(f"{who}.stress", "Stress", me["stress"], me["stress_max"], "Vulnerable" if full else "marked")
    yield Meter(f"{who}.armor", "Armor", me["armor"], me["armor_max"], "used")
    scars = "" if not me["scars"] else "1 scar" if me["scars"] == 1 else f"{me['scars']} scars"
    yield Meter(f"{who}.hope", "Hope", me["hope"], me["hope_max"], scars)


def _known(me: State) -> Iterator[Field]:
    if me["experiences"]:
        told = (f"{shown_line(one['name'])} {signed(one['bonus'])}" for one in me["experiences"].values())
        yield Line("", "Experiences", ", ".join(told))
    for one in me["weapons"].values():
        if one["place"] != "spare":
            sort = "phy" if one["type"] == "physical" else "mag"
            how = f"{one['trait'].capitalize()}  {shown_line(one['damage'])} {sort}  {one['range']}"
            yield Line("", shown_line(one["name"]), how)


def _conditions(who: str, me: State) -> Flags:
    there = [*CONDITIONS, *(one for one in me["conditions"] if one not in CONDITIONS)]
    return Flags(
        tuple(Flag(f"{who}.conditions", one, shown_line(one).capitalize(), one in me["conditions"]) for one in there)
    )


def tracks(state: State) -> tuple[Track, ...]:
    """The countdowns: what is left of each is filled. At the end what is over."""
    shown = [
        Track(
            ident,
            shown_line(one["name"]),
            one["kind"].replace("_", "-"),
            "",
            one["value"],
            note=_note(one),
            closed="ended" if one["ended"] else "",
            at=f"countdowns.{ident}.value",
            segments=max(one["start"], one["value"], 1),
        )
        for ident, one in state["countdowns"].items()
    ]
    return tuple(sorted(shown, key=lambda track: bool(track.closed)))


def _note(one: State) -> str:
    loop = {"none": "", "loop": "loops", "increasing": "loops, longer", "decreasing": "loops, shorter"}[one["loop"]]
    return ", ".join(filter(None, (loop, "does not listen" if one["paused"] else "")))
