"""A long passage in a real editor, in a real terminal: what it brings is saved once, and nothing is ever lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.terminal.helpers import PATIENCE, entries_of, is_usable, started, tracker, vale
from tests.terminal.pty import Pty

WRITES = r"printf '\n\nThe wheel turns.\n' >> "
DEAF = "stty raw -echo; kill -9 $$"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return vale(tmp_path)


@contextmanager
def with_editor(save: Path, script: str) -> Iterator[Pty]:
    """Yield the program at the table, with an editor that runs this script; `$1` is the file."""
    editor = save.parent / "my editor"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o755)
    env = {"EDITOR": f"'{editor}' -x", "VISUAL": ""}
    with started(tracker(save.parent, "vale"), env=env, rows=24, cols=80) as program:
        program.wait_for("q Campaigns", PATIENCE)
        yield program


def begin(program: Pty) -> None:
    program.press("j", until="what happens? Enter saves", timeout=PATIENCE)
    program.send("Rain.")
    program.wait_for("Rain.", PATIENCE)


def told(save: Path) -> list[str]:
    return [entry["text"] for entry in entries_of(save) if "text" in entry]


def end(program: Pty) -> None:
    """Leave the program, and assert that the terminal works afterwards."""
    program.send("ctrl+q")
    assert program.wait_end(PATIENCE) == 0
    assert is_usable(program)


def test_begun_line_becomes_a_passage_of_several_paragraphs(save: Path) -> None:
    with with_editor(save, WRITES + '"$2"') as program:
        begin(program)
        program.press("ctrl+o", until="The wheel turns.", timeout=PATIENCE)
        program.press("+", until="edge 3 → 4", timeout=PATIENCE)
        end(program)
    assert told(save) == ["Rain.\n\nThe wheel turns."]
    assert not list(save.parent.glob(".*draft"))


def test_editor_begins_with_an_empty_page_without_a_line(save: Path) -> None:
    with with_editor(save, WRITES + '"$2"') as program:
        program.press("ctrl+o", until="The wheel turns.", timeout=PATIENCE)
        end(program)
    assert told(save) == ["The wheel turns."]


@pytest.mark.part(2)
@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("exit 3", "my editor ended with an error (3)."),
        (DEAF, "my editor was ended by a signal."),
        (': > "$2"', "The editor returned no text."),
        ('rm "$2"', "The editor returned no text."),
        ("true", "No changes from the editor."),
    ],
    ids=["fails", "killed, and the terminal left deaf", "empty", "deleted", "unchanged"],
)
def test_editor_that_returns_nothing_loses_nothing(save: Path, script: str, says: str) -> None:
    with with_editor(save, script) as program:
        begin(program)
        program.press("ctrl+o", until=says, timeout=PATIENCE)
        program.press("enter", until="q Campaigns", timeout=PATIENCE)
        end(program)
    assert told(save) == ["Rain."]


def test_missing_editor_is_reported(save: Path) -> None:
    with with_editor(save, "true") as program:
        (save.parent / "my editor").unlink()
        begin(program)
        program.press("ctrl+o", until="No editor", timeout=PATIENCE)
        program.press("escape", until="Draft kept", timeout=PATIENCE)
        end(program)
    assert told(save) == []
    assert (save.parent / ".vale.toml.draft").read_text() == "Rain."


def test_text_written_before_the_editor_failed_is_kept(save: Path) -> None:
    with with_editor(save, WRITES + '"$2"; exit 1') as program:
        program.press("ctrl+o", until="Draft kept: j continues it.", timeout=PATIENCE)
        program.press("j", until="The wheel turns.", timeout=PATIENCE)
        program.press("enter", until="q Campaigns", timeout=PATIENCE)
        end(program)
    assert told(save) == ["The wheel turns."]


def test_entries_are_saved_while_the_editor_is_open_and_ctrl_c_is_the_editors(save: Path) -> None:
    script = 'trap "echo INTERRUPTED" INT; echo EDITING; while [ "$x" != done ]; do read x; done; printf Storm. > "$2"'
    with with_editor(save, script) as program:
        program.send("+")
        program.press("ctrl+o", until="EDITING", timeout=PATIENCE)
        program.wait_until(lambda: entries_of(save)[-1].get("did") == "change", PATIENCE)
        program.press("ctrl+c", until="INTERRUPTED", timeout=PATIENCE)
        program.send("done")
        program.press("enter", until="Storm.", timeout=PATIENCE)
        end(program)
    assert told(save) == ["Storm."]


def test_editor_begins_with_an_empty_page_for_an_emptied_line(save: Path) -> None:
    with with_editor(save, WRITES + '"$2"') as program:
        begin(program)
        program.press("escape", until="Draft kept", timeout=PATIENCE)
        program.press("j", until="Rain.", timeout=PATIENCE)
        program.send("\x7f" * len("Rain."))
        program.wait_for("what happens? Enter saves", PATIENCE)
        program.press("ctrl+o", until="The wheel turns.", timeout=PATIENCE)
        end(program)
    assert told(save) == ["The wheel turns."]


def test_too_long_passage_is_refused_and_stays_as_it_was_written(save: Path) -> None:
    written = "a" * 1_000_000 + "\n The end.\n"
    (save.parent / "long.txt").write_text(written)
    with with_editor(save, f"cp '{save.parent / 'long.txt'}' \"$2\"") as program:
        program.press("ctrl+o", until="One entry has at most 1,000,000 characters", timeout=PATIENCE)
        end(program)
    assert told(save) == []
    assert (save.parent / ".vale.toml.draft").read_text() == written
