"""Campaigns of random play in which players type every trap as a name and as a text."""

from pathlib import Path

from tests.hostile import HOSTILE
from tests.random_play import random_campaign

_GOOD = [text for _, text in HOSTILE if text.strip() and "\udc80" not in text and len(text) < 200]
TEXTS = [
    *_GOOD,
    "Rain over the ford.\nNobody spoke.\n\nThen the bell.",
    "We met @Old_Ferrin at the mill; @Nobody came.",
    "# not a heading\n- not a list\n> nor a quote",
    "<script>alert(1)</script> & <b>bold</b> [link](javascript:alert(1)) [[Kara]]",
    '```\nmove "x" {\n```\n---\nkey: value',
    "2d6 + 3, *really*? _Yes_ ~~no~~ `code` $x$ %%y%% ==z== #tag ^block {x}",
]
NAMES = [
    "Kara",
    "Old Ferrin",
    "Tayla-of-the-Marsh",
    "O'Neil “the Crow”",
    "Ænna <b>",
    "[[Brak]] | #1",
    "a/b: c*?",
    "{x} \\ `y`",
]
GAMES = ("ironsworn", "wherever", "daggerheart")


def make(path: Path, seed: int, moves: int) -> None:
    """Play a campaign of about this many moves, always the same one for a seed, and save it under this path.

    The game is the seed's.
    """
    words = (*NAMES * 5, *TEXTS)
    random_campaign(path, GAMES[seed % len(GAMES)], seed, moves, words).close()
