"""Oracle procedures that are the same in every game: yes or no, and rolls on the tables of the campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tracker.games.api.facts import is_whole, items, with_question
from tracker.games.api.view import Action, Card, Die, Odds, Start
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.content import Oracle
    from tracker.games.api.draft import Draft, Procedure

TABLES_AT_ONCE = 3
"""Maximum number of tables in one roll."""
TOLD_MOST = 3000
"""Characters shown of an answer: a row may have several long columns, and lead to more rolls."""


def ask_question(table: Draft) -> Procedure:
    """Ask for an optional question in the player's words, and store it in the fact `question` unless it is empty."""
    from tracker.games.api.prompts import Text

    question = yield Text(
        key="question",
        title="Your question (optional)",
        most=200,
        empty=True,
        default="",
        quiet=True,
        hint="Is Aren alive?",
    )
    if question:
        table.facts["question"] = question


def ask_fate(table: Draft, odds: Mapping[str, tuple[str, int]], letters: str, sides: int) -> Procedure:
    """Answer a yes/no question with one die of `sides` sides, or roll on tables if the player prefers that.

    `odds` maps the key of each likelihood to (label, lowest face that means yes). `letters` has one hotkey for each
    likelihood. The result is stored in the facts.
    """
    from tracker.games.api.prompts import Choose, Option, Pick, Roll

    yield from ask_question(table)
    way = yield Choose(
        key="choose",
        title="Ask the oracle",
        options=(
            Option("yes_no", "yes or no", "you choose the odds"),
            Option("spark", "words from the tables", f"up to {TABLES_AT_ONCE} at once"),
        ),
    )
    if way == ["spark"]:
        yield from roll_tables(table)
        return
    named = yield Pick(
        key="odds",
        title="How likely is a yes?",
        options=tuple(
            Option(key, label, f"yes on {yes}+", hot=hot)
            for (key, (label, yes)), hot in zip(odds.items(), letters, strict=True)
        ),
    )
    faces = yield Roll(key="dice", title="Fate", dice={"fate": sides}, at_once=True)
    label, yes = odds[named]
    table.facts |= {"fate": faces["fate"], "odds": label, "answer": "yes" if faces["fate"] >= yes else "no"}


def fate_questions(move: str, odds: Mapping[str, tuple[str, int]], sides: int) -> tuple[Action, ...]:
    """Return one action for each likelihood. It starts `move`, the id of the game's move that calls `ask_fate`.

    `odds` maps the key of each likelihood to (label, lowest face that means yes); the die has `sides` sides.
    """

    def chances(yes: int) -> Odds:
        percent = 100 * (sides + 1 - yes) / sides
        return ("yes", percent, "good"), ("no", 100 - percent, "bad")

    return tuple(
        Action(
            "",
            label,
            Start(move, (("choose", ["yes_no"]), ("odds", key))),
            f"yes on {yes}+ of a d{sides}",
            chances(yes),
        )
        for key, (label, yes) in odds.items()
    )


def roll_tables(table: Draft) -> Procedure:
    """Ask for tables and roll on each of them, or on each of its parts. The result is stored in the facts.

    Further rolls that a row asks for are made too. If the player chooses no table, nothing is rolled, and the facts say
    that the player has an idea already.
    """
    from tracker.games.api.content import rollable_tables
    from tracker.games.api.prompts import Choose, Option
    from tracker.games.common.oracle_rolls import TableRoll, TableRolls

    oracles = table.content().oracles
    chosen = yield Choose(
        key="tables",
        title=f"Which tables (up to {TABLES_AT_ONCE})?",
        options=tuple(
            Option(oracle.id, shown_line(oracle.name), shown_line(oracle.group)) for oracle in rollable_tables(oracles)
        ),
        least=0,
        most=TABLES_AT_ONCE,
        default=[],
    )
    if not chosen:
        table.facts["told"] = "an idea of your own"
        return
    asked = [oracles[ident] for ident in chosen]
    first = {part.id: TableRoll(part) for oracle in asked for part in _rolled(oracle, oracles)}
    rolls = TableRolls(oracles)

    def tell() -> None:
        words = []
        for oracle in asked:
            parts = [first[part.id] for part in _rolled(oracle, oracles)]
            after = [said for part in parts for said in part.after()]
            words.append("; ".join((oracle.join.join(part.text for part in parts), *after)))
        table.facts |= {"tables": [oracle.name for oracle in asked], "told": " · ".join(words)}
        table.facts |= {"faces": rolls.faces, "sides": rolls.sides}
        if len(rolls.faces) != len(asked):
            table.facts["named"] = rolls.names

    yield from rolls.make(first.values(), "spark", "The oracle", tell)


def _rolled(oracle: Oracle, oracles: Mapping[str, Oracle]) -> list[Oracle]:
    """Return the tables to roll on in order to roll on `oracle`: its parts, or itself if it has none.

    `oracles` maps ids to the tables, among them all parts.
    """
    return [oracles[part] for part in oracle.parts] or [oracle]


def tables_card(name: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of a roll on tables from the facts that `roll_tables` stored. `name` is the title of the card.

    Facts that were edited by hand, or are missing, raise nothing; the card is then less complete.
    """
    tables = items(facts, "tables")
    words = shown_line(str(facts.get("told", "")), TOLD_MOST)
    named = shown_line(" + ".join(map(str, tables)), 100)
    faces, sides = ([n for n in items(facts, key) if is_whole(n)] for key in ("faces", "sides"))
    of_dice = next((names for names in (items(facts, "named"), tables) if len(names) == len(faces)), [""] * len(faces))
    names = map(str, of_dice)
    dice = zip(faces, sides, names, strict=False)
    said = with_question(facts, f"{named}: {words}")
    return Card(
        name,
        mark=" ".join(map(str, faces)),
        sum=said,
        dice=tuple(Die(face, many, shown_line(word, 20)) for face, many, word in dice),
        short=said,
    )
