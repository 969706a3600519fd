"""What the table shows, worked out from the session; the widgets only draw it."""

from __future__ import annotations

from tracker.app.widgets.head import Heading
from tracker.app.widgets.last import Last
from tracker.games.sheet import Action, Field, Start, Track
from tracker.table.session import Session
from tracker.text import shown_line

MOVES = 4
"""How many of the moves that fit this moment have a button."""
_NONE = Action("", "", Start(""))


class View:
    """A session as one character sees it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.who = next(iter(session.state["party"]), "")
        first = f"Read only: {session.readonly}." if session.readonly else "".join(session.notes[:1])
        self.notice = shown_line(first, 200)

    def find_somebody(self) -> None:
        """Whoever spoke may have been undone."""
        if self.who not in self.session.state["party"]:
            self.who = next(iter(self.session.state["party"]), "")

    def title(self) -> str:
        member = next((m for m in self.session.game.members(self.session.state) if m.id == self.who), None)
        return member.name + (f", {member.status}" if member.status else "") if member else "The party"

    def heading(self) -> Heading:
        sign = self.session.sign
        return Heading(
            shown_line(self.session.save.name.removesuffix(".toml")),
            shown_line(self.session.state.get("scene", "")),
            self.session.game.members(self.session.state),
            self.who,
            sign.word,
            shown_line(sign.why, 80) if sign.word == "NOT SAVED" else "",
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
            return [make] + [_NONE] * (MOVES + 3)
        game, state = self.session.game, self.session.state
        due = self.session.owed(self.who)
        more = f" and {len(due) - 1} more" if len(due) > 1 else ""
        owed = Action("x", f"{due[0].label}{more}", Start(""), f"owed {due[0].note}".strip()) if due else _NONE
        moves = list(game.now(state, self.who))[:MOVES]
        return [owed, *moves, *[_NONE] * (MOVES - len(moves)), *game.rolls(state, self.who)]

    def last(self) -> Last:
        """The newest roll that still counts, and the notice."""
        log = self.session.log
        for entry in reversed(log.entries):
            facts = entry.get("facts", {})
            told = "outcome" in facts or "oracle" in facts
            if told and not entry.get("open") and not log.undone(entry):
                changed = tuple(shown_line(str(phrase), 200) for phrase in facts.get("changed", ()))
                return Last(self.session.game.card(entry["did"], facts), changed, self.notice)
        return Last(notice=self.notice)
