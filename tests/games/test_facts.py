"""Facts of an entry that someone has edited: every driver still says something about it."""

import random
import tomllib
from copy import deepcopy
from typing import Any

import pytest
from tests.faults import generated

from tracker import games
from tracker.app import drawings
from tracker.campaign.journal import as_written
from tracker.plain import text_lines as plain

VALUES = [tomllib.loads(f"x = {value}")["x"] for value in generated.ABSURD]
USUAL = 8
"""Values that are tried at each key in the usual run; all of them with --whole."""


def shapes(ident: str) -> dict[Any, dict[str, Any]]:
    """Return an entry for each move and each set of facts in the example campaigns of this game."""
    entries = [
        entry for head, found in map(generated.campaign, generated.SAVES) if head["game"] == ident for entry in found
    ]
    moves = games.get(ident).moves
    return {
        (entry["did"], *sorted(entry["facts"])): entry
        for entry in entries
        if entry.get("did") in moves and entry.get("facts")
    }


@pytest.mark.parametrize("ident", games.GAMES)
def test_facts_with_any_value_at_any_key_make_a_card(ident: str, request: pytest.FixtureRequest) -> None:
    chance = random.Random(ident)
    state: dict[str, Any] = {"party": {}, "seats": {}}
    for entry in shapes(ident).values():
        for n in range(len(list(generated.places(entry["facts"])))):
            for value in VALUES if request.config.getoption("whole") else chance.sample(VALUES, USUAL):
                facts = deepcopy(entry["facts"])
                inside, key = list(generated.places(facts))[n]
                inside[key] = value
                try:
                    card = games.get(ident).card(entry["did"], facts)
                    drawings.dice(card, 60)
                    assert all(isinstance(line, str) for line in plain.card(card))
                    as_written(games.get(ident), state, {**entry, "facts": facts}).sentence()
                except Exception as error:
                    raise AssertionError(f"{entry['did']}: {key} = {value!r}") from error
