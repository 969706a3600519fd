"""How things are told: the roll card, what changed, what a path is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.api import facts as facts_
from tracker.games.api.effects import difference
from tracker.games.api.phrases import phrased
from tracker.games.api.schema import State
from tracker.games.api.view import Card, Die, Tone
from tracker.games.common import clocks
from tracker.games.common.format import arrow, signed
from tracker.games.common.oracle import asked, told_tables
from tracker.games.wherever.dice import BANE, MARKS, NONE, PENALTIES, WILL, edges_of
from tracker.games.wherever.moves import MOVES, hit_words, owed_label
from tracker.games.wherever.state import ATTRIBUTES, TOP
from tracker.text import shown_line

TONES: dict[str, Tone] = {"failure": "bad", "mixed success": "mid", "success": "good", "great success": "good"}
_SILENT = {"edges", "rolled", "gambled"}
_RESULTS: dict[str, tuple[str, Tone]] = {
    "death": ("death, or a fate like it", "bad"),
    "permanent injury": ("one attribute is a rung less, for good", "mid"),
    "stable": ("out cold, but alive", "good"),
}


def card(did: str, facts: Mapping[str, Any]) -> Card:
    """A roll in words, the same in every driver."""
    name = MOVES[did].name if did in MOVES else shown_line(did)
    if heading := facts.get("heading"):
        return Card(name, heading=shown_line(str(heading)))
    if facts.get("tables"):
        return told_tables(name, facts)
    if facts_.is_whole(facts.get("fate")):
        odds = asked(facts, shown_line(str(facts.get("odds", ""))))
        answer = shown_line(str(facts.get("answer", ""))).upper()
        return Card(name, f"{facts['fate']:>2}", answer, sum=odds, dice=(Die(facts["fate"], 6, "fate"),), short=odds)
    if _lies(facts, "faces") and facts_.word(facts, "outcome", MARKS):
        return _action(name, facts)
    if _lies(facts, "faces") and facts_.word(facts, "winner", ("acting", "defending")):
        return _opposed(name, facts)
    if facts_.is_whole(facts.get("save")) and facts_.word(facts, "result", _RESULTS):
        told, tone = _RESULTS[facts["result"]]
        die = Die(facts["save"], 20, "save")
        against = f"{facts['save']} against {shown_line(str(facts.get('damage', '')))}"
        return Card(name, f"{facts['save']:>2}", facts["result"].upper(), tone, told, "", (die,), short=against)
    if _lies(facts, "faces"):
        return _plain(name, facts)
    if "skill" in facts:
        return Card(_with(name, facts))
    return Card(name, sum=asked(facts, shown_line(str(facts.get("told") or ""), 300)))


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
    short = f"{shown_line(str(facts.get('skill', '')))} {total}"
    return Card(title, MARKS[outcome], outcome.upper(), TONES[outcome], total, _why(facts), _dice(facts), short=short)


def _opposed(name: str, facts: Mapping[str, Any]) -> Card:
    acts = facts.get("side") != "defending"
    won = (facts["winner"] == "acting") == acts
    acting, defending = facts_.number(facts, "acting_edges"), facts_.number(facts, "defending_edges")
    mine, theirs = (acting, defending) if acts else (defending, acting)
    total = f"{counted(mine, 'edge')} against {theirs}"
    margin = facts_.number(facts, "margin")
    by = f"by {margin}" if margin else "a tie is the defender's"
    short = f"{shown_line(str(facts.get('skill', '')))} {total}"
    if facts.get("attack") is True and facts["winner"] == "acting":
        by = f"{by}: it deals {hit_words(acting - 1)}"
        short = f"{short}, {hit_words(acting - 1)}"
    if elsewhere := facts_.number(facts, "elsewhere"):
        by += f"; {elsewhere} damage to something else"
        short += f", {elsewhere} damage to something else"
    return Card(
        _with(name, facts),
        "■" if won else "□",
        "WON" if won else "LOST",
        "good" if won else "bad",
        total,
        "; ".join(filter(None, (by, _why(facts)))),
        (*_dice(facts), *_dice(facts, "other_", "against")),
        ("against",),
        short=short,
    )


def _plain(name: str, facts: Mapping[str, Any]) -> Card:
    """Dice that count marks, or use something up."""
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


def _why(facts: Mapping[str, Any]) -> str:
    """What made the pool, and what was risked."""
    words = [] if any(facts["faces"]) or facts.get("stress_dice") else ["no die is left to roll"]
    if net := facts_.number(facts, "net"):
        words.append(f"net {signed(net)}: {_pool(facts.get('base'))} becomes {_pool(facts.get('pool'))}")
    if lost := facts_.number(facts, "lost_bonus"):
        words.append(f"{counted(lost, 'bonus', 'bonuses')} beyond +3 lost")
    helpers = facts.get("helped_by")
    if isinstance(helpers, list):
        words.append(f"helped by {shown_line(', '.join(map(str, helpers)))}")
    if facts.get("pushed"):
        words.append("pushed")
    if gambles := facts_.number(facts, "gambles"):
        words.append("gambled" if gambles == 1 else f"gambled {gambles} times")
    will = facts_.number(facts, "will")
    if sixes := facts_.number(facts, "sixes") or will:
        gain = signed(will) + " WP" if will else "WP is full"
        words.append(f"{counted(sixes, 'six', 'sixes')} on stress: {gain}")
    if facts.get("hampers_rolled"):
        words.append(f"“{MOVES['sheet/name_harm'].name}” gives the harm another skill")
    return "; ".join(words)


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


def _worth(face: int) -> str:
    return ("", "edge", "2 edges")[edges_of(face)]


def _pool(dice: Any) -> str:
    return shown_line(" + ".join(map(str, dice))) if isinstance(dice, list) else ""


def counted(many: int, one: str, several: str = "") -> str:
    return f"{many or 'no'} {one if many == 1 or not many else several or f'{one}s'}"


def _lies(facts: Mapping[str, Any], key: str) -> bool:
    """Whether dice lie there; somebody may have edited them."""
    faces, sides = facts.get(key), facts.get("sides")
    return (
        isinstance(faces, list)
        and isinstance(sides, list)
        and len(faces) == len(sides)
        and all(map(facts_.is_whole, (*faces, *sides)))
    )


# -- changes --------------------------------------------------------------------------------------------

_STATUS = {"alive": "back in play", "lost": "lost to us", "gone": "off the table"}
_LABELS = {"wp": "WP", "wp_max": "WP maximum", "health_max": "health maximum", "resolve_max": "resolve maximum"}


def label(at: str) -> str:
    """The last words of a path, as the sheet shows it."""
    path = at.split(".")
    if len(path) > 2 and path[1] == "marks":
        return f"{path[2]} marks"
    if len(path) > 2 and path[1] == "recovery":
        return f"{path[2]} recovery"
    if len(path) > 3:
        return path[2].replace("_", " ")
    return _LABELS.get(path[-1], path[-1].replace("_", " "))


def changes(before: State, after: State, who: str) -> list[str]:
    """What is different now, in the order of the sheet, one phrase each; marks on the way to a better die come last.

    Where it touches others, each says whose.
    """
    effects = sorted(difference(TOP, before, after), key=lambda effect: ".marks." in effect["at"])
    phrases = phrased(effects, lambda effect, unnamed: _phrase(effect, before, after, unnamed), who, before["party"])
    return list(dict.fromkeys(phrases))


def _phrase(effect: Mapping[str, Any], before: State, after: State, who: str) -> str:
    path = effect["at"].split(".")
    if path[0] == "clocks":
        return clocks.phrase(effect, before, after)
    whose = f"{shown_line(after['party'][path[0]]['name'])}: " if path[0] in after["party"] and path[0] != who else ""
    if "add" in effect:
        return _added(path, effect["add"], whose)
    if "drop" in effect:
        return _dropped(path, effect["drop"], before, whose)
    if path[-1] in _SILENT and len(path) == 2:
        return ""
    old: Any = before
    for key in path if path[0] in TOP.fields else ["party", *path]:
        old = old.get(key, 0) if isinstance(old, Mapping) else 0
    new = effect["to"]
    if path == ["dice_are"]:
        return f"dice are {new}" if new else ""
    if len(path) == 1:
        return f"{path[0]}: {shown_line(str(new))}"
    match path[1]:
        case "owed":
            name = owed_label(path[2])
            return f"{whose}owed: {name}" if new > old else f"{whose}{name} settled"
        case "status":
            return f"{shown_line(after['party'][path[0]]['name'])} is {_STATUS.get(new, new)}"
        case "harms":
            return f"{whose}{_harm(path, before, after)}"
        case "talents" | "gear" | "supplies" | "traits" | "drives":
            name = shown_line(after["party"][path[0]][path[1]][path[2]]["name"])
            what = "" if path[3] in {"reliability", "die", "points", "intensity", "place"} else f" {path[3]}"
            return f"{whose}{name}{what} {arrow(old, shown_line(str(new)))}"
    return f"{whose}{label(effect['at'])} {arrow(old, shown_line(str(new)))}"


def _harm(path: list[str], before: State, after: State) -> str:
    """A harm that was there before and has become another."""
    old, new = (state["party"][path[0]]["harms"][path[2]][path[3]] for state in (before, after))
    plain, named = f"{path[2]} harm on {old['on']}", shown_line(new["name"])
    match path[4]:
        case "name":
            return f"{shown_line(old['name']) or plain}: {named or 'no name any more'}"
        case "on":
            return f"{named or plain} hampers {new['on'] or 'nothing'}"
        case _:
            return f"{named or plain} {arrow(old['grade'], new['grade'])}"


def _added(path: list[str], record: Mapping[str, Any], whose: str) -> str:
    name = shown_line(str(record.get("name", "")))
    match path[-1]:
        case "party":
            attributes = ", ".join(f"{one} {record.get(one, 'd6')}" for one in ATTRIBUTES)
            skills = ", ".join(f"{skill} {die}" for skill, die in record.get("skills", {}).items() if die != NONE)
            held = (_held(record, sort) for sort in ("talents", "drives", "traits"))
            return "; ".join(filter(None, (f"{name} joins: {attributes}", skills, *held)))
        case "physical" | "mental":
            grade, on = record.get("grade", "minor"), record.get("on", "")
            named = f" ({name})" if name else ""
            return f"{whose}{grade} {path[-1]} harm{named}: {PENALTIES[grade]} {on}"
        case "talents" | "supplies":
            sort = {"talents": "talent", "supplies": "supply"}[path[-1]]
            return f"{whose}{sort}: {name} {record.get('die', 'd6')}"
        case "traits":
            return f"{whose}trait: {name} {signed(record.get('points', 1))}"
        case "drives":
            return f"{whose}drive: {name} {record.get('intensity', 1)}"
        case "gear":
            return f"{whose}gear: {name}, reliability {record.get('reliability', 1)}"
    return ""


def _held(record: Mapping[str, Any], sort: str) -> str:
    """What somebody new brings of this sort."""
    every = record.get(sort, {}).values()
    return ", ".join(_added([sort], {**one}, "") for one in every)


def _dropped(path: list[str], ident: str, before: State, whose: str) -> str:
    if path[-1] == "party":
        return f"{shown_line(before['party'][ident]['name'])} leaves"
    held: Any = before["party"].get(path[0], {})
    for key in path[1:]:
        held = held[key]
    name = shown_line(held[ident]["name"])
    if path[1] == "harms":
        return f"{whose}{name or f'{path[2]} harm on ' + held[ident]['on']} healed"
    return f"{whose}{name} gone"
