"""An encounter in a real terminal, from both sides of the table and by keys alone; killed at the end, and found again."""

from __future__ import annotations

import re
import shutil
import signal
from pathlib import Path

import pytest
from tests.terminal.encounter import AtTheKeyboard, RulesAlone, encounter
from tests.terminal.helpers import PATIENCE, started, state_of, tracker

EXAMPLE = Path(__file__).parents[2] / "saves" / "example-daggerheart.toml"


def test_encounter_ends_as_in_the_session_alone(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("whole"):
        pytest.skip("a minute of typing: in the long run only")
    rules = RulesAlone(tmp_path / "rules.toml")
    encounter(rules)
    wanted = rules.close()
    saves = tmp_path / "saves"
    with started(tracker(saves), rows=24, cols=80) as program:
        program.wait_for("You tell the story.", PATIENCE)
        program.send("n")
        program.wait_for("─ New campaign ─", PATIENCE)
        found = re.search(r"(\S) Daggerheart compatible", program.text())
        assert found
        program.send(found[1])
        program.wait_for("New campaign: Daggerheart compatible", PATIENCE)
        program.send("Road\r")
        encounter(AtTheKeyboard(program))
        program.wait_until(lambda: program.row(0).endswith("   saved"), PATIENCE)
        program.kill(signal.SIGKILL)
        assert program.wait_end() == -signal.SIGKILL
    assert state_of(saves / "Road.toml") == wanted
    with started(tracker(saves, "Road"), rows=24, cols=80) as program:
        program.wait_for("m Move", PATIENCE)
        assert "1 Wren" in program.row(0)
    assert state_of(saves / "Road.toml") == wanted


def test_last_acts_of_both_sides_survive_a_kill(tmp_path: Path) -> None:
    save = tmp_path / "road.toml"
    shutil.copy(EXAMPLE, save)
    before = state_of(save)
    with started(tracker(tmp_path, "road"), rows=24, cols=80) as program:
        program.wait_for("m Move", PATIENCE)
        program.send("g")
        program.wait_for("The GM's side", PATIENCE)
        program.send("f")
        program.wait_for("on what?", PATIENCE)
        program.send("i")
        program.wait_for("spotlight to the GM", PATIENCE)
        program.send("\r")
        program.wait_for("Spotlight: the GM", PATIENCE)
        program.send("g")
        program.wait_for("m Move", PATIENCE)
        program.wait_until(lambda: program.row(0).endswith("   saved"), PATIENCE)
        program.kill(signal.SIGKILL)
        program.wait_end()
    after = state_of(save)
    assert (after["fear"], after["spotlight"]) == (before["fear"] - 1, "gm")
    with started(tracker(tmp_path, "road"), rows=24, cols=80) as program:
        program.wait_for("spotlight with the GM", PATIENCE)
