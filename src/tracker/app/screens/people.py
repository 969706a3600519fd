"""Who plays: a page with everybody who has a seat, and the screen with the code that others join with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.keymap import Hint, key_for
from tracker.app.screens.base import KEYS, Modal
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import Row
from tracker.coop.company import Company, Person
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import time_of_day
from tracker.games.common.seats import GM, PLAYER, ROLES, SPECTATOR
from tracker.text import shown_line

SECONDS = 1.0
"""Seconds between two looks at who is here."""


class LeaveGuestsScreen(ListScreen):
    """Dialog that asks the host whether to leave while guests are here. Ends with True to leave, or None to stay."""

    def __init__(self, heading: Heading, guests: Sequence[str]) -> None:
        """`guests` are the names of those who are here."""
        names = [shown_line(one, 40) for one in guests]
        rows = (
            Row("Stay", False, "s", "the table stays open"),
            Row("Leave", True, "l", "the shared table closes; each keeps the campaign"),
        )
        here = f"Still here: {', '.join(names)}."
        super().__init__(heading, "Leave your guests?", Choices(rows, lambda _: [Content(here)], filters=False))


class PeopleScreen(ListScreen):
    """Page with everybody who has a seat or watches: role, characters, since when. Enter shows what can be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "agree", "Yes", id="people.agree", tooltip="Let them in, or agree to what they ask."),
        Binding("n", "decline", "No", id="people.decline", tooltip="Turn them away, or say no to what they ask."),
        Binding("i", "code", "Code", id="people.code", tooltip="Show the code that others join with."),
    ]

    def __init__(self, heading: Heading, company: Company, changed: Callable[[str], None]) -> None:
        """`changed` is called with a sentence after each change."""
        self.company = company
        self._changed = changed
        self._said = ""
        super().__init__(heading, "Who plays", Choices(self._rows(), lambda _: self._below(), filters=False))

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(SECONDS, self.follow)

    def follow(self) -> None:
        if self.is_mounted and self.is_open:
            self.choices = self.choices._replace(rows=self._rows())
            self.list.show()

    def hints(self) -> tuple[Hint, ...]:
        asks = (self.hint("agree"), self.hint("decline")) if self.company.question() else ()
        code = (self.hint("code"),) if self.company.invitation else ()
        return (*asks, *super().hints(), *code)

    def _rows(self) -> tuple[Row, ...]:
        people = self.company.people()
        rows = (Row(_who(one), one, str(n) if n < 10 else "", _what(one)) for n, one in enumerate(people, 1))
        return tuple(rows) or (Row("No seats yet", None, note="hosting or joining makes one"),)

    def _below(self) -> list[Content]:
        lines = [self.company.question(), self._said, self.company.connection()]
        told = [Content.styled(shown_line(line, 300), "$mid" if n < 2 else "") for n, line in enumerate(lines) if line]
        reunion = self.company.reunion
        if reunion:
            told += [Content(), Content(f"{reunion[0]}.")]
            told += [Content.styled(f"  {shown_line(line, 200)}", "$muted") for line in reunion[1:]]
        return told

    def _say(self, said: str) -> None:
        self._said = said
        self._changed(said)
        self.follow()

    def action_agree(self) -> None:
        self._say(self.company.agree())

    def action_decline(self) -> None:
        self._say(self.company.decline())

    def action_code(self) -> None:
        if self.company.invitation:
            self.app.push_screen(CodeScreen(self.heading, self.company, self._changed))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"agree", "decline"}:
            return bool(self.company.question())
        if action == "code":
            return bool(self.company.invitation)
        return super().check_action(action, parameters)

    def picked(self, row: Row) -> None:
        """Open the list of actions on this person, and do the picked one; if there are none, say why."""
        if not isinstance(row.value, Person):
            return
        acts = tuple(self._acts(row.value))
        if not acts:
            self._say("Only the host changes that." if not row.value.is_me else "You are here.")
            return
        rows = tuple(Row(label, act, str(n) if n < 10 else "", note) for n, (label, note, act) in enumerate(acts, 1))

        def done(act: Callable[[], str] | None) -> None:
            if act:
                try:
                    self._say(act())
                except Refused as error:
                    self._say(str(error))

        choices = Choices(rows, lambda _: [], filters=False)
        self.app.push_screen(ListScreen(self.heading, row.value.name, choices), done)

    def _acts(self, one: Person) -> Iterator[tuple[str, str, Callable[[], str]]]:
        """Yield (label, note, function) for each action that this player can take on a person.

        The function does it and returns a sentence about the result; it may raise Refused.
        """
        company = self.company
        if one.asks:
            yield "Yes", one.asks, lambda: company.agree(one)
            yield "No", "", lambda: company.decline(one)
        manages = company.may_manage
        if not one.seat or not (manages or one.is_me):
            return
        state = company.session.state
        for who, record in state["party"].items():
            name = shown_line(record["name"], 40)
            theirs = who in state["seats"][one.seat]["plays"]
            held = any(who in seat["plays"] for seat in state["seats"].values())
            if theirs:
                yield f"{name}: let others play", "", self._gives(who, "", f"No one in particular plays {name} now.")
            elif manages or not held:
                note, said = ("", "") if manages else ("the host is asked", "The host is asked.")
                yield f"{name}: {'play' if one.is_me else 'hand over'}", note, self._gives(who, one.seat, said)
        if manages:
            role = PLAYER if one.role == GM else GM
            yield f"Make {ROLES[role]}", _ABOUT[role], lambda: self._appoint(one, role)
        if company.is_host and one.since and not one.is_me:
            yield "Remove", "the connection ends; the seat stays", lambda: self._put_out(one)

    def _gives(self, who: str, seat: str, said: str) -> Callable[[], str]:
        def give() -> str:
            self.company.give(who, seat)
            return said

        return give

    def _appoint(self, one: Person, role: str) -> str:
        self.company.appoint(one.seat, role)
        return f"{one.name} is {ROLES[role]} now."

    def _put_out(self, one: Person) -> str:
        self._putting_out = asyncio.ensure_future(self.company.put_out(one.seat))
        return f"{one.name} was removed."


