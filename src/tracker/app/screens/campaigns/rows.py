"""Campaigns, games and examples as rows of a list; the welcome of a first start."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from textual.content import Content

from tracker.app.drawings import column, fit
from tracker.app.widgets.options import Row
from tracker.campaign.library import CampaignInfo, examples
from tracker.games import GAMES, name_of
from tracker.text import shown_line

WELCOME = (
    "╭───────╮",
    "│ ●   ● │   You tell the story.",
    "│   ●   │   tracker keeps the numbers,",
    "│ ●   ● │   the dice and the journal.",
    "╰───────╯",
)
EXAMPLE = "example:"
"""Prefix of the value of a row that opens a copy of an example."""
_NARROW = (21, 15, 13, 12)
_WIDE = (34, 22, 24, 14)
"""Widths in cells of name, game, characters and last played; the entries follow."""


def title_row(*, wide: bool) -> Row:
    """Return the heading of the columns."""
    name, game, who, when = _WIDE if wide else _NARROW
    return Row(f"   {'name':<{name}} {'game':<{game}} {'characters':<{who}} {'last played':<{when}}entries")


def row_of(number: int, one: CampaignInfo, recovers: str, *, wide: bool) -> Row:
    """Return the row of a campaign; the first nine have a digit as hotkey. A damaged one names the key `recovers`."""
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
    """Yield the available examples, one for each game, in the order of the games."""
    found = {example.stem.removeprefix("example-"): example for example in examples()}
    for number, game in enumerate((game for game in GAMES.values() if game.id in found), 1):
        yield Row(game.name, f"{EXAMPLE}{found[game.id]}", str(number), f"example: {game.example}")


def game_rows() -> tuple[Row, ...]:
    """Return all games for a new campaign."""
    return tuple(Row(game.name, game.id, str(number), game.pitch) for number, game in enumerate(GAMES.values(), 1))


def _when(moment: datetime) -> str:
    """Return when a campaign was last played, as short as possible."""
    days = (datetime.now().date() - moment.date()).days
    if days <= 0:
        return f"today {moment:%H:%M}"
    if days == 1:
        return "yesterday"
    return f"{moment.day} {moment:%b}" if days < 300 else f"{moment:%Y-%m-%d}"
