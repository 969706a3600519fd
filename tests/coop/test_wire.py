"""Frames, sets of ids, codes and keys: what two trackers tell each other before any entry counts."""

import asyncio
import json
import os
import ssl
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from hypothesis import given
from hypothesis import strategies as st

from tracker.coop import key_files, lines, wire
from tracker.coop.invitation import EXAMPLE, SECRET, Invitation, new_secret, place
from tracker.coop.nats_feed import read_json
from tracker.coop.proofs import Meeting, fits
from tracker.saves.id_set import IdSet, split

IDS = st.lists(st.builds("{}.{}".format, st.sampled_from(["aaaaaaaa", "bbbbbbbb"]), st.integers(1, 12)))
ENTRY = {"id": "k3f9a2b7.1", "t": 1, "at": datetime(2026, 11, 15, tzinfo=UTC), "did": "journal", "text": "The ford."}


class TestIdSet:
    @given(IDS, IDS)
    def test_id_set_holds_ids_added_in_any_order(self, ids: list[str], others: list[str]) -> None:
        held = IdSet(ids)
        assert {*ids} == {ident for ident in [*ids, *others] if ident in held}
        assert len(held) == len({*ids})

    @given(IDS)
    def test_a_message_describes_the_same_set(self, ids: list[str]) -> None:
        held = IdSet(ids)
        told = json.loads(json.dumps(held.message()))
        read = IdSet.read(told["upto"], told["more"])
        assert (read.upto, read.beyond) == (held.upto, held.beyond)

    def test_ids_of_another_form_are_held_one_by_one(self) -> None:
        odd = ["k.007", "k.0", "edited", "k.7x", "k.-1"]
        assert not any(split(ident)[1] for ident in odd)
        held = IdSet([f"k.{n}" for n in range(1, 9)])
        assert not any(ident in held for ident in odd)

    def test_nonsense_in_a_message_describes_nothing(self) -> None:
        read = IdSet.read({"a": -1, "b": "9", "c": True, "d": 2**60, "e": 3}, [1, None, "x.1"])
        assert (read.upto, read.beyond) == ({"e": 3}, {"x.1"})


class TestFrames:
    def test_an_entry_comes_out_as_it_went_in(self) -> None:
        (frame,) = wire.frames([wire.text_of(ENTRY)], many=True)
        message = wire.read(frame)
        assert message["many"] is True
        assert wire.entries(message) == [ENTRY]

    def test_characters_may_be_escaped_in_halves(self) -> None:
        assert wire.read('{"k":"trouble","why":"\\ud83d\\ude00"}')["why"] == "😀"

    def test_post_with_half_a_character_says_nothing(self) -> None:
        assert read_json('{"id":"\\ud800","name":"Vale"}') == {}
        assert read_json('{"name":"\\ud83d\\ude00","rules":1}') == {"name": "😀"}

    def test_many_entries_go_into_several_frames(self) -> None:
        texts = [wire.text_of({**ENTRY, "id": f"k3f9a2b7.{n}", "text": "a" * 30_000}) for n in range(1, 11)]
        found = [wire.read(frame) for frame in wire.frames(texts)]
        assert [len(message["e"]) for message in found] == [3, 3, 3, 1]

    @pytest.mark.parametrize(
        "frame",
        [
            *(
                "",
                "x",
                "[1]",
                '{"k":1}',
                '{"k":"shout"}',
                "[" * 100_000,
                "9" * 5000,
                '{"k":"entries","e":1,"many":true}',
            ),
            '{"k":"entries","e":[]}',
            '{"k":"have","upto":[],"more":[]}',
            '{"k":"even","count":true,"sum":"1"}',
            wire.write("refused", id="a" * 300, why=""),
            '{"k":"trouble","why":"\\ud800"}',
            '{"k":"have","upto":{"\\uDFFF":1},"more":[]}',
        ],
        ids=lambda frame: frame[:20],
    )
    def test_garbage_is_named_as_such(self, frame: str) -> None:
        with pytest.raises(wire.Garbage):
            wire.read(frame)

    @pytest.mark.parametrize(
        "text",
        [
            1,
            "",
            "[[entry]]\n",
            '[[entry]]\nid = "k.1"\nt = 1\n',
            '[[entry]]\nid = "k.1"\nt = 4611686018427387904\ntext = "x"\n',
            '[[entry]]\nid = "../x"\nt = 1\ntext = "x"\n',
            '[[entry]]\nid = "k.1"\nt = 1\ntext = "x"\n[[entry]]\nid = "k.2"\nt = 2\ntext = "y"\n',
            '[head]\nx = 1\n[[entry]]\nid = "k.1"\nt = 1\ntext = "x"\n',
            f'[[entry]]\nid = "k.1"\nt = {"9" * 5000}\n',
            f"a{'.a' * 20_000} = 1",
            f"[[entry]]\nx = {'[' * 100_000}",
            '[[entry]]\nid = "k.1"\nt = 1\ntext = "\ud800"\n',
            '[[entry]]\nid = "k.1"\nt = 1\neffects = [{at = "kara.health", by = 1.5}]\n',
            '[[entry]]\nid = "k.1"\nt = 1\nby = "Someone else entirely"\ntext = "x"\n',
            f'[[entry]]\nid = "k.1"\nt = 1\ntext = "{"a" * wire.LONGEST_ENTRY}"\n',
        ],
        ids=lambda text: str(text)[:30],
    )
    def test_a_text_that_no_save_could_hold_is_garbage(self, text: object) -> None:
        with pytest.raises(wire.Garbage):
            wire.entry_of(text)

    def test_an_entry_written_by_hand_is_read_and_sent_on_as_we_write_it(self) -> None:
        entry = wire.entry_of("[[entry]]\nid='k.1'   # mine\nt=1\ntext='''The\nford'''\n")
        assert entry == {"id": "k.1", "t": 1, "text": "The\nford"}
        assert wire.entry_of(wire.text_of(entry)) == entry

    def test_entry_with_comments_keeps_its_id_and_is_the_same(self) -> None:
        ours = wire.text_of(ENTRY)
        for theirs in (
            f'# my "own" words\n{ours}',
            f"#= 84 46\n{ours}",
            ours.replace('"k3f9a2b7.1"', "'k3f9a2b7.1'"),
        ):
            assert wire.id_of(theirs) == ENTRY["id"]
            assert wire.is_same(ours, theirs)
        assert not wire.is_same(ours, ours.replace("ford", "mill"))
        assert not wire.is_same("", ours)


