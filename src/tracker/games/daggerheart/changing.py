"""What changed, one phrase each, and what a path is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tracker.games.daggerheart.beings import VULNERABLE, gold_words, is_worn_out, thresholds
from tracker.games.daggerheart.catalogue import owed_label
from tracker.games.daggerheart.layout import TOP
from tracker.games.daggerheart.rolls import TRAITS
from tracker.games.difference import difference, phrased
from tracker.games.schema import State
from tracker.games.words import arrow, signed
from tracker.text import shown_line

_SILENT = {"difficulty", "damage", "critical", "fear_spent", "latest", "secret_by", "secret_total"}
_SILENT_OF_FOES = {"spotlit"}
_LABELS = {
    "hp": "HP",
    "hp_max": "HP slots",
    "stress": "Stress",
    "stress_max": "Stress slots",
    "hope": "Hope",
    "hope_max": "Hope slots",
    "armor": "Armor Slots used",
    "armor_max": "Armor Score",
    "evasion": "Evasion",
    "proficiency": "Proficiency",
    "fear": "Fear",
    "short_rests": "short rests in a row",
    "tag_team": "Tag Team",
    "armor_name": "armor",
    "slots_per_hit": "Armor Slots for one hit",
    "count": "left",
    "many": "how many",
}
_STATUS = {"alive": "back in play", "dead": "dead", "retired": "out of play", "gone": "off the table"}
_DOWN = {"": "up again", "death_move": "down: a death move is due", "unconscious": "unconscious"}
_LOOPS = {
    "loop": ", starts again",
    "increasing": ", starts again 1 longer",
    "decreasing": ", starts again 1 shorter",
}
_LESS = {"resist": "resists", "immune": "immune to"}
_WORDS = {"players": "the players", "gm": "the GM"}


def label(at: str) -> str:
    """The last words of a path, as the sheet shows it."""
    path = at.split(".")
    if path[-1] in TRAITS:
        return path[-1].capitalize()
    if len(path) > 2 and path[0] == "countdowns":
        return path[1].replace("_", " ")
    if len(path) > 3 and path[-1] in {"bonus", "tokens", "many"}:
        return path[2].replace("_", " ")
    return _LABELS.get(path[-1], path[-1].replace("_", " "))


def changes(before: State, after: State, who: str) -> list[str]:
    """What is different now, in the order of the sheet, one phrase each."""
    effects = difference(TOP, before, after)
    phrases = phrased(effects, lambda effect, unnamed: _phrase(effect, before, after, unnamed), who, before["party"])
    told = [*phrases, *_thresholds(before, after, who), *_worn_out(before, after, who)]
    return sorted(told, key=lambda phrase: not phrase.endswith(" fires") and " fires, " not in phrase)


def _thresholds(before: State, after: State, who: str) -> list[str]:
    """They follow from other numbers."""
    found = []
    for ident, me in after["party"].items():
        old = before["party"].get(ident)
        if old and thresholds(old) != thresholds(me):
            told = arrow("/".join(map(str, thresholds(old))), "/".join(map(str, thresholds(me))))
            found.append(f"{_whose([ident], after, who)}thresholds {told}")
    return found


def _worn_out(before: State, after: State, who: str) -> Iterator[str]:
    """A full Stress track makes Vulnerable, and one box less ends that."""
    for room in ("party", "adversaries"):
        for ident, one in after[room].items():
            old = before[room].get(ident)
            if old and is_worn_out(old) != is_worn_out(one) and VULNERABLE not in one["conditions"]:
                whose = _whose([ident] if room == "party" else [room, ident], after, who)
                yield f"{whose}{'Vulnerable' if is_worn_out(one) else 'no longer Vulnerable'} by Stress"


def _whose(path: list[str], after: State, who: str) -> str:
    if path[0] in after["party"] and path[0] != who:
        return f"{shown_line(after['party'][path[0]]['name'])}: "
    if path[0] == "adversaries" and len(path) > 1 and path[1] in after["adversaries"]:
        return f"{shown_line(after['adversaries'][path[1]]['name'])}: "
    return ""


def _phrase(effect: Mapping[str, Any], before: State, after: State, who: str) -> str:
    path = effect["at"].split(".")
    whose = _whose(path, after, who)
    if "add" in effect:
        return _added(path, effect["add"], whose)
    if "drop" in effect:
        return _dropped(path, effect["drop"], before, whose)
    old: Any = before
    for key in path if path[0] in TOP.fields else ["party", *path]:
        old = old.get(key, 0) if isinstance(old, Mapping) else 0
    return _changed(path, old, effect["to"], before, after, whose)


def _changed(path: list[str], old: Any, new: Any, before: State, after: State, whose: str) -> str:
    if path[0] in _SILENT or (path[0] == "adversaries" and path[-1] in _SILENT_OF_FOES):
        return ""
    match path:
        case ["dice_are"]:
            return f"dice are {new}" if new else ""
        case ["spotlight"]:
            return f"spotlight to {_WORDS.get(new, new)}"
        case ["secret"]:
            return "the GM's verdict is due" if new else "the GM has judged"
        case ["scene"] | ["session"]:
            return f"{path[0]}: {shown_line(str(new))}"
        case ["settings", name]:
            told = {True: "on", False: "off"}.get(new, new) if isinstance(new, bool) else new
            return f"{name.replace('_', ' ')}: {told}"
        case ["countdowns", ident, what]:
            return _countdown(before["countdowns"][ident], after["countdowns"][ident], what)
        case ["adversaries", _, "defeated"]:
            return f"{whose}beaten" if new else f"{whose}back in the fight"
        case [_, "owed", name]:
            return f"{whose}owed: {owed_label(name)}" if new > old else f"{whose}{owed_label(name)} settled"
        case [ident, "status"]:
            return f"{shown_line(after['party'][ident]['name'])} is {_STATUS.get(new, new)}"
        case [ident, "down"] if after["party"][ident]["status"] != "alive":
            return ""
        case [_, "down"]:
            return f"{whose}{_DOWN.get(new, new)}"
        case [_, "gold"]:
            return f"{whose}gold {arrow(gold_words(old), gold_words(new))}"
        case [_, "tag_team"]:
            return f"{whose}Tag Team {'used' if new else 'fresh again'}"
        case [_, "taken", tier, what]:
            return f"{whose}{tier.replace('_', ' ')} box: {what.replace('_', ' ')}" if new > old else ""
        case [_, "armor_base", _]:
            return ""
        case [_, *_, sort, ident, what] if sort in {"experiences", "weapons", "cards", "features", "items"}:
            return f"{whose}{_thing(path, after)}{'' if what == 'bonus' else f' {what}'} {_arrowed(old, new)}"
    return f"{whose}{label('.'.join(path))} {_arrowed(old, new)}"


def _arrowed(old: Any, new: Any) -> str:
    if isinstance(new, bool):
        return "yes" if new else "no"
    if isinstance(new, str):
        return shown_line(new) or "nothing"
    return arrow(old, new)


def _thing(path: list[str], after: State) -> str:
    held: Any = after if path[0] in TOP.fields else after["party"]
    for key in path[:-1]:
        held = held[key]
    return shown_line(held["name"])


def _countdown(before: Mapping[str, Any], this: Mapping[str, Any], what: str) -> str:
    """One that loops fires and starts again in one step, so that this is said once, whatever of it changed."""
    name, old, new = shown_line(this["name"]), before[what], this[what]
    once_more = this["fired"] > before["fired"] or this["start"] != before["start"]
    if once_more and not this["ended"] and what in {"value", "start", "fired"}:
        told = "fired" if this["fired"] > before["fired"] else "start"
        return f"{name} fires, and starts again from {this['start']}" if what == told else ""
    match what:
        case "value":
            return f"{name} {arrow(old, new)}"
        case "ended":
            return f"{name} fires" if new else f"{name} begins again"
        case "fired":
            return ""
        case "paused":
            return f"{name} {'does not listen to rolls' if new else 'listens to rolls'}"
        case "start":
            return f"{name} starts from {new}"
        case "name":
            return f"{shown_line(str(old))} is now called {name}"
    return f"{name}: {what} {shown_line(str(new))}"


def _added(path: list[str], new: Mapping[str, Any], whose: str) -> str:
    name = _called(new, new["id"])
    match path[-1]:
        case "party":
            laid = ", ".join(f"{trait.capitalize()} {signed(new.get(trait, 0))}" for trait in TRAITS)
            return f"{name} joins: {laid}"
        case "adversaries":
            return f"{name} is against you, Difficulty {new.get('difficulty', 11)}"
        case "countdowns":
            return f"countdown: {name}, {new.get('value', 4)}{_LOOPS.get(new.get('loop', ''), '')}"
        case "conditions":
            return f"{whose}{name}"
        case "marked":
            return ""
        case "experiences":
            return f"{whose}Experience: {name} {signed(new.get('bonus', 2))}"
        case "resist" | "immune":
            return f"{whose}{_LESS[path[-1]]} {name}"
    return f"{whose}{path[-1].removesuffix('s')}: {name}"


def _called(one: Mapping[str, Any], ident: str) -> str:
    """By name; a condition that was typed in has it in its note."""
    return shown_line(str(one.get("name", one.get("note")) or ident))


def _dropped(path: list[str], ident: str, before: State, whose: str) -> str:
    held: Any = before if path[0] in TOP.fields else before["party"]
    for key in path:
        held = held[key]
    name = _called(held[ident], ident)
    match path[-1]:
        case "marked":
            return ""
        case "party" | "adversaries":
            return f"{name} leaves"
        case "countdowns":
            return f"countdown closed: {name}"
        case "conditions":
            return f"{whose}no longer {name}"
    return f"{whose}{name} gone"
