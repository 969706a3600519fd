"""The command `completion`: a script for a shell, and the words that the script asks for at every Tab.

The words come from the parser, and from the campaign that is named on the line, so a script never gets old.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from tracker.arguments import COMMANDS, Misuse, Parser, command_at, parser_of
from tracker.commands.campaign_lookup import folder_of
from tracker.games.api.errors import Refused
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.streams import encodable
from tracker.text import shown_line

Word = tuple[str, str]
"""A word that can be typed, and what it means in a few words, or ""."""

SCRIPTS = {
    "bash": """\
# Completion of tracker for bash. In ~/.bashrc: eval "$(tracker completion bash)"
_tracker() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\\t'*}")
    done < <(command tracker completion quoted -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # Treated as file names, words with spaces are quoted.
    ((${#COMPREPLY[@]})) && compopt -o filenames
    return 0
}
complete -o default -F _tracker tracker
""",
    "zsh": """\
#compdef tracker
# Completion of tracker for zsh. In ~/.zshrc, after compinit: eval "$(tracker completion zsh)"
_tracker() {
    local -a found
    local line
    for line in "${(@f)$(command tracker completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -n $line ]] && found+=("${${${line%%$'\\t'*}//\\\\/\\\\\\\\}//:/\\\\:}:${line#*$'\\t'}")
    done
    if (( $#found )); then
        _describe -V tracker found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
    else
        _files
    fi
}
if [[ $funcstack[1] == _tracker ]]; then
    _tracker "$@"
else
    compdef _tracker tracker
fi
""",
    "fish": """\
# Completion of tracker for fish. In ~/.config/fish/config.fish: tracker completion fish | source
function __tracker_words
    set -l typed (commandline -ct)
    # fish itself looks for what begins with the word at the cursor.
    string match -q -- '-*' $typed; or set typed ''
    set -l before (commandline -opc)
    set -l found (command tracker completion words -- $before[2..-1] $typed 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c tracker -f -k -a '(__tracker_words)'
""",
}


def completion(asked: argparse.Namespace) -> int:
    """Print the script for a shell, or the words that can complete a command line; return the exit code, 0.

    Each word is on a line with its meaning after a tab. Raise Misuse for another shell.
    """
    if asked.shell in SCRIPTS:
        print(SCRIPTS[asked.shell], end="")
        return 0
    if asked.shell not in {"words", "quoted"}:
        raise Misuse(f"No completion for “{shown_line(asked.shell)}”; choose from: {', '.join(SCRIPTS)}.")
    line = asked.words[1:] if asked.words[:1] == ["--"] else asked.words
    if asked.shell == "quoted":
        line = [_unquoted(word) for word in line if word != "="]
    for word, about in candidates(line):
        if word.isprintable():
            print(encodable(f"{word}\t{shown_line(about, 100)}", sys.stdout))
    return 0


def _unquoted(word: str) -> str:
    """Return a word of a command line, with its quotes and backslashes, as bash would read it.

    A quote in it may still be open.
    """
    text, quote, skip = "", "", False
    for char in word:
        if skip:
            text, skip = text + char, False
        elif char == "\\" and quote != "'":
            skip = True
        elif char == quote:
            quote = ""
        elif char in "\"'" and not quote:
            quote = char
        else:
            text += char
    return text


def candidates(line: list[str]) -> list[Word]:
    """Return (word, meaning) for each word that can replace the last word of `line` and begins with it, in any case.

    `line` has the words after `tracker`; its last word, which may be "", is the one that is being typed.
    """
    *before, typed = line or [""]
    at = command_at(before)
    if at is None:
        found = [(name, one.help) for name, one in COMMANDS.items()]
        parser, rest = parser_of("play"), before
    else:
        found = []
        parser, rest = parser_of(before[at]), [*before[:at], *before[at + 1 :]]
    state = _Line(parser, rest)
    if state.waiting:
        found = list(state.values(state.waiting))
    elif typed.startswith("-"):
        found = list(state.options())
        if at is None:
            found.append(("--version", "print the version"))
    elif at is not None or not state.given:
        positional = state.positional()
        found += state.values(positional) if positional else ()
    begun = typed.casefold()
    return [(word, about) for word, about in dict(found).items() if word.casefold().startswith(begun)]


class _Line:
    """A command line that is not complete yet: which arguments it has, and what can come next.

    `parser` is that of its command, and `words` are the words before the one that is being typed, without the command.
    """

    def __init__(self, parser: Parser, words: Iterable[str]) -> None:
        self._parser = parser
        self.waiting: argparse.Action | None = None
        """The option whose value comes next, or None."""
        self.given: list[str] = []
        """The words that are no options."""
        self._used: dict[str, str] = {}
        self._values: dict[str, list[str]] = {}
        """All values of the options that may be given several times."""
        options = {name: action for action in parser.arguments for name in action.option_strings}
        for word in words:
            name, equals, value = word.partition("=")
            if self.waiting:
                self._used[self.waiting.dest] = word
                self._values.setdefault(self.waiting.dest, []).append(word)
                self.waiting = None
            elif name in options:
                self._used[options[name].dest] = value
                if options[name].nargs is None and not equals:
                    self.waiting = options[name]
            elif not word.startswith("-"):
                self.given.append(word)

    def positional(self) -> argparse.Action | None:
        """Return the positional argument that the next word would be, or None if the command takes no more."""
        left = len(self.given)
        for action in self._parser.arguments:
            if not action.option_strings:
                if left == 0 or action.nargs in {"*", "+"}:
                    return action
                left -= 1
        return None

    def options(self) -> Iterator[Word]:
        """Yield (long option, help) for each option that the command line can still get."""
        for action in self._parser.arguments:
            again = isinstance(action.default, list) or action.dest not in self._used
            if again and action.help != argparse.SUPPRESS:
                yield from ((name, action.help or "") for name in action.option_strings if name.startswith("--"))

    def values(self, action: argparse.Action) -> Iterator[Word]:
        """Yield (value, meaning) for each value that can be given for an argument.

        Yield none if the values are not known, and no more if a file that has them cannot be read.
        """
        if action.choices:
            yield from ((str(choice), "") for choice in action.choices)
        kind = self._parser.completes.get(action.dest, "")
        try:
            yield from _KINDS[kind](self) if kind in _KINDS else ()
        except (SaveError, Refused, OSError):
            return  # a Tab is no place for an error

    # -- what is there ----------------------------------------------------------------------------------

    def _asked(self) -> argparse.Namespace:
        name = self.given[0] if self.given else ""
        return argparse.Namespace(saves=self._used.get("saves"), name=name, command="")

    def campaigns(self) -> Iterator[Word]:
        for name in saves_folder.names(folder_of(self._asked())):
            yield name, ""

    def _path(self) -> str:
        from tracker.commands.campaign_lookup import path_of

        return path_of(self._asked())

    def characters(self) -> Iterator[Word]:
        from tracker.campaign.session import Session

        session = Session.open(self._path(), write=False, tail="keep")
        for member in session.game.members(session.state):
            yield member.name, member.kind

    def moves(self) -> Iterator[Word]:
        from tracker import games
        from tracker.campaign.typed_commands import short_ids

        game = games.get(saves_folder.look_at(self._path()).game)
        yield "due", "what is due next"
        for ident, typed in short_ids(game).items():
            yield typed, game.moves[ident].name

    def rolls(self) -> Iterator[Word]:
        from tracker.campaign.player import Player
        from tracker.campaign.session import Session
        from tracker.campaign.typed_commands import rolls

        player = Player(Session.open(self._path(), write=False, tail="keep"))
        for action in rolls(player, player.active):
            yield action.label, action.note

    def oracle(self) -> Iterator[Word]:
        from tracker import games
        from tracker.campaign.typed_commands import asked
        from tracker.content import load
        from tracker.games.api.content import table_names

        if not self.given:
            yield from self.campaigns()
            own, known = os.path.join(folder_of(self._asked()), "content"), list(games.GAMES)
        else:
            own = os.path.join(saves_folder.folder_for(self._path()), "content")
            known = [saves_folder.look_at(self._path()).game]
        for game in map(games.get, known):
            yield from ((action.label, "question") for action in asked(game.oracles()))
            yield from ((name, "table") for name in table_names(load(game.id, own, game.helped).oracles).values())

    def answers(self) -> Iterator[Word]:
        """Yield (answer, meaning) for each option of the next prompt of a move.

        Yield none unless the line has all answers and dice before it. Raise SaveError, Refused or OSError if the
        campaign cannot be read, or if an answer on the line does not fit.
        """
        from tracker.campaign.player import Player
        from tracker.campaign.run import Run
        from tracker.campaign.session import Session
        from tracker.campaign.typed_commands import move_called
        from tracker.commands.turn import Script, Unanswered, member_called
        from tracker.games.api.prompts import Choose, Confirm, Pick

        if "move" not in self._parser.completes or len(self.given) < 2:
            return
        session = Session.open(self._path(), write=False, tail="keep")
        move = move_called(session.game, self.given[1])
        named = self._used.get("who")
        who = "" if move.solo else member_called(session, named) if named else Player(session).active
        run = Run(session.game, move, who, session.state, (), session.content)
        script = Script(self._values.get("answers", ()), self._values.get("dice", ()), None, defaults=False)
        try:
            script.rehearse(run, by_hand=True)
        except Unanswered as asks:
            match asks.prompt:
                case Pick() | Choose():
                    yield from ((one.key, one.label) for one in asks.prompt.options if not one.reason)
                case Confirm():
                    yield from (("yes", asks.prompt.note), ("no", ""))

    def sessions(self) -> Iterator[Word]:
        from tracker.campaign.session import Session

        session = Session.open(self._path(), write=False, tail="keep")
        yield "last", ""
        yield from ((str(number), "") for number in range(1, int(session.state["session"]) + 1))


def _games(_: _Line) -> Iterator[Word]:
    from tracker.games import GAMES

    return ((game.id, game.name) for game in GAMES.values())


def _kinds(_: _Line) -> Iterator[Word]:
    from tracker.campaign.chronicle import KINDS

    return iter(KINDS.items())


def _packs(_: _Line) -> Iterator[Word]:
    from tracker.content.packs import installed

    return ((pack.id, pack.title) for pack in installed())


def _shells(_: _Line) -> Iterator[Word]:
    return ((shell, "") for shell in SCRIPTS)


_KINDS: Mapping[str, Callable[[_Line], Iterator[Word]]] = {
    "campaign": _Line.campaigns,
    "character": _Line.characters,
    "move": _Line.moves,
    "roll": _Line.rolls,
    "oracle": _Line.oracle,
    "session": _Line.sessions,
    "answer": _Line.answers,
    "game": _games,
    "kind": _kinds,
    "shell": _shells,
    "pack": _packs,
    "packs": _packs,
}
"""What completes an argument, by the kind that the parser gives it."""
