"""Rolls on oracle tables: one die for each table, further rolls that a row asks for, rows chosen by hand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping

from tracker.games.api.content import FurtherRoll, Oracle, row_text
from tracker.games.api.prompts import Answer, Confirm, Option, Pick, Prompt, Roll
from tracker.text import shown_line

DEEPEST = 4
"""Longest chain of rolls that follow from each other. Tables of a pack may lead back to themselves."""
MOST_ROLLS = 12
"""Largest number of table rolls in one answer."""
MOST_REPEATS = 9
"""Times that a die is rolled again because its row came up already; then the row counts."""
AGAIN = "again."
"""Key of the option to roll again. The other keys are row numbers."""


class TableRoll:
    """A roll on one oracle table: the row that came up, and the further rolls (`then`) that this row asked for.

    `depth` counts the rolls that led to this one; 0 means that the player asked for it. Before the dice are rolled,
    `row` is None and `text` is "".
    """

    def __init__(self, oracle: Oracle, depth: int = 0, taken: set[int] | None = None) -> None:
        """Make a roll on the table `oracle` that has no result yet.

        `taken` holds the row numbers that must not come up again, and gets the row of this roll; None if any row may
        come up. Rolls that must differ from each other share one set. `depth` is the number of rolls that led to this
        one.
        """
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
        """Return the results of this roll and of its further rolls as one text.

        The name of the table comes first, but not if `beside` is the table's id.
        """
        name = "" if self.oracle.id == beside else f"{shown_line(self.oracle.name)}: "
        return "; ".join((f"{name}{self.text}", *self.after()))

    def after(self) -> list[str]:
        """Return the result of each further roll as text, then the reasons why others were not made."""
        return [*(one.words(self.oracle.id) for one in self.then if one.text), *self.left_out]


class TableRolls:
    """All table rolls that belong to one answer of the oracle; `make` makes them.

    `names`, `faces` and `sides` hold the table's name, the face and the die's sides of each roll made so far, in order.
    """

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
        """Roll on all these tables with one prompt, then make the further rolls that their rows ask for.

        Further rolls that a row only suggests are made if the player accepts them. `key` and `title` are those
        of the first prompt. The dice are named by the ids of the tables. `told` is called after each round of
        rolls, so that the caller can store the results.
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
        """Store the result of `one`: the row for this face, or a row that the player chooses if none has the face.

        Return the rolls to make next: the further rolls of the row, or [one] if it has to be rolled again. `face` is 0
        for a table that cannot be rolled on.
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
        """Ask for a row of the table and return its index, or None if the player wants to roll again.

        `face` is the face for which there is no row, or 0 if nothing was rolled.
        """
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
        """Return the further rolls that this row of `one` demands.

        Those that it only suggests are kept for `_offered`. If one cannot be made, the reason is added to the roll's
        `left_out`.
        """
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
        """Return the reason why a further roll that the result of `one` asks for cannot be made, or "" if it can."""
        oracle = one.oracle if further.same_table else self._oracles.get(further.table)
        if oracle is None:
            return f"{table_called(further.table)}: that table is in a pack that is missing"
        if not oracle.rows:
            return f"{shown_line(oracle.name)}: that table has no rows"
        if one.depth >= DEEPEST or self._count + further.times > MOST_ROLLS:
            return f"{shown_line(oracle.name)}: not rolled, it goes on and on"
        return ""

    def _offered(self) -> Generator[Prompt, Answer, list[TableRoll]]:
        """Ask for each suggested roll whether to make it; return the rolls that the player wants, [] for none.

        By default none is made. The others are suggested again by the next call.
        """
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


def table_called(ident: str) -> str:
    """Return a name for a table that is missing, made from the last part of its id."""
    return shown_line(ident.rpartition("/")[2].rpartition(".")[2].replace("_", " ").capitalize())
