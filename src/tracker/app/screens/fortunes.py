"""The rows of the oracle: what can be asked, the tables by group, and what is wrong in a player's files."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from textual.content import Content

from tracker.app.draw import odds_bar, tone_style
from tracker.app.widgets.options import DIGITS, Row
from tracker.games import content as games_content
from tracker.games.content import Oracle
from tracker.games.sheet import Action, Oracles
from tracker.text import shown_line

ALL_ROWS, FEW_ROWS = 100, 3
"""How much of a table is shown: all of one, a taste of each of several."""


class Group(NamedTuple):
    """The row of a group of tables: Enter opens and closes it."""

    name: str


class Tables(NamedTuple):
    """The row of a table, or of several that are rolled together."""

    ids: tuple[str, ...]


class Problems(NamedTuple):
    """The row that leads to what is wrong in a player's files."""

    found: tuple[str, ...]


Fortune = Action | Tables | Group | Problems


class Fortunes:
    """What there is to ask in one campaign."""

    def __init__(self, oracles: Oracles, content: games_content.Content) -> None:
        self.oracles = oracles
        self.content = content
        self.tables = games_content.whole(content.oracles)

    def rows(self, opened: Collection[str], marked: Collection[str]) -> tuple[Row, ...]:
        """Yes or no first, then what goes well together, then the tables, those of a closed group out of sight."""
        digits = iter(DIGITS)
        rows: list[Row] = []
        if self.oracles.questions:
            rows.append(Row("Yes or no"))
        for action in self.oracles.questions:
            chance = f"{action.odds[0][0]} {action.odds[0][1]}%" if action.odds else ""
            rows.append(Row(action.label, action, next(digits, ""), chance))
        if self.oracles.besides:
            rows.append(Row("Besides"))
        rows += [Row(action.label, action, next(digits, "")) for action in self.oracles.besides]
        pairs = [ids for ids in self.oracles.together if all(i in self.content.oracles for i in ids)]
        rows += [Row("Together")] if pairs else []
        rows += [Row(self.named(ids), Tables(ids), next(digits, "")) for ids in pairs]
        rows += self._by_group(opened, marked)
        if self.content.problems:
            rows += [Row("Your files"), self._problems()]
        return tuple(rows)

    def _by_group(self, opened: Collection[str], marked: Collection[str]) -> Iterator[Row]:
        groups: dict[str, list[Oracle]] = {}
        for table in self.tables:
            groups.setdefault(table.group, []).append(table)
        if groups:
            yield Row("Tables")
        for name, tables in groups.items():
            is_open = name in opened
            count = f"{len(tables)} {'table' if len(tables) == 1 else 'tables'}"
            yield Row(f"{'-' if is_open else '+'} {shown_line(name)}", Group(name), note=count)
            if is_open:
                yield from (self._row(table, marked) for table in tables)

    def _row(self, table: Oracle, marked: Collection[str], note: str = "") -> Row:
        return Row(shown_line(table.name), Tables((table.id,)), note=note, on=table.id in marked)

    def _problems(self) -> Row:
        many = len(self.content.problems)
        return Row("what is wrong in them", Problems(self.content.problems), note=str(many))

    def matching(self, word: str, marked: Collection[str]) -> tuple[Row, ...]:
        """What has this word in its name, or in that of its group; the first nine have a digit."""
        word = word.lower()
        asked = [Row(a.label, a) for a in (*self.oracles.questions, *self.oracles.besides) if word in a.label.lower()]
        tables = [
            self._row(table, marked, shown_line(table.group))
            for table in self.tables
            if word in table.name.lower() or word in table.group.lower()
        ]
        digits = iter(DIGITS)
        return tuple(row._replace(key=next(digits, "")) for row in (*asked, *tables))

    def named(self, ids: Collection[str]) -> str:
        return " + ".join(shown_line(self.content.oracles[ident].name) for ident in ids)

    # -- beside the list --------------------------------------------------------------------------------

    def about(self, fortune: Fortune) -> Iterator[Content]:
        """What to say of the row under the cursor."""
        match fortune:
            case Action(label=label, note=note, odds=odds):
                yield Content.styled(label, "bold")
                yield Content.styled(note, "$muted")
                if odds:
                    yield odds_bar(odds, 20)
                    yield Content.assemble(*[(f"{name} {n}%  ", tone_style(tone)) for name, n, tone in odds])
            case Tables(ids=ids):
                for ident in ids:
                    yield from self._about_table(self.content.oracles[ident], ALL_ROWS if len(ids) == 1 else FEW_ROWS)
            case Group(name=name):
                yield Content.styled(shown_line(name), "bold")
                yield from (Content(shown_line(t.name)) for t in self.tables if t.group == name)
            case Problems(found=found):
                yield Content.styled("Enter shows all of them.", "$muted")
                yield from (Content(shown_line(problem, 300)) for problem in found)

    def _about_table(self, table: Oracle, most: int) -> Iterator[Content]:
        dice = " ".join(f"d{self.content.oracles[part].sides}" for part in table.parts) or f"d{table.sides}"
        yield Content.assemble((shown_line(table.name), "bold"), (f"   {dice}", "$faint"))
        if table.parts:
            yield Content.styled(self.named(table.parts), "$muted")
        last = 0
        for n, text in enumerate(table.rows):
            upto = table.upto[n] if table.upto else (n + 1) * table.sides // len(table.rows)
            if n < most:
                faces = str(upto) if upto == last + 1 else f"{last + 1}-{upto}"
                yield Content.assemble((f"{faces:>6}  ", "$faint"), shown_line(text, 200))
            last = upto
