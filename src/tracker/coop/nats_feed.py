"""Feeds: a shared list of posts that outlasts everybody's absence. This one is a stream of NATS JetStream.

Each campaign has a stream of its own, in which nothing is ever changed or deleted. Every post has an author, known by a
key, and a subject with a hash of that key: the server takes one post for each subject, so nobody can write over the
post of another or take its place. What a post says is judged by those who read it (`nats_member`).
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import hashlib
import json
import re
import secrets
import ssl
from collections.abc import Callable
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.js import JetStreamContext, api
from nats.js.errors import APIError, NotFoundError, ServiceUnavailableError

from tracker.coop.key_files import OwnKey, is_signed
from tracker.coop.lines import LineClosed
from tracker.records import NamedTuple
from tracker.saves.disk import open_regular
from tracker.text import shown_line

ENTRY, CAMPAIGN, KNOCK, ANSWER, WORD, HERE = "entry", "campaign", "knock", "answer", "word", "here"
"""Kinds of posts: an entry; what is played, from a GM; a question of somebody for a seat, and the GM's answer; the GM's
word on an entry that waits; and who is here. The last kind is not kept."""
OPEN_SECONDS: Final = 10.0
PING_SECONDS: Final = 10
CUT_SECONDS: Final = 0.25
"""Seconds between two looks at whether the connection is still there."""
LOOK_SECONDS: Final = 15.0
"""Seconds between two looks at whether the server has posts that did not reach us."""
NO_JETSTREAM: Final = "That NATS server has no JetStream; start it with -js."
_QUEUED: Final = 2000
"""Most messages that wait to be read; then the server is asked to wait."""
_AT_ONCE: Final = 200
"""Most posts on their way to the server at the same time."""
_SUBJECT_TAKEN, _NO_STREAM, _FULL = 10077, 10059, (10047, 10076, 10122, 10023)
"""Error codes of JetStream: a post for the subject exists; no such stream; limits of the server or the account."""
_ID: Final = re.compile(r"[a-z0-9]{1,24}")
_SEED: Final = re.compile(r"\bS[A-Z2-7]{50,60}\b")
_JWT: Final = re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+")


class Unreachable(Exception):
    """Raised if a server will never serve this player as it is asked to. `args` has a sentence that says why."""


class Server(NamedTuple):
    """A NATS server: its URL, and a file with credentials or "".

    Credentials may be in the URL, as in nats://ana:secret@127.0.0.1:4222. The file may be one of NATS (.creds), or have
    a line USER:PASSWORD, or a token.
    """

    url: str
    credentials: str = ""

    @property
    def shown(self) -> str:
        """The URL without its credentials, safe to show."""
        scheme, _, rest = self.url.rpartition("://")
        return shown_line(f"{scheme or 'nats'}://{rest.rpartition('@')[2]}", 100)


class Post(NamedTuple):
    """One post of a feed. `key` is the public key that it claims; `is_genuine` says whether the owner wrote it.

    `seq` is its number in the stream, 0 for a post that is not kept. `about` is the id of an entry, or a hash of a key.
    """

    seq: int
    kind: str
    about: str
    key: str
    text: str
    subject: str
    signature: str

    @property
    def is_genuine(self) -> bool:
        """True if the owner of the key has written this post, for this place. Takes about 0.1 ms."""
        author = self.subject.split(".")[4].partition("-")[0]
        return author == hash_of(self.key) and is_signed(_statement(self.subject, self.text), self.signature, self.key)


def hash_of(key: str) -> str:
    """Return the short name of a public key in subjects: 120 bits of its SHA-256, as letters and digits."""
    return base64.b32encode(hashlib.sha256(key.encode()).digest()[:15]).decode().lower()


def _statement(subject: str, text: str) -> bytes:
    return b"tracker post 1\n" + subject.encode() + b"\n" + text.encode("utf-8", "surrogateescape")


def name_of(campaign: str) -> str:
    """Return the name of a campaign in subjects: its id, or a hash of an id that cannot be in a subject."""
    return campaign if _ID.fullmatch(campaign) else hash_of(campaign)


class Feed:
    """The feed of one campaign on a server, with the key of a player who reads and posts there.

    Call `open` first. Methods that talk to the server raise LineClosed if the connection is lost or there is no answer.
    """

    def __init__(self, server: Server, campaign: str, key: OwnKey) -> None:
        self.server = server
        self.campaign = name_of(campaign)
        """The campaign's id, or a hash of an id that cannot be in a subject."""
        self.key = key
        self.last = 0
        """The number of the last post in the stream when it was opened."""
        self.created = ""
        """When the stream was made, as text: another stream of this name was made at another time."""
        self._stream = f"tracker-{self.campaign}"
        self._nats: Client | None = None
        self._closed = ""
        self._queue: asyncio.Queue[Msg | None] = asyncio.Queue(_QUEUED)
        self._following: list[Subscription] = []
        self._seen = 0

    # -- opening ----------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Connect to the server. Raise LineClosed if it does not answer, and Unreachable if it refuses us for good."""
        self._closed, self._queue, self._seen = "", asyncio.Queue(_QUEUED), 0
        self._nats = await connect(self.server, self._hear_closed)
        self._js: JetStreamContext = self._nats.jetstream(timeout=OPEN_SECONDS)

    async def _hear_closed(self) -> None:
        self._closed = self._closed or "the connection to the server is lost"
        with contextlib.suppress(asyncio.QueueFull):  # then `recv` finds out after the last message
            self._queue.put_nowait(None)

    async def begin(self, name: str) -> None:
        """Make the stream of the campaign if there is none. `name` is the name that others join by.

        Raise LineClosed if the server does not do so, with its reason, and Unreachable if it offers no streams.
        """
        config = api.StreamConfig(
            name=self._stream,
            description=name,
            subjects=[f"tracker.{self.campaign}.post.>"],
            storage=api.StorageType.FILE,
            discard=api.DiscardPolicy.NEW,
            max_msgs_per_subject=1,
            discard_new_per_subject=True,
            deny_delete=True,
            deny_purge=True,
        )
        try:
            await self._js.add_stream(config)
        except (NatsError, TimeoutError) as error:
            if not await self.look():
                raise _reason(error) from None

    async def look(self) -> bool:
        """Read `last` and `created` from the campaign's stream and return True; return False if there is no stream.

        Raise Unreachable if the server offers no streams, and LineClosed if it does not answer.
        """
        try:
            info = await self._js.stream_info(self._stream)
        except NotFoundError:
            return False
        except (NatsError, TimeoutError) as error:
            reason = _reason(error)
            # A server that had it once is only starting.
            raise Unreachable(NO_JETSTREAM) if str(reason) == NO_JETSTREAM and not self.created else reason from None
        self.last, self.created = info.state.last_seq, str(info.created)
        return True

    async def subject_at(self, seq: int) -> str:
        """Return the subject of the post with this number, or "" if there is none.

        Raise LineClosed if the server does not answer.
        """
        try:
            return (await self._js.get_msg(self._stream, seq)).subject or ""
        except NotFoundError:
            return ""
        except (NatsError, TimeoutError) as error:
            raise _reason(error) from None

    # -- reading ----------------------------------------------------------------------------------------

    async def follow(self, after: int) -> None:
        """Subscribe to the stream and to messages of members: from now on `recv` returns them.

        `recv` returns all posts after the one with the number `after`, then each new one. Raise LineClosed if the
        server refuses.
        """
        assert self._nats
        config = api.ConsumerConfig(deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=after + 1)
        self._seen = after
        try:
            self._following = [
                await self._nats.subscribe(f"tracker.{self.campaign}.{HERE}.*", cb=self._queue.put),
                await self._js.subscribe(
                    f"tracker.{self.campaign}.post.>",
                    stream=self._stream,
                    cb=self._queue.put,
                    ordered_consumer=True,
                    config=config,
                ),
            ]
        except (NatsError, TimeoutError) as error:
            raise _reason(error) from None

    @property
    def is_behind(self) -> bool:
        """True if a call of `recv` would find something that has arrived already."""
        return not self._queue.empty()

    async def recv(self) -> Post:
        """Wait for the next post and return it. Posts of another form are left out.

        Raise LineClosed, with the reason, once the connection has ended and all that arrived before was returned.
        """
        while True:
            if self._closed and self._queue.empty():
                raise LineClosed(0, self._closed)
            message = await self._queue.get()
            if message is None:
                raise LineClosed(0, self._closed)
            if post := self._read(message):
                return post

    def _read(self, message: Msg) -> Post | None:
        """Return the post in a message of the server, or None if it has another form."""
        place = message.subject.split(".")
        headers = message.headers or {}
        kept = place[2] == "post"
        try:
            seq = message.metadata.sequence.stream if kept else 0
            self._seen = max(self._seen, seq)
            text = message.data.decode()
        except (UnicodeDecodeError, NatsError):
            return None
        if kept and len(place) < 5:
            return None
        kind = place[3] if kept else HERE
        subject = message.subject if kept else f"tracker.{self.campaign}.post.{HERE}.{place[3]}"
        about = ".".join(place[5:]) if kept else ""
        return Post(seq, kind, about, headers.get("Tracker-Key", ""), text, subject, headers.get("Tracker-Sign", ""))

    async def watch(self) -> None:
        """Coroutine that closes the connection and ends when the server's posts no longer reach us.

        Raise LineClosed or Unreachable if the server does not answer.
        """
        loop = asyncio.get_running_loop()
        seen, since = self._seen, loop.time()
        while not self._closed:
            await asyncio.sleep(CUT_SECONDS)
            if self._nats and self._nats.is_closed:  # the client forgets to say so when a write fails as well
                await self.close("the connection to the server is lost")
            if self._closed or loop.time() < since + LOOK_SECONDS:
                continue
            seen, before, since = self._seen, seen, loop.time()
            if not await self.look() or (self.last > self._seen and self._seen == before and not self.is_behind):
                await self.close("the server stopped sending")

    # -- writing ----------------------------------------------------------------------------------------

    def subject(self, kind: str, about: str = "") -> str:
        """Return the subject of a post of ours.

        `about` is what the post is about: the id of an entry, or a hash of a key.
        """
        return f"tracker.{self.campaign}.post.{kind}.{hash_of(self.key.public)}{f'.{about}' if about else ''}"

    async def publish(self, kind: str, about: str, text: str) -> bool:
        """Add a post to the stream; return False if there is one of ours of this kind and about the same already.

        `kind` is one of the kinds of posts, and `about` the id of an entry, a hash of a key or "". Raise ValueError,
        with a clause for the player, if the server takes no post of that length, and LineClosed if it does not take it.
        """
        assert self._nats
        if len(text.encode()) + 1000 > self._nats.max_payload:
            raise ValueError(f"it is longer than the server takes ({self._nats.max_payload >> 10} KB)")
        subject = self.subject(kind, about)
        try:
            if await self._put(subject, text, about or subject):
                return True
            there = await self._js.get_last_msg(self._stream, subject)
            headers = there.headers or {}
            post = Post(0, kind, about, headers.get("Tracker-Key", ""), text, subject, headers.get("Tracker-Sign", ""))
            if post.is_genuine:
                return False
            # Somebody without our key has taken the place; every other place is as good.
            author = hash_of(self.key.public)
            return await self._put(subject.replace(author, f"{author}-{secrets.token_hex(8)}", 1), text)
        except (NatsError, TimeoutError) as error:
            raise _reason(error) from None

    async def _put(self, subject: str, text: str, ident: str = "") -> bool:
        """Add a post and return True; return False if the stream has another post with this subject.

        `ident` is an id by which the server recognizes a post that is sent a second time, or "" for none. Raise
        APIError or another error of the NATS client if the server does not take the post for another reason.
        """
        headers = self._headers(subject, text)
        try:
            if ident:
                done = await self._js.publish(subject, text.encode(), headers={**headers, "Nats-Msg-Id": ident})
                if not done.duplicate:
                    return True
            # Without the id: somebody else may have used it for another post.
            await self._js.publish(subject, text.encode(), headers=headers)
        except APIError as error:
            if error.err_code == _SUBJECT_TAKEN:
                return False
            raise
        return True

    async def publish_all(self, kind: str, texts: dict[str, str]) -> dict[str, str]:
        """Add a post of this kind for each of `texts`, by what the post is about; up to _AT_ONCE at the same time.

        Return {what a post is about: reason} for those that the server will never take, such as too long ones. Raise
        LineClosed if it stops answering.
        """
        failed: dict[str, str] = {}

        async def one(about: str) -> None:
            try:
                await self.publish(kind, about, texts[about])
            except ValueError as error:
                failed[about] = str(error)

        abouts = list(texts)
        for start in range(0, len(abouts), _AT_ONCE):
            await asyncio.gather(*(one(about) for about in abouts[start : start + _AT_ONCE]))
        return failed

    async def call(self, text: str) -> None:
        """Send a message to the members who are connected now; the server does not store it.

        Raise LineClosed if that fails.
        """
        assert self._nats
        headers = self._headers(self.subject(HERE), text)
        try:
            await self._nats.publish(
                f"tracker.{self.campaign}.{HERE}.{hash_of(self.key.public)}", text.encode(), headers=headers
            )
        except NatsError as error:
            raise _reason(error) from None

    def _headers(self, subject: str, text: str) -> dict[str, str]:
        return {"Tracker-Key": self.key.public, "Tracker-Sign": self.key.sign(_statement(subject, text))}

    async def close(self, why: str = "") -> None:
        """Close the connection; `recv` then raises LineClosed with this reason, a clause. Never raises."""
        self._closed = self._closed or why or "closed"
        if self._nats:
            await _end(self._nats)
        await self._hear_closed()


