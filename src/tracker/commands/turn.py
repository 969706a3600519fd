"""A turn from the shell: one procedure, played with answers given in advance. It is done as a whole or not at all."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tracker.arguments import Misuse, complain
from tracker.campaign.player import Player
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.commands.campaign_lookup import path_of, quoted
from tracker.commands.output import card_in_json, due_in_json, say, say_json
from tracker.dice import RandomDice
from tracker.games.api.errors import Refused
from tracker.games.api.facts import changes
from tracker.games.api.plain_text import clauses, spoken
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.view import Card, DueItem
from tracker.plain import text_lines
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.text import shown_line

PATIENCE = 3.0
"""Seconds to wait for another tracker that has the campaign open, so that commands at the same time take turns."""
MOST_OPTIONS = 12
"""Largest number of options that the message about an unanswered prompt lists."""
_KEYED = r"(?s)([a-z][a-z0-9_./?]*)=(.*)"


class Unanswered(Refused):
    """Raised when a procedure asks for something that the command line did not give; nothing was written.

    `prompt` is the question, `run` the procedure at that point, and `faces` are the dice rolled so far, in the form
    that --dice takes. The error's text says how to answer.
    """

    def __init__(self, prompt: Prompt, run: Run, faces: Iterable[str]) -> None:
        self.prompt, self.run, self.faces = prompt, run, tuple(faces)
        super().__init__(_asks(prompt, run, self.faces))


class Script:
    """The answers and dice that a command line gives for one procedure.

    An answer such as `adds=1` is for the prompt with that key, which may be a quiet one. Answers without a key are for
    the prompts that are asked, in order; one that does not fit may name a quiet prompt, such as `burn`, or one of its
    options. `faces` has the dice of each roll, and `seed` makes other dice repeatable if it is not None. If `defaults`
    is True and no answers are left, a prompt takes its default. Raise Misuse if an answer is not text.
    """

    def __init__(self, answers: Iterable[str], faces: Iterable[str], seed: int | None, *, defaults: bool) -> None:
        for text in (*answers, *faces):
            check_text(text)
        found = [(answer, re.fullmatch(_KEYED, answer)) for answer in answers]
        self._keyed = {keyed[1]: keyed[2] for _, keyed in found if keyed}
        self._bare = [answer for answer, keyed in found if not keyed]
        self._faces = list(faces)
        self._dice = RandomDice(seed)
        self._defaults = defaults

    def rehearse(self, run: Run, *, by_hand: bool = False, steps: Iterable[int] = ()) -> list[Answer]:
        """Play the run to its end in memory and return the faces of its rolls.

        `by_hand` is True if the player rolls real dice. `steps` are numbers such as +1; each is for the first quiet
        prompt that can take it. Raise Unanswered if something was not given, and Refused if an answer does not fit or
        is left over.
        """
        rolled: list[Answer] = []
        faces, bare, keyed, left = list(self._faces), list(self._bare), dict(self._keyed), list(steps)

        def roll(prompt: Roll) -> None:
            if faces and not prompt.ours:
                face = _parsed(prompt, faces.pop(0))
            elif by_hand and not prompt.ours:
                raise Unanswered(prompt, run, rolled_faces(run))
            else:
                face = self._dice.roll(prompt.dice)
            run.answer(face)
            rolled.append(face)

        self._play(run, roll, bare, keyed, left)
        if keyed or bare or faces or left:
            raise Refused(_left_over(run, [*keyed], bare, faces, left))
        return rolled

    def perform(self, session: Session, run: Run, rolled: Iterable[Answer], steps: Iterable[int]) -> None:
        """Play the run to its end and save each roll. `rolled` are the faces that `rehearse` returned.

        `steps` are the numbers that `rehearse` was given. Raise Refused or Unanswered if the answers no longer fit,
        because the state has changed since, or if a roll cannot be saved.
        """
        known = iter(rolled)

        def roll(_: Roll) -> None:
            session.rolled(run, next(known))

        self._play(run, roll, list(self._bare), dict(self._keyed), list(steps))

    def _play(
        self, run: Run, roll: Callable[[Roll], None], bare: list[str], keyed: dict[str, str], steps: list[int]
    ) -> None:
        while True:
            if quiet := next((one for one in run.quiet() if one.key in keyed), None):
                line = keyed.pop(quiet.key)
                run.revise(quiet.key, _parsed(quiet, line))
            elif steps and (number := _takes(run, steps[0])):
                run.revise(number.key, steps.pop(0))
            elif isinstance(prompt := run.prompt, Roll | None):
                if bare and _answers_quietly(run, bare[0], known=prompt is None):
                    del bare[0]
                elif prompt is None:
                    return
                else:
                    roll(prompt)
            elif bare and prompt.key not in keyed:
                line = bare.pop(0)
                try:
                    run.answer(_parsed(prompt, line))
                except Refused as error:
                    if not _answers_quietly(run, line):
                        asks = f"{run.move.name} asks: {prompt.asking}"
                        raise Refused(f"{asks} {error} Nothing was written.") from None
            else:
                run.answer(self._answer(prompt, run, keyed))

    def _answer(self, prompt: Prompt, run: Run, keyed: dict[str, str]) -> Answer:
        if prompt.key in keyed:
            return _parsed(prompt, keyed.pop(prompt.key))
        if self._defaults:
            from tracker.plain.prompts import when_empty

            if (default := when_empty(prompt)) is not None:
                return default
        raise Unanswered(prompt, run, rolled_faces(run))


def _answers_quietly(run: Run, line: str, *, known: bool = True) -> bool:
    """Answer a quiet prompt of the run with a line that names it, or one of its options; return False if none is named.

    A line such as "burn" says yes to the prompt with that name; an option is chosen besides those that are, if the line
    is its whole name: else an answer with a typing error could land there. With `known`, the line may also say what is
    the answer already, or what the roll is made with, or "no" to offers. Numbers name nothing: they could mean any
    prompt.
    """
    if line.strip().isdecimal():
        return False
    for prompt in run.quiet():
        answer = _named(prompt, line, run.value(prompt.key)) if _names_wholly(prompt, line) else None
        if answer is not None and answer != run.value(prompt.key):
            run.revise(prompt.key, answer)
            return True
    if not known:
        return False
    if line.strip().casefold() in {"no", "n"} and any(declined(run)):
        return True
    if line.strip().casefold() in _rolled_with(run):
        return True
    values = ((prompt, run.value(prompt.key)) for prompt in run.seen if prompt.quiet)
    return any(_named(prompt, line, value) == value is not None for prompt, value in values)


def _names_wholly(prompt: Prompt, line: str) -> bool:
    """Return True if the line is a name of the prompt, or the name or key of one of its options, in any case."""
    from tracker.plain.prompts import names

    options = prompt.options if isinstance(prompt, Pick | Choose) else ()
    known = (*names(prompt), *(name for option in options for name in (option.key, option.label)))
    return line.strip().casefold() in {name.casefold() for name in known}


def _rolled_with(run: Run) -> set[str]:
    """Return the words that the title of the card has for what a roll is made with, in lower case.

    That is {"wits"} for "Gather Information +wits", and the empty set before a roll.
    """
    title = run.game.card(run.move.id, run.draft.facts).title if run.rolled else ""
    return {word.strip().casefold() for word in title.split("+")[1:]}


def _named(prompt: Prompt, line: str, now: Answer) -> Answer:
    """Return the answer to a quiet prompt that a line names, or None. `now` is the present answer.

    Where several options may be chosen, the one that is named is added to those of `now`, or replaces them if that were
    too many.
    """
    from tracker.plain.prompts import names

    match prompt:
        case Confirm():
            return True if not prompt.reason and line.strip().casefold() in names(prompt) else None
        case Pick() | Choose():
            try:
                answer = _parsed(prompt, line)
            except Refused:
                return None
            if isinstance(prompt, Pick):
                return answer
            both = [*now, *(key for key in answer if key not in now)]
            return both if len(both) <= prompt.most else answer
    return None


def _parsed(prompt: Prompt, line: str) -> Answer:
    from tracker.plain.prompts import parsed  # a roll with nothing to answer does without it

    return parsed(prompt, line)


def check_text(text: str) -> None:
    """Raise Misuse if a word of the command line has bytes that cannot be decoded as text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Misuse(f"“{shown_line(text)}” isn't UTF-8 text.") from None


