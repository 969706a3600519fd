"""Campaigns, games and examples as rows of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from textual.content import Content

from tracker.app.drawings import column, fit
from tracker.app.widgets.options import Row
from tracker.campaign.library import CampaignInfo, example_name, examples
from tracker.games import GAMES, name_of
from tracker.games.api.phrases import short_date, time_of_day
from tracker.records import NamedTuple
from tracker.text import shown_line

EXAMPLE = "example:"
"""Prefix of the value of a row that opens a copy of an example."""
_PLAYED, _ENTRIES = 12, 7
_EDGES = 6
"""Cells of a row before its name, and of its end."""
_LEAST_GAME, _LEAST_WHO = 12, 10


class Columns(NamedTuple):
    """Widths, in cells, of the columns in the list of campaigns. A column without room has the width 0.

    `who` is the column with the characters, and `entries` the one with the number of entries.
    """

    name: int
    game: int
    who: int
    entries: int


def columns(listed: Sequence[CampaignInfo], width: int) -> Columns:
    """Return the widths of the columns for these campaigns in a list `width` cells wide.

    If there is too little room, the number of entries is left out, then characters and game are cut or left out.
    The name is cut last.
    """

    def longest(texts: Iterable[str], title: str) -> int:
        return max((Content(text).cell_length for text in [title, *texts]), default=0) + 2

    name = longest((shown_line(one.name) for one in listed), "name")
    game = longest((shown_line(name_of(one.game)) for one in listed), "game")
    who = longest((_characters(one) for one in listed), "characters")
    room = width - _EDGES - _PLAYED - name
    entries = _ENTRIES if room >= game + _LEAST_WHO + _ENTRIES else 0
    room -= entries
    who = min(who, room - game) if room - game >= _LEAST_WHO else 0
    game = min(game, room - who) if room - who >= _LEAST_GAME else 0
    return Columns(min(name, width - _EDGES - _PLAYED - entries - who - game), game, who, entries)


def title_row(widths: Columns) -> Row:
    """Return the row with the names of the columns, which cannot be picked. `widths` are from `columns`."""
    return Row("   " + _line(widths, "name", "game", "characters", "last played", "entries"))


def campaign_row(number: int, one: CampaignInfo, recovers: str, widths: Columns) -> Row:
    """Return the row of a campaign, whose value is its path.

    `number` counts the rows from 1; the first nine have it as their hotkey.

    The row of a damaged campaign says that the key `recovers` recovers it.
    """
    if one.problem:
        name = column(fit(shown_line(one.name), widths.name - 2), widths.name)
        label = f"{name.plain}damaged: {recovers} recovers it"
    else:
        said = shown_line(one.name), shown_line(name_of(one.game)), _characters(one)
        label = _line(widths, *said, _when(one.played), str(one.entries))
    return Row(label, one.path, str(number) if number <= 9 else "")


def _characters(one: CampaignInfo) -> str:
    return ", ".join(map(shown_line, one.characters)) or "–"


def _line(widths: Columns, name: str, game: str, who: str, when: str, entries: str) -> str:
    cells = ((name, widths.name), (game, widths.game), (who, widths.who), (when, _PLAYED))
    told = [column(fit(text, width - 1), width) for text, width in cells if width]
    return Content.assemble(*told, entries.rjust(_ENTRIES) if widths.entries else "").plain


def example_rows() -> Iterator[Row]:
    """Yield a row for each game that has an example, in the order of the games.

    Its value is EXAMPLE followed by the path of the example.
    """
    found = {example_name(example): example for example in examples()}
    for number, game in enumerate((game for game in GAMES.values() if game.id in found), 1):
        yield Row(game.name, f"{EXAMPLE}{found[game.id]}", str(number), f"example: {game.example}")


def game_rows() -> tuple[Row, ...]:
    """Return a row for each game, with its id as the value, to pick one for a new campaign."""
    return tuple(Row(game.name, game.id, str(number), game.pitch) for number, game in enumerate(GAMES.values(), 1))


def official_hint(game: str) -> list[Content]:
    """Return a paragraph on how to get the official content of the game with the id `game`.

    Return [] if a pack of any game is installed, or if the game has no official content.
    """
    from tracker.content.packs import installed

    official = GAMES[game].official
    return [Content.styled(official, "$muted")] if official and not installed() else []


def _when(moment: datetime) -> str:
    """Return a time as short text: the time of today, "yesterday", day and month, or a date if it is long ago."""
    days = (datetime.now().date() - moment.date()).days
    if days <= 0:
        return time_of_day(moment)
    if days == 1:
        return "yesterday"
    return f"{moment:%b} {moment.day}" if days < 300 else short_date(moment)
