"""A program that plays a while, says the id of each entry once it is saved, and ends whatever fails.

    plays_and_ends.py SAVE COUNT

It says `ready` once everything is imported, and begins when it gets a line.
"""

import contextlib
import ctypes
import os
import sys
import tempfile

from tests.faults import campaign

from tracker.games.api.errors import Refused
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError


def say(words: str) -> None:
    """Write a line in one call, or not at all: the pipe may be what fails."""
    with contextlib.suppress(OSError):  # then nobody heard it
        os.write(1, f"{words}\n".encode())


def main(path: str, count: int) -> None:
    try:
        table = campaign.reopen(path, Disk())
    except SaveError as error:
        say(f"refused: {error}")
        return
    for n in range(count):
        try:
            ident = campaign.play(table, n)["id"]
        except Refused as error:
            say(f"refused: {error}")
            break
        if table.settle().word != "saved":
            table.retry()
        if table.settle().word == "saved":
            say(ident)
    say(f"closed: {table.close().word}")


def import_all() -> None:
    """Play somewhere else, so that no module is imported later: a fault there would not be one of the save."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "warm.toml")
        campaign.new(path)
        table = campaign.reopen(path)
        campaign.play_saved(table, 12)
        table.close()


def let_trace() -> None:
    """Let any process of this user trace this one; on some systems only an ancestor may."""
    if sys.platform == "linux":
        pr_set_ptracer = 0x59616D61
        ctypes.CDLL(None).prctl(pr_set_ptracer, ctypes.c_ulong(-1), 0, 0, 0)


campaign.tidy_often(setattr)
import_all()
let_trace()
say("ready")
sys.stdin.readline()
main(sys.argv[1], int(sys.argv[2]))
