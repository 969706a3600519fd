"""The command `merge`: two copies of one campaign become one."""

from __future__ import annotations

import argparse
import os

from tracker.campaign import merge as copies
from tracker.commands.campaign_lookup import path_of
from tracker.commands.output import Bar, say, say_json
from tracker.games.api.phrases import counted
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.text import shown_line


def merge(asked: argparse.Namespace) -> int:
    """Unite two copies of a campaign and print what has changed; return the exit code, 0.

    Raise SaveError, with nothing changed, if they cannot be united.
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
    for line in _lines(done, path, other):
        say(line)
    return 0


def _lines(done: copies.Merged, path: str, other: str) -> list[str]:
    """Return sentences for the player about a merge."""
    name, first, second = (shown_line(os.path.basename(one).removesuffix(".toml")) for one in (done.path, path, other))
    if not done.second and done.path == path:
        more = f", and {done.first} more" if done.first else ""
        return [f"{first} already has every entry of {second}{more}."]
    parts = f"{done.first} only from {first}, {done.second} only from {second}, {done.both} from both"
    lines = [f"{name} has {counted(done.entries, 'entry')} now: {parts}."]
    if done.superseded:
        ends = counted(done.superseded, "entry")
        lines.append(f"A roll was finished in both copies; the first end counts, and {ends} of the other don't.")
    if done.changes:
        lines.append(f"Changed in {first}: {', '.join(map(shown_line, done.changes))}.")
    return lines
