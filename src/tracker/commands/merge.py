"""The command `merge`: two copies of one campaign become one."""

from __future__ import annotations

import argparse
import os

from tracker.campaign import merge as copies
from tracker.commands.campaign_lookup import path_of
from tracker.commands.output import Bar, say, say_json
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.text import shown_line


def merge(asked: argparse.Namespace) -> int:
    """Add the entries of the copy `asked.other` to the campaign `asked.name`; with `--to`, write a new file with both.

    Print what has changed; return the exit code, 0. Raise SaveError, with nothing changed, if the two cannot be united.
    Raise Refused if several names begin so.
    """
    path = path_of(asked)
    other = path_of(argparse.Namespace(**{**vars(asked), "name": asked.other}))
    if saves_folder.is_example(path) and not asked.to:
        raise SaveError(f"{shown_line(os.path.basename(path))} is an example; give --to for the result.")
    with Bar() as bar:
        done = copies.merge(path, other, saves_folder.copy_path(asked.to, path) if asked.to else "", bar.step)
    if asked.json:
        told = {"path": done.path, "entries": done.entries, "first": done.first, "second": done.second}
        say_json({**told, "both": done.both, "superseded": done.superseded, "changes": done.changes})
        return 0
    for line in copies.sentences(done, path, other):
        say(line)
    return 0
