"""What the command line does, one function per command. None of them but `play` knows the full-screen app."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from tracker.saves import places
from tracker.saves.errors import SaveError
from tracker.text import shown, shown_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tracker.games.base import Game
    from tracker.games.schema import State
    from tracker.table.session import Session


def say(line: str = "") -> None:
    """One line for the player; a terminal that cannot show a sign gets another in its place."""
    encoding = sys.stdout.encoding or "utf-8"
    print(shown(line).encode(encoding, "replace").decode(encoding))


def fail(message: str) -> int:
    encoding = sys.stderr.encoding or "utf-8"
    print(f"tracker: {shown_line(message, 1000)}".encode(encoding, "replace").decode(encoding), file=sys.stderr)
    return 1


def _folder(asked: argparse.Namespace) -> str:
    return places.saves_folder(getattr(asked, "saves", None))


def _path(asked: argparse.Namespace) -> str:
    folder = _folder(asked)
    path = places.however_written(places.path_of(asked.name, folder))
    if not os.path.exists(path):
        raise SaveError(f"There is no campaign {asked.name!r}; `tracker list` names those in {folder}.")
    return path


def way_out(asked: argparse.Namespace) -> str:
    """What to do about a save whose head cannot be read."""
    from tracker.saves.recover import newest_good_backup

    path = _path(asked)
    backup = newest_good_backup(path)
    good = f"; its newest good backup is {backup}" if backup else ""
    return f"`tracker recover {asked.name}` saves every whole entry{good}."


def play(asked: argparse.Namespace) -> int:
    """The full-screen app, or the same in lines."""
    folder = _folder(asked)
    plain = hasattr(asked, "plain")
    path = _path(asked) if asked.name is not None else None
    if plain and path is None:
        raise SaveError("Which campaign? `tracker play NAME --plain` opens one, `tracker list` names them.")
    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SaveError("The table needs a terminal; `tracker NAME --plain` plays without one.")
    if path and places.is_example(path):
        from pathlib import Path

        path = places.copy_example(Path(path), folder)
    if plain and path:
        from tracker.plain.main import run as run_plain

        return run_plain(path, getattr(asked, "seed", None))
    from tracker.app.main import run

    return run(folder, path, getattr(asked, "seed", None))


def new(asked: argparse.Namespace) -> int:
    if (asked.character, asked.stats) != (None, None):
        from tracker.making import make

        return make(asked)
    from tracker.games import game
    from tracker.table.session import new_campaign

    if problem := places.name_problem(asked.name):
        raise SaveError(problem)
    folder = _folder(asked)
    new_campaign(os.path.join(folder, f"{asked.name}.toml"), game(asked.game))
    say(f"{asked.name} is ready: tracker {asked.name!r} opens it.")
    return 0


def list(asked: argparse.Namespace) -> int:  # noqa: A001 the command's name
    from tracker.games import NAMES
    from tracker.table.shelf import shelf

    folder = _folder(asked)
    found = shelf(folder)
    if not found:
        say(f"There are no campaigns in {folder}; `tracker new NAME --game ironsworn` makes one.")
    for one in found:
        who = ", ".join(shown_line(name) for name in one.characters) or "–"
        game = NAMES.get(one.game, one.game or "–")
        played = one.played.strftime("%Y-%m-%d %H:%M")
        say(f"{shown_line(one.name):<24} {shown_line(game):<16} {who:<24} {played}  {one.entries:>6} entries")
        if one.problem:
            say(f"    {one.problem}")
    return 0


def show(asked: argparse.Namespace) -> int:
    import json

    from tracker.plain.telling import other_side
    from tracker.table.session import Session
    from tracker.table.state import thaw

    session = Session.open(_path(asked), write=False, tail="keep")
    state, game = session.state, session.game
    if asked.json:
        print(json.dumps({"game": game.id, "state": thaw(state)}, default=str))
        return 0
    say(f"{shown_line(session.save.name.removesuffix('.toml'))}  {game.name}")
    side = game.gm_side(state)
    for member in game.members(state):
        say()
        say(member.title)
        for line in _sheet(session, member.id, side.pool.at if side else ""):
            say(f"  {line}".rstrip())
    if side:
        say()
        for line in other_side(side):
            say(line)
    for track in game.tracks(state):
        say()
        end = f", {track.closed}" if track.closed else ""
        sort = f"{track.rank} {track.kind}".strip()
        far = f"{track.ticks} of {track.segments} segments" if track.segments else f"{track.ticks} ticks"
        say(f"{shown_line(track.name)}: {sort}{end}, {far}")
    return 0


def _sheet(session: Session, who: str, pool: str) -> Iterator[str]:
    """Somebody's numbers, a line each. What stands beside the GM's `pool` is told with the GM's side."""
    from tracker.games.sheet import Clock, Counter, Flags, Line, Meter, Momentum, Ratings, Stat, each
    from tracker.plain.telling import belonging
    from tracker.plain.telling import field as told

    game, state = session.game, session.state
    stats: dict[str, int | str] = {}
    panes = (
        pane for pane in game.sheet(state, who) if not pool or pool not in {getattr(f, "at", "") for f in pane.fields}
    )
    for field in (field for pane in panes for field in each(pane.fields)):
        match field:
            case Stat():
                stats[field.label] = field.value
            case Ratings():
                skills = ", ".join(f"{stat.label} {stat.value}" for stat in field.stats)
                yield f"{field.head.label} {field.head.value}: {skills}"
            case Meter():
                yield f"{field.label:<10}{field.value:>3} of {field.high}  {field.note}"
            case Momentum():
                yield f"{field.label:<10}{field.value:>+3}  reset {field.reset:+d}, maximum {field.most:+d}"
            case Counter():
                yield f"{field.label:<10}{field.value:>3}"
            case Flags():
                on = [flag.label for flag in field.flags if flag.on]
                yield f"marked: {', '.join(on)}" if on else "nothing is marked"
            case Clock() | Line() if told(field):
                yield told(field)
    if stats:
        yield "  ".join(f"{name} {value}" for name, value in stats.items())
    for holding in game.belongings(state, who):
        if holding.things and not holding.on_sheet:
            yield f"{holding.title.lower()}: {'; '.join(map(belonging, holding.things))}"
    for due in session.owed(who):
        yield f"owed: {due.label}{f', {due.note}' if due.note else ''}"


