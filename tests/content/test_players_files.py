"""A player's own tables and assets: what is right is taken, and what is wrong is named with its file and line."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile import HOSTILE

from tracker import games
from tracker.content import FILE_MOST, load, shipped
from tracker.content.toml_reader import TOLD_MOST, read
from tracker.games.api.content import Ability, Asset, AssetOption, Content, Flag, Meter, Oracle
from tracker.text import shown_line

OURS = shipped("ironsworn")
MOVES = {"face_danger", "strike"}

GOOD = """
[[table]]
id = "good"
name = "Good"
group = "Mine"
rows = ["one", "two"]
"""
HOUND = """
[[asset]]
id = "hound"
name = "Hound"
kind = "companion"
health = 4
asks = "Its name"
[[asset.ability]]
text = "It finds."
[[asset.ability]]
text = "It bites."
marked = true
gives = ["+1 strike", "reroll any"]
[[asset.ability]]
text = "It waits."
"""


def taken(text: str, name: str = "mine.toml") -> Content:
    return read([(name, text.encode())], "ironsworn", MOVES, OURS)


class TestFile:
    def test_file_adds_its_tables_and_assets_to_ours(self, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text(f'game = "ironsworn"\n{GOOD}{HOUND}')
        content = load("ironsworn", str(tmp_path), MOVES)
        assert content.problems == ()
        assert {*content.oracles} == {*OURS.oracles, "good"}
        assert content.oracles["good"] == Oracle("good", "Good", "Mine", ("one", "two"))
        assert {*content.assets} == {*OURS.assets, "hound"}
        abilities = (
            Ability("It finds."),
            Ability("It bites.", marked=True, gives=("+1 strike", "reroll any")),
            Ability("It waits."),
        )
        assert content.assets["hound"] == Asset("hound", "Hound", "companion", abilities, 4, "Its name")

    def test_file_replaces_the_same_id_and_leaves_ours_for_the_next_game(self) -> None:
        content = taken('game = "ironsworn"' + GOOD.replace("good", "action") + HOUND.replace("hound", "ash_hound"))
        assert content.oracles["action"].rows == ("one", "two")
        assert content.assets["ash_hound"].name == "Hound"
        assert len(shipped("ironsworn").oracles["action"].rows) == 100

    def test_file_can_join_tables_of_ours_and_its_own(self) -> None:
        content = taken(
            f"""game = "ironsworn"{GOOD}
            [[table]]
            id = "both"
            name = "Both"
            group = "Mine"
            parts = ["good", "name_hill_first"]
            join = " of "
            """
        )
        assert content.problems == ()
        assert content.oracles["both"].parts == ("good", "name_hill_first")
        assert content.oracles["both"].join == " of "

    def test_file_can_give_rows_their_ranges(self) -> None:
        content = taken(
            """game = "ironsworn"
            [[table]]
            id = "odd"
            name = "Odd"
            group = "Mine"
            rows = [{ upto = 5, text = "often" }, { upto = 6, text = "seldom" }]
            """
        )
        assert content.problems == ()
        assert [content.oracles["odd"].row(face) for face in range(1, 7)] == ["often"] * 5 + ["seldom"]

    def test_file_may_come_from_another_system(self) -> None:
        data = b"\xef\xbb\xbf" + f'game = "ironsworn"\n{GOOD}'.replace("\n", "\r\n").encode()
        content = read([("mine.toml", data)], "ironsworn", MOVES, OURS)
        assert content.problems == ()
        assert "good" in content.oracles

    def test_file_for_another_game_is_skipped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(games.GAMES, "other", games.GAMES["ironsworn"]._replace(id="other"))
        assert taken(f'game = "other"\nodd = 1\n{GOOD}') == OURS


HEAD = 'game = "ironsworn"\n'
TABLE = '[[table]]\nid = "bad"\nname = "Bad"\ngroup = "Mine"\n'
ASSET = '[[asset]]\nid = "bad"\nname = "Bad"\nkind = "path"\n'
THREE = '[[asset.ability]]\ntext = "one"\n[[asset.ability]]\ntext = "two"\n[[asset.ability]]\ntext = "three"\n'

# The line that is told ends in `#!`.
WRONG = {
    "no game": ("#!\n", "the game is missing"),
    "a game that is none": ('game = "ironsworm" #!\n', "unknown game “ironsworm”; use ironsworn"),
    "a game that is no text": ("game = [1] #!\n", "unknown game “[1]”"),
    "an unknown key at the top": (HEAD + "tables = 1 #!\n", "unknown key “tables”"),
    "one bracket": (HEAD + "[asset] #!\nid = 'x'\n", "write [[asset]] with two brackets"),
    "no id": (HEAD + '[[table]] #!\nname = "Bad"\ngroup = "Mine"\nrows = ["a", "b"]\n', "id is missing"),
    "no name": (HEAD + '[[table]] #!\nid = "bad"\ngroup = "Mine"\nrows = ["a", "b"]\n', "name is missing"),
    "no rows": (HEAD + "[[table]] #!" + TABLE[9:], "the table bad needs either rows or parts"),
    "rows and parts": (
        HEAD + "[[table]] #!" + TABLE[9:] + 'rows = ["a", "b"]\nparts = ["action", "theme"]\n',
        "the table bad needs either rows or parts",
    ),
    "an unknown key": (HEAD + TABLE + 'row = ["a"] #!\n', "unknown key “row”; use id, name, group, rows"),
    "a hostile key": (HEAD + TABLE.replace("]]", "]] #!") + '"\\u001b[2J" = 1\n', "unknown key “␛[2J”"),
    "an id with a space": (HEAD + '[[table]]\nid = "a b" #!\nname = "A"\ngroup = "M"\nrows = ["a", "b"]\n', "id should"),
    "an id that is a number": (HEAD + '[[table]]\nid = 7 #!\nname = "A"\ngroup = "M"\nrows = ["a", "b"]\n', "id should"),
    "a name that is a number": (
        HEAD + '[[table]]\nid = "bad"\nname = 7 #!\ngroup = "M"\nrows = ["a", "b"]\n',
        "name should be text in quotes",
    ),
    "a name of two lines": (
        HEAD + '[[table]]\nid = "bad"\nname = "a\\nb" #!\ngroup = "M"\nrows = ["a", "b"]\n',
        "name contains a line break or a control character",
    ),
    "a long name": (
        HEAD + f'[[table]]\nid = "bad"\nname = "{"x" * 61}" #!\ngroup = "M"\nrows = ["a", "b"]\n',
        "name has 61 characters; the limit is 60",
    ),
    "rows that are a text": (HEAD + TABLE + 'rows = "a, b" #!\n', "rows should be a list in square brackets"),
    "no row at all": (HEAD + TABLE + "rows = [] #!\n", "rows needs 2 to 100 items, not 0"),
    "one row": (HEAD + TABLE + 'rows = ["a"] #!\n', "rows needs 2 to 100 items, not 1"),
    "too many rows": (HEAD + TABLE + f"rows = {['x'] * 101} #!\n", "rows needs 2 to 100 items, not 101"),
    "an empty row": (HEAD + TABLE + 'rows = ["a", "b, ]", # c, d\n"c",\n" ", #!\n"d"]\n', "row 4 is empty"),
    "a row that cannot be seen": (HEAD + TABLE + 'rows = ["a",\n# b\n"\\u200b\\u3164"] #!\n', "row 2 is empty"),
    "a row that is a number": (HEAD + TABLE + 'rows = [\n"a",\n2, #!\n]\n', "row 2 should be text in quotes"),
    "a row with an escape": (HEAD + TABLE + 'rows = [\n"a",\n"\\u001b[2J", #!\n]\n', "row 2 contains a line break or a control"),
    "a row of two lines": (HEAD + TABLE + 'rows = [\n"a", "b\\nc", #!\n]\n', "row 2 contains a line break"),
    "a row after a folded one": (HEAD + TABLE + 'rows = ["""a\\\n\n b""", """c"""\n, 7] #!\n', "row 3 should be text"),
    "a row with a separator of lines": (HEAD + TABLE + 'rows = [\n"a",\n"b\u2028c", #!\n]\n', "row 2 contains a line break"),
    "a long row": (HEAD + TABLE + f'rows = [\n"a",\n"{"x" * 201}", #!\n]\n', "row 2 has 201 characters; the limit is 200"),
    "a range that goes back": (
        HEAD + TABLE + 'rows = [\n{ upto = 4, text = "a" },\n{ upto = 4, text = "b" }, #!\n]\n',
        "upto should be a whole number from 5 to 100",
    ),
    "a range from 0": (HEAD + TABLE + 'rows = [{ upto = 0, text = "a" }, { upto = 6, text = "b" }] #!\n', "from 1 to 100"),
    "a range that is true": (HEAD + TABLE + 'rows = [{ upto = true, text = "a" }, { upto = 6, text = "b" }] #!\n', "upto"),
    "a range after the last": (
        HEAD + TABLE + 'rows = [{ upto = 100, text = "a" },\n{ upto = 101, text = "b" }] #!\n',
        "the row before already ends at 100",
    ),
    "ranges that end where no die does": (
        HEAD + TABLE + 'rows = [{ upto = 9, text = "a" },\n{ upto = 99, text = "b" }] #!\n',
        "the last row ends at 99, which isn't a die; end at 4, 6, 8, 10, 12, 20 or 100",
    ),
    "a range without a text": (HEAD + TABLE + 'rows = [{ upto = 3, text = "a" },\n{ upto = 6 }] #!\n', "text is missing"),
    "ranges and plain rows": (HEAD + TABLE + 'rows = [{ upto = 3, text = "a" },\n"b"] #!\n', "a table with upto and text"),
    "an unknown part": (
        HEAD + TABLE + 'parts = [\n"action",\n"acton", #!\n]\n',
        "no table has the id acton",
    ),
    "a part of parts": (HEAD + TABLE + 'parts = ["action", "name_hill"] #!\n', "the table name_hill has its own parts"),
    "a table that is its own part": (HEAD + TABLE + 'parts = ["action", "bad"] #!\n', "the table bad has its own parts"),
    "one part": (HEAD + TABLE + 'parts = ["action"] #!\n', "parts needs 2 to 6 items, not 1"),
    "a part that is no id": (HEAD + TABLE + 'parts = ["action", 1] #!\n', "part 2 should be 1 to 40 characters of a-z"),
    "parts for a table that is a part": (
        HEAD + TABLE.replace('"bad"', '"name_hill_last"') + 'parts = ["action", "theme"] #!\n',
        "Name, hill folk rolls on the table name_hill_last, so it needs rows",
    ),
    "a join without parts": (HEAD + TABLE + 'rows = ["a", "b"]\njoin = " " #!\n', "join goes with parts"),
    "a join of two lines": (HEAD + TABLE + 'parts = ["action", "theme"]\njoin = "\\n" #!\n', "join should be short text"),
    "the same id twice": (
        HEAD + TABLE + 'rows = ["a", "b"]\n' + TABLE.replace('"bad"', '"bad" #!') + 'rows = ["c", "d"]\n',
        "the table id bad is already used in mine.toml",
    ),
    "a table in a list": (HEAD + "table = [\n{ id = 'bad' },\n]\n".replace("},", "}, #!"), "name is missing"),
    "a table that is none": (HEAD + "table = [\n1, #!\n]\n", "this should be a table with id, name and group"),
    "an asset of no kind": (HEAD + ASSET.replace('"path"', '"" #!') + THREE, "kind is empty"),
    "an asset of seven abilities": (
        HEAD + ASSET.replace("]]", "]] #!") + THREE + THREE + '[[asset.ability]]\ntext = "seven"\n',
        "ability needs 0 to 6 items, not 7",
    ),
    "a meter of no kind": (
        HEAD + ASSET + THREE + '[[asset.meter]]\nid = "a"\nname = "A"\nkind = "dial" #!\n',
        "the kind of a meter should be meter, counter or clock",
    ),
    "a meter above its most": (
        HEAD + ASSET + THREE + '[[asset.meter]]\nid = "a"\nname = "A"\nmost = 4\nvalue = 5 #!\n',
        "value should be a whole number from 0 to 4",
    ),
    "a flag without a name": (HEAD + ASSET + THREE + '[[asset.flag]] #!\nid = "a"\n', "name is missing"),
    "choices that are a text": (
        HEAD + ASSET + THREE + '[[asset.option]]\nid = "a"\nname = "A"\nchoices = "b" #!\n',
        "choices should be a list",
    ),
    "an asset with one bracket": (HEAD + ASSET + '[asset.ability] #!\ntext = "a"\n', "ability should be a list"),
    "a companion without health": (
        HEAD + ASSET.replace("]]", "]] #!").replace("path", "companion") + THREE,
        "health is missing: a companion has 1 to 9",
    ),
    "a companion of health 10": (
        HEAD + ASSET.replace("path", "companion") + "health = 10 #!\n" + THREE,
        "health should be a whole number from 1 to 9",
    ),
    "a question of two lines": (HEAD + ASSET + 'asks = "a\\nb" #!\n' + THREE, "asks contains a line break"),
    "an ability without a text": (
        HEAD + ASSET + THREE.replace('text = "two"', "marked = true").replace(']]\nmarked', "]] #!\nmarked"),
        "text is missing",
    ),
    "a long ability": (HEAD + ASSET + THREE.replace('"two"', f'"{"x" * 1201}" #!'), "text has 1201 characters"),
    "a mark that is a number": (HEAD + ASSET + THREE + "marked = 1 #!\n", "marked should be true or false"),
    "a gift for no move": (
        HEAD + ASSET + THREE + 'gives = [\n"+1 strike",\n"+1 stroke", #!\n]\n',
        "no move has the id stroke",
    ),
    "a gift that cannot be read": (HEAD + ASSET + THREE + 'gives = ["plus one"] #!\n', "“plus one”: write it like"),
    "a gift that is a number": (HEAD + ASSET + THREE + "gives = [1] #!\n", "what an ability gives should be text"),
    "gifts that are a text": (HEAD + ASSET + THREE + 'gives = "+1 strike" #!\n', "gives should be a list"),
    "too many gifts": (HEAD + ASSET + THREE + f"gives = {['+1 strike'] * 13} #!\n", "gives needs 0 to 12 items, not 13"),
}  # fmt: skip


def test_asset_with_every_part_of_a_card_is_read() -> None:
    more = """
