"""The rows of a dialog: what a prompt asks, and what can be changed beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tracker.app.widgets.options import Row
from tracker.games.prompts import Choose, Confirm, Number, Option, Pick, Prompt, Spread
from tracker.games.words import signed
from tracker.table.run import Run

OFFER = "offer:"
"""The value of a row that revises a quiet answer begins with this; behind a colon may stand the option it ticks."""
NOTHING = "nothing:"
"""The value of the row that takes none of the options, where that is allowed."""
DIGITS = "123456789"


def asked(run: Run, chosen: Sequence[str], shares: Mapping[str, int]) -> tuple[Row, ...]:
    """First what can be revised, then the options; digits go to the options first."""
    prompt = run.prompt
    options = prompt.options if isinstance(prompt, (Pick, Choose)) else ()
    taken = sum(not option.hot for option in options)
    offers = [row for quiet in run.quiet() if not quiet.aside for row in _offers(run, quiet)]
    digits = iter(DIGITS[taken:])
    keyed = [row if row.key or row.on is None else row._replace(key=next(digits, "")) for row in offers]
    return (*keyed, *_options(prompt, chosen, shares))


def _offers(run: Run, quiet: Prompt) -> Iterator[Row]:
    value, at = run.value(quiet.key), OFFER + quiet.key
    if isinstance(quiet, Confirm):
        yield Row(quiet.title, at, quiet.hot, quiet.note, on=bool(value))
    elif isinstance(quiet, Number) and quiet.low < quiet.high:
        yield Row(f"{quiet.title} {signed(value) if value else '+0'}", at, note="+ and - change it")
    elif isinstance(quiet, Pick) and len(quiet.options) > 1:
        for option in quiet.options:
            label = f"{quiet.title}: {option.label}"
            yield Row(label, f"{at}:{option.key}", note=option.note, on=option.key == value)
    elif isinstance(quiet, Choose):
        for option in quiet.options:
            yield Row(option.label, f"{at}:{option.key}", note=option.note, on=option.key in value)


def _options(prompt: Prompt | None, chosen: Sequence[str], shares: Mapping[str, int]) -> Iterator[Row]:
    if isinstance(prompt, (Pick, Choose)):
        digits = iter(DIGITS)
        for option in prompt.options:
            yield _option(option, option.hot or next(digits, ""), prompt, chosen)
        if isinstance(prompt, Choose) and not prompt.least:
            yield Row("nothing of this", NOTHING, "0", one_of=prompt.most == 1)
    elif isinstance(prompt, Spread):
        for option, limit in prompt.targets:
            share = shares.get(option.key, 0)
            yield Row(option.label, option.key, note=f"{share} of {limit}  {option.note}", reason=option.reason)


def _option(option: Option, key: str, prompt: Pick | Choose, chosen: Sequence[str]) -> Row:
    several = isinstance(prompt, Choose) and prompt.most > 1
    on = option.key in chosen if several else None
    one_of = isinstance(prompt, Choose) and not several
    return Row(option.label, option.key, key, option.note, option.reason, on, option.odds, one_of)


def about(run: Run, row: Row | None) -> str:
    """The long text of what is under the cursor."""
    prompts = [(f"{OFFER}{quiet.key}:", quiet) for quiet in run.quiet()] + ([("", run.prompt)] if run.prompt else [])
    for before, prompt in prompts:
        for option in prompt.options if isinstance(prompt, (Pick, Choose)) else ():
            if row and before + option.key == row.value:
                return option.about
    return ""
