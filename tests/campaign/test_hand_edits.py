"""A save is a person's to edit: what they write counts, stays as they wrote it, and is said."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.campaign.playing import (
    GAME,
    KARA,
    OATH,
    Quick,
    adds_up_to,
    open_session,
    opened_state,
    short_memory,
    whole_file,
)

from tracker.campaign.log import Entry
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.api.schema import State
from tracker.saves.entries import TIME_LIMIT
from tracker.saves.errors import SaveError

LINES = {3: "The road is long.", 9: "The road is short."}
"""Which entry is which line of the journal: the one before the base, the other after it."""


@pytest.fixture(autouse=True)
def _the_base_follows_closely() -> Iterator[None]:
    with short_memory(keep=4, compact_after=100):
        yield


@pytest.fixture
def tale(tmp_path: Path) -> Path:
    """A campaign of ten entries, six of them before the snapshot."""
    path = tmp_path / "tale.toml"
    new_campaign(str(path), GAME, Quick())
    table = open_session(path)
    for n in range(1, 11):
        if n == 1:
            table.do("edit", [KARA, OATH])
        elif n in LINES:
            table.write(LINES[n], who="kara")
        else:
            table.do("edit", [{"at": "kara.xp", "by": n}])
    table.close()
    assert opened_state(path)["party"]["kara"]["xp"] == 2 + 4 + 5 + 6 + 7 + 8 + 10
    assert re.search(r"\n\[base\]\nupto = 6\n", path.read_text())
    return path


def block(path: Path, n: int) -> str:
    """Return the nth block of a save as text, with its end mark."""
    found = re.search(rf"\n\[\[entry\]\]\n(?:(?!#= )[^\n]*\n)*#= {n} [0-9a-f]{{8}}\n", path.read_text())
    assert found
    return found[0]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_bytes(text.replace(old, new).encode())


@dataclass
class Seen:
    """What a player finds who opens an edited save, plays on, and opens it again."""

    state: State
    notes: list[str]
    entries: list[Entry]
    text: str

    @property
    def xp(self) -> int:
        return int(self.state["party"]["kara"]["xp"])


def open_and_play_on(path: Path) -> Seen:
    """Open, see the edit, play on; and find it again after a crash, after compaction, and in the file."""
    table = open_session(path)
    notes, state, entries = list(table.notes), table.state, whole_file(path)
    assert table.readonly == ""
    table.write("Later.")
    table.settle()
    crashed = shutil.copy(path, path.with_name("crashed.toml"))
    assert table.close().word == "saved"
    after_a_crash = open_session(crashed)
    assert after_a_crash.state == state
    after_a_crash.close()
    again = open_session(path, write=False)
    assert again.state == state
    assert again.notes == []
    again.close()
    kept = whole_file(path)
    assert [e for e in kept if e.get("text") != "Later." and e.get("did") != "edit"] == [
        e for e in entries if e.get("did") != "edit"
    ]
    assert state == adds_up_to(kept)
    return Seen(state, notes, kept, path.read_bytes().decode())


BEFORE_AND_AFTER = pytest.mark.parametrize("n", LINES, ids=["before the base", "after the base"])


@BEFORE_AND_AFTER
class TestBlock:
    def reads_the_same(self, tale: Path, n: int, new: str, needle: str) -> None:
        before = opened_state(tale)
        edit(tale, block(tale, n), new)
        seen = open_and_play_on(tale)
        assert seen.state == before
        assert needle in seen.text
        assert any(f"Block {n} was changed" in note and LINES[n] in note for note in seen.notes)

    def test_more_space_changes_nothing(self, tale: Path, n: int) -> None:
        new = block(tale, n).replace("who = ", "\n   who   =\t").replace("\ndid", "\n\n\ndid")
        self.reads_the_same(tale, n, new, '\n   who   =\t"kara"\n\n\ndid')

    def test_comment_inside_a_block_is_kept(self, tale: Path, n: int) -> None:
        self.reads_the_same(tale, n, block(tale, n).replace("\nwho", "\n# she alone #= 7\nwho"), "# she alone #= 7\n")

    def test_comment_before_a_block_is_kept(self, tale: Path, n: int) -> None:
        self.reads_the_same(tale, n, "\n# The second day\n" + block(tale, n), "\n# The second day\n\n[[entry]]")

    def test_keys_in_another_order_change_nothing(self, tale: Path, n: int) -> None:
        head, ident, t, at, *rest = block(tale, n).removeprefix("\n").split("\n")
        self.reads_the_same(tale, n, "\n" + "\n".join([head, at, t, ident, *rest]), f"{at}\n{t}\n{ident}")

    def test_literal_string_changes_nothing(self, tale: Path, n: int) -> None:
        self.reads_the_same(tale, n, block(tale, n).replace(f'"{LINES[n]}"', f"'{LINES[n]}'"), f"'{LINES[n]}'")

    def test_text_of_many_lines_keeps_them_all(self, tale: Path, n: int) -> None:
        words = f'{LINES[n]}\n[[entry]]\nid = "no.1"\n#= {n} 00000000\n#= 0 12345678\n\n[state]\nThe end.'
        edit(tale, block(tale, n), block(tale, n).replace(f'"{LINES[n]}"', f"'''{words}'''"))
        seen = open_and_play_on(tale)
        assert words in [entry.get("text") for entry in seen.entries]
        assert f"'''{words}'''" in seen.text
        assert any("was changed" in note for note in seen.notes)

    def test_another_effect_counts(self, tale: Path, n: int) -> None:
        edit(
            tale,
            block(tale, n),
            block(tale, n).replace("text =", 'effects = [\n  { at = "kara.xp", by = +1_00 }, # a hundred\n]\ntext ='),
        )
        seen = open_and_play_on(tale)
        assert seen.xp == 142
        assert "by = +1_00 }, # a hundred" in seen.text
        assert any(f"Block {n} was changed" in note and "kara.xp by 100" in note for note in seen.notes)

    def test_effects_written_as_tables_count(self, tale: Path, n: int) -> None:
        ours = block(tale, n)
        mark = ours[ours.index("#= ") :]
        edit(
            tale,
            ours,
            ours.removesuffix(mark)
            + '[[entry.effects]]\nat = "kara.xp"\nby = 1\n[entry.facts]\nmood = "grim"\n'
            + mark,
        )
        seen = open_and_play_on(tale)
        assert seen.xp == 43
        assert {"mood": "grim"} in [entry.get("facts") for entry in seen.entries]

    def test_deleted_block_is_gone(self, tale: Path, n: int) -> None:
        edit(tale, block(tale, n - 1), "")
        seen = open_and_play_on(tale)
        assert seen.xp == 42 - (n - 1)
        assert f"Block {n - 1} missing: deleted by hand." in seen.notes

    def test_edited_block_is_reported_once_and_marked_again(self, tale: Path, n: int) -> None:
        edit(tale, block(tale, n), block(tale, n).replace(LINES[n], "The road is gone."))
        for noticed in (True, False):
            table = open_session(tale)
            assert bool(table.notes) == noticed
            table.close()
        assert "The road is gone." in [entry.get("text") for entry in whole_file(tale)]

    def test_moved_block_counts_at_its_time(self, tale: Path, n: int) -> None:
        before = opened_state(tale)
        one, two = block(tale, n), block(tale, n - 1)
        edit(tale, two + one, one + two)
        seen = open_and_play_on(tale)
        assert seen.state == before
        assert any("moved or merged in" in note for note in seen.notes)

    def test_repeated_block_counts_once(self, tale: Path, n: int) -> None:
        before = opened_state(tale)
        edit(tale, block(tale, n - 1), block(tale, n - 1) * 2)
        table = open_session(tale)
        assert table.state == before
        assert any("appears twice" in note for note in table.notes)
        table.close()

    def test_new_block_needs_no_id_time_or_mark(self, tale: Path, n: int) -> None:
        new = '\n[[entry]]\ntext = "Found in an old coat."\neffects = [{ at = "kara.xp", by = 100 }]\n'
        edit(tale, block(tale, n), block(tale, n) + new)
        seen = open_and_play_on(tale)
        assert seen.xp == 142
        texts = [entry.get("text") for entry in seen.entries]
        assert texts.index("Found in an old coat.") == texts.index(LINES[n]) + 1
        assert any(
            "added by hand and now says “Found in an old coat." in note and ".." not in note for note in seen.notes
        )

    def test_new_block_can_be_undone(self, tale: Path, n: int) -> None:
        edit(tale, block(tale, n), block(tale, n) + '\n[[entry]]\neffects = [{ at = "kara.xp", by = 100 }]\n')
        for _ in range(2):
            table = open_session(tale)
            new = next(e for e in whole_file(tale) if e.get("effects") == [{"at": "kara.xp", "by": 100}])
            table.undo(new["id"])
            assert table.state["party"]["kara"]["xp"] == 42
            table.redo()
            assert table.state["party"]["kara"]["xp"] == 142
            table.close()

    def test_block_without_its_mark_is_still_read(self, tale: Path, n: int) -> None:
        before = opened_state(tale)
        *_, mark, _ = block(tale, n).split("\n")
        edit(tale, f"{mark}\n", "")
        assert open_and_play_on(tale).state == before


class TestWholeFile:
    def test_windows_line_ends_read_the_same(self, tale: Path) -> None:
        before = opened_state(tale)
        tale.write_bytes(tale.read_bytes().replace(b"\n", b"\r\n"))
        seen = open_and_play_on(tale)
        assert seen.state == before
        assert '\r\ntext = "The road is long."\r\n' in seen.text
        assert seen.notes[-1].endswith("more blocks were changed or added by hand.")

    def test_comment_at_the_end_is_kept(self, tale: Path) -> None:
        before = opened_state(tale)
        tale.write_bytes(tale.read_bytes() + b"# To be continued")
        seen = open_and_play_on(tale)
        assert seen.state == before
        assert "# To be continued\n" in seen.text

    def test_entries_at_the_end_are_taken_in_order(self, tale: Path) -> None:
        tale.write_bytes(
            tale.read_bytes() + b'[[entry]]\ntext = "One."\n[[entry]]\ntext = "Two."\n[[entry]]\ntext = "Three."'
        )
        seen = open_and_play_on(tale)
        assert [entry["text"] for entry in seen.entries[-4:]] == ["One.", "Two.", "Three.", "Later."]
        assert any("3 entries were added by hand at the end" in note for note in seen.notes)

    def test_file_without_head_marks_reads_the_same(self, tale: Path) -> None:
        before = opened_state(tale)
        tale.write_bytes(re.sub(rb"(?m)^#= 0 .*\n", b"", tale.read_bytes()))
        assert open_and_play_on(tale).state == before

    def test_file_without_entries_starts_from_its_state(self, tale: Path) -> None:
        """If [state] has not been edited and all entries were deleted, the fold wins."""
        text = tale.read_bytes()
        tale.write_bytes(text[: text.index(b"\n[[entry]]")])
        assert opened_state(tale)["party"] == {}


@dataclass(frozen=True)
class StateEdit:
    old: str
    new: str
    check: Callable[[State], bool]
    taken: int = 1


STATE_EDITS = {
    "a number": StateEdit("xp = 42\n", "xp = 7\n", lambda s: s["party"]["kara"]["xp"] == 7),
    "a word": StateEdit('rank = "dangerous"\n', 'rank = "epic"\n', lambda s: s["tracks"]["oath"]["rank"] == "epic"),
    "two things": StateEdit(
        "xp = 42\n",
        'xp = 7\nmood = "grim"\n',
        lambda s: s["party"]["kara"]["xp"] == 7 and s["party"]["kara"]["mood"] == "grim",
        2,
    ),
    "a name of many lines": StateEdit(
        'name = "The oath"',
        'name = """\n[[entry]]\n#= 0 00000000\noath"""',
        lambda s: s["tracks"]["oath"]["name"] == "[[entry]]\n#= 0 00000000\noath",
    ),
    "somebody new": StateEdit(
        "[state.tracks.oath]",
        '[state.party.ana]\nname = "Ana"\nxp = 3\n\n[state.tracks.oath]',
        lambda s: s["party"].get("ana", {}).get("xp") == 3,
    ),
    "a debility": StateEdit(
        "[state.party.kara.debilities]",
        "[state.party.kara.debilities.cursed]",
        lambda s: "cursed" in s["party"]["kara"]["debilities"],
    ),
    "something owed": StateEdit(
        "[state.party.kara.owed]",
        "[state.party.kara.owed]\npay_the_price = 2",
        lambda s: s["party"]["kara"]["owed"] == {"pay_the_price": 2},
    ),
}


