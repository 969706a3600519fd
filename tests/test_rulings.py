"""Code and tests cite rulings by number; docs/rules explains each of them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "rules"
_CITED = re.compile(r"\brulings? ((?:[IWD]\d+(?:, | and )?)+)")
_NUMBER = re.compile(r"[IWD]\d+")
_LISTED = re.compile(r"^\| ([IWD]\d+) \|", re.MULTILINE)


def _cited() -> dict[str, list[str]]:
    """Return each cited number with the files that cite it."""
    found: dict[str, list[str]] = {}
    for folder in ("src", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".toml"} and path != Path(__file__):
                for several in _CITED.findall(path.read_text(encoding="utf-8")):
                    for number in _NUMBER.findall(several):
                        found.setdefault(number, []).append(str(path.relative_to(ROOT)))
    return found


def _listed(page: str) -> list[str]:
    return _LISTED.findall((RULES / page).read_text(encoding="utf-8"))


def test_every_cited_ruling_is_explained() -> None:
    listed = {number for page in RULES.glob("*.md") for number in _listed(page.name)}
    cited = _cited()
    assert cited, "no ruling is cited: the pattern is wrong, or the test can go"
    assert {number: where for number, where in cited.items() if number not in listed} == {}


def test_each_page_lists_the_numbers_of_its_own_game_once() -> None:
    for page, letter in (("ironsworn.md", "I"), ("wherever-we-go.md", "W"), ("daggerheart.md", "D")):
        numbers = _listed(page)
        assert numbers, page
        assert numbers == sorted(set(numbers), key=lambda number: int(number[1:]))
        assert {number[0] for number in numbers} == {letter}
