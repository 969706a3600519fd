"""Values derived from the state of a character or an adversary; changes of slots and resistances."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Number, Option
from tracker.games.api.schema import State
from tracker.games.daggerheart.dice import BARE
from tracker.games.daggerheart.state import AUTOMATIC, RANGES, SLOTS_MOST, SORTS, living
from tracker.text import shown_line

VULNERABLE = "vulnerable"
HIDDEN = "hidden"

UNARMED = "unarmed."
"""Key of the option for bare hands. No weapon has this id, because an id has no dot."""
COSTS: Final[Mapping[str, int]] = {
    "bruiser": 4,
    "horde": 2,
    "leader": 3,
    "minion": 1,
    "ranged": 2,
    "skulk": 2,
    "social": 1,
    "solo": 5,
    "standard": 2,
    "support": 1,
}
"""Battle Points that an adversary of each type costs. For minions, it is the cost of a group as large as the party."""
ADJUSTMENTS: Final[Mapping[str, tuple[str, int]]] = {
    "easier": ("easier or shorter", -1),
    "two_solos": ("two or more solos", -2),
    "more_damage": ("every adversary deals more damage", -2),
    "lower_tier": ("adversaries of a lower tier", 1),
    "no_big_ones": ("no bruiser, horde, leader or solo", 1),
    "harder": ("harder or longer", 2),
}
"""Label of each adjustment of a fight's budget, and the Battle Points that it adds."""


def is_pc(state: State, ident: str) -> bool:
    return ident in state["party"]


def record(state: State, ident: str) -> Any:
    """Return the record of the character or adversary with this id. Raise KeyError if there is none."""
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


def fielded(state: State) -> dict[str, int]:
    """Return {type: number} of undefeated adversaries. Each minion counts as one."""
    many: dict[str, int] = {}
    for one in (state["adversaries"][ident] for ident in facing(state)):
        many[one["type"]] = many.get(one["type"], 0) + (one["count"] if one["minion"] else 1)
    return many


def budget(pcs: int, adjust: Collection[str] = ()) -> int:
    """Return the Battle Points for a party of `pcs` characters. `adjust` holds keys of ADJUSTMENTS."""
    return 3 * pcs + 2 + sum(ADJUSTMENTS[one][1] for one in adjust)


def cost(pcs: int, adversaries: Mapping[str, int]) -> int:
    """Return the Battle Points that adversaries cost. `adversaries` maps a type to their number.

    `pcs` is the size of the party. A partial group of minions costs as much as a full one (ruling D20).
    """
    return sum(
        COSTS[sort] * (-(-many // max(pcs, 1)) if sort == "minion" else many) for sort, many in adversaries.items()
    )


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
    """Return the name that the player gave a condition, or else its id."""
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
    """Return a creature's HP and Stress in a few words; for minions, how many are left."""
    one = record(state, ident)
    if one.get("minion"):
        return f"{one['count']} left"
    return f"HP {one['hp']}/{one['hp_max']} marked, Stress {one['stress']}/{one['stress_max']}"


_SLOTS: Final = (("hp_max", "HP slots", 1), ("stress_max", "Stress slots", 0), ("hope_max", "Hope slots", 1))
_WORDS: Final = {"resist": "resists", "immune": "immune to"}

_BESIDE: Final = (
    ("threshold_bonus", "bonus to both thresholds", -99, 99),
    ("severe_bonus", "bonus to Severe", -99, 99),
    ("slots_per_hit", "Armor Slots per hit", 1, SLOTS_MOST),
)


def slots(table: Draft) -> Procedure:
    """Ask for the acting character's HP, Stress and Hope slots and threshold bonuses, and set them.

    Prompts are answered by default with the present values. Raise Refused if all HP are marked, or if the Severe
    threshold would be below the Major one.
    """
    me = table.me
    if me["hp"] >= me["hp_max"]:
        raise Refused("All HP are marked: clear one first.")
    for key, title, low in _SLOTS:
        least = max(low, me["hp"] + 1) if key == "hp_max" else low
        many = yield Number(key=key, title=title, low=least, high=SLOTS_MOST, default=max(least, me[key]), quiet=True)
        table.mine(key, many - me[key])
    for key, title, low, high in _BESIDE:
        many = yield Number(key=key, title=title, low=low, high=high, default=me[key], quiet=True)
        table.mine(key, many - me[key])
    major, severe = thresholds(table.me)
    if severe < major:
        raise Refused(f"Severe can't be below Major: these make {major}/{severe}.")


def resist(table: Draft) -> Procedure:
    """Ask for the acting character's resistances, immunities and damage reductions, and set them."""
    yield from ask_resistance(table, table.who)


def ask_resistance(table: Draft, target: str) -> Procedure:
    """Ask for resistances (half damage), immunities (no damage) and reductions of the creature `target`, and set them.

    Prompts are answered by default with the present values.
    """
    one, path = record(table.state, target), at(table.state, target)
    for key, title in (("resist", "Resistance (half damage)"), ("immune", "Immunity (no damage)")):
        now = list(one[key])
        chosen = yield Choose(
            key=key,
            title=title,
            options=tuple(Option(sort, f"{_WORDS[key]} {sort}") for sort in SORTS),
            least=0,
            most=2,
            default=now,
            quiet=True,
        )
        for sort in SORTS:
            if sort in chosen and sort not in now:
                table.add(f"{path}.{key}", {"id": sort})
            elif sort in now and sort not in chosen:
                table.drop(f"{path}.{key}", sort)
    for sort in SORTS:
        points = yield Number(
            key=f"reduce_{sort}",
            title=f"{sort} damage reduced by",
            low=0,
            high=99,
            default=one["reduce"][sort],
            quiet=True,
        )
        if points != one["reduce"][sort]:
            table.to(f"{path}.reduce.{sort}", points)