def _takes(run: Run, step: int) -> Number | None:
    """Return the quiet prompt that takes `step`, a number such as +1, or None if there is none.

    It is the first one for a number that is 0 now and may have this value.
    """
    numbers = (one for one in run.quiet() if isinstance(one, Number) and run.value(one.key) == 0 == one.default)
    return next((one for one in numbers if one.low <= step <= one.high), None)


def rolled_faces(run: Run) -> list[str]:
    """Return a text for each roll of a run so far, with its faces in the form that --dice takes, such as "4,5,9".

    Dice that tracker always rolls are left out.
    """
    return [
        ",".join(str(face) for name in prompt.dice for face in _faces(run.value(prompt.key)[name]))
        for prompt in run.seen
        if isinstance(prompt, Roll) and not prompt.ours
    ]


def _faces(value: Answer) -> list[Answer]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


# -- what was not answered ------------------------------------------------------------------------------


def _asks(prompt: Prompt, run: Run, faces: tuple[str, ...]) -> str:
    if isinstance(prompt, Roll):
        from tracker.dice import dice_labels

        wanted = ", ".join(dice_labels(prompt.dice, prompt.called))
        return f"{run.move.name} needs your dice: add --dice with {wanted}. Nothing was written."
    card = run.game.card(run.move.id, run.draft.facts)
    rolled = f"{clauses(card.outcome, 'dice ' + ' and '.join(faces))}. " if faces else ""
    keep = "".join(f" --dice {face}" for face in faces)
    kept = f", and keep the dice with{keep}" if keep else ""
    option = "--choose" if run.rolled else "--with"
    default = _default(prompt)
    besides = "".join(f" Or --choose {word}: {offer}." for word, offer in declined(run))
    return (
        f"{rolled}{run.move.name} asks: {prompt.asking} {_choices(prompt)}. "
        f"Answer with {option}{default}{kept}.{besides} Nothing was written."
    )


