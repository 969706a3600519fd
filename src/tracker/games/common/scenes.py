"""Scenes and sessions: entries like any other, made by procedures that every game can take as they are.

A game in which something is once a session gives its own procedure under the same id, and does both.
"""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.game import Move
from tracker.games.api.schema import Integer, Kind, Line, State
from tracker.games.api.view import Action, Start

LAYOUT: dict[str, Kind] = {"scene": Line(), "session": Integer(1, 9999, 1)}
"""What the top of a table holds for it."""


def new_scene(table: Draft) -> Procedure:
    from tracker.games.api.prompts import Text

    title = yield Text(key="title", title="What is the new scene called?", hint="a place, or a moment")
    table.to("scene", title)
    table.facts["heading"] = title


def new_session(table: Draft) -> Procedure:
    table.by("session", 1)
    table.facts["heading"] = f"Session {table.state['session']}"
    yield from ()


SCENE = Move("story/scene", "New scene", new_scene, "story", "The story goes on in another place or time.", solo=True)
SESSION = Move("story/session", "New session", new_session, "story", "You sit down to play again.", solo=True)
MOVES = {move.id: move for move in (SCENE, SESSION)}


def breaks(state: State) -> tuple[Action, ...]:
    """The breaks that a story can have now."""
    return (
        Action("s", SCENE.name, Start(SCENE.id), "its title stands beside the campaign's name"),
        Action("n", SESSION.name, Start(SESSION.id), f"session {state['session'] + 1} begins"),
    )
