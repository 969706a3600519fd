"""The command `new`: a new campaign, with its first character if wanted."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tracker.commands.campaign_lookup import folder_of, game_called, quoted
from tracker.commands.output import say, say_json
from tracker.games.api.errors import Refused
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.game import Game


def new(asked: argparse.Namespace) -> int:
    """Create a campaign, with its first character if one is given; return the exit code, 0.

    Raise Misuse if the game is unknown, Refused if a pack is not installed or the character is not valid, and SaveError
    if the campaign's name is not valid or taken, or its file cannot be written.
    """
    if (asked.character, asked.stats) != (None, None):
        return make(asked)
    if problem := saves_folder.name_problem(asked.name):
        raise SaveError(problem)
    game = game_called(asked.game)
    path = _created(asked, game)
    return _report(asked, path, game.id)


def _created(asked: argparse.Namespace, game: Game) -> str:
    """Create the campaign `asked.name` of this game, which uses the packs in `--packs`; return its path.

    Also create the saves folder if it does not exist. Raise Refused if a pack is not installed, and SaveError if the
    name is taken or the file cannot be written; if only the packs cannot be saved, the campaign is there.
    """
    from tracker.campaign.library import use_packs
    from tracker.campaign.session import new_campaign

    wanted = _wanted_packs(asked)
    folder = saves_folder.make_saves_folder(folder_of(asked))
    path = os.path.join(folder, f"{asked.name}.toml")
    new_campaign(path, game)
    use_packs(path, wanted)
    return path


def _wanted_packs(asked: argparse.Namespace) -> list[str]:
    """Return the ids in `--packs`, each once. Raise Refused if one of them is not installed.

    Return [] without `--packs`.
    """
    if asked.packs is None:
        return []
    from tracker.content.packs import how_to_get, installed

    there = {pack.id for pack in installed()}
    wanted = list(dict.fromkeys(filter(None, map(str.strip, asked.packs.split(",")))))
    for ident in wanted:
        if ident not in there:
            raise Refused(f"No pack “{shown_line(ident)}” is installed; `{how_to_get(ident)}` installs it.")
    return wanted


def make(asked: argparse.Namespace) -> int:
    """Create a campaign with its first character, from `--character` and `--stats`; return the exit code, 0.

    Raise Misuse if the game is unknown, Refused if the character is not valid or a pack is not installed, and SaveError
    if the campaign's name is not valid or taken, or its file cannot be written; no file is created then. Also raise
    SaveError if the campaign was created, but its packs or its character could not be saved.
    """
    from tracker.campaign.fold import start
    from tracker.campaign.run import Run
    from tracker.campaign.session import Session

    if asked.character is None:
        raise Refused("--stats needs --character.")
    if problem := saves_folder.name_problem(asked.name):
        raise SaveError(problem)
    game = game_called(asked.game)
    answers = game.creation_answers(asked.character, _numbers(asked.stats or ""))
    procedure = game.make_character.procedure
    made = Run(game, game.moves[procedure], "", start(game.top))
    while made.prompt is not None:
        made.answer(answers.get(made.prompt.key, made.prompt.default))
    path = _created(asked, game)
    session = Session.open(path)
    try:
        session.finish(session.begin(procedure, "", made.answers))
    finally:
        sign = session.close()
    if sign.word != "saved":
        raise SaveError(f"Created {asked.name}, but couldn't save the character: {sign.why}.")
    return _report(asked, path, game.id)


def _report(asked: argparse.Namespace, path: str, game: str) -> int:
    """Print that a campaign was created at this path; return the exit code, 0."""
    if asked.json:
        characters = [asked.character] if asked.character else []
        say_json({"name": asked.name, "path": path, "game": game, "characters": characters})
        return 0
    who = f" with {shown_line(asked.character)}" if asked.character else ""
    say(f"Created {asked.name}{who}. To play: tracker {quoted(asked.name)}")
    return 0


def _numbers(text: str) -> Mapping[str, int]:
    """Return the numbers in a text such as `edge=3,heart=2`, by name. Raise Refused if the text has another form."""
    numbers: dict[str, int] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, value = map(str.strip, part.partition("="))
        if not name or not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 4):
            raise Refused(f"“{shown_line(part)}” should look like edge=3.")
        if name in numbers:
            raise Refused(f"“{shown_line(name)}” appears twice in --stats.")
        numbers[name] = int(value)
    return numbers
