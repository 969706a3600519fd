"""The exact odds of a roll before it is made, counted, never sampled."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tracker.games.chances import percent
from tracker.games.ironsworn.rolls import HIGHEST_SCORE, ActionRoll, ProgressRoll

if TYPE_CHECKING:
    from tracker.games import prompts

_ANY_CHALLENGE = (1, 1)
"""Given where only the score is wanted, which the challenge dice do not touch."""


class Odds(NamedTuple):
    """In how many of all equally likely throws each outcome comes; `match` counts across the outcomes."""

    strong: int
    weak: int
    miss: int
    match: int


@cache
def action_odds(stat: int, adds: int, momentum: int) -> Odds:
    """Of 600 throws, with the action die that negative momentum would cancel."""
    return _against_challenge(_scores(stat, adds, momentum))


@cache
def with_burn(stat: int, adds: int, momentum: int) -> Odds:
    """Of 600 throws, if momentum is burned whenever that improves the outcome."""
    # Against each die a burn is worth what the better of score and momentum is worth.
    return _against_challenge(max(score, momentum) for score in _scores(stat, adds, momentum))


def progress_odds(ticks: int) -> Odds:
    """Of 100 throws."""
    return _against_challenge([ProgressRoll(ticks, _ANY_CHALLENGE).score])


def shown_odds(counts: Odds) -> prompts.Odds:
    """The odds as a prompt shows them."""
    strong, weak, miss = percent((counts.strong, counts.weak, counts.miss))
    return ("strong", strong, "good"), ("weak", weak, "mid"), ("miss", miss, "bad")


def _scores(stat: int, adds: int, momentum: int) -> list[int]:
    return [ActionRoll(face, _ANY_CHALLENGE, stat, adds, momentum).score for face in range(1, 7)]


def _against_challenge(scores: Iterable[int]) -> Odds:
    """Each score against the 100 throws of two challenge dice, ten of which match."""
    strong = weak = miss = match = 0
    for score in scores:
        below = max(0, min(score, HIGHEST_SCORE) - 1)
        holding = 10 - below
        strong += below * below
        weak += 2 * below * holding
        miss += holding * holding
        match += 10
    return Odds(strong, weak, miss, match)
