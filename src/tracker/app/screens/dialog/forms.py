"""The rows of a dialog: what a prompt asks, and what can be changed beside it; and what was begun at each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Any

from tracker.app.fuzzy import rank
from tracker.app.widgets.options import DIGITS, Row
from tracker.campaign.run import Run, again
from tracker.campaign.session import Session
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.schema import State
from tracker.games.common.format import signed

OFFER = "offer:"
"""The value of a row that revises a quiet answer begins with this; behind a colon may stand the option it ticks."""
NOTHING = "nothing:"
"""The value of the row that takes none of the options, where that is allowed."""
NOTE = "note:"
"""The key of the player's own line; no prompt has it."""
LONG = 20
"""So many options are looked for by their name."""
OWN_KEYS = "dnr"
"""Letters that the dialog needs itself: no option gets one of them unless its game says so."""


def is_offer(row: Row) -> bool:
    return isinstance(row.value, str) and row.value.startswith(OFFER)


class PendingInput:
    """What was put together at each prompt and not answered yet, or answered and taken back: nothing of it is lost."""

    def __init__(self, words: Mapping[str, str] | None = None) -> None:
        self.words = dict(words or {})
        """What was typed, by the key of its prompt: it outlives the evening."""
        self.proposed = frozenset(self.words)
        """Of these, what was typed some time ago: whoever types now means something else."""
        self._by_key: dict[str, Any] = {**self.words}
        self._faces: dict[tuple[str, tuple[str, ...]], str] = {}
        """Faces belong to the dice for which they were typed."""
        self._left_at: State | None = None

    def leave(self, table: State) -> None:
        self._left_at = table

    def again(self, table: State) -> PendingInput:
        """When the table has moved on, what was marked and spread then is nobody's word any more; typed words stay."""
        return self if self._left_at is table else PendingInput(self.words)

    def keep(self, prompt: Prompt | None, value: Any) -> None:
        if isinstance(prompt, Roll):
            self._faces[prompt.key, _dice(prompt)] = value
        elif prompt:
            self._by_key[prompt.key] = value
        if isinstance(prompt, Text):
            self._type(prompt.key, "" if value == prompt.default else value)

    def _type(self, key: str, words: str) -> None:
        if words:
            self.words[key] = words
        else:
            self.words.pop(key, None)

    @property
    def note(self) -> str:
        """The line of the player's own."""
        return self.words.get(NOTE, "")

    @note.setter
    def note(self, note: str) -> None:
        self._type(NOTE, note)

    def learn(self, run: Run) -> None:
        """What was answered is what was begun, when a step back leads there again."""
        self._by_key |= {prompt.key: run.value(prompt.key) for prompt in run.seen if not isinstance(prompt, Roll)}

    def marked(self, prompt: Prompt | None) -> list[str]:
        if not isinstance(prompt, Choose):
            return []
        free = {option.key for option in prompt.options if not option.reason}
        begun = self._by_key.get(prompt.key)
        return [key for key in begun if key in free] if isinstance(begun, list) else []

    def shares(self, prompt: Prompt | None) -> dict[str, int]:
        if not isinstance(prompt, Spread):
            return {}
        limits = {option.key: limit for option, limit in prompt.targets}
        begun = self._by_key.get(prompt.key)
        return {k: min(n, limits[k]) for k, n in begun.items() if k in limits} if isinstance(begun, Mapping) else {}

    def line(self, prompt: Prompt | None) -> str:
        """What stands in the line of this prompt when it is come to."""
        if prompt is None or isinstance(prompt, (Choose, Spread)):
            return ""
        if isinstance(prompt, Roll):
            return self._typed(prompt)
        begun = self._by_key.get(prompt.key)
        if begun is None and isinstance(prompt, (Number, Text)):
            begun = prompt.default
        return "" if begun is None else str(begun)

    def _typed(self, prompt: Roll) -> str:
        """What was typed for these dice, or else for the first of them: the rest is typed behind it."""
        wanted = _dice(prompt)
        known = (self._faces.get((prompt.key, wanted[:n])) for n in range(len(wanted), 0, -1))
        return next((line for line in known if line is not None), "")

    def at(self, prompt: Prompt | None) -> Answer:
        """The option on which the cursor stands when this prompt is come to; None for the first."""
        begun = self._by_key.get(prompt.key) if prompt else None
        if isinstance(prompt, Choose):
            if isinstance(begun, list):
                return begun[0] if begun else NOTHING
            return prompt.likely
        if begun is None and isinstance(prompt, Pick) and prompt.likely is not None:
            return prompt.likely
        if begun is None and isinstance(prompt, (Pick, Confirm)):
            return prompt.default
        return begun if isinstance(prompt, (Pick, Confirm)) else None


