"""Duality rolls (a Hope d12 and a Fear d12) from declaration to outcome, with costs, countdowns and spotlight."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import arrow, signed
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll, choose_any
from tracker.games.api.schema import State
from tracker.games.api.view import Odds
from tracker.games.common.members import living
from tracker.games.daggerheart.derived_values import footing
from tracker.games.daggerheart.dice import (
    CRITICAL,
    FACES,
    HEADS,
    HOT,
    TRAITS,
    DamageDice,
    Duality,
    extra,
    is_success,
    is_with_hope,
    net,
    odds,
    over_a_range,
    reaction_odds,
    secret_odds,
    shown_odds,
    steps,
    success_percent,
    term,
    told_outcome,
    with_sign,
)
from tracker.games.daggerheart.dice import Odds as Counts
from tracker.games.daggerheart.state import AUTOMATIC, LISTENING
from tracker.records import NamedTuple
from tracker.text import shown_line


# -- what is spent and gained ---------------------------------------------------------------------------
def spend_hope(table: Draft, who: str, points: int) -> None:
    """Record that the character `who` loses `points` of Hope. Raise Refused if the character has less."""
    held = table.state["party"][who]["hope"]
    if points > held:
        name = shown_line(table.state["party"][who]["name"])
        raise Refused(f"This costs {points} Hope; {name} has {held}.")
    table.by(f"{who}.hope", -points)


def pay_fear(table: Draft, cost: int) -> None:
    """Record that the GM loses `cost` Fear, and that the Fear spent in this scene rises by as much.

    Raise Refused if the GM has less.
    """
    if cost > table.state["fear"]:
        raise Refused(f"This costs {cost} Fear; the GM has {table.state['fear']}.")
    table.by("fear", -cost)
    table.by("fear_spent", cost)


def gain_hope(table: Draft, who: str, points: int) -> None:
    """Record that the character `who` gains `points` of Hope, up to the character's maximum.

    Points beyond it are added to the fact `wasted_hope`.
    """
    before = table.state["party"][who]["hope"]
    table.by(f"{who}.hope", points)
    _wasted(table, "wasted_hope", points - (table.state["party"][who]["hope"] - before))


def gain_fear(table: Draft, points: int) -> None:
    """Record that the GM gains `points` of Fear, up to the maximum. Points beyond it go into the fact `wasted_fear`."""
    before = table.state["fear"]
    table.by("fear", points)
    _wasted(table, "wasted_fear", points - (table.state["fear"] - before))


def _wasted(table: Draft, what: str, points: int) -> None:
    if points > 0:
        table.facts[what] = table.facts.get(what, 0) + points


def pass_spotlight(table: Draft, to: str) -> None:
    """Record that "players" or "gm" get the spotlight.

    When the players get it, every adversary is marked as not having acted yet.
    """
    if table.state["spotlight"] != to:
        table.to("spotlight", to)
    if to == "players":
        for ident, one in table.state["adversaries"].items():
            if one["spotlit"]:
                table.to(f"adversaries.{ident}.spotlit", 0)


# -- what an action roll brings -------------------------------------------------------------------------
def ask_countdowns(table: Draft, *, after: bool = False) -> Generator[Prompt, Answer, list[str]]:
    """Ask which countdowns advance with this roll, and return their ids.

    If no countdown can advance with rolls, return [] without asking. By default all that are not paused are chosen, or
    none if the campaign advances countdowns by hand. If countdowns are automatic, the prompt is hidden, unless `after`
    says that the dice have been rolled already.
    """
    there = {
        ident: one for ident, one in table.state["countdowns"].items() if one["kind"] in LISTENING and not one["ended"]
    }
    if not there:
        return []
    automatic = table.state["settings"]["countdowns"] == AUTOMATIC
    chosen: list[str] = yield Choose(
        key="countdowns",
        title="Countdowns that advance with this roll",
        options=tuple(
            Option(ident, shown_line(one["name"], 24), f"{one['kind']}, {one['value']} of {one['start']}")
            for ident, one in there.items()
        ),
        least=0,
        most=len(there),
        default=[ident for ident, one in there.items() if automatic and not one["paused"]],
        quiet=True,
        aside=automatic and not after,
    )
    return chosen


def with_hope_or_fear(table: Draft, who: Iterable[str], roll: Duality) -> None:
    """Apply the Hope, Stress and Fear that the dice bring to each of the characters `who`.

    With Hope, each gains 1 Hope, and a critical also clears 1 Stress of each. With Fear, the GM gains 1 Fear for each.
    If the campaign does this by hand, only set the fact `by_hand`. The Difficulty does not matter, so it may be secret.
    """
    involved = tuple(who)
    if table.state["settings"]["hope_and_fear"] != AUTOMATIC:
        table.facts["by_hand"] = True
        return
    if roll.with_hope:
        for one in involved:
            gain_hope(table, one, 1)
            if roll.critical and table.state["party"][one]["stress"]:
                table.by(f"{one}.stress", -1)
    else:
        gain_fear(table, len(involved))


def settle(table: Draft, outcome: str, listening: Iterable[str], *, moved: bool = False) -> None:
    """Store the outcome in the state, advance the countdowns in `listening` by it, and pass the spotlight.

    The spotlight goes to the GM, except after a critical or a success with Hope. If `moved` is True, the GM got it
    earlier, and it stays. `listening` holds ids of countdowns.
    """
    fired = []
    for ident in listening:
        if advance(table, ident, steps(table.state["countdowns"][ident]["kind"], outcome)):
            fired.append(ident)
    tell_fired(table, fired)
    table.to("latest", outcome)
    stays = outcome == CRITICAL or (is_success(outcome) and is_with_hope(outcome))
    if not stays and not moved:
        pass_spotlight(table, "gm")


def advance(table: Draft, ident: str, by: int) -> bool:
    """Move the countdown with the id `ident` by `by` steps toward 0. Return True if it fires: if it reaches 0.

    A countdown that fires is counted in its field `fired`, and ends or starts again. Steps beyond 0 are lost.
    """
    value = table.state["countdowns"][ident]["value"]
    table.by(f"countdowns.{ident}.value", -by)
    fires = bool(0 < value <= by)
    table.by(f"countdowns.{ident}.fired", int(fires))
    return fires


def tell_fired(table: Draft, fired: Iterable[str]) -> None:
    """Store the ids and names of the countdowns that fired in the facts `fired` and `fired_names`."""
    idents = sorted(fired)
    table.facts["fired"] = idents
    if idents:
        table.facts["fired_names"] = [table.state["countdowns"][ident]["name"] for ident in idents]


def spend_token(table: Draft, who: str) -> None:
    """Spend a spotlight token of the character; do nothing if the campaign has no tokens.

    If no living character has a token left, everybody's tokens are refilled first.
    """
    tokens = table.state["settings"]["tokens"]
    if tokens and not any(table.state["party"][one]["tokens"] for one in living(table.state)):
        for one in living(table.state):
            table.to(f"{one}.tokens", tokens)
    if tokens and table.state["party"][who]["tokens"]:
        table.by(f"{who}.tokens", -1)


def at_stake(
    table: Draft, who: tuple[str, ...], difficulty: int, listening: list[str], deals: DamageDice | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return the changes that each outcome would make, as a tuple of phrases for each outcome, best outcome first.

    The rules are tried on copies of the state, and nothing is recorded. `who` are the characters who share the roll,
    `listening` the countdowns that advance with it, and `deals` the damage dice of a success. If the Difficulty is
    secret (0), the outcomes are critical, with Hope and with Fear.
    """
    from tracker.games.daggerheart.cards import changes, wasted

    secret = ((1, 1), (2, 1), (1, 2))
    told = []
    for hope, fear, plus in (
        ((*faces, 0) for faces in secret)
        if not difficulty
        else ((1, 1, 0), (2, 1, 99), (1, 2, 99), (2, 1, -99), (1, 2, -99))
    ):
        trial = table.trial()
        for one in who:
            spend_token(trial, one)
        outcome = outcome_of(trial, who, table.who, Duality(hope, fear, plus), difficulty, listening)
        hit = deals if deals and is_success(outcome) else None
        dealt = [f"{hit.critical() if outcome == CRITICAL else hit} damage"] if hit else []
        changed = [*changes(table.state, trial.state, table.who), *wasted(trial.facts)]
        changed.sort(key=lambda phrase: phrase.startswith("spotlight"))  # last, in every outcome
        told.append((*dealt, *changed))
    return tuple(told)


