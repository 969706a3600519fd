"""Every trap in every place of a campaign, in all four formats: what was typed is text, and nothing else."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.playing import campaign, open_session
from tests.export import kdl
from tests.export.test_html_page import check_quiet
from tests.export.test_markdown import TRAPS, tree

from tracker import games
from tracker.campaign.session import Session, new_campaign
from tracker.export import html_page, iron_vault, json_data, markdown
from tracker.export.parts import Document, Request
from tracker.text import shown

TEXTS = [text[:250] for _, text in TRAPS if text.strip() and "\udc80" not in text]
LIVE = {"html_block", "html_inline", "link", "image", "fence", "code_block", "code_inline", "hr", "table", "s"}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in which every trap is a passage, a scene, a character, a vow, a clock, a bond and a world note."""
    folder = tmp_path_factory.mktemp("hostile")
    with campaign(folder) as session:
        for n, text in enumerate(TEXTS):
            session.do("edit", [{"at": "party", "add": {"id": f"who{n}", "name": text}}])
            session.write(text, f"who{n}")
            session.do("story/scene", facts={"heading": text}, who="")
            facts = {"question": text, "odds": text, "answer": text, "oracle": 50, "told": text, "changed": [text]}
            session.do("fate/ask_the_oracle", facts=facts, who=f"who{n}")
            rolled = {"action": 3, "challenge": [4, 5], "stat": 1, "adds": 1, "momentum": 2, "outcome": "weak hit"}
            more = {"stat_used": text, "plus": [[text, 1]], "chosen": text}
            session.do("adventure/face_danger", facts=rolled | more, who=f"who{n}", text=text)
            session.do(
                "edit",
                [
                    {"at": "tracks", "add": {"id": f"vow{n}", "name": text, "kind": "vow", "ticks": 3, "about": text}},
                    {"at": "clocks", "add": {"id": f"clock{n}", "name": text, "segments": 4}},
                    {"at": f"who{n}.bonds", "add": {"id": "one", "name": text}},
                    {"at": "notes", "add": {"id": f"note{n}", "name": text, "kind": "person", "text": text}},
                ],
            )
    return folder / "tale.toml"


@pytest.fixture(scope="module")
def plain_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of a game that Iron Vault does not know, with every trap in names, texts and changes."""
    path = tmp_path_factory.mktemp("plain") / "tale.toml"
    new_campaign(str(path), games.get("daggerheart"))
    with contextlib.closing(open_session(path)) as session:
        for n, text in enumerate(TEXTS):
            session.do("edit", [{"at": "party", "add": {"id": f"who{n}", "name": text}}])
            session.write(text, f"who{n}")
            session.do("story/scene", facts={"heading": text}, who="")
            rolled = {"hope": 7, "fear": 8, "trait_value": 2, "plus": 2, "total": 17, "outcome": "success with fear"}
            session.do("action/roll", facts={**rolled, "trait": text, "changed": [text]}, who=f"who{n}", text=text)
            hit = {"d20": [14], "kept": 14, "plus": 1, "total": 15, "targets": [text], "hit_names": [text]}
            session.do("gm/attack", facts={"adversary": text, **hit, "changed": [text]}, who="")
            session.do("gm/take_fear", facts={"changed": [text]}, who="")
            session.do(
                "edit",
                [
                    {"at": "countdowns", "add": {"id": f"clock{n}", "name": text, "start": 4}},
                    {"at": "adversaries", "add": {"id": f"foe{n}", "name": text, "note": text}},
                    {"at": "notes", "add": {"id": f"note{n}", "name": text, "kind": "person", "text": text}},
                ],
            )
    return path


@pytest.fixture(scope="module", params=["path", "plain_path"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    session = open_session(request.getfixturevalue(request.param), write=False)
    yield session
    session.close()


def document(session: Session) -> Document:
    return Document(session, Request(characters=True))


def test_markdown_of_a_hostile_campaign_has_no_live_markup(session: Session) -> None:
    made = "".join(markdown.write(document(session)))
    assert {char for char in made if not char.isprintable()} <= {*"\n\xa0\u200c\u200d\u2060"}
    assert not {node.type for node in tree(made).walk()} & LIVE


def test_page_of_a_hostile_campaign_has_no_live_markup(session: Session) -> None:
    seen = "".join("".join(check_quiet("".join(html_page.write(document(session)))).itertext()).split())
    for text in TEXTS:
        for line in shown(text).splitlines():
            assert "".join(line.replace("*", "").split()) in seen.replace("*", "")


def test_vault_of_a_hostile_campaign_has_no_live_markup(session: Session) -> None:
    link = re.compile(r"(?<!\\)!?\[\[[^\[\]]*\]\]")
    for path, pieces in iron_vault.files(document(session)):
        made = "".join(pieces)
        for block in kdl.blocks(made):
            assert kdl.parse(block)
        rest = re.sub(r"^```iron-vault-[a-z]+\n.*?^```$", "", made, flags=re.DOTALL | re.MULTILINE)
        top, _, rest = rest.removeprefix("---\n").partition("\n---\n")
        assert re.fullmatch(r"(?:\s*[A-Za-z][\w-]*:(?: (?:\"(?:[^\"\\]|\\[\"\\])*\"|\[.*\]|[\w-]+))?\n?)+", top), top
        assert not {node.type for node in tree(link.sub("", rest)).walk()} & LIVE, path
        assert not re.search(r"(?<!\\)(?:%%|==|\$\$|!\[\[|<[a-z!/]|(?<!\S)#\w|\[\^)", link.sub("", rest)), path


def test_json_of_a_hostile_campaign_has_every_text_as_it_was_typed(session: Session) -> None:
    made = "".join(json_data.write(document(session)))
    assert all(line.isprintable() for line in made.split("\n"))
    told = json.loads(made)
    assert [one["text"] for one in told["entries"] if one["did"] == "journal"] == TEXTS
