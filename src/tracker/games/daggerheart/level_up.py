"""Level up: the fixed gains of a level, and two advancements from the boxes of its tiers."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.phrases import arrow, signed
from tracker.games.api.prompts import Answer, Choose, Option, Pick, Prompt, Text
from tracker.games.daggerheart.derived_values import loadout
from tracker.games.daggerheart.dice import STEPS_UP, TRAITS, tier
from tracker.games.daggerheart.state import LOADOUT, SLOTS_MOST
from tracker.records import NamedTuple
from tracker.text import shown_line


class Advancement(NamedTuple):
    """One kind of advancement, such as "Evasion +1", that a player picks when a character levels up.

    ADVANCEMENTS has all of them. In each tier, an advancement has as many boxes as `first` and `later` say, and can be
    taken once for each box. `words` describes the gain to the player.
    """

    words: str
    first: int
    """Number of boxes in tier 2."""
    later: int
    """Number of boxes in tier 3, and again in tier 4."""
    picks: int = 1
    """Number of picks that one box costs, of the two that a level gives."""


ADVANCEMENTS: Final[Mapping[str, Advancement]] = {
    "traits": Advancement("+1 to two traits", 3, 3),
    "hp_slot": Advancement("one more HP slot", 2, 2),
    "stress_slot": Advancement("one more Stress slot", 2, 2),
    "experiences": Advancement("+1 to two Experiences", 1, 1),
    "domain_card": Advancement("one more domain card", 1, 1),
    "evasion": Advancement("Evasion +1", 1, 1),
    "subclass": Advancement("the next subclass card", 0, 1),
    "proficiency": Advancement("Proficiency +1", 0, 1, picks=2),
    "multiclass": Advancement("a second class", 0, 1, picks=2),
}
PROFICIENCY_MOST: Final = 6
DUE: Final = "level_"
"""Prefix of the names of due items for a level's gains; the level follows, as in `level_3`."""


def level_up(table: Draft) -> Procedure:
    """Raise the acting character's level by 1, then ask for the gains of the new level and apply them.

    Marked HP and Stress slots stay marked. Raise Refused if the character has the highest level or is out of play.
    """
    table.begin("level_up")
    level = table.me["level"] + 1
    table.mine("level", 1)
    table.facts["told"] = f"level {arrow(level - 1, level)}"
    if level in STEPS_UP:
        table.mine("proficiency", 1)
    yield from _gains(table, level)


def catch_up(table: Draft) -> Procedure:
    """Ask for the gains of the lowest level whose gains are due, and apply them.

    They are due for a character who joined above level 1. Raise Refused if none are due or the character is out of
    play.
    """
    table.begin("catch_up")
    level = min(due_levels(table.me))
    table.mine(f"owed.{DUE}{level}", -1)
    table.facts["told"] = f"level {level}"
    yield from _gains(table, level)


def due_levels(me: Mapping[str, Any]) -> list[int]:
    """Return the levels whose gains are due for the character with the record `me`; [] if none are."""
    parts = [key.removeprefix(DUE) for key, many in me["owed"].items() if many and key.startswith(DUE)]
    return [int(part) for part in parts if part.isdigit()]


def _gains(table: Draft, level: int) -> Procedure:
    """Ask for the gains of a level and apply them: two advancements and a domain card.

    Levels that begin a tier also give an Experience. From level 5 on they also unmark the traits raised earlier.
    """
    if level in STEPS_UP:
        name = yield Text(key="experience", title=f"New Experience for level {level} (+2)", hint="Sailor")
        add_experience(table, table.who, name, 2)
        if level > STEPS_UP[0]:
            for trait in list(table.me["marked"]):
                table.drop(f"{table.who}.marked", trait)
    picks = 2
    while picks:
        picks -= yield from _advancement(table, level, "1" if picks == 2 else "2", picks)
    card = yield Text(
        key="card", title=f"New domain card for level {level} (optional)", hint="its name", empty=True, default=""
    )
    if card:
        add_card(table, card)


def add_experience(table: Draft, who: str, name: str, bonus: int) -> None:
    known = table.state["party"][who]["experiences"]
    table.add(f"{who}.experiences", {"id": table.new_id(name, known), "name": name, "bonus": bonus})


def add_card(table: Draft, name: str, **more: object) -> None:
    """Add a domain card to the acting character's loadout, or to the vault if the loadout is full.

    `more` holds further fields of the card, such as its level.
    """
    cards = table.me["cards"]
    full = loadout(table.me) >= LOADOUT
    table.add(f"{table.who}.cards", {"id": table.new_id(name, cards), "name": name, "vault": full, **more})


