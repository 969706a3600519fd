"""Procedures that set the slots, threshold bonuses and resistances of a character or an adversary."""

from __future__ import annotations

from typing import Final

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Number, Option
from tracker.games.daggerheart.derived_values import at, record, thresholds
from tracker.games.daggerheart.state import SLOTS_MOST, SORTS

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