def edit_head(path: Path, old: str, new: str) -> None:
    """Change [state], and leave [base] alone."""
    head, base = path.read_text().split("[base]", 1)
    assert head.count(old) == 1
    path.write_text(head.replace(old, new) + "[base]" + base)


class TestEditedState:
    @pytest.mark.parametrize("name", STATE_EDITS)
    def test_edit_becomes_an_entry(self, tale: Path, name: str) -> None:
        wanted = STATE_EDITS[name]
        before = opened_state(tale)
        edit_head(tale, wanted.old, wanted.new)
        seen = open_and_play_on(tale)
        assert wanted.check(seen.state)
        assert not wanted.check(before)
        many = "1 change was" if wanted.taken == 1 else f"{wanted.taken} changes were"
        assert f"[state] was edited by hand: {many} added as an entry." in seen.notes

    @pytest.mark.parametrize(
        ("new", "why"),
        [
            ("xp = 4200\n", r"party\.kara\.xp should be a whole number from 0 to 999\."),
            ('xp = 42\n"two words" = 1\n', r"party\.kara\.two words should be renamed"),
        ],
    )
    def test_edit_that_does_not_fit_is_refused_with_its_line(self, tale: Path, new: str, why: str) -> None:
        edit_head(tale, "xp = 42\n", new)
        edited = tale.read_text().split("\n")
        line = edited.index(new.strip().split("\n")[-1]) + 1
        with pytest.raises(SaveError, match=rf"tale\.toml, line {line}: {why}"):
            open_session(tale)
        assert tale.read_text().split("\n") == edited

    def test_same_edit_counts_again_later(self, tale: Path) -> None:
        for _ in range(2):
            edit_head(tale, f"\nxp = {opened_state(tale)['party']['kara']['xp']}\n", "\nxp = 7\n")
            table = open_session(tale)
            assert table.state["party"]["kara"]["xp"] == 7
            table.do("edit", [{"at": "kara.xp", "by": 1}])
            table.close()
        assert opened_state(tale)["party"]["kara"]["xp"] == 8

    def test_comment_alone_is_no_edit(self, tale: Path) -> None:
        before = opened_state(tale)
        edit_head(tale, "xp = 42\n", "xp = 42 # what a journey\n")
        assert open_and_play_on(tale).state == before

    def test_edit_is_taken_once_despite_a_crash(self, tale: Path) -> None:
        edit_head(tale, "xp = 42\n", "xp = 7\n")
        table = open_session(tale)
        table.do("edit", [{"at": "kara.xp", "by": 1}])
        table.settle()
        crashed = shutil.copy(tale, tale.with_name("crashed.toml"))
        table.close()
        assert opened_state(crashed)["party"]["kara"]["xp"] == 8
        table = open_session(crashed)
        assert table.state["party"]["kara"]["xp"] == 8
        table.close()

    def test_edit_is_taken_once_if_the_file_cannot_be_compacted(self, tale: Path) -> None:
        class NoExchange(Quick):
            def exchange(self, one: str, other: str) -> bool:
                raise OSError(5, "Input/output error")

        edit_head(tale, "xp = 42\n", "xp = 7\n")
        for xp in (8, 9):
            table = Session.open(str(tale), disk=NoExchange())
            table.do("change", [{"at": "kara.xp", "by": 1}])
            table.close()
            assert opened_state(tale)["party"]["kara"]["xp"] == xp

    def test_edit_after_an_undo_reports_only_the_edit(self, tale: Path) -> None:
        """The undo was made after [state] was written, so it counts and is not taken for an edit."""
        table = open_session(tale)
        table.undo()
        table.settle()
        killed = tale.with_name("killed.toml")
        shutil.copy(tale, killed)
        table.close()
        edit_head(killed, "edge = 2\n", "edge = 3\n")
        seen = open_and_play_on(killed)
        assert seen.state["party"]["kara"]["edge"] == 3
        assert seen.xp == 32
        assert "[state] was edited by hand: 1 change was added as an entry." in seen.notes

    def test_state_gives_way_to_an_edited_entry(self, tale: Path) -> None:
        edit(tale, block(tale, 8), block(tale, 8).replace("by = 8", "by = 88"))
        seen = open_and_play_on(tale)
        assert seen.xp == 122
        assert not any("[state]" in note for note in seen.notes)

    def test_edit_is_only_reported_where_nothing_can_be_written(self, tale: Path) -> None:
        edit_head(tale, "xp = 42\n", "xp = 7\n")
        looking = open_session(tale, write=False)
        assert "[state] was edited by hand." in looking.notes
        looking.close()


