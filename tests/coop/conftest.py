"""Ana, who hosts, and Bob and Cyd, who join with empty copies."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.coop.players import Player


@pytest.fixture
def ana(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    player = Player(tmp_path, "Ana")
    player.begin()
    yield player
    player.close()


@pytest.fixture
def bob(tmp_path: Path, ana: Player) -> Iterator[Player]:
    player = Player(tmp_path, "Bob")
    player.copy_of(ana)
    yield player
    player.close()


@pytest.fixture
def cyd(tmp_path: Path, ana: Player) -> Iterator[Player]:
    player = Player(tmp_path, "Cyd")
    player.copy_of(ana)
    yield player
    player.close()
