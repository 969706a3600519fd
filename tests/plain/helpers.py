"""A player of plain mode through a pipe: types lines and reads the output."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests import program

from tracker import games
from tracker.campaign.fold import start
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.game import Game
from tracker.games.api.prompts import Confirm, Prompt, Roll
from tracker.games.api.schema import State
from tracker.saves.disk import Disk

GAME = games.get("ironsworn")
KARA = {"at": "party", "add": {"id": "kara", "name": "Kara", "edge": 3, "heart": 2, "iron": 2, "shadow": 1, "wits": 1}}
BO = {"at": "party", "add": {"id": "bo", "name": "Bo", "edge": 1, "heart": 3, "iron": 1, "shadow": 2, "wits": 2}}
HEIR = {"at": "tracks", "add": {"id": "heir", "name": "Find the lost heir", "kind": "vow", "rank": "dangerous"}}

UNSPEAKABLE = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\u2500-\u259f\u25a0\u25a1]"
)
"""What only a terminal or an eye could make something of: controls, overrides, frames, blocks and boxes."""


class Quick(Disk):
    """The real disk, without waiting for the platter."""

    def sync(self, fd: int) -> None: ...

    def sync_folder(self, path: str) -> None: ...


class Heard(NamedTuple):
    """What came back: the lines, and how it ended."""

    lines: list[str]
    code: int
    error: str

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def after(self, line: str) -> list[str]:
        """Return the lines after the last one that equals `line`."""
        return self.lines[len(self.lines) - self.lines[::-1].index(line) :]


def command(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "tracker", "--saves", str(folder), *words]


def heard(done: subprocess.CompletedProcess[bytes]) -> Heard:
    """Return what a program printed, after checking that a screen reader could read it line by line."""
    text, error = done.stdout.decode(), done.stderr.decode()
    assert not UNSPEAKABLE.search(text + error), UNSPEAKABLE.search(text + error)
    assert "Traceback" not in error, error
    assert text == "" or text.endswith("\n")
    lines = text.splitlines()
    assert all(line.strip() for line in lines), "nobody wants to hear an empty line"
    return Heard(lines, done.returncode, error)


def plain(save: Path, *lines: str, words: tuple[str, ...] = (), end: str = "\n") -> Heard:
    """Open this save, type these lines, and then nothing more."""
    typed = "\n".join(lines) + (end if lines else "")
    return heard(program.run(["--saves", str(save.parent), "play", save.stem, "--plain", *words], typed.encode()))


def campaign(folder: Path, *effects: dict[str, Any], name: str = "vale", did: str = "edit", game: Game = GAME) -> Path:
    """Write a campaign with an entry of these effects; return its path."""
    path = folder / f"{name}.toml"
    new_campaign(str(path), game, Quick())
    if effects or did != "edit":
        session = Session.open(str(path), disk=Quick())
        session.do(did, effects)
        session.close()
    return path


def dice_are_typed_in(folder: Path, environment: pytest.MonkeyPatch) -> None:
    """Write settings in this folder for a player who uses real dice."""
    place = folder / "tracker"
    place.mkdir(parents=True)
    (place / "config.toml").write_text('dice = "typed"\n')
    environment.setenv("XDG_CONFIG_HOME", str(folder))


def opened(save: Path) -> Session:
    """Return the campaign as a player finds it who opens it now."""
    session = Session.open(str(save), write=False)
    session.close()
    return session


def state(save: Path) -> Any:
    return opened(save).state


def alike(save: Path) -> list[Entry]:
    """Return every entry without its time; the number of the entry replaces its id."""
    entries = opened(save).log.entries
    number = {entry["id"]: n for n, entry in enumerate(entries)}
    names = {"id", "closes", "undoes"}
    return [
        {key: number[value] if key in names else value for key, value in entry.items() if key != "at"}
        for entry in entries
    ]


# -- what somebody types to play a move -----------------------------------------------------------------


def typed(prompt: Prompt, value: Any) -> str:
    """Return an answer as a player types it."""
    if isinstance(prompt, Confirm):
        return "yes" if value else "no"
    if isinstance(prompt, Roll):
        return " ".join(
            str(face) for faces in value.values() for face in (faces if isinstance(faces, list) else [faces])
        )
    if isinstance(value, dict):
        return ", ".join(f"{key} {share}" for key, share in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


class Script(NamedTuple):
    """The lines of a move with typed dice, and after how many of them the dice are rolled."""

    lines: tuple[str, ...]
    rolled: int


def script(run: Run) -> Script:
    """Return the lines that a player types to reach this run; the last one applies it."""
    lines = [run.move.name]
    rolled = 0
    for prompt, (key, value) in zip(run.seen, run.answers, strict=True):
        if not prompt.quiet:
            lines.append(typed(prompt, value))
        elif value != prompt.default:
            lines.append(f"{key} {typed(prompt, value)}")
        if isinstance(prompt, Roll) and not rolled:
            rolled = len(lines)
    return Script((*lines, ""), rolled)


def played(table: State, procedure: str, who: str = "kara", **answers: Any) -> Run:
    """Return a move with these answers; other prompts keep their defaults, and dice show ones."""
    run = Run(GAME, GAME.moves[procedure], who, table)
    while True:
        quiet = next((p.key for p in run.quiet() if p.key in answers and run.value(p.key) != answers[p.key]), None)
        if quiet:
            run.revise(quiet, answers[quiet])
        elif run.prompt is None:
            return run
        elif isinstance(run.prompt, Roll) and run.prompt.key not in answers:
            ones = {name: 1 if isinstance(sides, int) else [1] * len(sides) for name, sides in run.prompt.dice.items()}
            run.answer(ones)
        else:
            run.answer(answers.get(run.prompt.key, run.prompt.default))


def making_kara() -> tuple[str, ...]:
    """Return the answers that make Kara with nothing more than her name and her stats."""
    answers = {"name": "Kara", "how": "choose", "three": "edge", "twos": ["heart", "iron"]}
    return script(played(start(GAME.top), "character/make", "", **answers)).lines
