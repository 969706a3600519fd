"""A real program in a pseudo-terminal: nothing of playing together is there unless asked for."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.terminal.pty import Pty

from tracker.campaign.session import Session, new_campaign
from tracker.games.ironsworn import GAME

TRACKER = [sys.executable, "-m", "tracker"]
KARA = {"id": "kara", "name": "Kara", "edge": 3, "heart": 2, "iron": 2, "shadow": 1, "wits": 1}
FAR = re.compile(r"tracker\.coop|websockets|cryptography|iroh|nats")


def vale(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "vale.toml"
    new_campaign(str(path), GAME)
    session = Session.open(str(path))
    session.do("edit", [{"at": "party", "add": KARA}])
    session.close()
    return path


@contextlib.contextmanager
def player(folder: Path, name: str, *words: str) -> Iterator[Pty]:
    """Somebody with a computer of their own: saves, keys and settings in one folder."""
    home = folder / name
    (home / "saves").mkdir(parents=True, exist_ok=True)
    env = {
        **os.environ,
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "TRACKER_SAVES": str(home / "saves"),
    }
    with Pty([*TRACKER, *words], env=env, colours=False) as program:
        yield program


def sockets(pid: int) -> set[str]:
    """Return the inodes of this process's sockets that a table of the network in /proc has."""
    own = {re.sub(r"\D", "", link) for link in links(pid) if link.startswith("socket:")}
    tables = ("tcp", "tcp6", "udp", "udp6")
    rows = [row for table in tables for row in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]]
    return own & {row.split()[9] for row in rows}


def links(pid: int) -> Iterator[str]:
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            yield os.readlink(f"/proc/{pid}/fd/{name}")


def test_alone_no_socket_is_open_and_nothing_of_it_is_mapped(tmp_path: Path) -> None:
    vale(tmp_path / "ana" / "saves")
    with player(tmp_path, "ana", "vale") as ana:
        ana.wait_for("Kara")
        ana.press("?", until="Keys: on the table")
        assert sockets(ana.pid) == set()
        mapped = Path(f"/proc/{ana.pid}/maps").read_text()
        assert not FAR.search(mapped)