def outcome_of(
    table: Draft,
    who: Iterable[str],
    by: str,
    roll: Duality,
    difficulty: int,
    listening: list[str],
    *,
    concealed: bool = False,
) -> str:
    """Apply all consequences of an action roll, and return its outcome.

    `who` are the characters who share the roll `roll`, `by` is the one who rolled, and `listening` has the ids of the
    countdowns that advance with it. If the Difficulty is secret (0), the outcome is a critical, "with hope" or "with
    fear"; success and countdowns then wait for the GM's verdict. The spotlight goes to the players first, because one
    of them acts. With `concealed`, the Difficulty decides, but it is neither shown nor stored.
    """
    pass_spotlight(table, "players")
    table.facts |= {"total": roll.total, "difficulty": SECRET if concealed else difficulty}
    with_hope_or_fear(table, who, roll)
    if difficulty or roll.critical:
        outcome: str = roll.outcome(difficulty)
        settle(table, outcome, listening)
    else:
        outcome = roll.unsettled
        table.to("secret", "hope" if roll.with_hope else "fear")
        table.to("secret_by", by)
        table.to("secret_total", roll.total)
        if not roll.with_hope:
            pass_spotlight(table, "gm")
    table.facts["outcome"] = outcome
    table.to("critical", outcome == CRITICAL)
    return outcome


