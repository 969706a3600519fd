"""Who plays, on the page of people, and the code that others join with."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.helpers import KARA, TAYLA, Player, campaign, in_party, play
from tests.app.test_goldens import compare

from tracker.app.screens.people import LeaveGuestsScreen, PeopleScreen
from tracker.app.screens.table.company import TableCompany
from tracker.games.common import seats

SEATS = (*seats.add("ana", "Ana", seats.GM), *seats.add("bob", "Bob", plays=["kara"]))
CODE = "127.0.0.1:7331/ABCD-EFGH"


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A campaign with two seats, at which nobody sits now."""
    return campaign(tmp_path, *in_party(KARA, TAYLA), *SEATS)


async def people(player: Player) -> TableCompany:
    company = TableCompany(player.table, "Ana")
    company.company.invitation = CODE
    company.show_people()
    await player.rest()
    return company


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_page_of_people_and_code_match_their_goldens(
    shared: Path, size: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    async def act(player: Player) -> None:
        await people(player)
        compare(f"people-{size[0]}x{size[1]}", player.text, request)
        await player.press("i")
        await player.settle()
        compare(f"code-{size[0]}x{size[1]}", player.text, request)
        await player.press("escape", "escape")
        assert player.screen == "TableScreen"

    play(shared, act, size=size)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_question_before_leaving_guests_matches_its_golden(
    shared: Path, size: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    async def act(player: Player) -> None:
        player.app.push_screen(LeaveGuestsScreen(player.table.view.heading(), ("Bob", "Cyd")))
        await player.settle()
        compare(f"leave-guests-{size[0]}x{size[1]}", player.text, request)
        await player.press("escape")
        assert player.screen == "TableScreen"

    play(shared, act, size=size)


def test_code_without_an_invitation_is_no_key(shared: Path) -> None:
    async def act(player: Player) -> None:
        company = await people(player)
        company.company.invitation = ""
        await player.press("i")
        assert isinstance(player.app.screen, PeopleScreen)

    play(shared, act)
