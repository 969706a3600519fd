"""Summary of the campaign under the cursor: where the players left off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile, islice

from textual.content import Content

from tracker.app.drawings import column, pips, segments
from tracker.app.widgets.journal_pane import AT_ONCE, format_entry, format_mechanics, wrap_entry
from tracker.campaign.journal import story
from tracker.campaign.library import CampaignInfo, find, look_into, open_elsewhere
from tracker.campaign.session import SaveError, Session, Step
from tracker.games.api.phrases import signed
from tracker.games.api.view import Member, Meter, Momentum, is_shared
from tracker.records import NamedTuple
from tracker.text import shown_line

LAST = 6
"""Maximum of passages, and of moves, in the summary."""
_NAME, _LONGEST = 10, 20
"""Cells of a name: the usual width, and the maximum."""


class CampaignSummary(NamedTuple):
    """A summary of where a campaign stands, shown beside the list of campaigns; made by `summarize`.

    It consists of the lines `top`, `story` (the last passages and headings), `moves` (the last moves) and `bottom`. If
    there is no room for all, the oldest moves are left out first, then the oldest lines of the story.
    """

    top: list[Content]
    story: Sequence[Content] = ()
    bottom: Sequence[Content] = ()
    moves: Sequence[Content] = ()
    damage: str = ""
    """Problem in the middle of the save, which its head does not show; else ""."""

    def fitted(self, width: int, height: int) -> list[Content]:
        """Return the summary wrapped to `width` cells, with as much of the story and the moves as `height` rows hold.

        The newest of both are kept. The story gets its rows before the moves do.
        """
        top, story, moves, bottom = (
            [part for line in lines for part in (wrap_entry(line, width) if line else [line])]
            for lines in (self.top, self.story, self.moves, self.bottom)
        )
        gap = [Content()] if height > len(top) + len(bottom) + 5 else []
        room = height - len(top) - len(bottom) - 2 * len(gap)
        newest = list(dropwhile(lambda line: not line.plain.strip(), story[-room:] if room > 0 else []))
        left = room - len(newest) - bool(newest)
        last = moves[-left:] if left > 0 else []
        return [*top, *gap, *newest, *([Content()] if newest and last else []), *last, *gap, *bottom]


def summarize(
    one: CampaignInfo,
    width: int,
    recovers: str = "R",
    *,
    restores: str = "B",
    ours: bool = False,
    step: Step | None = None,
) -> CampaignSummary:
    """Return a summary of the campaign: scene, end of the journal, due items and numbers.

    For a damaged save, the summary is its problem and the keys that help: `recovers` recovers the intact entries,
    `restores` restores a backup. `ours` is True if this app holds the lock of the save, so that it is not reported as
    open in another tracker. This may take a while, although it reads only from the snapshot on: call it in a thread,
    and let `step` raise to cancel.
    """
    if one.problem:
        return CampaignSummary(_describe_damage(one, recovers, restores))
    try:
        session = look_into(one, step)
    except (SaveError, OSError) as error:
        return CampaignSummary([Content.styled(shown_line(str(error), 300), "$mid")])
    if session.save.read.bad:
        first = session.save.read.bad[0]
        damage = f"Damaged at line {first.line}: {first.why}. It opens read-only."
        return CampaignSummary(_describe_damage(one._replace(problem=damage), recovers, restores), damage=damage)
    top = [_where(session, one)]
    if not ours and open_elsewhere(one.path):
        top.append(Content.styled("Open in another tracker: read-only here.", "$mid"))
    done = list(islice(story(session), AT_ONCE))
    passages = [format_entry(one, folded=True) for one in done if one.text or one.heading][:LAST][::-1]
    moves = [part for one in done if not one.heading for part in format_mechanics(one) if part][:LAST][::-1]
    if passages and moves:
        moves.insert(0, Content.styled("Last moves", "$muted"))
    members = session.game.members(session.state)
    owed = [f"{shown_line(member.name)}: {due.words}" for member in members for due in session.owed(member.id)]
    bottom = [Content.assemble(("due  ", "$mid"), "; ".join(owed))] if owed else []
    bottom += [_numbers(session, member, width) for member in members]
    nothing = [] if passages or moves else [Content.styled("No entries yet.", "$muted")]
    return CampaignSummary(top, passages or nothing, bottom, moves)


def _where(session: Session, one: CampaignInfo) -> Content:
    """Return one line: the campaign's name, the number of its session if that is above 1, and its scene."""
    number = session.state.get("session", 1)
    parts = [f"session {number}" if number > 1 else "", shown_line(str(session.state.get("scene", "")))]
    place = ", ".join(filter(None, parts))
    return Content.assemble((shown_line(one.name), "bold"), (f"   {place}" if place else "", "$muted"))


def _describe_damage(one: CampaignInfo, recovers: str, restores: str) -> list[Content]:
    """Return the problem of a damaged save, and lines about the keys `recovers` and `restores`.

    The second key is left out if there are no backups.
    """
    lines = [
        Content.styled(shown_line(one.problem, 300), "$mid"),
        Content(f"{recovers} recovers every intact entry into a new campaign; this file stays untouched."),
    ]
    return [*lines, Content(f"{restores} shows its backups.")] if find(one.path) else lines


def _numbers(session: Session, member: Member, width: int) -> Content:
    """Return one row with a member's name, status and meters, as many as fit in `width` cells without being cut.

    Meters that the party shares are left out.
    """
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