def _advancement(table: Draft, level: int, number: str, picks: int) -> Generator[Prompt, Answer, int]:
    """Ask for one advancement and apply it; return how many picks it used up.

    `number` is "1" for the first advancement of this level, and "2" for the second; `picks` is the number of picks
    left.
    """
    highest = tier(level)
    whose = highest
    if highest > 2:
        boxes = yield Pick(
            key=f"{number}.tier",
            title=f"Advancement {number} of 2: which tier's boxes?",
            options=tuple(
                Option(f"tier_{n}", f"tier {n}", _still_free(table, n), hot=str(n)) for n in range(2, highest + 1)
            ),
            default=f"tier_{highest}",
        )
        whose = int(boxes.removeprefix("tier_"))
    take = yield Pick(
        key=f"{number}.take",
        title=f"Advancement {number} of 2",
        options=tuple(
            Option(key, box.words, _left(table, key, whose), _why_not(table, key, whose, picks))
            for key, box in ADVANCEMENTS.items()
        ),
    )
    table.mine(f"taken.tier_{whose}.{take}", 1)
    yield from _take(table, take, number)
    return ADVANCEMENTS[take].picks


def _there(key: str, whose: int) -> int:
    return ADVANCEMENTS[key].first if whose == 2 else ADVANCEMENTS[key].later


def _left(table: Draft, key: str, whose: int) -> str:
    free = _there(key, whose) - table.me["taken"][f"tier_{whose}"].get(key, 0)
    return f"{free} of {_there(key, whose)} left" + (", takes both picks" if ADVANCEMENTS[key].picks == 2 else "")


def _still_free(table: Draft, whose: int) -> str:
    """Return the number of free boxes in the tier `whose` in words, such as "7 boxes left".

    A box that costs two picks counts as one.
    """
    taken = table.me["taken"][f"tier_{whose}"]
    return f"{sum(_there(key, whose) - taken.get(key, 0) for key in ADVANCEMENTS)} boxes left"


def _why_not(table: Draft, key: str, whose: int, picks: int) -> str:
    me, taken = table.me, table.me["taken"]
    here = taken[f"tier_{whose}"]
    if not _there(key, whose):
        return "not in tier 2"
    if here.get(key, 0) >= _there(key, whose):
        return "no box left"
    if ADVANCEMENTS[key].picks > picks:
        return "takes both picks"
    reasons = {
        "traits": len(TRAITS) - len(me["marked"]) < 2 and "needs 2 unmarked traits",
        "hp_slot": me["hp_max"] >= SLOTS_MOST and f"{SLOTS_MOST} is the most",
        "stress_slot": me["stress_max"] >= SLOTS_MOST and f"{SLOTS_MOST} is the most",
        "experiences": len(me["experiences"]) < 2 and "needs 2 Experiences",
        "proficiency": me["proficiency"] >= PROFICIENCY_MOST and f"{PROFICIENCY_MOST} is the most",
        "subclass": here.get("multiclass") and "second class taken in this tier",
        "multiclass": (here.get("subclass") and "subclass card taken in this tier")
        or (any(boxes.get("multiclass") for boxes in taken.values()) and "already has a second class"),
    }
    return reasons.get(key) or ""


def _take(table: Draft, take: str, number: str) -> Procedure:
    me = table.me
    match take:
        case "traits":
            chosen = yield Choose(
                key=f"{number}.traits",
                title="Which two traits?",
                options=tuple(
                    Option(
                        trait,
                        f"{trait.capitalize()} {signed(me[trait])}",
                        reason="marked since the last tier" if trait in me["marked"] else "",
                        hot=trait[0],
                    )
                    for trait in TRAITS
                ),
                least=2,
                most=2,
            )
            for trait in chosen:
                table.mine(trait, 1)
                table.add(f"{table.who}.marked", {"id": trait})
        case "experiences":
            chosen = yield Choose(
                key=f"{number}.experiences",
                title="Which two Experiences?",
                options=tuple(
                    Option(ident, f"{shown_line(one['name'])} {signed(one['bonus'])}")
                    for ident, one in me["experiences"].items()
                ),
                least=2,
                most=2,
            )
            for ident in chosen:
                table.mine(f"experiences.{ident}.bonus", 1)
        case "hp_slot" | "stress_slot":
            table.mine(f"{take.removesuffix('_slot')}_max", 1)
        case "evasion" | "proficiency":
            table.mine(take, 1)
        case "domain_card":
            card = yield Text(
                key=f"{number}.card", title="Which domain card (optional)", hint="its name", empty=True, default=""
            )
            if card:
                add_card(table, card)
        case "subclass":
            card = yield Text(
                key=f"{number}.subclass",
                title="Which subclass card (optional)",
                hint="its name",
                empty=True,
                default="",
            )
            if card:
                table.add(f"{table.who}.features", {"id": table.new_id(card, me["features"]), "name": card})
        case "multiclass":
            second = yield Text(
                key=f"{number}.class", title="Which second class (optional)", hint="Druid", empty=True, default=""
            )
            if second:
                table.to(f"{table.who}.class", " and ".join(filter(None, (me["class"], second))))
