"""One procedure, three drivers: typed in lines, a scenario leaves the same entries."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.plain.helpers import GAME, Quick, alike, campaign, dice_are_typed_in, script
from tests.scenarios.runner import WORDS, Play, Scenario, scenarios

from tracker import games
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.plain.main import run as play
from tracker.saves.disk import Disk

FOLDER = Path(__file__).parents[1] / "scenarios"
NAMES = {ident.rpartition("/")[2] for ident in GAME.moves}


def _typed(game: str, step: dict[str, Any]) -> bool:
    """Return True if a player types this step, and it is not refused."""
    if "refused" in step.get("expect", {}):
        return False
    words = WORDS[game]
    return step["move"] in NAMES if step["do"] == "move" else step["do"] not in words.BY_HAND | words.ASKED


SCENARIOS = [
    one
    for path in sorted(FOLDER.glob("*.toml"))
    for one in scenarios(path)
    if all(_typed(one["game"], step) for step in one["step"])
]


class Recorded(Play):
    """A scenario that records the lines a player would have typed to play it."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        super().__init__(scenario, folder, reopen=False)
        self.lines: list[str] = []

    def _drive(self, procedure: str, who: str, answers: dict[str, Any]) -> tuple[Entry, Run]:
        entry, run = super()._drive(procedure, who, answers)
        self.lines += [*([f"as {who}"] if who else []), *script(run).lines]
        return entry, run


@pytest.mark.part(6)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=[one["id"] for one in SCENARIOS])
def test_scenario_leaves_the_same_entries(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Disk, "sync", Quick.sync)
    monkeypatch.setattr(Disk, "sync_folder", Quick.sync_folder)
    dice_are_typed_in(tmp_path / "settings", monkeypatch)
    played = Recorded(scenario, tmp_path)
    played.play()
    there = alike(Path(played.path))
    there = there[: next(n for n, entry in enumerate(there) if entry["did"] == "undo")]
    given = WORDS[scenario["game"]].given(scenario.get("given", {}))
    save = campaign(tmp_path, *given, did="given", game=games.get(scenario["game"]))
    lines = "".join(f"{line}\n" for line in played.lines)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode()), encoding="utf-8"))
    assert play(str(save), None) == 0
    assert alike(save) == there, capsys.readouterr().out


def test_scenarios_to_compare_exist() -> None:
    assert all(sum(one["game"] == name for one in SCENARIOS) >= 15 for name in WORDS)
