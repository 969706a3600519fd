"""A host of a campaign for browsers: it has no screen, and runs an app for each browser, which joins it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shlex
import sys
from collections.abc import Callable

from tracker.campaign.session import Session
from tracker.coop import key_files
from tracker.coop.browsers import Browsers, Login, Place
from tracker.coop.events import Events
from tracker.coop.host import Host
from tracker.coop.invitation import Invitation, place
from tracker.coop.plans import CODE_VARIABLE, HERE, why_not
from tracker.coop.replica import Replica
from tracker.games.api.errors import Refused
from tracker.saves.head import folder_name

PORT = 47180
"""Port at which browsers find a campaign if it is free and none is given."""
FOLDER = "browsers"
"""Folder, beside the keys, with the copies of the players in browsers, by campaign and name."""


class WebHost:
    """A campaign that is open to browsers. `says` is called with each sentence for the person who runs the program."""

    def __init__(self, session: Session, says: Callable[[str], None]) -> None:
        self.session = session
        self.login = Login()
        self.fingerprint = ""
        """SHA-256 of our certificate as browsers show it, if they are to see it, else ""."""
        self._says = says
        self._host: Host | None = None
        self._browsers: Browsers | None = None

    async def open(self, address: str = "", port: int = 0, url: str = "") -> Place:
        """Let browsers in and return where they find us.

        Port 0 takes the usual one, or a free one if that is in use. `url` is what browsers open if a reverse proxy is
        in between, or "". An address that others can reach is encrypted unless there is such a proxy. The code for the
        apps is put into the environment. Raise Refused, with a sentence for the player, if nothing can listen there,
        and OSError if the campaign's file or the certificate cannot be read or written.
        """
        address = address or HERE
        self._host = Host(await asyncio.to_thread(Replica, self.session), Events(says=self._tell))
        inside = await self._host.open(HERE)
        os.environ[CODE_VARIABLE] = str(Invitation(place(HERE, inside), self._host.secret))
        certificate = None if url or address in {HERE, "::1", "localhost"} else key_files.Certificate()
        self.fingerprint = certificate.fingerprint.hex(":").upper() if certificate else ""
        context = certificate.context() if certificate else None
        self._browsers = Browsers(self.session.save.name.removesuffix(".toml"), self.login, self._command, self._says)
        try:
            return await self._browsers.open(address, port or PORT, url=url, certificate=context)
        except (OSError, OverflowError) as error:
            if port:
                raise Refused(why_not(address, port, error)) from None
        try:
            return await self._browsers.open(address, url=url, certificate=context)
        except OSError as error:
            raise Refused(why_not(address, PORT, error)) from None

    async def close(self) -> None:
        """End the apps of all browsers, which save what they have, and stop listening."""
        os.environ.pop(CODE_VARIABLE, None)
        if self._browsers:
            await self._browsers.close()
        if self._host:
            await self._host.close()

    def _tell(self, sentence: str) -> None:
        if sentence:
            self._says(sentence)

    def _command(self, name: str) -> str:
        """Return the shell command that runs the app of the player with this name; create the folder for its saves.

        The code to join with is not in the command: the app finds it in the environment. Raise OSError if the folder
        cannot be created.
        """
        stem = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:20]
        folder = f"{stem}-{hashlib.sha256(name.casefold().encode()).hexdigest()[:8]}"
        saves = os.path.join(key_files.folder(), FOLDER, folder_name(self.session.save.head.id), folder)
        os.makedirs(saves, mode=0o700, exist_ok=True)
        words = [sys.executable, "-m", "tracker", "--saves", saves, "join", "--as", name]
        return f"exec {shlex.join(words)}"
