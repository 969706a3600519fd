"""`tracker serve`: the program as a web server, and browsers that play."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar
from tests.coop.chromium import PROGRAM, Page, chromium
from tests.coop.players import play, until
from tests.coop.test_browsers import STRANGE, answer_to, shows
from tests.program import run

from tracker.campaign.session import Session
from tracker.coop.identity import known_name

STATS = "edge=3,heart=2,iron=2,shadow=1,wits=1"


class Served(NamedTuple):
    url: str
    code: str
    process: asyncio.subprocess.Process


@contextlib.asynccontextmanager
async def served(saves: Path) -> AsyncIterator[Served]:
    """Run `tracker serve` for a new campaign, and end it as Ctrl+C does."""
    made = run(["--saves", str(saves), "new", "Mill", "--game", "ironsworn", "--character", "Kara", "--stats", STATS])
    assert made.returncode == 0
    words = [sys.executable, "-m", "tracker", "--saves", str(saves), "serve", "Mill"]
    process = await asyncio.create_subprocess_exec(
        *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    try:
        async with asyncio.timeout(30):
            found = re.search(r"(http://\S+)/#(\S+)", (await process.stdout.readline()).decode())
            assert found
        reading = asyncio.ensure_future(process.stdout.read())
        yield Served(found[1], found[2], process)
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(30):
            assert await process.wait() == 0
            await reading
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def texts(saves: Path) -> list[str]:
    session = Session.open(str(saves / "Mill.toml"), write=False)
    try:
        return [entry["text"] for entry in session.log.entries if entry["did"] == "journal"]
    finally:
        session.close()


async def _read_all(socket: ClientWebSocketResponse) -> None:
    """Read until the socket is closed: an app whose output nobody reads stands still."""
    async for _ in socket:
        pass


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "saves"
    folder.mkdir()
    return folder


def test_strange_requests_print_nothing_on_the_terminal(saves: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def evening() -> None:
        async with served(saves) as web:
            port = int(web.url.rpartition(":")[2])
            for request in STRANGE.values():
                await answer_to(request, port)

    play(evening())
    assert capfd.readouterr().err == ""


def test_line_written_in_a_browser_is_in_the_save_of_the_server(saves: Path) -> None:
    async def evening() -> None:
        async with served(saves) as server, ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
            await session.post(f"{server.url}/login", data={"code": server.code, "name": "Bob"})
            url = f"{server.url}/ws?width=100&height=30"
            async with session.ws_connect(url, headers={"Origin": server.url}) as socket:
                await shows(socket, "Bob joins as GM")
                for keys in ("j", "The ford is frozen.", "\r"):
                    await socket.send_json(["stdin", keys])
                reading = asyncio.ensure_future(_read_all(socket))
                await until(lambda: texts(saves))
                reading.cancel()

    play(evening())
    assert texts(saves) == ["The ford is frozen."]
    [copy] = (Path(os.environ["XDG_DATA_HOME"]) / "tracker" / "coop" / "browsers").glob("*/*/Mill.toml")
    assert texts(copy.parent) == ["The ford is frozen."]
    assert known_name() == ""  # Bob is not the player of this machine


@pytest.mark.skipif(not PROGRAM, reason="needs Chromium")
def test_two_browsers_see_what_the_other_does(saves: Path, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("whole"):
        pytest.skip("runs with --whole")

    async def evening() -> None:
        async with served(saves) as server, chromium(saves / "profile") as browser:

            def written(text: str) -> bool:
                return texts(saves)[-1:] == [text]

            async def into(name: str) -> Page:
                page = await browser.page()
                await page.go(f"{server.url}/#{server.code}")
                await page.type(name)
                await page.press("Enter")
                await page.until("document.body.classList.contains('-first-byte')")
                return page

            ana, bob = await into("Ana"), await into("Bob")
            for page, text in ((ana, "Snow."), (bob, "Ice.")):
                await page.ask("Page.bringToFront")
                await page.press("j")
                await page.type(text)
                await page.press("Enter")
                await until(partial(written, text))
            problems = [one for one in (*ana.messages, *bob.messages) if "WebGL" not in one]
            assert not problems

    play(evening())
    assert texts(saves) == ["Snow.", "Ice."]


def test_serving_without_the_packages_says_how_to_install_them(saves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracker.coop.plans.find_spec", lambda _: None)
    done = run(["--saves", str(saves), "serve", "Mill"])
    assert done.returncode == 1
    assert b"pip install websockets cryptography textual-serve" in done.stderr


def test_url_that_is_none_is_refused(saves: Path) -> None:
    done = run(["--saves", str(saves), "serve", "Mill", "--url", "mill.example.org"])
    assert done.returncode == 2
    assert b"https://vale.example.org" in done.stderr
