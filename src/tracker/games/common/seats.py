"""The seats of a table that several people share: who plays, in which role, and which characters are theirs.

`scenes` puts `LAYOUT` into every game. A campaign of one player has no seats, and its save does not mention them. The
functions return effects for `Session.do`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tracker.games.api.schema import Choice, Collection, Effect, Kind, Line, Record, State
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.phrases import Change, Phrases

PLAYER, GM, SPECTATOR = "player", "gm", "spectator"
ROLES = {PLAYER: "player", GM: "GM", SPECTATOR: "spectator"}
"""What players call the roles of a seat, by the value in the state."""
NAME_MOST = 40
"""Most characters in the name of a seat."""
_LONGEST_STEM = 17
"""Most characters of an id made from a name, so that a number fits behind it."""
SEAT = Record(
    {"name": Line(NAME_MOST), "role": Choice(tuple(ROLES)), "key": Line(200), "plays": Collection(Record({}))}
)
"""Schema of a seat. `key` is the public key that its player is known by, and `plays` has the ids of characters."""
LAYOUT: dict[str, Kind] = {"seats": Collection(SEAT, sparse=True)}
"""The field that the top of a game's schema needs: the seats by id, which entries name in `by`."""


def _name(change: Change) -> str:
    seats = change.after["seats"] if change.path[1] in change.after["seats"] else change.before["seats"]
    return shown_line(seats[change.path[1]]["name"]) or change.path[1]


PHRASES: Phrases = {
    "+seats": lambda change: f"{shown_line(change.new['name'])} joins as {ROLES[change.new['role']]}",
    "-seats": lambda change: f"{shown_line(change.old['name'])} leaves the table",
    "seats.*.name": lambda change: f"{shown_line(change.old)} is now called {shown_line(change.new)}",
    "seats.*.role": lambda change: f"{_name(change)} is {ROLES[change.new]} now",
    "seats.*.key": "",
    "+seats.*.plays": lambda change: f"{_name(change)} plays {_character(change)}",
    "-seats.*.plays": lambda change: f"{_name(change)} no longer plays {_character(change)}",
}
"""Phrases for the changes of seats."""


def _character(change: Change) -> str:
    who = change.path[-1]
    return shown_line(change.after["party"].get(who, {}).get("name", who))


def add(ident: str, name: str, role: str = PLAYER, key: str = "", plays: Iterable[str] = ()) -> list[Effect]:
    """Return the effects that add a seat with the id `ident` and the player's name `name`.

    If there is such a seat already, they only add the characters to it.
    `role` is one of ROLES, `key` the player's public key or "", and `plays` has the ids of the seat's characters.
    """
    seat = {"id": ident, "name": name, "role": role, "key": key}
    return [{"at": "seats", "add": seat}, *_characters(ident, plays, ())]


def change(
    state: State,
    ident: str,
    *,
    name: str | None = None,
    role: str | None = None,
    key: str | None = None,
    plays: Iterable[str] | None = None,
) -> list[Effect]:
    """Return the effects that give the seat with the id `ident` these values; None leaves a value as it is.

    `role` is one of ROLES, `key` a public key, and `plays` has the ids of all characters that the seat then plays.
    Raise KeyError if there is no such seat.
    """
    seat = state["seats"][ident]
    wanted = {"name": name, "role": role, "key": key}
    effects: list[Effect] = [
        {"at": f"seats.{ident}.{field}", "to": value}
        for field, value in wanted.items()
        if value is not None and value != seat[field]
    ]
    return effects if plays is None else [*effects, *_characters(ident, plays, seat["plays"])]


def handed(state: State, who: str, ident: str) -> list[Effect]:
    """Return the effects that let only the seat `ident` play the character `who`; with "", no seat does."""
    effects: list[Effect] = []
    for seat, record in state["seats"].items():
        if (who in record["plays"]) != (seat == ident):
            plays = [one for one in record["plays"] if one != who] + [who] * (seat == ident)
            effects += change(state, seat, plays=plays)
    return effects


def remove(ident: str) -> list[Effect]:
    """Return the effects that remove the seat with this id. Entries that name it as their author stay."""
    return [{"at": "seats", "drop": ident}]


def seats_of(state: State, who: str) -> tuple[str, ...]:
    """Return the ids of the seats that play the character with the id `who`."""
    return tuple(ident for ident, seat in state["seats"].items() if who in seat["plays"])


def _characters(ident: str, wanted: Iterable[str], now: Iterable[str]) -> list[Effect]:
    at, wanted, now = f"seats.{ident}.plays", list(wanted), list(now)
    gone: list[Effect] = [{"at": at, "drop": who} for who in now if who not in wanted]
    return [*gone, *({"at": at, "add": {"id": who}} for who in wanted if who not in now)]


def name_of(state: State, ident: str) -> str:
    """Return the name of the player in the seat with this id, safe to show; the id itself if there is no such seat."""
    return shown_line(state["seats"].get(ident, {}).get("name", "") or ident, NAME_MOST)


def holder(state: State, who: str) -> str:
    """Return the id of the first seat that plays this character, or "" if none does."""
    return next(iter(seats_of(state, who)), "")


def whose(state: State, who: str, by: str) -> str:
    """Return the id of the seat that has to act for this character instead of the seat `by`; "" if `by` may.

    A GM may act for everyone, and everyone for a character whom no seat plays.
    """
    if not by or not who or state["seats"].get(by, {}).get("role") == GM:
        return ""
    other = holder(state, who)
    return "" if by in seats_of(state, who) else other


def with_key(state: State, key: str) -> str:
    """Return the id of the seat of the player with this public key, or ""."""
    return next((ident for ident, seat in state["seats"].items() if key and seat["key"] == key), "")


def called(state: State, name: str) -> str:
    """Return the id of the seat of the player with this name, in any case, or ""."""
    wanted = name.casefold()
    return next((ident for ident, seat in state["seats"].items() if seat["name"].casefold() == wanted), "")


def free_id(state: State, name: str) -> str:
    """Return an id that no seat has, for a new player: the name in ASCII, or "player", with a number if it is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_LONGEST_STEM] or PLAYER
    taken = state["seats"]
    return stem if stem not in taken else next(f"{stem}_{n}" for n in range(2, 99) if f"{stem}_{n}" not in taken)
