"""What the abilities of packs give: our own data for abilities that were read one by one, guesses for all others.

A reading belongs to the words of an ability, not to its pack, so one reading serves every edition of a pack that has
the same words. The files in `official_abilities` hold hashes of these words, numbers and ids.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from tracker.content.markup import LINK, MACRO, plain
from tracker.games.api.asset_abilities import gift
from tracker.games.api.content import Ability, Asset, Flag, Meter
from tracker.records import NamedTuple

_BETWEEN_WORDS = re.compile(r"[^a-z0-9+-]+")
_KEY_DIGITS = 16


class Reading(NamedTuple):
    """What an ability gives, each thing as text that `gift` can parse.

    `partly` is True if the ability has further effects, which players find only in the text on the card.
    """

    gives: tuple[str, ...]
    partly: bool = False


def key_of(text: str) -> str:
    """Return a hash of the words of an ability's text; links, markup and case make no difference to it."""
    words = MACRO.sub(" ", LINK.sub(r"\1", text)).lower()
    return hashlib.sha256(_BETWEEN_WORDS.sub(" ", words).strip().encode()).hexdigest()[:_KEY_DIGITS]


@cache
def known() -> Mapping[str, Reading]:
    """Return all readings shipped with tracker, by the key that `key_of` returns."""
    from importlib.resources import files

    found: dict[str, Reading] = {}
    for file in files(__package__).joinpath("official_abilities").iterdir():
        if file.name.endswith(".toml"):
            for key, raw in tomllib.loads(file.read_text("utf-8"))["ability"].items():
                found[key] = Reading(tuple(raw["gives"]), raw.get("text", False))
    return found


def with_gifts(asset: Asset, moves: Collection[str]) -> Asset:
    """Return an asset of a pack with `gives` filled in for its abilities, and with its texts free of markup.

    An ability without a reading gets `guesses` instead; they name only moves in `moves`, which are last parts of ids.
    If an ability sets a flag or a meter that the card does not have, such as the charge of a ritual, the asset gets it.
    """
    abilities = tuple(_with_gifts(ability, moves) for ability in asset.abilities)
    flags, meters = _set_by(abilities)
    printed = {flag.id for flag in asset.flags} | {meter.id for meter in asset.meters}
    return asset._replace(
        abilities=abilities,
        needs=plain(asset.needs),
        flags=(*asset.flags, *(Flag(name, _words(name)) for name in flags if name not in printed)),
        meters=(
            *asset.meters,
            *(Meter(name, _words(name), kind="counter") for name in meters if name not in printed and name != "health"),
        ),
    )


def _set_by(abilities: Iterable[Ability]) -> tuple[list[str], list[str]]:
    """Return (names of the flags, names of the meters) that the abilities set, without duplicates."""
    gives = [give for one in abilities for text in one.gives for give in gift(text).gives]
    flags = dict.fromkeys(give.what for give in gives if give.kind == "flag")
    meters = dict.fromkeys(give.what for give in gives if give.kind == "meter")
    return list(flags), list(meters)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _with_gifts(ability: Ability, moves: Collection[str]) -> Ability:
    reading = known().get(key_of(ability.text))
    return ability._replace(
        text=plain(ability.text),
        gives=reading.gives if reading else (),
        guesses=() if reading else tuple(dict.fromkeys(guesses(ability.text, moves))),
    )


# -- guesses --------------------------------------------------------------------------------------------

_CLAUSE = re.compile(r"[.;:\n]\s*|,? and then ")
_ADD = re.compile(r"\badd \+([1-3])\b")
_REROLL = re.compile(r"\breroll (any|one|your|the|both)(?: of)?(?: your| the)?( action| challenge)? (?:die|dice)\b")
_ROLL = re.compile(r"\broll \+(edge|heart|iron|shadow|wits)\b")
_TAKE = re.compile(r"\b(?:take|gain) \+([1-5]) (momentum|health|spirit|supply)\b")
_HARM = re.compile(r"\binflict \+([1-3]) harm\b")
_OUTCOME = re.compile(r"\bon a (strong hit|weak hit|hit|miss)\b")
_MOVE = re.compile(r"@([a-z0-9_]+)")


def guesses(text: str, moves: Collection[str]) -> Iterator[str]:
    """Yield what an ability probably gives, guessed from common phrases in its text. Each guess parses as a gift.

    Only moves in `moves` are named. A clause that links to none of them is assumed to be about the same moves as the
    clause before it.
    """
    bare = text.replace("__", "").replace("*", "")  # ids have single underscores only
    marked = LINK.sub(lambda found: f"@{re.split('[/:]', found[2])[-1]}", bare)
    scope = ""
    for clause in _CLAUSE.split(marked.lower()):
        named = [move for move in _MOVE.findall(clause) if move in moves]
        scope = "/".join(dict.fromkeys(named)) or scope
        if scope and ("+" in clause or "reroll" in clause):
            yield from _of_clause(clause, scope)


def _of_clause(clause: str, scope: str) -> Iterator[str]:
    """Yield the guesses for one clause. `scope` has the last parts of the moves' ids, separated by slashes."""
    outcome = _OUTCOME.search(clause)
    on = f" on {outcome[1].replace(' ', '_')}" if outcome else ""
    added = _ADD.search(clause)
    if added and not (outcome and outcome.start() < added.start()):  # "on a hit, add +1" speaks of a later move
        yield f"+{added[1]} {scope}"
    if found := _ROLL.search(clause):
        yield f"roll {found[1]} {scope}"
    if found := _REROLL.search(clause):
        die = (found[2] or "").strip()
        one = found[1] == "one" and die != "action"
        yield " ".join(filter(None, ("reroll", "_".join(filter(None, ("one" if one else "", die))), scope)))
    if on:
        yield from (f"{what} +{points} {scope}{on}" for points, what in _TAKE.findall(clause))
    if found := _HARM.search(clause):
        yield f"harm +{found[1]} {scope}{on or ' on hit'}"
