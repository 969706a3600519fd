"""The commands `stats` and `recap`: a campaign in numbers, and what happened last time."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tracker.commands.campaign_lookup import path_of
from tracker.commands.output import Bar, say, say_json, warn_of_damage

if TYPE_CHECKING:
    from tracker.campaign.statistics import RollTally, Statistics


def stats(asked: argparse.Namespace) -> int:
    """Print the statistics of a campaign in sentences, or as one JSON object.

    Return 1 if the save is damaged, else 0. Raise SaveError if there is no such campaign, Refused if a session or
    character is unknown, and OSError if the file cannot be read.
    """
    from tracker.campaign.chronicle import select
    from tracker.campaign.session import Session
    from tracker.campaign.statistics import gather, statistics
    from tracker.campaign.statistics_text import sentences

    session = Session.open(path_of(asked), write=False, tail="keep")
    wanted = select(session, asked.session or "", asked.who or ())
    with Bar() as bar:
        found = statistics(gather(session, bar.step), wanted)
    if asked.json:
        say_json(_told(found))
    else:
        for line in sentences(found):
            say(line)
    return warn_of_damage(session)


def _told(found: Statistics) -> dict[str, Any]:
    """Return the statistics as data for JSON. The `points` of a series are lists of [number of the entry, value]."""
    return {
        "sessions": [number for number, _ in found.sessions],
        "character": found.who,
        "moves_made": found.moves_made,
        "passages": found.passages,
        "rolls": [_rolls(rolls) for rolls in found.rolls],
        "dice": [
            {"name": die.name, "source": die.source, "faces": die.faces, "mean": die.mean, "stray_chance": die.stray}
            for die in found.dice
        ],
        "moves": [
            {
                "id": move.did,
                "name": move.name,
                "times": move.times,
                "good": move.good,
                "mixed": move.mid,
                "bad": move.bad,
            }
            for move in found.moves
        ],
        "feats": [
            {"name": feat.name, "times": feat.times, "paid": feat.paid, "unit": feat.unit, "what": dict(feat.what)}
            for feat in found.feats
        ],
        "series": [
            {
                "id": one.id,
                "label": one.label,
                "character": one.who,
                "low": one.low,
                "high": one.high,
                "points": one.points,
            }
            for one in found.series
        ],
    }


def _rolls(rolls: RollTally) -> dict[str, Any]:
    luck = rolls.luck
    return {
        "kind": rolls.kind.name,
        "times": rolls.times,
        "with_known_odds": rolls.known,
        "outcomes": [
            {"name": one.name, "times": one.times, "fell": one.fell, "expected": one.expected} for one in rolls.outcomes
        ],
        "luck": luck and {"points": luck.points, "expected": luck.expected, "chance_of_at_least": luck.chance},
        "longest_good_streak": rolls.best._asdict(),
        "longest_bad_streak": rolls.worst._asdict(),
        "matches": rolls.matches,
        "matches_expected": rolls.matches_expected,
    }


def recap(asked: argparse.Namespace) -> int:
    """Print what happened in the last session, in lines or as one JSON object.

    Return 1 if the save is damaged, else 0. Raise SaveError if there is no such campaign, and OSError if the file
    cannot be read.
    """
    from tracker.campaign.recap import recap as recapped
    from tracker.campaign.recap import sentences
    from tracker.campaign.session import Session

    session = Session.open(path_of(asked), write=False, tail="keep")
    with Bar() as bar:
        found = recapped(session, step=bar.step)
    if asked.json:
        lines = [one._asdict() for one in found.lines]
        say_json({"session": found.number, "when": found.when, "lines": lines})
    else:
        for line in sentences(found):
            say(line)
    return warn_of_damage(session)
