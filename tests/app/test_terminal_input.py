"""The terminal driver's reading of bytes, tested without a terminal."""

import random

import pytest
from textual import events
from textual.message import Message

from tracker.app.terminal_input import ESC_SIGN, LOST, Decoder, Parser


def parsed(*chunks: bytes) -> list[Message]:
    decoder, parser = Decoder(), Parser()
    return [message for chunk in chunks if (text := decoder.decode(chunk)) for message in parser.feed(text)]


def keys(*chunks: bytes) -> list[str | None]:
    return [message.character for message in parsed(*chunks) if isinstance(message, events.Key)]


class TestDecoder:
    @pytest.mark.parametrize("byte", range(0x80, 0x100))
    def test_byte_that_is_no_text_leaves_the_next_key_alone(self, byte: int) -> None:
        assert Decoder().decode(bytes([byte]) + b"q")[-1] == "q"

    def test_latin_1_text_keeps_its_readable_part(self) -> None:
        assert Decoder().decode("über den Fluß".encode("latin-1")) == f"{LOST}ber den Flu{LOST}"[: len("über den Flu")]

    def test_character_split_between_reads_is_put_together(self) -> None:
        decoder = Decoder()
        assert "".join(decoder.decode(bytes([byte])) for byte in "Kära 漢 👩".encode()) == "Kära 漢 👩"

    def test_mouse_report_past_column_95_swallows_no_key(self) -> None:
        for column in range(0x21, 0x100):
            for row in (0x21, 0xA9, 0xFF):
                report = b"\x1b[M" + bytes([0x20, column, row])
                assert keys(report + b"q") == ["q"], report
                assert keys(*(bytes([byte]) for byte in report + b"q")) == ["q"], report

    def test_any_split_decodes_to_the_same(self) -> None:
        chance = random.Random(5)
        soup = bytes(chance.choices([*range(256), 0x1B, 0x5B, 0x4D], k=3000))
        whole = Decoder().decode(soup)
        pieces, decoder = [], Decoder()
        while soup:
            cut = chance.randint(1, 7)
            pieces.append(decoder.decode(soup[:cut]))
            soup = soup[cut:]
        assert "".join(pieces) == whole


class TestParser:
    @pytest.mark.parametrize(
        "sequence",
        [b"\x1b[97:65;1u", b"\x1b[97;1:3u", b"\x1b[1114112u", b"\x1b[99999999999999999999u", b"\x1b[97;1;1114112u"],
    )
    def test_key_with_impossible_numbers_is_ignored(self, sequence: bytes) -> None:
        assert keys(sequence + b"q")[-1] == "q"
        assert [message for message in parsed(sequence) if getattr(message, "key", "") != "<ignore>"] == []

    def test_byte_soup_never_raises(self) -> None:
        chance = random.Random(11)
        for _ in range(20):
            parsed(bytes(chance.choices([*range(256), *b"\x1b\x1b\x1b[[[<;;0123456789:Mmut~"], k=2000)))


class TestPaste:
    @pytest.mark.parametrize(
        "pasted",
        [
            "",
            "a",
            "\x1b",
            "q\x1b",
            "a\x1bq b",
            "\x1b[31mred\x1b[0m",
            "a\x1b[Ab",
            "a\x1b[Ib",
            "a\x1b[200~b",
            "a\x1b[201b",
        ],
    )
    @pytest.mark.parametrize("size", [1, 2, 5, 1000])
    def test_escape_in_it_is_no_key_and_changes_no_order(self, pasted: str, size: int) -> None:
        sent = f"x\x1b[200~{pasted}\x1b[201~y\x1b[200~z\x1b[201~\x1b[A".encode()
        found = parsed(*(sent[at : at + size] for at in range(0, len(sent), size)))
        words = [one.text if isinstance(one, events.Paste) else one.key for one in found]  # type: ignore[attr-defined]
        assert words == ["x", pasted.replace("\x1b", ESC_SIGN), "y", "z", "up"]
