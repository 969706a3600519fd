"""Damage and harm, the save of a Broken character, and benefits and consequences of a roll."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.phrases import arrow
from tracker.games.api.prompts import (
    Answer,
    Choose,
    Number,
    Odds,
    Option,
    Pick,
    Prompt,
    Roll,
    Spread,
    Text,
    member_option,
)
from tracker.games.common.members import living
from tracker.games.wherever.dice import GRADES, PENALTIES, WEAKENED, harm_grade
from tracker.games.wherever.state import ATTRIBUTE_OF, ATTRIBUTES, HOT, SKILLS, SORTS, TRACKS, harms_of
from tracker.text import shown_line

OTHER = "other"
RESERVED = (*TRACKS, OTHER)
"""Targets of damage other than gear. No item gets one of these as its id."""
LIKELY = {"health": "endurance", "resolve": "insight"}
"""For each track, the skill that a harm is likely to hamper if the damage comes from no roll."""
_OWED = "broken_save_"
HIT = "hit_"
"""Prefix of the name of a due hit. The number of the attacker's edges beyond the first follows, as in `hit_2`."""


def assign_damage(table: Draft, points: int, banes: int, skill: str) -> Procedure:
    """Ask how to split the damage of a roll between self, gear, allies and something else, and apply it.

    `points` is the damage, and `banes` the number of banes that cause it; if `points` is 0, nothing is asked. `skill`
    is the one that was rolled.
    """
    if not points:
        return
    me = table.me
    targets = [(Option(track, track, f"now {me[track]}"), points) for track in TRACKS]
    targets += [
        (Option(ident, shown_line(item["name"], 24), f"reliability {item['reliability']}"), item["reliability"])
        for ident, item in me["gear"].items()
        if item["reliability"] and ident not in RESERVED
    ]
    for ally in living(table.state):
        if ally != table.who:
            other = table.state["party"][ally]
            name = shown_line(other["name"], 16)
            targets += [
                (Option(f"{ally}.{track}", f"{name}: {track}", f"now {other[track]}"), points) for track in TRACKS
            ]
    targets.append((Option(OTHER, "something else", "not tracked here"), points))
    many = "1 bane" if banes == 1 else f"{banes} banes"
    shares: Mapping[str, int] = yield Spread(
        key="assign", title=f"{many}: assign {points} damage", points=points, targets=tuple(targets)
    )
    for target, share in shares.items():
        yield from _take(table, target, share, skill)


def _take(table: Draft, target: str, share: int, skill: str) -> Procedure:
    if target in TRACKS:
        yield from take_damage(table, table.who, target, share, skill)
    elif "." in target:
        ally, track = target.split(".")
        yield from take_damage(table, ally, track, share, skill)
    elif target == OTHER:
        table.facts["elsewhere"] = share
    else:
        table.mine(f"gear.{target}.reliability", -share)
        if not table.me["gear"][target]["reliability"]:
            _broke(table, target)


def take_damage(table: Draft, who: str, track: str, points: int, skill: str = "") -> Procedure:
    """Deal `points` of damage to `track`, "health" or "resolve", of the character `who`, and add the harm it causes.

    By default the harm is on the rolled `skill`, or on its attribute if it is major. If `skill` is "", the player is
    asked.
    """
    mine = who == table.who
    before = table.state["party"][who][track]
    grade = harm_grade(points)
    if mine:
        table.facts.setdefault("harm", {})[track] = grade
    table.by(f"{who}.{track}", -points)
    if mine and before and not table.me[track]:
        _broke(table, track)
    if grade != WEAKENED:
        likely = skill or LIKELY[track]
        place = ATTRIBUTE_OF[likely] if grade == "major" else likely
        where = track if mine else f"{who}.{track}"
        on = yield ask_place(grade, f"hampers.{where}", place, quiet=bool(skill))
        if skill:
            table.facts["hampers_rolled"] = True
        record(table, who, SORTS[track], grade, on)


def ask_place(
    grade: str,
    key: str,
    default: str | None,
    *,
    quiet: bool = True,
    among: tuple[str, ...] = tuple(ATTRIBUTE_OF),
    title: str = "",
) -> Pick:
    """Return the prompt for what a harm affects: one of the skills `among`, or an attribute if `grade` is major.

    `key` is the prompt's key. A `quiet` prompt is answered by default, and hidden until the player asks for it. A
    `default` that is not an option is ignored. `title` replaces the usual title of the prompt.
    """
    places = ATTRIBUTES if grade == "major" else among
    return Pick(
        key=key,
        title=title or f"{grade.capitalize()} harm: penalty on what?",
        options=tuple(Option(place, place, str(PENALTIES[grade]), hot=HOT.get(place, place[0])) for place in places),
        default=default if default in places else None,
        quiet=quiet,
        aside=quiet,
    )


