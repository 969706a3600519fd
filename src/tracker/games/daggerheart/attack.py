"""Attacks: a weapon against adversaries, to the HP that they mark; and the GM's d20 against the party."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.asking import ask_target
from tracker.games.daggerheart.beings import at_hand, conditions, facing, footing, is_reduced, name
from tracker.games.daggerheart.damage import is_dice
from tracker.games.daggerheart.harm import damage_of, suffer
from tracker.games.daggerheart.legal import begin
from tracker.games.daggerheart.odds import attack_odds_on
from tracker.games.daggerheart.outcome import ask_countdowns, at_stake, outcome_of, spend_token
from tracker.games.daggerheart.rolling import ask_difficulty, ask_net, declared, throw
from tracker.games.daggerheart.rolls import CRITICAL, Attack, Duality, is_success
from tracker.games.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Refused, Roll
from tracker.games.words import signed
from tracker.text import shown_line


def attack(table: Draft) -> Procedure:
    """One attack roll with a weapon; on a success one damage roll, and every target that was hit takes it."""
    begin(table, "attack")
    weapons = at_hand(table.me)
    weapon = yield Pick(
        key="weapon",
        title="With what",
        options=tuple(weapon_option(ident, one) for ident, one in weapons.items()),
        default=next(iter(weapons)) if len(weapons) == 1 else None,
        quiet=len(weapons) == 1,
    )
    one = weapons[weapon]
    aims = yield from ask_aims(table)
    difficulty = yield ask_difficulty(table, default=min(aims.values()) if aims else None)
    listening = yield from ask_countdowns(table)
    meant = yield from declared(table, table.who, one["trait"], targets=aims)
    stakes = at_stake(table, (table.who,), difficulty, listening)
    lies = yield from throw(table, meant, difficulty, stakes=stakes, against=named(table, aims, difficulty))
    table.facts |= {**meant.facts, "weapon": one["name"]}
    spend_token(table, table.who)
    outcome = outcome_of(table, (table.who,), table.who, lies, difficulty, listening)
    table.to("critical", outcome == CRITICAL)
    if not is_success(outcome) or not is_dice(one["damage"]):
        return
    total = yield from damage_of(table, one["damage"], table.me["proficiency"], critical=outcome == CRITICAL)
    yield from strike(table, struck(aims, difficulty, lies), total, one["type"])


def weapon_option(ident: str, one: Mapping[str, Any]) -> Option:
    return Option(
        ident, shown_line(one["name"]), f"{one['trait']}, {one['damage'] or 'no damage dice'}, {one['range']}"
    )


def ask_aims(table: Draft) -> Generator[Prompt, Answer, dict[str, int]]:
    """The adversaries that an attack is meant for, each with its Difficulty; there may be none."""
    there = {foe: table.state["adversaries"][foe] for foe in facing(table.state)}
    if not there:
        return {}
    targets = yield Choose(
        key="targets",
        title="Against whom",
        options=tuple(
            Option(foe, name(table.state, foe), ", ".join((f"Difficulty {one['difficulty']}", *conditions(one))))
            for foe, one in there.items()
        ),
        least=0,
        most=len(there),
        default=list(there)[:1],
        quiet=len(there) == 1,
    )
    return {foe: there[foe]["difficulty"] for foe in targets}


def named(table: Draft, aims: Mapping[str, int], difficulty: int) -> str:
    """The targets by name, each with what has to be reached."""
    more = difficulty - min(aims.values(), default=0)  # it is changed for all of them
    return " and ".join(f"{name(table.state, foe)}, {own + more}" for foe, own in aims.items())


def struck(aims: Mapping[str, int], difficulty: int, lies: Duality) -> list[str]:
    """Who of them is hit."""
    more = difficulty - min(aims.values(), default=0)
    return [foe for foe, own in aims.items() if lies.critical or lies.total >= own + more]


def strike(table: Draft, hits: list[str], total: int, sort: str) -> Procedure:
    """Everyone who was hit takes all of it."""
    felt = []
    for foe in hits:
        yield from suffer(table, foe, total, sort)
        felt.append(_felt(table, foe))
    if felt:
        table.facts["felt"] = felt
        table.to("damage", 0)


def _felt(table: Draft, foe: str) -> str:
    """What a hit did, in words."""
    facts, one = table.facts, table.state["adversaries"][foe]
    if one["minion"]:
        return f"{one['name']}: {facts['defeated']} beaten, {one['count']} left"
    end = ", beaten" if one["defeated"] else ""
    return f"{one['name']}: {facts['severity']}, HP {one['hp']}/{one['hp_max']}{end}"


# -- the GM's side --------------------------------------------------------------------------------------


def adversary_attack(table: Draft) -> Procedure:
    """A d20 against Evasion. Where the damage is known it is rolled at once, and waits for whoever was hit."""
    who = yield ask_target(table, facing(table.state), "Who attacks", key="adversary")
    one = table.state["adversaries"][who]
    aims = {
        pc: me for pc, me in table.state["party"].items() if me["status"] == "alive" and me["down"] != "unconscious"
    }
    if not aims:
        raise Refused("There is nobody to attack.")
    targets = yield Choose(
        key="targets",
        title="Against whom",
        options=tuple(
            Option(pc, shown_line(me["name"]), ", ".join((f"Evasion {me['evasion']}", *conditions(me))))
            for pc, me in aims.items()
        ),
        least=1,
        most=len(aims),
        default=list(aims)[:1],
        quiet=len(aims) == 1,
    )
    group = 0
    if one["minion"]:
        group = yield Number(
            key="group",
            title="minions that attack as one, for 1 Fear",
            low=0,
            high=one["count"],
            default=0,
            quiet=True,
        )
    why = footing(table.state, targets)
    own = yield from ask_net(why=why)
    chosen = yield from _experiences(table, who)
    paid = yield from _once_more(table, who)
    cost = len(chosen) + bool(group) + paid
    if cost > table.state["fear"]:
        raise Refused(f"This costs {cost} Fear, and there is {table.state['fear']}.")
    table.by("fear", -cost)
    table.by("fear_spent", cost)
    plus = one["attack"] + sum(one["experiences"][each]["bonus"] for each in chosen)
    evasions = [(shown_line(aims[pc]["name"], 20), aims[pc]["evasion"]) for pc in targets]
    meant = " and ".join(f"{called}, Evasion {evasion}" for called, evasion in evasions)
    faces = yield Roll(
        key="dice",
        title=f"{name(table.state, who)} attacks {meant}: d20 {signed(plus)}",
        dice={"d20": (20, 20) if own else (20,)},
        odds=attack_odds_on(evasions, plus, own),
    )
    lies = Attack(tuple(faces["d20"]), own, plus)
    hits = sorted(pc for pc in targets if lies.hits(aims[pc]["evasion"]))
    table.by(f"adversaries.{who}.spotlit", 1)
    table.facts |= {
        "adversary": one["name"],
        "d20": list(lies.faces),
        "kept": lies.kept,
        "plus": plus,
        "total": lies.total,
        "hits": hits,
        "targets": [aims[pc]["name"] for pc in targets],
        "hit_names": [aims[pc]["name"] for pc in hits],
        "critical": lies.critical,
    }
    if own and why[own < 0]:
        table.facts |= {"own": own, "because": why[own < 0]}
    table.to("critical", lies.critical)
    if hits:
        yield from _harm(table, one, hits, group, critical=lies.critical)


def _once_more(table: Draft, who: str) -> Generator[Prompt, Answer, bool]:
    """One spotlight comes with a GM's turn. Whether another was paid for is the table's word."""
    acted = [ident for ident, one in table.state["adversaries"].items() if one["spotlit"]]
    if not acted:
        return False
    has = "it" if who in acted else name(table.state, acted[0])
    paid: bool = yield Confirm(
        key="pay",
        title=f"{has} has acted; one more spotlight: pay 1 Fear",
        hot="p",
        default=False,
        quiet=True,
        reason="" if table.state["fear"] else "there is no Fear",
    )
    return paid


def _experiences(table: Draft, who: str) -> Generator[Prompt, Answer, list[str]]:
    """1 Fear each."""
    known = table.state["adversaries"][who]["experiences"]
    if not known:
        return []
    none_left = "" if table.state["fear"] else "there is no Fear"
    chosen: list[str] = yield Choose(
        key="experiences",
        title="Experiences, 1 Fear each",
        options=tuple(
            Option(ident, f"{shown_line(each['name'], 24)} {signed(each['bonus'])}", "1 Fear", none_left)
            for ident, each in known.items()
        ),
        least=0,
        most=len(known),
        default=[],
        quiet=True,
    )
    return chosen


def _harm(table: Draft, one: Mapping[str, Any], hits: list[str], group: int, *, critical: bool) -> Procedure:
    """What the hit deals is owed by each who was hit: they say how they take it."""
    total = 0
    if group:
        total = one["damage_each"] * group
        table.facts["damage"] = total
        table.to("critical", False)
    elif is_dice(text := one["reduced"] if is_reduced(one) and one["reduced"] else one["damage"]):
        total = yield from damage_of(table, text, 1, critical=critical)
    if total:
        for pc in hits:
            table.by(f"{pc}.owed.damage_{total}_{one['damage_type']}", 1)
        table.to("damage", 0)
