"""The moves as data: what they are called and when they are made. Their procedures are in `moves`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from tracker.games.base import Draft, Move, Procedure


def _by(name: str, room: str = "moves") -> Callable[[Draft], Procedure]:
    """The procedure of this name, imported when it is made: the first frame shows names only."""

    def make(table: Draft) -> Procedure:
        procedure: Procedure = getattr(import_module(f"tracker.games.ironsworn.{room}"), name)(table)
        return procedure

    return make


def owed_label(name: str) -> str:
    """`endure_harm_2` is Endure Harm (2)."""
    known = {"setback": "Face a Setback", "out_of_supply": "Out of Supply"}
    stem, _, amount = name.rpartition("_")
    words = stem if amount.isdigit() else name
    small = {"a", "an", "the", "of"}
    title = " ".join(w if w in small and n else w.capitalize() for n, w in enumerate(words.split("_")))
    return known.get(name, title) + (f" ({amount})" if amount.isdigit() else "")


_TELLING = (("■■", "momentum +1"), ("■□", "choose a small cost"), ("□□", "pay the price"))

MOVES = {
    move.id: move
    for move in (
        Move(
            "adventure/face_danger",
            "Face Danger",
            _by("face_danger"),
            "adventure",
            "You try something risky, or a threat is upon you.",
            _TELLING,
        ),
        Move(
            "quest/swear_an_iron_vow",
            "Swear an Iron Vow",
            _by("swear_an_iron_vow"),
            "quest",
            "You lay your hand on iron and swear to see something done.",
            (("■■", "momentum +2"), ("■□", "momentum +1"), ("□□", "an obstacle first: press on or give up")),
        ),
        Move(
            "quest/reach_a_milestone",
            "Reach a Milestone",
            _by("reach_a_milestone"),
            "quest",
            "You have come a good step nearer to what you swore.",
            (("", "no roll: mark progress on the vow"),),
        ),
        Move(
            "quest/fulfill_your_vow",
            "Fulfill Your Vow",
            _by("fulfill_your_vow"),
            "quest",
            "You believe that your vow is done.",
            (("■■", "experience by rank"), ("■□", "one less, and more is left"), ("□□", "recommit, or give it up")),
        ),
        Move(
            "quest/forsake_your_vow",
            "Forsake Your Vow",
            _by("forsake_your_vow"),
            "quest",
            "You give up a vow, or have lost the right to it.",
            (("", "no roll: the vow ends, its rank is owed as stress"),),
        ),
        Move(
            "quest/overcome", "Overcome the Obstacle", _by("overcome"), "quest", "What blocked a vow is out of the way."
        ),
        Move(
            "fate/pay_the_price",
            "Pay the Price",
            _by("pay_the_price"),
            "fate",
            "A move tells you to, or you have walked into it.",
        ),
        Move(
            "fate/ask_the_oracle",
            "Ask the Oracle",
            _by("ask_the_oracle"),
            "fate",
            "You want to know what you do not decide.",
        ),
        Move(
            "suffer/endure_harm",
            "Endure Harm",
            _by("endure_harm", "suffer"),
            "suffer",
            "You are hurt.",
            (("■■", "shake it off, or momentum +1"), ("■□", "nothing more"), ("□□", "momentum -1; at 0 health worse")),
        ),
        Move(
            "suffer/endure_stress",
            "Endure Stress",
            _by("endure_stress", "suffer"),
            "suffer",
            "You are shocked, or lose heart.",
            (("■■", "shake it off, or momentum +1"), ("■□", "nothing more"), ("□□", "momentum -1; at 0 spirit worse")),
        ),
        Move(
            "suffer/face_a_setback",
            "Face a Setback",
            _by("face_a_setback", "suffer"),
            "suffer",
            "Momentum was at -6, and more was lost.",
        ),
        Move(
            "suffer/out_of_supply",
            "Out of Supply",
            _by("out_of_supply", "suffer"),
            "suffer",
            "Supply was 0, and more was lost.",
        ),
        Move("roll/action", "Action roll", _by("bare_roll"), "roll", "A roll with a stat, and nothing else."),
        Move(
            "roll/progress",
            "Progress roll",
            _by("bare_progress"),
            "roll",
            "A track against two dice, and nothing else.",
        ),
        Move("owed/strike_off", "Strike off what is owed", _by("strike_off"), "roll", "It was settled at the table."),
        Move(
            "character/make", "Make a character", _by("make_character"), "character", "Somebody new joins.", solo=True
        ),
    )
}
