"""A headless Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
"""The path of Chromium, or None if it is not installed."""
_OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --remote-debugging-port=0 --window-size=1000,640 about:blank"
)


class Page:
    """One tab, with cookies of its own."""

    def __init__(self, socket: ClientConnection, session: str, ids: itertools.count[int]) -> None:
        self._socket = socket
        self._session = session
        self._ids = ids
        self.messages: list[str] = []
        """What the page has written to the console, and its errors."""

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        return await _ask(self._socket, next(self._ids), method, params, self._session, self.messages)

    async def run(self, script: str) -> Any:
        """Evaluate JavaScript in the page and return its value."""
        answer = await self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value")

    async def until(self, script: str, seconds: float = 20.0) -> None:
        """Wait until a JavaScript expression is true."""
        async with asyncio.timeout(seconds):
            while not await self.run(script):
                await asyncio.sleep(0.05)

    async def go(self, url: str) -> None:
        await self.ask("Page.navigate", url=url)
        await self.until("document.readyState === 'complete'")

    async def type(self, text: str) -> None:
        await self.ask("Input.insertText", text=text)

    async def press(self, key: str) -> None:
        """Press a key that is one letter, or Enter."""
        text = "\r" if key == "Enter" else key
        code = 13 if key == "Enter" else ord(key.upper())
        await self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    async def picture(self, path: Path) -> None:
        """Save a screenshot as PNG."""
        answer = await self.ask("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))


async def _ask(
    socket: ClientConnection, ident: int, method: str, params: dict[str, Any], session: str, messages: list[str]
) -> dict[str, Any]:
    asked = {"id": ident, "method": method, "params": params}
    await socket.send(json.dumps(asked | ({"sessionId": session} if session else {})))
    while True:
        told = json.loads(await socket.recv())
        if told.get("id") == ident:
            if "error" in told:
                raise AssertionError(f"{method}: {told['error']['message']}")
            return dict(told["result"])
        if told.get("method") == "Runtime.exceptionThrown":
            messages.append(str(told["params"]["exceptionDetails"].get("text")))
        elif told.get("method") == "Log.entryAdded":
            messages.append(told["params"]["entry"]["text"])


class Chromium:
    """A running browser. `page` opens a tab with cookies of its own."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)

    async def page(self) -> Page:
        async def ask(method: str, **params: Any) -> dict[str, Any]:
            return await _ask(self._socket, next(self._ids), method, params, "", [])

        context = (await ask("Target.createBrowserContext"))["browserContextId"]
        target = (await ask("Target.createTarget", url="about:blank", browserContextId=context))["targetId"]
        session = (await ask("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        page = Page(self._socket, session, self._ids)
        for domain in ("Page", "Runtime", "Log"):
            await page.ask(f"{domain}.enable")
        return page


@contextlib.asynccontextmanager
async def chromium(profile: Path) -> AsyncIterator[Chromium]:
    """Start Chromium with an empty profile, and end it with the block."""
    assert PROGRAM
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        f"--user-data-dir={profile}",
        *_OPTIONS.split(),
        env=os.environ | {"HOME": str(profile)},
        stderr=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    assert process.stderr
    try:
        async with asyncio.timeout(60):
            while b"DevTools listening on " not in (line := await process.stderr.readline()):
                assert line, "Chromium did not start"
        drain = asyncio.ensure_future(process.stderr.read())
        async with connect(line.decode().split()[-1], max_size=None, proxy=None) as socket:
            yield Chromium(socket)
        drain.cancel()
    finally:
        process.kill()
        await process.wait()
