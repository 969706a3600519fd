"""Play over iroh: in a process whose network has only loopback, so that nothing can be told to anybody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests import program

from tracker.coop import plans


def _apart() -> bool:
    """Return True if a process can be started in a network of its own."""
    unshare = shutil.which("unshare")
    return (
        bool(unshare)
        and subprocess.run([str(unshare), "-rn", "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(find_spec("iroh") is None, reason="iroh is not installed: pip install iroh")
@pytest.mark.skipif(not _apart(), reason="this system does not let a process have a network of its own (unshare -rn)")
def test_an_evening_over_iroh_converges_and_attacks_are_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        ["unshare", "-rn", sys.executable, "-m", "tests.coop.far_evening", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "BRING_UP": "1", "XDG_DATA_HOME": str(tmp_path / "data")},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.split("\n")[:-1] == [
        "together",
        "long",
        "cut",
        "wrong code",
        "garbage",
        "100 MB",
        "in between",
        "gone",
        "the same files",
    ]


@pytest.mark.parametrize(("extra", "package"), [("far", "iroh"), ("nats", "nats-py")])
def test_a_missing_package_is_named_with_the_way_to_install_it(
    extra: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(plans, "find_spec", lambda name: None if name == extra.replace("far", "iroh") else True)
    words = ["host", "mill", "--far"] if extra == "far" else ["host", "mill", "--nats", "nats://127.0.0.1"]
    done = program.run([*words, "--saves", str(tmp_path)])
    assert done.returncode == 1
    assert done.stderr.decode().endswith(f"-m pip install {package}\n")
