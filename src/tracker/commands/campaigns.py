"""The command `list`: the campaigns of a folder."""

from __future__ import annotations

import argparse

from tracker.arguments import complain
from tracker.commands.campaign_lookup import folder_of, no_folder
from tracker.commands.output import say, say_json, table
from tracker.saves import saves_folder
from tracker.text import shown_line


def print_list(asked: argparse.Namespace) -> int:
    """Print the campaigns, last played first, or with `--names` only their names, sorted; as JSON lines with `--json`.

    Return the exit code: 1 if a folder that the player chose does not exist, else 0. Raise SaveError if the folder
    cannot be read, and OSError if there is no data folder.
    """
    folder = folder_of(asked)
    try:
        if asked.names:
            for name in saves_folder.names(folder):
                say_json({"name": name}) if asked.json else say(name)
            return 0
        found = saves_folder.campaigns(folder)
    except FileNotFoundError as error:
        complain(str(no_folder(folder, error)))
        return 1 if saves_folder.chosen_folder(asked.saves) else 0
    except OSError as error:
        raise no_folder(folder, error) from None
    if any(one.stale for one in found):
        from tracker.campaign.library import all_as_they_stand

        found = all_as_they_stand(found)
    if asked.json:
        for one in found:
            told = {"name": one.name, "path": one.path, "game": one.game, "characters": one.characters}
            say_json({**told, "played": one.played.astimezone(), "entries": one.entries, "problem": one.problem})
        return 0
    if not found:
        complain(f"No campaigns in {shown_line(folder, 300)} yet; `tracker new NAME --game ironsworn` makes one.")
        return 0
    from tracker.games import name_of
    from tracker.games.api.phrases import counted

    rows = [
        (
            shown_line(one.name),
            shown_line(name_of(one.game) or "–"),
            ", ".join(shown_line(name) for name in one.characters) or "–",
            f"{one.played:%Y-%m-%d %H:%M}",
            counted(one.entries, "entry"),
        )
        for one in found
    ]
    for one, line in zip(found, table(rows, right=4), strict=True):
        say(line)
        if one.problem:
            say(f"    {one.problem}")
    return 0
