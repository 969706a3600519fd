"""Numbers of a body that features and heritage change: slots, thresholds, and what damage does less."""

from __future__ import annotations

from typing import Final

from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.beings import at, record
from tracker.games.daggerheart.layout import SLOTS_MOST, SORTS
from tracker.games.prompts import Choose, Number, Option, Refused

_SLOTS: Final = (("hp_max", "HP slots", 1), ("stress_max", "Stress slots", 0), ("hope_max", "Hope slots", 1))
_WORDS: Final = {"resist": "resists", "immune": "immune to"}
_BESIDE: Final = (
    ("threshold_bonus", "more for both thresholds", -99, 99),
    ("severe_bonus", "more for the Severe threshold", -99, 99),
    ("slots_per_hit", "Armor Slots that can be marked for one hit", 1, SLOTS_MOST),
)


def slots(table: Draft) -> Procedure:
    """What a feature or a heritage adds to the numbers that a class starts with."""
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


def resist(table: Draft) -> Procedure:
    """What damage does less to you, or nothing."""
    yield from ask_resistance(table, table.who)


def ask_resistance(table: Draft, target: str) -> Procedure:
    """Half of it, none of it, or so much less."""
    one, path = record(table.state, target), at(table.state, target)
    for key, title in (("resist", "Resistance: half of it"), ("immune", "Immunity: none of it")):
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
            key=f"reduce_{sort}", title=f"{sort} damage less", low=0, high=99, default=one["reduce"][sort], quiet=True
        )
        if points != one["reduce"][sort]:
            table.to(f"{path}.reduce.{sort}", points)
