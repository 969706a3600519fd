"""The phrase engine, and the tables of phrases that the games give it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from tracker import games
from tracker.campaign.fold import apply, start
from tracker.games.api import phrases
from tracker.games.api.schema import OWN, Boolean, Collection, Counters, Integer, Kind, Line, Record, State

THING = Record({"name": Line(), "size": Integer(0, 9, label=OWN), "weight": Integer(0, 9)})
CHARACTER = Record(
    {"name": Line(), "xp": Integer(0, 9, label="experience"), "wet": Boolean(), "things": Collection(THING)}
)
TOP = Record({"mood": Line(), "party": Collection(CHARACTER)})


def keys(kind: Kind, path: str = "") -> Iterator[str]:
    """Yield every key that a table of phrases can have for this schema."""
    yield path
    match kind:
        case Record(fields):
            for name, field in fields.items():
                yield from keys(field, f"{path}.{name}" if path else name)
        case Collection(of):
            yield from (f"+{path}", f"-{path}")
            yield from keys(of, f"{path}.*")
        case Counters():
            yield f"{path}.*"


def state(*effects: dict[str, Any]) -> State:
    found = start(TOP)
    for effect in (
        {"at": "party", "add": {"id": "kara", "name": "Kara"}},
        {"at": "party", "add": {"id": "bo", "name": "Bo"}},
        {"at": "kara.things", "add": {"id": "rope", "name": "Rope"}},
        *effects,
    ):
        found = apply(TOP, found, effect)
    return found


@pytest.mark.parametrize("game", sorted(games.GAMES))
def test_phrases_of_a_game_name_paths_of_its_schema(game: str) -> None:
    assert {*games.get(game).phrases} <= {*keys(games.get(game).top)}


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ({"at": "kara.xp", "to": 2}, "experience 0 → 2"),
        ({"at": "bo.xp", "to": 2}, "Bo: experience 0 → 2"),
        ({"at": "kara.wet", "to": True}, "wet yes"),
        ({"at": "mood", "to": "grim"}, "mood: grim"),
        ({"at": "kara.things.rope.size", "to": 1}, "Rope 0 → 1"),
        ({"at": "kara.things.rope.weight", "to": 1}, "Rope weight 0 → 1"),
        ({"at": "kara.things", "add": {"id": "oil", "name": "Oil"}}, "thing: Oil"),
        ({"at": "kara.things", "drop": "rope"}, "Rope gone"),
    ],
)
def test_changes_without_a_phrase_use_the_labels_of_the_schema(effect: dict[str, object], told: str) -> None:
    assert phrases.changes(TOP, {}, state(), state(effect), "kara") == [told]


def test_changes_to_several_members_name_each_of_them() -> None:
    after = state({"at": "kara.xp", "to": 2}, {"at": "bo.xp", "to": 1})
    assert phrases.changes(TOP, {}, state(), after, "kara") == ["Kara: experience 0 → 2", "Bo: experience 0 → 1"]


def test_change_with_empty_phrase_is_left_out_without_a_name() -> None:
    after = state({"at": "kara.xp", "to": 2}, {"at": "bo.wet", "to": True})
    assert phrases.changes(TOP, {"party.*.wet": ""}, state(), after, "kara") == ["experience 0 → 2"]


def test_phrases_by_value_fall_back_to_the_one_under_none() -> None:
    table: phrases.Phrases = {"mood": {"grim": "it gets dark", None: "now {new}"}}
    assert phrases.changes(TOP, table, state(), state({"at": "mood", "to": "grim"}), "") == ["it gets dark"]
    assert phrases.changes(TOP, table, state(), state({"at": "mood", "to": "glad"}), "") == ["now glad"]


def test_label_of_the_own_field_is_the_id_of_its_record() -> None:
    assert phrases.label(TOP, "kara.things.old_rope.size") == "old rope"
    assert phrases.label(TOP, "kara.things.old_rope.weight") == "weight"


AT = datetime(2026, 11, 8, 20, 3)


def test_dates_name_the_month_first() -> None:
    assert (phrases.date(AT), phrases.short_date(AT)) == ("November 8, 2026", "Nov 8, 2026")


@pytest.mark.parametrize(("hour", "said"), [(0, "12:03 a.m."), (9, "9:03 a.m."), (12, "12:03 p.m."), (20, "8:03 p.m.")])
def test_time_of_day_has_twelve_hours(hour: int, said: str) -> None:
    assert phrases.time_of_day(AT.replace(hour=hour)) == said
