"""Action rolls from the declaration (skill, modifiers, talent, push) to the damage of the banes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import arrow, signed
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll, choose_any
from tracker.games.api.view import Odds, whole
from tracker.games.common.members import living
from tracker.games.wherever.dice import (
    BONUSES_MOST,
    NONE,
    OUTCOMES,
    PENALTIES,
    DiceResult,
    Pool,
    after_gamble,
    bane,
    chances,
    damage_of,
    gamble,
    gambled,
    net,
    read_dice,
    shown_odds,
    stepped,
)
from tracker.games.wherever.harm import assign_damage
from tracker.games.wherever.state import ATTRIBUTE_OF, HOT, broken, harms_of
from tracker.records import NamedTuple
from tracker.text import shown_line

OUTSIDER = "outsider."
"""Key of the option for somebody outside the party. No character has this id, because an id has no dot."""
NO_TALENT = "none."
"""Key of the option for no talent. No talent has this id, because an id has no dot."""
_MOST = 20


class RollPlan(NamedTuple):
    """An action roll as the player declared it, before the dice are rolled; made by `plan_roll` for `throw`.

    It has the skill, the dice, the net modifier, the WP cost and the push.
    """

    skill: str
    pool: Pool
    """Dice to roll, stepped by the net modifier."""
    net: int
    """Sum of the modifiers that count."""
    cost: int
    """WP that drives and push cost together."""
    push: bool
    """True if the stress dice are rolled too."""
    lost: int
    """Bonus points above the maximum, which do not count."""
    situation: int
    """Points of a better or worse situation that count here and are then used up."""


def hampering(me: Mapping[str, Any], skill: str) -> list[str]:
    """Return the harms on this skill or its attribute, each as SORT.ID, such as `physical.minor_melee`."""
    return [
        f"{sort}.{ident}"
        for sort, harms in harms_of(me).items()
        for ident, harm in harms.items()
        if harm["on"] in {skill, ATTRIBUTE_OF[skill]}
    ]


def rolled_with(me: Mapping[str, Any], skill: str, by: int = 0) -> Pool:
    """Return the dice of a skill and its attribute, stepped up `by` steps, or down if `by` is negative."""
    return Pool(*stepped(me[ATTRIBUTE_OF[skill]], me["skills"][skill], by))


def as_it_stands(me: Mapping[str, Any], skill: str, mods: Sequence[int] = ()) -> Pool:
    """Return the dice of a skill and its attribute, stepped by the worst harm on either and by these modifiers.

    `mods` are bonuses and penalties. Talent and stress dice are not among the dice.
    """
    return rolled_with(me, skill, net(mods, [penalty_of(me, harm) for harm in hampering(me, skill)]))


def ask_skill(table: Draft, title: str = "Roll with", *, tiers: bool = True, group: bool = False) -> Pick:
    """Return the prompt for the acting character's skill. Each option shows the dice and the worst harm's penalty.

    With `tiers`, each option also shows the odds of an action roll as it is declared by default; with `group`, all who
    can act help in it. Leave `tiers` out for an opposed roll, which has other odds. `title` is that of the prompt.
    """
    options = []
    mods = [table.me["situation"], *([1] * len(_able_to_help(table)) if group else [])]
    for skill, attribute in ATTRIBUTE_OF.items():
        pool = as_it_stands(table.me, skill, mods)
        note = f"with {attribute} {table.me[attribute]}"
        if harms := hampering(table.me, skill):
            note += f", {min(penalty_of(table.me, harm) for harm in harms)}"
        options.append(
            Option(
                skill,
                f"{skill} {table.me['skills'][skill] if table.me['skills'][skill] != '0' else '–'}",
                note,
                hot=HOT[skill],
                odds=shown_odds(chances(pool)) if tiers else (),
            )
        )
    return Pick(key="skill", title=title, options=tuple(options))


def plan_roll(
    table: Draft, skill: str, *, group: bool = False, no_push: str = ""
) -> Generator[Prompt, Answer, RollPlan]:
    """Ask for modifiers, help, traits, drives, harms, talent and push; return the declared roll.

    All prompts are answered by default, so that a simple roll needs one key. With `group`, all who can act help by
    default. `no_push` is the reason that forbids the push, or "". The declared roll is stored in the facts. Raise
    Refused if the drives cost more WP than the character has.
    """
    me = table.me
    table.facts |= {"skill": skill, "attribute": ATTRIBUTE_OF[skill]}
    penalty = yield Number(key="penalty", title="penalties", low=-_MOST, high=0, default=0, quiet=True)
    bonus = yield Number(key="bonus", title="bonuses", low=0, high=_MOST, default=0, quiet=True)
    situation = yield from _situation(me)
    mods = [penalty, bonus, situation, *(yield from _help(table, group=group)), *(yield from _traits(me))]
    room = BONUSES_MOST - sum(mod for mod in mods if mod > 0)
    drives = yield from _drives(me, room)
    mods += drives
    harms = yield from _harms(me, skill)
    by = net(mods, harms)
    talent = yield from _talent(me)
    pool = rolled_with(me, skill, by)._replace(talent=talent)
    pushed = pool._replace(stress=me["stress"])
    wp = me["wp"] - len(drives)
    if wp < 0:
        raise Refused(f"Each drive costs 1 WP; you have {me['wp']}.")
    push = yield Confirm(
        key="push",
        title="Push",
        hot="p",
        note=f"WP {arrow(wp, wp - 1)}, {stress_dice(me['stress'])}, bane {bane(chances(pushed))}%",
        reason=no_push or ("stress is 0" if not me["stress"] else "" if wp else "no WP left"),
        default=False,
        quiet=True,
    )
    base = [me[ATTRIBUTE_OF[skill]], me["skills"][skill]]
    table.facts |= {"net": by, "base": base, "pool": [pool.attribute, pool.skill]}
    if talent != NONE:
        table.facts["talent_die"] = talent
    over = max(0, sum(mod for mod in mods if mod > 0) - BONUSES_MOST)
    if over:
        table.facts["lost_bonus"] = over
    if push:
        table.facts["pushed"] = True
    return RollPlan(skill, pushed if push else pool, by, len(drives) + push, push, over, situation)


def _situation(me: Mapping[str, Any]) -> Generator[Prompt, Answer, int]:
    """Ask whether the points of a better or worse situation count in this roll; return those that do.

    Return 0 without asking if the character `me` has none.
    """
    points: int = me["situation"]
    if not points:
        return 0
    title = f"{'better' if points > 0 else 'worse'} situation {signed(points)}"
    counts = yield Confirm(key="situation", title=title, hot="b", default=True, quiet=True)
    return points if counts else 0


def _able_to_help(table: Draft) -> list[str]:
    """Return the ids of the other living members who are not Broken."""
    return [one for one in living(table.state) if one != table.who and not broken(table.state["party"][one])]


def _help(table: Draft, *, group: bool) -> Generator[Prompt, Answer, list[int]]:
    """Ask who helps: members who are not Broken, or one outsider. Return a list with a bonus of 1 for each helper.

    With `group`, all those members help by default. The names of the helpers are stored in the fact `helped_by`.
    """
    others = _able_to_help(table)
    helpers = yield Choose(
        key="help",
        title="Helpers",
        options=(
            *(Option(one, f"{shown_line(table.state['party'][one]['name'], 20)} helps", "+1") for one in others),
            Option(OUTSIDER, "someone else helps", "+1, not in the party"),
        ),
        least=0,
        most=len(others) + 1,
        default=others if group else [],
        quiet=True,
    )
    if helpers:
        table.facts["helped_by"] = [
            "someone else" if one == OUTSIDER else table.state["party"][one]["name"] for one in helpers
        ]
    return [1] * len(helpers)


def _traits(me: Mapping[str, Any]) -> Generator[Prompt, Answer, list[int]]:
    if not me["traits"]:
        return []
    chosen = yield choose_any(
        key="traits",
        title="Traits",
        options=tuple(
            Option(ident, shown_line(trait["name"], 40), signed(trait["points"]))
            for ident, trait in me["traits"].items()
        ),
    )
    return [me["traits"][ident]["points"] for ident in chosen]


def _drives(me: Mapping[str, Any], room: int) -> Generator[Prompt, Answer, list[int]]:
    """Ask which drives apply, at 1 WP each, and return their bonuses. The caller spends the WP.

    `room` is the largest bonus that still counts, given the other bonuses and the maximum of all. Return [] without
    asking if the character has none.
    """
    if not me["drives"]:
        return []
    no_use = "no WP left" if not me["wp"] else "" if room > 0 else "already at the +3 cap"
    chosen = yield choose_any(
        key="drives",
        title="Drives",
        options=tuple(
            Option(ident, f"drive: {shown_line(drive['name'], 40)}", _worth(drive["intensity"], room), no_use)
            for ident, drive in me["drives"].items()
        ),
    )
    return [me["drives"][ident]["intensity"] for ident in chosen]


def _worth(intensity: int, room: int) -> str:
    counts = "" if intensity <= room else f", only {signed(max(0, room))} counts"
    return f"+{intensity} for 1 WP{counts}"


def _harms(me: Mapping[str, Any], skill: str) -> Generator[Prompt, Answer, list[int]]:
    """Ask which harms count, by default those on this skill or its attribute; return their penalties.

    Return [] without asking if there are none.
    """
    if not any(harms_of(me).values()):
        return []
    every = {f"{sort}.{ident}": harm for sort, harms in harms_of(me).items() for ident, harm in harms.items()}
    worst = ", only the worst counts" if len(every) > 1 else ""
    chosen = yield Choose(
        key="harms",
        title="Harm penalties; only the worst counts",
        options=tuple(
            Option(key, f"harm: {shown_line(harm['name'] or harm['on'], 40)}", f"{PENALTIES[harm['grade']]}{worst}")
            for key, harm in every.items()
        ),
        least=0,
        most=len(every),
        default=hampering(me, skill),
        quiet=True,
    )
    return [penalty_of(me, key) for key in chosen]


def penalty_of(me: Mapping[str, Any], harm: str) -> int:
    """Return the penalty of one of the harms of the character with the record `me`, a negative number.

    `harm` is the sort and the id of the harm, as `hampering` returns them: `physical.minor_melee`, for example.
    """
    sort, ident = harm.split(".")
    return PENALTIES[me["harms"][sort][ident]["grade"]]


def _talent(me: Mapping[str, Any]) -> Generator[Prompt, Answer, str]:
    """Ask for at most one talent; return its die, or NONE if none is used. Nothing is asked without talents."""
    if not me["talents"]:
        return NONE
    options = [
        Option(ident, f"{shown_line(talent['name'], 40)} {talent['die']}") for ident, talent in me["talents"].items()
    ]
    chosen = yield Pick(
        key="talent",
        title="Talent",
        options=(Option(NO_TALENT, "none"), *options),
        default=NO_TALENT,
        quiet=True,
    )
    return NONE if chosen == NO_TALENT else str(me["talents"][chosen]["die"])


def pool_words(roll: RollPlan) -> str:
    """Return the declared roll in words: its dice, the net modifier, and bonuses beyond the cap.

    A missing die reads 0.
    """
    pool = roll.pool
    words = [f"{pool.attribute} {ATTRIBUTE_OF[roll.skill]}", f"{pool.skill} {roll.skill}"]
    if pool.talent != NONE:
        words.append(f"{pool.talent} talent")
    if pool.stress:
        words.append(stress_dice(pool.stress))
    lost = f", {roll.lost} over the +{BONUSES_MOST} cap" if roll.lost else ""
    return " + ".join(words) + (f", net {signed(roll.net)}" if roll.net else "") + lost


def stress_dice(many: int) -> str:
    return "1 stress die" if many == 1 else f"{many} stress dice"


_AGAIN = ("", "second_", "third_")


def throw(
    table: Draft,
    roll: RollPlan,
    odds: Odds,
    more: dict[str, int | tuple[int, ...]] | None = None,
    *,
    against: str = "",
) -> Generator[Prompt, Answer, Mapping[str, Any]]:
    """Spend the WP and the situation of a declared roll, and ask for the dice; return {name of a die: face or faces}.

    `odds` are shown with the prompt. `more` holds the dice of the other side, and `against` names them in the title. If
    there is no die at all, return {} without asking.
    """
    table.mine("wp", -roll.cost)
    table.mine("situation", -roll.situation)
    dice = roll.pool.dice | (more or {})
    if not dice:
        return {}
    title = f"Roll {pool_words(roll)}" + (f", against {against}" if against else "")
    faces: Mapping[str, Any] = yield Roll(key="dice", title=title, dice=dice, odds=odds)
    return faces


def gambles(
    table: Draft,
    pool: Pool,
    lies: DiceResult,
    tell: Callable[[DiceResult], None],
    *,
    forbidden: Callable[[DiceResult], str] = lambda _: "",
    changes: Callable[[DiceResult], str] | None = None,
    skill: str = "",
) -> Generator[Prompt, Answer, DiceResult]:
    """Offer gambles until the player declines; return the final faces.

    A gamble adds 1 stress and a stress die, and rolls everything again except stress dice that show 1. `pool` has the
    dice, and `lies` their faces so far. `tell` is called with the faces, once before the first gamble and once after
    each. `forbidden` is called with the faces and returns the reason why no gamble is allowed, or "". `changes` is
    called with the faces and describes the chances of a gamble in words; None means the chances of an action roll.
    `skill` is the acting character's; "" means that the opponent gambles, whose stress is not tracked.
    """
    part = "" if skill else "other_"
    tell(lies)
    limit = again = 1
    while True:
        if again > 1:
            key = f"{part}gamble_limit" if again == 2 else f"{part}gamble_limit_{again}"
            limit = yield Number(
                key=key,
                title="gambles allowed",
                low=again - 1,
                high=_MOST,
                default=max(limit, again - 1),
                quiet=True,
            )
        word = _AGAIN[again - 1] if again <= len(_AGAIN) else f"{again}_"
        allowed = "" if again <= limit else "once per roll, unless the GM allows more"
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
            title="Reroll all but the banes",
            dice={f"{part}{name}": sides for name, sides in gamble(pool, lies).dice.items()},
            at_once=True,
        )
        lies = gambled(lies, {name.removeprefix(part): face for name, face in faces.items()})
        tell(lies)
        again += 1


def _at_stake(table: Draft, pool: Pool, lies: DiceResult, changes: Callable[[DiceResult], str] | None) -> str:
    """Return in words what a gamble costs and may change. `pool` has the dice, and `lies` their faces so far.

    `changes` takes these faces and describes the chances of a gamble; None means the chances of an action roll.
    """
    stress = table.me["stress"]
    told = changes(lies) if changes else _tiers(pool, lies)
    return f"stress {arrow(stress, stress + 1)}; {told}, bane {bane(after_gamble(pool, lies))}%"


def _tiers(pool: Pool, lies: DiceResult) -> str:
    counted = after_gamble(pool, lies)
    now = OUTCOMES.index(lies.outcome)
    better, worse = (
        whole(100 * sum(part) / counted.total) for part in (counted.outcomes[now + 1 :], counted.outcomes[:now])
    )
    return f"better {better}%, worse {worse}%"


# -- what comes of it -----------------------------------------------------------------------------------
def result_recorder(table: Draft, pool: Pool) -> Callable[[DiceResult], None]:
    """Return a function that stores faces of this pool's dice in the facts, with their edges, banes and damage."""

    def tell(lies: DiceResult) -> None:
        facts = table.facts
        facts["faces"] = list(lies[:3])
        facts["sides"] = [int(die.removeprefix("d")) for die in pool[:3]]
        if lies.stress:
            facts["stress_dice"] = list(lies.stress)
        facts.setdefault("initial_edges", lies.edges)
        facts |= {"edges": lies.edges, "banes": lies.banes, "damage": damage_of(lies.banes)}

    return tell


