"""The commands of the command line, one function each. Only `play` imports the full-screen app.

Each function takes the parsed arguments as `asked`, prints the result and returns the exit code. It may raise SaveError
or Refused, which `cli` prints.
"""

from __future__ import annotations

import argparse
import builtins
import math
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tracker.games.api.errors import Refused
from tracker.games.api.format import counted
from tracker.saves import library
from tracker.saves.errors import SaveError
from tracker.text import shown, shown_line

if TYPE_CHECKING:
    from tracker.content.packs import PackSummary
    from tracker.saves.backups import Backup


def say(line: str = "") -> None:
    """Print one line on stdout, made safe to show; replace characters that stdout's encoding lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    print(shown(line).encode(encoding, "replace").decode(encoding))


def fail(message: str) -> int:
    """Print why a command failed as one line on stderr; return exit code 1."""
    encoding = sys.stderr.encoding or "utf-8"
    try:
        print(f"tracker: {shown_line(message, 1000)}".encode(encoding, "replace").decode(encoding), file=sys.stderr)
    except OSError:
        from tracker.streams import give_up

        give_up(sys.stderr.fileno())  # stderr is closed; the exit code remains
    return 1


def _folder(asked: argparse.Namespace) -> str:
    return library.saves_folder(getattr(asked, "saves", None))


def _path(asked: argparse.Namespace) -> str:
    folder = _folder(asked)
    path = library.however_written(library.path_of(asked.name, folder))
    if not os.path.exists(path):
        raise SaveError(f"No campaign {asked.name!r} in {folder}; see `tracker list`.")
    return path


def way_out(asked: argparse.Namespace) -> str:
    """Return a sentence that tells how to rescue the campaign `asked.name`, whose head cannot be read.

    Raise SaveError if there is no such campaign.
    """
    from tracker.saves.backups import find

    path = _path(asked)
    back = f"; `tracker restore {asked.name}` restores a backup" if find(path) else ""
    return f"`tracker recover {asked.name}` saves every intact entry{back}."


def play(asked: argparse.Namespace) -> int:
    """Play a campaign, or choose one, in the full-screen app, or in plain mode with `--plain`; return the exit code.

    Blocks until the player quits. An example is copied first. Raise SaveError if there is no such campaign or the
    terminal cannot show full screen.
    """
    folder = _folder(asked)
    plain = hasattr(asked, "plain")
    path = _path(asked) if asked.name is not None else None
    if plain and path is None:
        raise SaveError("Which campaign? Use `tracker NAME --plain`; `tracker list` lists them.")
    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SaveError("Full screen needs a terminal; use `tracker NAME --plain`.")
    if not plain and os.environ.get("TERM") == "dumb":
        raise SaveError("This terminal can't show full screen; use `tracker NAME --plain`.")
    library.make_saves_folder(folder)
    if path and library.is_example(path):
        from pathlib import Path

        path = library.copy_example(Path(path), folder)
    if plain and path:
        from tracker.plain.main import run as run_plain

        return run_plain(path, getattr(asked, "seed", None))
    from tracker.app.main import run

    return run(folder, path, getattr(asked, "seed", None))


def new(asked: argparse.Namespace) -> int:
    if (asked.character, asked.stats) != (None, None):
        return make(asked)
    from tracker import games
    from tracker.campaign.session import new_campaign

    if problem := library.name_problem(asked.name):
        raise SaveError(problem)
    game = games.get(asked.game)
    wanted = _wanted_packs(asked)
    folder = library.make_saves_folder(_folder(asked))
    path = os.path.join(folder, f"{asked.name}.toml")
    new_campaign(path, game)
    if wanted:
        _use_packs(path, wanted)
    say(f"Created {asked.name}. To play: tracker {_quoted(asked.name)}")
    return 0


def _wanted_packs(asked: argparse.Namespace) -> builtins.list[str]:
    """Return the ids in `--packs`, each once. Raise Refused if one of them is not installed."""
    if asked.packs is None:
        return []
    from tracker.content.packs import how_to_get, installed

    there = {pack.id for pack in installed()}
    wanted = builtins.list(dict.fromkeys(filter(None, map(str.strip, asked.packs.split(",")))))
    for ident in wanted:
        if ident not in there:
            raise Refused(f"No pack “{shown_line(ident)}” is installed; `{how_to_get(ident)}` brings it.")
    return wanted


def _use_packs(path: str, wanted: builtins.list[str]) -> None:
    """Record in the campaign at this path that it uses these packs. Raise SaveError if that cannot be saved."""
    from tracker.campaign.session import Session

    session = Session.open(path)
    try:
        for ident in wanted:
            session.finish(session.begin("packs/use", "", [["pack", ident]]))
    finally:
        sign = session.close()
    if sign.word != "saved":
        raise SaveError(f"Created the campaign, but couldn't save its packs: {sign.why}.")


def list(asked: argparse.Namespace) -> int:  # noqa: A001 the command's name
    from tracker.campaign.library import shelf
    from tracker.games import name_of

    folder = _folder(asked)
    try:
        found = shelf(folder)
    except FileNotFoundError:
        found = []  # listing does not create the folder
    except OSError as error:
        raise library.unusable(folder, error) from None
    if not found:
        say(f"No campaigns in {folder} yet; `tracker new NAME --game ironsworn` makes one.")
    for one in found:
        who = ", ".join(shown_line(name) for name in one.characters) or "–"
        game = name_of(one.game) or "–"
        played = one.played.strftime("%Y-%m-%d %H:%M")
        say(f"{shown_line(one.name):<24} {shown_line(game):<16} {who:<24} {played}  {one.entries:>6} entries")
        if one.problem:
            say(f"    {one.problem}")
    return 0


def show(asked: argparse.Namespace) -> int:
    import json

    from tracker.campaign.session import Session
    from tracker.campaign.state import thaw
    from tracker.plain import words

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
        for line in (*words.sheet(session, member.id, gm=side), *map(words.due, session.owed(member.id))):
            say(f"  {line}")
    parts = ([*words.other_side(side)] if side else [], [words.track(track) for track in game.tracks(state)])
    for part in filter(None, parts):
        say()
        for line in part:
            say(line)
    return 0


def log(asked: argparse.Namespace) -> int:
    import json

    from tracker.campaign.journal import as_written
    from tracker.campaign.session import Session
    from tracker.campaign.store import log_of

    session = Session.open(_path(asked), write=False, tail="keep")
    session.save.read_whole()
    whole = log_of(session.save, session.game)
    for entry in whole.entries:
        if asked.json:
            told = {"undone": whole.undone(entry), "superseded": whole.superseded(entry)}
            print(json.dumps(_finite({**entry, **told}), default=_plain, allow_nan=False))
        else:
            when = entry["at"].strftime("%Y-%m-%d %H:%M") if "at" in entry else " " * 16
            line = as_written(session.game, whole.state, entry)
            line = line._replace(undone=whole.undone(entry), superseded=whole.superseded(entry))
            status = f"  ({line.status})" if line.status else ""
            say(f"{when}  {entry['id']:<14} {shown_line(f'{line.sentence()}{_dice(entry)}', 4000)}{status}")
    return 0


def _finite(value: Any) -> Any:
    """Return a copy of the value with None for every nan and infinity in it, which JSON cannot hold."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, builtins.list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _dice(entry: dict[str, Any]) -> str:
    """Return the rolled dice of an open entry as text to append, such as ", action 4"; "" for any other entry."""
    from tracker.saves.toml import emit_value

    rolled = entry.get("answers", []) if entry.get("open") else []
    return "".join(f", {key} {emit_value(value)}" for key, value in rolled if isinstance(value, dict))


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def check(asked: argparse.Namespace) -> int:
    from tracker.campaign.maintenance import idle_effects, superseded_entries
    from tracker.campaign.store import log_of
    from tracker.saves.save import Save

    path = _path(asked)
    save = Save.open(path, write=False, tail="keep")
    save.read_whole()
    contents = save.read
    for bad in contents.bad:
        say(f"{asked.name}, line {bad.line}: {bad.why}.")
    for note in contents.notes:
        say(note)
    if contents.torn:
        say(f"{len(contents.torn)} bytes after the last intact entry are an unfinished write.")
    from tracker import games

    game = games.get(save.head.game)
    whole = log_of(save, game)
    for ident, first in superseded_entries(whole):
        why = f"a roll that entry {first} already continues" if first else "an entry that does not count"
        say(f"Entry {ident} continues {why}: it does not count.")
    for ident, at in idle_effects(whole, game.top):
        say(f"Entry {ident}: {shown_line(at)} doesn't exist, so this effect does nothing.")
    for line in game.lint(whole.state):
        say(line)
    wrong = len(contents.bad) + bool(contents.torn)
    say(f"{_entries(len(contents.blocks))} OK" + (f", {wrong} damaged." if wrong else ", no damage."))
    if wrong:
        say(f"`tracker recover {asked.name}` saves every intact entry in a new file.")
    return 1 if wrong else 0


