"""The command `serve`: a campaign that friends play in their browsers."""

from __future__ import annotations

import argparse
import asyncio
import re
import signal
import sys
from typing import TYPE_CHECKING

from tracker.arguments import Misuse, complain
from tracker.commands.campaign_lookup import path_of
from tracker.commands.output import say
from tracker.coop.plans import how_to_install
from tracker.games.api.errors import Refused
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.campaign.session import Session


def serve(asked: argparse.Namespace) -> int:
    """Open a campaign to browsers until Ctrl+C or SIGTERM.

    Return the exit code: 1 if changes could not be saved, else 0. Raise Misuse if `--url` is not an address of a site,
    and SaveError, Refused or OSError if the campaign cannot be opened to browsers.
    """
    if missing := how_to_install("browser"):
        raise Refused(missing)
    if asked.url and not re.fullmatch(r"https?://[A-Za-z0-9.\-\[\]:]+/?", asked.url):
        raise Misuse("--url is the address that browsers open, such as https://vale.example.org.")
    path = path_of(asked)
    if saves_folder.is_example(path):
        raise SaveError("Open the example first, and serve the copy that you then have.")
    from tracker.campaign.other_windows import take_left
    from tracker.campaign.session import Session

    session = take_left(Session.open(path))
    try:
        if session.readonly:
            raise SaveError(f"This campaign is read-only: {session.readonly}.")
        asyncio.run(_serve(session, asked))
    finally:
        sign = session.close()
    if sign.word == "NOT SAVED":
        complain(f"Some changes are NOT SAVED: {sign.why}.")
        return 1
    return 0


async def _serve(session: Session, asked: argparse.Namespace) -> None:
    """Serve an open campaign until Ctrl+C or SIGTERM, and print where browsers find it.

    Raise Refused if nothing can listen at the address, and OSError if the certificate of this machine cannot be read or
    written.
    """
    from tracker.coop.web_host import WebHost

    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)

    def tell(sentence: str) -> None:
        say(sentence)
        sys.stdout.flush()

    host = WebHost(session, tell)
    try:
        where = await host.open(asked.bind or "", asked.port or 0, asked.url or "")
        name = shown_line(session.save.name.removesuffix(".toml"))
        tell(f"{name} is open to browsers: {where.url}/#{host.login.shown}")
        tell(f"Or open {where.url} and type this code: {host.login.shown}")
        if host.fingerprint:
            tell("Browsers warn of this machine's own certificate the first time. Its SHA-256 fingerprint:")
            tell(host.fingerprint)
        tell("Ctrl+C ends it.")
        await ended.wait()
    finally:
        await host.close()