def record(table: Draft, who: str, sort: str, grade: str, on: str, name: str = "") -> None:
    """Record that the character `who` gets a harm of this grade, such as "minor".

    `sort` is "physical" or "mental", `on` is the skill or attribute that the harm affects, and `name` is the player's
    name for the harm, or "".
    """
    harms = table.state["party"][who]["harms"][sort]
    ident = table.new_id(name or f"{grade} {on}", harms)
    table.add(f"{who}.harms.{sort}", {"id": ident, "name": name, "grade": grade, "on": on})


def reduce_harm(table: Draft, who: str, sort: str, at: str, points: int) -> Procedure:
    """Record a change that makes harms less severe, then ask which skill each harm that is no longer major affects.

    A major harm affects a whole group of skills, a lesser one a single skill of that group. The change adds `points` to
    the number at the path `at`: points to a recovery clock, or -1 to the grade of one harm. `who` is the id of the
    harmed character, and `sort` is "physical" or "mental".
    """
    table.by(at, points)
    for ident, harm in table.state["party"][who]["harms"][sort].items():
        if harm["grade"] != "major" and harm["on"] in SKILLS:
            name = shown_line(harm["name"]) or f"the {harm['grade']} harm"
            on = yield ask_place(
                harm["grade"],
                f"hampers.{ident}",
                SKILLS[harm["on"]][0],
                quiet=False,
                among=SKILLS[harm["on"]],
                title=f"Which {harm['on']} skill does {name} still affect?",
            )
            table.to(f"{who}.harms.{sort}.{ident}.on", on)


def _broke(table: Draft, what: str) -> None:
    table.facts["broken"] = sorted([*table.facts.get("broken", []), what])


# -- a hit ----------------------------------------------------------------------------------------------


def hit(table: Draft) -> Procedure:
    """Take a hit with the acting character: base damage, +1 for each attacker's edge beyond the first, minus armor.

    If a hit is due, its edges are the default answer; if the player keeps it, the hit is no longer due. Raise Refused
    if the character is out of play.
    """
    table.begin("hit")
    due = [int(name.removeprefix(HIT)) for name in table.me["owed"] if name.startswith(HIT)]
    more = yield Number(
        key="more", title="extra edges past the first", low=0, high=30, default=due[-1] if due else 0, quiet=True
    )
    armor = yield Number(key="armor", title="armor absorbs", low=0, high=30, default=0, quiet=True)
    track = yield Pick(
        key="to",
        title="Damage goes to",
        options=tuple(Option(one, one, f"now {table.me[one]}", hot=one[0]) for one in TRACKS),
        default="health",
        quiet=True,
    )
    base = yield Number(key="base", title="Base damage of the attack, usually 1 to 4", low=0, high=30)
    if more in due:
        table.mine(f"owed.{HIT}{more}", -1)
    damage = max(0, base + more - armor)
    table.facts |= {"told": f"{damage} damage: base {base}, edges {more}, armor {armor}", "damage": damage}
    if damage:
        yield from take_damage(table, table.who, track, damage)


# -- Broken ---------------------------------------------------------------------------------------------


def broken_save(table: Draft) -> Procedure:
    """Roll the d20 save of a Broken character and apply the result.

    1 is death. A face up to the damage makes a permanent injury due. A higher face changes nothing. If a save is due,
    its damage is the default answer; if the player keeps it, the save is no longer due.
    """
    due = [int(name.removeprefix(_OWED)) for name in table.me["owed"] if name.startswith(_OWED)]
    damage = yield Number(
        key="damage", title="How much damage did it do?", low=1, high=99, default=due[-1] if due else None
    )
    faces = yield Roll(key="dice", title=f"Death save vs {damage}", dice={"save": 20}, odds=save_odds(damage))
    face = faces["save"]
    result = "death" if face == 1 else "permanent injury" if face <= damage else "stable"
    if damage in due:
        table.mine(f"owed.{_OWED}{damage}", -1)
    table.facts |= {"save": face, "damage": damage, "result": result}
    if result == "death":
        table.to(f"{table.who}.status", "lost")
    elif result == "permanent injury":
        table.mine("owed.permanent_injury", 1)


