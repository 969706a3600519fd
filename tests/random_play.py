"""Campaigns that play themselves: any moves, with any answers, for tests that want many. The same seed plays the same."""

import contextlib
import random
from collections.abc import Sequence
from pathlib import Path

from tests.campaign.playing import open_session

from tracker import games
from tracker.campaign.journal import edit, lines, strike
from tracker.campaign.log import NeedsFullLog
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.view import Counter, Meter, Momentum, each
from tracker.games.common import notes, scenes

WORDS = ("Find the heir", "The old ferry", "Ash", "d8+2", "Tayla of the Two Rivers")
MOST_PROMPTS = 60
LEFT, NEVER = 0.08, frozenset({"packs/use", "packs/drop"})
"""How often a move is left after its dice, and moves that need packs."""


class Luck(random.Random):
    """A source of random choices, with the words that players type."""

    words: Sequence[str] = WORDS


def random_campaign(path: Path, game: str, seed: int, moves: int = 40, words: Sequence[str] = WORDS) -> Session:
    """Return a session of a new campaign at this path, in which about so many things have happened.

    `words` are what players type as names and texts.
    """
    luck = Luck(f"{game} {seed}")
    luck.words = words
    new_campaign(str(path), games.get(game))
    session = open_session(path)
    for _ in range(luck.choice((1, 2))):
        make(session, session.game.make_character.procedure, "", luck)
    for _ in range(moves):
        something(session, luck)
    return session


def something(session: Session, luck: Luck) -> None:
    """Let one thing happen; nothing happens if the rules refuse it."""
    alive = [one for one, who in session.state["party"].items() if who["status"] == "alive"]
    who = luck.choice(alive) if alive else ""
    kinds = {
        "move": 60,
        "line": 14,
        "undo": 7,
        "redo": 4,
        "scene": 4,
        "session": 3,
        "note": 3,
        "edit": 3,
        "due": 12,
        "change": 9,
    }
    match luck.choices([*kinds], [*kinds.values()])[0]:
        case "line":
            session.write(f"{luck.choice(luck.words)} & <b>{luck.randint(1, 999)}</b>", who)
        case "undo":
            session.undo()
        case "redo":
            session.redo()
        case "scene":
            make(session, scenes.SCENE.id, "", luck)
        case "session":
            make(session, scenes.SESSION.id, "", luck)
        case "note":
            make(session, notes.MAKE, "", luck)
        case "edit":
            some = [one for one in list(lines(session, session.history))[:9] if one.text]
            if some:
                one = luck.choice(some)
                edit(session, one, f"Edited {luck.randint(1, 999)}") if luck.random() < 0.5 else strike(session, one)
        case "change" if who:
            fields = [one for pane in session.game.sheet(session.state, who) for one in each(pane.fields)]
            numbers = [one.at for one in fields if isinstance(one, (Meter, Momentum, Counter)) and one.at]
            session.do("change", [{"at": luck.choice(numbers), "by": luck.randint(-3, 4)}], who=who)
        case "due":
            unfinished = list(session.log.open_runs())
            due = [one.start for one in session.owed(who) if one.start] if who else []
            if unfinished:
                with contextlib.suppress(Refused):  # the roll may need what is gone now
                    _finish(session, session.resume(luck.choice(unfinished)["id"]), luck)
            elif due:
                start = luck.choice(due)
                make(session, start.procedure, who, luck, start.answers)
        case _:
            rolls = [one.start.procedure for one in session.game.rolls(session.state, who)] if who else []
            ids = [move for move in session.game.moves if move not in NEVER]
            make(session, luck.choice(rolls if rolls and luck.random() < 0.4 else ids), who, luck)


def make(session: Session, move: str, who: str, luck: Luck, given: tuple[tuple[str, Answer], ...] = ()) -> None:
    """Make a move with any answers, or leave it somewhere after its dice; nothing happens if it is refused."""
    try:
        run = session.begin(move, who, given)
    except Refused:
        return
    _finish(session, run, luck)


def _finish(session: Session, run: Run, luck: Luck) -> None:
    try:
        for _ in range(MOST_PROMPTS):
            for quiet in run.quiet():
                if luck.random() < 0.15:
                    run.revise(quiet.key, any_answer(quiet, luck))
            if run.prompt is None:
                session.finish(run)
                return
            if isinstance(run.prompt, Roll):
                session.roll(run, any_answer(run.prompt, luck))
                if luck.random() < LEFT:
                    return
            else:
                run.answer(any_answer(run.prompt, luck))
    except (Refused, NeedsFullLog, IndexError):
        session.leave(run)


def any_answer(prompt: Prompt, luck: Luck) -> Answer:
    """Return an answer that the prompt takes. Raise IndexError if every option is disabled."""
    match prompt:
        case Pick(options=options):
            return luck.choice([option.key for option in options if not option.reason])
        case Choose(options=options, least=least, most=most):
            free = [option.key for option in options if not option.reason]
            return luck.sample(free, luck.randint(min(least, len(free)), min(most, len(free), least + 2)))
        case Spread(points=points, targets=targets):
            units = [option.key for option, limit in targets for _ in range(0 if option.reason else limit)]
            taken = luck.sample(units, min(points, len(units)))
            return {key: taken.count(key) for key in taken}
        case Number(low=low, high=high):
            return luck.randint(low, min(high, low + 12))
        case Text():
            return luck.choice(luck.words)
        case Confirm(reason=reason):
            return not reason and luck.random() < 0.5
        case Roll(dice=dice):
            return {
                name: luck.randint(1, sides) if isinstance(sides, int) else [luck.randint(1, one) for one in sides]
                for name, sides in dice.items()
            }
    raise AssertionError(f"nobody knows how to answer {prompt}")
