"""The catalogue of moves: name, trigger and outcomes as shown. Their procedures are imported when a move starts."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.game import Move, lazy_procedure
from tracker.games.common import notes, packs, scenes
from tracker.games.daggerheart.dice import MARKS, OUTCOMES


def owed_label(name: str) -> str:
    """Return the label of a due item from its name, such as "Take 9 magic damage" for `damage_9_magic`."""
    parts = name.split("_")
    if parts[0] == "damage" and len(parts) == 3:
        sort = {"both": "physical and magic"}.get(parts[2], parts[2])
        return f"Take {parts[1]} {sort} damage"
    if parts[0] == "level" and len(parts) == 2:
        return f"Take the gains of level {parts[1]}"
    return name.replace("_", " ").capitalize()


def _five(*meanings: str) -> tuple[tuple[str, str], ...]:
    return tuple(zip((MARKS[outcome] for outcome in OUTCOMES), meanings, strict=True))


_FIVE = _five(
    "matching dice: you get it, and more; Hope +1, clear a Stress",
    "you get it; Hope +1",
    "you get it at a price; Fear +1, the GM moves",
    "it fails; Hope +1, the GM moves",
    "it fails badly; Fear +1, the GM moves",
)
_TWO_AT_ONCE = _five(
    "matching dice: you get it, and more; each gains 1 Hope and clears a Stress",
    "you get it; each gains 1 Hope",
    "you get it at a price; Fear +2, the GM moves",
    "it fails; each gains 1 Hope, the GM moves",
    "it fails badly; Fear +2, the GM moves",
)
_REACTS = (
    (MARKS["success"], "you avoid the worst; matching dice, all of it"),
    (MARKS["failure"], "it gets you"),
    ("", "no Hope, no Fear, no countdown"),
)

_ALL = (
    ("action/roll", "Action roll", "action", "roll", "You try something, and it may go wrong.", _FIVE),
    ("action/attack", "Attack", "attack", "attack", "You attack with a weapon.", _FIVE),
    ("action/reaction", "Reaction roll", "action", "reaction", "You react to a danger.", _REACTS),
    ("action/group", "Group roll", "group", "group", "You act together; one of you leads.", _FIVE),
    (
        "action/tag_team",
        "Tag Team",
        "group",
        "tag_team",
        "Two of you act as one: once per session, 3 Hope.",
        _TWO_AT_ONCE,
    ),
    ("harm/take", "Take damage", "harm", "take", "You are hit.", ()),
    ("harm/roll", "Damage roll", "harm", "roll_damage", "You hit.", ()),
    ("harm/stress", "Mark Stress", "harm", "stress", "You are worn down, or pay a cost in Stress.", ()),
    ("harm/death_move", "Death move", "death", "death_move", "Your last HP is marked.", ()),
    ("hope/spend_hope", "Spend Hope", "harm", "pay_hope", "A feature costs Hope.", ()),
    ("level/level_up", "Level up", "level_up", "level_up", "The party gains a level.", ()),
    ("level/catch_up", "Take a level's gains", "level_up", "catch_up", "You joined above level 1.", ()),
)
_OF_THE_GM = (
    ("action/verdict", "The GM's verdict", "action", "verdict", "The GM judges a roll against a secret Difficulty."),
    ("gm/spend_fear", "Spend Fear", "gm", "spend_fear", "The GM spends Fear."),
    ("gm/take_fear", "Gain Fear", "gm", "take_fear", "The GM gains Fear from the story."),
    ("gm/spotlight", "Pass the spotlight", "gm", "spotlight", "The other side acts."),
    ("gm/attack", "Adversary attacks", "attack", "adversary_attack", "An adversary is in the spotlight."),
    ("gm/harm", "Deal damage", "harm", "take_gm", "Someone is hit."),
    ("gm/damage", "Adversary's damage roll", "harm", "roll_damage", "An adversary hits."),
    ("gm/stress", "Mark anyone's Stress", "harm", "stress_gm", "A feature costs Stress, or wears down."),
    ("gm/clear", "Clear anyone's slots", "harm", "clear_gm", "An effect heals."),
    (
        "gm/condition",
        "Change anyone's condition",
        "harm",
        "condition_gm",
        "Vulnerable, Hidden, Restrained or your own.",
    ),
    ("gm/adversary", "New adversary", "gm", "new_adversary", "A new opponent appears."),
    ("gm/copy", "Copy an adversary", "gm", "copy", "More of the same kind appear."),
    ("gm/renumber", "Change an adversary's numbers", "gm", "renumber", "It is stronger or weaker than it seemed."),
    ("gm/experience", "Adversary's Experience", "gm", "experience", "It is good at something."),
    ("gm/feature", "Adversary's feature", "gm", "feature", "It has a special ability."),
    ("gm/roll", "Adversary's reaction", "attack", "roll", "It resists something: a d20 vs a Difficulty."),
    ("gm/remove", "Adversary leaves", "gm", "remove", "Defeated, fled, or won over."),
    ("gm/battle_points", "Battle Points", "gm", "battle_points", "How hard will this fight be?"),
    ("gm/settings", "How we play", "gm", "settings", "Edition, optional rules, what is automatic."),
    ("fate/ask", "Ask the oracle", "suggestions", "ask", "Solo play: what would the GM say?"),
    ("fate/gm_move", "What the GM does", "suggestions", "gm_move", "Solo play: the GM has the spotlight."),
    ("rest/rest", "Rest", "rest", "rest", "The party takes a break."),
    ("countdown/begin", "Start a countdown", "countdowns", "begin", "Something is coming."),
    ("countdown/move", "Advance a countdown", "countdowns", "move", "It comes a step closer."),
    ("countdown/back", "Set a countdown back", "countdowns", "back", "You gain some time."),
    ("countdown/listen", "Advance with rolls", "countdowns", "listen", "Turn its advance with action rolls on or off."),
    ("countdown/again", "Restart a countdown", "countdowns", "again", "It isn't over after all."),
    ("countdown/rename", "Rename a countdown", "countdowns", "rename", "Give it a new name."),
    ("countdown/close", "Close a countdown", "countdowns", "close", "It's over, or never comes."),
)
_BY_HAND = (
    ("sheet/clear", "Clear slots", "harm", "clear", "A potion or a feature heals you."),
    ("sheet/condition", "Change a condition", "harm", "condition", "Vulnerable, Hidden, Restrained or your own."),
    ("sheet/weapon", "Take a weapon", "equipment", "take_weapon", "Something new to fight with."),
    ("sheet/draw", "Draw or stow a weapon", "equipment", "draw_weapon", "You change weapons."),
    ("sheet/armor", "Wear armor", "equipment", "wear", "Thresholds and Armor Slots change."),
    ("sheet/card", "Take a domain card", "equipment", "take_card", "You have learned something."),
    ("sheet/swap", "Swap a domain card", "equipment", "swap_card", "Between loadout and vault."),
    ("sheet/experience", "Take an Experience", "equipment", "take_experience", "Something you are good at."),
    ("sheet/feature", "Take a feature", "equipment", "take_feature", "Something with tokens or limited uses."),
    ("sheet/item", "Take an item", "equipment", "take_item", "Something to carry."),
    ("sheet/let_go", "Let go of something", "equipment", "let_go", "Remove it from the sheet."),
    ("sheet/spellcast", "Spellcast trait", "character", "change_spellcast", "The trait you cast spells with."),
    ("sheet/slots", "Slots and thresholds", "slots", "slots", "A feature gives you more of them."),
    ("sheet/resist", "Resistance", "slots", "resist", "You take less damage, or none."),
    ("gold/gold", "Gain gold", "equipment", "gold", "You are paid, or find some."),
    ("gold/spend", "Spend gold", "equipment", "spend_gold", "You buy something."),
    ("party/rename", "Rename a character", "character", "rename", "You go by a new name."),
    ("party/retire", "Retire", "character", "retire", "You leave play, and can come back."),
    ("party/remove", "Remove from the table", "character", "remove", "You are hidden; nothing is lost."),
    ("owed/strike_off", "Clear what's due", "gm", "strike_off", "You settled it in the story."),
)
_SOLO = (
    ("character/make", "Make a character", "character", "make_character", "A new character joins."),
    ("party/bring_back", "Bring a character back", "character", "bring_back", "A character returns to play."),
)
_BREAKS = (
    (scenes.SCENE, "new_scene"),
    (scenes.SESSION, "new_session"),
)


def _moves() -> Iterator[Move]:
    for ident, name, room, procedure, trigger, outcomes in _ALL:
        yield Move(
            ident, name, lazy_procedure(f"{__package__}.{room}", procedure), ident.partition("/")[0], trigger, outcomes
        )
    for ident, name, room, procedure, trigger in _OF_THE_GM:
        group = ident.partition("/")[0]
        group = "other side" if group in {"gm", "action"} else group
        yield Move(ident, name, lazy_procedure(f"{__package__}.{room}", procedure), group, trigger, solo=True)
    for ident, name, room, procedure, trigger in _BY_HAND:
        yield Move(ident, name, lazy_procedure(f"{__package__}.{room}", procedure), "by hand", trigger)
    for ident, name, room, procedure, trigger in _SOLO:
        yield Move(ident, name, lazy_procedure(f"{__package__}.{room}", procedure), "character", trigger, solo=True)
    for move, procedure in _BREAKS:
        yield move._replace(make=lazy_procedure(f"{__package__}.rest", procedure))


MOVES = {move.id: move for move in _moves()} | notes.MOVES | packs.MOVES
