"""The parts of an export: a campaign, or a selection of it, as a stream that every format writes in its own way.

All texts of parts are safe to show, but not escaped for any format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TypeAlias

from tracker.campaign.chronicle import ALL, Moment, Selection, chronicle, joined
from tracker.campaign.journal import EMPHASIS, JournalLine
from tracker.campaign.session import Session, Step
from tracker.games.api import phrases as words
from tracker.games.api.game import Game
from tracker.games.api.schema import State
from tracker.games.api.view import Field, Member, Pane
from tracker.games.common import notes
from tracker.records import NamedTuple
from tracker.text import shown, shown_line

TITLE_MOST = 200
"""Most characters of the title of a scene or session."""


class Request(NamedTuple):
    """A player's request for an export: the moments in `selection`, and what goes with them.

    With `story`, mechanics are left out. With `characters`, characters, tracks and world notes are added at the end.
    """

    selection: Selection = ALL
    story: bool = False
    characters: bool = False


class SessionStart(NamedTuple):
    """The beginning of a session of play. `when` is the time of its first entry, or None if that is not known."""

    number: int
    title: str
    when: datetime | None


class SceneStart(NamedTuple):
    title: str


class Piece(NamedTuple):
    """A part of a line: its text, the id of the world note that it mentions or "", and whether it is emphasized."""

    text: str
    note: str = ""
    emphasized: bool = False


Line: TypeAlias = tuple[Piece, ...]


class Passage(NamedTuple):
    """A text by a player, as paragraphs of lines.

    `who` is the character's name, or "" if the same character spoke last and nobody else acted in between.
    """

    who: str
    paragraphs: tuple[tuple[Line, ...], ...]


class Mechanics(NamedTuple):
    """A move with its roll and its changes, or a change by hand.

    `who` is the name of the character, or "". `name` is that of the move, or "" for a change by hand. `outcome` and
    `roll` are a few words each, or "", `changes` one phrase each. `line` is the line of the journal, which has the
    card, and `kind` the kind of the moment.
    """

    who: str
    name: str
    outcome: str
    roll: str
    changes: tuple[str, ...]
    line: JournalLine
    kind: str

    @property
    def result(self) -> tuple[str, ...]:
        """Outcome and roll, without empty ones; for the oracle, the question comes before the answer."""
        both = (self.roll, self.outcome) if self.kind == "oracle" else (self.outcome, self.roll)
        return tuple(filter(None, both))

    @property
    def dice(self) -> str:
        """The faces of the dice in words, for a text without pictures; "" if there are none or `roll` has them."""
        return self.line.card.faces if self.line.card and self.name else ""

    @property
    def in_words(self) -> tuple[str, ...]:
        """Result and dice for a text without pictures. If the dice end in their total, the result leaves it out."""
        total = self.dice.rpartition(" = ")[2]
        told = (words.removesuffix(f" · {total}").removesuffix(f": {total}") for words in self.result)
        return tuple(filter(None, (*told, self.dice)))


Part: TypeAlias = SessionStart | SceneStart | Passage | Mechanics


class Document(NamedTuple):
    """An open campaign together with the request that says what to export from it."""

    session: Session
    request: Request = Request()

    @property
    def name(self) -> str:
        """The name of the campaign, safe to show."""
        return shown_line(self.session.save.name.removesuffix(".toml"), TITLE_MOST)

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def state(self) -> State:
        return self.session.state

    @property
    def members(self) -> tuple[Member, ...]:
        return self.game.members(self.state)

    @property
    def about(self) -> str:
        """The game and the characters, on one line."""
        return " · ".join(filter(None, (self.game.name, in_words([member.name for member in self.members]))))

    def sheet(self, who: str) -> list[Pane]:
        """Return the panes of the sheet of the character with the id `who`.

        A pane that only repeats the GM's numbers is left out.
        """
        side = self.game.gm_side(self.state)
        panes = self.game.sheet(self.state, who)
        return [pane for pane in panes if not side or all(_place(one) != side.pool.at for one in pane.fields)]

    def credits(self) -> list[str]:
        """Return a line of credit for each work from which the campaign's packs are taken, safe to show.

        Return [] if it uses none.
        """
        return [shown_line(line, 500) for line in self.session.credits()] if self.state["packs"] else []

    def moments(self, step: Step | None = None) -> Iterator[Moment]:
        """Yield the moments of the story; items that are undone, unfinished or crossed out are left out.

        `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the save cannot be
        read.
        """
        wanted = self.request.selection._replace(undone=False, unfinished=False, struck=False)
        return chronicle(self.session, wanted, step)

    def parts(self, step: Step | None = None) -> Iterator[Part]:
        """Yield the parts of the export in order of play.

        `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the save cannot be
        read.
        """
        return parts(self.state, joined(self.moments(step)), story=self.request.story)


def _place(field: Field) -> str:
    """Return the path in the state of what a field shows; "" if it has none."""
    return str(getattr(field, "at", ""))


def parts(state: State, moments: Iterable[Moment], *, story: bool = False) -> Iterator[Part]:
    """Yield the parts of an export that these moments make, which must come oldest first.

    Each new session begins with a SessionStart. With `story`, mechanics are left out.
    """
    number, speaker = 0, ""
    for moment in moments:
        one = moment.line
        if moment.session != number or moment.begins_session:
            number, speaker = moment.session, ""
            title = shown_line(one.heading, TITLE_MOST) if moment.begins_session else ""
            yield SessionStart(number, title or f"Session {number}", when(one))
        if moment.begins_session:
            continue
        if moment.begins_scene:
            speaker = ""
            yield SceneStart(shown_line(one.heading, TITLE_MOST))
            continue
        if one.text.strip():
            yield passage(state, one, speaker)
            speaker = one.who
        told = mechanics(moment)
        if not story and told:
            if told.who != speaker:
                speaker = ""
            yield told


def passage(state: State, one: JournalLine, speaker: str = "") -> Passage:
    """Return the text of the journal line `one` as a Passage: its paragraphs, and the name of its character.

    The name is left out if it is `speaker`, the character of the passage before.
    """
    paragraphs: list[tuple[Line, ...]] = []
    lines: list[Line] = []
    for line in [*one.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        if line.strip():
            lines.append(tuple(_pieces(state, line.strip())))
        elif lines:
            paragraphs.append(tuple(lines))
            lines = []
    return Passage("" if one.who == speaker else one.who, tuple(paragraphs))


def _pieces(state: State, line: str) -> Iterator[Piece]:
    for n, part in enumerate(EMPHASIS.split(line)):
        for text, note in notes.linked_pieces(state, part):
            if text:
                yield Piece(shown(text), note, n % 2 == 1)


def mechanics(moment: Moment) -> Mechanics | None:
    """Return the mechanics of a moment; None if it has only a text.

    Without a card, or a name of what was done, they are only the changes. That a move became due is left out: a reader
    sees the move itself. So is an outcome or a roll that another part repeats.
    """
    one = moment.line
    changes, card = tuple(words.without_due(one.phrases)), one.card
    if card is None or not one.title:
        changes = tuple(sorted(changes, key=lambda change: " joins" not in change))
        who = "" if one.who and changes and changes[0].startswith(f"{one.who} ") else one.who
        return Mechanics(who, "", "", "", changes, one, moment.kind) if changes else None
    roll, outcome = (card.short or card.sum).removeprefix(f"{one.who}: "), card.told
    if outcome and outcome.casefold() in roll.casefold():
        outcome = ""
    if any(roll in change for change in changes):
        roll = ""
    return Mechanics(one.who, shown_line(one.title), outcome, roll, changes, one, moment.kind)


def when(one: JournalLine) -> datetime | None:
    """Return the time at which the entry of a journal line was made; None if the entry has no time."""
    at = one.entry.get("at")
    return at if isinstance(at, datetime) else None


def date(at: datetime | None) -> str:
    """Return a date such as November 14, 2026; "" for None."""
    return words.date(at) if at else ""


def in_words(names: list[str]) -> str:
    """Return names as one phrase, such as "Kara, Tayla and Bo"; "" for no names."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
