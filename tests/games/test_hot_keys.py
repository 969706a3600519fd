"""Hotkeys of prompts in every game: no letter means two things on one screen."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.games import daggerheart_table, test_ironsworn_walk, wherever_table

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.schema import State
from tracker.games.ironsworn import GAME as IRONSWORN

PATHS = 60
"""So many ways through a move are gone."""
TABLES: dict[str, tuple[Game, str, State]] = {
    "ironsworn": (IRONSWORN, "you", test_ironsworn_walk.table("on the road, with much owed", 3)),
    "ironsworn, in a fight": (
        IRONSWORN,
        "you",
        test_ironsworn_walk.table("in a fight, with initiative", 1),
    ),
    "wherever": (
        wherever_table.GAME,
        "ilse",
        fold(wherever_table.GAME.top, start(wherever_table.GAME.top), wherever_table.PARTY),
    ),
    "daggerheart": (daggerheart_table.GAME, "wren", daggerheart_table.STATE),
}


def answers(prompt: Prompt) -> Iterator[Answer]:
    """Yield a few answers that lead to different next prompts."""
    match prompt:
        case Pick(options=options):
            yield from (option.key for option in options if not option.reason)
        case Choose(options=options, least=least):
            free = [option.key for option in options if not option.reason]
            yield free[: max(1, least)] if free else []
            yield free[:least]
        case Confirm():
            yield from (True, False)
        case Number(low=low, default=default):
            yield default if default is not None else max(low, 1)
        case Text(default=default):
            yield default or "d8"
        case Spread(points=points, targets=targets):
            yield {option.key: points for option, limit in targets if limit >= points}
        case Roll(dice=dice):
            for face in (1, 4):
                yield {
                    name: min(face, each) if isinstance(each, int) else [min(face, one) for one in each]
                    for name, each in dice.items()
                }


def prompts(game: Game, who: str, state: State, move: str) -> Iterator[tuple[Run, Prompt | None]]:
    """Yield the prompts of this move, one way through it after the other."""
    paths: list[list[list[Any]]] = [[]]
    for path in paths:
        with suppress(Refused):
            run = Run(game, game.moves[move], "" if game.moves[move].solo else who, state, path)
            yield run, run.prompt
            if run.prompt and len(paths) < PATHS:
                paths += [[*path, [run.prompt.key, answer]] for answer in answers(run.prompt)]


def keys(run: Run, prompt: Prompt | None) -> list[str]:
    """Return the hotkeys that the screen promises: of the prompt, and of what can be changed beside it."""
    asked = [option.hot for option in prompt.options] if isinstance(prompt, (Pick, Choose)) else []
    quiet = [one for one in run.quiet() if not one.aside]
    beside = [one.hot for one in quiet if isinstance(one, (Number, Confirm))]
    beside += [option.hot for one in quiet if isinstance(one, Pick) and len(one.options) > 1 for option in one.options]
    return [hot for hot in (*asked, *beside) if hot]


@pytest.mark.parametrize("name", TABLES)
def test_hotkeys_of_a_prompt_are_unique(name: str) -> None:
    game, who, state = TABLES[name]
    twice = {
        (move, prompt.key if prompt else "", hot)
        for move in game.moves
        for run, prompt in prompts(game, who, state, move)
        for hot, many in Counter(keys(run, prompt)).items()
        if many > 1
    }
    assert not twice
