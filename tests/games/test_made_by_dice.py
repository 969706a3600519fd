"""Random characters in every game: a player who does not like one rolls again."""

from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import Quick, open_session

from tracker import games
from tracker.campaign.session import new_campaign
from tracker.games.api.prompts import Roll


def faces(roll: Any, face: int) -> dict[str, int]:
    assert isinstance(roll, Roll)
    return {name: min(face, sides) for name, sides in roll.dice.items() if isinstance(sides, int)}


@pytest.mark.parametrize("name", ["ironsworn", "wherever", "daggerheart"])
def test_second_throw_replaces_the_first_character(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / "tale.toml")
    new_campaign(path, games.get(name), Quick())
    table = open_session(path)
    run = table.begin("character/make", "", {"how": "random"})
    table.rolled(run, faces(run.prompt, 1))
    (first,) = run.draft.state["party"].values()
    run.revise("again_1", True)
    table.rolled(run, faces(run.prompt, 60))
    assert run.prompt is None, "one throw is enough unless somebody says otherwise"
    table.finish(run)
    (second,) = table.state["party"].values()
    assert second["name"] != first["name"]
    run = table.begin("character/make", "", {"how": "random"})
    table.rolled(run, faces(run.prompt, 1))
    table.leave(run)
    table.close()
    table = open_session(path)
    run = table.resume(run.opened)
    run.revise("again_1", True)
    assert isinstance(run.prompt, Roll), "what was left in owed can be thrown again as well"
    table.close()
