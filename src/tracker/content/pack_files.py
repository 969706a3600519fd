"""Sources of packs: a JSON file, a folder, an npm tarball, or a package on npm. Yields the bytes of JSON files.

Nothing from an archive is written to disk, and its size is limited before it is unpacked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from tracker.content.datasworn import SIZE_MOST
from tracker.games.api.errors import Refused
from tracker.saves.disk import open_regular
from tracker.text import shown_line

if TYPE_CHECKING:
    import tarfile

FILES_MOST = 2_000
"""Most files of a folder or an archive that are looked at."""
UNPACKED_MOST = 200_000_000
"""Most bytes of an archive when it is unpacked."""
DEPTH_MOST = 5
NPM = "npm:"
NPM_SECONDS = 120
_ADDRESS = re.compile("[A-Za-z][A-Za-z0-9+.-]+://")
_GZIP = b"\x1f\x8b"
_NPM_ERRORS = {
    "E404": "there is no such package",
    "ETARGET": "there is no such version",
    "ENOTFOUND": "there is no network",
    "EAI_AGAIN": "there is no network",
    "ECONNREFUSED": "the network refuses it",
    "ETIMEDOUT": "the network is too slow",
}
_NPM_NAME = re.compile(
    r"((?:@[a-z0-9~][a-z0-9._~-]{0,100}/)?[a-z0-9~][a-z0-9._~-]{0,100})(?:@([0-9A-Za-z.~^+-]{1,40}))?"
)


def find(source: str) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of each JSON file in `source`.

    `source` is the path of a file, a folder or a tarball, or `npm:NAME[@VERSION]`, which npm downloads. A single
    file that is not a tarball is yielded whatever its name. Names are safe to show. Iterating raises Refused if the
    source cannot be read or is not safe to read.
    """
    if source.startswith(NPM):
        yield from _from_npm(source.removeprefix(NPM))
    elif _ADDRESS.match(source):
        raise Refused("tracker downloads only from npm; download the file yourself and run `tracker packs add FILE`.")
    elif os.path.isdir(source):
        yield from _in_folder(source)
    else:
        name = shown_line(os.path.basename(source), 100)
        try:
            with open_regular(source) as file:
                size = os.fstat(file.fileno()).st_size
                if file.read(2) == _GZIP:
                    file.seek(0)
                    yield from _in_tarball(file, name)
                    return
                file.seek(0)
                _check_size(size, name)
                yield name, file.read(SIZE_MOST + 1)
        except OSError as error:
            raise Refused(f"Can't read {name}: {error.strerror or error}.") from None


def _check_size(size: int, name: str) -> None:
    if size > SIZE_MOST:
        raise Refused(f"{name} has {size // 1_000_000} MB; a pack has at most {SIZE_MOST // 1_000_000} MB.")


