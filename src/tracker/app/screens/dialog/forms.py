"""One form per kind of prompt: the rows it shows, the keys it takes, and the answer that Enter gives.

A form knows its prompt and the pending input; the dialog tells it where the cursor stands and what the line holds.
`Offers` holds the rows above the question, which revise what was answered by default. Neither needs an app.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from string import ascii_lowercase

from tracker.app.filter import ERASERS, Filter
from tracker.app.keymap import Hint
from tracker.app.widgets.options import DIGITS, Row
from tracker.campaign.run import Run
from tracker.campaign.unsent_input import PendingInput
from tracker.dice import dice_labels, parse_faces
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import signed
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Odds, Option, Pick, Prompt, Roll, Spread, Text

OFFER = "offer:"
"""Prefix of the value of a row that revises a default answer; an option's key may follow after a colon."""
NOTHING = "nothing:"
"""Value of the row that takes none of the options, where that is allowed."""
LONG = 20
"""Number of options from which letters filter the list."""
OWN_KEYS = "dnor"
"""Letters that the dialog needs itself: no option gets one of them unless its game says so."""
SIGNS = {"+": 1, "-": -1}


def is_offer(row: Row) -> bool:
    return isinstance(row.value, str) and row.value.startswith(OFFER)


def up_to_odds(run: Run) -> tuple[Run, PendingInput]:
    """If the next prompt of a run is a roll made at once, go back one step, to the prompt that shows its odds.

    Return (run, input): the same run, and an input that has the answers taken back, so that Enter gives them again. The
    input is empty if the run did not go back.
    """
    begun = PendingInput()
    if isinstance(run.prompt, Roll) and run.prompt.at_once:
        begun.learn(run)
        run.back()
    return run, begun


class Hotkeys:
    """Assigns hotkeys to the rows of a dialog to which the game gives none. A row keeps its hotkey."""

    def __init__(self, places: Mapping[str, str] | None = None) -> None:
        """Make an empty set of hotkeys. `places` maps the id of each party member to a digit.

        In every prompt, options about a member get that digit.
        """
        self._places = places or {}
        self._given: dict[tuple[str, Answer], str] = {}

    def given(self, owner: str, rows: Sequence[Row], free: Sequence[str]) -> tuple[Row, ...]:
        """Return the rows with hotkeys: each row without one gets one of `free`, or none if all of them are used.

        A row gets the digit of its party member, else the hotkey that it had before, else another one. `owner`
        identifies the prompt, since rows of several prompts can have the same value. Hotkeys that other rows of this
        owner had before are used last; for offers, so are the digits of members.
        """
        keys: dict[Answer, str] = {}
        bare = [row.value for row in rows if not row.key]
        for wanted in (self._place, lambda value: self._given.get((owner, value), "")):
            for value in bare:
                key = wanted(value)
                if value not in keys and key in free and key not in keys.values():
                    keys[value] = key
        spared = self.held(owner) | (set(self._places.values()) if owner.startswith(OFFER) else set())
        left = iter(sorted((key for key in free if key not in keys.values()), key=lambda key: key in spared))
        keys |= {value: next(left, "") for value in bare if value not in keys}
        self._given |= {(owner, value): key for value, key in keys.items() if key}
        return tuple(row if row.key else row._replace(key=keys[row.value]) for row in rows)

    def held(self, owner: str, rows: Sequence[Row] | None = None) -> frozenset[str]:
        """Return the hotkeys given so far to rows of the prompt `owner`.

        If `rows` is not None, return only the hotkeys that `given` would prefer for these rows.
        """
        if rows is None:
            return frozenset(key for (one, _), key in self._given.items() if one == owner)
        wanted = (self._place(row.value) or self._given.get((owner, row.value), "") for row in rows)
        return frozenset(filter(None, wanted))

    def _place(self, value: Answer) -> str:
        return self._places.get(value.rpartition(":")[2], "") if isinstance(value, str) else ""


# -- forms ----------------------------------------------------------------------------------------------


