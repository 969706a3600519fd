"""The command line as data: every command with its arguments, help, examples and the function that runs it.

`parse` turns the words of a command line into a namespace. Help, completion and the manual page are made from the same
table, COMMANDS. To add a command: a function that adds its arguments, an entry in COMMANDS and in `tracker.COMMANDS`,
and a function in `tracker.commands` that takes the namespace and returns the exit code.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from tracker import __version__
from tracker.records import NamedTuple
from tracker.streams import encodable
from tracker.text import shown_line

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

Example = tuple[str, str]
"""A command line, and what it does in a few words."""


class Parser(argparse.ArgumentParser):
    """The parser of one command, with methods that add arguments which several commands have.

    For an error, print one line on stderr, with the most similar word if there is one, and raise SystemExit(2).
    """

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        vars(argparse)["_"] = str  # our texts are English; looking for translations would import locale
        self.arguments: list[argparse.Action] = []
        """The arguments, in the order in which they were added."""
        self.completes: dict[str, str] = {}
        """What completes an argument, by its `dest`: a kind of word that `tracker.commands.completion` knows."""
        super().__init__(prog, None, description, epilog, formatter_class=_as_written, add_help=False)
        self.color = False  # newer versions of argparse color their help, which is not for pipes and simple terminals

    def add_argument(self, *names: Any, completes: str = "", **kwargs: Any) -> argparse.Action:
        action = super().add_argument(*names, **kwargs)
        self.arguments.append(action)
        if completes:
            self.completes[action.dest] = completes
        return action

    def campaign(self, help_: str = "a campaign, the beginning of its name, or a path that ends in .toml") -> None:
        """Add the argument NAME, an existing campaign. `help_` is its help text."""
        self.add_argument("name", metavar="NAME", help=help_, completes="campaign")

    def json(self, help_: str = "print JSON, for scripts") -> None:
        self.add_argument("--json", action="store_true", help=help_)

    def seed(self) -> None:
        self.add_argument("--seed", metavar="N", type=int, help="seed for repeatable dice")

    def play(self) -> None:
        """Add the options of a command that opens a campaign to play, --plain and --seed."""
        self.add_argument(
            "--plain", action="store_true", help="plain text, for screen readers, pipes, simple terminals"
        )
        self.seed()

    def error(self, message: str) -> NoReturn:
        near = self._near(message)
        told = _in_words(message)
        complain(f"{told}{f'; did you mean {near}? See' if near else '; see'} {self.prog} --help.")
        raise SystemExit(2)

    def _near(self, message: str) -> str:
        """Return the known option or choice most like the unknown word in an error message of argparse.

        Return "" if the message is about something else, or if none is similar enough.
        """
        from tracker.similar_names import most_similar

        kind, _, words = message.partition(": ")
        if kind == "unrecognized arguments":
            known = [name for action in self.arguments for name in action.option_strings]
            return most_similar(words.split(" ", maxsplit=1)[0].partition("=")[0], known)
        if "invalid choice: '" in message:
            known = [str(one) for action in self.arguments for one in action.choices or ()]
            return most_similar(message.split("invalid choice: '")[1].split("'", maxsplit=1)[0], known)
        return ""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help to `file`, by default stdout, replacing characters that the encoding of stdout lacks."""
        print(encodable(self.format_help(), sys.stdout), end="", file=file)


def _in_words(message: str) -> str:
    """Return an error message of argparse in words for players if it is about the value of an argument.

    Return any other message unchanged.
    """
    import re

    if found := re.fullmatch(r"argument ([^:/]+)[^:]*: invalid choice: '(.*)' \(choose from (.*)\)", message):
        return f"{found[1]} can't be “{found[2]}”: choose from {found[3].replace(chr(39), '')}"
    if found := re.fullmatch(r"argument ([^:/]+)[^:]*: invalid int value: '(.*)'", message):
        return f"{found[1]} takes a number, not “{found[2]}”"
    if found := re.fullmatch(r"argument ([^:/]+)[^:]*: expected one argument", message):
        return f"{found[1]} needs a value"
    return message


