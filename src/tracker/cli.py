"""The command line. Every command imports what it needs itself, so that `--help` costs nothing."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from tracker import COMMANDS, __version__, settings


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit code says how it went. Errors are one line on stderr."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(_parser().parse_args(_with_command(words)))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has had enough; what is left must not be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _with_command(words: list[str]) -> list[str]:
    """`tracker NAME` is `tracker play NAME`, and `tracker` alone is `tracker play`."""
    skip = False
    for n, word in enumerate(words):
        if skip:
            skip = False
        elif word in {"--saves", "--seed"}:
            skip = True
        elif word in COMMANDS or word in {"-h", "--help", "--version"}:
            return words
        elif not word.startswith("-"):
            return [*words[:n], "play", *words[n:]]
    return [*words, "play"]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"tracker: {ascii(message)[1:-1]}; tracker --help tells more.", file=sys.stderr)
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    everywhere = _Parser(add_help=False)
    everywhere.add_argument(
        "--saves", metavar="DIR", default=argparse.SUPPRESS, help="the folder with the campaigns (else TRACKER_SAVES)"
    )
    playing = _Parser(add_help=False)
    playing.add_argument("--seed", metavar="N", type=int, default=argparse.SUPPRESS, help="dice that repeat themselves")
    playing.add_argument(
        "--plain",
        action="store_true",
        default=argparse.SUPPRESS,
        help="in lines instead of full screen, for screen readers, pipes and simple terminals",
    )
    parser = _Parser(
        prog="tracker",
        description="A full-screen tracker for solo and co-op tabletop play.",
        epilog="tracker alone opens the list of campaigns; tracker NAME opens one. "
        f"Theme, dice and keys of your own: {settings.NAME} in {settings.folder()}.",
        parents=[everywhere, playing],
    )
    parser.add_argument("--version", action="version", version=f"tracker {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, help_: str, *parents: _Parser) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=help_, description=help_, parents=[everywhere, *parents])

    play = command("play", "play a campaign, or choose one", playing)
    play.add_argument("name", metavar="NAME", nargs="?", help="a campaign, or a path that ends in .toml")
    new = command("new", "make a new campaign")
    new.add_argument("name", metavar="NAME")
    new.add_argument("--game", required=True, help="which game; a name that is not there tells those that are")
    new.add_argument("--character", metavar="NAME", help="with its first character, who has the --stats")
    new.add_argument("--stats", metavar="LIST", help="such as edge=3,heart=2,iron=2,shadow=1,wits=1")
    command("list", "list the campaigns")
    for name, help_ in (("show", "print the table as it stands"), ("log", "print what has happened")):
        one = command(name, help_)
        one.add_argument("name", metavar="NAME")
        one.add_argument("--json", action="store_true", help="for scripts")
    for name, help_ in (
        ("check", "look at every block of a save"),
        ("recover", "put every whole block of a damaged save into a new one"),
    ):
        command(name, help_).add_argument("name", metavar="NAME")
    return parser


def _run(asked: argparse.Namespace) -> int:
    from tracker import commands
    from tracker.games.refused import Refused
    from tracker.saves.errors import Damaged, SaveError

    try:
        run: Callable[[argparse.Namespace], int] = getattr(commands, asked.command)
        return run(asked)
    except Damaged as error:
        return commands.fail(f"{error} {commands.way_out(asked)}")
    except (SaveError, Refused) as error:
        return commands.fail(str(error))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return commands.fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}.")


if __name__ == "__main__":
    raise SystemExit(main())
