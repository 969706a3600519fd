"""One file that can't be read, beside others that can: the others are still there, and the bad one is named."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.faults import campaign

from tracker import cli, content, settings
from tracker.app.screens.campaigns.preview import summarize
from tracker.app.screens.table_view import TableView
from tracker.campaign import unsent_input
from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.saves import saves_folder, toml

LOOKS_LIKE_A_NUMBER = "01234567890123456789012 = 1\nx = 9223372036854775808\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    campaign.new(str(tmp_path / "good.toml"))
    return tmp_path


class TestKeyLikeANumber:
    @pytest.mark.parametrize("key", ["01234567890123456789012", "1" * 5000, "0x", "-0_1234567890123456789"])
    def test_parse_names_the_line_of_the_number_too_large(self, key: str) -> None:
        with pytest.raises(toml.BadToml, match="64 bits") as error:
            toml.parse(f"{key} = 1\nx = 9223372036854775808\n".encode())
        assert error.value.line == 2

    def test_list_shows_the_others(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "bad.toml").write_text(LOOKS_LIKE_A_NUMBER)
        assert cli.main(["--saves", str(folder), "list"]) == 0
        told = capsys.readouterr().out
        assert "good" in told
        assert "bad.toml, line 2: a number does not fit in 64 bits." in told

    def test_content_takes_the_others(self, tmp_path: Path) -> None:
        (tmp_path / "bad.toml").write_text(LOOKS_LIKE_A_NUMBER)
        found = content.load("ironsworn", str(tmp_path), ())
        assert found.problems == ("bad.toml, line 2: a number does not fit in 64 bits.",)
        assert found.oracles == content.shipped("ironsworn").oracles

    def test_settings_are_left_out(self, tmp_path: Path) -> None:
        path = tmp_path / "config.toml"
        path.write_text(LOOKS_LIKE_A_NUMBER)
        assert settings.read(str(path)).problems == (
            "config.toml, line 2: a number does not fit in 64 bits; the whole file was ignored.",
        )

    def test_theme_is_not_saved_in_settings_nested_too_deep(self, tmp_path: Path) -> None:
        path = tmp_path / "config.toml"
        path.write_text(f"x = {'[' * 5000}{']' * 5000}")
        with pytest.raises(settings.NotSavedError):
            settings.save_theme(str(path), "vellum")


class TestTimeOfAFile:
    @pytest.fixture
    def anywhen(self) -> Iterator[str]:
        """A folder whose files can have any time; ext4 knows the years up to 2446 only."""
        if not os.path.isdir("/dev/shm"):
            pytest.skip("needs a tmpfs")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
            yield name

    @pytest.mark.parametrize("seconds", [10**12, -(10**12), 2**62, -(2**62)])
    def test_outside_the_calendar_is_listed_last(
        self, folder: Path, anywhen: str, seconds: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in ("good", "odd"):
            shutil.copy(folder / "good.toml", os.path.join(anywhen, f"{name}.toml"))
        odd = os.path.join(anywhen, "odd.toml")
        os.utime(odd, (seconds, seconds))
        if os.stat(odd).st_mtime != seconds:
            pytest.skip("this file system has no such time")
        assert [one.name for one in saves_folder.campaigns(anywhen)] == ["good", "odd"]
        assert cli.main(["--saves", anywhen, "list"]) == 0
        assert "odd" in capsys.readouterr().out
        summarize(saves_folder.campaigns(anywhen)[1], 60)
        Session.open(odd).close()

    def test_entry_time_outside_the_calendar_in_utc_is_written_as_it_is(self) -> None:
        for text in ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"):
            moment = datetime.fromisoformat(text)
            assert toml.parse(f"at = {toml.emit_value(moment)}".encode())["at"] == moment

    def test_entry_time_before_the_year_1000_stays_toml(self) -> None:
        moment = datetime(33, 4, 3, tzinfo=UTC)
        assert toml.parse(f"at = {toml.emit_value(moment)}".encode())["at"] == moment


class TestFactsByHand:
    @pytest.mark.parametrize("command", ["log", "show", "check"])
    def test_changed_that_is_no_list_is_passed_over(
        self, folder: Path, command: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = folder / "good.toml"
        with path.open("a") as file:
            file.write('\n[[entry]]\ndid = "roll/action"\nwho = "kara"\nfacts = { changed = 5 }\n')
        assert cli.main(["--saves", str(folder), command, "good"]) == 0
        assert capsys.readouterr().err == ""

    def test_change_without_effects_is_no_news(self, folder: Path) -> None:
        path = folder / "good.toml"
        with path.open("a") as file:
            file.write('\n[[entry]]\ndid = "change"\ntext = "Nothing."\n')
        session = Session.open(str(path), write=False)
        assert session.log.entries[-1]["text"] == "Nothing."
        assert TableView(Player(session), str).last().notice == ""
        session.close()


class TestTypedDraft:
    @pytest.mark.parametrize(
        "json",
        ["[" * 100_000, "5", '[["a"]]', '[["a", 5]]', '[[["a"], {"b": 5}]]', '[[[["a"]], {}]]', '{"a": 1}', "[1]"],
    )
    def test_unknown_values_are_ignored(self, tmp_path: Path, json: str) -> None:
        (tmp_path / ".v.toml.typed.draft").write_text(json)
        assert unsent_input.load_input(str(tmp_path / "v.toml")) == {}
