"""What an action roll brings: Hope, Stress and Fear, countdowns, the spotlight; and what is paid for it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any

from tracker.games.base import Draft
from tracker.games.daggerheart.layout import AUTOMATIC, LISTENING, living
from tracker.games.daggerheart.rolls import CRITICAL, Duality, is_success, is_with_hope, steps
from tracker.games.prompts import Answer, Choose, Option, Prompt, Refused
from tracker.text import shown_line

# -- what is spent and gained ---------------------------------------------------------------------------


def spend_hope(table: Draft, who: str, points: int) -> None:
    """Refused before anything is rolled if it is not there."""
    held = table.state["party"][who]["hope"]
    if points > held:
        name = shown_line(table.state["party"][who]["name"])
        raise Refused(f"{name} holds {held} Hope, and this costs {points}.")
    table.by(f"{who}.hope", -points)


def pay_fear(table: Draft, cost: int) -> None:
    """Refused before anything is rolled if it is not there."""
    if cost > table.state["fear"]:
        raise Refused(f"This costs {cost} Fear, and there is {table.state['fear']}.")
    table.by("fear", -cost)
    table.by("fear_spent", cost)


def gain_hope(table: Draft, who: str, points: int) -> None:
    """What does not fit is lost, and said."""
    before = table.state["party"][who]["hope"]
    table.by(f"{who}.hope", points)
    _wasted(table, "wasted_hope", points - (table.state["party"][who]["hope"] - before))


def gain_fear(table: Draft, points: int) -> None:
    before = table.state["fear"]
    table.by("fear", points)
    _wasted(table, "wasted_fear", points - (table.state["fear"] - before))


def _wasted(table: Draft, what: str, points: int) -> None:
    if points > 0:
        table.facts[what] = table.facts.get(what, 0) + points


def wasted(facts: Mapping[str, Any]) -> list[str]:
    """What was gained beyond its limit, in words."""
    found = ((facts.get("wasted_hope"), "Hope"), (facts.get("wasted_fear"), "Fear"))
    return [f"{lost} {what} wasted" for lost, what in found if isinstance(lost, int) and lost]


def pass_spotlight(table: Draft, to: str) -> None:
    """A GM's turn ends when the players have it again: every adversary can be spotlit anew."""
    if table.state["spotlight"] != to:
        table.to("spotlight", to)
    if to == "players":
        for ident, one in table.state["adversaries"].items():
            if one["spotlit"]:
                table.to(f"adversaries.{ident}.spotlit", 0)


# -- what an action roll brings ---------------------------------------------------------------------------


def ask_countdowns(table: Draft, *, after: bool = False) -> Generator[Prompt, Answer, list[str]]:
    """Which countdowns read this roll: all that listen, unless the GM says otherwise."""
    there = {
        ident: one for ident, one in table.state["countdowns"].items() if one["kind"] in LISTENING and not one["ended"]
    }
    if not there:
        return []
    automatic = table.state["settings"]["countdowns"] == AUTOMATIC
    chosen: list[str] = yield Choose(
        key="countdowns",
        title="Countdowns that read this roll",
        options=tuple(
            Option(ident, shown_line(one["name"], 24), f"{one['kind']}, {one['value']} of {one['start']}")
            for ident, one in there.items()
        ),
        least=0,
        most=len(there),
        default=[ident for ident, one in there.items() if automatic and not one["paused"]],
        quiet=True,
        aside=automatic and not after,
    )
    return chosen


def with_hope_or_fear(table: Draft, who: Iterable[str], roll: Duality) -> None:
    """Hope, Stress and Fear: they do not depend on success, so that a secret Difficulty does not hold them back."""
    involved = tuple(who)
    if table.state["settings"]["hope_and_fear"] != AUTOMATIC:
        table.facts["by_hand"] = True
        return
    if roll.with_hope:
        for one in involved:
            gain_hope(table, one, 1)
            if roll.critical and table.state["party"][one]["stress"]:
                table.by(f"{one}.stress", -1)
    else:
        gain_fear(table, len(involved))


