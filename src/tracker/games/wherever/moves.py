"""The catalogue of moves: name, trigger and outcomes as shown. Their procedures are imported when a move starts."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.game import Move, lazy_procedure
from tracker.games.common import clocks, scenes
from tracker.games.wherever.dice import MARKS, OUTCOMES


def owed_label(name: str) -> str:
    """Return the label of a due item from its name, such as "Broken: death save vs 4" for `broken_save_4`."""
    stem, _, more = name.rpartition("_")
    if stem == "broken_save":
        return f"Broken: death save vs {more}"
    if stem == "hit" and more.isdigit():
        return f"Take the hit: {hit_words(int(more))}"
    return name.replace("_", " ").capitalize()


def hit_words(more: int) -> str:
    """Return the damage of a hit in words, such as "base damage +2".

    `more` is the number of the attacker's edges beyond the first.
    """
    return f"base damage +{more}" if more else "base damage"


_GREAT, _SUCCESS, _MIXED, _FAILURE = (MARKS[outcome] for outcome in reversed(OUTCOMES))
_TIERS = (
    (_GREAT, "3+ edges: you get it, and something extra"),
    (_SUCCESS, "2 edges: you get it"),
    (_MIXED, "1 edge: you get it at a cost, or part of it"),
    (_FAILURE, "no edge: it goes wrong"),
)
_AGAINST = (("", "more edges win; ties go to the defender"),)

_ALL = (
    ("action/roll", "Action roll", "action", "roll", "You try something uncertain.", _TIERS),
    ("action/group", "Group roll", "action", "group", "One rolls for all, the others help.", _TIERS),
    ("action/opposed", "Opposed roll", "opposed", "opposed", "Someone opposes you: both roll.", _AGAINST),
    ("action/attack", "Attack", "opposed", "attack", "You attack, or are attacked.", _AGAINST),
    ("after/benefit", "Benefit", "harm", "benefit", "A roll went well, and the GM grants more.", ()),
    ("after/consequence", "Consequence", "harm", "consequence", "A roll costs something.", ()),
    ("harm/hit", "Take a hit", "harm", "hit", "An attack hits you: assign its damage.", ()),
    ("harm/broken_save", "Broken: death save", "harm", "broken_save", "Health or Resolve is at 0.", ()),
    ("harm/injury", "Permanent injury", "harm", "injury", "The death save leaves a lasting injury.", ()),
    ("montage/montage", "Montage", "montage", "montage", "Time passes: you rest, heal, mend.", ()),
    ("montage/train", "Train", "montage", "train", "Time passes, and you learn.", ()),
    ("fate/ask", "Ask the oracle", "suggestions", "ask", "You want an answer you don't decide.", ()),
)
_BY_HAND = (
    ("gear/take", "Take an item", "gear", "take_item", "Something new to carry."),
    ("gear/stow", "Stow or drop an item", "gear", "stow_item", "Move it, or leave it behind."),
    ("gear/use_supply", "Use a supply", "gear", "use_supply", "Oil, food, arrows: is there still enough?"),
    ("gear/take_supply", "Take supplies", "gear", "take_supply", "Something that will be used up."),
    ("sheet/rate", "Rate an attribute or skill", "character", "rate", "A new die, by agreement."),
    ("sheet/talent", "Take a talent", "character", "take_talent", "Something only you can do."),
    ("sheet/trait", "Take a trait", "character", "take_trait", "What you are, for good or ill."),
    ("sheet/drive", "Take a drive", "character", "take_drive", "What you would spend yourself for."),
    ("sheet/let_go", "Let go of something", "character", "let_go", "A talent, a trait or a drive is gone."),
    ("sheet/harm", "Take a harm", "harm", "take_harm", "The story has hurt you."),
    ("sheet/heal_harm", "Heal a harm", "harm", "heal_harm", "It is better now."),
    ("sheet/name_harm", "Describe a harm", "harm", "name_harm", "What it is, and what it affects."),
    ("party/rename", "Rename a character", "character", "rename", "You go by a new name."),
    ("party/retire", "Retire", "character", "retire", "You leave play, and can come back."),
    ("party/remove", "Remove from the table", "character", "remove", "You are hidden; nothing is lost."),
    ("owed/strike_off", "Clear what's due", "harm", "strike_off", "You settled it in the story."),
)
_SOLO = (
    ("character/make", "Make a character", "character", "make_character", "A new character joins."),
    ("party/bring_back", "Bring a character back", "character", "bring_back", "A character returns to play."),
)


def _moves() -> Iterator[Move]:
    for ident, name, room, procedure, trigger, outcomes in _ALL:
        make, group = lazy_procedure(f"{__package__}.{room}", procedure), ident.partition("/")[0]
        yield Move(ident, name, make, group, trigger, outcomes, beside=ident == "fate/ask")
    for ident, name, room, procedure, trigger in _BY_HAND:
        yield Move(ident, name, lazy_procedure(f"{__package__}.{room}", procedure), "by hand", trigger)
    yield from clocks.MOVES
    for ident, name, room, procedure, trigger in _SOLO:
        yield Move(ident, name, lazy_procedure(f"{__package__}.{room}", procedure), "character", trigger, solo=True)


MOVES = {move.id: move for move in _moves()} | scenes.MOVES
