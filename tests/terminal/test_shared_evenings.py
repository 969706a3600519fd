"""Evenings of two and three real apps at one table, by keys alone, each in a terminal of its own."""

from __future__ import annotations

import contextlib
import re
import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.terminal.helpers import PATIENCE, started, tracker, vale
from tests.terminal.pty import Pty

from tracker import games
from tracker.campaign.fold import start
from tracker.campaign.log import Entry, Log
from tracker.campaign.session import Session
from tracker.saves.save import Save

CODE = re.compile(r"127\.0\.0\.1:\d+/[a-z0-9]{4}(?:-[a-z0-9]{4}){3}")


class Player:
    """Somebody at the table, with a machine of their own: saves, keys and a terminal."""

    def __init__(self, folder: Path, name: str, stack: ExitStack) -> None:
        self.name = name
        self.saves = folder / name
        self.saves.mkdir()
        self.program: Pty
        self._data = folder / f"{name} data"
        self._stack = stack

    @property
    def path(self) -> Path:
        return self.saves / "vale.toml"

    def start(self, *words: str) -> None:
        seed = sum(map(ord, self.name))
        argv = tracker(self.saves, *words, "--as", self.name, seed=seed)
        env = {"XDG_DATA_HOME": str(self._data)}
        self.program = self._stack.enter_context(started(argv, env=env, rows=40, cols=120))

    def host(self) -> str:
        """Start the program as the host; return the code."""
        self.start("host", "vale")
        return self.code()

    def code(self) -> str:
        """Return the code on the screen, and close the dialog with it."""
        self.until(CODE.search)
        found = CODE.search(self.program.text())
        assert found
        self.press("escape")
        self.gone("Your code")
        return found[0]

    def join(self, code: str) -> None:
        self.start("join", code)

    def until(self, holds: Callable[[str], Any]) -> None:
        self.program.wait_until(lambda: bool(holds(self.program.text())), PATIENCE)

    def sees(self, text: str) -> None:
        self.program.wait_for(text, PATIENCE)

    def gone(self, text: str) -> None:
        self.program.wait_gone(text, PATIENCE)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.program.send(key)

    def with_others(self, *names: str) -> None:
        """Wait until the head line shows that these players are here."""
        self.until(lambda text: f"⇄ {' '.join(names)}" in text.partition("\n")[0])

    def command(self, words: str) -> None:
        self.press(":")
        self.sees("─ Command")
        self.press(words, "enter")
        self.gone("─ Command")

    def write(self, line: str) -> None:
        self.press("j", line, "enter")
        self.sees(line)

    def kill(self) -> None:
        self.program.kill(signal.SIGKILL)
        self.program.wait_end()

    def quit(self) -> None:
        self.press("q")
        self.sees("Campaigns ─")
        self.press("ctrl+q")
        assert self.program.wait_end() == 0

    def entries(self) -> list[Entry]:
        """Return every entry in the file, sorted."""
        with contextlib.closing(Save.open(str(self.path), write=False)) as save:
            save.read_whole()
            return [block.entry for block in save.blocks]

    def state(self) -> Any:
        session = Session.open(str(self.path), write=False)
        session.close()
        return session.state


def let_in(host: Player, guest: Player) -> None:
    host.sees(f"{guest.name} knocks")
    host.press("y")
    guest.sees("q Campaigns")


def ended_alike(*players: Player) -> list[str]:
    """Quit everywhere; check that all have the same and that it is what one process makes of it. Return all texts."""
    for player in players:
        player.until(lambda text: text.partition("\n")[0].endswith("   saved"))
    for player in players:
        player.quit()
    first, *others = (player.entries() for player in players)
    for entries in others:
        assert entries == first
    assert len({entry["id"] for entry in first}) == len(first)
    top = games.get("ironsworn").top
    alone = Log(top, start(top), first).state
    assert all(player.state() == alone for player in players)
    return [entry["text"] for entry in first if entry["did"] == "journal"]


