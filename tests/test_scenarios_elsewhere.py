"""`pytest --scenarios DIR` for a folder that is no part of the tree."""

import subprocess
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).parents[1]
SCENARIO = """
[[scenario]]
id = "{id}"
game = "daggerheart"
title = "odds from another folder"
[[scenario.step]]
do = "odds"
difficulty = 15
modifier = 0
advantage = 1
disadvantage = 1
expect = {{ success = "{odds}" }}
"""


@pytest.mark.parametrize("option", [("--scenarios", "{}"), ("--scenarios={}",)], ids=["space", "equals sign"])
def test_scenarios_of_a_folder_outside_the_tree_are_played(option: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "right.toml").write_text(SCENARIO.format(id="ELSEWHERE1", odds="62/144"))
    (tmp_path / "wrong.toml").write_text(SCENARIO.format(id="ELSEWHERE2", odds="1/144"))
    # Still no path of tests on the command line, as in the README, but only the tests that play scenarios.
    few = ["-n", "0", "-k", "ELSEWHERE and through", "-o", "testpaths=tests/test_scenarios.py"]
    argv = [sys.executable, "-m", "pytest", *(word.format(tmp_path) for word in option), *few]
    done = subprocess.run(argv, cwd=TREE, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "FAILED tests/test_scenarios.py::test_played_through[ELSEWHERE2" in done.stdout
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