def _default(prompt: Prompt) -> str:
    """Return the part of a sentence that says what --defaults would answer, or ""."""
    from tracker.plain.prompts import said, when_empty

    default = when_empty(prompt)
    return "" if default is None else f", or --defaults for {spoken(said(prompt, default))}"


def declined(run: Run) -> Iterator[tuple[str, str]]:
    """Yield (word that takes it, phrase) for each offer after the last roll that the player has not taken.

    An offer is a quiet yes-or-no prompt, such as "burn momentum". Yield none before a roll.
    """
    for prompt in run.quiet() if run.rolled else ():
        if isinstance(prompt, Confirm) and not (prompt.reason or prompt.aside or run.value(prompt.key)):
            from tracker.plain.prompts import names  # many rolls offer nothing

            note = f" ({spoken(prompt.note)})" if prompt.note else ""
            yield names(prompt)[-1], f"{prompt.title[0].lower()}{prompt.title[1:].rstrip('?')}{note}"


def _choices(prompt: Prompt) -> str:
    match prompt:
        case Pick() | Choose():
            from tracker.plain.prompts import none_of

            many = "" if isinstance(prompt, Pick) or prompt.most == 1 else f"{_many(prompt)} of "
            none = [] if isinstance(prompt, Pick) else [f"or {word}" for word in none_of(prompt)[:1]]
            return many + "; ".join([_listed([one for one in prompt.options if not one.reason]), *none])
        case Spread():
            targets = [option for option, limit in prompt.targets if limit and not option.reason]
            return f"{prompt.points} over {_listed(targets)}"
        case Number():
            return f"a number from {prompt.low} to {prompt.high}"
        case Confirm():
            return f"yes{f' ({spoken(prompt.note)})' if prompt.note else ''} or no"
        case _:
            return f"a line of text{f', such as {prompt.hint}' if isinstance(prompt, Text) and prompt.hint else ''}"


def _many(prompt: Choose) -> str:
    return str(prompt.least) if prompt.least == prompt.most else f"{prompt.least} to {prompt.most}"


