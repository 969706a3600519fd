"""The store of packs, and the files that packs come from."""

import gzip
import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.content.small_packs import GENERATIONS, data, fen

from tracker.content import pack_cache, pack_files, packs
from tracker.content.datasworn import SIZE_MOST, read
from tracker.games.api.content import Content
from tracker.games.api.errors import Refused

EMPTY = Content({}, {})


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of packs in a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "tracker" / "packs"


def add(pack: dict[str, Any]) -> packs.PackSummary:
    written = data(pack)
    return packs.add(read(written), written)[0]


def used(summary: packs.PackSummary, **other: str) -> dict[str, dict[str, str]]:
    return {summary.id: {"version": summary.version, "sha": summary.sha, "title": summary.title, **other}}


class TestStore:
    def test_pack_is_stored_by_id_version_and_hash(self, store: Path) -> None:
        summary = add(fen())
        assert {path.name for path in store.iterdir()} == {f"fen@0.2.0-{summary.sha}.json", "index.json"}
        stored = packs.find("fen")
        assert stored is not None
        assert packs.load(stored) == read(data(fen()))

    def test_store_that_is_not_there_is_empty_and_not_made(self, store: Path) -> None:
        assert packs.stored() == []
        assert packs.installed() == ()
        assert packs.stamp() == 0
        assert not store.exists()

    def test_newer_version_replaces_the_older(self, store: Path) -> None:
        add(fen("0.1.0"))
        written = data(fen("0.2.0"))
        assert packs.add(read(written), written)[1] == "0.1.0"
        assert [one.version for one in packs.stored()] == ["0.2.0"]

    def test_another_pack_with_the_same_id_is_refused(self) -> None:
        add(fen())
        with pytest.raises(Refused, match="“The Fen” has the id fen already; `tracker packs remove fen`"):
            add({**fen(), "title": "Another"})
        assert packs.installed()[0].title == "The Fen"

    def test_newest_of_two_files_with_one_id_counts(self, store: Path) -> None:
        add(fen("0.0.10"))
        old = next(store.glob("fen@*"))
        kept = old.read_bytes()
        add(fen("0.1.0"))
        old.write_bytes(kept)
        assert [one.version for one in packs.stored()] == ["0.1.0"]
        packs.remove("fen")
        assert packs.stored() == []

    def test_file_damaged_later_is_refused_with_the_way_out(self, store: Path) -> None:
        summary = add(fen())
        path = next(store.glob("fen@*"))
        path.write_bytes(path.read_bytes()[:-10])
        stored = packs.find("fen")
        assert stored is not None
        with pytest.raises(Refused, match="was changed or damaged; `tracker packs add FILE` installs it again"):
            packs.load(stored)
        next(Path(pack_cache.folder()).iterdir()).unlink()
        assert packs.merged(EMPTY, used(summary), ()).problems == (
            "The file of the pack fen was changed or damaged; `tracker packs add FILE` installs it again.",
        )

    def test_link_in_the_store_is_passed_over(self, store: Path, tmp_path: Path) -> None:
        add(fen())
        path = next(store.glob("fen@*"))
        path.rename(tmp_path / "elsewhere.json")
        path.symlink_to(tmp_path / "elsewhere.json")
        assert packs.stored() == []

    def test_link_in_the_place_of_a_pack_is_replaced_and_not_followed(self, store: Path, tmp_path: Path) -> None:
        add(fen())
        path = next(store.glob("fen@*"))
        path.unlink()
        target = tmp_path / "mine.txt"
        target.write_text("mine")
        path.symlink_to(target)
        add(fen())
        assert target.read_text() == "mine"
        assert not path.is_symlink()

    def test_store_that_is_a_link_is_refused(self, store: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        store.parent.mkdir(parents=True)
        store.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(Refused, match="Can't store the pack fen: packs is not a folder but a link"):
            add(fen())

    @pytest.mark.parametrize("index", ["", "{", "{}", "[1]", '[{"id": "fen"}]', "[" * 100_000, '[{"sha": 1}]', "null"])
    def test_damaged_index_is_made_again(self, store: Path, index: str) -> None:
        summary = add(fen())
        (store / "index.json").write_text(index)
        assert [one for _, one in packs.summaries()] == [summary]
        assert json.loads((store / "index.json").read_text())[0]["title"] == "The Fen"

    def test_list_reads_no_pack_that_the_index_has(self, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        summary = add(fen())

        def fails(*_: object) -> None:
            raise AssertionError("a pack was read")

        monkeypatch.setattr(packs, "load", fails)
        assert [one for _, one in packs.summaries()] == [summary]

    def test_removing_what_is_not_there_is_refused(self) -> None:
        with pytest.raises(Refused, match="No pack “fen” is installed"):
            packs.remove("fen")

    def test_adding_and_removing_change_the_stamp(self) -> None:
        add(fen())
        first = packs.stamp()
        packs.remove("fen")
        assert packs.stamp() != first


class TestMerge:
    def test_content_of_a_pack_joins_that_of_the_game(self) -> None:
        ours = EMPTY._replace(oracles={"action": read(data(fen())).content.oracles["fen/bog/omen"]})
        merged = packs.merged(ours, used(add(fen())), ())
        assert {"action", "fen/bog/omen"} <= {*merged.oracles}
        assert {*merged.foes} == {"fen/beasts/eel", "fen/beasts/eel/brood"}
        assert merged.problems == ()

    def test_missing_pack_is_told_with_the_command_that_brings_it(self) -> None:
        wanted = {
            "classic": {"version": "0.2.0", "sha": "00", "title": "Rulebook"},
            "moor": {"version": "0.2.0", "sha": "00", "title": "\x1b[2JMoor"},
        }
        assert packs.merged(EMPTY, wanted, ()).problems == (
            "The pack “Rulebook” isn't installed; `tracker packs add npm:@datasworn/ironsworn-classic` installs it.",
            "The pack “␛[2JMoor” isn't installed; `tracker packs add FILE` installs it.",
        )

    def test_replaced_pack_is_told_and_used(self) -> None:
        merged = packs.merged(EMPTY, used(add(fen()), sha="0123456789abcdef"), ())
        assert merged.problems == ("“The Fen” has another version; what you have is unchanged.",)
        assert "fen/bog/omen" in merged.oracles


class TestSummary:
    @pytest.mark.parametrize("version", GENERATIONS)
    def test_summary_counts_every_kind(self, version: str) -> None:
        summary = add(fen(version))
        assert summary.counts == {
            "moves": 2,
            "asset moves": 1,
            "assets": 1,
            "abilities": 2,
            "tables": 11,
            "foes": 2,
            "truths": 1,
            "pages": 5,
        }
        assert summary.licenses == {"CC BY 4.0": 12, "CC BY-NC-SA 4.0": 11}
        assert summary.authors == ("Ada Reed", "Bo Marsh")

    def test_attributions_name_each_work_once(self) -> None:
        pack = read(data(fen()))
        assert packs.attributions(pack.content, pack.source) == [
            f"The Fen by Ada Reed, Bo Marsh, https://fen.example. License: {name} "
            f"(https://creativecommons.org/licenses/{path}/4.0)."
            for name, path in (("CC BY 4.0", "by"), ("CC BY-NC-SA 4.0", "by-nc-sa"))
        ]

    def test_check_tells_unknown_macros_and_links_that_lead_nowhere(self) -> None:
        pack = fen()
        pack["moves"]["adventure"]["contents"]["face_danger"]["text"] = (
            "{{dance>x}} [a](datasworn:move:fen/no/where) [b](datasworn:move:other/no/where)"
        )
        assert [*packs.unknown_targets(read(data(pack)).content)] == [
            "fen/adventure/face_danger: “{{dance>x}}” links to nothing and is shown as text.",
            "fen/adventure/face_danger: the link to fen/no/where leads nowhere.",
        ]

    @pytest.mark.parametrize("version", GENERATIONS)
    def test_check_of_a_right_pack_tells_nothing(self, version: str) -> None:
        assert [*packs.unknown_targets(read(data(fen(version))).content)] == []


# -- files --------------------------------------------------------------------------------------------------------


def tarball(path: Path, *members: tuple[str, bytes | None], kind: bytes = tarfile.REGTYPE) -> str:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = kind, "/etc/passwd"
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return str(path)


def claims(size: int) -> Callable[[Path], str]:
    """Return a maker of a tarball with a member that claims to have this size."""

    def make(folder: Path) -> str:
        info = tarfile.TarInfo("package/fen.json")
        info.size = size
        path = folder / "big.tgz"
        path.write_bytes(gzip.compress(info.tobuf() + bytes(2048)))
        return str(path)

    return make


def bomb(folder: Path) -> str:
    """Make a small file that unpacks to more than is allowed."""
    info = tarfile.TarInfo("package/readme.txt")
    info.size = pack_files.UNPACKED_MOST + 10
    path = folder / "bomb.tgz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(info.tobuf())
        for _ in range(pack_files.UNPACKED_MOST // 10_000_000 + 1):
            file.write(bytes(10_000_000))
    return str(path)


class TestFiles:
    def test_file_folder_and_tarball_give_the_same_bytes(self, tmp_path: Path) -> None:
        folder = tmp_path / "in" / "package" / "json"
        folder.mkdir(parents=True)
        (folder / "fen.json").write_bytes(data(fen()))
        (folder / "readme.txt").write_text("no")
        packed = tarball(tmp_path / "fen.tgz", ("package/json/fen.json", data(fen())), ("package/x.md", b"no"))
        assert [*pack_files.find(str(folder / "fen.json"))] == [("fen.json", data(fen()))]
        assert [*pack_files.find(str(tmp_path / "in"))] == [("package/json/fen.json", data(fen()))]
        assert [*pack_files.find(packed)] == [("json/fen.json", data(fen()))]

    @pytest.mark.parametrize(
        ("name", "kind", "why"),
        [
            ("../fen.json", tarfile.REGTYPE, "leads out of it"),
            ("package/../../fen.json", tarfile.REGTYPE, "leads out of it"),
            ("/etc/fen.json", tarfile.REGTYPE, "leads out of it"),
            ("..\\fen.json", tarfile.REGTYPE, "leads out of it"),
            ("package/fen.json", tarfile.SYMTYPE, "has a link in it"),
            ("package/fen.json", tarfile.LNKTYPE, "has a link in it"),
            ("package/fen.json", tarfile.FIFOTYPE, "has a device or pipe in it"),
            ("package/fen.json", tarfile.CHRTYPE, "has a device or pipe in it"),
        ],
    )
    def test_unsafe_tarball_is_refused(self, tmp_path: Path, name: str, kind: bytes, why: str) -> None:
        content = data(fen()) if kind == tarfile.REGTYPE else None
        packed = tarball(tmp_path / "bad.tgz", (name, content), kind=kind)
        with pytest.raises(Refused, match=why):
            [*pack_files.find(packed)]

    @pytest.mark.parametrize(
        ("make", "why"),
        [
            (claims(SIZE_MOST + 1), "a pack has at most"),
            (claims(7 * 1024**3), "a pack has at most"),
            (claims(5000), "isn't an intact tarball"),
            (bomb, "unpacks to more than"),
        ],
    )
    def test_tarball_of_a_wrong_size_is_refused(self, tmp_path: Path, make: Callable[[Path], str], why: str) -> None:
        with pytest.raises(Refused, match=why):
            [*pack_files.find(make(tmp_path))]

    @pytest.mark.parametrize("cut", [3, 40, 200])
    def test_tarball_cut_short_is_refused(self, tmp_path: Path, cut: int) -> None:
        whole = Path(tarball(tmp_path / "fen.tgz", ("fen.json", data(fen())))).read_bytes()
        (tmp_path / "cut.tgz").write_bytes(whole[:cut])
        with pytest.raises(Refused, match=r"isn't an intact tarball|Can't read"):
            [*pack_files.find(str(tmp_path / "cut.tgz"))]

    def test_tarball_with_too_many_files_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pack_files, "FILES_MOST", 3)
        packed = tarball(tmp_path / "many.tgz", *((f"{n}.txt", b"x") for n in range(5)))
        with pytest.raises(Refused, match="more than 3 files"):
            [*pack_files.find(packed)]

    def test_200_mb_are_refused_unread(self, tmp_path: Path) -> None:
        path = tmp_path / "big.json"
        with path.open("wb") as file:
            file.truncate(200_000_000)
        with pytest.raises(Refused, match=r"big\.json has 200 MB; a pack has at most 32 MB\."):
            [*pack_files.find(str(path))]

    def test_link_and_pipe_in_a_folder_are_passed_over_or_refused(self, tmp_path: Path) -> None:
        folder = tmp_path / "in"
        folder.mkdir()
        (tmp_path / "secret.json").write_text("{}")
        (folder / "link.json").symlink_to(tmp_path / "secret.json")
        assert [*pack_files.find(str(folder))] == []
        os.mkfifo(folder / "pipe.json")
        with pytest.raises(Refused, match="not a regular file but a pipe"):
            [*pack_files.find(str(folder))]

    @pytest.mark.parametrize("name", ["../x", "a b", "--flag", "$(id)", "@a/b/c", "x@$(id)", ""])
    def test_wrong_npm_name_never_reaches_npm(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        with pytest.raises(Refused, match="isn't an npm package"):
            [*pack_files.find(f"npm:{name}")]

    def test_missing_npm_is_reported_with_the_other_way(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        with pytest.raises(Refused, match=r"npm isn't installed: .* `tracker packs add FILE\.tgz`"):
            [*pack_files.find("npm:@datasworn/ironsworn-classic")]

    @pytest.mark.parametrize(
        ("script", "why"),
        [
            ("echo 'npm error code E404' >&2; exit 1", "there is no such package"),
            ("echo 'npm error code EODD' >&2; exit 1", "EODD"),
            ("exit 0", "it gave no reason"),
        ],
    )
    def test_npm_that_fails_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, why: str
    ) -> None:
        self.program(tmp_path, monkeypatch, script)
        with pytest.raises(Refused, match=f"npm couldn't get fen@1.0: {why}"):
            [*pack_files.find("npm:fen@1.0")]

    def test_npm_brings_a_package(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        packed = tarball(tmp_path / "fen-1.0.tgz", ("package/json/fen.json", data(fen())))
        self.program(tmp_path, monkeypatch, f'[ "$*" = "{self.CALL}" ] && /bin/cp {packed} .')
        assert [*pack_files.find("npm:@ada/fen@1.0")] == [("json/fen.json", data(fen()))]

    CALL = "pack --loglevel=error --ignore-scripts --pack-destination $PWD -- @ada/fen@1.0"

    def program(self, folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
        """Put a program called npm first in PATH."""
        npm = folder / "bin" / "npm"
        npm.parent.mkdir()
        npm.write_text(f"#!/bin/sh\n{script}\n")
        npm.chmod(0o755)
        monkeypatch.setenv("PATH", str(npm.parent))
