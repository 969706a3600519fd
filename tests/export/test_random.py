"""Campaigns of random play in every format. The usual run makes a few; `--exports N` makes N and asks other programs.

Those are kdljs, html-validate and playwright-core from npm, in the folder that `--npm` names, Chromium, and ironvaultmd
from PyPI. A test whose program is missing is skipped.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from tests.campaign.playing import open_session
from tests.export import kdl, random_campaigns
from tests.export.schema import check
from tests.export.test_html_page import check_quiet
from tests.export.test_markdown import read, tree

from tracker.campaign.session import Session
from tracker.export import html_page, iron_vault, json_data, markdown
from tracker.export.parts import Document, Mechanics, Passage, Request, SceneStart, SessionStart, date
from tracker.text import shown_line

FEW = 6
HERE = Path(__file__).parent
Expected = list[tuple[str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder with the campaigns, numbered from 0."""
    made = tmp_path_factory.mktemp("random")
    many = request.config.getoption("exports")
    for seed in range(many or FEW):
        random_campaigns.make(made / f"{seed}.toml", seed, 150 if many else 60)
    return made


def each(folder: Path) -> Iterator[tuple[Path, Session]]:
    for path in sorted(folder.glob("*.toml")):
        session = open_session(path, write=False)
        yield path, session
        session.close()


def document(session: Session) -> Document:
    return Document(session, Request(characters=True))


# -- Markdown ---------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """Return a text without what Markdown may change: spaces, and the sign that keeps links from being made."""
    return re.sub(r"[\s\u2060]", "", text)


def expected(made: Document) -> Iterator[tuple[str, str]]:
    """Yield (kind of block, its words) for the whole story."""
    yield "h1", made.name
    yield "p", made.about
    for part in made.parts():
        match part:
            case SessionStart():
                yield "h2", part.title
                if part.when:
                    yield "p", date(part.when)
            case SceneStart():
                yield "h3", part.title
            case Passage():
                for n, lines in enumerate(part.paragraphs):
                    who = f"{part.who}:" if part.who and not n else ""
                    yield "p", who + "".join(piece.text for line in lines for piece in line)
            case Mechanics():
                told = [*filter(None, (part.who, part.name))], part.in_words, [", ".join(part.changes)]
                yield "blockquote", "".join(word for words in told for word in words)


