"""Every registered game and the toy game keep the rules, and a game that breaks one is found out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import pytest
from tests.games import toy
from tests.games.conformance import CHECKS, broken_rules, only_refused

from tracker import games
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game, Move
from tracker.games.api.prompts import Confirm, Number, Option, Pick
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Card, Meter, Pane, Start

INFOS = (*games.GAMES.values(), toy.INFO)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("info", INFOS, ids=[info.id for info in INFOS])
def test_game_keeps_the_rule(info: games.GameInfo, check: str) -> None:
    CHECKS[check](info.load())


ONLY_REFUSED: Mapping[str, set[str]] = {
    "ironsworn": {
        *("suffer/out_of_supply", "suffer/face_a_setback", "quest/advance", "quest/overcome", "story/truths"),
        *("sheet/use_asset", "sheet/ready_asset"),
    },
    "daggerheart": {"action/verdict", "level/catch_up", "owed/strike_off"},
}
"""Moves that need a longer story than the checks play; the scenarios and the tests of their game make them."""


@pytest.mark.parametrize("info", INFOS, ids=[info.id for info in INFOS])
def test_nearly_every_move_is_made(info: games.GameInfo) -> None:
    assert only_refused(info.load()) <= ONLY_REFUSED.get(info.id, set())


@pytest.mark.parametrize("info", INFOS, ids=[info.id for info in INFOS])
def test_registry_entry_matches_the_game(info: games.GameInfo) -> None:
    game = info.load()
    assert (info.id, info.name) == (game.id, game.name)
    assert info.pitch
    assert info.credits


def test_registry_finds_games_by_their_own_id() -> None:
    assert [info.id for info in games.GAMES.values()] == [*games.GAMES]


# -- games that break a rule ------------------------------------------------------------------------------


def asks_twice(table: Draft) -> Procedure:
    yield Number(key="oil", title="How much?", low=1, high=3)
    yield Number(key="oil", title="How much more?", low=1, high=3)


def never_ends(table: Draft) -> Procedure:
    for n in count():
        yield Confirm(key=f"again_{n}", title="Again?")


def crashes(table: Draft) -> Procedure:
    yield Number(key="oil", title="How much?", low=1, high=3)
    table.mine("light", table.me["oil"])


def refuses_without_a_word(table: Draft) -> Procedure:
    raise Refused("")
    yield


CALLS = count(1)


def counts_its_calls(table: Draft) -> Procedure:
    table.facts["call"] = next(CALLS)
    yield from ()


def changes_nobody(table: Draft) -> Procedure:
    table.by("nobody.light", 1)
    yield from ()


def drops_what_is_absent(table: Draft) -> Procedure:
    table.drop("party", "nobody")
    yield from ()


def sets_what_does_not_fit(table: Draft) -> Procedure:
    table.to(f"{table.who}.light", 7)
    yield from ()


def offers_a_key_twice(table: Draft) -> Procedure:
    yield Pick(key="pace", title="How?", options=(Option("a", "a", hot="x"), Option("b", "b", hot="x")))


def has_no_quiet_answer(table: Draft) -> Procedure:
    yield Number(key="oil", title="How much?", low=1, high=3, quiet=True)


def keeps_facts_that_no_save_holds(table: Draft) -> Procedure:
    table.facts["who"] = object()
    yield from ()


def with_move(make: Callable[[Draft], Procedure], **fields: Any) -> Game:
    """Return the toy game with one more move."""
    move = Move("dark/broken", "Broken", make, "dark", "Something is wrong.")._replace(**fields)
    game = toy.Lantern()
    game.moves = {**toy.GAME.moves, move.id: move}
    return game


class Told(toy.Lantern):
    def changes(self, before: State, after: State, who: str) -> list[str]:
        return ["something is different"]


class Linted(toy.Lantern):
    def lint(self, state: State) -> tuple[str, ...]:
        return ("Nobody is here.",) if not state["party"] else ()


class Renamed(toy.Lantern):
    def creation_answers(self, name: str, stats: Mapping[str, int]) -> dict[str, Any]:
        return {"name": "Somebody else"}


class Nowhere(toy.Lantern):
    def sheet(self, state: State, who: str) -> tuple[Pane, ...]:
        return (Pane("sheet", "Sheet", (Meter(f"{who}.oil", "oil", 1, 3),)),)


class Unknown(toy.Lantern):
    def now(self, state: State, who: str) -> tuple[Action, ...]:
        return (Action("m1", "Fly", Start("dark/fly")),)


class Trusting(toy.Lantern):
    def card(self, did: str, facts: Mapping[str, Any]) -> Card:
        return Card("Roll", sum=f"{facts.get('face', 0) + 1}")


class Untitled(toy.Lantern):
    def card(self, did: str, facts: Mapping[str, Any]) -> Card:
        return Card(did)


class Trackless(toy.Lantern):
    new_track = Start("track/start")


class Capital(toy.Lantern):
    id = "Lantern 2"


BROKEN: dict[str, tuple[str, Game]] = {
    "a move without a trigger": ("moves", with_move(changes_nobody, trigger="")),
    "a move without a name": ("moves", with_move(changes_nobody, name=" ")),
    "two moves of one name": ("moves", with_move(changes_nobody, name="Refill the lantern")),
    "a key that is asked for twice": ("procedures", with_move(asks_twice)),
    "a move that never ends": ("procedures", with_move(never_ends)),
    "a move that crashes": ("procedures", with_move(crashes)),
    "a refusal without a reason": ("procedures", with_move(refuses_without_a_word)),
    "a move that a replay changes": ("replay", with_move(counts_its_calls)),
    "an effect on nobody": ("effects", with_move(changes_nobody)),
    "a drop of what is absent": ("effects", with_move(drops_what_is_absent)),
    "an effect beyond the limits": ("effects", with_move(sets_what_does_not_fit)),
    "facts that cannot be saved": ("effects", with_move(keeps_facts_that_no_save_holds)),
    "a hotkey that is offered twice": ("prompts", with_move(offers_a_key_twice)),
    "a quiet prompt without an answer": ("prompts", with_move(has_no_quiet_answer)),
    "changes where nothing changed": ("changes", Told()),
    "a new campaign that breaks a rule": ("start", Linted()),
    "creation answers for somebody else": ("creation", Renamed()),
    "a field without a place in the state": ("sheet", Nowhere()),
    "a button that starts no move": ("actions", Unknown()),
    "a card that trusts its facts": ("cards", Trusting()),
    "a card that is titled by an id": ("cards", Untitled()),
    "a new track that starts no move": ("tracks", Trackless()),
    "an id that no save can hold": ("identity", Capital()),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_game_is_noticed(name: str) -> None:
    rule, game = BROKEN[name]
    assert rule in broken_rules(game)


def test_toy_game_breaks_no_rule() -> None:
    assert broken_rules(toy.GAME) == {}


def test_game_without_a_required_part_cannot_be_made() -> None:
    class Empty(Game):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Empty()  # type: ignore[abstract]
