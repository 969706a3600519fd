"""Roll cards, and phrases for changes, as the journal and the dialog show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tracker.games.api import facts as facts_
from tracker.games.api import phrases
from tracker.games.api.phrases import Change, Phrases, arrow, owed, signed
from tracker.games.api.schema import State
from tracker.games.api.view import Card, Die, Tone
from tracker.games.common import clocks, scenes
from tracker.games.common.oracle import tables_card
from tracker.games.wherever.dice import BANE, MARKS, NONE, PENALTIES, WILL, edges_of
from tracker.games.wherever.moves import MOVES, hit_words, owed_label
from tracker.games.wherever.state import ATTRIBUTES, SORTS, TOP
from tracker.text import shown_line

TONES: dict[str, Tone] = {"failure": "bad", "mixed success": "mid", "success": "good", "great success": "good"}
_RESULTS: dict[str, tuple[str, Tone]] = {
    "death": ("death, or a fate as final", "bad"),
    "permanent injury": ("one attribute steps down for good", "mid"),
    "stable": ("out cold, but alive", "good"),
}


def card(did: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of an entry from its facts. `did` is the id of the move that was made.

    The facts may have been edited by hand, so each is checked before it is used.
    """
    name = MOVES[did].name if did in MOVES else shown_line(did)
    if heading := facts.get("heading"):
        return Card(name, heading=shown_line(str(heading)))
    if facts.get("tables"):
        return tables_card(name, facts)
    if facts_.is_whole(facts.get("fate")):
        odds = facts_.with_question(facts, shown_line(str(facts.get("odds", ""))))
        answer = shown_line(str(facts.get("answer", ""))).upper()
        return Card(name, f"{facts['fate']:>2}", answer, sum=odds, dice=(Die(facts["fate"], 6, "fate"),), short=odds)
    if _lies(facts) and facts_.word(facts, "outcome", MARKS):
        return _action(name, facts)
    if _lies(facts) and facts_.word(facts, "winner", ("acting", "defending")):
        return _opposed(name, facts)
    if facts_.is_whole(facts.get("save")) and facts_.word(facts, "result", _RESULTS):
        told, tone = _RESULTS[facts["result"]]
        die = Die(facts["save"], 20, "save")
        against = f"{facts['save']} against {shown_line(str(facts.get('damage', '')))}"
        return Card(name, f"{facts['save']:>2}", facts["result"].upper(), tone, told, (), (die,), short=against)
    if _lies(facts):
        return _plain(name, facts)
    if "skill" in facts:
        return Card(_with(name, facts))
    return Card(name, sum=facts_.with_question(facts, shown_line(str(facts.get("told") or ""), 300)))


def _with(name: str, facts: Mapping[str, Any]) -> str:
    skill = shown_line(str(facts.get("skill", ""))).capitalize()
    if name != MOVES["action/roll"].name:
        return f"{name.removesuffix(' roll')}: {skill}"
    return f"{skill} with {shown_line(str(facts.get('attribute', ''))).capitalize()}"


def _action(name: str, facts: Mapping[str, Any]) -> Card:
    outcome = facts["outcome"]
    title = _with(name, facts)
    edges, banes = facts_.number(facts, "edges"), facts_.number(facts, "banes")
    total = counted(edges, "edge") + (f", {counted(banes, 'bane')}" if banes else "")
    if elsewhere := facts_.number(facts, "elsewhere"):
        total += f", {elsewhere} damage to something else"
    short = f"{shown_line(str(facts.get('skill', '')))}, {total}"
    dice = _dice(facts)
    tone = TONES[outcome]
    return Card(
        title,
        MARKS[outcome],
        outcome.upper(),
        tone,
        total,
        tuple(_why(facts)),
        dice,
        short=short,
        faces=_in_words(dice),
    )