class Form:
    """The part of a dialog that handles one prompt: its rows, keys and answer. Each kind of prompt has a subclass.

    `form_of` makes it. A plain Form is used at the end of a run, when no prompt is left.
    """

    prompt: Prompt | None
    takes: str | None = None
    """Characters that the line takes, "" for all of them; None where there is no line."""
    placeholder = ""
    marks = False
    """True if Space marks options."""
    counts = False
    """True if + and - change the answer."""
    quick = False
    """True if an option's hotkey answers, unless that would end the procedure."""
    previews = True
    """True if the effects of the answer are shown before it is given."""
    key_word = "Choose"
    """Footer label of the options' hotkeys."""

    def __init__(self, prompt: Prompt | None, pending: PendingInput) -> None:
        self.prompt = prompt
        self.pending = pending
        self.at: Answer = None
        """Value of the option under the cursor; None if the cursor is elsewhere."""
        self.line = ""
        """Text in the line."""
        self.filter = Filter()
        """Letters typed to filter a long list."""
        self.message = ""
        """Reason why the last key did nothing, or ""."""
        self.reserved: frozenset[str] = frozenset()
        """Hotkeys that no option may get, because rows above the question have them."""
        self.hotkeys = Hotkeys()

    def resume(self, before: Form) -> None:
        """Copy the filter from `before`, the form that the same prompt had before the run was replayed."""
        self.filter = before.filter

    @property
    def long(self) -> bool:
        """True if the list is so long that letters filter the options instead of picking one."""
        return False

    # -- what is shown

    def question(self) -> str:
        """Return the question to show, or "" if there is no prompt."""
        return self.prompt.asking if self.prompt else ""

    def heads(self) -> Odds:
        """Return odds whose names head the columns of odds in the list, in short form; their chances are not used.

        Return () if the names in the odds of the options will do.
        """
        return ()

    def options(self) -> Iterator[Row]:
        """Yield a row for each option, with the hotkey that its game gives it, if any."""
        yield from ()

    def rows(self) -> tuple[Row, ...]:
        """Return the options that match the filter, each with its own hotkey, else a free digit or letter."""
        options = self.filter.fitting(self.options(), lambda row: row.label)
        keys = Hotkeys() if self.long else self.hotkeys  # in a filtered list digits count what is left
        return keys.given(self.prompt.key if self.prompt else "", options, self.free_keys(options))

    def free_keys(self, rows: Sequence[Row]) -> list[str]:
        """Return the hotkeys that neither these rows nor the dialog use, digits first.

        Digits are left out if they are typed into the line, letters if they filter the options.
        """
        own = {row.key for row in rows} | self.reserved
        letters = "" if self.long else [letter for letter in ascii_lowercase if letter not in OWN_KEYS]
        return [key for key in (*("" if self.takes else DIGITS), *letters) if key not in own]

    def first(self) -> Answer:
        """Return the value of the option where the cursor starts; None for the first enabled option."""
        return None

    def first_line(self) -> str:
        """Return the initial text of the input line, which may be ""."""
        return ""

    def replaces(self) -> bool:
        """Return True if the first typed character replaces the initial text of the input line, else False."""
        return False

    def about(self) -> str:
        """Return the description of the option under the cursor, or ""."""
        return ""

    def marked_labels(self) -> str:
        """Return the labels of all marked options, separated by commas, including those that the filter hides.

        Return "" if none is marked.
        """
        return ""

    def enter(self, *, rolls: bool = False) -> str:
        """Return the label of the Enter button. `rolls` is True if dice are rolled right after this answer."""
        return "Roll" if rolls else "Next"

    def hints(self) -> tuple[Hint, ...]:
        """Return the footer hint for the hotkeys of all enabled options; () if there are none."""
        keys = [row.key for row in self.rows() if row.key and not row.reason]
        return (Hint(key_ranges(keys), self.key_word, "accept"),) if keys else ()

    # -- what is taken

    def press(self, key: str) -> bool:
        """Handle a key: an option's hotkey, or in some forms "space", "enter", "+" or "-".

        Return True if the key was used, else False. The hotkey of a disabled option only sets `message`.
        """
        row = next((row for row in self.rows() if key and row.key == key), None)
        if row is None:
            return False
        if row.reason:
            self.message = f"{row.label}: {row.reason}."
        else:
            self.take(row.value)
        return True

    def seek(self, key: str) -> bool:
        """Pass a letter, "backspace" or "ctrl+u" to the filter of a long list, and return True if the filter used it.

        Return False if the options have no filter, or if the filter does not use the key.
        """
        return self.long and (key.isalpha() or key in ERASERS) and self.filter.press(key)

    def take(self, value: Answer) -> None:
        """Do what the hotkey of the option with this value does. The base class moves the cursor to the option."""
        self.message = ""
        self.go(value)

    def go(self, value: Answer) -> None:
        """Move the cursor to the option with this value. Some forms also store the value as unsubmitted input."""
        self.at = value

    def value(self) -> Answer | None:
        """Return the answer that Enter would give now; None if there is none yet.

        Raise Refused, with the reason, if the input is not complete.
        """
        return None

    def keep(self, value: Answer) -> None:
        """Keep an answer, or the text of the line, for the next time this prompt is asked."""
        if self.prompt:
            self.pending.keep(self.prompt.key, value)


