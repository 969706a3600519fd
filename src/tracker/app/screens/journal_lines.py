"""The journal's items as lines."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from tracker.app.drawings import tone_style
from tracker.campaign.history import history
from tracker.campaign.journal import Item, changed, in_one, items, name_of, story
from tracker.campaign.session import Session
from tracker.games.api.game import Game
from tracker.text import shown, shown_line


def journal(session: Session, *, folded: bool = False) -> Iterator[Content]:
    """What the journal shows, newest first; one piece per thing that happened, its lines joined; some are empty."""
    happened = items(session, history(session)) if folded else story(session)
    return (told(session.game, one, name_of(session, one.entry), folded=folded) for one in happened)


def told(game: Game, one: Item, who: str = "", *, folded: bool = False) -> Content:
    """One item: prose as it was typed, mechanics in two short lines; without those, nothing or the prose alone."""
    lines = [*([] if folded and not one.heading else mechanics(game, one, who)), *_prose(one, who)]
    gone = one.undone or one.superseded
    if not lines or not (gone or one.struck):
        return Content("\n").join(lines)
    word = "undone" if one.undone else "does not count" if one.superseded else "struck"
    if gone or folded:
        lines = [Content(next((line.plain.strip() for line in lines if line.plain.strip()), ""))]
    struck = [Content.styled(line.plain, "strike $faint") for line in lines]
    return Content.assemble(Content("\n").join(struck), (f"  {word}", "$faint"))


def _prose(one: Item, who: str) -> list[Content]:
    """In a party a line says whose it is."""
    if not one.text:
        return []
    paragraphs = [Content(line) for line in shown(one.text).split("\n")]
    if who:
        paragraphs[0] = Content.assemble((f"{who}: ", "$muted"), paragraphs[0])
    return paragraphs


def mechanics(game: Game, one: Item, who: str) -> list[Content]:
    """What happened by the rules, or the heading that begins a part of the story."""
    if one.heading:
        return [Content(), Content.styled(shown_line(one.heading), "bold $key")]
    entry = one.entry
    did = entry.get("did", "")
    phrases = in_one([phrase for each in reversed(one.changes) for phrase in changed(each)])
    if did not in game.moves:
        return [Content.styled(f"   {f'{who}: ' if who else ''}{', '.join(phrases)}", "$faint")] if phrases else []
    card = game.card(did, entry.get("facts", {}))
    name = f"{who}: {game.moves[did].name}" if who else game.moves[did].name
    if entry.get("open"):
        lines = [Content.assemble(("… ", "$mid"), (f"{name}, not finished", "$mid"))]
    elif card.mark:
        hue = tone_style(card.tone)
        lines = [Content.assemble((f"{card.mark} {card.told}", hue), (f"  {name}", "$muted"))]
    else:
        lines = [Content.styled(name, "$muted")]
    said = card.short or (card.sum if card.mark or not phrases else "")
    detail = ", ".join(filter(None, [said, *phrases]))
    return [*lines, Content.styled(f"   {detail}", "$faint")] if detail else lines
