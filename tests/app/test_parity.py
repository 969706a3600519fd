"""Random evenings, played by keys in the app and in lines in plain mode, leave the same entries."""

from __future__ import annotations

import io
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.app.by_keys import Hands
from tests.app.helpers import Player, QuickDisk, play
from tests.faults.copies import any_answer
from tests.plain.helpers import alike, dice_are_typed_in, script

from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Roll
from tracker.games.api.view import Start
from tracker.plain.main import run as play_in_lines
from tracker.saves.disk import Disk
from tracker.settings import Settings

SAVES = Path(__file__).parents[2] / "saves"
STEPS = 16
TRIES = 30
"""Random moves until one can be made now."""


class Evening:
    """A random evening played by keys; records the lines that do the same in plain mode."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)
        self.lines: list[str] = []

    async def play(self, player: Player) -> None:
        self._player = player
        self._hands = Hands(player)
        await self._speak()
        steps = {self._move: 6, self._due: 2, self._change: 4, self._write: 2, self._speak: 1}
        steps |= {self._undo: 4, self._redo: 2, self._dice: 1}
        for step in self._chance.choices(list(steps), list(steps.values()), k=STEPS):
            await step()
            assert player.screen == "TableScreen", player.text

    async def _move(self) -> None:
        moves = [one for one in self._player.session.game.moves if one != "character/make"]
        for _ in range(TRIES):
            start = Start(self._chance.choice(moves))
            try:
                run = self._answered(self._player.table.player.start(start))
            except Refused:
                continue
            if run:
                self._player.table.start(start)
                await self._play_run(run)
                return

    async def _due(self) -> None:
        """Do what is due. In lines whoever owes it stays active, so the other one is made active again."""
        playing = self._player.table.player
        who, due = playing.next_due()
        if not due:
            return
        active = playing.active
        try:
            run = self._answered(playing.start_due(who, due[0]))
        except Refused:
            return
        if run:
            await self._player.press("x")
            await self._play_run(run, "owed")
            if active != who:
                self.lines.append(f"as {active}")

    def _answered(self, run: Run) -> Run | None:
        """Answer a run at random; None if it rolls dice that nobody can type in, or takes an empty answer."""
        while run.prompt is not None:
            if isinstance(run.prompt, Roll) and run.prompt.ours:
                return None
            run.answer(any_answer(run.prompt, self._chance))
        asked = [value for prompt, (_, value) in zip(run.seen, run.answers, strict=True) if not prompt.quiet]
        return None if any(value in ([], {}, "") for value in asked) else run

    async def _play_run(self, run: Run, word: str = "") -> None:
        lines = script(run).lines
        self.lines += [word or lines[0], *lines[1:]]
        answers = {key: value for prompt, (key, value) in zip(run.seen, run.answers, strict=True) if not prompt.quiet}
        await self._player.rest()
        await self._hands.answer(answers, lambda key, _: answers[key])

    async def _change(self) -> None:
        table, chance = self._player.table, self._chance
        numbers = [widget for widget in table.query("SheetPane *") if getattr(widget, "at", "") and widget.focusable]
        widget: Any = chance.choice(numbers)
        key = chance.choice("+-")
        await self._player.tab_to(widget)
        await self._player.press(key)
        self.lines.append(f"{widget.data.label} {key}1")

    async def _write(self) -> None:
        text = self._chance.choice(["The ford is cold.", "Nobody answers."])
        await self._player.press("j")
        await self._player.type(text)
        await self._player.press("enter")
        self.lines.append(f"say {text}")

    async def _speak(self) -> None:
        who = self._chance.choice(self._player.table.player.party)
        await self._hands.speak_as(who)
        self.lines.append(f"as {who}")

    async def _undo(self) -> None:
        await self._player.press("u")
        self.lines.append("undo")

    async def _redo(self) -> None:
        await self._player.press("ctrl+r")
        self.lines.append("redo")

    async def _dice(self) -> None:
        """Have dice rolled here, and then typed in again."""
        await self._player.press("d", "d")
        self.lines += ["dice", "dice"]


@pytest.mark.part(3)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["ironsworn", "wherever", "daggerheart"])
def test_random_evening_leaves_the_same_entries_in_both_front_ends(
    game: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Disk, "sync", QuickDisk.sync)
    monkeypatch.setattr(Disk, "sync_folder", QuickDisk.sync_folder)
    dice_are_typed_in(tmp_path / "settings", monkeypatch)
    by_keys, in_lines = (
        Path(shutil.copy(SAVES / f"example-{game}.toml", tmp_path / f"{name}.toml")) for name in ("keys", "lines")
    )
    before = len(alike(in_lines))
    evening = Evening(f"{game} {seed}")
    play(by_keys, evening.play, size=(120, 40), settings=Settings(dice="typed", recap=False))
    typed = "".join(f"{line}\n" for line in evening.lines)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8"))
    assert play_in_lines(str(in_lines), None) == 0
    entries = alike(by_keys)
    assert len(entries) > before
    assert alike(in_lines) == entries, f"{typed}\n{capsys.readouterr().out}"