class ListForm(Form):
    """Form of a prompt with a list of options. Letters filter a long list, unless its game uses letters as hotkeys."""

    prompt: Pick | Choose

    @property
    def long(self) -> bool:
        options = self.prompt.options
        return len(options) >= LONG and not any(option.hot.isalpha() for option in options)

    def options(self) -> Iterator[Row]:
        for option in self.prompt.options:
            yield self.row(option)

    def row(self, option: Option) -> Row:
        return Row(option.label, option.key, option.hot, option.note, option.reason, None, option.odds)

    def about(self) -> str:
        """Return the description of the option under the cursor, after its label if it has odds; "" without one."""
        option = next((option for option in self.prompt.options if option.key == self.at), None)
        if option is None or not option.about:
            return ""
        return f"{option.label}: {option.about}" if option.odds else option.about


class PickForm(ListForm):
    """Form for picking one option: its hotkey answers, and Enter answers with the option under the cursor."""

    prompt: Pick
    quick = True

    @property
    def key_word(self) -> str:  # type: ignore[override]
        """Footer label of the options' hotkeys: "Roll with" if any option has odds, else "Choose"."""
        return "Roll with" if any(option.odds for option in self.prompt.options) else "Choose"

    def heads(self) -> Odds:
        return tuple((name, 0, "") for name in self.prompt.heads)

    def first(self) -> Answer:
        begun = self.pending.get(self.prompt.key)
        if begun is not None:
            return begun
        return self.prompt.default if self.prompt.likely is None else self.prompt.likely

    def go(self, value: Answer) -> None:
        self.at = value
        self.keep(value)

    def value(self) -> Answer | None:
        return self.at


class ChooseOneForm(ListForm):
    """Form for choosing one option, or none if the prompt allows that.

    A hotkey moves the cursor; Enter answers with the option under the cursor.
    """

    prompt: Choose
    key_word = "Choose"

    def options(self) -> Iterator[Row]:
        yield from super().options()
        if not self.prompt.least:
            yield Row("none of these" if len(self.prompt.options) > 1 else "no", NOTHING, "0", one_of=True)

    def row(self, option: Option) -> Row:
        return super().row(option)._replace(one_of=True)

    def first(self) -> Answer:
        return _first_chosen(self.prompt, self.pending)

    def go(self, value: Answer) -> None:
        self.at = value
        self.keep(self._chosen())

    def value(self) -> Answer | None:
        return None if self.at is None else self._chosen()

    def _chosen(self) -> list[str]:
        return [] if self.at == NOTHING else [self.at]


_COUNTS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
"""Numbers in words, because "1" is also the key of an option."""


