"""Opposed rolls and attacks: both sides roll, and more edges win."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import partial
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import Answer, Confirm, Number, Option, Pick, Prompt, Text, member_option
from tracker.games.api.view import percent, whole
from tracker.games.common.members import living
from tracker.games.wherever.action import (
    OUTSIDER,
    as_it_stands,
    ask_skill,
    first_roll,
    gambles,
    hampering,
    penalty_of,
    plan_roll,
    result_recorder,
    rolled_with,
    settle_result,
    throw,
)
from tracker.games.wherever.dice import (
    DIE_KEYS,
    NONE,
    RUNGS,
    DiceResult,
    Pool,
    after_gamble_against,
    net,
    opposed_odds,
    shown_versus,
    sides,
    stepped,
)
from tracker.games.wherever.harm import HIT, extra_benefits
from tracker.games.wherever.state import ATTRIBUTE_OF, HOT
from tracker.text import shown_line

ACTING, DEFENDING = "acting", "defending"
OURS, THEIRS = "", "other_"
"""Prefixes of the names of each side's dice."""


def opposed(table: Draft) -> Procedure:
    """Make an opposed roll with the acting character: more edges win, and a tie goes to the defender.

    The player can declare it an attack. Raise Refused if the character cannot act now, or if the chosen drives cost
    more WP than there is.
    """
    table.begin("opposed")
    attack = yield Confirm(
        key="attack",
        title="This is an attack",
        note="only the attacker gambles, and only on a miss",
        hot="w",
        default=False,
        quiet=True,
        aside=True,
    )
    yield from _against(table, attack=attack)


def attack(table: Draft) -> Procedure:
    """Make an attack, or defend against one, with the acting character. A hit on a member of the party becomes due.

    The attacker can gamble only after a miss, and the defender can neither push nor gamble. Raise Refused if the
    character cannot act now, or if the chosen drives cost more WP than there is.
    """
    table.begin("attack")
    yield from _against(table, attack=True)


def _against(table: Draft, *, attack: bool) -> Procedure:
    side = yield Pick(
        key="side",
        title="Your side",
        options=(Option(ACTING, "acting", "you started it"), Option(DEFENDING, "defending", "you win ties")),
        default=ACTING,
        quiet=True,
    )
    acts = side == ACTING
    skill = yield ask_skill(table, "You roll with", tiers=False)
    opponent, theirs = yield from _ask_opponent(table)
    guarded = "defenders can't push" if attack and not acts else ""
    meant = yield from plan_roll(table, skill, no_push=guarded)
    counted = opposed_odds(meant.pool, theirs) if acts else opposed_odds(theirs, meant.pool)
    odds = shown_versus(counted, acts=acts)
    others = {f"{THEIRS}{name}": n for name, n in theirs.dice.items()}
    faces = yield from throw(
        table, meant, odds, others, against=" + ".join(f"d{n}" for n in theirs.action) or "no dice"
    )
    contest = _Contest(table, {OURS: meant.pool, THEIRS: theirs}, faces, acts=acts, attack=attack)
    for part in (OURS, THEIRS) if acts else (THEIRS, OURS):
        yield from gambles(
            table,
            contest.pools[part],
            contest.lies[part],
            partial(contest.tell, part),
            forbidden=partial(contest.forbidden, part),
            changes=contest.at_stake,
            skill=skill if part == OURS else "",
        )
    hit = attack and table.facts["winner"] == ACTING
    struck = opponent if acts else table.who
    if hit and struck:
        table.by(f"{struck}.owed.{HIT}{table.facts['acting_edges'] - 1}", 1)
    if not hit and (table.facts["winner"] == ACTING) == acts:
        # the acting side needs one edge more to win at all, the defender none
        yield from extra_benefits(table, table.facts["margin"] - acts)
    yield from settle_result(table, contest.lies[OURS], skill)


