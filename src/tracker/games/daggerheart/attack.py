"""Attacks of the party with weapons, and attacks and reactions of adversaries."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import signed
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll, choose_any
from tracker.games.daggerheart.action import (
    SECRET,
    RollResult,
    ask_countdowns,
    ask_difficulty,
    ask_net,
    at_stake,
    others,
    outcome_of,
    pay_fear,
    plan_roll,
    remember,
    rerolled,
    spend_token,
    throw,
)
from tracker.games.daggerheart.derived_values import (
    HIDDEN,
    UNARMED,
    are_secret,
    arms,
    at,
    conditions,
    facing,
    footing,
    is_reduced,
    name,
    record,
)
from tracker.games.daggerheart.dice import (
    BARE,
    CRITICAL,
    Attack,
    Duality,
    attack_odds_on,
    d20_odds,
    dice,
    is_dice,
    is_success,
    with_sign,
)
from tracker.games.daggerheart.harm import damage_of, deal, over, take_damage
from tracker.games.daggerheart.shared_prompts import ask_target
from tracker.text import shown_line


def attack(table: Draft) -> Procedure:
    """Attack adversaries with a weapon of the acting character. On a success, roll damage once, for every target hit.

    Raise Refused if the character cannot act now or lacks the Hope for the chosen Experiences, or if the Difficulty is
    secret while another secret roll waits for its verdict.
    """
    table.begin("attack")
    weapons = arms(table.me)
    weapon = yield Pick(
        key="weapon",
        title="Weapon",
        options=tuple(weapon_option(ident, one) for ident, one in weapons.items()),
        default=next(iter(weapons)) if len(weapons) <= 2 else None,
        quiet=len(weapons) <= 2,
        aside=len(weapons) <= 2,  # bare hands are the only alternative to one weapon, and hardly ever wanted
    )
    one = weapons[weapon]
    aims = yield from ask_aims(table)
    concealed = bool(aims) and are_secret(table.state)
    difficulty = yield from ask_difficulty(table, default=min(aims.values()) if aims else None, concealed=concealed)
    listening = yield from ask_countdowns(table)
    trait = one["trait"] if weapon != UNARMED else (yield ask_bare_trait(table.me))
    meant = yield from plan_roll(table, table.who, trait, helpers=others(table.state, table.who), targets=aims)
    deals = dice(one["damage"], table.me["proficiency"]) if is_dice(one["damage"]) else None
    stakes = at_stake(table, (table.who,), difficulty, listening, deals)
    against = named(table, aims, difficulty)
    thrown = yield from throw(table, meant, difficulty, stakes=stakes, against=against, concealed=concealed)
    dealt = None
    if _deals(one, _outcome(thrown.lies, difficulty)):  # roll damage now: the player sees it when a reroll is offered
        _tell(table, thrown, one, difficulty, concealed=concealed)
        dealt = yield from deal(one["damage"], table.me["proficiency"])
    thrown = yield from rerolled(table, thrown)
    _tell(table, thrown, one, difficulty, concealed=concealed)
    spend_token(table, table.who)
    come_out(table, table.who)
    outcome = outcome_of(table, (table.who,), table.who, thrown.lies, difficulty, listening, concealed=concealed)
    if not aims:
        remember(table, difficulty)
    if not _deals(one, outcome):
        return
    dealt = dealt or (yield from deal(one["damage"], table.me["proficiency"]))
    total = yield from damage_of(table, dealt, critical=outcome == CRITICAL)
    yield from strike(table, struck(aims, difficulty, thrown.lies), total, one["type"])


def _outcome(lies: Duality, difficulty: int) -> str:
    return lies.outcome(difficulty) if difficulty else lies.unsettled


def _deals(weapon: Mapping[str, Any], outcome: str) -> bool:
    return is_success(outcome) and is_dice(weapon["damage"])


def _tell(table: Draft, thrown: RollResult, weapon: Mapping[str, Any], difficulty: int, *, concealed: bool) -> None:
    lies = thrown.lies
    shown = SECRET if concealed else difficulty
    told = {"total": lies.total, "difficulty": shown, "outcome": _outcome(lies, difficulty)}
    table.facts |= {**thrown.facts, **told, "weapon": weapon["name"]}


def come_out(table: Draft, who: str) -> None:
    """End the Hidden condition of the attacker `who`; do nothing if the attacker is not Hidden."""
    if HIDDEN in record(table.state, who)["conditions"]:
        table.drop(f"{at(table.state, who)}.conditions", HIDDEN)


def ask_bare_trait(me: Mapping[str, Any]) -> Pick:
    """Return the prompt for the trait of an attack with bare hands. The default is the better of the two."""
    return Pick(
        key="trait",
        title="Trait",
        options=tuple(Option(trait, f"{trait.capitalize()} {signed(me[trait])}") for trait in BARE),
        default=arms(me)[UNARMED]["trait"],
        quiet=True,
    )


def weapon_option(ident: str, one: Mapping[str, Any]) -> Option:
    return Option(
        ident, shown_line(one["name"]), f"{one['trait']}, {one['damage'] or 'no damage dice'}, {one['range']}"
    )


def ask_aims(table: Draft) -> Generator[Prompt, Answer, dict[str, int]]:
    """Ask which adversaries to attack; return {id: Difficulty} of those chosen. Players see it if the campaign allows.

    Return {} if none is chosen, and without asking if there is none.
    """
    there = {foe: table.state["adversaries"][foe] for foe in facing(table.state)}
    if not there:
        return {}
    secret = are_secret(table.state)
    targets = yield Choose(
        key="targets",
        title="Targets",
        options=tuple(
            Option(foe, name(table.state, foe), ", ".join((*known, *conditions(one))))
            for foe, one in there.items()
            for known in [() if secret else (f"Difficulty {one['difficulty']}",)]
        ),
        least=0,
        most=len(there),
        default=list(there)[:1],
        quiet=len(there) == 1,
    )
    return {foe: there[foe]["difficulty"] for foe in targets}


def named(table: Draft, aims: Mapping[str, int], difficulty: int) -> str:
    """Return the targets in words, each with the total that hits it unless that is secret; "" without targets.

    `aims` holds the Difficulty of each target by id, and `difficulty` is the one that the player entered. If it differs
    from the lowest in `aims`, the Difficulty of every target is changed by the same amount.
    """
    if are_secret(table.state):
        return " and ".join(name(table.state, foe) for foe in aims)
    more = difficulty - min(aims.values(), default=0)  # a changed Difficulty moves that of every target
    return " and ".join(f"{name(table.state, foe)}, {own + more}" for foe, own in aims.items())


def struck(aims: Mapping[str, int], difficulty: int, lies: Duality) -> list[str]:
    """Return the ids of the targets that the roll `lies` hits; [] for none. A critical hits all of them.

    `aims` holds the Difficulty of each target by id, and `difficulty` is the one that the player entered. If it differs
    from the lowest in `aims`, the Difficulty of every target is changed by the same amount.
    """
    more = difficulty - min(aims.values(), default=0)
    return [foe for foe, own in aims.items() if lies.critical or lies.total >= own + more]


def strike(table: Draft, hits: list[str], total: int, sort: str) -> Procedure:
    """Deal `total` damage of the type `sort` to each adversary in `hits`.

    The effect on each adversary is stored, in words, in the fact `felt`.
    """
    felt = []
    for foe in hits:
        yield from take_damage(table, foe, total, sort)
        felt.append(_felt(table, foe))
    if felt:
        table.facts["felt"] = felt
        over(table)


def _felt(table: Draft, foe: str) -> str:
    """Return the effect of a hit on the adversary `foe` in words, such as "Wolf: major, HP 2/5 marked".

    The facts of the draft must still be those of that hit.
    """
    facts, one = table.facts, table.state["adversaries"][foe]
    if one["minion"]:
        return f"{one['name']}: {facts['defeated']} defeated, {one['count']} left"
    end = ", defeated" if one["defeated"] else ""
    most = "" if are_secret(table.state) else f"/{one['hp_max']}"
    return f"{one['name']}: {facts['severity']}, HP {one['hp']}{most} marked{end}"


# -- the GM's side --------------------------------------------------------------------------------------
def adversary_attack(table: Draft) -> Procedure:
    """Attack characters with one adversary: a d20 against Evasion, then damage, which becomes due for each one hit.

    Fear is spent on Experiences, on a group attack by minions, and on acting twice in a turn. Raise Refused if there is
    no adversary, nobody to attack, or too little Fear.
    """
    who = yield ask_target(table, facing(table.state), "Who attacks?", key="adversary")
    one = table.state["adversaries"][who]
    aims = {
        pc: me for pc, me in table.state["party"].items() if me["status"] == "alive" and me["down"] != "unconscious"
    }
    if not aims:
        raise Refused("There is no one to attack.")
    targets = yield Choose(
        key="targets",
        title=f"Who does {name(table.state, who)} attack?",
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
            title="group attack for 1 Fear: minions in it",
            low=0,
            high=one["count"],
            default=0,
            quiet=True,
        )
    why = footing(table.state, targets)
    own = yield from ask_net(why=why)
    chosen = yield from with_experiences(table, who)
    paid = yield from _once_more(table, who)
    pay_fear(table, len(chosen) + bool(group) + paid)
    plus = one["attack"] + sum(one["experiences"][each]["bonus"] for each in chosen)
    evasions = [(shown_line(aims[pc]["name"], 20), aims[pc]["evasion"]) for pc in targets]
    meant = " and ".join(f"{called}, Evasion {evasion}" for called, evasion in evasions)
    thrown: dict[str, int | tuple[int, ...]] = {"d20": (20, 20) if own else (20,)}
    faces = yield Roll(
        key="dice",
        title=f"{name(table.state, who)} attacks {meant}: d20 {with_sign(plus)}",
        dice=thrown,
        odds=attack_odds_on(evasions, plus, own),
    )
    lies = Attack(tuple(faces["d20"]), own, plus)
    if own and why[own < 0]:
        table.facts |= {"own": own, "because": why[own < 0]}
    hits = _tell_attack(table, one, aims, targets, lies)
    text = "" if group else one["reduced"] if is_reduced(one) and one["reduced"] else one["damage"]
    dealt = (yield from deal(text, 1)) if hits and is_dice(text) else None
    again = yield Confirm(key="reroll", title="Reroll the attack", default=False, quiet=True, aside=True)
    if again:
        faces = yield Roll(key="reroll_dice", title="Reroll these; the new results count", dice=thrown, at_once=True)
        lies = Attack(tuple(faces["d20"]), own, plus)
        hits = _tell_attack(table, one, aims, targets, lies)
    table.by(f"adversaries.{who}.spotlit", 1)
    come_out(table, who)
    table.to("critical", lies.critical)
    if not hits:
        return
    if group:
        total = table.facts["damage"] = one["damage_each"] * group
    elif is_dice(text):
        total = yield from damage_of(table, dealt or (yield from deal(text, 1)), critical=lies.critical)
    else:
        return
    for pc in hits if total else ():
        table.by(f"{pc}.owed.damage_{total}_{one['damage_type']}", 1)
    over(table)


def _tell_attack(
    table: Draft, one: Mapping[str, Any], aims: Mapping[str, Any], targets: list[str], lies: Attack
) -> list[str]:
    """Store an adversary's attack in the facts; return the ids of the characters that it hits.

    `one` is the adversary's record, `aims` the records of all who could be attacked, `targets` the ids of those who
    are, and `lies` the roll of the d20.
    """
    hits = sorted(pc for pc in targets if lies.hits(aims[pc]["evasion"]))
    table.facts |= {
        "adversary": one["name"],
        "d20": list(lies.faces),
        "kept": lies.kept,
        "plus": lies.plus,
        "total": lies.total,
        "hits": hits,
        "targets": [aims[pc]["name"] for pc in targets],
        "hit_names": [aims[pc]["name"] for pc in hits],
        "critical": lies.critical,
    }
    return hits


def _once_more(table: Draft, who: str) -> Generator[Prompt, Answer, bool]:
    """Ask whether the GM pays 1 Fear for another adversary's turn after one has acted; return True if so.

    Return False without asking if none has acted. `who` is the adversary that acts now. The caller spends the Fear.
    """
    acted = [ident for ident, one in table.state["adversaries"].items() if one["spotlit"]]
    if not acted:
        return False
    has = "it" if who in acted else name(table.state, acted[0])
    paid: bool = yield Confirm(
        key="pay",
        title=f"pay 1 Fear: {has} has acted",
        hot="p",
        default=False,
        quiet=True,
        reason="" if table.state["fear"] else "no Fear left",
    )
    return paid


def with_experiences(table: Draft, who: str) -> Generator[Prompt, Answer, list[str]]:
    """Ask which of its Experiences the adversary `who` uses; return their ids, [] if it has none.

    Each costs 1 Fear, which the caller has to spend.
    """
    known = table.state["adversaries"][who]["experiences"]
    if not known:
        return []
    none_left = "" if table.state["fear"] else "no Fear left"
    chosen: list[str] = yield choose_any(
        key="experiences",
        title="Experiences, 1 Fear each",
        options=tuple(
            Option(ident, f"{shown_line(each['name'], 24)} {signed(each['bonus'])}", "1 Fear", none_left)
            for ident, each in known.items()
        ),
    )
    return chosen


def roll(table: Draft) -> Procedure:
    """Roll an adversary's d20 against a Difficulty and store the result in the facts. A natural 20 succeeds.

    The state changes only by the Fear spent on Experiences. Raise Refused if there is no adversary or too little Fear.
    """
    who = yield ask_target(table, facing(table.state), "Who rolls?", key="adversary")
    one = table.state["adversaries"][who]
    difficulty = yield from ask_difficulty(table, secret=False)
    own = yield from ask_net()
    chosen = yield from with_experiences(table, who)
    pay_fear(table, len(chosen))
    plus = sum(one["experiences"][each]["bonus"] for each in chosen)
    faces = yield Roll(
        key="dice",
        title=f"{name(table.state, who)}: d20 {with_sign(plus)} against Difficulty {difficulty}",
        dice={"d20": (20, 20) if own else (20,)},
        odds=d20_odds(difficulty, plus, own),
    )
    lies = Attack(tuple(faces["d20"]), own, plus)
    table.facts |= {
        "adversary": one["name"],
        "d20": list(lies.faces),
        "kept": lies.kept,
        "plus": plus,
        "total": lies.total,
        "difficulty": difficulty,
        "outcome": "success" if lies.hits(difficulty) else "failure",
    }
