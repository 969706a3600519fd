"""Questions before playing together: where to host, the code to join with, the player's name."""

from __future__ import annotations

from collections.abc import MutableMapping

from textual.content import Content

from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.screens.name_dialog import NameDialog
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import Row
from tracker.coop.arrival import read_code
from tracker.coop.identity import own_name
from tracker.coop.invitation import is_code
from tracker.coop.plans import HERE, Hosting, own_address
from tracker.games.api.errors import Refused
from tracker.games.common.seats import NAME_MOST
from tracker.text import name_problem


def host_rows() -> tuple[Row, ...]:
    """Return a row for each place where this machine can host; its value is the plan, a Hosting.

    Without a network, the row for it is disabled.
    """
    lan = own_address()
    reached = f"friends reach it at {lan}" if lan else ""
    return (
        Row("Host on this machine", Hosting(HERE), "h", "reached from this machine and through ssh"),
        Row("Host on your network", Hosting(lan), "n", reached, reason="" if lan else "no network"),
    )


def ways_to_host(heading: Heading) -> ListScreen:
    """Return the dialog that asks where to host. It ends with the plan, or with None if the player goes back."""
    about = [Content.styled("Friends join with a code, shown next. Each of them gets the whole campaign.", "$muted")]
    return ListScreen(heading, "Host", Choices(host_rows(), lambda _: about, filters=False))


def ask_code(heading: Heading, begun: MutableMapping[str, str]) -> NameDialog:
    """Return the dialog that asks for a code. It ends with a valid code as text, or with None if the player goes back.

    `begun` keeps text that was not submitted, by the title of its dialog. The dialog reads and updates it.
    """

    def problem(code: str) -> str | None:
        try:
            read_code(code)
        except Refused as error:
            return str(error)
        return None

    return NameDialog(heading, "Join", "Paste the code from the host.", problem, begun)


def ask_name(heading: Heading, begun: MutableMapping[str, str]) -> NameDialog:
    """Return the dialog that asks for the player's name.

    It ends with a valid name, or with None if the player goes back. `begun` keeps text that was not submitted, by the
    title of its dialog. The dialog reads and updates it.
    """

    def problem(name: str) -> str | None:
        if is_code(name):
            return "That is a code; it comes next. First your name."
        return name_problem(name) or (f"The limit is {NAME_MOST} characters." if len(name) > NAME_MOST else None)

    return NameDialog(heading, "Your name", "What are you called at the table?", problem, begun, own_name())
