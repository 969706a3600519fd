"""World truths: questions about the world from the campaign's packs, settled by dice or by choice."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from tracker.games.api.content import Content, Truth, TruthOption, plain, row_text
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Option, Pick, Prompt, Roll, Text
from tracker.text import shown_line

ROLL, OWN, SKIP, STOP = "roll.", "own.", "skip.", "stop."
"""Keys of the options that are no answers. The keys of answers are numbers."""
TEXT_MOST = 3000
"""Characters kept of the text of a truth."""


def world_truths(table: Draft) -> Procedure:
    """Go through the truths of the packs that have no answer yet; the player rolls, chooses, writes or skips each.

    All answers go into the journal as one text. Raise Refused if no pack in use has truths, or if every truth has an
    answer already.
    """
    content = table.content()
    if not content.truths:
        raise Refused("No pack in use has world truths; `tracker packs add` installs one.")
    open_truths = [truth for truth in content.truths.values() if truth_id(truth) not in table.state["truths"]]
    if not open_truths:
        raise Refused("Every truth in your packs is settled; read them in the journal.")
    titles = list(dict.fromkeys(truth.source.title for truth in open_truths))
    if len(titles) > 1:
        options = tuple(Option(str(n), shown_line(title), hot=str(n)) for n, title in enumerate(titles, 1))
        chosen = yield Pick(key="source", title="Whose truths?", options=options)
        open_truths = [truth for truth in open_truths if truth.source.title == titles[int(chosen) - 1]]
    told: list[str] = []
    for number, truth in enumerate(open_truths, 1):
        words = yield from _settle(table, truth, f"{shown_line(truth.name)} ({number} of {len(open_truths)})", content)
        if words is None:
            break
        if words:
            told.append(f"{shown_line(truth.name)}: {words}")
            table.add("truths", {"id": truth_id(truth), "name": shown_line(truth.name)})
            table.facts["truths"] = [*table.facts.get("truths", []), shown_line(truth.name)]
            table.facts["told"] = told[-1]
            table.text = "\n\n".join(told)
    if not told:
        table.facts["told"] = "no truth settled"


def truth_id(truth: Truth) -> str:
    """Return the id under which the state records that this truth has an answer."""
    return truth.id.replace("/", "_")


def _settle(table: Draft, truth: Truth, title: str, content: Content) -> Generator[Prompt, Answer, str | None]:
    """Ask for the answer to a truth, and for the details from its tables; return the answer in words.

    Return "" if the player skips this truth, and None if the player stops here.
    """
    part = truth_id(truth)
    labels = [_option(str(n), option) for n, option in enumerate(truth.options)]
    besides = (
        Option(OWN, "write your own"),
        Option(SKIP, "skip it", "no answer yet"),
        Option(STOP, "stop here", "you can answer the rest later"),
    )
    spans = [(option.since, option.upto) for option in truth.options]
    chosen = yield from _roll_or_choose(table, part, title, truth.die, labels, spans, besides)
    match chosen:
        case "stop.":
            return None
        case "skip.":
            return ""
        case "own.":
            own: str = yield Text(key=f"own_{part}", title=f"{shown_line(truth.name)}: what is true?", most=500)
            return own
    option = truth.options[int(chosen)]
    words = [shown_line(plain(option.text), TEXT_MOST)]
    for ident in option.tables:
        oracle = content.oracles.get(ident)
        if oracle is None or not oracle.rows:
            continue
        rows = [Option(str(n), shown_line(row_text(oracle, n), 100)) for n in range(len(oracle.rows))]
        # What was rolled so far is on the card while its details are asked for.
        table.facts["told"] = f"{shown_line(truth.name)}: {words[0]}"
        row = yield from _roll_or_choose(
            table,
            ident.replace("/", "_"),
            f"{shown_line(oracle.name)}?",
            oracle.sides,
            rows,
            oracle.spans(),
            (Option(SKIP, "skip"),),
        )
        if row != SKIP:
            words.append(f"{shown_line(oracle.name)}: {row_text(oracle, int(row))}.")
    return " ".join(words)


def _option(key: str, option: TruthOption) -> Option:
    text = plain(option.text)
    quest = f" Quest: {plain(option.quest)}" if option.quest else ""
    faces = f"{option.since}-{option.upto}" if option.upto else ""
    return Option(key, shown_line(text, 100), faces, about=shown_line(text + quest, TEXT_MOST))


def _roll_or_choose(
    table: Draft,
    part: str,
    title: str,
    die: int,
    answers: Sequence[Option],
    spans: Sequence[tuple[int, int]],
    besides: tuple[Option, ...],
) -> Generator[Prompt, Answer, str]:
    """Ask the player to choose one of `answers` or of `besides`, or to roll for an answer; return the option's key.

    `spans` has (lowest face, highest face) of each of `answers`. If no answer has the rolled face, ask for a choice.
    `part` is the suffix of the prompt keys. Without a die (0), rolling is not offered.
    """
    roll = (Option(ROLL, "roll", f"d{die}", hot="r"),) if die else ()
    chosen: str = yield Pick(key=f"truth_{part}", title=title, options=(*roll, *answers, *besides))
    if chosen != ROLL:
        _forget_die(table)
        return chosen
    faces = yield Roll(key=f"die_{part}", title=title.rstrip("?"), dice={"truth": die}, at_once=True)
    face = faces["truth"]
    table.facts |= {"face": face, "sides": die}
    rolled = next((n for n, (first, last) in enumerate(spans) if first <= face <= last), None)
    if rolled is not None:
        return answers[rolled].key
    by_hand: str = yield Pick(key=f"gap_{part}", title=f"No answer for {face}. Choose one", options=tuple(answers))
    return by_hand


def _forget_die(table: Draft) -> None:
    facts: dict[str, Any] = table.facts
    facts.pop("face", None)
    facts.pop("sides", None)
