"""Fate moves, and the rolls that stand by themselves."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from tracker.games.base import Draft, Procedure
from tracker.games.fortune import TABLES_AT_ONCE, ask_question, spark
from tracker.games.ironsworn.catalogue import owed_label
from tracker.games.ironsworn.layout import OPEN, harm_in_the_fight
from tracker.games.ironsworn.odds import progress_odds, shown_odds
from tracker.games.ironsworn.rolling import action_roll, ask_help, ask_stat, begin, lapse, owe, track_roll
from tracker.games.ironsworn.rolls import ODDS, oracle_answer
from tracker.games.ironsworn.tables import PAY_THE_PRICE, row
from tracker.games.prompts import Answer, Choose, Option, Pick, Prompt, Refused, Roll, Text
from tracker.text import shown_line


def _name_two() -> Generator[Prompt, Answer, dict[str, str]]:
    """What each answer of the oracle stands for; whoever keeps it to themselves is told which of the two it is."""
    likelier = yield Text(key="likelier", title="The likelier one, or nothing", most=100, empty=True, default="")
    if not likelier:
        return {"yes": "the likelier one", "no": "the other one"}
    other = yield Text(key="other", title="The other one", most=100, empty=True, default="")
    return {"yes": f"the likelier one: {likelier}", "no": f"the other one{f': {other}' if other else ''}"}


def pay_the_price(table: Draft) -> Procedure:
    """The most obvious bad outcome, one of two, or one from the table."""
    begin(table, "pay_the_price")
    way = yield Choose(
        key="choose",
        title="What is the price?",
        options=(
            Option("obvious", "the most obvious bad outcome", "you say what it is"),
            Option("two_outcomes", "one of two you name", "the likelier one, on 26 or more"),
            Option("table", "roll on the table", "d100"),
        ),
    )
    lapse(table)
    if way == ["obvious"]:
        said = yield Text(key="said", title="What is it, or nothing", most=200, empty=True, default="")
        table.facts["told"] = said or "the most obvious bad outcome"
        return
    two = (yield from _name_two()) if way == ["two_outcomes"] else {}
    faces = yield Roll(key="dice", title="The price", dice={"oracle": 100}, at_once=True)
    table.facts["oracle"] = faces["oracle"]
    if two:
        likely = oracle_answer(faces["oracle"], "likely")
        table.facts |= {"answer": likely.answer, "told": two[likely.answer], "match": likely.match}
        return
    low, high, words = row(PAY_THE_PRICE, faces["oracle"])
    table.facts |= {"row": [low, high], "told": words}
    for _ in range({1: 1, 99: 2}.get(low, 0)):
        owe(table, "pay_the_price")
    if low in _ENDURED:
        yield from _ask_how_much(table, _ENDURED[low])


_ENDURED = {60: "endure_harm", 69: "endure_stress"}
"""The rows of the table that a move answers, by their first number."""
_UNSURE = 2
"""What a price is worth where nobody knows better."""


def _ask_how_much(table: Draft, move: str) -> Procedure:
    """The move becomes due; or nothing does, because the table has settled it in another way."""
    usual = harm_in_the_fight(table.state, table.who, stress=move == "endure_stress") or _UNSURE
    amounts = (f"{move}_{n}" for n in range(1, 7))
    chosen = yield Choose(
        key="then",
        title="How bad is it?",
        options=tuple(Option(amount, owed_label(amount), "waits in owed") for amount in amounts),
        least=0,
        default=[],
        likely=f"{move}_{usual}",
    )
    for amount in chosen:
        owe(table, amount)


def ask_the_oracle(table: Draft) -> Procedure:
    """Yes or no, at odds that you name; two answers, one of them likely; or words that spark an idea."""
    begin(table, "ask_the_oracle")
    yield from ask_question(table)
    way = yield Choose(
        key="choose",
        title="Ask the oracle",
        options=(
            Option("decide", "you know the answer", "no roll"),
            Option("yes_no", "yes or no", "you name the odds"),
            Option("pick_two", "one of two you name", "the likelier one, on 26 or more"),
            Option("spark", "words from the tables", f"up to {TABLES_AT_ONCE} at once"),
        ),
    )
    lapse(table)
    match way:
        case ["decide"]:
            table.facts["told"] = "decided"
        case ["spark"]:
            yield from spark(table)
        case _:
            two = (yield from _name_two()) if way == ["pick_two"] else {}
            yield from _yes_or_no(table, two)


def _yes_or_no(table: Draft, two: Mapping[str, str]) -> Procedure:
    """At odds that are asked for; of two that are named, `two`, one is likely."""
    odds = "likely"
    if not two:
        odds = yield Pick(
            key="odds",
            title="How likely is a yes?",
            options=tuple(
                Option(key, label, f"yes from {yes} on, {101 - yes} in 100", hot=hot)
                for (key, (label, yes)), hot in zip(ODDS.items(), "alfus", strict=True)
            ),
        )
    faces = yield Roll(key="dice", title="The oracle", dice={"oracle": 100}, at_once=True)
    said = oracle_answer(faces["oracle"], odds)
    table.facts |= {"oracle": faces["oracle"], "odds": ODDS[odds][0], "answer": said.answer, "match": said.match}
    if two:
        table.facts["told"] = two[said.answer]


def bare_roll(table: Draft) -> Procedure:
    """An action roll and nothing else."""
    begin(table, "action_roll")
    adds = yield from ask_help(table, "action_roll")
    stat = yield ask_stat(table, "action_roll", adds)
    yield from action_roll(table, "action_roll", stat, adds, at_once=True, initiative="told")


def bare_progress(table: Draft) -> Procedure:
    """A progress roll and nothing else."""
    begin(table, "progress_roll")
    options = tuple(
        Option(
            ident,
            shown_line(track["name"]),
            f"{track['rank']} {track['kind']}",
            odds=shown_odds(progress_odds(track["ticks"])),
        )
        for ident, track in table.state["tracks"].items()
        if track["status"] in OPEN
    )
    if not options:
        raise Refused("There is no open track on the table.")
    track = yield Pick(key="track", title="Which one", options=options)
    yield from track_roll(table, track, initiative="told")


def strike_off(table: Draft) -> Procedure:
    """Take something off the list of what is owed: it was settled at the table, or forgotten."""
    owed = {name: count for name, count in table.me["owed"].items() if count}
    owed |= {name: table.me[name] for name in ("setback", "out_of_supply") if table.me[name]}
    if not owed:
        raise Refused("Nothing is owed.")
    name = yield Pick(
        key="owed",
        title="What is settled?",
        options=tuple(Option(name, owed_label(name), f"{count} of it") for name, count in owed.items()),
    )
    if name in table.me["owed"]:
        table.mine(f"owed.{name}", -1)
    else:
        table.mine(name, -owed[name])
    table.facts["told"] = owed_label(name)
