"""What past entries of Daggerheart show: rolls with their exact odds, dice, Hope and Fear spent, events for a recap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tracker.games.api.facts import is_whole, items, number, numbers, text, word
from tracker.games.api.finished_moves import Feat, Gauge, Landmark, PastDie, PastMove, PastRoll, RollKind, thrown
from tracker.games.api.schema import State
from tracker.games.api.view import Tone
from tracker.games.common.landmarks import called, changed, changed_members
from tracker.games.daggerheart.cards import TONES
from tracker.games.daggerheart.dice import (
    CRITICAL,
    FACES,
    OUTCOMES,
    Attack,
    Duality,
    attack_odds,
    extra,
    in_capitals,
    net,
    odds,
)
from tracker.games.daggerheart.state import FEAR_MOST

ACTION, SECRET, REACTION = "action roll", "roll against a secret Difficulty", "reaction roll"
ATTACK, CHECK = "adversary's attack", "adversary's roll"
_SECRET = (CRITICAL, "with hope", "with fear")
_REACTION = (CRITICAL, "success", "failure")
_ATTACK: tuple[tuple[str, Tone], ...] = (("miss", "good"), ("hit", "bad"), ("critical hit", "bad"))
_CHECK: tuple[tuple[str, Tone], ...] = (("failure", "good"), ("success", "bad"))
KINDS = (
    *(
        RollKind(name, tuple((in_capitals(one), TONES[one]) for one in outcomes), "critical", (1, 12))
        for name, outcomes in ((ACTION, OUTCOMES), (SECRET, _SECRET), (REACTION, _REACTION))
    ),
    RollKind(ATTACK, _ATTACK),
    RollKind(CHECK, _CHECK),
)
"""Kinds of rolls. Those of adversaries have the outcome first that is best for the players."""
_MOST_HELP = 30
_MOST_PLUS = 999
"""Most helpers and largest bonus for which odds are counted; more were typed into the file."""


def rolls(move: PastMove) -> tuple[PastRoll, ...]:
    """Return the roll of a move as its only item; () if it made none, or if its facts do not tell.

    For a group roll, that is the leader's roll; for a Tag Team roll, the one that counted.
    """
    facts = move.facts
    if isinstance(facts.get("d20"), list):
        return _d20(move)
    outcome = facts.get("outcome")
    if not (is_whole(facts.get("hope")) and is_whole(facts.get("fear")) and isinstance(outcome, str)):
        return ()
    difficulty = number(facts, "difficulty") or number(move.answers, "difficulty")
    kind = REACTION if facts.get("reaction") else ACTION if difficulty else SECRET
    outcomes = {REACTION: _REACTION, ACTION: OUTCOMES, SECRET: _SECRET}[kind]
    if outcome not in outcomes:
        return ()
    part = f"{text(move.answers, 'choose')}." if "team" in facts else ""
    pair = move.faces(f"{part}dice", "hope", "fear")
    outcome = in_capitals(outcome)
    if len(pair) != 2 or not all(1 <= face <= FACES for face in pair):
        return (PastRoll(kind, outcome),)
    hope, fear = pair
    if kind == SECRET:
        return (PastRoll(kind, outcome, in_capitals(Duality(hope, fear, 0).unsettled), (12, 66, 66), hope == fear),)
    lies, ways = _duality(move, part, Duality(hope, fear, number(facts, "plus")), difficulty)
    fell = lies.reaction(difficulty) if kind == REACTION else lies.outcome(difficulty)
    if ways and kind == REACTION:
        ways = (ways[0], ways[1] + ways[2], ways[3] + ways[4])
    return (PastRoll(kind, outcome, in_capitals(fell) if ways else "", ways, lies.critical),)


def _duality(move: PastMove, part: str, bare: Duality, difficulty: int) -> tuple[Duality, tuple[int, ...]]:
    """Return (roll, odds): `bare` with the first faces of all other dice added, and the exact odds of that roll.

    If the entry does not tell them, return (`bare`, ()). `part` is the prefix of the prompt's key.
    """
    facts, key = move.facts, f"{part}dice"
    rolled = move.answers[key]
    own, die = number(facts, "own"), number(facts, "own_die") or 6
    beside = move.faces(key, "d6") if own else [0]
    helpers = [face for name in rolled if str(name).startswith("help_") for face in move.faces(key, name)]
    added = move.faces(key, "extra")
    sizes = numbers(facts, "extra_sides")[: len(added)]
    edition = move.before["settings"]["edition"]
    if len(beside) != 1 or len(sizes) != len(added) or own not in {-1, 0, 1} or not 2 <= die <= 100:
        return bare, ()
    if len(helpers) > _MOST_HELP or abs(bare.plus) > _MOST_PLUS or not all(2 <= size <= 100 for size in sizes):
        return bare, ()
    lies = bare._replace(plus=bare.plus + extra(own, beside[0], helpers, edition) + sum(added))
    return lies, tuple(odds(difficulty, bare.plus, own, len(helpers), edition, die, tuple(sizes)))


def _d20(move: PastMove) -> tuple[PastRoll, ...]:
    """Return an adversary's attack or other roll as the only item; () if the entry does not tell its outcome.

    An attack on several targets counts as a hit if it hits any of them; its odds are those against the lowest Evasion.
    """
    facts = move.facts
    attacks = "hits" in facts
    hit = bool(items(facts, "hits"))
    if attacks:
        outcome = "critical hit" if facts.get("critical") is True else "hit" if hit else "miss"
    else:
        outcome = word(facts, "outcome", ("success", "failure"))
    kind = ATTACK if attacks else CHECK
    if not outcome:
        return ()
    faces = move.faces("dice", "d20")
    own = net(number(move.answers, "advantage"), number(move.answers, "disadvantage"))
    party = move.before["party"]
    aims = [party[one]["evasion"] for one in items(move.answers, "targets") if isinstance(one, str) and one in party]
    target = min(aims, default=0) if attacks else number(facts, "difficulty")
    if len(faces) != 1 + bool(own) or not all(1 <= face <= 20 for face in faces) or not target:
        return (PastRoll(kind, outcome),)
    plus = number(facts, "plus")
    lies, (critical, hits, misses) = Attack(tuple(faces), own, plus), attack_odds(target, plus, own)
    if not attacks:
        return (PastRoll(kind, outcome, "success" if lies.hits(target) else "failure", (misses, critical + hits)),)
    fell = "critical hit" if lies.critical else "hit" if lies.hits(target) else "miss"
    return (PastRoll(kind, outcome, fell, (misses, hits, critical)),)


def dice(move: PastMove) -> tuple[PastDie, ...]:
    """Return the dice of a move, including rerolls and damage: Hope Die, Fear Die, and others named by size, as "d8".

    Dice whose size the entry does not tell are left out.
    """
    facts, answers = move.facts, move.answers

    def name_die(key: str, name: str, place: int) -> tuple[str, int] | None:
        size = 0
        if move.did == "rest/rest":
            size = 4
        elif name in {"hope", "fear"}:
            return f"{name.capitalize()} Die", FACES
        elif name == "d6":
            size = number(facts, "own_die") or 6
        elif name.startswith("help_") or name == "start":
            size = 6
        elif name == "d20":
            size = 20
        elif name == "fate":
            size = FACES
        elif name in {"extra", "later"}:
            asked = key.removesuffix("reroll_dice").removesuffix("later_dice").removesuffix("dice")
            size = _at(answers.get(f"{asked}{name}"), place)
        elif name == "damage":
            size = _damage_die(move, key, place)
        return (f"d{size}", size) if size else None

    return tuple(thrown(move, name_die))


def _damage_die(move: PastMove, key: str, place: int) -> int:
    """Return the number of sides of the damage die at the index `place` in the answer `key`; 0 if it is unknown."""
    if key.endswith("damage_extra_dice"):
        return _at(move.answers.get(key.removesuffix("_dice")), place)
    sizes = numbers(move.facts, "sides")
    if key == "damage_reroll_dice":
        again = items(move.answers, "damage_reroll")
        kept = [n for n in range(len(sizes)) if f"damage_{n + 1}" in again]
        place = kept[place] if place < len(kept) else len(sizes)
    elif key != "damage":
        return 0
    return sizes[place] if place < len(sizes) and sizes[place] > 1 else 0


def _at(chosen: Any, place: int) -> int:
    """Return the number of sides of the die at index `place` in a list such as ["d8", "d6"]; 0 if there is none."""
    name = chosen[place] if isinstance(chosen, list) and place < len(chosen) else ""
    known = {f"d{size}": size for size in (4, 6, 8, 10, 12, 20)}
    return known.get(name, 0) if isinstance(name, str) else 0


_SPENDS: Mapping[str, tuple[str, str]] = {
    "gm/spend_fear": ("Fear spent", "Fear"),
    "hope/spend_hope": ("Hope spent", "Hope"),
}


def feats(move: PastMove) -> tuple[Feat, ...]:
    """Return what Hope and Fear were spent on in a move, and the gains of them that were wasted; () for none."""
    facts, found = move.facts, list[Feat]()
    if (paid := number(facts, "paid")) > 0:
        found.append(Feat("Hope spent", "on rolls", paid, "Hope"))
    if move.did in _SPENDS:
        name, unit = _SPENDS[move.did]
        found.append(Feat(name, text(facts, "told", 40), max(0, number(move.answers, "amount")), unit))
    for unit in ("hope", "fear"):
        if (lost := number(facts, f"wasted_{unit}")) > 0:
            found.append(Feat(f"{unit.capitalize()} wasted", "already full", lost, unit.capitalize()))
    return tuple(found)


def gauges(state: State) -> tuple[Gauge, ...]:
    """Return gauges for Fear; for each character's Hope, HP, Stress, Armor, level and gold; and for all countdowns."""
    found = [Gauge("fear", "Fear", state["fear"], 0, FEAR_MOST, "main", worse=True)]
    for who, me in state["party"].items():
        found += (
            Gauge(f"{who}.hope", "Hope", me["hope"], 0, me["hope_max"], "main", who),
            Gauge(f"{who}.hp", "HP marked", me["hp"], 0, me["hp_max"], "meter", who, worse=True),
            Gauge(f"{who}.stress", "Stress marked", me["stress"], 0, me["stress_max"], "meter", who, worse=True),
            Gauge(f"{who}.armor", "Armor Slots marked", me["armor"], 0, me["armor_max"], "meter", who, worse=True),
            Gauge(f"{who}.level", "level", me["level"], 1, None, "count", who),
            Gauge(f"{who}.gold", "gold", me["gold"], 0, None, "count", who),
        )
    for ident, one in state["countdowns"].items():
        most = max(one["start"], one["value"], 1)
        found.append(Gauge(f"countdowns.{ident}", called(one), one["value"], 0, most, "track"))
    return tuple(found)


