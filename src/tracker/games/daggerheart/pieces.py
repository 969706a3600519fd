"""What a player may keep in files of their own: weapons, armor, adversaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tracker.games.content import PieceKind
from tracker.games.daggerheart.battle import TYPES
from tracker.games.daggerheart.damage import TYPES as DAMAGE
from tracker.games.daggerheart.damage import is_dice
from tracker.games.daggerheart.layout import RANGES, SLOTS_MOST, SORTS
from tracker.games.daggerheart.rolls import TRAITS
from tracker.games.schema import Line, Number, Record, Word


def _weapon(one: Mapping[str, Any]) -> tuple[str, str] | None:
    return None if is_dice(one["damage"]) else ("damage", "damage is written like d8+2 or 2d6+3")


def _armor(one: Mapping[str, Any]) -> tuple[str, str] | None:
    return ("severe", "severe is not below major") if one["severe"] < one["major"] else None


def _adversary(one: Mapping[str, Any]) -> tuple[str, str] | None:
    for key in ("damage", "reduced"):
        if one[key] and not is_dice(one[key]):
            return key, f"{key} is written like d8+2 or 2d6+3"
    if one["severe"] and one["severe"] < one["major"]:
        return "severe", "severe is not below major, unless it is 0 for none"
    if (one["type"] == "minion") != bool(one["minion"]):
        return "minion", "a minion, and nothing else, has a number in minion: the damage that takes one more"
    return None


PIECES: Final[Mapping[str, PieceKind]] = {
    "weapon": PieceKind(
        Record(
            {
                "name": Line(),
                "trait": Word(TRAITS),
                "damage": Line(20),
                "range": Word(RANGES),
                "type": Word(SORTS),
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
                "major": Number(0, 99),
                "severe": Number(0, 99),
                "score": Number(0, SLOTS_MOST),
                "evasion": Number(-9, 9),
            }
        ),
        ("name", "major", "severe", "score"),
        _armor,
    ),
    "adversary": PieceKind(
        Record(
            {
                "name": Line(),
                "type": Word(TYPES),
                "tier": Number(1, 4, 1),
                "difficulty": Number(1, 60, 11),
                "major": Number(0, 999),
                "severe": Number(0, 999),
                "hp": Number(1, 99, 5),
                "stress": Number(0, 99, 3),
                "attack": Number(-9, 99),
                "attack_name": Line(),
                "range": Word(RANGES),
                "damage": Line(20),
                "damage_type": Word(SORTS),
                "minion": Number(0, 99),
                "count": Number(1, 99, 1),
                "damage_each": Number(0, 99),
                "density": Number(0, 99),
                "reduced": Line(20),
                "resist": Word(("", *DAMAGE)),
                "immune": Word(("", *DAMAGE)),
                "reduce": Number(0, 99),
                "note": Line(200),
            }
        ),
        ("name", "difficulty"),
        _adversary,
    ),
}
