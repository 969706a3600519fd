"""Command palette: keys, characters, moves, oracle tables, tracks and themes by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from textual.app import App
from textual.content import Content
from textual.screen import Screen

from tracker import settings
from tracker.app.keymap import display, key_of
from tracker.app.screens.keys import bindings_of, key_label
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.screens.table.screen import TableScreen
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import Row
from tracker.games.api.content import table_names
from tracker.games.api.view import Start
from tracker.records import NamedTuple
from tracker.text import shown_line

_ELSEWHERE = {"beside", "speak", "palette", "keys"}
"""Actions that are useful only as keys, or that open the palette."""


class PaletteCommand(NamedTuple):
    """One command in the palette: label, description `about`, function to run, and key or "".

    A `reason` disables it and says why.
    """

    label: str
    about: str
    run: Callable[[], Any]
    key: str = ""
    reason: str = ""


class PaletteScreen(ListScreen):
    """Dialog with all commands of a screen, which the player finds by name.

    Ends with the picked command's function, for the caller to call, or None.
    """

    def __init__(self, heading: Heading, screen: Screen[Any]) -> None:
        rows: list[Row] = []
        abouts: dict[Any, str] = {}
        for group, commands in groups(screen):
            found = list(commands)
            rows += [Row(group)] if found else []
            for command in found:
                rows.append(Row(command.label, command.run, note=command.key, reason=command.reason))
                abouts[command.run] = command.about

        def about(run: Any) -> list[Content]:
            return [Content(line) for line in abouts.get(run, "").split("\n")]

        super().__init__(heading, "All commands", Choices(tuple(rows), about))


def groups(screen: Screen[Any]) -> Iterator[tuple[str, Iterator[PaletteCommand]]]:
    """Yield (title, commands) of each group of commands that a screen has; a group may be empty."""
    yield "Here", _keys(screen)
    if isinstance(screen, TableScreen):
        yield "Play as", _party(screen)
        yield from _moves(screen)
        yield "Ask the oracle", _fate(screen)
        yield "Tracks", _tracks(screen)
    yield "Settings", _settings(screen)
    yield "Themes", _themes(screen)


def _keys(screen: Screen[Any]) -> Iterator[PaletteCommand]:
    for owner, binding in bindings_of(screen):
        name = binding.action.partition("(")[0]
        if isinstance(owner, (Screen, App)) and name not in _ELSEWHERE and binding.id != "quit.too":
            act = partial(screen.app.run_action, binding.action, owner)
            about = f"{binding.tooltip}\n\nKey name in {settings.NAME}: {binding.id}"
            yield PaletteCommand(key_label(screen, binding), about, act, display(key_of(screen.app, binding)))


def _party(table: TableScreen) -> Iterator[PaletteCommand]:
    for n, member in enumerate(table.session.game.members(table.session.state), 1):
        key = str(n) if n <= 9 else ""
        yield PaletteCommand(member.name, "Play this character.", partial(table.action_speak, n), key)


def _moves(table: TableScreen) -> Iterator[tuple[str, Iterator[PaletteCommand]]]:
    game, state, who = table.session.game, table.session.state, table.player.active
    names = dict.fromkeys(move.group for move in game.moves.values())

    def of(group: str) -> Iterator[PaletteCommand]:
        for move in game.moves.values():
            if move.group == group:
                nobody = "" if who or move.solo else "make a character first"
                reason = nobody or ("" if move.solo else game.why_not(state, who, move.id))
                yield PaletteCommand(move.name, move.trigger, partial(table.start, Start(move.id)), reason=reason)

    for name in names:
        yield name.capitalize() or "More", of(name)


def _fate(table: TableScreen) -> Iterator[PaletteCommand]:
    """Yield a command for each yes/no question and each oracle table.

    Labels begin with "Ask:" or "Oracle:". Without that, the word "theme" would find the table Theme before the app's
    themes.
    """
    oracles = table.session.game.oracles()
    nobody = "" if table.player.active else "make a character first"
    for action in oracles.questions:
        about = f"Yes or no: {action.note}." if action.note else "Yes or no."
        yield PaletteCommand(f"Ask: {action.label}", about, partial(table.start, action.start), reason=nobody)
    tables = table.session.content().oracles
    names = table_names(tables)
    for oracle in tables.values():
        act = partial(table.start, oracles.roll_on([oracle.id]))
        about = f"{shown_line(oracle.group)}: roll on this table."
        if oracle.source.title:
            about += f"\n\n{shown_line(oracle.source.title)}"
        yield PaletteCommand(f"Oracle: {names.get(oracle.id) or shown_line(oracle.name)}", about, act, reason=nobody)


def _tracks(table: TableScreen) -> Iterator[PaletteCommand]:
    for track in table.session.game.tracks(table.session.state):
        about = f"{track.rank} {track.kind}: your options."
        yield PaletteCommand(shown_line(track.name), about, partial(table.pick_for_track, track))


def _settings(screen: Screen[Any]) -> Iterator[PaletteCommand]:
    about = "What you can set, and in which file."
    yield PaletteCommand("Settings", about, partial(screen.app.run_action, "app.settings"))


def _themes(screen: Screen[Any]) -> Iterator[PaletteCommand]:
    app = screen.app
    ours = ["hearth", "vellum"]
    for name in [*ours, *sorted(set(app.available_themes) - set(ours))]:
        now = ", in use" if name == app.theme else ""
        yield PaletteCommand(f"Theme {name}", f"Theme {name}{now}.", partial(setattr, app, "theme", name))
