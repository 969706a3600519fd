"""What past entries of Wherever We Go show: rolls with their exact odds, dice, pushes, gambles, banes, recap events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tracker.games.api.facts import number, numbers, text, word
from tracker.games.api.finished_moves import Feat, Gauge, Landmark, PastDie, PastMove, PastRoll, RollKind, thrown
from tracker.games.api.schema import State
from tracker.games.common.landmarks import NAME_MOST, called, changed_members, clock_gauges
from tracker.games.wherever.cards import TONES
from tracker.games.wherever.dice import OUTCOMES, RUNGS, STRESS_SIDES, DiceResult, Pool, chances, opposed_odds, sides
from tracker.games.wherever.state import TRACKS

ACTION, OPPOSED = "action roll", "opposed roll"
WON, LOST = "won", "lost"
KINDS = (
    RollKind(ACTION, tuple((outcome, TONES[outcome]) for outcome in reversed(OUTCOMES))),
    RollKind(OPPOSED, ((WON, "good"), (LOST, "bad"))),
)
_DIE_OF = {sides(die): die for die in RUNGS}
_PLACES = ("attribute", "skill", "talent")
_MOST_STRESS = 40
"""Most stress dice of a roll for which odds are counted; more were typed into the file."""


def rolls(move: PastMove) -> tuple[PastRoll, ...]:
    """Return the action roll or opposed roll of a move as the only item; () if it has none.

    The roll has the outcome and the odds of its first dice, if the entry tells these dice.
    """
    facts = move.facts
    winner = word(facts, "winner", ("acting", "defending"))
    ours = _first(move, "", "faces", "sides")
    if winner:
        acts = facts.get("side") != "defending"
        outcome = WON if (winner == "acting") == acts else LOST
        theirs = _first(move, "other_", "other_faces", "other_sides")
        if not ours or not theirs:
            return (PastRoll(OPPOSED, outcome),)
        (pool, lies), (other, others) = ours, theirs
        counted = opposed_odds(pool, other) if acts else opposed_odds(other, pool)
        won = counted.acting if acts else counted.tie + counted.defending
        fell = WON if lies.edges + (not acts) > others.edges else LOST
        return (PastRoll(OPPOSED, outcome, fell, (won, counted.total - won)),)
    outcome = word(facts, "outcome", OUTCOMES)
    if not outcome:
        return ()
    if not ours:
        return (PastRoll(ACTION, outcome),)
    pool, lies = ours
    return (PastRoll(ACTION, outcome, lies.outcome, chances(pool).outcomes[::-1]),)


def _first(move: PastMove, part: str, faces: str, kept: str) -> tuple[Pool, DiceResult] | None:
    """Return (dice, faces) of one side as first rolled, before any gamble; None if the entry does not tell.

    `part` is the prefix of that side's dice. `faces` and `kept` are the keys of the facts with its final faces and with
    the sides of its dice.
    """
    sizes = numbers(move.facts, kept)
    if len(sizes) != len(_PLACES) or len(numbers(move.facts, faces)) != len(_PLACES):
        return None
    rolled = move.answers.get("dice", {} if not any(sizes) else None)
    if not isinstance(rolled, Mapping) or any(size not in _DIE_OF for size in sizes):
        return None
    shown: list[int] = []
    for place, size in zip(_PLACES, sizes, strict=True):
        face = move.faces("dice", f"{part}{place}") if size else [0]
        if len(face) != 1 or not bool(size) <= face[0] <= size:
            return None
        shown += face
    stress = move.faces("dice", f"{part}stress")
    if len(stress) > _MOST_STRESS or not all(1 <= face <= STRESS_SIDES for face in stress):
        return None
    attribute, skill, talent = (_DIE_OF[size] for size in sizes)
    return Pool(attribute, skill, talent, len(stress)), DiceResult(shown[0], shown[1], shown[2], tuple(stress))


def dice(move: PastMove) -> tuple[PastDie, ...]:
    """Return all dice of a move, including gambled ones and the opponent's, named by size, such as "d8".

    Only stress dice have a name of their own. Dice whose size the entry does not tell are left out.
    """
    facts = move.facts
    own, other = numbers(facts, "sides"), numbers(facts, "other_sides")

    def name_die(_: str, name: str, place: int) -> tuple[str, int] | None:
        plain = name.removeprefix("other_")
        if plain == "stress":
            return "stress die", STRESS_SIDES
        if plain in {"save", "fate"}:
            return ("d20", 20) if plain == "save" else ("d6", 6)
        known = own if plain == name else other
        if "trained" in facts:
            at = {"attribute": place, "teacher": 2}.get(plain, len(known))
        else:
            at = {**dict(zip(_PLACES, range(3), strict=True)), "supply": 0}.get(plain, len(known))
        size = known[at] if at < len(known) else 0
        return (f"d{size}", size) if size in _DIE_OF and size else None

    return tuple(thrown(move, name_die))


def feats(move: PastMove) -> tuple[Feat, ...]:
    """Return the push, the gambles, the banes and the sixes on stress dice of a move; () if it made no roll."""
    facts = move.facts
    made = rolls(move)
    if not made:
        return ()
    outcome, fell = made[0].outcome, made[0].fell
    found: list[Feat] = []
    if facts.get("pushed") is True:
        found.append(Feat("pushed", outcome, 1, "WP"))
    if (gambles := number(facts, "gambles")) > 0:
        came = f"still {outcome}" if fell == outcome else f"{fell or '?'} → {outcome}"
        found.append(Feat("gambled", came, gambles, "stress"))
    if (banes := number(facts, "banes")) > 0:
        found.append(Feat("banes", "", max(0, number(facts, "damage")), "damage", banes))
    if (sixes := number(facts, "sixes")) > 0:
        found.append(Feat("sixes on stress dice", "", many=sixes))
    return tuple(found)


def gauges(state: State) -> tuple[Gauge, ...]:
    """Return gauges for each character's stress, WP, Health and Resolve, and for all clocks."""
    found: list[Gauge] = []
    for who, me in state["party"].items():
        found += (
            Gauge(f"{who}.stress", "stress", me["stress"], 0, None, "main", who, worse=True),
            Gauge(f"{who}.wp", "WP", me["wp"], 0, me["wp_max"], "meter", who),
            *(Gauge(f"{who}.{one}", one.capitalize(), me[one], 0, me[f"{one}_max"], "meter", who) for one in TRACKS),
        )
    return (*found, *clock_gauges(state))


