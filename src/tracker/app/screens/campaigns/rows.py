"""Campaigns as rows of a list, and what a first start shows in their place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from textual.content import Content

from tracker.app.drawings import column, fit
from tracker.app.widgets.options import Row
from tracker.games import GAMES, name_of
from tracker.saves import library
from tracker.saves.library import CampaignInfo
from tracker.text import shown_line

WELCOME = (
    "╭───────╮",
    "│ ●   ● │   You tell the story.",
    "│   ●   │   This keeps the numbers,",
    "│ ●   ● │   the dice and the journal.",
    "╰───────╯",
)
EXAMPLE = "example:"
"""What the value of a row begins with that opens a copy of one."""
_NARROW = (21, 15, 13, 12)
_WIDE = (34, 22, 24, 14)
"""Cells for name, game, characters and when it was played; then come the entries."""


def title_row(*, wide: bool) -> Row:
    """What stands over the columns."""
    name, game, who, when = _WIDE if wide else _NARROW
    return Row(f"   {'name':<{name}} {'game':<{game}} {'characters':<{who}} {'last played':<{when}}entries")


def row_of(number: int, one: CampaignInfo, recovers: str, *, wide: bool) -> Row:
    """A campaign; the first nine have a key. A damaged one tells the key that `recovers` it."""
    name, game, who, when = _WIDE if wide else _NARROW
    called = column(fit(shown_line(one.name), name), name)
    if one.problem:
        label = Content.assemble(called, f" damaged: {recovers} recovers it").plain
    else:
        played = column(shown_line(name_of(one.game)), game)
        party = column(fit(", ".join(map(shown_line, one.characters)) or "–", who), who)
        label = Content.assemble(called, " ", played, " ", party, f" {_when(one.played):<{when}}{one.entries:>7}").plain
    return Row(label, one.path, str(number) if number <= 9 else "")


def example_rows() -> Iterator[Row]:
    """The examples that can be opened, one per game, in the order of the games."""
    found = {example.stem.removeprefix("example-"): example for example in library.examples()}
    for number, game in enumerate((game for game in GAMES.values() if game.id in found), 1):
        yield Row(game.name, f"{EXAMPLE}{found[game.id]}", str(number), f"example: {game.example}")


def game_rows() -> tuple[Row, ...]:
    """The games that a campaign can be of."""
    return tuple(Row(game.name, game.id, str(number), game.pitch) for number, game in enumerate(GAMES.values(), 1))


def _when(moment: datetime) -> str:
    """When it was last played, as short as it can be said."""
    days = (datetime.now().date() - moment.date()).days
    if days <= 0:
        return f"today {moment:%H:%M}"
    if days == 1:
        return "yesterday"
    return f"{moment.day} {moment:%b}" if days < 300 else f"{moment:%Y-%m-%d}"