async def campaigns(server: Server) -> list[tuple[str, str]]:
    """Return (id, name) for each campaign on a server. The names are unproven, and made safe to show.

    Raise LineClosed, or Unreachable, if the server does not answer.
    """
    client = await connect(server)
    try:
        found = await client.jetstream(timeout=OPEN_SECONDS).streams_info()
    except (NatsError, TimeoutError) as error:
        raise _reason(error) from None
    finally:
        await _end(client)
    ours = [(one.config.name or "", one.config.description or "") for one in found]
    ids = [(name.removeprefix("tracker-"), said) for name, said in ours if name.startswith("tracker-")]
    return [(ident, shown_line(said, 60)) for ident, said in ids if _ID.fullmatch(ident)]


async def told(server: Server, campaign: str) -> dict[str, str]:
    """Return the last description of a campaign, as texts by name; {} if there is none.

    The description is by the player who began its feed; nothing here proves that. `campaign` is an id as `campaigns`
    returns it. Raise LineClosed, or Unreachable, if the server does not answer.
    """
    client = await connect(server)
    stream, subject = f"tracker-{campaign}", f"tracker.{campaign}.post.{CAMPAIGN}"
    try:
        log = client.jetstream(timeout=OPEN_SECONDS)
        first = await log.get_msg(stream, seq=1, subject=f"{subject}.>", next=True)
        found = await log.get_last_msg(stream, f"{subject}.{(first.subject or '').split('.')[4]}.>")
    except NotFoundError:
        return {}
    except (NatsError, TimeoutError) as error:
        raise _reason(error) from None
    finally:
        await _end(client)
    return read_json((found.data or b"").decode("utf-8", "replace"))