def remember(table: Draft, difficulty: int) -> None:
    """Store the Difficulty as the default of the next roll. A secret one (0) is not stored.

    Call this for a Difficulty that the GM named. That of an adversary says nothing about the next roll.
    """
    if difficulty and difficulty != table.state["difficulty"]:
        table.to("difficulty", difficulty)


SECRET = 0
"""The number that stands for a Difficulty which the GM keeps secret."""
_SOURCES = 9
EXTRA = (4, 6, 8, 10, 12, 20)
"""Sides of the dice that a feature can add to a roll."""
DIFFICULTY_MOST = 60


class RollPlan(NamedTuple):
    """A duality roll as the player declared it, before the dice are rolled; made by `plan_roll` for `throw`.

    It has the trait, modifiers, advantage, helpers and extra dice.
    """

    who: str
    trait: str
    plus: int
    """Sum of the trait, the Experiences and all modifiers."""
    own: int
    """Net advantage: 1, 0 or -1."""
    die: int
    """Sides of the advantage or disadvantage die."""
    helpers: tuple[str, ...]
    """Ids of the characters who help, with a d6 each."""
    extra: tuple[int, ...]
    """Sides of the dice that a feature adds before the roll."""
    part: str
    """Prefix of the keys of this roll's prompts; "" if the move has no other roll."""
    facts: dict[str, Any]
    """Facts of the declaration, for the roll card."""


_BENCHMARKS = {10: "easy", 15: "average", 20: "hard", 25: "very hard"}
"""What some Difficulties stand for."""


def ask_difficulty(
    table: Draft, *, default: int | None = None, secret: bool = True, concealed: bool = False
) -> Generator[Prompt, Answer, int]:
    """Ask for the Difficulty and return it; 0 stands for one that the GM keeps secret.

    The answer 0 is allowed only with `secret`. The prompt is answered by default, with `default`, or if that is None
    with the Difficulty of the last roll; with `concealed`, the prompt does not show that number. Raise Refused if the
    answer is 0 while an earlier secret roll still waits for the GM's verdict.
    """
    now = table.state["difficulty"] if default is None else default
    low = SECRET if secret else 1
    difficulty: int = yield Number(
        key="difficulty",
        title="Difficulty",
        low=low,
        high=DIFFICULTY_MOST,
        default=max(low, now),
        quiet=True,
        hot="x",
        off="secret" if secret else "",
        concealed="of the target" if concealed else "",
        means=_BENCHMARKS,
    )
    if difficulty == SECRET and table.state["secret"]:
        raise Refused("Another secret roll awaits the GM's verdict; judge it first.")
    return difficulty


