"""A roll with damage still to be spread, in a real terminal: killed in between, it goes on with the same dice."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

from tests.app.helpers import campaign
from tests.games.wherever_table import GAME, PARTY
from tests.terminal.helpers import PATIENCE, at_the_table, entries_of, state_of
from tests.terminal.pty import Pty

BANES = "1 six on stress: +1 WP"
LEFT = "2 banes: assign 4 damage, 4 left"


def tale(folder: Path) -> Path:
    """Write a campaign with Ilse, who has two stress and a lantern, Oren and Sefa; dice are typed in."""
    folder.mkdir()
    return campaign(folder, *PARTY, {"at": "dice_are", "to": "typed in"}, game=GAME)


def press(program: Pty, key: str, until: str) -> None:
    program.press(key, until=until, timeout=PATIENCE)


def push_and_gamble(program: Pty) -> None:
    """Roll Stealth, pushed; one stress die shows 1 and stays when everything else is rolled again."""
    press(program, "r", "Roll with")
    press(program, "s", "Stealth with Dexterity")
    press(program, "p", "+ 2 stress dice")
    program.send("6 4 1 2")
    press(program, "enter", "MIXED SUCCESS")
    press(program, "g", "Reroll all but the banes")
    program.send("7 3 1 6")
    press(program, "enter", LEFT)
    assert BANES in program.text()


def spread(program: Pty) -> None:
    """Put one point on Health, one on the lantern, and two on an ally's Resolve."""
    press(program, "1", "3 left")
    press(program, "3", "2 left")
    press(program, "5", "1 left")
    press(program, "5", "resolve 11 → 9")
    press(program, "enter", "q Campaigns")
    program.wait_until(lambda: program.row(0).endswith("   saved"), PATIENCE)


def finished(path: Path) -> dict[str, Any]:
    entry = entries_of(path)[-1]
    return {name: entry[name] for name in ("who", "did", "answers", "facts", "effects")}


def test_killed_between_the_gamble_and_the_damage(tmp_path: Path) -> None:
    save, calm = tale(tmp_path / "killed"), tale(tmp_path / "calm")
    with at_the_table(save.parent) as program:
        push_and_gamble(program)
        program.kill(signal.SIGKILL)
        assert program.wait_end() == -signal.SIGKILL
    assert entries_of(save)[-1]["open"]
    with at_the_table(save.parent) as program:
        assert "x Action roll" in program.text()
        press(program, "x", LEFT)
        assert BANES in program.text()
        assert "2 edges, 2 banes" in program.text()
        spread(program)
    with at_the_table(calm.parent) as program:
        push_and_gamble(program)
        spread(program)
    assert finished(save) == finished(calm)
    assert finished(save)["facts"]["stress_dice"] == [1, 1, 6]
    assert state_of(save) == state_of(calm)
    after = state_of(save)["party"]
    assert (after["ilse"]["health"], after["ilse"]["stress"], after["ilse"]["wp"]) == (17, 3, 3)
    assert after["oren"]["resolve"] == 9
