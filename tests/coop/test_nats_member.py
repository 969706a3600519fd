"""Play over a stream of a real NATS server: nobody hosts, and everybody may be away at any time."""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nats.js.errors import APIError
from tests.coop.nats_server import NEEDED, NatsServer
from tests.coop.players import KARA, Player, play, same, until

from tracker.coop import nats_feed, wire
from tracker.coop.company import Company
from tracker.coop.lines import LineClosed
from tracker.coop.nats_feed import Feed, Server, Unreachable, _credentials, campaigns, hash_of
from tracker.coop.nats_member import Member, find
from tracker.coop.plans import Gathering
from tracker.coop.replica import Replica
from tracker.games.api.errors import Refused
from tracker.games.common import seats
from tracker.saves import toml
from tracker.saves.id_set import split

pytestmark = NEEDED


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServer]:
    with another_server(tmp_path / "nats") as server:
        yield server


@contextlib.contextmanager
def another_server(folder: Path, config: str = "") -> Iterator[NatsServer]:
    """Run a further server, with these lines in its configuration."""
    folder.mkdir()
    server = NatsServer(folder, config)
    try:
        yield server
    finally:
        server.close()


@contextlib.asynccontextmanager
async def at_feed(
    player: Player, server: Server, role: str = "player", *, opens: bool = False
) -> AsyncIterator[Member]:
    """Play over the feed of a server with the open copy of a player."""
    feed = Feed(server, player.session.save.head.id, player.key)
    member = Member(Replica(player.session), feed, player.name, player.events, role, opens=opens)
    player.end = member
    running = asyncio.ensure_future(member.run())
    try:
        yield member
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        member.stop()


async def here(*members: Member) -> None:
    await until(lambda: all(member.status == "here" for member in members))


async def posted(member: Member) -> None:
    """Wait until the feed has every entry of a member."""
    await until(lambda: all(entry["id"] in member._there for entry in member.session.log.entries))


async def even(*players: Player) -> None:
    """Wait until all copies have the same entries and nothing is on its way."""
    members = [player.end for player in players if isinstance(player.end, Member)]
    await until(lambda: same(*players) and not any(member.to_share for member in members))


