"""Belongings of a character as view data: Experiences, weapons, armor, cards, features, items, gold."""

from __future__ import annotations

from tracker.games.api.schema import State
from tracker.games.api.view import Action, Belonging, Counter, Holding, Mark, Start
from tracker.games.daggerheart.creatures import gold_words, loadout
from tracker.games.daggerheart.state import LOADOUT, TIERS
from tracker.text import shown_line


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
            empty="No Experience yet: e takes one.",
            actions=(Action("e", "Take an Experience", Start("sheet/experience"), "what you are good at"),),
            on_sheet=True,
        ),
        Holding(
            "weapons",
            "Weapons and armor",
            (*(_weapon(ident, one) for ident, one in me["weapons"].items()), _armor(me)),
            empty="No weapon yet: w takes one.",
            actions=(
                Action("w", "Take a weapon", Start("sheet/weapon"), "typed in"),
                Action("m", "Wear armor", Start("sheet/armor"), "thresholds and score"),
                Action("y", "Resistance", Start("sheet/resist"), "damage that does less"),
            ),
            on_sheet=True,
        ),
        Holding(
            "cards",
            "Loadout",
            tuple(_card(ident, one) for ident, one in me["cards"].items()),
            note=f"{loadout(me)} of {LOADOUT}",
            empty="No domain card yet: c takes one.",
            actions=(Action("c", "Take a card", Start("sheet/card"), "its name and your words"),),
        ),
        Holding(
            "features",
            "Features",
            tuple(
                Belonging(
                    ident,
                    shown_line(one["name"]),
                    "" if one["refresh"] == "never" else f"fresh after a {one['refresh']}",
                    "",
                    (*_text(one["note"], on=True), Mark("used", one["used"], f"{who}.features.{ident}.used")),
                    Counter(f"{who}.features.{ident}.tokens", "tokens", one["tokens"]),
                    (_gone("features", ident),),
                )
                for ident, one in me["features"].items()
            ),
            empty="No feature is kept: f takes one.",
            actions=(Action("f", "Take a feature", Start("sheet/feature"), "to count, or to use now and then"),),
        ),
        Holding(
            "items",
            "Things",
            tuple(
                Belonging(
                    ident,
                    shown_line(one["name"]),
                    note=shown_line(one["note"], 200),
                    number=Counter(f"{who}.items.{ident}.many", "how many", one["many"]),
                    actions=(_gone("items", ident),),
                )
                for ident, one in me["items"].items()
            ),
            note=gold_words(me["gold"]),
            empty="Nothing is carried: i takes something.",
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
    return Action("l", "Let it go", Start("sheet/let_go", (("thing", f"{sort}.{ident}"),)), "it is gone")


def _weapon(ident: str, one: State) -> Belonging:
    note = ", ".join((one["trait"], shown_line(one["damage"]), one["type"], one["range"]))
    return Belonging(
        ident,
        shown_line(one["name"]),
        f"{one['place']}: {note}",
        actions=(
            Action("d", "Draw or stow", Start("sheet/draw", (("weapon", ident),)), "in danger it costs 1 Stress"),
            _gone("weapons", ident),
        ),
    )


def _armor(me: State) -> Belonging:
    base = me["armor_base"]
    note = f"base {base['major']}/{base['severe']}, score {me['armor_max']}" if base["severe"] else "unarmored"
    return Belonging("armor", shown_line(me["armor_name"]) or "no armor", note)


def _card(ident: str, one: State) -> Belonging:
    sort = " ".join(filter(None, (shown_line(one["domain"]), str(one["level"]))))
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
    """Return the advancements taken, tier by tier."""
    words = (
        f"tier {tier}: {', '.join(f'{name} {n}'.replace('_', ' ') for name, n in boxes.items())}"
        for tier in TIERS
        if (boxes := me["taken"][f"tier_{tier}"])
    )
    return "; ".join(words)
