"""Question about a last entry without its end mark, in lines: keep it, or set it aside."""

from __future__ import annotations

from tracker.campaign.session import Tail, UnmarkedTail
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Option, Pick
from tracker.plain import prompts
from tracker.plain.console import Console

TAIL = Pick(
    key="tail",
    title="Keep it or set it aside?",
    options=(
        Option("keep", "keep it", "it becomes part of the campaign", hot="k"),
        Option("aside", "set it aside", "it moves to its own file", hot="s"),
    ),
)


def ask_tail(talk: Console, question: UnmarkedTail) -> Tail:
    """Ask the player until there is a valid answer; return "keep" or "aside".

    Raise InputClosed if input ends before.
    """
    talk.say(str(question))
    talk.say(f"It says: {question.entry}")
    for line in prompts.block(TAIL):
        talk.say(line)
    while True:
        talk.say(f"{prompts.how(TAIL, by_hand=False)}.")
        try:
            return "keep" if prompts.parsed(TAIL, talk.ask()) == "keep" else "aside"
        except Refused as error:
            talk.say(str(error))