def recover(asked: argparse.Namespace) -> int:
    from tracker.campaign.maintenance import recovered
    from tracker.saves.backups import find

    path = _path(asked)
    target, found = recovered(path)
    say(f"Recovered {_entries(len(found.blocks))} into {target}; {path} is untouched.")
    for bad in found.bad:
        say(f"Left out: line {bad.line}, {bad.why}.")
    if found.unfinished:
        say(f"Left out: an unfinished write of {found.unfinished} bytes at the end.")
    if find(path):
        say(f"There are backups too: tracker backups {asked.name}")
    return 0


def backups(asked: argparse.Namespace) -> int:
    """Print the backups of a campaign, newest first, with a number for `restore`; as JSON lines with `--json`.

    Return the exit code, 0. Raise SaveError if there are no backups.
    """
    import json

    from tracker.saves.backups import look

    path, found = _backed_up(asked)
    if asked.json:
        for number, one in enumerate(found, 1):
            entries, problem = look(one)
            told = {"number": number, "when": one.when.isoformat(), "kind": one.kind, "name": one.name}
            print(json.dumps({**told, "entries": entries, "problem": problem, "paths": one.paths}))
        return 0
    _list_backups(path, found)
    say(f"To restore one as a new campaign: tracker restore {_quoted(asked.name)} 1")
    return 0