class _Contest:
    """An opposed roll in progress: the dice and faces of both sides. It stores in the facts who is ahead.

    `pools` and `lies` hold the dice and the faces of each side. Their keys are OURS and THEIRS, which are also the
    prefixes of the sides' dice.
    """

    def __init__(
        self, table: Draft, pools: Mapping[str, Pool], faces: Mapping[str, Any], *, acts: bool, attack: bool
    ) -> None:
        self.pools = pools
        self.lies = {part: first_roll(faces, part) for part in pools}
        self._facts = table.facts
        self._own = result_recorder(table, pools[OURS])
        self._acting = OURS if acts else THEIRS
        self._attack = attack
        self._facts |= {"side": ACTING if acts else DEFENDING, "attack": attack}
        for part, lies in list(self.lies.items()):
            self.tell(part, lies)

    def tell(self, part: str, lies: DiceResult) -> None:
        """Set the faces of the side `part` to `lies`; store them in the facts, with the side that wins now."""
        self.lies[part] = lies
        if part == OURS:
            self._own(lies)
        else:
            self._facts["other_faces"] = list(lies[:3])
            self._facts["other_sides"] = [sides(die) for die in self.pools[THEIRS][:3]]
            if lies.stress:
                self._facts["other_stress_dice"] = list(lies.stress)
        acting = self.lies[self._acting].edges
        defending = self.lies[THEIRS if self._acting == OURS else OURS].edges
        self._facts |= {
            "winner": ACTING if acting > defending else DEFENDING,
            "margin": abs(acting - defending),
            "acting_edges": acting,
            "defending_edges": defending,
        }

    def at_stake(self, lies: DiceResult) -> str:
        """Return the chance that a gamble of our side changes who wins, in words such as "win it 40%".

        `lies` are our faces before the gamble. The opponent's faces do not change.
        """
        acts = self._acting == OURS
        win, lose = percent(after_gamble_against(self.pools[OURS], lies, self.lies[THEIRS].edges, acts=acts))
        return f"lose it {whole(lose)}%" if (self._facts["winner"] == ACTING) == acts else f"win it {whole(win)}%"

    def forbidden(self, part: str, _: DiceResult) -> str:
        """Return the reason why the side `part`, OURS or THEIRS, may not gamble now, or "" if it may."""
        if not self._attack:
            return ""
        if part != self._acting:
            return "not for a defender"
        return "not after a hit" if self._facts["winner"] == ACTING else ""


def _ask_opponent(table: Draft) -> Generator[Prompt, Answer, tuple[str, Pool]]:
    """Ask for the opponent; return (id, dice to roll). The id is "" for an opponent outside the party.

    The opponent's name is stored in the fact `against`.
    """
    party = table.state["party"]
    there = [one for one in living(table.state) if one != table.who]
    chosen = OUTSIDER
    if there:
        chosen = yield Pick(
            key="opponent",
            title="Opponent",
            options=(
                Option(OUTSIDER, "not in the party", "you enter their dice"),
                *(member_option(table.state, one) for one in there),
            ),
            default=OUTSIDER,
            quiet=True,
        )
    if chosen == OUTSIDER:
        named = yield Text(key="other_name", title="Their name (optional)", hint="the watchman", empty=True, default="")
        if named:
            table.facts["against"] = named
        return "", (yield from _their_dice())
    table.facts["against"] = party[chosen]["name"]
    return chosen, (yield from _dice_of(party[chosen]))


def _dice_of(other: Mapping[str, Any]) -> Generator[Prompt, Answer, Pool]:
    """Ask for the skill and modifiers of an opponent in the party, whose record is `other`; return the dice to roll.

    Harms on the skill count as in the opponent's own rolls.
    """
    name = shown_line(other["name"], 20)
    skill = yield Pick(
        key="their_skill",
        title=f"{name} rolls with",
        options=tuple(Option(one, one, " + ".join(as_it_stands(other, one)[:2]), hot=HOT[one]) for one in ATTRIBUTE_OF),
    )
    bonus, penalty = yield from _their_mods()
    harms = [penalty_of(other, harm) for harm in hampering(other, skill)]
    return rolled_with(other, skill, net([bonus, penalty], harms))


def _their_mods() -> Generator[Prompt, Answer, tuple[int, int]]:
    bonus = yield Number(key="other_bonus", title="their bonuses", low=0, high=9, default=0, quiet=True)
    penalty = yield Number(key="other_penalty", title="their penalties", low=-9, high=0, default=0, quiet=True)
    return bonus, penalty


def _their_dice() -> Generator[Prompt, Answer, Pool]:
    """Ask for the dice and modifiers of an opponent outside the party; return the dice to roll."""
    dice = tuple(Option(die, "no die" if die == NONE else die, hot=DIE_KEYS[die]) for die in RUNGS)
    attribute = yield Pick(
        key="other_attribute", title="Their attribute die (or body, or mind)", options=dice, likely="d8"
    )
    skill = yield Pick(key="other_skill", title="Their skill die", options=dice, likely="d6")
    talent = yield Pick(key="other_talent", title="Their talent", options=dice, default=NONE, quiet=True, aside=True)
    bonus, penalty = yield from _their_mods()
    return Pool(*stepped(attribute, skill, net([bonus, penalty])), talent)