_THINGS = {"talents": "talent", "traits": "trait", "drives": "drive", "gear": "", "supplies": ""}


def landmarks(move: PastMove) -> tuple[Landmark, ...]:
    """Return the events of a move for a recap: opposed rolls, things gained and lost, new harms; () for none.

    Events that all games share, such as new members, are not among them.
    """
    return (*_fights(move), *_characters(move.before, move.after))


def _fights(move: PastMove) -> Iterator[Landmark]:
    made = rolls(move)
    if made and made[0].kind == OPPOSED:
        against = text(move.facts, "against", NAME_MOST) or "an opponent"
        yield Landmark("Fights", f"{made[0].outcome} against {against}")


def _characters(before: State, after: State) -> Iterator[Landmark]:
    for whose, was, me in changed_members(before, after):
        for field, sort in _THINGS.items():
            yield from _things(was[field], me[field], whose + (f"{sort} " if sort else ""))
        for sort, harms in me["harms"].items():
            for key, harm in harms.items():
                if key not in was["harms"][sort]:
                    name = called(harm)
                    told = f"{whose}{harm['grade']} {sort} harm"
                    yield Landmark("Changed", f"{told} ({name})" if name else told)


def _things(before: State, after: State, lead: str) -> Iterator[Landmark]:
    if before is after:
        return
    for heading, here, there in (("Gained", after, before), ("Lost", before, after)):
        for key, one in here.items():
            if key not in there:
                yield Landmark(heading, f"{lead}{called(one)}")
