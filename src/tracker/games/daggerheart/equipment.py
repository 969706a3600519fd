"""Equipment: armor, weapons, cards, features, items and gold; kinds of pieces in the player's files."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final

from tracker.games.api.content import PieceKind
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import arrow, signed
from tracker.games.api.prompts import Answer, Number, Option, Pick, Prompt, Text
from tracker.games.api.schema import Choice, Integer, Line, Record, is_id
from tracker.games.daggerheart.derived_values import gold_words, loadout
from tracker.games.daggerheart.dice import HOT, TRAITS, dice, is_dice
from tracker.games.daggerheart.harm import DAMAGE_TYPES
from tracker.games.daggerheart.level_up import add_card, add_experience
from tracker.games.daggerheart.shared_prompts import TYPED_IN, ask_belonging, ask_own
from tracker.games.daggerheart.state import ADVERSARY_TYPES, GOLD_MOST, LOADOUT, RANGES, REFRESH, SLOTS_MOST, SORTS
from tracker.records import NamedTuple
from tracker.text import shown_line

_PLACES = ("primary", "secondary", "spare")

OWN = "own."
"""Prefix of the option keys of pieces from the player's files, and the key for a class of the player's own.

No id has a dot, so these keys differ from all others.
"""
_NONE = "none."
_ENCOUNTERED: Final = 20
"""Most adversaries of one kind in an encounter."""


# -- armor ----------------------------------------------------------------------------------------------
class Armor(NamedTuple):
    """A suit of armor: a common one from ARMORS, one from the player's files, or one typed in.

    `major` and `severe` are its base thresholds, and `score` is its Armor Score. Wearing it adds `evasion` and
    `agility` to the character's numbers.
    """

    name: str
    major: int
    severe: int
    score: int
    evasion: int = 0
    agility: int = 0


NO_ARMOR: Final = Armor("", 0, 0, 0)

ARMORS: Final[Mapping[str, Armor]] = {
    "gambeson": Armor("Gambeson", 5, 11, 3, 1),
    "leather": Armor("Leather", 6, 13, 3),
    "chainmail": Armor("Chainmail", 7, 15, 4, -1),
    "full_plate": Armor("Full plate", 8, 17, 4, -2, -1),
}


def first_armor(table: Draft, who: str) -> Procedure:
    """Ask for the armor of the new character `who` and put it on; the player may choose none."""
    there = _armors(table)
    chosen = yield Pick(
        key="armor",
        title="Which armor?",
        options=(Option("none", "no armor", "thresholds 1/2"), *_shown(there, table.state["party"][who]["level"])),
        default="leather",
    )
    if chosen in there:
        equip_armor(table, who, there[chosen])


def _armors(table: Draft) -> dict[str, Armor]:
    """Return the common armors by key, and those of the player's files with the prefix OWN before their id."""
    mine = table.content().pieces.get("armor", {})
    return {**ARMORS, **{f"{OWN}{ident}": Armor(**one) for ident, one in mine.items()}}


def _shown(armors: Mapping[str, Armor], level: int) -> tuple[Option, ...]:
    """Return an option for each armor, with the thresholds it gives at this level and the numbers it changes."""
    options = []
    for key, one in armors.items():
        words = [f"thresholds {one.major + level}/{one.severe + level}", f"score {one.score}"]
        words += [
            f"{part} {signed(more)}" for part, more in (("Evasion", one.evasion), ("Agility", one.agility)) if more
        ]
        options.append(Option(key, shown_line(one.name), ", ".join(words)))
    return tuple(options)


def wear(table: Draft) -> Procedure:
    """Ask for armor and put it on the acting character: common, from the player's files, typed in, or none.

    Raise Refused if the typed-in Severe threshold is below the Major one.
    """
    there = _armors(table)
    chosen = yield Pick(
        key="from",
        title="Which armor?",
        options=(
            *_shown(there, table.me["level"]),
            Option(TYPED_IN, "another", "type it in"),
            Option(_NONE, "no armor", "thresholds from your level only"),
        ),
        default=TYPED_IN,
    )
    if chosen == TYPED_IN:
        armor = yield from _type_in_armor(table)
    else:
        armor = there.get(chosen, NO_ARMOR)
    yield from _change_armor(table, armor)


