"""Whatever is entered, the table stays legal, and only entries change it."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign.playing import BO, GAME, KARA, OATH, any_effect, likely_effect, values, within

from tracker.campaign import log
from tracker.campaign.fold import apply, fits, fold, locate, start
from tracker.campaign.state import Tree, freeze, share, thaw, unshare
from tracker.games.api.schema import State
from tracker.games.ironsworn.state import CHARACTER, TOP
from tracker.saves.entries import effect_problem

TABLE = fold(TOP, start(TOP), [KARA, BO, OATH])


additions = st.builds(
    lambda at, ident: {"at": at, "add": {"id": ident, "name": "Ash"}},
    st.sampled_from(["tracks", "kara.debilities"]),
    st.sampled_from(["oath", "wounded", "shaken", "new"]),
)


def numbers(state: State) -> Iterator[str]:
    """Yield the path of every number in the state."""
    for at in ("supply", "tracks.oath.ticks"):
        if locate(TOP, state, at) is not None:
            yield at
    for who, me in state["party"].items():
        yield from (f"party.{who}.{name}" for name in me if name in {"health", "spirit", "momentum", "xp", "setback"})


def value_at(state: State, at: str) -> Any:
    found = locate(TOP, state, at)
    return found[2] if found else None


class TestAnyEffects:
    @settings(max_examples=100)
    @given(st.lists(any_effect | likely_effect, max_size=12))
    def test_valid_effects_fold_into_a_legal_state(self, effects: list[Any]) -> None:
        state = TABLE
        for effect in effects:
            state = apply(TOP, state, effect)
            assert within(TOP, state)

    @settings(max_examples=80)
    @given(st.lists(any_effect | likely_effect, max_size=8))
    def test_folded_state_can_be_shown_and_phrased(self, effects: list[Any]) -> None:
        state = fold(TOP, TABLE, effects)
        GAME.members(state)
        GAME.tracks(state)
        GAME.lint(state)
        GAME.changes(TABLE, state, "kara")
        for who in state["party"]:
            for track in GAME.tracks(state):
                assert GAME.track_moves(state, who, track.id)
                GAME.track_odds(state, track.id)
            assert GAME.sheet(state, who)
            assert GAME.now(state, who)
            assert GAME.rolls(state, who)
            GAME.owed(state, who)

    @settings(max_examples=100)
    @given(st.lists(any_effect | likely_effect, max_size=8), st.integers(0, 20), st.integers(1, 10**6))
    def test_gain_never_lowers_and_loss_never_raises(self, effects: list[Any], which: int, points: int) -> None:
        state = fold(TOP, TABLE, effects)
        paths = list(numbers(state))
        at = paths[which % len(paths)]
        before = value_at(state, at)
        assert value_at(apply(TOP, state, {"at": at, "by": points}), at) >= before
        assert value_at(apply(TOP, state, {"at": at, "by": -points}), at) <= before

    @settings(max_examples=100)
    @given(st.lists(likely_effect, max_size=12), st.sampled_from(["health", "spirit", "momentum"]), st.integers(1, 20))
    def test_no_point_of_a_loss_is_forgotten(self, effects: list[Any], name: str, points: int) -> None:
        """Momentum pays what health or spirit cannot lose; what momentum cannot lose is due as a setback."""
        state = fold(TOP, TABLE, effects)
        before, after = (s["party"]["kara"] for s in (state, apply(TOP, state, {"at": f"kara.{name}", "by": -points})))
        lost = sum(before[each] - after[each] for each in ("health", "spirit", "momentum"))
        owed = after["setback"] - before["setback"]
        assert lost + owed == points or after["setback"] == 99

    def test_effect_on_missing_target_is_idle(self) -> None:
        for effect in (
            {"at": "ana.health", "by": -1},
            {"at": "tracks.road.ticks", "by": 4},
            {"at": "kara.health.deep.down", "to": 3},
            {"at": "tracks", "drop": "road"},
            {"at": "tracks", "add": {"id": "oath", "name": "another"}},
            {"at": "kara.momentum", "to": 11},
            {"at": "kara.status", "to": "asleep"},
            {"at": "supply", "add": {"id": "bread"}},
        ):
            assert apply(TOP, TABLE, effect) is TABLE

    def test_effect_on_unknown_key_keeps_its_value(self) -> None:
        state = apply(TOP, TABLE, {"at": "kara.mood", "to": {"now": ["grim", 3]}})
        assert thaw(state["party"]["kara"]["mood"]) == {"now": ["grim", 3]}

    @pytest.mark.parametrize("at", ["kara", "tracks.oath"])
    def test_set_record_gets_every_field(self, at: str) -> None:
        state = apply(TOP, TABLE, {"at": at, "to": {"name": "new"}})
        assert value_at(state, at)["name"] == "new"
        assert within(TOP, state)

    def test_set_collection_gets_whole_records(self) -> None:
        state = apply(TOP, TABLE, {"at": "party", "to": {"ana": {"name": "Ana"}}})
        assert list(state["party"]) == ["ana"]
        assert within(TOP, state)

    @settings(max_examples=100)
    @given(values)
    def test_fits_agrees_with_what_fold_accepts(self, value: Any) -> None:
        hurt = apply(TOP, TABLE, {"at": "kara.health", "to": 3})
        taken = apply(TOP, hurt, {"at": "kara.health", "to": value})
        if fits(CHARACTER.fields["health"], value):
            assert value_at(taken, "kara.health") == value
        else:
            assert taken is hurt


UNKNOWN: list[Any] = [
    {"at": "party", "add": {"id": "ana", "mood": {"now": ["grim", {"then": 3}]}}},
    {"at": "bo.mood", "to": [["grim"], {"then": {"later": 3}}]},
]
"""Values that no layout knows, deep in lists and tables."""


def trees(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from trees(inner)
    elif isinstance(value, (list, tuple)):
        yield value
        for inner in value:
            yield from trees(inner)


MUTATORS: dict[str, Callable[[Any], object]] = {
    "set": lambda tree: tree.__setitem__("x", 1),
    "del": lambda tree: tree.__delitem__(next(iter(tree), "x")),
    "|=": lambda tree: tree.__ior__({"x": 1}),
    "clear": lambda tree: tree.clear(),
    "pop": lambda tree: tree.pop("x", None),
    "popitem": lambda tree: tree.popitem(),
    "setdefault": lambda tree: tree.setdefault("x", 1),
    "update": lambda tree: tree.update(x=1),
}


class TestState:
    @settings(max_examples=60)
    @given(st.lists(any_effect | likely_effect, max_size=8))
    def test_state_cannot_be_changed_from_outside(self, effects: list[Any]) -> None:
        state = fold(TOP, TABLE, [*effects, *deepcopy(UNKNOWN)])
        before = thaw(state)
        for tree in trees(state):
            if isinstance(tree, dict):
                for name, change in MUTATORS.items():
                    with pytest.raises(TypeError, match="entries only"):
                        change(tree)
                        pytest.fail(name)
            else:
                assert isinstance(tree, tuple)
        assert thaw(state) == before

    def test_state_has_no_other_way_to_change(self) -> None:
        changing = set(MUTATORS) - {"set", "del", "|="} | {"__setitem__", "__delitem__", "__ior__"}
        reading = {"copy", "fromkeys", "get", "items", "keys", "values"}
        assert {name for name in dir(dict) if not name.startswith("__")} - reading <= changing
        assert all(getattr(Tree, name) is Tree._refuse for name in changing)

    @settings(max_examples=100)
    @given(st.lists(any_effect | likely_effect, max_size=8))
    def test_state_is_not_touched_by_changes_to_the_effects(self, effects: list[Any]) -> None:
        effects = deepcopy([*effects, *UNKNOWN])
        state = fold(TOP, TABLE, effects)
        before = thaw(state)
        for effect in effects:
            for tree in trees(effect):
                tree.clear()
        assert thaw(state) == before

    @settings(max_examples=100)
    @given(st.dictionaries(st.text(max_size=5), values, max_size=4))
    def test_freeze_and_thaw_give_the_same_state(self, tables: dict[str, Any]) -> None:
        assert thaw(freeze(tables)) == tables


class TestManyAdditions:
    @settings(max_examples=80)
    @given(st.lists(any_effect | likely_effect | additions, max_size=20))
    def test_fold_of_several_effects_equals_applying_each_alone(self, effects: list[Any]) -> None:
        alone = TABLE
        for effect in effects:
            alone = apply(TOP, alone, effect)
        folded = fold(TOP, TABLE, effects)
        assert thaw(folded) == thaw(alone)
        assert list(folded["tracks"]) == list(alone["tracks"])

    @settings(max_examples=80)
    @given(st.lists(st.lists(any_effect | likely_effect | additions, max_size=4), max_size=8))
    def test_fold_of_an_unshared_state_equals_that_of_a_shared_state(self, several: list[list[Any]]) -> None:
        shared: State = TABLE
        own, before = unshare(TABLE), thaw(TABLE)
        for effects in several:
            shared = fold(TOP, shared, effects)
            assert fold(TOP, own, effects) is own
        assert thaw(share(own)) == thaw(shared)
        assert list(shared["tracks"]) == list(own["tracks"])
        assert {type(tree) for tree in trees(own)} <= {Tree, tuple}
        assert thaw(TABLE) == before

    def test_unshared_state_copies_a_collection_at_its_first_change_only(self) -> None:
        own = unshare(TABLE)
        fold(TOP, own, [{"at": "tracks", "add": {"id": "one", "name": "A vow"}}])
        copied = own["tracks"]
        fold(TOP, own, [{"at": "tracks", "add": {"id": "two", "name": "A vow"}}, {"at": "tracks.one.ticks", "by": 4}])
        assert own["tracks"] is copied
        assert copied.keys() - TABLE["tracks"].keys() == {"one", "two"}

    def test_shared_state_stays_as_it_is_when_it_is_folded_on(self) -> None:
        kept = share(fold(TOP, unshare(TABLE), [{"at": "tracks", "add": {"id": "one", "name": "A vow"}}]))
        before = thaw(kept)
        fold(TOP, unshare(kept), [{"at": "tracks.one.ticks", "by": 4}, {"at": "tracks", "drop": "one"}])
        assert thaw(kept) == before
        with pytest.raises(TypeError):
            kept["tracks"]["two"] = {}


ADDED = tuple(
    {
        "id": f"a.{n}",
        "t": n,
        "did": "edit",
        "effects": [{"at": "tracks", "add": {"id": f"track{n}", "name": "A vow"}}] if n % 3 else [],
    }
    for n in range(1, 200)
)
"""Entries of which two in three begin a track."""


class TestLog:
    def test_long_log_copies_its_state_only_where_it_keeps_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        copied: list[State] = []

        def counted(state: State) -> State:
            copied.append(state)
            return unshare(state)

        monkeypatch.setattr(log, "_STRIDE", 10)
        monkeypatch.setattr(log, "unshare", counted)
        made = log.Log(TOP, TABLE, ADDED)
        assert len(copied) == 20
        assert len(made.state["tracks"]) == len(TABLE["tracks"]) + 133

    def test_number_of_kept_states_is_bounded_and_changes_no_state(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(log, "_STRIDE", 2)
        monkeypatch.setattr(log, "_MARKS", 8)
        opened, grown = log.Log(TOP, TABLE, ADDED), log.Log(TOP, TABLE, ADDED[:1])
        for entry in ADDED[1:]:
            grown.append(entry)
        for one in (opened, grown):
            assert 4 <= len(one._marks) <= 8
            for n in range(len(ADDED) + 1):
                added = [entry for entry in ADDED[:n] if entry["effects"]]
                assert len(one.state_at(n)["tracks"]) == len(TABLE["tracks"]) + len(added)
        for n, undone in enumerate((2, 151, 70, 199, 2), 1):
            for one in (opened, grown):
                one.append({"id": f"b.{n}", "t": 200 + n, "did": "undo", "undoes": f"a.{undone}"})
                assert len(one._marks) <= 8
            anew = log.Log(TOP, TABLE, opened.entries)
            assert opened.state == grown.state == anew.state
            assert f"track{undone}" not in anew.state["tracks"]


class TestInvalidEffect:
    """The checker accepts exactly the effects that the fold accepts."""

    @pytest.mark.parametrize(
        "effect",
        [
            "kara.health",
            {"by": 1},
            {"at": "kara.health"},
            {"at": "kara.health", "by": 1, "to": 2},
            {"at": "kara.health", "by": True},
            {"at": "kara.health", "by": 1.0},
            {"at": "kara.health", "by": 10**9},
            {"at": "Kara.health", "by": 1},
            {"at": "kara..health", "by": 1},
            {"at": "party", "add": {"name": "nobody"}},
            {"at": "party", "add": {"id": "no body"}},
            {"at": "party", "drop": ""},
            {"at": "party", "drop": datetime(2026, 1, 1)},
        ],
    )
    def test_invalid_effect_is_reported(self, effect: Any) -> None:
        assert effect_problem(effect)