def _listed(options: list[Option]) -> str:
    told = [spoken(option.label) for option in options[:MOST_OPTIONS]]
    more = f" and {len(options) - MOST_OPTIONS} more, which --json lists" if len(options) > MOST_OPTIONS else ""
    return "; ".join(told) + more


def _left_over(run: Run, keyed: list[str], bare: list[str], faces: list[str], steps: list[int]) -> str:
    """Return a sentence for the player about the first answer that no prompt took, with the prompts that there were.

    `keyed` are the keys of answers left over, `bare` the answers without a key, `faces` the dice, and `steps` the
    numbers such as +1. At least one of them must not be empty.
    """
    if faces:
        return f"No roll is left for --dice {shown_line(faces[0])}; nothing was written."
    if steps:
        return f"Nothing here takes {steps[0]:+}; nothing was written."
    from tracker.plain.prompts import said

    word = keyed[0] if keyed else bare[0].strip()
    if why := run.draft.not_offered.get(word.casefold()):
        return f"{why[0].upper()}{why[1:]}. Nothing was written."
    asked = {one.key: f"{one.key}={said(one, run.value(one.key))}" for one in run.seen if not isinstance(one, Roll)}
    there = f"answers now: {'; '.join(asked.values())}" if asked else "it asks nothing"
    title = run.game.card(run.move.id, run.draft.facts).title if run.rolled else run.move.name
    what = f"{word}=" if keyed else f"“{shown_line(word)}”"
    return f"{title} has no prompt for {shown_line(what)}; {there}. Nothing was written."


def question_in_json(unanswered: Unanswered) -> dict[str, Any]:
    """Return data for JSON about a procedure that stopped at an unanswered prompt.

    It has the keys that every turn prints, and the prompt as `asks`, the quiet prompts as `optional`, and as `dice` the
    faces rolled so far.
    """
    run = unanswered.run
    card = run.game.card(run.move.id, run.draft.facts)
    told = turn_in_json(run.move.id, [], card if run.rolled else None)
    return {**told, "asks": _prompt_in_json(unanswered.prompt), "optional": _optional(run), "dice": unanswered.faces}


def turn_in_json(
    move: str, entries: list[Any], card: Card | None = None, changed: Iterable[str] = (), due: Iterable[DueItem] = ()
) -> dict[str, Any]:
    """Return the data for JSON that every command of one turn prints.

    `move` is the id of the move, or "". `entries` are the new entries as data, `changed` a phrase for each change, and
    `due` the items that are due now. `card` is that of the move, or None.
    """
    return {
        "move": move,
        "entries": entries,
        "card": card_in_json(card) if card else {},
        "changed": list(changed),
        "due": [due_in_json(item) for item in due],
    }


def _optional(run: Run) -> list[dict[str, Any]]:
    """Return the quiet prompts that can still be answered, as data for JSON with the present answer as `now`."""
    return [{**_prompt_in_json(prompt), "now": run.value(prompt.key)} for prompt in run.quiet()]


def _prompt_in_json(prompt: Prompt) -> dict[str, Any]:
    """Return a prompt as data for JSON: its key, kind and title, the default if there is one, and options or limits."""
    told: dict[str, Any] = {"key": prompt.key, "kind": type(prompt).__name__.lower(), "title": prompt.title}
    if prompt.default is not None:
        told["default"] = prompt.default
    match prompt:
        case Pick() | Choose():
            told["options"] = [_option(option) for option in prompt.options]
            if isinstance(prompt, Choose):
                told |= {"least": prompt.least, "most": prompt.most}
        case Spread():
            told["points"] = prompt.points
            told["options"] = [{**_option(option), "most": limit} for option, limit in prompt.targets]
        case Number():
            told |= {"low": prompt.low, "high": prompt.high}
        case Confirm():
            told |= {key: value for key, value in (("note", spoken(prompt.note)), ("not_now", prompt.reason)) if value}
        case Roll():
            told["dice"] = prompt.dice
    return told


def _option(option: Option) -> dict[str, Any]:
    told = {"key": option.key, "label": option.label, "note": option.note, "not_now": option.reason}
    return {key: value for key, value in told.items() if value}


