"""A roll as it is meant: the skill, what helps and hinders, a talent, a push."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

from tracker.games.base import Draft
from tracker.games.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Refused
from tracker.games.wherever.layout import ATTRIBUTE_OF, HOT, broken, harms_of, living
from tracker.games.wherever.odds import bane, chances, shown_odds
from tracker.games.wherever.rolls import BONUSES_MOST, NONE, PENALTIES, Pool, net, stepped
from tracker.games.words import arrow, signed
from tracker.text import shown_line

NO_TALENT = "none."
"""No talent has this id: an id has no dot."""
_MOST = 20


class Drafted(NamedTuple):
    """A roll as it is meant: what is rolled with, its dice after stepping, and what it costs."""

    skill: str
    pool: Pool
    net: int
    cost: int
    push: bool
    lost: int
    """Bonuses beyond those that count."""


def hampering(me: Mapping[str, Any], skill: str) -> list[str]:
    """The harms that speak of this skill or its attribute, each by its sort and id."""
    return [
        f"{sort}.{ident}"
        for sort, harms in harms_of(me).items()
        for ident, harm in harms.items()
        if harm["on"] in {skill, ATTRIBUTE_OF[skill]}
    ]


def rolled_with(me: Mapping[str, Any], skill: str, by: int = 0) -> Pool:
    """The two base dice of a skill, stepped."""
    return Pool(*stepped(me[ATTRIBUTE_OF[skill]], me["skills"][skill], by))


def as_it_stands(me: Mapping[str, Any], skill: str) -> Pool:
    """The base dice with nothing but the harms that hamper them."""
    return rolled_with(me, skill, net((), [_penalty(me, harm) for harm in hampering(me, skill)]))


def ask_skill(table: Draft, title: str = "Roll with", *, tiers: bool = True) -> Pick:
    """Which skill, each with the exact odds of its dice where `tiers` count; the worst harm on it is counted in."""
    options = []
    for skill, attribute in ATTRIBUTE_OF.items():
        pool = as_it_stands(table.me, skill)
        note = f"with {table.me[attribute]}"
        if harms := hampering(table.me, skill):
            note += f", {min(_penalty(table.me, harm) for harm in harms)}"
        options.append(
            Option(
                skill,
                f"{skill} {table.me['skills'][skill]}",
                note,
                hot=HOT[skill],
                odds=shown_odds(chances(pool)) if tiers else (),
            )
        )
    return Pick(key="skill", title=title, options=tuple(options))


def drafted(table: Draft, skill: str, *, group: bool = False, no_push: str = "") -> Generator[Prompt, Answer, Drafted]:
    """Modifiers, talent, push: all of it quiet, so that a common roll is only rolled."""
    me = table.me
    table.facts |= {"skill": skill, "attribute": ATTRIBUTE_OF[skill]}
    penalty = yield Number(key="penalty", title="penalties", low=-_MOST, high=0, default=0, quiet=True)
    bonus = yield Number(key="bonus", title="bonuses", low=0, high=_MOST, default=0, quiet=True)
    mods = [penalty, bonus, *(yield from _help(table, group=group)), *(yield from _traits(me))]
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
        raise Refused(f"Each drive costs 1 WP, and WP is {me['wp']}.")
    push = yield Confirm(
        key="push",
        title="Push",
        hot="p",
        note=f"WP {arrow(wp, wp - 1)}, {stress_dice(me['stress'])}, a bane in {bane(chances(pushed))}%",
        reason=no_push or ("stress is 0" if not me["stress"] else "" if wp else "no WP is left"),
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
    return Drafted(skill, pushed if push else pool, by, len(drives) + push, push, over)


def _help(table: Draft, *, group: bool) -> Generator[Prompt, Answer, list[int]]:
    """Each of the party who helps gives +1; helpers who are not on the table are bonuses."""
    others = [one for one in living(table.state) if one != table.who and not broken(table.state["party"][one])]
    if not others:
        return []
    helpers = yield Choose(
        key="help",
        title="Helpers",
        options=tuple(
            Option(one, f"{shown_line(table.state['party'][one]['name'], 20)} helps", "+1") for one in others
        ),
        least=0,
        most=len(others),
        default=others if group else [],
        quiet=True,
    )
    if helpers:
        table.facts["helped_by"] = [table.state["party"][one]["name"] for one in helpers]
    return [1] * len(helpers)


def _traits(me: Mapping[str, Any]) -> Generator[Prompt, Answer, list[int]]:
    if not me["traits"]:
        return []
    chosen = yield Choose(
        key="traits",
        title="Traits",
        options=tuple(
            Option(ident, shown_line(trait["name"], 40), signed(trait["points"]))
            for ident, trait in me["traits"].items()
        ),
        least=0,
        most=len(me["traits"]),
        default=[],
        quiet=True,
    )
    return [me["traits"][ident]["points"] for ident in chosen]


def _drives(me: Mapping[str, Any], room: int) -> Generator[Prompt, Answer, list[int]]:
    """Each for 1 WP; `room` is how much of a bonus still counts."""
    if not me["drives"]:
        return []
    no_use = "no WP is left" if not me["wp"] else "" if room > 0 else "bonuses are +3 already, and no more counts"
    chosen = yield Choose(
        key="drives",
        title="Drives",
        options=tuple(
            Option(ident, f"drive: {shown_line(drive['name'], 40)}", _worth(drive["intensity"], room), no_use)
            for ident, drive in me["drives"].items()
        ),
        least=0,
        most=len(me["drives"]),
        default=[],
        quiet=True,
    )
    return [me["drives"][ident]["intensity"] for ident in chosen]


def _worth(intensity: int, room: int) -> str:
    counts = "" if intensity <= room else f", of which {signed(max(0, room))} counts"
    return f"+{intensity} for 1 WP{counts}"


def _harms(me: Mapping[str, Any], skill: str) -> Generator[Prompt, Answer, list[int]]:
    """Those that speak of this skill are taken by themselves; somebody may know better."""
    if not any(harms_of(me).values()):
        return []
    every = {f"{sort}.{ident}": harm for sort, harms in harms_of(me).items() for ident, harm in harms.items()}
    chosen = yield Choose(
        key="harms",
        title="Harms that hamper this; the worst counts",
        options=tuple(
            Option(key, f"harm: {shown_line(harm['name'] or harm['on'], 40)}", f"{PENALTIES[harm['grade']]}")
            for key, harm in every.items()
        ),
        least=0,
        most=len(every),
        default=hampering(me, skill),
        quiet=True,
    )
    return [_penalty(me, key) for key in chosen]


def _penalty(me: Mapping[str, Any], harm: str) -> int:
    sort, ident = harm.split(".")
    return PENALTIES[me["harms"][sort][ident]["grade"]]


def _talent(me: Mapping[str, Any]) -> Generator[Prompt, Answer, str]:
    """One at most."""
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


def pool_words(roll: Drafted) -> str:
    """The pool as it will be rolled."""
    pool, words = roll.pool, []
    if pool.attribute != NONE:
        words.append(f"{pool.attribute} {ATTRIBUTE_OF[roll.skill]}")
    if pool.skill != NONE:
        words.append(f"{pool.skill} {roll.skill}")
    if pool.talent != NONE:
        words.append(f"{pool.talent} talent")
    if pool.stress:
        words.append(stress_dice(pool.stress))
    lost = f", {roll.lost} beyond +{BONUSES_MOST} lost" if roll.lost else ""
    return " + ".join(words) + (f", net {signed(roll.net)}" if roll.net else "") + lost


def stress_dice(many: int) -> str:
    return "1 stress die" if many == 1 else f"{many} stress dice"
