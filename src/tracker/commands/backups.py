"""The commands `backups` and `restore`."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from tracker.commands.campaign_lookup import begun_by, folder_of, quoted
from tracker.commands.output import say, say_json
from tracker.games.api.phrases import counted
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.saves.backups import Backup


def backups(asked: argparse.Namespace) -> int:
    """Print the backups of a campaign, newest first, with a number for `restore`; as JSON lines with `--json`.

    Return the exit code, 0. Raise SaveError if there are no backups, Refused if several campaigns begin with the name,
    and OSError if there is no data folder.
    """
    path, found = _backed_up(asked)
    _list_backups(path, found, json=asked.json)
    if asked.json:
        return 0
    say(f"To restore one as a new campaign: tracker restore {quoted(asked.name)} 1")
    return 0


def restore(asked: argparse.Namespace) -> int:
    """Restore the backup that the argument WHEN names, as a new campaign or, with `--in-place`, over the present one.

    Without WHEN, print the backups and how to restore one. Return the exit code, 0. Raise SaveError if there is no such
    backup or it cannot be restored, Refused if several campaigns begin with the name, and OSError if there is no data
    folder.
    """
    from tracker.saves import backups as bring_back

    path, found = _backed_up(asked)
    if not asked.when:
        _list_backups(path, found, json=asked.json)
        if asked.json:
            return 0
        name = quoted(asked.name)
        say(f"Which one? As a new campaign: tracker restore {name} 1")
        say(f"In place (the campaign is kept as a backup): tracker restore {name} 1 --in-place")
        return 0
    one = bring_back.chosen(found, " ".join(asked.when))
    if not asked.in_place:
        target = bring_back.as_new(one, saves_folder.make_saves_folder(saves_folder.folder_for(path)))
        name = os.path.basename(target).removesuffix(".toml")
        if asked.json:
            say_json({"name": name, "path": target, "when": _when(one), "replaced": ""})
            return 0
        given = os.path.dirname(os.path.abspath(target)) != os.path.abspath(folder_of(asked))
        say(f"Restored the backup of {one.when:%Y-%m-%d %H:%M} as {name}.")
        say(f"To play: tracker {quoted(target if given else name)}")
        return 0
    saves_folder.make_saves_folder(os.path.dirname(os.path.realpath(path)))
    kept = bring_back.in_place(one, path)
    if asked.json:
        say_json({"name": asked.name, "path": path, "when": _when(one), "replaced": kept or ""})
        return 0
    say(f"Restored {asked.name} as of {one.when:%Y-%m-%d %H:%M}.")
    if kept:
        say(f"The replaced version is kept as {kept}.")
    return 0


def _backed_up(asked: argparse.Namespace) -> tuple[str, list[Backup]]:
    """Return (path of the campaign, its backups, newest first), and make `asked.name` its whole name.

    The campaign's file may be gone. Raise SaveError if it has no backups, Refused if several campaigns begin with the
    name, and OSError if there is no data folder.
    """
    from tracker.saves import backups as saved
    from tracker.saves.backups import backups_folder, beside, find

    folder = folder_of(asked)
    path = saves_folder.match_case(saves_folder.path_of(asked.name, folder))
    if found := find(path):
        return path, found
    if path == os.path.join(folder, f"{asked.name}.toml"):
        there = saves_folder.names(folder) if os.path.isdir(folder) else []
        if begun := begun_by(asked.name, dict.fromkeys([*there, *saved.names(folder)])):
            asked.name, path = begun, os.path.join(folder, f"{begun}.toml")
            if found := find(path):
                return path, found
    raise SaveError(
        f"No backups of “{shown_line(asked.name)}” in {beside(os.path.realpath(path))} or {backups_folder()}."
    )


def _when(backup: Backup) -> str:
    """Return the time of a backup in ISO format, with the offset of the local time."""
    return backup.when.astimezone().isoformat()


def _list_backups(path: str, found: list[Backup], *, json: bool) -> None:
    """Print the backups in `found`, newest first, with their numbers; with `json`, one JSON object a line.

    `path` is that of the campaign. A backup that had another name then is printed with that name.
    """
    from tracker.saves.backups import ago, look
    from tracker.saves.compaction import BACKUPS

    name = os.path.basename(path).removesuffix(".toml").casefold()
    for number, one in enumerate(found, 1):
        entries, problem = look(one)
        if json:
            told = {"number": number, "when": _when(one), "kind": one.kind, "name": one.name}
            say_json({**told, "entries": entries, "problem": problem, "paths": one.paths})
            continue
        called = "" if one.name.casefold() == name else f" of “{shown_line(one.name)}”"
        beside = any(os.path.basename(os.path.dirname(path)) == BACKUPS for path in one.paths)
        away = not beside or len(one.paths) > 1
        where = " and ".join(filter(None, ("beside the save" if beside else "", "in the data folder" if away else "")))
        say(
            f"{number:>3}  {one.when:%Y-%m-%d %H:%M}  {ago(one.when):<15} {counted(entries, 'entry'):>15}  "
            f"{f'damaged: {problem}' if problem else 'intact'}, {one.kind}{called}, {where}"
        )