# -- the campaign ---------------------------------------------------------------------------------------


@contextmanager
def opened(asked: argparse.Namespace) -> Iterator[Player]:
    """Context manager that opens the campaign `asked.name` for writing; at the end it is saved and closed.

    It yields the player, with `asked.who` as the active character. Problems in config.toml are printed on stderr, and
    so are the session's notes about the file, such as an edit by hand or a backup that failed. Raise SaveError if the
    campaign cannot be opened, is open elsewhere, or could not be saved, and Refused if there is no such character.
    """
    path = path_of(asked)
    if saves_folder.is_example(path):
        name = shown_line(os.path.basename(path))
        raise SaveError(f"{name} is an example; `tracker play {quoted(asked.name)}` makes a copy to play with.")
    session = Session.open(path, patience=PATIENCE)
    name = shown_line(session.save.name.removesuffix(".toml"))
    try:
        if session.readonly:
            raise SaveError(f"{name} can't be changed now: {session.readonly}.")
        from tracker import settings

        set_by_player = settings.read()
        for problem in set_by_player.problems:
            complain(problem)
        player = Player(session, set_by_player.dice)
        if asked.who:
            player.active = member_called(session, asked.who)
        yield player
    finally:
        sign = session.close(brief=True)
        for note in () if session.readonly else session.notes:
            complain(note)
    if sign.word != "saved":
        raise SaveError(f"{name} was not saved: {sign.why.rstrip('.')}.")


def member_called(session: Session, name: str) -> str:
    """Return the id of the character in play whose name is or begins with `name`, in any case.

    Raise Refused if there is none, or if several match.
    """
    from tracker.campaign.typed_commands import find

    members = session.game.members(session.state)
    found = find(name, [(member.name, member.id) for member in members])
    if found is None:
        there = ", ".join(member.name for member in members)
        way_out = f"choose from: {there}." if there else "there are none yet."
        raise Refused(f"No character is called “{shown_line(name)}”; {way_out}")
    return members[found].id


def script_of(asked: argparse.Namespace, *more: str) -> Script:
    """Return the Script of a command line: its answers, dice, seed, and whether prompts take their defaults.

    The answers in `more` come before those of the command line. Raise Misuse if one of them is not text.
    """
    return Script([*more, *asked.answers], asked.dice, asked.seed, defaults=asked.defaults)


def take_turn(
    player: Player, asked: argparse.Namespace, begin: Callable[[], Run], script: Script, steps: Iterable[int] = ()
) -> int:
    """Play the run that `begin` returns with the answers in `script`, save it, and print the result.

    Return the exit code, 0. `begin` is called twice, the first time for a rehearsal in memory. `steps` are numbers such
    as +1; each is for the first quiet prompt that can take it. Raise Unanswered or Refused, with nothing written, if
    the answers are not those that the procedure asks for.
    """
    session, steps = player.session, [*steps]
    rolled = script.rehearse(begin(), by_hand=player.types_dice, steps=steps)
    run = begin()
    run.note = "\n".join(filter(None, (run.note, asked.note)))
    known = {entry["id"] for entry in session.log.entries}
    script.perform(session, run, rolled, steps)
    entry = session.finish(run)
    made = [one for one in session.log.entries if one["id"] not in known]
    card = session.game.card(run.move.id, entry.get("facts", {}))
    due, new = session.owed(run.who or player.active), changes(entry.get("facts", {}))
    faces = rolled_faces(run)
    if asked.json:
        told = turn_in_json(run.move.id, made, card, new, due)
        say_json({**told, "optional": _optional(run) if run.rolled else [], "dice": faces})
        return 0
    told_already = " ".join(new)
    for line in (
        *text_lines.card(card),
        *new,
        *text_lines.due_items(item for item in due if item.label not in told_already),
    ):
        say(line)
    again = "".join(f"--dice {face} " for face in faces)
    for word, offer in () if asked.defaults else declined(run):
        say(f"You could {offer}: `tracker undo {quoted(asked.name)}`, then again with {again}--choose {word}")
    return 0
