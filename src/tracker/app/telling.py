"""Entries as lines of the journal."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from tracker.app.draw import tone_style
from tracker.games.base import Game
from tracker.table.history import history
from tracker.table.log import Entry
from tracker.table.session import Session
from tracker.text import shown, shown_line


def journal(session: Session) -> Iterator[Content]:
    """What the journal shows, newest first; one item per thing that happened, its lines joined.

    Changes by hand that follow each other are one item: eight ticks are not eight lines of the story.
    """
    open_now = {entry["id"] for entry in session.log.open_runs()}
    several = len(session.state["party"]) > 1
    changes: list[Entry] = []
    were_undone = False
    for entry, undone in history(session):
        if "undoes" in entry or (entry.get("open") and (undone or entry["id"] not in open_now)):
            continue
        by_hand = entry.get("did") == "change"
        if changes and not (by_hand and undone == were_undone and entry.get("who") == changes[-1].get("who")):
            yield _told_changes(session, changes, undone=were_undone, several=several)
            changes = []
        if by_hand:
            changes.append(entry)
            were_undone = undone
        else:
            yield told(session.game, entry, undone=undone, who=_name(session, entry) if several else "")
    if changes:
        yield _told_changes(session, changes, undone=were_undone, several=several)


def _name(session: Session, entry: Entry) -> str:
    return shown_line(session.state["party"].get(entry.get("who", ""), {}).get("name", ""))


def _told_changes(session: Session, changes: list[Entry], *, undone: bool, several: bool) -> Content:
    """Changes by hand, newest first, in one line, oldest first."""
    told_before = [phrase for entry in reversed(changes) for phrase in phrases(entry)]
    joined = {**changes[0], "facts": {"changed": told_before}}
    return told(session.game, joined, undone=undone, who=_name(session, changes[0]) if several else "")


def phrases(entry: Entry) -> list[str]:
    """What an entry changed, in the words that were kept with it; a person may have put anything there."""
    changed = entry.get("facts", {}).get("changed")
    return [str(phrase) for phrase in changed] if isinstance(changed, list) else []


def told(game: Game, entry: Entry, *, undone: bool, who: str = "") -> Content:
    """One entry: prose as it was typed, mechanics in two short lines."""
    did = entry.get("did", "")
    text = shown(entry.get("text", ""))
    facts = entry.get("facts", {})
    changed = [shown(phrase) for phrase in phrases(entry)]
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