def save_odds(damage: int) -> Odds:
    """Return the odds of the save against this much damage, as prompts show them."""
    injured = max(0, min(damage, 20) - 1)
    return ("stable", 5 * (19 - injured), "good"), ("injury", 5 * injured, "mid"), ("death", 5, "bad")


def injury(table: Draft) -> Procedure:
    """Ask for an attribute of the acting character and step it down for good.

    The maximum of Health or Resolve falls with it. Raise Refused if no permanent injury is due or the character is out
    of play.
    """
    table.begin("injury")
    attribute = yield Pick(
        key="attribute",
        title="Which attribute steps down for good?",
        options=tuple(
            Option(one, f"{one} {table.me[one]}", "below d6: out of play" if table.me[one] == "d6" else "", hot=one[0])
            for one in ATTRIBUTES
        ),
    )
    table.mine("owed.permanent_injury", -1)
    table.mine(attribute, -1)
    table.facts["told"] = f"permanent injury: {attribute}"


# -- benefits and consequences that the GM picks after a roll -------------------------------------------


BENEFITS: Mapping[str, str] = {
    "clear_stress": "clear stress",
    "gain_willpower": "gain willpower",
    "better_situation": "a better situation",
    "opening": "an opening appears",
    "more_effect": "more effect than expected",
}
CONSEQUENCES: Mapping[str, str] = {
    "take_stress": "take stress",
    "take_harm": "take harm",
    "worse_situation": "a worse situation",
    "complication": "a complication, a threat or an obstacle",
    "less_effect": "less effect than expected",
    "opening_gone": "the opening closes: find another way",
}
_HOTS = {"clear_stress": "s", "gain_willpower": "w", "take_stress": "s", "take_harm": "h"}


def benefit(table: Draft) -> Procedure:
    """Ask for a benefit that the GM grants after a roll, and apply it. Some benefits change no number.

    Raise Refused if the character is out of play.
    """
    table.begin("benefit")
    me = table.me
    chosen = yield _ask("What is the benefit?", BENEFITS, _benefit_notes(me))
    table.facts["told"] = BENEFITS[chosen]
    whose = (yield from _whose(table)) if chosen == "better_situation" else table.who
    _grant(table, chosen, whose)


def _benefit_notes(me: Mapping[str, Any]) -> dict[str, str]:
    return {
        "clear_stress": f"stress {arrow(me['stress'], me['stress'] - 1)}" if me["stress"] else "no change: stress is 0",
        "gain_willpower": f"WP {arrow(me['wp'], me['wp'] + 1)}" if me["wp"] < me["wp_max"] else "no change: WP is full",
        "better_situation": "+1 on the next roll",
    }


def _grant(table: Draft, chosen: str, whose: str) -> None:
    if chosen == "clear_stress":
        table.mine("stress", -1)
    elif chosen == "gain_willpower":
        table.mine("wp", 1)
    elif chosen == "better_situation":
        table.by(f"{whose}.situation", 1)


def _whose(table: Draft) -> Generator[Prompt, Answer, str]:
    """Ask whose next roll the situation changes, and return the id. If only one character is in play, do not ask."""
    there = living(table.state)
    if len(there) < 2:
        return table.who
    whose: str = yield Pick(
        key="whose",
        title="Whose next roll",
        options=tuple(member_option(table.state, one) for one in there),
        default=table.who,
        quiet=True,
    )
    return whose


def extra_benefits(table: Draft, extra: int) -> Procedure:
    """Ask for benefits, at most one for each extra edge of an opposed roll, and apply them.

    `extra` is the number of extra edges. If it is below 1, nothing is asked.
    """
    if extra < 1:
        return
    many = min(extra, len(BENEFITS))
    chosen = yield Choose(
        key="benefits",
        title="1 extra edge: a benefit" if extra == 1 else f"{extra} extra edges: benefits",
        options=_offered(BENEFITS, _benefit_notes(table.me)),
        least=0,
        most=many,
        default=[],
    )
    for key in chosen:
        _grant(table, key, table.who)
    if chosen:
        table.facts["benefits"] = [BENEFITS[key] for key in chosen]