def _opposed(name: str, facts: Mapping[str, Any]) -> Card:
    acts = facts.get("side") != "defending"
    won = (facts["winner"] == "acting") == acts
    acting, defending = facts_.number(facts, "acting_edges"), facts_.number(facts, "defending_edges")
    mine, theirs = (acting, defending) if acts else (defending, acting)
    total = f"{counted(mine, 'edge')} against {theirs or 'none'}"
    margin = facts_.number(facts, "margin")
    by = [f"{'won' if won else 'lost'} by {margin}" if margin else "ties go to the defender"]
    short = f"{shown_line(str(facts.get('skill', '')))}, {total}"
    if facts.get("attack") is True and facts["winner"] == "acting":
        by = [f"{by[0]}: deals {hit_words(acting - 1)}"]
        short = f"{short}, {hit_words(acting - 1)}"
    if elsewhere := facts_.number(facts, "elsewhere"):
        by.append(f"{elsewhere} damage to something else")
        short += f", {elsewhere} damage to something else"
    foe = shown_line(str(facts.get("against") or ""))
    dice, others = _dice(facts), _dice(facts, "other_", "against")
    return Card(
        f"{_with(name, facts)} against {foe}" if foe else _with(name, facts),
        "■" if won else "□",
        "WON" if won else "LOST",
        "good" if won else "bad",
        total,
        (*by, *_why(facts)),
        (*dice, *others),
        ("against",),
        short=short,
        faces=f"{_in_words(dice)} against {_in_words(others)}",
    )


