"""The parts of a Duality roll: what is declared and paid, the dice, and what the outcome brings."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from typing import Any, NamedTuple

from tracker.games.base import Draft
from tracker.games.daggerheart.beings import footing
from tracker.games.daggerheart.layout import living
from tracker.games.daggerheart.odds import odds, over_a_range, reaction_odds, secret_odds, shown_odds
from tracker.games.daggerheart.outcome import spend_hope
from tracker.games.daggerheart.rolls import FACES, HOT, TRAITS, Duality, extra, net
from tracker.games.prompts import Answer, Choose, Number, Option, Pick, Prompt, Refused, Roll
from tracker.games.schema import State
from tracker.games.sheet import Odds
from tracker.games.words import arrow, signed
from tracker.text import shown_line

SECRET = 0
"""The Difficulty that the GM keeps to themselves."""
_SOURCES = 9
DIFFICULTY_MOST = 60


class Declared(NamedTuple):
    """A roll as it is meant, before the dice."""

    who: str
    trait: str
    plus: int
    known: int
    """What of it comes from Experiences."""
    own: int
    die: int
    helpers: tuple[str, ...]
    part: str
    facts: dict[str, Any]
    """What is told of it."""


def ask_difficulty(table: Draft, *, default: int | None = None, secret: bool = True) -> Generator[Prompt, Answer, int]:
    """Quiet: what was named last stands, and Enter rolls against it. One verdict at a time can be due."""
    now = table.state["difficulty"] if default is None else default
    low = SECRET if secret else 1
    off, hot = ("secret", "x") if secret else ("", "t")
    difficulty: int = yield Number(
        key="difficulty",
        title="Difficulty",
        low=low,
        high=DIFFICULTY_MOST,
        default=max(low, now),
        quiet=True,
        hot=hot,
        off=off,
    )
    if difficulty == SECRET and table.state["secret"]:
        raise Refused("Another secret roll waits for the GM's verdict, and that comes first.")
    return difficulty


def ask_trait(table: Draft, who: str, difficulty: int, part: str = "") -> Pick:
    """Which trait, each with its exact odds as the sheet stands."""
    me = table.state["party"][who]
    return Pick(
        key=f"{part}trait",
        title="Roll with" if who == table.who else f"{shown_line(me['name'])} rolls with",
        options=tuple(
            Option(
                trait,
                f"{trait.capitalize()} {signed(me[trait])}",
                hot=HOT[trait],
                odds=shown_odds(odds(difficulty, me[trait])) if difficulty else secret_odds(),
            )
            for trait in TRAITS
        ),
    )


def declared(
    table: Draft,
    who: str,
    trait: str,
    *,
    part: str = "",
    helpers: Collection[str] = (),
    plus: int = 0,
    targets: Collection[str] = (),
) -> Generator[Prompt, Answer, Declared]:
    """Everything that is settled before the dice: all of it quiet, and paid at once. `helpers` may help."""
    me = table.state["party"][who]
    modifier = yield Number(key=f"{part}modifier", title="modifier", low=-30, high=30, default=0, quiet=True, hot="m")
    plus += modifier
    why = footing(table.state, targets)
    own = yield from ask_net(part, footing(table.state, targets, alone="it"))
    die = 6
    if own:
        sides = yield Pick(
            key=f"{part}die",
            title="The die of advantage or disadvantage",
            options=tuple(Option(f"d{n}", f"d{n}") for n in (4, 6, 8, 10, 12)),
            default="d6",
            quiet=True,
            aside=True,
        )
        die = int(sides.removeprefix("d"))
    used = yield from _experiences(table, who, part)
    known = sum(me["experiences"][one]["bonus"] for one in used)
    plus += me[trait] + known
    helped_by = yield from _help(table, part, helpers)
    facts: dict[str, Any] = {"trait": trait, "trait_value": me[trait], "plus": plus}
    if used:
        facts["paid"] = len(used)
        names = [me["experiences"][one] for one in used]
        facts["experiences"] = [f"{one['name']} {signed(one['bonus'])}" for one in names]
    if own:
        facts |= {"own": own, "own_die": die}
        if because := why[own < 0]:
            facts["because"] = because
    if helped_by:
        facts["helped_by"] = [table.state["party"][one]["name"] for one in helped_by]
    return Declared(who, trait, plus, known, own, die, tuple(helped_by), part, facts)


def ask_net(part: str = "", why: tuple[str, str] = ("", "")) -> Generator[Prompt, Answer, int]:
    """Sources of advantage and of disadvantage; one takes away the other. What the table knows of is proposed."""
    sources = []
    for (key, hot), known in zip((("advantage", "a"), ("disadvantage", "v")), why, strict=True):
        sources.append(
            (
                yield Number(
                    key=part + key,
                    title=f"{key}s",
                    low=0,
                    high=_SOURCES,
                    default=int(bool(known)),
                    quiet=True,
                    hot=hot,
                    means={1: known} if known else {},
                )
            )
        )
    return net(*sources)


def _experiences(table: Draft, who: str, part: str) -> Generator[Prompt, Answer, list[str]]:
    """1 Hope each, paid before the dice: what this roll will give is not there yet."""
    me = table.state["party"][who]
    if not me["experiences"]:
        return []
    none_left = "" if me["hope"] else "no Hope is held"
    chosen: list[str] = yield Choose(
        key=f"{part}experiences",
        title="Experiences, 1 Hope each",
        options=tuple(
            Option(ident, f"{shown_line(one['name'], 24)} {signed(one['bonus'])}", "1 Hope", none_left)
            for ident, one in me["experiences"].items()
        ),
        least=0,
        most=len(me["experiences"]),
        default=[],
        quiet=True,
    )
    spend_hope(table, who, len(chosen))
    return chosen


def others(state: State, *who: str) -> list[str]:
    """Those of the party who can help these."""
    return [one for one in living(state) if one not in who]


def _help(table: Draft, part: str, helpers: Collection[str]) -> Generator[Prompt, Answer, list[str]]:
    if not helpers:
        return []
    party = table.state["party"]
    chosen: list[str] = yield Choose(
        key=f"{part}help",
        title="Help an Ally, 1 Hope of theirs each",
        options=tuple(
            Option(
                one,
                f"{shown_line(party[one]['name'], 20)} helps",
                f"a d6 for their Hope {arrow(party[one]['hope'], party[one]['hope'] - 1)}",
                "cannot help now" if party[one]["down"] else "" if party[one]["hope"] else "no Hope is held",
            )
            for one in helpers
        ),
        least=0,
        most=len(helpers),
        default=[],
        quiet=True,
    )
    for one in chosen:
        spend_hope(table, one, 1)
    return chosen


# -- the dice -------------------------------------------------------------------------------------------


class Thrown(NamedTuple):
    """Dice on the table: how the roll was meant, which dice these are, and what they show."""

    roll: Declared
    dice: Mapping[str, int | tuple[int, ...]]
    called: Mapping[str, str]
    faces: Mapping[str, int]
    edition: str

    @property
    def lies(self) -> Duality:
        return Duality(self.faces["hope"], self.faces["fear"], self.roll.plus + self._beside)

    @property
    def _beside(self) -> int:
        helps = [self.faces[f"help_{one}"] for one in self.roll.helpers]
        return extra(self.roll.own, self.faces.get("d6", 0), helps, self.edition)

    @property
    def facts(self) -> dict[str, Any]:
        """What is told of it, with the faces."""
        faces = self.faces
        facts = {**self.roll.facts, "hope": faces["hope"], "fear": faces["fear"], "beside": self._beside}
        if self.roll.own:
            facts["d6"] = faces["d6"]
        if self.roll.helpers:
            facts["help_dice"] = [faces[f"help_{one}"] for one in self.roll.helpers]
        return facts


def throw(
    table: Draft,
    roll: Declared,
    difficulty: int,
    *,
    reaction: bool = False,
    stakes: tuple[tuple[str, ...], ...] = (),
    against: str = "",
) -> Generator[Prompt, Answer, Thrown]:
    """Both d12 and all that goes with them."""
    edition = table.state["settings"]["edition"]
    dice: dict[str, int | tuple[int, ...]] = {"hope": FACES, "fear": FACES}
    if roll.own:
        dice["d6"] = roll.die
    dice |= {f"help_{one}": 6 for one in roll.helpers}
    called = {f"help_{one}": f"help of {shown_line(table.state['party'][one]['name'], 20)}" for one in roll.helpers}
    whose = "" if roll.who == table.who else f"{shown_line(table.state['party'][roll.who]['name'], 20)}: "
    faces = yield Roll(
        key=f"{roll.part}dice",
        title=whose + _in_words(roll, difficulty, edition, against),
        dice=dice,
        called=called,
        odds=_odds(roll, difficulty, edition, reaction=reaction),
        stakes=stakes,
    )
    return Thrown(roll, dice, called, dict(faces), edition)


def rerolled(table: Draft, thrown: Thrown) -> Generator[Prompt, Answer, Thrown]:
    """As they finally lie: something may allow to roll some of them again. Nothing has come of them before this."""
    dice, part = thrown.dice, thrown.roll.part
    again = yield Choose(
        key=f"{part}reroll",
        title="Reroll",
        options=tuple(Option(one, f"reroll the {_die_name(table, one)}") for one in dice),
        least=0,
        most=len(dice),
        default=[],
        quiet=True,
        aside=True,
    )
    if not again:
        return thrown
    new = yield Roll(
        key=f"{part}reroll_dice",
        title="These dice again; the new faces stand",
        dice={one: dice[one] for one in dice if one in again},
        called=thrown.called,
        at_once=True,
    )
    return thrown._replace(faces={**thrown.faces, **new})


def _die_name(table: Draft, die: str) -> str:
    if die.startswith("help_"):
        return f"d6 of {shown_line(table.state['party'][die.removeprefix('help_')]['name'], 20)}"
    return {"hope": "Hope Die", "fear": "Fear Die"}.get(die, die)


def _in_words(roll: Declared, difficulty: int, edition: str, against: str) -> str:
    trait = roll.facts["trait_value"]
    words = f"Hope d12 + Fear d12 {_plus(trait)} {roll.trait.capitalize()}"
    for one in roll.facts.get("experiences", ()):
        words += f", {shown_line(one, 28)}"
    if rest := roll.plus - trait - roll.known:
        words += f" {_plus(rest)}"
    if roll.own:
        words += f" {'+' if roll.own > 0 else '-'} d{roll.die}"
    if roll.helpers:
        words += " or the best helper's d6" if roll.own > 0 and edition == "2.0" else " + the best helper's d6"
    if difficulty:
        return f"{words} against {against or difficulty}"
    chances = over_a_range(roll.plus, roll.own, len(roll.helpers), edition, roll.die)
    return f"{words}, Difficulty secret; success against {chances}"


def _plus(number: int) -> str:
    return f"{'+' if number >= 0 else '-'} {abs(number)}"


def _odds(roll: Declared, difficulty: int, edition: str, *, reaction: bool) -> Odds:
    if not difficulty:
        return secret_odds()
    counts = odds(difficulty, roll.plus, roll.own, len(roll.helpers), edition, roll.die)
    return reaction_odds(counts) if reaction else shown_odds(counts)