def _as_written(prog: str) -> argparse.HelpFormatter:
    """Return a help formatter that keeps the line breaks of descriptions, for at most 100 columns.

    Without a width, argparse would import shutil to ask for the terminal's width, for every argument that is added.
    """
    try:
        wide = os.get_terminal_size(1).columns
    except (OSError, ValueError):
        wide = 80
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=max(40, min(wide, 100) - 2))


def complain(message: str) -> None:
    """Print "tracker: " and this message on stderr, as one line of at most about 1000 characters.

    If stderr cannot be written to, print nothing and redirect it to the null device.
    """
    try:
        print(encodable(f"tracker: {shown_line(message, 1000)}", sys.stderr), file=sys.stderr)
    except OSError:
        from tracker.streams import give_up

        give_up(sys.stderr.fileno())


class Command(NamedTuple):
    """A command of the command line.

    `run` names the function that runs it, as "module:function" below `tracker.commands`. `group` is the key in GROUPS
    of its heading in the list of commands, and `help` says what it does, as a clause in the imperative. `arguments` is
    a function that adds its arguments to a parser. `about` has paragraphs for its own help, and `codes` its exit codes
    besides those that all commands have.
    """

    run: str
    group: str
    help: str
    arguments: Callable[[Parser], None]
    about: str = ""
    examples: tuple[Example, ...] = ()
    codes: tuple[tuple[int, str], ...] = ()


# -- arguments ------------------------------------------------------------------------------------------


def _play(parser: Parser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="a campaign, the beginning of its name, or a path that ends in .toml",
        completes="campaign",
    )
    parser.play()


def _together(parser: Parser) -> None:
    """Add the options of a command for playing with others: --as, --plain and --seed."""
    parser.add_argument("--as", dest="own_name", metavar="NAME", help="your name at the table")
    parser.play()


def _over_server(parser: Parser) -> None:
    parser.add_argument(
        "--nats", metavar="URL", help="play over a NATS server with JetStream, at any time, without a host"
    )
    parser.add_argument(
        "--credentials", metavar="FILE", help="a .creds file, USER:PASSWORD or a token for --nats", completes="file"
    )


def _host(parser: Parser) -> None:
    parser.campaign()
    parser.add_argument("--lan", action="store_true", help="let everyone in your network reach it")
    parser.add_argument("--bind", metavar="ADDR", help="listen at this address, such as that of a private network")
    parser.add_argument("--port", metavar="N", type=int, help="the port, by default 47113 or any free one")
    parser.add_argument(
        "--far", action="store_true", help="be reached behind home routers with iroh, through its servers"
    )
    _over_server(parser)
    _together(parser)


def _join(parser: Parser) -> None:
    parser.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="the code that the host has passed on (else TRACKER_CODE); a name with --nats",
    )
    parser.add_argument("--watch", action="store_true", help="only watch: you follow everything and change nothing")
    _over_server(parser)
    _together(parser)


def _serve(parser: Parser) -> None:
    parser.campaign()
    parser.add_argument("--bind", metavar="ADDR", help="listen at this address, such as that of your network")
    parser.add_argument("--port", metavar="N", type=int, help="the port, by default 47180 or any free one")
    parser.add_argument("--url", metavar="URL", help="the address that browsers open, if a reverse proxy is in between")


