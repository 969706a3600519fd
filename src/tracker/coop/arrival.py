"""Arrival at a host, from the shell or the list of campaigns: knock, find or make our own copy, and fill a new one.

`join`, `find` and `second_window` block and run an event loop of their own, so a screen calls them in a thread. The
copy is then opened like any campaign, and `Company.join` connects it to the host.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from tracker import games
from tracker.campaign.fold import start, written
from tracker.campaign.own_seat import FOLDER, WINDOWS, code_here
from tracker.campaign.session import Session
from tracker.coop import key_files, lines
from tracker.coop.events import Events
from tracker.coop.guest import Guest, NotLetIn, Welcome, check_welcome, knock
from tracker.coop.identity import own_name
from tracker.coop.invitation import Invitation
from tracker.coop.lines import Line, LineClosed
from tracker.coop.plans import how_to_install
from tracker.coop.replica import Replica
from tracker.games.api.errors import Refused
from tracker.games.common.seats import PLAYER
from tracker.records import NamedTuple
from tracker.saves import saves_folder
from tracker.saves.disk import data_folder
from tracker.saves.errors import SaveError
from tracker.saves.head import Head, folder_name
from tracker.saves.lock import held, lock_of
from tracker.saves.save import Save, Step
from tracker.text import shown_line

SECONDS = 0.1
"""Seconds between two calls of `step`, which raises if the player no longer wants to wait."""
PATIENCE = 20.0
"""Seconds without a new entry after which a copy that is being filled is left as it is."""


class Joined(NamedTuple):
    """The way into a shared campaign: the path of our copy, the invitation, and the name and role to join with."""

    path: str
    invitation: Invitation
    name: str
    role: str
    note: str = ""
    """A sentence for the player about the copy, or ""."""


def read_code(code: str) -> Invitation:
    """Return the invitation that a code stands for.

    Raise Refused, with a sentence for the player, if it stands for none or needs a package that is not installed.
    """
    try:
        invitation = Invitation.read(code)
    except ValueError as error:
        raise Refused(str(error)) from None
    if invitation.is_far and (missing := how_to_install("far")):
        raise Refused(missing)
    return invitation


async def dial(invitation: Invitation) -> Line:
    """Return a line to the host of this invitation. Raise LineClosed if nobody answers there."""
    if invitation.is_far:
        from tracker.coop.iroh_line import dial as dial_far

        return await dial_far(invitation.where)
    return await lines.dial(*invitation.address)


def join(
    code: str, folder: str, *, name: str = "", role: str = PLAYER, asked: Callable[[str], None], step: Step
) -> Joined:
    """Knock at a host and make sure that this machine has a copy of the campaign that is played there.

    `asked` is called with a sentence for the player if the host has to be asked. `step` is called often: with 0 while
    we wait, then with the progress, from 0 to 1, of filling a new copy; it may raise to give up. `role` is PLAYER or
    SPECTATOR. Raise Refused with a sentence for the player if there is no way in, and SaveError or OSError if the copy
    or the player's key cannot be read or written.
    """
    invitation = read_code(code)
    name = own_name(name)
    key = key_files.OwnKey(name)

    async def whole() -> Joined:
        welcome = await _until_let_in(invitation, key, name, role, asked)
        path, note = copy_of(welcome.campaign, folder)
        joined = Joined(path, invitation, name, role, note)
        await _fill(joined, key, step)
        return joined

    return asyncio.run(_watched(whole(), step))


def find(name: str, folder: str, url: str, credentials: str = "") -> tuple[str, str]:
    """Find a campaign by its name or id on a NATS server, and make sure that this machine has a copy of it.

    Return (path of the copy, sentence about it or ""). `credentials` is the path of a file, or "". Raise Refused with a
    sentence for the player if the campaign is not found or cannot be played here, and SaveError or OSError if the copy
    cannot be written.
    """
    from tracker.coop.nats_feed import Server, Unreachable
    from tracker.coop.nats_member import find as find_on

    server = Server(url, credentials)
    try:
        told = asyncio.run(find_on(server, name))
        check_welcome(Welcome("", "", told))
    except (NotLetIn, Unreachable) as error:
        raise Refused(str(error)) from None
    except LineClosed as closed:
        raise Refused(f"Can't reach {server.shown}: {str(closed).rstrip('.')}.") from None
    return copy_of(told, folder)


def second_window(session: Session, step: Step) -> Joined | None:
    """Join the campaign of the read-only `session` at the window on this machine that hosts it.

    Return the way in, or None if no window here hosts it, or if its host does not let us in. Block until the host has
    answered and a new copy has all entries. `step` is called with the progress, from 0 to 1; raise only what it raises.
    """
    code, name = code_here(session.save.head.id)
    if not code:
        return None
    try:
        folder = os.path.dirname(session.save.path)
        return join(code, folder, name=name, asked=lambda _: None, step=step)._replace(note="")
    except (Refused, SaveError, OSError):  # it is not hosted any more: the window stays read-only
        return None


async def _watched(work: Any, step: Step) -> Joined:
    """Return the result of the awaitable `work`, and call `step` with 0 again and again until then.

    If `step` raises, `work` is cancelled and the error goes on. Raise what `work` raises.
    """
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait([task], timeout=SECONDS))[0]:
            step(0)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
    joined: Joined = task.result()
    return joined


async def _until_let_in(
    invitation: Invitation, key: key_files.OwnKey, name: str, role: str, asked: Callable[[str], None]
) -> Welcome:
    """Connect to the host, knock, close the line, and return the host's welcome.

    `asked` is called with a sentence for the player if the host has to be asked. Raise Refused, with a sentence for
    the player, if the host does not answer or let us in, or if this tracker cannot play the campaign.
    """
    try:
        line = await dial(invitation)
        try:
            welcome = await knock(line, invitation.secret, key, name, "", role, asked)
        finally:
            await line.close()
        check_welcome(welcome)
    except NotLetIn as error:
        raise Refused(str(error)) from None
    except LineClosed as closed:
        raise Refused(no_answer(invitation, closed)) from None
    return welcome


def no_answer(invitation: Invitation, closed: LineClosed) -> str:
    """Return a sentence for the player that says why the host of this invitation could not be reached.

    `closed` is the error with which the attempt ended.
    """
    why = shown_line(str(closed), 100).rstrip(".")
    where = "the host" if invitation.is_far else invitation.where
    return f"Can't reach {where}: {why}. Is it hosted, and is the code the newest?"


def copy_of(campaign: dict[str, str], folder: str) -> tuple[str, str]:
    """Return (path of our copy of a shared campaign, sentence about it or ""). If there is no copy, make an empty one.

    `campaign` describes the campaign as a host's welcome does. A copy that is open in another window is left to that
    window: this one gets a copy of its own in the data folder. Raise SaveError, Refused or OSError if a copy cannot be
    made.
    """
    saves_folder.make_saves_folder(folder)
    paths = (one.path for one in saves_folder.campaigns(folder))
    known = next((path for path in paths if saves_folder.id_of(path) == campaign["id"]), "")
    if known and not held(lock_of(os.path.realpath(known))):
        return known, ""
    name = campaign["name"]
    if saves_folder.name_problem(name):
        name = f"Joined {games.GAMES[campaign['game']].name}"
    if known:
        return window_copy(campaign["id"], campaign["game"], os.path.basename(known).removesuffix(".toml")), ""
    free = next(one for one in (name, *(f"{name} {n}" for n in range(2, 1000))) if _is_free(one, folder))
    path = os.path.join(folder, f"{free}.toml")
    _make(path, campaign["id"], campaign["game"])
    note = f"You have another campaign called {shown_line(name)}, so this one is {shown_line(free)}."
    return path, note if free != name else ""


def window_copy(ident: str, game: str, name: str) -> str:
    """Return the path of a copy in the data folder that no window has open; if there is none, make an empty one.

    `ident` is the id of the campaign, `game` that of its game, and `name` the name of the file without its extension.
    Raise Refused if too many are open, and SaveError or OSError if the copy cannot be made.
    """
    for number in range(1, 100):
        folder = os.path.join(data_folder(), FOLDER, WINDOWS, f"{folder_name(ident)}-{number}")
        path = os.path.join(folder, f"{name}.toml")
        if not os.path.exists(path):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            _make(path, ident, game)
            return path
        if not held(lock_of(os.path.realpath(path))):
            return path
    raise Refused("Too many windows of this campaign are open.")


def _is_free(name: str, folder: str) -> bool:
    return not os.path.lexists(os.path.join(folder, f"{name}.toml"))


def _make(path: str, ident: str, game: str) -> None:
    played = games.get(game)
    state = written(played.top, start(played.top))
    Save.create(path, Head(id=ident, game=played.id, rules=played.rules, state=state))


async def _fill(joined: Joined, key: key_files.OwnKey, step: Step) -> None:
    """Get all entries from the host if the copy has none yet, so that nothing large is left to do on the screen.

    `step` is called with the progress, from 0 to 1. Raise Refused if the host does not let us in, and SaveError or
    OSError if the copy cannot be read.
    """
    session = Session.open(joined.path, tail="keep")
    try:
        if session.log.upto or session.log.entries:
            return
        guest = Guest(
            Replica(session),
            lambda: dial(joined.invitation),
            joined.invitation.secret,
            key,
            joined.name,
            Events(),
            joined.role,
        )
        running = asyncio.ensure_future(guest.run())
        loop = asyncio.get_running_loop()
        progress, since = guest.progress, loop.time()
        try:
            while guest.status not in {"here", "refused"}:
                await asyncio.sleep(SECONDS / 5)
                step(guest.progress)
                if guest.progress != progress:
                    progress, since = guest.progress, loop.time()
                elif loop.time() > since + PATIENCE:
                    raise Refused("The host let you in, but sends nothing. Ask for a new code, and join again.")
        finally:
            running.cancel()
            await asyncio.wait([running])
            guest.stop()
        if guest.status == "refused":
            raise Refused(guest.why)
    finally:
        session.close()