def _type_in_armor(table: Draft) -> Generator[Prompt, Answer, Armor]:
    me, base = table.me, table.me["armor_base"]
    name = yield Text(key="name", title="Which armor (optional)", hint="Leather", empty=True, default=me["armor_name"])
    if not name:
        return NO_ARMOR
    same = name == me["armor_name"]
    major = yield Number(key="major", title="Base Major threshold", low=0, high=99, default=base["major"])
    severe = yield Number(key="severe", title="Base Severe threshold", low=0, high=99, default=base["severe"])
    score = yield Number(key="score", title="Armor Score", low=0, high=SLOTS_MOST, default=base["score"])
    beside = {}
    for part in ("evasion", "agility"):
        title = f"{part.capitalize()} while worn"
        default = base[part] if same else 0
        beside[part] = yield Number(key=part, title=title, low=-9, high=9, default=default, quiet=True)
    if severe < major:
        raise Refused("Severe can't be below Major.")
    return Armor(name, major, severe, score, **beside)


def _change_armor(table: Draft, armor: Armor) -> Procedure:
    """Put armor on the acting character, and ask how many of its slots are marked already, 0 by default.

    The old armor's marks go with it. But if the new armor has the same name, marks stay and nothing is asked.
    """
    me = table.me
    old, used = me["armor_name"], me["armor"]
    equip_armor(table, table.who, armor)
    if armor.name == old:
        return
    marked = 0
    if armor.score:
        marked = yield Number(
            key="used",
            title=f"{shown_line(armor.name)}: Armor Slots already marked",
            low=0,
            high=table.me["armor_max"],
            default=0,
            quiet=True,
        )
    if table.me["armor"] != marked:
        table.to(f"{table.who}.armor", marked)
    if used:
        table.facts["told"] = f"{shown_line(old) or 'the old armor'} keeps its {used} marked"


def equip_armor(table: Draft, who: str, armor: Armor) -> None:
    """Replace the armor of the character `who`, and update thresholds, Armor Score, Evasion and Agility.

    Bonuses of the old armor end. The part of the Armor Score that shields and features add stays.
    """
    me = table.state["party"][who]
    base = me["armor_base"]
    worn = base["score"] or (me["armor_max"] if base["severe"] else 0)
    table.to(f"{who}.armor_name", armor.name)
    table.to(f"{who}.armor_base.major", armor.major)
    table.to(f"{who}.armor_base.severe", armor.severe)
    for part, new in (("evasion", armor.evasion), ("agility", armor.agility)):
        if more := new - me["armor_base"][part]:
            table.by(f"{who}.{part}", more)
            table.to(f"{who}.armor_base.{part}", new)
    table.to(f"{who}.armor_base.score", armor.score)
    table.by(f"{who}.armor_max", armor.score - worn)


# -- weapons --------------------------------------------------------------------------------------------
def first_weapon(table: Draft, who: str) -> Procedure:
    """Ask for the weapon of the new character `who` and add it; an empty name adds none.

    Raise Refused if the player types in damage that is not written like `d8+3`.
    """
    own = yield from ask_own(table, "weapon", "Your weapon", key="weapon_from")
    if own is not None:
        _take(table, who, own)
        return
    name = yield Text(key="weapon", title="Your weapon (optional)", hint="Longbow", empty=True, default="")
    if name:
        yield from _type_in(table, who, name)


def take_weapon(table: Draft) -> Procedure:
    """Ask for a weapon, from the player's files or typed in, and add it to the acting character.

    Raise Refused if the player types in damage that is not written like `d8+3`.
    """
    own = yield from ask_own(table, "weapon", "Which weapon?")
    if own is not None:
        _take(table, table.who, own)
        return
    name = yield Text(key="weapon", title="Which weapon?", hint="Longbow")
    yield from _type_in(table, table.who, name)


