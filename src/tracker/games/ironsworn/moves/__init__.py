"""The catalogue of moves: name, trigger and outcomes as shown. Their procedures are imported when a move starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.game import Move, lazily
from tracker.games.common import clocks, scenes
from tracker.games.ironsworn.state import owed_label


def _by(name: str, room: str) -> Callable[[Draft], Procedure]:
    return lazily(f"tracker.games.ironsworn.{room}", name)


STRONG, WEAK, MISS = "■■", "■□", "□□"


def _told(strong: str, weak: str, miss: str = "Pay the Price") -> tuple[tuple[str, str], ...]:
    return (STRONG, strong), (WEAK, weak), (MISS, miss)


def _no_roll(words: str) -> tuple[tuple[str, str], ...]:
    return (("", f"no roll: {words}"),)


_BEARING = _told("shake it off, or momentum +1", "nothing more", "momentum -1; at 0 worse")

_ALL = (
    ("adventure/face_danger", "moves.simple", "You try something risky, or a threat is upon you.",
     _told("momentum +1", "through, at a small cost")),
    ("adventure/secure_an_advantage", "moves.simple", "You prepare, take stock, or look for leverage.",
     _told("momentum +2, or another move with +1", "momentum +1")),
    ("adventure/gather_information", "moves.simple", "You search, ask around, follow a track.",
     _told("momentum +2: you learn it", "momentum +1: it complicates things")),
    ("adventure/heal", "moves.adventure", "You treat a wound or a sickness.",
     _told("wounded is cleared, health up to +2", "the same, at a cost")),
    ("adventure/resupply", "moves.adventure", "You hunt, forage or scavenge.",
     _told("supply up to +2", "supply for momentum, up to 2")),
    ("adventure/make_camp", "moves.adventure", "You rest for hours in the wild.",
     _told("everyone recovers in two ways", "in one way")),
    ("adventure/undertake_a_journey", "moves.simple", "You travel through dangerous or unknown country.",
     _told("mark progress, at speed if you like", "mark progress, supply -1")),
    ("adventure/reach_your_destination", "moves.adventure", "Your journey comes to its end.",
     _told("momentum +1, or another move with +1", "you arrive to something unforeseen", "lost: go on, or give it up")),
    ("relationship/compel", "moves.simple", "You want somebody to do something.",
     _told("they do it, momentum +1", "the same, but they want something")),
    ("relationship/sojourn", "moves.sojourn", "You spend days among people to recover.",
     _told("everyone recovers in two ways", "in one way")),
    ("relationship/draw_the_circle", "moves.relationship", "You challenge somebody to a duel, or accept one.",
     _told("momentum +1 and up to two boasts", "up to one boast", "Pay the Price, the foe strikes first")),
    ("relationship/forge_a_bond", "moves.relationship", "You have come close to a person or a community.",
     _told("a bond, and spirit +1 or momentum +2", "they ask something first")),
    ("relationship/test_your_bond", "moves.relationship", "A bond is strained.",
     _told("it holds; spirit +1 or momentum +2", "prove it, or lose it", "it is lost; Pay the Price")),
    ("relationship/aid_your_ally", "moves.relationship", "You secure an advantage for another of the party.",
     _told("momentum +2 for them, or a move with +1", "momentum +1 for them")),
    ("relationship/write_your_epilogue", "moves.relationship", "Every vow is done with, and you lay down your iron.",
     _told("as you hoped", "otherwise, and not all bad", "as you feared")),
    ("combat/enter_the_fray", "moves.simple", "A fight begins, or you join it.",
     _told("momentum +2 and the initiative", "one of the two", "Pay the Price, the foe has the initiative")),
    ("combat/strike", "moves.simple", "You have the initiative and attack.",
     _told("your harm +1, you keep the initiative", "your harm, you lose it", "Pay the Price, you lose it")),
    ("combat/clash", "moves.simple", "The foe has the initiative and you fight back.",
     _told("your harm, the initiative, and a choice", "your harm; Pay the Price")),
    ("combat/turn_the_tide", "moves.combat", "Once in a fight, you stake everything.",
     _no_roll("the initiative, and +1 on one move")),
    ("combat/end_the_fight", "moves.combat", "Right after a strong hit you try to finish it.",
     _told("the foe is out of it", "the same, at a price", "you have lost; Pay the Price")),
    ("combat/battle", "moves.simple", "You settle a whole fight with one roll.",
     _told("you get what you fought for, momentum +2", "you get it; Pay the Price", "you do not; Pay the Price")),
    ("suffer/endure_harm", "moves.suffer", "You are hurt.", _BEARING),
    ("suffer/face_death", "moves.suffer", "You are at death's door.",
     _told("you return", "die, or return with a quest", "you die")),
    ("suffer/companion_endure_harm", "moves.suffer", "Your companion is hurt.",
     _told("its health +1", "at 0 it cannot help", "momentum -1; at 0 it may die")),
    ("suffer/endure_stress", "moves.suffer", "You are shocked, or lose heart.", _BEARING),
    ("suffer/face_desolation", "moves.suffer", "Your spirit is about to break.",
     _told("you go on", "break, or go on with a dread", "you are lost")),
    ("suffer/out_of_supply", "moves.suffer", "Supply was 0, and more was lost.",
     _no_roll("it is paid in other tracks")),
    ("suffer/face_a_setback", "moves.suffer", "Momentum was at -6, and more was lost.",
     _no_roll("it is paid in other tracks, or in progress")),
    ("quest/swear_an_iron_vow", "moves.quest", "You lay your hand on iron and swear to see something done.",
     _told("momentum +2", "momentum +1", "an obstacle first: press on or give up")),
    ("quest/reach_a_milestone", "moves.quest", "You have come a good step nearer to what you swore.",
     _no_roll("mark progress on the vow")),
    ("quest/fulfill_your_vow", "moves.quest", "You believe that your vow is done.",
     _told("experience by rank", "one less, and more is left", "recommit, or give it up")),
    ("quest/forsake_your_vow", "moves.quest", "You give up a vow, or have lost the right to it.",
     _no_roll("the vow ends, its rank is owed as stress")),
    ("quest/advance", "moves.quest", "You have learned from what you did.",
     _no_roll("3 experience for an asset, 2 for an ability")),
    ("fate/pay_the_price", "moves.fate", "A move tells you to, or you have walked into it.",
     _no_roll("the obvious, one of two, or the table")),
    ("fate/ask_the_oracle", "moves.fate", "You want to know what you do not decide.",
     _no_roll("yes or no, one of two, or words to think about")),
)  # fmt: skip

_BY_HAND = (
    ("quest/overcome", "Overcome the Obstacle", "tracks.overcome", "What blocked a vow is out of the way."),
    ("track/start", "Begin a track", "tracks.start_track", "A journey, a foe or a vow that no move began, or a clock."),
    ("track/mark", "Mark progress", "tracks.mark_progress", "Progress that no move gave."),
    ("track/clear", "Clear progress", "tracks.clear_progress", "Progress lost outside a move."),
    ("track/rank", "Change a track's rank", "tracks.change_rank", "It is harder, or easier, than it seemed."),
    ("track/rename", "Rename a track", "tracks.rename_track", "You know now what it is."),
    ("track/close", "Close a track", "tracks.close_track", "It ends without a progress move: you fled, or gave up."),
    ("track/reopen", "Open a track again", "tracks.reopen_track", "It was not over after all."),
    ("track/put_away", "Put a track away", "tracks.put_away", "It is over, and need not be looked at any more."),
    ("roll/action", "Action roll", "moves.fate.bare_roll", "A roll with a stat, and nothing else."),
    ("roll/progress", "Progress roll", "moves.fate.bare_progress", "A track against two dice, and nothing else."),
    ("sheet/asset", "Take an asset", "character.take_asset", "One of your first three, or what the story gave."),
    ("sheet/weapon", "Take up a weapon", "character.take_weapon", "A deadly one inflicts 2 harm, any other 1."),
    ("sheet/name_asset", "Name an asset", "assets.name_asset", "Your companion, your mentor, your home has a name."),
    ("sheet/lose_asset", "Lose an asset", "assets.lose_asset", "The story has taken it."),
    ("sheet/bond", "Mark a bond", "moves.relationship.mark_bond", "A bond that no move made."),
    ("sheet/name_bond", "Name a bond", "moves.relationship.name_bond", "Another name, or something to remember of it."),
    ("sheet/drop_bond", "Let a bond go", "moves.relationship.drop_bond", "It ends without a move."),
    ("sheet/mark", "Mark a debility", "character.mark_debility", "The story has marked you."),
    ("sheet/clear", "Clear a debility", "character.clear_debility", "The story has set you right."),
    ("party/rename", "Change a name", "party.rename", "You are called something else from now on."),
    ("party/retire", "Retire", "party.retire", "You step out of play, and may come back."),
    ("party/remove", "Take off the table", "party.remove", "You are no longer shown; nothing is lost."),
    ("owed/strike_off", "Settle what is owed", "moves.fate.strike_off", "It was settled at the table."),
)

_BY_NOBODY = (
    ("character/make", "Make a character", "character.make_character", "Somebody new joins."),
    ("party/bring_back", "Bring somebody back", "party.bring_back", "Somebody who was out of play is back."),
)


def _moves() -> Iterator[Move]:
    for ident, room, trigger, outcomes in _ALL:
        group, name = ident.split("/")
        yield Move(ident, owed_label(name), _by(name, room), group, trigger, outcomes)
    for ident, label, procedure, trigger in _BY_HAND:
        room, _, name = procedure.rpartition(".")
        yield Move(ident, label, _by(name, room), "by hand", trigger)
    yield from clocks.MOVES
    for ident, label, procedure, trigger in _BY_NOBODY:
        room, _, name = procedure.rpartition(".")
        yield Move(ident, label, _by(name, room), "character", trigger, solo=True)


MOVES = {move.id: move for move in _moves()} | scenes.MOVES
NAMED = {ident.rpartition("/")[2]: ident for ident, *_ in _ALL} | {"overcome": "quest/overcome"}
"""Id of each move of the game by its last part."""
ROLLED = frozenset(name for name, ident in NAMED.items() if len(MOVES[ident].outcomes) > 1) - {
    "reach_your_destination",
    "write_your_epilogue",
    "end_the_fight",
    "fulfill_your_vow",
}
"""Moves with an action roll, which adds and rerolls can help."""
