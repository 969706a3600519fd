"""Two evenings at the table, told once: played by keys in a terminal, and through the session without a screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol

from tests.terminal.helpers import PATIENCE
from tests.terminal.pty import Pty

from tracker import games
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.game import Game
from tracker.games.api.prompts import Choose, Confirm, Pick, Roll, Spread, Text
from tracker.games.api.schema import TYPED

GAME = games.get("ironsworn")


class Table(Protocol):
    """The acts of an evening; subclasses say how each is done."""

    def speak_as(self, number: int) -> None: ...
    def type_dice(self) -> None: ...
    def write(self, line: str) -> None: ...
    def lower(self, what: str, by: int) -> None: ...
    def make(self, move: str) -> None: ...
    def do_what_is_owed(self) -> None: ...
    def new_character(self) -> None: ...
    def take(self, option: str) -> None: ...
    def choose(self, option: str) -> None: ...
    def offer(self, option: str) -> None: ...
    def mark(self, *options: str) -> None: ...
    def give(self, text: str) -> None: ...
    def spread(self, **points: int) -> None: ...
    def throw(self, *faces: int) -> None: ...
    def done(self) -> None: ...


# -- the evenings ---------------------------------------------------------------------------------------


def somebody(table: Table, name: str, three: str, twos: tuple[str, str], asset: str, note: str) -> None:
    table.take("choose")
    table.give(name)
    table.take(three)
    table.mark(*twos)
    table.mark(asset)
    table.give(note)
    table.take("a deadly weapon")
    table.give("")
    table.give("")
    table.done()


def alone(table: Table) -> None:
    """Play Kara alone: she swears to find the heir, and does, over a journey, a lost fight and a night outdoors."""
    somebody(table, "Kara", "edge", ("heart", "iron"), "Ferry Keeper", "The Grey Run")
    table.type_dice()
    table.write("The ford is cold.")

    table.make("Swear an Iron Vow")
    table.give("Find the heir")
    table.take("dangerous")
    table.throw(5, 3, 2)
    table.done()

    table.make("Undertake a Journey")
    table.give("Up the Grey Run")
    table.take("dangerous")
    table.throw(6, 2, 1)
    table.choose("mark progress")
    table.done()

    table.make("Enter the Fray")
    table.give("Riders")
    table.take("dangerous")
    table.take("shadow")
    table.throw(4, 1, 8)
    table.choose("you have initiative")
    table.done()
    table.make("Strike")
    table.take("iron")
    table.throw(1, 3, 2)
    table.offer("Burn momentum")
    table.done()
    table.lower("momentum", 8)
    table.make("Strike")
    table.take("iron")
    table.throw(1, 9, 9)
    table.done()
    table.do_what_is_owed()
    table.choose("roll on the table")
    table.throw(50)
    table.choose("no numbers, only story")
    table.done()
    table.make("Face Danger")
    table.take("edge")
    table.throw(4, 5, 9)
    table.choose("momentum")
    table.done()
    table.do_what_is_owed()
    table.take("with health")
    table.spread(health=1)
    table.done()
    table.make("Clash")
    table.take("edge")
    table.throw(6, 2, 1)
    table.choose("momentum")
    table.done()
    table.make("End the Fight")
    table.throw(1, 2)
    table.done()

    table.make("Make Camp")
    table.throw(5, 2, 1)
    table.mark("recuperate", "focus")
    table.done()
    table.make("Reach Your Destination")
    table.throw(1, 1)
    table.choose("momentum")
    table.done()

    for _ in range(2):
        table.make("Reach a Milestone")
        table.done()
    table.make("Fulfill Your Vow")
    table.throw(3, 2)
    table.done()
    table.make("Advance")
    table.choose("one more ability")
    table.take("Ferry Keeper")
    table.take("When you name your toll")
    table.done()


def together(table: Table) -> None:
    """Play three friends at one keyboard, on one vow and one journey, with one supply."""
    somebody(table, "Kara", "edge", ("heart", "iron"), "Ferry Keeper", "The Grey Run")
    table.type_dice()
    for name, three, twos in (("Bo", "heart", ("iron", "wits")), ("Tayla", "wits", ("edge", "shadow"))):
        table.new_character()
        somebody(table, name, three, twos, "Ferry Keeper", "The Grey Run")

    table.speak_as(2)
    table.make("Swear an Iron Vow")
    table.give("Find the heir")
    table.take("dangerous")
    table.throw(5, 3, 2)
    table.done()
    table.speak_as(3)
    table.make("Undertake a Journey")
    table.give("Up the Grey Run")
    table.take("dangerous")
    table.throw(6, 2, 1)
    table.choose("mark progress, momentum")
    table.done()

    table.speak_as(1)
    table.make("Aid Your Ally")
    table.take("Tayla")
    table.take("edge")
    table.throw(6, 2, 1)
    table.choose("momentum")
    table.done()

    table.make("Make Camp")
    table.throw(4, 2, 1)
    table.mark("recuperate", "focus")
    table.mark("relax", "prepare")
    table.mark("partake", "focus")
    table.done()
    table.lower("supply", 4)
    for friend in (1, 2, 3):
        table.speak_as(friend)
        table.do_what_is_owed()
        table.spread(momentum=1)
        table.done()


# -- through the session --------------------------------------------------------------------------------


class BySession:
    """The same steps through a session, without a screen."""

    game: Game = GAME

    def __init__(self, path: Path) -> None:
        new_campaign(str(path), self.game)
        self.session = Session.open(str(path))
        self.who = ""
        self.run: Run | None = None
        self.new_character()

    def close(self) -> Any:
        self.session.close()
        return self.session.state

    def speak_as(self, number: int) -> None:
        self.who = list(self.session.state["party"])[number - 1]

    def type_dice(self) -> None:
        self.session.do("change", [{"at": "dice_are", "to": TYPED}])

    def write(self, line: str) -> None:
        self.session.write(line, self.who)

    def lower(self, what: str, by: int) -> None:
        for _ in range(by):
            at = what if what == "supply" else f"{self.who}.{what}"
            self.session.do("change", [{"at": at, "by": -1}], who=self.who)

    def new_character(self) -> None:
        self.run = self.session.begin("character/make", "")

    def make(self, move: str) -> None:
        procedure = next(ident for ident, one in self.game.moves.items() if one.name == move)
        self.run = self.session.begin(procedure, "" if self.game.moves[procedure].solo else self.who)

    def do_what_is_owed(self) -> None:
        owed = self.session.owed(self.who)[0]
        assert owed.start
        self.run = self.session.begin(owed.start.procedure, self.who, owed.start.answers)

    @property
    def _asked(self) -> Any:
        assert self.run
        return self.run.prompt

    def _key(self, option: str) -> str:
        key: str = next(one.key for one in self._asked.options if one.label.startswith(option) and not one.reason)
        return key

    def take(self, option: str) -> None:
        assert self.run
        assert isinstance(self._asked, Pick), self._asked
        self.run.answer(self._key(option))

    def choose(self, option: str) -> None:
        assert self.run
        assert isinstance(self._asked, Choose), self._asked
        self.run.answer([self._key(option)])

    def offer(self, option: str) -> None:
        assert self.run
        (quiet,) = [one for one in self.run.quiet() if isinstance(one, Confirm) and one.title == option]
        self.run.revise(quiet.key, True)

    def mark(self, *options: str) -> None:
        assert self.run
        self.run.answer([self._key(option) for option in options])

    def give(self, text: str) -> None:
        assert self.run
        assert isinstance(self._asked, Text), self._asked
        self.run.answer(text)

    def spread(self, **points: int) -> None:
        assert self.run
        assert isinstance(self._asked, Spread), self._asked
        self.run.answer(points)

    def throw(self, *faces: int) -> None:
        assert self.run
        assert isinstance(self._asked, Roll), self._asked
        left = list(faces)
        rolled = {
            name: left.pop(0) if isinstance(sides, int) else [left.pop(0) for _ in sides]
            for name, sides in self._asked.dice.items()
        }
        self.session.rolled(self.run, rolled)

    def done(self) -> None:
        assert self.run
        assert self.run.prompt is None, self.run.prompt
        self.session.finish(self.run)
        party = list(self.session.state["party"])
        made = self.run.move.id == self.game.make_character.procedure
        self.who = party[-1] if made else self.who
        self.run = None


# -- by keys --------------------------------------------------------------------------------------------

FOOT = "m Move"
"""Stands in the last line of the table, and of nothing else."""
LETTERS = 6
"""As much of a name as somebody types before looking at the list."""


class ByKeys:
    """The same steps by keys in a real terminal. The key of each row is read from the screen, as a player would."""

    def __init__(self, program: Pty) -> None:
        self.program = program
        self.program.wait_for("New character", PATIENCE)

    def _wait(self, *wanted: str, gone: str = "") -> None:
        def there() -> bool:
            text = self.program.text()
            return all(re.search(one, text) for one in wanted) and not (gone and re.search(gone, text))

        self.program.wait_until(there, PATIENCE)

    def _press(self, option: str) -> None:
        """Press the key of the row with this text."""
        row = rf"[▐►](\S) (?:[□■] )?{re.escape(option)}"
        self._wait(row)
        found = re.search(row, self.program.text())
        assert found
        self.program.send(found[1])

    def speak_as(self, number: int) -> None:
        found = re.search(rf"\b{number} (\w+)", self.program.row(0))
        assert found
        self.program.send(str(number))
        self._wait(rf"─ {found[1]}\b")

    def type_dice(self) -> None:
        self.program.send("d")
        self._wait("Real dice")

    def write(self, line: str) -> None:
        self.program.send(f"j{line}\r")
        self._wait(re.escape(line), FOOT)

    def lower(self, what: str, by: int) -> None:
        self._wait(FOOT)
        self._go_to(rf"{what}.*‹")
        self.program.send("-" * by)

    def _go_to(self, place: str) -> None:
        while not re.search(place, self.program.text()):
            self.program.send("down")
            self.program.settle()

    def new_character(self) -> None:
        self.program.send("c")
        self._wait("New character")

    def make(self, move: str) -> None:
        self.program.send("m")
        self._wait("Make a move")
        self.program.send(move[:LETTERS].lower())
        self._wait(f"/ {move[:LETTERS].lower()}")
        self._go_to(f"►. {move} ")
        self.program.send("enter")
        self._wait(f"─ {move}", gone="Make a move")

    def do_what_is_owed(self) -> None:
        self.program.send("x")
        self._wait(gone=FOOT)

    def take(self, option: str) -> None:
        """Press the option's key; where that does not go on, press Enter."""
        self._press(option)
        row = rf"[▐►]\S (?:[□■] )?{re.escape(option)}"

        def gone_on() -> bool:
            found = re.search(row, self.program.text())
            return not found or (found[0].startswith("►") and "Enter Apply" in self.program.text())

        self.program.wait_until(gone_on, PATIENCE)

    def choose(self, option: str) -> None:
        self._press(option)
        under = rf"►\S (?:[□■] )?{re.escape(option)}"
        self._wait(under)
        self.program.send("enter")
        self._wait(gone=under)

    def offer(self, option: str) -> None:
        self._press(option)
        self._wait(f"■ {option}")

    def mark(self, *options: str) -> None:
        for option in options:
            self._press(option)
            self._wait(f"■ {option}")
        self.program.send("enter")
        self._wait(gone=f"■ {options[0]}")

    def give(self, text: str) -> None:
        self.program.send(f"{text}\r")

    def spread(self, **points: int) -> None:
        for what, share in points.items():
            for n in range(share):
                self._press(what)
                self._wait(rf"{what}.* {n + 1} of ")
        self.program.send("enter")
        self._wait(gone=rf"[▐►]\S {what}")

    def throw(self, *faces: int) -> None:
        self._wait("Use these")
        self.program.send(" ".join(map(str, faces)) + "\r")
        self._wait(gone="Use these")

    def done(self) -> None:
        self._wait(f"{FOOT}|Enter Apply")
        self.program.settle(0.05)  # a frame may come in two pieces, and Enter on the table begins something else
        if FOOT not in self.program.text():
            self.program.send("enter")
        self._wait(FOOT)