def ask_trait(
    table: Draft, who: str, difficulty: int, part: str = "", *, reaction: bool = False, plus: int = 0
) -> Pick:
    """Return the prompt for the trait that the character `who` rolls with; each option shows its odds.

    If the Difficulty is secret (0), these are the odds of Hope and Fear. A `reaction` has its own odds. `part` is the
    prefix of the prompt's key, and `plus` a bonus that the roll has with every trait.
    """
    me = table.state["party"][who]
    shown = reaction_odds if reaction else shown_odds
    return Pick(
        key=f"{part}trait",
        title="Roll with" if who == table.who else f"{shown_line(me['name'])} rolls with",
        options=tuple(
            Option(
                trait,
                f"{trait.capitalize()} {signed(me[trait])}",
                "Spellcast" if trait == me["spellcast"] else "",
                hot=HOT[trait],
                odds=shown(odds(difficulty, me[trait] + plus)) if difficulty else secret_odds(),
            )
            for trait in TRAITS
        ),
        heads=HEADS if difficulty and not reaction else (),
    )


def plan_roll(
    table: Draft,
    who: str,
    trait: str,
    *,
    part: str = "",
    helpers: Collection[str] = (),
    group: int = 0,
    targets: Collection[str] = (),
) -> Generator[Prompt, Answer, RollPlan]:
    """Ask for modifier, advantage, Experiences, help and extra dice; return the declared roll.

    All prompts are answered by default. `trait` is the name of the trait. Hope for Experiences and help is spent at
    once; raise Refused if there is too little. `part` is the prefix of the prompts' keys, `helpers` are the ids of
    those who may help, and `group` is the bonus from a group's reaction rolls. Conditions of the creatures `targets`
    make advantage or disadvantage the default answer.
    """
    me = table.state["party"][who]
    modifier = yield Number(key=f"{part}modifier", title="modifier", low=-30, high=30, default=0, quiet=True, hot="m")
    plus = group + modifier
    why = footing(table.state, targets)
    own = yield from ask_net(part, footing(table.state, targets, alone="it"))
    die = 6
    if own:
        sides = yield Pick(
            key=f"{part}die",
            title="Advantage or disadvantage die",
            options=tuple(Option(f"d{n}", f"d{n}") for n in (4, 6, 8, 10, 12)),
            default="d6",
            quiet=True,
            aside=True,
        )
        die = int(sides.removeprefix("d"))
    used = yield from _experiences(table, who, part)
    plus += me[trait] + sum(me["experiences"][one]["bonus"] for one in used)
    helped_by = yield from _help(table, part, helpers)
    joining = yield from ask_extra(f"{part}extra", "extra die")
    facts: dict[str, Any] = {"trait": trait, "trait_value": me[trait], "plus": plus}
    if modifier:
        facts["modifier"] = modifier
    if group:
        facts["bonus"] = group
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
    return RollPlan(who, trait, plus, own, die, tuple(helped_by), joining, part, facts)


def ask_extra(key: str, title: str) -> Generator[Prompt, Answer, tuple[int, ...]]:
    """Ask for dice that a feature adds to a roll, at most one of each size; return the number of sides of each.

    The prompt is hidden by default. Without an answer, return ().
    """
    chosen = yield choose_any(
        key=key,
        title=title,
        options=tuple(Option(f"d{sides}", f"{title}: d{sides}", "added to the total") for sides in EXTRA),
        aside=True,
    )
    return tuple(int(one.removeprefix("d")) for one in chosen)


