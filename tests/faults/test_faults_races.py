"""Several programs at the campaigns of one folder at once: one writer at a time, and nothing that was saved is lost."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.faults import campaign
from tests.faults.tally import Tally
from tests.faults.test_faults_kill import ROOT

RACES = Path(__file__).with_name("races_with_others.py")
PROGRAMS = 4


def test_programs_that_share_a_folder_lose_nothing(tmp_path: Path, many: Callable[[int], int], tally: Tally) -> None:
    tally("races", 0)
    folder, markers = tmp_path / "saves", tmp_path / "markers"
    folder.mkdir()
    markers.mkdir()
    for name in ("vale a", "vale b"):
        campaign.new(str(folder / f"{name}.toml"))
    search = os.pathsep.join([*filter(None, sys.path), str(ROOT)])
    programs = [
        subprocess.Popen(
            [sys.executable, str(RACES), str(folder), str(markers), str(seed), str(many(25))],
            env={**os.environ, "PYTHONPATH": search},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for seed in range(PROGRAMS)
    ]
    said = [program.communicate() for program in programs]
    tally("races", PROGRAMS * many(25))
    assert [err.decode() for _, err in said] == [""] * PROGRAMS
    assert [program.returncode for program in programs] == [0] * PROGRAMS
    lines = [line for out, _ in said for line in out.decode().splitlines()]
    assert [line for line in lines if not line.startswith("saved ")] == []
    saved: dict[str, set[str]] = {}
    for line in lines:
        _, ident, entry = line.split()
        saved.setdefault(ident, set()).add(entry)
    found: dict[str, set[str]] = {}
    for path in folder.iterdir():
        if re.fullmatch(r"vale [a-d]\.toml", path.name):
            campaign.assert_whole(str(path), [])
            found[campaign.contents(str(path)).head.id] = set(campaign.ids(str(path)))
    assert len(found) == 2
    assert sum(map(len, saved.values())) > PROGRAMS
    for ident, entries in saved.items():
        assert entries <= found[ident]
