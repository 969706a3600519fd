"""What a power cut may leave: a model of a disk on which only what was synced is sure to be."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.faults.disks import Call

Names = dict[str, int]
"""Which file a path leads to, by the file's number."""


@dataclass
class File:
    """Bytes that are sure, and what was done to them since."""

    sure: bytes = b""
    now: bytes = b""


@dataclass
class Platter:
    """Follows the calls one by one; `after_a_cut` tells the ways in which the power may go right then."""

    files: dict[int, File] = field(default_factory=dict)
    sure: Names = field(default_factory=dict)
    now: Names = field(default_factory=dict)
    pending: list[tuple[str, Names]] = field(default_factory=list)
    """Each folder whose names were changed since its sync, with all names as they were from then on."""

    def follow(self, call: Call) -> None:
        match call.name, call.args:
            case "open", (path, number, emptied):
                if self.now.get(path) != number:
                    self.files.setdefault(number, File())
                    self._name({**self.now, path: number}, path)
                if emptied:
                    self.files[number].now = b""
            case "write", (number, data):
                self.files[number].now += data
            case "truncate", (number, size):
                self.files[number].now = self.files[number].now[:size]
            case "sync", (number,):
                self.files[number].sure = self.files[number].now
            case "replace", (source, target):
                names = {**self.now, target: self.now[source]}
                del names[source]
                self._name(names, target)
            case "link", (source, target):
                self._name({**self.now, target: self.now[source]}, target)
            case "unlink", (path,):
                self._name({name: number for name, number in self.now.items() if name != path}, path)
            case "sync_folder", (folder,):
                self._sync_names(folder)

    def _name(self, names: Names, path: str) -> None:
        self.now = names
        self.pending.append((os.path.dirname(path), names))

    def _sync_names(self, folder: str) -> None:
        """The journal goes in order: with a change in this folder all before it are sure too."""
        last = max((n for n, (where, _) in enumerate(self.pending, 1) if where == folder), default=0)
        if last:
            self.sure = self.pending[last - 1][1]
            del self.pending[:last]

    def after_a_cut(self, path: str) -> Iterator[tuple[str, bytes | None]]:
        """What may be found under this path, and how it came to that; None is nothing."""
        for n, names in enumerate([self.sure, *(names for _, names in self.pending)]):
            which = f"{n} of {len(self.pending)} changes of names"
            if path not in names:
                yield f"{which}, no file", None
                continue
            file = self.files[names[path]]
            yield f"{which}, nothing that was not synced", file.sure
            yield f"{which}, everything", file.now
            grown = max(0, len(file.now) - len(file.sure))
            if grown and file.now.startswith(file.sure):
                half = len(file.sure) + grown // 2
                yield f"{which}, zeros for what was not synced", file.sure + b"\0" * grown
                yield f"{which}, half of it", file.now[:half]
                yield f"{which}, half of it and zeros", file.now[:half] + b"\0" * (len(file.now) - half)
                yield f"{which}, zeros and its last half", file.sure + b"\0" * (half - len(file.sure)) + file.now[half:]


def losses(calls: Sequence[Call], path: str) -> Iterator[str]:
    """What a power cut after some call would cost: one line for each way in which a promise would be broken."""
    from tests.faults.campaign import found_in

    platter, said = Platter(), set[str]()
    seen: dict[bytes, set[str] | str] = {}
    made = False
    for n, call in enumerate(calls, 1):
        platter.follow(call)
        if call.name == "said":
            said |= set(call.args)
            made = True
        for how, data in platter.after_a_cut(path):
            where = f"call {n} ({call.name}): {how}"
            if data is None:
                if made:
                    yield f"{where}: the save is gone"
                continue
            if data not in seen:
                seen[data] = found_in(data)
            found = seen[data]
            if isinstance(found, str):
                if made:
                    yield f"{where}: {found}"
            elif missing := said - found:
                yield f"{where}: lost {', '.join(sorted(missing))}"