def _take(table: Draft, who: str, weapon: Mapping[str, Any]) -> None:
    """Add a weapon with the fields in `weapon` to the character `who`.

    Without a field `place`, the weapon goes into a free hand, or to the spare weapons if no hand is free.
    """
    me = table.state["party"][who]
    table.add(f"{who}.weapons", {"id": table.new_id(weapon["name"], me["weapons"]), "place": _free_place(me), **weapon})


def _type_in(table: Draft, who: str, name: str) -> Procedure:
    """Ask for trait, damage, range, type and place of a weapon with this name; add it to the character `who`.

    Raise Refused if the damage is not written like `d8+3`.
    """
    me = table.state["party"][who]
    trait = yield Pick(
        key="weapon_trait",
        title="Which trait attacks with it?",
        options=tuple(Option(t, f"{t.capitalize()} {signed(me[t])}", hot=HOT[t]) for t in TRAITS),
        default=max(TRAITS, key=lambda t: int(me[t])),
    )
    damage = yield Text(key="weapon_damage", title="Damage dice (Proficiency sets how many)", hint="d8+3", default="d8")
    reach = yield Pick(
        key="weapon_range", title="Range", options=tuple(Option(r, r) for r in RANGES), default=RANGES[0], quiet=True
    )
    sort = yield Pick(
        key="weapon_type",
        title="Type of damage",
        options=tuple(Option(sort, sort) for sort in SORTS),
        default=SORTS[0],
        quiet=True,
    )
    place = yield Pick(
        key="weapon_place",
        title="Where",
        options=tuple(Option(place, place) for place in _PLACES),
        default=_free_place(me),
        quiet=True,
    )
    dice(damage)
    _take(table, who, {"name": name, "trait": trait, "damage": damage, "range": reach, "type": sort, "place": place})


def _free_place(me: Mapping[str, Any]) -> str:
    """Return the place for one more weapon: a free "primary" or else "secondary" hand, or "spare" if both are full."""
    taken = {one["place"] for one in me["weapons"].values()}
    return next((place for place in ("primary", "secondary") if place not in taken), "spare")


def draw_weapon(table: Draft) -> Procedure:
    """Ask for a weapon and a place, and move it there. A weapon that is in that hand takes the old place.

    In danger this marks 1 Stress. Raise Refused if there is no weapon, or in danger if no Stress slot is free.
    """
    ident = yield ask_belonging(table, "weapons", "weapon", "Which weapon?")
    place = yield Pick(
        key="place",
        title="Where to?",
        options=tuple(Option(place, place) for place in _PLACES),
        default="primary",
    )
    danger = yield Pick(
        key="danger",
        title="In danger",
        options=(Option("no", "no, it's quiet"), Option("yes", "yes: costs 1 Stress")),
        default="no",
        quiet=True,
    )
    if danger == "yes":
        if table.me["stress"] >= table.me["stress_max"]:
            raise Refused("This costs 1 Stress, but your Stress is full.")
        table.mine("stress", 1)
    weapons = table.me["weapons"]
    if place != "spare":
        for other, one in weapons.items():
            if one["place"] == place and other != ident:
                table.to(f"{table.who}.weapons.{other}.place", weapons[ident]["place"])
    table.to(f"{table.who}.weapons.{ident}.place", place)


def take_card(table: Draft) -> Procedure:
    """Ask for a domain card with the player's notes, and add it to the acting character.

    It goes to the loadout, or to the vault if the loadout is full.
    """
    name = yield Text(key="name", title="Which card?", hint="the name on it")
    note = yield Text(key="note", title="What it does (optional)", most=200, empty=True, default="")
    domain = yield Text(key="domain", title="its domain", empty=True, default="", quiet=True)
    level = yield Number(key="level", title="its level", low=1, high=10, default=1, quiet=True)
    recall = yield Number(key="recall", title="its Recall Cost", low=0, high=9, default=0, quiet=True)
    add_card(table, name, note=note, domain=domain, level=level, recall=recall)