class TestInvitation:
    @pytest.mark.parametrize("where", ["192.168.1.5:47113", "[fe80::1]:1", "box.lan:65535", "endpoint" + "a" * 60])
    def test_a_code_is_read_as_it_was_written(self, where: str) -> None:
        invitation = Invitation(where, new_secret())
        assert Invitation.read(f"  {invitation}\n") == invitation
        assert Invitation.read(f"tracker join {invitation}\n") == invitation
        assert Invitation.read(f".venv/bin/tracker join {invitation} --as Bob") == invitation
        assert Invitation.read(str(invitation).replace("-", "").upper().replace(where.upper(), where)) == invitation

    @pytest.mark.parametrize(
        "code", ["", "vale", "1.2.3.4/abcd", EXAMPLE[:-1], "a:99999/" + "a" * 16, "x" * 9999, "a b:1/" + "a" * 16]
    )
    def test_invalid_code_is_refused_with_an_example(self, code: str) -> None:
        with pytest.raises(ValueError, match="one looks like"):
            Invitation.read(code)

    def test_every_secret_is_new_and_has_79_bits(self) -> None:
        found = {new_secret() for _ in range(100)}
        assert len(found) == 100
        assert {len(secret) for secret in found} == {SECRET}

    def test_an_address_with_colons_is_put_in_brackets(self) -> None:
        assert Invitation(place("::1", 5), "a" * SECRET).address == ("::1", 5)

    def test_a_proof_is_good_for_one_side_of_one_meeting(self) -> None:
        meeting = Meeting(b"host", "n1", "n2")
        proof = meeting.proof("secret", "guest")
        assert fits(proof, Meeting(b"host", "n1", "n2").proof("secret", "guest"))
        others = [
            meeting._replace(binding=b"other"),
            meeting._replace(host_nonce="n3"),
            meeting._replace(guest_nonce="n1"),
        ]
        wrong = [other.proof("secret", "guest") for other in others]
        assert proof not in {*wrong, meeting.proof("secret", "host"), meeting.proof("secreu", "guest")}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "tracker" / "coop"


