"""Oracle procedures that are the same in every game: yes or no, and rolls on the tables of the campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tracker.games.api.facts import is_whole, items
from tracker.games.api.view import Action, Card, Die, Odds, Start
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.content import Oracle
    from tracker.games.api.draft import Draft, Procedure

TABLES_AT_ONCE = 3
"""Maximum number of tables in one roll."""


def ask_question(table: Draft) -> Procedure:
    """Ask for an optional question in the player's words, and store it in the facts."""
    from tracker.games.api.prompts import Text

    question = yield Text(
        key="question", title="Your question (optional)", most=200, empty=True, default="", quiet=True
    )
    if question:
        table.facts["question"] = question


def ask_fate(table: Draft, odds: Mapping[str, tuple[str, int]], letters: str, sides: int) -> Procedure:
    """Answer a yes/no question with one die of `sides` sides, or roll on tables if the player prefers that.

    `odds` maps the key of each likelihood to its label and the lowest face that means yes. `letters` has one hotkey for
    each likelihood. The result goes into the facts.
    """
    from tracker.games.api.prompts import Choose, Option, Pick, Roll

    yield from ask_question(table)
    way = yield Choose(
        key="choose",
        title="Ask fate",
        options=(
            Option("yes_no", "yes or no", "you choose the odds"),
            Option("spark", "words from the tables", f"up to {TABLES_AT_ONCE} at once"),
        ),
    )
    if way == ["spark"]:
        yield from spark(table)
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
    """Return one action for each likelihood; it starts the move with the id `move`, a use of `ask_fate`.

    `odds` and `sides` are the same as for `ask_fate`.
    """

    def chances(yes: int) -> Odds:
        percent = round(100 * (sides + 1 - yes) / sides)
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


def spark(table: Draft) -> Procedure:
    """Ask for tables and roll one die for each, or for each of its parts. The result goes into the facts.

    If the player chooses no table, nothing is rolled; the facts then say that the player has an idea already.
    """
    from tracker.games.api.content import whole
    from tracker.games.api.prompts import Choose, Option, Roll

    oracles = table.content().oracles
    chosen = yield Choose(
        key="tables",
        title=f"Which tables (up to {TABLES_AT_ONCE})?",
        options=tuple(
            Option(oracle.id, shown_line(oracle.name), shown_line(oracle.group)) for oracle in whole(oracles)
        ),
        least=0,
        most=TABLES_AT_ONCE,
        default=[],
    )
    if not chosen:
        table.facts["told"] = "an idea of your own"
        return
    asked = [oracles[ident] for ident in chosen]
    rolled = {part.id: part for oracle in asked for part in _rolled(oracle, oracles)}
    faces = yield Roll(
        key="spark", title="The oracle", dice={ident: one.sides for ident, one in rolled.items()}, at_once=True
    )
    said = {ident: one.row(faces[ident]) for ident, one in rolled.items()}
    words = [oracle.join.join(said[part.id] for part in _rolled(oracle, oracles)) for oracle in asked]
    table.facts |= {
        "tables": [oracle.name for oracle in asked],
        "faces": [faces[ident] for ident in rolled],
        "sides": [one.sides for one in rolled.values()],
        "told": " · ".join(words),
    }


def _rolled(oracle: Oracle, oracles: Mapping[str, Oracle]) -> list[Oracle]:
    """Return the tables to roll on for this table: its parts, or the table itself if it has none."""
    return [oracles[part] for part in oracle.parts] or [oracle]


def asked(facts: Mapping[str, Any], words: str) -> str:
    """Return the player's question from the facts, followed by `words`.

    If one of the two is empty, return the other.
    """
    question = shown_line(str(facts.get("question", "")), 200)
    if not question or not words:
        return question or words
    return f"{question}{'' if question.endswith(('?', '.', '!')) else ':'} {words}"


def told_tables(name: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of a roll on tables from the facts that `spark` stored. `name` is the title of the card."""
    tables = items(facts, "tables")
    words = shown_line(str(facts.get("told", "")), 300)
    named = shown_line(" + ".join(map(str, tables)), 100)
    faces, sides = ([n for n in items(facts, key) if is_whole(n)] for key in ("faces", "sides"))
    names = map(str, tables if len(tables) == len(faces) else [""] * len(faces))
    dice = zip(faces, sides, names, strict=False)
    said = asked(facts, f"{named}: {words}")
    return Card(
        name,
        mark=" ".join(map(str, faces)),
        sum=said,
        dice=tuple(Die(face, many, shown_line(word, 20)) for face, many, word in dice),
        short=said,
    )
