"""Processes that play together, are killed, cut off and replaced as host: what was called saved is in all files."""

from __future__ import annotations

import os
import random
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tracker import games
from tracker.campaign.session import Session, new_campaign
from tracker.coop.invitation import new_secret
from tracker.saves.save import Save

ROUNDS = 200
NAMES = ("Ana", "Bob", "Cyd")


class Machine:
    """A copy of the campaign with a process that plays on it."""

    def __init__(self, folder: Path, name: str, port: int, secret: str) -> None:
        self.folder = folder / name
        self.folder.mkdir()
        self.path = str(self.folder / "vale.toml")
        self.name = name
        self.saved: set[str] = set()
        self._words = [self.path, name, str(port), secret]
        self._read = b""

    def start(self, role: str) -> None:
        self.role = role
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.coop.plays_together", *self._words, role],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "XDG_DATA_HOME": str(self.folder / "data")},
            bufsize=0,
        )

    def say(self, word: str) -> None:
        self.process.stdin.write(f"{word}\n".encode())  # type: ignore[union-attr]

    def hear(self, until: str = "") -> str:
        """Read what the process prints: all that is there, or up to a line that begins with `until`."""
        out = self.process.stdout
        assert out
        while until or select.select([out], [], [], 0)[0]:
            data = os.read(out.fileno(), 1 << 16)
            if not data:
                assert not until, f"{self.name} has ended"
                break
            self._read += data
            *whole, self._read = self._read.split(b"\n")
            for line in map(bytes.decode, whole):
                if line.startswith("saved "):
                    self.saved.add(line.removeprefix("saved "))
                elif until and line.startswith(until):
                    return line
        return ""

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.hear()
        self._read = b""
        self._close_pipes()

    def end(self) -> None:
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.wait()
        self.hear()
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()  # type: ignore[union-attr]

    def entries(self) -> list[dict[str, object]]:
        save = Save.open(self.path, write=False)
        save.read_whole()
        save.close()
        return [block.entry for block in save.blocks]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def chaos(folder: Path, rounds: int, seed: int) -> dict[str, int]:
    """Play this many rounds, and return how often what was done. Raise AssertionError if the copies differ."""
    dice = random.Random(seed)
    port, secret = free_port(), new_secret()
    machines = [Machine(folder, name, port, secret) for name in NAMES]
    first = machines[0].path
    new_campaign(first, games.get("ironsworn"))
    begun = Session.open(first)
    begun.do("new", [{"at": "party", "add": {"id": "kara", "name": "Kara", "health": 5, "spirit": 5}}])
    begun.close()
    head = Save.open(first, write=False).head
    for machine in machines[1:]:
        Save.create(machine.path, head._replace(base=None))
    for machine in machines:
        machine.start("host" if machine is machines[0] else "join")
    did = dict.fromkeys(("play", "cut", "kill", "host killed", "host changed"), 0)
    host = machines[0]
    for _ in range(rounds):
        what = dice.choices([*did], [84, 8, 3, 2.5, 2.5])[0]
        did[what] += 1
        machine = dice.choice(machines)
        if what in {"play", "cut"}:
            machine.say(what)
        elif what == "kill":
            machine = dice.choice([one for one in machines if one is not host])
            machine.kill()
            machine.start("join")
        else:
            host.kill()
            if what == "host changed":
                host.start("join")
                host = dice.choice([one for one in machines if one is not host])
                host.kill()
            host.start("host")
        for each in machines:
            each.hear()
    for machine in machines:
        machine.say("play")
    _until_even(machines)
    for machine in machines:
        machine.end()
    files = [machine.entries() for machine in machines]
    ids = {entry["id"] for entry in files[0]}
    assert all(found == files[0] for found in files)
    assert len(ids) == len(files[0]), "an entry is there twice"
    assert not set().union(*(machine.saved for machine in machines)) - ids, "an entry that was called saved is lost"
    assert not [name for machine in machines for name in os.listdir(machine.folder) if "refused" in name]
    states = []
    for machine in machines:
        session = Session.open(machine.path)
        states.append(session.state)
        session.close()
    assert states[0] == states[1] == states[2]
    return {**did, "entries": len(ids)}


def _until_even(machines: list[Machine]) -> None:
    patience = time.monotonic() + 60
    while time.monotonic() < patience:
        for machine in machines:
            machine.say("even")
        told = {machine.hear("even ") for machine in machines}
        if len(told) == 1 and told.pop().endswith(" 0"):
            return
        time.sleep(0.05)
    raise AssertionError(f"the copies differ: {told}")


def test_killed_cut_and_replaced_trackers_converge_and_lose_nothing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    trials = max(1, request.config.getoption("coop") // ROUNDS)
    for trial in range(trials):
        folder = tmp_path / str(trial)
        folder.mkdir()
        did = chaos(folder, ROUNDS, seed=trial + 1)
        print(did)
        assert did["kill"]
        assert did["host killed"] or did["host changed"]
