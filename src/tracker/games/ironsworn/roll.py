"""The parts that moves share: an action roll with reroll and burn, a progress roll, what is owed and what waits."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from tracker.games.api.content import ANY_MOVE, AbilityEffect, gift
from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll
from tracker.games.api.view import chance
from tracker.games.common.format import arrow
from tracker.games.ironsworn.availability import why_not
from tracker.games.ironsworn.dice import (
    MARKS,
    RANKS,
    ActionRoll,
    Outcome,
    ProgressRoll,
    action_odds,
    momentum_reset,
    progress_odds,
    shown_odds,
    with_burn,
)
from tracker.games.ironsworn.state import ABILITIES, OPEN, STATS
from tracker.text import shown_line

Part = Generator[Prompt, Answer, Outcome]
Initiative = Literal["other", "suffer", "told"]
"""What a roll does to the initiative: by the common rule, by that of suffer moves, or the move tells it."""


def begin(table: Draft, move: str) -> None:
    """Refused if the move cannot be made now; one that was owed is no longer, once it is made."""
    if reason := why_not(table.state, table.who, move):
        raise Refused(f"{reason[0].upper()}{reason[1:]}.")
    pay(table, move)


def owe(table: Draft, move: str) -> None:
    """This move has become due."""
    table.mine(f"owed.{move}", 1)


def pay(table: Draft, move: str) -> None:
    """This move is being made: it is no longer owed, if it was."""
    if table.me["owed"].get(move):
        table.mine(f"owed.{move}", -1)


# -- what waits and what helps --------------------------------------------------------------------------


def waiting(table: Draft, move: str) -> int:
    """The bonus that waits for this roll."""
    held = table.me["waiting"]
    return int(held.get("any", 0)) + int(held.get(move, 0))


def lapse(table: Draft) -> None:
    """“Make another move now” is lost on a move without an action roll, and no strong hit is the latest."""
    if lost := table.me["waiting"].get("any", 0):
        table.mine("waiting.any", -lost)
        table.facts["lapsed"] = lost
    _turned(table)
    table.to(f"{table.who}.latest", "")


def _turned(table: Draft) -> bool:
    """Whether this was the move for which the tide was turned."""
    turning = bool(table.me["turning"])
    if turning:
        table.to(f"{table.who}.turning", False)
    return turning


def ask_adds() -> Number:
    return Number(key="adds", title="adds", low=-9, high=9, default=0, quiet=True)


def plus(facts: dict[str, Any], name: str, points: int) -> int:
    """The points, which are told under this name."""
    if points:
        facts["plus"] = [*facts.get("plus", []), [name, points]]
    return points


def ask_bond(title: str) -> Confirm:
    return Confirm(key="bond", title=f"{title}: +1", hot="k", default=False, quiet=True)


def _gifts(table: Draft, move: str, kind: str) -> list[tuple[Option, int]]:
    """What marked abilities offer on this move; a companion that is down offers nothing."""
    found: list[tuple[Option, int]] = []
    for ident, asset in table.me["assets"].items():
        if asset["max"] and not asset["health"]:
            continue
        for ability in ABILITIES:
            if not asset[ability]["on"]:
                continue
            fits = [g for g in _written(asset[ability]["gives"]) if g.kind == kind and g.move in {move, ANY_MOVE}]
            if given := max(fits, key=lambda g: g.points, default=None):
                label = shown_line(asset["name"], 20) + (f" +{given.points}" if given.points else "")
                text = shown_line(asset[ability]["text"], 200)
                found.append((Option(f"{ident}.{ability}", label, text, about=text), given.points))
    return found


def _written(gives: str) -> Iterator[AbilityEffect]:
    """The gifts of an ability; what somebody wrote in another way gives nothing."""
    for text in gives.split(", "):
        try:
            yield gift(text)
        except ValueError:
            continue


def ask_help(table: Draft, move: str) -> Generator[Prompt, Answer, int]:
    """The adds of this roll: what the player says, and what the assets that help give."""
    adds = yield ask_adds()
    offered = _gifts(table, move, "add")
    if offered:
        ticked = yield Choose(
            key="helped_by",
            title="Assets that help",
            options=tuple(option for option, _ in offered),
            least=0,
            most=len(offered),
            default=[],
            quiet=True,
        )
        for option, points in offered:
            if option.key in ticked:
                asset = table.me["assets"][option.key.partition(".")[0]]
                name = asset["note"] or asset["name"]
                adds += plus(table.facts, name, points)
                if asset["max"]:
                    table.facts["beside"] = name
    return int(adds)


def ask_stat(
    table: Draft,
    move: str,
    adds: int,
    stats: tuple[str, ...] = STATS,
    bonded: tuple[str, ...] = (),
    when: Mapping[str, str] = MappingProxyType({}),
) -> Pick:
    """Which stat, each with its exact odds: adds, waiting bonus and negative momentum counted in.

    `when` says of each in which situation it is rolled.
    """
    bonus, momentum = adds + waiting(table, move), table.me["momentum"]
    counted = waiting(table, move)
    title = "Roll with" + (f", the +{counted} that waits is counted in" if counted else "")
    options = []
    for stat in stats:
        value, plus = table.me[stat], bonus + (stat in bonded)
        better = with_burn(value, plus, momentum)
        burn = "" if better == action_odds(value, plus, momentum) else f"burn strong {shown_odds(better)[0][1]}%"
        odds = shown_odds(action_odds(value, plus, momentum))
        options.append(Option(stat, f"{stat} {value}", burn, hot=stat[0], odds=odds, about=when.get(stat, "")))
    best = max(options, key=lambda option: chance(option.odds))
    return Pick(key="using", title=title, options=tuple(options), likely=best.key)


# -- the action roll ------------------------------------------------------------------------------------


def action_roll(
    table: Draft,
    move: str,
    stat: str,
    adds: int,
    *,
    value: int | None = None,
    at_once: bool = False,
    initiative: Initiative = "other",
    about: str = "",
) -> Part:
    """Roll, reroll where something allows it, burn where it helps and is wanted.

    What the move then brings comes on top of the reset. `about` is what else the title says.
    """
    bonus = plus(table.facts, "what waited", waiting(table, move))
    table.mine("waiting.any", -table.me["waiting"].get("any", 0))
    table.mine(f"waiting.{move}", -table.me["waiting"].get(move, 0))
    value = table.me[stat] if value is None else value
    title = f"Roll +{stat} {value}{f', with the +{bonus} that waited' if bonus else ''}{about}"
    outcome = yield from throw(table, move, table.facts, title, (stat, value, adds + bonus), at_once=at_once)
    table.to(f"{table.who}.latest", outcome)
    if _turned(table):
        if outcome != "miss":
            table.mine("momentum", 1)
        else:
            table.facts["dire"] = True
    yield from _initiative(table, outcome, initiative)
    return outcome


def throw(
    table: Draft,
    move: str,
    facts: dict[str, Any],
    title: str,
    rolled: tuple[str, int, int],
    *,
    at_once: bool,
    part: str = "",
) -> Part:
    """The dice of one action roll, as they finally lie, and the burn. `part` tells a second roll from the first."""
    stat, value, adds = rolled
    momentum = table.me["momentum"]
    faces = yield Roll(
        key=f"{part}dice",
        title=title,
        dice={"action": 6, "challenge": (10, 10)},
        odds=shown_odds(action_odds(value, adds, momentum)),
        at_once=at_once,
    )
    action, challenge = faces["action"], list(faces["challenge"])
    roll = ActionRoll(action, (challenge[0], challenge[1]), value, adds, momentum)
    facts |= _lies(roll, stat)
    again = yield _ask_reroll(table, move, part)
    if again:
        sides = {"action": 6, "challenge_1": 10, "challenge_2": 10}
        new = yield Roll(
            key=f"{part}reroll_dice",
            title="These dice again; the new faces stand",
            dice={name: sides[name] for name in sides if name in again},
            at_once=True,
        )
        old = {"action": action, "challenge_1": challenge[0], "challenge_2": challenge[1]}
        lie = old | new
        roll = ActionRoll(lie["action"], (lie["challenge_1"], lie["challenge_2"]), value, adds, momentum)
        facts |= _lies(roll, stat)
        facts["rerolled"] = [f"{name.partition('_')[0]} {arrow(old[name], lie[name])}" for name in new]
        facts["rerolled_by"] = ", ".join(_rerolls(table, move))
    outcome = roll.outcome
    if roll.burn_helps:
        reset = momentum_reset(len(table.me["debilities"]))
        better = f"{MARKS[roll.burned_outcome]} {roll.burned_outcome.upper()}"
        note = f"{better}  momentum {arrow(momentum, reset)}, then what it brings"
        burn = yield Confirm(key=f"{part}burn", title="Burn momentum", note=note, hot="b", default=False, quiet=True)
        if burn:
            table.to(f"{table.who}.momentum", "reset")
            facts |= {"before_burn": outcome, "reset": reset}
            facts["outcome"] = outcome = roll.burned_outcome
    return outcome


def _lies(roll: ActionRoll, stat: str) -> dict[str, Any]:
    """The dice as they lie, before anything is burned."""
    return {
        "stat_used": stat,
        "stat": roll.stat,
        "adds": roll.adds,
        "momentum": roll.momentum,
        "action": roll.action,
        "challenge": list(roll.challenge),
        "cancelled": roll.cancelled,
        "raw": roll.raw,
        "score": roll.score,
        "match": roll.match,
        "burn_offered": roll.burn_helps,
        "outcome": roll.outcome,
    }


def _rerolls(table: Draft, move: str) -> list[str]:
    """What offers dice again."""
    offered = [option.label for option, _ in _gifts(table, move, "reroll")]
    return [*offered, "after a vow fulfilled for them"] if move == "forge_a_bond" else offered


def _ask_reroll(table: Draft, move: str, part: str) -> Choose:
    """Shown only where the move or an asset offers it; the table may allow it anywhere."""
    offered = _rerolls(table, move)
    return Choose(
        key=f"{part}reroll",
        title="Reroll",
        options=(
            Option("action", "reroll the action die", ", ".join(offered), hot="a"),
            Option("challenge_1", "reroll the first challenge die", hot="f"),
            Option("challenge_2", "reroll the second challenge die", hot="s"),
        ),
        least=0,
        most=3,
        default=[],
        quiet=True,
        aside=not offered,
    )


def _initiative(table: Draft, outcome: Outcome, rule: Initiative) -> Generator[Prompt, Answer, None]:
    """In a fight a strong hit takes the initiative, anything less loses it; unless the move tells otherwise."""
    if table.me["initiative"] == "none" or rule == "told":
        return
    if outcome != "strong hit":
        take("foe", table)
    elif rule == "other":
        take("you", table)
    elif table.me["initiative"] == "foe":
        wanted = yield Confirm(
            key="take_initiative",
            title="Take the initiative back",
            note="you may Strike next; without it you Clash",
            hot="i",
            default=True,
            quiet=True,
        )
        if wanted:
            take("you", table)


def take(whose: str, table: Draft) -> None:
    """The initiative of the one who acts is theirs, the foe's, or nobody's."""
    table.to(f"{table.who}.initiative", whose)


# -- progress -------------------------------------------------------------------------------------------


def ask_track(table: Draft, kind: str, *, odds: bool, blocked: str = "") -> Pick:
    """Which of the open tracks of this kind, in the order of the table; where there is but one, it is not asked for.

    One that is blocked is greyed where that matters. With odds the cursor stands on the ripest.
    """
    options = tuple(
        Option(
            ident,
            shown_line(track["name"]),
            _after_mark(track) if odds else track["rank"],
            reason=blocked if track["status"] == "blocked" else "",
            odds=shown_odds(progress_odds(track["ticks"])) if odds else (),
        )
        for ident, track in table.state["tracks"].items()
        if track["kind"] == kind and track["status"] in OPEN
    )
    alone = len(options) == 1 and not options[0].reason
    free = [option.key for option in options if not option.reason]
    ripest = max(free, key=lambda ident: int(table.state["tracks"][ident]["ticks"]), default=None)
    return Pick(
        key="track",
        title=f"Which {kind}",
        options=options,
        default=options[0].key if alone else None,
        quiet=alone,
        likely=ripest if odds else None,
    )


def _after_mark(track: Any) -> str:
    if track["ticks"] >= 40:
        return f"{track['rank']}, full"
    ticks = min(40, track["ticks"] + RANKS[track["rank"]].ticks)
    return f"{track['rank']}, after one more mark {shown_odds(progress_odds(ticks))[0][1]}% strong"


def progress_roll(
    table: Draft, name: str, ticks: int, *, initiative: Initiative = "other", at_once: bool = True, about: str = ""
) -> Part:
    """The full boxes against two challenge dice. Momentum is ignored both ways. `about` is what else the title says."""
    lapse(table)
    faces = yield Roll(
        key="dice",
        title=f"Progress roll: {shown_line(name)}{about}",
        dice={"challenge": (10, 10)},
        odds=shown_odds(progress_odds(ticks)),
        at_once=at_once,
    )
    roll = ProgressRoll(ticks, tuple(faces["challenge"]))
    table.facts |= {
        "track": name,
        "ticks": ticks,
        "challenge": list(roll.challenge),
        "score": roll.score,
        "match": roll.match,
        "burn_offered": False,
        "outcome": roll.outcome,
    }
    table.to(f"{table.who}.latest", roll.outcome)
    yield from _initiative(table, roll.outcome, initiative)
    return roll.outcome


def track_roll(table: Draft, track: str, asked: Pick, *, initiative: Initiative = "other") -> Part:
    """The progress roll of a track on the table. Who was not asked which has not seen the odds yet."""
    this = table.state["tracks"][track]
    about = f"; {_after_mark(this)}" if asked.quiet else ""
    return (
        yield from progress_roll(
            table, this["name"], this["ticks"], initiative=initiative, at_once=not asked.quiet, about=about
        )
    )
