"""The line at the top: campaign, scene, party and save status."""

from __future__ import annotations

from collections.abc import Collection

from textual import events
from textual.content import Content
from textual.message import Message

from tracker.app.drawings import column, fit, longest_allowed
from tracker.app.widgets.base import ValueWidget
from tracker.games.api.view import Member
from tracker.records import NamedTuple

GAP = 3
COMPANY = 0.3
"""Largest part of the line for the names of those who are here; a line that is short of room has their number."""
LEAST_SCENE = 8
"""Fewest cells in which the start of a scene's title is still worth showing."""


class Heading(NamedTuple):
    """The data for a Header: campaign, scene, party and save status. `TableView.heading` makes it.

    `active` is the id of the active character. `saved` is the save status, such as `saved` or `NOT SAVED`, or other
    text for the right end. `reason` says why something is not saved; it is only shown with `NOT SAVED`.
    """

    campaign: str
    scene: str = ""
    members: tuple[Member, ...] = ()
    active: str = ""
    saved: str = "saved"
    reason: str = ""
    company: tuple[str, str] = ("", "")
    """Who else is here, at length and in a few cells; ("", "") for a player who is alone."""


class Header(ValueWidget[Heading]):
    """Widget with the line at the top of a screen: campaign, scene, party members with numbers, save status.

    In a narrow window the scene is cut, then all names; then the scene, the numbers and the names of other members are
    left out. The save status is always shown.
    """

    DEFAULT_CSS = "Header { background: $bar; padding: 0 1; }"

    class Picked(Message):
        """Message that the party member with the id `member_id` was clicked."""

        def __init__(self, member_id: str) -> None:
            super().__init__()
            self.member_id = member_id

    def look(self) -> Heading:
        return self.data

    def render(self) -> Content:
        return self._laid()[0]

    def _laid(self) -> tuple[Content, list[tuple[range, str]]]:
        """Return (line, places): the header's text, and where in it the party's pieces are.

        A place is a pair (range of cells, member's id); the id is "" for a gap between members.
        """
        sign = fit(_sign(self.data, self.size.width), self.size.width)
        before_sign = self.size.width - sign.cell_length
        room = before_sign - GAP
        left, right, limit = _arranged(self.data, room)
        line = Content.assemble(*(part.drawn(limit) for part in left))
        party = [part.drawn(limit) for part in right]
        x = max(line.cell_length, room - sum(words.cell_length for words in party))
        line = column(line, x)
        members_at: list[tuple[range, str]] = []
        for part, words in zip(right, party, strict=True):
            members_at.append((range(x, x + words.cell_length), part.member))
            x += words.cell_length
            line += words
        return Content.assemble(column(fit(line, room), before_sign), sign), members_at

    @property
    def tells_scene(self) -> bool:
        """True if the line has room for the scene."""
        sign = _sign(self.data, self.size.width).cell_length
        return len(_arranged(self.data, self.size.width - sign - GAP)[0]) > 1

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        for cells, member in self._laid()[1]:
            if member and offset is not None and offset.x in cells:
                event.stop()
                self.post_message(self.Picked(member))


class _Part(NamedTuple):
    """A piece of the header's line. Only a piece with `is_name` set may be cut.

    `member` is the id of the party member that a click on the piece picks, or "".
    """

    text: str
    style: str = ""
    is_name: bool = False
    member: str = ""

    def drawn(self, limit: int) -> Content:
        words = Content.styled(self.text, self.style)
        return fit(words, limit) if self.is_name else words


def _sign(heading: Heading, width: int) -> Content:
    """Return the right end of a header `width` cells wide: who else is here, the save status, and the reason for it.

    The short form of who else is here is used if the long one takes more than the share COMPANY of the width.
    """
    names = Content(heading.company[0])
    here = heading.company[1 if names.cell_length > width * COMPANY else 0]
    company = ((here, "$key"), " " * GAP) if here else ()
    if not heading.saved.isupper():
        return Content.assemble(*company, (heading.saved, "$muted"))
    reason = f" {heading.reason}" if heading.reason else ""
    return Content.assemble(*company, (f" {heading.saved} ", "bold reverse $bad"), (reason, "$bad"))


def _arranged(heading: Heading, room: int) -> tuple[list[_Part], list[_Part], int]:
    """Return (pieces at the left, pieces at the right, limit for each name in cells).

    The scene, numbers and names are cut or left out so that the pieces fit in `room` cells; in very few cells they may
    still not fit, and the limit is 0.
    """
    everyone = {member.id for member in heading.members}
    nobody: set[str] = set()
    active = {heading.active}
    whole = max(Content(name).cell_length for name in _names(heading))
    limit = 0
    right = _party(heading, everyone, everyone, GAP)
    taken = sum(Content(part.text).cell_length for part in (*_place(heading.campaign, " "), *right)) - 1
    scene = fit(Content(heading.scene), max(0, room - GAP - taken)).plain
    if taken <= room - GAP and len(scene) >= min(LEAST_SCENE, len(heading.scene)):
        return _place(heading.campaign, scene), right, whole
    for least, scene, briefs, named, gap in (
        # All numbers or none: those of one character beside another's sheet would be taken for that one's.
        (whole, heading.scene, everyone, everyone, GAP),
        (whole, heading.scene, nobody, everyone, GAP),
        (whole, "", nobody, everyone, GAP),
        (3, "", nobody, everyone, GAP),
        (1, "", nobody, active, GAP),
    ):
        left = _place(heading.campaign, scene)
        right = _party(heading, briefs, named, gap)
        limit = _name_limit([*left, *right], room - GAP)
        if limit >= min(least, whole):
            break
    return left, right, limit


def _names(heading: Heading) -> list[str]:
    return [heading.campaign, heading.scene, *(member.name for member in heading.members)]


def _place(campaign: str, scene: str) -> list[_Part]:
    title = _Part(campaign, "bold", is_name=True)
    return [title, _Part("  "), _Part(scene, "$muted", is_name=True)] if scene else [title]


def _party(heading: Heading, briefs: Collection[str], named: Collection[str], gap: int) -> list[_Part]:
    parts: list[_Part] = []
    for number, member in enumerate(heading.members, 1):
        active = member.id == heading.active
        if parts:
            parts.append(_Part(" " * gap))
        if active and len(heading.members) > 1:
            parts.append(_Part("►", "$cur-bg", member=member.id))
        if number <= 9:
            parts.append(_Part(str(number), "bold $key", member=member.id))
        if member.id in named:
            parts.append(_Part(" ", member=member.id))
            parts.append(_Part(member.name, "bold" if active else "$muted", is_name=True, member=member.id))
        # Of somebody who is out of play that is all there is to know.
        if brief := member.status or (member.brief if member.id in briefs else ""):
            parts.append(_Part(f"{' ' * (gap - 1)}{brief}", "" if active else "$muted", member=member.id))
    return parts


def _name_limit(parts: list[_Part], room: int) -> int:
    """Return how many cells each name may have so that the parts fit in `room` cells; 0 if they cannot fit."""
    fixed = sum(Content(part.text).cell_length for part in parts if not part.is_name)
    return longest_allowed([Content(part.text).cell_length for part in parts if part.is_name], room - fixed)
