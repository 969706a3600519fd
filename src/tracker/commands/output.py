"""What commands print: safe lines, JSON and one-line errors."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tracker.arguments import complain
from tracker.streams import encodable
from tracker.text import shown, shown_line

if TYPE_CHECKING:
    from tracker.campaign.session import Session
    from tracker.games.api.view import Card, DueItem


def say(line: str = "") -> None:
    """Print one line on stdout, made safe to show. Characters that stdout's encoding lacks are replaced."""
    print(encodable(shown(line), sys.stdout))


def fail(message: str) -> int:
    """Print on stderr, as one line, why a command failed; return the exit code, 1."""
    complain(message)
    return 1


def say_json(value: Any) -> None:
    """Print a value as one line of JSON: times in ISO format, and null for a number that JSON lacks."""
    import json

    from tracker.json_values import as_text, finite

    print(json.dumps(finite(value), default=as_text, allow_nan=False))


def card_in_json(card: Card) -> dict[str, Any]:
    """Return a card as data for JSON: its title, outcome, score, dice, sum, reason and short text.

    Parts that are empty are left out.
    """
    from tracker.games.api.plain_text import spoken

    told = {
        "title": card.title,
        "outcome": card.outcome_alone,
        "score": card.score,
        "dice": [{"group": die.group, "face": die.face, "sides": die.sides, "word": die.word} for die in card.dice],
        "sum": spoken(card.sum),
        "why": spoken(card.why),
        "text": card.short,
    }
    return {key: value for key, value in told.items() if value not in ("", None, [])}


def due_in_json(item: DueItem) -> dict[str, str]:
    """Return a due item as data for JSON: the keys `move`, `label` and `note`.

    `move` is the id of the due move, or "" for an unfinished roll.
    """
    return {"move": item.start.procedure if item.start else "", "label": item.label, "note": item.note}


def table(rows: Sequence[Sequence[str]], right: int = -1) -> Iterator[str]:
    """Yield the rows as lines with aligned columns. Wide characters count as two cells.

    `right` is the index of a column that is aligned to the right. The texts must be safe to show.
    """
    from tracker.graphemes import cells

    wide = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = []
        for n, text in enumerate(row):
            blank = " " * (wide[n] - cells(text))
            padded.append(f"{blank}{text}" if n == right else f"{text}{blank}")
        yield "  ".join(padded).rstrip()


def warn_of_damage(session: Session) -> int:
    """Print on stderr where the file of a session is damaged; do nothing if it is intact.

    Return the exit code: 1 if it is damaged, else 0.
    """
    from tracker.commands.campaign_lookup import quoted

    read = session.save.read
    if not read.bad:
        return 0
    name = session.save.name.removesuffix(".toml")
    line = read.bad[0].line
    more = f" and {len(read.bad) - 1} more" if len(read.bad) > 1 else ""
    complain(
        f"{shown_line(name)} is damaged at line {line}{more}, so this is not all of it; "
        f"`tracker check {quoted(name)}` tells more."
    )
    return 1


class Bar:
    """A progress bar on stderr, drawn only if stderr is a terminal.

    It is a context manager, which erases the bar at the end.
    """

    def __init__(self) -> None:
        self._percent = -1
        self._drawn = False

    def __enter__(self) -> Bar:
        return self

    def step(self, done: float) -> None:
        percent = int(done * 100)
        if sys.stderr.isatty() and percent != self._percent:
            self._percent, self._drawn = percent, True
            full = percent // 5
            line = f"\r{'━' * full}{'─' * (20 - full)} {percent}%"
            sys.stderr.write(encodable(line, sys.stderr))
            sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
