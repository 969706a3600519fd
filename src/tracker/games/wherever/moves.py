"""The catalogue of moves: name, trigger and outcomes as shown. Their procedures are imported when a move starts."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.game import Move, lazily
from tracker.games.common import clocks, scenes
from tracker.games.wherever.dice import MARKS, OUTCOMES


def owed_label(name: str) -> str:
    """Return the label of a due item, such as "Broken: the save against 4" for `broken_save_4`."""
    stem, _, more = name.rpartition("_")
    if stem == "broken_save":
        return f"Broken: the save against {more}"
    if stem == "hit" and more.isdigit():
        return f"Take the hit: {hit_words(int(more))}"
    return name.replace("_", " ").capitalize()


def hit_words(more: int) -> str:
    """Return the damage of a hit in words. The base damage is the weapon's and not known here."""
    return f"base damage +{more}" if more else "base damage"


_GREAT, _SUCCESS, _MIXED, _FAILURE = (MARKS[outcome] for outcome in reversed(OUTCOMES))
_TIERS = (
    (_GREAT, "3 edges or more: you get it, and something on top"),
    (_SUCCESS, "2 edges: you get it"),
    (_MIXED, "1 edge: you get it at a cost, or a part of it"),
    (_FAILURE, "no edge: it goes wrong"),
)
_AGAINST = (("", "more edges win; a tie is the defender's"),)

_ALL = (
    ("action/roll", "Action roll", "action", "roll", "You try something whose end is open.", _TIERS),
    ("action/group", "Group roll", "action", "group", "One rolls for all, the others help.", _TIERS),
    ("action/opposed", "Opposed roll", "opposed", "opposed", "Somebody is against you, and both roll.", _AGAINST),
    ("action/attack", "Attack", "opposed", "attack", "You attack, or are attacked.", _AGAINST),
    ("after/benefit", "Benefit", "harm", "benefit", "A roll went well, and the GM grants more.", ()),
    ("after/consequence", "Consequence", "harm", "consequence", "A roll costs something.", ()),
    ("harm/hit", "Take a hit", "harm", "hit", "An attack got through to you.", ()),
    ("harm/broken_save", "Broken: the save", "harm", "broken_save", "Health or Resolve is gone.", ()),
    ("harm/injury", "Permanent injury", "harm", "injury", "The save has left something for good.", ()),
    ("montage/montage", "Montage", "montage", "montage", "Time passes: you rest, heal, mend.", ()),
    ("montage/train", "Train", "montage", "train", "Time passes, and you learn.", ()),
    ("fate/ask", "Ask fate", "suggestions", "ask", "You want to know what you do not decide.", ()),
)
_BY_HAND = (
    ("gear/take", "Take an item", "gear", "take_item", "Something new to carry."),
    ("gear/stow", "Stow or drop an item", "gear", "stow_item", "It is somewhere else now."),
    ("gear/use_supply", "Use a supply", "gear", "use_supply", "Oil, food, arrows: is there still enough?"),
    ("gear/take_supply", "Take supplies", "gear", "take_supply", "Something that will be used up."),
    ("sheet/rate", "Rate an attribute or skill", "character", "rate", "Another die, by the table's word."),
    ("sheet/talent", "Take a talent", "character", "take_talent", "Something only you can do."),
    ("sheet/trait", "Take a trait", "character", "take_trait", "What you are, for good or ill."),
    ("sheet/drive", "Take a drive", "character", "take_drive", "What you would spend yourself for."),
    ("sheet/let_go", "Let go of something", "character", "let_go", "A talent, a trait or a drive is gone."),
    ("sheet/harm", "Take a harm", "harm", "take_harm", "The story has hurt you."),
    ("sheet/heal_harm", "Heal a harm", "harm", "heal_harm", "It is better now."),
    ("sheet/name_harm", "Say what a harm is", "harm", "name_harm", "What it is, and what it hampers."),
    ("party/rename", "Change a name", "character", "rename", "You are called something else from now on."),
    ("party/retire", "Retire", "character", "retire", "You step out of play, and may come back."),
    ("party/remove", "Take off the table", "character", "remove", "You are no longer shown; nothing is lost."),
    ("owed/strike_off", "Settle what is owed", "harm", "strike_off", "It was settled at the table."),
)
_SOLO = (
    ("character/make", "Make a character", "character", "make_character", "Somebody new joins."),
    ("party/bring_back", "Bring somebody back", "character", "bring_back", "Somebody who was out of play is back."),
)


def _moves() -> Iterator[Move]:
    for ident, name, room, procedure, trigger, outcomes in _ALL:
        yield Move(ident, name, lazily(f"{__package__}.{room}", procedure), ident.partition("/")[0], trigger, outcomes)
    for ident, name, room, procedure, trigger in _BY_HAND:
        yield Move(ident, name, lazily(f"{__package__}.{room}", procedure), "by hand", trigger)
    yield from clocks.MOVES
    for ident, name, room, procedure, trigger in _SOLO:
        yield Move(ident, name, lazily(f"{__package__}.{room}", procedure), "character", trigger, solo=True)


MOVES = {move.id: move for move in _moves()} | scenes.MOVES