def _new(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name of the new campaign")
    parser.add_argument("--game", required=True, help="the game: ironsworn, wherever or daggerheart", completes="game")
    parser.add_argument("--character", metavar="NAME", help="also make this character, with --stats")
    parser.add_argument("--stats", metavar="LIST", help="such as edge=3,heart=2,iron=2,shadow=1,wits=1")
    parser.add_argument(
        "--packs", metavar="LIST", help="installed packs to play with, such as classic,delve", completes="packs"
    )
    parser.json()


def _list(parser: Parser) -> None:
    parser.json("print one JSON object per line, for scripts")
    parser.add_argument("--names", action="store_true", help="print only the names, one per line, for scripts")


def _show(parser: Parser) -> None:
    parser.campaign()
    parser.json()
    parser.add_argument(
        "--format", metavar="TEXT", help='a line with values in braces, such as "{momentum} {health}"; {} lists them'
    )
    parser.add_argument("--as", dest="who", metavar="CHARACTER", help="only this character", completes="character")


def _log(parser: Parser) -> None:
    parser.campaign()
    parser.json("print one JSON object per line, for scripts")
    parser.add_argument(
        "--session",
        metavar="N",
        completes="session",
        help="only this session of play: a number, a range such as 2-4, or last",
    )
    parser.add_argument(
        "--kind",
        metavar="KIND",
        action="append",
        default=[],
        help="only story, move, oracle, note or change; several with commas",
        completes="kind",
    )
    parser.add_argument(
        "--character",
        "--as",
        dest="who",
        metavar="CHARACTER",
        action="append",
        help="only what this character did",
        completes="character",
    )
    parser.add_argument("-n", "--lines", metavar="N", type=int, help="only the last N")
    parser.add_argument("-f", "--follow", action="store_true", help="keep printing new entries, until Ctrl+C")
    parser.add_argument("--undone", action="store_true", help="undone entries too")
    parser.add_argument("--unfinished", action="store_true", help="unfinished rolls too")
    parser.add_argument("--all", action="store_true", help="both")


def _stats(parser: Parser) -> None:
    parser.campaign()
    parser.json("print one JSON object, for scripts")
    parser.add_argument("--session", metavar="N", help="only this session of play: 3, 2-4 or last")
    parser.add_argument(
        "--character",
        dest="who",
        metavar="CHARACTER",
        action="append",
        help="only what this character did",
        completes="character",
    )


def _recap(parser: Parser) -> None:
    parser.campaign()
    parser.json("print one JSON object, for scripts")


def _turn(parser: Parser, *, answers: bool = True) -> None:
    """Add the options of a command that takes one turn of play. `answers` adds those for answering prompts."""
    parser.add_argument(
        "--as", dest="who", metavar="CHARACTER", help="who acts, by default who acted last", completes="character"
    )
    parser.json()
    if not answers:
        return
    parser.add_argument(
        "--with",
        "--choose",
        dest="answers",
        metavar="[KEY=]ANSWER",
        action="append",
        default=[],
        help="an answer to the next prompt, or to the one with this key; once for each prompt",
        completes="answer",
    )
    parser.add_argument(
        "--dice",
        metavar="FACES",
        action="append",
        default=[],
        help="the results of real dice, such as 4,5,9; once for each roll",
    )
    parser.add_argument("--defaults", action="store_true", help="take the default of each prompt that has one")
    parser.add_argument("--note", metavar="TEXT", help="your own line for the journal")
    parser.seed()


def _roll(parser: Parser) -> None:
    parser.campaign()
    parser.add_argument(
        "what", metavar="WHAT", nargs="*", help="a stat, and a number to add, such as edge +1", completes="roll"
    )
    _turn(parser)


def _move(parser: Parser) -> None:
    parser.campaign()
    parser.add_argument(
        "move",
        metavar="MOVE",
        nargs="?",
        help="a move, such as face_danger, or due for what is due next; without it, all moves are listed",
        completes="move",
    )
    _turn(parser)


def _oracle(parser: Parser) -> None:
    parser.add_argument(
        "what",
        metavar="[NAME] WHAT",
        nargs="*",
        help="a campaign to save the answer in, and odds such as likely, or tables such as action, theme",
        completes="oracle",
    )
    parser.add_argument("--question", metavar="TEXT", help="what you ask, for the journal")
    parser.add_argument("--game", help="whose tables to use without a campaign", completes="game")
    _turn(parser)


def _say(parser: Parser) -> None:
    parser.campaign()
    parser.add_argument(
        "text", metavar="TEXT", nargs="*", help="the text; without it, or with -, it is read from stdin"
    )
    _turn(parser, answers=False)


def _undo(parser: Parser) -> None:
    parser.campaign()
    parser.add_argument("--redo", action="store_true", help="redo what was undone last instead")
    parser.add_argument("--as", dest="who", help=argparse.SUPPRESS)
    parser.json()


def _export(parser: Parser) -> None:
    parser.campaign()
    parser.add_argument("--to", metavar="FILE", help="the new file or folder; without it, print", completes="file")
    parser.add_argument(
        "--as",
        dest="form",
        choices=("markdown", "html", "iron-vault", "json"),
        help="the format; by default that of FILE's ending, else Markdown",
    )
    parser.add_argument("--session", metavar="N", help="only this session: 3, 2-4 or last")
    parser.add_argument("--story", action="store_true", help="only the story: leave out moves, rolls and changes")
    parser.add_argument("--characters", action="store_true", help="add the present characters, tracks and world notes")


def _merge(parser: Parser) -> None:
    parser.campaign("a campaign, which gets the entries of OTHER unless --to is given")
    parser.add_argument("other", metavar="OTHER", help="another copy of the same campaign", completes="campaign")
    parser.add_argument("--to", metavar="NAME", help="a new campaign for the result; NAME and OTHER stay unchanged")
    parser.json()


def _recover(parser: Parser) -> None:
    parser.campaign()
    parser.json()


def _check(parser: Parser) -> None:
    parser.campaign()
    parser.json()


def _backups(parser: Parser) -> None:
    parser.campaign("a campaign or the beginning of its name, even if its file is gone or damaged")
    parser.json("print one JSON object per line, for scripts")


def _restore(parser: Parser) -> None:
    parser.campaign("a campaign or the beginning of its name, even if its file is gone or damaged")
    parser.add_argument(
        "when",
        metavar="WHEN",
        nargs="*",
        help="a number from `tracker backups`, or the start of its date, such as 2026-11-17 20 or yesterday",
    )
    parser.add_argument("--in-place", action="store_true", help="replace the campaign, which is kept as a backup")
    parser.json()


def _packs(parser: Parser) -> None:
    parser.set_defaults(action="list")
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        choices=("list", "add", "check", "show", "remove"),
        default="list",
        help="list, add, check, show or remove; without it, list",
    )
    parser.add_argument(
        "pack",
        metavar="PACK",
        nargs="?",
        help="the id of an installed pack; for add and check also a file, a folder, a .tgz, or npm:NAME[@VERSION]",
        completes="pack",
    )
    parser.json("print one JSON object per line, one for each pack, for scripts")


