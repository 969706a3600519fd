"""The command `list`."""

from __future__ import annotations

import argparse

from tracker.commands.names import folder_of
from tracker.commands.output import say
from tracker.saves import library
from tracker.text import shown_line


def print_list(asked: argparse.Namespace) -> int:
    from tracker.campaign.library import shelf
    from tracker.games import name_of

    folder = folder_of(asked)
    try:
        found = shelf(folder)
    except FileNotFoundError:
        found = []  # listing does not create the folder
    except OSError as error:
        raise library.unusable(folder, error) from None
    if not found:
        say(f"No campaigns in {folder} yet; `tracker new NAME --game ironsworn` makes one.")
    for one in found:
        who = ", ".join(shown_line(name) for name in one.characters) or "–"
        game = name_of(one.game) or "–"
        played = one.played.strftime("%Y-%m-%d %H:%M")
        say(f"{shown_line(one.name):<24} {shown_line(game):<16} {who:<24} {played}  {one.entries:>6} entries")
        if one.problem:
            say(f"    {one.problem}")
    return 0
