"""The command line, as a script or a tired player uses it."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import program
from tests.hostile import HOSTILE
from tests.make_example import example
from tests.terminal.pty import PATIENCE

from tracker import __version__, games
from tracker.arguments import COMMANDS, parser_of
from tracker.campaign.journal import lines
from tracker.campaign.session import Session, new_campaign
from tracker.cli import main
from tracker.games.api import plain_text
from tracker.plain import text_lines as plain

EXAMPLE = Path(__file__).parents[1] / "saves" / "example-ironsworn.toml"


def tracker(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = program.run([*words, "--saves", str(folder)])
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def started(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run it in a process of its own, as a shell does."""
    command = [sys.executable, "-m", "tracker", *words, "--saves", str(folder)]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=False
    )


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one line in which a command says why it did nothing."""
    assert done.returncode != 0
    assert done.stderr.startswith("tracker: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    (tmp_path / "Mill.toml").write_bytes(EXAMPLE.read_bytes())
    return tmp_path


class TestNew:
    def test_new_makes_a_campaign_that_can_be_shown(self, tmp_path: Path) -> None:
        assert tracker(tmp_path, "new", "Vale", "--game", "ironsworn").returncode == 0
        assert "Vale" in tracker(tmp_path, "list").stdout
        assert "Ironsworn" in tracker(tmp_path, "show", "Vale").stdout

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("", "needs a name"),
            ("   ", "needs a name"),
            ("show", "is a command"),
            ("x" * 61, "limit is 60"),
            ("a/b", "can't be a file name"),
            ("..", "can't be a file name"),
            (".hidden", "can't be a file name"),
            ("vale.toml", ".toml"),
            ("example-mine", "reserved"),
            ("CON", "reserved"),
        ],
    )
    def test_new_refuses_invalid_names(self, name: str, why: str, tmp_path: Path) -> None:
        assert why in refused(tracker(tmp_path, "new", name, "--game", "ironsworn"))
        assert list(tmp_path.iterdir()) == []

    def test_new_refuses_a_name_like_an_option(self, tmp_path: Path) -> None:
        refused(tracker(tmp_path, "new", "-rf", "--game", "ironsworn"))

    def test_new_leaves_a_campaign_of_that_name_alone(self, saves: Path) -> None:
        before = (saves / "Mill.toml").read_bytes()
        assert "already exists" in refused(tracker(saves, "new", "Mill", "--game", "ironsworn"))
        assert (saves / "Mill.toml").read_bytes() == before

    def test_names_the_games_there_are(self, tmp_path: Path) -> None:
        assert "ironsworn" in refused(tracker(tmp_path, "new", "Vale", "--game", "chess"))


class TestNewWithCharacter:
    STATS = "edge=3,heart=2,iron=2,shadow=1,wits=1"

    def make(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return tracker(folder, "new", "Vale", "--game", "ironsworn", *words)

    def test_new_makes_campaign_and_character_in_one_go(self, tmp_path: Path) -> None:
        done = self.make(tmp_path, "--character", "Kara", "--stats", self.STATS)
        assert done.stdout == "Created Vale with Kara. To play: tracker Vale\n"
        kara = json.loads(tracker(tmp_path, "show", "Vale", "--json").stdout)["state"]["party"]["kara"]
        assert kara["name"] == "Kara"
        assert [kara[stat] for stat in ("edge", "heart", "iron", "shadow", "wits")] == [3, 2, 2, 1, 1]
        assert tracker(tmp_path, "check", "Vale").stdout == "Vale: 1 entry OK, no damage.\n"

    def test_new_writes_the_same_entry_as_the_table(self, tmp_path: Path) -> None:
        self.make(tmp_path, "--character", "Kara", "--stats", " wits=1, shadow=1,iron=2,heart=2,edge=3")
        [entry] = [json.loads(line) for line in tracker(tmp_path, "log", "Vale", "--json").stdout.splitlines()]
        assert entry["did"] == "character/make"
        assert {key: value for key, value in entry["answers"] if key in {"name", "how", "three", "twos"}} == {
            "name": "Kara",
            "how": "choose",
            "three": "edge",
            "twos": ["heart", "iron"],
        }
        assert entry["facts"]["changed"] == ["Kara joins: edge 3, heart 2, iron 2, shadow 1, wits 1"]

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            (("--stats", STATS), "--stats needs --character"),
            (("--character", "Kara"), "Missing stats: edge, heart, iron, shadow, wits"),
            (("--character", "", "--stats", STATS), "A character needs a name."),
            (("--character", "  ", "--stats", STATS), "A character needs a name."),
            (("--character", "x" * 61, "--stats", STATS), "limit is 60"),
            (("--character", "\u200b", "--stats", STATS), "visible character"),
            (("--character", "Kara", "--stats", ""), "Missing stats"),
            (("--character", "Kara", "--stats", "edge=4,heart=4,iron=4,shadow=4,wits=4"), "not 4, 4, 4, 4, 4"),
            (("--character", "Kara", "--stats", "edge=3,heart=3,iron=1,shadow=1,wits=1"), "not 3, 3, 1, 1, 1"),
            (("--character", "Kara", "--stats", "edge=3,heart=2,iron=2,shadow=1"), "Missing stat: wits"),
            (("--character", "Kara", "--stats", STATS + ",luck=1"), "“luck” isn't a stat"),
            (("--character", "Kara", "--stats", STATS + ",edge=3"), "“edge” appears twice"),
            (("--character", "Kara", "--stats", "edge=three"), "“edge=three” should look like edge=3"),
            (("--character", "Kara", "--stats", "3,2,2,1,1"), "“3” should look like edge=3"),
        ],
    )
    def test_refuses_what_is_not_legal_and_leaves_nothing_behind(
        self, words: tuple[str, ...], why: str, tmp_path: Path
    ) -> None:
        assert why in refused(self.make(tmp_path, *words))
        assert list(tmp_path.iterdir()) == []

    def test_new_leaves_a_campaign_of_that_name_alone(self, tmp_path: Path) -> None:
        self.make(tmp_path)
        before = (tmp_path / "Vale.toml").read_bytes()
        assert "already exists" in refused(self.make(tmp_path, "--character", "Kara", "--stats", self.STATS))
        assert (tmp_path / "Vale.toml").read_bytes() == before

    def test_knows_the_same_names_and_games(self, tmp_path: Path) -> None:
        kara = ("--character", "Kara", "--stats", self.STATS)
        assert "reserved" in refused(tracker(tmp_path, "new", "CON", "--game", "ironsworn", *kara))
        assert "No game is called" in refused(tracker(tmp_path, "new", "Vale", "--game", "chess", *kara))
        assert list(tmp_path.iterdir()) == []


class TestShow:
    def test_show_tells_the_sheet(self, saves: Path) -> None:
        shown = tracker(saves, "show", "Mill").stdout.splitlines()
        for line in (
            "Kara",
            "  momentum 8, maximum 10, reset 2",
            "  edge 3",
            "  Due: Endure Stress (1)",
            "Break the Ashen Crown: epic vow, 0 of 10 boxes, sworn by Kara",
        ):
            assert line in shown

    def test_show_tells_the_gms_side_once_and_all_of_a_sheet(self, tmp_path: Path) -> None:
        road = EXAMPLE.with_name("example-daggerheart.toml")
        (tmp_path / "Road.toml").write_bytes(road.read_bytes())
        shown = tracker(tmp_path, "show", "Road").stdout
        for words in (
            "Wren, Ranger, level 1",
            "7+ major 2",
            "Wolf-road guide: +2",
            "Longbow: Agility",
            "Leather: armor",
        ):
            assert words in shown
        assert "The gray one, leader, Difficulty 14, HP 2 of 6 marked" in shown
        assert shown.count("Fear 2 of 12") == 1

    def test_show_tells_the_dice_harms_and_gear_of_another_game(self, tmp_path: Path) -> None:
        shown = tracker(tmp_path, "show", str(example("wherever"))).stdout
        for words in ("minor: -1 insight", "mental recovery 0 of 2", "reliability 3 of 3", "Lamp oil, die d6"):
            assert words in shown

    @pytest.mark.parametrize("game", games.GAMES)
    def test_show_says_the_sheet_and_tracks_of_plain_mode(self, game: str, tmp_path: Path) -> None:
        shown = tracker(tmp_path, "show", str(example(game))).stdout.splitlines()
        session = Session.open(str(example(game)), write=False, tail="keep")
        side = session.game.gm_side(session.state)
        for member in session.game.members(session.state):
            start = shown.index(member.title) + 1
            lines = [f"  {line}" for line in plain.sheet(session, member.id, gm=side)]
            assert shown[start : start + len(lines)] == lines
        tracks = [plain_text.track(track) for track in session.game.tracks(session.state)]
        assert shown[-len(tracks) :] == tracks

    def test_show_for_scripts(self, saves: Path) -> None:
        told = json.loads(tracker(saves, "show", "Mill", "--json").stdout)
        assert told["state"]["party"]["kara"]["momentum"] == 8
        hers = json.loads(tracker(saves, "show", "Mill", "--json", "--as", "Tayla").stdout)["state"]["party"]
        assert hers == {"tayla": told["state"]["party"]["tayla"]}
        names = tracker(saves, "list", "--names").stdout.splitlines()
        assert [json.loads(line) for line in tracker(saves, "list", "--names", "--json").stdout.splitlines()] == [
            {"name": name} for name in names
        ]

    def test_log_is_one_entry_a_line(self, saves: Path) -> None:
        lines = tracker(saves, "log", "Mill").stdout.splitlines()
        assert len(lines) == 31
        assert "weak hit, 6 (+iron) vs 5 and 9; 2 harm, Kara lost initiative" in lines[-2]

    @pytest.mark.parametrize("game", games.GAMES)
    def test_log_says_each_entry_as_the_journal_does(self, game: str, tmp_path: Path) -> None:
        log = [line[18:] for line in tracker(tmp_path, "log", str(example(game))).stdout.splitlines()]
        session = Session.open(str(example(game)), write=False, tail="keep")
        story = [one for one in lines(session, session.history) if not one.heading]
        assert story
        for one in story:
            assert one.sentence() in log

    def test_log_has_undone_and_unfinished_rolls_only_if_asked(self, saves: Path) -> None:
        session = Session.open(str(saves / "Mill.toml"))
        session.undo()
        session.roll(session.begin("roll/action", "kara", [["using", "iron"]]), {"action": 4, "challenge": [5, 9]})
        session.close()
        usual, everything, undone, open_ = (
            [line[18:] for line in tracker(saves, "log", "Mill", *words).stdout.splitlines()]
            for words in ((), ("--all",), ("--undone",), ("--unfinished",))
        )
        assert "The drowned mill" in usual
        assert not [line for line in usual if "unfinished" in line or "(undone)" in line]
        assert everything[-1] == open_[-1] == ("Kara: Action roll, unfinished, dice { action = 4, challenge = [5, 9] }")
        assert undone[-1].endswith("  (undone)")
        assert len(everything) == len(usual) + 2 == len(undone) + 1 == len(open_) + 1

    def test_log_for_scripts(self, saves: Path) -> None:
        entries = [json.loads(line) for line in tracker(saves, "log", "Mill", "--json").stdout.splitlines()]
        assert entries[0]["did"] == "character/make"
        assert not any(entry["undone"] for entry in entries)

    def test_path_is_as_good_as_a_name(self, saves: Path, tmp_path: Path) -> None:
        assert tracker(tmp_path / "elsewhere", "show", str(saves / "Mill.toml")).returncode == 0

    def test_log_for_scripts_has_null_for_numbers_that_json_lacks(self, saves: Path) -> None:
        before, entry, last = (saves / "Mill.toml").read_text("utf-8").rpartition("[[entry]]")
        odd = 'text = "odd"\nfacts = { x = nan, y = [inf, 1.5] }'
        (saves / "Mill.toml").write_text(f"{before}{entry}\n{odd}\n\n{entry}{last}", "utf-8")
        lines = tracker(saves, "log", "Mill", "--json").stdout.splitlines()
        assert [json.loads(line, parse_constant=pytest.fail)["facts"] for line in lines if '"odd"' in line] == [
            {"x": None, "y": [None, 1.5]}
        ]

    @pytest.mark.parametrize("command", ["show", "log", "check", "recover", "play"])
    def test_missing_campaign_is_reported(self, command: str, tmp_path: Path) -> None:
        assert "No campaign" in refused(tracker(tmp_path, command, "Nowhere"))

    def test_looking_changes_nothing(self, saves: Path) -> None:
        before = (saves / "Mill.toml").read_bytes()
        for command in ("show", "log", "check"):
            assert tracker(saves, command, "Mill").returncode == 0
        assert (saves / "Mill.toml").read_bytes() == before
        assert [file.name for file in saves.iterdir()] == ["Mill.toml"]


class TestDamagedSave:
    def damage(self, saves: Path) -> tuple[Path, int]:
        """Break a line in the middle; its number."""
        save = saves / "Mill.toml"
        lines = save.read_bytes().split(b"\n")
        line = next(n for n, text in enumerate(lines) if b"The stair gives way" in text)
        lines[line] = lines[line].replace(b'"', b"", 1)
        save.write_bytes(b"\n".join(lines))
        return save, line + 1

    def test_check_names_the_line_and_says_so_in_its_exit_code(self, saves: Path) -> None:
        _, line = self.damage(saves)
        done = tracker(saves, "check", "Mill")
        assert done.returncode == 1
        assert f"line {line}" in done.stdout

    def test_recover_saves_the_rest_and_leaves_the_original_alone(self, saves: Path) -> None:
        save, line = self.damage(saves)
        before = save.read_bytes()
        done = tracker(saves, "recover", "Mill")
        assert "42 entries" in done.stdout
        assert f"line {line}" in done.stdout
        assert save.read_bytes() == before
        assert tracker(saves, "check", "Mill-recovered").returncode == 0
        assert "Break the Ashen Crown" in tracker(saves, "show", "Mill-recovered").stdout

    def test_recover_never_writes_over_a_file(self, saves: Path) -> None:
        self.damage(saves)
        tracker(saves, "recover", "Mill")
        tracker(saves, "recover", "Mill")
        assert {file.name for file in saves.glob("*.toml")} == {
            "Mill.toml",
            "Mill-recovered.toml",
            "Mill-recovered-2.toml",
        }

    def test_damaged_head_is_refused_with_its_line_and_a_way_out(self, saves: Path) -> None:
        save = saves / "Mill.toml"
        save.write_bytes(save.read_bytes().replace(b"entries = 43", b"entries ="))
        before = save.read_bytes()
        for command in ("show", "log", "play"):
            why = refused(tracker(saves, command, "Mill")) if command != "play" else ""
            assert command == "play" or ("line 5" in why and "tracker recover Mill" in why)
        assert tracker(saves, "recover", "Mill").returncode == 0
        assert "43 entries" in tracker(saves, "recover", "Mill").stdout
        assert save.read_bytes() == before

    def test_impossible_value_is_damage_with_a_way_out(self, saves: Path) -> None:
        save = saves / "Mill.toml"
        save.write_bytes(save.read_bytes().replace(b"edge = 3", b"edge = 4000", 1))
        done = tracker(saves, "check", "Mill")
        assert done.returncode == 1
        assert "party.kara.edge should be a whole number" in done.stdout
        assert json.loads(tracker(saves, "check", "Mill", "--json").stdout)["damage"][0]["line"] > 1
        assert "`tracker recover Mill` saves every intact entry" in refused(tracker(saves, "show", "Mill"))
        assert tracker(saves, "recover", "Mill").returncode == 0
        assert tracker(saves, "show", "Mill-recovered").returncode == 0

    def test_unfinished_write_is_damage_with_its_line(self, saves: Path) -> None:
        save = saves / "Mill.toml"
        whole = save.read_bytes()
        save.write_bytes(whole + b'[[entry]]\nid = "x')
        told = json.loads(tracker(saves, "check", "Mill", "--json").stdout)
        assert (told["entries"], told["damaged"]) == (43, 1)
        line = whole.count(b"\n") + 1
        assert told["damage"] == [{"line": line, "why": "17 bytes at the end are an unfinished write"}]

    def test_file_with_nothing_to_recover_is_not_sent_to_recover_again(self, saves: Path) -> None:
        (saves / "Odd.toml").write_bytes(b"hello")
        assert "tracker recover Odd" in refused(tracker(saves, "show", "Odd"))
        why = refused(tracker(saves, "recover", "Odd"))
        assert "Nothing in it can be recovered." in why
        assert "tracker recover" not in why

    def test_edits_by_hand_are_told_by_one_command_only(self, saves: Path) -> None:
        save = saves / "Mill.toml"
        save.write_bytes(save.read_bytes().replace(b"The stair gives way", b"The stairs give way"))
        assert "was changed or added by hand" in tracker(saves, "undo", "Mill").stderr
        assert tracker(saves, "undo", "Mill").stderr == ""
        assert "The stairs give way" in tracker(saves, "log", "Mill").stdout

    @pytest.mark.parametrize("content", [b"", b"# nothing here\n", b"\xff\xfe", b"format = 999\n", b"hello"])
    def test_other_file_is_refused(self, content: bytes, saves: Path) -> None:
        (saves / "Odd.toml").write_bytes(content)
        assert "Odd.toml" in refused(tracker(saves, "show", "Odd"))
        assert (saves / "Odd.toml").read_bytes() == content
        assert "Mill" in tracker(saves, "list").stdout


def test_table_needs_a_terminal(saves: Path) -> None:
    assert "needs a terminal" in refused(started(saves, "Mill"))


@pytest.mark.parametrize("words", [("Mill", "--plain"), ("--plain", "Mill"), ("play", "--plain", "Mill")])
def test_plain_mode_needs_no_terminal(words: tuple[str, ...], saves: Path) -> None:
    done = started(saves, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Mill, Ironsworn\n")
    assert "Scene: The ford below Ravencliff\n" in done.stdout
    assert "You play Kara.\n" in done.stdout


def test_evening_collects_garbage_as_often_as_python_does(saves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def evening(path: str, seed: int | None) -> int:
        seen.append(gc.get_threshold())
        return 0

    monkeypatch.setattr("tracker.plain.main.run", evening)
    assert tracker(saves, "Mill", "--plain").returncode == 0
    assert seen == [(700, 10, 10)]


def test_version_and_help(tmp_path: Path) -> None:
    assert started(tmp_path, "--version").stdout == f"tracker {__version__}\n"
    assert "recover" in started(tmp_path, "--help").stdout


def test_unknown_word_is_one_line(tmp_path: Path) -> None:
    refused(tracker(tmp_path, "show"))
    refused(tracker(tmp_path, "--sesam"))


def test_hostile_names_come_out_harmless(tmp_path: Path) -> None:
    """Some names go through a real command line; a process costs more than a name."""
    for n, (_, text) in enumerate(HOSTILE):
        if "\x00" in text or "\udc80" in text or len(text) > 1000:
            continue  # no command line can carry it
        done = (tracker if n % 12 else started)(tmp_path, "new", text, "--game", "ironsworn")
        said = done.stdout + done.stderr
        assert "\x1b" not in said
        assert "Traceback" not in said
    listed = tracker(tmp_path, "list")
    assert "\x1b" not in listed.stdout
    assert listed.returncode == 0


def test_campaign_is_found_in_any_case(saves: Path) -> None:
    assert "Ironsworn" in tracker(saves, "show", "mILL").stdout
    (saves / "mill.toml").write_bytes(EXAMPLE.read_bytes())
    assert "“mILL” could be “Mill” or “mill”" in refused(tracker(saves, "show", "mILL"))


def test_character_who_left_is_not_listed(tmp_path: Path) -> None:
    who = [{"id": name.lower(), "name": name} for name in ("Kara", "Bo")]
    path = tmp_path / "Vale.toml"
    new_campaign(str(path), games.get("ironsworn"))
    session = Session.open(str(path))
    session.do("edit", [*({"at": "party", "add": one} for one in who), {"at": "bo.status", "to": "gone"}])
    session.close()
    listed = tracker(tmp_path, "list").stdout
    assert "Kara" in listed
    assert "Bo" not in listed


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of memory that holds")
@pytest.mark.parametrize("words", ["check", "recover", "show"])
def test_save_larger_than_memory_is_one_line(tmp_path: Path, words: str) -> None:
    assert main(["new", "vale", "--game", "ironsworn", "--saves", str(tmp_path)]) == 0
    os.truncate(tmp_path / "vale.toml", 8 << 30)
    limit = "import resource as r, sys; r.setrlimit(r.RLIMIT_AS, (2 << 30,) * 2); from tracker.cli import main; "
    done = subprocess.run(
        [sys.executable, "-c", f"{limit}sys.exit(main())", words, "vale", "--saves", str(tmp_path)],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"Not enough memory" in done.stderr


class TestFollow:
    def test_log_follows_what_is_added_and_undone(self, saves: Path) -> None:
        command = [sys.executable, "-m", "tracker", "log", "Mill", "-f", "-n", "1", "--saves", str(saves)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as follower:
            assert follower.stdout
            assert "Three of them at the ford" in follower.stdout.readline()
            assert tracker(saves, "say", "Mill", "The bridge is out.").returncode == 0
            assert follower.stdout.readline().endswith("Kara: The bridge is out.\n")
            assert tracker(saves, "undo", "Mill").returncode == 0
            assert follower.stdout.readline().endswith("The bridge is out.  (undone)\n")
            follower.stdout.close()  # as `head` does; nothing has to be printed for the follower to end
            assert follower.wait(PATIENCE) == 141

    def test_log_ends_when_the_file_is_gone(self, saves: Path) -> None:
        command = [sys.executable, "-m", "tracker", "log", "Mill", "-f", "-n", "0", "--saves", str(saves)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8") as follower:
            (saves / "Mill.toml").rename(saves / "Dale.toml")
            assert follower.wait(PATIENCE) == 1
            assert follower.stderr
            assert follower.stderr.read().count("\n") == 1


def test_terminal_without_arrows_gets_ascii(saves: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tracker", "log", "Mill", "--saves", str(saves)],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert b"momentum 2 -> 4" in done.stdout
    assert done.stdout.isascii()
    assert b"?" not in done.stdout.splitlines()[0]


def test_interrupt_at_the_very_end_of_the_app_is_not_told() -> None:
    script = "import atexit, os, signal, sys; sys.modules['textual'] = sys; from tracker import cli\n"
    script += "atexit.register(os.kill, os.getpid(), signal.SIGINT); sys.argv[1:] = ['completion', 'bash']; cli.run()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


class TestJson:
    def test_every_command_that_prints_has_it(self) -> None:
        without = {name for name in COMMANDS if "--json" not in {*parser_of(name)._option_string_actions}}
        assert without == {"play", "host", "join", "serve", "export", "completion"}

    def test_json_names_what_a_command_made(self, tmp_path: Path) -> None:
        def told(*words: str) -> dict[str, Any]:
            made: dict[str, Any] = json.loads(tracker(tmp_path, *words, "--json").stdout)
            return made

        made = told("new", "Mill", "--game", "wherever", "--character", "Ilse")
        assert made == {"name": "Mill", "path": f"{tmp_path}/Mill.toml", "game": "wherever", "characters": ["Ilse"]}
        assert told("recover", "Mill")["entries"] == 1
        tracker(tmp_path, "say", "Mill", "Rain.")
        assert told("restore", "Mill", "1", "--in-place")["name"] == "Mill"
        [ilse] = told("show", "Mill")["characters"]
        assert (ilse["name"], ilse["values"]["health"], ilse["due"]) == ("Ilse", ilse["values"]["health_max"], [])
