"""`tracker packs`, as a player types it, and `--packs` at `tracker new`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.content.small_packs import data, fen
from tests.test_cli import refused, tracker

from tracker.campaign.session import Session
from tracker.content import packs

JSON = "https://creativecommons.org/licenses"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fen.json"
    path.write_bytes(data(fen()))
    return path


class TestPacks:
    def test_empty_list_tells_how_to_get_the_official_one(self, tmp_path: Path) -> None:
        done = tracker(tmp_path, "packs")
        assert done.returncode == 0
        assert "tracker packs add npm:@datasworn/ironsworn-classic" in done.stdout

    def test_added_pack_is_told_and_listed(self, tmp_path: Path, file: Path) -> None:
        done = tracker(tmp_path, "packs", "add", str(file))
        assert done.returncode == 0
        assert done.stdout.splitlines()[:5] == [
            "Added fen: The Fen, Datasworn 0.2.0.",
            "  3 moves, 1 asset, 11 tables, 2 foes, 1 truth, 5 pages",
            "  moves are texts to read, not to play yet",
            "  abilities: 2 texts on the card",
            "  by Ada Reed, Bo Marsh; CC BY 4.0 (12), CC BY-NC-SA 4.0 (11)",
        ]
        listed = tracker(tmp_path, "packs").stdout
        assert listed.startswith("fen              The Fen")
        assert listed.count("\n") == 1

    def test_newer_version_names_what_it_replaces(self, tmp_path: Path, file: Path) -> None:
        tracker(tmp_path, "packs", "add", str(file))
        file.write_bytes(data(fen("0.1.0")))
        assert "Datasworn 0.1.0, in place of 0.2.0." in tracker(tmp_path, "packs", "add", str(file)).stdout

    def test_folder_adds_the_newest_of_each_id_and_passes_over_other_json(self, tmp_path: Path, file: Path) -> None:
        (tmp_path / "old.json").write_bytes(data(fen("0.0.10")))
        (tmp_path / "package.json").write_text("{}")
        done = tracker(tmp_path, "packs", "add", str(tmp_path))
        assert (done.returncode, done.stderr) == (0, "")
        assert "old.json was skipped: another file has the id fen.\n" in done.stdout
        assert "Added fen: The Fen, Datasworn 0.2.0.\n" in done.stdout

    def test_damaged_file_in_a_folder_is_told_and_the_rest_added(self, tmp_path: Path, file: Path) -> None:
        (tmp_path / "cut.json").write_bytes(data(fen())[:500])
        done = tracker(tmp_path, "packs", "add", str(tmp_path))
        assert "cut.json isn't a pack: it is not JSON" in refused(done)
        assert "Added fen" in done.stdout

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b"", "fen.json isn't a pack: it is not JSON"),
            (b"[]", "fen.json isn't a pack: it is JSON, but not a Datasworn pack"),
            (data(fen())[:-5], "fen.json isn't a pack: it is not JSON"),
            ('{"title": "Fé'.encode()[:-1], "fen.json isn't a pack: it ends in the middle of a character"),
            (b'{"title": "F\xe9"}', "fen.json isn't a pack: it is not UTF-8 text"),
            (b"\x1f\x8b broken", "fen.json"),
        ],
    )
    def test_file_that_is_no_pack_is_one_line(self, tmp_path: Path, file: Path, content: bytes, why: str) -> None:
        file.write_bytes(content)
        assert why in refused(tracker(tmp_path, "packs", "add", str(file)))

    def test_file_that_is_not_there_is_one_line(self, tmp_path: Path) -> None:
        assert "Can't read no.json: No such file" in refused(tracker(tmp_path, "packs", "add", "no.json"))

    @pytest.mark.parametrize("address", ["https://fen.example/fen.json", "HTTP://fen.example/fen.tgz", "ftp://x"])
    def test_web_address_is_refused_with_the_way_out(self, tmp_path: Path, address: str) -> None:
        why = "tracker downloads only from npm; download the file yourself and run `tracker packs add FILE`."
        assert why in refused(tracker(tmp_path, "packs", "add", address))

    def test_problems_are_counted_and_check_lists_them(self, tmp_path: Path, file: Path) -> None:
        pack = fen()
        pack["npcs"]["beasts"]["contents"]["eel"]["rank"] = 9
        pack["moves"]["adventure"]["contents"]["face_danger"]["text"] = "{{dance>x}}\x1b[2J"
        file.write_bytes(data(pack))
        assert (
            "  3 problems in it; `tracker packs check fen` lists them."
            in tracker(tmp_path, "packs", "add", str(file)).stdout
        )
        for words in (("packs", "check"), ("packs", "check", "fen"), ("packs", "check", str(file))):
            done = tracker(tmp_path, *words)
            assert done.returncode == 0
            assert done.stdout.splitlines() == [
                "fen/beasts/eel: rank should be a whole number from 1 to 5; it is left out.",
                "fen/adventure/face_danger: “{{dance>x}}” links to nothing and is shown as text.",
                "fen/site/old_weir/denizens: the link to fen/beasts/eel leads nowhere.",
                "fen is intact; 3 problems, listed above.",
            ]

    def test_damaged_pack_is_told_by_list_and_check(self, tmp_path: Path, file: Path) -> None:
        tracker(tmp_path, "packs", "add", str(file))
        stored = packs.find("fen")
        assert stored is not None
        Path(stored.path).write_bytes(b"{}")
        (Path(stored.path).parent / "index.json").unlink()
        for words in (("packs",), ("packs", "check")):
            done = tracker(tmp_path, *words)
            assert done.returncode == 1
            assert "The file of the pack fen was changed or damaged" in done.stdout

    def test_show_tells_what_acts_and_whose_it_is(self, tmp_path: Path, file: Path) -> None:
        tracker(tmp_path, "packs", "add", str(file))
        told = tracker(tmp_path, "packs", "show", "fen").stdout
        assert "2 moves: texts to read\n" in told
        assert "2 abilities: tracker applies 0," in told
        assert f"The Fen by Ada Reed, Bo Marsh, https://fen.example. License: CC BY 4.0 ({JSON}/by/4.0).\n" in told
        assert f"License: CC BY-NC-SA 4.0 ({JSON}/by-nc-sa/4.0).\n" in told

    def test_remove_takes_it_away_and_says_so(self, tmp_path: Path, file: Path) -> None:
        tracker(tmp_path, "packs", "add", str(file))
        assert "Removed fen; campaigns keep what they took" in tracker(tmp_path, "packs", "remove", "fen").stdout
        assert "No pack “fen” is installed" in refused(tracker(tmp_path, "packs", "remove", "fen"))
        assert "No pack “fen” is installed" in refused(tracker(tmp_path, "packs", "show", "fen"))

    def test_hostile_words_of_a_pack_come_out_harmless(self, tmp_path: Path, file: Path) -> None:
        file.write_bytes(data({**fen(), "title": "\x1b]0;gone\x07Fen\u202e", "authors": [{"name": "\x9b2J"}]}))
        for words in (("packs", "add", str(file)), ("packs",), ("packs", "show", "fen"), ("packs", "check")):
            done = tracker(tmp_path, *words)
            assert done.returncode == 0
            assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*done.stdout}


class TestNew:
    def test_campaign_is_made_with_its_packs(self, tmp_path: Path, file: Path) -> None:
        tracker(tmp_path, "packs", "add", str(file))
        done = tracker(tmp_path, "new", "vale", "--game", "ironsworn", "--packs", "fen")
        assert done.returncode == 0
        shown = json.loads(tracker(tmp_path, "show", "vale", "--json").stdout)
        assert shown["state"]["packs"]["fen"]["title"] == "The Fen"
        session = Session.open(str(tmp_path / "vale.toml"), write=False)
        assert "fen/bog/omen" in session.content().oracles

    def test_pack_that_is_not_installed_is_refused_and_no_file_made(self, tmp_path: Path) -> None:
        done = tracker(tmp_path, "new", "vale", "--game", "ironsworn", "--packs", "classic")
        assert "`tracker packs add npm:@datasworn/ironsworn-classic` installs it" in refused(done)
        assert not (tmp_path / "vale.toml").exists()

    def test_packs_go_with_a_character_too(self, tmp_path: Path, file: Path) -> None:
        tracker(tmp_path, "packs", "add", str(file))
        stats = "edge=3,heart=2,iron=2,shadow=1,wits=1"
        words = ("--game", "ironsworn", "--character", "Kara", "--stats", stats, "--packs", "fen")
        assert tracker(tmp_path, "new", "vale", *words).returncode == 0
        shown = json.loads(tracker(tmp_path, "show", "vale", "--json").stdout)
        assert [*shown["state"]["packs"]] == ["fen"]
        assert [*shown["state"]["party"]] == ["kara"]
