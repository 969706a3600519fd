"""What a stranger or a guest with bad manners can send: it is refused, nothing of it is passed on, others play on."""

import asyncio
import contextlib
import hashlib
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.coop.players import Player, hosted, joined, play, same, until

from tracker.coop import host as host_module
from tracker.coop import lines, wire
from tracker.coop.guest import NotLetIn, knock
from tracker.coop.host import Host
from tracker.coop.proofs import Meeting, new_nonce

ENTRY = {"id": "evilevil.1", "t": 50, "by": "bob", "did": "journal", "text": "Mine."}


async def _dial(host: Host) -> lines.SocketLine:
    return await lines.dial("127.0.0.1", host.port)  # type: ignore[attr-defined]


@contextlib.asynccontextmanager
async def by_hand(player: Player, host: Host) -> AsyncIterator[lines.SocketLine]:
    """Connect to the host as a guest whose messages the test writes."""
    line = await _dial(host)
    await knock(line, host.secret, player.key, player.name, "", "player", lambda _: None)
    await line.send(wire.write("have", upto={}, more=[]))
    while wire.read(await line.recv())["k"] != "even":
        pass
    yield line
    await line.close()


async def ending(line: lines.Line) -> lines.LineClosed:
    """Return how the other end closes the line."""
    async with asyncio.timeout(20):
        while True:
            try:
                await line.recv()
            except lines.LineClosed as closed:
                return closed


async def hear(line: lines.Line, kind: str) -> wire.Message:
    """Return the next message of this kind."""
    while (message := wire.read(await line.recv()))["k"] != kind:
        pass
    return message


def entries(*changed: dict[str, Any], many: bool = False) -> str:
    return wire.write("entries", e=[wire.text_of({**ENTRY, **one}) for one in changed], many=many)


LONG_TEXT = wire.write("entries", e=["a" * (wire.LONGEST_ENTRY + 1)], many=True)
BREACHES = {
    "not JSON": "hello?",
    "bytes": "",
    "deep": "[" * 100_000,
    "digits": "9" * 5000,
    "a message of the host": wire.write("saved", ids=[]),
    "a second hello": wire.write("hello", wire=1, nonce="", app=""),
    "no TOML": wire.write("entries", e=["x = "], many=False),
    "two in one": wire.write("entries", e=[wire.text_of(ENTRY) * 2], many=False),
    "no entry": wire.write("entries", e=["x = 1\n"], many=False),
    "too long": LONG_TEXT,
    "dots": wire.write("entries", e=[f"a{'.a' * 20_000} = 1"], many=False),
    "in another's name": entries({"by": "ana"}),
    "in nobody's name": entries({"by": "zoe"}),
    "without a name": wire.write("entries", e=[wire.text_of({"id": "evilevil.1", "t": 50, "text": "x"})], many=False),
    "an id of another form": entries({"id": "bob.1"}),
    "a time far ahead": entries({"t": 2**61}),
    "a time that runs backwards": entries({"t": 50}, {"id": "evilevil.2", "t": 49}),
    "one id twice": entries({}, {"text": "Other."}),
}


