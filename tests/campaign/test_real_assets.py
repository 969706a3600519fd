"""With `pytest --packs DIR`: every asset of every real pack is taken, marked, used and undone, and outlives its pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import campaign, open_session
from tests.games.test_ironsworn_walk import answers

from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.content import packs
from tracker.content.datasworn import NotAPack, Pack, read
from tracker.games.api.asset_abilities import ANY_MOVE, OWN_MOVE, SCOPES, USE, written
from tracker.games.api.prompts import Choose, Pick
from tracker.games.ironsworn.state import abilities

EXPERIENCE = 900


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "path" in metafunc.fixturenames:
        folders = metafunc.config.getoption("packs")
        found = [path for folder in folders for path in sorted(Path(folder).rglob("*.json"))]
        metafunc.parametrize("path", found, ids=[f"{path.parent.name}/{path.stem}" for path in found])


@pytest.fixture
def pack(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pack:
    """The pack at `path`, installed in a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    try:
        found = read(path.read_bytes())
    except NotAPack:
        pytest.skip("no pack")
    if not found.content.assets:
        pytest.skip("no assets")
    packs.add(found, path.read_bytes())
    return found


def finish(table: Session, run: Run) -> None:
    """Answer what is left: with all ticks that help, else as somebody does who does not stray."""
    while run.prompt is not None:
        if isinstance(run.prompt, Choose) and run.prompt.key == "helped_by":
            run.answer(list({option.group or option.key: option.key for option in run.prompt.options}.values()))
        else:
            run.answer(answers(run.prompt)[0])
    table.finish(run)


def scopes_of(asset: Any) -> set[str]:
    """Return the last parts of the ids of the moves that an asset's abilities name, and words such as "own"."""
    gifts = [gift for name in abilities(asset) for gift in written(asset[name]["gives"])]
    return {move for gift in gifts for move in gift.moves}


def use(table: Session, held: str) -> int:
    """Make the first move that the asset helps and that can be made now, else one of its own. Return how many."""
    scopes = scopes_of(table.state["party"]["kara"]["assets"][held])
    for move in [*sorted(scopes - {*SCOPES}), *(["compel"] if ANY_MOVE in scopes else [])]:
        full = next(one for one in table.game.moves if one.rpartition("/")[2] == move)
        if not table.game.why_not(table.state, "kara", full):
            finish(table, table.begin(full, "kara"))
            return 1
    if not {OWN_MOVE, USE} & scopes:
        return 0
    run = table.begin("sheet/use_asset", "kara")
    if isinstance(run.prompt, Pick) and run.prompt.key == "ability":
        run.answer(next(option.key for option in run.prompt.options if option.key.startswith(f"{held}.")))
    finish(table, run)
    return 1


def take_and_mark(table: Session, ident: str) -> tuple[str, int]:
    """Take an asset of the content and mark all its abilities. Return its id in the state, and the number of moves."""
    before = {*table.state["party"]["kara"]["assets"]}
    finish(table, table.begin("quest/advance", "kara", [["choose", ["new_asset"]], ["asset", ident]]))
    (held,) = {*table.state["party"]["kara"]["assets"]} - before
    moves = 1
    while any(not ability["on"] for ability in all_of(table, held)):
        finish(table, table.begin("quest/advance", "kara", [["choose", ["upgrade"]], ["asset", held]]))
        moves += 1
    return held, moves


def all_of(table: Session, held: str) -> list[Any]:
    asset = table.state["party"]["kara"]["assets"][held]
    return [asset[name] for name in abilities(asset)]


def test_every_asset_is_taken_marked_used_undone_and_outlives_its_pack(pack: Pack, tmp_path: Path) -> None:
    used = 0
    with campaign(tmp_path) as table:
        table.finish(table.begin("packs/use", "", [["pack", pack.id]]))
        table.do("change", [{"at": "kara.xp", "to": EXPERIENCE}])
        for ident in pack.content.assets:
            before = table.state
            held, moves = take_and_mark(table, ident)
            rolled = use(table, held)
            used += rolled
            after = table.state
            for _ in range(moves + rolled):
                table.undo()
            assert table.state == before
            for _ in range(moves + rolled):
                table.redo()
            assert table.state == after
    packs.remove(pack.id)
    again = open_session(tmp_path / "tale.toml")
    again.close()
    assert again.state == after
    assert len(again.state["party"]["kara"]["assets"]) == len(pack.content.assets)
    print(f"{pack.id}: {len(pack.content.assets)} assets, {used} used in a roll")
