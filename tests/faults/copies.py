"""Several people with a copy of one campaign each: they play, hand over entries, crash, and must come to the same state."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import shutil
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.campaign.playing import adds_up_to, main_lines
from tests.faults import campaign
from tests.faults.disks import FailingDisk

from tracker.campaign import session
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.saves import blocks, reader
from tracker.saves.blocks import Block
from tracker.saves.reader import Contents

PARTY = [
    {"at": "party", "add": {"id": "kara", "name": "Kara", "edge": 2, "iron": 3, "wits": 2, "heart": 1, "shadow": 1}},
    {"at": "party", "add": {"id": "bo", "name": "Bo", "edge": 1, "iron": 1, "wits": 2, "heart": 3, "shadow": 2}},
    {"at": "tracks", "add": {"id": "oath", "name": "The oath", "kind": "vow", "rank": "dangerous"}},
    {"at": "tracks", "add": {"id": "road", "name": "The road", "kind": "journey", "rank": "troublesome"}},
]
LAST = {"party/remove", "party/retire", "relationship/write_your_epilogue", "suffer/face_death"}
"""Moves after which a character makes no others."""
MOVES = sorted(ident for ident, move in campaign.GAME.moves.items() if not move.solo and ident not in LAST)
SURE = [
    *("adventure/face_danger", "adventure/secure_an_advantage", "adventure/heal", "adventure/resupply"),
    *("suffer/endure_harm", "suffer/endure_stress", "relationship/compel"),
]
"""Moves that anybody can always make and that ask something after the dice."""
BY_HAND: list[list[dict[str, Any]]] = [
    [{"at": "kara.momentum", "by": 3}],
    [{"at": "bo.momentum", "by": -4}, {"at": "supply", "by": -1}],
    [{"at": "kara.momentum", "to": "reset"}],
    [{"at": "bo.debilities", "add": {"id": "wounded"}}],
    [{"at": "bo.debilities", "drop": "wounded"}],
    [{"at": "kara.waiting.any", "by": 1}],
    [{"at": "bo.waiting.any", "by": 1}],
    [{"at": "supply", "by": 2}],
    [{"at": "supply", "to": 3}],
    [{"at": "tracks.oath.ticks", "by": 5}],
    [{"at": "tracks", "drop": "road"}],
    [{"at": "tracks", "add": {"id": "road", "name": "The road", "kind": "journey", "rank": "troublesome"}}],
]


def any_answer(prompt: Prompt, chance: random.Random) -> Answer:
    """Return an answer that the prompt nearly always takes. Raise Refused if there is none."""
    match prompt:
        case Pick():
            if not (free := [option.key for option in prompt.options if not option.reason]):
                raise Refused("Nothing can be chosen here.")
            return chance.choice(free)
        case Choose():
            free = [option.key for option in prompt.options if not option.reason]
            return chance.sample(free, chance.randint(prompt.least, max(prompt.least, min(prompt.most, len(free)))))
        case Spread():
            units = [option.key for option, limit in prompt.targets for _ in range(0 if option.reason else limit)]
            chance.shuffle(units)
            return {key: units[: prompt.points].count(key) for key in sorted(set(units))}
        case Number():
            return chance.randint(prompt.low, prompt.high)
        case Text():
            return chance.choice(["Find the heir", "Ash"])
        case Confirm():
            return not prompt.reason and chance.random() < 0.5
        case Roll():
            return {
                name: chance.randint(1, sides) if isinstance(sides, int) else [chance.randint(1, one) for one in sides]
                for name, sides in prompt.dice.items()
            }
    raise AssertionError(f"nobody knows how to answer {prompt}")


def expected_open(entries: list[Entry]) -> set[str]:
    """Return the ids of the open entries of procedures under way, worked out one by one."""
    taken = main_lines(entries)
    by_id = {entry["id"]: entry for entry in entries}
    undone: set[str] = set()
    for entry in reversed(entries):
        if "undoes" in entry and entry["id"] not in undone:
            undone.add(_root(by_id, entry["undoes"]))
    gone_on = {entry["closes"] for entry in entries if "closes" in entry}
    return {
        entry["id"]
        for entry in entries
        if entry.get("open") and entry["id"] not in gone_on and taken(entry) and _root(by_id, entry["id"]) not in undone
    }


def _root(by_id: dict[str, Entry], ident: str) -> str:
    while ident in by_id and "closes" in by_id[ident]:
        ident = by_id[ident]["closes"]
    return ident


def whole_openings(ids: set[str]) -> set[str]:
    """Return these ids with every gap in the counters of an opening filled."""
    last: dict[str, int] = {}
    for ident in ids:
        opening, counter = ident.split(".")
        last[opening] = max(last.get(opening, 0), int(counter))
    return {f"{opening}.{counter}" for opening, count in last.items() for counter in range(1, count + 1)}


class Person:
    """One person at one copy of the campaign."""

    def __init__(self, path: str, chance: random.Random, by: str = "") -> None:
        self.path = path
        self.by = by
        self.chance = chance
        self.saved: set[str] = set()
        """What was acknowledged here."""
        self.table: Session | None = None
        self.open()

    # -- the file ---------------------------------------------------------------------------------------

    def open(self) -> None:
        if self.table is None:
            self.disk = FailingDisk(errno.ENOSPC, lambda name, number: False, share=self.chance.random())
            self.table = campaign.reopen(self.path, self.disk)
            assert self.table.readonly == ""
            self.table.by = self.by

    def close(self) -> None:
        """Close cleanly; then the head holds the state, too."""
        if self.table:
            self.settle()
            table, self.table = self.table, None
            self.saved |= {entry["id"] for entry in table.log.entries}
            assert table.close().word == "saved"
            assert self.contents().head_edited is False

    def crash(self) -> None:
        """Lose what has not reached the disk; of a write under way, a part of its bytes remains."""
        if self.table:
            self.disk.when = lambda name, number: name != "close"
            self.table._writer.close()
            self.table.save.close()
            self.table = None

    def fill_disk(self) -> None:
        """Let entries wait until `settle`."""
        self.disk.when = lambda name, number: name in ("write", "truncate")

    def settle(self) -> None:
        """Take in what another program wrote, save everything, and take note of it."""
        table = self.table
        assert table
        self.disk.heal()
        if table.save.changed:
            assert table.refresh(), table.sign
        table.retry()
        if table.settle().word != "saved":  # a write that was failing when the disk healed
            table.retry()
        assert table.settle().word == "saved", table.sign
        table.adopt_late()
        self.saved |= {entry["id"] for entry in table.log.entries}

    def contents(self) -> Contents:
        """Return what the file holds without an unfinished write at its end, which `receive` would mark as whole."""
        with open(self.path, "rb") as file:
            return reader.read(self.path, file, tail="aside", whole=True)

    def blocks(self) -> list[Block]:
        return self.contents().blocks

    def receive(self, given: list[Block], *, waiting: bool = False) -> None:
        """Have another program put these blocks into the file: at its end, or each in its place.

        Entries that cannot be saved now stay `waiting`.
        """
        if self.table and (waiting or self.chance.random() < 0.4):
            self.table.wait()
        elif self.table:
            self.settle()
        found = self.contents()
        here = {block.entry["id"] for block in found.blocks}
        new = [block for block in given if block.entry["id"] not in here]
        if not new:
            return
        data = campaign.raw(self.path)
        if self.chance.random() < 0.5:
            data = data[: found.end] + (b"" if found.ends_line else b"\n")
            data += b"".join(block.body + blocks.mark(block.number or 1, block.body) for block in new)
        else:
            every = sorted([*found.blocks, *new], key=lambda block: (block.entry["t"], block.entry["id"]))
            data = data[: found.head_end]
            data += b"".join(one.body + blocks.mark(n, one.body) for n, one in enumerate(every, 1))
        if self.chance.random() < 0.5:
            campaign.put_raw(self.path + "~", data)
            os.replace(self.path + "~", self.path)
        else:
            with open(self.path, "r+b") as file:
                file.truncate()
                file.write(data)

    def take(self, given: list[Block]) -> None:
        """Take these entries in as from another machine, in any order, and perhaps play on before they are folded."""
        self.open()
        assert self.table
        self.settle()
        here = {block.entry["id"] for block in self.blocks()}
        new = {block.entry["id"] for block in given} - here
        taken = self.table.take([block.entry for block in self.chance.sample(given, len(given))])
        assert {entry["id"] for entry in taken} == new
        assert self.table.take([block.entry for block in given]) == []
        if self.chance.random() < 0.5:
            self.deed(self.by_hand)
            self.deed(lambda table: self._drop(table.undo()))
        if self.chance.random() < 0.5:
            self.settle()

    # -- playing ----------------------------------------------------------------------------------------

    def play(self) -> None:
        """Do one thing; what is refused is no fault."""
        self.open()
        deeds: list[tuple[int, Callable[[Session], None]]] = [
            (16, self.begin),
            (16, self.go_on),
            (8, self.by_hand),
            (1, self._write),
            (1, lambda table: self._drop(table.write("half a character: \udc80"))),
            (4, lambda table: self._drop(table.undo())),
            (4, self._undo_any),
            (4, lambda table: self._drop(table.redo())),
            (3, self._redo_any),
            (1, lambda table: table.full_log_reader.whole()),
            (2, self._undo_aside),
        ]
        (deed,) = self.chance.choices([deed for _, deed in deeds], [weight for weight, _ in deeds])
        self.deed(deed)

    def deed(self, deed: Callable[[Session], None]) -> None:
        assert self.table
        with contextlib.suppress(Refused):
            deed(self.table)

    def _drop(self, _: object) -> None: ...

    def begin(self, table: Session) -> None:
        move = self.chance.choice(MOVES if self.chance.random() < 0.3 else SURE)
        self._answer(table, table.begin(move, self.chance.choice(["kara", "bo"])))

    def go_on(self, table: Session) -> None:
        if left := sorted(entry["id"] for entry in table.log.open_runs()):
            self._answer(table, table.resume(self.chance.choice(left)))

    def _answer(self, table: Session, run: Run) -> None:
        """Answer prompt by prompt; stop somewhere, or finish."""
        while run.prompt is not None:
            if run.opened and self.chance.random() < 0.4:
                run.note += self.chance.choice(["", "A thought. "])
                table.leave(run)
                return
            answer = any_answer(run.prompt, self.chance)
            if isinstance(run.prompt, Roll):
                table.roll(run, answer)
            else:
                run.answer(answer)
        table.finish(run)

    def by_hand(self, table: Session) -> None:
        table.do("change", self.chance.choice(BY_HAND))

    def _write(self, table: Session) -> None:
        table.write("A line.")

    def _any(self) -> Entry:
        """Return any entry in the file, however old."""
        return self.chance.choice([block.entry for block in self.blocks()])

    def _undo_any(self, table: Session) -> None:
        if "undoes" not in (entry := self._any()):
            table.undo(entry["id"])

    def undo_one_of(self, entries: list[Entry], table: Session) -> None:
        """Undo one of these, by any of its ids."""
        if done := [entry["id"] for entry in entries if "undoes" not in entry and table.log.holds(entry["id"])]:
            table.undo(self.chance.choice(done))

    def _redo_any(self, table: Session) -> None:
        if undo := table.history.undo_of(self._any()):
            table.redo(undo)

    def _undo_aside(self, table: Session) -> None:
        if "undoes" not in (entry := self._any()):
            table.undos.undo_far(entry["id"], lambda _: None, lambda: None)
            table.write("Meanwhile.")

    # -- comparing --------------------------------------------------------------------------------------

    def check(self) -> None:
        """Compare with the slow second opinion: in memory, from the snapshot, and nothing saved is lost."""
        if self.table:
            self.settle()
        entries = [block.entry for block in self.blocks()]
        assert self.saved <= {entry["id"] for entry in entries}
        state, left = adds_up_to(entries), expected_open(entries)
        if self.table:
            assert self.table.state == state
            assert {entry["id"] for entry in self.table.log.open_runs()} == left
        look = Session.open(self.path, write=False)
        look.close()
        assert look.state == state
        assert {entry["id"] for entry in look.log.open_runs()} == left


class World:
    """Several people, and all that may happen between them.

    `put` sets an attribute, like `setattr`: ids are drawn by the seed, because they decide between equal times.
    """

    def __init__(self, folder: Path, seed: int, put: Callable[[Any, str, Any], None], people: int = 3) -> None:
        self.chance = random.Random(seed)
        ids = random.Random(-seed)
        put(session, "random_id", lambda length=8: "".join(ids.choices(string.ascii_lowercase, k=length)))
        first = str(folder / "person 0.toml")
        session.new_campaign(first, campaign.GAME, FailingDisk(0, lambda name, number: False))
        table = campaign.reopen(first)
        table.do("change", PARTY)
        assert table.close().word == "saved"
        paths = [str(folder / f"person {n}.toml") for n in range(people)]
        for path in paths[1:]:
            shutil.copy(first, path)
        seats = self.chance.random() < 0.5
        self.people = [Person(path, self.chance, f"seat{n}" if seats else "") for n, path in enumerate(paths)]
        self.hand_overs = self.crashes = 0

    def live(self, steps: int) -> None:
        """Let so many things happen, then hand everything to everybody and compare."""
        for _ in range(steps):
            person = self.chance.choice(self.people)
            what = self.chance.random()
            if what < 0.66:
                person.play()
            elif what < 0.72:
                self.compete(self.chance.choice(self.people), person)
            elif what < 0.75:
                self.wait_and_receive(self.chance.choice(self.people), person)
            elif what < 0.84:
                self.hand_over(self.chance.choice(self.people), person)
            elif what < 0.88:
                person.close()
            elif what < 0.91:
                person.crash()
                self.crashes += 1
            elif what < 0.95:
                person.open()
                person.fill_disk()
            else:
                person.check()
        self.meet()

    def compete(self, one: Person, other: Person) -> None:
        """Let two people know the same open rolls and go on with one of them, each at their own copy."""
        one.open()
        one.deed(one.begin)
        other.receive(one.blocks())
        for person in (one, other):
            person.open()
            person.settle()
            for _ in range(self.chance.randint(1, 3)):
                person.deed(person.go_on)

    def wait_and_receive(self, giver: Person, taker: Person) -> None:
        """Let entries wait for a full disk while another program writes what somebody else has done meanwhile."""
        if giver is not taker:
            giver.play()
            taker.open()
            taker.settle()
            taker.fill_disk()
            for _ in range(2):
                taker.deed(taker.by_hand)
                giver.play()
            taker.receive(giver.blocks(), waiting=True)
            taker.settle()

    def hand_over(self, giver: Person, taker: Person) -> None:
        """Give entries of one file to another: all, any, or only those that name others, which may then be missing."""
        if giver is taker:
            return
        given, how = giver.blocks(), self.chance.random()
        if how < 0.3:
            given = self.chance.sample(given, self.chance.randint(0, len(given)))
        elif how < 0.6:
            given = [block for block in given if {"closes", "undoes"} & block.entry.keys()]
        if self.chance.random() < 0.6:
            taker.take(given)
        else:
            taker.receive(given)
        self.hand_overs += 1
        if how < 0.6:
            taker.open()
            taker.settle()
            taker.deed(lambda table: taker.undo_one_of([block.entry for block in given], table))

    def meet(self) -> None:
        """Make all copies equal: nothing saved is lost, and everybody has the same entries and the same state."""
        for person in self.people:
            person.close()
            person.check()
        for giver in self.people:
            for taker in self.people:
                if giver is not taker:
                    taker.receive(giver.blocks())
        saved = set().union(*(person.saved for person in self.people))
        ends = []
        for person in self.people:
            person.open()
            person.check()
            person.close()
            person.check()
            entries = [block.entry for block in person.blocks()]
            ids = {entry["id"] for entry in entries}
            assert saved <= ids
            assert ids == whole_openings(ids), "an entry is missing between two of one opening"
            ends.append((entries, adds_up_to(entries)))
        assert all(end == ends[0] for end in ends)