class TestEditWhileOpen:
    def test_edit_is_read_and_unsaved_entries_follow_it(self, tale: Path) -> None:
        table = open_session(tale)
        edit(tale, block(tale, 8), block(tale, 8).replace("by = 8", "by = 88"))
        table.write("Meanwhile.")
        assert table.settle().word == "saved"
        assert table.state["party"]["kara"]["xp"] == 122
        assert any("Another program changed" in note for note in table.notes)
        table.close()
        assert opened_state(tale)["party"]["kara"]["xp"] == 122
        assert whole_file(tale)[-1]["text"] == "Meanwhile."

    def test_unsaved_undo_may_reach_before_the_new_snapshot(self, tale: Path) -> None:
        table = open_session(tale)
        first = table.log.entries[0]["id"]
        shutil.copy(tale, tale.with_name("copy.toml"))
        with short_memory(keep=1, compact_after=100):
            other = open_session(tale.with_name("copy.toml"))
            other.write("In the other copy.")
            other.close()
        tale.write_bytes(tale.with_name("copy.toml").read_bytes())
        table.undo(first)
        assert table.settle().word == "saved"
        assert table.state["party"]["kara"]["xp"] == 42 - 7
        table.close()
        assert opened_state(tale)["party"]["kara"]["xp"] == 42 - 7

    def test_tidying_up_waits_until_an_edit_was_read(self, tale: Path) -> None:
        """A snapshot computed before the edit must not be written after it."""
        table = open_session(tale)
        edit(tale, block(tale, 2), block(tale, 2).replace("by = 2", "by = 200"))
        table.write("Meanwhile.")
        table._tidy()
        table.settle()
        table.close()
        assert opened_state(tale)["party"]["kara"]["xp"] == 240

    def test_edited_state_is_taken_too(self, tale: Path) -> None:
        table = open_session(tale)
        edit_head(tale, "edge = 2\n", "edge = 3\n")
        table.write("Meanwhile.")
        table.settle()
        assert table.state["party"]["kara"]["edge"] == 3
        table.close()
        assert opened_state(tale)["party"]["kara"]["edge"] == 3


def test_time_that_leaves_no_room_for_another_entry_is_named(tale: Path) -> None:
    edit(tale, "\nt = 10\n", f"\nt = {TIME_LIMIT - 1}\n")
    table = open_session(tale)
    with pytest.raises(Refused, match=f"t = {TIME_LIMIT - 1}, so no entry can follow it"):
        table.write("Onward.")
    table.close()
