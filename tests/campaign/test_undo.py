"""Anything can be taken back and brought back, in any order, now or after a restart: as if it had not been, or had."""

import contextlib
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign.playing import (
    GAME,
    KARA,
    OATH,
    Quick,
    adds_up_to,
    campaign,
    fresh_folder,
    likely_effect,
    open_session,
    play,
    short_memory,
    whole_file,
)

from tracker.campaign.fold import complete, fold, start
from tracker.campaign.log import Entry
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.api.schema import State
from tracker.games.ironsworn.state import TOP
from tracker.saves.disk import Disk

faces = st.builds(
    lambda action, one, two: {"action": action, "challenge": [one, two]},
    st.integers(1, 6),
    st.integers(1, 10),
    st.integers(1, 10),
)
new = st.one_of(
    st.tuples(st.just("do"), st.lists(likely_effect, min_size=1, max_size=3)),
    st.tuples(st.just("move"), faces),
    st.tuples(st.just("go on"), st.sampled_from(["momentum", "harm", "supply"])),
)
back_and_forth = st.one_of(
    *(st.tuples(st.just(what), st.integers(0, 30)) for what in ("undo", "bring back")),
    *(st.tuples(st.just(what), st.none()) for what in ("undo newest", "redo", "restart")),
)
deeds = st.lists(new | back_and_forth, min_size=12, max_size=50)


Thing = dict[str, Any]
"""The entries of one deed, and whether it stands."""


