"""World notes in lines."""

from __future__ import annotations

from pathlib import Path

from tests.hostile import HOSTILE
from tests.plain.helpers import KARA, UNSPEAKABLE, campaign, plain, state

TAYLA = {"at": "notes", "add": {"id": "tayla", "name": "Tayla", "kind": "person", "text": "A smith."}}
FERRY = {"at": "notes", "add": {"id": "old_ferry", "name": "Old Ferry", "kind": "place"}}


def test_notes_lists_them_by_kind_and_filters_by_a_word(tmp_path: Path) -> None:
    said = plain(campaign(tmp_path, KARA, FERRY, TAYLA), "notes", "notes smith", "notes nobody", "quit")
    assert said.lines.count("1. Tayla, person: A smith.") == 2
    assert said.lines.count("2. Old Ferry, place") == 1
    assert "No note has “nobody”." in said.lines


def test_notes_says_how_to_make_the_first(tmp_path: Path) -> None:
    assert "No notes yet. Type note and a name to make one." in plain(campaign(tmp_path, KARA), "notes", "quit").lines


def test_note_reads_the_paragraph_and_the_lines_that_mention_it(tmp_path: Path) -> None:
    said = plain(
        campaign(tmp_path, KARA, TAYLA), "say First @Tayla.", "say Nobody.", "say Last Tayla.", "note tay", "quit"
    )
    assert "Linked: Tayla." in said.lines
    at = said.lines.index("Tayla, person")
    assert said.lines[at + 1] == "A smith."
    assert said.lines[at + 3 : at + 5] == ["Last Tayla.", "First @Tayla."]


def test_unknown_mention_names_the_command_that_makes_the_note(tmp_path: Path) -> None:
    save = campaign(tmp_path, KARA)
    said = plain(save, "say I meet @Bran.", "note Bran", "A jackdaw.", "thing", "", "undo", "redo", "quit")
    assert "No note on Bran yet: note Bran makes one." in said.lines
    assert "New note: Bran (thing). Saved." in said.lines
    assert "Undone: Make a note. Saved." in said.lines
    assert state(save)["notes"]["bran"]["text"] == "A jackdaw."


def test_note_is_renamed_edited_and_deleted_by_moves(tmp_path: Path) -> None:
    save = campaign(tmp_path, KARA, TAYLA, FERRY)
    said = plain(
        save,
        *("rename a note", "tayla", "The Smith", ""),
        *("edit a note", "the smith", "She left.", ""),
        *("change a note's kind", "the smith", "thing", ""),
        *("delete a note", "old ferry", ""),
        *("note tayla", "quit"),
    )
    assert "Tayla is now called The Smith. Saved." in said.lines
    assert "The Smith: text changed. Saved." in said.lines
    assert "The Smith is now a thing. Saved." in said.lines
    assert "Note deleted: Old Ferry. Saved." in said.lines
    assert "The Smith, thing, formerly Tayla" in said.lines
    assert list(state(save)["notes"]) == ["tayla"]


def test_keep_makes_a_note_of_the_last_answer(tmp_path: Path) -> None:
    save = campaign(tmp_path, KARA)
    said = plain(save, "keep", "almost certain", "", "keep", "The gate", "place", "", "quit")
    assert "The oracle hasn't answered yet." in said.lines
    assert state(save)["notes"]["the_gate"]["text"]


def test_note_without_a_name_says_what_to_type(tmp_path: Path) -> None:
    assert (
        "Which note? Type note and a name; notes lists them." in plain(campaign(tmp_path, KARA), "note", "quit").lines
    )


def test_hostile_notes_are_read_out_safely(tmp_path: Path) -> None:
    names = [text for _, text in HOSTILE if text == text.encode("utf-8", "replace").decode()]
    notes = [{"at": "notes", "add": {"id": f"n{n}", "name": one, "text": one}} for n, one in enumerate(names)]
    said = plain(campaign(tmp_path, KARA, *notes), "notes", *(f"note {n}" for n in range(1, 12)), "quit")
    assert said.code == 0
    assert not [line for line in said.lines if UNSPEAKABLE.search(line)]
