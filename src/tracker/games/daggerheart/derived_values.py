"""Values derived from the state of a character or an adversary: who can act, thresholds, conditions, arms, gold."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tracker.games.api.schema import State
from tracker.games.common.members import living
from tracker.games.daggerheart.dice import BARE
from tracker.games.daggerheart.state import AUTOMATIC, RANGES, SORTS
from tracker.text import shown_line

VULNERABLE = "vulnerable"
HIDDEN = "hidden"

UNARMED = "unarmed."
"""Key of the option for bare hands. No weapon has this id, because an id has no dot."""


def is_pc(state: State, ident: str) -> bool:
    return ident in state["party"]


def record(state: State, ident: str) -> Any:
    """Return the record of the character or adversary with the id `ident`. Raise KeyError if there is none."""
    return state["party" if is_pc(state, ident) else "adversaries"][ident]


def at(state: State, ident: str) -> str:
    """Return the path of a creature in effects: its id for a character, or `adversaries.ID` for an adversary."""
    return ident if is_pc(state, ident) else f"adversaries.{ident}"


def name(state: State, ident: str) -> str:
    return shown_line(record(state, ident)["name"])


def standing(state: State) -> list[str]:
    """Return the ids of the characters who can act: in play, conscious, and with no death move due."""
    return [ident for ident in living(state) if not state["party"][ident]["down"]]


def facing(state: State) -> list[str]:
    """Return the ids of the adversaries who are not defeated."""
    return [ident for ident, one in state["adversaries"].items() if not one["defeated"]]


def are_secret(state: State) -> bool:
    """Return True if the campaign hides the numbers of adversaries from the players."""
    settings = state["settings"]
    return bool(settings["gm"]) if settings["foes"] == AUTOMATIC else settings["foes"] == "hidden"


def at_hand(me: Any) -> dict[str, Any]:
    """Return the primary and secondary weapons by id. Spare weapons must be drawn first and are left out."""
    return {ident: one for ident, one in me["weapons"].items() if one["place"] != "spare"}


def arms(me: Any) -> dict[str, Any]:
    """Return the weapons at hand by id, and bare hands (a d4 with the better of two traits) under UNARMED."""
    trait = max(BARE, key=lambda trait: int(me[trait]))
    bare = {"name": "Bare hands", "trait": trait, "damage": "d4", "type": SORTS[0], "range": RANGES[0]}
    return {**at_hand(me), UNARMED: bare}


def loadout(me: Any) -> int:
    """Return the number of domain cards outside the vault."""
    return sum(not card["vault"] for card in me["cards"].values())


def thresholds(one: Any) -> tuple[int, int]:
    """Return the (Major, Severe) thresholds of a character or adversary. An adversary without one has 0 there."""
    if "armor_base" not in one:
        return one["major"], one["severe"]
    base, level, bonus = one["armor_base"], one["level"], one["threshold_bonus"]
    if not base["severe"]:
        return level + bonus, 2 * level + bonus + one["severe_bonus"]
    return base["major"] + level + bonus, base["severe"] + level + bonus + one["severe_bonus"]


def is_worn_out(one: Any) -> bool:
    """Return True if all Stress slots are marked, which makes a creature Vulnerable; False if it has no slots."""
    return bool(one["stress"] >= one["stress_max"] > 0)


def conditions(one: Any) -> list[str]:
    """Return the sorted names of a creature's conditions. Full Stress counts as Vulnerable."""
    full = {VULNERABLE} if is_worn_out(one) else set()
    return sorted({*(condition_name(one, ident) for ident in one["conditions"]), *full})


def footing(state: State, targets: Collection[str], alone: str = "") -> tuple[str, str]:
    """Return (reason for advantage, reason for disadvantage) of an attack on these targets, each in words or "".

    Vulnerable targets give advantage, and Hidden ones disadvantage. If there is a single target, `alone` is the word
    for it in the reasons.
    """
    found: dict[str, list[str]] = {VULNERABLE: [], HIDDEN: []}
    for ident in targets:
        one = record(state, ident)
        for condition, names in found.items():
            if condition in one["conditions"] or (condition == VULNERABLE and is_worn_out(one)):
                names.append(alone if alone and len(targets) == 1 else name(state, ident))
    vulnerable, hidden = (
        f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} {condition.capitalize()}" if names else ""
        for condition, names in found.items()
    )
    return vulnerable, hidden


def condition_name(one: Any, ident: str) -> str:
    """Return the name that the player gave a condition of the creature `one`, or else `ident`, the condition's id."""
    return shown_line(one["conditions"].get(ident, {}).get("note") or ident)


def resistances(one: Any) -> str:
    """Return a creature's resistances, immunities and damage reductions in words; "" if there are none."""
    words = [f"resists {' and '.join(one['resist'])}"] if one["resist"] else []
    words += [f"immune to {' and '.join(one['immune'])}"] if one["immune"] else []
    words += [f"{sort} damage -{less}" for sort, less in one["reduce"].items() if less]
    return ", ".join(words)


def creatures(one: Any) -> int:
    """Return the number of creatures left in a horde: its density times the unmarked HP."""
    return int(one["density"] * (one["hp_max"] - one["hp"]))


def is_reduced(one: Any) -> bool:
    """Return True for a horde with at least half its HP marked, which deals less damage."""
    return bool(one["type"] == "horde" and one["hp_max"] and 2 * one["hp"] >= one["hp_max"])


def gold(handfuls: int) -> dict[str, int]:
    """Split an amount of gold in handfuls into chests, bags and handfuls; return the number of each by these words.

    A bag is 10 handfuls, and a chest is 10 bags.
    """
    return {"handfuls": handfuls % 10, "bags": handfuls // 10 % 10, "chests": handfuls // 100}


def gold_words(handfuls: int) -> str:
    units = {"chests": "chest", "bags": "bag", "handfuls": "handful"}
    parts = gold(handfuls)
    words = (f"{parts[many]} {one if parts[many] == 1 else many}" for many, one in units.items() if parts[many])
    return ", ".join(words) or "no gold"


def everybody(state: State) -> list[str]:
    """Return the ids of undefeated adversaries, then of living characters: the GM picks adversaries most often."""
    return [*facing(state), *living(state)]


def brief(state: State, ident: str) -> str:
    """Return HP and Stress of the creature with this id in a few words; for minions, how many are left."""
    one = record(state, ident)
    if one.get("minion"):
        return f"{one['count']} left"
    return f"HP {one['hp']}/{one['hp_max']} marked, Stress {one['stress']}/{one['stress_max']}"
