"""What the README says is what the program does."""

import re
from pathlib import Path

import pytest

from tracker.app.app import TrackerApp
from tracker.app.screens.campaigns.screen import CampaignsScreen
from tracker.app.screens.table.screen import TableScreen

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

SPELLED = {
    "plus": "+",
    "minus": "-",
    "space": "Space",
    "question_mark": "?",
    "slash": "/",
    "delete": "Del",
    "escape": "Esc",
    **dict.fromkeys(("left", "right", "up", "down"), "arrows"),
}
TABLES = {
    "On the table:": [*TableScreen.BINDINGS, *TrackerApp.BINDINGS],
    "On the list of campaigns:": [*CampaignsScreen.BINDINGS],
}
"""The screens that have a table of keys in the README."""
BY_THEMSELVES = {"Tab", "Enter"}
CURSOR = {"arrows", *map(str, range(1, 10))}
"""What moves and picks in every list, without a binding of the screen."""


def spelled(key: str) -> str:
    if re.fullmatch(r"f\d+", key):
        return key.upper()
    return SPELLED.get(key, re.sub(r"^ctrl\+(.)", lambda m: f"Ctrl+{m[1].upper()}", key))


def keys_in_the_readme(where: str) -> set[str]:
    table = README.split(where)[1].split("\n\n", 2)[1]
    firsts = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = {
        key for cell in firsts for key in re.findall(r"`([^`]+)`|(arrows)|(Tab)|(Enter)", cell) for key in key if key
    }
    return named | {str(n) for n in range(1, 10)} if "9" in named else named


@pytest.mark.parametrize("where", TABLES)
def test_every_key_of_the_screen_stands_in_the_readme(where: str) -> None:
    for binding in TABLES[where]:
        if binding.id != "quit.too":
            assert spelled(binding.key.split(",")[0]) in keys_in_the_readme(where), binding


@pytest.mark.parametrize("where", TABLES)
def test_every_key_in_the_readme_does_something(where: str) -> None:
    bound = {spelled(key) for binding in TABLES[where] for key in binding.key.split(",")}
    more = BY_THEMSELVES if where == "On the table:" else BY_THEMSELVES | CURSOR
    assert keys_in_the_readme(where) - bound <= more


def test_the_check_runs_the_test_command_of_the_readme() -> None:
    command = README.split("## Test it")[1].split("```sh\n")[1].split("\n```")[0]
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_every_command_stands_in_the_readme() -> None:
    from tracker import COMMANDS

    for command in set(COMMANDS) - {"play"}:
        assert f"`tracker {command}" in README
