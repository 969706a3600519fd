"""The journal of a long campaign, read from its middle: the same items as by going through it all."""

import threading
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest
from tests.campaign.playing import campaign, open_session, play, short_memory

from tracker.campaign import history as module
from tracker.campaign import journal
from tracker.campaign.history import Pages
from tracker.campaign.journal import find, page_lines, says
from tracker.campaign.session import Session
from tracker.saves.disk import Disk


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A campaign, mostly before the snapshot, of lines, rolls, undos, redos, edits and strikes."""
    monkeypatch.setattr(module, "PAGE", 7)
    with short_memory(keep=6), campaign(tmp_path) as session:
        for n in range(90):
            session.write(f"Line {n}")
            if n % 5 == 0:
                play(session, "adventure/face_danger", using="edge", dice={"action": 6, "challenge": [1, 2]})
            if n % 7 == 0:
                session.undo()
            if n % 14 == 0:
                session.redo()
            if n % 9 == 0:
                item = next(journal.lines(session, session.history))
                journal.edit(session, item, f"Edited {n}")
            if n % 11 == 0:
                journal.strike(session, next(journal.lines(session, session.history)))
        path = session.save.real
        session.close()
        again = open_session(path)
        again.write("The newest")
        assert again.log.upto > 60
        yield again
        again.close()


def whole(table: Session) -> list[journal.JournalLine]:
    return list(journal.lines(table, table.history))[::-1]


def test_back_from_the_newest(table: Session) -> None:
    pages = Pages(table.history)
    while pages.back():
        pass
    assert page_lines(table, pages) == whole(table)


def test_forth_from_the_oldest(table: Session) -> None:
    pages = Pages(table.history)
    pages.to_oldest()
    assert page_lines(table, pages) == whole(table)[: len(page_lines(table, pages))]
    assert len(page_lines(table, pages)) < 20
    while pages.forth():
        pass
    assert page_lines(table, pages) == whole(table)


def test_both_ways_from_any_entry(table: Session) -> None:
    everything = whole(table)
    for item in everything[::9]:
        pages = Pages(table.history)
        assert pages.to(item.entry["id"])
        assert item in page_lines(table, pages)
        while pages.forth() or pages.back():
            pass
        assert page_lines(table, pages) == everything


def test_later_edit_of_an_old_entry_shows_at_once(table: Session) -> None:
    old = whole(table)[4]
    pages = Pages(table.history)
    pages.to(old.entry["id"])
    journal.edit(table, old, "Otherwise.")
    pages.renew()
    assert [item.text for item in page_lines(table, pages) if item.entry["id"] == old.entry["id"]] == ["Otherwise."]


@pytest.mark.parametrize("empty", [True, False])
def test_loaded_pages_stay_while_the_file_cannot_be_read(table: Session, empty: bool) -> None:
    pages = Pages(table.history)
    pages.back()
    told, old = page_lines(table, pages), next(entry["id"] for entry, _ in list(table.history)[::-1])
    path = Path(table.save.real)
    path.rename(path.with_suffix(".away"))
    if empty:
        path.touch()
    else:
        assert not pages.back()
        pages.to_oldest()
    assert not pages.to(old)
    table.log = copy(table.log)  # as after an undo that reaches far back
    pages.renew()
    assert page_lines(table, pages) == told
    assert pages.missing
    path.with_suffix(".away").rename(path)
    assert pages.back()
    assert pages.to(old)


def test_unknown_id_is_not_found(table: Session) -> None:
    assert not Pages(table.history).to("nobody.1")


def found(table: Session, typed: str) -> list[str]:
    return [item.entry["id"] for some in find(table, typed) for item in some]


@pytest.mark.parametrize("typed", ["line 3", "LINE   41", "edited", "face danger", "strong hit", "momentum", "newest"])
def test_finding_gives_what_reading_it_all_would(table: Session, typed: str) -> None:
    wanted = " ".join(typed.lower().split())
    expected = [item.entry["id"] for item in whole(table)[::-1] if wanted in says(item).casefold()]
    assert expected
    assert found(table, typed) == expected


def test_replaced_text_is_not_found(table: Session) -> None:
    old = next(item for item in whole(table) if item.text == "Line 1")
    journal.edit(table, old, "Über den Fluss,\nendlich.")
    assert old.entry["id"] in found(table, "ÜBER den fluss, endlich")
    assert old.entry["id"] not in found(table, "line 1")


@pytest.mark.parametrize("typed", ['"', "\\", "[", "nobody wrote this"])
def test_signs_are_only_signs(table: Session, typed: str) -> None:
    assert found(table, typed) == []
    table.write(f"He said {typed} twice")
    assert len(found(table, typed)) == 1


def test_pages_read_during_a_rewrite_are_whole(table: Session) -> None:
    wanted = table.save.newer(0, 5)
    table.do("edit", [{"at": "scene", "to": "Somewhere else, far from here"}])  # the head gets longer
    found = []
    looking = threading.Thread(target=lambda: found.append(table.save.newer(0, 5)))

    class LookedAt(Disk):
        def exchange(self, one: str, other: str) -> bool:
            done = super().exchange(one, other)
            looking.start()
            looking.join(0.2)  # as long as it takes to read what is not known yet
            return done

    table.save.disk = LookedAt()
    table._tidy()
    table.wait()
    looking.join()
    assert found == [wanted]


@pytest.mark.parametrize("pages_back", [0, 3])
def test_pages_that_stay_open_miss_no_entry_when_the_log_drops_old_ones(table: Session, pages_back: int) -> None:
    pages = Pages(table.history)
    for _ in range(pages_back):
        pages.back()
    first, upto = page_lines(table, pages)[0].entry["id"], table.log.upto
    for n in range(40):
        table.write(f"More {n}")
        table.settle()
        pages.renew()
        assert page_lines(table, pages)[0].entry["id"] == first
        assert page_lines(table, pages) == whole(table)[-len(page_lines(table, pages)) :]
    assert table.log.upto > upto
