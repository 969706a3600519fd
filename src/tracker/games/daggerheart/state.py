"""The state of Daggerheart: schema, limits, and triggers, which are changes that another change brings with it.

Increase `Game.rules` when a limit or a trigger changes.

HP, Stress and Armor count marked slots; Hope counts points held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tracker.games.api.schema import (
    DICE,
    OWN,
    Boolean,
    Choice,
    Collection,
    Counters,
    Effect,
    Integer,
    Kind,
    Line,
    Path,
    Record,
    State,
)
from tracker.games.common.members import living
from tracker.games.common.scenes import LAYOUT
from tracker.games.daggerheart.dice import HIGHEST_LEVEL, OUTCOMES, TRAITS

FEAR_MOST: Final = 12
SLOTS_MOST: Final = 12
"""Maximum of HP, Stress and Armor slots."""
GOLD_MOST: Final = 199
"""Handfuls in nine handfuls, nine bags and a chest, the most that a character carries."""
CONDITIONS: Final = ("hidden", "restrained", "vulnerable")
SORTS: Final = ("physical", "magic")
ADVERSARY_TYPES: Final = (
    "standard",
    "bruiser",
    "horde",
    "leader",
    "minion",
    "ranged",
    "skulk",
    "social",
    "solo",
    "support",
)
KINDS: Final = ("standard", "progress", "consequence", "long_term", "custom")
LISTENING: Final = KINDS[:3]
"""Kinds of countdown that advance with action rolls."""
TAG_TEAM_COST: Final = 3
"""Hope that a Tag Team Roll costs."""
LOADOUT: Final = 5
"""Maximum of domain cards outside the vault."""
TIERS: Final = (2, 3, 4)
RANGES: Final = ("melee", "very close", "close", "far", "very far")
AUTOMATIC, BY_HAND = "automatic", "by hand"
FOES: Final = ("shown", "hidden")
"""Settings for whether players see the numbers of adversaries.

The third setting, automatic, hides them if the campaign has a GM.
"""
REFRESH: Final = ("never", "rest", "long rest", "session")


def being(state: State, path: Path) -> Mapping[str, Any]:
    """Return the record of the character, adversary or countdown that contains the field at this path."""
    found: Mapping[str, Any] = state[path[0]][path[1]]
    return found


def _at(path: Path) -> str:
    """Return the path of the record that contains this field, as effects write it: `wren` or `adversaries.wolf`."""
    return path[1] if path[0] == "party" else f"{path[0]}.{path[1]}"


def _most(name: str) -> Callable[[State, Path], int]:
    """Return a function that reads a number's maximum from the field `name` of the same creature."""
    return lambda state, path: int(being(state, path)[name])


def _follows(name: str) -> Callable[[State, Path, int], list[Effect]]:
    """Return a schema function that keeps the number `name` within its maximum when the maximum falls.

    That function returns the effect that sets the number to the new maximum, or [] if it is not above that. A loss
    would not do: it would count as cleared slots, and could wake a character.
    """

    def lowered(state: State, path: Path, points: int) -> list[Effect]:
        one = being(state, path)
        most = max(0, one[f"{name}_max"] - points)
        return [{"at": f"{_at(path)}.{name}", "to": most}] if one[name] > most else []

    return lowered


def _last_hp(state: State, path: Path, over: int) -> list[Effect]:  # noqa: ARG001
    """Return the effect that makes a death move due, for a living character who marks the last HP.

    Return [] if the character is down already: unconscious, or with a death move due.
    """
    me = being(state, path)
    return [{"at": f"{path[1]}.down", "to": "death_move"}] if me["status"] == "alive" and not me["down"] else []


def _awake(state: State, path: Path, points: int) -> list[Effect]:  # noqa: ARG001
    """Return the effect that ends being down (unconscious, or a death move due) when a character clears HP.

    Return [] if the character is not down, or had no HP marked.
    """
    me = being(state, path)
    return [{"at": f"{path[1]}.down", "to": ""}] if me["hp"] and me["down"] else []


def _overflow(state: State, path: Path, points: int) -> list[Effect]:
    """Return the effect of forced Stress beyond the last slot: mark 1 HP, or 1 HP for each point.

    The campaign's setting decides which (ruling D9). Minions lose that many of their number instead.
    """
    hp = points if state["settings"]["overflow"] == "each" else 1
    minions = being(state, path).get("minion")
    return [{"at": f"{_at(path)}.count", "by": -hp} if minions else {"at": f"{_at(path)}.hp", "by": hp}]