def in_quotes(blocks: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return blocks with adjacent block quotes as one."""
    found: list[tuple[str, str]] = []
    for kind, text in blocks:
        if kind == "blockquote" and found and found[-1][0] == kind:
            found[-1] = (kind, found[-1][1] + text)
        else:
            found.append((kind, text))
    return found


def words(text: str) -> str:
    return re.sub(r"[·:]", "", plain(text))


def test_markdown_of_random_campaigns_parses_into_the_expected_tree(folder: Path) -> None:
    for _, session in each(folder):
        made = document(session)
        found = [(node.tag, words(read(node))) for node in tree("".join(markdown.write(made))).children]
        wanted = in_quotes((kind, words(text)) for kind, text in expected(made))
        assert found[: len(wanted)] == wanted
        kinds = {node.type for node in tree("".join(markdown.write(made))).walk()}
        assert not kinds & {"html_block", "html_inline", "link", "image", "fence", "code_block", "code_inline", "hr"}


# -- HTML -------------------------------------------------------------------------------------------------


def test_pages_of_random_campaigns_are_valid_and_quiet(folder: Path) -> None:
    for _, session in each(folder):
        check_quiet("".join(html_page.write(document(session))))


# -- JSON -------------------------------------------------------------------------------------------------


def test_json_of_random_campaigns_fits_the_schema(folder: Path) -> None:
    for _, session in each(folder):
        text = "".join(json_data.write(document(session)))
        assert all(line.isprintable() for line in text.splitlines())
        made = json.loads(text)
        check(made)
        items = {entry["id"] for entry in made["entries"]}
        assert len(items) == len(made["entries"])
        assert made["campaign"]["session"] == session.state["session"]
        assert [one["id"] for one in made["characters"]] == [one.id for one in session.game.members(session.state)]


# -- Iron Vault -------------------------------------------------------------------------------------------


def vault(session: Session) -> dict[str, str]:
    """Return the files of a vault by path."""
    return {path: "".join(pieces) for path, pieces in iron_vault.files(document(session))}


def journal(files: dict[str, str]) -> str:
    return "\n".join(text for path, text in files.items() if path.startswith("Journal/"))


def ours(session: Session) -> list[str]:
    """Return the outcomes of the moves that an export shows with dice."""
    known = session.game.vault
    found = []
    for part in document(session).parts():
        facts = part.line.entry.get("facts", {}) if isinstance(part, Mechanics) else {}
        if isinstance(part, Mechanics) and known and known.move(part.line.entry["did"]) and "outcome" in facts:
            rolled = {node.name for node in known.rolls(facts)} & {"roll", "progress-roll"}
            found += [facts["outcome"]] if rolled else []
    return found


def test_vaults_of_random_campaigns_have_mechanics_with_our_outcomes(folder: Path) -> None:
    compared: Counter[str] = Counter()
    for _, session in each(folder):
        nodes = [node for text in map(kdl.parse, kdl.blocks(journal(vault(session)))) for node in text]
        assert list(kdl.outcomes(nodes)) == ours(session)
        compared[session.game.id] += len(ours(session))
    assert [game for game, many in compared.items() if many] == ["ironsworn"]
    print(f"outcomes: {compared.total()} compared")


LINK = re.compile(r"(?<!\\)\[\[([^\[\]|]*)\|[^\[\]|]*\]\]")
SAFE_NAME = re.compile(r"[^\\:*?\"<>|#^\[\]{}\x00-\x1f]+")


def test_vaults_of_random_campaigns_have_safe_names_and_live_links(folder: Path) -> None:
    for _, session in each(folder):
        files = vault(session)
        assert len({path.casefold() for path in files}) == len(files)
        paths = {path.removesuffix(".md") for path in files}
        for path, text in files.items():
            assert SAFE_NAME.fullmatch(path)
            assert not any(part.startswith((".", "-", " ")) or part.endswith((".", " ")) for part in path.split("/"))
            assert len(path.split("/")) <= 2
            assert {one for one in LINK.findall(text) if "/" in one} <= paths


def test_vaults_of_random_campaigns_have_front_matter_that_only_they_wrote(folder: Path) -> None:
    for _, session in each(folder):
        for path, text in vault(session).items():
            assert text.startswith("---\n")
            top, _, rest = text[4:].partition("\n---\n")
            keys = [line.split(": ")[0] for line in top.splitlines() if not line.startswith((" ", "ironvault:"))]
            assert len(keys) == len(set(keys))
            assert all(re.fullmatch(r"[A-Za-z][\w-]*", key) for key in keys)
            if path.startswith("Journal/"):
                assert keys == ["session", "date"]
                rest = re.sub(r"^```iron-vault-mechanics\n.*?^```$", "", rest, flags=re.DOTALL | re.MULTILINE)
            blocks = SyntaxTreeNode(MarkdownIt("commonmark").parse(rest))
            assert not {node.type for node in blocks.walk()} & {"html_block", "html_inline", "link", "image", "hr"}


# -- other programs ---------------------------------------------------------------------------------------


@pytest.fixture
def npm(request: pytest.FixtureRequest) -> str:
    """The folder with the programs from npm."""
    found = request.config.getoption("npm")
    if not request.config.getoption("exports") or not found:
        pytest.skip("needs --exports and --npm")
    return str(found)


def node(npm: str, script: str, *arguments: str, given: str = "") -> str:
    """Return what a script of this folder prints; it finds its modules in the folder `npm`."""
    command = ["node", str(HERE / script), npm, *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True, timeout=600).stdout


def test_kdljs_reads_the_mechanics_as_we_do(folder: Path, npm: str) -> None:
    blocks = [block for _, session in each(folder) for block in kdl.blocks(journal(vault(session)))]
    read_there = json.loads(node(npm, "read_kdl.mjs", given=json.dumps(blocks)))
    assert len(read_there) == len(blocks) > 0
    for block, found in zip(blocks, read_there, strict=True):
        assert found == [_as_json(one) for one in kdl.parse(block)], block
    print(f"kdljs: {len(blocks)} blocks")


def _as_json(one: kdl.Node) -> dict[str, Any]:
    return {"name": one.name, "values": one.values, "named": one.named, "inside": [_as_json(two) for two in one.inside]}


@pytest.fixture
def pages(folder: Path, npm: str, tmp_path: Path) -> list[Path]:
    made = []
    for path, session in each(folder):
        page = tmp_path / f"{path.stem}.html"
        page.write_text("".join(html_page.write(document(session))), encoding="utf-8")
        made.append(page)
    return made


def test_html_validate_finds_nothing(pages: list[Path], npm: str) -> None:
    program = Path(npm, "node_modules", ".bin", "html-validate")
    config = str(HERE / "htmlvalidate.json")
    found = subprocess.run(
        [program, "--config", config, *map(str, pages)], capture_output=True, text=True, check=False, timeout=600
    )
    assert found.returncode == 0, found.stdout[-3000:]
    print(f"html-validate: {len(pages)} pages")


def test_chromium_shows_the_pages_without_a_message(pages: list[Path], npm: str) -> None:
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("needs chromium")
    messages = json.loads(node(npm, "show_pages.mjs", chromium, given=json.dumps([*map(str, pages)])))
    assert messages == []
    print(f"Chromium: {len(pages)} pages")


def test_ironvaultmd_warns_only_of_negative_momentum(folder: Path, npm: str, caplog: pytest.LogCaptureFixture) -> None:
    markdown_module = pytest.importorskip("markdown")
    extension = pytest.importorskip("ironvaultmd").IronVaultExtension
    with caplog.at_level(logging.WARNING, logger="ironvaultmd"):
        for _, session in each(folder):
            if session.game.vault:
                made = markdown_module.Markdown(extensions=[extension(links=[], frontmatter={})])
                made.convert(journal(vault(session)))
    negative = re.compile(r"Failed to match parameters for Meter: '\"momentum\" from=-?\d+ to=-?\d+'")
    told = [record.getMessage() for record in caplog.records]
    assert [one for one in told if not negative.fullmatch(one) or "=-" not in one] == []
    print(f"ironvaultmd: {len(told)} warnings of negative momentum")


def test_names_of_files_are_harmless() -> None:
    from tests.hostile import HOSTILE

    from tracker.export.file_names import NameBook, plain_name

    book = NameBook()
    taken = [book.take("Characters", text) for _, text in HOSTILE]
    assert len({path.casefold() for path in taken}) == len(HOSTILE)
    for _, text in HOSTILE:
        name = plain_name(text)
        assert SAFE_NAME.fullmatch(name)
        assert name == shown_line(name, 200)
        assert not name.startswith((".", "-", " "))
        assert not name.endswith((".", " "))
        assert len(name.encode()) <= 110
        assert name.upper() != "CON"