_THINGS = ("weapons", "cards", "features", "items", "experiences")


def landmarks(move: PastMove) -> tuple[Landmark, ...]:
    """Return the events of a move for a recap: adversaries, countdowns, things gained and lost, scars; () for none.

    Events that all games share, such as new members, are not among them.
    """
    before, after = move.before, move.after
    return (*_adversaries(before, after), *_countdowns(before, after), *_characters(before, after))


def _adversaries(before: State, after: State) -> Iterator[Landmark]:
    for _, was, foe in changed(before, after, "adversaries"):
        if was is None:
            yield Landmark("Fights", called(foe))
        if foe["defeated"] and not (was and was["defeated"]):
            yield Landmark("Fights", f"{called(foe)}, defeated")


def _countdowns(before: State, after: State) -> Iterator[Landmark]:
    for _, was, one in changed(before, after, "countdowns"):
        if was is None:
            yield Landmark("Tracks", f"started: {called(one)}")
        elif one["fired"] > was["fired"]:
            yield Landmark("Tracks", f"triggered: {called(one)}")


def _characters(before: State, after: State) -> Iterator[Landmark]:
    for whose, was, me in changed_members(before, after):
        for field in _THINGS:
            for heading, here, there in (("Gained", me, was), ("Lost", was, me)):
                if here[field] is not there[field]:
                    for key in [key for key in here[field] if key not in there[field]]:
                        yield Landmark(heading, f"{whose}{called(here[field][key])}")
        if me["scars"] > was["scars"]:
            yield Landmark("Lost", f"{whose}a Hope slot, to a scar")
