"""The commands `check` and `recover`: find damage in a save, and save what is intact."""

from __future__ import annotations

import argparse

from tracker.commands.names import path_of
from tracker.commands.output import say
from tracker.text import shown_line


def check(asked: argparse.Namespace) -> int:
    from tracker.campaign.maintenance import idle_effects, superseded_entries
    from tracker.campaign.store import log_of
    from tracker.saves.save import Save

    path = path_of(asked)
    save = Save.open(path, write=False, tail="keep")
    save.read_whole()
    contents = save.read
    for bad in contents.bad:
        say(f"{asked.name}, line {bad.line}: {bad.why}.")
    for note in contents.notes:
        say(note)
    if contents.torn:
        say(f"{len(contents.torn)} bytes after the last intact entry are an unfinished write.")
    from tracker import games

    game = games.get(save.head.game)
    whole = log_of(save, game)
    for ident, first in superseded_entries(whole):
        why = f"a roll that entry {first} already continues" if first else "an entry that does not count"
        say(f"Entry {ident} continues {why}: it does not count.")
    for ident, at in idle_effects(whole, game.top):
        say(f"Entry {ident}: {shown_line(at)} doesn't exist, so this effect does nothing.")
    for line in game.lint(whole.state):
        say(line)
    wrong = len(contents.bad) + bool(contents.torn)
    say(f"{_entries(len(contents.blocks))} OK" + (f", {wrong} damaged." if wrong else ", no damage."))
    if wrong:
        say(f"`tracker recover {asked.name}` saves every intact entry in a new file.")
    return 1 if wrong else 0


def recover(asked: argparse.Namespace) -> int:
    from tracker.campaign.maintenance import recovered
    from tracker.saves.backups import find

    path = path_of(asked)
    target, found = recovered(path)
    say(f"Recovered {_entries(len(found.blocks))} into {target}; {path} is untouched.")
    for bad in found.bad:
        say(f"Left out: line {bad.line}, {bad.why}.")
    if found.unfinished:
        say(f"Left out: an unfinished write of {found.unfinished} bytes at the end.")
    if find(path):
        say(f"There are backups too: tracker backups {asked.name}")
    return 0


def _entries(number: int) -> str:
    return f"{number} {'entry' if number == 1 else 'entries'}"
