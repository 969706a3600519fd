"""Which packs a campaign uses is state like any other; without the pack, everything else plays on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.playing import campaign, open_session
from tests.content.small_packs import data, fen

from tracker.campaign.session import Session
from tracker.content import packs
from tracker.content.datasworn import read
from tracker.games.api.errors import Refused


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the fen in a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    install()


def install(version: str = "0.2.0") -> None:
    packs.add(read(data(fen(version))), data(fen(version)))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with campaign(tmp_path) as session:
        yield session


def choose(table: Session, pack: str = "fen") -> None:
    table.finish(table.begin("packs/use", "", [["pack", pack]]))


class TestUse:
    def test_campaign_without_packs_has_only_the_games_content(self, table: Session) -> None:
        assert "fen/bog/omen" not in table.content().oracles
        assert [pack.id for pack in table.content().installed()] == ["fen"]

    def test_pack_is_recorded_and_read(self, table: Session) -> None:
        choose(table)
        assert dict(table.state["packs"]["fen"])["title"] == "The Fen"
        assert table.log.entries[-1]["did"] == "packs/use"
        assert table.log.entries[-1]["facts"]["changed"] == ["pack: The Fen"]
        assert {"fen/bog/omen", "action"} <= {*table.content().oracles}

    def test_undo_takes_the_pack_away_and_redo_brings_it_back(self, table: Session) -> None:
        choose(table)
        table.content()
        table.undo()
        assert "fen/bog/omen" not in table.content().oracles
        table.redo()
        assert "fen/bog/omen" in table.content().oracles

    def test_choosing_a_pack_in_use_removes_it(self, table: Session) -> None:
        choose(table)
        choose(table)
        assert dict(table.state["packs"]) == {}
        assert table.log.entries[-1]["facts"]["changed"] == ["pack removed: The Fen"]

    def test_campaign_without_packs_says_how_to_get_one(self, table: Session) -> None:
        packs.remove("fen")
        with pytest.raises(Refused, match="`tracker packs add` installs one"):
            table.begin("packs/use", "")

    def test_pack_installed_meanwhile_can_be_chosen(self, table: Session) -> None:
        packs.remove("fen")
        assert table.content().installed() == ()
        install()
        choose(table)
        assert "fen/bog/omen" in table.content().oracles


class TestMissing:
    def test_missing_pack_is_told_once_and_the_rest_plays(self, table: Session) -> None:
        choose(table)
        packs.remove("fen")
        told = "The pack “The Fen” isn't installed; `tracker packs add FILE` installs it."
        for _ in range(3):
            assert "action" in table.content().oracles
        assert table.notes.count(told) == 1
        table.write("On we go.")
        table.undo()

    def test_missing_pack_can_be_removed(self, table: Session) -> None:
        choose(table)
        packs.remove("fen")
        choose(table)
        assert dict(table.state["packs"]) == {}

    def test_campaign_reopens_the_same_without_its_pack(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as session:
            choose(session)
            before = session.state
        packs.remove("fen")
        again = open_session(tmp_path / "tale.toml")
        assert again.state == before
        assert "action" in again.content().oracles
        again.close()

    def test_replaced_pack_is_told_once_and_used(self, table: Session) -> None:
        choose(table)
        install("0.1.0")
        content = table.content()
        told = [note for note in table.notes if "has another version" in note]
        assert len(told) == 1
        assert "fen/bog/omen" in content.oracles

    def test_replaced_pack_can_be_taken_anew(self, table: Session) -> None:
        choose(table)
        install("0.1.0")
        choose(table, "new.fen")
        assert table.state["packs"]["fen"]["version"] == "0.1.0"
        assert table.log.entries[-1]["facts"]["changed"] == ["pack: The Fen, now the installed version"]
        assert table.content().problems == ()

    def test_save_from_before_packs_opens(self, tmp_path: Path) -> None:
        with campaign(tmp_path):
            pass
        path = tmp_path / "tale.toml"
        text = path.read_text()
        assert "[state.packs]" in text or "packs" in text
        old = "\n".join(line for line in text.splitlines() if "packs" not in line) + "\n"
        (tmp_path / "old.toml").write_text(old)
        session = open_session(tmp_path / "old.toml")
        assert dict(session.state["packs"]) == {}
        session.close()