needs = "Once you have sworn"
shared = true
health = 6
[[asset.meter]]
id = "light"
name = "Light"
value = 2
most = 6
[[asset.meter]]
id = "debt"
name = "Debt"
least = -3
kind = "counter"
[[asset.flag]]
id = "worn"
name = "Worn"
on = true
[[asset.option]]
id = "stat"
name = "Its stat"
choices = ["edge", "heart"]
[[asset.ability]]
name = "Glow"
text = "It glows."
gives = ["+2 any if its light", "its light -1 any"]
"""
    asset = taken(HEAD + ASSET.replace('"path"', '"module"') + more).assets["bad"]
    gives = ("+2 any if its light", "its light -1 any")
    assert asset == Asset(
        "bad",
        "Bad",
        "module",
        (Ability("It glows.", gives=gives, name="Glow"),),
        6,
        needs="Once you have sworn",
        shared=True,
        meters=(Meter("light", "Light", 2, 0, 6), Meter("debt", "Debt", 0, -3, 0, "counter")),
        flags=(Flag("worn", "Worn", on=True),),
        options=(AssetOption("stat", "Its stat", ("edge", "heart")),),
    )


class TestProblems:
    @pytest.mark.parametrize(("text", "why"), WRONG.values(), ids=WRONG.keys())
    def test_problem_is_one_sentence_with_its_line(self, text: str, why: str) -> None:
        line = next(number for number, line in enumerate(text.split("\n"), 1) if line.endswith("#!"))
        [problem] = taken(text).problems
        assert problem.startswith(f"mine.toml, line {line}: ")
        assert why in problem
        assert problem.endswith(".")

    @pytest.mark.parametrize("text", [text for text, _ in WRONG.values() if text.startswith(HEAD)])
    def test_problem_leaves_the_rest_of_the_file_and_all_of_ours(self, text: str) -> None:
        # What is wrong with the word table or asset itself leaves no room for another.
        rest = GOOD + HOUND if "[[" in text else ""
        content = taken(text + rest)
        assert {*OURS.oracles} <= {*content.oracles}
        assert {*OURS.assets} <= {*content.assets}
        assert all(content.oracles[ident] == oracle for ident, oracle in OURS.oracles.items())
        if rest:
            assert "good" in content.oracles
            assert "hound" in content.assets

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('game = "ironsworn"\nrows = [\n', r"line \d: .*"),
            ('game = "ironsworn"\nname = "a\n', r"line 2: .*\(column \d+\)"),
            ('game = "ironsworn"\n\n= 5\n', r"line 3: .*\(column 1\)"),
            ('game = "ironsworn"\ngame = "ironsworn"\n', r"line 2: .*\(column \d+\)"),
            ("[" * 100_000, "line 1: .*"),
            ("x = " + "9" * 100_000, "line 1: a number has too many digits"),
        ],
    )
    def test_invalid_toml_costs_that_file_only(self, text: str, told: str) -> None:
        content = read([("a.toml", text.encode()), ("b.toml", (HEAD + GOOD).encode())], "ironsworn", MOVES, OURS)
        [problem] = content.problems
        assert re.fullmatch(rf"a\.toml, {told}\.", problem)
        assert "good" in content.oracles

    def test_file_that_is_not_utf_8_is_a_problem(self) -> None:
        [problem] = read([("mine.toml", b'game = "ironsworn"\nname = "\xff"\n')], "ironsworn", MOVES, OURS).problems
        assert problem == "mine.toml, line 2: this is not UTF-8 (column 9)."

    def test_id_in_two_files_keeps_the_first(self) -> None:
        files = [("a.toml", (HEAD + GOOD).encode()), ("b.toml", (HEAD + GOOD.replace("two", "three")).encode())]
        content = read(files, "ironsworn", MOVES, OURS)
        assert content.problems == ("b.toml, line 4: the table id good is already used in a.toml.",)
        assert content.oracles["good"].rows == ("one", "two")

    def test_problem_is_reported_for_each_table(self) -> None:
        text = (
            HEAD + TABLE + 'rows = ["a"]\n' + GOOD + TABLE + "rows = 7\n" + ASSET.replace("path", "companion") + HOUND
        )
        content = taken(text)
        assert [problem.split(":")[0] for problem in content.problems] == [
            "mine.toml, line 6",
            "mine.toml, line 17",
            "mine.toml, line 18",
        ]
        assert "good" in content.oracles
        assert "hound" in content.assets

    def test_many_problems_are_only_counted(self) -> None:
        problems = taken(HEAD + "[[table]]\n" * 5000).problems
        assert len(problems) == TOLD_MOST + 1
        assert problems[-1] == "mine.toml: 4980 more problems not shown."

    def test_problem_keeps_the_table_of_ours_with_the_same_id(self) -> None:
        content = taken(HEAD + TABLE.replace('"bad"', '"name_hill"') + 'parts = ["action", "acton"]\n')
        assert content.oracles["name_hill"] == OURS.oracles["name_hill"]


class TestFolder:
    def loaded(self, folder: Path) -> Content:
        return load("ironsworn", str(folder), MOVES)

    def test_missing_folder_adds_nothing(self, tmp_path: Path) -> None:
        assert self.loaded(tmp_path / "content") == OURS

    def test_file_in_place_of_the_folder_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "content").write_text("")
        content = self.loaded(tmp_path / "content")
        assert content.oracles == OURS.oracles
        [problem] = content.problems
        assert problem.endswith("content: Not a directory.")

    def test_files_are_read_by_name_and_only_toml(self, tmp_path: Path) -> None:
        (tmp_path / "b.toml").write_text(HEAD + GOOD.replace("two", "three"))
        (tmp_path / "a.toml").write_text(HEAD + GOOD)
        (tmp_path / ".a.toml").write_text("=")
        (tmp_path / "a.toml~").write_text("=")
        content = self.loaded(tmp_path)
        assert content.oracles["good"].rows == ("one", "two")
        assert len(content.problems) == 1

    def test_file_that_is_too_large_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "good.toml").write_text(HEAD + GOOD)
        with open(tmp_path / "large.toml", "wb") as file:
            file.truncate(50_000_000)
        content = self.loaded(tmp_path)
        assert content.problems == ("Can't read large.toml: it is larger than 1 MB; split it.",)
        assert "good" in content.oracles

    def test_file_that_just_fits_is_read(self, tmp_path: Path) -> None:
        text = HEAD + GOOD + "# "
        (tmp_path / "mine.toml").write_text(text + "x" * (FILE_MOST - len(text)))
        assert "good" in self.loaded(tmp_path).oracles

    def test_folder_pipe_and_dangling_link_are_reported(self, tmp_path: Path) -> None:
        (tmp_path / "folder.toml").mkdir()
        os.mkfifo(tmp_path / "pipe.toml")
        (tmp_path / "link.toml").symlink_to(tmp_path / "nothing")
        (tmp_path / "good.toml").write_text(HEAD + GOOD)
        content = self.loaded(tmp_path)
        assert content.problems == (
            "Can't read folder.toml: it is not a regular file but a folder.",
            "Can't read link.toml: No such file or directory.",
            "Can't read pipe.toml: it is not a regular file but a pipe.",
        )
        assert "good" in content.oracles

    def test_file_that_breaks_while_it_is_read_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").symlink_to("/proc/self/mem")
        assert self.loaded(tmp_path).problems == ("Can't read mine.toml: Input/output error.",)

    def test_file_names_with_control_characters_are_safe_to_show(self, tmp_path: Path) -> None:
        (tmp_path / "\x1b[2J.toml").write_text("=")
        [problem] = self.loaded(tmp_path).problems
        assert problem.startswith("␛[2J.toml, line 1: ")


class TestHostileText:
    @pytest.mark.parametrize("text", [text for _, text in HOSTILE if text.isprintable() and text.strip()], ids=repr)
    def test_line_is_kept_as_it_is_or_refused_as_too_long(self, text: str) -> None:
        content = read_with(text)
        if len(text) <= 200:
            assert content.oracles["bad"].rows == (text, text)
        else:
            assert "the limit is 200" in content.problems[0]

    @pytest.mark.parametrize("text", [text for label, text in HOSTILE if "surrogates" not in label], ids=repr)
    def test_hostile_text_reaches_no_message_raw(self, text: str) -> None:
        for problem in (*read_with(text).problems, *taken(f"game = {quoted(text)}").problems):
            assert shown_line(problem, 500) == problem
            assert len(problem) < 500


def quoted(text: str) -> str:
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'


def read_with(text: str) -> Content:
    return taken(f"{HEAD}{TABLE}rows = [{quoted(text)}, {quoted(text)}]\n")


WHOLE = (HEAD + GOOD + HOUND + TABLE + 'parts = ["good", "action"]\n').encode()


class TestAnyFile:
    @given(st.binary(max_size=200))
    def test_any_value_in_a_file_is_read_or_reported(self, data: bytes) -> None:
        self.is_borne(data)

    @given(st.integers(0, len(WHOLE)), st.integers(0, 40), st.text(max_size=20))
    def test_mistyped_keys_never_crash_the_reader(self, start: int, length: int, typed: str) -> None:
        self.is_borne(WHOLE[:start] + typed.encode() + WHOLE[start + length :])

    @given(st.permutations(WHOLE.split(b"\n")))
    def test_shuffled_lines_never_crash_the_reader(self, lines: list[bytes]) -> None:
        self.is_borne(b"\n".join(lines))

    def is_borne(self, data: bytes) -> None:
        content = read([("mine.toml", data)], "ironsworn", MOVES, OURS)
        assert {*OURS.oracles} <= {*content.oracles}
        assert {*OURS.assets} <= {*content.assets}
        for problem in content.problems:
            line = re.match(r"mine\.toml, line (\d+): .*\.$", problem)
            assert line, problem
            assert 1 <= int(line[1]) <= data.count(b"\n") + 1
