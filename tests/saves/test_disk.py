"""Opening and creating files: regular files only, no link is followed, nothing blocks, nothing is opened by creating."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hostile import make_socket

from tracker.saves.disk import Disk, NotRegular, open_regular

FLAGS = [os.O_RDONLY, os.O_WRONLY, os.O_RDWR | os.O_APPEND]


SPECIAL: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a socket": make_socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
}


class TestOpenFile:
    @pytest.mark.parametrize("flags", FLAGS)
    @pytest.mark.parametrize("kind", SPECIAL)
    def test_special_file_is_refused_at_once(self, tmp_path: Path, kind: str, flags: int) -> None:
        path = tmp_path / "x.toml"
        SPECIAL[kind](path)
        with pytest.raises(NotRegular, match=rf"^x\.toml is not a regular file but {kind}$"):
            Disk().open_file(str(path), flags, follow=True)

    @pytest.mark.parametrize("flags", FLAGS)
    def test_link_is_refused_and_its_target_untouched(self, tmp_path: Path, flags: int) -> None:
        (tmp_path / "target").write_text("mine")
        (tmp_path / "link").symlink_to("target")
        with pytest.raises(NotRegular, match="link is not a regular file but a link"):
            Disk().open_file(str(tmp_path / "link"), flags | os.O_TRUNC)
        assert (tmp_path / "target").read_text() == "mine"

    @pytest.mark.parametrize("kind", ["a pipe", "a socket", "a device", "a folder", "a link"])
    def test_file_swapped_after_the_check_is_refused(self, tmp_path: Path, kind: str) -> None:
        path = tmp_path / "x.toml"
        path.write_text("mine")
        make: Callable[[Path], object] = {**SPECIAL, "a link": lambda path: path.symlink_to("nowhere")}[kind]

        class Swapped(Disk):
            def open(self, opened: str, flags: int, mode: int = 0o644) -> int:
                path.unlink()
                make(path)
                return super().open(opened, flags, mode)

        before = set(os.listdir("/proc/self/fd"))
        with pytest.raises(NotRegular):
            Swapped().open_file(str(path), os.O_RDONLY)
        assert set(os.listdir("/proc/self/fd")) == before

    def test_link_is_followed_for_a_save(self, tmp_path: Path) -> None:
        (tmp_path / "target").write_text("mine")
        (tmp_path / "link").symlink_to("target")
        fd = Disk().open_file(str(tmp_path / "link"), os.O_RDONLY, follow=True)
        assert os.read(fd, 9) == b"mine"
        os.close(fd)

    def test_missing_file_is_not_created(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            Disk().open_file(str(tmp_path / "x"), os.O_RDWR)
        assert os.listdir(tmp_path) == []


class TestOpenRegular:
    @pytest.mark.parametrize("kind", SPECIAL)
    def test_special_file_is_refused_at_once(self, tmp_path: Path, kind: str) -> None:
        SPECIAL[kind](tmp_path / "x.toml")
        with pytest.raises(NotRegular, match=kind) as refused:
            open_regular(str(tmp_path / "x.toml"))
        assert refused.value.strerror == f"it is not a regular file but {kind}"

    def test_link_is_followed_unless_asked_not_to(self, tmp_path: Path) -> None:
        (tmp_path / "target").write_text("mine")
        (tmp_path / "link").symlink_to("target")
        with open_regular(str(tmp_path / "link")) as file:
            assert file.read() == b"mine"
        with pytest.raises(NotRegular, match="a link"):
            open_regular(str(tmp_path / "link"), follow=False)


class TestCreateFile:
    @pytest.mark.parametrize("kind", [*SPECIAL, "a broken link", "a file"])
    def test_existing_name_is_never_opened(self, tmp_path: Path, kind: str) -> None:
        make: Callable[[Path], object] = {
            **SPECIAL,
            "a broken link": lambda path: path.symlink_to(tmp_path / "made through it"),
            "a file": lambda path: path.write_text("mine"),
        }[kind]
        make(tmp_path / "x")
        with pytest.raises(FileExistsError):
            Disk().create_file(str(tmp_path / "x"))
        assert os.listdir(tmp_path) == ["x"]

    def test_file_has_the_mode_asked_for(self, tmp_path: Path) -> None:
        os.close(Disk().create_file(str(tmp_path / "x"), 0o600))
        assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o600


class TestWriteFile:
    def test_taken_temporary_names_are_passed_over(self, tmp_path: Path) -> None:
        (tmp_path / "target").write_text("mine")
        temp = tmp_path / f".x.{os.getpid()}.new"
        temp.symlink_to("target")
        Disk().write_file(str(tmp_path / "x"), b"new")
        assert (tmp_path / "x").read_bytes() == b"new"
        assert (tmp_path / "target").read_text() == "mine"
        assert temp.is_symlink()
        assert sorted(os.listdir(tmp_path)) == sorted([temp.name, "target", "x"])
