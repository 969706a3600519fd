"""Markdown that a parser reads as the expected tree, whatever players typed."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from tests.campaign.playing import campaign, play
from tests.hostile import HOSTILE
from tests.make_example import example

from tracker.campaign.session import Session
from tracker.export import markdown
from tracker.export.parts import Document, Request
from tracker.text import shown

BLOCKS = {"paragraph", "inline", "text", "hardbreak", "softbreak", "strong", "em", "text_special"}
TRAPS = [
    *HOSTILE,
    ("heading", "# big"),
    ("heading below", "small\n==="),
    ("rule", "---"),
    ("list", "- a\n+ b\n1. c\n2) d"),
    ("quote", "> said"),
    ("code", "`code` and ```\nfence\n```"),
    ("indented code", "    four spaces"),
    ("link", "[here](javascript:alert(1)) <https://example.com> http://example.com www.example.com"),
    ("image", "![x](http://example.com/x.png)"),
    ("tag", "<script>alert(1)</script><img src=x onerror=alert(1)>"),
    ("comment", "<!-- x -->"),
    ("entity", "&lt;b&gt; &#60;b&#62; &copy;"),
    ("table", "a | b\n--- | ---\n1 | 2"),
    ("footnote", "x[^1]\n\n[^1]: y"),
    ("reference", "[a]: http://example.com\n\n[a]"),
    ("mathematics", "$x$ and $$y$$"),
    ("vault", "[[Kara]] ![[Kara]] #tag ^block ==mark== %%comment%%"),
    ("backslash at the end", "end\\"),
]


def tree(text: str) -> SyntaxTreeNode:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return SyntaxTreeNode(parser.parse(text))


def read(node: SyntaxTreeNode) -> str:
    """Return the text that a reader sees."""
    if node.type in {"text", "text_special", "code_inline"}:
        return node.content
    if node.type in {"softbreak", "hardbreak"}:
        return "\n"
    return "".join(map(read, node.children))


@pytest.mark.parametrize("text", [text for _, text in TRAPS], ids=[name for name, _ in TRAPS])
def test_markdown_of_a_trap_is_only_text(tmp_path: Path, text: str) -> None:
    line = " ".join(shown(text).split())
    for made in (markdown.escaped(line), f"## {markdown.escaped(line)}", f"> {markdown.escaped(line)}"):
        found = tree(made)
        kinds = {node.type for node in found.walk()} - {"root", "heading", "blockquote"}
        assert kinds <= BLOCKS - {"strong", "em"}, made
        assert "".join(read(found).split()).replace("\u2060", "") == "".join(line.split()), made


def test_markdown_of_an_evening_is_the_expected_tree(tmp_path: Path) -> None:
    with campaign(tmp_path) as session:
        session.do("edit", [{"at": "party", "add": {"id": "bo", "name": "*Bo*"}}])
        play(session, "story/scene", title="The <ford>")
        session.write("Rain.\nMore *cold* rain, 2 * 3 * 4.\n\nThen # snow.", "kara")
        session.write("Not by Kara.", "bo")
        session.write("By Bo too.", "bo")
        play(session, "adventure/face_danger", using="edge", dice={"action": 6, "challenge": [1, 2]})
        session.write("Bo again.", "bo")
        play(session, "story/session")
        session.write("Later.", "kara")
        made = "".join(markdown.write(Document(session, Request(characters=True))))
    found = [(node.type, node.tag, read(node)) for node in tree(made).children]
    when = found[3][2]
    assert "cold" in [read(node) for node in tree(made).walk() if node.type == "em"]
    assert found[:12] == [
        ("heading", "h1", "tale"),
        ("paragraph", "p", "Ironsworn · Kara and *Bo*"),
        ("heading", "h2", "Session 1"),
        ("paragraph", "p", when),
        ("blockquote", "blockquote", found[4][2]),
        ("heading", "h3", "The <ford>"),
        ("paragraph", "p", "Kara: Rain.\nMore cold rain, 2 * 3 * 4."),
        ("paragraph", "p", "Then # snow."),
        ("paragraph", "p", "*Bo*: Not by Kara."),
        ("paragraph", "p", "By Bo too."),
        ("blockquote", "blockquote", "Kara: Face Danger · strong hit · 8 (+edge) vs 1 and 2\nmomentum 2 → 3"),
        ("paragraph", "p", "*Bo*: Bo again."),
    ]
    assert found[4][2].endswith("*Bo* joins: edge 1, heart 1, iron 1, shadow 1, wits 1"), "one quote for both"
    assert "\n> Kara: Face Danger · **strong hit** · 8 (+edge) vs 1 and 2\\\n> momentum 2 → 3\n" in made
    assert [text for kind, _, text in found if kind == "heading"][3:] == [
        "Session 2",
        "Characters",
        "Kara",
        "*Bo*",
        "Tracks",
    ]


@pytest.mark.parametrize(
    ("game", "dice"),
    [
        ("daggerheart", "Hope 9 + Fear 4 + Agility 2 + Wolf-road guide 2 + 3 from the d6 = 20"),
        ("daggerheart", "Snow wolves vs Boro · d20 14 + 1 = 15"),
        ("wherever", "d10 7 (edge), d10 8 (edge)"),
        ("wherever", "d10 9 (edge), d6 4 against d8 5, d6 2"),
    ],
)
def test_rolls_tell_their_dice(game: str, dice: str) -> None:
    session = Session.open(str(example(game)), write=False)
    moves = [line for line in "".join(markdown.write(Document(session))).split("\n") if line.startswith("> ")]
    session.close()
    assert len([line for line in moves if f" · {dice}" in line.replace("\\", "")]) == 1


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("ironsworn", "- Brak, Ash Hound, health 4 of 4"),
        ("ironsworn", "- **Break the Ashen Crown**: epic vow, 0 of 10 boxes, sworn by Kara"),
        ("wherever", "- Light-footed \\+1"),
        ("daggerheart", "- minor health potion, quantity 1"),
    ],
)
def test_belongings_and_tracks_read_well(game: str, line: str) -> None:
    session = Session.open(str(example(game)), write=False)
    made = "".join(markdown.write(Document(session, Request(characters=True))))
    session.close()
    assert line.replace("\\", "") in made.replace("\\", "").splitlines()


def test_due_move_is_told_only_by_the_move_itself(tmp_path: Path) -> None:
    session = Session.open(str(example("daggerheart")), write=False)
    made = "".join(markdown.write(Document(session)))
    session.close()
    assert "Take damage" in made
    assert "due: " not in made
    assert "Take damage · 6 damage" in made, "without the name that the line begins with"
    assert "**success with Fear** · Strength vs 13 · Hope 7 + Fear 8 + Strength 2 = 17".replace("+", "\\+") in made or (
        "**success with Fear** · Strength vs 13 · Hope 7 + Fear 8 + Strength 2 = 17" in made
    ), "the total is told once"


def test_change_that_names_its_character_names_them_once(tmp_path: Path) -> None:
    with campaign(tmp_path) as session:
        session.do("edit", [{"at": "party", "add": {"id": "bo", "name": "Bo"}}])
        session.do("change", facts={"changed": ["Bo retires"]}, who="bo")
        made = "".join(markdown.write(Document(session)))
    assert "\n> Bo retires\n" in made