def settle(table: Draft, outcome: str, listening: Iterable[str], *, moved: bool = False) -> None:
    """Countdowns, then the spotlight, unless it has moved already."""
    fired = []
    for ident in listening:
        if advance(table, ident, steps(table.state["countdowns"][ident]["kind"], outcome)):
            fired.append(ident)
    tell_fired(table, fired)
    table.to("latest", outcome)
    stays = outcome == CRITICAL or (is_success(outcome) and is_with_hope(outcome))
    if not stays and not moved:
        pass_spotlight(table, "gm")


def advance(table: Draft, ident: str, by: int) -> bool:
    """Whether the countdown fires; what it advances beyond that is dropped."""
    value = table.state["countdowns"][ident]["value"]
    table.by(f"countdowns.{ident}.value", -by)
    fires = bool(0 < value <= by)
    table.by(f"countdowns.{ident}.fired", int(fires))
    return fires


def tell_fired(table: Draft, fired: Iterable[str]) -> None:
    """Which countdowns have fired, and what they are called."""
    idents = sorted(fired)
    table.facts["fired"] = idents
    if idents:
        table.facts["fired_names"] = [table.state["countdowns"][ident]["name"] for ident in idents]


def spend_token(table: Draft, who: str) -> None:
    """Where the table plays with spotlight tokens, an action costs one. If nobody had any left, all have them again."""
    tokens = table.state["settings"]["tokens"]
    if tokens and not any(table.state["party"][one]["tokens"] for one in living(table.state)):
        for one in living(table.state):
            table.to(f"{one}.tokens", tokens)
    if tokens and table.state["party"][who]["tokens"]:
        table.by(f"{who}.tokens", -1)


def at_stake(
    table: Draft, who: tuple[str, ...], difficulty: int, listening: list[str], deals: str = ""
) -> tuple[tuple[str, ...], ...]:
    """What each outcome would change, best first: the same rules, tried on a table of its own. A success `deals`."""
    from tracker.games.daggerheart.changing import changes

    secret = ((1, 1), (2, 1), (1, 2))
    told = []
    for hope, fear, plus in (
        ((*faces, 0) for faces in secret)
        if not difficulty
        else ((1, 1, 0), (2, 1, 99), (1, 2, 99), (2, 1, -99), (1, 2, -99))
    ):
        trial = table.trial()
        for one in who:
            spend_token(trial, one)
        outcome = outcome_of(trial, who, table.who, Duality(hope, fear, plus), difficulty, listening)
        dealt = (
            [f"{deals} damage{', critical' if outcome == CRITICAL else ''}"] if deals and is_success(outcome) else []
        )
        told.append((*dealt, *changes(table.state, trial.state, table.who), *wasted(trial.facts)))
    return tuple(told)


def outcome_of(table: Draft, who: Iterable[str], by: str, roll: Duality, difficulty: int, listening: list[str]) -> str:
    """All that an action roll brings, in its order; the outcome as far as it is known."""
    table.facts |= {"total": roll.total, "difficulty": difficulty}
    with_hope_or_fear(table, who, roll)
    if difficulty or roll.critical:
        outcome: str = roll.outcome(difficulty)
        settle(table, outcome, listening)
    else:
        outcome = roll.unsettled
        table.to("secret", "hope" if roll.with_hope else "fear")
        table.to("secret_by", by)
        table.to("secret_total", roll.total)
        if not roll.with_hope:
            pass_spotlight(table, "gm")
    table.facts["outcome"] = outcome
    table.to("critical", outcome == CRITICAL)
    remember(table, difficulty)
    return outcome


def remember(table: Draft, difficulty: int) -> None:
    """The next roll proposes the Difficulty of this one."""
    if difficulty and difficulty != table.state["difficulty"]:
        table.to("difficulty", difficulty)
