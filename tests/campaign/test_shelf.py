"""The list of campaigns looks at bounded parts of each file, whatever lies in the folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.helpers import KARA, TAYLA, campaign, in_party
from tests.bench.make_save import make_save
from tests.bench.readers import HEAD, MB, by_hand, marked

from tracker.app.screens.campaigns.preview import summarize
from tracker.campaign.library import READ_MOST, all_as_they_stand, as_it_stands
from tracker.campaign.session import Session
from tracker.saves import saves_folder
from tracker.saves.reader import FIRST_READ


def bytes_read(act: Callable[[], object]) -> int:
    """Return how many bytes this process reads from files meanwhile."""

    def so_far() -> int:
        return int(Path("/proc/self/io").read_text().split()[1])

    before = so_far()
    act()
    return so_far() - before


def hole(path: Path, start: bytes = b"") -> Path:
    """Make a file of 1 GB that takes no room: zeros after this start."""
    path.write_bytes(start)
    with path.open("ab") as file:
        file.truncate(1024 * MB)
    return path


@pytest.mark.parametrize("start", [b"", HEAD, HEAD + b"# ", marked(HEAD)], ids=["zeros", "head", "comment", "campaign"])
def test_huge_file_is_listed_by_its_ends(tmp_path: Path, start: bytes) -> None:
    path = hole(tmp_path / "x.toml", start)
    assert bytes_read(lambda: all_as_they_stand(saves_folder.campaigns(str(tmp_path)))) < 2 * saves_folder.HEAD_MOST
    one = all_as_they_stand(saves_folder.campaigns(str(tmp_path)))[0]
    assert bytes_read(lambda: summarize(one, 80)) < 2 * READ_MOST
    if start.endswith(b"\n#= 0 %s\n" % start[-9:-1]):
        assert not one.problem
        assert "1023 MB to read first" in summarize(one, 80).top[0].plain
    else:
        assert one.problem
        assert str(path.name) in one.problem


def test_head_without_an_end_is_a_problem_of_its_own_file(tmp_path: Path) -> None:
    campaign(tmp_path, *in_party(KARA))
    (tmp_path / "notes.toml").write_bytes(b"# nothing but words\n" * (saves_folder.HEAD_MOST // 10))
    problems = {one.name: one.problem for one in all_as_they_stand(saves_folder.campaigns(str(tmp_path)))}
    assert problems == {
        "vale": "",
        "notes": "notes.toml: no end of its head in the first 4096 KB: damaged, or not a campaign.",
    }


def test_long_head_is_read_after_the_first_frame_and_opens(tmp_path: Path) -> None:
    path = campaign(tmp_path, *in_party(KARA, TAYLA))
    text = path.read_bytes()
    extra = b"".join(b'note_%d = "something to remember"\n' % n for n in range(3000))
    path.write_bytes(text.replace(b"\n[state]", b"\n" + extra + b"\n[state]", 1))
    assert path.stat().st_size > FIRST_READ
    quick = saves_folder.campaigns(str(tmp_path), FIRST_READ)[0]
    assert (quick.game, quick.stale, quick.problem) == ("", True, "")
    whole = as_it_stands(quick)
    assert (whole.game, whole.characters, whole.problem) == ("ironsworn", ("Kara", "Tayla"), "")
    session = Session.open(str(path))
    assert "note_2999" in session.save.head.extra
    session.close()


def test_missing_snapshot_makes_no_list_read_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    make_save(str(path), 400)
    hole(path, path.read_bytes().replace(b"Line 7 of", b"Line 8 of"))
    one = saves_folder.look_at(str(path))
    assert "MB to read first" in summarize(one, 80).top[0].plain
    assert bytes_read(lambda: summarize(one, 80)) < 2 * READ_MOST


def test_campaign_of_a_few_megabytes_without_snapshot_is_still_described(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(by_hand(300))
    assert (
        summarize(all_as_they_stand(saves_folder.campaigns(str(tmp_path)))[0], 80).story[-1].plain.endswith("Line 299.")
    )
