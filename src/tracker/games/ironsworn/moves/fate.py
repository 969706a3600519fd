"""Fate moves and their tables; plain rolls outside moves."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Option, Pick, Prompt, Roll, Text
from tracker.games.common.oracle import TABLES_AT_ONCE, ask_question, spark
from tracker.games.common.party import ask_settled
from tracker.games.ironsworn.dice import ODDS, oracle_answer, progress_odds, shown_odds
from tracker.games.ironsworn.outcomes import OutcomeChoice, change, do, owes
from tracker.games.ironsworn.roll import action_roll, ask_help, ask_stat, begin, lapse, owe, track_roll
from tracker.games.ironsworn.state import OPEN, harm_in_the_fight, owed_label
from tracker.text import shown_line

_OF_TWO = {"yes": "the likelier one", "no": "the other one"}


def _name_two() -> Generator[Prompt, Answer, dict[str, str]]:
    """Ask for two possible answers; return them by the oracle's yes and no. Both are "" if the player names none."""
    likelier = yield Text(key="likelier", title="The likelier one (optional)", most=100, empty=True, default="")
    if not likelier:
        return {"yes": "", "no": ""}
    other = yield Text(key="other", title="The other one (optional)", most=100, empty=True, default="")
    return {"yes": likelier, "no": other}


def pay_the_price(table: Draft) -> Procedure:
    """Pay the Price: the most obvious bad outcome, one of two, or one from the table."""
    begin(table, "pay_the_price")
    way = yield Choose(
        key="choose",
        title="What is the price?",
        options=(
            Option("obvious", "the most obvious bad outcome", "you say what it is"),
            Option(
                "two_outcomes",
                "choose between two",
                "name two; the likelier has a 75% chance",
            ),
            Option("table", "roll on the table", "d100"),
        ),
    )
    lapse(table)
    if way == ["obvious"]:
        said = yield Text(key="said", title="What happens (optional)", most=200, empty=True, default="")
        table.facts["told"] = "the most obvious bad outcome"
        yield from _ask_how_bad(table, said)
        return
    two = (yield from _name_two()) if way == ["two_outcomes"] else {}
    faces = yield Roll(key="dice", title="The price", dice={"oracle": 100}, at_once=True)
    table.facts["oracle"] = faces["oracle"]
    if two:
        likely = oracle_answer(faces["oracle"], "likely")
        table.facts |= {"answer": likely.answer, "told": _OF_TWO[likely.answer], "match": likely.match}
        yield from _ask_how_bad(table, two[likely.answer])
        return
    low, high, words = row(PAY_THE_PRICE, faces["oracle"])
    table.facts |= {"row": [low, high], "told": words}
    for _ in range({1: 1, 99: 2}.get(low, 0)):
        owe(table, "pay_the_price")
    if low in _ENDURED:
        yield from _ask_how_bad(table, move=_ENDURED[low])


_ENDURED = {60: "endure_harm", 69: "endure_stress"}
"""Moves that follow from a row of the table, by the first number of the row."""

_UNSURE = 2
"""Default size of a price, in points, if nothing else determines it."""
_STORY = "story"


def _ask_how_bad(table: Draft, said: str = "", move: str = "") -> Procedure:
    """Ask for the price in numbers: harm, stress, momentum, supply, or none if the story is enough.

    `said` is the price in the player's words and goes into the journal. The cursor starts on `move`, else on the foe's
    harm in a fight.
    """
    if said:
        table.facts["said"] = table.text = said
    harm, stress = (harm_in_the_fight(table.state, table.who, stress=stress) for stress in (False, True))
    usual = {"endure_harm": harm or _UNSURE, "endure_stress": stress or _UNSURE}
    likely = _STORY if said else f"momentum_{_UNSURE}"
    if move := move or ("endure_harm" if harm else ""):
        likely = f"{move}_{usual[move]}"
    ways = (
        *(
            OutcomeChoice(f"{name}_{n}", (owes(f"{name}_{n}"),))
            for name in usual
            for n in range(1, max(3, usual[name]) + 1)
        ),
        *(OutcomeChoice(f"{name}_{n}", (change(name, -n),)) for name in ("momentum", "supply") for n in (1, _UNSURE)),
        OutcomeChoice(_STORY, words="no numbers, only story"),
    )
    chosen = yield Choose(
        key="then",
        title=f"{shown_line(said, 200)}: how bad is it?" if said else "How bad is it?",
        options=tuple(way.option(table, "") for way in ways),
        default=[_STORY],
        likely=likely,
    )
    for way in ways:
        if way.key in chosen:
            do(table, way.deeds)


def ask_the_oracle(table: Draft) -> Procedure:
    """Ask the Oracle: yes or no at chosen odds, one of two answers, or a roll on tables.

    This is no next move: a bonus, a turned tide and the moment after a strong hit stay (ruling I17).
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
                "name two; the likelier has a 75% chance",
            ),
            Option("spark", "words from the tables", f"up to {TABLES_AT_ONCE} at once"),
        ),
    )
    match way:
        case ["decide"]:
            table.facts["told"] = "decided"
        case ["spark"]:
            yield from spark(table)
        case _:
            two = (yield from _name_two()) if way == ["pick_two"] else {}
            yield from _yes_or_no(table, two)


def _yes_or_no(table: Draft, two: Mapping[str, str]) -> Procedure:
    """Roll yes or no at chosen odds; with two named answers in `two`, at the odds "likely"."""
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
    faces = yield Roll(key="dice", title="The oracle", dice={"oracle": 100}, at_once=True)
    said = oracle_answer(faces["oracle"], odds)
    table.facts |= {"oracle": faces["oracle"], "odds": ODDS[odds][0], "answer": said.answer, "match": said.match}
    if two:
        table.facts["told"] = ": ".join(filter(None, (_OF_TWO[said.answer], two[said.answer])))


def bare_roll(table: Draft) -> Procedure:
    """Make an action roll without any consequence."""
    begin(table, "action_roll")
    adds = yield from ask_help(table, "action_roll")
    stat = yield ask_stat(table, "action_roll", adds)
    yield from action_roll(table, "action_roll", stat, adds, at_once=True, initiative="told", priced=False)


def bare_progress(table: Draft) -> Procedure:
    """Make a progress roll on any open track, without any consequence for the track."""
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
        raise Refused("No open track: start one first.")
    which = Pick(key="track", title="Which track?", options=options)
    track = yield which
    yield from track_roll(table, track, which, initiative="told")


def strike_off(table: Draft) -> Procedure:
    """Remove a due item without making its move: it was settled by the players, or forgotten."""
    owed = {name: count for name, count in table.me["owed"].items() if count}
    owed |= {name: table.me[name] for name in ("setback", "out_of_supply") if table.me[name]}
    name = yield ask_settled(owed, owed_label)
    if name in table.me["owed"]:
        table.mine(f"owed.{name}", -1)
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
    (1, 10, "a mortal wound: face death"),
    (11, 20, "you are dying: be healed within an hour or two, or face death"),
    (21, 35, "you black out; left alone you wake in an hour or two, but a cruel foe makes it face death"),
    (36, 50, "you reel; rest before you strain yourself, or roll here again"),
    (51, 100, "battered, but on your feet"),
)

STRESS: Table = (
    (1, 10, "it is too much: face desolation"),
    (11, 25, "you give up: forsake a vow"),
    (26, 50, "a fear or an urge gets the better of you"),
    (51, 100, "you hold on"),
)


def row(table: Table, face: int) -> tuple[int, int, str]:
    """Return the row that contains this face."""
    return next(entry for entry in table if entry[0] <= face <= entry[1])
