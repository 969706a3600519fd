"""Merge of two copies of one campaign that were both played: the result has every entry of both, each once."""

from __future__ import annotations

import contextlib
import os
import stat
import zlib
from collections.abc import Iterable

from tracker.campaign.fold import start, written
from tracker.campaign.hand_edits import find_edits
from tracker.campaign.log import Entry, Log
from tracker.campaign.save_log import duplicate
from tracker.campaign.session import SaveError, Session, Step
from tracker.games.api.phrases import counted
from tracker.records import NamedTuple
from tracker.saves import toml
from tracker.saves.blocks import Block
from tracker.saves.disk import Disk
from tracker.saves.errors import DamagedSave
from tracker.text import shown_line


class Merged(NamedTuple):
    """The result of a merge, for the player."""

    path: str
    """Path of the file that has all entries now."""
    first: int
    """Number of entries that only the first copy had."""
    second: int
    """Number of entries that only the second copy had."""
    both: int
    """Number of entries that both copies had."""
    changes: tuple[str, ...]
    """Phrases for the changes of the state, compared with the first copy."""
    superseded: int
    """Number of entries that no longer count, because the other copy finished the same roll earlier."""

    @property
    def entries(self) -> int:
        return self.first + self.second + self.both


def merge(first: str, second: str, target: str = "", step: Step | None = None, *, disk: Disk | None = None) -> Merged:
    """Add the entries of the campaign at the path `second` to the copy of it at `first`; `second` is only read.

    With `target`, a path that must not exist, `first` is only read too, and the united campaign is written there.
    `step` is called with the progress, from 0 to 1, while files are read. Raise SaveError, with nothing changed, if the
    two are not copies of one campaign, if one of them is damaged, or if an entry differs between them; Refused or
    SaveError if the result cannot be saved; OSError if a file cannot be read. Without `target`, raise UnmarkedTail if
    `first` ends in an entry without an end mark.
    """
    if os.path.realpath(first) == os.path.realpath(second):
        raise SaveError(f"{_name(first)} is the same file twice; give two copies.")
    if target and os.path.lexists(target):
        raise SaveError(f"{_name(target)} already exists; choose another name.")
    ours = Session.open(first, write=not target, step=step, disk=disk)
    try:
        new, counts = _compared(ours, second, step, writes=not target)
        if target:
            changes, ended = _write(ours, new, target)
        else:
            changes, ended = _take(ours, new)
    finally:
        ours.close(brief=True)
    sign = ours.sign
    if sign.word == "NOT SAVED":
        raise SaveError(f"{_name(first)} was not saved: {sign.why.rstrip('.')}.")
    return Merged(target or first, *counts, tuple(changes), ended)


def sentences(done: Merged, path: str, other: str) -> list[str]:
    """Return sentences for the player about a merge of the files at `path` and `other`.

    `done` is what `merge` returned for them. If both have the same name, their full paths tell them apart.
    """
    name, first, second = (_name(one) for one in (done.path, path, other))
    if first == second:
        first, second = _full_name(path), _full_name(other)
    if not done.second and done.path == path:
        more = f", and {done.first} more" if done.first else ""
        return [f"{first} already has every entry of {second}{more}."]
    parts = f"{done.first} only from {first}, {done.second} only from {second}, {done.both} from both"
    lines = [f"{name} has {counted(done.entries, 'entry')} now: {parts}."]
    if done.superseded:
        ends = counted(done.superseded, "entry")
        lines.append(f"A roll was finished in both copies; the first end counts, and {ends} of the other don't.")
    if done.changes:
        lines.append(f"Changed in {_name(path)}: {', '.join(map(shown_line, done.changes))}.")
    return lines


def _compared(
    ours: Session, second: str, step: Step | None, *, writes: bool
) -> tuple[list[Entry], tuple[int, int, int]]:
    """Return (entries that only the second copy has, (number only in ours, number only in the second, number in both)).

    `second` is the path of the second copy, of which nothing else stays in memory. `step` is called with the progress,
    from 0 to 1. `writes` is True if our copy is going to be changed. Raise SaveError if the two cannot be merged.
    """
    with contextlib.closing(_other(second, step)) as other:
        _check(ours, other, writes=writes)
        theirs = {block.entry["id"]: block for block in other.save.blocks}
        known = _compare(ours, theirs, _name(second))
        new = [block.entry for ident, block in theirs.items() if ident not in known]
        return new, (len(known) - (len(theirs) - len(new)), len(new), len(theirs) - len(new))


def _full_name(path: str) -> str:
    return shown_line(os.path.abspath(path), 200)


