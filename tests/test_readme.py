"""The README and the pages in docs/ describe what the program does."""

import asyncio
import re
import shlex
from pathlib import Path

import pytest
from tests.app.helpers import bindings, playing

from tracker import COMMANDS, arguments
from tracker.app.app import TrackerApp
from tracker.app.screens.campaigns.screen import CampaignsScreen
from tracker.app.screens.dialog.screen import Dialog
from tracker.app.screens.journal import JournalScreen
from tracker.app.screens.oracle import OracleScreen
from tracker.app.screens.statistics import StatisticsScreen
from tracker.app.screens.table.screen import TableScreen
from tracker.arguments import parse
from tracker.campaign.session import Session, new_campaign
from tracker.content.toml_reader import read
from tracker.dice import RandomDice
from tracker.games import GAMES, GameInfo, get
from tracker.games.daggerheart.equipment import PIECES
from tracker.plain.console import Console
from tracker.plain.repl import Repl

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
KEYS = (ROOT / "docs" / "keys.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
FOR_DEVELOPERS = {"CONTRIBUTING", "architecture", "save-format", "files", "adding-a-game", "glossary"}
FOR_PLAYERS = [page for page in PAGES if page.stem not in FOR_DEVELOPERS]

SPELLED = {
    "plus": "+",
    "minus": "-",
    "asterisk": "*",
    "space": "Space",
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "delete": "Del",
    "enter": "Enter",
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    **dict.fromkeys(("left", "right", "up", "down"), "arrows"),
}
TABLES = {
    "On the table": bindings(TableScreen, TrackerApp),
    "On the list of campaigns": bindings(CampaignsScreen),
    "In a dialog": bindings(Dialog),
    "In the full journal": bindings(JournalScreen),
    "In the oracle": bindings(OracleScreen),
    "In the statistics": bindings(StatisticsScreen),
}
"""Screens that have a table of keys in docs/keys.md."""
UNBOUND = {"Tab", "Enter"}
CURSOR = {"arrows", *map(str, range(1, 10))}
"""Keys that move and pick in every list without a binding of the screen."""


def spelled(key: str) -> str:
    if re.fullmatch(r"f\d+", key):
        return key.upper()
    return SPELLED.get(key, re.sub(r"^ctrl\+(.)", lambda m: f"Ctrl+{m[1].upper()}", key))


def rows(text: str) -> list[str]:
    """Return the first cells of the first table in a text."""
    table = re.search(r"^\|.*\n\|---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table
    return [line.split("|")[1] for line in table[1].splitlines()]


def documented_keys(where: str) -> set[str]:
    cells = rows(KEYS.split(f"## {where}\n")[1])
    named = {
        key for cell in cells for key in re.findall(r"`([^`]+)`|(arrows)|(Tab)|(Enter)", cell) for key in key if key
    }
    return named | {str(n) for n in range(1, 10)} if "9" in named else named


@pytest.mark.parametrize("where", TABLES)
def test_key_of_a_screen_is_documented(where: str) -> None:
    for binding in TABLES[where]:
        if binding.id != "quit.too":
            assert spelled(binding.key.split(",")[0]) in documented_keys(where), binding


@pytest.mark.parametrize("where", TABLES)
def test_documented_key_does_something(where: str) -> None:
    bound = {spelled(key) for binding in TABLES[where] for key in binding.key.split(",")}
    more = UNBOUND if where == "On the table" else UNBOUND | CURSOR
    assert documented_keys(where) - bound <= more


def first_vow() -> list[str]:
    """Return what the README says to press and type, in order: keys, and texts in asterisks."""
    return re.findall(r"`[^`]+`|\*[^*]+\*", " ".join(rows(README.split("## Five minutes to your first vow")[1])))


@pytest.mark.parametrize("seed", range(4))
def test_first_vow_of_the_readme_is_sworn(tmp_path: Path, seed: int) -> None:
    async def evening() -> None:
        async with playing(tmp_path, seed=seed) as player:
            for step in first_vow():
                if step.startswith("*"):
                    await player.type(step.strip("*"))
                else:
                    await player.press(step.strip("`").lower())
            assert player.screen == "TableScreen"
            vows = [track["name"] for track in player.session.state["tracks"].values() if track["kind"] == "vow"]
            assert vows == ["Find the lost heir"]
            await player.until(lambda: "saved" in player.text)

    asyncio.run(evening())


def test_first_vow_is_within_the_first_screenful() -> None:
    assert README[: README.index("## The games")].count("\n") <= 40


def test_test_command_of_the_readme_is_what_ci_runs() -> None:
    command = README.split("```sh\n")[-1].split("\n```")[0]
    assert command.endswith("pytest")
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert command in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_reserved_names_are_those_of_the_commands() -> None:
    assert list(COMMANDS) == list(arguments.COMMANDS)


def test_every_command_is_documented() -> None:
    for command in set(COMMANDS) - {"play"}:
        assert f"`tracker {command}" in COMMAND_LINE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_documented_command_is_accepted(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"`tracker ([^`]*)`|^ {4}tracker ([^#\n]*)", text, re.MULTILINE):
        words = shlex.split("".join(line).replace("[", "").replace("]", ""))
        if len(words) > 1 and "--help" not in words:  # a single word is the command's name, not a command to run
            parse(words)


def test_every_word_of_plain_mode_is_documented(tmp_path: Path) -> None:
    path = tmp_path / "vale.toml"
    new_campaign(str(path), GAMES["daggerheart"].load())
    session = Session.open(str(path))
    try:
        known = set(Repl(Console(), session, RandomDice(0), "rolled").words)
    finally:
        session.close()
    page = (ROOT / "docs" / "plain-mode.md").read_text(encoding="utf-8")
    written = {word for cell in rows(page) for word in re.findall(r"`(\w+)", cell)}
    assert known - {"owed"} <= written  # the old word for due


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_link_leads_to_a_page_and_its_heading(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, heading in re.findall(r"\]\((?![a-z]+:)([^)#]*)#?([^)]*)\)", text):
        other = (page.parent / target) if target else page
        assert other.exists(), target
        if heading:
            found = re.findall(r"^#+ (.*)$", other.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in found}, heading


@pytest.mark.parametrize("page", FOR_PLAYERS, ids=lambda page: page.name)
def test_page_for_players_has_no_word_they_would_not_say(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(
        r"(?i)\b(?:nobody|somebody|everybody|whoever|once more|or nothing|and nothing else|speak as|struck|typed in from"
        r"|colours?|honour|armour|licence|cancelled)\b",
        prose,
    )
    assert not found


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        if page.name != "README.md":
            assert f"]({page.relative_to(ROOT / 'docs').as_posix()})" in index


def test_content_of_the_page_loads() -> None:
    page = (ROOT / "docs" / "content.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in page.split("```toml\n")[1:]]
    *assets, gear = blocks  # the blocks about assets are one file, told in parts
    ironsworn, daggerheart = (
        read([("mine.toml", text.encode())], game, get(game).helped)
        for text, game in (("".join(assets), "ironsworn"), (gear, "daggerheart"))
    )
    assert (ironsworn.problems, daggerheart.problems) == ((), ())
    assert (set(ironsworn.oracles), set(ironsworn.assets)) == ({"tavern"}, {"fen_walker"})
    assert {kind: list(found) for kind, found in daggerheart.pieces.items()} == {
        "weapon": ["bone_bow"],
        "armor": ["hide"],
        "adversary": ["ash_wolf"],
        "encounter": ["ash_pack"],
    }


def test_every_field_of_a_piece_is_documented() -> None:
    page = (ROOT / "docs" / "content.md").read_text(encoding="utf-8")
    for name, kind in PIECES.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| {name} |"))
        assert set(re.findall(r"`(\w+)`", row)) == set(kind.record.fields)
        assert set(re.findall(r"`(\w+)`", row.split("optional")[0])) == set(kind.needs)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_credits_of_a_game_are_in_the_readme(game: GameInfo) -> None:
    assert game.credits in " ".join(README.split("## Credits")[1].split())
