"""Prompts that several procedures share."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from typing import Any

from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Option, Pick, Prompt
from tracker.games.daggerheart.derived_values import brief, name
from tracker.text import shown_line

TYPED_IN = "typed."
"""Key of the option to type something in instead of taking it from the player's files. No id has a dot."""


def ask_own(
    table: Draft, kind: str, title: str, key: str = "from"
) -> Generator[Prompt, Answer, Mapping[str, Any] | None]:
    """Ask for a piece from the player's files and return its fields, or None if the player will type one in.

    `kind` is a key of PIECES, such as "weapon". Return None without asking if the files have no piece of this kind.
    """
    there = table.content().pieces.get(kind, {})
    if not there:
        return None
    options = (Option(ident, shown_line(one["name"]), _numbers(one)) for ident, one in there.items())
    chosen = yield Pick(
        key=key, title=title, options=(*options, Option(TYPED_IN, "another", "type it in")), default=TYPED_IN
    )
    return None if chosen == TYPED_IN else there[chosen]


def _numbers(one: Mapping[str, Any]) -> str:
    """Return the trait, type, damage and Difficulty of a piece in words; those that it lacks are left out."""
    told = (one.get("trait", ""), one.get("type", ""), one.get("damage", ""))
    difficulty = f"Difficulty {one['difficulty']}" if "difficulty" in one else ""
    return ", ".join(filter(None, (*map(shown_line, told), difficulty)))


def ask_target(table: Draft, among: Collection[str], title: str, key: str = "target") -> Pick:
    """Return the prompt for one of the creatures with the ids `among`.

    If there is only one, the prompt is answered by default. Raise Refused if there is none. `key` is the prompt's key.
    """
    if not among:
        raise Refused("There is no one to choose here.")
    options = tuple(Option(ident, name(table.state, ident), brief(table.state, ident)) for ident in among)
    alone = len(options) == 1
    return Pick(key=key, title=title, options=options, default=options[0].key if alone else None, quiet=alone)


def ask_belonging(table: Draft, sort: str, key: str, title: str) -> Pick:
    """Return the prompt for one of the acting character's things. Raise Refused if there is none.

    `sort` is the collection, such as "weapons". `key` is the prompt's key, and the word for one thing, such as
    "weapon".
    """
    there = table.me[sort]
    if not there:
        raise Refused(f"No {key} on the sheet yet.")
    return Pick(
        key=key, title=title, options=tuple(Option(ident, shown_line(one["name"])) for ident, one in there.items())
    )
