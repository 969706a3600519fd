"""Report states the rules cannot produce. Players may still keep them."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.schema import State
from tracker.games.daggerheart.derived_values import loadout
from tracker.games.daggerheart.dice import is_dice, tier
from tracker.games.daggerheart.state import LOADOUT
from tracker.text import shown_line

_TRACKS = {"hope": "Hope", "hp": "HP", "stress": "Stress", "armor": "Armor"}


def lint(state: State) -> tuple[str, ...]:
    """Return one line for each value that the rules cannot produce; () if all are possible."""
    lines = [line for who in state["party"].values() for line in _character(who)]
    lines += [line for foe in state["adversaries"].values() for line in _adversary(foe)]
    lines += [line for one in state["countdowns"].values() for line in _countdown(one)]
    if state["secret"] and state["secret_by"] not in state["party"]:
        lines.append("A secret roll awaits its verdict, but its roller has left the party.")
    return tuple(lines)


def _character(me: State) -> Iterator[str]:
    name = shown_line(me["name"])
    for key, word in _TRACKS.items():
        if me[key] > me[f"{key}_max"]:
            yield f"{name}: {word} {me[key]} is above its maximum {me[f'{key}_max']}."
    if me["proficiency"] < tier(me["level"]):
        least = tier(me["level"])
        yield f"{name}: Proficiency {me['proficiency']} is too low for level {me['level']}: at least {least}."
    if me["hp"] >= me["hp_max"] > 0 and not me["down"] and me["status"] == "alive":
        yield f"{name}: all HP are marked, but no death move is due."
    if loadout(me) > LOADOUT:
        yield f"{name}: the loadout has more than {LOADOUT} cards."
    for weapon in me["weapons"].values():
        if weapon["damage"] and not is_dice(weapon["damage"]):
            yield f"{name}: the damage of {shown_line(weapon['name'])} should read like d8+2."
    if me["armor_base"]["severe"] < me["armor_base"]["major"]:
        yield f"{name}: the armor's Severe threshold is below its Major one."


def _adversary(one: State) -> Iterator[str]:
    name = shown_line(one["name"])
    for key, word in (("hp", "HP"), ("stress", "Stress")):
        if one[key] > one[f"{key}_max"]:
            yield f"{name}: {word} {one[key]} is above its maximum {one[f'{key}_max']}."
    for key in ("damage", "reduced"):
        if one[key] and not is_dice(one[key]):
            yield f"{name}: its damage should read like 2d6+3."
    if (one["type"] == "minion") != bool(one["minion"]):
        yield f"{name}: only minions have damage that defeats one more."


def _countdown(one: State) -> Iterator[str]:
    if one["ended"] and one["value"]:
        yield f"{shown_line(one['name'])} has ended, but shows {one['value']}."
    if not one["ended"] and not one["value"]:
        yield f"{shown_line(one['name'])} is at 0, but has not ended."
