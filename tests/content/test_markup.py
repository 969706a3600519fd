"""Datasworn's Markdown as lines and links."""

import pytest
from tests.content.small_packs import data, fen

from tracker.content.datasworn import read as read_pack
from tracker.content.markup import Link, plain, read


class TestText:
    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("", ()),
            ("Plain.", ("Plain.",)),
            ("__Bold__ and **bold**, *thin* and _thin_.", ("Bold and bold, thin and thin.",)),
            ("snake_case_word and 2 * 3 * 4", ("snake_case_word and 2 * 3 * 4",)),
            ("One.\n\n\nTwo.\n", ("One.", "", "Two.")),
            ("  * one\n    * deeper\n  - two", ("• one", "  • deeper", "• two")),
            ("# Title\ntext", ("Title", "text")),
            ("| a | b |\n|---|:-:|\n| long | __c__ |", ("a      b", "long   c")),
            ("[Wade](datasworn:move:fen/marsh/wade) now", ("Wade now",)),
            ("[site](https://fen.example)", ("site (https://fen.example)",)),
            ("[bog](datasworn:oracle_collection:fen/bog)", ("bog",)),
            ("a [b] c", ("a [b] c",)),
        ],
    )
    def test_markup_becomes_lines(self, text: str, lines: tuple[str, ...]) -> None:
        assert read(text).lines == lines
        assert read(text).unknown == ()

    @pytest.mark.parametrize("text", ["[__Wade__](datasworn:move:fen/marsh/wade)", "[Wade](id:fen/moves/marsh/wade)"])
    def test_link_names_its_target_in_every_generation(self, text: str) -> None:
        assert read(text).links == (Link("Wade", "text", "fen/marsh/wade"),)

    def test_link_that_comes_twice_is_given_once(self) -> None:
        assert len(read("[a](datasworn:move:fen/a/b), [a](datasworn:move:fen/a/b)").links) == 1

    @pytest.mark.parametrize("text", ["{{table>move.oracle_rollable:fen/marsh/wade.sinking}}"])
    def test_macro_is_called_as_its_table(self, text: str) -> None:
        content = read_pack(data(fen())).content._replace(texts={})
        assert plain(text) == "(table: Sinking)"
        assert read(text, content).links == (Link("Sinking", "oracle", "fen/marsh/wade/sinking"),)

    def test_macro_of_the_oldest_generation_is_known(self) -> None:
        assert read("{{table:fen/oracles/moves/sinking}}").links == (Link("Sinking", "oracle", "fen/moves/sinking"),)
        assert plain("{{text:fen/oracles/bog/omen}} of {{text>oracle_rollable:fen/bog/depth}}") == "[Omen] of [Depth]"

    @pytest.mark.parametrize(
        "text",
        [
            "{{dance>move:fen/a/b}}",
            "{{table}}",
            "{{}}",
            "{{table>move.oracle_rollable/fen/a.b}}",
            "{{table>move:../../x}}",
        ],
    )
    def test_unknown_macro_is_shown_as_written_and_told(self, text: str) -> None:
        assert read(f"See {text}.").lines == (f"See {text}.",)
        assert read(f"See {text}.").unknown == (text,)

    def test_link_to_nothing_keeps_its_words_and_is_told(self) -> None:
        assert read("[x](classic/nothing)") == (("x",), (), ("[x](classic/nothing)",))

    def test_control_signs_inside_never_mix_up_macros(self) -> None:
        assert plain("\0 {{text>oracle_rollable:fen/bog/depth}} \0") == " [Depth] "

    @pytest.mark.parametrize("piece", ["*a ", "[x](", "{{a", "_ a_", "|", "\n* ", "__a", "[a]", "**"])
    def test_pathological_text_ends(self, piece: str) -> None:
        assert read(piece * (20_000 // len(piece))).links == ()