class ChooseSeveralForm(ListForm):
    """Form for choosing several options. A hotkey or Space marks an option, or clears its mark.

    Enter answers with the marked options, and never marks one.
    """

    prompt: Choose
    marks = True
    key_word = "Mark"

    def marked(self) -> list[str]:
        """Return the keys of the marked options that are still enabled; [] if there are none."""
        free = {option.key for option in self.prompt.options if not option.reason}
        begun = self.pending.get(self.prompt.key)
        return [key for key in begun if key in free] if isinstance(begun, list) else []

    def marked_labels(self) -> str:
        marked = self.marked()
        return ", ".join(option.label for option in self.prompt.options if option.key in marked)

    def question(self) -> str:
        asking, chosen = self.prompt.asking, f"{len(self.marked())} of {self.prompt.most} chosen"
        return f"{asking[:-1]} (Space): {chosen}" if asking.endswith(":") else f"{asking} Space marks; {chosen}"

    def options(self) -> Iterator[Row]:
        marked = self.marked()
        for row in super().options():
            yield row._replace(on=row.value in marked)
        if not self.prompt.least:
            yield Row("none of these", NOTHING, "0")

    def first(self) -> Answer:
        return _first_chosen(self.prompt, self.pending)

    def missing(self) -> int:
        """Return how many more options must be marked before Enter answers; 0 if enough are marked."""
        least = self.prompt.least if self.at == NOTHING else max(1, self.prompt.least)
        return max(0, least - len(self.marked()))

    def enter(self, *, rolls: bool = False) -> str:  # noqa: ARG002
        return "Next"

    def press(self, key: str) -> bool:
        if key == "space":
            self._toggle()
            return True
        return super().press(key)

    def take(self, value: Answer) -> None:
        self.go(value)
        self._toggle()

    def _toggle(self) -> None:
        marked = self.marked()
        if self.at is None:
            self.message = "Mark at least one first, with Space."
            return
        self.message = ""
        if self.at == NOTHING:
            marked = []
        elif self.at in marked:
            marked.remove(self.at)
        elif len(marked) < self.prompt.most:
            marked.append(self.at)
        else:
            self.message = f"You can choose {self.prompt.most} at most; clear one first."
        self.keep(marked)
        self.filter.clear()

    def value(self) -> Answer | None:
        if missing := self.missing():
            if not self.prompt.least:
                raise Refused(f"Mark up to {self.prompt.most} with Space or an option's key, or press 0 for none.")
            more = " more" if self.marked() else ""
            count = _COUNTS.get(missing, f"{missing}")
            under = next((one.label for one in self.prompt.options if one.key == self.at), "")
            if not under or self.at in self.marked():
                raise Refused(f"Mark {count}{more} first, with Space or an option's key.")
            raise Refused(f"Mark {count}{more} first: Space marks {under}.")
        return self.marked()


class SpreadForm(Form):
    """Form for spreading points over targets: a hotkey adds one point, + and - change the target under the cursor."""

    prompt: Spread
    counts = True
    key_word = "Add 1"

    def shares(self) -> dict[str, int]:
        """Return the points assigned so far by the target's key.

        Points above a target's limit are lowered to the limit. Return {} if none are assigned.
        """
        limits = self._limits()
        begun = self.pending.get(self.prompt.key)
        return {k: min(n, limits[k]) for k, n in begun.items() if k in limits} if isinstance(begun, Mapping) else {}

    def _limits(self) -> dict[str, int]:
        return {option.key: limit for option, limit in self.prompt.targets}

    def _left(self) -> int:
        return self.prompt.points - sum(self.shares().values())

    def question(self) -> str:
        return f"{self.prompt.title}, {self._left()} left:"

    def options(self) -> Iterator[Row]:
        shares = self.shares()
        for option, limit in self.prompt.targets:
            note = f"{shares.get(option.key, 0)} of {limit}" + (f"  {option.note}" if option.note else "")
            yield Row(option.label, option.key, option.hot, note, option.reason or ("" if limit else "can't take any"))

    def press(self, key: str) -> bool:
        if key in SIGNS and self.at is not None:
            self._add(SIGNS[key])
            return True
        return super().press(key)

    def take(self, value: Answer) -> None:
        self.go(value)
        self._add(1)

    def _add(self, by: int) -> None:
        shares, limit = self.shares(), self._limits()[self.at]
        now = shares.get(self.at, 0)
        self.message = ""
        if by > 0 and not self._left():
            self.message = f"All {self.prompt.points} are assigned: free one first, with -."
        elif by > 0 and now >= limit:
            label = next(option.label for option, _ in self.prompt.targets if option.key == self.at)
            self.message = f"{label} takes at most {limit}."
        else:
            self.keep({**shares, self.at: max(0, now + by)})

    def value(self) -> Answer | None:
        return self.shares()


def _begun(pending: PendingInput, prompt: Number | Text) -> str:
    """Return the text that the player began to type for this prompt, else the prompt's default, else ""."""
    begun = pending.get(prompt.key)
    begun = prompt.default if begun is None else begun
    return "" if begun is None else str(begun)


