"""Whole evenings in a real terminal, by keys alone and with typed dice; killed at the end, and found again."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.terminal.evenings import ByKeys, BySession, Table, alone, together
from tests.terminal.helpers import PATIENCE, started, state_of, tracker


@pytest.mark.part(2)
@pytest.mark.parametrize("evening", [alone, together])
def test_evening_ends_as_in_the_session_alone(evening: Callable[[Table], None], tmp_path: Path) -> None:
    rules = BySession(tmp_path / "rules.toml")
    evening(rules)
    wanted = rules.close()
    saves = tmp_path / "saves"
    with started(tracker(saves), rows=24, cols=80) as program:
        program.wait_for("You tell the story.", PATIENCE)
        program.send("n")
        program.wait_for("─ New campaign ─", PATIENCE)
        program.send("1Iron\r")
        evening(ByKeys(program))
        program.wait_until(lambda: program.row(0).endswith("   saved"), PATIENCE)
        program.kill(signal.SIGKILL)
        assert program.wait_end() == -signal.SIGKILL
    assert state_of(saves / "Iron.toml") == wanted
    with started(tracker(saves, "Iron"), rows=24, cols=80) as program:
        program.wait_for("m Move", PATIENCE)
        assert "1 Kara" in program.row(0)
    assert state_of(saves / "Iron.toml") == wanted
