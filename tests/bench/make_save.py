"""Makes a campaign of any length, always the same one: `python -m tests.bench.make_save PATH COUNT`."""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tracker import games
from tracker.campaign.fold import fold, locate, start
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.campaign.state import thaw
from tracker.games.api.schema import Effect, State
from tracker.games.ironsworn.state import STATS
from tracker.saves import blocks, toml
from tracker.saves.blocks import Entry
from tracker.saves.head import Head
from tracker.saves.save import Save

GAME = games.get("ironsworn")
FAR = 10
"""The entry that raises edge: no other one touches it, so that it shows when this one is undone."""
EDGE = 2
"""What edge is without it."""
MOMENTUM = 6

_WHO = "kara"
_CHARACTER: Effect = {"at": "party", "add": {"id": _WHO, "name": "Kara", "edge": EDGE, "heart": 2, "iron": 3}}
_VOW: Effect = {"at": "tracks", "add": {"id": "heir", "name": "Find the heir", "kind": "vow", "rank": "epic"}}
_CHANGED = ("kara.health", "kara.spirit", "kara.momentum", "supply", "tracks.heir.ticks")
_BEGAN = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)


def line(number: int) -> str:
    """Return the text of the journal line with this number; it fits in one row."""
    return f"Line {number} of the tale."


def ident(number: int) -> str:
    """Return the id of the entry with this number."""
    return f"bench.{number}"


def make_save(path: str, count: int, *, after: int = 0, seed: int = 1, only_lines: bool = False) -> None:
    """Write a save of `count` entries to this path, the last `after` of them written since the last compaction.

    The newest entry is `line(count)`, and momentum is MOMENTUM.
    """
    Save.create(path, Head(id="bench", game=GAME.id, rules=GAME.rules, state=thaw(start(GAME.top))))
    chunks = []
    for entry in _campaign(count, random.Random(seed), only_lines=only_lines):
        body = toml.emit_entry(entry)
        chunks.append(body + blocks.mark(entry["t"], body))
    _append(path, chunks[: count - after])
    compact(path)
    _append(path, chunks[count - after :])


def _append(path: str, chunks: list[bytes]) -> None:
    with open(path, "ab") as file:
        file.writelines(chunks)


def compact(path: str) -> None:
    """Compact a save, as leaving a campaign does."""
    Session.open(path).close()


def _campaign(count: int, luck: random.Random, *, only_lines: bool) -> Iterator[Entry]:
    """Yield `count` entries: lines, changes, rolls and undos.

    Rolls and undos are in the first half of every hundred. The last fifty entries of each full hundred are one item
    each, so that fifty undos are the same work in a short save as in a long one. The last of them undoes a line.
    """
    fixed = {1: "character", 2: "vow", FAR: "edge", count - 1: "momentum", count: "line"}
    state = before = start(GAME.top)
    said: list[dict[str, Any]]
    kind, n = "", 1
    while n <= count:
        kind = fixed.get(n) or ("line" if only_lines else _kind(n, n + 1 in fixed, kind, luck))
        if kind == "undo":
            said, after = [{"did": "undo", "undoes": ident(n - 1)}], before
        else:
            said = list(_said(kind, n, state, luck))
            after = fold(GAME.top, state, [effect for entry in said for effect in entry.get("effects", ())])
        for keys in said:
            yield {"id": ident(n), "t": n, "at": _BEGAN + timedelta(minutes=n), **keys}
            n += 1
        state, before = after, state


def _kind(n: int, fixed_next: bool, last: str, luck: random.Random) -> str:
    if n % 100 == 51:
        return "line"
    kinds = ["line"] * 9 + ["change"] * 5
    if n % 100 < 50 and not fixed_next:
        kinds += ["roll"] * 6
    if n % 100 < 50 and last in {"line", "change", "roll"}:
        kinds += ["undo"]
    return luck.choice(kinds)


def _said(kind: str, n: int, state: State, luck: random.Random) -> Iterator[dict[str, Any]]:
    """Yield the entries of one item: one entry, or two for a roll, the dice as they fell and the outcome."""
    match kind:
        case "character":
            yield {"did": "character/make", "effects": [_CHARACTER]}
        case "vow":
            yield {"who": _WHO, "did": "quest/swear_an_iron_vow", "effects": [_VOW]}
        case "line":
            yield {"who": _WHO, "did": "journal", "text": line(n)}
        case "roll":
            yield from _roll(n, state, luck)
        case "momentum":
            yield _change({"at": "kara.momentum", "to": MOMENTUM}, state)
        case "edge":
            yield _change({"at": "kara.edge", "by": 1}, state)
        case _:
            at = luck.choice(_CHANGED)
            found = locate(GAME.top, state, at)
            # Never down to the bottom, where one change brings others with it.
            yield _change({"at": at, "by": 1 if found and found[2] < 3 else -1}, state)


def _change(effect: Effect, state: State) -> dict[str, Any]:
    changed = GAME.changes(state, fold(GAME.top, state, [effect]), _WHO)
    return {"who": _WHO, "did": "change", "facts": {"changed": changed}, "effects": [effect]}


def _roll(n: int, state: State, luck: random.Random) -> Iterator[dict[str, Any]]:
    dice = {"action": luck.randint(1, 6), "challenge": [luck.randint(1, 10), luck.randint(1, 10)]}
    given = [["using", luck.choice(STATS)], ["dice", dice], ["choose", ["momentum"]]]
    run = Run(GAME, GAME.moves["adventure/face_danger"], _WHO, state, given)
    rolled = [key for key, _ in run.answers].index("dice") + 1
    facts = {**run.draft.facts, "changed": GAME.changes(state, run.draft.state, _WHO)}
    made = {"who": _WHO, "did": run.move.id}
    yield {**made, "open": True, "answers": run.answers[:rolled]}
    yield {**made, "closes": ident(n), "answers": run.answers, "facts": facts, "effects": run.draft.effects}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("path")
    asked.add_argument("count", type=int)
    asked.add_argument("--after", type=int, default=0, help="how many of them were written since the last compaction")
    asked.add_argument("--seed", type=int, default=1)
    with tempfile.TemporaryDirectory() as data:
        os.environ["XDG_DATA_HOME"] = data  # no backups at home
        make_save(**vars(asked.parse_args()))


if __name__ == "__main__":
    main()
