"""`tracker merge`: two copies of one campaign become one, with every entry of both."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests import program
from tests.app.helpers import KARA, QuickDisk, campaign, in_party
from tests.random_play import Luck, random_campaign, something

from tracker.campaign.library import as_it_stands, first_look
from tracker.campaign.merge import Merged, merge, sentences
from tracker.campaign.session import Session, new_campaign
from tracker.games import get
from tracker.games.api.errors import Refused
from tracker.games.api.schema import State
from tracker.saves.errors import SaveError
from tracker.saves.save import Save

MERGES = 40
"""Merges in the usual run; --merges takes another number."""
SPEND = [{"at": "supply", "by": -1}]


def opened(path: Path) -> Session:
    return Session.open(str(path), disk=QuickDisk())


def play(path: Path, *texts: str, effects: Sequence[dict[str, Any]] = ()) -> None:
    session = opened(path)
    for text in texts:
        session.write(text)
    if effects:
        session.do("change", effects)
    session.close()


def ids(path: Path) -> list[str]:
    save = Save.open(str(path), write=False)
    save.read_whole()
    return [block.entry["id"] for block in save.blocks]


def united(first: Path, second: Path, target: Path | None = None) -> Merged:
    return merge(str(first), str(second), str(target or ""), disk=QuickDisk())


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    """A campaign with a character and a line."""
    path = campaign(tmp_path, *in_party(KARA), name="mill")
    play(path, "The mill burns.")
    return path


@pytest.fixture
def stick(mill: Path) -> Path:
    """A copy of the mill in which other things were played than in the mill."""
    path = mill.with_name("stick.toml")
    shutil.copy(mill, path)
    play(mill, "Mine.")
    play(path, "Theirs.", "And theirs.", effects=SPEND)
    return path


class TestMerge:
    def test_first_copy_gets_what_it_lacks_and_second_is_only_read(self, mill: Path, stick: Path) -> None:
        before = stick.read_bytes()
        done = united(mill, stick)
        assert done == Merged(str(mill), 1, 3, 2, ("supply 5 → 4",), 0)
        assert stick.read_bytes() == before
        assert len(ids(mill)) == len({*ids(mill)}) == done.entries == 6
        assert {*ids(stick)} < {*ids(mill)}

    def test_result_can_be_a_new_file(self, mill: Path, stick: Path) -> None:
        before = mill.read_bytes(), stick.read_bytes()
        target = mill.with_name("both.toml")
        done = united(mill, stick, target)
        assert (done.path, done.entries, done.changes) == (str(target), 6, ("supply 5 → 4",))
        assert (mill.read_bytes(), stick.read_bytes()) == before
        session = opened(target)
        assert session.state["supply"] == 4
        assert not session.notes
        session.close()
        united(mill, stick)
        assert ids(mill) == ids(target)

    def test_both_directions_give_the_same_campaign(self, mill: Path, stick: Path) -> None:
        united(mill, stick)
        assert united(stick, mill)[1:4] == (0, 1, 5)
        assert ids(mill) == ids(stick)
        assert opened_state(mill) == opened_state(stick)

    def test_backup_of_the_first_copy_is_made_before(self, mill: Path, stick: Path) -> None:
        session = opened(mill)
        session.write("A word from the shell.")
        session.close(brief=True)
        before = mill.read_bytes()
        united(mill, stick)
        newest = max((mill.parent / ".backups").glob("mill 2*.toml"))
        assert newest.read_bytes() == before

    def test_a_second_merge_changes_nothing(self, mill: Path, stick: Path) -> None:
        united(mill, stick)
        before = mill.read_bytes()
        assert united(mill, stick)[1:] == (1, 0, 5, (), 0)
        assert mill.read_bytes() == before

    def test_a_roll_finished_in_both_counts_once_and_is_said(self, mill: Path, stick: Path) -> None:
        session = opened(mill)
        opened_roll = session.put(session.new_entry(who="kara", did="face_danger", open=True))["id"]
        session.close()
        shutil.copy(mill, stick)
        for path in (mill, stick):
            session = opened(path)
            gain = [{"at": "kara.momentum", "by": 1}]
            session.put(session.new_entry(who="kara", did="face_danger", closes=opened_roll, effects=gain))
            session.close()
        assert united(mill, stick).superseded == 1
        assert opened_state(mill)["party"]["kara"]["momentum"] == 3

    def test_old_entries_of_a_long_campaign_are_found(self, mill: Path) -> None:
        stick = mill.with_name("stick.toml")
        shutil.copy(mill, stick)
        play(stick, *(f"Theirs {n}." for n in range(4)), effects=SPEND)
        play(mill, *(f"Line {n}." for n in range(700)))
        session = opened(mill)
        assert session.save.head.base  # the next entries sort before the snapshot
        session.close()
        assert united(mill, stick)[1:5] == (700, 5, 2, ("supply 5 → 4",))
        assert opened_state(mill)["supply"] == 4
        assert len(ids(mill)) == 707


def opened_state(path: Path) -> State:
    session = opened(path)
    session.close()
    return session.state


class TestRefusals:
    def refuse(self, first: Path, second: Path, why: str, target: Path | None = None) -> None:
        before = first.read_bytes(), second.read_bytes()
        with pytest.raises(SaveError, match=why):
            united(first, second, target)
        assert (first.read_bytes(), second.read_bytes()) == before

    def test_another_campaign_is_refused(self, mill: Path) -> None:
        other = mill.with_name("other.toml")
        new_campaign(str(other), get("ironsworn"))
        self.refuse(mill, other, "mill and other are different campaigns")

    @pytest.mark.parametrize("damaged", ["mill", "stick"])
    def test_a_damaged_copy_is_refused(self, mill: Path, stick: Path, damaged: str) -> None:
        path = mill.with_name(f"{damaged}.toml")
        path.write_bytes(path.read_bytes().replace(b"The mill burns", b"The mill b\x00rns"))
        self.refuse(mill, stick, rf"{damaged} can't be merged: line \d+ is damaged")

    def test_a_file_that_is_no_campaign_is_refused(self, mill: Path) -> None:
        other = mill.with_name("other.toml")
        other.write_text("Hello.")
        self.refuse(mill, other, "other.toml, line 1: ")

    @pytest.mark.parametrize("cut", ["mill", "stick"])
    def test_an_unfinished_write_at_the_end_is_refused(self, mill: Path, stick: Path, cut: str) -> None:
        path = mill.with_name(f"{cut}.toml")
        path.write_bytes(path.read_bytes()[:-30])
        self.refuse(mill, stick, f"{cut} can't be merged: it ends in an unfinished write", mill.with_name("c.toml"))

    def test_an_id_with_two_contents_is_refused(self, mill: Path, stick: Path) -> None:
        stick.write_text(stick.read_text().replace("The mill burns.", "The mill stands."))
        self.refuse(mill, stick, "is not the same in mill and stick; make it equal in one of the files")

    def test_an_entry_in_another_form_is_the_same_entry(self, mill: Path, stick: Path) -> None:
        stick.write_text(stick.read_text().replace('"The mill burns."', "'The mill burns.'  # by hand"))
        assert united(mill, stick).entries == 6

    def test_state_edited_by_hand_has_to_become_an_entry_first(self, mill: Path, stick: Path) -> None:
        stick.write_text(stick.read_text().replace("supply = 4", "supply = 2", 1))
        self.refuse(mill, stick, r"its \[state\] was edited by hand; open it once")
        opened(stick).close()
        united(mill, stick)
        assert opened_state(mill)["supply"] == 2

    def test_a_campaign_that_is_open_is_refused(self, mill: Path, stick: Path) -> None:
        session = opened(mill)
        self.refuse(mill, stick, "mill can't be changed now: ")
        session.close()

    def test_one_file_twice_is_refused(self, mill: Path) -> None:
        self.refuse(mill, mill, "the same file twice")

    def test_a_target_that_exists_is_refused(self, mill: Path, stick: Path) -> None:
        self.refuse(mill, stick, "stick already exists", stick)


class TestCommand:
    def run(self, folder: Path, *words: str) -> tuple[int, str]:
        done = program.run(["merge", *words, "--saves", str(folder)])
        return done.returncode, (done.stdout + done.stderr).decode()

    def test_says_what_it_did(self, mill: Path, stick: Path) -> None:
        code, said = self.run(mill.parent, "mill", str(stick))
        assert code == 0
        assert said.splitlines() == [
            "mill has 6 entries now: 1 only from mill, 3 only from stick, 2 from both.",
            "Changed in mill: supply 5 → 4.",
        ]
        assert self.run(mill.parent, "mill", "stick") == (0, "mill already has every entry of stick, and 1 more.\n")

    def test_copies_with_the_same_name_are_told_apart_by_their_folders(self, mill: Path, stick: Path) -> None:
        other = mill.parent / "usb" / "mill.toml"
        other.parent.mkdir()
        stick.rename(other)
        said = sentences(united(mill, other), str(mill), str(other))
        assert said[0] == f"mill has 6 entries now: 1 only from {mill}, 3 only from {other}, 2 from both."
        assert said[1] == "Changed in mill: supply 5 → 4."
        [listed] = first_look(str(mill.parent), archive=False)
        assert as_it_stands(listed).entries == 6

    def test_prints_json(self, mill: Path, stick: Path) -> None:
        code, said = self.run(mill.parent, "mill", "stick", "--to", "both", "--json")
        told = json.loads(said)
        assert code == 0
        assert told.pop("path") == str(mill.with_name("both.toml"))
        assert told == {
            "entries": 6,
            "first": 1,
            "second": 3,
            "both": 2,
            "superseded": 0,
            "changes": ["supply 5 → 4"],
        }

    def test_refuses_in_one_line(self, mill: Path) -> None:
        assert self.run(mill.parent, "mill", "mill") == (
            1,
            "tracker: mill is the same file twice; give two copies.\n",
        )


def test_merges_in_any_order_and_grouping_give_the_same_campaign(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    left = request.config.getoption("merges") or MERGES
    trial = 0
    while left > 0:
        trial += 1
        folder = tmp_path / str(trial)
        folder.mkdir()
        left -= apart_and_together(folder, random.Random(trial))
        shutil.rmtree(folder)


def apart_and_together(folder: Path, dice: random.Random) -> int:
    """Play copies apart and merge them in some order until all are equal. Return the number of merges."""
    first = folder / "a.toml"
    luck = Luck(dice.random())
    random_campaign(first, dice.choice(["ironsworn", "wherever", "daggerheart"]), dice.randrange(10**6), 3).close()
    copies = [first]
    for name in "bcde"[: dice.randint(1, 4)]:
        copies.append(folder / f"{name}.toml")
        shutil.copy(dice.choice(copies[:-1]), copies[-1])
        for _ in range(2):
            _play_apart(dice.choice(copies), luck)
    everything = set().union(*map(ids, copies))
    merges = 0
    for _ in range(dice.randint(0, 3)):  # in any grouping, and played on in between
        one, other = dice.sample(copies, 2)
        united(one, other)
        merges += 1
        _play_apart(dice.choice(copies), luck)
        everything |= {*ids(one), *ids(other)}
    everything = everything.union(*map(ids, copies))
    order = dice.sample(copies, len(copies))
    for one, other in [*zip(order[1:], order, strict=False), *zip(order[-2::-1], order[:0:-1], strict=True)]:
        united(one, other)
        merges += 1
    target = folder / "all.toml"
    one, other = dice.sample(copies, 2)
    united(one, other, target)
    found = [ids(path) for path in (*copies, target)]
    assert all(one == found[0] for one in found), "the copies have other entries, or in another order"
    assert len(found[0]) == len({*found[0]}), "an entry is there twice"
    assert {*found[0]} == everything, "an entry is lost"
    states = [opened_state(path) for path in (*copies, target)]
    assert all(one == states[0] for one in states)
    return merges + 1


def _play_apart(path: Path, luck: Luck) -> None:
    session = opened(path)
    for _ in range(luck.randint(1, 4)):
        with contextlib.suppress(Refused):  # what a roll was about may be gone after a merge
            something(session, luck)
    session.close()
