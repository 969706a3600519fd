"""View data of the table, computed from the session; the widgets only draw it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tracker.app.widgets.header import Heading
from tracker.campaign.journal import as_written, is_session_due, name_of, undone
from tracker.campaign.log import Entry
from tracker.campaign.player import Player
from tracker.games.api.view import Action, Card, DueItem, Field, Fight, Holding, Ratings, Start, Track
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.app.widgets.rolls import LastResult, Rolled

ROLLS = 50
"""Maximum of listed rolls."""
MOVES = 4
"""Number of suggested moves with a button."""
KEYS = 6
"""Maximum of permanent buttons: rolls that the game always offers, a rest, the GM's side."""
_NONE = Action("", "", Start(""))


class TableView:
    """Reads the data that the panes of the table show from the session, for the active character."""

    def __init__(self, player: Player, key: Callable[[str], str]) -> None:
        """Make the view of a player's table.

        `key` takes a default key and returns the key that the player's settings bind instead, for messages.
        """
        self.player = player
        self.session = player.session
        self._key = key
        self.folded = False
        """True if the journal shows only prose and headings."""
        self.company = "", ""
        """What the header says about the other players, at length and in a few cells."""
        self.to_share: Callable[[], int] = lambda: 0
        """Function that returns the number of entries that only this machine has, though the campaign is shared."""

    def opening_notice(self) -> str:
        """Return the message for a campaign just opened: read-only, a problem, or a new session due; "" for none."""
        session = self.session
        first = (
            f"Read-only, following changes live: {session.readonly}."
            if session.readonly
            else "".join(session.notes[:1])
        )
        offer = f"It's been a while: {self._key('s')} starts a new session." if is_session_due(session) else ""
        return shown_line(first or offer, 200)

    def title(self) -> str:
        """Return the title of the active character's sheet, or "The party" if nobody is active.

        At a shared table the title of another player's character ends with that player's name: "Kara (Ana)".
        """
        state = self.session.state
        member = next((m for m in self.session.game.members(state) if m.id == self.player.active), None)
        if member is None:
            return "The party"
        other = self.player.played_by(member.id)
        return f"{member.title} ({other})" if other else member.title

    def sign(self) -> tuple[str, str]:
        """Return (save status in a word or two, such as "saved", "watching" or "saved · 3 to share"; reason).

        The reason is "" unless the status is "NOT SAVED".
        """
        sign = self.session.sign
        word = "watching" if sign.word == "saved" and self.session.watches else sign.word
        if word == "saved" and (count := self.to_share()):
            word = f"saved · {count} to share"
        return word, shown_line(sign.why, 80) if word == "NOT SAVED" else ""

    def heading(self) -> Heading:
        """Return the data of the header: campaign, scene, party, active character and save status."""
        return Heading(
            shown_line(self.session.save.name.removesuffix(".toml")),
            shown_line(self.session.state.get("scene", "")),
            self.session.game.members(self.session.state),
            self.player.active,
            *self.sign(),
            self.company,
        )

    def fields(self) -> tuple[Field, ...]:
        """Return the fields of the active character's sheet, without ratings; () if nobody is active."""
        if not self.player.active:
            return ()
        return tuple(field for field in self._sheet(self.player.active) if not isinstance(field, Ratings))

    def ratings(self) -> tuple[str, tuple[Ratings, ...]]:
        """Return (title, columns) of the ratings grid; ("", ()) if the game has none or nobody is active."""
        for pane in self.session.game.sheet(self.session.state, self.player.active) if self.player.active else ():
            if ratings := tuple(field for field in pane.fields if isinstance(field, Ratings)):
                return pane.title, ratings
        return "", ()

    def _sheet(self, who: str) -> Iterator[Field]:
        return (field for pane in self.session.game.sheet(self.session.state, who) for field in pane.fields)

    def held(self) -> tuple[Holding, ...]:
        """Return the groups of the active character's belongings that are not on the sheet; () if there are none."""
        holdings = self.session.game.belongings(self.session.state, self.player.active) if self.player.active else ()
        return tuple(holding for holding in holdings if not holding.on_sheet)

    def after(self) -> tuple[str, tuple[Field, ...]]:
        """Return (title, fields) of the next party member in play after the active one; ("", ()) if there is none.

        Fields that the party shares are left out.
        """
        members = self.session.game.members(self.session.state)
        here = next((n for n, member in enumerate(members) if member.id == self.player.active), 0)
        for number, member in [*enumerate(members, 1)][here + 1 :] + [*enumerate(members, 1)][:here]:
            if not member.status:
                mine = (f for f in self._sheet(member.id) if getattr(f, "at", ".").startswith(f"{member.id}."))
                return f"{number}  {member.name}", tuple(mine)
        return "", ()

    def fight(self) -> Fight | None:
        """Return the fight of the active character; None if there is no fight or nobody is active."""
        return self.session.game.fight(self.session.state, self.player.active) if self.player.active else None

    def tracks(self) -> tuple[Track, ...]:
        """Return the tracks, without the foes of the current fight."""
        fight = self.fight()
        foes = {foe.id for foe in fight.foes} if fight else set()
        return tuple(track for track in self.session.game.tracks(self.session.state) if track.id not in foes)

    def actions(self) -> list[Action]:
        """Return the actions for the buttons: next due item, suggested moves, permanent rolls, GM's side.

        The list always has the same length. An action with the label "" fills an unused place; its button is
        hidden.
        """
        if not self.player.active:
            make = Action("c", "Make a character", self.session.game.make_character)
            return self._padded(self._owed(), make)
        game, state = self.session.game, self.session.state
        moves = list(game.now(state, self.player.active)[:MOVES])
        moves += [_NONE] * (MOVES - len(moves)) + list(self.player.bare_rolls())
        if self.player.busy:
            open_roll = f"finish your roll: {self._key('x')}"
            moves = [a._replace(reason=open_roll) if a.label and a.opens != "oracle" else a for a in moves]
        other_side = [Action("g", "GM side", Start(""), opens="gm")] if self.has_gm_side else []
        return self._padded(self._owed(), *moves, *other_side)

    @staticmethod
    def _padded(*actions: Action) -> list[Action]:
        return [*actions, *[_NONE] * (1 + MOVES + KEYS - len(actions))]

    @property
    def has_gm_side(self) -> bool:
        """True if the game has a GM's side that this player may see."""
        return self.player.sees_gm_side

    def _owed(self) -> Action:
        """Return the action for the player's next due item, with the character's name in a party.

        If nothing is due, return the disabled action for what another player has to do; its label is "" if that is
        nothing, too.
        """
        who, due = self.player.next_due()
        if not due:
            return self._due_of_others()
        name = self.session.state["party"].get(who, {}).get("name", "")  # "" while the first one is being made
        whose = shown_line(name, 20) if name and len(self.player.party) > 1 else ""
        which = f"1 of {len(due)}" if len(due) > 1 else ""
        others = self._due_of_others()
        theirs = f"{others.label} {others.reason}" if others.label else ""
        said = (whose, due[0].note, which, self._others_owe(who, due), theirs)
        return Action("x", due[0].label, Start(""), ", ".join(filter(None, said)), opens="owed")

    def _due_of_others(self) -> Action:
        """Return a disabled action for what another player at a shared table has to do.

        Its label is "" if there is nothing.
        """
        waiting = list(self.player.due_of_others())
        if not waiting:
            return _NONE
        more = f", 1 of {len(waiting)}" if len(waiting) > 1 else ""
        name, _, item = waiting[0]
        return Action("", item.words, Start(""), reason=f"due from {shown_line(name, 20)}{more}", opens="owed")

    def _others_owe(self, who: str, due: tuple[DueItem, ...]) -> str:
        """Return how many other characters have due items, as text such as "2 more in the party"; "" for none.

        `due` has the items of `who`. An unfinished run among them is not counted again for others.
        """
        told = {one.run for one in due if one.run}
        others = (theirs for other, theirs in self.player.due() if other != who)
        many = sum(any(one.run not in told for one in theirs) for theirs in others)
        return f"{many} more in the party" if many else ""

    def _done(self) -> Iterator[tuple[Entry, str, Card]]:
        """Yield (entry, name of the move, card) for the finished moves that are not undone, newest first.

        Only entries in memory are looked at.
        """
        log, game = self.session.log, self.session.game
        for entry in reversed(log.entries):
            did = entry.get("did", "")
            if did in game.moves and "facts" in entry and not entry.get("open") and log.counts(entry):
                yield entry, game.moves[did].name, game.card(did, entry["facts"])

    def last(self) -> LastResult:
        """Return the newest finished move that is not undone, and the message to show with it, as a LastResult.

        If there is no such move, the LastResult has only the message.
        """
        from tracker.app.widgets.rolls import LastResult

        for entry, _, card in self._done():
            said = self.player.notice or self._since()
            line = as_written(self.session.game, self.session.state, entry)
            return LastResult(line.title, card, tuple(line.phrases), said, line.who)
        return LastResult(notice=self.player.notice or self._since())

    def _since(self) -> str:
        """Return a line about the newest change by hand if undo would revert it next; else "".

        Journal lines and switches of the dice source do not count as changes here.
        """
        newest = self.session.log.to_undo()
        edited = (
            newest and newest.get("did") == "change" and any(e["at"] != "dice_are" for e in newest.get("effects", []))
        )
        return f"Edited: {undone(self.session, newest)}" if newest and edited else ""

    def rolls(self, *, before_last: bool) -> tuple[Rolled, ...]:
        """Return up to ROLLS rolls that are not undone, newest first. `before_last` leaves out the move of `last`."""
        from tracker.app.widgets.rolls import Rolled

        done = islice(self._done(), 1 if before_last else 0, None)
        rolled = (Rolled(name, card, name_of(self.session, entry)) for entry, name, card in done if card.mark)
        return tuple(islice(rolled, ROLLS))
