"""Ironsworn as the Obsidian plugin Iron Vault sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tracker.games.api import facts as stored
from tracker.games.api.iron_vault import Linker, Node, Value, Vault, line, numbered
from tracker.games.api.schema import State
from tracker.games.ironsworn.dice import ActionRoll, ProgressRoll
from tracker.games.ironsworn.moves import NAMED
from tracker.games.ironsworn.state import DEBILITIES, OPEN, STATS, called
from tracker.text import shown_line

_MOVES = frozenset(NAMED.values()) - {"quest/overcome"}
_INITIATIVE = {"you": "has initiative", "foe": "no initiative", "none": "out of combat"}
_NO_WORD = re.compile(r"[\W_]+")


def move(did: str) -> str:
    """Return the Datasworn id of a move of the rulebook, or "" for any other procedure."""
    return f"move:classic/{did}" if did in _MOVES else ""


def rolls(facts: Mapping[str, Any]) -> list[Node]:
    """Return the nodes of an action roll, a progress roll or an answer of the oracle; [] if the facts have none.

    The plugin computes the outcome from the dice. Also return [] if that would differ from ours, because an asset
    changes the outcome or the facts were edited.
    """
    if "action" in facts:
        return _action(facts)
    if stored.is_whole(facts.get("ticks")) and "challenge" in facts:
        return _progress(facts)
    if stored.is_whole(facts.get("oracle")):
        question, odds = stored.text(facts, "question", 200), stored.text(facts, "odds", 60)
        name = f"{question}{f' ({odds})' if odds else ''}".strip() or "Oracle"
        answer = stored.text(facts, "answer", 60) or stored.text(facts, "told", 300) or "–"
        return [Node("oracle", (), {"name": name, "result": answer, "roll": facts["oracle"]})]
    return []


def _challenge(facts: Mapping[str, Any]) -> tuple[int, int] | None:
    dice = stored.numbers(facts, "challenge")
    return (dice[0], dice[1]) if len(dice) == 2 else None


def _action(facts: Mapping[str, Any]) -> list[Node]:
    numbers = [facts.get(name) for name in ("action", "stat", "adds", "momentum")]
    challenge = _challenge(facts)
    if challenge is None or not all(map(stored.is_whole, numbers)):
        return []
    action, stat, adds, momentum = (int(number or 0) for number in numbers)
    roll = ActionRoll(action, challenge, stat, adds, momentum)
    burned = "before_burn" in facts
    outcome = roll.burned_outcome if burned else roll.outcome
    if facts.get("outcome") != outcome or min(stat, adds, action) < 0 or (burned and not 0 <= momentum <= 10):
        return []
    reset = facts.get("reset")
    nodes = [*_adds(facts)]
    if roll.cancelled:
        nodes.append(line(f"The action die shows {action}: canceled by momentum {momentum}."))
    named = {"action": 0 if roll.cancelled else action, "adds": adds, "stat": stat}
    vs = {"vs1": challenge[0], "vs2": challenge[1]}
    nodes.append(Node("roll", (_NO_WORD.sub("", stored.text(facts, "stat_used", 30)) or "stat",), {**named, **vs}))
    if burned:
        nodes.append(Node("burn", (), {"from": momentum, "to": reset if stored.is_whole(reset) and reset >= 0 else 0}))
    return nodes


def _adds(facts: Mapping[str, Any]) -> Iterator[Node]:
    """Yield a node for each bonus with a name."""
    for pair in stored.items(facts, "plus"):
        if isinstance(pair, list) and len(pair) == 2 and stored.is_whole(pair[1]):
            name = shown_line(str(pair[0]), 40)
            yield Node("add", (pair[1], name)) if pair[1] > 0 and name else line(f"{pair[1]} {name}")


def _progress(facts: Mapping[str, Any]) -> list[Node]:
    challenge = _challenge(facts)
    if challenge is None or facts["ticks"] < 0:
        return []
    roll = ProgressRoll(facts["ticks"], challenge)
    if facts.get("outcome") != roll.outcome:
        return []
    named: dict[str, Value] = {"name": stored.text(facts, "track", 60), "score": roll.score}
    return [Node("progress-roll", (), {**named, "vs1": challenge[0], "vs2": challenge[1]})]


def changes(before: State, after: State, who: str, link: Linker) -> tuple[list[Node], dict[str, list[Node]]]:
    """Return the nodes of a change: (those of the character `who`, {id of another member: that member's nodes}).

    Supply, tracks and clocks are among the first. If `who` is "", all characters are. `link` makes the links to the
    pages of characters and tracks.
    """
    mine: list[Node] = []
    others: dict[str, list[Node]] = {}
    for ident, now in after["party"].items():
        if ident in before["party"] and (nodes := list(_of_character(before["party"][ident], now))):
            if ident == who or not who:
                mine += nodes
            else:
                others[ident] = nodes
    mine += numbered([("supply", before["supply"], after["supply"])])
    for ident, now in after["tracks"].items():
        mine += _of_track(before["tracks"].get(ident), now, link("track", ident, now["name"]))
    for ident, now in after["clocks"].items():
        old, named = before["clocks"].get(ident), {"name": link("track", f"clocks.{ident}", now["name"])}
        if old is None:
            mine.append(Node("clock", (), {**named, "status": "added"}))
        elif old["filled"] != now["filled"]:
            moved = {"from": old["filled"], "out-of": now["segments"], "to": now["filled"]}
            mine.append(Node("clock", (), {**named, **moved}))
    return mine, others


_TELLS = re.compile(
    r"(?:.{1,60}: )?(?:health|spirit|momentum|supply|experience) -?\d+ → [-\d →]+"
    rf"|(?:.{{1,60}}: )?(?:{'|'.join(DEBILITIES)}) (?:marked|cleared)"
    r"|.{1,60} (?:has initiative|lost initiative|is out of the fight)|(?:.{1,60}: )?foe has initiative"
)


def tells(change: str, after: State) -> bool:
    """Return True if the nodes from `changes` cover the change with this phrase. `after` is the state after it."""
    if _TELLS.fullmatch(change):
        return True
    names = [shown_line(one["name"]) for kind in ("tracks", "clocks") for one in after[kind].values()]
    return any(name in change for name in names) and (" → " in change or ": " in change)


def _of_character(old: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Node]:
    yield from numbered((name, old[name], now[name]) for name in ("health", "spirit", "momentum"))
    if old["xp"] != now["xp"]:
        yield Node("xp", (), {"from": old["xp"], "to": now["xp"]})
    for name in DEBILITIES:
        if (name in old["debilities"]) != (name in now["debilities"]):
            yield Node("impact", (name.capitalize(), name in now["debilities"]))
    if old["initiative"] != now["initiative"]:
        yield Node("initiative", (), {"from": _INITIATIVE[old["initiative"]], "to": _INITIATIVE[now["initiative"]]})
    for ident, asset in now["assets"].items():
        if ident in old["assets"]:
            was = old["assets"][ident]
            name = shown_line(called(asset), 40).replace('"', "'").replace("\\", "/")
            yield from numbered([(f"{name} health", was["health"], asset["health"])])


def _of_track(old: Mapping[str, Any] | None, now: Mapping[str, Any], name: Value) -> Iterator[Node]:
    if old is None:
        yield Node("track", (), {"name": name, "status": "added"})
        old = {"ticks": 0, "status": "open"}
    if old["ticks"] != now["ticks"]:
        yield Node("track", (), {"from": old["ticks"], "name": name, "to": now["ticks"]})
    was, is_open = old["status"] in OPEN, now["status"] in OPEN
    if was != is_open:
        yield Node("track", (), {"name": name, "status": "reopened" if is_open else "completed"})


def character(state: State, who: str) -> dict[str, Value]:
    """Return the front matter of a character: stats, meters, experience, bonds, debilities."""
    me = state["party"][who]
    told: dict[str, Value] = {name: me[name] for name in (*STATS, "health", "spirit", "momentum")}
    told |= {"supply": state["supply"], "xp_added": me["xp"], "xp_spent": me["spent"]}
    told |= {"Bonds_Progress": me["bond_ticks"], "Bonds_XPEarned": 0}
    told |= {name: True for name in DEBILITIES if name in me["debilities"]}
    return told | ({"initiative": me["initiative"] == "you"} if me["initiative"] != "none" else {})


VAULT = Vault("classic", move, rolls, changes, tells, character)
