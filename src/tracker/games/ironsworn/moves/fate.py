"""Fate moves and their tables: Pay the Price, Ask the Oracle; due items that players settled themselves."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import (
    Answer,
    Choose,
    Number,
    Option,
    Pick,
    Prompt,
    Roll,
    Text,
    member_option,
    roll_until_accepted,
)
from tracker.games.common.oracle import TABLES_AT_ONCE, ask_question, roll_tables
from tracker.games.common.party import ask_settled
from tracker.games.ironsworn.dice import ODDS, OF_TWO, oracle_answer
from tracker.games.ironsworn.outcomes import OutcomeChoice, change, do, make_due
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.roll import as_member, begin, end_pending, others
from tracker.games.ironsworn.state import UNSURE, harm_in_the_fight, owe, owed_label, owed_times, pay
from tracker.text import shown_line


def _name_two() -> Generator[Prompt, Answer, dict[str, str]]:
    """Ask for two possible answers; return the likelier one as "yes" and the other as "no".

    An answer that the player does not name is "".
    """
    likelier = yield Text(key="likelier", title="The likelier one, on 26+ (optional)", most=100, empty=True, default="")
    if not likelier:
        return {"yes": "", "no": ""}
    other = yield Text(key="other", title="The other one, on 1 to 25 (optional)", most=100, empty=True, default="")
    return {"yes": likelier, "no": other}


def _two_ranges(title: str, two: Mapping[str, str]) -> str:
    """Return a title that says which numbers bring which of two answers.

    `two` maps "yes" to the likelier answer, and "no" to the other; "" for one that the player has not named.
    """
    _, yes = ODDS["likely"]
    likelier, other = (two[answer] or OF_TWO[answer] for answer in ("yes", "no"))
    return f"{title}. {yes}+: {likelier}; 1 to {yes - 1}: {other}"


def pay_the_price(table: Draft) -> Procedure:
    """Pay the Price: take the most obvious bad outcome, one of two by the oracle, or one from the table.

    Then ask for the price in numbers, or make Pay the Price due again if the table says so. Raise Refused if the move
    cannot be made now.
    """
    begin(table, "pay_the_price")
    way = yield Choose(
        key="choose",
        title="What is the price?",
        options=(
            Option("obvious", "the most obvious bad outcome", "you say what it is"),
            Option(
                "two_outcomes",
                "choose between two",
                "name two; 75% for the likelier one",
            ),
            Option("table", "roll on the table", "d100"),
        ),
    )
    end_pending(table)
    if way == ["obvious"]:
        said = yield Text(key="said", title="What happens? (optional)", most=200, empty=True, default="")
        table.facts["told"] = "the most obvious bad outcome"
        yield from _ask_how_bad(table, said)
        return
    two = (yield from _name_two()) if way == ["two_outcomes"] else {}
    price = Roll(key="dice", title="The price", dice={"oracle": 100}, at_once=True)
    if two:
        faces = yield price.replace(title=_two_ranges("The price", two))
        likely = oracle_answer(faces["oracle"], "likely")
        table.facts |= {"oracle": faces["oracle"], "match": likely.match}
        table.facts |= {"answer": likely.answer, "told": OF_TWO[likely.answer]}
        yield from _ask_how_bad(table, two[likely.answer])
        return
    faces = yield from roll_until_accepted(price, "Roll again", "if this result doesn't fit the story")
    low, high, words = row(PAY_THE_PRICE, faces["oracle"])
    table.facts |= {"oracle": faces["oracle"], "row": [low, high], "told": words}
    if low in _AGAIN:
        for _ in range(_AGAIN[low]):
            owe(table, "pay_the_price")
    else:
        yield from _ask_how_bad(table, cost=_COSTS.get(low, _STORY))


_AGAIN = {1: 1, 99: 2}
"""How often a row of the table makes Pay the Price due again, by the first number of the row."""
_COSTS = {33: "momentum", 60: "endure_harm", 69: "endure_stress", 86: "supply"}
"""The cost that fits a row of the table best, by the first number of the row; the cursor starts on it."""
_STORY = "story"
_BEAST = "companion."
"""Key of the option for a companion who pays. No character has this id, because ids have no dot."""


def _ask_how_bad(table: Draft, said: str = "", cost: str = "") -> Procedure:
    """Ask who pays, how much, and with what: harm, stress, momentum, supply, or no number; then apply the price.

    `said` is the price in the player's words, which goes into the journal. `cost` is the option on which the cursor
    starts, such as "momentum"; if it is "", the cursor starts on harm in a fight. Others of the party and companions
    can pay too.
    """
    if said:
        table.facts["said"] = table.text = said
    payers = yield from _ask_who_pays(table)
    harm, stress = (harm_in_the_fight(table.state, table.who, stress=stress) for stress in (False, True))
    usual = (stress if cost == "endure_stress" else harm) or UNSURE
    amount = yield Number(
        key="amount",
        title="how bad",
        low=1,
        high=max(usual, len(RANKS)),
        default=usual,
        quiet=True,
        means={rank.number: name for name, rank in RANKS.items()},
    )
    people = [who for who in payers if who != _BEAST]
    only_harm = "" if people else "a companion takes harm only"
    costs = {f"{name}_{amount}": name for name in ("endure_harm", "endure_stress", "momentum", "supply")}
    ways = {
        key: OutcomeChoice(key, (make_due(key) if name.startswith("endure") else change(name, -amount),))
        for key, name in costs.items()
    }
    options = [
        way.option(table, "")._replace(reason="" if costs[key] == "endure_harm" else only_harm, hot=hot)
        for (key, way), hot in zip(ways.items(), "hsmu", strict=True)
    ]
    cost = cost or ("endure_harm" if harm or not people else _STORY if said else "momentum")
    (chosen,) = yield Choose(
        key="then",
        title=f"{shown_line(said, 200)}: what does it cost?" if said else "What does it cost?",
        options=(*options, Option(_STORY, "no numbers, only story", hot="o")),
        default=[_STORY],
        likely=f"{cost}_{amount}" if cost in costs.values() else _STORY,
    )
    if chosen == _STORY:
        return
    for who in people[:1] if costs[chosen] == "supply" else people:  # supply is shared
        yield from as_member(table, who, _suffer(table, ways[chosen]))
    if len(people) < len(payers) and costs[chosen] == "endure_harm":
        owe(table, f"companion_endure_harm_{amount}")


def _suffer(table: Draft, way: OutcomeChoice) -> Procedure:
    do(table, way.deeds)
    yield from ()


def _ask_who_pays(table: Draft) -> Generator[Prompt, Answer, list[str]]:
    """Ask who pays the price: the acting character, others of the party, a companion.

    Return the ids of the characters, with _BEAST for a companion. If only the acting character can pay, do not ask.
    """
    party = table.state["party"]
    people = [table.who, *others(table)]
    options = [
        member_option(
            table.state, who, label="you pay" if who == table.who else f"{shown_line(party[who]['name'], 20)} pays"
        )
        for who in people
    ]
    if beasts := [one for one in table.me["assets"].values() if one["max"]]:
        name = shown_line(beasts[0]["note"] or beasts[0]["name"], 20)
        options.append(Option(_BEAST, f"{name if len(beasts) == 1 else 'a companion'} pays", "harm only", hot="c"))
    if len(options) == 1:
        return people
    payers: list[str] = yield Choose(
        key="payers",
        title="Who pays?",
        options=tuple(options),
        most=len(options),
        default=[table.who],
        quiet=True,
    )
    return payers


def ask_the_oracle(table: Draft) -> Procedure:
    """Ask the Oracle: yes or no at chosen odds, one of two answers, a roll on tables, or the player's own answer.

    The oracle does not count as the next move: a pending bonus, Turn the Tide and the chance to End the Fight after a
    strong hit stay (ruling I17). Raise Refused if the move cannot be made now.
    """
    begin(table, "ask_the_oracle")
    yield from ask_question(table)
    way = yield Choose(
        key="choose",
        title="Ask the oracle",
        options=(
            Option("decide", "you know the answer", "no roll"),
            Option("yes_no", "yes or no", "you set the odds"),
            Option(
                "pick_two",
                "choose between two",
                "name two; 75% for the likelier one",
            ),
            Option("spark", "words from the tables", f"up to {TABLES_AT_ONCE} at once"),
        ),
    )
    match way:
        case ["decide"]:
            table.facts["told"] = "decided"
        case ["spark"]:
            yield from roll_tables(table)
        case _:
            two = (yield from _name_two()) if way == ["pick_two"] else {}
            yield from _yes_or_no(table, two)


def _yes_or_no(table: Draft, two: Mapping[str, str]) -> Procedure:
    """Ask for the odds, roll, and store the answer in the facts.

    `two` maps "yes" and "no" to answers that the player named, or is empty. If it is not empty, the odds are "likely"
    and the player is not asked.
    """
    odds = "likely"
    if not two:
        odds = yield Pick(
            key="odds",
            title="How likely is a yes?",
            options=tuple(
                Option(key, label, f"yes on {yes}+, {101 - yes}%", hot=hot)
                for (key, (label, yes)), hot in zip(ODDS.items(), "alfus", strict=True)
            ),
        )
    title = _two_ranges("The oracle", two) if two else "The oracle"
    faces = yield Roll(key="dice", title=title, dice={"oracle": 100}, at_once=True)
    said = oracle_answer(faces["oracle"], odds)
    table.facts |= {"oracle": faces["oracle"], "odds": ODDS[odds][0], "answer": said.answer, "match": said.match}
    if two:
        table.facts["told"] = ": ".join(filter(None, (OF_TWO[said.answer], two[said.answer])))


def strike_off(table: Draft) -> Procedure:
    """Ask for a due item and record that it is due once less, without making its move. Raise Refused if nothing is due.

    A setback, or lost supply, is removed with all its points.
    """
    owed = owed_times(table.me)
    owed |= {name: table.me[name] for name in ("setback", "out_of_supply") if table.me[name]}
    name = yield ask_settled(owed, owed_label)
    if name in owed_times(table.me):
        pay(table, name)
    else:
        table.mine(name, -owed[name])


Table = tuple[tuple[int, int, str], ...]

PAY_THE_PRICE: Table = (
    (1, 2, "roll again, and it is worse; twice in a row, it turns the quest on its head"),
    (3, 5, "someone you trusted lets you down, or turns on you"),
    (6, 9, "someone you care about is in danger now"),
    (10, 16, "you lose sight of someone or something"),
    (17, 23, "what you did has an effect you did not expect"),
    (24, 32, "something of worth is gone or broken"),
    (33, 41, "your position gets worse"),
    (42, 50, "a new danger or a new foe shows its face"),
    (51, 59, "it takes too long, or someone else is ahead"),
    (60, 68, "it hurts: harm"),
    (69, 76, "it weighs on you: stress"),
    (77, 85, "a surprise tangles up your quest"),
    (86, 90, "supplies or efforts go to waste"),
    (91, 94, "you have to act against what you meant to do"),
    (95, 98, "a friend, a companion or an ally is at risk; alone, you are"),
    (99, 100, "roll twice: both happen; if they are the same, it is worse"),
)

HARM: Table = (
    (1, 10, "a mortal wound: Face Death"),
    (11, 20, "you are dying: be healed within an hour or two, or Face Death"),
    (21, 35, "you black out; left alone you wake in an hour or two, but a cruel foe makes it Face Death"),
    (36, 50, "you reel; rest before you strain yourself, or roll here again"),
    (51, 100, "battered, but on your feet"),
)

STRESS: Table = (
    (1, 10, "it is too much: Face Desolation"),
    (11, 25, "you give up: Forsake Your Vow"),
    (26, 50, "a fear or an urge gets the better of you"),
    (51, 100, "you hold on"),
)


def row(table: Table, face: int) -> tuple[int, int, str]:
    """Return the row of a d100 table for this face, 1 to 100, as (lowest face, highest face, text)."""
    return next(entry for entry in table if entry[0] <= face <= entry[1])