def _no_hope_left(state: State, path: Path) -> list[Effect]:  # noqa: ARG001
    """Return the effect that retires a character who loses the last Hope slot."""
    return [{"at": f"{path[1]}.status", "to": "retired"}]


def _tokens_spent(state: State, path: Path) -> list[Effect]:
    """Return the effects of spending the last spotlight token of the party: everybody's tokens are refilled.

    Return [] if another living character still has tokens.
    """
    others = [one for one in living(state) if one != path[1]]
    if any(state["party"][one]["tokens"] for one in others):
        return []
    return [{"at": f"{one}.tokens", "to": state["settings"]["tokens"]} for one in (*others, path[1])]


def _defeated(state: State, path: Path, over: int = 0) -> list[Effect]:  # noqa: ARG001
    return [{"at": f"{_at(path)}.defeated", "to": True}]


def _back_up(state: State, path: Path, points: int) -> list[Effect]:  # noqa: ARG001
    one = being(state, path)
    return [{"at": f"{_at(path)}.defeated", "to": False}] if one["hp"] and one["defeated"] else []


def _fires(state: State, path: Path) -> list[Effect]:
    """Return the effects of a countdown that reaches 0: it restarts as its loop says, or ends.

    A loop that would start at 0 ends as well (ruling D19).
    """
    this = being(state, path)
    longer = {"loop": 0, "increasing": 1, "decreasing": -1}
    start = this["start"] + longer[this["loop"]] if this["loop"] in longer else 0
    if start <= 0:
        return [{"at": f"{_at(path)}.ended", "to": True}]
    return [{"at": f"{_at(path)}.start", "to": min(start, 99)}, {"at": f"{_at(path)}.value", "to": min(start, 99)}]


EXPERIENCES = Collection(Record({"name": Line(), "bonus": Integer(-9, 9, 2, label=OWN)}))
CONDITION = Collection(Record({"note": Line()}))
_BODY: dict[str, Kind] = {
    "experiences": EXPERIENCES,
    "conditions": CONDITION,
    "resist": Collection(Record({})),
    "immune": Collection(Record({})),
    "reduce": Record({sort: Integer(0, 99) for sort in SORTS}),
}
WEAPON = Record(
    {
        "name": Line(),
        "trait": Choice(TRAITS),
        "range": Choice(RANGES),
        "damage": Line(20),
        "type": Choice(SORTS),
        "place": Choice(("primary", "secondary", "spare")),
        "note": Line(200),
    }
)
CARD = Record(
    {
        "name": Line(),
        "domain": Line(),
        "level": Integer(1, HIGHEST_LEVEL, 1),
        "recall": Integer(0, 9),
        "vault": Boolean(),
        "note": Line(200),
    }
)
FEATURE = Record(
    {
        "name": Line(),
        "note": Line(200),
        "tokens": Integer(0, 99, label=OWN),
        "refresh": Choice(REFRESH),
        "used": Boolean(),
    }
)

ARMOR_BASE = Record(
    {
        "major": Integer(0, 99),
        "severe": Integer(0, 99),
        "score": Integer(0, SLOTS_MOST),
        "evasion": Integer(-9, 9, label="Evasion"),
        "agility": Integer(-9, 9),
    }
)