def ask_net(part: str = "", why: tuple[str, str] = ("", "")) -> Generator[Prompt, Answer, int]:
    """Ask how many advantages and disadvantages apply; return the net advantage: 1, 0 or -1.

    `part` is the prefix of the prompts' keys. `why` is (reason for an advantage, reason for a disadvantage), each "" if
    none is known; where there is a reason, the default is 1 instead of 0.
    """
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
    """Ask which Experiences of `who` apply, spend 1 Hope for each, and return their ids. `part` prefixes prompt keys.

    Raise Refused if there is too little Hope. Hope is spent before the roll, so that Hope gained by this roll cannot
    pay for it. Return [] without asking if the character has none.
    """
    me = table.state["party"][who]
    if not me["experiences"]:
        return []
    none_left = "" if me["hope"] else "no Hope left"
    chosen: list[str] = yield choose_any(
        key=f"{part}experiences",
        title="Experiences, 1 Hope each",
        options=tuple(
            Option(ident, f"{shown_line(one['name'], 24)} {signed(one['bonus'])}", "1 Hope", none_left)
            for ident, one in me["experiences"].items()
        ),
    )
    spend_hope(table, who, len(chosen))
    return chosen


def others(state: State, *who: str) -> list[str]:
    """Return the ids of all living characters except `who`. Unconscious characters are included."""
    return [one for one in living(state) if one not in who]


def _help(table: Draft, part: str, helpers: Collection[str]) -> Generator[Prompt, Answer, list[str]]:
    if not helpers:
        return []
    party = table.state["party"]
    chosen: list[str] = yield choose_any(
        key=f"{part}help",
        title="Help an Ally, 1 Hope of theirs each",
        options=tuple(
            Option(
                one,
                f"{shown_line(party[one]['name'], 20)} helps",
                f"a d6; their Hope {arrow(party[one]['hope'], party[one]['hope'] - 1)}",
                "can't help now" if party[one]["down"] else "" if party[one]["hope"] else "no Hope left",
            )
            for one in helpers
        ),
    )
    for one in chosen:
        spend_hope(table, one, 1)
    return chosen