def swap_card(table: Draft) -> Procedure:
    """Ask for a card and move it from the loadout to the vault or back. Moving it back marks its Recall Cost as Stress.

    Raise Refused if there is no card, the Stress does not fit, or the loadout is full.
    """
    ident = yield ask_belonging(table, "cards", "card", "Which card?")
    card = table.me["cards"][ident]
    if card["vault"]:
        cost = yield Number(key="recall", title="Stress to pay", low=0, high=9, default=card["recall"], quiet=True)
        if cost > table.me["stress_max"] - table.me["stress"]:
            raise Refused(f"This costs {cost} Stress, more than you can mark.")
        if loadout(table.me) >= LOADOUT:
            raise Refused(f"Your loadout holds {LOADOUT} cards: vault one first.")
        table.mine("stress", cost)
    table.to(f"{table.who}.cards.{ident}.vault", not card["vault"])


def take_experience(table: Draft) -> Procedure:
    """Ask for an Experience and its bonus, and add it to the acting character."""
    name = yield Text(key="name", title="Which Experience?", hint="Sailor")
    bonus = yield Number(key="bonus", title="Bonus", low=1, high=9, default=2)
    add_experience(table, table.who, name, bonus)


def take_feature(table: Draft) -> Procedure:
    """Ask for a feature and the event that refreshes it, such as a rest; add it to the acting character."""
    name = yield Text(key="name", title="Which feature?", hint="Rally")
    note = yield Text(key="note", title="What it does (optional)", most=200, empty=True, default="")
    refresh = yield Pick(
        key="refresh", title="Refreshes after", options=tuple(Option(r, r) for r in REFRESH), default=REFRESH[0]
    )
    ident = table.new_id(name, table.me["features"])
    table.add(f"{table.who}.features", {"id": ident, "name": name, "note": note, "refresh": refresh})


def take_item(table: Draft) -> Procedure:
    """Ask for an item and how many there are, and add it to the acting character."""
    name = yield Text(key="name", title="What is it?", hint="minor health potion")
    many = yield Number(key="many", title="How many", low=1, high=99, default=1, quiet=True)
    table.add(f"{table.who}.items", {"id": table.new_id(name, table.me["items"]), "name": name, "many": many})


_SORTS: Mapping[str, str] = {
    "weapons": "weapon",
    "cards": "card",
    "experiences": "Experience",
    "features": "feature",
    "items": "item",
}


def let_go(table: Draft) -> Procedure:
    """Ask for one of the acting character's weapons, cards, Experiences, features or items, and remove it.

    Raise Refused if the character has none of them.
    """
    options = tuple(
        Option(f"{sort}.{ident}", shown_line(one["name"]), word)
        for sort, word in _SORTS.items()
        for ident, one in table.me[sort].items()
    )
    if not options:
        raise Refused("There is nothing to let go of.")
    chosen = yield Pick(key="thing", title="Let go of what?", options=options)
    sort, ident = chosen.split(".")
    table.drop(f"{table.who}.{sort}", ident)


# -- gold -----------------------------------------------------------------------------------------------
def gold(table: Draft) -> Procedure:
    """Ask how much gold the acting character gains, and add it.

    Raise Refused if it is nothing, or the sum would be above GOLD_MOST handfuls.
    """
    handfuls = yield Number(key="handfuls", title="Handfuls gained", low=0, high=GOLD_MOST, default=0)
    bags = yield Number(key="bags", title="bags", low=0, high=19, default=0, quiet=True)
    chests = yield Number(key="chests", title="chests", low=0, high=1, default=0, quiet=True)
    gained = handfuls + 10 * bags + 100 * chests
    if not gained:
        raise Refused("Enter some gold first.")
    if table.me["gold"] + gained > GOLD_MOST:
        raise Refused(f"That's too much to carry: the limit is {gold_words(GOLD_MOST)}.")
    _told(table, gained)


def spend_gold(table: Draft) -> Procedure:
    """Ask how much gold the acting character spends, and subtract it. Larger units are changed as needed.

    Raise Refused if it is nothing, or more than the character has.
    """
    handfuls = yield Number(key="handfuls", title="Handfuls spent", low=0, high=GOLD_MOST, default=0)
    bags = yield Number(key="bags", title="bags", low=0, high=19, default=0, quiet=True)
    spent = handfuls + 10 * bags
    if not spent:
        raise Refused("Enter some gold first.")
    if spent > table.me["gold"]:
        raise Refused(f"You have only {gold_words(table.me['gold'])}.")
    _told(table, -spent)


