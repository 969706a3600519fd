"""Attacks: a weapon against adversaries, to the HP that they mark; and the GM's d20 against the party."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.asking import ask_target
from tracker.games.daggerheart.beings import at_hand, facing, is_reduced, name
from tracker.games.daggerheart.damage import is_dice
from tracker.games.daggerheart.harm import damage_of, suffer
from tracker.games.daggerheart.legal import begin
from tracker.games.daggerheart.odds import attack_odds, shown_attack
from tracker.games.daggerheart.outcome import ask_countdowns, at_stake, outcome_of, spend_token
from tracker.games.daggerheart.rolling import ask_difficulty, ask_net, declared, throw
from tracker.games.daggerheart.rolls import CRITICAL, Attack, is_success
from tracker.games.prompts import Answer, Choose, Number, Option, Pick, Prompt, Refused, Roll
from tracker.games.words import signed
from tracker.text import shown_line


def attack(table: Draft) -> Procedure:
    """One attack roll with a weapon; on a success one damage roll, and every target that was hit takes it."""
    begin(table, "attack")
    weapons = at_hand(table.me)
    weapon = yield Pick(
        key="weapon",
        title="With what",
        options=tuple(
            Option(
                ident, shown_line(one["name"]), f"{one['trait']}, {one['damage'] or 'no damage dice'}, {one['range']}"
            )
            for ident, one in weapons.items()
        ),
        default=next(iter(weapons)) if len(weapons) == 1 else None,
        quiet=len(weapons) == 1,
    )
    one = weapons[weapon]
    foes = facing(table.state)
    targets: list[str] = []
    if foes:
        targets = yield Choose(
            key="targets",
            title="Against whom",
            options=tuple(
                Option(foe, name(table.state, foe), f"Difficulty {table.state['adversaries'][foe]['difficulty']}")
                for foe in foes
            ),
            least=0,
            most=len(foes),
            default=foes[:1],
            quiet=len(foes) == 1,
        )
    aims = {foe: table.state["adversaries"][foe]["difficulty"] for foe in targets}
    difficulty = yield ask_difficulty(table, default=min(aims.values()) if aims else None)
    listening = yield from ask_countdowns(table)
    meant = yield from declared(table, table.who, one["trait"])
    lies = yield from throw(table, meant, difficulty, stakes=at_stake(table, (table.who,), difficulty, listening))
    table.facts |= {**meant.facts, "weapon": one["name"]}
    spend_token(table, table.who)
    outcome = outcome_of(table, (table.who,), table.who, lies, difficulty, listening)
    table.to("critical", outcome == CRITICAL)
    hits = [
        foe
        for foe, own in aims.items()
        if outcome == CRITICAL or lies.total - own >= difficulty - min(aims.values())  # it is changed for all of them
    ]
    if not is_success(outcome) or not is_dice(one["damage"]):
        return
    total = yield from damage_of(table, one["damage"], table.me["proficiency"], critical=outcome == CRITICAL)
    felt = []
    for foe in hits:
        yield from suffer(table, foe, total, one["type"])
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
        options=tuple(Option(pc, shown_line(me["name"]), f"Evasion {me['evasion']}") for pc, me in aims.items()),
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
    own = yield from ask_net()
    chosen = yield from _experiences(table, who)
    cost = len(chosen) + bool(group)
    if cost > table.state["fear"]:
        raise Refused(f"This costs {cost} Fear, and there is {table.state['fear']}.")
    table.by("fear", -cost)
    table.by("fear_spent", cost)
    plus = one["attack"] + sum(one["experiences"][each]["bonus"] for each in chosen)
    faces = yield Roll(
        key="dice",
        title=f"{name(table.state, who)} attacks: d20 {signed(plus)}",
        dice={"d20": (20, 20) if own else (20,)},
        odds=shown_attack(attack_odds(min(aims[pc]["evasion"] for pc in targets), plus, own)),
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
    table.to("critical", lies.critical)
    if hits:
        yield from _harm(table, one, hits, group, critical=lies.critical)


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
