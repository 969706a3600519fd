"""A campaign with its first character in one go, from the command line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from tracker.commands import say
from tracker.games.refused import Refused
from tracker.saves import places
from tracker.saves.errors import SaveError
from tracker.text import shown_line


def make(asked: argparse.Namespace) -> int:
    """A campaign with its first character. What is refused leaves no file behind."""
    from tracker.games import game as find_game
    from tracker.table.fold import start
    from tracker.table.run import Run
    from tracker.table.session import Session, new_campaign

    if asked.character is None:
        raise Refused("--stats needs --character: whose stats are they?")
    if problem := places.name_problem(asked.name):
        raise SaveError(problem)
    game = find_game(asked.game)
    answers = game.creation_answers(asked.character, _numbers(asked.stats or ""))
    procedure = game.make_character.procedure
    made = Run(game, game.moves[procedure], "", start(game.top))
    while made.prompt is not None:
        made.answer(answers.get(made.prompt.key, made.prompt.default))
    folder = places.make_saves_folder(places.saves_folder(getattr(asked, "saves", None)))
    path = os.path.join(folder, f"{asked.name}.toml")
    new_campaign(path, game)
    session = Session.open(path)
    try:
        session.finish(session.begin(procedure, "", made.answers))
    finally:
        sign = session.close()
    if sign.word != "saved":
        raise SaveError(f"{asked.name} is there, but the character could not be saved: {sign.why}.")
    say(f"{asked.name} is ready, with {shown_line(asked.character)}: tracker {asked.name!r} opens it.")
    return 0


def _numbers(text: str) -> Mapping[str, int]:
    """`edge=3,heart=2` as numbers by name."""
    numbers: dict[str, int] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, value = map(str.strip, part.partition("="))
        if not name or not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 4):
            raise Refused(f"“{shown_line(part)}” is not written like edge=3.")
        if name in numbers:
            raise Refused(f"“{shown_line(name)}” stands twice in --stats.")
        numbers[name] = int(value)
    return numbers
