"""New scenes and sessions, in which abilities can be used again that work once in each."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.common import scenes
from tracker.games.ironsworn.boons import give_back


def new_scene(table: Draft) -> Procedure:
    """Begin a scene: ask for its title, and give back what works once per scene."""
    yield from scenes.new_scene(table)
    give_back(table, "scene")


def new_session(table: Draft) -> Procedure:
    """Begin a session, and give back what works once per session."""
    yield from scenes.new_session(table)
    give_back(table, "session")
