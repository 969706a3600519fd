"""Two and three real apps that play one campaign, in one process over loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.app.helpers import KARA, Player, campaign, in_party, playing

from tracker.coop import arrival
from tracker.coop.company import Company
from tracker.coop.plans import HERE, Hosting, Joining


def company(player: Player) -> Company:
    assert player.table.company
    return player.table.company.company


@asynccontextmanager
async def hosting(folder: Path, *effects: dict[str, Any], **how: Any) -> AsyncIterator[Player]:
    """Ana at a table that she hosts, with Kara unless other effects are given; her code was shown and is closed."""
    (folder / "ana").mkdir(exist_ok=True)
    path = folder / "ana" / "vale.toml"
    if not path.exists():
        campaign(folder / "ana", *(effects or in_party(KARA)))
    async with playing(path, plan=Hosting(HERE, 0, "Ana"), **how) as ana:
        await ana.until(lambda: ana.screen == "CodeScreen")
        await ana.press("escape")
        yield ana


async def arriving(host: Player, folder: Path, name: str, role: str = "player", **how: Any) -> arrival.Joined:
    """Knock as somebody with this name, in a thread, until there is a copy."""
    (folder / name.lower()).mkdir(exist_ok=True)
    return await asyncio.to_thread(
        arrival.join,
        company(host).invitation,
        str(folder / name.lower()),
        name=name,
        role=role,
        asked=lambda _: None,
        step=lambda _: None,
    )


@asynccontextmanager
async def guest(host: Player, folder: Path, name: str, role: str = "player", **how: Any) -> AsyncIterator[Player]:
    """Somebody at the host's table, who was let in."""
    coming = asyncio.ensure_future(arriving(host, folder, name, role))
    await host.until(lambda: bool(company(host).question()) or coming.done())
    if not coming.done():
        await host.press("y")
    while not coming.done():
        await asyncio.sleep(0.005)
    joined = coming.result()
    plan = Joining(joined.invitation, joined.name, joined.role, joined.note)
    async with playing(Path(joined.path), plan=plan, **how) as player:
        await player.until(lambda: bool(company_here(player)))
        await host.until(lambda: name in company(host).standing.others)
        yield player


def company_here(player: Player) -> tuple[str, ...]:
    """The others whom this player's head line names."""
    return player.table.company.company.standing.others if player.table.company else ()


@asynccontextmanager
async def two(folder: Path, **how: Any) -> AsyncIterator[tuple[Player, Player]]:
    """Ana, who hosts and plays Kara, and Bob, who has no character yet."""
    async with AsyncExitStack() as stack:
        ana = await stack.enter_async_context(hosting(folder, **how))
        bob = await stack.enter_async_context(guest(ana, folder, "Bob", **how))
        yield ana, bob


async def even(*players: Player) -> None:
    """Until all of them have the same entries."""
    for player in players:
        await player.until(lambda: len({tuple(e["id"] for e in one.entries()) for one in players}) == 1)
