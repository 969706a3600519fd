"""Journal lines as styled text."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from tracker.app.drawings import tone_style
from tracker.campaign.history import history
from tracker.campaign.journal import JournalLine, lines, story
from tracker.campaign.session import Session
from tracker.text import shown, shown_line


def journal(session: Session, *, folded: bool = False) -> Iterator[Content]:
    """Return the journal newest first, one text of several rows for each entry; hidden entries are empty."""
    happened = lines(session, history(session)) if folded else story(session)
    return (told(one, folded=folded) for one in happened)


def told(one: JournalLine, *, folded: bool = False) -> Content:
    """Return one entry: prose as typed, mechanics in two short rows. `folded` leaves only prose and headings."""
    rows = [*([] if folded and not one.heading else mechanics(one)), *_prose(one)]
    if not rows or not one.status:
        return Content("\n").join(rows)
    if folded or one.status != "struck":
        rows = [Content(next((row.plain.strip() for row in rows if row.plain.strip()), ""))]
    struck = [Content.styled(row.plain, "strike $faint") for row in rows]
    return Content.assemble(Content("\n").join(struck), (f"  {one.status}", "$faint"))


def _prose(one: JournalLine) -> list[Content]:
    """Return the paragraphs of prose; in a party the first begins with the speaker's name."""
    if not one.text:
        return []
    paragraphs = [Content(line) for line in shown(one.text).split("\n")]
    if one.who:
        paragraphs[0] = Content.assemble((f"{one.who}: ", "$muted"), paragraphs[0])
    return paragraphs


def mechanics(one: JournalLine) -> list[Content]:
    """Return the rows for what happened by the rules, or the heading of a new part."""
    if one.heading:
        return [Content(), Content.styled(shown_line(one.heading), "bold $key")]
    who = f"{one.who}: " if one.who else ""
    phrases, card, name = one.phrases, one.card, f"{who}{one.name}"
    if card is None:
        return [Content.styled(f"   {who}{', '.join(phrases)}", "$faint")] if phrases else []
    if one.entry.get("open"):
        rows = [Content.assemble(("… ", "$mid"), (f"{name}, not finished", "$mid"))]
    elif card.mark:
        hue = tone_style(card.tone)
        rows = [Content.assemble((f"{card.mark} {card.told}", hue), (f"  {name}", "$muted"))]
    else:
        rows = [Content.styled(name, "$muted")]
    said = card.short or (card.sum if card.mark or not phrases else "")
    detail = ", ".join(filter(None, [said, *phrases]))
    return [*rows, Content.styled(f"   {detail}", "$faint")] if detail else rows
