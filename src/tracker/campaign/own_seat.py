"""The player's seat in a shared campaign, and the code of a campaign that this machine hosts, read without `coop`."""

from __future__ import annotations

import contextlib
import os

from tracker.games.api.schema import State
from tracker.games.common import seats
from tracker.saves.disk import data_folder, open_regular
from tracker.saves.head import folder_name

FOLDER = "coop"
"""Folder in the data folder with the keys of this machine's players."""
LAST_NAME = "name.txt"
"""File in FOLDER with the player's name that was used last."""
TABLES = "tables"
"""Folder in FOLDER with a file for each campaign that this machine hosts: the code to join, and the player's name."""
WINDOWS = "windows"
"""Folder in FOLDER with the copies of further windows on this machine."""


def own_seat(state: State) -> str:
    """Return the id of the seat whose player has a key on this machine; "" if there is none.

    If several players of the campaign use this machine, return the seat of the one who shared a campaign last. Raise
    OSError if there is no data folder.
    """
    folder = os.path.join(data_folder(), FOLDER)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".pub")]
    except OSError:
        return ""
    ours = {short_text(os.path.join(folder, name)) for name in names} - {""}
    found = [ident for ident, seat in state["seats"].items() if seat["key"] in ours]
    last = short_text(os.path.join(folder, LAST_NAME))
    return next((ident for ident in found if ident == seats.called(state, last)), next(iter(found), ""))


def table_file(ident: str) -> str:
    """Return the path of the file with the code of the campaign with this id, while this machine hosts it.

    Raise OSError if there is no data folder.
    """
    return os.path.join(data_folder(), FOLDER, TABLES, folder_name(ident))


def code_here(ident: str) -> tuple[str, str]:
    """Return (code, name of the host) if this machine hosts the campaign with the id `ident`; else ("", "").

    The host may be gone without having removed the code; only joining shows that.
    """
    try:
        code, _, name = short_text(table_file(ident)).partition("\n")
    except OSError:
        return "", ""
    return code, name.strip()


def short_text(path: str) -> str:
    """Return the first 1,000 bytes of the file at this path as text, without blanks at its ends.

    Return "" if it is not a regular file, is not UTF-8, or cannot be read.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError), open_regular(path, follow=False) as file:
        return file.read(1000).decode().strip()
    return ""
