"""The parts that moves share: an action roll with its burn, a progress roll, what is owed."""

from __future__ import annotations

from collections.abc import Generator

from tracker.games.base import Draft
from tracker.games.ironsworn.layout import OPEN, STATS
from tracker.games.ironsworn.odds import action_odds, progress_odds, shown_odds
from tracker.games.ironsworn.rolls import MARKS, ActionRoll, Outcome, ProgressRoll, momentum_reset
from tracker.games.prompts import Answer, Confirm, Number, Option, Pick, Prompt, Refused, Roll
from tracker.games.words import arrow
from tracker.text import shown_line

Part = Generator[Prompt, Answer, Outcome]


def alive(table: Draft) -> None:
    """No move is made by somebody who is out of play."""
    if table.me["status"] != "alive":
        raise Refused(f"{shown_line(table.me['name'])} is {table.me['status']}.")


def waiting(table: Draft, move: str) -> int:
    """The bonus that waits for this roll."""
    held = table.me["waiting"]
    return int(held.get("any", 0)) + int(held.get(move, 0))


def _counted(table: Draft, move: str) -> str:
    bonus = waiting(table, move)
    return f", the +{bonus} that waits is counted in" if bonus else ""


def lapse(table: Draft) -> None:
    """“Make another move now” is lost on a move without an action roll (I15)."""
    table.mine("waiting.any", -table.me["waiting"].get("any", 0))


def ask_adds() -> Number:
    return Number(key="adds", title="adds", low=-9, high=9, default=0, quiet=True)


def ask_stat(table: Draft, move: str, adds: int, stats: tuple[str, ...] = STATS) -> Pick:
    """Which stat, each with its exact odds: adds, waiting bonus and negative momentum counted in."""
    bonus, momentum = adds + waiting(table, move), table.me["momentum"]
    return Pick(
        key="using",
        title=f"Roll with{_counted(table, move)}",
        options=tuple(
            Option(
                stat,
                f"{stat} {table.me[stat]}",
                hot=stat[0],
                odds=shown_odds(action_odds(table.me[stat], bonus, momentum)),
            )
            for stat in stats
        ),
    )


def action_roll(table: Draft, move: str, stat: str, adds: int, *, at_once: bool = False) -> Part:
    """Roll, and burn where it helps and is wanted. What the move then brings comes on top of the reset (I7)."""
    bonus = waiting(table, move)
    table.mine("waiting.any", -table.me["waiting"].get("any", 0))
    table.mine(f"waiting.{move}", -table.me["waiting"].get(move, 0))
    value, momentum = table.me[stat], table.me["momentum"]
    faces = yield Roll(
        key="dice",
        title=f"Roll +{stat}{f', with the +{bonus} that waited' if bonus else ''}",
        dice={"action": 6, "challenge": (10, 10)},
        odds=shown_odds(action_odds(value, adds + bonus, momentum)),
        at_once=at_once,
    )
    roll = ActionRoll(faces["action"], tuple(faces["challenge"]), value, adds + bonus, momentum)
    outcome = roll.outcome
    table.facts |= {
        "stat_used": stat,
        "stat": value,
        "adds": adds + bonus,
        "momentum": momentum,
        "action": roll.action,
        "challenge": list(roll.challenge),
        "cancelled": roll.cancelled,
        "raw": roll.raw,
        "score": roll.score,
        "match": roll.match,
        "burn_offered": roll.burn_helps,
        "outcome": outcome,
    }
    if roll.burn_helps:
        reset = momentum_reset(len(table.me["debilities"]))
        better = f"{MARKS[roll.burned_outcome]} {roll.burned_outcome.upper()}"
        note = f"{better}  momentum {arrow(momentum, reset)}"
        burn = yield Confirm(key="burn", title="Burn momentum", note=note, hot="b", default=False, quiet=True)
        if burn:
            table.to(f"{table.who}.momentum", "reset")
            table.facts["before_burn"] = outcome
            table.facts["outcome"] = outcome = roll.burned_outcome
    table.to(f"{table.who}.latest", outcome)
    return outcome


def ask_track(table: Draft, kinds: tuple[str, ...], *, odds: bool, blocked: str = "") -> Pick:
    """Which of the open tracks; one that is blocked is greyed where that matters."""
    options = tuple(
        Option(
            ident,
            shown_line(track["name"]),
            note=f"{track['rank']} {track['kind']}",
            reason=blocked if track["status"] == "blocked" else "",
            odds=shown_odds(progress_odds(track["ticks"])) if odds else (),
        )
        for ident, track in table.state["tracks"].items()
        if track["kind"] in kinds and track["status"] in OPEN
    )
    if not options:
        raise Refused(f"There is no open {' or '.join(kinds)} on the table.")
    return Pick(key="track", title="Which one", options=options)


def progress_roll(table: Draft, track: str) -> Part:
    """The full boxes against two challenge dice. Momentum is ignored both ways."""
    lapse(table)
    ticks = table.state["tracks"][track]["ticks"]
    faces = yield Roll(
        key="dice",
        title=f"Progress roll: {shown_line(table.state['tracks'][track]['name'])}",
        dice={"challenge": (10, 10)},
        odds=shown_odds(progress_odds(ticks)),
        at_once=True,
    )
    roll = ProgressRoll(ticks, tuple(faces["challenge"]))
    table.facts |= {
        "track": table.state["tracks"][track]["name"],
        "ticks": ticks,
        "challenge": list(roll.challenge),
        "score": roll.score,
        "match": roll.match,
        "burn_offered": False,
        "outcome": roll.outcome,
    }
    table.to(f"{table.who}.latest", roll.outcome)
    return roll.outcome


def owe(table: Draft, move: str) -> None:
    """This move has become due."""
    table.mine(f"owed.{move}", 1)


def pay_amount(table: Draft, move: str, amount: int) -> None:
    """The same for a move that is owed with a number of points."""
    pay(table, f"{move}_{amount}")


def pay(table: Draft, move: str) -> None:
    """This move is being made: it is no longer owed, if it was."""
    if table.me["owed"].get(move):
        table.mine(f"owed.{move}", -1)
