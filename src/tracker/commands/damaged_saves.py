"""The commands `check` and `recover`: find damage in a save, and save what is intact."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tracker.commands.campaign_lookup import path_of, quoted
from tracker.commands.output import say, say_json
from tracker.games.api.phrases import counted
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.campaign.log import Log
    from tracker.games.api.game import Game


FEW = 5
"""Most effects without effect that `check` names one by one."""


def check(asked: argparse.Namespace) -> int:
    from tracker.campaign.hand_edits import wrong_edit
    from tracker.campaign.save_log import log_of
    from tracker.saves.save import Save

    path = path_of(asked)
    save = Save.open(path, write=False, tail="keep")
    save.read_whole()
    contents = save.read
    from tracker import games

    game = games.get(save.head.game)
    whole = log_of(save, game)
    edit = wrong_edit(save, game, contents)
    damage = [*([edit] if edit else ()), *((bad.line, f"{bad.why}.") for bad in contents.bad)]
    if contents.torn:
        damage.append(
            (save.line_at(contents.end), f"{counted(len(contents.torn), 'byte')} at the end are an unfinished write.")
        )
    wrong = len(damage)
    notes = [*contents.notes, *_notes(whole, game)]
    if asked.json:
        told = [{"line": line, "why": why.removesuffix(".")} for line, why in damage]
        name = save.name.removesuffix(".toml")
        say_json({"name": name, "entries": len(contents.blocks), "damaged": wrong, "damage": told, "notes": notes})
        return 1 if wrong else 0
    name = shown_line(save.name.removesuffix(".toml"))
    for line, why in damage:
        say(f"{name}, line {line}: {why}")
    for note in notes:
        say(f"{name}: {note}")
    say(f"{name}: {counted(len(contents.blocks), 'entry')} OK" + (f", {wrong} damaged." if wrong else ", no damage."))
    if wrong:
        say(f"`tracker recover {quoted(asked.name)}` saves every intact entry in a new file.")
    return 1 if wrong else 0


def _notes(whole: Log, game: Game) -> Iterator[str]:
    """Yield sentences for the player about what does not count in a campaign.

    These are each entry that continues another one in vain, the first FEW effects that do nothing and how many more
    there are, and what the game's checks find in the state. `whole` is the log of all entries.
    """
    from tracker.campaign.maintenance import idle_effects, superseded_entries

    for ident, first in superseded_entries(whole):
        why = f"a roll that entry {first} already continues" if first else "an entry that does not count"
        yield f"Entry {ident} continues {why}: it does not count."
    idle = idle_effects(whole, game.top)
    for ident, at in idle[:FEW]:
        yield f"Entry {ident} changes {shown_line(at)} in a way that is not possible, so this does nothing."
    if len(idle) > FEW:
        yield f"{len(idle) - FEW} more changes do nothing."
    yield from game.lint(whole.state)


def recover(asked: argparse.Namespace) -> int:
    from tracker.campaign.maintenance import recovered
    from tracker.saves.backups import find

    path = path_of(asked)
    target, found = recovered(path)
    if asked.json:
        left_out = [{"line": bad.line, "why": bad.why} for bad in found.bad]
        say_json({"path": target, "entries": len(found.blocks), "left_out": left_out, "unfinished": found.unfinished})
        return 0
    say(f"Recovered {counted(len(found.blocks), 'entry')} into {target}; {path} is untouched.")
    for bad in found.bad:
        say(f"Left out: line {bad.line}, {bad.why}.")
    if found.unfinished:
        say(f"Left out: an unfinished write of {found.unfinished} bytes at the end.")
    if find(path):
        say(f"There are backups too: tracker backups {quoted(asked.name)}")
    return 0