ANSWERS = """\
The result is saved only if every prompt is answered; otherwise nothing is
written, and the message says what was asked and what can be chosen. A prompt
that is not asked, such as adds, takes its default unless KEY=ANSWER is given.
An offer is taken by its name, as in --choose burn."""
NO_ANSWER = ((3, "a prompt was not answered, and nothing was written; with --json, stdout has the prompt"),)


def _completion(parser: Parser) -> None:
    parser.add_argument("shell", metavar="SHELL", help=_SHELLS, completes="shell")
    words = parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    words.required = False


_SHELLS = "bash, zsh or fish"
COMMANDS: dict[str, Command] = {
    "play": Command(
        "play:play",
        "play",
        "play a campaign, or choose one",
        _play,
        "The word play may be left out. Without NAME, tracker lists the campaigns.",
        (("tracker", "choose a campaign"), ("tracker Mill --plain", "play Mill as lines of text")),
        ((129, "the terminal is gone"),),
    ),
    "new": Command(
        "new:new",
        "play",
        "make a new campaign",
        _new,
        "",
        (
            ("tracker new Mill --game ironsworn", "make an empty campaign"),
            (
                "tracker new Mill --game ironsworn --character Kara --stats edge=3,heart=2,iron=2,shadow=1,wits=1",
                "make one with its first character",
            ),
        ),
    ),
    "host": Command(
        "together:host",
        "together",
        "play a campaign with friends, each at their own terminal",
        _host,
        "Shows a code to pass on, and opens the table. Without --lan or --bind, only this machine and ssh tunnels\n"
        "to it can reach it. Each friend gets the whole campaign, and can host it next time.",
        (
            ("tracker host Mill --lan --as Ana", "for friends in your network"),
            ("tracker host Mill --bind 100.101.102.103", "at your address in a private network"),
            ("tracker host Mill --far", "for friends behind home routers"),
            ("tracker host Mill --nats nats://192.168.1.5:4222 --as Ana", "over a server, day and night"),
        ),
    ),
    "join": Command(
        "together:join",
        "together",
        "join a campaign that a friend hosts",
        _join,
        "The first time, the host is asked to let you in, and the campaign is copied into your saves. If the\n"
        "connection is lost, you play on alone; what both of you did is merged when it is back.",
        (
            ("tracker join 192.168.1.5:47113/abcd-efgh-jkmn-pqrs --as Bob", "play along"),
            ("tracker join 192.168.1.5:47113/abcd-efgh-jkmn-pqrs --watch", "only watch"),
            ("tracker join Mill --nats nats://192.168.1.5:4222", "over a server, with the campaign's name"),
        ),
    ),
    "serve": Command(
        "serve:serve",
        "together",
        "let friends play a campaign in their browsers",
        _serve,
        "Prints a link to pass on. Every browser is a guest, as with host and join, and the first one is the GM.\n"
        "Without --bind only this machine can open it. Ctrl+C ends it.",
        (
            ("tracker serve Mill", "for browsers on this machine"),
            ("tracker serve Mill --bind 192.168.1.5", "for browsers in your network, encrypted"),
            ("tracker serve Mill --url https://mill.example.org", "behind a reverse proxy"),
        ),
    ),
    "list": Command("campaigns:print_list", "read", "list the campaigns", _list),
    "show": Command("show:show", "read", "print the characters, tracks and what is due", _show),
    "log": Command("log:log", "read", "print everything that happened", _log),
    "stats": Command(
        "statistics:stats",
        "read",
        "show luck and other statistics of a campaign",
        _stats,
        "Outcomes are compared with the exact odds of each roll at the time.\n"
        "Undone entries and unfinished rolls don't count.\n"
        "In the app, S on the table or in the list of campaigns shows plots of the same.",
        (
            ("tracker stats Mill", "the whole campaign, in sentences"),
            ("tracker stats Mill --session last --character Kara", "one evening of one character"),
            ("tracker stats Mill --json | jq '.rolls[].luck'", "the luck of each kind of roll"),
        ),
    ),
    "recap": Command(
        "statistics:recap",
        "read",
        "show what happened in the last session, in ten lines",
        _recap,
        "The last session is what was played since the last new session or the last break of six hours.\n"
        "A break with fewer than twelve things after it doesn't count.",
        (("tracker recap Mill", "read it out before you play on"),),
    ),
    "export": Command(
        "export:export",
        "share",
        "export the story as Markdown, a web page, an Obsidian vault or JSON",
        _export,
        "markdown and html are to read; iron-vault is a folder that opens as an Obsidian vault; json has everything,\n"
        "for other programs. A file or folder that exists is never overwritten.",
        (
            ("tracker export Mill --to mill.html --characters", "the whole campaign as a web page"),
            ("tracker export Mill --as iron-vault --to Mill-vault", "a vault for Obsidian"),
            ("tracker export Mill --session last --story", "print the last session without rolls"),
            ("tracker export Mill --as json | jq '.entries[].text'", "every text, for a script"),
        ),
    ),
    "merge": Command(
        "merge:merge",
        "share",
        "merge two copies of one campaign, played on two machines",
        _merge,
        "Copies come from a USB stick, from Syncthing or from git. The result has every entry of both, each once.\n"
        "OTHER is only read. It is a name, or a path that ends in .toml.",
        (
            ("tracker merge Mill /media/stick/Mill.toml", "add what was played on another machine"),
            (
                "tracker merge Mill Mill.sync-conflict-20261119-201400-ABCDEFG.toml",
                "merge a Syncthing conflict",
            ),
            ("tracker merge mine.toml theirs.toml --to united.toml", "write the result to a new file, as git wants it"),
        ),
    ),
    "roll": Command(
        "moves:roll",
        "turn",
        "roll a stat and save the result",
        _roll,
        ANSWERS,
        (
            ("tracker roll Mill edge +1", "roll edge with 1 added"),
            ("tracker roll Mill wits --dice 4,5,9 --json", "enter real dice, and read the result in a script"),
            ("tracker roll Mill edge --dice 1,2,7 --choose burn", "burn momentum on this roll"),
        ),
        NO_ANSWER,
    ),
    "move": Command(
        "moves:move",
        "turn",
        "make a move and save the result",
        _move,
        ANSWERS,
        (
            ("tracker move Mill", "list all moves"),
            ("tracker move Mill face_danger --with edge --with adds=1", "make a move, with 1 added"),
            ("tracker move Mill face_danger --with edge --dice 4,5,9 --choose supply", "the same with real dice"),
            ("tracker move Mill due", "do what is due, or resume an unfinished roll"),
        ),
        NO_ANSWER,
    ),
    "oracle": Command(
        "moves:oracle",
        "turn",
        "ask the oracle; without a campaign, nothing is saved",
        _oracle,
        "Without WHAT, the odds and tables of each game are listed.",
        (
            ("tracker oracle likely", "ask a question that is likely a yes"),
            ("tracker oracle weather", "roll on a table"),
            ('tracker oracle Mill action, theme --question "What do they want?"', "save the answer in a campaign"),
        ),
        NO_ANSWER,
    ),
    "say": Command(
        "moves:say_in",
        "turn",
        "write a passage in the journal",
        _say,
        "",
        (
            ("tracker say Mill The bridge is out.", "write a line"),
            ("fortune | tracker say Mill", "write what another program prints"),
        ),
    ),
    "undo": Command("moves:undo", "turn", "undo the last thing, whatever it was", _undo),
    "check": Command("damaged_saves:check", "keep", "check a save for damage", _check),
    "recover": Command("damaged_saves:recover", "keep", "rebuild a damaged save from its intact entries", _recover),
    "backups": Command("backups:backups", "keep", "list the backups of a campaign", _backups),
    "restore": Command(
        "backups:restore",
        "keep",
        "restore a backup, as a new campaign or in place",
        _restore,
        "Without WHEN, the backups are listed.",
        (
            ("tracker restore Mill 1", "make a new campaign of the newest backup"),
            ("tracker restore Mill yesterday --in-place", "go back; the present campaign is kept as a backup"),
        ),
    ),
    "packs": Command(
        "packs:packs",
        "keep",
        "list the installed packs of tables, assets and texts, or add one",
        _packs,
        "",
        (("tracker packs add npm:@datasworn/ironsworn-classic", "install a pack from npm"),),
    ),
    "completion": Command(
        "completion:completion",
        "keep",
        "print a script that completes commands and names in your shell",
        _completion,
        "",
        (
            ('eval "$(tracker completion bash)"', "in ~/.bashrc"),
            ('eval "$(tracker completion zsh)"', "in ~/.zshrc, after compinit"),
            ("tracker completion fish | source", "in ~/.config/fish/config.fish"),
        ),
    ),
}
"""Every command by name, in the order of the help."""
GROUPS = {
    "play": "Play",
    "together": "Play together",
    "read": "Read",
    "turn": "Play from the shell, one move at a time",
    "share": "Share",
    "keep": "Keep",
}
"""Headings of the list of commands by the group of a command."""
CODES = (
    (0, "success"),
    (1, "something failed, or a save is damaged; stderr says why in one line"),
    (2, "the command could not be understood"),
    (130, "interrupted by Ctrl+C"),
    (141, "the reader of the output stopped"),
)
"""Exit codes that every command has."""
_WITH_VALUE = {"--saves", "--seed"}
"""Options before the command that take the next word as their value."""


