"""The command `play`: the full-screen app, or plain mode."""

from __future__ import annotations

import argparse
import gc
import os
import sys

from tracker.commands.campaign_lookup import folder_of, path_of
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.streams import in_browser

COLLECT_AFTER = 700, 10, 10
"""Thresholds of Python's garbage collector. With those of `cli.run`, an evening in the app takes 60 MB more."""


def play(asked: argparse.Namespace) -> int:
    """Play a campaign, or choose one, in the full-screen app, or in plain mode with `--plain`; return the exit code.

    Blocks until the player quits. The saves folder is created if it does not exist, and an example is copied into it
    first. Raise SaveError if there is no such campaign, if plain mode has no campaign, or if the terminal cannot show
    the app. Raise Refused if several names begin so.
    """
    folder = folder_of(asked)
    plain = asked.plain
    path = path_of(asked) if asked.name is not None else None
    if plain and path is None:
        raise SaveError("Which campaign? Use `tracker NAME --plain`; `tracker list` lists them.")
    check_terminal(plain=plain)
    gc.set_threshold(*COLLECT_AFTER)
    saves_folder.make_saves_folder(folder)
    if path and saves_folder.is_example(path):
        path = saves_folder.copy_example(path, folder)
    if plain and path:
        from tracker.plain.main import run as run_plain

        return run_plain(path, asked.seed)
    from tracker.app.main import run

    return run(folder, path, asked.seed)


def check_terminal(*, plain: bool) -> None:
    """Raise SaveError if the app cannot run in this terminal.

    It can run in a browser, and plain mode (`plain`) runs everywhere.
    """
    if in_browser():
        return
    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SaveError("Full screen needs a terminal; use `tracker NAME --plain`.")
    if not plain and os.environ.get("TERM") == "dumb":
        raise SaveError("This terminal can't show full screen; use `tracker NAME --plain`.")
