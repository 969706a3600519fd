"""The recipes of docs/command-line.md, as they are written there, in a real shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.make_example import example

PAGE = Path(__file__).parents[1] / "docs" / "command-line.md"
BASH, JQ = shutil.which("bash"), shutil.which("jq")
ENDLESS = "Follow a game"


def recipes() -> dict[str, str]:
    """Return the recipes by their first comment."""
    found = re.search(r"## Recipes\n\n```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    parts = (part.partition("\n") for part in found[1].strip().split("\n\n"))
    return {title.removeprefix("# "): lines for title, _, lines in parts}


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """Return an environment with the campaign Mill, the program under its name, and an fzf that takes the first line."""
    saves, programs = tmp_path / "saves", tmp_path / "bin"
    saves.mkdir()
    programs.mkdir()
    shutil.copy(example("ironsworn"), saves / "Mill.toml")
    for name, script in (("fzf", "head -n 1"), ("tracker", f'exec {sys.executable} -m tracker "$@"')):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "TRACKER_SAVES": str(saves), "XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.mark.skipif(not (BASH and JQ), reason="needs bash and jq")
@pytest.mark.parametrize("title", recipes())
def test_recipe_runs_as_it_is_written(title: str, shell: dict[str, str]) -> None:
    lines = recipes()[title]
    if title.startswith(ENDLESS):
        lines = lines.replace(" -f ", " ")
    done = subprocess.run(
        [str(BASH), "-c", lines], capture_output=True, text=True, env=shell, check=False, stdin=subprocess.DEVNULL
    )
    errors = [line for line in done.stderr.splitlines() if " asks: " not in line]
    assert errors == [], done
    if title.startswith(("How often", "The story", "The numbers", "What is due", ENDLESS)):
        assert done.stdout.strip(), done
    if title.startswith("The numbers"):
        assert '"momentum": 8' in done.stdout
