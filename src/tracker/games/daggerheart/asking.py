"""Questions that several procedures ask."""

from __future__ import annotations

from collections.abc import Collection

from tracker.games.base import Draft
from tracker.games.daggerheart.beings import brief, name
from tracker.games.prompts import Option, Pick, Refused


def ask_target(table: Draft, among: Collection[str], title: str, key: str = "target") -> Pick:
    """Which of these; where there is but one, it is not asked for."""
    if not among:
        raise Refused("There is nobody here that this could be about.")
    options = tuple(Option(ident, name(table.state, ident), brief(table.state, ident)) for ident in among)
    alone = len(options) == 1
    return Pick(key=key, title=title, options=options, default=options[0].key if alone else None, quiet=alone)