async def connect(server: Server, closed: Callable[[], Any] | None = None) -> Client:
    """Return a connection to a server. `closed` is a coroutine function that is called when it ends.

    Raise LineClosed if nobody answers, and Unreachable if the server refuses us for good.
    """
    heard: list[Exception] = []

    async def hear(error: Exception) -> None:
        heard.append(error)

    client = Client()
    connecting: asyncio.Future[None] | None = None
    try:
        options = _credentials(server.credentials)
        async with asyncio.timeout(OPEN_SECONDS):
            connecting = asyncio.ensure_future(
                client.connect(
                    server.url,
                    error_cb=hear,
                    closed_cb=closed,
                    allow_reconnect=False,
                    max_reconnect_attempts=1,
                    reconnect_time_wait=0,
                    connect_timeout=int(OPEN_SECONDS),
                    ping_interval=PING_SECONDS,
                    max_outstanding_pings=2,
                    **options,
                )
            )
            await asyncio.shield(connecting)
    except (NatsError, OSError, ValueError, TimeoutError) as error:
        await _end(client)
        raise _unreachable(server, [*heard, error]) from None
    except BaseException:
        if connecting:  # cancelled halfway, asyncio would forget to close the socket
            await asyncio.wait([connecting], timeout=1)
            connecting.cancel()
        await _end(client)
        raise
    return client


