"""The worked examples of the rules, played at a real table."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from tests.scenarios.runner import Play, Scenario, scenarios


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make each scenario a test of its own, named by its id: ours, and those of the folders given by option."""
    if "scenario" in metafunc.fixturenames:
        folders = [Path(__file__).parent / "scenarios", *map(Path, metafunc.config.getoption("scenarios"))]
        found = [one for folder in folders for path in sorted(folder.glob("*.toml")) for one in scenarios(path)]
        metafunc.parametrize("scenario", found, ids=[f"{one['id']} {one['title']}" for one in found])


def test_played_through(scenario: Scenario, tmp_path: Path) -> None:
    Play(scenario, tmp_path, reopen=False).play()


@pytest.mark.part(5)  # the same rules, twice as slow: what it adds is the reopening
def test_closed_and_opened_again_after_every_roll(scenario: Scenario, tmp_path: Path) -> None:
    Play(scenario, tmp_path, reopen=True).play()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda s: s["step"][0].update(luck=1), "nobody knows the key luck"),
        (lambda s: s["step"][0]["dice"].update(oracle=5), "the oracle die was not rolled"),
        (lambda s: s["step"][0]["dice"].pop("action"), "no face is given for the action die"),
        (lambda s: s["step"][0]["expect"].update(score=9), "score is 6, not 9"),
        (lambda s: s["step"][0]["expect"].update(cancled=False), "nobody knows the key cancled"),
        (lambda s: s["step"][0].update(do="dance"), "nobody knows how to do dance"),
        (lambda s: s["given"].update(edge=40), "edge is 1, not 40"),
        (lambda s: s["expect"].update(momentum=9), "momentum is 3, not 9"),
        (lambda s: s["step"][0].update(burn=True), "nobody asked for burn"),
        (lambda s: s["step"][0].pop("using"), "the step does not answer using"),
        (lambda s: s["step"][0].update(expect={"refused": True}), "had to be refused"),
        (lambda s: s["given"].update(luck=1), "nobody knows the key luck"),
    ],
)
def test_wrong_scenario_fails_and_says_why(change: Callable[[Scenario], None], why: str, tmp_path: Path) -> None:
    scenario = deepcopy(scenarios(Path(__file__).parent / "scenarios" / "ironsworn.toml")[0])
    change(scenario)
    with pytest.raises((AssertionError, LookupError), match=why):
        Play(scenario, tmp_path, reopen=False).play()


def test_refused_act_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    scenario = {
        "id": "refused",
        "game": "ironsworn",
        "title": "a stat that is not there, a choice that is not offered, the dead",
        "given": {"iron": 2, "allies": {"ana": {"status": "dead"}}},
        "step": [
            {"do": "move", "move": "face_danger", "using": "luck", "expect": {"refused": True}},
            {
                "do": "move",
                "move": "face_danger",
                "using": "iron",
                "dice": {"action": 3, "challenge": [5, 2]},
                "choose": ["gold"],
                "expect": {"refused": True},
            },
            {"do": "move", "who": "ana", "move": "face_danger", "using": "iron", "expect": {"refused": True}},
            {"do": "move", "move": "reach_a_milestone", "track": "oath", "expect": {"refused": True}},
        ],
        "expect": {"momentum": 2, "pending": []},
    }
    Play(scenario, tmp_path, reopen=False).play()
