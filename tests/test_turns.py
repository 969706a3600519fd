"""One turn from the shell: `roll`, `move`, `oracle`, `say` and `undo` play what plain mode and the app play."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import program
from tests.make_example import example

from tracker import games
from tracker.campaign.session import Session
from tracker.campaign.typed_commands import move_called, short_ids
from tracker.games.api.schema import TYPED
from tracker.saves.lock import Locked, lock_of, take_lock
from tracker.saves.reader import Contents
from tracker.saves.save import Save

HOLDS = """
import sys
from tracker.saves.lock import Lock
lock = Lock(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""
OWN = {"id", "t", "at", "closes", "undoes"}
"""Keys of an entry that are different in every session."""

TURNS = [
    ("ironsworn", ["move", "NAME", "face_danger", "--with", "adds=1", "--with", "edge", "--choose", "supply"],
     ["face danger", "adds 1", "edge", "supply", ""]),
    ("ironsworn", ["move", "NAME", "resupply", "--choose", "2"], ["resupply", "", "2", ""]),
    ("ironsworn", ["roll", "NAME", "heart", "--as", "Tayla"], ["as tayla", "heart", ""]),
    ("ironsworn", ["roll", "NAME", "--as", "Tayla", "heart"], ["as tayla", "heart", ""]),
    ("ironsworn", ["move", "NAME", "--with", "2", "resupply"], ["resupply", "", "2", ""]),
    ("ironsworn", ["oracle", "NAME", "likely"], ["likely", ""]),
    ("ironsworn", ["oracle", "NAME", "action", "theme"], ["action, theme", ""]),
    ("ironsworn", ["move", "NAME", "new_scene", "--with", "The mill pond"], ["new scene", "The mill pond", ""]),
    ("ironsworn", ["say", "NAME", "The", "bridge", "is", "out."], ["say The bridge is out."]),
    ("ironsworn", ["say", "NAME", "--as", "Tayla", "Hi", "there."], ["as tayla", "say Hi there."]),
    ("ironsworn", ["undo", "NAME"], ["undo"]),
    ("ironsworn", ["move", "NAME", "reach_a_milestone", "--with", "Break"], ["reach a milestone", "2", ""]),
    ("wherever", ["roll", "NAME", "force", "-1"], ["force", "penalty -1", "", ""]),
    ("wherever", ["oracle", "NAME", "unlikely", "--question", "Is it deep?"], ["ask the oracle", "question Is it deep?", "yes or no", "unlikely", ""]),
    ("wherever", ["undo", "NAME"], ["undo"]),
    ("daggerheart", ["roll", "NAME", "agility", "+2"], ["agility", "modifier 2", "", ""]),
    ("daggerheart", ["move", "NAME", "attack", "--with", "1"], ["attack", "1", "", ""]),
    ("daggerheart", ["say", "NAME", "It is dark."], ["say It is dark."]),
]  # fmt: skip
"""A game, a command, and what is typed in plain mode for the same."""


def contents(path: Path) -> Contents:
    save = Save.open(str(path), write=False)
    save.read_whole()
    return save.read


def entries(path: Path) -> list[dict[str, Any]]:
    return [{key: value for key, value in one.entry.items() if key not in OWN} for one in contents(path).blocks]


def run(folder: Path, *words: str, typed: str = "") -> tuple[int, str, str]:
    done = program.run([*words, "--saves", str(folder)], typed.encode())
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    """Return a folder with the campaign Mill, of Ironsworn."""
    shutil.copy(example("ironsworn"), tmp_path / "Mill.toml")
    return tmp_path


class TestSameAsPlainMode:
    @pytest.mark.parametrize(("game", "words", "lines"), TURNS, ids=lambda part: part[0] if part[1:] else None)
    def test_turn_makes_the_entries_that_plain_mode_makes(
        self, game: str, words: list[str], lines: list[str], tmp_path: Path
    ) -> None:
        for name in ("shell", "plain"):
            shutil.copy(example(game), tmp_path / f"{name}.toml")
        before = len(entries(tmp_path / "plain.toml"))
        seed = [] if words[0] in {"say", "undo"} else ["--seed", "1"]
        plain = run(tmp_path, "plain", "--plain", "--seed", "1", typed="\n".join([*lines, "quit", ""]))
        shell = run(tmp_path, *(word.replace("NAME", "shell") for word in words), *seed)
        assert shell[0] == 0, shell
        ours, theirs = entries(tmp_path / "shell.toml"), entries(tmp_path / "plain.toml")
        assert len(ours) > before, plain
        assert ours == theirs

    def test_due_move_and_an_unfinished_roll_are_done(self, saves: Path) -> None:
        session = Session.open(str(saves / "Mill.toml"))
        session.rolled(session.begin("roll/action", "kara", [["using", "iron"]]), {"action": 4, "challenge": [5, 9]})
        session.close()
        assert (
            "finish it first" in run(saves, "roll", "Mill", "iron")[2]
            or "unfinished" in run(saves, "roll", "Mill", "iron")[2]
        )
        code, out, _ = run(saves, "move", "Mill", "due", "--defaults")
        assert (code, out.splitlines()[0]) == (0, "Action roll +iron")
        assert not contents(saves / "Mill.toml").blocks[-1].entry.get("open")


class TestNothingIsWritten:
    @pytest.mark.parametrize(
        ("words", "code", "why"),
        [
            (["move", "Mill", "face_danger"], 3, "Face Danger asks: Roll with: edge 3; heart 2"),
            (
                ["move", "Mill", "face_danger", "--with", "edge", "--dice", "4,2,9"],
                3,
                "keep the dice with --dice 4,2,9",
            ),
            (
                ["move", "Mill", "face_danger", "--with", "luck"],
                1,
                "Face Danger asks: Roll with: “luck” isn't an option",
            ),
            (
                ["move", "Mill", "gather_information", "--with", "edge"],
                1,
                "Gather Information +wits has no prompt for “edge”",
            ),
            (
                ["roll", "Mill", "edge", "--dice", "1,9,9", "--choose", "burn"],
                1,
                "Burning momentum 8 doesn't improve this miss.",
            ),
            (["roll", "Mill", "edge", "--dice", "6,1,1", "--with", "burn=yes"], 1, "doesn't improve this strong hit."),
            (["roll", "Mill", "edge", "--dice", "1,9,9", "--choose", "the"], 1, "has no prompt for “the”"),
            (["roll", "Mill", "edge", "--dice", "1,9,9", "--choose", "no"], 1, "has no prompt for “no”"),
            (
                ["move", "Mill", "compel", "--with", "heart", "--dice", "6,1,1"],
                3,
                "with +1; or no. Answer with --choose, or --defaults for none",
            ),
            (
                ["move", "Mill", "face_danger", "--with", "edge", "--dice", "6,1,1", "--with", "luck=1"],
                1,
                "no prompt for luck=; answers now: adds=0; helped_by=none; using=edge 3",
            ),
            (
                ["move", "Mill", "face_danger", "--with", "edge", "--dice", "6,1,1", "--choose", "x"],
                1,
                "no prompt for “x”",
            ),
            (["move", "Mill", "face_danger", "--with", "edge", "--dice", "6,1"], 1, "Type 3 results"),
            (["move", "Mill", "face_danger", "--with", "edge", "--dice", "6,1,11"], 1, "not 11"),
            (["move", "Mill", "face_danger", "--with", "edge", "--dice", "6,1,1", "--dice", "1"], 1, "No roll is left"),
            (["move", "Mill", "face_dangre"], 1, "did you mean face_danger?"),
            (["move", "Mill", "strike"], 1, "No initiative"),
            (["roll", "Mill", "egde"], 1, "did you mean edge?"),
            (["roll", "Mill", "edge", "--as", "Bo"], 1, "choose from: Kara, Tayla"),
            (["roll", "Mill", "edge", "+20"], 1, "Nothing here takes +20"),
            (["roll", "Mill", "edge", "1"], 2, "Write +1 to add it"),
            (["oracle", "Mill"], 2, "Ask Mill what?"),
            (["oracle", "Mill", "likly"], 1, "did you mean likely?"),
            (["oracle", "Mill", "action", "no such table"], 1, "No table and no odds"),
            (["say", "Mill"], 2, "Write what?"),
            (["say", "Mill", "\udce9"], 2, "isn't UTF-8 text"),
            (["undo", "Mill", "--redo"], 1, "Nothing to redo"),
        ],
        ids=lambda part: "_".join(part[2:]) if isinstance(part, list) else None,
    )
    def test_refused_turn_leaves_the_file_as_it_was(self, words: list[str], code: int, why: str, saves: Path) -> None:
        before = (saves / "Mill.toml").read_bytes()
        done = run(saves, *words)
        assert (done[0], done[1]) == (code, "")
        assert why in done[2]
        assert done[2].count("\n") == 1
        assert (saves / "Mill.toml").read_bytes() == before
        assert {file.name for file in saves.iterdir()} <= {"Mill.toml", ".Mill.toml.lock"}

    def test_unanswered_prompt_is_json_for_scripts(self, saves: Path) -> None:
        code, out, _ = run(saves, "move", "Mill", "face_danger", "--with", "edge", "--dice", "4,2,9", "--json")
        told = json.loads(out)
        assert code == 3
        assert told["move"] == "adventure/face_danger"
        assert told["dice"] == ["4,2,9"]
        assert told["card"]["outcome"] == "weak hit"
        assert (told["asks"]["key"], told["asks"]["kind"]) == ("choose", "choose")
        assert "supply" in {option["key"] for option in told["asks"]["options"]}

    def test_burning_momentum_is_offered_and_takes_its_name(self, saves: Path) -> None:
        words = ["move", "Mill", "face_danger", "--with", "edge", "--dice", "1,2,7"]
        assert "Or --choose burn: burn momentum (STRONG HIT, momentum 8 to 2" in run(saves, *words)[2]
        told = json.loads(run(saves, *words, "--json")[1])
        assert [one["key"] for one in told["optional"] if one["now"] is False] == ["burn"]
        code, out, _ = run(saves, *words, "--choose", "burn", "--json")
        told = json.loads(out)
        assert (code, told["card"]["outcome"], told["dice"]) == (0, "strong hit", ["1,2,7"])
        assert "asks" not in told

    def test_offer_that_was_not_taken_is_told_with_the_way_back(self, saves: Path) -> None:
        out = run(saves, "roll", "Mill", "edge", "--dice", "1,7,6")[1]
        assert "You could burn momentum" in out
        assert "`tracker undo Mill`, then again with --dice 1,7,6 --choose burn" in out

    def test_offer_may_be_declined(self, saves: Path) -> None:
        code, out, _ = run(saves, "roll", "Mill", "edge", "--dice", "1,7,6", "--choose", "no")
        assert (code, out.splitlines()[2]) == (0, "MISS")
        words = ["move", "Mill", "compel", "--with", "heart", "--dice", "6,1,1"]
        assert "due" not in run(saves, *words, "--choose", "no")[1]
        assert "due: Gather Information" in run(saves, *words, "--choose", "yes")[1]

    def test_stat_of_a_move_that_has_only_one_may_be_named(self, saves: Path) -> None:
        code, out, _ = run(saves, "move", "Mill", "gather_information", "--with", "wits", "--defaults")
        assert (code, out.splitlines()[0]) == (0, "Gather Information +wits")

    def test_defaults_take_no_offer_and_tell_none(self, saves: Path) -> None:
        out = run(saves, "roll", "Mill", "edge", "--dice", "1,7,6", "--defaults")[1]
        assert out.splitlines()[2] == "MISS"
        assert "You could" not in out

    def test_key_with_dots_is_a_key(self, saves: Path) -> None:
        err = run(saves, "roll", "Mill", "edge", "--dice", "4,5,9", "--with", "given.drover.one.1=1")[2]
        assert "no prompt for given.drover.one.1=; answers now" in err
        err = run(saves, "roll", "Mill", "edge", "--dice", "4,5,9", "--with", "given.ana/drover.one?.1=1")[2]
        assert "no prompt for given.ana/drover.one?.1=; answers now" in err

    def test_only_track_may_be_named(self, saves: Path) -> None:
        run(saves, "move", "Mill", "track/close", "--with", "Break")
        code, out, _ = run(saves, "move", "Mill", "reach_a_milestone", "--with", "miller")
        assert (code, out.splitlines()[1]) == (0, "Bring the miller's boy home")

    def test_real_dice_are_asked_for(self, saves: Path) -> None:
        session = Session.open(str(saves / "Mill.toml"))
        session.do("change", [{"at": "dice_are", "to": TYPED}])
        session.close()
        code, _, err = run(saves, "roll", "Mill", "edge")
        assert code == 3
        assert "add --dice with action d6, challenge 2d10" in err
        assert run(saves, "roll", "Mill", "edge", "--dice", "4,5,9", "--defaults")[0] == 0

    def test_campaign_that_is_open_elsewhere_can_be_read_but_not_played(self, saves: Path) -> None:
        session = Session.open(str(saves / "Mill.toml"))
        try:
            for words in (
                ("roll", "Mill", "edge"),
                ("say", "Mill", "x"),
                ("undo", "Mill"),
                ("oracle", "Mill", "likely"),
            ):
                code, out, err = run(saves, *words)
                assert (code, out) == (1, "")
                assert "Mill can't be changed now: another tracker has it open (process " in err
            for reading in (["show", "Mill"], ["log", "Mill"], ["check", "Mill"], ["list"]):
                assert run(saves, *reading)[0] == 0
        finally:
            session.close()


class TestAtTheSameTime:
    def test_commands_at_the_same_time_take_turns(self, saves: Path) -> None:
        words = [sys.executable, "-m", "tracker", "--saves", str(saves), "say", "Mill"]
        started = [subprocess.Popen([*words, f"Line {n}."], stderr=subprocess.PIPE) for n in range(6)]
        assert [(process.communicate()[1], process.returncode) for process in started] == [(b"", 0)] * 6
        assert sorted(one["text"] for one in entries(saves / "Mill.toml")[-6:]) == [f"Line {n}." for n in range(6)]

    def test_command_gives_up_if_another_tracker_keeps_the_campaign_open(self, saves: Path) -> None:
        lock = lock_of(str(saves / "Mill.toml"))
        with subprocess.Popen(
            [sys.executable, "-c", HOLDS, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as one:
            assert one.stdout is not None
            one.stdout.readline()
            with pytest.raises(Locked) as refused:
                take_lock(lock, patience=0.1)
            assert refused.value.holder == str(one.pid)
            one.communicate()
        take_lock(lock).release()


class TestResult:
    def test_result_is_json_for_scripts(self, saves: Path) -> None:
        code, out, _ = run(saves, "roll", "Mill", "wits", "+1", "--dice", "4,5,9", "--json", "--defaults")
        told = json.loads(out)
        assert code == 0
        assert told["card"]["outcome"] == "weak hit"
        assert [entry.get("open", False) for entry in told["entries"]] == [True, False]
        assert told["entries"][1]["facts"]["adds"] == 1
        assert told["due"] == []

    def test_due_move_has_its_id_and_is_told_once(self, saves: Path) -> None:
        for _ in range(2):
            run(saves, "move", "Mill", "face_danger", "--with", "edge", "--dice", "1,9,9", "--defaults")
        out = run(saves, "roll", "Mill", "edge", "--dice", "6,1,2", "--defaults")[1]
        assert out.splitlines()[-1] == "Due: Pay the Price, 2 times"
        told = json.loads(run(saves, "show", "Mill", "--json")[1])["characters"][0]["due"]
        assert told == [{"move": "fate/pay_the_price", "label": "Pay the Price", "note": ""}] * 2
        assert run(saves, "move", "Mill", told[0]["move"], "--with", "obvious", "--defaults")[0] == 0
        assert "Due: " in run(saves, "recap", "Mill")[1]

    @pytest.mark.parametrize(
        ("game", "outcomes"),
        [
            ("ironsworn", {"strong hit", "weak hit", "miss", "yes"}),
            ("wherever", {"success", "mixed success", "won", "yes"}),
            ("daggerheart", {"success with Hope", "success with Fear", "failure with Fear", "hit"}),
        ],
    )
    def test_log_has_each_roll_in_the_form_of_the_turn(self, game: str, outcomes: set[str], tmp_path: Path) -> None:
        shutil.copy(example(game), tmp_path / "Mill.toml")
        told = [json.loads(line) for line in run(tmp_path, "log", "Mill", "--json")[1].splitlines()]
        found = {one["card"]["outcome"] for one in told if "outcome" in one["card"]}
        assert found <= outcomes
        assert len(found) > 2, "a total is no part of an outcome"

    def test_oracle_answers_without_a_campaign_and_writes_nothing(self, tmp_path: Path) -> None:
        for words in (("likely",), ("weather",), ("action", "theme"), ("50/50", "--game", "wherever")):
            code, out, err = run(tmp_path / "nowhere", "oracle", *words, "--seed", "4")
            assert (code, err) == (0, "")
            assert out.startswith(("Ask", "Fate"))
        assert "answer" in json.loads(run(tmp_path, "oracle", "likely", "--json")[1])["facts"]
        assert list(tmp_path.iterdir()) == []

    def test_broken_settings_are_told_by_commands_and_by_plain_mode(
        self, saves: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "tracker").mkdir()
        (tmp_path / "tracker" / "config.toml").write_text("dice = [")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        code, _, told = run(saves, "say", "Mill", "Rain.")
        assert (code, told.count("config.toml, line 1: ")) == (0, 1)
        code, shown, _ = run(saves, "play", "Mill", "--plain", typed="quit\n")
        assert (code, shown.count("config.toml, line 1: ")) == (0, 1)

    def test_text_comes_from_stdin(self, saves: Path) -> None:
        assert run(saves, "say", "Mill", typed="First.\nSecond.\n")[0] == 0
        assert entries(saves / "Mill.toml")[-1]["text"] == "First.\nSecond."

    def test_moves_are_listed(self, saves: Path) -> None:
        code, out, _ = run(saves, "move", "Mill")
        assert code == 0
        assert any(line.split() == ["face_danger", "Face", "Danger"] for line in out.splitlines())
        moves = [json.loads(line) for line in run(saves, "move", "Mill", "--json")[1].splitlines()]
        assert {"id", "name", "group", "trigger"} == set(moves[0])

    @pytest.mark.parametrize("game", games.GAMES)
    def test_each_move_that_is_listed_can_be_typed(self, game: str) -> None:
        known = games.get(game)
        typed = short_ids(known)
        assert [move_called(known, typed[ident]).id for ident in known.moves] == [*known.moves]

    def test_results_of_all_turns_have_the_same_keys(self, saves: Path) -> None:
        keys = {"move", "entries", "card", "changed", "due"}
        for words in (
            ["roll", "Mill", "wits", "--dice", "4,5,9"],
            ["move", "Mill", "face_danger"],
            ["oracle", "Mill", "likely"],
            ["oracle", "likely"],
            ["say", "Mill", "Hi."],
            ["undo", "Mill"],
        ):
            assert keys <= json.loads(run(saves, *words, "--json")[1]).keys(), words

    def test_many_turns_compact_the_file_now_and_then_and_back_it_up_once(self, saves: Path) -> None:
        for n in range(45):
            assert run(saves, "say", "Mill", f"Line {n}.")[0] == 0
        save = contents(saves / "Mill.toml")
        assert len(save.blocks) + (save.head.base.upto if save.head.base else 0) == 43 + 45
        assert save.head.entries >= 43 + 40
        assert len(list((saves / ".backups").glob("Mill 2*.toml"))) == 1

    def test_example_is_not_written(self, tmp_path: Path) -> None:
        path = shutil.copy(example("ironsworn"), tmp_path / "example-ironsworn.toml")
        code, _, err = run(tmp_path, "roll", str(path), "edge")
        assert code == 1
        assert "is an example" in err
