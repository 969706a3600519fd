"""What the table shows, worked out from the session; the widgets only draw it."""

from __future__ import annotations

from tracker.app.telling import phrases
from tracker.app.widgets.head import Heading
from tracker.app.widgets.last import Last
from tracker.games.sheet import Action, Field, Owed, Start, Track
from tracker.table.session import Session
from tracker.text import shown_line

MOVES = 4
"""How many of the moves that fit this moment have a button."""
_NONE = Action("", "", Start(""))


class View:
    """A session as one character sees it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        spoke = (entry.get("who", "") for entry in reversed(session.log.entries))
        party = self.party
        self.who = next((who for who in spoke if who in party), next(iter(party), ""))
        first = f"Read only: {session.readonly}." if session.readonly else "".join(session.notes[:1])
        self.notice = shown_line(first, 200)

    @property
    def party(self) -> tuple[str, ...]:
        """The ids of those at the table, in order."""
        return tuple(member.id for member in self.session.game.members(self.session.state))

    def find_somebody(self) -> None:
        """Whoever spoke may have been undone, or may have left."""
        if self.who not in self.party:
            self.who = next(iter(self.party), "")

    def owing(self) -> tuple[str, tuple[Owed, ...]]:
        """Who owes what: the one who speaks, or else somebody else of the party."""
        for who in dict.fromkeys((self.who, *self.party)):
            if due := self.session.owed(who):
                return who, due
        return self.who, ()

    def title(self) -> str:
        member = next((m for m in self.session.game.members(self.session.state) if m.id == self.who), None)
        return member.name + (f", {member.status}" if member.status else "") if member else "The party"

    def sign(self) -> tuple[str, str]:
        """Whether everything is saved, and why not."""
        sign = self.session.sign
        return sign.word, shown_line(sign.why, 80) if sign.word == "NOT SAVED" else ""

    def heading(self) -> Heading:
        return Heading(
            shown_line(self.session.save.name.removesuffix(".toml")),
            shown_line(self.session.state.get("scene", "")),
            self.session.game.members(self.session.state),
            self.who,
            *self.sign(),
        )

    def fields(self) -> tuple[Field, ...]:
        if not self.who:
            return ()
        return tuple(f for pane in self.session.game.sheet(self.session.state, self.who) for f in pane.fields)

    def tracks(self) -> tuple[Track, ...]:
        return self.session.game.tracks(self.session.state)

    def actions(self) -> list[Action]:
        """Always the same number: what is owed, the moves of this moment, the bare rolls. Empty ones are hidden."""
        if not self.who:
            make = Action("c", "Make a character", self.session.game.make_character)
            return [self._owed(), make] + [_NONE] * (MOVES + 2)
        game, state = self.session.game, self.session.state
        left = any(due.run for due in self.session.owed(self.who))
        moves = [*list(game.now(state, self.who))[:MOVES]]
        moves += [_NONE] * (MOVES - len(moves)) + list(game.rolls(state, self.who))
        if left:
            moves = [a._replace(reason="a roll is open: x") if a.label else a for a in moves]
        return [self._owed(), *moves]

    def _owed(self) -> Action:
        """The chip for what is owed, with a name where it is somebody else's."""
        who, due = self.owing()
        if not due:
            return _NONE
        name = "" if who == self.who else f"{shown_line(self.session.state['party'][who]['name'], 12)}: "
        more = f", {len(due) - 1} more" if len(due) > 1 else ""
        return Action("x", f"{name}{due[0].label}{more}", Start(""), f"owed {due[0].note}".strip())

    def last(self) -> Last:
        """The newest roll that still counts, and the notice."""
        log = self.session.log
        for entry in reversed(log.entries):
            if "facts" in entry and not entry.get("open") and not log.undone(entry):
                card = self.session.game.card(entry.get("did", ""), entry["facts"])
                if card.mark:
                    changed = tuple(shown_line(phrase, 200) for phrase in phrases(entry))
                    return Last(card, changed, self.notice)
        return Last(notice=self.notice)
