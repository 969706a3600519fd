"""The packs that a campaign uses: tables, assets and texts that the player has installed besides the game's own.

`scenes` puts `LAYOUT` and `MOVES` into every game. The state names the packs only; what a character takes from a pack
is copied into the state, so that a campaign plays on without the pack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.game import Move
from tracker.games.api.schema import Collection, Kind, Line, Record
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.phrases import Phrases

LAYOUT: dict[str, Kind] = {"packs": Collection(Record({"version": Line(), "sha": Line(), "title": Line(200)}))}
"""The field that the top of a game's schema needs: the packs by id, with the hash that they had when taken."""
PHRASES: Phrases = {
    "+packs": lambda change: f"pack: {shown_line(change.new['title'])}",
    "-packs": lambda change: f"without the pack {shown_line(change.old['title'])}",
    "packs.*.version": "",
    "packs.*.sha": "pack brought up to date: {name}",
    "packs.*.title": "",
}
"""Phrases for the changes of packs."""


def use_packs(table: Draft) -> Procedure:
    """Ask which of the installed packs the campaign uses, and record those that are new, gone or changed."""
    from tracker.games.api.prompts import Choose, Option

    used = table.state["packs"]
    there = {pack.id: pack for pack in table.content().installed}
    if not there and not used:
        raise Refused("No packs are installed yet; `tracker packs add` brings one.")
    titles = {ident: shown_line(pack.title) for ident, pack in there.items()}
    titles |= {ident: shown_line(pack["title"]) for ident, pack in used.items() if ident not in there}
    chosen = yield Choose(
        key="packs",
        title="Which packs?",
        options=tuple(
            Option(ident, title or ident, ident if ident in there else f"{ident}, not installed")
            for ident, title in sorted(titles.items(), key=lambda one: one[1].casefold())
        ),
        least=0,
        most=len(titles),
        default=list(used),
    )
    for ident in used:
        if ident not in chosen:
            table.drop("packs", ident)
    for ident in chosen:
        pack = there.get(ident)
        if ident not in used and pack:
            table.add("packs", {"id": ident, "version": pack.version, "sha": pack.sha, "title": pack.title})
        elif pack and pack.sha != used[ident]["sha"]:
            for field in ("version", "sha", "title"):
                table.to(f"packs.{ident}.{field}", getattr(pack, field))


USE = Move(
    "packs/use",
    "Packs of this campaign",
    use_packs,
    "packs",
    "You play with more tables, assets and texts, or with fewer.",
    solo=True,
)
MOVES = {USE.id: USE}
"""The move that says which packs the campaign uses, the same in every game."""
