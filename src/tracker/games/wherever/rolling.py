"""The dice of an action roll: the throw, gambles, what stress dice give and take."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from tracker.games.base import Draft
from tracker.games.prompts import Answer, Confirm, Number, Prompt, Roll
from tracker.games.sheet import Odds
from tracker.games.wherever.drafting import Drafted, pool_words
from tracker.games.wherever.harm import assign
from tracker.games.wherever.odds import after_gamble, bane
from tracker.games.wherever.rolls import OUTCOMES, Lying, Pool, damage_of, gamble, gambled, lying
from tracker.games.words import arrow

_MOST = 20
_AGAIN = ("", "second_", "third_")


def throw(
    table: Draft, roll: Drafted, odds: Odds, more: dict[str, int | tuple[int, ...]] | None = None
) -> Generator[Prompt, Answer, Mapping[str, Any]]:
    """Pay, and roll what there is; `more` are dice that are somebody else's. With no die at all nothing is rolled."""
    table.mine("wp", -roll.cost)
    dice = roll.pool.dice | (more or {})
    if not dice:
        return {}
    faces: Mapping[str, Any] = yield Roll(key="dice", title=f"Roll {pool_words(roll)}", dice=dice, odds=odds)
    return faces


def gambles(
    table: Draft,
    pool: Pool,
    lies: Lying,
    tell: Callable[[Lying], None],
    *,
    forbidden: Callable[[Lying], str] = lambda _: "",
    changes: Callable[[Lying], str] | None = None,
    skill: str = "",
) -> Generator[Prompt, Answer, Lying]:
    """As often as it is wanted and allowed: stress +1, one more stress die, and all but the ones again.

    Without a `skill` it is the other side's, who has no numbers here. `changes` says what the new dice may do, where it
    is not the tier of a plain roll that counts.
    """
    part = "" if skill else "other_"
    tell(lies)
    limit = again = 1
    while True:
        if again > 1:
            key = f"{part}gamble_limit" if again == 2 else f"{part}gamble_limit_{again}"
            limit = yield Number(
                key=key,
                title="gambles that the GM allows",
                low=again - 1,
                high=_MOST,
                default=max(limit, again - 1),
                quiet=True,
            )
        word = _AGAIN[again - 1] if again <= len(_AGAIN) else f"{again}_"
        allowed = "" if again <= limit else "once a roll, unless the GM allows more"
        wanted = yield Confirm(
            key=f"{part}{word}gamble",
            title="Gamble" if skill else "They gamble",
            hot="g" if skill else "o",
            note=_at_stake(table, pool, lies, changes) if skill else "",
            reason=forbidden(lies) or allowed,
            default=False,
            quiet=True,
        )
        if not wanted:
            return lies
        if skill:
            table.mine("stress", 1)
            table.mine(f"marks.{skill}", 1)
            table.mine("gambled", 1)
            table.facts["gambles"] = again
        faces = yield Roll(
            key=f"{part}{word}gamble_dice",
            title="All but the ones again",
            dice={f"{part}{name}": sides for name, sides in gamble(pool, lies).dice.items()},
            at_once=True,
        )
        lies = gambled(lies, {name.removeprefix(part): face for name, face in faces.items()})
        tell(lies)
        again += 1


def _at_stake(table: Draft, pool: Pool, lies: Lying, changes: Callable[[Lying], str] | None) -> str:
    """What a gamble on these dice would do."""
    stress = table.me["stress"]
    told = changes(lies) if changes else _tiers(pool, lies)
    return f"stress {arrow(stress, stress + 1)}; {told}, a bane in {bane(after_gamble(pool, lies))}%"


def _tiers(pool: Pool, lies: Lying) -> str:
    counted = after_gamble(pool, lies)
    now = OUTCOMES.index(lies.outcome)
    better, worse = (
        round(100 * sum(part) / counted.total) for part in (counted.outcomes[now + 1 :], counted.outcomes[:now])
    )
    return f"better {better}%, worse {worse}%"


# -- what comes of it -----------------------------------------------------------------------------------


def teller(table: Draft, pool: Pool) -> Callable[[Lying], None]:
    """Puts the dice as they lie into the facts, with what they mean."""

    def tell(lies: Lying) -> None:
        facts = table.facts
        facts["faces"] = list(lies[:3])
        facts["sides"] = [int(die.removeprefix("d")) for die in pool[:3]]
        if lies.stress:
            facts["stress_dice"] = list(lies.stress)
        facts.setdefault("initial_edges", lies.edges)
        facts |= {"edges": lies.edges, "banes": lies.banes, "damage": damage_of(lies.banes)}

    return tell


def take_stock(table: Draft, lies: Lying, skill: str) -> Generator[Prompt, Answer, None]:
    """What the stress dice give back, and where their damage goes: then the roll is closed."""
    if lies.will:
        before = table.me["wp"]
        table.mine("wp", lies.will)
        table.facts |= {"sixes": lies.will, "will": table.me["wp"] - before}
    table.to(f"{table.who}.edges", min(lies.edges, 99))
    table.to(f"{table.who}.rolled", skill)
    yield from assign(table, damage_of(lies.banes), lies.banes, skill)


def first_roll(faces: Mapping[str, Any], part: str = "") -> Lying:
    """The dice of one side, out of all that were rolled."""
    return lying({name.removeprefix(part): face for name, face in faces.items() if name.startswith(part)})