def _name(path: str) -> str:
    return shown_line(os.path.basename(path).removesuffix(".toml"))


def _other(path: str, step: Step | None) -> Session:
    """Return a read-only session of the second copy, at the path `path`, with every entry in memory.

    `step` is called with the progress, from 0 to 1. Raise SaveError if the copy cannot be read.
    """
    try:
        other = Session.open(path, write=False, tail="aside", step=step)
        other.save.read_whole(step)
    except DamagedSave as error:  # the command line would offer a way out for the first copy
        raise SaveError(str(error)) from None
    except OSError as error:
        raise SaveError(f"Can't read {path}: {error.strerror or error}.") from None
    return other


def _unfit(session: Session) -> str:
    """Return why a campaign cannot be merged as its file is, as a clause for the player, or ""."""
    if session.save.read.bad:
        return session.save.read.damage
    if session.save.read.torn:
        return "it ends in an unfinished write; open it once with tracker"
    if session.readonly and find_edits(session.save, session.game, session.log):
        return "its [state] was edited by hand; open it once with tracker"
    return ""


def _check(ours: Session, other: Session, *, writes: bool) -> None:
    """Raise SaveError if these are different campaigns, or if the file of one of them cannot be merged.

    With `writes`, also raise it if ours is read-only.
    """
    name, second = _name(ours.save.path), _name(other.save.path)
    if not ours.save.head.same_campaign(other.save.head):
        raise SaveError(f"{name} and {second} are different campaigns; only copies of one can be merged.")
    for session in (ours, other):
        if why := _unfit(session):
            raise SaveError(f"{_name(session.save.path)} can't be merged: {why}.")
    if writes and ours.readonly:
        raise SaveError(f"{name} can't be changed now: {ours.readonly}.")


def _compare(ours: Session, theirs: dict[str, Block], second: str) -> set[str]:
    """Return the ids of all our entries. Raise SaveError if one of them has other content in the second copy.

    `theirs` has the blocks of the second copy by the entry's id, and `second` is its name for messages.
    """
    try:
        sums = dict(ours.save.sums())
        suspects = {ident for ident, crc in sums.items() if ident in theirs and crc != _sum(theirs[ident])}
        for ident, text in ours.save.holding(suspects):
            mine = toml.parse(text.encode())["entry"][0]
            if not toml.same(mine, theirs[ident].entry):
                raise SaveError(
                    f"Entry {ident} is not the same in {_name(ours.save.path)} and {second};"
                    " make it equal in one of the files, then merge them."
                )
    except OSError as error:
        raise SaveError(f"Can't read {ours.save.path}: {error.strerror or error}.") from None
    return {*sums, *(entry["id"] for entry in ours.log.entries)}


def _sum(block: Block) -> int:
    return zlib.crc32(block.body if block.body.endswith(b"\n") else block.body + b"\n")


def _take(ours: Session, new: list[Entry]) -> tuple[list[str], int]:
    """Make a backup of our copy, then add the new entries to it.

    Return (phrases for what changed, number of entries that no longer count). Raise Refused if they cannot be added,
    and Changed or OSError if the file cannot be read.
    """
    before, ended = ours.state, _superseded(ours.log.entries, ours.log)
    if new:
        ours.save.snapshot()  # one that fails is no reason to keep two stories
    ours.take(new)
    ours.settle()
    ours.adopt_late()
    later = _superseded(ours.log.entries, ours.log)
    return ours.game.changes(before, ours.state, ""), len(later - ended)


def _write(ours: Session, new: list[Entry], target: str) -> tuple[list[str], int]:
    """Write a file with our entries and the new ones to the path `target`; our copy stays unchanged.

    Return (phrases for what changed, number of entries that no longer count). Raise SaveError on failure.
    """
    top, whole = ours.game.top, ours.save.whole()
    entries = [block.entry for block in whole.blocks]
    log = Log(top, start(top), [*entries])
    log.merge(new)
    copy = duplicate(ours.save, ours.game, written(top, log.state), new, whole)
    try:
        mode = stat.S_IMODE(os.stat(ours.save.real).st_mode) & 0o777
        ours.save.disk.write_file(target, copy.data, mode)
    except OSError as error:
        raise SaveError(f"Can't write {_name(target)}: {error.strerror or error}.") from None
    ended = _superseded(entries, log) - _superseded(entries, Log(top, start(top), entries))
    return ours.game.changes(ours.state, log.state, ""), len(ended)


def _superseded(entries: Iterable[Entry], log: Log) -> set[str]:
    return {entry["id"] for entry in entries if log.superseded(entry)}
