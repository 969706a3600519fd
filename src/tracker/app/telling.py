"""Entries as lines of the journal."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from tracker.app.draw import tone_style
from tracker.games.base import Game
from tracker.table.history import history
from tracker.table.log import Entry
from tracker.table.session import Session
from tracker.text import shown


def journal(session: Session) -> Iterator[Content]:
    """What the journal shows, newest first; one item per thing that happened, its lines joined."""
    open_now = {entry["id"] for entry in session.log.open_runs()}
    several = len(session.state["party"]) > 1
    for entry, undone in history(session):
        if "undoes" in entry or (entry.get("open") and entry["id"] not in open_now and not undone):
            continue
        if entry.get("open") and undone:
            continue
        who = session.state["party"].get(entry.get("who", ""), {}).get("name", "") if several else ""
        yield told(session.game, entry, undone=undone, who=shown(who))


def told(game: Game, entry: Entry, *, undone: bool, who: str = "") -> Content:
    """One entry: prose as it was typed, mechanics in two short lines."""
    did = entry.get("did", "")
    text = shown(entry.get("text", ""))
    facts = entry.get("facts", {})
    changed = [shown(str(phrase)) for phrase in facts.get("changed", ())]
    lines: list[Content] = []
    if did in game.moves:
        card = game.card(did, facts)
        name = f"{who}: {game.moves[did].name}" if who else game.moves[did].name
        if entry.get("open"):
            lines.append(Content.assemble(("… ", "$mid"), (f"{name}, not finished", "$mid")))
        elif card.mark:
            hue = tone_style(card.tone)
            lines.append(Content.assemble((f"{card.mark} {card.outcome.lower()}", hue), (f"  {name}", "$muted")))
        else:
            lines.append(Content.styled(name, "$muted"))
        said = card.short or (card.sum if card.mark or not changed else "")
        detail = ", ".join(filter(None, [said, *changed]))
        if detail:
            lines.append(Content.styled(f"   {detail}", "$faint"))
    elif changed:
        lines.append(Content.styled(f"   {f'{who}: ' if who else ''}{', '.join(changed)}", "$faint"))
    if text:
        lines.append(Content(text))
    if undone:
        first = lines[0] if lines else Content(did)
        return Content.assemble(
            Content.styled(first.plain.split("\n")[0].strip(), "strike $faint"), ("  undone", "$faint")
        )
    return Content("\n").join(lines)
