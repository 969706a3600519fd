"""The list of all moves, with name, trigger and outcomes. The procedure of a move is imported when the move starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.game import Move, lazy_procedure
from tracker.games.common import clocks, scenes
from tracker.games.ironsworn.state import owed_label


def _by(name: str, room: str) -> Callable[[Draft], Procedure]:
    return lazy_procedure(f"tracker.games.ironsworn.{room}", name)


STRONG, WEAK, MISS = "■■", "■□", "□□"
ORACLE = "fate/ask_the_oracle"
TRUTHS = "story/truths"


def _told(strong: str, weak: str, miss: str = "Pay the Price") -> tuple[tuple[str, str], ...]:
    return (STRONG, strong), (WEAK, weak), (MISS, miss)


def _no_roll(words: str) -> tuple[tuple[str, str], ...]:
    return (("", f"no roll: {words}"),)


def _told_of_enduring(field: str) -> tuple[tuple[str, str], ...]:
    """Return (mark, consequence) of each outcome of a move that endures a loss of `field`, "health" or "spirit"."""
    return _told(
        f"shake it off ({field} +1, momentum -1), or momentum +1",
        "you press on",
        f"momentum -1; at {field} 0 also a debility, or worse",
    )


_ALL = (
    ("adventure/face_danger", "moves.adventure", "You try something risky, or a threat is upon you.",
     _told("you succeed; momentum +1", "you get through, at a small cost")),
    ("adventure/secure_an_advantage", "moves.adventure", "You prepare, take stock, or look for leverage.",
     _told("you gain ground; momentum +2, or +1 on the next move", "it helps for now; momentum +1")),
    ("adventure/gather_information", "moves.adventure", "You search, ask around, or follow a trail.",
     _told("you learn it; momentum +2", "what you learn complicates things; momentum +1")),
    ("adventure/heal", "moves.adventure", "You treat a wound or a sickness.",
     _told("wounded is cleared, health up to +2", "wounded is cleared, health up to +2, at a cost")),
    ("adventure/resupply", "moves.adventure", "You hunt, forage, or scavenge.",
     _told("you find plenty; supply up to +2", "you find some; trade momentum for supply, up to 2")),
    ("adventure/make_camp", "moves.adventure", "You rest for hours in the wild.",
     _told("everyone recovers in two ways", "everyone recovers in one way")),
    ("adventure/undertake_a_journey", "moves.adventure", "You travel through dangerous or unknown country.",
     _told("you reach a waypoint; mark progress, go faster if you like",
           "you reach a waypoint; mark progress, supply -1")),
    ("adventure/reach_your_destination", "moves.adventure", "Your journey comes to its end.",
     _told("you arrive; momentum +1, or +1 on the next move", "you arrive to something unforeseen",
           "you are lost: continue, or give up")),
    ("relationship/compel", "moves.relationship", "You want someone to do something.",
     _told("they do it; momentum +1", "they do it for something in return; momentum +1")),
    ("relationship/sojourn", "moves.sojourn", "You spend days among people to recover.",
     _told("everyone recovers in two ways", "everyone recovers in one way")),
    ("relationship/draw_the_circle", "moves.relationship", "You challenge someone to a duel, or accept one.",
     _told("momentum +1 and up to 2 boasts", "you may make 1 boast", "Pay the Price; the foe strikes first")),
    ("relationship/forge_a_bond", "moves.relationship", "You have grown close to a person or a community.",
     _told("a bond, and spirit +1 or momentum +2", "they ask something of you first")),
    ("relationship/test_your_bond", "moves.relationship", "A bond is strained.",
     _told("the bond is as strong as ever; spirit +1 or momentum +2", "prove your loyalty, or lose the bond",
           "the bond is lost; Pay the Price")),
    ("relationship/aid_your_ally", "moves.relationship", "You secure an advantage for another member of the party.",
     _told("your help counts; momentum +2 for them, or +1 on their next move",
           "it helps for now; momentum +1 for them")),
    ("relationship/write_your_epilogue", "moves.relationship", "Your last vow is over, and you lay down your iron.",
     _told("your life turns out as you hoped",
           "not quite as you hoped, but not all bad", "what you feared comes true")),
    ("combat/enter_the_fray", "moves.combat", "A fight begins, or you join it.",
     _told("you are in control; momentum +2 and initiative", "momentum +2 or initiative",
           "Pay the Price; foe has initiative")),
    ("combat/strike", "moves.combat", "You have initiative and attack.",
     _told("inflict your harm +1, keep initiative", "inflict your harm, lose initiative",
           "Pay the Price, lose initiative")),
    ("combat/clash", "moves.combat", "The foe has initiative and you fight back.",
     _told("inflict your harm, take initiative, choose one",
           "inflict your harm, but Pay the Price; foe has initiative")),
    ("combat/turn_the_tide", "moves.combat", "Once per fight, you stake everything.",
     _no_roll("initiative, and +1 on one move")),
    ("combat/end_the_fight", "moves.combat", "Right after a strong hit, you try to finish it.",
     _told("the foe is out of the fight", "the foe is out of the fight, at a price", "you lose; Pay the Price")),
    ("combat/battle", "moves.combat", "You settle a whole fight with one roll.",
     _told("you get what you fought for, momentum +2", "you get it, but Pay the Price",
           "you don't get it; Pay the Price")),
    ("suffer/endure_harm", "moves.suffer", "You are hurt.", _told_of_enduring("health")),
    ("suffer/face_death", "moves.suffer", "You are at death's door.",
     _told("death lets you return", "die, or return with a quest", "you die")),
    ("suffer/companion_endure_harm", "moves.suffer", "Your companion is hurt.",
     _told("it shakes it off; its health +1", "it goes on; at health 0 it can't help",
           "momentum -1; at health 0 it may die")),
    ("suffer/endure_stress", "moves.suffer", "You are shocked, or lose heart.", _told_of_enduring("spirit")),
    ("suffer/face_desolation", "moves.suffer", "Your spirit is about to break.",
     _told("you carry on", "break, or carry on with a dread", "you are lost")),
    ("suffer/out_of_supply", "moves.suffer", "You lose supply, but it is already 0.",
     _no_roll("you pay with other tracks")),
    ("suffer/face_a_setback", "moves.suffer", "You lose momentum, but it is already -6.",
     _no_roll("you pay with other tracks, or with progress")),
    ("quest/swear_an_iron_vow", "moves.quest", "You lay your hand on iron and swear to see something done.",
     _told("you know what to do; momentum +2", "much is still unclear; momentum +1",
           "an obstacle is in the way: press on or give up")),
    ("quest/reach_a_milestone", "moves.quest", "You get a big step closer to what you swore.",
     _no_roll("mark progress on the vow")),
    ("quest/fulfill_your_vow", "moves.quest", "You believe that you have done what you swore.",
     _told("it is done; experience by rank", "1 experience less, and more to do",
           "it isn't over: recommit, or give up")),
    ("quest/forsake_your_vow", "moves.quest", "You give up a vow, or have lost the right to it.",
     _no_roll("the vow ends; Endure Stress by its rank")),
    ("quest/advance", "moves.quest", "You have learned from your deeds.",
     _no_roll("3 experience for an asset, 2 for an ability")),
    ("fate/pay_the_price", "moves.fate", "A move tells you to, or you brought it on yourself.",
     _no_roll("the most obvious outcome, one of two, or the table")),
    (ORACLE, "moves.fate", "You ask about something that isn't up to you.",
     _no_roll("yes or no, one of two, or words to inspire you")),
)  # fmt: skip

_BY_HAND = (
    ("quest/overcome", "Overcome the Obstacle", "tracks.overcome", "You have dealt with what blocked a vow."),
    ("track/start", "Start a track", "tracks.start_track", "A journey, fight, vow, or clock begins without a move."),
    ("track/mark", "Mark progress", "tracks.mark_progress", "You make progress without a move."),
    ("track/clear", "Clear progress", "tracks.clear_progress", "You lose progress without a move."),
    ("track/rank", "Change a track's rank", "tracks.change_rank", "It is harder or easier than it seemed."),
    ("track/join", "Join a vow", "tracks.join_vow", "You share what another character swore."),
    ("track/rename", "Rename a track", "tracks.rename_track", "It goes by another name now."),
    ("track/close", "Close a track", "tracks.close_track", "It ends without a progress move: you fled, or gave up."),
    ("track/reopen", "Reopen a track", "tracks.reopen_track", "It isn't over after all."),
    ("track/put_away", "Hide a finished track", "tracks.put_away", "It's over; keep it out of sight."),
    ("track/show", "Show a hidden track", "tracks.show_track", "A finished track comes back into sight."),
    ("track/note", "Link a track to a note", "tracks.link_track", "It is about someone, somewhere, or something."),
    ("track/waypoint", "Name a waypoint", "tracks.name_waypoint", "A place on your journey gets a name."),
    ("roll/action", "Action roll", "moves.bare_rolls.bare_roll", "Just the roll, with a stat."),
    ("roll/progress", "Progress roll", "moves.bare_rolls.bare_progress", "Just the roll, a track against two dice."),
    ("sheet/asset", "Take an asset", "assets.ask_new_asset", "A starting asset, or one from the story."),
    ("sheet/weapon", "Take up a weapon", "character.take_weapon", "A deadly one inflicts 2 harm, any other 1."),
    ("sheet/name_asset", "Name an asset", "assets.name_asset", "Your companion, mentor, or home gets a name."),
    (
        "sheet/use_asset",
        "Use an asset",
        "asset_uses.use_asset",
        "An asset's own move, or what it can do outside moves.",
    ),
    ("sheet/ready_asset", "Ready an asset", "asset_uses.ready_asset", "What was used once can be used again."),
    ("sheet/lose_asset", "Lose an asset", "assets.lose_asset", "An asset leaves the story."),
    ("sheet/bond", "Mark a bond", "moves.relationship.mark_bond", "You form a bond without a move."),
    ("sheet/name_bond", "Name a bond", "moves.relationship.name_bond", "A new name, or a note about it."),
    ("sheet/bond_note", "Link a bond to a note", "moves.relationship.link_bond", "You wrote down who they are."),
    ("sheet/drop_bond", "Let a bond go", "moves.relationship.drop_bond", "A bond ends without a move."),
    ("sheet/mark", "Mark a debility", "character.mark_debility", "The story leaves its mark on you."),
    ("sheet/clear", "Clear a debility", "character.clear_debility", "You recover in the story."),
    ("party/rename", "Rename a character", "character.rename", "You go by a new name."),
    ("party/retire", "Retire", "character.retire", "You step out of play, and can come back."),
    ("party/remove", "Remove from the table", "character.remove", "Hide a character; nothing is lost."),
    ("owed/strike_off", "Clear what's due", "moves.fate.strike_off", "You settled it in the story, or you skip it."),
)

_BY_NOBODY = (
    ("character/make", "Make a character", "character.make_character", "A new character joins."),
    ("party/bring_back", "Bring a character back", "character.bring_back", "A retired or removed character returns."),
)


def _moves() -> Iterator[Move]:
    for ident, room, trigger, outcomes in _ALL:
        group, name = ident.split("/")
        yield Move(ident, owed_label(name), _by(name, room), group, trigger, outcomes, beside=ident == ORACLE)
    for ident, label, procedure, trigger in _BY_HAND:
        room, _, name = procedure.rpartition(".")
        yield Move(ident, label, _by(name, room), "by hand", trigger)
    yield from clocks.MOVES
    for ident, label, procedure, trigger in _BY_NOBODY:
        room, _, name = procedure.rpartition(".")
        yield Move(ident, label, _by(name, room), "character", trigger, solo=True)
    yield Move(
        TRUTHS,
        "World truths",
        _by("world_truths", "moves.truths"),
        "story",
        "You settle what is true in your world, with the questions of your packs.",
        solo=True,
        kept=True,
    )


_STORY = (
    scenes.SCENE._replace(make=_by("new_scene", "asset_uses")),
    scenes.SESSION._replace(make=_by("new_session", "asset_uses")),
)
MOVES = {move.id: move for move in _moves()} | scenes.MOVES | {move.id: move for move in _STORY}
NAMED = {ident.rpartition("/")[2]: ident for ident, *_ in _ALL} | {"overcome": "quest/overcome"}
"""Id of each move in the rules, by its last part, such as `heal` for `adventure/heal`."""
HELPED = frozenset(NAMED) - {
    "overcome",
    "ask_the_oracle",
    "pay_the_price",
    "face_a_setback",
    "out_of_supply",
    "advance",
}
"""Last parts of the ids of moves that assets can help."""
