"""A program that is killed at any moment loses nothing that it said was saved."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.tally import Tally

PLAYS = Path(__file__).with_name("plays_until_killed.py")
ROOT = Path(__file__).parents[2]
CHAINS = 4


def start(*args: str) -> subprocess.Popen[bytes]:
    search = os.pathsep.join([*filter(None, sys.path), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, str(PLAYS), *args], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": search}
    )


def said_until_dead(program: subprocess.Popen[bytes]) -> list[str]:
    """Return what a program prints before it kills itself."""
    said, _ = program.communicate()
    assert program.returncode == -signal.SIGKILL
    return acknowledged(said)


def said_until_killed(program: subprocess.Popen[bytes], lines: int, seconds: float) -> list[str]:
    """Kill a program so many seconds after it has said so many lines, and return all that it said.

    Lines come first: on a busy machine a program that is only given time may be killed before it has saved anything.
    """
    assert program.stdout
    said = b"".join(program.stdout.readline() for _ in range(1 + lines))
    assert said.startswith(b"opened\n")
    time.sleep(seconds)  # the moment of the kill, anywhere in the next write or tidying up
    program.kill()
    rest, _ = program.communicate()
    assert program.returncode == -signal.SIGKILL
    return acknowledged(said + rest)


def acknowledged(said: bytes) -> list[str]:
    """Return the ids in whole lines of the output; half a line acknowledges nothing."""
    return [line.decode() for line in said.split(b"\n")[:-1] if line != b"opened"]


@pytest.mark.parametrize("chain", range(CHAINS))
def test_kill_after_kill_loses_nothing_that_was_saved(
    chain: int, save: str, many: Callable[[int], int], tally: Tally
) -> None:
    chance = random.Random(chain)
    saved: list[str] = campaign.ids(save)
    for _ in range(many(32) // CHAINS):
        if chain % 2:
            saved += said_until_killed(start(save), chance.randint(1, 9), chance.uniform(0, 0.02))
        else:
            saved += said_until_dead(start(save, str(chance.randint(1, 90)), str(chance.random())))
        tally("kills", 1)
        campaign.assert_whole(save, saved)
    assert len(saved) > 20


def test_kill_during_creation_leaves_the_whole_campaign_or_nothing(tmp_path: Path) -> None:
    """Half a campaign could neither be opened nor made again under its name."""
    for call in range(1, 12):
        path = str(tmp_path / f"{call}.toml")
        code = (
            "import sys; from tests.faults.disks import DyingDisk; from tests.faults.campaign import GAME;"
            "from tracker.campaign.session import new_campaign;"
            "new_campaign(sys.argv[1], GAME, DyingDisk(int(sys.argv[2]), 0.5)); print('made')"
        )
        search = os.pathsep.join([*filter(None, sys.path), str(ROOT)])
        ran = subprocess.run(
            [sys.executable, "-c", code, path, str(call)],
            env={**os.environ, "PYTHONPATH": search},
            stdout=subprocess.PIPE,
            check=False,
        )
        if os.path.exists(path):
            campaign.assert_whole(path, [])
        else:
            campaign.new(path)
        if ran.stdout:
            return
    pytest.fail("it was never made")