CHARACTER = Record(
    {
        "name": Line(),
        "status": Choice(("alive", "retired", "dead", "gone")),
        "down": Choice(("", "death_move", "unconscious")),
        "class": Line(),
        "subclass": Line(),
        "heritage": Line(),
        "level": Integer(1, HIGHEST_LEVEL, 1),
        **{trait: Integer(-9, 9, label=trait.capitalize()) for trait in TRAITS},
        "spellcast": Choice(("", *TRAITS)),
        "marked": Collection(Record({})),
        "hope": Integer(0, SLOTS_MOST, 2, most=_most("hope_max"), label="Hope"),
        "hope_max": Integer(0, SLOTS_MOST, 6, lowered=_follows("hope"), emptied=_no_hope_left, label="Hope slots"),
        "scars": Integer(0, SLOTS_MOST),
        "hp": Integer(0, SLOTS_MOST, most=_most("hp_max"), filled=_last_hp, lowered=_awake, label="HP marked"),
        "hp_max": Integer(0, SLOTS_MOST, 6, lowered=_follows("hp"), label="HP slots"),
        "stress": Integer(0, SLOTS_MOST, most=_most("stress_max"), beyond=_overflow, label="Stress marked"),
        "stress_max": Integer(0, SLOTS_MOST, 6, lowered=_follows("stress"), label="Stress slots"),
        "armor": Integer(0, SLOTS_MOST, most=_most("armor_max"), label="Armor Slots marked"),
        "armor_max": Integer(0, SLOTS_MOST, lowered=_follows("armor"), label="Armor Score"),
        "armor_name": Line(label="armor"),
        "armor_base": ARMOR_BASE,
        "threshold_bonus": Integer(-99, 99),
        "severe_bonus": Integer(-99, 99),
        "slots_per_hit": Integer(1, SLOTS_MOST, 1, label="Armor Slots for one hit"),
        "evasion": Integer(0, 99, 10, label="Evasion"),
        "proficiency": Integer(0, 6, 1, label="Proficiency"),
        **_BODY,
        "gold": Integer(0, GOLD_MOST, 1),
        "weapons": Collection(WEAPON),
        "cards": Collection(CARD),
        "features": Collection(FEATURE),
        "items": Collection(Record({"name": Line(), "many": Integer(0, 99, 1, label=OWN), "note": Line(200)})),
        "taken": Record({f"tier_{tier}": Counters(9) for tier in TIERS}),
        "tag_team": Boolean(label="Tag Team"),
        "tokens": Integer(0, 9, emptied=_tokens_spent),
        "owed": Counters(9),
    }
)

ADVERSARY = Record(
    {
        "name": Line(),
        "type": Choice(ADVERSARY_TYPES),
        "tier": Integer(1, 4, 1),
        "difficulty": Integer(0, 60, 11),
        "major": Integer(0, 999),
        "severe": Integer(0, 999),
        "hp": Integer(0, 99, most=_most("hp_max"), filled=_defeated, lowered=_back_up, label="HP marked"),
        "hp_max": Integer(0, 99, 5, lowered=_follows("hp"), label="HP slots"),
        "stress": Integer(0, 99, most=_most("stress_max"), beyond=_overflow, label="Stress marked"),
        "stress_max": Integer(0, 99, 3, lowered=_follows("stress"), label="Stress slots"),
        "attack": Integer(-9, 99),
        "attack_name": Line(),
        "range": Choice(RANGES),
        "damage": Line(20),
        "damage_type": Choice(SORTS),
        "reduced": Line(20),
        "minion": Integer(0, 99),
        "count": Integer(0, 99, 1, emptied=_defeated, label="left"),
        "damage_each": Integer(0, 99),
        "density": Integer(0, 99),
        **_BODY,
        "features": Collection(Record({"name": Line(), "note": Line(200), "cost": Line(20)})),
        "tokens": Integer(0, 99),
        "spotlit": Integer(0, 9),
        "note": Line(200),
        "defeated": Boolean(),
    }
)

COUNTDOWN = Record(
    {
        "name": Line(),
        "kind": Choice(KINDS),
        "value": Integer(0, 99, 4, emptied=_fires, label=OWN),
        "start": Integer(0, 99, 4, label=OWN),
        "loop": Choice(("none", "loop", "increasing", "decreasing")),
        "paused": Boolean(),
        "ended": Boolean(),
        "fired": Integer(0, 9999),
    }
)

SETTINGS = Record(
    {
        "edition": Choice(("2.0", "1.0")),
        "massive_damage": Boolean(),
        "hope_and_fear": Choice((AUTOMATIC, BY_HAND)),
        "countdowns": Choice((AUTOMATIC, BY_HAND)),
        "overflow": Choice(("one", "each")),
        "gm": Boolean(label="Game Master"),
        "foes": Choice((AUTOMATIC, *FOES), label="adversaries' numbers"),
        "tokens": Integer(0, 9),
    }
)

TOP = Record(
    {
        **LAYOUT,
        "dice_are": DICE,
        "settings": SETTINGS,
        "fear": Integer(0, FEAR_MOST, label="Fear"),
        "fear_spent": Integer(0, 999),
        "spotlight": Choice(("players", "gm")),
        "short_rests": Integer(0, 9, label="short rests in a row"),
        "difficulty": Integer(0, 60, 15),
        "damage": Integer(0, 999),
        "critical": Boolean(),
        "latest": Choice(("", *OUTCOMES)),
        "secret": Choice(("", "hope", "fear")),
        "secret_by": Line(),
        "secret_total": Integer(-99, 999),
        "party": Collection(CHARACTER),
        "adversaries": Collection(ADVERSARY),
        "countdowns": Collection(COUNTDOWN),
    }
)
