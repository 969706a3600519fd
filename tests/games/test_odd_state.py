"""A [state] with values that no rule puts there: it is refused, or every reader of the sheet gets on with it."""

import random
import tomllib
from copy import deepcopy
from typing import Any

import pytest
from tests.faults import generated

from tracker import games
from tracker.campaign.fold import apply, complete
from tracker.campaign.hand_edits import first_misfit
from tracker.games.api.game import Game
from tracker.games.api.schema import State
from tracker.saves.entries import effect_problem

VALUES = [tomllib.loads(f"x = {value}")["x"] for value in generated.ABSURD]
USUAL = 3
"""Values that are tried at each key in the usual run; all of them with --whole."""
INSIDE = [{"a": 1}, {"a": {"b": {"c": 1}}}]
"""Tables with keys that nobody knows: they stay, and are always tried."""


def look_at(of: Game, state: State) -> None:
    """Ask the game for all that a screen shows of this state."""
    for member in of.members(state):
        list(of.sheet(state, member.id))
        list(of.belongings(state, member.id))
    list(of.tracks(state))
    of.gm_side(state)
    list(of.lint(state))


def spoilt(tables: Any, chance: random.Random, request: pytest.FixtureRequest) -> Any:
    """Yield copies of these tables, each with another value at one place."""
    for n in range(len(list(generated.places(tables)))):
        some = VALUES if request.config.getoption("whole") else chance.sample(VALUES, USUAL)
        for value in (*INSIDE, *some):
            copy = deepcopy(tables)
            inside, key = list(generated.places(copy))[n]
            inside[key] = value
            yield copy, f"{key} = {value!r}"


@pytest.mark.parametrize("ident", games.GAMES)
def test_state_with_any_value_at_any_key_is_shown_or_refused(ident: str, request: pytest.FixtureRequest) -> None:
    of, chance = games.get(ident), random.Random(ident)
    head = next(head for head, _ in map(generated.campaign, generated.SAVES) if head["game"] == ident)
    for state, where in spoilt(head["state"], chance, request):
        try:
            if first_misfit(of.top, state) is None:
                look_at(of, complete(of.top, state))
        except Exception as error:
            raise AssertionError(where) from error


@pytest.mark.parametrize("ident", games.GAMES)
def test_effect_with_any_value_at_any_key_is_applied_or_refused(ident: str, request: pytest.FixtureRequest) -> None:
    of, chance = games.get(ident), random.Random(ident)
    head, entries = next(found for found in map(generated.campaign, generated.SAVES) if found[0]["game"] == ident)
    state = complete(of.top, head["state"])
    every = [effect for entry in entries for effect in entry.get("effects", ())]
    shapes = {
        (effect["at"].rpartition(".")[2], *sorted(effect), *sorted(effect.get("add", ()))): effect for effect in every
    }
    for shape in shapes.values():
        fresh = deepcopy(shape)
        if "add" in fresh:
            fresh["add"]["id"] = "quite_new"
        for effect, where in spoilt(fresh, chance, request):
            try:
                if effect_problem(effect) is None:
                    look_at(of, apply(of.top, state, effect))
            except Exception as error:
                raise AssertionError(f"{shape}: {where}") from error