def _dice(prompt: Roll) -> tuple[str, ...]:
    """Each die by its name and its sides, in the order in which faces are typed."""
    several = ((name, sides if isinstance(sides, tuple) else (sides,)) for name, sides in prompt.dice.items())
    return tuple(f"{name} {one}" for name, sides in several for one in sides)


def rolled_again(session: Session, who: str) -> tuple[Run, PendingInput] | None:
    """The newest roll of this character once more, as far as the odds. None if there is none."""
    run, begun = again(session, who), PendingInput()
    if run and isinstance(run.prompt, Roll) and run.prompt.at_once:
        begun.learn(run)
        run.back()
    return (run, begun) if run else None


def typed_into(prompt: Prompt | None, *, typed_dice: bool) -> str | None:
    """The characters that the line of this prompt takes, "" for all of them; None where there is no line."""
    match prompt:
        case Text():
            return ""
        case Number():
            return "0123456789"
        case Roll(ours=False) if typed_dice:
            return "0123456789 ,"
        case _:
            return None


def offered(run: Run, *, aside: bool = False) -> list[Row]:
    """What was taken for granted and can be revised; with `aside`, what hardly anybody wants as well."""
    return [row for quiet in run.quiet() if aside or not quiet.aside for row in _offers(run, quiet)]


def is_long(prompt: Prompt | None) -> bool:
    """Whether this is a list to look for something in, where letters are typed and are no keys."""
    if not isinstance(prompt, (Pick, Choose)) or len(prompt.options) < LONG:
        return False
    return not any(option.hot.isalpha() for option in prompt.options)


def _found(rows: list[Row], typed: str) -> list[Row]:
    """Those whose name these letters fit, best first; all of them where none was typed."""
    ranked = [(fits, row) for row in rows if (fits := rank(typed, row.label))] if typed else []
    return [row for _, row in sorted(ranked, key=lambda pair: pair[0])] if typed else rows


def asked(
    run: Run, begun: PendingInput, question: list[str], *, typed_dice: bool, aside: bool = False, sought: str = ""
) -> tuple[Row, ...]:
    """First what can be revised, then the question, then its options; of a long list those that were sought.

    Each has a key that nothing else needs: its own letter, else a digit, else a free letter. Where digits are
    typed they are no keys, and where words are typed nothing is; nor are letters in a long list.
    """
    prompt = run.prompt
    offers = offered(run, aside=aside)
    options = _found(list(_options(prompt, begun)), sought)
    takes = typed_into(prompt, typed_dice=typed_dice)
    own = {row.key for row in (*offers, *options) if row.key}
    letters = [letter for letter in ascii_lowercase if letter not in own and letter not in OWN_KEYS]
    digits = (digit for digit in DIGITS if digit not in own)
    free = iter([*("" if takes else digits), *([] if is_long(prompt) else letters)])
    keyed = [row if row.key else row._replace(key=next(free, "")) for row in options]
    taken = {row.key for row in keyed}
    revised: list[Row] = []
    for row in offers:
        key = row.key or (next(free, "") if row.on is not None else "")
        revised.append(row._replace(key="" if key in taken else key))  # what is asked comes first
        taken.add(key)
    if takes == "":
        revised = [row._replace(key="") for row in revised]
    between = [Row(""), *(Row(line) for line in question)] if revised and (keyed or question) else []
    return (*revised, *between, *keyed)