def test_two_play_an_evening_with_a_host_that_is_killed_and_replaced(tmp_path: Path) -> None:
    with ExitStack() as stack:
        ana, bob = Player(tmp_path, "Ana", stack), Player(tmp_path, "Bob", stack)
        vale(ana.saves)
        bob.join(ana.host())
        let_in(ana, bob)
        ana.with_others("Bob")
        bob.with_others("Ana")

        # Ana hands Tayla over, and both make a move at the same time, while a number that both share changes.
        ana.press("P")
        ana.sees("Who plays")
        ana.press("2")
        ana.sees("Tayla: hand over")
        ana.press("2")
        ana.sees("Bob      ▌ player · Tayla")
        ana.press("escape")
        ana.gone("Who plays")
        bob.press("2")
        bob.sees("─ Tayla ")
        ana.press("m", "1")
        ana.sees("─ Face Danger")
        bob.command("supply -1")
        ana.sees("4   shared")
        bob.press("m", "1")
        bob.sees("─ Face Danger")
        ana.press("e")
        bob.press("h")
        for player in (ana, bob):
            player.sees("Enter Apply")
            player.press("enter")
            player.gone("Enter Apply")
        for player in (ana, bob):
            player.until(lambda text: "Pay the Price" in text and "momentum +3" in text)

        # Bob takes back his own move, and is asked before he takes back what Ana did.
        bob.press("u")
        ana.gone("Pay the Price")
        ana.write("The ford is frozen.")
        bob.sees("The ford is frozen.")
        bob.press("u")
        bob.gone("4   shared")
        bob.press("u")
        bob.sees("Ana did this: The ford is frozen.")
        bob.press("escape")
        bob.gone("Ana did this")

        # The host dies. Bob plays on alone, and hosts; Ana comes back as his guest.
        ana.kill()
        bob.sees("⇄ offline")
        bob.write("Tayla waits alone.")
        bob.press("h")
        bob.sees("Host on this machine")
        bob.press("h")
        code = bob.code()
        ana.join(code)
        ana.with_others("Bob")
        ana.sees("Tayla waits alone.")
        ana.write("Kara is back.")
        bob.sees("Kara is back.")

        # Ana's machine fails. Bob makes 50 entries meanwhile.
        ana.kill()
        bob.sees("⇄ no guests")
        for number in range(50):
            bob.write(f"Day {number}.")
        ana.join(code)
        ana.sees("Bob while you were apart: 50 entries")
        texts = ended_alike(ana, bob)
        assert texts == [
            "The ford is frozen.",
            "Tayla waits alone.",
            "Kara is back.",
            *(f"Day {n}." for n in range(50)),
        ]


def test_guest_of_a_host_that_hangs_sees_what_is_not_shared(tmp_path: Path) -> None:
    with ExitStack() as stack:
        ana, bob = Player(tmp_path, "Ana", stack), Player(tmp_path, "Bob", stack)
        vale(ana.saves)
        code = ana.host()
        ana.sees("host ⇄ no guests")
        bob.join(code)
        bob.sees("Ana is asked to let you in.")
        let_in(ana, bob)
        ana.with_others("Bob")
        bob.with_others("Ana")
        ana.program.kill(signal.SIGSTOP)
        bob.write("No one hears me.")
        bob.sees("saved · 1 to share")
        ana.program.kill(signal.SIGCONT)
        ana.sees("No one hears me.")
        bob.gone("to share")
        assert ended_alike(bob, ana) == ["No one hears me."]


def test_three_play_with_changing_hosts_and_end_with_the_same(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("whole"):
        pytest.skip("a minute of typing: in the long run only")
    with ExitStack() as stack:
        ana, bob, cyd = (Player(tmp_path, name, stack) for name in ("Ana", "Bob", "Cyd"))
        vale(ana.saves)
        code = ana.host()
        for guest in (bob, cyd):
            guest.join(code)
            let_in(ana, guest)
        ana.with_others("Bob", "Cyd")
        lines = []
        for round_ in range(5):
            for player in (ana, bob, cyd):  # all at the same time
                line = f"{player.name} sees day {round_}."
                player.press("j", line, "enter")
                lines.append(line)
            for player in (ana, bob, cyd):
                for line in lines[-3:]:
                    player.sees(line)
        ana.command("supply -2")
        for player in (ana, bob, cyd):
            player.until(lambda text: "supply 5 → 3" in text)

        ana.kill()
        for player in (bob, cyd):
            player.sees("⇄ offline")
            player.write(f"{player.name} is alone.")
            lines.append(f"{player.name} is alone.")
        cyd.press("h")
        cyd.sees("Host on this machine")
        cyd.press("h")
        code = cyd.code()
        ana.join(code)
        bob.press("h")
        bob.sees("Join by code")
        bob.press("j")
        bob.sees("Paste the code")
        bob.press(code, "enter")
        for player in (ana, bob, cyd):
            player.until(lambda text: "Bob is alone." in text and "Cyd is alone." in text)
            player.press("u") if player is bob else None
        for player in (ana, bob, cyd):
            player.gone("Bob: Bob is alone.")
        assert sorted(ended_alike(ana, bob, cyd)) == sorted(lines)
