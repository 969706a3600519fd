"""What a power cut may leave: a model of a disk on which only what was synced is sure to be."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.faults.campaign import found_in
from tests.faults.disks import Call

Names = dict[str, int]
"""Which file a path leads to, by the file's number."""
Found = dict[str, bytes]
"""What a path leads to."""


@dataclass
class File:
    """The bytes of a file that are durable, and what was done to them since."""

    sure: bytes = b""
    now: bytes = b""


@dataclass
class Platter:
    """A model of the disk that follows the calls; `after_a_cut` yields what a power cut may leave at that moment."""

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
            case "exchange", (one, other):
                self._name({**self.now, one: self.now[other], other: self.now[one]}, other)
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
        """Make a change in this folder durable, with all before it, since the filesystem's journal goes in order."""
        last = max((n for n, (where, _) in enumerate(self.pending, 1) if where == folder), default=0)
        if last:
            self.sure = self.pending[last - 1][1]
            del self.pending[:last]

    def after_a_cut(self) -> Iterator[tuple[str, Found]]:
        """Yield each state of the disk that a power cut can leave, and how it comes about."""
        for n, names in enumerate([self.sure, *(names for _, names in self.pending)]):
            for how, left in WAYS.items():
                found = {path: left(self.files[number]) for path, number in names.items()}
                yield f"{n} of {len(self.pending)} changes of names, {how}", found


def _zeros(file: File) -> bytes:
    return file.sure + b"\0" * (len(file.now) - len(file.sure))


def _half(file: File) -> bytes:
    return file.now[: _middle(file)] if _grown(file) else file.sure


def _half_and_zeros(file: File) -> bytes:
    return _half(file) + b"\0" * (len(file.now) - len(_half(file)))


def _zeros_and_half(file: File) -> bytes:
    """Return the file as a power cut leaves it when its second half reached the disk before its first."""
    return _zeros(file)[: _middle(file)] + file.now[_middle(file) :] if _grown(file) else file.sure


def _grown(file: File) -> bool:
    return len(file.now) > len(file.sure) and file.now.startswith(file.sure)


def _middle(file: File) -> int:
    return (len(file.sure) + len(file.now)) // 2


WAYS: dict[str, Callable[[File], bytes]] = {
    "nothing that was not synced": lambda file: file.sure,
    "everything": lambda file: file.now,
    "zeros for what was not synced": _zeros,
    "half of it": _half,
    "half of it and zeros": _half_and_zeros,
    "zeros and its last half": _zeros_and_half,
}


def losses(calls: Sequence[Call], path: str) -> Iterator[str]:
    """Yield a line for each promise that a power cut after some call would break."""
    platter, said, promised = Platter(), set[str](), False
    seen: dict[bytes, set[str] | str] = {}
    for n, call in enumerate(calls, 1):
        platter.follow(call)
        if call.name == "said":
            said, promised = said | set(call.args), True
        elif call.name == "edited":
            said, promised = set(), False
        if not promised:
            continue
        for how, left in platter.after_a_cut():
            data = left.get(path)
            found = "the save is gone" if data is None else _found(data, seen)
            if isinstance(found, str):
                yield f"call {n} ({call.name}), {how}: {found}"
            elif missing := said - found:
                yield f"call {n} ({call.name}), {how}: lost {', '.join(sorted(missing))}"


def _found(data: bytes, seen: dict[bytes, set[str] | str]) -> set[str] | str:
    if data not in seen:
        seen[data] = found_in(data)
    return seen[data]
