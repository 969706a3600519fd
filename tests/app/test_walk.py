"""Every screen and every kind of prompt has a golden, is driven by keys, and is left with Esc and by quitting."""

from __future__ import annotations

import pkgutil
import shutil
from importlib import import_module
from pathlib import Path

import pytest
from tests.app.helpers import Player, play
from tests.app.test_goldens import EXAMPLE, GOLDENS
from tests.app.test_leaving import FullDisk
from tests.app.test_prompts import ANSWERS
from textual.screen import Screen

from tracker import app as package
from tracker.games.api.prompts import Prompt

FRAMES = {"Modal", "MinSizeScreen", "Overlay"}
"""What screens are made from; none of them stands on top itself."""


def screens() -> set[str]:
    found = {
        thing
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        for thing in vars(import_module(module.name)).values()
        if isinstance(thing, type) and issubclass(thing, Screen) and thing.__module__ == module.name
    }
    frames = {one.__name__ for one in found if any(one in other.__mro__[1:] for other in found)}
    assert frames >= FRAMES
    return {one.__name__ for one in found} - FRAMES


WALK: dict[str, tuple[str, tuple[str, ...]]] = {
    "TableScreen": ("table", ()),
    "ListScreen": ("picker", ("m",)),
    "Dialog": ("stat", ("m", "1")),
    "OracleScreen": ("oracle", ("o",)),
    "JournalScreen": ("journal", ("J",)),
    "FindScreen": ("find", ("/",)),
    "BelongingsScreen": ("belongings", ("b",)),
    "PartyScreen": ("party", ("p",)),
    "StatisticsScreen": ("statistics-1", ("S",)),
    "PaletteScreen": ("palette", ("ctrl+p",)),
    "CommandScreen": ("command", (":",)),
    "KeysScreen": ("keys", ("?",)),
    "NoticeScreen": ("about", ("f1",)),
    "UnsavedScreen": ("leaving", ("ctrl+q",)),
    "CampaignsScreen": ("campaigns", ("q",)),
    "NameDialog": ("rename", ("q", "f2")),
    "BackupsScreen": ("backups", ("q", "B")),
}
"""Each screen, a golden that shows it, and the keys that lead there from the table where nothing can be saved."""

ELSEWHERE = {
    "GmScreen": "daggerheart-gm-side",
    "ProgressScreen": "opening",
    "NotesScreen": "notes",
    "NoteScreen": "note",
    "ReaderScreen": "reader-move",
    "NewPacksScreen": "new-packs",
    "RecapScreen": "recap",
    "ExportScreen": "export",
    "PeopleScreen": "people",
    "CodeScreen": "code",
    "LeaveGuestsScreen": "leave-guests",
}
"""What only another game has, only a long log brings up, or only a note, a pack or company, each with its golden.

test_both_sides, test_opening, test_notes, test_packs, test_packs_in_play, test_statistics, test_export and test_people
play them by keys.
"""


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    return Path(shutil.copy(EXAMPLE, tmp_path / "The Drowned Mill.toml"))


def test_every_screen_is_walked_to_and_has_a_golden() -> None:
    goldens = {name: golden for name, (golden, _) in WALK.items()} | ELSEWHERE
    assert set(goldens) == screens()
    bare = [name for name, golden in goldens.items() if not (GOLDENS / f"{golden}-80x24.txt").exists()]
    assert bare == []


def test_keys_lead_to_every_screen_and_esc_leads_back(mill: Path) -> None:
    disk = FullDisk()

    async def act(player: Player) -> None:
        for name, (_, keys) in WALK.items():
            disk.full = name == "UnsavedScreen"
            if disk.full:
                await player.press("+")
                await player.sees("NOT SAVED")
            await player.press(*keys)
            assert player.screen == name, player.text
            if name == "UnsavedScreen":
                await player.press("escape")
                disk.full = False
                await player.press("ctrl+s")
                await player.sees("   saved")
            if name not in {"CampaignsScreen", "TableScreen"}:
                await player.press("escape")
                assert player.screen in {"TableScreen", "CampaignsScreen"}, f"{name} does not let go:\n{player.text}"
            if player.screen == "CampaignsScreen":
                await player.press("enter")
                assert player.screen == "TableScreen", player.text

    play(mill, act, disk=disk)


@pytest.mark.part(3)
@pytest.mark.parametrize("name", [name for name in WALK if name != "UnsavedScreen"])
def test_every_screen_can_be_quit(name: str, mill: Path) -> None:
    async def act(player: Player) -> None:
        await player.press(*WALK[name][1])
        await player.press("ctrl+c" if len(name) % 2 else "ctrl+q")
        assert player.app._exit

    play(mill, act)


def test_every_kind_of_prompt_is_answered_by_keys_and_has_a_golden() -> None:
    kinds = {kind.__name__.lower() for kind in Prompt.__subclasses__()}
    assert kinds - set(ANSWERS) == set()
    bare = [kind for kind in kinds if not (GOLDENS / f"prompt-{kind}-80x24.txt").exists()]
    assert bare == []
