"""The seven kinds of prompt in lines: text to print, and parsers for the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tracker.campaign.typed_commands import find
from tracker.dice import dice_labels, parse_faces
from tracker.games.api.errors import Refused
from tracker.games.api.plain_text import clauses, explained, spoken
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll, Spread, Text
from tracker.plain.text_lines import odds, sentence
from tracker.text import shown_line

FEW = 9
"""Largest number of options that the message about a wrong answer lists."""
_EMPTIED = "-"
"""Input that clears a text; an empty line keeps it."""
_QUOTED = r'(?i)["“](help|\?|back|leave)["”]'
"""A word that plain mode handles itself, typed as the answer to a prompt for a text."""
_NAMES = 3
"""Most words of a title that can be typed as the name of its prompt."""
_WHOLE = r"[+-]?[0-9]{1,8}"


def block(prompt: Prompt) -> Iterator[str]:
    """Yield the lines of a prompt: the question, then its options, limits or odds."""
    yield prompt.asking
    match prompt:
        case Pick() | Choose():
            numbered = not _are_numbers(prompt.options)
            for n, option in enumerate(prompt.options, 1):
                yield f"{n}. {_told(option)}" if numbered else _told(option)
        case Spread():
            for option, limit in prompt.targets:
                yield clauses(_told(option), f"up to {limit}")
        case Roll() if prompt.odds:
            yield odds(prompt.odds)
            for (label, _, _), stake in zip(prompt.odds, prompt.stakes, strict=False):
                yield f"{label}: {spoken(', '.join(stake)) or 'no change'}"
        case Confirm() if prompt.note:
            yield f"Yes: {spoken(prompt.note)}"
        case Text() if prompt.hint:
            yield f"For example: {prompt.hint}"


def about(prompt: Prompt) -> Iterator[str]:
    """Yield a line with label and description for each option that has a long one; nothing if there are no options."""
    if isinstance(prompt, (Pick, Choose)):
        for option in prompt.options:
            if option.about:
                yield f"{option.label}: {spoken('  '.join(option.about.splitlines()))}"


def _are_numbers(options: Sequence[Option]) -> bool:
    """Return True if each label begins with its key, a number, such as “4 segments”: a typed number means that one."""
    return all(option.key.isdecimal() and option.label.split()[:1] == [option.key] for option in options)


def _told(option: Option) -> str:
    if option.reason:
        return spoken(f"{option.label}, not now: {option.reason}")
    return explained(spoken(option.label), odds(option.odds), spoken(option.note))


def how(prompt: Prompt, *, by_hand: bool) -> str:
    """Return a sentence on how to answer this prompt, and what an empty line does.

    With `by_hand` the player types the faces of real dice.
    """
    match prompt:
        case Pick() | Choose(most=1):
            words = "Type a number or a word"
        case Choose():
            many = str(prompt.least) if prompt.least == prompt.most else f"{prompt.least} to {prompt.most}"
            words = f"Type {many} numbers or words, separated by commas"
        case Spread():
            words = f"Type where it goes, e.g. {said(prompt, _filled(prompt))}"
        case Number():
            words = f"Type a number from {prompt.low} to {prompt.high}"
        case Roll(ours=False) if by_hand:
            words = f"Type your dice, in this order: {_dice(prompt)}"
        case Roll():
            return "Enter rolls"
        case Confirm():
            words = "Type yes or no"
        case _:
            words = "Type a line"
    default = when_empty(prompt)
    if default is None:
        return words
    numbers: dict[str, int | str] = {}
    if isinstance(prompt, Pick):
        own = _are_numbers(prompt.options)
        numbers = {option.key: option.key if own else n for n, option in enumerate(prompt.options, 1)}
    nothing = f", {_EMPTIED} leaves it empty" if isinstance(prompt, Text) and prompt.empty and default else ""
    if default in ("", []):
        return f"{words}; Enter skips"
    if numbers:
        return f"{words}; Enter takes {numbers[default]}"
    taken = said(prompt, default)
    return f"{words}; Enter takes {taken if isinstance(prompt, (Number, Confirm)) else f'“{taken}”'}{nothing}"


def _filled(prompt: Spread) -> dict[str, int]:
    """Return an example of a valid answer: the first targets get as many points as they can take."""
    left = prompt.points
    shares: dict[str, int] = {}
    for option, limit in prompt.targets:
        if share := min(left, limit):
            shares[option.key] = share
            left -= share
    return shares


def _dice(prompt: Roll) -> str:
    return ", ".join(dice_labels(prompt.dice, prompt.called))


def when_empty(prompt: Prompt) -> Answer:
    """Return the answer for an empty line, or None if input is required."""
    match prompt:
        case Text(default=None, empty=True):
            return ""
        case Choose(default=None, least=0):
            return []
    return prompt.default


def said(prompt: Prompt, value: Answer) -> str:
    """Return an answer as players read it: labels instead of keys, and "none" if it is empty."""
    match prompt, value:
        case Confirm(), _:
            return "yes" if value else "no"
        case ((Pick() | Choose()), _):
            labels = {option.key: option.label for option in prompt.options}
            keys = value if isinstance(value, (list, tuple)) else [value]
            return ", ".join(labels.get(key, str(key)) for key in keys) or "none"
        case Number(), int():
            return prompt.told(value)
        case Spread(), dict():
            labels = {option.key: option.label for option, _ in prompt.targets}
            return ", ".join(f"{labels.get(key, key)} {share}" for key, share in value.items()) or "none"
        case _:
            return str(value) or "none"


def names(prompt: Prompt) -> tuple[str, ...]:
    """Return the words, in lowercase, with which a player can change the answer of a prompt answered by default.

    The first is the one to print: the title if that is short, else the key. The key is always among them.
    """
    title = _bare(prompt.title).casefold()
    titled = not prompt.title.endswith("?") and title.replace(" ", "").isalpha() and len(title.split()) <= _NAMES
    return tuple(dict.fromkeys([*([title] if titled else []), prompt.key.replace("_", " "), prompt.key]))


def offer(prompt: Prompt, value: Answer) -> Iterator[str]:
    """Yield lines with the present answer of a prompt, and how to change it; nothing if it cannot be changed.

    The prompt is one that is answered by default, and `value` is that answer. Options that need an explanation have a
    line each.
    """
    word, now = names(prompt)[0], present(prompt, value)
    match prompt:
        case Number() if prompt.low == prompt.high:
            return
        case Number():
            off = f" ({prompt.low}: {prompt.off})" if prompt.off else ""
            yield sentence(f"{now} To change it, type {word} and a number from {prompt.low} to {prompt.high}{off}")
        case Confirm() if prompt.reason:
            yield sentence(f"{prompt.title}, not now: {prompt.reason}")
        case Confirm() if value:
            yield f"{now} To change it, type {word} no."
        case Confirm():
            note = f" ({spoken(prompt.note)})" if prompt.note else ""
            yield sentence(f"{now} To change it, type {word} yes{note}")
        case Pick() | Choose():
            yield from _other_options(prompt, value, word)
        case Text() if not value:
            typed = f"“{word} {prompt.hint}”" if prompt.hint else f"{word} and your answer"
            yield f"{_bare(prompt.title)}: none. To add one, type {'for example ' if prompt.hint else ''}{typed}."
        case _:
            yield sentence(f"{now} To change it, type {word} and your answer")


def _other_options(prompt: Pick | Choose, value: Answer, word: str) -> Iterator[str]:
    """Yield lines with `value`, the present answer of a prompt, and what to type for each other option.

    `word` is the word with which the player names the prompt. If there is no other option, yield how to choose none
    of several, if that changes something, else nothing.
    """
    chosen = value if isinstance(value, (list, tuple)) else [value]
    others = [option for option in prompt.options if option.key not in chosen and not option.reason]
    if isinstance(prompt, Choose):
        others = [option for option in others if not prompt.why_not(option, chosen)]
    now = present(prompt, value)
    if not others:
        if isinstance(prompt, Choose) and value:
            yield f"{now} To change it, type {word} none."
    elif any(option.note or option.odds for option in others):
        lines = [f"“{word} {_without(word, spoken(option.label))}”{_explained(option)}" for option in others]
        if len(lines) == 1:
            yield f"{now} To change it, type: {lines[0]}"
        else:
            yield from (f"{now} To change it, type:", *lines)
    else:
        yield sentence(f"{now} To change it, type {word} and {' or '.join(spoken(one.label) for one in others)}")


def _without(word: str, label: str) -> str:
    """Return a label without the word before it that the player types anyway: “drive: home” after “drives”."""
    return label.removeprefix(f"{word} ").removeprefix(f"{word.rstrip('s')}: ")


def _explained(option: Option) -> str:
    about = clauses(odds(option.odds), spoken(option.note))
    return f" ({about})" if about else ""


def _bare(title: str) -> str:
    return title.removesuffix("(optional)").rstrip(" :?")


def present(prompt: Prompt, value: Answer) -> str:
    """Return the present answer `value` of a prompt as a sentence, such as "Weapon: sword."."""
    said_ = said(prompt, value)
    asks = prompt.title.removesuffix("(optional)").rstrip().endswith("?")
    return sentence(f"{prompt.title} {said_}" if asks else f"{_bare(prompt.title)}: {said_}")


def parsed(prompt: Prompt, line: str) -> Answer:
    """Return the answer that a typed line gives to this prompt. Raise Refused, with the reason, if it is not valid."""
    line = line.strip()
    match prompt:
        case Pick():
            answer: Any = _key(prompt.options, line)
        case Choose():
            answer = _keys(prompt, line)
        case Spread():
            answer = _shares(prompt, line)
        case Number():
            answer = int(line) if re.fullmatch(_WHOLE, line) else line
        case Roll():
            try:
                answer = parse_faces(line, prompt.dice, prompt.called)
            except ValueError as error:
                raise Refused(str(error)) from None
        case Confirm():
            answer = {"yes": True, "y": True, "no": False, "n": False}.get(line.lower(), line)
        case Text(empty=True, default=default) if default and line == _EMPTIED:
            answer = ""
        case Text() if quoted := re.fullmatch(_QUOTED, line):
            answer = quoted[1]
        case _:
            answer = line
    return prompt.check(answer)


def _key(options: Sequence[Option], word: str) -> str:
    """Return the key of the option that `word` means: by number, label, key or hotkey, or the beginning of one.

    Raise Refused if no option or several match.
    """
    found: int | None
    if _are_numbers(options) and word.strip().isdecimal():
        found = next((n for n, option in enumerate(options) if option.key == word.strip()), None)
    else:
        names = [(o.label, o.key, o.key.replace("_", " "), o.hot, o.label.replace(":", "")) for o in options]
        found = find(word, names)
    if found is None:
        few = " or ".join(option.label for option in options) if len(options) <= FEW else ""
        raise Refused(f"“{shown_line(word)}” isn't an option; choose {few or f'one of {len(options)}'}.")
    return options[found].key


def _keys(prompt: Choose, line: str) -> list[str]:
    """Return the keys of the options that a line names; [] if it is one of the lines that `none_of` returns.

    Names are separated by commas. A line without a comma is one name, or else names separated by spaces. Raise Refused
    if a name matches no option or several.
    """
    if line.lower() in none_of(prompt):
        return []
    names = [(option.label, option.key) for option in prompt.options]
    if prompt.most == 1 or find(line, names) is not None:
        return [_key(prompt.options, line)]
    words = line.split(",") if "," in line else line.split()
    return [_key(prompt.options, word.strip()) for word in words]


def none_of(prompt: Choose) -> tuple[str, ...]:
    """Return the lines that choose nothing, such as "none", the one to print first; () if something must be chosen."""
    if prompt.least:
        return ()
    return ("no", "n", "none", "nothing", "") if len(prompt.options) == 1 else ("none", "nothing", "")


def _shares(prompt: Spread, line: str) -> dict[str, int]:
    """Return the points by target's key from a line of names with points, such as "health 2, spirit 1".

    Raise Refused if a name is unknown, means several targets or comes twice, or if a name or a number is missing.
    """
    targets = [option for option, _ in prompt.targets]
    shares: dict[str, int] = {}
    name: list[str] = []
    for word in line.replace(",", " ").replace("=", " ").split():
        if not (word.isascii() and word.isdigit()):
            name.append(word)
            continue
        if not name:
            raise Refused(f"Which one gets {word}? Type its name before it.")
        key = _key(targets, " ".join(name).rstrip(": "))
        if key in shares:
            raise Refused(f"{' '.join(name)} is named twice.")
        shares[key] = int(word[:9])
        name = []
    if name:
        raise Refused(f"How many for {' '.join(name)}? Type a number after it.")
    return shares