def agreeing(question: str, key: str) -> str:
    """Return a clause that says what `key` does for `question`, which the host is asked, such as "A lets them in"."""
    return f"{key} lets them in" if " knocks" in question else f"{key} agrees"


_ABOUT = {GM: "may act for every character", PLAYER: "plays their own characters"}


def _who(one: Person) -> str:
    return f"{one.name} (you)" if one.is_me else one.name


def _what(one: Person) -> str:
    role = ROLES.get(one.role, one.role)
    words = [f"{role}, hosts" if one.is_host else role]
    if one.role != SPECTATOR:
        words.append(", ".join(one.characters) or "no character yet")
    if one.asks:
        return one.asks
    words.append(f"here since {time_of_day(one.since)}" if one.since else "away")
    return " · ".join(words)


class CodeScreen(Modal[None]):
    """Dialog with the code that others join with; a key copies it, or lets in a friend who knocks."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "back", "Back", id="code.back", tooltip="Go back to the table."),
        Binding("y", "copy", "Copy", id="code.copy", tooltip="Let in a friend who knocks; else copy the command."),
        Binding("n", "decline", "No", id="code.decline", tooltip="Turn away a friend who knocks."),
        KEYS,
    ]

    def __init__(self, heading: Heading, company: Company, changed: Callable[[str], None]) -> None:
        """`changed` is called with a sentence after the player has answered a question."""
        super().__init__(heading, "Your code")
        self.company = company
        self._changed = changed
        self._said = ""

    def body(self) -> Iterator[Widget]:
        yield Lines((), id="told")

    def hints(self) -> tuple[Hint, ...]:
        if self.company.question():
            return (self.hint("copy", "Yes"), self.hint("decline"), self.hint("back"), self.hint("keys"))
        return (self.hint("copy"), self.hint("back"), self.hint("keys"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "decline":
            return bool(self.company.question())
        return super().check_action(action, parameters)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def headed(self) -> None:
        if self.is_mounted and self.is_open:
            self._show()

    @property
    def _command(self) -> str:
        return f"tracker join {self.company.invitation}"

    def _show(self) -> None:
        where = self.company.invitation.rpartition("/")[0].rpartition(":")[0]
        reach = (
            "Only this machine can be reached so, or an ssh tunnel to it."
            if where in {"127.0.0.1", "[::1]"}
            else "Everyone who can reach this address and has the code can knock."
        )
        key = key_for(self, "copy")
        copy = f"{key} copies it. It is new each time you host; pass it on in private."
        lines = [Content("A friend joins with:"), Content()]
        lines += Content.styled(self._command, "bold $key").wrap(self.room)
        lines += [Content(), *Content(reach).wrap(self.room), *Content(copy).wrap(self.room)]
        if remark := self.company.remark:
            lines += Content.styled(remark, "$mid").wrap(self.room)
        lines += [Content("The first time, you are asked to let them in.")]
        if others := self.company.standing.others:
            lines += [Content(), *Content(f"Here now: {', '.join(others)}.").wrap(self.room)]
        if question := self.company.question():
            no = key_for(self, "decline")
            lines += [
                Content(),
                *Content.styled(f"{question} {agreeing(question, key)}, {no} doesn't.", "$mid").wrap(self.room),
            ]
        elif self._said:
            lines += [Content(), *Content.styled(self._said, "$mid").wrap(self.room)]
        self.query_one("#card", Box).call("Your code")
        self.query_one("#told", Lines).update(tuple(lines))
        self.query_one(Footer).update(self.hints())

    def action_copy(self) -> None:
        """Answer the oldest question with yes and close; without one, copy the command with the code, and say so.

        It goes to the terminal's clipboard (OSC 52), which some terminals do not allow.
        """
        if self.company.question():
            self._changed(self.company.agree())
            self.dismiss(None)
            return
        self.app.copy_to_clipboard(self._command)
        self._said = "Copied. If pasting brings nothing, your terminal doesn't allow it: select the text."
        self._show()

    def action_decline(self) -> None:
        self._changed(self.company.decline())
        self.dismiss(None)

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    def action_back(self) -> None:
        self.dismiss(None)