def log(asked: argparse.Namespace) -> int:
    import json

    from tracker.table.loading import log_of
    from tracker.table.session import Session

    session = Session.open(_path(asked), write=False, tail="keep")
    session.save.read_whole()
    whole = log_of(session.save, session.game)
    for entry in whole.entries:
        if asked.json:
            print(json.dumps({**entry, "undone": whole.undone(entry)}, default=_plain))
        else:
            when = entry["at"].strftime("%Y-%m-%d %H:%M") if "at" in entry else " " * 16
            struck = "  (undone)" if whole.undone(entry) else ""
            say(f"{when}  {entry['id']:<14} {_in_words(session.game, entry, whole.state)}{struck}")
    return 0


def _in_words(game: Game, entry: dict[str, Any], state: State) -> str:
    """An entry on one line."""
    from tracker.saves.toml import emit_value

    did, facts, who = entry.get("did", ""), entry.get("facts", {}), entry.get("who", "")
    words = [state["party"].get(who, {}).get("name", who)]
    if "undoes" in entry:
        words.append(f"{did} {entry['undoes']}")
    elif did in game.moves:
        card = game.card(did, facts)
        dice = [f"{key} {emit_value(value)}" for key, value in entry.get("answers", []) if isinstance(value, dict)]
        words += [game.moves[did].name, card.told, card.short or card.sum]
        words += ["not finished", *dice] if entry.get("open") else []
    elif did != "journal":
        words.append(did)
    words += [*map(str, facts.get("changed", ())), entry.get("text", "")]
    return ", ".join(shown_line(word, 2000) for word in words if word)


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def check(asked: argparse.Namespace) -> int:
    from tracker.saves.save import Save
    from tracker.table.audit import idle_effects
    from tracker.table.loading import log_of

    path = _path(asked)
    save = Save.open(path, write=False, tail="keep")
    save.read_whole()
    contents = save.read
    for bad in contents.bad:
        say(f"{asked.name}, line {bad.line}: {bad.why}.")
    for note in contents.notes:
        say(note)
    if contents.torn:
        say(f"{len(contents.torn)} bytes after the last whole entry are an unfinished write.")
    from tracker.games import game as find_game

    game = find_game(save.head.game)
    whole = log_of(save, game)
    for ident, at in idle_effects(whole, game.top):
        say(f"Entry {ident}: {shown_line(at)} is not there, so this effect does nothing.")
    for line in game.lint(whole.state):
        say(line)
    wrong = len(contents.bad) + bool(contents.torn)
    say(
        f"{len(contents.blocks)} entries are whole"
        + (f", {wrong} places are damaged." if wrong else "; nothing is damaged.")
    )
    if wrong:
        say(f"`tracker recover {asked.name}` puts every whole entry into a new save.")
    return 1 if wrong else 0


def recover(asked: argparse.Namespace) -> int:
    from tracker.saves.recover import newest_good_backup
    from tracker.table.recovering import recovered

    path = _path(asked)
    target, found = recovered(path)
    say(f"{len(found.blocks)} whole entries are in {target}; {path} is as it was.")
    for bad in found.bad:
        say(f"Left out: line {bad.line}, {bad.why}.")
    if found.unfinished:
        say(f"Left out: an unfinished write of {found.unfinished} bytes at the end.")
    if backup := newest_good_backup(path):
        say(f"The newest good backup is {backup}.")
    return 0
