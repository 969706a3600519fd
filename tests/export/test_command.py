"""The command `export` as a script uses it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests import program
from tests.make_example import example

from tracker.campaign.session import Session

EXAMPLE = Path(__file__).parents[2] / "saves" / "example-ironsworn.toml"


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    folder = tmp_path / "saves"
    folder.mkdir()
    (folder / "Mill.toml").write_bytes(EXAMPLE.read_bytes())
    return folder


def export(saves: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return program.run(["export", "Mill", *words, "--saves", str(saves)])


def test_export_without_a_file_prints_the_text_and_nothing_else(saves: Path) -> None:
    done = export(saves, "--session", "last", "--story")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("# Mill\n\n*Ironsworn · Kara and Tayla*\n\n## Session 2\n")
    assert "Three of them at the ford." in done.stdout.decode()
    assert "Strike" not in done.stdout.decode()


def test_export_as_json_goes_through_a_pipe(saves: Path) -> None:
    told = json.loads(export(saves, "--as", "json", "--session", "2").stdout)
    assert {entry["session"] for entry in told["entries"]} == {2}


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_export_cuts_no_text(tmp_path: Path, form: str) -> None:
    shutil.copy(example("wherever"), tmp_path / "Mill.toml")
    told = export(tmp_path, "--as", form, "--characters").stdout.decode()
    assert "trait: Light-footed +1" in told
    assert "…" not in told


def test_vault_has_the_side_of_the_gm(tmp_path: Path) -> None:
    shutil.copy(example("daggerheart"), tmp_path / "Mill.toml")
    assert export(tmp_path, "--as", "iron-vault", "--to", str(tmp_path / "vault")).returncode == 0
    vault = tmp_path / "vault"
    home = (vault / "Mill.md").read_text(encoding="utf-8")
    assert "\n## The GM\n\n- **Fear** 2 of 12" in home
    assert "\n- [[Adversaries/The gray one|The gray one]]\n" in home
    foe = (vault / "Adversaries" / "The gray one.md").read_text(encoding="utf-8")
    assert "\nhp: 2\nhp_max: 6\n" in foe
    assert "\n- **HP** 2 of 6 marked\n" in foe


def test_vault_without_the_plugin_has_properties_callouts_and_links(tmp_path: Path) -> None:
    shutil.copy(example("daggerheart"), tmp_path / "Mill.toml")
    assert export(tmp_path, "--as", "iron-vault", "--to", str(tmp_path / "vault")).returncode == 0
    vault = tmp_path / "vault"
    evening = (vault / "Journal" / "Session 1.md").read_text(encoding="utf-8")
    assert evening.startswith('---\nsession: 1\ndate: "2026-11-14"\n---\n\n*November 14, 2026 · [[Mill]]*\n')
    assert (
        "\n> [!success]- [[Characters/Wren|Wren]]: Attack · success with Hope\n> Longbow vs 14, 9 damage · Hope 9"
        in evening
    )
    assert "[[Clocks/The pack closes in|The pack closes in]] 5 → 4\n" in evening
    assert "\n**[[Characters/Wren|Wren]]:** Three days over the pass" in evening
    wren = (vault / "Characters" / "Wren.md").read_text(encoding="utf-8")
    assert "\nagility: 2\nstrength: 0\n" in wren
    assert "\n- **Hope** 2 of 6\n" in wren
    clock = (vault / "Clocks" / "The pack closes in.md").read_text(encoding="utf-8")
    assert clock.endswith("\nThe pack closes in: standard countdown, 3 of 6 left\n\n■■■□□□\n")


def test_json_has_a_roll_only_where_something_was_rolled_or_answered(saves: Path) -> None:
    entries = json.loads(export(saves, "--as", "json").stdout)["entries"]
    rolls = {entry["did"]: entry["roll"] for entry in entries if "roll" in entry}
    assert rolls["combat/strike"]["outcome"] == "weak hit"
    assert "character/make" in {entry["did"] for entry in entries}
    assert "character/make" not in rolls


@pytest.mark.parametrize(
    ("name", "begins"), [("a.html", "<!DOCTYPE html>"), ("a.md", "# Mill"), ("a.json", '{"tracker_')]
)
def test_export_to_a_file_takes_the_format_of_its_ending(saves: Path, tmp_path: Path, name: str, begins: str) -> None:
    done = export(saves, "--to", str(tmp_path / name))
    assert done.returncode == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert done.stderr == b""


def test_export_of_a_vault_is_a_folder(saves: Path, tmp_path: Path) -> None:
    assert export(saves, "--as", "iron-vault", "--to", str(tmp_path / "vault")).returncode == 0
    files = {str(path.relative_to(tmp_path / "vault")) for path in (tmp_path / "vault").rglob("*.md")}
    assert {"Mill.md", "Journal/Session 1.md", "Journal/Session 2.md", "Characters/Kara.md"} <= files


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["--session", "9"], 1, "There is no session 9; this campaign has sessions 1 to 2."),
        (["--session", "x"], 2, "isn't a session; write 3, 2-4 or last."),
        (["--to", "{saves}"], 1, "already exists; choose another name, or remove it first."),
        (["--to", "{saves}/no/a.md"], 1, "make it first, or choose another place."),
        (["--as", "iron-vault"], 2, "say which with --to FOLDER."),
        (["--as", "pdf"], 2, "--as can't be “pdf”: choose from markdown, html, iron-vault, json; see"),
        (["--to", "x.pdf"], 2, "No format has the ending .pdf"),
        (["--to", ""], 2, "Name a file or folder after --to."),
    ],
)
def test_export_that_cannot_be_is_told_in_one_line(saves: Path, words: list[str], code: int, why: str) -> None:
    before = sorted(saves.iterdir())
    done = export(saves, *(word.format(saves=saves) for word in words))
    assert done.returncode == code
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert why in done.stderr.decode()
    assert sorted(saves.iterdir()) == before


def test_export_of_an_open_campaign_works(saves: Path) -> None:
    session = Session.open(str(saves / "Mill.toml"))
    try:
        assert export(saves).returncode == 0
    finally:
        session.close()


def test_export_of_a_damaged_save_tells_what_it_can_and_warns(saves: Path) -> None:
    path = saves / "Mill.toml"
    path.write_bytes(path.read_bytes().replace(b'text = "The stair', b"text = The stair"))
    done = export(saves)
    assert done.returncode == 1
    assert "I leap the gap" in done.stdout.decode()
    assert "tracker check Mill" in done.stderr.decode()
