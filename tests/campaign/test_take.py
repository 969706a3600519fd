"""Entries from elsewhere: taken in at any place and in any order, durable, and never twice."""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import adds_up_to, campaign, open_session, opened_state, short_memory, whole_file
from tests.faults.copies import any_answer

from tracker.campaign.log import Entry, Log, NeedsFullLog
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Roll
from tracker.games.common.notes import MAKE
from tracker.saves import marks
from tracker.saves.id_set import IdSet


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[tuple[Session, Session]]:
    """Two sessions on two copies of one campaign: Ana's and Bob's."""
    with campaign(tmp_path):
        pass
    shutil.copy(tmp_path / "tale.toml", tmp_path / "copy.toml")
    with closing(open_session(tmp_path / "tale.toml")) as ana, closing(open_session(tmp_path / "copy.toml")) as bob:
        ana.by, bob.by = "ana", "bob"
        yield ana, bob


def lines(table: Session, count: int) -> list[Entry]:
    return [table.do("change", [{"at": "kara.momentum", "by": n % 3 - 1}], text=f"Line {n}.") for n in range(count)]


def behind(table: Session) -> int:
    """Return the time of the last entry that the snapshot in the file covers."""
    assert table.save.head.base
    return table.save.head.base.last[0]


class TestTake:
    def test_entries_are_applied_at_their_place_and_durable(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        theirs = lines(bob, 30)
        lines(ana, 20)
        durable: list[str] = []
        ana.on_written.append(durable.extend)
        assert [entry["id"] for entry in ana.take(theirs[::-1])] == [entry["id"] for entry in theirs]
        assert ana.take(theirs) == []
        assert ana.state == adds_up_to(ana.log.entries)
        assert ana.settle().word == "saved"
        assert durable[-30:] == [entry["id"] for entry in theirs]
        here = whole_file(Path(ana.save.real))
        assert {entry["id"] for entry in here} >= {entry["id"] for entry in theirs}
        assert len(here) == len({entry["id"] for entry in here})

    def test_reader_reads_entries_written_together_without_a_note(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        ana.take(lines(bob, 30))
        ana.settle()
        with closing(open_session(ana.save.real, write=False)) as look:
            assert look.notes == []
            assert look.state == ana.state

    def test_entries_made_here_name_their_author_and_are_told(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        told: list[Entry] = []
        ana.on_entry.append(told.append)
        ana.take(lines(bob, 1))
        made = ana.write("A line.")
        assert told == [made]
        assert made["by"] == "ana"

    def test_wrong_entry_is_refused_with_nothing_changed(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        good = lines(bob, 1)
        before = ana.state
        with pytest.raises(Refused):
            ana.take([*good, {"id": "x.1", "t": 99, "by": "Not a seat"}])
        assert ana.state is before
        assert not ana.has(good[0])

    def test_entry_before_the_snapshot_is_folded_in_the_writers_thread(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        with short_memory(4):
            late = lines(bob, 3)
            lines(ana, 40)
            ana.settle()
            ana._tidy()
            ana.settle()
            ana._forget_old()
            assert ana.log.upto > 20
            heard: list[str] = []
            ana.listeners.append(heard.append)
            assert [entry["id"] for entry in ana.take(late)] == [entry["id"] for entry in late]
            assert ana.take(late) == []
            meanwhile = ana.write("Meanwhile.")
            ana.settle()
            assert "late" in heard
            ana.adopt_late()
            whole = whole_file(Path(ana.save.real))
            assert ana.state == adds_up_to(whole)
            assert {meanwhile["id"], *(entry["id"] for entry in late)} <= {entry["id"] for entry in whole}
            ana.settle()
            assert opened_state(Path(ana.save.real)) == ana.state

    def test_ids_and_texts_reach_behind_the_snapshot(self, apart: tuple[Session, Session]) -> None:
        ana, _ = apart
        with short_memory(4):
            lines(ana, 40)
            ana.settle()
            whole = whole_file(Path(ana.save.real))
            assert ana.save.head.base
            known = IdSet(ana.ids())
            assert all(entry["id"] in known for entry in whole)
            assert known.upto[ana._opening] == 40
            wanted = {whole[1]["id"], whole[-1]["id"]}
            texts = dict(ana.save.holding(wanted))
            assert texts.keys() == wanted
            assert all(f'id = "{ident}"' in text for ident, text in texts.items())


class TestMarks:
    def test_late_entry_begins_at_a_mark(self, apart: tuple[Session, Session], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(marks, "EVERY", 10)
        ana, bob = apart
        with short_memory(4):
            ana.take(lines(bob, 1))
            lines(ana, 60)
            ana.settle()
            ana._forget_old()
            late = {**lines(bob, 1)[0], "t": behind(ana) - 3}
            begins: list[int] = []
            whole = Log.__init__

            def noted(log: Log, *given: Any, **more: Any) -> None:
                begins.append(more.get("upto", 0))
                whole(log, *given, **more)

            monkeypatch.setattr(Log, "__init__", noted)
            ana.take([late])
            ana.settle()
            ana.adopt_late()
            assert begins
            assert all(begins), "no log was made from the first entry on"
            assert ana.state == adds_up_to(whole_file(Path(ana.save.real)))

    @pytest.mark.parametrize("harm", ["damaged", "from another campaign", "gone", "larger than memory"])
    def test_marks_that_do_not_fit_are_passed_over(
        self, apart: tuple[Session, Session], monkeypatch: pytest.MonkeyPatch, harm: str
    ) -> None:
        monkeypatch.setattr(marks, "EVERY", 10)
        ana, bob = apart
        with short_memory(4):
            ana.take(lines(bob, 1))
            lines(ana, 60)
            ana.settle()
            ana._forget_old()
            path = Path(marks.path_of(ana.save.real))
            data = path.read_bytes()
            if harm == "damaged":
                path.write_bytes(data.replace(b"momentum", b"momentun"))
            elif harm == "gone":
                path.unlink()
            elif harm == "larger than memory":
                os.truncate(path, 1 << 42)
            else:
                found = marks.read(ana.save.real)
                path.unlink()
                other = [mark._replace(crc=mark.crc ^ 1, state={**mark.state, "scene": "Elsewhere"}) for mark in found]
                marks.write(ana.save.real, 0, other, ana.save.disk)
            ana.take([{**lines(bob, 1)[0], "t": behind(ana) - 3}])
            assert ana.folding
            ana.settle()
            ana.adopt_late()
            assert ana.state == adds_up_to(whole_file(Path(ana.save.real)))
            assert ana.notes == []

    def test_file_of_marks_never_grows_beyond_its_limit(
        self, apart: tuple[Session, Session], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(marks, "EVERY", 2)
        ana, bob = apart
        with short_memory(4):
            ana.take(lines(bob, 1))
            lines(ana, 60)
            ana.settle()
            path = Path(marks.path_of(ana.save.real))
            many = len(marks.read(ana.save.real))
            monkeypatch.setattr(marks, "MOST", path.stat().st_size // 2)
            assert marks.read(ana.save.real) == []
            monkeypatch.setattr(marks, "MOST", path.stat().st_size)
            lines(ana, 60)
            ana.settle()
            assert path.stat().st_size <= marks.MOST
            assert len(marks.read(ana.save.real)) >= many // 3


class TestWithout:
    @pytest.mark.parametrize("keep", [4, 200], ids=["behind the snapshot", "in memory"])
    def test_entries_and_what_names_them_are_set_aside(self, apart: tuple[Session, Session], keep: int) -> None:
        ana, _ = apart
        with short_memory(keep):
            made = lines(ana, 30)
            undo = ana.undo(made[3]["id"])
            assert undo
            edit = ana.about(made[3]["id"], "journal/edit", text="Other words.")
            lines(ana, 5)
            gone = ana.without({made[3]["id"]})
            assert {entry["id"] for entry in gone} == {made[3]["id"], undo["id"], edit["id"]}
            left = whole_file(Path(ana.save.real))
            assert not {entry["id"] for entry in left} & {entry["id"] for entry in gone}
            assert ana.state == adds_up_to(left)
            aside = Path(ana.save.real).with_name("tale.refused-1.txt").read_text("utf-8")
            assert all(f'id = "{entry["id"]}"' in aside for entry in gone)
            assert "refused" in ana.notes[-1]
            assert ana.write("On.")["id"].endswith(".1"), "a new opening has no gap"


class TestOneName:
    def test_things_made_under_one_name_while_apart_stay_two(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        for table, rank in ((ana, "epic"), (bob, "troublesome")):
            run = table.begin(MAKE, "")
            for answer in ("Raiders", f"A lot: {rank}.", "person"):
                run.answer(answer)
            table.finish(run)
        ana.take(bob.log.entries)
        bob.take(ana.log.entries)
        assert ana.state == bob.state
        assert sorted(note["text"] for note in ana.state["notes"].values()) == ["A lot: epic.", "A lot: troublesome."]

    def test_open_roll_keeps_the_ids_of_who_began_it(self, apart: tuple[Session, Session]) -> None:
        """A player who finishes another's roll must not add what was added before the dice a second time."""
        ana, bob = apart
        run = ana.begin("quest/swear_an_iron_vow", "kara")
        while run.prompt and not isinstance(run.prompt, Roll):
            run.answer(any_answer(run.prompt, random.Random(0)))
        ana.rolled(run, {"action": 4, "challenge": [1, 9]})
        bob.take(ana.log.entries)
        again = bob.resume(run.opened)
        assert again.draft.effects == run.draft.effects
        assert any("add" in effect for effect in again.draft.effects)


class TestOneself:
    def test_undo_takes_ones_own_and_says_whose_another_is(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        mine = lines(ana, 1)[0]
        theirs = lines(bob, 2)
        ana.take(theirs)
        last = ana.undos.last()
        assert last
        assert (last.undoes, last.whose) == (mine["id"], "")
        ana.undo()
        for _ in range(2):
            ana.take(lines(bob, 1))
        redo = ana.undos.next_redo()
        assert redo, "what others do does not bury a redo"
        assert redo.whose == ""
        other = ana.undos.toggle(theirs[0], undone=False)
        assert other
        assert other.whose == "bob"

    def test_undos_by_two_people_are_taken_back_by_one_redo(self, apart: tuple[Session, Session]) -> None:
        ana, bob = apart
        mine = lines(ana, 3)
        bob.take(mine)
        before = ana.state
        ana.undo(mine[2]["id"])
        undo = bob.undo(mine[2]["id"])
        assert undo
        ana.take([undo])
        assert ana.state != before
        ana.redo()
        assert ana.state == before == adds_up_to(ana.log.entries)


def test_merge_of_any_grouping_in_any_order_gives_one_state(tmp_path: Path) -> None:
    """Commutative, associative and idempotent, and as from the beginning; or refused with nothing changed."""
    chance = random.Random(16)
    with campaign(tmp_path) as table:
        entries: list[Entry] = []
        for _ in range(40):
            if entries and chance.random() < 0.3:
                done = [entry["id"] for entry in entries if "undoes" not in entry]
                made = table.undo(chance.choice(done)) if chance.random() < 0.6 else table.redo()
            else:
                made = lines(table, 1)[0]
            if made:
                entries.append(made)
        every, top = list(table.log.entries), table.game.top
    wanted = adds_up_to(every)
    for _ in range(60):
        log, left = Log(top, table.log.base), chance.sample(every, len(every))
        while left:
            portion = left[: chance.randint(1, 9)]
            again = chance.sample(every, 3)
            log.merge([*portion, *(one for one in again if log.holds(one["id"]))])
            left = [entry for entry in left if not log.holds(entry["id"])]
        assert log.merge(every) == []
        assert log.state == wanted
        assert log.entries == every
    part = Log(
        top,
        table.log.state_at(20),
        every[20:],
        upto=20,
        last=(every[19]["t"], every[19]["id"]),
        without=table.log.undone_across(20),
    )
    state = part.state
    with pytest.raises(NeedsFullLog):
        part.merge([{**every[3], "id": "other.1"}])
    assert part.state is state