class Misuse(Exception):
    """Raised by a command for a combination of arguments that is not allowed; the exit code is then 2."""


def parser_of(name: str) -> Parser:
    """Return a new parser for the command with this name, which must be in COMMANDS."""
    command = COMMANDS[name]
    parser = Parser(f"tracker {name}", _sentences(command), _epilog(command))
    command.arguments(parser)
    _everywhere(parser)
    return parser


def _sentences(command: Command) -> str:
    first = f"{command.help[0].upper()}{command.help[1:]}."
    return f"{first}\n\n{command.about}" if command.about else first


def _everywhere(parser: Parser) -> None:
    """Add the options that every command has, --saves and --help."""
    parser.add_argument(
        "--saves", metavar="DIR", help="the folder with the campaigns (else TRACKER_SAVES)", completes="folder"
    )
    parser.add_argument("-h", "--help", action="help", help="print this help and exit")


def _epilog(command: Command) -> str:
    parts = []
    if command.examples:
        parts.append("examples:\n" + "\n".join(f"  {line}\n      {what}" for line, what in command.examples))
    parts.append("exit codes:\n" + _codes(*CODES, *command.codes))
    return "\n\n".join(parts).replace("%", "%%")


def _codes(*codes: tuple[int, str]) -> str:
    return "\n".join(f"  {code:<4} {what}" for code, what in sorted(codes))


