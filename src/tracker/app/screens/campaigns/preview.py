"""Summary of the campaign under the cursor: where the players left off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, islice
from typing import NamedTuple

from textual.content import Content

from tracker.app.drawings import column, pips, segments
from tracker.app.widgets.journal_view import journal
from tracker.campaign.library import CampaignInfo, find, look_into, open_elsewhere
from tracker.campaign.session import SaveError, Session, Step
from tracker.games.api.format import signed
from tracker.games.api.view import Member, Meter, Momentum, is_shared
from tracker.text import shown_line

LAST = 8
"""Maximum of journal entries in the summary."""
_NAME, _LONGEST = 10, 20
"""Cells of a name: the usual width, and the maximum."""


class CampaignSummary(NamedTuple):
    """Summary of a campaign. If there is no room for all of `story`, its oldest lines are left out."""

    top: list[Content]
    story: Sequence[Content] = ()
    bottom: Sequence[Content] = ()
    damage: str = ""
    """Problem in the middle of the save, which its head does not show; else ""."""

    def fitted(self, width: int, height: int) -> list[Content]:
        """Return the lines, wrapped to `width` cells; only as many of `story` as fit into `height` rows."""
        top, story, bottom = (
            [part for line in lines for part in (line.wrap(width) if line else [line])]
            for lines in (self.top, self.story, self.bottom)
        )
        gap = [Content()] if height > len(top) + len(bottom) + 5 else []
        room = height - len(top) - len(bottom) - 2 * len(gap)
        newest = list(dropwhile(lambda line: not line.plain.strip(), story[-room:] if room > 0 else []))
        return [*top, *gap, *newest, *gap, *bottom]


def left_off(
    one: CampaignInfo,
    width: int,
    recovers: str = "R",
    *,
    restores: str = "B",
    ours: bool = False,
    step: Step | None = None,
) -> CampaignSummary:
    """Return scene, end of the journal, due items and numbers; or the problem of a damaged save.

    `recovers` and `restores` are the keys that help with a damaged save. Reads a save from its snapshot on, but may
    still take a while: call it in a thread, and let `step` raise to cancel.
    """
    if one.problem:
        return CampaignSummary(_damaged(one, recovers, restores))
    try:
        session = look_into(one, step)
    except (SaveError, OSError) as error:
        return CampaignSummary([Content.styled(shown_line(str(error), 300), "$mid")])
    if session.save.read.bad:
        first = session.save.read.bad[0]
        damage = f"Damaged at line {first.line}: {first.why}. It opens read-only."
        return CampaignSummary(_damaged(replace(one, problem=damage), recovers, restores), damage=damage)
    top = [_where(session, one)]
    if not ours and open_elsewhere(one.path):
        top.append(Content.styled("Open in another tracker: read-only here.", "$mid"))
    story = list(islice(filter(None, journal(session)), LAST))[::-1]
    members = session.game.members(session.state)
    owed = [f"{shown_line(member.name)}: {due.label}" for member in members for due in session.owed(member.id)]
    bottom = [Content.assemble(("due  ", "$mid"), ", ".join(owed))] if owed else []
    bottom += [_numbers(session, member, width) for member in members]
    return CampaignSummary(top, story or [Content.styled("No entries yet.", "$muted")], bottom)


def _where(session: Session, one: CampaignInfo) -> Content:
    """Return the campaign's name, its scene, and its session from the second on."""
    number = session.state.get("session", 1)
    parts = [f"session {number}" if number > 1 else "", shown_line(str(session.state.get("scene", "")))]
    place = ", ".join(filter(None, parts))
    return Content.assemble((shown_line(one.name), "bold"), (f"   {place}" if place else "", "$muted"))


def _damaged(one: CampaignInfo, recovers: str, restores: str) -> list[Content]:
    """Return the problem of a save, and the keys that help."""
    lines = [
        Content.styled(shown_line(one.problem, 300), "$mid"),
        Content(f"{recovers} recovers every intact entry into a new campaign; this file stays untouched."),
    ]
    return [*lines, Content(f"{restores} shows its backups.")] if find(one.path) else lines


def _numbers(session: Session, member: Member, width: int) -> Content:
    """Return a member's meters in one row, as many as fit uncut, without what the party shares."""
    name = Content.styled(shown_line(member.name, _LONGEST), "bold")
    line = column(name, max(_NAME, name.cell_length + 2))
    if member.status:
        line = Content.assemble(line, (f"{member.status}   ", "$mid"))
    for drawn in _drawn(session, member):
        if line.cell_length + drawn.cell_length > width:
            break
        line = Content.assemble(line, drawn, "   ")
    return line


def _drawn(session: Session, member: Member) -> Iterator[Content]:
    for pane in session.game.sheet(session.state, member.id):
        for field in pane.fields:
            if isinstance(field, Momentum):
                yield Content.assemble((f"{field.label} ", "$muted"), (signed(field.value), "bold"))
            elif isinstance(field, Meter) and not is_shared(field, member.id):
                picture = (segments if field.marks else pips)(field.value, field.high)
                marked = " marked" if field.marks else ""
                yield Content.assemble(
                    (f"{shown_line(field.label, 16)} ", "$muted"), picture, f" {field.value}{marked}"
                )
