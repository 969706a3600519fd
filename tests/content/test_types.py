"""A die is fair to every row of its table."""

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.games.api.content import Oracle, Source, plain, table_names
from tracker.games.api.schema import is_id

WHAT_IS_OPENED = """
import sys
sys.dont_write_bytecode = True  # a file that was just edited would be compiled into one of another name
opened = []
sys.addaudithook(lambda event, words: opened.append(str(words[0])) if event == "open" else None)
__import__(sys.argv[1])
print(*(path for path in opened if not path.endswith((".py", ".pyc"))), sep="\\n")
"""


def table(count: int) -> Oracle:
    return Oracle("one", "One", "Ours", tuple(f"row {n}" for n in range(1, count + 1)))


class TestDie:
    @pytest.mark.parametrize(("rows", "sides"), [(20, 20), (25, 100), (50, 100), (100, 100), (2, 2), (6, 6), (99, 99)])
    def test_die_is_d100_if_rows_split_evenly_else_one_side_per_row(self, rows: int, sides: int) -> None:
        assert table(rows).sides == sides

    @given(st.integers(2, 100))
    def test_die_gives_every_row_the_same_number_of_faces_in_order(self, count: int) -> None:
        oracle = table(count)
        said = [oracle.row(face) for face in range(1, oracle.sides + 1)]
        assert list(dict.fromkeys(said)) == list(oracle.rows)
        assert len({*Counter(said).values()}) == 1

    def test_die_of_a_table_of_ranges_is_its_last_face(self) -> None:
        oracle = Oracle("ranges", "Ranges", "Ours", ("low", "middle", "high"), upto=(2, 3, 6))
        assert oracle.sides == 6
        assert [oracle.row(face) for face in range(1, 7)] == ["low", "low", "middle", "high", "high", "high"]

    @pytest.mark.parametrize("face", [-1, 0, 101])
    def test_die_has_no_other_faces(self, face: int) -> None:
        with pytest.raises(ValueError, match="it goes from 1 to 100"):
            table(50).row(face)

    def test_table_of_parts_has_no_die(self) -> None:
        oracle = Oracle("name", "Name", "Ours", parts=("first", "last"))
        assert oracle.sides == 0
        with pytest.raises(ValueError, match="no row"):
            oracle.row(1)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("ash_hound", True),
        ("x", True),
        ("9", True),
        ("", False),
        ("Ash", False),
        ("a-b", False),
        ("aéb", False),
        ("a b", False),
        ("a\n", False),
        ("x" * 40, True),
        ("x" * 41, False),
    ],
)
def test_id_has_small_letters_digits_and_underscores(text: str, fits: bool) -> None:
    assert is_id(text) is fits


@pytest.mark.parametrize("module", ["tracker.games.api.content", "tracker.content"])
def test_importing_opens_no_file_but_modules(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", WHAT_IS_OPENED, module], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


class TestTableNames:
    TITLE = Source("Old Roads")

    def named(self, *tables: Oracle) -> list[str]:
        return list(table_names({table.id: table for table in tables}).values())

    def test_names_of_ours_stay_and_those_of_packs_add_their_group(self) -> None:
        ours = Oracle("action", "Action", "Core", ("seek",))
        pack = Oracle("roads/core/action", "action", "All / Core", ("go",), source=self.TITLE)
        assert self.named(ours, pack) == ["Action", "Core: action"]

    def test_name_that_is_unique_needs_no_group(self) -> None:
        assert self.named(Oracle("roads/core/toll", "Toll", "Core", ("go",), source=self.TITLE)) == ["Toll"]

    def test_names_are_never_the_same(self) -> None:
        tables = [
            Oracle(f"{pack}/{outer}/{place}/name", "Name", f"{outer} / {place}", ("x",), source=Source(title))
            for pack, title in (("roads", "Old Roads"), ("seas", "Old Seas"), ("isles", "Old Seas"))
            for outer, place in (("Inns", "Sign"), ("Inns", "Host"), ("Ports", "Sign"))
        ]
        names = self.named(*tables)
        assert len({name.casefold() for name in names}) == len(tables)

    def test_names_leave_out_parts_of_other_tables(self) -> None:
        whole = Oracle("name", "Name", "G", parts=("first",))
        assert self.named(whole, Oracle("first", "First", "G", ("Ka",))) == ["Name"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__A ford.__ Who *built* it?", "A ford. Who built it?"),
        ("[Deed](datasworn:oracle_rollable:x/core/deed_of_arms) + [Aim](id:x)", "Deed + Aim"),
        ("{{table>oracle_rollable:x/core/deed_of_arms}}One\n\n  * two\n  * three", "One; two; three"),
        ("snake_case, 2 * 3, [brackets] (these)", "snake_case, 2 * 3, [brackets] (these)"),
        ("", ""),
    ],
)
def test_plain_text_has_no_markup(text: str, words: str) -> None:
    assert plain(text) == words
