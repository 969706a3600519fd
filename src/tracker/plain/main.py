"""Plain mode: open a campaign, play it in lines, close it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from tracker import settings
from tracker.campaign.other_windows import take_left
from tracker.campaign.session import SaveStatus, Session, UnmarkedTail
from tracker.dice import RandomDice
from tracker.plain.console import HUNG_UP, Console, InputClosed, say
from tracker.plain.repl import Repl
from tracker.plain.text_lines import sentence
from tracker.plain.unmarked_entry import ask_tail
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.coop.plans import Plan
    from tracker.plain.company import PlainCompany


def run(path: str, seed: int | None, plan: Plan | None = None) -> int:
    """Play the campaign at `path` until the player quits or input ends; return the exit code.

    `plan` says how to share the campaign with others.

    The exit code is 0, 128 plus the number of a signal, or 1 if a change was not saved or was refused because the
    campaign is read-only. Without `seed` the dice are random. Raise SaveError if the campaign cannot be opened, and
    Refused if it cannot be shared as planned.
    """
    code = 0
    session: Session | None = None
    table: Repl | None = None
    with Console() as talk:
        try:
            session = _open(talk, path)
            set_by_player = settings.read()
            for problem in set_by_player.problems:
                say(problem)
            with _shared(session, talk, plan) as company:
                table = Repl(
                    talk, session, RandomDice(seed), set_by_player.dice, recaps=set_by_player.recap, company=company
                )
                table.play()
        except InputClosed as ended:
            code = ended.code
        finally:
            sign = session.close() if session else SaveStatus("saved")
    try:
        if code != HUNG_UP:
            for note in table.untold() if table else ():
                say(note)
            say(_last_words(session, sign))
    except InputClosed as ended:
        code = ended.code
    return code or int(sign.word == "NOT SAVED" or bool(table and table.refused_change))


def _shared(session: Session, talk: Console, plan: Plan | None) -> AbstractContextManager[PlainCompany | None]:
    """Return a context manager in which the campaign is shared as planned; its value is the controller.

    Entering it raises Refused if that fails. Without a plan, it does nothing and its value is None.
    """
    if plan is None:
        return nullcontext()
    from tracker.plain.company import PlainCompany

    return PlainCompany(session, talk, plan)


def _last_words(session: Session | None, sign: SaveStatus) -> str:
    if session is None:
        return "Nothing was opened or changed."
    name = shown_line(session.save.name.removesuffix(".toml"))
    if session.readonly:
        return f"{name} is closed; it was read-only."
    if sign.word == "NOT SAVED":
        return f"{name} is closed; not everything is saved: {sentence(sign.why)} Next time, copy NAME before you quit."
    moves = session.game.moves
    left = [moves[entry["did"]].name for entry in session.log.open_runs() if entry.get("did") in moves]
    unfinished = f" {' and '.join(left)} {'is' if len(left) == 1 else 'are'} unfinished." if left else ""
    return f"{name} is closed; everything is saved.{unfinished}"


def _open(talk: Console, path: str) -> Session:
    """Open the campaign at `path` and return its session. Raise SaveError if it cannot be opened.

    If its last entry has no end mark, ask whether to keep the entry or to move it to a file of its own. Raise
    InputClosed if input ends before the answer.
    """
    try:
        return take_left(Session.open(path))
    except UnmarkedTail as question:
        return take_left(Session.open(path, tail=ask_tail(talk, question)))
