"""However a save is opened, it shows the fold of all its entries; and it holds whatever was put into it."""

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign.playing import (
    BO,
    GAME,
    Quick,
    adds_up_to,
    campaign,
    fresh_folder,
    likely_effect,
    open_session,
    opened_state,
    short_memory,
    whole_blocks,
    whole_file,
)
from tests.hostile import HOSTILE

from tracker.campaign import journal
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.ironsworn.state import CHARACTER
from tracker.saves import blocks

tricky = st.sampled_from(
    [
        *['"', "'", '"""', "'''", "\\", "\n", "\r\n", "\r", "\x00", "\x1b[2J", "\x7f", "\x85", "\u2028", "\ufeff"],
        *[
            "\n[[entry]]\n",
            "\n#= 3 00000000\n",
            "\n#= 0 5b1c09aa\n",
            "\n[state]\n",
            'id = "x"',
            "# ",
            "[",
            "]",
            "=",
            "é",
            "👩‍🚒",
        ],
    ]
)
any_text = st.lists(tricky | st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=8).map("".join)


class TestAnyText:
    @settings(max_examples=30)
    @given(st.lists(any_text, min_size=3, max_size=3), st.booleans())
    def test_names_and_lines_are_there_again_after_a_restart(
        self, tmp_path_factory: pytest.TempPathFactory, texts: list[str], tidy: bool
    ) -> None:
        name, scene, line = texts
        with short_memory(keep=1), campaign(fresh_folder(tmp_path_factory)) as table:
            table.do(
                "edit", [{"at": "kara.name", "to": name}, {"at": "scene", "to": scene}, {"at": "kara.note", "to": line}]
            )
            entry = table.write(line, who="kara")
            if tidy:
                table.write("", who="kara")
                table._tidy()
            table.settle()
            again = open_session(table.save.path, write=False)
            again.close()
            assert again.state == table.state
            assert entry in whole_file(table.save.path)
            path = Path(table.save.path)
        assert tomllib.loads(path.read_text("utf-8"))["state"]["scene"] == scene
        assert opened_state(path)["party"]["kara"]["name"] == name
        assert entry in whole_file(path)

    @pytest.mark.parametrize(("label", "text"), HOSTILE, ids=[label for label, _ in HOSTILE])
    def test_hostile_text_is_kept_as_it_is_or_refused(self, tmp_path: Path, label: str, text: str) -> None:
        with campaign(tmp_path) as table:
            before = table.state
            try:
                table.do("edit", [{"at": "kara.name", "to": text}], text=text)
            except Refused:
                assert "surrogates" in label
                assert table.state == before
            assert table.settle().word == "saved"
            assert opened_state(table.save.path) == table.state

    def test_text_too_long_for_an_entry_is_refused(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            before = len(table.log.entries)
            line = table.write("x" * 1_000_000)
            with pytest.raises(Refused, match="at most 1,000,000 characters; this has 1,000,001"):
                table.write("x" * 1_000_001)
            with pytest.raises(Refused, match="at most 1,000,000"):
                journal.edit(table, journal.JournalLine(line, line["text"]), "y" * 1_000_001)
            assert len(table.log.entries) == before + 1

    def test_text_too_long_beside_a_roll_is_refused_before_the_dice_fall(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            run = table.begin("adventure/face_danger", "kara", [("using", "edge")])
            run.note = "x" * 1_000_001
            with pytest.raises(Refused, match="at most 1,000,000"):
                table.rolled(run, {"action": 6, "challenge": [1, 2]})
            assert not run.rolled
            run.note = ""
            table.rolled(run, {"action": 6, "challenge": [1, 2]})
            run.note = "x" * 1_000_001
            with pytest.raises(Refused, match="at most 1,000,000"):
                table.finish(run)

    def test_text_that_no_file_can_hold_is_refused_and_the_next_is_written(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            entries = len(table.log.entries)
            with pytest.raises(Refused, match="can't be saved"):
                table.write("half a character: \udc80")
            assert len(table.log.entries) == entries
            table.write("A fine line.")
            assert table.settle().word == "saved"

    def test_refused_entry_uses_up_neither_counter_nor_time(self, tmp_path: Path) -> None:
        """The copy with the highest counter of an opening must show that no entry before it is missing."""
        with campaign(tmp_path) as table:
            before = table.write("Before.")
            for text in ("half a character: \udc80", "x" * 1_000_001):
                with pytest.raises(Refused):
                    table.write(text)
            after = table.write("After.")
            assert after["t"] == before["t"] + 1
            opening, counter = before["id"].split(".")
            assert after["id"] == f"{opening}.{int(counter) + 1}"


# -- from the base, from the whole ------------------------------------------------------------------------

steps = st.lists(
    st.one_of(
        st.tuples(st.just("do"), st.lists(likely_effect, min_size=1, max_size=3)),
        st.tuples(st.just("undo"), st.integers(0, 40)),
        st.tuples(st.sampled_from(["undo newest", "redo", "tidy"]), st.none()),
    ),
    min_size=3,
    max_size=25,
)


def play_steps(path: Path, steps: list[Any]) -> Session:
    """Play these, and close."""
    table = open_session(path)
    for what, how in steps:
        match what:
            case "do":
                table.do("edit", how)
            case "undo":
                real = [e["id"] for e in whole_file(path) if "undoes" not in e]
                if real:
                    table.undo(real[how % len(real)])
            case "undo newest":
                table.undo()
            case "redo":
                table.redo()
            case "tidy":
                table._tidy()
        table.settle()
    table.close()
    assert table.state == adds_up_to(whole_file(path))
    return table


def again_after(table: Session) -> Session:
    table.close()
    return open_session(table.save.path)


def a_save(folder: Path) -> Path:
    path = folder / "tale.toml"
    new_campaign(str(path), GAME, Quick())
    table = open_session(path)
    table.do("edit", [{"at": "party", "add": {"id": "kara", "name": "Kara"}}, BO])
    table.close()
    return path


def raw(block: blocks.Block) -> bytes:
    """Return a block as it is in its file."""
    return block.body + blocks.mark(block.number or 0, block.body)


def merged(one: Path, other: Path, target: Path) -> Path:
    """Write a file with the blocks of both saves, those of `other` at its end."""
    known = {entry["id"] for entry in whole_file(one)}
    foreign = [block for block in whole_blocks(other) if block.entry["id"] not in known]
    target.write_bytes(one.read_bytes() + b"".join(map(raw, foreign)))
    return target


class TestFromSnapshot:
    @settings(max_examples=30)
    @given(steps, st.integers(1, 6))
    def test_opening_gives_the_same_as_reading_the_whole_file(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[Any], keep: int
    ) -> None:
        with short_memory(keep):
            path = a_save(fresh_folder(tmp_path_factory))
            play_steps(path, steps)
            assert opened_state(path) == adds_up_to(whole_file(path))

    @settings(max_examples=25)
    @given(steps, steps, steps, st.integers(1, 6))
    def test_two_copies_played_apart_merge_either_way(
        self, tmp_path_factory: pytest.TempPathFactory, before: list[Any], here: list[Any], there: list[Any], keep: int
    ) -> None:
        with short_memory(keep):
            folder = fresh_folder(tmp_path_factory)
            one = a_save(folder)
            play_steps(one, before)
            other = folder / "other.toml"
            shutil.copy(one, other)
            play_steps(one, here)
            play_steps(other, there)
            ab, ba = merged(one, other, folder / "ab.toml"), merged(other, one, folder / "ba.toml")
            expected = adds_up_to(whole_file(ab))
            assert opened_state(ab) == opened_state(ba) == expected
            assert whole_file(ab) == whole_file(ba)
            for path in (ab, ba):  # and so it stays when it is written anew
                table = open_session(path)
                table.write("Together again.")
                table.close()
                assert opened_state(path) == expected
                assert [entry["text"] for entry in whole_file(path) if "text" in entry] == ["Together again."]

    @settings(max_examples=30)
    @given(steps, st.data())
    def test_deleted_and_edited_blocks_count_wherever_they_stand(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[Any], data: st.DataObject
    ) -> None:
        with short_memory(3):
            path = a_save(fresh_folder(tmp_path_factory))
            play_steps(path, steps)
            found = whole_blocks(path)
            content = path.read_bytes()
            for block in data.draw(
                st.lists(st.sampled_from(found), max_size=4, unique_by=id), label="deleted or edited"
            ):
                if data.draw(st.booleans(), label="delete"):
                    content = content.replace(raw(block), b"", 1)
                else:
                    extra = (
                        b'effects = [{ at = "supply", by = -1 }]\n'
                        if "effects" not in block.entry
                        else b"by_hand = 1\n"
                    )
                    content = content.replace(raw(block), raw(block).replace(block.body, block.body + extra), 1)
            path.write_bytes(content)
            expected = adds_up_to(tomllib.loads(content.decode())["entry"] if b"[[entry]]" in content else [])
            assert opened_state(path) == expected
            table = open_session(path)
            table.write("On we go.")
            table.close()
            assert opened_state(path) == expected

    @settings(max_examples=20)
    @given(steps, st.integers(1, 6))
    def test_history_has_every_entry_once_and_knows_which_are_undone(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[Any], keep: int
    ) -> None:
        with short_memory(keep):
            path = a_save(fresh_folder(tmp_path_factory))
            for table in (play_steps(path, steps), open_session(path)):
                told = list(table.history)
                assert [entry for entry, _ in told] == whole_file(path)[::-1]
                standing = [entry for entry, undone in told if not undone]
                without = [
                    {k: v for k, v in entry.items() if k != "undoes"} for entry in standing if "undoes" not in entry
                ]
                assert adds_up_to(without) == table.state
            table.close()

    def test_history_knows_what_is_undone_before_the_snapshot(self, tmp_path: Path) -> None:
        with short_memory(2):
            path = a_save(tmp_path)
            play_steps(path, [("do", [{"at": "kara.xp", "by": 1}])] * 8)
            table = open_session(path)
            far, near = whole_file(path)[2]["id"], whole_file(path)[-1]["id"]
            table.undo(far)
            table.undo(near)
            table = again_after(table)
            assert table.log.upto > 3
            assert {entry["id"] for entry, undone in table.history if undone} == {far, near}
            table.close()

    def test_history_repeats_nothing_when_the_snapshot_moves_on(self, tmp_path: Path) -> None:
        with short_memory(2):
            path = a_save(tmp_path)
            play_steps(path, [("do", [{"at": "kara.xp", "by": 1}])] * 8)
            table = open_session(path)
            for _ in range(4):
                table.write("The fire burns low.")
            table._tidy()
            table.settle()
            base = table.save.head.base
            assert base
            assert base.upto > table.log.upto > 0
            assert [entry for entry, _ in table.history] == whole_file(path)[::-1]
            table.close()

    def test_snapshot_of_an_older_layout_gets_the_new_fields(self, tmp_path: Path) -> None:
        with short_memory(1):
            path = a_save(tmp_path)
            play_steps(path, [("do", [{"at": "kara.xp", "by": 1}])] * 6)
            table = open_session(path)
            base = table.save.head.base
            assert base is not None
            lacking = {**base.state, "party": {"kara": {"name": "Kara", "xp": 3}}}
            table.save.compact({}, 0, lacking, base.without)
            table.save.close()
            assert set(opened_state(path)["party"]["kara"]) == set(CHARACTER.fields)
