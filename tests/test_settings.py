"""A player's config.toml: what can be used is used, what cannot is named with its line, and no file ever stops a start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tracker import settings


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "tracker" / "config.toml"


def written(config: Path, text: str | bytes) -> settings.Settings:
    config.parent.mkdir(exist_ok=True)
    config.write_bytes(text.encode() if isinstance(text, str) else text)
    return settings.read(str(config))


def test_path_is_where_the_platform_keeps_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert settings.folder() == str(tmp_path / "tracker")
    monkeypatch.setattr("sys.platform", "darwin")
    assert settings.folder().endswith(os.path.join("Library", "Application Support", "tracker"))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.setattr("sys.platform", "win32")
    assert settings.folder() == str(tmp_path / "tracker")


def test_missing_file_is_no_problem(config: Path) -> None:
    found = settings.read(str(config))
    assert (found.theme, found.dice, dict(found.keys), found.problems) == ("", "rolled", {}, ())


def test_valid_settings_are_taken(config: Path) -> None:
    found = written(
        config, 'theme = "vellum"\ndice = "typed"\n[keys]\nmove = "M"\n"undo.one" = "ctrl+u"\nbeside.up = "k"\n'
    )
    assert found.problems == ()
    assert (found.theme, found.dice) == ("vellum", "typed")
    assert found.keys == {"move": "M", "undo.one": "ctrl+u", "beside.up": "k"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('\ncolour = "red"\n', "line 2: unknown setting “colour”"),
        ("theme = 5\n", "line 1: theme should be the name"),
        ('theme = "vellum"\ndice = "loaded"\n', "line 2: dice should be “rolled” or “typed”, not “loaded”"),
        ("dice = true\n", "line 1: dice should be"),
        ('keys = "m"\n', "line 1: keys should be a table"),
        ('[keys]\nmove = "M"\nundo = 7\n', "line 3: the key of undo should be text in quotes"),
        ("[keys]\n\nmove = \n", "line 3"),
        (b"theme = \xff\n", "line 1: this is not UTF-8"),
        ("a\u202e = 1\n", "line 1"),
    ],
)
def test_invalid_setting_is_named_with_its_line(config: Path, text: str | bytes, told: str) -> None:
    [problem] = written(config, text).problems
    assert problem.startswith("config.toml, ")
    assert told in problem
    assert "\u202e" not in problem


def test_invalid_setting_leaves_the_others_valid(config: Path) -> None:
    found = written(config, 'dice = 6\ntheme = "vellum"\nwhat = 1\n')
    assert found.theme == "vellum"
    assert len(found.problems) == 2


def test_folder_in_its_place_is_reported(config: Path) -> None:
    config.mkdir(parents=True)
    [problem] = settings.read(str(config)).problems
    assert "Can't read" in problem


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, 'theme = "vellum"\n'),
        ("", 'theme = "vellum"\n'),
        ('# mine\ndice = "typed"\n', 'theme = "vellum"\n# mine\ndice = "typed"\n'),
        ('# a\ntheme = "hearth"   # warm\ndice = "typed"\n', '# a\ntheme = "vellum"   # warm\ndice = "typed"\n'),
        ("theme='hearth'\r\n[keys]\r\nmove = 'M'\r\n", "theme=\"vellum\"\r\n[keys]\r\nmove = 'M'\r\n"),
        ('[keys]\ntheme = "x"\n', 'theme = "vellum"\n[keys]\ntheme = "x"\n'),
        ("theme = 5 # five\n", 'theme = "vellum" # five\n'),
    ],
)
def test_new_theme_changes_one_line_and_keeps_the_others(config: Path, before: str | None, after: str) -> None:
    if before is not None:
        written(config, before)
    settings.save_theme(str(config), "vellum")
    assert config.read_bytes().decode() == after
    assert settings.read(str(config)).theme == "vellum"


def test_unreadable_file_is_left_alone(config: Path) -> None:
    written(config, "dice = \n")
    with pytest.raises(settings.NotSavedError, match="not valid TOML"):
        settings.save_theme(str(config), "vellum")
    assert config.read_text() == "dice = \n"


def test_link_stays_a_link(config: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfiles").write_text("# mine\n")
    config.parent.mkdir()
    config.symlink_to(tmp_path / "dotfiles")
    settings.save_theme(str(config), "vellum")
    assert config.is_symlink()
    assert (tmp_path / "dotfiles").read_text() == 'theme = "vellum"\n# mine\n'


def test_unwritable_place_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(settings.NotSavedError, match="can't write"):
        settings.save_theme(str(tmp_path / "file" / "config.toml"), "vellum")


def test_problems_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("theme = 5\n[keys]\nmove = 1\n[colours]\nred = 2\n[more]\n", encoding="utf-8")
    told = [int(problem.split("line ")[1].partition(":")[0]) for problem in settings.read(str(path)).problems]
    assert told == sorted(told)
    assert settings.sorted_by_line(["config.toml, line 11: a.", "config.toml, line 2: b."])[0].endswith("b.")


def test_theme_is_not_saved_in_a_file_over_one_megabyte(config: Path) -> None:
    written(config, 'theme = "hearth"\n' + "# é\n" * 250_000 + '[keys]\nundo = "y"\n')
    before = config.read_bytes()
    with pytest.raises(settings.NotSavedError, match="larger than 1 MB"):
        settings.save_theme(str(config), "vellum")
    assert config.read_bytes() == before
