"""The command `show`: the present state of a campaign."""

from __future__ import annotations

import argparse

from tracker.commands.names import path_of
from tracker.commands.output import say, say_json
from tracker.text import shown_line


def show(asked: argparse.Namespace) -> int:
    from tracker.campaign.session import Session
    from tracker.campaign.state import thaw
    from tracker.games.api import plain_text
    from tracker.plain import words

    session = Session.open(path_of(asked), write=False, tail="keep")
    state, game = session.state, session.game
    if asked.json:
        say_json({"game": game.id, "state": thaw(state)})
        return 0
    say(f"{shown_line(session.save.name.removesuffix('.toml'))}  {game.name}")
    side = game.gm_side(state)
    for member in game.members(state):
        say()
        say(member.title)
        for line in (*words.sheet(session, member.id, gm=side), *map(words.due, session.owed(member.id))):
            say(f"  {line}")
    parts = ([*words.other_side(side)] if side else [], [plain_text.track(track) for track in game.tracks(state)])
    for part in filter(None, parts):
        say()
        for line in part:
            say(line)
    return 0