def settle_result(table: Draft, lies: DiceResult, skill: str) -> Generator[Prompt, Answer, None]:
    """Apply the final faces `lies`: sixes on stress dice give WP, and banes deal damage, which the player assigns.

    Edges and skill are stored in the state, for a montage.
    """
    if lies.will:
        before = table.me["wp"]
        table.mine("wp", lies.will)
        table.facts |= {"sixes": lies.will, "will": table.me["wp"] - before}
    table.to(f"{table.who}.edges", min(lies.edges, 99))
    table.to(f"{table.who}.rolled", skill)
    yield from assign_damage(table, damage_of(lies.banes), lies.banes, skill)


def first_roll(faces: Mapping[str, Any], part: str = "") -> DiceResult:
    """Return the faces of one side's dice, given the faces of both sides. `part` is the prefix of that side's dice."""
    return read_dice({name.removeprefix(part): face for name, face in faces.items() if name.startswith(part)})


def roll(table: Draft) -> Procedure:
    """Make an action roll with the acting character, and apply its result.

    Raise Refused if the character cannot act now, or if the chosen drives cost more WP than the character has.
    """
    yield from _action(table, "roll", group=False)


def group(table: Draft) -> Procedure:
    """Make a group roll: the acting character rolls, and all others who can act help by default.

    Raise Refused if the acting character cannot act now, or if the chosen drives cost more WP than the character has.
    """
    yield from _action(table, "group", group=True)


def _action(table: Draft, move: str, *, group: bool) -> Procedure:
    table.begin(move)
    skill = yield ask_skill(table, group=group)
    meant = yield from plan_roll(table, skill, group=group)
    faces = yield from throw(table, meant, shown_odds(chances(meant.pool)))
    tell = _with_outcome(table, result_recorder(table, meant.pool))
    lies = yield from gambles(table, meant.pool, first_roll(faces), tell, skill=skill)
    yield from settle_result(table, lies, skill)


def _with_outcome(table: Draft, tell: Callable[[DiceResult], None]) -> Callable[[DiceResult], None]:
    def told(lies: DiceResult) -> None:
        tell(lies)
        table.facts["outcome"] = lies.outcome

    return told