def restore(asked: argparse.Namespace) -> int:
    """Restore the backup that WHEN names, as a new campaign or, with `--in-place`, over the present one.

    Without WHEN, print the backups and how to restore one. Return the exit code, 0. Raise SaveError if there is no such
    backup or it cannot be restored.
    """
    from tracker.saves import backups as bring_back

    path, found = _backed_up(asked)
    if not asked.when:
        _list_backups(path, found)
        name = _quoted(asked.name)
        say(f"Which one? As a new campaign: tracker restore {name} 1")
        say(f"In place (the campaign is kept as a backup): tracker restore {name} 1 --in-place")
        return 0
    one = bring_back.chosen(found, " ".join(asked.when))
    if not asked.in_place:
        target = bring_back.as_new(one, library.make_saves_folder(library.folder_for(path)))
        name = os.path.basename(target).removesuffix(".toml")
        given = os.path.dirname(os.path.abspath(target)) != os.path.abspath(_folder(asked))
        say(f"Restored the backup of {one.when:%Y-%m-%d %H:%M} as {name}.")
        say(f"To play: tracker {_quoted(target if given else name)}")
        return 0
    library.make_saves_folder(os.path.dirname(os.path.realpath(path)))
    kept = bring_back.in_place(one, path)
    say(f"Restored {asked.name} as of {one.when:%Y-%m-%d %H:%M}.")
    if kept:
        say(f"The replaced version is kept as {kept}.")
    return 0


def _backed_up(asked: argparse.Namespace) -> tuple[str, builtins.list[Backup]]:
    """Return (path of the campaign, which need not exist; its backups). Raise SaveError if there are no backups."""
    from tracker.saves.backups import backups_folder, beside, find

    path = library.however_written(library.path_of(asked.name, _folder(asked)))
    if found := find(path):
        return path, found
    raise SaveError(f"No backups of {asked.name!r} in {beside(os.path.realpath(path))} or {backups_folder()}.")


def _list_backups(path: str, found: builtins.list[Backup]) -> None:
    from tracker.saves.backups import ago, look
    from tracker.saves.compact import BACKUPS

    name = os.path.basename(path).removesuffix(".toml").casefold()
    for number, one in enumerate(found, 1):
        entries, problem = look(one)
        called = "" if one.name.casefold() == name else f" of “{shown_line(one.name)}”"
        beside = any(os.path.basename(os.path.dirname(path)) == BACKUPS for path in one.paths)
        away = not beside or len(one.paths) > 1
        where = " and ".join(filter(None, ("beside the save" if beside else "", "in the data folder" if away else "")))
        say(
            f"{number:>3}  {one.when:%Y-%m-%d %H:%M}  {ago(one.when):<15} {entries:>7,} entries  "
            f"{f'damaged: {problem}' if problem else 'intact'}, {one.kind}{called}, {where}"
        )


def packs(asked: argparse.Namespace) -> int:
    """List, add, check, show or remove packs, as `asked.action` says. Return 1 if a pack could not be read."""
    actions = {
        "list": _list_packs,
        "add": _add_packs,
        "check": _check_packs,
        "show": _show_pack,
        "remove": _remove_pack,
    }
    return actions[asked.action or "list"](asked)