def consequence(table: Draft) -> Procedure:
    """Ask for a consequence that the GM picks after a roll, and apply it. Some consequences change no number.

    Raise Refused if the character is out of play.
    """
    table.begin("consequence")
    notes = {
        "take_stress": "stress +1, or as much as the GM says",
        "take_harm": "damage to Health or Resolve",
        "worse_situation": "-1 on the next roll",
    }
    chosen = yield _ask("What is the consequence?", CONSEQUENCES, notes)
    table.facts["told"] = CONSEQUENCES[chosen]
    if chosen == "take_stress":
        amount = yield Number(key="amount", title="stress taken", low=1, high=20, default=1, quiet=True)
        table.mine("stress", amount)
    elif chosen == "worse_situation":
        whose = yield from _whose(table)
        table.by(f"{whose}.situation", -1)
    elif chosen == "take_harm":
        track = yield Pick(
            key="to",
            title="What takes the damage?",
            options=tuple(Option(one, one, f"now {table.me[one]}", hot=one[0]) for one in TRACKS),
        )
        amount = yield Number(key="amount", title="How much damage?", low=1, high=99, default=2)
        yield from take_damage(table, table.who, track, amount)


def _ask(title: str, named: Mapping[str, str], notes: Mapping[str, str]) -> Pick:
    return Pick(key="choose", title=title, options=_offered(named, notes))


def _offered(named: Mapping[str, str], notes: Mapping[str, str]) -> tuple[Option, ...]:
    return tuple(
        Option(key, words, notes.get(key, "no numbers, only story"), hot=_HOTS.get(key, ""))
        for key, words in named.items()
    )


# -- by hand --------------------------------------------------------------------------------------------


def take_harm(table: Draft) -> Procedure:
    """Ask for a harm and add it to the acting character, without damage to Health or Resolve."""
    sort = yield Pick(
        key="sort", title="What kind of harm?", options=tuple(Option(s, s, hot=s[0]) for s in SORTS.values())
    )
    grade = yield Pick(
        key="grade",
        title="How bad is it?",
        options=tuple(Option(g, g, str(PENALTIES[g]), hot=h) for g, h in zip(GRADES, "nsj", strict=True)),
    )
    on = yield ask_place(grade, "on", None, quiet=False)
    name = yield Text(key="name", title="What is it?", hint="a sprained wrist", empty=True, default="")
    record(table, table.who, sort, grade, on, name)


def heal_harm(table: Draft) -> Procedure:
    """Ask for a harm of the acting character; lower it by one grade or remove it, as the player chooses.

    A minor harm is removed either way. If a major one is lowered, ask which skill it still affects. Raise Refused if
    the character has no harm or is out of play.
    """
    table.begin("heal_harm")
    where = yield _ask_harm(table.me)
    sort, ident = where.split(".")
    harm = table.me["harms"][sort][ident]
    less = {"minor": "gone", "severe": "minor", "major": "severe"}[harm["grade"]]
    how = yield Pick(
        key="how",
        title="How is it now?",
        options=(Option("less", "one step better", arrow(harm["grade"], less)), Option("gone", "gone")),
    )
    at = f"{table.who}.harms.{sort}"
    if how == "less":
        yield from reduce_harm(table, table.who, sort, f"{at}.{ident}.grade", -1)
    else:
        table.drop(at, ident)


def name_harm(table: Draft) -> Procedure:
    """Ask for a harm of the acting character, and change its name and what it hampers.

    Raise Refused if the character has no harm or is out of play.
    """
    table.begin("name_harm")
    where = yield _ask_harm(table.me)
    sort, ident = where.split(".")
    harm = table.me["harms"][sort][ident]
    name = yield Text(key="name", title="What is it?", hint="a sprained wrist", empty=True, default=harm["name"])
    on = yield ask_place(harm["grade"], "on", harm["on"], quiet=False)
    at = f"{table.who}.harms.{sort}.{ident}"
    table.to(f"{at}.name", name)
    table.to(f"{at}.on", on)


def _ask_harm(me: Mapping[str, Any]) -> Pick:
    return Pick(
        key="harm",
        title="Which harm?",
        options=tuple(
            Option(
                f"{sort}.{ident}", shown_line(harm["name"] or harm["grade"]), f"{PENALTIES[harm['grade']]} {harm['on']}"
            )
            for sort, harms in harms_of(me).items()
            for ident, harm in harms.items()
        ),
    )


def strike_off(table: Draft) -> Procedure:
    """Ask for a due item that the players have settled in the story, and remove it from the acting character.

    Raise Refused if nothing is due or the character is out of play.
    """
    from tracker.games.wherever.moves import owed_label

    table.begin("strike_off")
    name = yield Pick(
        key="owed",
        title="Which one is done?",
        options=tuple(Option(name, owed_label(name)) for name in table.me["owed"]),
    )
    table.mine(f"owed.{name}", -1)
    table.facts["told"] = owed_label(name)