# -- the dice -------------------------------------------------------------------------------------------
class RollResult(NamedTuple):
    """A declared roll after the dice are rolled; made by `throw`, and by `rerolled` with other faces.

    `faces` maps the name of each die to its face, or to a list of faces.
    """

    roll: RollPlan
    dice: Mapping[str, int | tuple[int, ...]]
    """Sides of the dice by name, as in the Roll prompt."""
    called: Mapping[str, str]
    """Readable words for dice whose name contains a character's id."""
    faces: Mapping[str, Any]
    edition: str
    """Edition of the rules, "2.0" or "1.0", which decides how help adds up."""
    later: tuple[int, ...] = ()
    """Sides of the dice that a feature adds after the roll."""

    @property
    def lies(self) -> Duality:
        """The roll as a Duality. Its `plus` is the sum of everything that is added to the two d12."""
        return Duality(self.faces["hope"], self.faces["fear"], self.roll.plus + self._beside + sum(self._extra))

    @property
    def _extra(self) -> list[int]:
        """Faces of all dice that features added, before and after the roll."""
        return [*self.faces.get("extra", ()), *self.faces.get("later", ())]

    @property
    def _beside(self) -> int:
        """Sum that the advantage or disadvantage die and the helpers' dice add to the roll."""
        helps = [self.faces[f"help_{one}"] for one in self.roll.helpers]
        return extra(self.roll.own, self.faces.get("d6", 0), helps, self.edition)

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for the roll card: those of the declaration, and the faces of the dice."""
        faces = self.faces
        facts = {**self.roll.facts, "hope": faces["hope"], "fear": faces["fear"], "beside": self._beside}
        if self.roll.own:
            facts["d6"] = faces["d6"]
        if self.roll.helpers:
            facts["help_dice"] = [faces[f"help_{one}"] for one in self.roll.helpers]
        if self._extra:
            facts |= {"extra_dice": self._extra, "extra_sides": [*self.roll.extra, *self.later]}
        return facts


def throw(
    table: Draft,
    roll: RollPlan,
    difficulty: int,
    *,
    reaction: bool = False,
    stakes: tuple[tuple[str, ...], ...] = (),
    against: str = "",
    concealed: bool = False,
) -> Generator[Prompt, Answer, RollResult]:
    """Ask for the dice of a declared roll: two d12, the advantage die, helpers' dice and extra dice.

    Return the roll with its faces. `reaction` shows the odds without Hope and Fear. `stakes` has the changes that each
    outcome would make, as phrases, best outcome first. The title names the targets in `against`, or shows the
    Difficulty if `against` is ""; then it says the chance of success. With `concealed`, only the odds of Hope and Fear
    are shown, because any other would reveal the Difficulty.
    """
    edition = table.state["settings"]["edition"]
    wanted: dict[str, int | tuple[int, ...]] = {"hope": FACES, "fear": FACES}
    if roll.own:
        wanted["d6"] = roll.die
    wanted |= {f"help_{one}": 6 for one in roll.helpers}
    if roll.extra:
        wanted["extra"] = roll.extra
    called = {f"help_{one}": f"help of {shown_line(table.state['party'][one]['name'], 20)}" for one in roll.helpers}
    whose = "" if roll.who == table.who else f"{shown_line(table.state['party'][roll.who]['name'], 20)}: "
    faces = yield Roll(
        key=f"{roll.part}dice",
        title=whose + _in_words(roll, difficulty, edition, against, concealed=concealed),
        dice=wanted,
        called=called,
        odds=secret_odds() if concealed else _odds(roll, difficulty, edition, reaction=reaction),
        stakes=() if concealed else stakes,
    )
    return RollResult(roll, wanted, called, dict(faces), edition)


def rerolled(table: Draft, thrown: RollResult) -> Generator[Prompt, Answer, RollResult]:
    """Offer a reroll of any dice, then extra dice from a feature; return the roll with its final faces.

    Both prompts are hidden by default. Call this before the outcome is applied.
    """
    rolled, part = thrown.dice, thrown.roll.part
    again = yield choose_any(
        key=f"{part}reroll",
        title="Reroll",
        options=tuple(Option(one, f"reroll the {_die_name(table, one)}") for one in rolled),
        aside=True,
    )
    if again:
        new = yield Roll(
            key=f"{part}reroll_dice",
            title="Reroll these; the new results count",
            dice={one: rolled[one] for one in rolled if one in again},
            called=thrown.called,
            at_once=True,
        )
        thrown = thrown._replace(faces={**thrown.faces, **new})
    later = yield from ask_extra(f"{part}later", "late extra die")
    if later:
        more = yield Roll(key=f"{part}later_dice", title="Extra dice", dice={"later": later}, at_once=True)
        thrown = thrown._replace(faces={**thrown.faces, **more})
    return thrown._replace(later=later)


def _die_name(table: Draft, die: str) -> str:
    if die.startswith("help_"):
        return f"d6 of {shown_line(table.state['party'][die.removeprefix('help_')]['name'], 20)}"
    return {"hope": "Hope Die", "fear": "Fear Die", "extra": "extra dice"}.get(die, die)


def _in_words(roll: RollPlan, difficulty: int, edition: str, against: str, *, concealed: bool) -> str:
    trait = roll.facts["trait_value"]
    words = f"Hope d12 + Fear d12 {with_sign(trait, roll.trait.capitalize())}"
    for one in roll.facts.get("experiences", ()):
        words += f" {term(one)}"
    if modifier := roll.facts.get("modifier"):
        words += f" {with_sign(modifier)}"
    if group := roll.facts.get("bonus"):
        words += f" {with_sign(group)} from the group"
    help_dice = "d6" if len(roll.helpers) == 1 else "best d6"
    if roll.helpers and roll.own > 0 and edition == "2.0":
        words += " + best d6 of advantage and help"
    else:
        words += f" {'+' if roll.own > 0 else '-'} d{roll.die} {_ADVANTAGE[roll.own]}" if roll.own else ""
        words += f" + {help_dice} of help" if roll.helpers else ""
    for sides in roll.extra:
        words += f" + d{sides}"
    if difficulty:
        words += f" against {against or f'Difficulty {difficulty}'}"
        return words if concealed else f"{words}: {success_percent(_counts(roll, difficulty, edition))}% success"
    chances = over_a_range(lambda diff: _counts(roll, diff, edition))
    return f"{words}, Difficulty secret; success against {chances}"


_ADVANTAGE = {1: "advantage", -1: "disadvantage"}


def _counts(roll: RollPlan, difficulty: int, edition: str) -> Counts:
    return odds(difficulty, roll.plus, roll.own, len(roll.helpers), edition, roll.die, roll.extra)


def _odds(roll: RollPlan, difficulty: int, edition: str, *, reaction: bool) -> Odds:
    if not difficulty:
        return secret_odds()
    counts = _counts(roll, difficulty, edition)
    return reaction_odds(counts) if reaction else shown_odds(counts)


DAMAGE_MOST = 999


def roll(table: Draft) -> Procedure:
    """Make an action roll with the acting character, and apply its outcome.

    Raise Refused if the character cannot act now or lacks the Hope for the chosen Experiences, or if the Difficulty is
    secret while another secret roll waits for its verdict.
    """
    table.begin("roll")
    difficulty = yield from ask_difficulty(table)
    listening = yield from ask_countdowns(table)
    trait = yield ask_trait(table, table.who, difficulty)
    meant = yield from plan_roll(table, table.who, trait, helpers=others(table.state, table.who))
    stakes = at_stake(table, (table.who,), difficulty, listening)
    thrown = yield from rerolled(table, (yield from throw(table, meant, difficulty, stakes=stakes)))
    table.facts |= thrown.facts
    spend_token(table, table.who)
    outcome_of(table, (table.who,), table.who, thrown.lies, difficulty, listening)
    remember(table, difficulty)


def verdict(table: Draft) -> Procedure:
    """Ask the GM whether the secret roll succeeded, then advance countdowns and pass the spotlight accordingly.

    After a roll with Fear, the GM already has the spotlight. Raise Refused if no secret roll waits.
    """
    table.begin("verdict")
    by, with_hope = table.state["secret_by"], table.state["secret"] == "hope"
    name = shown_line(table.state["party"][by]["name"]) if by in table.state["party"] else "the roll"
    listening = yield from ask_countdowns(table, after=True)
    rolled = f"{table.state['secret_total']} with {'Hope' if with_hope else 'Fear'}"
    success = yield Confirm(key="success", title=f"{name} rolled {rolled}. Is that a success?")
    outcome = told_outcome(success, with_hope)
    table.to("secret", "")
    table.to("secret_by", "")
    table.to("secret_total", 0)
    table.facts |= {"outcome": outcome, "by": name}
    settle(table, outcome, listening, moved=not with_hope)


def reaction(table: Draft) -> Procedure:
    """Make a reaction roll. It brings no Hope and Fear, has no helpers, and moves no countdown or spotlight.

    If damage is entered, all of it becomes due on a failure, half on a success (rounded up), and none on a critical, as
    physical damage. Raise Refused if the character cannot act now or lacks the Hope for the chosen Experiences.
    """
    table.begin("reaction")
    difficulty = yield from ask_difficulty(table, secret=False)
    damage = yield Number(
        key="damage", title="damage, half on a success", low=0, high=DAMAGE_MOST, default=0, quiet=True
    )
    trait = yield ask_trait(table, table.who, difficulty, reaction=True)
    meant = yield from plan_roll(table, table.who, trait)
    thrown = yield from rerolled(table, (yield from throw(table, meant, difficulty, reaction=True)))
    lies, outcome = thrown.lies, thrown.lies.reaction(difficulty)
    told = {"total": lies.total, "difficulty": difficulty, "outcome": outcome, "reaction": True}
    table.facts |= {**thrown.facts, **told}
    if damage:
        left = {"failure": damage, "success": (damage + 1) // 2, CRITICAL: 0}[outcome]
        table.facts["damage"] = left
        if left:
            table.mine(f"owed.damage_{left}_physical", 1)
