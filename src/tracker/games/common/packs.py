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
    "-packs": lambda change: f"pack removed: {shown_line(change.old['title'])}",
    "packs.*.version": "",
    "packs.*.sha": lambda change: (
        f"pack: {shown_line(change.after['packs'][change.path[1]]['title'])}, now the installed version"
    ),
    "packs.*.title": "",
}
"""Phrases for the changes of packs."""


_RENEW = "new."
"""Prefix of the key of an option that takes the installed version of a pack in use. Ids of packs have no dot."""


def use_pack(table: Draft) -> Procedure:
    """Ask for a pack that is installed or in use, and record that the campaign uses it, or that it no longer does.

    A pack in use can also be changed to the installed version. Raise Refused if there is no pack at all.
    """
    from tracker.games.api.prompts import Option, Pick

    used = table.state["packs"]
    there = {pack.id: pack for pack in table.content().installed()}
    if not there and not used:
        raise Refused("No packs are installed yet; `tracker packs add` installs one.")
    options = [
        *(Option(ident, shown_line(pack.title), "add it") for ident, pack in there.items() if ident not in used),
        *(
            Option(f"{_RENEW}{ident}", shown_line(pack.title), "change to the installed version")
            for ident, pack in there.items()
            if ident in used and pack.sha != used[ident]["sha"]
        ),
        *(
            Option(
                ident,
                shown_line(pack["title"]) or ident,
                "in use: remove it" if ident in there else "in use, not installed: remove it",
            )
            for ident, pack in used.items()
        ),
    ]
    chosen = yield Pick(key="pack", title="Which pack?", options=tuple(options))
    ident = chosen.removeprefix(_RENEW)
    if chosen in used:
        table.drop("packs", ident)
    elif ident in used:
        for field in ("version", "sha", "title"):
            table.to(f"packs.{ident}.{field}", getattr(there[ident], field))
    else:
        pack = there[ident]
        table.add("packs", {"id": ident, "version": pack.version, "sha": pack.sha, "title": pack.title})


USE = Move(
    "packs/use",
    "Packs of this campaign",
    use_pack,
    "packs",
    "Choose packs: official or your own tables and assets.",
    solo=True,
)
MOVES = {USE.id: USE}
"""The move that says which packs the campaign uses, the same in every game."""