class NumberForm(Form):
    """Form for a number, typed or changed by + and -."""

    prompt: Number
    takes = "0123456789"
    counts = True

    def __init__(self, prompt: Number, pending: PendingInput) -> None:
        super().__init__(prompt, pending)
        self.placeholder = f"{prompt.low} to {prompt.high}"

    def first_line(self) -> str:
        return _begun(self.pending, self.prompt)

    def replaces(self) -> bool:
        return True

    def press(self, key: str) -> bool:
        if key not in SIGNS:
            return False
        now = self._typed()
        value = now + SIGNS[key] if isinstance(now, int) else self.prompt.low
        self.line = str(max(self.prompt.low, min(value, self.prompt.high)))
        return True

    def value(self) -> Answer | None:
        return self._typed()

    def _typed(self) -> int | str | None:
        """Return the typed line as a number; None if it is empty.

        Return the text itself if it is not a number of up to eight digits.
        """
        word = self.line.strip()
        return int(word) if word.isdecimal() and len(word) < 9 else word or None


class TextForm(Form):
    """Form for a line of text. Its effects are not previewed: each letter would replay the procedure."""

    prompt: Text
    takes = ""
    previews = False

    def __init__(self, prompt: Text, pending: PendingInput) -> None:
        super().__init__(prompt, pending)
        if prompt.hint:
            self.placeholder = f"e.g. {prompt.hint}"

    def first_line(self) -> str:
        return _begun(self.pending, self.prompt)

    def replaces(self) -> bool:
        return self.prompt.key in self.pending.proposed or self.first_line() == self.prompt.default

    def enter(self, *, rolls: bool = False) -> str:
        if self.prompt.empty and not self.prompt.default and not self.line.strip():
            return "Skip"
        return super().enter(rolls=rolls)

    def value(self) -> Answer | None:
        return self.line.strip() or ("" if self.prompt.empty else None)

    def keep(self, value: Answer) -> None:
        super().keep(value)
        self.pending.keep_words(self.prompt.key, "" if value == self.prompt.default else value)


class RollForm(Form):
    """Form for a roll. The app rolls, or the player types the faces if `typed_dice` is True.

    If the prompt's `ours` is True, the app always rolls.
    """

    prompt: Roll
    previews = False

    def __init__(self, prompt: Roll, pending: PendingInput, *, typed_dice: bool = False) -> None:
        super().__init__(prompt, pending)
        if typed_dice and not prompt.ours:
            self.takes = "0123456789 ,"
        self.placeholder = faces_hint(prompt)
        several = ((name, sides if isinstance(sides, tuple) else (sides,)) for name, sides in prompt.dice.items())
        self._dice = tuple(f"{name} {one}" for name, sides in several for one in sides)
        """Name and sides of each die, in the order in which faces are typed."""

    def question(self) -> str:
        return self.prompt.title

    def first_line(self) -> str:
        return self.pending.faces(self.prompt.key, self._dice)

    def enter(self, *, rolls: bool = False) -> str:  # noqa: ARG002
        return "Roll" if self.takes is None else "Use these"

    def value(self) -> Answer | None:
        """Return the typed faces; None if the app rolls. Raise Refused if the text does not fit the dice."""
        if self.takes is None:
            return None
        try:
            return self.prompt.check(parse_faces(self.line, self.prompt.dice, self.prompt.called))
        except ValueError as error:
            raise Refused(str(error)) from None

    def keep(self, value: Answer) -> None:
        self.pending.keep_faces(self.prompt.key, self._dice, value)


class ConfirmForm(Form):
    """Form for yes or no; the hotkey of either one answers."""

    prompt: Confirm
    quick = True

    def options(self) -> Iterator[Row]:
        yield Row("yes", True, self.prompt.hot, self.prompt.note)
        yield Row("no", False, "n" if self.prompt.hot != "n" else "")

    def first(self) -> Answer:
        begun = self.pending.get(self.prompt.key)
        return self.prompt.default if begun is None else begun

    def go(self, value: Answer) -> None:
        self.at = value
        self.keep(value)

    def value(self) -> Answer | None:
        return self.at


def form_of(prompt: Prompt | None, pending: PendingInput, *, typed_dice: bool = False) -> Form:
    """Return a new form for a prompt, or for the end of a run if `prompt` is None.

    `pending` is unsubmitted input from an earlier form of the prompt. `typed_dice` is True if the player types the
    faces of dice.
    """
    match prompt:
        case Pick():
            return PickForm(prompt, pending)
        case Choose(most=1):
            return ChooseOneForm(prompt, pending)
        case Choose():
            return ChooseSeveralForm(prompt, pending)
        case Spread():
            return SpreadForm(prompt, pending)
        case Number():
            return NumberForm(prompt, pending)
        case Text():
            return TextForm(prompt, pending)
        case Roll():
            return RollForm(prompt, pending, typed_dice=typed_dice)
        case Confirm():
            return ConfirmForm(prompt, pending)
        case _:
            return Form(prompt, pending)


