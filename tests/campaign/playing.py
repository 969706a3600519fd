"""What the tests of the table share: small campaigns, any effect, and a plain second opinion on what a log adds up to."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from tracker import games
from tracker.campaign import log, session
from tracker.campaign.fold import fold, start
from tracker.campaign.log import Entry
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.schema import Boolean, Choice, Collection, Counters, Integer, Kind, Ladder, Line, Record, State
from tracker.games.ironsworn.state import CHARACTER, TOP, TRACK
from tracker.saves import blocks
from tracker.saves.disk import Disk
from tracker.saves.entries import effect_problem
from tracker.saves.save import Save

GAME = games.get("ironsworn")


class Quick(Disk):
    """The real disk without its syncs, which take most of the time of a short test."""

    def sync(self, fd: int) -> None:
        pass

    def sync_folder(self, path: str) -> None:
        pass


def open_session(path: str | Path, *, write: bool = True) -> Session:
    return Session.open(str(path), write=write, disk=Quick())


def fresh_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new folder for one example of a property."""
    return Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp()))


@contextmanager
def campaign(folder: Path) -> Iterator[Session]:
    """Write a new campaign with Kara and one vow, and return its session."""
    path = folder / "tale.toml"
    new_campaign(str(path), GAME, Quick())
    table = open_session(path)
    table.do("edit", [KARA, OATH])
    try:
        yield table
    finally:
        table.close()