def _offers(run: Run, quiet: Prompt) -> Iterator[Row]:
    value, at = run.value(quiet.key), OFFER + quiet.key
    if isinstance(quiet, Confirm):
        yield Row(quiet.title, at, quiet.hot, quiet.note, quiet.reason, on=bool(value))
    elif isinstance(quiet, Number) and quiet.low < quiet.high:
        yield Row(f"{quiet.title} {_told(quiet, value)}", at, quiet.hot)
    elif isinstance(quiet, Pick) and len(quiet.options) > 1:
        for option in quiet.options:
            label, on = f"{quiet.title}: {option.label}", option.key == value
            yield Row(label, f"{at}:{option.key}", option.hot, option.note, "" if on else option.reason, on=on)
    elif isinstance(quiet, Choose):
        for option in quiet.options:
            on = option.key in value
            reason = "" if on else option.reason
            yield Row(option.label, f"{at}:{option.key}", option.hot, option.note, reason, on=on)


def _told(number: Number, value: int) -> str:
    return (signed(value) if value else "+0") if number.low < 0 < number.high else number.told(value)


def with_signs(rows: tuple[Row, ...], run: Run, plus: Number | None, minus: Number | None) -> tuple[Row, ...]:
    """The same rows; each number says what changes it now: `+` is for one, and `-` mostly for the same."""
    numbers = {OFFER + quiet.key: quiet for quiet in run.quiet() if isinstance(quiet, Number)}
    return tuple(
        row._replace(note=_what_changes(numbers[row.value], run, plus, minus)) if row.value in numbers else row
        for row in rows
    )


def _what_changes(number: Number, run: Run, plus: Number | None, minus: Number | None) -> str:
    value = run.value(number.key)
    more, less = (one is not None and one.key == number.key for one in (plus, minus))
    signs = "+ and - change it" if more and less else "+ changes it" if more else "- changes it" if less else ""
    if number.off and value != number.low:
        key = f"{number.hot} keeps it {number.off}"
    else:
        key = f"{number.hot} makes it {_told(number, number.pressed(value))}" if number.hot and not signs else ""
    return "; ".join(filter(None, (signs, key)))


def _options(prompt: Prompt | None, begun: PendingInput) -> Iterator[Row]:
    if isinstance(prompt, (Pick, Choose)):
        marked = begun.marked(prompt)
        for option in prompt.options:
            yield _option(option, prompt, marked)
        if isinstance(prompt, Choose) and not prompt.least:
            yield Row("nothing of this", NOTHING, "0", one_of=prompt.most == 1)
    elif isinstance(prompt, Confirm):
        yield Row("yes", True, prompt.hot, prompt.note)
        yield Row("no", False, "n" if prompt.hot != "n" else "")
    elif isinstance(prompt, Spread):
        shares = begun.shares(prompt)
        for option, limit in prompt.targets:
            note = f"{shares.get(option.key, 0)} of {limit}" + (f"  {option.note}" if option.note else "")
            yield Row(option.label, option.key, option.hot, note, option.reason or ("" if limit else "nothing fits"))


def _option(option: Option, prompt: Pick | Choose, marked: list[str]) -> Row:
    several = isinstance(prompt, Choose) and prompt.most > 1
    on = option.key in marked if several else None
    one_of = isinstance(prompt, Choose) and not several
    return Row(option.label, option.key, option.hot, option.note, option.reason, on, option.odds, one_of)


def about(run: Run, row: Row | None) -> str:
    """The long text of what is under the cursor."""
    prompts = [(f"{OFFER}{quiet.key}:", quiet) for quiet in run.quiet()] + ([("", run.prompt)] if run.prompt else [])
    for before, prompt in prompts:
        for option in prompt.options if isinstance(prompt, (Pick, Choose)) else ():
            if row and before + option.key == row.value:
                return option.about
    return ""
