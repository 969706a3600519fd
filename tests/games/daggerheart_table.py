"""A table of Daggerheart to play at in tests: Wren, Boro and Nib against a wolf and rats, and a countdown."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.campaign.playing import Quick, open_session
from tests.games.wherever_table import go

from tracker import games
from tracker.campaign.fold import fold, start
from tracker.campaign.log import Entry
from tracker.campaign.session import Session, new_campaign

GAME = games.get("daggerheart")
WREN: dict[str, Any] = {
    "id": "wren",
    "name": "Wren",
    "class": "Ranger",
    "agility": 2,
    "finesse": 1,
    "instinct": 1,
    "knowledge": -1,
    "evasion": 12,
    "hope": 4,
    "armor_max": 3,
    "armor_base": {"major": 6, "severe": 13},
    "experiences": {"guide": {"name": "Wolf-road guide", "bonus": 2}, "lie": {"name": "Reads a lie", "bonus": 2}},
    "weapons": {"bow": {"name": "Longbow", "trait": "agility", "range": "very far", "damage": "d8+3"}},
}
WOLF: dict[str, Any] = {
    "id": "wolf",
    "name": "Dire wolf",
    "type": "bruiser",
    "difficulty": 14,
    "major": 7,
    "severe": 13,
    "attack": 1,
    "damage": "1d6+4",
    "experiences": {"ambush": {"name": "Ambush", "bonus": 2}},
}
RATS = {"id": "rats", "name": "Rats", "type": "minion", "minion": 3, "count": 5, "damage_each": 2, "hp_max": 1}
PACK = {"id": "pack", "name": "The pack closes in", "kind": "standard", "value": 6, "start": 6}
TABLE: list[dict[str, Any]] = [
    {"at": "party", "add": WREN},
    {"at": "party", "add": {"id": "boro", "name": "Boro", "hp_max": 7, "strength": 2}},
    {"at": "party", "add": {"id": "nib", "name": "Nib"}},
    {"at": "adversaries", "add": WOLF},
    {"at": "adversaries", "add": RATS},
    {"at": "countdowns", "add": PACK},
    {"at": "fear", "to": 3},
]
STATE = fold(GAME.top, start(GAME.top), TABLE)


@contextmanager
def campaign(folder: Path) -> Iterator[Session]:
    path = folder / "tale.toml"
    new_campaign(str(path), GAME, Quick())
    table = open_session(path)
    table.do("edit", TABLE)
    try:
        yield table
    finally:
        table.close()


def play(table: Session, move: str, who: str = "wren", /, **answers: Any) -> Entry:
    """Play the procedure from beginning to end."""
    run = go(table, table.begin(move, "" if GAME.moves[move].solo else who), **answers)
    assert run.prompt is None, f"{move} asks for {run.prompt}"
    return table.finish(run)