class TestKeys:
    def test_keys_are_made_once_and_only_the_owner_reads_them(self, data: Path) -> None:
        assert key_files.Certificate().fingerprint == key_files.Certificate().fingerprint
        assert key_files.OwnKey().public == key_files.OwnKey().public
        assert sorted(os.listdir(data)) == ["host.pem", "me.pem", "me.pub"]
        assert {stat.S_IMODE((data / name).stat().st_mode) for name in os.listdir(data)} == {0o600}

    def test_a_signature_is_good_for_one_statement_and_one_key(self, data: Path) -> None:
        key = key_files.OwnKey()
        signed = key.sign(b"this")
        assert key_files.is_signed(b"this", signed, key.public)
        assert not key_files.is_signed(b"that", signed, key.public)
        (data / "me.pem").unlink()
        assert not key_files.is_signed(b"this", signed, key_files.OwnKey().public)
        assert not any(
            key_files.is_signed(b"this", *odd) for odd in [("", ""), ("x", key.public), (signed, "é"), (signed, "AA==")]
        )

    @pytest.mark.parametrize("harm", ["empty", "garbage", "half", "of another kind", "a folder", "a pipe"])
    @pytest.mark.parametrize("name", ["host.pem", "me.pem"])
    def test_damaged_key_is_named_with_the_way_out(self, data: Path, name: str, harm: str) -> None:
        make = {"host.pem": key_files.Certificate, "me.pem": key_files.OwnKey}
        for one in make.values():
            one()
        other = next((data / one).read_bytes() for one in make if one != name)
        path = data / name
        whole = path.read_bytes()
        path.unlink()
        match harm:
            case "a folder":
                path.mkdir()
            case "a pipe":
                os.mkfifo(path)
            case "half":
                path.write_bytes(whole[: len(whole) // 2])
            case "of another kind":
                path.write_bytes(other)
            case _:
                path.write_bytes(b"\xff\n" if harm == "garbage" else b"")
        with pytest.raises(OSError, match=rf"{name} is (damaged|not a file but {harm}): delete it"):
            make[name]()

    def test_certificate_with_a_password_is_refused_without_asking(self, data: Path) -> None:
        """OpenSSL asks on the terminal if it is not told a password."""
        key_files.Certificate()
        whole = (data / "host.pem").read_bytes()
        secret = serialization.load_pem_private_key(whole, None).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
        (data / "host.pem").write_bytes(secret + whole[whole.index(b"-----BEGIN CERTIFICATE-----") :])
        code = "from tracker.coop import key_files; key_files.Certificate()"
        ran = subprocess.run(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            check=False,
        )
        assert b"host.pem is damaged: delete it" in ran.stderr
        assert b"pass phrase" not in ran.stderr

    @pytest.mark.parametrize("harm", ["another's", "garbage", "a link", "a folder"])
    def test_public_half_that_is_not_ours_is_replaced(self, data: Path, tmp_path: Path, harm: str) -> None:
        """A seat of somebody else would be taken for ours."""
        key, path = key_files.OwnKey(), data / "me.pub"
        other = tmp_path / "other"
        path.unlink()
        match harm:
            case "another's":
                path.write_text(key_files.OwnKey("Bob").public)
            case "garbage":
                path.write_bytes(b"\xff\0")
            case "a link":
                other.write_text(key.public)
                path.symlink_to(other)
            case "a folder":
                path.mkdir()
        assert key_files.OwnKey().public == key.public
        assert path.is_dir() if harm == "a folder" else path.read_text() == key.public
        assert not path.is_symlink()


class TestLines:
    def test_both_ends_see_the_same_host_and_frames_in_order(self, data: Path) -> None:
        async def play() -> None:
            heard: list[str] = []
            bindings: list[bytes] = []

            async def meet(line: lines.Line) -> None:
                bindings.append(line.binding)
                heard.extend([await line.recv(), await line.recv()])
                await line.close(lines.BROKE_RULE, "Enough.")

            listener = lines.Listener(meet)
            line = await lines.dial("127.0.0.1", await listener.open("127.0.0.1", 0))
            await line.send("one")
            await line.send("two")
            with pytest.raises(lines.LineClosed) as closed:
                await line.recv()
            assert (closed.value.code, closed.value.why) == (lines.BROKE_RULE, "Enough.")
            assert heard == ["one", "two"]
            assert bindings == [line.binding] == [key_files.Certificate().fingerprint]
            with pytest.raises(lines.LineClosed):
                await line.send("three")
            await listener.close()

        asyncio.run(play())

    def test_a_frame_that_is_too_long_closes_the_line(self, data: Path) -> None:
        async def play() -> None:
            ended = asyncio.Event()

            async def meet(line: lines.Line) -> None:
                with pytest.raises(lines.LineClosed):
                    await line.recv()
                ended.set()

            listener = lines.Listener(meet)
            line = await lines.dial("127.0.0.1", await listener.open("127.0.0.1", 0))
            with pytest.raises(lines.LineClosed):
                await line.send("a" * (wire.FRAME + 1))
                await line.recv()
            await ended.wait()
            await listener.close()

        asyncio.run(play())

    def test_only_tls_1_3_is_spoken(self, data: Path) -> None:
        async def play() -> None:
            async def meet(line: lines.Line) -> None:
                await line.recv()

            listener = lines.Listener(meet)
            port = await listener.open("127.0.0.1", 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"HTTP" not in await reader.read(100)
            writer.close()
            old = key_files.guest_context()
            old.maximum_version = old.minimum_version = ssl.TLSVersion.TLSv1_2
            with pytest.raises(OSError):
                await asyncio.open_connection("127.0.0.1", port, ssl=old, server_hostname="tracker")
            await listener.close()

        asyncio.run(play())

    def test_a_place_without_a_host_is_named(self, data: Path) -> None:
        async def play() -> None:
            server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(lines.LineClosed):
                await lines.dial("127.0.0.1", port)
            server.close()
            await server.wait_closed()
            with pytest.raises(lines.LineClosed, match="no host is there"):
                await lines.dial("127.0.0.1", port)

        asyncio.run(play())