def _list_packs(_: argparse.Namespace) -> int:
    from tracker.content.packs import how_to_get, summaries

    found = summaries()
    if not found:
        say("No packs yet. The official Ironsworn assets, oracles and texts:")
        say(f"  {how_to_get('classic')}")
    for one, summary in found:
        if isinstance(summary, str):
            say(f"{one.id:<16} {summary}")
        else:
            say(f"{one.id:<16} {shown_line(summary.title):<32} {_held(summary)}")
    return int(any(isinstance(summary, str) for _, summary in found))


def _held(summary: PackSummary) -> str:
    """Return what a pack has in a few words, such as "35 moves, 78 assets"."""
    counts = {**summary.counts, "moves": summary.counts["moves"] + summary.counts["asset moves"]}
    told = (
        counted(counts[f"{kind}s"], kind)
        for kind in ("move", "asset", "table", "foe", "truth", "page")
        if counts[f"{kind}s"]
    )
    return ", ".join(told) or "nothing that tracker shows"


def _add_packs(asked: argparse.Namespace) -> int:
    from tracker.content import pack_files
    from tracker.content import packs as store
    from tracker.content.datasworn import NO_PACK, NotAPack, Pack, read

    best: dict[str, tuple[Pack, str, bytes]] = {}
    failed: builtins.list[str] = []
    for name, data in pack_files.find(asked.pack):
        try:
            pack = read(data)
        except NotAPack as error:
            failed.append(f"{name} is no pack: {error}.")
            continue
        other = best.get(pack.id)
        if other:
            older = name if store.generation(pack.version) < store.generation(other[0].version) else other[1]
            say(f"{older} is passed over: another file has the id {pack.id}.")
        if not other or other[1] == older:
            best[pack.id] = pack, name, data
    if not best:
        raise Refused(failed[0] if len(failed) == 1 else f"No Datasworn pack in {shown_line(asked.pack, 200)}.")
    code = 0
    for line in failed:
        if NO_PACK not in line:  # any other JSON, such as package.json, is no reason to worry
            code = fail(line)
    for pack, _, data in best.values():
        try:
            summary, replaced = store.add(pack, data)
        except Refused as error:
            code = fail(str(error))
            continue
        instead = f", in place of {replaced}" if replaced else ""
        say(f"Added {pack.id}: {shown_line(summary.title)}, Datasworn {summary.version}{instead}.")
        say(f"  {_held(summary)}")
        say(f"  {_licensed(summary)}")
        if summary.problems:
            say(f"  {counted(summary.problems, 'problem')} in it; `tracker packs check {pack.id}` lists them.")
    if len(best) == 1 and not code:
        say(f"To play with it: tracker new NAME --game ironsworn --packs {next(iter(best))}")
        say("In a campaign: Packs of this campaign, in the palette (Ctrl+P).")
    return code


def _licensed(summary: PackSummary) -> str:
    """Return the authors and licenses of a pack on one line."""
    by = f"by {', '.join(map(shown_line, summary.authors))}; " if summary.authors else ""
    several = len(summary.licenses) > 1
    told = (f"{shown_line(name)}{f' ({many})' if several else ''}" for name, many in summary.licenses.items())
    return by + (", ".join(told) or "no license given")


def _check_packs(asked: argparse.Namespace) -> int:
    from tracker.content import pack_files
    from tracker.content import packs as store
    from tracker.content.datasworn import NotAPack, Pack, read

    there: builtins.list[Pack] = []
    checked: builtins.list[Pack] = []
    code = 0
    for one in store.stored():
        try:
            pack = store.load(one)
        except Refused as error:
            if asked.pack in {None, one.id}:
                say(str(error))
                code = 1
            continue
        there.append(pack)
        if asked.pack in {None, one.id}:
            checked.append(pack)
    if asked.pack is not None and not checked and not code:
        if not asked.pack.startswith(pack_files.NPM) and not os.path.exists(asked.pack):
            raise Refused(f"No pack “{shown_line(asked.pack)}” is installed, and no file has this name.")
        for name, data in pack_files.find(asked.pack):
            try:
                checked.append(read(data))
            except NotAPack as error:
                say(f"{name} is no pack: {error}.")
                code = 1
    if not checked and not code:
        say("No packs yet.")
    for pack in checked:
        others = [one.content for one in there if one.id != pack.id]
        told = [*pack.content.problems, *store.unknown_targets(pack.content, others)]
        for line in told:
            say(line)
        many = f"{counted(len(told), 'problem')}, listed above" if told else "no problems"
        say(f"{pack.id} is intact; {many}.")
    return code


