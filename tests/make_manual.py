"""Makes docs/tracker.1, the manual page, from the parser: `python -m tests.make_manual`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tracker import __version__
from tracker.arguments import CODES, COMMANDS, GROUPS, Command, Parser, parser_of

PAGE = Path(__file__).parents[1] / "docs" / "tracker.1"

ENVIRONMENT = (
    ("TRACKER_SAVES", "The folder with the campaigns, if --saves is not given."),
    ("NO_COLOR", "If set, the app draws without colors."),
    ("EDITOR, VISUAL", "The editor that the app opens for long passages."),
)


def page() -> str:
    """Return the manual page in roff."""
    return "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    yield '.\\" Made by tests/make_manual.py from the parser; changes here get lost.'
    yield f'.TH TRACKER 1 "" "tracker {__version__}" "User commands"'
    yield from (".SH NAME", r"tracker \- track solo and co\-op tabletop play in a terminal")
    yield from (".SH SYNOPSIS", ".B tracker", r"[\fINAME\fR] [\fB\-\-plain\fR] [\fB\-\-seed\fR \fIN\fR]", ".br")
    yield from (".B tracker", r"\fICOMMAND\fR ...")
    yield ".SH DESCRIPTION"
    yield _text("Without a command, tracker lists your campaigns, or opens the one that is named, full screen.")
    yield _text("NAME is the name of a campaign in any case, the beginning of it if no other begins so, or a path.")
    for group, heading in GROUPS.items():
        commands = {name: one for name, one in COMMANDS.items() if one.group == group}
        if commands:
            yield f".SH {_text(heading.upper())}"
            for name, command in commands.items():
                yield from _command(name, command)
    yield ".SH EXIT STATUS"
    for code, what in sorted({*CODES, *(code for one in COMMANDS.values() for code in one.codes)}):
        yield from (".TP", f".B {code}", _text(f"{what[0].upper()}{what[1:]}."))
    yield ".SH ENVIRONMENT"
    for name, what in ENVIRONMENT:
        yield from (".TP", f".B {name}", _text(what))


def _command(name: str, command: Command) -> Iterator[str]:
    parser = parser_of(name)
    yield f".SS {_synopsis(name, parser)}"
    yield _text(f"{command.help[0].upper()}{command.help[1:]}.")
    if command.about:
        yield from (".PP", _text(" ".join(command.about.split())))
    for action in parser.arguments:
        if action.help and action.help != argparse.SUPPRESS and action.dest not in {"saves", "help"}:
            yield from (".TP", _named(action), _text(f"{action.help[0].upper()}{action.help[1:]}."))
    for line, what in command.examples:
        yield from (".PP", _text(f"{what[0].upper()}{what[1:]}:"), ".RS 4", ".EX", _text(line), ".EE", ".RE")


def _synopsis(name: str, parser: Parser) -> str:
    """Return the command with its positional arguments, and with [OPTIONS] if it has options of its own."""
    own = any(action.option_strings and action.dest not in {"saves", "help"} for action in parser.arguments)
    words = [rf"\fBtracker {name}\fR", "[OPTIONS]" if own else ""]
    for action in parser.arguments:
        if not action.option_strings and action.help != argparse.SUPPRESS:
            value = rf"\fI{_text(_value(action))}\fR"
            words.append({"?": f"[{value}]", "*": f"[{value}...]"}.get(str(action.nargs), value))
    return " ".join(filter(None, words))


def _named(action: argparse.Action) -> str:
    names = ", ".join(rf"\fB{_text(name)}\fR" for name in action.option_strings)
    takes = action.nargs is None and bool(action.option_strings)
    value = rf"\fI{_text(_value(action))}\fR" if takes or not names else ""
    return " ".join(filter(None, (names, value)))


def _value(action: argparse.Action) -> str:
    return str(action.metavar or action.dest.upper())


def _text(words: str) -> str:
    """Return words for roff, in which backslashes, hyphens, quotes, and dots at the start of a line have a meaning."""
    quoted = words.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("%%", "%")
    quoted = quoted.replace("“", r"\(lq").replace("”", r"\(rq").replace("…", "...")
    return "\n".join(rf"\&{line}" if line.startswith(".") else line for line in quoted.split("\n"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
