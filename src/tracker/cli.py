"""The command line. Commands import lazily, so that `--help` stays fast."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, TextIO

from tracker import COMMANDS, __version__, settings
from tracker.text import shown_line

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


def main(argv: list[str] | None = None) -> int:
    """Run the command in `argv`, by default the process's arguments, and return its exit code.

    Print errors as one line on stderr. Raise SystemExit for --help, --version and invalid arguments.
    """
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from tracker.streams import open_closed

        open_closed()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return _run(_parser().parse_args(_with_command(words)))
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _give_up(sys.stdout)  # the reader closed the pipe; do not flush the rest into it
        return 141
    except OSError as error:
        _give_up(sys.stdout)
        _tell(f"Can't write the output: {error.strerror or error}.")
        return 1


def _tell(message: str) -> None:
    """Print one line on stderr, in ASCII; do nothing if stderr is closed."""
    try:
        print(f"tracker: {ascii(message)[1:-1]}", file=sys.stderr)
    except OSError:
        _give_up(sys.stderr)


def _give_up(stream: TextIO) -> None:
    from tracker.streams import give_up

    give_up(stream.fileno())


def _with_command(words: list[str]) -> list[str]:
    """Return the arguments with `play` inserted before the campaign's name, or at the end, if they have no command."""
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
        _tell(f"{message}; see tracker --help.")
        raise SystemExit(2)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help, replacing characters that the terminal's encoding lacks."""
        encoding = sys.stdout.encoding or "utf-8"
        print(self.format_help().encode(encoding, "replace").decode(encoding), end="", file=file)


def _parser() -> argparse.ArgumentParser:
    # argparse expands % in help texts, and a folder name may contain one.
    folder = shown_line(settings.folder(), 500).replace("%(", "%\u200a(")
    everywhere = _Parser(add_help=False)
    everywhere.add_argument(
        "--saves", metavar="DIR", default=argparse.SUPPRESS, help="the folder with the campaigns (else TRACKER_SAVES)"
    )
    playing = _Parser(add_help=False)
    playing.add_argument("--seed", metavar="N", type=int, default=argparse.SUPPRESS, help="seed for repeatable dice")
    playing.add_argument(
        "--plain",
        action="store_true",
        default=argparse.SUPPRESS,
        help="plain text, for screen readers, pipes and simple terminals",
    )
    parser = _Parser(
        prog="tracker",
        description="A full-screen tracker for solo and co-op tabletop play.",
        epilog=f"Run tracker to list campaigns, tracker NAME to open one. Settings: {settings.NAME} in {folder}.",
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
    new.add_argument("--game", required=True, help="the game; an unknown name lists them")
    new.add_argument("--character", metavar="NAME", help="also make this character, with --stats")
    new.add_argument("--stats", metavar="LIST", help="such as edge=3,heart=2,iron=2,shadow=1,wits=1")
    new.add_argument("--packs", metavar="LIST", help="installed packs to play with, such as classic,delve")
    command("list", "list the campaigns")
    for name, help_ in (("show", "print the current table"), ("log", "print everything that happened")):
        one = command(name, help_)
        one.add_argument("name", metavar="NAME")
        one.add_argument("--json", action="store_true", help="for scripts")
    for name, help_ in (
        ("check", "check a save for damage"),
        ("recover", "rebuild a damaged save from its intact entries"),
    ):
        command(name, help_).add_argument("name", metavar="NAME")
    backups = command("backups", "list the backups of a campaign")
    restore = command("restore", "restore a backup, as a new campaign or in place")
    for one in (backups, restore):
        one.add_argument("name", metavar="NAME", help="a campaign, even one whose file is gone or damaged")
    backups.add_argument("--json", action="store_true", help="for scripts")
    restore.add_argument(
        "when",
        metavar="WHEN",
        nargs="*",
        help="a number from `tracker backups`, or the start of its date, such as 2026-11-17 20 or yesterday",
    )
    restore.add_argument("--in-place", action="store_true", help="replace the campaign, which is kept as a backup")
    packs = command("packs", "list the installed packs of tables, assets and texts, or add one")
    packs.set_defaults(action="list")
    actions = packs.add_subparsers(dest="action", metavar="ACTION")
    for name, argument, help_ in (
        ("add", "FILE|DIR|TGZ|npm:NAME[@VERSION]", "check a Datasworn pack and install it"),
        ("check", "ID|FILE", "report what is wrong in a pack, or in all installed ones"),
        ("show", "ID", "print what a pack has, its authors and licenses"),
        ("remove", "ID", "remove a pack; campaigns keep what they took from it"),
    ):
        one = actions.add_parser(name, help=help_, description=help_, parents=[everywhere])
        one.add_argument("pack", metavar=argument, nargs="?" if name == "check" else None)
    return parser


def _run(asked: argparse.Namespace) -> int:
    from tracker import commands
    from tracker.games.api.errors import Refused
    from tracker.saves.errors import DamagedSave, SaveError

    try:
        run: Callable[[argparse.Namespace], int] = getattr(commands, asked.command)
        return run(asked)
    except DamagedSave as error:
        return commands.fail(f"{error} {commands.way_out(asked)}")
    except (SaveError, Refused) as error:
        return commands.fail(str(error))
    except MemoryError:
        return commands.fail("Not enough memory for this; is the file a campaign?")
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return commands.fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}.")


if __name__ == "__main__":
    raise SystemExit(main())
