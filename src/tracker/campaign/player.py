"""The part of a frontend that needs no screen: the active character, and what a player can do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tracker.campaign.fold import apply, locate
from tracker.campaign.log import Entry
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.schema import ROLLED, TYPED, Effect, Integer, typed_in
from tracker.games.api.view import Action, DueItem, Start
from tracker.games.common import seats
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.campaign.run import Run
    from tracker.campaign.undo import Reversal


class Player:
    """The player of an open campaign: the active character, and everything that a key or a typed word can do.

    Each frontend makes one, calls its methods for keys or words, and shows the result.
    """

    def __init__(self, session: Session, usual_dice: str = "") -> None:
        """Make the player of a session. The active character is the one who acted last, else the first of the party.

        `usual_dice` is the player's setting, "rolled" or "typed"; it is used if the campaign has no setting of its own.
        """
        self.session = session
        self.active = _last_active(session)
        """The id of the active character, or "" if there are no characters."""
        self.notice = ""
        """The result of the last command as a sentence to show, set by the frontend."""
        self._usual_dice = usual_dice
        self._own_dice = ""
        """What this player has chosen at a shared table, or "": friends go on as they like."""

    # -- the active character ---------------------------------------------------------------------------

    @property
    def party(self) -> tuple[str, ...]:
        """The ids of the characters in play, in the order in which they are shown."""
        return tuple(member.id for member in self.session.game.members(self.session.state))

    @property
    def name(self) -> str:
        """The name of the active character, safe to show, or ""."""
        return shown_line(self.session.state["party"].get(self.active, {}).get("name", ""))

    def find_active(self) -> None:
        """If the active character is no longer in the party, make the first one active whom this player plays.

        If there is none, `active` becomes "".
        """
        if self.active not in self.party:
            self.active = next((who for who in self.party if self._is_ours(who)), "")

    def sit_down(self) -> None:
        """If another player plays the active character, make another one active, now that the player's seat is known.

        It is the one who acted last, or else the first, of the characters whom this player or no player plays. Without
        such a character, `active` becomes "".
        """
        if not self._is_ours(self.active):
            self.active = _last_active(self.session)

    @property
    def voice(self) -> str:
        """The id of the character in whose name this player writes: the active one, or "" if another player's."""
        return "" if seats.whose(self.session.state, self.active, self.session.by) else self.active

    @property
    def sees_gm_side(self) -> bool:
        """True if the game has a GM's side, and this player's screens may show it.

        At a shared table that hides it, only those of a GM do. This is a courtesy: everyone has the whole campaign.
        """
        session, state = self.session, self.session.state
        if session.game.gm_side(state) is None:
            return False
        alone = not session.by and not session.watches
        role = state["seats"].get(session.by, {}).get("role")
        return alone or role == seats.GM or not session.game.hides_gm_side(state)

    def _is_ours(self, who: str) -> bool:
        """Return True if this player may play the character `who`: it is the player's, or no player's.

        Also return True if this player has no seat.
        """
        state, by = self.session.state, self.session.by
        return not by or seats.holder(state, who) in {"", by} or by in seats.seats_of(state, who)

    def played_by(self, who: str) -> str:
        """Return the name of the other player at a shared table who plays this character; "" if there is none."""
        session, held = self.session, seats.seats_of(self.session.state, who)
        if not held or session.by in held or not (session.by or session.watches):
            return ""
        return seats.name_of(session.state, held[0])

    def welcome(self, before: tuple[str, ...]) -> None:
        """Make a new party member of this player active: one who is not in `before`, the ids at an earlier time.

        Do nothing if there is no new member.
        """
        new = (who for who in self.party if who not in before and self._is_ours(who))
        self.active = next(new, self.active)

    # -- procedures -------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """True if the active character has an unfinished procedure, so that most others cannot begin."""
        return self.session.under_way(self.active)

    def bare_rolls(self) -> tuple[Action, ...]:
        """Return the rolls that the game always offers to the active character; () if there is none."""
        return self.session.game.rolls(self.session.state, self.active) if self.active else ()

    def menu(self, who: str = "") -> list[Action]:
        """Return the actions of the character `who`, by default the active one: suggested moves, then permanent rolls.

        Without any character, the only action is to make one. While the character has an unfinished procedure, all
        actions have a `reason` why they cannot begin.
        """
        who = who or self.active
        game, state = self.session.game, self.session.state
        if not who:
            return [Action("", game.moves[game.make_character.procedure].name, game.make_character)]
        fitting = game.now(state, who)
        known = [one.start for one in fitting]
        actions = [*fitting, *(one for one in game.rolls(state, who) if one.start not in known)]
        if self.session.under_way(who):
            return [one._replace(reason="finish your roll first") for one in actions]
        return actions

    def start(self, start: Start, who: str = "") -> Run:
        """Begin a procedure for the character with the id `who`, by default the active one, and return its run.

        A procedure that needs no character begins without one. Raise Refused if there is no such procedure or
        character, or if the character has to finish another one first.
        """
        move = self.session.game.moves.get(start.procedure)
        who = "" if move and move.solo else who or self.active
        return self.session.begin(start.procedure, who, start.answers)

    def make_character(self) -> Run:
        """Begin to make a character, or resume an unfinished one, and return the run.

        Raise Refused if the campaign is read-only, or if the dice of the unfinished one no longer fit.
        """
        making = self.session.game.make_character
        by = self.session.by
        open_now = self.session.log.open_runs()
        begun = (one for one in open_now if one.get("did") == making.procedure and one.get("by", "") in {"", by})
        ident = next((entry["id"] for entry in begun), None)
        return self.session.resume(ident) if ident else self.start(making)

    def repeat_last(self) -> Run | None:
        """Begin the active character's newest roll again, with the same answers up to its dice, and return the run.

        Answers that no longer fit are asked for again. Return None if there is no such roll in memory. Raise Refused if
        the move cannot begin.
        """
        from tracker.games.api.prompts import Roll

        session, moves = self.session, self.session.game.moves
        for entry in reversed(session.log.entries):
            if entry.get("who") != self.active or entry.get("open") or "facts" not in entry:
                continue
            did = entry.get("did", "")
            if not session.log.counts(entry) or did not in moves or not session.game.card(did, entry["facts"]).dice:
                continue
            said, run = dict(entry.get("answers", [])), session.begin(did, self.active)
            with contextlib.suppress(Refused):
                while run.prompt is not None and not isinstance(run.prompt, Roll) and run.prompt.key in said:
                    run.answer(said[run.prompt.key])
            return run
        return None

    def due(self) -> Iterator[tuple[str, tuple[DueItem, ...]]]:
        """Yield (character id, due items) for each character who has any, the active one first.

        An unfinished procedure without a character is listed only once. At a shared table, what other players have to
        do is left out.
        """
        for who, due in self._all_due():
            if mine := tuple(item for item in due if not self._waits_for(who, item)):
                yield who, mine

    def due_of_others(self) -> Iterator[tuple[str, str, DueItem]]:
        """Yield (player's name, character id, due item) for what other players at a shared table have to do."""
        for who, due in self._all_due():
            for item in due:
                if seat := self._waits_for(who, item):
                    yield seats.name_of(self.session.state, seat), who, item

    def nothing_due(self) -> str:
        """Return the sentence for a player who asks for what is due and has nothing to do.

        It names the first thing that is due from another player, if there is one.
        """
        for name, _, item in self.due_of_others():
            return f"Nothing is due from you. {item.words} is due from {name}."
        return "Nothing is due."

    def _all_due(self) -> Iterator[tuple[str, tuple[DueItem, ...]]]:
        told: set[str] = set()
        for who in dict.fromkeys((self.active, *self.party)):
            if due := tuple(item for item in self.session.owed(who) if item.run not in told):
                told |= {item.run for item in due if item.run}
                yield who, due

    def _waits_for(self, who: str, item: DueItem) -> str:
        """Return the id of the seat of the other player who has to do this item of the character `who`.

        Return "" if it is for this player, or for no player in particular.
        """
        state, by = self.session.state, self.session.by
        if not by and not self.session.watches:
            return ""
        begun = self.session.log.open_run(item.run) if item.run else None
        if begun and not begun.get("who"):
            author = str(begun.get("by", ""))
            return author if author != by and author in state["seats"] else ""
        return "" if by and self._is_ours(who) else seats.holder(state, who)

    def next_due(self) -> tuple[str, tuple[DueItem, ...]]:
        """Return (character id, due items) for the first character who has any, beginning with the active one.

        Return (the active character's id, ()) if nothing is due from this player.
        """
        return next(self.due(), (self.active, ()))

    def start_due(self, who: str, item: DueItem) -> Run:
        """Begin the move of a due item for the character `who`, or resume its unfinished run, and return the run.

        Raise Refused if the move cannot begin, or the run cannot be resumed.
        """
        return self.session.resume(item.run) if item.run or not item.start else self.start(item.start, who)

    # -- changes by hand --------------------------------------------------------------------------------

    def change(self, effect: Effect, who: str = "") -> Entry:
        """Make a change by hand and return its entry. Raise Refused, with the reason, if the state would not change.

        A change by more than the number's whole range is refused, too: it is a typing error. `who` is the id of the
        character to store in the entry, by default the active one.
        """
        session = self.session
        _, kind, _ = locate(session.game.top, session.state, effect["at"]) or ((), None, 0)
        if isinstance(kind, Integer) and abs(effect.get("by", 0)) > kind.high - kind.low:
            raise Refused(self._why_not(effect))
        if apply(session.game.top, session.state, effect) == session.state:
            raise Refused(self._why_not(effect))
        return session.do("change", [effect], who=who or self.active)

    def set_number(self, at: str, value: int) -> Effect:
        """Return the effect that sets the number at the path `at` to `value`. The state is not changed yet.

        For a number that the game knows, the effect adds the difference, so that the game's triggers act. Raise Refused
        if such a number has this value already or cannot have it.
        """
        game, state = self.session.game, self.session.state
        path, kind, now = locate(game.top, state, at) or ((), None, 0)
        if not isinstance(kind, Integer):
            return {"at": at, "to": value}
        if value == now:
            raise Refused(f"{game.label(at)} is already {value}.")
        high = kind.most(state, path) if kind.most else kind.high
        low = kind.least(state, path) if kind.least else kind.low
        if not low <= value <= max(high, now):
            raise Refused(f"{game.label(at)} stays {now}; it runs from {low} to {high}.")
        return {"at": at, "by": value - now}

    def _why_not(self, effect: Effect) -> str:
        game, state = self.session.game, self.session.state
        label = game.label(effect["at"])
        path, kind, value = locate(game.top, state, effect["at"]) or ((), None, "")
        if not isinstance(kind, Integer):
            return f"{label} is unchanged."
        if effect.get("by", 0) > 0 and kind.blocked and (why := kind.blocked(state, path)):
            return f"{label} stays {value}: {why}."
        high = kind.most(state, path) if kind.most and "by" in effect else kind.high
        low = kind.least(state, path) if kind.least and "by" in effect else kind.low
        return f"{label} stays {value}; it runs from {low} to {high}."

    @property
    def types_dice(self) -> bool:
        """True if the player types in the faces of real dice.

        What this player has chosen at a shared table counts first, then the campaign's setting, then the player's own.
        """
        return self._own_dice == TYPED if self._own_dice else typed_in(self.session.state, self._usual_dice)

    def change_dice(self) -> Entry | None:
        """Switch between dice rolled by the program and typed in, for this campaign; return the entry.

        At a shared table the switch is only this player's, and the result is None. Raise Refused if the change cannot
        be saved.
        """
        wanted = ROLLED if self.types_dice else TYPED
        if self.session.by:
            self._own_dice = wanted
            return None
        return self.session.do("change", [{"at": "dice_are", "to": wanted}])

    # -- undo -------------------------------------------------------------------------------------------

    def reverse(self, reversal: Reversal | None) -> str:
        """Make this undo or redo and return a sentence such as "Undone for Kara: Face Danger".

        The name is left out in a party of one. Return "" if `reversal` is None or changes nothing. If `reversal.far` is
        True, the whole file is read, which is slow. Raise Refused if the change cannot be saved; Refused, SaveError or
        OSError if the file has to be read and cannot be.
        """
        from tracker.campaign.journal import name_of, reversed_entry, undone

        entry = self.session.undos.make(reversal) if reversal else None
        if not reversal or not entry:
            return ""
        name = name_of(self.session, reversed_entry(self.session, entry))
        return f"{reversal.word}{f' for {name}' if name else ''}: {undone(self.session, entry)}"

    def whose(self, reversal: Reversal) -> str:
        """Return a sentence that says whose entry an undo or redo would change, and what that entry did or undid.

        Return "" if it is this player's own, or from before there were seats.
        """
        if not reversal.whose:
            return ""
        from tracker.campaign.journal import changed, name_of, reversed_entry, undone

        session, name = self.session, seats.name_of(self.session.state, reversal.whose)
        entry = next((one for one in session.log.entries if one["id"] == reversal.undoes), None)
        did = "undid" if entry and "undoes" in entry else "did"
        if entry is None:
            return f"{name} did this: an older entry."
        done, words, who = reversed_entry(session, entry), [undone(session, entry)], ""
        if done.get("did") in session.game.moves:
            words += changed(done)
            who = f" for {character}" if (character := name_of(session, done)) else ""
        return f"{name} {did} this{who}: {shown_line(', '.join(words), 160).rstrip('.')}."

    def other_author(self, entry: Entry) -> str:
        """Return the name of the player who made an entry if that is another one at a shared table; else ""."""
        by, state = entry.get("by", ""), self.session.state
        return seats.name_of(state, by) if by in state["seats"] and self.session.by not in {"", by} else ""

    def undo(self) -> str:
        """Undo the newest entry; return a sentence that says what it was, or "" if nothing is left to undo.

        If the last thing done was an undo of an older entry, redo that instead. Raise Refused if the undo cannot be
        saved; Refused, SaveError or OSError if the file has to be read and cannot be.
        """
        return self.reverse(self.session.undos.last())

    def redo(self) -> str:
        """Redo what was undone last; return a sentence that says what it was, or "" if nothing is left to redo.

        Raise Refused if the redo cannot be saved; Refused, SaveError or OSError if the file has to be read and cannot
        be.
        """
        return self.reverse(self.session.undos.next_redo())


def _last_active(session: Session) -> str:
    """Return the id of the character in play whose entry is the newest, else the first of the party, else "".

    For a player with a seat, characters whom other players play are left out.
    """
    party = [member.id for member in session.game.members(session.state)]
    if session.by:
        party = [who for who in party if seats.holder(session.state, who) in {"", session.by}]
    last = (entry.get("who", "") for entry in reversed(session.log.entries))
    return next((who for who in last if who in party), next(iter(party), ""))
