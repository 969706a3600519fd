"""The entry point of the command line: run a command, and print what went wrong as one line."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


def run() -> NoReturn:
    """Run the command of this process and end the process with its exit code; never return.

    To save time, garbage is collected rarely, and a command that has not imported Textual ends with `os._exit`, after
    its output is flushed.
    """
    gc.set_threshold(100_000, 20, 20)
    import os

    try:
        code = main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    if "textual" in sys.modules:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left that Ctrl+C could interrupt
        raise SystemExit(code)
    try:
        sys.stderr.flush()
        sys.stdout.flush()
    finally:
        os._exit(code)


def main(argv: list[str] | None = None) -> int:
    """Run the command in `argv`, by default the process's arguments, and return its exit code.

    Print errors as one line on stderr; return 130 after Ctrl+C, and 141 if the reader of the output has stopped. Raise
    SystemExit for --help, --version and invalid arguments.
    """
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from tracker.streams import open_closed

        open_closed()
    from tracker.arguments import complain, parse

    words = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return _run(parse(words))
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _give_up(sys.stdout)  # the reader closed the pipe; do not flush the rest into it
        return 141
    except OSError as error:
        _give_up(sys.stdout)
        complain(f"Can't write the output: {error.strerror or error}.")
        return 1


def _give_up(stream: TextIO) -> None:
    from tracker.streams import give_up

    give_up(stream.fileno())


def _run(asked: argparse.Namespace) -> int:
    import errno
    from importlib import import_module

    from tracker.arguments import COMMANDS, Misuse, complain
    from tracker.games.api.errors import Malformed, Refused
    from tracker.saves.errors import DamagedSave, SaveError

    module, _, function = COMMANDS[asked.command].run.partition(":")
    try:
        run: Callable[[argparse.Namespace], int] = getattr(import_module(f"tracker.commands.{module}"), function)
        return run(asked)
    except (Misuse, Malformed) as error:
        complain(str(error))
        return 2
    except DamagedSave as error:
        from tracker.commands.campaign_lookup import way_out

        complain(f"{error} {way_out(asked)}")
    except (SaveError, Refused) as error:
        complain(str(error))
    except MemoryError:
        complain("Not enough memory for this; is the file a campaign?")
    except OSError as error:
        if isinstance(error, BrokenPipeError) or (error.errno == errno.ENOSPC and error.filename is None):
            raise  # of the output
        complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}.")
    return 1


if __name__ == "__main__":
    run()
