"""The bench runs, so that nobody finds it broken in the quiet hour when it is wanted. How fast it is, is not asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.bench import bench, coop, packs
from tests.bench.bench import Row, Saves, Seen, minimal, ours, table
from tests.bench.soak import soak
from tests.bench.walk import walk


def test_a_short_run_measures_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PRESSES", 2)
    for run in (minimal(), ours(Saves(tmp_path, 500), "ten")):
        assert isinstance(run, Seen)
        assert all(measured > 0 for measured in run), run


def test_a_row_tells_its_ratio_and_whether_it_is_over() -> None:
    told = table(
        [Row("start : other", [0.2, 0.3, 0.9], [0.1, 0.1, 0.1], 2.5), Row("memory : other", [50], [40], unit="MB")]
    )
    assert "300.00 ms  100.00 ms   3.00   2.50  OVER" in told
    assert "50.00 MB   40.00 MB   1.25" in told


def test_bench_of_packs_tells_what_they_add_and_whether_it_is_too_much() -> None:
    ours, bare = packs.Runs(), packs.Runs()
    for runs, by in ((ours, 1.02), (bare, 1)):
        runs.starts.append(packs.Start(frame=0.3 * by, memory=40 * by))
        runs.ready.append(packs.Ready(frame=0.2 * by, wait=0.19 * by, processor=0.2 * by))
    rows = [*packs.rows_of("5 packs", ours, bare, [30])]
    assert [(round(row.ratio, 2), row.over) for row in rows] == [
        (1.02, False),
        (1.02, False),
        (0.97, False),
        (1.02, True),
        (1.0, False),
        (1.33, True),
        (1.02, False),
    ]


def test_short_bench_of_coop_measures_everything_but_keys(tmp_path: Path) -> None:
    for name, (step, short, _) in coop.STEPS.items():
        if name != "keys":  # two apps in terminals; the shared evenings start them as well
            (tmp_path / name).mkdir()
            assert [row.what for row in step(tmp_path / name, *short)]


def test_short_soak_plays_and_ends_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert soak(tmp_path, minutes=10, keys=15, rate=1000, seed=3) == 0
    assert "largest ratio to the first minute: 1.00" in capsys.readouterr().out


def test_walk_of_one_move_passes_at_most_60_of_our_files(tmp_path: Path) -> None:
    first, again = walk(tmp_path, paints=False)
    assert 40 < len(again) <= len(first) <= 60, sorted(first)