class TestBreaches:
    @pytest.mark.parametrize("frame", BREACHES.values(), ids=BREACHES.keys())
    def test_a_breach_ends_the_line_and_changes_nothing(
        self, ana: Player, bob: Player, cyd: Player, frame: str
    ) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(cyd, host) as other:
                await until(lambda: other.status == "here")
                async with by_hand(bob, host) as line:
                    await until(lambda: same(ana, cyd))
                    before = ana.session.state
                    await line.send(frame)
                    closed = await ending(line)
                    assert closed.code in {lines.GARBAGE, lines.BROKE_RULE}
                    assert closed.why
                cyd.session.write("Still here.")
                await until(lambda: same(ana, cyd))
                assert ana.session.state == before
                assert any(said.startswith("Bob was disconnected: ") for said in ana.said)
                assert other.status == "here"

        play(evening())

    def test_an_id_of_another_cannot_be_written_over(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            first = ana.session.write("Ana was here.")
            async with hosted(ana) as host, by_hand(bob, host) as line:
                for changed in ({**first, "text": "Bob was here."}, {**first, "by": "bob"}):
                    ana.session.wait()
                    await line.send(wire.write("entries", e=[wire.text_of(changed)], many=False))
                    closed = await ending(line)
                    assert closed.code == lines.BROKE_RULE
                    break
            assert "Bob was here." not in {entry.get("text") for entry in ana.bytes_of_entries}

        play(evening())

    def test_the_next_id_of_another_cannot_be_taken(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            first = ana.session.write("Ana was here.")
            opening = first["id"].partition(".")[0]
            async with hosted(ana) as host, by_hand(bob, host) as line:
                await line.send(entries({"id": f"{opening}.999", "t": 99}))
                assert "belongs to another player" in (await ending(line)).why

        play(evening())

    def test_entry_that_names_nothing_waits_without_effect(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, by_hand(bob, host) as line:
                before = ana.session.state
                await line.send(
                    entries({"undoes": "nothere1.7"}, {"id": "evilevil.2", "t": 51, "closes": "nothere1.8"})
                )
                waits = {(await hear(line, "pending"))["id"] for _ in range(2)}
                assert waits == {"evilevil.1", "evilevil.2"}
                assert ana.session.state == before

        play(evening())

    def test_seats_cannot_be_written_by_a_guest(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, by_hand(bob, host) as line:
                await line.send(entries({"effects": [{"at": "seats.bob.role", "to": "gm"}]}))
                assert (await hear(line, "pending"))["id"] == "evilevil.1"
                assert ana.session.state["seats"]["bob"]["role"] == "player"

        play(evening())

    def test_seats_cannot_be_taken_back_by_a_guest(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, by_hand(bob, host) as line:
                seat = next(entry["id"] for entry in ana.session.log.entries if entry.get("did") == "seat")
                await line.send(entries({"undoes": seat}))
                assert (await hear(line, "pending"))["id"] == "evilevil.1"
                assert [*ana.session.state["seats"]] == ["ana", "bob"]

        play(evening())

    def test_the_undo_key_puts_no_player_out(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, by_hand(bob, host):
                ana.session.write("The ford.")
                while ana.session.undo():
                    pass
                assert [*ana.session.state["seats"]] == ["ana", "bob"]
                assert not ana.session.state["party"]

        play(evening())

    def test_a_flood_is_slowed_and_others_play_on(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(cyd, host) as other, by_hand(bob, host) as line:
                await until(lambda: other.status == "here")
                flood = asyncio.ensure_future(_flood(line))
                for n in range(5):
                    cyd.session.write(f"Line {n}.")
                await until(lambda: not other.to_share)
                assert sum(entry.get("by") == "bob" for entry in ana.session.log.entries) < 600
                flood.cancel()

        play(evening())

    def test_a_guest_who_does_not_read_is_let_go(
        self, ana: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(host_module, "LONGEST_QUEUE", 3)

        async def evening() -> None:
            async with hosted(ana) as host, by_hand(bob, host) as line:
                await until(lambda: host.guests)
                line._socket.transport.pause_reading()
                for _ in range(30):
                    ana.session.write("a" * 900_000)
                    await asyncio.sleep(0)
                await until(lambda: not host.guests)
                line._socket.transport.resume_reading()

        play(evening())

    def test_random_changes_of_a_good_frame_do_no_harm(self, ana: Player, bob: Player) -> None:
        dice = random.Random(7)

        async def evening() -> None:
            async with hosted(ana) as host:
                before = ana.session.state
                for _ in range(25):
                    async with by_hand(bob, host) as line:
                        good = entries({"by": "ana"})
                        at = dice.randrange(len(good))
                        await line.send(good[:at] + chr(dice.randrange(32, 127)) + good[at + 1 :])
                        await line.send("")
                        await ending(line)
                seen = {**ana.session.state, "seats": before["seats"]}
                assert seen == before

        play(evening())


async def _flood(line: lines.Line) -> None:
    with contextlib.suppress(lines.LineClosed):
        for n in range(1, 30_000):
            await line.send(entries({"id": f"evilevil.{n}", "t": 50 + n}))


class TestDoor:
    def test_a_wrong_code_is_refused_slowed_and_counted(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            loop = asyncio.get_running_loop()
            async with hosted(ana) as host, joined(bob, host, secret="a" * 16) as one:
                began = loop.time()
                await until(lambda: one.status == "refused")
                assert one.why == "That code is wrong or has expired; ask the host for a new one."
                assert loop.time() - began >= host_module.SLOWER_SECONDS
                assert host.wrong_codes.total() == 1
                assert "Bob came with an old code: pass on the new one." in ana.said
                async with joined(bob, host, secret="b" * 16) as again:
                    await until(lambda: again.status == "refused")
                assert "A wrong code came from 127.0.0.1 (2 so far)." in ana.said
                assert not ana.knocks

        play(evening())

    def test_attacker_in_the_middle_with_another_certificate_is_refused(
        self, ana: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "eve"))

                async def between(line: lines.Line) -> None:
                    further = await _dial(host)
                    with contextlib.suppress(lines.LineClosed):
                        while True:
                            await line.send(await further.recv())
                            await further.send(await line.recv())
                    await line.close(lines.WRONG_CODE, "No.")
                    await further.close()

                eve = lines.Listener(between)
                port = await eve.open("127.0.0.1", 0)
                line = await lines.dial("127.0.0.1", port)
                with pytest.raises(NotLetIn):
                    await knock(line, host.secret, bob.key, "Bob", "", "player", lambda _: None)
                await line.close()
                assert host.wrong_codes.total() == 1
                assert not host.guests
                await eve.close()

        play(evening())

    def test_a_host_that_does_not_know_the_code_is_not_believed(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async def meet(line: lines.Line) -> None:
                await line.send(wire.write("hello", wire=wire.WIRE, nonce=new_nonce(), app="0.1.0"))
                await line.recv()
                proof = hashlib.sha256(b"?").hexdigest()
                await line.send(wire.write("welcome", proof=proof, seat="bob", role="player", campaign={}))
                await line.recv()

            false = lines.Listener(meet)
            port = await false.open("127.0.0.1", 0)
            line = await lines.dial("127.0.0.1", port)
            with pytest.raises(NotLetIn, match="doesn't know this code"):
                await knock(line, "a" * 16, bob.key, "Bob", "", "player", lambda _: None)
            await line.close()
            await false.close()

        play(evening())

    def test_a_recorded_join_cannot_be_played_again(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                line = await _dial(host)
                recorded: list[str] = []
                send = line.send

                async def record(frame: str) -> None:
                    recorded.append(frame)
                    await send(frame)

                line.send = record  # type: ignore[method-assign]
                await knock(line, host.secret, bob.key, "Bob", "", "player", lambda _: None)
                await line.close()
                again = await _dial(host)
                await again.recv()
                await again.send(recorded[0])
                assert (await ending(again)).code == lines.WRONG_CODE

        play(evening())

    def test_the_key_of_another_opens_no_seat(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                async with by_hand(bob, host):
                    pass
                line = await _dial(host)
                hello = wire.read(await line.recv())
                meeting = Meeting(line.binding, hello["nonce"], new_nonce())
                said = {"wire": 1, "nonce": meeting.guest_nonce, "proof": meeting.proof(host.secret, "guest")}
                said |= {"name": "Bob", "campaign": "", "role": "player", "key": bob.key.public}
                forged = cyd.key.sign(meeting.statement("key", "Bob"))
                await line.send(wire.write("join", **said, signature=forged))
                assert (await ending(line)).code == lines.GARBAGE

        play(evening())

    def test_a_full_door_turns_further_strangers_away(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                silent = [await _dial(host) for _ in range(host_module.STRANGERS_EACH)]
                for line in silent:
                    await line.recv()
                assert (await ending(await _dial(host))).code == lines.DOOR_FULL
                for line in silent:
                    await line.close()
                async with joined(bob, host) as one:
                    await until(lambda: one.status == "here")

        play(evening())

    def test_only_the_same_campaign_is_joined(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                line = await _dial(host)
                with pytest.raises(NotLetIn, match="Another campaign is played there"):
                    await knock(line, host.secret, bob.key, "Bob", "another", "player", lambda _: None)
                await line.close()

        play(evening())


class TestSize:
    def test_ten_thousand_garbage_frames_end_one_line_at_the_first(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(cyd, host) as other, by_hand(bob, host) as line:
                await until(lambda: other.status == "here")
                with contextlib.suppress(lines.LineClosed):
                    for n in range(10_000):
                        await line.send(f"garbage {n}")
                assert (await ending(line)).code == lines.GARBAGE
                assert len([said for said in ana.said if "was disconnected" in said]) == 1
                cyd.session.write("Still here.")
                await until(lambda: same(ana, cyd))

        play(evening())

    @pytest.mark.parametrize("proven", [True, False], ids=["a guest", "a stranger"])
    def test_frame_of_100_mb_is_not_read(self, ana: Player, bob: Player, cyd: Player, proven: bool) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(cyd, host) as other:
                await until(lambda: other.status == "here")
                async with by_hand(bob, host) if proven else _stranger(host) as line:
                    with contextlib.suppress(lines.LineClosed):
                        await line.send("a" * 100_000_000)
                    await ending(line)
                cyd.session.write("Still here.")
                await until(lambda: same(ana, cyd) and len(host.guests) == 1)

        play(evening())

    def test_clock_that_is_years_off_changes_no_order(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as guest:
                await until(lambda: guest.status == "here")
                for player, year in ((bob, 2999), (ana, 1970)):
                    entry = player.session.new_entry(did="journal", text=f"In {year}.")
                    entry["at"] = datetime(year, 1, 1, tzinfo=UTC)
                    player.session.save.prepare(entry)
                    player.session.put(entry)
                    await until(lambda: same(ana, bob))
                texts = [entry["text"] for entry in ana.session.log.entries if "text" in entry]
                assert texts == ["In 2999.", "In 1970."]
                assert ana.session.state == bob.session.state

        play(evening())


@contextlib.asynccontextmanager
async def _stranger(host: Host) -> AsyncIterator[lines.SocketLine]:
    """Come to the door, and say nothing that the test does not write."""
    line = await _dial(host)
    yield line
    await line.close()


class TestHost:
    def test_player_put_out_cannot_return_with_code_and_key(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                async with by_hand(bob, host):
                    await host.put_out("bob")
                line = await _dial(host)
                with pytest.raises(NotLetIn, match="The host removed you"):
                    await knock(line, host.secret, bob.key, "Bob", "", "player", lambda _: None)
                await line.close()
                assert not host.guests

        play(evening())

    def test_a_flood_and_a_question_do_not_keep_a_host_from_leaving(
        self, ana: Player, bob: Player, cyd: Player
    ) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, by_hand(bob, host) as line:
                asked = asyncio.Event()

                async def ask(_: object) -> bool:
                    asked.set()
                    await asyncio.Event().wait()
                    return True

                host.events = host.events._replace(asks=ask)
                flood = asyncio.ensure_future(_flood(line))
                async with joined(cyd, host):
                    await asked.wait()
                    await until(lambda: len(ana.session.log.entries) > host_module.BURST)
                    async with asyncio.timeout(host_module.BURST / host_module.PER_SECOND):
                        await host.close()
                flood.cancel()
                host.close = _nothing  # type: ignore[method-assign]

        play(evening())

    def test_a_fault_of_ours_is_said_and_ends_only_one_line(
        self, ana: Player, bob: Player, cyd: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken(*_: object, **__: object) -> None:
            raise KeyError("a bug")

        async def evening() -> None:
            async with hosted(ana) as host, joined(cyd, host) as other, by_hand(bob, host) as line:
                await until(lambda: other.status == "here")
                monkeypatch.setattr(host_module, "judge", broken)
                await line.send(entries({}))
                assert (await ending(line)).code == lines.TROUBLE
                assert any("internal error, KeyError" in said for said in ana.said)
                ana.session.write("Still here.")
                await until(lambda: same(ana, cyd))

        play(evening())
        assert not caplog.records  # Python would print them over the screen

    def test_a_host_whose_entries_are_from_a_far_future_is_not_believed(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as guest:
                await until(lambda: guest.status == "here")
                far = wire.text_of({**ENTRY, "by": "ana", "t": 2**61})
                host.guests[0].send(wire.write("entries", e=[far], many=False))
                await until(lambda: any("too far ahead" in said for said in bob.said))
                assert bob.session.write("Still here.")["t"] < 2**20

        play(evening())


async def _nothing() -> None: ...
