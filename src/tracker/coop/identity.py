"""The player's name on this machine, and the one that is used if the player gives none."""

from __future__ import annotations

import contextlib
import getpass
import os

from tracker.campaign.own_seat import LAST_NAME
from tracker.coop import key_files
from tracker.games.api.errors import Refused
from tracker.games.api.schema import State
from tracker.games.common.seats import NAME_MOST
from tracker.saves.disk import Disk, data_folder, open_regular
from tracker.streams import in_browser
from tracker.text import name_problem


def own_name(asked: str = "", state: State | None = None) -> str:
    """Return the name of the player.

    That is the name `asked` if there is one; else a name with which this machine has a seat in the campaign `state`;
    else the name that was used last; else the one that the player logs in with. Raise Refused if `asked` cannot be a
    name, and OSError if a key for a seat cannot be read; without arguments, raise neither.
    """
    asked = asked.strip()
    if asked:
        if problem := name_problem(asked):
            raise Refused(problem)
        if len(asked) > NAME_MOST:
            raise Refused(f"Your name has {len(asked)} characters; the limit is {NAME_MOST}.")
        return asked
    last = _last()
    seated = [seat["name"] for seat in state["seats"].values() if _is_ours(seat)] if state else []
    return last if last in seated or not seated else seated[0]


def known_name() -> str:
    """Return the name that the player used last, or "" if none was ever given or it cannot be read."""
    with contextlib.suppress(OSError, UnicodeDecodeError), open_regular(_file()) as file:
        name = file.read(1000).decode().strip()
        if not name_problem(name) and len(name) <= NAME_MOST:
            return name
    return ""


def _is_ours(seat: State) -> bool:
    """Return True if the key of this seat is on this machine. Raise OSError if the key's file cannot be read."""
    return key_files.has_key(seat["name"]) and key_files.OwnKey(seat["name"]).public == seat["key"]


def _file() -> str:
    return os.path.join(key_files.folder(), LAST_NAME)


def _last() -> str:
    if name := known_name():
        return name
    try:
        login = getpass.getuser()
    except (OSError, KeyError):
        login = ""
    return (login[:1].upper() + login[1:])[:NAME_MOST] or "Player"


def remember(name: str) -> None:
    """Store this name as the one that is used if the player gives none. If that fails, do nothing.

    Do nothing in a browser: the names of those who play there are not the name of this machine's player.
    """
    if in_browser():
        return
    with contextlib.suppress(OSError):  # then the player is asked for it again
        os.makedirs(data_folder(), mode=0o700, exist_ok=True)
        Disk().make_folder(key_files.folder())
        Disk().replace_file(_file(), name.encode(), 0o600)