class TestTogether:
    def test_entry_of_one_member_reaches_all(self, ana: Player, bob: Player, cyd: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            ana.session.write("The ford at dusk.")
            async with at_feed(ana, nats.server, opens=True) as one:
                await here(one)
                async with at_feed(bob, nats.server) as two, at_feed(cyd, nats.server) as three:
                    await here(two, three)
                    ana.session.do("change", [{"at": "kara.health", "by": -1}])
                    bob.session.do("change", [{"at": "supply", "by": -1}])
                    cyd.session.write("I was here.")
                    await even(ana, bob, cyd)
                    assert bob.session.state == ana.session.state == cyd.session.state
                    assert (bob.session.state["party"]["kara"]["health"], bob.session.state["supply"]) == (4, 4)
                    assert {entry.get("by") for entry in ana.heard} == {"bob", "cyd"}
                    await until(lambda: [who.name for who in two.present] == ["Ana", "Bob", "Cyd"])
                await until(lambda: [who.name for who in one.present] == ["Ana"])
            assert ana.bytes_of_entries == bob.bytes_of_entries == cyd.bytes_of_entries

        play(evening())

    def test_member_ends_though_the_client_lets_a_cancellation_pass(self, ana: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            feed = Feed(nats.server, ana.session.save.head.id, ana.key)
            follow = feed.follow

            async def follow_all_the_same(after: int) -> None:
                """Do as the flush of the NATS client does when the task is cancelled meanwhile."""
                running.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(0)
                await follow(after)

            feed.follow = follow_all_the_same  # type: ignore[method-assign]
            member = Member(Replica(ana.session), feed, "Ana", ana.events, opens=True)
            running = asyncio.ensure_future(member.run())
            assert (await asyncio.wait([running], timeout=30))[0]
            assert running.cancelled()
            member.stop()

        play(evening())

    def test_everybody_may_be_away_at_other_times(
        self, ana: Player, bob: Player, cyd: Player, nats: NatsServer
    ) -> None:
        async def evening() -> None:
            async with (
                at_feed(ana, nats.server, opens=True) as one,
                at_feed(bob, nats.server) as two,
                at_feed(cyd, nats.server) as three,
            ):
                await here(one, two, three)
            for n in range(50):
                bob.session.do("change", [{"at": "supply", "by": -1}] if n % 2 else [{"at": "kara.momentum", "by": 1}])
            async with at_feed(bob, nats.server) as two:
                await here(two)
                await posted(two)
            nats.kill()
            nats.start()
            cyd.session.write("Another day.")
            async with at_feed(cyd, nats.server) as three:
                await here(three)
                await posted(three)
            async with at_feed(ana, nats.server) as one, at_feed(bob, nats.server) as two:
                await here(one, two)
                await even(ana, bob, cyd)
                assert ana.session.state == bob.session.state == cyd.session.state

        play(evening())

    def test_a_server_killed_and_restarted_in_play_loses_nothing(
        self, ana: Player, bob: Player, nats: NatsServer
    ) -> None:
        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one, at_feed(bob, nats.server) as two:
                await here(one, two)
                for n in range(3):
                    ana.session.write(f"Before {n}.")
                    nats.kill()
                    await until(lambda: one.status == two.status == "away")
                    ana.session.write(f"Ana alone {n}.")
                    bob.session.write(f"Bob alone {n}.")
                    nats.start()
                    await here(one, two)
                    await even(ana, bob)
            assert any("play on alone" in said for said in bob.said)
            assert ana.bytes_of_entries == bob.bytes_of_entries

        play(evening())

    def test_a_server_that_lost_everything_is_filled_again(self, ana: Player, bob: Player, tmp_path: Path) -> None:
        async def evening() -> None:
            for number in range(2):
                with another_server(tmp_path / f"nats{number}") as nats:
                    async with at_feed(ana, nats.server, opens=True) as one, at_feed(bob, nats.server) as two:
                        await here(one, two)
                        bob.session.write(f"On server {number}.")
                        await even(ana, bob)
                    if number:
                        cyd = Player(tmp_path, "Cyd")
                        cyd.copy_of(ana)
                        async with at_feed(ana, nats.server), at_feed(cyd, nats.server) as three:
                            await here(three)
                            await even(ana, cyd)
                        assert cyd.bytes_of_entries == ana.bytes_of_entries
                        cyd.close()

        play(evening())

    def test_a_return_reads_only_what_is_new(self, ana: Player, bob: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            for n in range(300):
                ana.session.write(f"Line {n}.")
            async with at_feed(ana, nats.server, opens=True) as one, at_feed(bob, nats.server) as two:
                await here(one, two)
                await until(lambda: one.replica.total() == two.replica.total())
                await until(lambda: not (one._not_durable or two._not_durable))
            async with at_feed(ana, nats.server) as one:
                await here(one)
                ana.session.write("New.")
                await posted(one)
            async with at_feed(bob, nats.server) as two:
                heard: list[str] = []
                read = two._feed._read

                def count(message: Any) -> Any:
                    heard.append(message.subject)
                    return read(message)

                two._feed._read = count  # type: ignore[method-assign]
                await here(two)
                await until(lambda: bob.session.log.entries[-1].get("text") == "New.")
            assert len(heard) < 10

        play(evening())

    def test_posts_that_were_judged_and_not_taken_come_again(self, ana: Player, bob: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one, at_feed(bob, nats.server) as two:
                await here(one, two)
                await even(ana, bob)
                entry = wire.entry_of(wire.text_of({**ENTRY, "by": "ana", "text": "The ford."}))
                two._accept(entry)
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(two, "_flush", lambda: None)  # the connection is cut before that
                    await two._feed.close("the network is gone")
                    await until(lambda: two.status == "away")
                assert entry["id"] not in two.replica.ids
                await here(two)
                await even(ana, bob)

        play(evening())

    def test_a_spectator_follows_and_posts_nothing(self, ana: Player, bob: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one:
                await here(one)
                async with at_feed(bob, nats.server, "spectator") as two:
                    await here(two)
                    with pytest.raises(Refused, match="you are watching"):
                        bob.session.write("Only mine.")
                    ana.session.write("For all.")
                    await until(lambda: any(entry.get("text") == "For all." for entry in bob.session.log.entries))
                    await until(
                        lambda: [(who.name, who.role) for who in one.present] == [("Ana", "gm"), ("Bob", "spectator")]
                    )

        play(evening())


class TestSeats:
    def test_a_new_player_waits_for_the_gm_who_comes_another_day(
        self, ana: Player, bob: Player, nats: NatsServer
    ) -> None:
        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one:
                await posted(one)
            async with at_feed(bob, nats.server) as two:
                await until(lambda: two.status == "asked")
                assert bob.said == ["Ana is asked to let you in."]
            async with at_feed(ana, nats.server) as one:
                await until(lambda: "bob" in ana.session.state["seats"])
                await posted(one)
            async with at_feed(bob, nats.server) as two:
                await here(two)
                assert bob.session.by == "bob"
            assert [(knock.name, knock.returns) for knock in ana.knocks] == [("Bob", False)]

        play(evening())

    def test_player_who_is_not_let_in_is_told(self, ana: Player, bob: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            ana.answer = False
            async with at_feed(ana, nats.server, opens=True), at_feed(bob, nats.server) as two:
                await until(lambda: two.status == "refused")
                assert two.why == "The GM didn't let you in."
                assert [*ana.session.state["seats"]] == ["ana"]

        play(evening())

    def test_player_put_out_is_told_and_later_posts_are_refused(
        self, ana: Player, bob: Player, nats: NatsServer
    ) -> None:
        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one, at_feed(bob, nats.server) as two:
                await here(one, two)
                one.put_out("bob")
                await until(lambda: two.status == "refused")
                assert two.why == "The GM removed you."

        play(evening())

    def test_maker_of_a_character_plays_it_and_others_wait_for_the_gm(
        self, ana: Player, bob: Player, cyd: Player, nats: NatsServer
    ) -> None:
        async def evening() -> None:
            async with (
                at_feed(ana, nats.server, opens=True) as one,
                at_feed(bob, nats.server) as two,
                at_feed(cyd, nats.server) as three,
            ):
                await here(one, two, three)
                bob.session.do("new", [{"at": "party", "add": {**KARA, "id": "orm", "name": "Orm"}}])
                await until(lambda: seats.holder(cyd.session.state, "orm") == "bob")
                cyd.session._may_act = lambda who: None  # type: ignore[method-assign]
                for by in (-1, -2):
                    cyd.session.do("change", [{"at": "orm.health", "by": by}], who="orm")
                await until(lambda: one.guests and len(one.guests[0].waiting) == 2)
                assert [*three.waiting.values()] == ["it acts for a character of Bob"] * 2
                assert ana.session.state["party"]["orm"]["health"] == 5
                one.accept(one.guests[0])
                await until(lambda: bob.session.state["party"]["orm"]["health"] == 2 and not one.guests)
                await even(ana, bob, cyd)
                await until(lambda: not three.waiting)
                cyd.session.do("change", [{"at": "orm.health", "by": 1}], who="orm")
                await until(lambda: one.guests)
                one.decline(one.guests[0])
                await until(lambda: any("The GM refuses an entry" in said for said in cyd.said))
                await even(ana, bob, cyd)
                assert cyd.session.state["party"]["orm"]["health"] == 2

        play(evening())


class TestServers:
    def test_a_campaign_is_found_by_its_name(self, ana: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            with pytest.raises(Unreachable, match=r"No campaign called “vale” is on nats://127\.0\.0\.1"):
                await find(nats.server, "vale")
            async with at_feed(ana, nats.server, opens=True) as one:
                await posted(one)
            told = await find(nats.server, "VALE")
            assert (told["id"], told["game"], told["name"]) == (ana.session.save.head.id, "ironsworn", "vale")
            with pytest.raises(Unreachable, match="There are: vale"):
                await find(nats.server, "mill")

        play(evening())

    def test_no_server_is_said_and_tried_again(self, ana: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            nats.kill()
            with pytest.raises(LineClosed, match="no server is there"):
                await find(nats.server, "vale")
            async with at_feed(ana, nats.server, opens=True) as one:
                await asyncio.sleep(0)
                nats.start()
                await here(one)

        play(evening())

    @pytest.mark.parametrize("where", ["url", "file", "token"])
    def test_credentials_come_from_the_url_or_a_file(self, ana: Player, tmp_path: Path, where: str) -> None:
        users = "token: s3cret" if where == "token" else "user: ana, password: s3"
        file = tmp_path / "credentials"
        file.write_text({"url": "", "file": "ana:s3\n", "token": "s3cret\n"}[where])

        async def evening() -> None:
            with another_server(tmp_path / "nats", f"authorization {{ {users} }}") as nats:
                url = nats.server.url.replace("//", "//ana:s3@") if where == "url" else nats.server.url
                with pytest.raises(Unreachable, match="refuses these credentials"):
                    await campaigns(nats.server)
                async with at_feed(ana, Server(url, "" if where == "url" else str(file)), opens=True) as one:
                    await here(one)
                    assert "s3" not in one._feed.server.shown

        play(evening())

    def test_a_server_without_jetstream_is_named(self, ana: Player, nats: NatsServer) -> None:
        nats.kill()
        nats.config.write_text(f'listen: "127.0.0.1:{nats.port}"')
        nats.start()

        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one:
                await until(lambda: one.status == "refused")
                assert one.why == "That NATS server has no JetStream; start it with -js."

        play(evening())

    def test_a_file_of_nats_signs_in_with_its_key(self, tmp_path: Path) -> None:
        seed = Ed25519PrivateKey.generate()
        raw = bytes([18 << 3 | 20 >> 2, (20 & 3) << 6]) + seed.private_bytes_raw()
        text = base64.b32encode(raw + binascii.crc_hqx(raw, 0).to_bytes(2, "little")).decode().rstrip("=")
        file = tmp_path / "ana.creds"
        file.write_text(f"-----BEGIN NATS USER JWT-----\neyJ0.eyJq.c2ln\n-----BEGIN USER NKEY SEED-----\n{text}\n")
        options = _credentials(str(file))
        assert options["user_jwt_cb"]() == b"eyJ0.eyJq.c2ln"
        signed = base64.urlsafe_b64decode(options["signature_cb"]("nonce") + b"==")
        seed.public_key().verify(signed, b"nonce")
        file.write_text(f"eyJ0.eyJq.c2ln {text[:-3]}AAA")
        with pytest.raises(ValueError, match="its seed is damaged"):
            _credentials(str(file))
        file.write_text("two words")
        with pytest.raises(ValueError, match="has no credentials"):
            _credentials(str(file))


ENTRY = {"id": "evilevil.1", "t": 50, "by": "bob", "did": "journal", "text": "Mine."}


@contextlib.asynccontextmanager
async def by_hand(player: Player, server: Server, campaign: str) -> AsyncIterator[Feed]:
    """Open the feed with the key of a player, whose posts the test writes."""
    feed = Feed(server, campaign, player.key)
    await feed.open()
    yield feed
    await feed.close()


class TestAttacks:
    """Bob has a seat and bad manners; Ana and Cyd play on."""

    async def seat_bob(self, ana: Player, bob: Player, server: Server) -> None:
        async with at_feed(ana, server, opens=True) as one, at_feed(bob, server) as two:
            await here(one, two)
            await posted(one)

    async def refused(self, ana: Player, cyd: Player, server: Server, post: Callable[[], Awaitable[None]]) -> None:
        """Post something while Ana and Cyd play: their states stay the same, and they play on."""
        async with at_feed(ana, server, opens=True) as one, at_feed(cyd, server) as three:
            await here(one, three)
            await even(ana, cyd)
            before = ana.session.state
            await post()
            ana.session.write("Still here.")
            cyd.session.write("And here.")
            await until(lambda: len([e for e in ana.session.log.entries if "here." in e.get("text", "")]) == 2)
            await even(ana, cyd)
            assert ana.session.state == cyd.session.state == before
            assert not any(entry.get("text") == "Mine." for entry in ana.session.log.entries)
            assert not one.guests

    @pytest.mark.parametrize(
        "changed",
        [
            {"by": "ana"},
            {"by": "zoe"},
            {"id": "bob.1"},
            {"t": 2**61},
            {"text": "Mine.", "t": -5},
            {"effects": [{"at": "kara.health", "by": 1.5}]},
        ],
        ids=["another's name", "nobody's name", "an id of another form", "a time far ahead", "a time", "a half"],
    )
    def test_post_that_no_tracker_makes_is_not_taken(
        self, ana: Player, bob: Player, cyd: Player, nats: NatsServer, changed: dict[str, Any]
    ) -> None:
        async def evening() -> None:
            await self.seat_bob(ana, bob, nats.server)
            entry: dict[str, Any] = {**ENTRY, **changed}

            async def post() -> None:
                async with by_hand(bob, nats.server, ana.session.save.head.id) as feed:
                    await feed.publish("entry", entry["id"], toml.emit_entry(entry).decode())

            await self.refused(ana, cyd, nats.server, post)

        play(evening())

    def test_forged_replayed_and_overwritten_posts_are_not_taken(
        self, ana: Player, bob: Player, cyd: Player, nats: NatsServer
    ) -> None:
        async def evening() -> None:
            await self.seat_bob(ana, bob, nats.server)
            first = ana.session.log.entries[-1]
            text = wire.text_of({**first, "text": "Mine."})

            async def post() -> None:
                async with by_hand(bob, nats.server, ana.session.save.head.id) as feed:
                    assert await feed.publish("entry", first["id"], text)
                    ids = [f"{first['id'].partition('.')[0]}.{n}" for n in range(97, 100)]
                    places = [feed.subject("entry", ident) for ident in ids]
                    places = [one.replace(hash_of(bob.key.public), hash_of(ana.key.public)) for one in places]
                    texts = [wire.text_of({**ENTRY, "by": "ana", "id": ident}) for ident in ids]
                    recorded = (await feed._js.get_msg(feed._stream, 2)).headers or {}
                    forged = {"Tracker-Key": ana.key.public, "Tracker-Sign": bob.key.sign(texts[0].encode())}
                    own = feed._headers(places[2], texts[2])
                    for place, body, headers in zip(places, texts, (forged, recorded, own), strict=True):
                        await feed._js.publish(place, body.encode(), headers=dict(headers))

            await self.refused(ana, cyd, nats.server, post)

        play(evening())

    def test_garbage_and_a_flood_change_nothing(self, ana: Player, bob: Player, cyd: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            await self.seat_bob(ana, bob, nats.server)
            dice = random.Random(7)

            async def post() -> None:
                async with by_hand(bob, nats.server, ana.session.save.head.id) as feed:
                    assert feed._nats
                    top = f"tracker.{feed.campaign}"
                    for kind in ("entry", "campaign", "knock", "answer", "word", "shout"):
                        for data in (b"", b"\xff", b"[" * 100_000, b"9" * 5000, b"{}", b"[[entry]]", b"x" * 900_000):
                            await feed._js.publish(f"{top}.post.{kind}.{dice.random()}".replace("0.", "a"), data)
                            await feed._nats.publish(f"{top}.here.x", data)
                    for n in range(2000):
                        await feed._nats.publish(f"{top}.post.entry.x.{n}", dice.randbytes(50))
                    with pytest.raises(ValueError, match="longer than the server takes"):
                        await feed.publish("entry", "evilevil.1", "x" * 2_000_000)
                    with pytest.raises(APIError):
                        await feed._js.purge_stream(feed._stream)
                    with pytest.raises(APIError):
                        await feed._js.delete_msg(feed._stream, 1)

            await self.refused(ana, cyd, nats.server, post)

        play(evening())

    def test_place_and_id_taken_by_another_keep_no_entry_out(self, ana: Player, bob: Player, nats: NatsServer) -> None:
        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one, at_feed(bob, nats.server) as two:
                await here(one, two)
                await posted(one)
                opening, counter = split(ana.session.log.entries[-1]["id"])
                async with by_hand(bob, nats.server, ana.session.save.head.id) as feed:
                    for n in (1, 2):
                        following = f"{opening}.{counter + n}"
                        own = feed.subject("entry", following)
                        theirs = own.replace(hash_of(bob.key.public), hash_of(ana.key.public))
                        headers = {"Nats-Msg-Id": following}
                        await feed._js.publish(theirs if n == 1 else own, b"Mine.", headers=headers)
                ana.session.write("First.")
                ana.session.write("Second.")
                await even(ana, bob)
                assert [entry["text"] for entry in bob.session.log.entries[-2:]] == ["First.", "Second."]

        play(evening())

    def test_deleted_stream_is_made_again(
        self, ana: Player, bob: Player, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(nats_feed, "LOOK_SECONDS", 0.1)
        monkeypatch.setattr(nats_feed, "CUT_SECONDS", 0.02)

        async def evening() -> None:
            async with at_feed(ana, nats.server, opens=True) as one, at_feed(bob, nats.server) as two:
                await here(one, two)
                bob.session.write("Before.")
                await even(ana, bob)
                assert await one._feed._js.delete_stream(one._feed._stream)
                await until(lambda: one.status == two.status == "away")
                await here(one, two)
                bob.session.write("After.")
                await even(ana, bob)
                await posted(one)

        play(evening())


class Shown:
    """A frontend that remembers what it was told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def company_changed(self) -> None: ...

    def company_says(self, sentence: str) -> None:
        self.said.append(sentence)

    def company_entered(self, news: str, *, reunion: bool) -> None:
        self.said.append(news)


def test_two_frontends_meet_over_a_server_and_the_gm_agrees(ana: Player, bob: Player, nats: NatsServer) -> None:
    async def evening() -> None:
        first, second = Shown(), Shown()
        one, two = Company(ana.session, first, "Ana"), Company(bob.session, second, "Bob")
        await one.begin(Gathering(nats.server.url, opens=True))
        await until(lambda: ana.session.state["seats"])
        await two.begin(Gathering(nats.server.url))
        await until(lambda: one.question().startswith("Bob knocks, key "))
        with pytest.raises(Refused, match="you are watching"):
            bob.session.write("Too early.")
        assert one.agree() == "Bob comes in."
        await until(lambda: one.standing.others == ("Bob",) and two.standing.others == ("Ana",))
        bob.session.write("Bob was here.")
        await until(lambda: any("Bob was here." in said for said in first.said))
        assert two.connection() == f"You play over {nats.server.url}."
        nats.kill()
        await until(lambda: one.standing.away and two.standing.away)
        assert "is away. You play alone" in two.connection()
        await two.part()
        await one.part()
        assert not ana.session.watches | bob.session.watches

    play(evening())
