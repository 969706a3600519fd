"""The door for browsers: who gets an app, and who does not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType, WSServerHandshakeError
from tests.coop import tiny_app
from tests.coop.players import play

from tracker.coop import browsers
from tracker.coop.browsers import Browsers, Login

CODE = "abcd-efgh-jkmn-pqrs"
TINY = f"exec {shlex.join([sys.executable, tiny_app.__file__])}"


@contextlib.asynccontextmanager
async def served(
    command_for: Callable[[str], str] = lambda _: "exec false", url: str = ""
) -> AsyncIterator[tuple[Browsers, list[str]]]:
    said: list[str] = []
    door = Browsers("The Vale", Login(CODE.replace("-", "")), command_for, said.append)
    await door.open(url=url)
    try:
        yield door, said
    finally:
        await door.close()


def browser() -> ClientSession:
    return ClientSession(cookie_jar=CookieJar(unsafe=True))


async def log_in(session: ClientSession, door: Browsers, name: str = "Bob", code: str = CODE) -> tuple[str, str]:
    """Fill in the login; return the path of the page that follows, and its text."""
    async with session.post(f"{door.place.url}/login", data={"code": code, "name": name}) as answer:
        return answer.url.path, await answer.text()


@contextlib.asynccontextmanager
async def playing(session: ClientSession, door: Browsers) -> AsyncIterator[ClientWebSocketResponse]:
    url = f"{door.place.url}/ws?width=90&height=30"
    async with session.ws_connect(url, headers={"Origin": door.place.url}) as socket:
        yield socket


async def shows(socket: ClientWebSocketResponse, text: str) -> None:
    """Wait until the app has drawn this text."""
    drawn = ""
    async with asyncio.timeout(30):
        while text not in drawn:
            message = await socket.receive()
            assert message.type in {WSMsgType.BINARY, WSMsgType.TEXT}, drawn
            drawn += message.data.decode() if message.type == WSMsgType.BINARY else ""


@pytest.fixture(autouse=True)
def quick_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsers, "SLOWER_SECONDS", 0.01)


def test_browser_without_login_gets_only_the_login() -> None:
    async def evening() -> None:
        async with served() as (door, _), browser() as session:
            async with session.get(f"{door.place.url}/") as answer:
                assert answer.url.path == "/login"
                assert "The Vale" in await answer.text()
                assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
            with pytest.raises(WSServerHandshakeError) as refused:
                async with playing(session, door):
                    pass
            assert refused.value.status == 403

    play(evening())


def test_wrong_login_code_is_refused_counted_and_said() -> None:
    async def evening() -> None:
        async with served() as (door, said), browser() as session:
            for _ in range(2):
                path, text = await log_in(session, door, code="abcd-efgh-jkmn-pqrt")
                assert (path, "That code is wrong." in text) == ("/login", True)
            assert said[-1] == "A wrong login code came from 127.0.0.1 (2 so far)."
            assert door.login.seconds_to_wait("127.0.0.1") > door.login.seconds_to_wait("127.0.0.2")
            assert (await log_in(session, door))[0] == "/"

    play(evening())


@pytest.mark.parametrize("code", ["", "é", "abcd-efgh-jkmn-pqr", "a" * 5000])
def test_login_with_odd_code_is_refused(code: str) -> None:
    assert not Login(CODE.replace("-", "")).fits(code, "here")


STRANGE = {
    "origin without an end": "GET /login HTTP/1.1\r\nOrigin: http://[\r\n{}\r\n",
    "form that is not UTF-8": "POST /login HTTP/1.1\r\nContent-Length: 6\r\n{}\r\ncode=\xff",
    "form of many fields": "POST /login HTTP/1.1\r\nContent-Length: 60\r\n{}\r\n" + "a=1&" * 15,
    "form of another kind": "POST /login HTTP/1.1\r\nContent-Type: multipart/form-data\r\nContent-Length: 1\r\n{}\r\nx",
    "form packed badly": "POST /login HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n{}\r\nx",
    "form too long": "POST /login HTTP/1.1\r\nContent-Length: 20000\r\n{}\r\n" + "x" * 20_000,
    "length below 0": "POST /login HTTP/1.1\r\nContent-Length: -5\r\n{}\r\n",
    "name that no file has": "GET /static/" + "a" * 3000 + " HTTP/1.1\r\n{}\r\n",
    "escapes": "GET /\x1b[2J HTTP/1.1\r\n{}\r\n",
    "header too long": "GET / HTTP/1.1\r\nX: " + "a" * 9000 + "\r\n{}\r\n",
    "another protocol": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
}


async def answer_to(request: str, port: int) -> bytes:
    """Return the answer to the text of a request, in which {} stands for the usual headers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.replace("{}", f"Host: 127.0.0.1:{port}\r\nConnection: close\r\n").encode("latin-1"))
    async with asyncio.timeout(30):
        answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize("request_text", STRANGE.values(), ids=STRANGE.keys())
def test_strange_request_is_refused(request_text: str) -> None:
    async def evening() -> None:
        async with served() as (door, said):
            assert 400 <= int((await answer_to(request_text, door.place.port)).split()[1]) < 500
            assert [line for line in said if "wrong login code" not in line] == []

    play(evening())


