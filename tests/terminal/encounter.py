"""An encounter from both sides of the table, told once: three of the party, two adversaries, a countdown."""

from __future__ import annotations

import re
from typing import Protocol

from tests.terminal.evenings import FOOT, ByKeys, BySession
from tests.terminal.evenings import Table as Evening

from tracker import games
from tracker.games.api.game import Game
from tracker.games.api.prompts import Confirm, Number
from tracker.games.api.view import Action


class Table(Evening, Protocol):
    """The acts of an encounter that an evening does not have; subclasses say how each is done."""

    def gm(self, action: str, foe: str = "") -> None: ...
    def number(self, value: int) -> None: ...
    def accept(self) -> None: ...
    def yes(self) -> None: ...
    def rests(self, name: str, number: int, option: str) -> None: ...


def somebody(
    table: Table,
    name: str,
    sort: str,
    traits: tuple[str, str, str, str],
    armor: str,
    weapon: tuple[str, str] = ("", ""),
) -> None:
    table.take("choose")
    table.give(name)
    table.take(sort)
    table.take(traits[0])
    table.mark(*traits[1:3])
    table.take(traits[3])
    table.give("Guide" if weapon[0] else "")
    table.give("")
    table.take(armor)
    table.give(weapon[0])
    if weapon[0]:
        table.take(traits[0])
        table.give(weapon[1])
    table.done()


def encounter(table: Table) -> None:
    """Play against a wolf and rats: a Tag Team, armor that holds, a death move, a short rest and a long one."""
    somebody(table, "Wren", "Ranger", ("Agility", "Finesse", "Instinct", "Knowledge"), "Leather", ("Bow", "d8+3"))
    table.type_dice()
    table.new_character()
    somebody(table, "Boro", "Guardian", ("Strength", "Presence", "Instinct", "Finesse"), "Chainmail")
    table.new_character()
    somebody(table, "Nib", "Wizard", ("Knowledge", "Presence", "Instinct", "Strength"), "no armor")

    table.gm("New adversary")
    table.give("Wolf")
    table.take("bruiser")
    table.take("tier 1")
    table.give("d6+4")
    table.done()
    table.gm("New adversary")
    table.give("Rats")
    table.take("minion")
    table.take("tier 1")
    table.give("")
    for _ in range(3):
        table.accept()
    table.done()
    table.gm("New countdown")
    table.give("Pack")
    table.take("standard")
    table.accept()
    table.done()

    table.speak_as(1)
    table.make("Attack")
    table.mark("Wolf")
    table.throw(9, 4)
    table.throw(5)
    table.done()
    table.make("Tag Team")
    table.take("Boro")
    table.mark("Wolf")
    table.take("Bow")
    table.throw(3, 7)
    table.take("Bare hands")
    table.throw(8, 2)
    table.take("Boro")
    table.throw(5)
    table.throw(3)
    table.done()
    table.speak_as(3)
    table.make("Action roll")
    table.take("Presence")
    table.throw(1, 2)
    table.done()

    table.gm("Attack", "Wolf")
    table.mark("Wren")
    table.throw(15)
    table.throw(6)
    table.done()
    table.gm("Spend Fear")
    table.take("spotlight another adversary")
    table.done()
    table.gm("Deal damage", "Rats")
    table.number(7)
    table.done()
    table.gm("Advance")
    table.done()

    table.speak_as(1)
    table.do_what_is_owed()
    table.take("mark an Armor Slot")
    table.done()
    table.speak_as(3)
    for _ in range(2):
        table.make("Take damage")
        table.number(40)
        table.done()
    table.do_what_is_owed()
    table.take("Avoid Death")
    table.throw(5)
    table.done()

    table.make("Rest")
    table.yes()
    table.take("a short rest")
    table.rests("Wren", 1, "tend to wounds")
    table.rests("Wren", 2, "nothing")
    table.rests("Boro", 1, "nothing")
    table.throw(2, 3)
    table.done()
    table.make("Rest")
    table.yes()
    table.take("a long rest")
    table.rests("Wren", 1, "prepare: Hope +1")
    table.rests("Wren", 2, "repair armor")
    table.rests("Boro", 1, "nothing")
    table.throw(1)
    table.done()


class RulesAlone(BySession):
    """The same steps through a session, without a screen."""

    game: Game = games.get("daggerheart")

    def gm(self, action: str, foe: str = "") -> None:
        side = self.game.gm_side(self.session.state)
        assert side
        of_all = (side.pool_actions, side.turn_actions, side.foes_actions, side.tracks_actions, side.actions)
        there: list[Action] = [one for actions in of_all for one in actions]
        there += [one for each in side.foes if each.name == foe for one in each.actions]
        start = next(one.start for one in there if one.label == action)
        self.run = self.session.begin(start.procedure, "", start.answers)

    def number(self, value: int) -> None:
        assert self.run
        assert isinstance(self._asked, Number), self._asked
        self.run.answer(value)

    def accept(self) -> None:
        assert self.run
        self.run.answer(self._asked.default)

    def yes(self) -> None:
        assert self.run
        assert isinstance(self._asked, Confirm), self._asked
        self.run.answer(True)

    def rests(self, name: str, number: int, option: str) -> None:
        assert f"{name}, downtime move {number} of 2" in self._asked.title
        self.take(option)


class AtTheKeyboard(ByKeys):
    """The same steps by keys in a real terminal; the GM's acts are done on the GM's side."""

    _on_gm_side = False

    def gm(self, action: str, foe: str = "") -> None:
        self.program.send("g")
        self._wait("g Players")
        if foe:
            while not re.search(f"► {foe}", self.program.text()):
                self.program.send("down")
                self.program.settle()
        chip = re.search(rf"▐(\S) {action}▌", self.program.text())
        assert chip, self.program.text()
        self.program.send(chip[1])
        self._wait(gone="g Players")
        self._on_gm_side = True

    def throw(self, *faces: int) -> None:
        """Type the faces; those of a damage roll may follow at once, in a line of their own."""
        wanted = re.compile(r"faces, with spaces: .*")
        self._wait(wanted.pattern)
        before = wanted.findall(self.program.text())
        self.program.send(" ".join(map(str, faces)) + "\r")

        def taken() -> bool:
            text = self.program.text()
            return "Use these" not in text or wanted.findall(text) not in (before, [])

        self.program.wait_until(taken, 60)

    def number(self, value: int) -> None:
        self.program.send(f"\x15{value}\r")

    def accept(self) -> None:
        before = self.program.text()
        self.program.send("enter")
        self.program.wait_until(lambda: self.program.text() != before, 60)

    def yes(self) -> None:
        self._wait("Rest anyway")
        self.program.send("y")
        self._wait("Which rest")

    def rests(self, name: str, number: int, option: str) -> None:
        self._wait(f"{name}, downtime move {number} of 2")
        self._press(option)
        self._wait(gone=f"{name}, downtime move {number} of 2")

    def done(self) -> None:
        if not self._on_gm_side:
            super().done()
            return
        self._wait("g Players|Enter Apply")
        if "g Players" not in self.program.text():
            self.program.send("enter")
        self._wait("g Players")
        self.program.send("g")
        self._wait(FOOT)
        self._on_gm_side = False
