"""Every ability that comes with Ironsworn has a scenario, which fails without any one of the things that it gives."""

from pathlib import Path

import pytest
from tests.scenarios.runner import Play, Scenario, scenarios

from tracker.content import shipped
from tracker.games.api.content import Asset
from tracker.games.ironsworn import assets
from tracker.games.ironsworn.state import ABILITIES

SCENARIOS = scenarios(Path(__file__).parent / "scenarios" / "ironsworn_assets.toml")
CONTENT = shipped("ironsworn").assets


def told(scenario: Scenario) -> tuple[str, str]:
    """Return the asset and the ability that a scenario is about."""
    [(asset, card)] = scenario["given"]["held"].items()
    [ability] = card["on"]
    return asset, ability


def test_every_ability_has_a_scenario() -> None:
    every = [
        (asset.id, name) for asset in CONTENT.values() for name, _ in zip(ABILITIES, asset.abilities, strict=False)
    ]
    assert sorted(map(told, SCENARIOS)) == sorted(every)


LINES = [
    pytest.param(scenario, line, id=f"{scenario['id']} {line}")
    for scenario in SCENARIOS
    for asset, ability in [told(scenario)]
    for line in CONTENT[asset].abilities[ABILITIES.index(ability)].gives
]


@pytest.mark.parametrize(("scenario", "line"), LINES)
def test_scenario_fails_without_what_the_ability_gives(
    scenario: Scenario, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = assets.record

    def without(asset: Asset, note: str = "") -> dict[str, object]:
        abilities = (one._replace(gives=tuple(text for text in one.gives if text != line)) for one in asset.abilities)
        return whole(asset._replace(abilities=tuple(abilities)), note)

    monkeypatch.setattr(assets, "record", without)
    with pytest.raises((AssertionError, LookupError)):
        Play(scenario, tmp_path, reopen=False).play()