def parse(words: list[str]) -> argparse.Namespace:
    """Parse the words of a command line. Return a namespace with its arguments and `command`, the name of the command.

    `help COMMAND` is the same as `COMMAND --help`. Without a command, the words are those of `play`. Raise SystemExit,
    after printing, for --help, --version and invalid words.
    """
    at = next(_arguments(words), None)
    if at is not None and words[at] == "help":
        words, at = _as_option(words, at)
    if at is not None and words[at] in COMMANDS:
        name, rest = words[at], [*words[:at], *words[at + 1 :]]
    else:
        _answer_at_once(words)
        if at is not None and len([*_arguments(words)]) > 1:
            _refuse_command(words[at])
        name, rest = "play", words
    parser = parser_of(name)
    asked, left = parser.parse_known_args(rest)
    if left and COMMANDS[name].group == "turn":
        asked = parser.parse_intermixed_args(rest)  # slower; it lets options stand between NAME and the other words
    elif left:
        parser.error(f"unrecognized arguments: {' '.join(left)}")
    asked.command = name
    return asked


def _as_option(words: list[str], at: int) -> tuple[list[str], int | None]:
    """Return the words of `tracker help COMMAND` as those of `tracker COMMAND --help`, and the index of the command.

    `at` is the index of the word help. Without a command, the words are those of `tracker --help`. Raise SystemExit,
    after printing, if there is no such command.
    """
    word = words[at + 1 : at + 2]
    if word and word[0] not in COMMANDS:
        _refuse_command(word[0])
    return ["--help", *word], 1 if word else None