def _in_folder(folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of each JSON file in a folder and its subfolders, in order. Links are not followed.

    The name is the path in the folder. Hidden subfolders and those deeper than DEPTH_MOST are left out. Raise Refused
    if a file or folder cannot be read, or above the limits of size and number.
    """
    count = 0
    for where, folders, names in os.walk(folder, onerror=_unreadable):
        depth = os.path.relpath(where, folder).count(os.sep)
        folders[:] = sorted(one for one in folders if not one.startswith(".")) if depth < DEPTH_MOST else []
        for name in sorted(names):
            if not name.endswith(".json"):
                continue
            count += 1
            if count > FILES_MOST:
                raise Refused(f"{shown_line(folder, 100)} has more than {FILES_MOST:,} JSON files; name one.")
            path = os.path.join(where, name)
            if os.path.islink(path):
                continue
            label = shown_line(os.path.relpath(path, folder), 100)
            try:
                with open_regular(path, follow=False) as file:
                    _check_size(os.fstat(file.fileno()).st_size, label)
                    yield label, file.read(SIZE_MOST + 1)
            except OSError as error:
                raise Refused(f"Can't read {label}: {error.strerror or error}.") from None


def _unreadable(error: OSError) -> None:
    raise Refused(f"Can't read {shown_line(str(error.filename), 100)}: {error.strerror or error}.")


class _Limited:
    """A gzip stream that refuses to unpack more than UNPACKED_MOST bytes."""

    def __init__(self, packed: IO[bytes], name: str) -> None:
        import gzip

        self._file = gzip.GzipFile(fileobj=packed)
        self._left = UNPACKED_MOST
        self._name = name

    def read(self, size: int = -1) -> bytes:
        taken = self._file.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(taken)
        if self._left < 0:
            raise Refused(f"{self._name} unpacks to more than {UNPACKED_MOST // 1_000_000} MB; it is not read.")
        return taken


def _in_tarball(packed: IO[bytes], name: str) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of each JSON file in a gzipped tarball.

    `name` is that of the tarball, for messages. Raise Refused if it is damaged, for a link, for a path that leads out
    of the archive, and above the limits of size and number.
    """
    import tarfile
    import zlib

    try:
        with tarfile.open(fileobj=_Limited(packed, name), mode="r|") as archive:  # type: ignore[call-overload]
            for count, member in enumerate(archive, 1):
                if count > FILES_MOST:
                    raise Refused(f"{name} has more than {FILES_MOST:,} files; it is not read.")
                _check_member(member, name)
                if member.isreg() and member.name.endswith(".json"):
                    label = shown_line(member.name.removeprefix("package/"), 100)
                    _check_size(member.size, label)
                    file = archive.extractfile(member)
                    if file is not None:
                        yield label, file.read()
    except (tarfile.TarError, EOFError, zlib.error, ValueError, OverflowError) as error:
        raise Refused(f"{name} isn't an intact tarball: {shown_line(str(error), 100)}.") from None


def _check_member(member: tarfile.TarInfo, name: str) -> None:
    parts = member.name.replace("\\", "/").split("/")
    label = shown_line(member.name, 60)
    if member.name.startswith(("/", "\\")) or ".." in parts:
        raise Refused(f"{name} has a file that leads out of it, {label}; it is not read.")
    if not member.isreg() and not member.isdir():
        kind = "a link" if member.issym() or member.islnk() else "a device or pipe"
        raise Refused(f"{name} has {kind} in it, {label}; it is not read.")


def _from_npm(wanted: str) -> Iterator[tuple[str, bytes]]:
    """Download a package with `npm pack` to a temporary folder, and yield (name, bytes) of each JSON file in it.

    `wanted` is NAME or NAME@VERSION. Wait for npm up to NPM_SECONDS. Raise Refused if that is no name, if npm is not
    installed, fails or takes too long, or if the package is not safe to read; OSError if the download cannot be read.
    """
    import shutil
    import subprocess
    import tempfile

    if not _NPM_NAME.fullmatch(wanted):
        raise Refused(f"“{shown_line(wanted)}” isn't an npm package; write it like npm:@datasworn/ironsworn-classic.")
    npm = shutil.which("npm")
    if npm is None:
        raise Refused(
            "npm isn't installed: install Node.js, or download the package's .tgz and run `tracker packs add FILE.tgz`."
        )
    with tempfile.TemporaryDirectory(prefix="tracker-packs-") as folder:
        command = [npm, "pack", "--loglevel=error", "--ignore-scripts", "--pack-destination", folder, "--", wanted]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=NPM_SECONDS,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            raise Refused(f"npm took longer than {NPM_SECONDS} seconds; try again.") from None
        except OSError as error:
            raise Refused(f"Can't run npm: {error.strerror or error}.") from None
        packed = sorted(name for name in os.listdir(folder) if name.endswith(".tgz"))
        if done.returncode or not packed:
            code = next((line.split()[-1] for line in done.stderr.splitlines() if " code E" in line), "")
            raise Refused(f"npm couldn't get {wanted}: {_NPM_ERRORS.get(code, code or 'it gave no reason')}.")
        with open_regular(os.path.join(folder, packed[0]), follow=False) as file:
            yield from _in_tarball(file, packed[0])
