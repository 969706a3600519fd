"""Roll cards, and phrases for changes, as the journal and the dialog show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tracker.games.api import phrases
from tracker.games.api.facts import is_whole, items, number, numbers, text, with_question, word
from tracker.games.api.phrases import Change, Phrases, arrow, owed, possessor, signed
from tracker.games.api.schema import State
from tracker.games.api.view import Card, Die, Tone
from tracker.games.common import scenes
from tracker.games.common.oracle import tables_card
from tracker.games.daggerheart.derived_values import VULNERABLE, gold_words, is_worn_out, thresholds
from tracker.games.daggerheart.dice import (
    CRITICAL,
    FACES,
    MARKS,
    OUTCOMES,
    TRAITS,
    in_capitals,
    is_with_hope,
    term,
    with_sign,
)
from tracker.games.daggerheart.moves import MOVES, owed_label
from tracker.games.daggerheart.state import ARMOR_BASE, COUNTDOWN, SETTINGS, TIERS, TOP
from tracker.text import shown_line

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
    """Return the card of an entry from its facts. `did` is the id of the move that was made.

    The facts may have been edited by hand, so each is checked before it is used.
    """
    name = MOVES[did].name if did in MOVES else shown_line(did)
    if heading := facts.get("heading"):
        return Card(name, heading=shown_line(str(heading)))
    if _face(facts, "hope") and _face(facts, "fear") and word(facts, "outcome", MARKS) and is_whole(facts.get("total")):
        return _duality(name, facts)
    if isinstance(facts.get("d20"), list) and is_whole(facts.get("kept")):
        return _attack(facts) if "hits" in facts else _reaction(facts)
    if isinstance(facts.get("tables"), list):
        return tables_card(name, facts)
    if is_whole(facts.get("fate")):
        return _fate(name, facts)
    if _lie(facts):
        return _damage(name, facts)
    if "choice" in facts:
        return _death(name, facts)
    if word(facts, "outcome", MARKS):
        outcome = facts["outcome"]
        by = shown_line(str(facts.get("by", "")))
        return Card(
            name,
            MARKS[outcome],
            outcome.upper(),
            TONES[outcome],
            by,
            tuple(filter(None, [_fired(facts)])),
            short=in_capitals(outcome),
            in_words=in_capitals(outcome),
        )
    told = text(facts, "told")
    short = _hit(facts) or _what_for(did, told)
    return Card(name, sum="; ".join(filter(None, (_taken(facts) or told, _fired(facts)))), short=short)


def _what_for(did: str, told: str) -> str:
    """Return `told`, the note of an entry, if its move `did` only spends Hope or Fear; "" for other moves.

    The note of such an entry says what the Hope or Fear was spent on.
    """
    return told if did in {"gm/spend_fear", "hope/spend_hope"} else ""


def _duality(name: str, facts: Mapping[str, Any]) -> Card:
    outcome, total = facts["outcome"], facts["total"]
    trait = text(facts, "trait").capitalize()
    weapon = text(facts, "weapon")
    said = f"{outcome} · {total}"
    title = weapon or trait
    if name not in {MOVES["action/roll"].name, MOVES["action/attack"].name}:
        title = f"{name}: {', '.join(filter(None, (text(facts, 'roller'), title)))}"
    plus = _plus(facts, trait)
    return Card(
        title,
        MARKS[outcome],
        said.upper(),
        TONES[outcome],
        f"{facts['hope']} + {facts['fear']} {plus}= {total}",
        tuple(filter(None, (_against(facts), *_why(facts)))),
        _dice(facts),
        short=_in_short(facts, weapon or trait),
        score=total,
        in_words=in_capitals(said),
        faces=f"Hope {facts['hope']} + Fear {facts['fear']} {plus}= {total}",
    )


def _in_short(facts: Mapping[str, Any], what: str) -> str:
    dealt = f", {number(facts, 'damage_total')} damage" if facts.get("rolled") else ""
    against = _against(facts)
    if not against:
        return what + dealt
    if against.startswith("against"):
        return f"{what} vs {number(facts, 'difficulty')}{dealt}"
    return f"{what}: {against}{dealt}"


def _plus(facts: Mapping[str, Any], trait: str) -> str:
    """Return the terms that were added to the two d12, in words. `trait` is the name of the trait rolled with."""
    words = f"{with_sign(number(facts, 'trait_value'), trait)} "
    known = facts.get("experiences")
    for one in known if isinstance(known, list) else ():
        words += f"{term(str(one))} "
    if modifier := number(facts, "modifier"):
        words += f"{with_sign(modifier)} "
    if bonus := number(facts, "bonus"):
        words += f"{with_sign(bonus)} from the group "
    words += _beside(facts)
    for face, sides in zip(numbers(facts, "extra_dice"), numbers(facts, "extra_sides"), strict=False):
        words += f"+ {face} from a d{sides} "
    return words


def _beside(facts: Mapping[str, Any]) -> str:
    """Return what the dice of advantage, disadvantage and help added, in words, or "".

    Two dice that both count are two terms, even if their sum is 0.
    """
    beside, own, helpers = number(facts, "beside"), number(facts, "own"), numbers(facts, "help_dice")
    die = own * number(facts, "d6")
    if own and helpers and beside == die + max(helpers):
        return f"{with_sign(die)} {'advantage' if own > 0 else 'disadvantage'} + {max(helpers)} help "
    return f"{with_sign(beside)} from the d6 " if beside else ""


def _against(facts: Mapping[str, Any]) -> str:
    outcome, difficulty = facts["outcome"], number(facts, "difficulty")
    if outcome == CRITICAL:
        return "matching dice: success whatever the total"
    if not difficulty:
        return "the GM decides" if outcome not in OUTCOMES else ""  # no number if players must not see it
    return f"against Difficulty {difficulty}"


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
        words.append(f"also: {shown_line('; '.join(map(str, others)), 200)}")
    if facts.get("by_hand"):
        words.append("Hope and Fear by hand")
    words += wasted(facts)
    if facts.get("rolled"):
        words.append(_dealt(facts))
    felt = facts.get("felt")
    for one in felt if isinstance(felt, list) else ():
        words.append(shown_line(str(one), 100))
    if facts.get("reaction") and "damage" in facts:
        words.append(f"damage {number(facts, 'damage')}")
    return [*words, _fired(facts)]


def wasted(facts: Mapping[str, Any]) -> list[str]:
    """Return phrases such as "1 Hope wasted" for gained Hope and Fear beyond the maximum; [] if none was lost."""
    found = ((facts.get("wasted_hope"), "Hope"), (facts.get("wasted_fear"), "Fear"))
    return [f"{lost} {what} wasted" for lost, what in found if isinstance(lost, int) and lost]


def _hope(facts: Mapping[str, Any], paid: int) -> str:
    """Return the Hope spent on a roll and gained by it in words, such as "1 Hope spent, 1 gained".

    `paid` is the Hope spent.
    """
    back = is_with_hope(facts["outcome"]) and not (
        facts.get("reaction") or facts.get("by_hand") or facts.get("wasted_hope")
    )
    return f"{paid} Hope spent{', 1 gained' if back else ''}"


def _fired(facts: Mapping[str, Any]) -> str:
    fired = facts.get("fired")
    if not isinstance(fired, list) or not fired:
        return ""
    names = facts.get("fired_names")
    said = names if isinstance(names, list) else [str(one).replace("_", " ") for one in fired]
    return f"{shown_line(' and '.join(map(str, said)), 120)} {'triggers' if len(fired) == 1 else 'trigger'}"


def _dice(facts: Mapping[str, Any]) -> tuple[Die, ...]:
    hope, fear = facts["hope"], facts["fear"]
    dice = [Die(hope, FACES, "Hope", counts=hope >= fear), Die(fear, FACES, "Fear", counts=fear >= hope)]
    if number(facts, "d6"):
        word = "advantage" if number(facts, "own") > 0 else "disadvantage"
        dice.append(Die(facts["d6"], number(facts, "own_die") or 6, word))
    given = facts.get("help_dice")
    dice += [Die(face, 6, "help") for face in (given if isinstance(given, list) else ()) if isinstance(face, int)]
    extra = zip(numbers(facts, "extra_dice"), numbers(facts, "extra_sides"), strict=False)
    dice += [Die(face, sides, "extra") for face, sides in extra]
    return tuple(dice)


def _attack(facts: Mapping[str, Any]) -> Card:
    hit = facts.get("hit_names")
    names = shown_line(", ".join(map(str, hit))) if isinstance(hit, list) and hit else ""
    critical = bool(facts.get("critical"))
    outcome = "CRITICAL HIT" if critical and names else "HIT" if names else "MISS"
    total = number(facts, "total")
    adversary, plus = text(facts, "adversary"), number(facts, "plus")
    missed = ", ".join(shown_line(str(one)) for one in items(facts, "targets"))
    why = [f"hits {names}" if names else f"misses {missed}" if missed else "no one is hit"]
    if facts.get("rolled"):
        why.append(_dealt(facts))
    elif "damage" in facts:
        why.append(f"damage {number(facts, 'damage')}")
    return Card(
        f"{adversary} attacks",
        "■" if names else "□",
        outcome,
        "bad" if names else "good",
        f"{facts['kept']} {with_sign(plus)} = {total}",
        tuple(why),
        _d20(facts),
        short=f"{adversary} vs {names or missed}: {total}" if names or missed else f"{adversary}: {total}",
        score=total,
        faces=f"d20 {facts['kept']} {with_sign(plus)} = {total}",
    )


def _reaction(facts: Mapping[str, Any]) -> Card:
    outcome = "success" if facts.get("outcome") == "success" else "failure"
    total = number(facts, "total")
    return Card(
        f"{text(facts, 'adversary')} reacts",
        MARKS[outcome],
        outcome.upper(),
        "bad" if outcome == "success" else "good",
        f"{facts['kept']} {with_sign(number(facts, 'plus'))} = {total}",
        (f"against Difficulty {number(facts, 'difficulty')}",),
        _d20(facts),
        short=f"{text(facts, 'adversary')} vs {number(facts, 'difficulty')}: {total}",
        score=total,
    )


def _d20(facts: Mapping[str, Any]) -> tuple[Die, ...]:
    faces = [face for face in facts["d20"] if isinstance(face, int)]
    if facts["kept"] not in faces:  # the facts were edited by hand
        return ()
    several, kept = len(faces) > 1, faces.index(facts["kept"])
    return tuple(Die(face, 20, "kept" if several and n == kept else "") for n, face in enumerate(faces))


def _damage(name: str, facts: Mapping[str, Any]) -> Card:
    total = number(facts, "damage_total")
    dice = tuple(Die(face, sides) for face, sides in zip(facts["faces"], facts["sides"], strict=True))
    why = ("critical: adds the dice's maximum",) if facts.get("critical") else ()
    return Card(
        name,
        sum=f"{text(facts, 'rolled')}: {_summed(facts)} damage",
        reasons=why,
        dice=dice,
        short=f"{total} damage",
        score=total,
    )


def _dealt(facts: Mapping[str, Any]) -> str:
    rolled, summed = text(facts, "rolled"), _summed(facts)
    if rolled == summed:  # a fixed number, no dice
        return f"{summed} damage"
    critical = ", critical" if facts.get("critical") else ""
    return f"damage {rolled}{critical}: {summed}{' in all' if 'team' in facts else ''}"


def _summed(facts: Mapping[str, Any]) -> str:
    """Return damage as a sum such as "3 + 5 + 2 = 10".

    If the dice are unknown, or there is one term, return the total.
    """
    total = number(facts, "damage_total")
    if not _lie(facts) or "team" in facts:  # of a Tag Team only the last dice are known
        return str(total)
    parts = [str(face) for face in facts["faces"]]
    more = sum(facts["sides"]) if facts.get("critical") else 0
    parts += [str(more)] if more else []
    flat = total - sum(facts["faces"]) - more
    if not total or len(parts) + bool(flat) < 2:
        return str(total)
    return f"{' + '.join(parts)}{f' {signed(flat)[0]} {abs(flat)}' if flat else ''} = {total}"


def _fate(name: str, facts: Mapping[str, Any]) -> Card:
    answer = text(facts, "answer").upper()
    told = with_question(facts, f"{text(facts, 'odds')}: {answer.lower()}")
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
        tuple(filter(None, [text(facts, "warning")])),
        tuple(dice),
        short=", ".join(filter(None, (choice, lie or told))),
    )


def _taken(facts: Mapping[str, Any]) -> str:
    """Return in words the damage that a target took and what it marked; "" if the facts have no hit."""
    if "severity" not in facts:
        return ""
    target, incoming, left = text(facts, "target"), number(facts, "incoming"), number(facts, "damage")
    words = f"{target}: {incoming} damage"
    if left != incoming:
        words += f", {left} gets through"
    if "slots" in facts:
        words += ", an Armor Slot marked"
    if beaten := number(facts, "defeated"):
        return f"{words}; defeated: {beaten}"
    severity = text(facts, "severity")
    return f"{words}; " + ("no HP marked" if severity == "none" else f"{severity}, {number(facts, 'marked')} HP marked")


def _hit(facts: Mapping[str, Any]) -> str:
    """Return the damage that a target took and its severity, such as "4 damage, minor"; "" if the facts have no hit."""
    if "severity" not in facts:
        return ""
    incoming, left, severity = number(facts, "incoming"), number(facts, "damage"), text(facts, "severity")
    through = f", {left} gets through" if left != incoming else ""
    return f"{incoming} damage{through}" + ("" if severity == "none" else f", {severity}")


def _face(facts: Mapping[str, Any], key: str) -> bool:
    return 1 <= number(facts, key) <= FACES


def _lie(facts: Mapping[str, Any]) -> bool:
    """Return True if the facts hold a complete damage roll: a total, and as many faces as sides, all whole numbers."""
    faces, sides = facts.get("faces"), facts.get("sides")
    return (
        isinstance(faces, list)
        and isinstance(sides, list)
        and len(faces) == len(sides)
        and all(map(is_whole, (*faces, *sides)))
        and "damage_total" in facts
    )


# -- changes --------------------------------------------------------------------------------------------


def changes(before: State, after: State, who: str) -> list[str]:
    """Return the differences between two states, one phrase each. Countdowns that trigger come first.

    Phrases about the character `who` omit the name, unless others in the party change too.
    """
    told = phrases.changes(TOP, PHRASES, before, after, who)
    told = [*told, *_thresholds(before, after, who), *_worn_out(before, after, who)]
    return sorted(told, key=lambda phrase: not phrase.endswith(" triggers") and " triggers and " not in phrase)


def _thresholds(before: State, after: State, who: str) -> list[str]:
    """Return a phrase for each character whose damage thresholds changed. The one for `who` omits the name.

    Thresholds are computed from other numbers, so the differences of the states do not include them.
    """
    found = []
    for ident, me in after["party"].items():
        old = before["party"].get(ident)
        if old and thresholds(old) != thresholds(me):
            told = arrow("/".join(map(str, thresholds(old))), "/".join(map(str, thresholds(me))))
            found.append(f"{possessor(after, 'party', ident, who)}thresholds {told}")
    return found


def _worn_out(before: State, after: State, who: str) -> Iterator[str]:
    """Yield a phrase for each creature that becomes Vulnerable because its Stress is full, or stops being so.

    The phrase for the character `who` omits the name.
    """
    for room in ("party", "adversaries"):
        for ident, one in after[room].items():
            old = before[room].get(ident)
            if old and is_worn_out(old) != is_worn_out(one) and VULNERABLE not in one["conditions"]:
                whose = possessor(after, room, ident, who)
                yield f"{whose}{'Vulnerable' if is_worn_out(one) else 'no longer Vulnerable'} from full Stress"


def _down(change: Change) -> str:
    """Return the phrase for a character who falls unconscious or gets up.

    Return "" for one out of play, whose status has a phrase of its own.
    """
    if change.after["party"][change.path[1]]["status"] != "alive":
        return ""
    return f"{change.whose}{_DOWN.get(change.new, change.new)}"


_DOWN = {"": "up again", "death_move": "down: a death move is due", "unconscious": "unconscious"}


def _advanced(change: Change) -> str:
    """Return the phrase for the box of an advancement that is marked; "" for one that is unmarked."""
    from tracker.games.daggerheart.level_up import ADVANCEMENTS

    tier, key = change.path[3].replace("_", " "), change.path[4]
    what = ADVANCEMENTS[key].words if key in ADVANCEMENTS else key
    return f"{change.whose}{tier} box marked: {what}" if change.new > change.old else ""


def _countdown(change: Change) -> str:
    """Return the phrase for one changed field of a countdown; "" if the phrase of another field covers it.

    A countdown that fires and loops changes several fields at once, and one phrase tells it.
    """
    ident, what = change.path[1:]
    before, this = change.before["countdowns"][ident], change.after["countdowns"][ident]
    name, old, new = change.name, before[what], this[what]
    once_more = this["fired"] > before["fired"] or this["start"] != before["start"]
    if once_more and not this["ended"] and what in {"value", "start", "fired"}:
        told = "fired" if this["fired"] > before["fired"] else "start"
        return f"{name} triggers and loops to {this['start']}" if what == told else ""
    match what:
        case "value":
            return f"{name} {arrow(old, new)}"
        case "ended":
            return f"{name} triggers" if new else f"{name} restarts"
        case "fired":
            return ""
        case "paused":
            return f"{name} {'ignores rolls' if new else 'advances with rolls'}"
        case "start":
            return f"{name} starts from {new}"
        case "name":
            return f"{shown_line(str(old))} is now called {name}"
    return f"{name}: {what} {shown_line(str(new))}"


_LOOPS = {
    "loop": ", loops",
    "increasing": ", loops 1 longer",
    "decreasing": ", loops 1 shorter",
}


def _new_countdown(change: Change) -> str:
    return f"new countdown: {change.name} ({change.new.get('value', 4)}{_LOOPS.get(change.new.get('loop', ''), '')})"


def _joins(change: Change) -> str:
    laid = ", ".join(f"{trait.capitalize()} {signed(change.new.get(trait, 0))}" for trait in TRAITS)
    return f"{change.name} joins: {laid}"


def _experience(change: Change) -> str:
    return f"{change.whose}Experience: {change.name} {signed(change.new.get('bonus', 2))}"


def _body(room: str) -> Phrases:
    """Return the phrases that characters and adversaries share.

    `room` is the collection they are in: "party" or "adversaries".
    """
    return {
        f"+{room}.*.conditions": "{whose}{name}",
        f"-{room}.*.conditions": "{whose}no longer {name}",
        f"+{room}.*.experiences": _experience,
        f"+{room}.*.resist": "{whose}resists {name}",
        f"+{room}.*.immune": "{whose}immune to {name}",
        f"-{room}": "{name} leaves",
    }


PHRASES: Phrases = {
    **scenes.PHRASES,
    "": {"": "{whose}{what} none", None: "{whose}{what} {new}"},
    **dict.fromkeys(
        ("difficulty", "damage", "critical", "fear_spent", "latest", "secret_by", "secret_total"),
        "",
    ),
    "spotlight": {"players": "spotlight to the players", "gm": "spotlight to the GM"},
    "secret": {"": "the GM's verdict is in", None: "the GM's verdict is due"},
    **{f"settings.{name}": "{label}: {new}" for name in SETTINGS.fields},
    "settings.massive_damage": {True: "{label}: on", False: "{label}: off"},
    "settings.gm": {True: "{label}: yes", False: "{label}: no"},
    "+party": _joins,
    **_body("party"),
    "party.*.status": {
        "alive": "{name} is back in play",
        "dead": "{name} is dead",
        "retired": "{name} is out of play",
        "gone": "{name} is removed",
    },
    "party.*.down": _down,
    "party.*.spellcast": {"": "{whose}no Spellcast trait", None: "{whose}Spellcast trait: {new}"},
    "+party.*.marked": "",
    "-party.*.marked": "",
    **dict.fromkeys((f"party.*.armor_base.{field}" for field in ARMOR_BASE.fields), ""),
    "party.*.gold": lambda change: f"{change.whose}gold {arrow(gold_words(change.old), gold_words(change.new))}",
    "party.*.features.*.tokens": "{whose}{name} tokens {old} → {new}",
    "party.*.items.*.many": "{whose}{name} {old} → {new}",
    **{f"party.*.taken.tier_{tier}.*": _advanced for tier in TIERS},
    "party.*.tag_team": {True: "{whose}Tag Team used", False: "{whose}Tag Team ready again"},
    "party.*.owed.*": owed(owed_label),
    "+adversaries": lambda change: f"new adversary: {change.name} (Difficulty {change.new.get('difficulty', 11)})",
    **_body("adversaries"),
    "adversaries.*.spotlit": "",
    "adversaries.*.defeated": {True: "{whose}defeated", False: "{whose}back in the fight"},
    "+countdowns": _new_countdown,
    "-countdowns": "countdown closed: {name}",
    **{f"countdowns.*.{field}": _countdown for field in COUNTDOWN.fields},
}