def _arguments(words: list[str]) -> Iterator[int]:
    """Yield the indexes of the words that can be the command.

    These are not options, nor values of options that may come before the command.
    """
    skip = False
    for n, word in enumerate(words):
        if skip:
            skip = False
        elif word in _WITH_VALUE:
            skip = True
        elif not word.startswith("-"):
            yield n


def command_at(words: list[str]) -> int | None:
    """Return the index of the command in the words of a command line: the first word that is not about an option.

    Return None if there is no such word, or if it is not the name of a command.
    """
    at = next(_arguments(words), None)
    return at if at is not None and words[at] in COMMANDS else None


def _answer_at_once(words: list[str]) -> None:
    """If a word is --help, -h or --version, print the program's help or version and raise SystemExit(0)."""
    if "--version" in words:
        print(f"tracker {__version__}")
        raise SystemExit(0)
    if {"-h", "--help"} & {*words}:
        print(encodable(overview(), sys.stdout), end="")
        raise SystemExit(0)


def _refuse_command(word: str) -> NoReturn:
    from tracker.similar_names import most_similar

    found = most_similar(word, COMMANDS)
    way_out = f"did you mean {found}?" if found else "quote a name that has spaces."
    complain(f"No command is called “{shown_line(word)}”; {way_out} See tracker --help.")
    raise SystemExit(2)


def overview() -> str:
    """Return the help of the whole program: every command by group, the options, the exit codes."""
    from tracker import settings

    lines = [
        "usage: tracker [NAME] [--plain] [--seed N]",
        "       tracker COMMAND ...",
        "",
        "A full-screen tracker for solo and co-op tabletop play.",
        "Run tracker to list campaigns, tracker NAME to open one; the first letters of its name are enough.",
    ]
    wide = max(map(len, COMMANDS))
    for group, heading in GROUPS.items():
        told = [f"  {name:<{wide}}  {one.help}" for name, one in COMMANDS.items() if one.group == group]
        lines += ["", f"{heading}:", *told] if told else []
    lines += [
        "",
        "tracker COMMAND --help explains one command, with examples.",
        "",
        "Options of every command:",
        "  --saves DIR  the folder with the campaigns (else TRACKER_SAVES)",
        "  --help, --version",
        "",
        "Exit codes:",
        _codes(*CODES, *NO_ANSWER),
        "",
        f"Settings: {settings.NAME} in {shown_line(settings.folder(), 500)}.",
    ]
    return "\n".join(lines) + "\n"