def faces_hint(prompt: Roll) -> str:
    """Return the placeholder of the line for typed faces, which lists the dice of the roll in order."""
    labels = dice_labels(prompt.dice, prompt.called)
    if len(labels) == 1 and sum(1 if isinstance(sides, int) else len(sides) for sides in prompt.dice.values()) == 1:
        return f"your dice: {labels[0]}"
    return f"your dice, with spaces: {', '.join(labels)}"


def key_ranges(keys: Sequence[str]) -> str:
    """Return hotkeys in short form: `1 2 3 4` is `1-4`. After six letters, the others are replaced by `…`."""
    digits = [key for key in keys if key in DIGITS]
    letters = [key for key in keys if key not in DIGITS]
    parts: list[str] = []
    for _, run in groupby(enumerate(digits), key=lambda pair: int(pair[1]) - pair[0]):
        found = [digit for _, digit in run]
        parts.append(f"{found[0]}-{found[-1]}" if len(found) > 2 else " ".join(found))
    return " ".join([*parts, *letters[:6]]) + ("…" if len(letters) > 6 else "")


def _first_chosen(prompt: Choose, pending: PendingInput) -> Answer:
    begun = pending.get(prompt.key)
    if isinstance(begun, list):
        return begun[0] if begun else NOTHING
    return prompt.likely


# -- offers ---------------------------------------------------------------------------------------------


