"""The command `packs`: list, add, check, show and remove the packs on this computer."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tracker.arguments import Misuse, complain
from tracker.commands.output import fail, say, say_json
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import counted
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.content.packs import PackSummary
    from tracker.games.api.content import Content


def packs(asked: argparse.Namespace) -> int:
    """List, add, check, show or remove packs, as `asked.action` says; return the exit code.

    It is 1 if a pack could not be read or added, else 0. Raise Misuse if the action needs a pack and none is named, and
    Refused if the pack is not found or not allowed.
    """
    actions = {
        "list": _list_packs,
        "add": _add_packs,
        "check": _check_packs,
        "show": _show_pack,
        "remove": _remove_pack,
    }
    if asked.pack is None and asked.action not in {"list", "check"}:
        raise Misuse(f"tracker packs {asked.action} needs a PACK; see tracker packs --help.")
    return actions[asked.action](asked)


def _in_json(summary: PackSummary) -> dict[str, Any]:
    """Return the summary of a pack as data for JSON.

    Its `error` is "": a pack that cannot be read has the reason there, and no summary.
    """
    keys = ("id", "title", "version", "date", "ruleset", "url", "authors", "licenses", "counts", "problems")
    return {**{key: getattr(summary, key) for key in keys}, "error": ""}


def _list_packs(asked: argparse.Namespace) -> int:
    from tracker.content.packs import how_to_get, summaries

    found = summaries()
    if asked.json:
        for one, summary in found:
            say_json({"id": one.id, "error": summary} if isinstance(summary, str) else _in_json(summary))
    elif not found:
        say("No packs yet. The official Ironsworn assets, oracles and texts:")
        say(f"  {how_to_get('classic')}")
    for one, summary in () if asked.json else found:
        if isinstance(summary, str):
            say(f"{one.id:<16} {summary}")
        else:
            say(f"{one.id:<16} {shown_line(summary.title):<32} {_held(summary)}")
    return int(any(isinstance(summary, str) for _, summary in found))


def _held(summary: PackSummary) -> str:
    """Return the contents of a pack in a few words, such as "35 moves, 78 assets".

    For a pack with none of these, that is "nothing that tracker shows".
    """
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
    failed: list[str] = []
    for name, data in pack_files.find(asked.pack):
        try:
            pack = read(data, _all_moves())
        except NotAPack as error:
            failed.append(f"{name} isn't a pack: {error}.")
            continue
        other = best.get(pack.id)
        if other:
            older = name if store.generation(pack.version) < store.generation(other[0].version) else other[1]
            (complain if asked.json else say)(f"{older} was skipped: another file has the id {pack.id}.")
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
        if asked.json:
            say_json(_in_json(summary))
            continue
        instead = f", in place of {replaced}" if replaced else ""
        say(f"Added {pack.id}: {shown_line(summary.title)}, Datasworn {summary.version}{instead}.")
        say(f"  {_held(summary)}")
        for line in _acting(pack.content):
            say(f"  {line}")
        say(f"  {_licensed(summary)}")
        if summary.problems:
            say(f"  {counted(summary.problems, 'problem')} in it; `tracker packs check {pack.id}` lists them.")
    if len(best) == 1 and not code and not asked.json:
        say(f"To play with it: tracker new NAME --game ironsworn --packs {next(iter(best))}")
        say("In a campaign: Packs of this campaign, in the palette (Ctrl+P).")
    return code


def _all_moves() -> set[str]:
    """Return the ids of the moves of all games."""
    from tracker import games

    return {move for game in map(games.get, games.GAMES) for move in game.moves}


def _abilities(content: Content) -> tuple[int, int, int]:
    """Return (number of abilities of the assets, number that tracker applies, number at whose effect it guesses)."""
    from tracker import games
    from tracker.content import packs as store

    assets = store.with_gifts(content.assets, {move for game in map(games.get, games.GAMES) for move in game.helped})
    there = [ability for asset in assets.values() for ability in asset.abilities]
    return len(there), sum(bool(one.gives) for one in there), sum(bool(one.guesses) for one in there)


def _acting(content: Content) -> Iterator[str]:
    """Yield clauses that say which moves and abilities of a pack tracker applies, and what the player has to do.

    `content` is that of the pack. There is one clause for the moves and one for the abilities, if the pack has any.
    """
    if content.texts:
        played = sum(bool(text.move) for text in content.texts.values())
        yield f"tracker plays {counted(played, 'move')}" if played else "moves are texts to read, not to play yet"
    abilities, applied, guessed = _abilities(content)
    if abilities:
        rest = abilities - applied - guessed
        told = (
            f"{applied} applied by tracker" if applied else "",
            f"{guessed} guessed at, which you mark yourself" if guessed else "",
            f"{rest} texts on the card" if rest else "",
        )
        yield f"abilities: {', '.join(filter(None, told))}"


def _licensed(summary: PackSummary) -> str:
    """Return the authors and licenses of a pack on one line, safe to show.

    If there are several licenses, each has the number of parts under it.
    """
    by = f"by {', '.join(map(shown_line, summary.authors))}; " if summary.authors else ""
    several = len(summary.licenses) > 1
    told = (f"{shown_line(name)}{f' ({many})' if several else ''}" for name, many in summary.licenses.items())
    return by + (", ".join(told) or "no license given")


def _check_packs(asked: argparse.Namespace) -> int:
    from tracker.content import pack_files
    from tracker.content import packs as store
    from tracker.content.datasworn import NotAPack, Pack, read

    there: list[Pack] = []
    checked: list[Pack] = []
    code = 0
    for one in store.stored():
        try:
            pack = store.load(one)
        except Refused as error:
            if asked.pack in {None, one.id}:
                say_json({"id": one.id, "error": str(error)}) if asked.json else say(str(error))
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
                why = f"{name} isn't a pack: {error}."
                say_json({"id": "", "error": why}) if asked.json else say(why)
                code = 1
    if not checked and not code and not asked.json:
        say("No packs yet.")
    for pack in checked:
        others = [one.content for one in there if one.id != pack.id]
        told = [*pack.content.problems, *store.unknown_targets(pack.content, others)]
        if asked.json:
            say_json({"id": pack.id, "problems": told, "error": ""})
            continue
        for line in told:
            say(line)
        many = f"{counted(len(told), 'problem')}, listed above" if told else "no problems"
        say(f"{pack.id} is intact; {many}.")
    return code


def _show_pack(asked: argparse.Namespace) -> int:
    from tracker.content import packs as store

    found = store.find(asked.pack)
    if found is None:
        raise Refused(f"No pack “{shown_line(asked.pack)}” is installed; `tracker packs` lists them.")
    pack = store.load(found, _all_moves())
    summary = store.summarize(pack, found.sha)
    content = pack.content
    if asked.json:
        say_json({**_in_json(summary), "sha256": found.sha})
        return 0
    say(f"{pack.id}: {shown_line(pack.title, 200)}")
    say(f"  Datasworn {pack.version}{f', {pack.date}' if pack.date else ''}, sha256 {found.sha}…")
    if pack.ruleset != pack.id:
        say(f"  extends {pack.ruleset}")
    say()
    played = sum(bool(text.move) for text in content.texts.values())
    _, acting, guessed = _abilities(content)
    notes = {
        "moves": "played by tracker"
        if played == summary.counts["moves"]
        else f"texts to read{f'; tracker plays {played}' if played else ''}",
        "asset moves": "texts to read; played where tracker applies their ability",
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
    if asked.json:
        say_json({"id": gone.id})
        return 0
    say(f"Removed {gone.id}; campaigns keep what they took from it. `{how_to_get(gone.id)}` installs it again.")
    return 0
