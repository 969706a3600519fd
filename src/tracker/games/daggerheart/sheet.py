"""Sheet, party and countdowns as view data."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.format import signed
from tracker.games.api.schema import State
from tracker.games.api.view import Counter, Field, Flag, Flags, Line, Member, Meter, Pane, Row, Start, Stat, Track
from tracker.games.daggerheart.creatures import VULNERABLE, at_hand, condition_name, conditions, is_worn_out, thresholds
from tracker.games.daggerheart.dice import HOT, TRAITS
from tracker.games.daggerheart.state import CONDITIONS, FEAR_MOST
from tracker.text import shown_line

ROLL = "action/roll"


def members(state: State) -> tuple[Member, ...]:
    return tuple(
        Member(
            ident,
            shown_line(who["name"]),
            f"hp {who['hp']}/{who['hp_max']} hope {who['hope']}",
            who["status"] if who["status"] != "alive" else who["down"].replace("_", " "),
            _kind(who),
        )
        for ident, who in state["party"].items()
        if who["status"] != "gone"
    )


def sheet(state: State, who: str) -> tuple[Pane, ...]:
    me = state["party"][who]
    return (
        Pane(
            "sheet",
            f"{shown_line(me['name'])}   {_kind(me)}",
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
                        Counter(f"{who}.armor_max", "Score", me["armor_max"]),
                    )
                ),
                Line("", "", "minor 1 ─┤{}├─ major 2 ─┤{}├─ severe 3".format(*thresholds(me))),
                *_known(me),
                _conditions(who, me),
            ),
        ),
        Pane(
            "gm",
            "The GM",
            (
                Meter("fear", "Fear", state["fear"], FEAR_MOST, told=True),
                Line("", "spotlight", "the players" if state["spotlight"] == "players" else "the GM"),
                *_tokens(state, who),
            ),
        ),
    )


def _tokens(state: State, who: str) -> Iterator[Field]:
    if most := state["settings"]["tokens"]:
        yield Meter(f"{who}.tokens", "tokens", state["party"][who]["tokens"], most, told=True)


def _kind(me: State) -> str:
    return ", ".join(filter(None, (shown_line(me["class"]), f"level {me['level']}")))


def _roll(trait: str) -> Start:
    return Start(ROLL, (("trait", trait),))


def _meters(who: str, me: State) -> Iterator[Field]:
    down = {"": "", "death_move": "death move", "unconscious": "unconscious"}[me["down"]]
    full = VULNERABLE in conditions(me) and VULNERABLE not in me["conditions"]
    yield _marked(who, me, "hp", "HP", down or "marked")
    yield _marked(who, me, "stress", "Stress", "Vulnerable" if full else "marked")
    yield _marked(who, me, "armor", "Armor", "used" if me["armor_max"] else "no armor")
    scars = "" if not me["scars"] else "1 scar" if me["scars"] == 1 else f"{me['scars']} scars"
    yield Meter(f"{who}.hope", "Hope", me["hope"], me["hope_max"], scars, told=True)


def _marked(who: str, me: State, key: str, label: str, note: str) -> Meter:
    return Meter(f"{who}.{key}", label, me[key], me[f"{key}_max"], note, marks=True, told=True)


def _known(me: State) -> Iterator[Field]:
    """Yield Experiences two to a row, then weapons at hand, then armor."""
    known = [Line("", shown_line(one["name"], 15), signed(one["bonus"])) for one in me["experiences"].values()]
    for n in range(0, len(known), 2):
        yield Row(tuple(known[n : n + 2]))
    for one in at_hand(me).values():
        sort = "phy" if one["type"] == "physical" else "mag"
        how = f"{one['trait'].capitalize()}  {shown_line(one['damage'])} {sort}  {one['range']}"
        yield Line("", shown_line(one["name"]), how)
    if me["armor_name"]:
        base = me["armor_base"]
        yield Line("", shown_line(me["armor_name"]), f"armor  base {base['major']}/{base['severe']}")


def _conditions(who: str, me: State) -> Flags:
    there = {one: one.capitalize() for one in CONDITIONS}
    there |= {one: condition_name(me, one) for one in me["conditions"] if one not in CONDITIONS}
    worn = is_worn_out(me) and VULNERABLE not in me["conditions"]
    return Flags(
        tuple(
            Flag(f"{who}.conditions", one, f"{said} by Stress", on=True, reason="it ends when a Stress is cleared")
            if worn and one == VULNERABLE
            else Flag(f"{who}.conditions", one, said, one in me["conditions"])
            for one, said in there.items()
        )
    )


def tracks(state: State) -> tuple[Track, ...]:
    """Return the countdowns as tracks, filled as far as they have to go; ended ones last."""
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