async def _end(client: Client) -> None:
    """Close a connection, and what the client leaves open if the server closed it first. Never raises."""
    with contextlib.suppress(NatsError, TimeoutError, OSError):
        async with asyncio.timeout(2):
            await client.close()
    for subscription in list(client._subs.values()):  # noqa: SLF001
        subscription._stop_processing()  # noqa: SLF001
    if transport := client._transport:  # noqa: SLF001
        transport.close()  # type: ignore[no-untyped-call]
    for task in (client._flusher_task, client._reading_task, client._ping_interval_task):  # noqa: SLF001
        if task and task.done() and not task.cancelled():
            task.exception()  # told already, by the end of the connection


def _unreachable(server: Server, errors: list[Exception]) -> Exception:
    """Return the error to raise if no connection was made: Unreachable if it will never be, else LineClosed.

    `errors` are those that the attempt raised, at least one.
    """
    if any("authorization violation" in str(error).lower() for error in errors):
        return Unreachable(f"{server.shown} refuses these credentials.")
    for error in errors:
        if isinstance(error, ssl.SSLError):
            return Unreachable(f"{server.shown} has no certificate that this machine trusts.")
        if isinstance(error, ValueError):
            return Unreachable(f"{server.shown} can't be used: {shown_line(str(error), 100)}.")
        if isinstance(error, ConnectionRefusedError):
            return LineClosed(0, "no server is there")
    if any(isinstance(error, TimeoutError) for error in errors):
        return LineClosed(0, "there is no answer")
    return LineClosed(0, shown_line(str(errors[0]), 100).rstrip("."))


