"""A table of Wherever We Go to play at in tests: Ilse, Oren and Sefa."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.campaign.playing import Quick, open_session

from tracker import games
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.prompts import Prompt, Roll

GAME = games.get("wherever")
ILSE: dict[str, Any] = {
    "id": "ilse",
    "name": "Ilse",
    "strength": "d8",
    "dexterity": "d10",
    "intuition": "d8",
    "wits": "d6",
    "skills": {"stealth": "d8", "force": "d6", "medicine": "d6"},
    "health": 18,
    "health_max": 18,
    "resolve": 14,
    "resolve_max": 14,
    "stress": 2,
    "wp": 3,
    "gear": {"lantern": {"name": "Storm lantern", "reliability": 2, "max": 3, "place": "at hand"}},
}
PARTY: list[dict[str, Any]] = [
    {"at": "party", "add": ILSE},
    {"at": "party", "add": {"id": "oren", "name": "Oren", "resolve": 11}},
    {"at": "party", "add": {"id": "sefa", "name": "Sefa"}},
]


@contextmanager
def campaign(folder: Path) -> Iterator[Session]:
    path = folder / "tale.toml"
    new_campaign(str(path), GAME, Quick())
    table = open_session(path)
    table.do("edit", PARTY)
    try:
        yield table
    finally:
        table.close()


def go(table: Session, run: Run, **answers: Any) -> Run:
    """Answer and revise what is given; dice are among the answers, by the key of their roll."""
    while True:
        quiet = next((p.key for p in run.quiet() if p.key in answers and run.value(p.key) != answers[p.key]), None)
        if quiet:
            run.revise(quiet, answers[quiet])
            continue
        prompt: Prompt | None = run.prompt
        if prompt is None or (prompt.key not in answers and (isinstance(prompt, Roll) or prompt.default is None)):
            return run
        if isinstance(prompt, Roll):
            table.rolled(run, answers[prompt.key])
        else:
            run.answer(answers.get(prompt.key, prompt.default))


def play(table: Session, move: str, who: str = "ilse", /, **answers: Any) -> Entry:
    """Play the procedure from beginning to end."""
    run = go(table, table.begin(move, who), **answers)
    assert run.prompt is None, f"{move} asks for {run.prompt}"
    return table.finish(run)


def one(table: Session, who: str = "ilse") -> Any:
    return table.state["party"][who]


def give(table: Session, at: str, value: Any) -> None:
    table.do("edit", [{"at": at, "to": value}])
