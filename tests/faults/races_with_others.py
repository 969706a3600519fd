"""A program that opens, plays, closes, renames, lists, checks and recovers the campaigns of a folder, beside others.

    races_with_others.py FOLDER MARKERS SEED COUNT

Says `saved CAMPAIGN ENTRY` of each entry that is durable, and `two writers CAMPAIGN` if another program plays the same
campaign at the same time: whoever plays puts a marker into the folder MARKERS.
"""

import contextlib
import io
import os
import random
import re
import sys

from tests.faults import campaign

from tracker import cli
from tracker.campaign.library import all_as_they_stand
from tracker.games.api.errors import Refused
from tracker.saves import saves_folder
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError

NAMES = ("vale a", "vale b", "vale c", "vale d")


def say(words: str) -> None:
    os.write(1, f"{words}\n".encode())


def play(path: str, markers: str, chance: random.Random) -> None:
    table = campaign.reopen(path, Disk())
    if table.readonly:
        table.close()
        return
    ident = table.save.head.id
    marker = os.path.join(markers, ident)
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        say(f"two writers {ident}")
    for n in range(chance.randint(1, 6)):
        with contextlib.suppress(Refused):
            entry = campaign.play(table, n)["id"]
            if table.settle().word == "saved":
                say(f"saved {ident} {entry}")
    os.unlink(marker)
    table.close()


def command(folder: str, *words: str) -> None:
    """Run a command of the program as its main function does, with its output thrown away."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
        cli.main([words[0], "--saves", folder, *words[1:]])
    if "Traceback" in err.getvalue():
        sys.stderr.write(err.getvalue())


def main(folder: str, markers: str, seed: int, count: int) -> None:
    chance = random.Random(seed)
    campaign.tidy_often(setattr)
    for _ in range(count):
        there = [name for name in sorted(os.listdir(folder)) if re.fullmatch(r"vale [a-d]\.toml", name)]
        path = os.path.join(folder, chance.choice(there or ["vale a.toml"]))
        name = os.path.basename(path).removesuffix(".toml")
        what = chance.random()
        with contextlib.suppress(SaveError):
            if what < 0.5:
                play(path, markers, chance)
            elif what < 0.7:
                saves_folder.rename(path, chance.choice(NAMES), Disk())
            elif what < 0.85:
                all_as_they_stand(saves_folder.campaigns(folder))
            elif what < 0.95:
                command(folder, "check", name)
            else:
                command(folder, "recover", name)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
