"""The list of campaigns by keys: open, find, rename, copy, archive, bring back, recover, and what stands against it."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn
from tests.games import daggerheart_table

from tracker.app.screens.campaigns.preview import summarize
from tracker.app.widgets.options import OptionPicker
from tracker.campaign.library import all_as_they_stand
from tracker.campaign.session import Session
from tracker.saves.saves_folder import campaigns

OWED = {"at": "kara.owed.pay_the_price", "by": 1}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Three campaigns: the vale, played last; the fens; the coast."""
    campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR), OWED, {"at": "scene", "to": "the drowned mill"})
    campaign(tmp_path, *in_party({**KARA, "id": "ana", "name": "Ana Quills"}), name="fens")
    campaign(tmp_path, name="coast")
    for n, name in enumerate(("coast", "fens", "vale")):
        moment = datetime(2020, 3, 4 + n).timestamp()
        os.utime(tmp_path / f"{name}.toml", (moment, moment))
    return tmp_path


def names(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.toml")}


def test_preview_tells_where_you_left_off(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.sees("due  Kara: Pay the Price")
        for words in ("the drowned mill", "health ● ● ● ● ● 5", "momentum +2", "Tayla"):
            assert words in player.text
        await player.press("down")
        await player.sees("Ana Quills  health")  # as long as its column
        await player.press("down")
        await player.sees("No entries yet.")

    play(shelf, act)


def test_list_says_when_a_campaign_was_played_as_the_journal_does(shelf: Path) -> None:
    moment = datetime.now().replace(hour=0, minute=5).timestamp()
    os.utime(shelf / "vale.toml", (moment, moment))

    async def act(player: Player) -> None:
        assert "12:05 a.m." in player.text
        assert "Mar 5, 2020" in player.text

    play(shelf, act)


def test_preview_list_shrinks_late_fills_the_rows_that_it_leaves(shelf: Path) -> None:
    """A preview that is read before the list is laid out has the height of the old layout."""
    for n in range(9):
        campaign(shelf, name=f"old {n}")
        os.utime(shelf / f"old {n}.toml", (0, 0))

    async def act(player: Player) -> None:
        await player.sees("due  Kara: Pay the Price")
        await player.settle()
        assert "the drowned mill\n   new scene:" in player.text
        picker = player.app.screen.query_one(OptionPicker)
        picker.show(picker.data[:4])
        await player.sees("the drowned mill\n\n   new scene:")

    play(shelf, act, size=(80, 24))


@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
def test_long_name_is_whole_while_its_row_has_room(tmp_path: Path, size: tuple[int, int]) -> None:
    name = "The drowned mill at Harrow's Ford"
    campaign(tmp_path, *in_party(KARA, TAYLA), name=name)

    async def act(player: Player) -> None:
        row = next(line for line in player.text.splitlines() if "1 The drowned" in line)
        assert name in row
        assert "…" not in row
        assert "last played" in player.text

    play(tmp_path, act, size=size)


def test_first_start_in_the_smallest_window_shows_the_keys(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        last = player.text.splitlines()[-1]
        assert "n New" in last
        assert "3 Daggerheart compatible" in player.text

    play(tmp_path, act, size=(60, 18))


def test_enter_resumes_the_last_campaign_and_q_returns(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("enter")
        assert player.session.save.name == "vale.toml"
        await player.press("q")
        assert player.screen == "CampaignsScreen"
        await player.press("2")
        assert player.session.save.name == "fens.toml"

    play(shelf, act)


def test_find_matches_parts_of_campaign_and_character_names(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("/", *"ana")
        assert "fens" in player.text
        assert "coast" not in player.text
        await player.press(*"xx")
        assert "No match." in player.text
        await player.press("backspace", "backspace", "backspace", "backspace", "backspace")
        assert "coast" in player.text
        await player.type("coa")
        await player.press("escape")
        assert "vale" in player.text
        await player.press("/", *"nen", "escape", "/", *"fen", "enter")
        assert player.session.save.name == "fens.toml"

    play(shelf, act)


def test_f2_renames_a_campaign(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("down", "f2")
        assert "Rename: fens" in player.text
        await player.press("ctrl+u")
        await player.type("coast")
        await player.press("enter")
        assert "“coast” already exists." in player.text
        await player.press("ctrl+u")
        await player.type("The Black Fens")
        await player.press("enter")
        assert "►2 The Black Fens" in player.text

    play(shelf, act)
    assert names(shelf) == {"vale", "The Black Fens", "coast"}


def test_c_copies_a_campaign(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("c", "enter")
        assert "►1 vale copy" in player.text or "►2 vale copy" in player.text

    play(shelf, act)
    assert (shelf / "vale copy.toml").read_bytes() == (shelf / "vale.toml").read_bytes()


def test_copy_needs_its_own_name(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("c", "backspace", *"vale", "enter")
        assert "“vale” already exists." in player.text

    play(shelf, act)


@pytest.mark.parametrize("key", ["a", "delete"])
def test_archived_campaign_can_be_brought_back(shelf: Path, key: str) -> None:
    async def act(player: Player) -> None:
        await player.press(key)
        assert "Archived “vale”" in player.text
        assert names(shelf) == {"fens", "coast"}
        await player.press("v")
        assert "1 campaign in" in player.text
        assert "►1 vale" in player.text
        await player.press("b")
        assert "Brought back “vale”" in player.text
        assert "The archive is empty." in player.text
        await player.press("escape", "v", "v")
        assert re.search(r"[1-3] vale ", player.text)

    play(shelf, act)
    assert names(shelf) == {"vale", "fens", "coast"}


def test_keys_of_a_search_move_no_campaign(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("/", "v", "a", "delete", "f2")
        assert player.screen == "CampaignsScreen"
        assert "/ va" in player.text
        assert names(shelf) == {"vale", "fens", "coast"}

    play(shelf, act)


def test_found_archived_campaign_is_told_to_be_back(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("a", "v", "/", "v", "enter")
        await player.settle()
        assert "Brought back “vale”" in player.text

    play(shelf, act)


def test_campaign_open_elsewhere_stays_and_says_so(shelf: Path) -> None:
    elsewhere = Session.open(str(shelf / "vale.toml"))
    try:

        async def act(player: Player) -> None:
            await player.sees("Open in another tracker")
            await player.press("a")
            assert "“vale” wasn't moved: another tracker has it open" in player.text
            await player.press("f2", *"x", "enter")
            assert "another tracker has it open" in player.text
            await player.press("enter")
            assert player.session.readonly.startswith("another tracker has it open")

        play(shelf, act, size=(120, 40))
    finally:
        elsewhere.close()
    assert names(shelf) == {"vale", "fens", "coast"}


@pytest.mark.parametrize("where", ["head", "middle"])
def test_damaged_campaign_is_recovered_and_opened(shelf: Path, where: str) -> None:
    save = shelf / "vale.toml"
    session = Session.open(str(save))
    session.write("One.", "kara")
    session.write("Two.", "kara")
    session.close()
    text = save.read_bytes()
    damaged = text.replace(b"entries =", b"entries") if where == "head" else text.replace(b'"One."', b'"One.')
    save.write_bytes(damaged)

    async def act(player: Player) -> None:
        await player.sees("damaged: R recovers it")
        await player.press("R")
        await player.until(lambda: player.screen == "TableScreen")
        assert player.session.save.name == "vale-recovered.toml"
        assert "Recovered " in player.notice
        assert player.kara["name"] == "Kara"

    play(shelf, act)
    assert save.read_bytes() == damaged


def test_recover_does_nothing_to_an_intact_campaign(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("R")
        assert player.screen == "CampaignsScreen"

    play(shelf, act)
    assert names(shelf) == {"vale", "fens", "coast"}


def test_vanished_campaign_is_told(shelf: Path) -> None:
    async def act(player: Player) -> None:
        (shelf / "vale.toml").unlink()
        await player.press("a")
        assert "“vale” is gone." in player.text
        assert "►1 fens" in player.text

    play(shelf, act)


def test_vanished_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "saves"
    folder.mkdir()
    campaign(folder)

    async def act(player: Player) -> None:
        for path in (*folder.rglob("*"), folder):
            path.unlink() if path.is_file() else path.rmdir()
        await player.press("v", "v")
        await player.until(lambda: "No such file" in player.text)
        await player.press("e", "enter")
        await player.until(lambda: "Can't copy the example" in player.text)

    play(folder, act, size=(120, 40))


def test_cursor_returns_to_the_campaign_that_was_left(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("n", "1", *"Fresh", "enter", "escape")
        assert player.session.save.name == "Fresh.toml"
        await player.press("q")
        assert "►1 Fresh" in player.text
        await player.press("3", "q")
        assert "►3 fens" in player.text or "►2 fens" in player.text

    play(shelf, act)


def test_footer_names_the_actions_on_a_campaign(shelf: Path) -> None:
    async def act(player: Player) -> None:
        for words in ("F2 Rename", "c Copy", "a Archive", "^q Quit", "? Keys"):
            assert words in player.text.splitlines()[-1]

    play(shelf, act, size=(80, 24))


def test_unsubmitted_name_is_proposed_again(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("n", "1", *"Fen", "escape")
        assert player.screen == "CampaignsScreen"
        await player.press("n", "1")
        assert "Fen" in player.text

    play(shelf, act)


def test_filtered_list_is_complete_after_playing(shelf: Path) -> None:
    async def act(player: Player) -> None:
        before = player.app.screen.query_one(OptionPicker).data
        await player.press("/", *"vale", "enter")
        assert player.screen == "TableScreen"
        await player.press("q")
        assert len(player.app.screen.query_one(OptionPicker).data) == len(before)

    play(shelf, act)


def test_preview_shows_each_characters_own_numbers(tmp_path: Path) -> None:
    with daggerheart_table.campaign(tmp_path) as table:
        table.settle()
    [listed] = all_as_they_stand(campaigns(str(tmp_path)))
    lines = [line.plain for line in summarize(listed, 120).bottom]
    assert [line.split()[0] for line in lines] == ["Wren", "Boro", "Nib"]
    assert all("marked" in line and "HP" in line and "Fear" not in line for line in lines)
