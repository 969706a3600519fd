"""A shared campaign in browsers: a login, and for each browser an app of its own that joins the host as a guest.

textual-serve runs the app and draws it in the page. It has no login and answers any page of any site, so both are
checked here before it gets a request.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import logging
import os
import secrets
import ssl
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, urlsplit

import textual_serve
from aiohttp import WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from tracker.coop import browser_pages as pages
from tracker.coop.invitation import new_secret
from tracker.records import NamedTuple
from tracker.text import name_problem, shown_line

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())  # what strangers send would be printed on the terminal
_LOG.propagate = False
MOST = 8
"""Most browsers at the same time; each runs an app of about 50 MB."""
COOKIE = "tracker"
_COOKIE_SECONDS = 30 * 24 * 3600
SLOWER_SECONDS, SLOWEST_SECONDS = 0.5, 5.0
"""Seconds before a wrong login code is answered: for the first from an address, and at most."""
_WIDEST, _HIGHEST = 400, 200
"""Columns and rows of the largest window that an app is given."""
_END_SECONDS = 10.0
"""Seconds that an app has to end once its browser is gone; then it is killed."""
_LONGEST_MESSAGE = 1 << 20
_LONGEST_FORM = 10_000
_STATIC = os.path.join(os.path.dirname(textual_serve.__file__), "static")


class Login:
    """The login of browsers, by a code. After that a browser is known by a token, until this program ends.

    `code` is the login code without hyphens, or "" for a new random one.
    """

    def __init__(self, code: str = "") -> None:
        self.code = code or new_secret()
        self.wrong_codes: Counter[str] = Counter()
        """Wrong codes by the address that they came from."""
        self._names: dict[str, str] = {}

    @property
    def shown(self) -> str:
        """The code in groups of four letters."""
        return "-".join(self.code[n : n + 4] for n in range(0, len(self.code), 4))

    def seconds_to_wait(self, address: str) -> float:
        """Return for how many seconds the answer to a wrong code from this address is held back."""
        return min(SLOWER_SECONDS * self.wrong_codes[address], SLOWEST_SECONDS)

    def fits(self, code: str, address: str) -> bool:
        """Return True if this is the login code, with or without hyphens, in any case.

        If not, count it in `wrong_codes` for the address that it came from.
        """
        given = code.strip().replace("-", "").casefold()
        if hmac.compare_digest(given.encode(), self.code.encode()):
            return True
        self.wrong_codes[address] += 1
        return False

    def admit(self, name: str) -> str:
        """Return a new token for a browser of the player with this name. Older tokens for the name end."""
        self._names = {token: one for token, one in self._names.items() if one.casefold() != name.casefold()}
        token = secrets.token_urlsafe(32)
        self._names[token] = name
        return token

    def name_of(self, token: str) -> str:
        """Return the name of the player with this token, or ""."""
        return self._names.get(token, "")


class Place(NamedTuple):
    """Where browsers find the program: the address and port that it listens at, and `url`, what they open.

    `url` differs from the address if a reverse proxy is in between.
    """

    address: str
    port: int
    url: str


class Browsers:
    """The web server. `command_for` is called with a player's name and returns the shell command that runs their app.

    `title` is the heading of the pages. `says` is called with each sentence for the person who runs the server.
    """

    def __init__(
        self, title: str, login: Login, command_for: Callable[[str], str], says: Callable[[str], None] = lambda _: None
    ) -> None:
        self.title = title
        self.login = login
        self.place = Place("", 0, "")
        self.playing: dict[str, str] = {}
        """Names of the players whose browser is connected, by their case-folded form."""
        self._command_for = command_for
        self._says = says
        self._sockets: set[web.WebSocketResponse] = set()
        self._runner: web.AppRunner | None = None

    async def open(
        self, address: str = "127.0.0.1", port: int = 0, *, url: str = "", certificate: ssl.SSLContext | None = None
    ) -> Place:
        """Listen for browsers and return where. Port 0 takes a free one. Raise OSError if that fails.

        `url` is what browsers open if it is not this address. With a `certificate` the connection is encrypted.
        """
        app = web.Application(middlewares=[self._guard], client_max_size=_LONGEST_FORM)
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/login", self._login_page),
                web.post("/login", self._log_in),
                web.get("/ws", self._play),
                web.static("/static", _STATIC),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, logger=_LOG)
        await self._runner.setup()
        site = web.TCPSite(self._runner, address, port, ssl_context=certificate)
        try:
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        port = int(self._runner.addresses[0][1])
        host = f"[{address}]" if ":" in address else address
        self.place = Place(address, port, url.rstrip("/") or f"http{'s' if certificate else ''}://{host}:{port}")
        return self.place

    async def close(self) -> None:
        """End the apps of all browsers and stop listening. Do nothing before `open`."""
        for socket in [*self._sockets]:
            await socket.close(code=1001)
        if self._runner:
            await self._runner.cleanup()

    # -- who may ask for what -----------------------------------------------------------------------------

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Return what `handler` answers to a request of this site by a browser that is logged in.

        For any other request, raise HTTPForbidden; for the page itself before the login, HTTPSeeOther to the login. A
        site whose name points to this machine has another `Host`; a page of another site has another `Origin`. If
        `handler` fails, tell the person who runs the server, and raise HTTPInternalServerError; for a file that cannot
        exist, HTTPNotFound.
        """
        if not self._is_ours(request.host):
            raise web.HTTPForbidden(text=f"Open {self.place.url} instead.")
        origin = request.headers.get("Origin")
        if (origin is not None and _host_of(origin) != request.host) or (origin is None and request.path == "/ws"):
            raise web.HTTPForbidden(text="This page can only be used from its own site.")
        if request.path != "/login" and not request.path.startswith("/static/") and not self._name(request):
            if request.path == "/":
                raise web.HTTPSeeOther("/login")
            raise web.HTTPForbidden(text="Log in first.")
        try:
            response = await handler(request)
        except (web.HTTPException, ConnectionError):
            raise
        except Exception as fault:  # noqa: BLE001 a bug must not pass in silence
            if isinstance(fault, OSError) and request.path.startswith("/static/"):
                raise web.HTTPNotFound from None  # a name that no file can have
            self._says(shown_line(f"A browser got no answer: {type(fault).__name__}: {fault}", 200))
            raise web.HTTPInternalServerError(text="tracker has a problem; its terminal says which.") from None
        if not response.prepared:
            response.headers.setdefault("X-Frame-Options", "DENY")
            response.headers.setdefault("Referrer-Policy", "same-origin")
            response.headers.setdefault("Cache-Control", "no-store" if request.path in {"/", "/login"} else "private")
        return response

    def _is_ours(self, host: str) -> bool:
        """Return True if a request with this header `Host` names this server: its URL, localhost or an IP address.

        Another name that leads to this machine is one that an attacker may have set up.
        """
        if host == urlsplit(self.place.url).netloc:
            return True
        name, _, port = host.rpartition(":")
        if port != str(self.place.port):
            return False
        if name == "localhost":
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True

    def _name(self, request: web.Request) -> str:
        return self.login.name_of(request.cookies.get(COOKIE, ""))

    # -- pages --------------------------------------------------------------------------------------------

    async def _login_page(self, _: web.Request) -> web.StreamResponse:
        return _html(pages.login(self.title))

    async def _log_in(self, request: web.Request) -> web.StreamResponse:
        code, name = await _filled_in(request)
        address = request.remote or "?"
        why = ""
        if not self.login.fits(code, address):
            count = self.login.wrong_codes.total()
            self._says(f"A wrong login code came from {shown_line(address, 60)} ({count} so far).")
            await asyncio.sleep(self.login.seconds_to_wait(address))
            why = "That code is wrong. The terminal that runs tracker shows it."
        elif problem := name_problem(name):
            why = problem
        elif name.casefold() in self.playing and self._name(request).casefold() != name.casefold():
            why = f"{name} plays in another browser. Close that one, or choose another name."
        if why:
            return _html(pages.login(self.title, why=why, name=name), status=403)
        response = web.HTTPSeeOther("/")
        response.set_cookie(
            COOKIE,
            self.login.admit(name),
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="Strict",
            secure=self.place.url.startswith("https:"),
        )
        raise response

    async def _page(self, request: web.Request) -> web.StreamResponse:
        name = self._name(request)
        if name.casefold() in self.playing:
            return _html(pages.notice(self.title, "You already play in another tab or browser. Close that one first."))
        if len(self.playing) >= MOST:
            return _html(pages.notice(self.title, f"{MOST} browsers play already. Wait until one of them is closed."))
        scheme = "wss" if self.place.url.startswith("https:") else "ws"
        size = _number(request.query.get("size"), 16, 8, 40)
        return _html(pages.terminal(self.title, name=name, socket=f"{scheme}://{request.host}/ws", size=size))

    # -- play ---------------------------------------------------------------------------------------------

    async def _play(self, request: web.Request) -> web.StreamResponse:
        """Run an app for this browser until either of them ends; return the WebSocket that connected them.

        If the player has a browser here already, or there are MOST browsers, close the WebSocket at once.
        """
        name = self._name(request)
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=_LONGEST_MESSAGE)
        await socket.prepare(request)
        if name.casefold() in self.playing or len(self.playing) >= MOST:
            await socket.close(code=4000)
            return socket
        self.playing[name.casefold()] = name
        self._sockets.add(socket)
        self._says(f"{name} plays in a browser at {request.remote}.")

        async def hang_up() -> None:
            await socket.close()

        try:
            service = AppService(
                self._command_for(name),
                write_bytes=socket.send_bytes,
                write_str=socket.send_str,
                close=hang_up,
                download_manager=DownloadManager(),
            )
            wide, high = (
                _number(request.query.get("width"), 80, 1, _WIDEST),
                _number(request.query.get("height"), 24, 1, _HIGHEST),
            )
            await service.start(wide, high)
            process = service._process  # noqa: SLF001  (the service cannot wait for its process, nor kill it)
            assert process
            passing = asyncio.ensure_future(self._pass_on(socket, service))
            ended = asyncio.ensure_future(process.wait())
            try:
                await asyncio.wait({passing, ended}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                ended.cancel()
                await socket.close()
                await asyncio.wait({passing})
                await self._end(service, process)
        finally:
            self._sockets.discard(socket)
            del self.playing[name.casefold()]
            self._says(f"{name} has closed the browser.")
        return socket

    async def _pass_on(self, socket: web.WebSocketResponse, service: AppService) -> None:
        """Pass what the browser sends on to the app: keys, its size, its focus. Answer its pings.

        Messages of other kinds are ignored. Return when the browser is gone or sends something malformed. Never raises.
        """
        async for message in socket:
            if message.type != WSMsgType.TEXT:
                return
            try:
                kind, *rest = json.loads(message.data)
                match kind, rest:
                    case "stdin", [str(keys)]:
                        await service.send_bytes(keys.encode("utf-8", "replace"))
                    case "resize", [{"width": int(width), "height": int(height)}]:
                        await service.set_terminal_size(_within(width, 1, _WIDEST), _within(height, 1, _HIGHEST))
                    case "ping", [moment]:
                        await socket.send_json(["pong", moment])
                    case "blur", _:
                        await service.blur()
                    case "focus", _:
                        await service.focus()
            except (ValueError, TypeError, RecursionError, ConnectionResetError):
                return

    async def _end(self, service: AppService, process: Process) -> None:
        """End an app and wait for its process. A process that has not ended after _END_SECONDS is killed."""
        try:
            async with asyncio.timeout(_END_SECONDS):
                await service.stop()
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


def _host_of(origin: str) -> str:
    """Return the host and port in the header `Origin`, or "" if it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


async def _filled_in(request: web.Request) -> tuple[str, str]:
    """Return (code, name) from the login form, each "" if the form lacks it.

    Raise HTTPBadRequest if the request is not one that the login page sends.
    """
    try:
        fields = parse_qs((await request.read()).decode(), max_num_fields=10)
    except (ValueError, HttpProcessingError, web.RequestPayloadError):
        raise web.HTTPBadRequest(text="That isn't the login form.") from None
    return fields.get("code", [""])[0], fields.get("name", [""])[0].strip()


def _html(page: tuple[str, str], status: int = 200) -> web.Response:
    text, policy = page
    return web.Response(text=text, status=status, content_type="text/html", headers={"Content-Security-Policy": policy})


def _number(text: str | None, default: int, least: int, most: int) -> int:
    """Return the number in a text from the query of a URL, moved into the range `least` to `most`.

    Return `default` if the text is None or not a number of up to five digits.
    """
    return _within(int(text), least, most) if text and text.isascii() and text.isdigit() and len(text) < 6 else default


def _within(number: int, least: int, most: int) -> int:
    return max(least, min(number, most))
