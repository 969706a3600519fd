"""The commands `host` and `join`: one campaign on several machines."""

from __future__ import annotations

import argparse
import gc
import os
from typing import TYPE_CHECKING

from tracker.arguments import Misuse
from tracker.commands.campaign_lookup import folder_of, path_of
from tracker.commands.output import Bar
from tracker.commands.play import COLLECT_AFTER, check_terminal
from tracker.games.api.errors import Refused
from tracker.games.common.seats import PLAYER, SPECTATOR
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError

if TYPE_CHECKING:
    from tracker.coop.plans import Plan


def host(asked: argparse.Namespace) -> int:
    """Open a campaign that others can join, in the app or in plain mode; return the exit code.

    Blocks until the player quits. Raise Misuse for options that exclude each other, and SaveError or Refused, with a
    sentence for the player, if the campaign cannot be hosted or the terminal cannot show the app.
    """
    _check_packages(asked)
    from tracker.coop.plans import Gathering, Hosting, check_port, lan_address

    if sum(map(bool, (asked.lan, asked.bind, asked.far, asked.nats))) > 1:
        raise Misuse("Give one of --lan, --bind, --far and --nats.")
    path = path_of(asked)
    check_terminal(plain=asked.plain)
    if saves_folder.is_example(path):
        raise SaveError("Open the example first, and host the copy that you then have.")
    if asked.nats:
        plan = Gathering(asked.nats, asked.credentials or "", asked.own_name or "", opens=True)
        return _run(asked, path, os.path.dirname(path), plan)
    if asked.far:
        return _run(asked, path, os.path.dirname(path), Hosting(name=asked.own_name or "", far=True))
    address = lan_address() if asked.lan else asked.bind or ""
    check_port(address, asked.port or 0)
    return _run(asked, path, os.path.dirname(path), Hosting(address, asked.port or 0, asked.own_name or ""))


def join(asked: argparse.Namespace) -> int:
    """Join the campaign that somebody hosts, in the app or in plain mode; return the exit code.

    Blocks until the player quits. The code may be in the environment. Raise Misuse without a code, and SaveError,
    Refused or OSError if there is no way in or our copy cannot be written.
    """
    _check_packages(asked)
    from tracker.coop.arrival import join as knock_and_fill
    from tracker.coop.plans import CODE_VARIABLE, Gathering, Joining

    if not (code := asked.code or os.environ.get(CODE_VARIABLE, "")):
        raise Misuse("join needs the code from the host.")
    check_terminal(plain=asked.plain)
    folder = folder_of(asked)
    role = SPECTATOR if asked.watch else PLAYER
    if asked.nats:
        from tracker.coop.arrival import find

        path, note = find(asked.code, folder, asked.nats, asked.credentials or "")
        plan = Gathering(asked.nats, asked.credentials or "", asked.own_name or "", role, note=note)
        return _run(asked, path, folder, plan)
    with Bar() as bar:

        def step(done: float) -> None:
            if done:
                bar.step(done)

        joined = knock_and_fill(code, folder, name=asked.own_name or "", role=role, asked=_tell_asked, step=step)
    if joined.note:
        print(joined.note)
    return _run(asked, joined.path, folder, Joining(joined.invitation, joined.name, joined.role, joined.note))


def _check_packages(asked: argparse.Namespace) -> None:
    from tracker.coop.plans import how_to_install

    if asked.credentials and not asked.nats:
        raise Misuse("--credentials is for --nats.")
    if missing := how_to_install("nats" if asked.nats else "far" if vars(asked).get("far") else ""):
        raise Refused(missing)


def _run(asked: argparse.Namespace, path: str, folder: str, plan: Plan) -> int:
    if asked.own_name:
        from tracker.coop.identity import own_name, remember

        remember(own_name(asked.own_name))
    gc.set_threshold(*COLLECT_AFTER)
    if asked.plain:
        from tracker.plain.main import run as run_plain

        return run_plain(path, asked.seed, plan)
    from tracker.app.main import run

    return run(folder, path, asked.seed, plan)


def _tell_asked(sentence: str) -> None:
    print(f"{sentence} Ctrl+C stops waiting.", flush=True)
