"""How things are told: the roll card, as the table says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.daggerheart.catalogue import MOVES
from tracker.games.daggerheart.changing import changes, label
from tracker.games.daggerheart.outcome import wasted
from tracker.games.daggerheart.rolls import CRITICAL, FACES, MARKS, announced, is_with_hope
from tracker.games.facts import is_whole, number, text, word
from tracker.games.fortune import asked, told_tables
from tracker.games.sheet import Card, Die, Tone
from tracker.games.words import signed
from tracker.text import shown_line

__all__ = ["card", "changes", "label"]

TONES: dict[str, Tone] = {
    CRITICAL: "good",
    "success with hope": "good",
    "success with fear": "mid",
    "failure with hope": "mid",
    "failure with fear": "bad",
    "with hope": "",
    "with fear": "",
    "success": "good",
    "failure": "bad",
}


def card(did: str, facts: Mapping[str, Any]) -> Card:
    """A roll in words, the same in every driver."""
    name = MOVES[did].name if did in MOVES else shown_line(did)
    if heading := facts.get("heading"):
        return Card(name, heading=shown_line(str(heading)))
    if _face(facts, "hope") and _face(facts, "fear") and word(facts, "outcome", MARKS) and is_whole(facts.get("total")):
        return _duality(name, facts)
    if isinstance(facts.get("d20"), list) and is_whole(facts.get("kept")):
        return _attack(facts) if "hits" in facts else _reaction(facts)
    if isinstance(facts.get("tables"), list):
        return told_tables(name, facts)
    if is_whole(facts.get("fate")):
        return _fate(name, facts)
    if _lie(facts):
        return _damage(name, facts)
    if "choice" in facts:
        return _death(name, facts)
    if word(facts, "outcome", MARKS):
        outcome = facts["outcome"]
        by = shown_line(str(facts.get("by", "")))
        return Card(name, MARKS[outcome], outcome.upper(), TONES[outcome], by, _fired(facts), short=outcome)
    told = text(facts, "told")
    return Card(name, sum="; ".join(filter(None, (_taken(facts) or told, _fired(facts)))), short=_what_for(did, told))


def _what_for(did: str, told: str) -> str:
    """What something was spent on: the number that changed does not say it."""
    return told if did in {"gm/spend_fear", "hope/spend_hope"} else ""


def _duality(name: str, facts: Mapping[str, Any]) -> Card:
    outcome, total = facts["outcome"], facts["total"]
    trait = text(facts, "trait").capitalize()
    weapon = text(facts, "weapon")
    if facts.get("reaction"):
        said = f"{total}, {outcome}" if outcome != CRITICAL else announced(total, outcome)
    else:
        said = announced(total, outcome)
    title = weapon or trait
    if name not in {MOVES["action/roll"].name, MOVES["action/attack"].name}:
        title = f"{name}: {', '.join(filter(None, (text(facts, 'roller'), title)))}"
    dice, beside = facts["hope"] + facts["fear"], number(facts, "beside")
    rest = total - dice - beside
    added = f"{'+' if rest >= 0 else '-'} {abs(rest)}"
    if len(_dice(facts)) > 2:  # not all that lies there counts
        added = f"{dice} {added} {'+' if beside >= 0 else '-'} {abs(beside)}"
    return Card(
        title,
        MARKS[outcome],
        said,
        TONES[outcome],
        f"{facts['hope']} + {facts['fear']} {_plus(facts, trait)}= {total}",
        "; ".join(filter(None, (_against(facts), *_why(facts)))),
        _dice(facts),
        (f"{added} = {total}",),
        short=_in_short(facts, weapon or trait),
        score=total,
    )


def _in_short(facts: Mapping[str, Any], what: str) -> str:
    dealt = f", {number(facts, 'damage_total')} damage" if facts.get("rolled") else ""
    return f"{what}: {_against(facts)}{dealt}"


def _plus(facts: Mapping[str, Any], trait: str) -> str:
    """What was added to the two dice, one thing after the other."""
    words = ""
    value = number(facts, "trait_value")
    words += f"{'+' if value >= 0 else '-'} {trait} {abs(value)} "
    known = facts.get("experiences")
    for one in known if isinstance(known, list) else ():
        words += f"+ {shown_line(str(one))} "
    if bonus := number(facts, "bonus"):
        words += f"{'+' if bonus > 0 else '-'} {abs(bonus)} of the others "
    if beside := number(facts, "beside"):
        words += f"{'+' if beside > 0 else '-'} {abs(beside)} of the d6 "
    return words


def _against(facts: Mapping[str, Any]) -> str:
    outcome, difficulty = facts["outcome"], number(facts, "difficulty")
    if outcome == CRITICAL:
        return "equal dice: it works whatever the total"
    if not difficulty:
        return "the GM judges it"
    return f"{'success' if outcome.startswith('success') else 'failure'} against {difficulty}"


def _why(facts: Mapping[str, Any]) -> list[str]:
    words = [_hope(facts, paid)] if (paid := number(facts, "paid")) else []
    helpers = facts.get("helped_by")
    if isinstance(helpers, list):
        words.append(f"helped by {shown_line(', '.join(map(str, helpers)))}")
    if because := text(facts, "because"):
        words.append(f"{'advantage' if number(facts, 'own') > 0 else 'disadvantage'}: {because}")
    if counts := text(facts, "counts"):
        words.append(f"{counts}'s roll counts for both")
    others = facts.get("rolls")
    if isinstance(others, list) and others:
        words.append(f"besides: {shown_line('; '.join(map(str, others)), 200)}")
    if facts.get("by_hand"):
        words.append("Hope and Fear by hand")
    words += wasted(facts)
    if facts.get("rolled"):
        critical = ", critical" if facts.get("critical") else ""
        words.append(f"damage {text(facts, 'rolled')}{critical}: {number(facts, 'damage_total')}")
    felt = facts.get("felt")
    for one in felt if isinstance(felt, list) else ():
        words.append(shown_line(str(one), 100))
    if facts.get("reaction") and "damage" in facts:
        words.append(f"damage {number(facts, 'damage')}")
    return [*words, _fired(facts)]


def _hope(facts: Mapping[str, Any], paid: int) -> str:
    """What was paid, and what came back: where they are equal no number changes."""
    back = is_with_hope(facts["outcome"]) and not (
        facts.get("reaction") or facts.get("by_hand") or facts.get("wasted_hope")
    )
    return f"{paid} Hope paid{', 1 gained' if back else ''}"


def _fired(facts: Mapping[str, Any]) -> str:
    fired = facts.get("fired")
    if not isinstance(fired, list) or not fired:
        return ""
    names = facts.get("fired_names")
    said = names if isinstance(names, list) else [str(one).replace("_", " ") for one in fired]
    return f"{shown_line(' and '.join(map(str, said)), 120)} {'fires' if len(fired) == 1 else 'fire'}"


def _dice(facts: Mapping[str, Any]) -> tuple[Die, ...]:
    hope, fear = facts["hope"], facts["fear"]
    dice = [Die(hope, FACES, "Hope", counts=hope >= fear), Die(fear, FACES, "Fear", counts=fear >= hope)]
    if number(facts, "d6"):
        word = "advantage" if number(facts, "own") > 0 else "disadvantage"
        dice.append(Die(facts["d6"], number(facts, "own_die") or 6, word))
    given = facts.get("help_dice")
    dice += [Die(face, 6, "help") for face in (given if isinstance(given, list) else ()) if isinstance(face, int)]
    return tuple(dice)


def _attack(facts: Mapping[str, Any]) -> Card:
    hit = facts.get("hit_names")
    names = shown_line(", ".join(map(str, hit))) if isinstance(hit, list) and hit else ""
    critical = bool(facts.get("critical"))
    outcome = "CRITICAL HIT" if critical and names else "HIT" if names else "MISS"
    total = number(facts, "total")
    why = [f"hits {names}" if names else "nobody is hit"]
    if facts.get("rolled"):
        critical_too = ", critical" if critical else ""
        why.append(f"damage {text(facts, 'rolled')}{critical_too}: {number(facts, 'damage_total')}")
    elif "damage" in facts:
        why.append(f"damage {number(facts, 'damage')}")
    return Card(
        f"{text(facts, 'adversary')} attacks",
        "■" if names else "□",
        outcome,
        "bad" if names else "good",
        f"{facts['kept']} {signed(number(facts, 'plus'))} = {total}",
        "; ".join(why),
        _d20(facts),
        short=f"{total}, {outcome.lower()}",
        score=total,
    )


def _reaction(facts: Mapping[str, Any]) -> Card:
    outcome = "success" if facts.get("outcome") == "success" else "failure"
    total = number(facts, "total")
    return Card(
        f"{text(facts, 'adversary')} reacts",
        MARKS[outcome],
        outcome.upper(),
        "bad" if outcome == "success" else "good",
        f"{facts['kept']} {signed(number(facts, 'plus'))} = {total}",
        f"against {number(facts, 'difficulty')}",
        _d20(facts),
        short=f"{total}, {outcome}",
        score=total,
    )


def _d20(facts: Mapping[str, Any]) -> tuple[Die, ...]:
    faces = [face for face in facts["d20"] if isinstance(face, int)]
    if facts["kept"] not in faces:  # somebody has edited them
        return ()
    return tuple(Die(face, 20, "kept" if n == faces.index(facts["kept"]) else "") for n, face in enumerate(faces))


def _damage(name: str, facts: Mapping[str, Any]) -> Card:
    total, rolled = number(facts, "damage_total"), text(facts, "rolled")
    dice = tuple(Die(face, sides) for face, sides in zip(facts["faces"], facts["sides"], strict=True))
    why = "critical: the most of the dice is added" if facts.get("critical") else ""
    return Card(name, sum=f"{rolled}: {total} damage", why=why, dice=dice, short=f"{total} damage", score=total)


def _fate(name: str, facts: Mapping[str, Any]) -> Card:
    answer = text(facts, "answer").upper()
    told = asked(facts, f"{text(facts, 'odds')}: {answer.lower()}")
    return Card(name, f"{facts['fate']:>2}", answer, sum=told, dice=(Die(facts["fate"], FACES, "fate"),), short=told)


def _death(name: str, facts: Mapping[str, Any]) -> Card:
    choice = text(facts, "choice").replace("_", " ").title()
    told = text(facts, "told")
    dice = []
    for key in ("hope", "fear"):
        if _face(facts, key):
            dice.append(Die(facts[key], FACES, key.capitalize()))
    tone: Tone = "bad" if told == "dead" or choice.startswith("Blaze") else "mid" if told == "a scar" else "good"
    lie = " against ".join(f"{die.word} {die.face}" for die in dice)
    return Card(
        f"{name}: {choice}",
        "",
        told.upper() if dice else "",
        tone,
        lie or told,
        text(facts, "warning"),
        tuple(dice),
        short=", ".join(filter(None, (choice, lie or told))),
    )


def _taken(facts: Mapping[str, Any]) -> str:
    """What a hit did."""
    if "severity" not in facts:
        return ""
    target, incoming, left = text(facts, "target"), number(facts, "incoming"), number(facts, "damage")
    words = f"{target}: {incoming} damage"
    if left != incoming:
        words += f", {left} arrives"
    if "slots" in facts:
        words += ", an Armor Slot marked"
    if beaten := number(facts, "defeated"):
        return f"{words}; beaten: {beaten}"
    severity = text(facts, "severity")
    return f"{words}; " + (
        "nothing marked" if severity == "none" else f"{severity}, {number(facts, 'marked')} HP marked"
    )


def _face(facts: Mapping[str, Any], key: str) -> bool:
    return 1 <= number(facts, key) <= FACES


def _lie(facts: Mapping[str, Any]) -> bool:
    """Whether damage dice lie there; somebody may have edited them."""
    faces, sides = facts.get("faces"), facts.get("sides")
    return (
        isinstance(faces, list)
        and isinstance(sides, list)
        and len(faces) == len(sides)
        and all(map(is_whole, (*faces, *sides)))
        and "damage_total" in facts
    )
