"""Games are named only in their own folder and in the registry."""

import re
from pathlib import Path

import pytest

import tracker
from tracker import games

SOURCE = Path(tracker.__path__[0])
APART = sorted(set(games.GAMES) - {"ironsworn"})


@pytest.mark.parametrize("game", APART)
def test_game_is_named_nowhere_else(game: str) -> None:
    named = re.compile(rf"[\"'./]{game}\b|{games.GAMES[game].name}")
    own = {SOURCE / "games" / game, SOURCE / "content" / game}
    found = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in sorted((*SOURCE.rglob("*.py"), *SOURCE.rglob("*.tcss")))
        if path != SOURCE / "games" / "__init__.py" and not own & set(path.parents)
        for line in path.read_text(encoding="utf-8").splitlines()
        if named.search(line)
    ]
    assert not found


@pytest.mark.parametrize("game", APART)
def test_game_knows_no_other_game(game: str) -> None:
    others = "|".join(set(games.GAMES) - {game})
    for path in (SOURCE / "games" / game).rglob("*.py"):
        assert not re.search(rf"games\.({others})\b", path.read_text(encoding="utf-8")), path
