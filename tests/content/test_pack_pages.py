"""Pieces of a pack as pages: every piece has one, and every link leads to one."""

import pytest
from tests.content.small_packs import GENERATIONS, data, fen
from tests.hostile import HOSTILE

from tracker.content.datasworn import read
from tracker.content.pack_pages import UNPLAYED, TextPage, page_names, page_of
from tracker.games.api.content import Content, FurtherRoll, Oracle, Source, text_of_move, unplayed
from tracker.games.ironsworn.moves import MOVES


def pack(version: str = "0.2.0", ident: str = "fen") -> Content:
    return read(data(fen(version, ident)), MOVES).content


def page(kind: str, ident: str) -> TextPage:
    found = page_of(pack(), kind, ident)
    assert found is not None
    return found


def words(found: TextPage) -> str:
    return "\n".join(line.lead + line.text for line in found.lines)


@pytest.mark.parametrize("version", GENERATIONS)
def test_every_piece_has_a_page_and_every_link_leads_to_one(version: str) -> None:
    content = pack(version)
    named = [(one.kind, one.id) for one in page_names(content)] + [("oracle", ident) for ident in content.oracles]
    assert {kind for kind, _ in named} == {"text", "asset", "foe", "truth", "page", "oracle"}
    for kind, ident in named:
        made = page_of(content, kind, ident)
        assert made
        assert made.lines
        assert all(page_of(content, link.kind, link.id) for link in made.links)


def test_move_has_text_table_links_and_source() -> None:
    made = page("text", "fen/marsh/wade")
    assert (made.title, made.place) == ("Wade", "Marsh moves")
    assert "When you wade, roll +iron, or Face Danger." in words(made)
    assert "Strong hit\nOn a strong hit, take +1 momentum." in words(made)
    assert "   1-60  Shallow\n 61-100  Deep" in words(made)
    assert [link.label for link in made.links] == ["Face Danger", "Sinking"]
    assert words(made).endswith("The Fen, page 3 · Ada Reed, Bo Marsh · CC BY 4.0")


def test_move_that_cannot_be_played_says_so() -> None:
    assert words(page("text", "fen/marsh/wade")).startswith(UNPLAYED)
    classic = pack(ident="classic")
    played = page_of(classic, "text", "classic/adventure/face_danger")
    assert played
    assert UNPLAYED not in words(played)


def test_text_of_a_move_is_found_by_the_id_of_the_game() -> None:
    text = text_of_move(pack(ident="classic"), "adventure/face_danger")
    assert text
    assert text.id == "classic/adventure/face_danger"
    assert text_of_move(pack(), "adventure/face_danger") is None


def test_moves_to_read_are_those_that_cannot_be_played() -> None:
    assert [text.name for text in unplayed(pack(ident="classic"))] == ["Wade"]


def test_outcome_that_the_text_repeats_is_told_once() -> None:
    content = pack()
    move = content.texts["fen/marsh/wade"]
    whole = move._replace(text=f"{move.text}\n\n{move.strong}")
    made = page_of(content._replace(texts={move.id: whole}), "text", move.id)
    assert made
    assert words(made).count("take +1 momentum") == 1


def test_table_has_faces_columns_and_links() -> None:
    made = page("oracle", "fen/bog/omen")
    assert made.place == "Bog, d100"
    assert "What the bog shows.\n\nSign · Where\n   1-40  A light (Where: far off)" in words(made)
    assert [link.id for link in made.links] == ["fen/bog/depth"]
    assert "    –  You choose" in words(page("oracle", "fen/bog/depth"))


def test_foe_has_its_parts() -> None:
    made = words(page("foe", "fen/beasts/eel"))
    assert made.startswith(
        "formidable Beast\n\nFeatures\n· Long\n· Slick\n\nDrives\nFeed\n\nTactics\nCoil\n\nAbout\nIt waits"
    )
    assert "Quest\nSomeone fed it." in made


def test_option_of_a_truth_leads_to_the_truth() -> None:
    made = page("truth", "fen/water/1")
    assert made.title == "Water"
    assert "  1-50  Rising" in words(made)
    assert "Quest: Why?" in words(made)


def test_asset_page_has_its_abilities_and_moves() -> None:
    made = page("asset", "fen/companion/otter")
    assert "Your otter swims.\n\n■ Swift: Add +1 when you Wade.\n□ It dives." in words(made)
    assert [link.label for link in made.links] == ["Wade", "Dive"]


@pytest.mark.parametrize(("kind", "ident"), [("foe", "fen/beasts/crow"), ("", ""), ("truth", ""), ("x", "y")])
def test_piece_of_no_pack_has_no_page(kind: str, ident: str) -> None:
    assert page_of(pack(), kind, ident) is None


@pytest.mark.parametrize(("kind", "text"), HOSTILE, ids=[kind for kind, _ in HOSTILE])
def test_hostile_texts_make_a_page(kind: str, text: str) -> None:
    rolls = ((FurtherRoll(text),),)
    table = Oracle("a/b", text, text, (text,), columns=("", text), more=((text,),), rolls=rolls, source=Source(text))
    made = page_of(Content({"a/b": table}, {}), "oracle", "a/b")
    assert made, kind
    assert "\n" not in made.title + made.place