class Offers:
    """The rows above the question of a dialog. Each lets the player change an answer that was given by default.

    `run.quiet()` returns the prompts that have such answers. The next roll ends all offers.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.aside = False
        """True if offers that are hidden by default are shown."""
        self._pressed = ""
        """Key of the number whose hotkey was pressed last."""
        self._digits = ""
        """Digits typed so far for the number under the cursor."""

    def rows(self) -> list[Row]:
        """Return the offers, with the hotkeys that their game gives them, if any."""
        return revisable_rows(self.run, aside=self.aside)

    def show_hidden(self) -> bool:
        """Show the offers that are hidden by default, or hide them again. Return True, or False if the run has none."""
        if revisable_rows(self.run, aside=True) == revisable_rows(self.run):
            return False
        self.aside = not self.aside
        return True

    def about(self, row: Row) -> str:
        """Return the description of the option that this offer changes; "" if there is none."""
        for quiet in self.run.quiet():
            for option in quiet.options if isinstance(quiet, (Pick, Choose)) else ():
                if row.value == f"{OFFER}{quiet.key}:{option.key}":
                    return option.about
        return ""

    def change(self, row: Row, *, by_key: bool) -> tuple[str, Answer] | None:
        """Return (key, new answer) for `Run.revise`, the change of a quiet prompt when the player takes this offer.

        The run is not changed here. `by_key` is True if the player pressed the offer's hotkey. Return None for a
        number, unless it has a hotkey and that was pressed: otherwise only + and - change it.
        """
        key, _, option = str(row.value).removeprefix(OFFER).partition(":")
        prompt = next((p for p in self.run.quiet() if p.key == key), None)
        now = self.run.value(key)
        match prompt:
            case Confirm():
                return key, not now
            case Choose():
                return key, [o.key for o in prompt.options if (o.key in now) != (o.key == option)]
            case Pick():
                return key, option
            case Number() if prompt.hot and by_key:
                self._pressed = key
                return key, prompt.pressed(now)
            case _:
                return None

    def number(self, under: Row | None, by: int = 0) -> Number | None:
        """Return the offered number that + or - changes; None if no offer is a number. `under` is the cursor's row.

        These are tried in order: the number under the cursor, the one whose hotkey was pressed last, the first with a
        hotkey, the last one whose value plus `by` is within its limits, the last one.
        """
        shown = (p for p in self.run.quiet() if self.aside or not p.aside)
        numbers = [p for p in shown if isinstance(p, Number) and p.low < p.high]
        first = [p for p in numbers if under and under.value == OFFER + p.key]
        first += [p for p in numbers if p.key == self._pressed] or [p for p in numbers if p.hot][:1]
        free = [p for p in reversed(numbers) if p.low <= self.run.value(p.key) + by <= p.high]
        return next(iter([*first, *free, *reversed(numbers)]), None)

    def type_digit(self, under: Row | None, digit: str) -> tuple[Number, int] | None:
        """Add a digit to those that the player has typed for the number in the row `under`, the one under the cursor.

        Return (number prompt, value typed so far); the value may be outside the prompt's limits. If it would exceed the
        maximum, only the new digit is kept. If `digit` is not a digit, such as "", or the row is not a number, forget
        the digits and return None.
        """
        number = next((p for p in self.run.quiet() if under and under.value == OFFER + p.key), None)
        if not digit.isdecimal() or not isinstance(number, Number):
            self._digits = ""
            return None
        together = self._digits + digit
        self._digits = together if int(together) <= number.high else digit
        return number, int(self._digits)

    def with_signs(self, rows: tuple[Row, ...], plus: Number | None, minus: Number | None) -> tuple[Row, ...]:
        """Return the rows, with a note on each number that says which keys change it.

        `plus` is the number that + changes, `minus` the one that - changes; None for a key that changes none.
        """
        numbers = {OFFER + quiet.key: quiet for quiet in self.run.quiet() if isinstance(quiet, Number)}
        return tuple(
            row._replace(note=self._keys_of(numbers[row.value], plus, minus)) if row.value in numbers else row
            for row in rows
        )

    def _keys_of(self, number: Number, plus: Number | None, minus: Number | None) -> str:
        value = self.run.value(number.key)
        more, less = (one is not None and one.key == number.key for one in (plus, minus))
        signs = "+ and - change it" if more and less else "+ changes it" if more else "- changes it" if less else ""
        pressed = number.pressed(value)
        if number.off and value != number.low:
            key = f"{number.hot} makes it {number.off}"
        elif not number.hot or signs:
            key = ""
        elif pressed == value + 1 and not (number.off or number.means):
            key = f"{number.hot} adds 1"
        else:
            key = f"{number.hot} sets it to {_told(number, pressed)}"
        return "; ".join(filter(None, (signs, key)))


def revisable_rows(run: Run, *, aside: bool = False) -> list[Row]:
    """Return the rows for all default answers that can be revised. `aside` includes those hidden by default."""
    return [row for quiet in run.quiet() if aside or not quiet.aside for row in _offers(run, quiet)]


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
            reason = "" if on else quiet.why_not(option, value)
            yield Row(option.label, f"{at}:{option.key}", option.hot, option.note, reason, on=on)


def _told(number: Number, value: int) -> str:
    return (signed(value) if value else "+0") if number.low < 0 < number.high else number.told(value)


def _typeable(row: Row, form: Form) -> Row:
    """Return the row; its hotkey is removed if it is a digit and digits are typed into the form's line."""
    return row._replace(key="") if form.takes and row.key in DIGITS else row


def all_rows(offers: Offers, form: Form, question: Sequence[str]) -> tuple[Row, ...]:
    """Return the rows of the offers, the lines of `question` as headings, and the options. No hotkey is used twice.

    Without offers, the question is left out, unless it is the heading of a column of odds. Options get their hotkeys
    before offers do. While text is typed, offers have none.
    """
    rows = [_typeable(row, form) for row in offers.rows()]
    owner = OFFER + (form.takes or "")
    own = frozenset(row.key for row in rows if row.key)
    held = form.hotkeys.held(owner, rows) - frozenset(DIGITS if form.takes else "")
    form.reserved = own | held
    options = form.rows()
    taken = {row.key for row in options}
    free = [key for key in (*form.free_keys(options), *sorted(held)) if key not in taken | own]
    keyed = [row for row in rows if row.on is not None or row.key]
    keys = {row.value: row.key for row in form.hotkeys.given(owner, keyed, free)} if form.takes != "" else {}
    revised = [row._replace(key="" if (key := keys.get(row.value, "")) in taken else key) for row in rows]
    headings = [Row(line, odds=form.heads()) for line in question]
    if revised and (options or question):
        return (*revised, Row(""), *headings, *options)
    has_column = sum(bool(row.odds) for row in options) > 1
    return (*revised, *(headings if has_column else ()), *options)