def _told(table: Draft, points: int) -> None:
    before = table.me["gold"]
    table.mine("gold", points)
    table.facts["told"] = arrow(gold_words(before), gold_words(table.me["gold"]))


def _weapon(one: Mapping[str, Any]) -> tuple[str, str] | None:
    return None if is_dice(one["damage"]) else ("damage", "damage is written like d8+2 or 2d6+3")


def _armor(one: Mapping[str, Any]) -> tuple[str, str] | None:
    return ("severe", "severe can't be below major") if one["severe"] < one["major"] else None


def _adversary(one: Mapping[str, Any]) -> tuple[str, str] | None:
    for key in ("damage", "reduced"):
        if one[key] and not is_dice(one[key]):
            return key, f"{key} is written like d8+2 or 2d6+3"
    if one["severe"] and one["severe"] < one["major"]:
        return "severe", "severe can't be below major, unless it is 0 for none"
    if (one["type"] == "minion") != bool(one["minion"]):
        return "minion", "only minions have a number in minion: the damage that defeats one more"
    return None


def encountered(text: str) -> list[tuple[str, int]]:
    """Parse the adversaries of an encounter, such as `3 ash_wolf, wolf_queen`; return them as (id, how many).

    Raise ValueError if the text is not of this form, or a number is not from 1 to 20.
    """
    found = []
    for part in text.split(","):
        many, _, ident = part.strip().rpartition(" ")
        if not is_id(ident) or not (many or "1").strip().isdigit() or not 1 <= int(many or 1) <= _ENCOUNTERED:
            raise ValueError(text)
        found.append((ident, int(many or 1)))
    return found


def _encounter(one: Mapping[str, Any]) -> tuple[str, str] | None:
    try:
        encountered(one["adversaries"])
    except ValueError:
        return "adversaries", "adversaries is written like 3 ash_wolf, wolf_queen"
    return None


PIECES: Final[Mapping[str, PieceKind]] = {
    "weapon": PieceKind(
        Record(
            {
                "name": Line(),
                "trait": Choice(TRAITS),
                "damage": Line(20),
                "range": Choice(RANGES),
                "type": Choice(SORTS),
                "note": Line(200),
            }
        ),
        ("name", "trait", "damage"),
        _weapon,
    ),
    "armor": PieceKind(
        Record(
            {
                "name": Line(),
                "major": Integer(0, 99),
                "severe": Integer(0, 99),
                "score": Integer(0, SLOTS_MOST),
                "evasion": Integer(-9, 9),
            }
        ),
        ("name", "major", "severe", "score"),
        _armor,
    ),
    "adversary": PieceKind(
        Record(
            {
                "name": Line(),
                "type": Choice(ADVERSARY_TYPES),
                "tier": Integer(1, 4, 1),
                "difficulty": Integer(1, 60, 11),
                "major": Integer(0, 999),
                "severe": Integer(0, 999),
                "hp": Integer(1, 99, 5),
                "stress": Integer(0, 99, 3),
                "attack": Integer(-9, 99),
                "attack_name": Line(),
                "range": Choice(RANGES),
                "damage": Line(20),
                "damage_type": Choice(SORTS),
                "minion": Integer(0, 99),
                "count": Integer(1, 99, 1),
                "damage_each": Integer(0, 99),
                "density": Integer(0, 99),
                "reduced": Line(20),
                "resist": Choice(("", *DAMAGE_TYPES)),
                "immune": Choice(("", *DAMAGE_TYPES)),
                "reduce": Integer(0, 99),
                "note": Line(200),
            }
        ),
        ("name", "difficulty"),
        _adversary,
    ),
    "encounter": PieceKind(
        Record({"name": Line(), "adversaries": Line(200)}),
        ("name", "adversaries"),
        _encounter,
    ),
}