def _reason(error: Exception) -> LineClosed:
    """Return the LineClosed to raise in place of an error of the NATS client, with the reason as a clause."""
    code = getattr(error, "err_code", None)
    if code in _FULL:
        return LineClosed(0, "the server is full")
    if code == _NO_STREAM:
        return LineClosed(0, "the campaign is no longer on the server")
    if isinstance(error, ServiceUnavailableError) and not code:
        return LineClosed(0, NO_JETSTREAM)
    if isinstance(error, TimeoutError):
        return LineClosed(0, "the server does not answer")
    return LineClosed(0, shown_line(str(error).removeprefix("nats: "), 100).rstrip("."))


def _credentials(path: str) -> dict[str, Any]:
    """Return the keyword arguments for `Client.connect` that a file with credentials stands for.

    Return {} for the path "". Raise ValueError, with a clause for the player, if the file has none or cannot be read.
    """
    if not path:
        return {}
    try:
        with open_regular(path) as file:
            text = file.read(1 << 16).decode()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it isn't text"
        raise ValueError(f"can't read {shown_line(path, 100)} ({why})") from None
    jwt, seed = _JWT.search(text), _SEED.search(text)
    if jwt and seed:
        key = _key_of(seed[0])
        return {
            "user": lambda: "",  # without one, the client takes no notice of the signature
            "user_jwt_cb": lambda: bytearray(jwt[0].encode()),
            "signature_cb": lambda nonce: base64.urlsafe_b64encode(key.sign(nonce.encode())).rstrip(b"="),
        }
    words = text.split()
    if len(words) != 1:
        raise ValueError(f"{shown_line(path, 100)} has no credentials: USER:PASSWORD, a token or a .creds file")
    user, colon, password = words[0].partition(":")
    return {"user": user, "password": password} if colon else {"token": words[0]}


def _key_of(seed: str) -> Ed25519PrivateKey:
    """Return the key that a seed of NATS stands for. Raise ValueError if it is damaged."""
    try:
        raw = base64.b32decode(seed + "=" * (-len(seed) % 8))
    except binascii.Error:
        raise ValueError("its seed is damaged") from None
    if len(raw) != 36 or binascii.crc_hqx(raw[:-2], 0) != int.from_bytes(raw[-2:], "little"):
        raise ValueError("its seed is damaged")
    return Ed25519PrivateKey.from_private_bytes(raw[2:34])


def read_json(text: str) -> dict[str, str]:
    """Return the texts in a JSON object by name; values of other kinds are left out.

    Return {} if `text` is no JSON object, has half a character in it, or has 10,000 characters or more.
    """
    try:
        found = json.loads(text) if len(text) < 10_000 else {}
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}
