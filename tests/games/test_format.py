"""Dates and times as Americans write them."""

from __future__ import annotations

from datetime import datetime

import pytest

from tracker.games.api import format as words

AT = datetime(2026, 11, 8, 20, 3)


def test_dates_name_the_month_first() -> None:
    assert (words.date(AT), words.short_date(AT)) == ("November 8, 2026", "Nov 8, 2026")


@pytest.mark.parametrize(("hour", "said"), [(0, "12:03 a.m."), (9, "9:03 a.m."), (12, "12:03 p.m."), (20, "8:03 p.m.")])
def test_time_of_day_has_twelve_hours(hour: int, said: str) -> None:
    assert words.time_of_day(AT.replace(hour=hour)) == said
