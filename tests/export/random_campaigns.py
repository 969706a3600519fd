"""Campaigns made by random play: every move, texts with every trap, undos, edits, sessions, unfinished rolls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.campaign.playing import Quick, open_session
from tests.hostile import HOSTILE

from tracker import games
from tracker.campaign import journal
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.view import Start

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


def make(path: Path, seed: int, many: int = 60) -> None:
    """Play a campaign of about this many entries, always the same one for a seed, and save it under this path.

    The game is the seed's.
    """
    luck = Random(seed)
    game = games.get(GAMES[seed % len(GAMES)])
    new_campaign(str(path), game, Quick())
    session = open_session(path)
    try:
        party, tries = luck.randint(1, 3), 0
        while len(session.state["party"]) < party and tries < 30:
            tries += 1
            with suppress(Refused):
                _play(session, game.make_character, "", luck)
        deeds: list[tuple[int, Callable[[Session, Random], object]]] = [
            (30, _tell),
            (50, _move),
            (6, _change),
            (4, lambda table, _: table.undo()),
            (2, lambda table, _: table.redo()),
            (3, _edit),
            (3, _strike),
            (3, _scene),
            (2, lambda table, luck: _play(table, Start("story/session"), "", luck)),
            (2, _note),
        ]
        weights = [weight for weight, _ in deeds]
        while len(session.log.entries) < many:
            ((_, deed),) = luck.choices(deeds, weights)
            with suppress(Refused):
                deed(session, luck)
    finally:
        session.close()


def _who(session: Session, luck: Random) -> str:
    return str(luck.choice([*session.state["party"]] or [""]))


def _tell(session: Session, luck: Random) -> None:
    session.write(luck.choice(TEXTS), _who(session, luck))


def _move(session: Session, luck: Random) -> None:
    who = _who(session, luck)
    if not who:
        return
    fitting = [*session.game.now(session.state, who), *session.game.rolls(session.state, who)]
    starts = [action.start for action in fitting if not action.reason and action.start.procedure]
    if luck.random() < 0.4 or not starts:
        starts = [Start(ident) for ident in session.game.moves]
    _play(session, luck.choice(starts), who, luck)


def _change(session: Session, luck: Random) -> None:
    who = _who(session, luck)
    numbers = (
        [
            name
            for name in ("health", "momentum", "spirit", "resolve", "hp", "hope")
            if name in session.state["party"][who]
        ]
        if who
        else []
    )
    if numbers:
        session.do("change", [{"at": f"{who}.{luck.choice(numbers)}", "by": luck.choice((-2, -1, 1))}], who=who)


def _items(session: Session) -> list[journal.JournalLine]:
    return [one for one, _ in zip(journal.lines(session, session.history), range(8), strict=False)]


def _edit(session: Session, luck: Random) -> None:
    if items := _items(session):
        journal.edit(session, luck.choice(items), luck.choice(TEXTS))


def _strike(session: Session, luck: Random) -> None:
    if items := _items(session):
        journal.strike(session, luck.choice(items))


def _scene(session: Session, luck: Random) -> None:
    _play(session, Start("story/scene", (("title", luck.choice(NAMES)),)), "", luck)


def _note(session: Session, luck: Random) -> None:
    given = (("name", luck.choice(NAMES)), ("kind", luck.choice(("person", "place", "thing"))))
    _play(session, Start("notes/make", given), "", luck)


def _play(session: Session, start: Start, who: str, luck: Random) -> None:
    """Make a move with random answers; leave it unfinished now and then, and where no answer fits."""
    run = session.begin(start.procedure, "" if session.game.moves[start.procedure].solo else who, start.answers)
    for _ in range(200):
        if run.prompt is None:
            session.finish(run)
            return
        if (run.opened and luck.random() < 0.02) or not _answered(session, run, run.prompt, luck):
            break
    session.leave(run)


def _answered(session: Session, run: Run, prompt: Prompt, luck: Random) -> bool:
    for _ in range(12):
        with suppress(Refused):
            if isinstance(prompt, Roll):
                session.rolled(run, _answer(prompt, luck))
            else:
                run.answer(_answer(prompt, luck))
            return True
    return False


def _answer(prompt: Prompt, luck: Random) -> Answer:
    match prompt:
        case Pick(options=options):
            return luck.choice([option.key for option in options if not option.reason] or [""])
        case Choose(options=options, least=least, most=most):
            free = [option.key for option in options if not option.reason]
            return luck.sample(free, min(len(free), luck.randint(least, max(least, most))))
        case Spread(points=points, targets=targets):
            units = [option.key for option, limit in targets for _ in range(0 if option.reason else min(limit, 99))]
            taken = luck.sample(units, min(points, len(units)))
            return {key: taken.count(key) for key in dict.fromkeys(units)}
        case Number(low=low, high=high, default=default):
            return default if default is not None and luck.random() < 0.7 else luck.randint(low, min(high, low + 30))
        case Text():
            return luck.choice([*NAMES, *NAMES, *TEXTS])
        case Confirm(reason=reason):
            return not reason and luck.random() < 0.5
        case Roll(dice=dice):
            return {
                name: luck.randint(1, sides) if isinstance(sides, int) else [luck.randint(1, one) for one in sides]
                for name, sides in dice.items()
            }
    raise AssertionError(f"no answer to {prompt}")
