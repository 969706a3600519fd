"""Sheet, party, countdowns and belongings (Experiences, weapons, armor, cards, features, items, gold) as view data."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.phrases import signed
from tracker.games.api.schema import State
from tracker.games.api.view import (
    Action,
    Belonging,
    Counter,
    Field,
    Flag,
    Flags,
    Holding,
    Line,
    Mark,
    Member,
    Meter,
    Pane,
    Row,
    Start,
    Stat,
    Track,
)
from tracker.games.daggerheart.derived_values import (
    VULNERABLE,
    at_hand,
    condition_name,
    conditions,
    gold_words,
    is_worn_out,
    loadout,
    thresholds,
)
from tracker.games.daggerheart.dice import HOT, TRAITS
from tracker.games.daggerheart.state import CONDITIONS, FEAR_MOST, LOADOUT, TIERS
from tracker.text import shown_line

ROLL = "action/roll"


def member(ident: str, who: State) -> Member:
    return Member(
        ident,
        shown_line(who["name"]),
        f"{who['hp_max'] - who['hp']} HP left, {who['hope']} Hope",
        who["status"] if who["status"] != "alive" else who["down"].replace("_", " "),
        _kind(who),
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
                Line(
                    "", "", "minor 1 ─┤{}├─ major 2 ─┤{}├─ severe 3".format(*thresholds(me)), called="damage thresholds"
                ),
                *([Line("", "Spellcast", me["spellcast"].capitalize())] if me["spellcast"] else ()),
                *_known(me),
                _conditions(who, me),
            ),
        ),
        Pane(
            "gm",
            "The GM",
            (
                Meter("fear", "Fear", state["fear"], FEAR_MOST, told=True),
                Line("", "spotlight", "with the players" if state["spotlight"] == "players" else "with the GM"),
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
    yield _marked(who, me, "armor", "Armor", "marked" if me["armor_max"] else "no armor")
    scars = "" if not me["scars"] else "1 scar" if me["scars"] == 1 else f"{me['scars']} scars"
    yield Meter(f"{who}.hope", "Hope", me["hope"], me["hope_max"], scars, told=True)


def _marked(who: str, me: State, key: str, label: str, note: str) -> Meter:
    return Meter(f"{who}.{key}", label, me[key], me[f"{key}_max"], note, marks=True, told=True)


_NAMES = 29
"""Cells for the names of the Experiences in one row of the sheet, without their bonuses."""


def _known(me: State) -> Iterator[Field]:
    """Yield the sheet's lines for Experiences, two to a row, then for weapons at hand, then for armor."""
    known = list(me["experiences"].values())
    for n in range(0, len(known), 2):
        pair = known[n : n + 2]
        names = [shown_line(one["name"], _NAMES) for one in pair]
        # Both names in full if they fit; else the shorter one keeps what it needs of its half, and the rest is cut.
        least = min(*map(len, names), _NAMES // 2)
        room = _NAMES if len(pair) == 1 or sum(map(len, names)) <= _NAMES else _NAMES - least
        yield Row(tuple(Line("", shown_line(one["name"], room), signed(one["bonus"])) for one in pair))
    for one in at_hand(me).values():
        how = f"{one['trait'].capitalize()} {shown_line(one['damage'])} {one['type']}, {one['range']}"
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
            Flag(f"{who}.conditions", one, f"{said} (Stress)", on=True, reason="ends when you clear a Stress")
            if worn and one == VULNERABLE
            else Flag(f"{who}.conditions", one, said, one in me["conditions"])
            for one, said in there.items()
        )
    )


def tracks(state: State) -> tuple[Track, ...]:
    """Return the countdowns as tracks that show the steps left. Those that have ended come last."""
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
            counts_down=True,
        )
        for ident, one in state["countdowns"].items()
    ]
    return tuple(sorted(shown, key=lambda track: bool(track.closed)))


def _note(one: State) -> str:
    loop = {"none": "", "loop": "loops", "increasing": "loops, longer", "decreasing": "loops, shorter"}[one["loop"]]
    return ", ".join(filter(None, (loop, "ignores rolls" if one["paused"] else "")))


# -- belongings -----------------------------------------------------------------------------------------