def test_bug_in_an_answer_is_said_in_one_line() -> None:
    def broken(_: str) -> str:
        raise OSError(28, "No space\x1b left")

    async def evening() -> None:
        async with served(broken) as (door, said), browser() as session:
            await log_in(session, door)
            async with playing(session, door) as socket:
                assert (await socket.receive()).type != WSMsgType.BINARY
            assert "A browser got no answer: OSError: [Errno 28] No space␛ left" in said

    play(evening())


def test_login_escapes_the_name_and_refuses_a_bad_one() -> None:
    async def evening() -> None:
        async with served() as (door, _), browser() as session:
            path, text = await log_in(session, door, name='"><script>alert(1)</script>' + "x" * 90)
            assert path == "/login"
            assert "<script>alert" not in text
            assert "too long for a name" in text
            assert "A name can't be empty." not in (await log_in(session, door, name="Bo <b>"))[1]
            async with session.get(f"{door.place.url}/") as answer:
                assert "Bo &lt;b&gt;" in await answer.text()

    play(evening())


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("evil.example", "", 403),  # a name of another site that leads to this machine
        ("", "http://evil.example", 403),
        ("", "null", 403),
        ("localhost:{port}", "http://localhost:{port}", 200),
        ("127.0.0.1:{port}", "http://127.0.0.1:{port}", 200),
        ("127.0.0.1:1", "http://127.0.0.1:1", 403),
    ],
)
def test_requests_by_way_of_other_sites_are_refused(host: str, origin: str, status: int) -> None:
    async def evening() -> None:
        async with served() as (door, _), browser() as session:
            headers = {"Host": host or f"127.0.0.1:{door.place.port}", "Origin": origin}
            headers = {name: value.format(port=door.place.port) for name, value in headers.items() if value}
            form = {"code": CODE, "name": "Bob"}
            url = f"{door.place.url}/login"
            async with session.post(url, data=form, headers=headers, allow_redirects=False) as answer:
                assert answer.status == (303 if status == 200 else status)

    play(evening())


def test_socket_from_another_site_gets_no_app_despite_the_cookie() -> None:
    async def evening() -> None:
        async with served(lambda _: TINY) as (door, _), browser() as session:
            await log_in(session, door)
            for headers in ({"Origin": "http://evil.example"}, {}):
                with pytest.raises(WSServerHandshakeError):
                    async with session.ws_connect(f"{door.place.url}/ws", headers=headers):
                        pass
            assert not door.playing

    play(evening())


def test_browser_behind_a_proxy_uses_the_url_that_was_given() -> None:
    async def evening() -> None:
        async with served(url="https://vale.example/") as (door, _), browser() as session:
            local = f"http://127.0.0.1:{door.place.port}"
            headers = {"Host": "vale.example", "Origin": "https://vale.example"}
            form = {"code": CODE, "name": "Bob"}
            async with session.post(f"{local}/login", data=form, headers=headers, allow_redirects=False) as answer:
                assert "Secure" in answer.headers["Set-Cookie"]
                cookie = answer.headers["Set-Cookie"].split(";")[0]
            async with session.get(f"{local}/", headers=headers | {"Cookie": cookie}) as answer:
                assert 'data-session-websocket-url="wss://vale.example/ws"' in await answer.text()

    play(evening())


def test_keys_and_window_size_reach_the_app_and_garbage_ends_only_its_own_line() -> None:
    async def evening() -> None:
        async with served(lambda _: TINY) as (door, said), browser() as bob, browser() as eve:
            await log_in(bob, door)
            await log_in(eve, door, "Eve")
            async with playing(bob, door) as socket, playing(eve, door) as other:
                await shows(socket, "ready")
                await socket.send_str(json.dumps(["resize", {"width": 10**9, "height": 20}]))
                await shows(socket, "size 400x20")
                assert (await log_in(eve, door, "bob"))[1].count("plays in another browser") == 1
                async with bob.get(f"{door.place.url}/") as answer:
                    assert "already play in another tab" in await answer.text()
                await other.send_str("[" * 100_000)
                while (await other.receive()).type is not WSMsgType.CLOSE:
                    pass
                await socket.send_str(json.dumps(["stdin", "\ud800j"]))
                await shows(socket, "pressed j")
            async with asyncio.timeout(30):
                while door.playing:
                    await asyncio.sleep(0.01)
            assert said[-1].endswith("has closed the browser.")

    play(evening())


def test_app_that_ends_closes_the_socket() -> None:
    async def evening() -> None:
        async with served(lambda _: "exec true") as (door, _), browser() as session:
            await log_in(session, door)
            async with playing(session, door) as socket, asyncio.timeout(20):
                assert (await socket.receive()).type is WSMsgType.CLOSE

    play(evening())


def test_last_login_with_a_name_ends_the_one_before() -> None:
    login = Login()
    first = login.admit("Bob")
    second = login.admit("bob")
    assert (login.name_of(first), login.name_of(second)) == ("", "bob")


def test_pages_refer_to_nothing_outside() -> None:
    from tracker.coop import browser_pages as pages

    for text, policy in (
        pages.login("x", why="y"),
        pages.terminal("x", name="y", socket="ws://here/ws", size=16),
        pages.notice("x", "y"),
    ):
        assert "http" not in text.replace("ws://here", "")
        assert "default-src 'none'" in policy


def test_static_files_of_the_page_are_there() -> None:
    folder = Path(browsers._STATIC)
    for path in ("js/textual.js", "css/xterm.css", "fonts/RobotoMono-VariableFont_wght.ttf"):
        assert (folder / path).is_file()
