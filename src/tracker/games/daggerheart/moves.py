"""The catalogue of moves: name, trigger and outcomes as shown. Their procedures are imported when a move starts."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.game import Move, lazily
from tracker.games.common import scenes
from tracker.games.daggerheart.dice import MARKS, OUTCOMES


def owed_label(name: str) -> str:
    """Return the label of a due item, such as "Take 9 magic damage" for `damage_9_magic`."""
    parts = name.split("_")
    if parts[0] == "damage" and len(parts) == 3:
        sort = {"both": "physical and magic"}.get(parts[2], parts[2])
        return f"Take {parts[1]} {sort} damage"
    return name.replace("_", " ").capitalize()


_FIVE = tuple(
    zip(
        (MARKS[outcome] for outcome in OUTCOMES),
        (
            "equal dice: it works, and more; Hope +1, clear a Stress",
            "you get it; Hope +1",
            "you get it at a price; Fear +1, the GM moves",
            "it fails; Hope +1, the GM moves",
            "it fails badly; Fear +1, the GM moves",
        ),
        strict=True,
    )
)
_REACTS = (
    (MARKS["success"], "you get through; with equal dice wholly"),
    (MARKS["failure"], "it gets you"),
    ("", "no Hope, no Fear, no countdown"),
)

_ALL = (
    ("action/roll", "Action roll", "action", "roll", "You try something, and it may go wrong.", _FIVE),
    ("action/attack", "Attack", "attack", "attack", "You use a weapon on somebody.", _FIVE),
    ("action/reaction", "Reaction roll", "action", "reaction", "Something comes at you.", _REACTS),
    ("action/group", "Group roll", "group", "group", "All try together, one leads.", _FIVE),
    ("action/tag_team", "Tag Team", "group", "tag_team", "Two act as one, once a session, for 3 Hope.", _FIVE),
    ("harm/take", "Take damage", "harm", "take", "You are hit.", ()),
    ("harm/roll", "Damage roll", "harm", "roll_damage", "You have hit somebody.", ()),
    ("harm/stress", "Mark Stress", "harm", "stress", "Something wears you down, or costs Stress.", ()),
    ("harm/death_move", "Death move", "death", "death_move", "Your last HP is marked.", ()),
    ("hope/spend_hope", "Spend Hope", "harm", "pay_hope", "A feature costs Hope.", ()),
    ("level/level_up", "Level up", "advance", "level_up", "The party has come a long way.", ()),
)
_OF_THE_GM = (
    ("action/verdict", "The GM's verdict", "action", "verdict", "A roll against a secret Difficulty is judged."),
    ("gm/spend_fear", "Spend Fear", "gm", "spend_fear", "The GM pays for something."),
    ("gm/take_fear", "Gain Fear", "gm", "take_fear", "The story gives the GM Fear."),
    ("gm/spotlight", "Pass the spotlight", "gm", "spotlight", "It goes to the other side."),
    ("gm/attack", "Adversary attacks", "attack", "adversary_attack", "An adversary is in the spotlight."),
    ("gm/harm", "Harm somebody", "harm", "take_gm", "An adversary is hit."),
    ("gm/damage", "Adversary's damage roll", "harm", "roll_damage", "An adversary has hit."),
    ("gm/stress", "Mark somebody's Stress", "harm", "stress_gm", "A feature costs Stress, or wears down."),
    ("gm/clear", "Clear somebody's boxes", "harm", "clear_gm", "An effect heals."),
    (
        "gm/condition",
        "Change somebody's condition",
        "harm",
        "condition_gm",
        "Somebody is Vulnerable, Hidden, Restrained.",
    ),
    ("gm/adversary", "New adversary", "gm", "new_adversary", "Somebody is against you."),
    ("gm/renumber", "Change an adversary's numbers", "gm", "renumber", "It is stronger or weaker than it seemed."),
    ("gm/experience", "Adversary's Experience", "gm", "experience", "It is good at something."),
    ("gm/feature", "Adversary's feature", "gm", "feature", "It can do something of its own."),
    ("gm/roll", "Adversary's reaction", "attack", "roll", "It resists something, or may fail: a bare d20."),
    ("gm/remove", "Adversary leaves", "gm", "remove", "Beaten, fled, or won over."),
    ("gm/battle_points", "Battle Points", "gm", "battle_points", "How hard will this fight be?"),
    ("gm/settings", "How we play", "gm", "settings", "Edition, optional rules, what is automatic."),
    ("fate/ask", "Ask fate", "suggestions", "ask", "You play alone, and want to know what a GM would say."),
    ("fate/gm_move", "What the GM does", "suggestions", "gm_move", "You play alone, and the GM has the spotlight."),
    ("rest/rest", "Rest", "rest", "rest", "The party has time to itself."),
    ("countdown/begin", "Begin a countdown", "countdowns", "begin", "Something comes nearer."),
    ("countdown/move", "Advance a countdown", "countdowns", "move", "It has come a step nearer."),
    ("countdown/back", "Set a countdown back", "countdowns", "back", "It has been held off."),
    ("countdown/listen", "Listen to rolls", "countdowns", "listen", "It reads action rolls, or does not."),
    ("countdown/again", "Start a countdown again", "countdowns", "again", "It was not over after all."),
    ("countdown/rename", "Rename a countdown", "countdowns", "rename", "It is something else."),
    ("countdown/close", "Close a countdown", "countdowns", "close", "It has happened, or never will."),
)
_BY_HAND = (
    ("sheet/clear", "Clear boxes", "harm", "clear", "A potion or a feature heals you."),
    ("sheet/condition", "Change a condition", "harm", "condition", "You are Vulnerable, Hidden, Restrained."),
    ("sheet/weapon", "Take a weapon", "equipment", "take_weapon", "Something new to fight with."),
    ("sheet/draw", "Draw or stow a weapon", "equipment", "draw_weapon", "Another weapon in hand."),
    ("sheet/armor", "Wear armor", "equipment", "wear", "Thresholds and Armor Slots change."),
    ("sheet/card", "Take a domain card", "equipment", "take_card", "You have learned something."),
    ("sheet/swap", "Swap a domain card", "equipment", "swap_card", "Between loadout and vault."),
    ("sheet/experience", "Take an Experience", "equipment", "take_experience", "Something you are good at."),
    ("sheet/feature", "Take a feature", "equipment", "take_feature", "Something to count, or to use now and then."),
    ("sheet/item", "Take an item", "equipment", "take_item", "Something to carry."),
    ("sheet/let_go", "Let go of something", "equipment", "let_go", "It is gone."),
    ("sheet/slots", "Slots and thresholds", "creatures", "slots", "A feature gives you more of them."),
    ("sheet/resist", "Resistance", "creatures", "resist", "Damage does less to you, or nothing."),
    ("gold/gold", "Gain gold", "equipment", "gold", "You are paid, or find some."),
    ("gold/spend", "Spend gold", "equipment", "spend_gold", "You buy something."),
    ("party/rename", "Change a name", "character", "rename", "You are called something else from now on."),
    ("party/retire", "Retire", "character", "retire", "You step out of play, and may come back."),
    ("party/remove", "Take off the table", "character", "remove", "You are no longer shown; nothing is lost."),
    ("owed/strike_off", "Settle what is owed", "gm", "strike_off", "It was settled at the table."),
)
_SOLO = (
    ("character/make", "Make a character", "character", "make_character", "Somebody new joins."),
    ("party/bring_back", "Bring somebody back", "character", "bring_back", "Somebody who was out of play is back."),
)
_BREAKS = (
    (scenes.SCENE, "new_scene"),
    (scenes.SESSION, "new_session"),
)


def _moves() -> Iterator[Move]:
    for ident, name, room, procedure, trigger, outcomes in _ALL:
        yield Move(ident, name, lazily(f"{__package__}.{room}", procedure), ident.partition("/")[0], trigger, outcomes)
    for ident, name, room, procedure, trigger in _OF_THE_GM:
        group = ident.partition("/")[0]
        group = "other side" if group in {"gm", "action"} else group
        yield Move(ident, name, lazily(f"{__package__}.{room}", procedure), group, trigger, solo=True)
    for ident, name, room, procedure, trigger in _BY_HAND:
        yield Move(ident, name, lazily(f"{__package__}.{room}", procedure), "by hand", trigger)
    for ident, name, room, procedure, trigger in _SOLO:
        yield Move(ident, name, lazily(f"{__package__}.{room}", procedure), "character", trigger, solo=True)
    for move, procedure in _BREAKS:
        yield move._replace(make=lazily(f"{__package__}.rest", procedure))


MOVES = {move.id: move for move in _moves()}
