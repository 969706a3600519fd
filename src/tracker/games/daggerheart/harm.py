"""Damage rolled and taken, Stress, clearing of slots, conditions and Hope; for characters and adversaries alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from typing import Final

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import counted
from tracker.games.api.prompts import Answer, Confirm, Number, Option, Pick, Prompt, Roll, Text, choose_any
from tracker.games.api.schema import State
from tracker.games.daggerheart.action import ask_extra, spend_hope
from tracker.games.daggerheart.derived_values import (
    at,
    condition_name,
    conditions,
    everybody,
    facing,
    is_pc,
    name,
    record,
    thresholds,
)
from tracker.games.daggerheart.dice import DamageDice, dice
from tracker.games.daggerheart.shared_prompts import ask_target
from tracker.games.daggerheart.state import CONDITIONS, SORTS
from tracker.records import NamedTuple
from tracker.text import shown_line

SEVERITIES: Final = ("none", "minor", "major", "severe", "massive")
"""Severities of damage. The index of each is the number of HP that it marks."""
DAMAGE_TYPES: Final = (*SORTS, "both")
DAMAGE_MOST = 999
NO_SLOT = "take"
_HOLDS = "already has it"
OTHER = "other."
"""Key of the option for a condition that is typed in. No condition has this id, because an id has no dot."""


# -- damage rolls ---------------------------------------------------------------------------------------


def roll_damage(table: Draft) -> Procedure:
    """Ask for damage dice and roll them without a target. The total is the default when damage is taken next.

    Raise Refused if the player's text is not written like `d8+2`.
    """
    proficiency = table.me["proficiency"] if is_pc(table.state, table.who) else 1
    text = yield Text(key="roll", title="Damage dice", most=30, hint="d8+2 (Proficiency sets how many), or 2d6+3")
    critical = yield Confirm(
        key="critical", title="Critical", hot="c", default=bool(table.state["critical"]), quiet=True
    )
    dealt = yield from deal(text, proficiency)
    yield from damage_of(table, dealt, critical=critical)


class DamageRoll(NamedTuple):
    """A damage roll: the dice in `rolled`, and the face of each in `faces`. `deal` makes it, and `damage_of` totals it.

    `faces` is empty if the damage is a plain number without dice.
    """

    rolled: DamageDice
    faces: list[int]


def deal(text: str, proficiency: int, part: str = "", whose: str = "") -> Generator[Prompt, Answer, DamageRoll]:
    """Parse damage such as `d8+2`, ask for its dice, and return them with their faces.

    A plain number has no dice to roll. Dice without a count, as in `d8`, are rolled `proficiency` times. `part` is the
    prefix of the prompt's key, and `whose` of its title. Raise Refused if `text` cannot be parsed.
    """
    rolled = dice(text, proficiency)
    if not rolled.dice:
        return DamageRoll(rolled, [])
    title = f"{whose}Damage {rolled}"
    given = yield Roll(key=f"{part}damage", title=title, dice={"damage": rolled.dice}, at_once=True)
    return DamageRoll(rolled, list(given["damage"]))


def damage_of(table: Draft, dealt: DamageRoll, *, critical: bool, part: str = "") -> Generator[Prompt, Answer, int]:
    """Offer a reroll of damage dice, then extra dice from a feature; return the total damage. Both prompts are hidden.

    `critical` adds the maximum of all dice. The total is stored in the facts, and in the state as the default answer
    when damage is taken next. `part` is the prefix of the prompts' keys.
    """
    rolled, faces = dealt
    again: list[str] = []
    if faces:
        again = yield choose_any(
            key=f"{part}damage_reroll",
            title="Reroll damage dice",
            options=tuple(
                Option(f"damage_{n}", f"reroll the d{sides} that shows {face}")
                for n, (sides, face) in enumerate(zip(rolled.dice, faces, strict=True), 1)
            ),
            aside=True,
        )
    if again:
        places = [n for n in range(len(faces)) if f"damage_{n + 1}" in again]
        new = yield Roll(
            key=f"{part}damage_reroll_dice",
            title="Reroll these; the new results count",
            dice={"damage": tuple(rolled.dice[n] for n in places)},
            at_once=True,
        )
        anew = dict(zip(places, new["damage"], strict=True))
        faces = [anew.get(n, face) for n, face in enumerate(faces)]
    extra = yield from ask_extra(f"{part}damage_extra", "extra damage die")
    if extra:
        more = yield Roll(
            key=f"{part}damage_extra_dice", title="Extra damage dice", dice={"damage": extra}, at_once=True
        )
        rolled, faces = rolled._replace(dice=(*rolled.dice, *extra)), [*faces, *more["damage"]]
    total = max(0, rolled.total(faces, critical=critical))
    table.facts |= {"rolled": str(rolled), "faces": faces, "sides": list(rolled.dice), "critical": critical}
    table.facts["damage_total"] = total
    table.facts.setdefault("total", total)
    table.to("damage", min(total, DAMAGE_MOST))
    return total


def over(table: Draft) -> None:
    """Remove the last damage roll and its critical from the state, after the damage has been taken."""
    if table.state["damage"]:
        table.to("damage", 0)
    if table.state["critical"]:
        table.to("critical", False)


def _on_anybody(title: str, change: Callable[[Draft, str], Procedure]) -> Callable[[Draft], Procedure]:
    """Return a procedure for the GM that asks for a creature and then runs `change` with the creature's id.

    `title` is the title of its first prompt.
    """

    def ask_and_change(table: Draft) -> Procedure:
        target = yield ask_target(table, everybody(table.state), title)
        yield from change(table, target)

    return ask_and_change


# -- taking damage --------------------------------------------------------------------------------------


def arriving(
    amount: int, sort: str, resist: Collection[str], immune: Collection[str], reduce: Mapping[str, int]
) -> int:
    """Return the damage that is left after immunity, resistance and flat reduction, in this order.

    Immunity leaves none, and resistance half, rounded up. `sort` is "physical", "magic" or "both". `resist` and
    `immune` hold types of damage, and `reduce` maps each type to the points it is reduced by. Against both types, only
    immunity or resistance to both helps, and the smaller reduction counts.
    """
    sorts = SORTS if sort == "both" else (sort,)
    if all(one in immune for one in sorts):
        return 0
    if all(one in resist for one in sorts):
        amount = (amount + 1) // 2
    return max(0, amount - min(reduce[one] for one in sorts))


def severity(damage: int, thresholds: tuple[int, int], *, massive: bool) -> int:
    """Return how many HP this much damage marks: 0 without damage, else 1, or more from each threshold on.

    `thresholds` is (Major, Severe): 2 HP from Major on, and 3 from Severe on. A threshold of 0 does not exist and has
    no effect. With `massive`, damage of at least twice Severe marks 4 HP.
    """
    major, severe = thresholds
    if damage <= 0:
        return 0
    if massive and severe and damage >= 2 * severe:
        return 4
    return 3 if severe and damage >= severe else 2 if major and damage >= major else 1


def minions_beaten(damage: int, each: int, there: int) -> int:
    """Return how many minions a hit defeats: one, and one more for each full multiple of `each` in the damage.

    Return at most `there`, the number of minions, and 0 if the damage is 0. If `each` is 0, one is defeated.
    """
    if damage <= 0:
        return 0
    return min(there, 1 + (damage // each if each else 0))


def take(table: Draft) -> Procedure:
    """Ask how much damage the acting character takes, and apply it.

    If damage is due for the character, it is the default answer, and it is no longer due afterwards. Raise Refused if
    the character is out of play.
    """
    table.begin("take")
    yield from _hit(table, table.who)


def _hit(table: Draft, target: str) -> Procedure:
    due = _owed_damage(table.state, target)
    proposed = due[0] if due else (table.state["damage"], DAMAGE_TYPES[0])
    one = record(table.state, target)
    held = "" if one.get("minion") else " (thresholds {}/{})".format(*thresholds(one)) if any(thresholds(one)) else ""
    title = f"Damage to {name(table.state, target)}{held}"
    amount = yield Number(key="amount", title=title, low=0, high=DAMAGE_MOST, default=proposed[0] or None)
    more = yield Number(
        key="more",
        title="damage from a second source",
        low=0,
        high=DAMAGE_MOST,
        default=0,
        quiet=True,
        aside=True,
    )
    sort = yield Pick(
        key="type",
        title="Type",
        options=tuple(
            Option(one, {"both": "physical and magic"}.get(one, one), hot=hot)
            for one, hot in zip(DAMAGE_TYPES, "pgb", strict=True)
        ),
        default=proposed[1],
        quiet=True,
    )
    direct = yield Confirm(key="direct", title="Direct: ignores Armor Slots", hot="x", default=False, quiet=True)
    if due:  # settle the proposed damage, even if the player changed it
        settled = (amount, sort) if (amount, sort) in due else due[0]
        table.by(f"{target}.owed.damage_{settled[0]}_{settled[1]}", -1)
    yield from take_damage(table, target, amount + more, sort, direct=direct)
    over(table)


take_gm = _on_anybody("Who is hit?", _hit)


def _owed_damage(state: State, target: str) -> list[tuple[int, str]]:
    """Return (amount, type) of each damage that is due for a character; [] for an adversary."""
    due = record(state, target).get("owed", {})
    parts = [name.split("_") for name, many in due.items() if many and name.startswith("damage_")]
    return [
        (int(part[1]), part[2]) for part in parts if len(part) == 3 and part[1].isdigit() and part[2] in DAMAGE_TYPES
    ]


def take_damage(
    table: Draft, target: str, amount: int, sort: str, *, direct: bool = False, part: str = ""
) -> Procedure:
    """Apply damage to the creature `target`: reduce it by resistances, and mark HP by its severity.

    A character can mark Armor Slots to mark fewer HP, unless the damage is `direct`. Minions have no HP: their number
    falls. `sort` is the damage type, and `part` the prefix of the prompt's key.
    """
    one = record(table.state, target)
    left = arriving(amount, sort, one["resist"], one["immune"], one["reduce"])
    facts = table.facts
    facts |= {"target": one["name"], "incoming": amount, "damage": left, "type": sort}
    if one.get("minion"):
        beaten = minions_beaten(left, one["minion"], one["count"])
        table.by(f"{at(table.state, target)}.count", -beaten)
        facts |= {"defeated": beaten, "severity": SEVERITIES[0], "marked": 0}
        return
    massive = table.state["settings"]["massive_damage"]
    worst = severity(left, thresholds(one), massive=massive)
    slots = (yield from _armor(table, target, worst, direct=direct, part=part)) if is_pc(table.state, target) else 0
    if slots:
        table.by(f"{target}.armor", slots)
        facts["slots"] = slots
    hp = max(0, worst - slots)
    before = one["hp"]
    table.by(f"{at(table.state, target)}.hp", hp)
    facts |= {"severity": SEVERITIES[hp], "marked": record(table.state, target)["hp"] - before}
    if not is_pc(table.state, target) and record(table.state, target)["defeated"]:
        facts["defeated"] = 1


def _armor(table: Draft, target: str, worst: int, *, direct: bool, part: str) -> Generator[Prompt, Answer, int]:
    """Ask how many Armor Slots the character `target` marks against a hit; return the number, and change nothing.

    `worst` is the number of HP that the hit would mark without armor. The limit is the character's slots per hit. If no
    slot can be marked, the prompt is answered by default. `part` is the prefix of its key.
    """
    me = table.state["party"][target]
    free = me["armor_max"] - me["armor"]
    reason = (
        "direct damage ignores armor"
        if direct
        else "no damage to reduce"
        if not worst
        else "no armor"
        if not me["armor_max"]
        else "no Armor Slot left"
        if free <= 0
        else ""
    )
    options = [
        Option(NO_SLOT, f"take it: {_felt(worst)}", _marks(me, worst), hot="t"),
    ]
    for many in range(1, me["slots_per_hit"] + 1):
        hp = max(0, worst - many)
        told = f"{_marks(me, hp)}, {counted(max(0, free - many), 'Armor Slot')} left"
        words = "mark an Armor Slot" if many == 1 else f"mark {many} Armor Slots"
        few = reason or ("" if many <= free else f"{free} free")
        options.append(Option(f"slot_{many}", f"{words}: {_felt(hp)}", told, few, hot="am"[many > 1]))
    slots = yield Pick(
        key=f"{part}armor",
        title=f"{shown_line(me['name'])}, {SEVERITIES[worst] if worst else 'no'} damage",
        options=tuple(options),
        default=NO_SLOT,
        quiet=bool(reason),
    )
    return 0 if slots == NO_SLOT else int(slots.removeprefix("slot_"))


def _marks(me: State, hp: int) -> str:
    """Return in words how many HP the character marks, limited to those unmarked, and how many are left then."""
    left = me["hp_max"] - me["hp"]
    marked = min(hp, left)
    return f"mark {marked} HP ({left - marked} left)" if marked else "mark no HP"


def _felt(hp: int) -> str:
    """Return the name of the severity that marks this many HP, or "no HP" for 0."""
    return SEVERITIES[hp] if hp else "no HP"


# -- Stress ---------------------------------------------------------------------------------------------


def stress(table: Draft) -> Procedure:
    table.begin("stress")
    yield from _mark_stress(table, table.who)


def _mark_stress(table: Draft, target: str) -> Procedure:
    """Ask how much Stress the creature `target` marks, and mark it.

    Forced Stress beyond the last slot marks HP instead. Stress that is not forced is a cost: raise Refused if it does
    not fit.
    """
    amount = yield Number(key="amount", title="How much Stress?", low=1, high=12, default=1)
    forced = yield Confirm(
        key="forced", title="Forced: Stress that doesn't fit marks HP", hot="f", default=True, quiet=True
    )
    one = record(table.state, target)
    free = max(0, one["stress_max"] - one["stress"])
    if not forced and amount > free:
        raise Refused(f"This costs {amount} Stress; {name(table.state, target)} can mark {free}.")
    table.by(f"{at(table.state, target)}.stress", amount)
    after = record(table.state, target)
    table.facts |= {
        "target": one["name"],
        "marked": after["stress"] - one["stress"],
        "hp": after["hp"] - one["hp"],
    }


stress_gm = _on_anybody("Whose Stress?", _mark_stress)


# -- clearing -------------------------------------------------------------------------------------------


def clear(table: Draft) -> Procedure:
    yield from _clear(table, table.who)


def clear_gm(table: Draft) -> Procedure:
    target = yield ask_target(table, [*everybody(table.state), *_beaten(table.state)], "Who recovers?")
    yield from _clear(table, target)


def _beaten(state: State) -> list[str]:
    return [ident for ident in state["adversaries"] if ident not in facing(state)]


def _clear(table: Draft, target: str) -> Procedure:
    """Ask how many HP, Stress and Armor Slots the creature `target` clears, and clear them.

    For minions, ask how many come back, and add them. Raise Refused if the answer to all prompts is 0.
    """
    one, path = record(table.state, target), at(table.state, target)
    if one.get("minion"):
        many = yield Number(key="count", title="How many come back?", low=1, high=99, default=1)
        table.by(f"{path}.count", many)
        if one["defeated"]:
            table.to(f"{path}.defeated", False)
        return
    tracks = ("hp", "stress", "armor") if is_pc(table.state, target) else ("hp", "stress")
    asked = {}
    for track in tracks:
        label = {"hp": "HP", "stress": "Stress", "armor": "Armor Slots"}[track]
        asked[track] = yield Number(key=track, title=f"Clear {label} ({one[track]} marked)", low=0, high=12, default=0)
    if not any(asked.values()):
        raise Refused("Choose something to clear.")
    for track, points in asked.items():
        table.by(f"{path}.{track}", -points)
    table.facts["target"] = one["name"]


# -- conditions -----------------------------------------------------------------------------------------


def condition(table: Draft) -> Procedure:
    yield from _condition(table, table.who)


def _condition(table: Draft, target: str) -> Procedure:
    """Ask for a condition to add to the creature `target`, or to end, and record that.

    Vulnerable from full Stress cannot be ended here. Raise Refused if the player types in a condition that the creature
    has already.
    """
    one = record(table.state, target)
    held = one["conditions"]
    way = yield Pick(
        key="way",
        title=f"{name(table.state, target)}: {', '.join(conditions(one)) or 'no condition'}",
        options=(
            Option("add", "add a condition", hot="a"),
            Option("remove", "end a condition", reason="" if held else "none to end", hot="e"),
        ),
        default="add",
    )
    path = f"{at(table.state, target)}.conditions"
    if way == "remove":
        gone = yield Pick(
            key="remove",
            title="Which one ends?",
            options=tuple(Option(c, condition_name(one, c)) for c in held),
            default=next(iter(held)),
        )
        table.drop(path, gone)
        return
    added = yield Pick(
        key="add",
        title="Which condition?",
        options=(
            *(Option(c, c.capitalize(), reason=_HOLDS if c in held else "", hot=c[0]) for c in CONDITIONS),
            *(Option(c, condition_name(one, c), reason=_HOLDS) for c in held if c not in CONDITIONS),
            Option(OTHER, "another", "type its name", hot="o"),
        ),
    )
    if added != OTHER:
        table.add(path, {"id": added})
        return
    named = yield Text(key="other", title="Which condition?", most=40, hint="poisoned")
    if named.casefold() in (condition_name(one, c).casefold() for c in held):
        raise Refused(f"{name(table.state, target)} already has that condition.")
    known = named.lower() in CONDITIONS
    table.add(path, {"id": named.lower()} if known else {"id": table.new_id(named, held, *CONDITIONS), "note": named})


condition_gm = _on_anybody("Whose condition?", _condition)


# -- Hope -----------------------------------------------------------------------------------------------


def pay_hope(table: Draft) -> Procedure:
    """Ask how much Hope the acting character spends and on what, and subtract it.

    Raise Refused if the character has less or cannot act now.
    """
    table.begin("spend_hope")
    amount = yield Number(key="amount", title="How much Hope?", low=1, high=12, default=min(3, table.me["hope"]))
    spend_hope(table, table.who, amount)
    table.facts["told"] = yield Text(
        key="why", title="What for (optional)", hint="Hold Them Off", empty=True, default=""
    )