class Book:
    """A player's own record of a campaign: everything that was done, and whether it is undone."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tale.toml"
        new_campaign(str(self.path), GAME, Quick())
        self.table = open_session(self.path)
        self.things: list[Thing] = []
        self.taken_back: list[Thing] = []
        self.entries = 0
        self.new(self.table.do("edit", [KARA, OATH]))

    def new(self, *entries: Entry, of: Thing | None = None) -> None:
        self.entries += len(entries)
        self.taken_back.clear()
        if of is None:
            of = {"entries": [], "stands": True}
            self.things.append(of)
        of["entries"] += entries

    def open_run(self) -> Entry | None:
        return next(self.table.log.open_runs(), None)

    def do(self, effects: list[Any]) -> None:
        self.new(self.table.do("edit", effects))

    def move(self, dice: Any) -> None:
        """Start a move with these dice; it stops where something is to be chosen."""
        try:
            run = self.table.begin("adventure/face_danger", "kara", [("using", "iron")])
        except Refused:
            assert self.open_run() or "kara" not in self.table.state["party"]
            return
        self.table.rolled(run, dice)
        opened = self.table.log.entries[-1]
        self.new(opened, *([] if run.prompt else [self.table.finish(run)]))

    def go_on(self, choice: str) -> None:
        if (opened := self.open_run()) is None or "kara" not in self.table.state["party"]:
            return
        run = self.table.resume(opened["id"])
        if run.prompt:
            run.answer([choice])
        self.new(self.table.finish(run), of=next(t for t in self.things if opened in t["entries"]))

    def undo(self, which: int) -> None:
        thing = self.things[which % len(self.things)]
        entry = self.table.undo(thing["entries"][which % len(thing["entries"])]["id"])
        assert entry or not thing["stands"]
        if entry:
            # What lies behind the base may be undone already: then undo and redo of it change nothing.
            thing["twice"] = thing.get("twice") or not thing["stands"]
            self.took_back(thing if thing["stands"] else {"entries": []})

    def bring_back(self, which: int) -> None:
        """Redo one undone item, whatever was done since."""
        thing = self.things[which % len(self.things)]
        undo = self.table.history.undo_of(thing["entries"][-1])
        assert (undo is None) == thing["stands"]
        if undo and not thing.get("twice"):
            assert self.table.redo(undo)
            self.entries += 1
            thing["stands"] = True
            self.taken_back = [other for other in self.taken_back if other is not thing]

    def undo_newest(self, _: Any) -> None:
        standing = [thing for thing in self.things if thing["stands"]]
        done = self.table.undo()
        assert (done is None) == (not standing)
        if standing:
            # The newest thing is the one with the newest entry: a run that was left open is as new as its end.
            order = {entry["id"]: n for n, entry in enumerate(self.in_order())}
            self.took_back(max(standing, key=lambda thing: order[thing["entries"][-1]["id"]]))

    def took_back(self, thing: Thing) -> None:
        self.entries += 1
        thing["stands"] = False
        self.taken_back.append(thing)

    def redo(self, _: Any) -> None:
        done = self.table.redo()
        assert (done is None) == (not self.taken_back)
        if self.taken_back:
            self.entries += 1
            self.taken_back.pop()["stands"] = True

    def restart(self, _: Any) -> None:
        self.table.close()
        self.table = open_session(self.path)
        assert self.table.notes == []

    def in_order(self) -> list[Entry]:
        return sorted((e for thing in self.things for e in thing["entries"]), key=lambda e: (e["t"], e["id"]))

    def expected(self) -> State:
        dropped = {e["id"] for thing in self.things if not thing["stands"] for e in thing["entries"]}
        for thing in self.things:
            for n, entry in enumerate(thing["entries"]):
                if entry.get("whole"):
                    dropped |= {earlier["id"] for earlier in thing["entries"][:n]}
        state = start(TOP)
        for entry in self.in_order():
            if entry["id"] not in dropped:
                state = fold(TOP, state, entry.get("effects", []))
        return state


class TestAnyDeeds:
    @pytest.mark.parametrize("keep", [200, 5, 1])
    @settings(max_examples=30)
    @given(deeds)
    def test_state_is_the_fold_of_the_entries_that_count(
        self, tmp_path_factory: pytest.TempPathFactory, keep: int, deeds: list[Any]
    ) -> None:
        with short_memory(keep):
            book = Book(fresh_folder(tmp_path_factory))
            try:
                for what, how in deeds:
                    getattr(book, what.replace(" ", "_"))(how)
                    assert book.table.state == book.expected()
                book.restart(None)
                assert book.table.state == book.expected()
            finally:
                book.table.close()
            kept = whole_file(book.path)
            assert len(kept) == book.entries
            assert [e for e in kept if "undoes" not in e] == book.in_order()


class TestUndo:
    def test_undo_then_redo_restores_the_exact_state(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            for n in range(1, 6):
                table.do("edit", [{"at": "kara.momentum", "by": n - 3}, {"at": "supply", "by": -1}])
            for entry in [e["id"] for e in table.log.entries]:
                before = table.state
                table.undo(entry)
                assert table.state != before
                table.redo()
                assert table.state == before

    def test_undo_reaches_the_beginning_and_redo_the_end(self, tmp_path: Path) -> None:
        with short_memory(keep=4), campaign(tmp_path) as table:
            states = [table.state]
            for n in range(30):
                table.do("edit", [{"at": "kara.xp", "by": n + 1}])
                states.append(table.state)
            for state in reversed(states[:-1]):
                assert table.undo()
                assert table.state == state
            assert table.undo()  # Kara herself
            assert table.undo() is None
            assert table.state == start(TOP)
            for state in states:
                assert table.redo()
                assert table.state == state
            assert table.redo() is None

    def test_undo_continues_after_a_restart(self, tmp_path: Path) -> None:
        with short_memory(keep=3):
            with campaign(tmp_path) as table:
                states = [table.state]
                for n in range(20):
                    table.do("edit", [{"at": "kara.xp", "by": n + 1}])
                    states.append(table.state)
                path = table.save.path
            for state in reversed(states[:-1]):
                table = open_session(path)
                table.undo()
                table.close()
                assert table.state == state
            for state in states[1:]:
                table = open_session(path)
                table.redo()
                table.close()
                assert table.state == state

    def test_undo_takes_a_roll_and_its_consequences_as_one(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            before = table.state
            entry = play(table, "adventure/face_danger", using="edge", dice={"action": 6, "challenge": [1, 1]})
            after = table.state
            assert after["party"]["kara"]["momentum"] == before["party"]["kara"]["momentum"] + 1
            for ident in (entry["id"], entry["closes"]):
                table.undo(ident)
                assert table.state == before
                table.redo()
                assert table.state == after

    def test_undo_of_an_undone_entry_changes_nothing(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            entry = table.do("edit", [{"at": "supply", "by": -1}])
            full = table.state
            table.undo(entry["id"])
            assert table.undo(entry["id"]) is None
            table.redo()
            assert table.state == full

    def test_undo_is_redone_not_undone(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "supply", "by": -1}])
            undo = table.undo()
            assert undo
            with pytest.raises(Refused, match="redo"):
                table.undo(undo["id"])

    def test_redo_ends_where_something_new_was_done(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "supply", "by": -1}])
            table.undo()
            table.write("A quiet night.")
            assert table.redo() is None

    def test_undone_entry_stays_in_the_history(self, tmp_path: Path) -> None:
        with short_memory(keep=2), campaign(tmp_path) as table:
            line = table.write("It never happened.")
            table.undo(line["id"])
            for _ in range(9):
                table.write("Time goes by.")
            path = table.save.path
        assert [e for e in whole_file(path) if e["id"] == line["id"]] == [line]

    def test_skips_a_finished_roll_behind_the_snapshot_whose_opening_entry_was_undone(self, tmp_path: Path) -> None:
        with short_memory(keep=1):
            with campaign(tmp_path) as table:
                table.do("edit", [{"at": "kara.health", "by": -1}])
                run = table.begin("adventure/face_danger", "kara", [("using", "iron")])
                table.rolled(run, {"action": 4, "challenge": [1, 1]})
                opened = table.log.entries[-1]
                table.finish(run)
                table.do("edit", [{"at": "kara.xp", "by": 1}])
                path = table.save.path
            with contextlib.closing(open_session(path)) as table:
                table.undo(opened["id"])
                table.do("edit", [{"at": "kara.xp", "by": 1}])
                for _ in range(3):
                    table.undo()
                assert table.state["party"]["kara"]["health"] == 5

    def test_far_undo_can_be_folded_beside_the_screen(self, tmp_path: Path) -> None:
        with short_memory(keep=2, compact_after=4), campaign(tmp_path) as table:
            far = table.do("edit", [{"at": "kara.xp", "by": 5}])
            for _ in range(12):
                table.do("edit", [{"at": "kara.xp", "by": 1}])
            table.settle()
            done = []
            table.undos.undo_far(far["id"], lambda _: None, lambda: done.append(True))
            for _ in range(9):
                table.do("edit", [{"at": "kara.xp", "by": 1}])  # play goes on
            table.settle()
            assert done
            assert head_speaks_true(table.save.path)
            table.full_log_reader.adopt()
            assert table.state["party"]["kara"]["xp"] == 21
            table.do("edit", [{"at": "kara.xp", "by": 1}])
            path = table.save.path
        table = open_session(path, write=False)
        table.close()
        assert table.state["party"]["kara"]["xp"] == 22

    def test_repeated_far_undo_is_made_once(self, tmp_path: Path) -> None:
        with short_memory(keep=2, compact_after=4), campaign(tmp_path) as table:
            far = table.do("edit", [{"at": "kara.xp", "by": 5}])
            for _ in range(12):
                table.do("edit", [{"at": "kara.xp", "by": 1}])
            table.settle()
            table.undos.undo_far(far["id"], lambda _: None, lambda: None)
            with pytest.raises(Refused, match="one moment"):
                table.undos.undo_far(far["id"], lambda _: None, lambda: None)
            table.settle()
            table.full_log_reader.adopt()
            assert table.state["party"]["kara"]["xp"] == 12
            table.redo()
            assert table.state["party"]["kara"]["xp"] == 17


class TestLastReversal:
    """What the undo key takes back, in every frontend."""

    def test_undo_out_of_turn_is_brought_back_before_newer_things_go(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            first = table.write("First.")
            second = table.write("Second.")
            table.undo(first["id"])
            did = []
            for _ in range(3):
                reversal = table.undos.last()
                assert reversal
                assert table.undos.make(reversal)
                did.append((reversal.did, table.log.undone(first), table.log.undone(second)))
        assert did == [("redo", False, False), ("undo", False, True), ("undo", True, True)]

    @pytest.mark.parametrize("keep", [200, 2])
    def test_undo_of_old_entry_is_brought_back(self, tmp_path: Path, keep: int) -> None:
        with short_memory(keep, compact_after=4), campaign(tmp_path) as table:
            far = table.do("edit", [{"at": "kara.xp", "by": 5}])
            for _ in range(12):
                table.do("edit", [{"at": "kara.xp", "by": 1}])
            table.undo(far["id"])
            table.settle()
            reversal = table.undos.last()
            assert reversal
            assert reversal.did == "redo"
            assert table.undos.make(reversal)
            assert table.state["party"]["kara"]["xp"] == 17

    def test_last_reversal_is_none_when_nothing_is_left(self, tmp_path: Path) -> None:
        with short_memory(1, compact_after=2), campaign(tmp_path) as table:
            for _ in range(7):
                table.write("A line.")
            while reversal := table.undos.last():
                assert table.undos.make(reversal)
            assert table.log.state == start(TOP)

    def test_toggle_of_entry_that_stands_undoes_it_and_then_redoes_it(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            line = table.write("A line.")
            assert table.undos.toggle(line, undone=True) is None
            for undone in (False, True):
                reversal = table.undos.toggle(line, undone=undone)
                assert reversal
                assert table.undos.make(reversal)
                assert table.log.undone(line) is not undone


def head_speaks_true(path: str) -> bool:
    """Return True if [state] is the fold of as many entries as the head says."""
    head = tomllib.loads(Path(path).read_text("utf-8"))
    state: State = complete(TOP, head["state"])
    return state == adds_up_to(head["entry"][: head["entries"]])


class FullDisk(Quick):
    """A disk that cannot write."""

    full = False

    def write(self, fd: int, data: bytes) -> int:
        if self.full:
            raise OSError(28, "No space left on device")
        return Disk.write(self, fd, data)


class TestFullDisk:
    @pytest.mark.parametrize("keep", [200, 2])
    def test_undo_counts_at_once_and_is_written_later(self, tmp_path: Path, keep: int) -> None:
        disk = FullDisk()
        with short_memory(keep):
            path = tmp_path / "tale.toml"
            new_campaign(str(path), GAME, disk)
            table = Session.open(str(path), disk=disk)
            table.do("edit", [KARA])
            far = table.do("edit", [{"at": "kara.xp", "by": 100}])
            for _ in range(20):
                table.do("edit", [{"at": "kara.xp", "by": 1}])
            table.close()
            table = Session.open(str(path), disk=disk)
            disk.full = True
            table.undo(far["id"])
            assert table.state["party"]["kara"]["xp"] == 20
            assert table.settle().word == "NOT SAVED"
            table.do("edit", [{"at": "kara.xp", "by": 1}])
            assert table.state["party"]["kara"]["xp"] == 21
            disk.full = False
            table.retry()
            assert table.settle().word == "saved"
            table.close()
            table = open_session(path, write=False)
            table.close()
            assert table.state["party"]["kara"]["xp"] == 21