@contextmanager
def short_memory(keep: int, compact_after: int = 8) -> Iterator[None]:
    """Let the snapshot follow closely while this lasts, so that a log of a few entries has one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "KEEP", keep)
        patch.setattr(session, "COMPACT_AFTER", compact_after)
        yield


KARA = {"at": "party", "add": {"id": "kara", "name": "Kara", "edge": 2, "iron": 3}}
BO = {"at": "party", "add": {"id": "bo", "name": "Bo"}}
OATH: dict[str, Any] = {"at": "tracks", "add": {"id": "oath", "name": "The oath", "kind": "vow", "rank": "dangerous"}}


def play(table: Session, procedure: str, who: str = "kara", /, **answers: Any) -> Entry:
    """Make a move from begin to end; the dice are among the answers."""
    run = table.begin(procedure, who, [(key, value) for key, value in answers.items() if key != "dice"])
    while run.prompt is not None:
        table.rolled(run, answers["dice"])
    return table.finish(run)


# -- any effect -----------------------------------------------------------------------------------------

WORDS = (
    *("party", "tracks", "supply", "scene", "kara", "bo", "oath", "road"),
    *CHARACTER.fields,
    *TRACK.fields,
    *("wounded", "unprepared", "pay_the_price", "any", "mood", "id"),
)
words = st.sampled_from(WORDS)
paths = st.one_of(
    st.sampled_from(
        [
            *("supply", "scene", "party", "tracks", "kara", "tracks.oath", "tracks.oath.ticks", "tracks.oath.rank"),
            *(f"{who}.{name}" for who in ("kara", "bo") for name in CHARACTER.fields),
            *("kara.owed.pay_the_price", "kara.waiting.any", "kara.debilities.cursed.vow", "kara.mood"),
        ]
    ),
    st.lists(words, min_size=1, max_size=8).map(".".join),
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
plain = st.one_of(
    st.integers(-12, 45),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from(["reset", "alive", "dead", "open", "blocked", "epic", "vow", "strong hit", ""]),
    texts,
    st.booleans(),
    st.floats(allow_nan=False),
    st.datetimes(),
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | texts, inner, max_size=4),
    max_leaves=6,
)
records = st.builds(
    lambda ident, fields: {"id": ident, **fields},
    st.sampled_from(["kara", "bo", "oath", "road", "wounded", "unprepared", "cursed", "x" * 80]),
    st.dictionaries(words.filter("id".__ne__), values, max_size=4),
)
points = st.integers(-15, 15) | st.integers(-(10**9) + 1, 10**9 - 1)
any_effect = st.one_of(
    st.builds(lambda at, by: {"at": at, "by": by}, paths, points),
    st.builds(lambda at, to: {"at": at, "to": to}, paths, values),
    st.builds(lambda at, add: {"at": at, "add": add}, paths, records),
    st.builds(lambda at, drop: {"at": at, "drop": drop}, paths, words),
).filter(lambda effect: effect_problem(effect) is None)

likely_effect = st.one_of(
    st.builds(
        lambda at, by: {"at": at, "by": by},
        st.sampled_from(["kara.health", "kara.momentum", "supply", "bo.spirit", "tracks.oath.ticks", "kara.owed.heal"]),
        st.integers(-9, 9),
    ),
    st.builds(lambda at, to: {"at": at, "to": to}, st.just("kara.momentum"), st.integers(-6, 10) | st.just("reset")),
    st.builds(
        lambda who, debility: {"at": f"{who}.debilities", "add": {"id": debility}},
        st.sampled_from(["kara", "bo"]),
        st.sampled_from(["wounded", "shaken", "unprepared", "maimed"]),
    ),
    st.builds(lambda drop: {"at": "kara.debilities", "drop": drop}, st.sampled_from(["wounded", "unprepared"])),
    st.sampled_from([BO, {"at": "party", "drop": "bo"}]),
)
"""What happens at a table: every kind of change whose order matters."""


def within(kind: Kind, value: Any) -> bool:
    """Return True if this value keeps to the schema, with every field in its place."""
    match kind:
        case Integer():
            return type(value) is int and kind.low <= value <= kind.high
        case Choice() | Ladder():
            return value in kind.values
        case Line():
            return isinstance(value, str)
        case Boolean():
            return isinstance(value, bool)
        case Counters():
            return all(type(number) is int and 1 <= number <= kind.most for number in value.values())
        case Record():
            return all(name in value and within(inner, value[name]) for name, inner in kind.fields.items())
        case Collection():
            return all(within(kind.of, record) for record in value.values())


# -- a second opinion -----------------------------------------------------------------------------------


def adds_up_to(entries: list[Entry]) -> State:
    """Return the state of a log, worked out the slow way."""
    entries = sorted(entries, key=lambda entry: (entry["t"], entry["id"]))
    taken = main_lines(entries)
    thing: dict[str, str] = {}
    for entry in entries:
        closes = entry.get("closes", "")
        thing[entry["id"]] = thing.get(closes, closes) or entry["id"]
    undone = set()
    for entry in reversed(entries):
        if "undoes" in entry and entry["id"] not in undone:
            undone.add(thing.get(entry["undoes"], entry["undoes"]))
    state = start(TOP)
    for n, entry in enumerate(entries):
        mine = thing[entry["id"]]
        void = any(later.get("whole") and thing[later["id"]] == mine and taken(later) for later in entries[n + 1 :])
        if mine not in undone and not void and taken(entry) and "undoes" not in entry:
            state = fold(TOP, state, entry.get("effects", []))
    return state


def main_lines(entries: list[Entry]) -> Callable[[Entry], bool]:
    """Return a test for whether an entry is on the line of its procedure that counts, by walking back to its beginning.

    `entries` are in the order of the fold. Where several go on from one entry, the line goes on with the first.
    """
    by_id = {entry["id"]: entry for entry in entries}
    goes_on: dict[str, list[str]] = {}
    for entry in entries:
        goes_on.setdefault(entry.get("closes", ""), []).append(entry["id"])

    def taken(entry: Entry) -> bool:
        while "closes" in entry:
            if goes_on[entry["closes"]][0] != entry["id"]:
                return False
            if entry["closes"] not in by_id:
                return True
            entry = by_id[entry["closes"]]
        return True

    return taken


def whole_file(path: str | Path) -> list[Entry]:
    """Return every entry in a save, read without its snapshot, in the order of the fold."""
    return [block.entry for block in whole_blocks(path)]


def whole_blocks(path: str | Path) -> list[blocks.Block]:
    save = Save.open(str(path), write=False)
    save.read_whole()
    save.close()
    return save.blocks


def opened_state(path: str | Path) -> State:
    """Return the state that a player sees who opens this save now."""
    table = open_session(path, write=False)
    table.close()
    return table.state
