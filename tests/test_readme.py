"""What the README says is what the program does."""

import re
from pathlib import Path

from tracker.app.app import TrackerApp
from tracker.app.screens.table import TableScreen

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

SPELLED = {
    "plus": "+",
    "minus": "-",
    "space": "Space",
    "question_mark": "?",
    "f1": "F1",
    **dict.fromkeys(("left", "right", "up", "down"), "arrows"),
}


def spelled(key: str) -> str:
    return SPELLED.get(key, re.sub(r"^ctrl\+(.)", lambda m: f"Ctrl+{m[1].upper()}", key))


def keys_in_the_readme() -> set[str]:
    table = README.split("On the table:")[1].split("\n\n", 2)[1]
    firsts = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = {key for cell in firsts for key in re.findall(r"`([^`]+)`|(arrows)|(Tab)", cell) for key in key if key}
    return named | {str(n) for n in range(1, 10)} if "9" in named else named


def test_every_key_of_the_table_stands_in_the_readme() -> None:
    for binding in [*TableScreen.BINDINGS, *TrackerApp.BINDINGS]:
        if binding.id != "quit.too":
            assert spelled(binding.key.split(",")[0]) in keys_in_the_readme(), binding


def test_every_key_in_the_readme_does_something() -> None:
    bound = {
        spelled(key) for binding in [*TableScreen.BINDINGS, *TrackerApp.BINDINGS] for key in binding.key.split(",")
    }
    assert keys_in_the_readme() - bound == {"Tab"}


def test_the_check_runs_the_test_command_of_the_readme() -> None:
    command = README.split("## Test it")[1].split("```sh\n")[1].split("\n```")[0]
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_every_command_stands_in_the_readme() -> None:
    from tracker import COMMANDS

    for command in set(COMMANDS) - {"play"}:
        assert f"`tracker {command}" in README
