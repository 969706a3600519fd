"""Every key has a name and a reason, and `?` tells all of them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn
from tests.make_example import EVENINGS, example
from textual.binding import Binding
from textual.dom import DOMNode

from tracker import app as package
from tracker.app.keymap import declared as declared_by
from tracker.app.screens.belongings import BelongingsScreen
from tracker.app.screens.gm import GmScreen
from tracker.app.screens.keys import key_label
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.options import OptionPicker
from tracker.campaign.session import Session


def declared() -> Iterator[tuple[type[DOMNode], Binding]]:
    """Yield each binding that a class of the app declares itself."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for thing in vars(import_module(found.name)).values():
            if isinstance(thing, type) and issubclass(thing, DOMNode) and thing.__module__ == found.name:
                for binding in vars(thing).get("BINDINGS", ()):
                    assert isinstance(binding, Binding), f"{thing.__name__}: {binding}"
                    yield thing, binding


def test_every_binding_has_an_id_a_description_and_a_tooltip() -> None:
    bare = [
        f"{owner.__name__}: {binding.key}"
        for owner, binding in declared()
        if not (binding.id and binding.description and binding.tooltip)
    ]
    assert bare == []
    assert len(list(declared())) > 40


def test_binding_id_means_one_action() -> None:
    """A keymap names them: the same id for two actions would move both."""
    actions: dict[str, set[str]] = {}
    for _, binding in declared():
        actions.setdefault(str(binding.id), set()).add(binding.action)
    assert {ident: found for ident, found in actions.items() if len(found) > 1} == {}


@pytest.mark.parametrize("name", EVENINGS)
def test_hotkeys_of_a_game_are_no_keys_of_their_screen(name: str) -> None:
    session = Session.open(str(example(name)), write=False)
    session.close()
    game, state = session.game, session.state
    holdings = [holding for who in state["party"] for holding in game.belongings(state, who)]
    letters = {a.key for h in holdings for a in (*h.actions, *(a for one in h.things for a in one.actions))}
    assert letters.isdisjoint(own_keys(BelongingsScreen))
    fight = game.fight(state, next(iter(state["party"])))
    for track in (*game.tracks(state), *(fight.foes if fight else ())):
        moves = [action.key for action in game.track_moves(state, next(iter(state["party"])), track.id) if action.key]
        assert len(moves) == len(set(moves)), track.name
    if side := game.gm_side(state):
        groups = (side.pool_actions, side.turn_actions, side.foes_actions, side.tracks_actions, side.actions)
        every = [a.key for group in groups for a in group] + [a.key for a in side.foes[0].actions]
        assert len(every) == len(set(every))
        assert set(every).isdisjoint(own_keys(GmScreen))


def own_keys(screen: type[DOMNode]) -> set[str]:
    """Return the keys that this screen binds itself."""
    kinds = {thing for thing in screen.__mro__ if thing.__module__.startswith(package.__name__)}
    return {key for owner, binding in declared() if owner in kinds for key in binding.key.split(",")}


@pytest.mark.parametrize("keys", [(), ("r",), ("q",)], ids=["table", "dialog", "campaigns"])
def test_keys_screen_lists_every_binding_of_its_screen(tmp_path: Path, keys: tuple[str, ...]) -> None:
    async def act(player: Player) -> None:
        await player.press(*keys)
        screen = player.app.screen
        here = type(screen)
        focus = {type(place) for place in (screen.focused.ancestors_with_self if screen.focused else ())}
        wanted = {
            binding.id: binding
            for owner, binding in declared()
            if owner in {here, type(player.app), *focus}
            if not str(binding.id).startswith("speak.") or str(binding.id) in {"speak.1", "speak.2"}
            if not str(binding.id).startswith("campaigns.") or screen.check_action(binding.action, ())
            if binding.id not in {"dialog.mark", "dialog.keep", "read"}  # nothing to mark, no answer, and no pack
            if binding.id not in {"dialog.accept", "dialog.up", "dialog.down"}  # the list has the same keys
            if binding.id not in {"harm", "rest", "gm"}  # in this game they have no key
            if binding.id != "together.agree"  # the player is alone: nobody knocks
        }
        await player.press("?")
        rows = player.app.screen.query_one(OptionPicker)
        own = {row.value for row in rows.data if str(row.value).startswith("row:")}
        assert {row.value for row in rows.data if row.value} - own == set(wanted)
        seen = player.text
        for _ in rows.data:
            await player.press("down")
            seen += player.text
        for binding in wanted.values():
            assert key_label(player.table, binding) in seen
            assert binding.tooltip in seen
        await player.press("?")
        assert type(player.app.screen) is here

    play(campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR)), act)


@pytest.mark.parametrize(
    "keys",
    [(), ("q",), ("q", "v"), ("q", "/"), ("m",), ("?",), ("r",), ("ctrl+p",), ("f1",), ("q", "n"), ("J",), ("b",)],
    ids=" ".join,
)
def test_footer_names_the_keys_in_force(tmp_path: Path, keys: tuple[str, ...]) -> None:
    """A hint that comes from bindings comes from those of the app, the screen or a widget on the screen."""

    async def act(player: Player) -> None:
        await player.press(*keys)
        hints = player.app.screen.query_one(Footer).data
        assert hints
        there = [player.app, *player.app.screen.walk_children(with_self=True)]
        known = {binding.id for node in there for binding in declared_by(type(node))}
        assert {binding.id for hint in hints for binding in hint.bindings} <= {*known, None}

    play(campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR)), act)