def belongings(state: State, who: str) -> tuple[Holding, ...]:
    me = state["party"][who]
    return (
        Holding(
            "experiences",
            "Experiences",
            tuple(
                Belonging(
                    ident,
                    shown_line(one["name"]),
                    number=Counter(f"{who}.experiences.{ident}.bonus", "adds", one["bonus"]),
                    actions=(_gone("experiences", ident),),
                )
                for ident, one in me["experiences"].items()
            ),
            note="1 Hope each on a roll",
            empty="No Experiences yet: e takes one.",
            actions=(Action("e", "Take an Experience", Start("sheet/experience"), "what you're good at"),),
            on_sheet=True,
        ),
        Holding(
            "weapons",
            "Weapons and armor",
            (*(_weapon(ident, one) for ident, one in me["weapons"].items()), _armor(me)),
            empty="No weapons yet: w takes one.",
            actions=(
                Action("w", "Take a weapon", Start("sheet/weapon"), "from your files, or your own"),
                Action("m", "Wear armor", Start("sheet/armor"), "thresholds and score"),
                Action("y", "Resistance", Start("sheet/resist"), "take less damage"),
            ),
            on_sheet=True,
        ),
        Holding(
            "cards",
            "Loadout",
            tuple(_card(ident, one) for ident, one in me["cards"].items()),
            note=f"{loadout(me)} of {LOADOUT}",
            empty="No domain cards yet: c takes one.",
            actions=(Action("c", "Take a card", Start("sheet/card"), "its name and your notes"),),
        ),
        Holding(
            "features",
            "Features",
            tuple(
                Belonging(
                    ident,
                    shown_line(one["name"]),
                    "" if one["refresh"] == "never" else f"refreshes after a {one['refresh']}",
                    "",
                    (*_text(one["note"], on=True), Mark("used", one["used"], f"{who}.features.{ident}.used")),
                    Counter(f"{who}.features.{ident}.tokens", "tokens", one["tokens"]),
                    (_gone("features", ident),),
                )
                for ident, one in me["features"].items()
            ),
            empty="No features yet: f takes one.",
            actions=(Action("f", "Take a feature", Start("sheet/feature"), "with tokens or limited uses"),),
        ),
        Holding(
            "items",
            "Items",
            tuple(
                Belonging(
                    ident,
                    shown_line(one["name"]),
                    note=shown_line(one["note"], 200),
                    number=Counter(f"{who}.items.{ident}.many", "quantity", one["many"]),
                    actions=(_gone("items", ident),),
                )
                for ident, one in me["items"].items()
            ),
            note=gold_words(me["gold"]),
            empty="No items yet: i takes one.",
            actions=(
                Action("i", "Take an item", Start("sheet/item"), "something to carry"),
                Action("g", "Gain gold", Start("gold/gold"), gold_words(me["gold"])),
                Action(
                    "p",
                    "Spend gold",
                    Start("gold/spend"),
                    gold_words(me["gold"]),
                    reason="" if me["gold"] else "no gold",
                ),
            ),
        ),
        Holding(
            "level",
            "Level",
            (Belonging("level", f"level {me['level']}", note=_taken(me)),),
            actions=(
                Action("v", "Level up", Start("level/level_up"), "two advancements"),
                Action("h", "Slots and thresholds", Start("sheet/slots"), "what features add"),
            ),
            on_sheet=True,
        ),
    )


def _text(note: str, *, on: bool) -> tuple[Mark, ...]:
    return (Mark(shown_line(note, 200), on),) if note else ()


def _gone(sort: str, ident: str) -> Action:
    return Action("l", "Let it go", Start("sheet/let_go", (("thing", f"{sort}.{ident}"),)), "remove it")


def _weapon(ident: str, one: State) -> Belonging:
    note = ", ".join((one["trait"].capitalize(), shown_line(one["damage"]), one["type"], one["range"]))
    return Belonging(
        ident,
        shown_line(one["name"]),
        f"{one['place']}: {note}",
        actions=(
            Action("d", "Draw or stow", Start("sheet/draw", (("weapon", ident),)), "costs 1 Stress in danger"),
            _gone("weapons", ident),
        ),
    )


def _armor(me: State) -> Belonging:
    base = me["armor_base"]
    note = f"base {base['major']}/{base['severe']}, score {me['armor_max']}" if base["severe"] else "unarmored"
    return Belonging("armor", shown_line(me["armor_name"]) or "no armor", note)


def _card(ident: str, one: State) -> Belonging:
    sort = ", ".join(filter(None, (shown_line(one["domain"]), f"level {one['level']}")))
    return Belonging(
        ident,
        shown_line(one["name"]),
        f"{sort}, vault" if one["vault"] else sort,
        marks=_text(one["note"], on=not one["vault"]),
        actions=(
            Action("s", "Swap", Start("sheet/swap", (("card", ident),)), f"Recall Cost {one['recall']}"),
            _gone("cards", ident),
        ),
    )


def _taken(me: State) -> str:
    """Return the advancements taken in each tier, in words; "" if there are none."""
    words = (
        f"tier {tier}: {', '.join(f'{name} {n}'.replace('_', ' ') for name, n in boxes.items())}"
        for tier in TIERS
        if (boxes := me["taken"][f"tier_{tier}"])
    )
    return "; ".join(words)
