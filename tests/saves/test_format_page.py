"""The reader printed in docs/save-format.md agrees with the program."""

import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.bench.make_save import make_save
from tests.campaign.playing import OATH, campaign, open_session

from tracker import games
from tracker.campaign.fold import complete, fold, start
from tracker.campaign.state import thaw
from tracker.saves.saves_folder import examples

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "save-format.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """Dictionary with the names that the code of the page defines."""
    names: dict[str, Any] = {}
    exec(compile(PAGE.split("```python\n")[1].split("\n```")[0], "docs/save-format.md", "exec"), names)
    return names


def folded(page: dict[str, Any], path: Path) -> tuple[dict[str, Any], Any]:
    """Return the head of a save and the state that its entries add up to, read by the page's code.

    Fields that the schema gained since the head was written are filled in.
    """
    head, entries = page["read"](path.read_bytes())
    top = games.get(head["game"]).top
    head["state"] = thaw(complete(top, head["state"]))
    return head, thaw(fold(top, start(top), [effect for entry in entries for effect in entry.get("effects", ())]))


@pytest.mark.parametrize("example", [*map(Path, examples())], ids=lambda path: path.stem)
def test_page_reads_the_example(page: dict[str, Any], example: Path) -> None:
    head, state = folded(page, example)
    assert state == head["state"]


def test_page_reads_undos_rolls_and_a_snapshot(page: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    make_save(str(path), 500)
    head, state = folded(page, path)
    assert state == head["state"]
    data = path.read_bytes()
    base, after_head = head["base"], len(next(page["blocks"](data))) + len(b"#= 0 01234567\n")
    covered = data[after_head : after_head + base["size"]]
    assert f"{zlib.crc32(covered):08x}" == base["crc"]
    assert covered.splitlines()[-1].split()[:2] == [b"#=", b"%d" % base["upto"]]
    last = tomllib.loads(covered.decode())["entry"][-1]
    assert [last["t"], last["id"]] == base["last"]


def test_page_reads_a_redo(page: dict[str, Any], tmp_path: Path) -> None:
    with campaign(tmp_path) as session:
        session.do("change", [{"at": "kara.health", "by": -1}], who="kara")
        session.undo()
        session.redo()
        session.write("Gone again.", "kara")
        session.undo()
    head, state = folded(page, tmp_path / "tale.toml")
    assert state == head["state"]
    assert state["party"]["kara"]["health"] == 4


def test_page_refuses_an_edited_block(page: dict[str, Any], tmp_path: Path) -> None:
    with campaign(tmp_path):
        pass
    path = tmp_path / "tale.toml"
    path.write_bytes(path.read_bytes().replace(OATH["add"]["name"].encode(), b"Another", 1))
    with pytest.raises(ValueError, match="edited or damaged"):
        page["read"](path.read_bytes())
    assert open_session(path, write=False).notes


def test_page_names_every_key_of_an_entry() -> None:
    from tracker.saves.entries import _KEYS

    rows = PAGE.split("## Entries")[1].split("## Effects")[0]
    assert all(f"| `{key}` |" in rows for key in _KEYS)