def _show_pack(asked: argparse.Namespace) -> int:
    from tracker import games
    from tracker.content import packs as store

    found = store.find(asked.pack)
    if found is None:
        raise Refused(f"No pack “{shown_line(asked.pack)}” is installed; `tracker packs` lists them.")
    all_games = [games.get(game) for game in games.GAMES]
    pack = store.load(found, {move for game in all_games for move in game.moves})
    summary = store.summarize(pack, found.sha)
    content = pack.content
    say(f"{pack.id}: {shown_line(pack.title, 200)}")
    say(f"  Datasworn {pack.version}{f', {pack.date}' if pack.date else ''}, sha256 {found.sha}…")
    if pack.ruleset != pack.id:
        say(f"  extends {pack.ruleset}")
    say()
    played = sum(bool(text.move) for text in content.texts.values())
    assets = store.with_gifts(content.assets, {move for game in all_games for move in game.helped})
    abilities = [ability for asset in assets.values() for ability in asset.abilities]
    acting, guessed = sum(bool(one.gives) for one in abilities), sum(bool(one.guesses) for one in abilities)
    notes = {
        "moves": f"tracker plays {played}; the others are texts to read",
        "asset moves": "texts to read",
        "abilities": f"tracker applies {acting}, guesses at {guessed}; the others are texts on the card",
        "tables": "rolled by tracker",
        "foes": "start fights",
        "truths": "walked through, with rolls",
        "pages": "texts to read",
    }
    for kind, number in summary.counts.items():
        if number:
            say(f"  {number:>5} {kind}{f': {notes[kind]}' if kind in notes else ''}")
    say()
    for line in store.attributions(content, pack.source):
        say(f"  {line}")
    if summary.problems:
        say()
        say(f"  {counted(summary.problems, 'problem')}; `tracker packs check {pack.id}` lists them.")
    return 0


def _remove_pack(asked: argparse.Namespace) -> int:
    from tracker.content.packs import how_to_get, remove

    gone = remove(asked.pack)
    say(f"Removed {gone.id}; campaigns keep what they took from it. `{how_to_get(gone.id)}` brings it again.")
    return 0


def _entries(number: int) -> str:
    return f"{number} {'entry' if number == 1 else 'entries'}"


def _quoted(name: str) -> str:
    import shlex

    return shlex.quote(name)


def make(asked: argparse.Namespace) -> int:
    """Create a campaign with its first character, from `--character` and `--stats`; return the exit code, 0.

    Raise Refused if the game is unknown or the character is not valid, and SaveError if the campaign's name is not
    valid or taken, or its file cannot be written; no file is created then. Also raise SaveError if the campaign was
    created, but its character could not be saved.
    """
    from tracker import games
    from tracker.campaign.fold import start
    from tracker.campaign.run import Run
    from tracker.campaign.session import Session, new_campaign

    if asked.character is None:
        raise Refused("--stats needs --character.")
    if problem := library.name_problem(asked.name):
        raise SaveError(problem)
    game = games.get(asked.game)
    answers = game.creation_answers(asked.character, _numbers(asked.stats or ""))
    procedure = game.make_character.procedure
    made = Run(game, game.moves[procedure], "", start(game.top))
    while made.prompt is not None:
        made.answer(answers.get(made.prompt.key, made.prompt.default))
    wanted = _wanted_packs(asked)
    folder = library.make_saves_folder(library.saves_folder(getattr(asked, "saves", None)))
    path = os.path.join(folder, f"{asked.name}.toml")
    new_campaign(path, game)
    if wanted:
        _use_packs(path, wanted)
    session = Session.open(path)
    try:
        session.finish(session.begin(procedure, "", made.answers))
    finally:
        sign = session.close()
    if sign.word != "saved":
        raise SaveError(f"Created {asked.name}, but couldn't save the character: {sign.why}.")
    say(f"Created {asked.name} with {shown_line(asked.character)}. To play: tracker {_quoted(asked.name)}")
    return 0


def _numbers(text: str) -> Mapping[str, int]:
    """Return the numbers in a text such as `edge=3,heart=2` by name. Raise Refused if it is malformed."""
    numbers: dict[str, int] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, value = map(str.strip, part.partition("="))
        if not name or not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 4):
            raise Refused(f"“{shown_line(part)}” should look like edge=3.")
        if name in numbers:
            raise Refused(f"“{shown_line(name)}” appears twice in --stats.")
        numbers[name] = int(value)
    return numbers
