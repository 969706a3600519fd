"""The commands `roll`, `move`, `oracle`, `say` and `undo`: one turn of play from the shell."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from tracker.arguments import Misuse, complain
from tracker.campaign.fold import apply, start
from tracker.campaign.player import Player
from tracker.campaign.run import Run
from tracker.campaign.typed_commands import asked as asked_without_tables
from tracker.campaign.typed_commands import move_called, question, roll_called, short_ids
from tracker.commands.campaign_lookup import folder_of, game_called, names_in, path_of, quoted
from tracker.commands.output import say, say_json
from tracker.commands.turn import (
    Unanswered,
    check_text,
    opened,
    question_in_json,
    script_of,
    take_turn,
    turn_in_json,
)
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.games.api.view import Action, Start
from tracker.plain import text_lines
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.streams import give_up
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.content import Content, Oracle

UNANSWERED = 3
"""Exit code if a prompt was not answered."""
_STEP = re.compile(r"[+-][0-9]{1,4}")


def roll(asked: argparse.Namespace) -> int:
    """Roll a stat, or another roll that the game always offers, and save it; return the exit code.

    It is UNANSWERED if the roll asks for something that the command line does not answer. Raise Misuse for a number
    without a sign: it could be a bonus or the face of a die. Raise Refused if no roll has the name or it cannot be made
    now, and SaveError if the campaign cannot be opened or saved.
    """
    steps = [int(word) for word in asked.what if _STEP.fullmatch(word)]
    name = " ".join(word for word in asked.what if not _STEP.fullmatch(word))
    if number := next((word for word in asked.what[1:] if word.isdecimal()), ""):
        raise Misuse(f"Write +{number} to add it to the roll; the faces of dice go in one word, as in --dice 4,5,9.")

    def turn(player: Player) -> int:
        action = roll_called(player, name, player.active)
        return _begin(player, asked, action, steps)

    return _turn(asked, turn)


def move(asked: argparse.Namespace) -> int:
    """Make a move and save it, or print all moves if none is named; return the exit code.

    It is UNANSWERED if the move asks for something that the command line does not answer. The name "due" stands for the
    first due item. Raise Refused if no move has the name or it cannot be made now, and SaveError if the campaign cannot
    be opened or saved.
    """
    if asked.move is None:
        return _list_moves(asked)

    def turn(player: Player) -> int:
        if asked.move == "due":
            who, items = player.next_due()
            if not items:
                raise Refused(player.nothing_due())
            return take_turn(player, asked, lambda: player.start_due(who, items[0]), script_of(asked))
        found = move_called(player.session.game, asked.move)
        return _begin(player, asked, Action("", found.name, Start(found.id)))

    return _turn(asked, turn)


def oracle(asked: argparse.Namespace) -> int:
    """Ask the oracle, in a campaign or without one; return the exit code. Without words, list what can be asked.

    In a campaign the answer is saved. Raise Refused if the words name no question and no table, Misuse if they name
    only a campaign, and SaveError if the campaign cannot be opened or saved.
    """
    named = asked.what[:1] if len(asked.what) > 1 and _is_campaign(asked) else []
    what = asked.what[len(named) :]
    more = [f"question={asked.question}"] if asked.question else []
    if not named:
        return _ask_alone(asked, what, more)
    asked.name = named[0]

    def turn(player: Player) -> int:
        session = player.session
        action = _question(session.game, session.content().oracles, what)
        if action is None:
            raise Refused(_unknown(what, [(session.game, session.content().oracles)]))
        return _begin(player, asked, action, more=more)

    return _turn(asked, turn)


def say_in(asked: argparse.Namespace) -> int:
    """Write a passage in the journal, from the words or from stdin; return the exit code.

    Raise Misuse if there is no text, and Refused if stdin is not UTF-8 or the text is too long; nothing is written
    then. Raise SaveError if the campaign cannot be opened or saved.
    """
    text = " ".join(asked.text)
    if text in {"", "-"}:
        data = sys.stdin.buffer.read()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise Refused("stdin isn't UTF-8 text; nothing was written.") from None
    text = text.strip("\r\n").rstrip()
    check_text(text)
    if not text:
        raise Misuse("Write what? Add a text, or pipe one in; nothing was written.")

    def turn(player: Player) -> int:
        from tracker.campaign.mentions import notice

        session = player.session
        entry = session.write(text, player.voice)
        if asked.json:
            say_json(turn_in_json("", [entry]))
        elif linked := notice(session, text, lambda name: _new_note(asked.name, name)):
            say(linked)
        return 0

    return _turn(asked, turn)


def _new_note(campaign: str, name: str) -> str:
    return f"`tracker move {quoted(campaign)} notes/make --with {quoted(f'name={name}')} --defaults`"


def undo(asked: argparse.Namespace) -> int:
    """Undo the newest entry, or with `--redo` redo what was undone last; return the exit code.

    Raise Refused if there is nothing to undo or redo, or if another player at a shared table did it, and SaveError if
    the campaign cannot be opened or saved.
    """

    def turn(player: Player) -> int:
        known = {entry["id"] for entry in player.session.log.entries}
        undos = player.session.undos
        reversal = undos.next_redo() if asked.redo else undos.last()
        if reversal and (whose := player.whose(reversal)):
            raise Refused(f"{whose} {reversal.did.capitalize()} it at the table, which asks first.")
        done = player.reverse(reversal)
        if not done:
            raise Refused(f"Nothing to {'redo' if asked.redo else 'undo'}.")
        if asked.json:
            made = [entry for entry in player.session.log.entries if entry["id"] not in known]
            say_json({**turn_in_json("", made), "done": done})
        else:
            say(done)
        return 0

    return _turn(asked, turn)


def _turn(asked: argparse.Namespace, turn: Callable[[Player], int]) -> int:
    """Open the campaign, call `turn` with its player, save and close it; return the exit code that `turn` returns.

    If `turn` raises Unanswered, print the question and return UNANSWERED. If the turn is saved and its output cannot be
    written, say both, and return 1: a script that repeats the turn would play it twice. Raise SaveError if the campaign
    cannot be opened or saved, and Refused for an unknown character.
    """
    unwritten: OSError | None = None
    code = 1
    try:
        with opened(asked) as player:
            try:
                code = turn(player)
                sys.stdout.flush()
            except OSError as error:
                if error.errno != errno.ENOSPC or error.filename is not None:
                    raise
                unwritten = error  # of the output; the turn itself reports a full disk as a SaveError
    except Unanswered as error:
        return _unanswered(asked, error)
    if unwritten is None:
        return code
    give_up(sys.stdout.fileno())
    complain(f"Saved, but can't write the output: {unwritten.strerror}.")
    return 1


def _unanswered(asked: argparse.Namespace, error: Unanswered) -> int:
    if asked.json:
        say_json(question_in_json(error))
    complain(str(error))
    return UNANSWERED


def _begin(
    player: Player, asked: argparse.Namespace, action: Action, steps: Iterable[int] = (), more: Iterable[str] = ()
) -> int:
    session = player.session
    move = session.game.moves[action.start.procedure]
    if not (move.solo or move.beside) and session.under_way(player.active):
        name = quoted(asked.name)
        raise Refused(f"A roll is unfinished: `tracker move {name} due` resumes it, `tracker undo {name}` cancels it.")
    if action.reason:
        raise Refused(text_lines.sentence(f"{action.label}: {action.reason}"))
    return take_turn(player, asked, lambda: player.start(action.start), script_of(asked, *more), steps)


def _words(what: str) -> str:
    return what.replace("_", " ")


def _list_moves(asked: argparse.Namespace) -> int:
    """Print the moves of the campaign's game by group: what to type, and the name; with `--json`, as JSON lines.

    Return the exit code, 0. Raise SaveError if there is no such campaign, and Refused if several names begin so.
    """
    from tracker import games

    game = games.get(saves_folder.look_at(path_of(asked)).game)
    if asked.json:
        for move in game.moves.values():
            say_json({"id": move.id, "name": move.name, "group": move.group, "trigger": move.trigger})
        return 0
    ids = short_ids(game)
    wide = max(map(len, ids.values()))
    group = ""
    for move in game.moves.values():
        if move.group != group:
            group = move.group
            say(f"{group}:")
        say(f"  {ids[move.id]:<{wide}}  {move.name}")
    return 0


# -- the oracle without a campaign ----------------------------------------------------------------------


def _is_campaign(asked: argparse.Namespace) -> bool:
    """Return True if the first word of the command is a path, a campaign, or the beginning of its name in any case.

    Raise OSError if there is no data folder.
    """
    word = asked.what[0]
    if os.path.exists(saves_folder.path_of(word, folder_of(asked))):
        return True
    return any(name.casefold().startswith(word.casefold()) for name in _names_there(asked))


def _names_there(asked: argparse.Namespace) -> list[str]:
    """Return the names of the campaigns in the saves folder; [] if the folder cannot be read.

    Raise OSError if there is no data folder to put it in.
    """
    try:
        return names_in(folder_of(asked))
    except SaveError:
        return []


def _question(game: Game, tables: Mapping[str, Oracle], what: list[str]) -> Action | None:
    """Return the oracle roll that the words `what` name, or None. They are tried as one name, then as several tables.

    Raise Refused if several names match.
    """
    oracles = game.oracles()
    return question(oracles, tables, _words(" ".join(what))) or question(oracles, tables, _words(", ".join(what)))


def _ask_alone(asked: argparse.Namespace, what: list[str], more: Iterable[str]) -> int:
    """Ask the oracle of a game without a campaign; nothing is saved. Return the exit code.

    `what` are the words that name the question or table; without words, list what can be asked. `more` are answers for
    the prompts of that roll; if one is missing, print the question and return UNANSWERED. The game is `asked.game`, or
    the first one in which the words mean something. Raise Refused if they mean nothing, and Misuse if there is no such
    game, or the only word is the name of a campaign.
    """
    from tracker import games
    from tracker.content import load

    own = os.path.join(folder_of(asked), "content")
    there: list[tuple[Game, Mapping[str, Oracle]]] = []
    for game in [game_called(asked.game)] if asked.game else map(games.get, games.GAMES):
        content = load(game.id, own, game.helped)
        there.append((game, content.oracles))
        if what and (action := _question(game, content.oracles, what)):
            return _answer_alone(asked, game, content, action, more)
    if len(what) == 1 and what[0] in _names_there(asked):
        raise Misuse(f"Ask {what[0]} what? Add odds such as likely, or a table; `tracker oracle` lists them.")
    if what:
        raise Refused(_unknown(what, there))
    return _list_tables(asked, there)


def _answer_alone(asked: argparse.Namespace, game: Game, content: Content, action: Action, more: Iterable[str]) -> int:
    move = game.moves[action.start.procedure]
    # Some games let a character ask.
    state = apply(game.top, start(game.top), {"at": "party", "add": {"id": "you", "name": "You"}})
    run = Run(game, move, "you", state, action.start.answers, lambda: content)
    try:
        script_of(asked, *more).rehearse(run)
    except Unanswered as error:
        return _unanswered(asked, error)
    card = game.card(move.id, run.draft.facts)
    if asked.json:
        say_json({**turn_in_json(move.id, [], card), "game": game.id, "facts": run.draft.facts})
        return 0
    for line in text_lines.card(card):
        say(line)
    return 0


def _list_tables(asked: argparse.Namespace, there: list[tuple[Game, Mapping[str, Oracle]]]) -> int:
    from tracker.games.api.content import table_names

    for game, tables in there:
        odds = [action.label for action in asked_without_tables(game.oracles())]
        names = sorted(table_names(tables).values())
        if asked.json:
            say_json({"game": game.id, "questions": odds, "tables": names})
            continue
        say(f"{game.name}:")
        for name in (*odds, *names):
            say(f"  {name}")
    return 0


def _unknown(what: list[str], there: Iterable[tuple[Game, Mapping[str, Oracle]]]) -> str:
    from tracker.games.api.content import table_names

    known = [
        name
        for game, tables in there
        for name in (*(action.label for action in asked_without_tables(game.oracles())), *table_names(tables).values())
    ]
    asked = " ".join(what)
    from tracker.similar_names import most_similar

    found = most_similar(asked, known)
    way_out = f"did you mean {found}?" if found else "`tracker oracle` lists them."
    return f"No table and no odds are called “{shown_line(asked)}”; {way_out}"
