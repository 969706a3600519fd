"""Scenes and sessions: entries like any other, made by procedures that every game can use unchanged.

World notes, packs and seats come along, so that every game has them: `LAYOUT`, `PHRASES` and `MOVES` include theirs.

A game that has rules for the start of a session defines its own procedure with the id of SESSION, which also calls
`new_session`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.game import Move
from tracker.games.api.schema import ROLLED, TYPED, Integer, Kind, Line, State
from tracker.games.api.view import Action, Start
from tracker.games.common import notes, packs, seats

if TYPE_CHECKING:
    from tracker.games.api.phrases import Phrases

LAYOUT: dict[str, Kind] = {
    "scene": Line(),
    "session": Integer(1, 9999, 1),
    **notes.LAYOUT,
    **packs.LAYOUT,
    **seats.LAYOUT,
}
"""Fields that the top of a game's schema needs for scenes, sessions, notes, packs and seats."""
PHRASES: Phrases = {
    **notes.PHRASES,
    **packs.PHRASES,
    **seats.PHRASES,
    "scene": "new scene: {new}",
    "session": "session {new} begins",
    "dice_are": {"": "", ROLLED: "switched to app dice", TYPED: "switched to real dice"},
}
"""Phrases for the changes of these fields, and of `dice_are`."""


def new_scene(table: Draft) -> Procedure:
    from tracker.games.api.prompts import Text

    title = yield Text(key="title", title="Title of the new scene", hint="The ford at dusk")
    table.to("scene", title)
    table.facts["heading"] = title


def new_session(table: Draft) -> Procedure:
    table.by("session", 1)
    table.facts["heading"] = f"Session {table.state['session']}"
    yield from ()


SCENE = Move("story/scene", "New scene", new_scene, "story", "The story moves to another place or time.", solo=True)
SESSION = Move("story/session", "New session", new_session, "story", "You sit down to play again.", solo=True)
MOVES = {move.id: move for move in (SCENE, SESSION)} | notes.MOVES | packs.MOVES


def breaks(state: State) -> tuple[Action, ...]:
    """Return the actions that begin a scene or a session."""
    return (
        Action("s", SCENE.name, Start(SCENE.id), "its title shows next to the campaign name"),
        Action("n", SESSION.name, Start(SESSION.id), f"starts session {state['session'] + 1}"),
    )
