"""Processes that play together, are killed, cut off and replaced as host: what was called saved is in all files."""

from __future__ import annotations

import os
import random
import select
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.coop.nats_server import NEEDED, NatsServer

from tracker import games
from tracker.campaign.session import Session, new_campaign
from tracker.saves.save import Save

THINGS = 200
"""What is done in one trial."""
ROUNDS_EACH = 100
"""Rounds of --rounds for which one trial with killed processes is played."""
NAMES = ("Ana", "Bob", "Cyd", "Dov", "Eve")


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
            told = ""
            for line in map(bytes.decode, whole):
                if line.startswith("saved "):
                    self.saved.add(line.removeprefix("saved "))
                elif until and line.startswith(until):
                    told = line
            if told:
                return told
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


def begin(folder: Path, dice: random.Random, number: int, port: int) -> list[Machine]:
    """Return so many machines with copies of one campaign. Nothing runs yet."""
    machines = [Machine(folder, name, port, "a" * 16) for name in NAMES[:number]]
    first = machines[0].path
    new_campaign(first, games.get("ironsworn"))
    begun = Session.open(first)
    begun.do("new", [{"at": "party", "add": {"id": "kara", "name": "Kara", "health": 5, "spirit": 5}}])
    begun.close()
    head = Save.open(first, write=False).head
    for machine in machines[1:]:
        Save.create(machine.path, head._replace(base=None))
    return machines


def chaos(folder: Path, things: int, seed: int, number: int) -> dict[str, int]:
    """Let so many things happen among so many processes, one of which hosts; return how often each happened.

    Raise AssertionError if the copies differ.
    """
    dice = random.Random(seed)
    machines = begin(folder, dice, number, free_port())
    for machine in machines:
        machine.start("host" if machine is machines[0] else "join")
    did = dict.fromkeys(("play", "cut", "kill", "host killed", "host changed"), 0)
    host = machines[0]
    for _ in range(things):
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
    return {**did, "entries": check(machines)}


def chaos_over_nats(folder: Path, things: int, seed: int, number: int) -> dict[str, int]:
    """Let so many things happen among processes that play over a server, which is killed as well."""
    dice = random.Random(seed)
    server = NatsServer(folder)
    did = dict.fromkeys(("play", "cut", "kill", "server killed"), 0)
    try:
        machines = begin(folder, dice, number, server.port)
        for machine in machines:
            machine.start("opens" if machine is machines[0] else "member")
        for _ in range(things):
            what = dice.choices([*did], [80, 8, 6, 6])[0]
            did[what] += 1
            machine = dice.choice(machines)
            if what in {"play", "cut"}:
                machine.say(what)
            elif what == "kill":
                machine.kill()
                machine.start("opens" if machine is machines[0] else "member")
            else:
                server.kill()
                server.start()
            for each in machines:
                each.hear()
        return {**did, "entries": check(machines)}
    finally:
        server.close()


def check(machines: list[Machine]) -> int:
    """Wait until the processes are even, end them, and compare their files. Return the number of entries."""
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
    assert all(state == states[0] for state in states)
    return len(ids)


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


def trials(
    folder: Path, request: pytest.FixtureRequest, play: Callable[[Path, int, int, int], dict[str, int]], usual: int
) -> Counter[str]:
    """Play a trial, or with --rounds several with two to five processes; return how often what was done."""
    rounds: int = request.config.getoption("rounds")
    did: Counter[str] = Counter()
    for trial in range(max(1, rounds // ROUNDS_EACH)):
        place = folder / str(trial)
        place.mkdir()
        did += Counter(play(place, THINGS if rounds else usual, trial + 1, 2 + trial % 4 if rounds else 3))
        print(dict(did))
    return did


def test_killed_cut_and_replaced_trackers_converge_and_lose_nothing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    did = trials(tmp_path, request, chaos, THINGS)
    assert did["kill"]
    assert did["host killed"] or did["host changed"]


@NEEDED
def test_killed_trackers_over_a_killed_server_converge_and_lose_nothing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    did = trials(tmp_path, request, chaos_over_nats, 80)
    assert did["kill"]
    assert did["server killed"]
