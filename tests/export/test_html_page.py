"""Web pages: valid, without outside references, and without life in what players typed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest
from tests.campaign.playing import campaign, play
from tests.make_example import example

from tracker.campaign.session import Session
from tracker.export import html_page
from tracker.export.parts import Document, Request

DICE = {"action": 6, "challenge": [1, 2]}
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "nav", "section", "div", "span", "p", "br"),
    *("h1", "h2", "h3", "h4", "ol", "ul", "li", "dl", "dt", "dd", "a", "b", "em", "time", "label", "input"),
    *("details", "summary", "svg", "rect", "circle", "polygon", "line", "path", "text"),
}


def parsed(page: str) -> Element:
    """Return the tree of a page; the parser raises on any error in it."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    tree: Any = parser.parse(page)
    assert isinstance(tree, Element)
    return tree


def tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def check_quiet(page: str) -> Element:
    """Return the tree of a page after checking that it loads nothing, runs nothing and links only into itself."""
    tree = parsed(page)
    ids = {element.get("id") for element in tree.iter() if element.get("id")}
    for element in tree.iter():
        if not isinstance(element.tag, str):
            raise AssertionError("a comment")
        assert tag(element) in ELEMENTS
        assert not [name for name in element.attrib if name.startswith("on") or name in {"src", "style", "action"}]
        if href := element.get("href"):
            assert href.startswith("#")
            assert href[1:] in ids
    style = "".join(element.text or "" for element in tree.iter() if tag(element) == "style")
    assert not re.search(r"url\(|@import|expression", style)
    return tree


def page_of(session: Session, *, story: bool = False) -> str:
    return "".join(html_page.write(Document(session, Request(story=story, characters=True))))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with campaign(tmp_path) as session:
        yield session


def test_page_tells_an_evening(table: Session) -> None:
    play(table, "story/scene", title="The ford")
    table.write("Rain.\nMore rain.\n\nSnow.", "kara")
    play(table, "adventure/face_danger", using="edge", dice=DICE)
    play(table, "story/session")
    tree = check_quiet(page_of(table))
    headings = [("".join(one.itertext()), tag(one)) for one in tree.iter() if tag(one) in {"h1", "h2", "h3"}]
    assert headings == [
        ("tale", "h1"),
        ("Session 1", "h2"),
        ("The ford", "h3"),
        ("Session 2", "h2"),
        ("Characters", "h2"),
        ("Kara", "h3"),
        ("Tracks", "h2"),
        ("Contents", "h2"),
    ]
    contents = next(one for one in tree.iter() if tag(one) == "nav")
    assert ["".join(link.itertext()) for link in contents.iter("a")] == [
        "Session 1",
        "The ford",
        "Session 2",
        "Characters",
        "Tracks",
    ]
    dice = [one.get("aria-label") for one in tree.iter() if tag(one) == "svg" and "die" in one.get("class", "")]
    assert dice == ["d6: 6, action", "d10: 1, beaten", "d10: 2, beaten"] * 2
    joins, roll = tree.iter("details")
    assert "".join(joins[0].itertext()) == "Kara joins"
    assert "edge 2" in "".join(joins[1].itertext())
    assert roll.get("class") == "move good"
    assert "strong hit" in "".join(roll.itertext())


def test_page_of_the_story_alone_has_no_mechanics(table: Session) -> None:
    table.write("Rain.", "kara")
    play(table, "adventure/face_danger", using="edge", dice=DICE)
    tree = check_quiet(page_of(table, story=True))
    assert not list(tree.iter("details"))
    assert not list(tree.iter("input"))
    assert "Rain." in "".join(tree.itertext())


def test_page_links_mentions_to_world_notes(table: Session) -> None:
    play(table, "notes/make", name="Old Ferrin", kind="person", text="Keeps @old_ferrin's mill <b>.")
    table.write("We met @old_ferrin, and @nobody.", "kara")
    tree = check_quiet(page_of(table))
    (link,) = (one for one in tree.iter("a") if (one.get("href") or "").startswith("#note-"))
    assert link.text == "old ferrin"


def test_sheet_counts_marks_and_draws_only_the_steps_of_a_countdown_that_are_gone() -> None:
    session = Session.open(str(example("daggerheart")), write=False)
    tree = check_quiet("".join(html_page.write(Document(session, Request(characters=True)))))
    session.close()
    rows = [
        ("".join(name.itertext()), "".join(value.itertext()))
        for fields in tree.iter("dl")
        for name, value in zip(fields.findall("dt"), fields.findall("dd"), strict=True)
    ]
    assert ("HP", "2 of 6 marked") in rows
    assert ("HP", "0 of 7 marked") in rows
    assert ("damage thresholds", "minor 1, 7+ major 2, 14+ severe 3") in rows
    assert all(label for label, _ in rows)
    attacks = [
        "".join(one.itertext()) for one in tree.iter("summary") if "Adversary attacks" in "".join(one.itertext())
    ]
    assert [one.partition("hit")[2][:23] for one in attacks] == [" · Snow wolves vs Boro:", " · The gray one vs Wren"]
    countdowns = {
        "".join(item.itertext()): len([one for one in item.iter() if tag(one) == "path" and one.get("class") == "on"])
        for item in tree.iter("li")
        if item.get("class") == "track"
    }
    assert countdowns == {
        "The pack closes in standard countdown, 3 of 6 left": 3,
        "The storm breaks long-term countdown, 4 of 4 left": 0,
    }
