"""Rolls on oracle tables: one die for each table, further rolls that a row asks for, rows chosen by hand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

from tracker.games.api.content import FurtherRoll, Oracle, from_pack
from tracker.games.api.markdown import plain
from tracker.games.api.prompts import Answer, Confirm, Option, Pick, Prompt, Roll
from tracker.text import shown_line

DEEPEST = 4
"""Longest chain of rolls that follow from each other. Tables of a pack may lead back to themselves."""
MOST_ROLLS = 12
"""Largest number of table rolls in one answer."""
MOST_REPEATS = 9
"""Times that a die is rolled again because its row came up already; then the row counts."""
TEXT_MOST = 600
"""Characters kept of each text in a row."""
AGAIN = "again."
"""Key of the option to roll again. The other keys are row numbers."""


class TableRoll:
    """A roll on one table, and the rolls that its row led to."""

    def __init__(self, oracle: Oracle, depth: int = 0, taken: set[int] | None = None) -> None:
        """`taken` holds the rows that must not come up again, shared with the other rolls that are compared."""
        self.oracle = oracle
        self.depth = depth
        self.taken = taken
        self.repeats = 0
        self.row: int | None = None
        self.text = ""
        """Text of the row, with its other columns; "" before the roll."""
        self.then: list[TableRoll] = []
        self.left_out: list[str] = []
        """Further rolls that were not made, in words."""

    def words(self, beside: str = "") -> str:
        """Return the texts of this roll and of those that followed; `beside` is the id of the table named before."""
        name = "" if self.oracle.id == beside else f"{shown_line(self.oracle.name)}: "
        return "; ".join((f"{name}{self.text}", *self.after()))

    def after(self) -> list[str]:
        """Return the texts of the rolls that followed, and why others were not made."""
        return [*(one.words(self.oracle.id) for one in self.then if one.text), *self.left_out]


class TableRolls:
    """All table rolls of one answer of the oracle."""

    def __init__(self, oracles: Mapping[str, Oracle]) -> None:
        self._oracles = oracles
        self._count = 0
        self._prompts = 0
        self._offers: list[tuple[TableRoll, FurtherRoll]] = []
        self.names: list[str] = []
        self.faces: list[int] = []
        self.sides: list[int] = []

    def make(
        self, rolls: Iterable[TableRoll], key: str, title: str, told: Callable[[], None]
    ) -> Generator[Prompt, Answer, None]:
        """Roll on all these tables with one prompt, then follow what their rows ask for and what the player takes.

        `key` and `title` are those of the first prompt. The dice are named by the ids of the tables. `told` is called
        whenever there are new results.
        """
        due = list(rolls)
        self._count += len(due)
        while due or (due := (yield from self._offered())):
            thrown = self._dice(due)
            faces: Mapping[str, int] = {}
            if dice := {name: one.oracle.sides for name, one in thrown.items() if one.oracle.sides}:
                called = {name: shown_line(one.oracle.name, 40) for name, one in thrown.items()}
                faces = yield Roll(key=key, title=title, dice=dice, called=called, at_once=True)
            due = []
            for name, one in thrown.items():
                due += yield from self._settle(one, faces.get(name, 0))
            told()
            self._prompts += 1
            key, title = f"further_{self._prompts}", "Roll on"

    def _dice(self, rolls: Iterable[TableRoll]) -> dict[str, TableRoll]:
        named: dict[str, TableRoll] = {}
        for one in rolls:
            name, number = one.oracle.id, 1
            while name in named:
                number += 1
                name = f"{one.oracle.id}_{number}"
            named[name] = one
        return named

    def _settle(self, one: TableRoll, face: int) -> Generator[Prompt, Answer, list[TableRoll]]:
        """Give a roll the row of this face, or a row that the player chooses; return the rolls that are due next.

        `face` is 0 for a table without a row that can be rolled.
        """
        oracle = one.oracle
        if face:
            self.names.append(shown_line(oracle.name))
            self.faces.append(face)
            self.sides.append(oracle.sides)
        row = oracle.row_number(face) if face else None
        by_hand = row is None
        if row is None:
            row = yield from self._ask_row(one, face)
        if row is None or (row in (one.taken or ()) and one.repeats < MOST_REPEATS):
            one.repeats += 1
            return [one]
        if one.taken is not None:
            one.taken.add(row)
        one.row, one.text = row, row_text(oracle, row) + (" (chosen)" if by_hand else "")
        return self._further(one, row)

    def _ask_row(self, one: TableRoll, face: int) -> Generator[Prompt, Answer, int | None]:
        """Ask for a row of the table; return its number, or None to roll again."""
        oracle, name = one.oracle, shown_line(one.oracle.name)
        again = (Option(AGAIN, "roll again", f"d{oracle.sides}"),) if face and one.repeats < MOST_REPEATS else ()
        self._prompts += 1
        rows = (Option(str(n), shown_line(row_text(oracle, n), 100) or "–") for n in range(len(oracle.rows)))
        chosen = yield Pick(
            key=f"row_{self._prompts}",
            title=f"{name} has no row for {face}. Choose one" if face else f"{name} has no die. Choose a row",
            options=(*again, *rows),
        )
        return None if chosen == AGAIN else int(chosen)

    def _further(self, one: TableRoll, row: int) -> list[TableRoll]:
        """Return the rolls that this row demands, and keep those that it offers for later."""
        due: list[TableRoll] = []
        for further in one.oracle.rolls[row] if one.oracle.rolls else ():
            if further.auto:
                due += self._begun(one, further)
            elif self._why_not(one, further):
                one.left_out.append(self._why_not(one, further))
            else:
                self._offers.append((one, further))
        return due

    def _begun(self, one: TableRoll, further: FurtherRoll) -> list[TableRoll]:
        if why := self._why_not(one, further):
            one.left_out.append(why)
            return []
        oracle = one.oracle if further.same_table else self._oracles[further.table]
        taken: set[int] | None = None
        if further.distinct:
            taken = {one.row} if oracle is one.oracle and one.row is not None else set()
        rolls = [TableRoll(oracle, one.depth + 1, taken) for _ in range(further.times)]
        self._count += len(rolls)
        one.then += rolls
        return rolls

    def _why_not(self, one: TableRoll, further: FurtherRoll) -> str:
        """Return why a further roll cannot be made, in words; "" if it can."""
        oracle = one.oracle if further.same_table else self._oracles.get(further.table)
        if oracle is None:
            return f"{table_called(further.table)}: that table is in a pack that is missing"
        if not oracle.rows:
            return f"{shown_line(oracle.name)}: that table has no rows"
        if one.depth >= DEEPEST or self._count + further.times > MOST_ROLLS:
            return f"{shown_line(oracle.name)}: not rolled, it goes on and on"
        return ""

    def _offered(self) -> Generator[Prompt, Answer, list[TableRoll]]:
        """Offer the rolls that rows only suggest; return those that the player wants."""
        self._prompts += 1
        wanted: list[TableRoll] = []
        left = []
        for number, (one, further) in enumerate(self._offers, 1):
            oracle = one.oracle if further.same_table else self._oracles[further.table]
            many = f" {further.times} times" if further.times > 1 else ""
            takes = yield Confirm(
                key=f"also_{self._prompts}_{number}",
                title=f"Roll {shown_line(oracle.name, 40)}{many} too",
                note=f"d{oracle.sides}" if oracle.sides else "choose a row",
                hot=str(number) if number < 10 else "",
                default=False,
                quiet=True,
            )
            if takes:
                wanted += self._begun(one, further)
            else:
                left.append((one, further))
        self._offers = left
        return wanted


def row_text(oracle: Oracle, row: int) -> str:
    """Return the text of a row, with the texts and captions of its other columns in parentheses."""
    words = plain if from_pack(oracle.id) else str
    first = shown_line(words(oracle.rows[row]), TEXT_MOST)
    more = oracle.more[row] if oracle.more else ()
    captions = oracle.columns[1:] or ("",) * len(more)
    beside = "; ".join(
        f"{f'{shown_line(caption, 40)}: ' if caption else ''}{shown_line(words(text), TEXT_MOST)}"
        for caption, text in zip(captions, more, strict=False)
        if text
    )
    if not first or not beside:
        return first or beside
    return f"{first} ({beside})"


def row_lines(oracle: Oracle) -> Iterator[tuple[str, str]]:
    """Yield the faces of each row, such as "7-12" ("" if it cannot be rolled), and its text."""
    for row, (first, last) in enumerate(oracle.spans()):
        yield f"{first}-{last}" if first < last else str(last or ""), row_text(oracle, row)


def table_called(ident: str) -> str:
    """Return words for a table of which only the id is known."""
    return shown_line(ident.rpartition("/")[2].rpartition(".")[2].replace("_", " ").capitalize())