def _plain(name: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of dice that have no outcome: those of training, or of the use of a supply.

    The facts must have `faces` and `sides`, lists of ints of the same length.
    """
    dice = tuple(
        Die(face, sides, _worth(face), counts=bool(edges_of(face)))
        for face, sides in zip(facts["faces"], facts["sides"], strict=True)
    )
    if "trained" in facts:
        told = f"{shown_line(str(facts['trained']))}: {counted(facts_.number(facts, 'marks'), 'mark')}"
    else:
        told = shown_line(str(facts.get("supply", "")))
        dice = tuple(die._replace(word="", counts=False) for die in dice)
    return Card(name, sum=told, dice=dice, short=told)


def _why(facts: Mapping[str, Any]) -> list[str]:
    """Return phrases that say what changed the dice, who helped, and what push and gambles brought; [] for none.

    `facts` are those of a roll, whose `faces` are a list of ints.
    """
    words = [] if any(facts["faces"]) or facts.get("stress_dice") else ["no dice left to roll"]
    if net := facts_.number(facts, "net"):
        words.append(f"net {signed(net)}: {_pool(facts.get('base'))} becomes {_pool(facts.get('pool'))}")
    if lost := facts_.number(facts, "lost_bonus"):
        words.append(f"{counted(lost, 'bonus', 'bonuses')} over the +3 cap")
    helpers = facts.get("helped_by")
    if isinstance(helpers, list):
        words.append(f"helped by {shown_line(', '.join(map(str, helpers)))}")
    granted = facts.get("benefits")
    if isinstance(granted, list):
        words.append(f"benefit: {shown_line(', '.join(map(str, granted)), 100)}")
    if facts.get("pushed"):
        words.append("pushed")
    if gambles := facts_.number(facts, "gambles"):
        words.append("gambled" if gambles == 1 else f"gambled {gambles} times")
    will = facts_.number(facts, "will")
    if sixes := facts_.number(facts, "sixes") or will:
        gain = signed(will) + " WP" if will else "WP is full"
        words.append(f"{counted(sixes, 'six', 'sixes')} on stress: {gain}")
    if facts.get("hampers_rolled"):
        words.append(f"“{MOVES['sheet/name_harm'].name}” moves it to another skill")
    return words


def _dice(facts: Mapping[str, Any], part: str = "", group: str = "") -> tuple[Die, ...]:
    dice = [
        Die(face, sides, _worth(face), counts=bool(edges_of(face)), group=group)
        for face, sides in zip(
            facts_.numbers(facts, f"{part}faces"), facts_.numbers(facts, f"{part}sides"), strict=False
        )
        if face
    ]
    for face in facts_.numbers(facts, f"{part}stress_dice"):
        word = "bane" if face == BANE else "edge, WP" if face == WILL else "stress"
        dice.append(Die(face, 6, word, counts=face == WILL, group=group))
    return tuple(dice)


def _in_words(dice: Iterable[Die]) -> str:
    """Return dice in words, such as "d8 7 (edge), d6 3"."""
    return ", ".join(f"d{die.sides} {die.face}{f' ({die.word})' if die.word else ''}" for die in dice) or "no dice"


def _worth(face: int) -> str:
    return ("", "edge", "2 edges")[edges_of(face)]


def _pool(dice: Any) -> str:
    return shown_line(" + ".join(map(str, dice))) if isinstance(dice, list) else ""


def counted(many: int, one: str, several: str = "") -> str:
    return f"{many or 'no'} {one if many == 1 or not many else several or f'{one}s'}"


def _lies(facts: Mapping[str, Any]) -> bool:
    """Return True if the facts have `faces` and `sides`, lists of the same length that hold only whole numbers."""
    faces, sides = facts.get("faces"), facts.get("sides")
    return (
        isinstance(faces, list)
        and isinstance(sides, list)
        and len(faces) == len(sides)
        and all(map(facts_.is_whole, (*faces, *sides)))
    )


# -- changes --------------------------------------------------------------------------------------------


def changes(before: State, after: State, who: str) -> list[str]:
    """Return the differences between two states, one phrase each, without duplicates.

    Phrases about the character `who` omit the name, unless others in the party change too. Marks toward a better die
    come last.
    """
    told = phrases.changes(TOP, PHRASES, before, after, who, last=("party.*.marks.",))
    return list(dict.fromkeys(told))


def _harm(change: Change) -> str:
    """Return the phrase for a harm whose name, place or grade changed."""
    _, who, _, sort, ident, field = change.path
    old, new = (state["party"][who]["harms"][sort][ident] for state in (change.before, change.after))
    plain, named = f"{sort} harm on {old['on']}", shown_line(new["name"])
    match field:
        case "name":
            told = f"{shown_line(old['name']) or plain}: {named or 'no name'}"
        case "on":
            told = f"{named or plain} affects {new['on'] or 'no skill'}"
        case _:
            told = f"{named or plain} {arrow(old['grade'], new['grade'])}"
    return change.whose + told


def _situation(change: Change) -> str:
    """Return the phrase for the bonus or penalty that a situation gives the next roll."""
    return f"{change.whose}{signed(change.new) if change.new else 'no bonus or penalty'} on the next roll"


def _new_harm(change: Change) -> str:
    harm, sort = change.new, change.path[3]
    grade, on = harm.get("grade", "minor"), harm.get("on", "")
    named = f" ({shown_line(harm['name'])})" if harm.get("name") else ""
    return f"{change.whose}{grade} {sort} harm{named}: {PENALTIES[grade]} {on}"


def _healed(change: Change) -> str:
    name = shown_line(change.old["name"]) or f"{change.path[3]} harm on {change.old['on']}"
    return f"{change.whose}{name} healed"


_HELD: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "talents": lambda one: f"talent: {shown_line(one['name'])} {one.get('die', 'd6')}",
    "drives": lambda one: f"drive: {shown_line(one['name'])} {one.get('intensity', 1)}",
    "traits": lambda one: f"trait: {shown_line(one['name'])} {signed(one.get('points', 1))}",
    "gear": lambda one: f"gear: {shown_line(one['name'])}, reliability {one.get('reliability', 1)}",
    "supplies": lambda one: f"supply: {shown_line(one['name'])} {one.get('die', 'd6')}",
}
"""For each collection on the sheet, a function that describes a new thing of it in words."""


def _gained(change: Change) -> str:
    return change.whose + _HELD[change.path[2]](change.new)


def _joins(change: Change) -> str:
    who = change.new
    attributes = ", ".join(f"{one} {who.get(one, 'd6')}" for one in ATTRIBUTES)
    skills = ", ".join(f"{skill} {die}" for skill, die in who.get("skills", {}).items() if die != NONE)
    held = (", ".join(map(_HELD[sort], who.get(sort, {}).values())) for sort in ("talents", "drives", "traits"))
    return "; ".join(filter(None, (f"{change.name} joins: {attributes}", skills, *held)))


PHRASES: Phrases = {
    **scenes.PHRASES,
    **clocks.PHRASES,
    "+party": _joins,
    "-party": "{name} leaves",
    "party.*.status": {
        "alive": "{name} is back in play",
        "lost": "{name} is gone for good",
        "gone": "{name} is removed",
        None: "{name} is {new}",
    },
    "party.*.edges": "",
    "party.*.rolled": "",
    "party.*.gambled": "",
    "party.*.situation": _situation,
    "party.*.owed.*": owed(owed_label),
    **{f"+party.*.harms.{sort}": _new_harm for sort in SORTS.values()},
    **{f"-party.*.harms.{sort}": _healed for sort in SORTS.values()},
    **{f"party.*.harms.{sort}.*.{field}": _harm for sort in SORTS.values() for field in ("name", "grade", "on")},
    **{f"+party.*.{sort}": _gained for sort in _HELD},
    "party.*.talents.*.marks": "{whose}{name} marks {old} → {new}",
}
