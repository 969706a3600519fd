"""What play at the table asked of Daggerheart: thresholds, ended countdowns, sums of damage."""

from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.games.daggerheart_table import GAME, STATE, campaign, play

from tracker.campaign.fold import fold
from tracker.campaign.run import Run
from tracker.games.api.content import Content
from tracker.games.api.errors import Refused
from tracker.games.api.plain_text import track
from tracker.games.api.prompts import Choose, Number, Pick, Roll
from tracker.games.api.schema import State
from tracker.games.api.view import Line
from tracker.games.daggerheart.dice import odds, secret_odds
from tracker.games.daggerheart.equipment import PIECES

_NUMBERS = {"hp": 5, "stress": 3, "resist": "", "immune": "", "reduce": 0}
FILES = Content(
    {},
    {},
    pieces={
        "adversary": {
            "ash_wolf": {"name": "Ash wolf", "difficulty": 13, **_NUMBERS},
            "queen": {"name": "Queen", "difficulty": 15, **_NUMBERS},
        },
        "encounter": {
            "pack": {"name": "The pack", "adversaries": "2 ash_wolf, queen"},
            "bears": {"name": "Bears", "adversaries": "bear"},
        },
    },
)


def after(*effects: dict[str, Any]) -> State:
    return fold(GAME.top, STATE, effects)


class TestThresholds:
    def test_new_adversary_with_severe_below_major_is_refused(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            with pytest.raises(Refused, match=r"^Severe can't be below Major, unless it is 0 for none\.$"):
                play(table, "gm/adversary", "", name="Lynx", type="standard", tier="1", major=9, severe=8)
            play(table, "gm/adversary", "", name="Lynx", type="standard", tier="1", major=9, severe=0)
            assert table.state["adversaries"]["lynx"]["major"] == 9

    def test_bonuses_that_turn_the_thresholds_around_are_refused(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            with pytest.raises(Refused, match=r"^Severe can't be below Major: these make 7/6\.$"):
                play(table, "sheet/slots", severe_bonus=-8)
            play(table, "sheet/slots", severe_bonus=-7)
            assert table.state["party"]["wren"]["severe_bonus"] == -7


@pytest.mark.parametrize("move", ["countdown/move", "countdown/back", "countdown/listen"])
def test_countdowns_that_all_have_ended_are_refused_with_the_way_out(move: str) -> None:
    ended = after({"at": "countdowns.pack.ended", "to": True})
    with pytest.raises(Refused, match=r"^Every countdown has ended: restart one first\.$"):
        Run(GAME, GAME.moves[move], "", ended)


@pytest.mark.parametrize(
    ("rolled", "faces", "sides", "critical", "total", "said"),
    [
        ("2d6+3", [4, 5], [6, 6], False, 12, "2d6+3: 4 + 5 + 3 = 12 damage"),
        ("2d8-1", [4, 5], [8, 8], False, 8, "2d8-1: 4 + 5 - 1 = 8 damage"),
        ("1d8+1", [3], [8], True, 12, "1d8+1: 3 + 8 + 1 = 12 damage"),
        ("1d8", [3], [8], False, 3, "1d8: 3 damage"),
    ],
)
def test_damage_shows_its_sum(
    rolled: str,
    faces: list[int],
    sides: list[int],
    critical: bool,
    total: int,
    said: str,
) -> None:
    facts = {"rolled": rolled, "faces": faces, "sides": sides, "critical": critical, "damage_total": total}
    assert GAME.card("harm/roll", facts).sum == said
    attack = {"trait": "agility", "hope": 8, "fear": 5, "total": 15, "difficulty": 14, "outcome": "success with hope"}
    assert said.removesuffix(" damage").partition(": ")[2] in GAME.card("action/attack", {**attack, **facts}).why


class TestExtraDice:
    def test_odds_count_the_extra_dice(self) -> None:
        """A d12 more, counted over all throws by hand."""
        faces = range(1, 13)
        wins = sum(a != b and a + b + c >= 20 for a in faces for b in faces for c in faces)
        counts = odds(20, 0, extra_dice=(12,))
        assert (counts.success_with_hope + counts.success_with_fear, counts.total) == (wins, 12**3)

    def test_declared_roll_and_card_name_them(self) -> None:
        answers = [["difficulty", 20], ["trait", "agility"], ["modifier", 1], ["extra", ["d8"]]]
        run = Run(GAME, GAME.moves["action/roll"], "wren", STATE, answers)
        assert isinstance(run.prompt, Roll)
        assert run.prompt.title == "Hope d12 + Fear d12 + Agility 2 + 1 + d8 against Difficulty 20: 61% success"
        run.answer({"hope": 5, "fear": 6, "extra": [7]})
        card = GAME.card("action/roll", run.draft.facts)
        assert card.sum == "5 + 6 + Agility 2 + 1 + 7 from a d8 = 21"
        assert [(die.face, die.sides, die.word) for die in card.dice][2:] == [(7, 8, "extra")]


class TestSeveralAdversaries:
    def test_several_at_once_are_numbered(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/adversary", "", name="Lynx", type="standard", tier="1", many=3)
            names = [one["name"] for one in table.state["adversaries"].values()]
            assert names[-3:] == ["Lynx 1", "Lynx 2", "Lynx 3"]

    def test_copies_have_the_numbers_and_nothing_marked(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "adversaries.wolf.hp", "to": 3}, {"at": "adversaries.wolf.spotlit", "to": 1}])
            play(table, "gm/copy", "", adversary="wolf", many=2)
            play(table, "gm/copy", "", adversary="dire_wolf_2")
            wolves = {one["name"]: one for one in table.state["adversaries"].values() if one["name"] != "Rats"}
            assert list(wolves) == ["Dire wolf", "Dire wolf 2", "Dire wolf 3", "Dire wolf 4"]
            first, *copies = wolves.values()
            assert first["hp"] == 3
            for one in copies:
                fresh = {"hp": 0, "spotlit": 0, "name": one["name"]}
                assert one == {**first, **fresh}

    def test_encounter_of_the_files_brings_in_all_of_it(self) -> None:
        run = Run(GAME, GAME.moves["gm/adversary"], "", STATE, [["encounter", "pack"]], content=lambda: FILES)
        new = list(run.draft.state["adversaries"].values())[2:]
        assert [(one["name"], one["difficulty"]) for one in new] == [
            ("Ash wolf 1", 13),
            ("Ash wolf 2", 13),
            ("Queen", 15),
        ]

    def test_encounter_with_an_unknown_adversary_is_refused(self) -> None:
        with pytest.raises(Refused, match=r"^“bear” is not among the adversaries in your files\.$"):
            Run(GAME, GAME.moves["gm/adversary"], "", STATE, [["encounter", "bears"]], content=lambda: FILES)

    @pytest.mark.parametrize("text", ["", "many ash_wolf", "0 ash_wolf", "21 ash_wolf", "ash_wolf,", "Ash wolf!"])
    def test_wrong_writing_of_an_encounter_is_named(self, text: str) -> None:
        wrong = PIECES["encounter"].wrong({"name": "A pack", "adversaries": text})
        assert wrong == ("adversaries", "adversaries is written like 3 ash_wolf, wolf_queen")


class TestJoining:
    MADE: ClassVar = {
        "how": "choose",
        "name": "Ash",
        "two": "agility",
        "ones": ["finesse", "instinct"],
        "minus": "presence",
    }

    def test_new_character_joins_at_the_level_of_the_party_with_gains_due(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "wren.level", "to": 3}])
            play(table, "character/make", "", **{"class": "bard"}, **self.MADE)
            ash = table.state["party"]["ash"]
            assert (ash["level"], ash["proficiency"], ash["spellcast"]) == (3, 2, "presence")
            assert [due.label for due in GAME.owed(table.state, "ash")] == [
                "Take the gains of level 2",
                "Take the gains of level 3",
            ]
            gains = {"1.take": "hp_slot", "2.take": "evasion"}
            play(table, "level/catch_up", "ash", experience="Sailor", **gains)
            play(table, "level/catch_up", "ash", **{"1.take": "stress_slot", "2.take": "hp_slot"})
            ash = table.state["party"]["ash"]
            assert (ash["level"], ash["proficiency"], ash["hp_max"], ash["owed"]) == (3, 2, 7, {})
            with pytest.raises(Refused, match=r"^No gains due\.$"):
                play(table, "level/catch_up", "ash", **gains)

    def test_character_at_level_1_owes_nothing(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "character/make", "", **{"class": "warrior"}, **self.MADE)
            ash = table.state["party"]["ash"]
            assert (ash["level"], ash["spellcast"], ash["owed"]) == (1, "", {})


class TestSpellcast:
    def test_trait_is_on_the_sheet_in_the_roll_and_among_the_suggestions(self) -> None:
        state = after({"at": "wren.spellcast", "to": "instinct"})
        assert Line("", "Spellcast", "Instinct") in GAME.sheet(state, "wren")[0].fields
        assert "Spellcast" in [action.label for action in GAME.now(state, "wren")]
        run = Run(GAME, GAME.moves["action/roll"], "wren", state, [["difficulty", 15]])
        assert isinstance(run.prompt, Pick)
        assert {option.key: option.note for option in run.prompt.options if option.note} == {"instinct": "Spellcast"}

    def test_trait_can_be_changed_and_dropped(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            entry = play(table, "sheet/spellcast", spellcast="finesse")
            assert entry["facts"]["changed"] == ["Spellcast trait: finesse"]
            play(table, "sheet/spellcast", spellcast="none.")
            assert table.state["party"]["wren"]["spellcast"] == ""


class TestSecretFoes:
    @pytest.mark.parametrize(
        ("gm", "foes", "secret"),
        [
            (False, "automatic", False),
            (True, "automatic", True),
            (True, "shown", False),
            (False, "hidden", True),
        ],
    )
    def test_fight_hides_difficulty_and_hp_by_the_setting(self, gm: bool, foes: str, secret: bool) -> None:
        state = after({"at": "settings.gm", "to": gm}, {"at": "settings.foes", "to": foes})
        fight = GAME.fight(state, "wren")
        assert fight is not None
        wolf = fight.foes[0]
        assert (wolf.hidden, "14" in wolf.note, "Difficulty" in wolf.note) == (secret, not secret, not secret)
        bow = GAME.now(state, "wren")[0]
        assert bow.note == ("+2 vs Dire wolf" if secret else "+2 vs 14, Dire wolf")
        assert ("with Hope" in str(bow.odds) and "success" in str(bow.odds)) is not secret
        assert track(wolf) == (
            "Dire wolf: bruiser, HP marked 0" if secret else "Dire wolf: bruiser, 0 of 5 segments, Difficulty 14"
        )

    def test_attack_decides_without_showing_the_difficulty(self) -> None:
        state = after({"at": "settings.foes", "to": "hidden"})
        asks = Run(GAME, GAME.moves["action/attack"], "wren", state)
        assert isinstance(asks.prompt, Choose)
        assert [option.note for option in asks.prompt.options] == ["", ""]
        run = Run(GAME, GAME.moves["action/attack"], "wren", state, [["targets", ["wolf"]]])
        number = next(prompt for prompt in run.quiet() if prompt.key == "difficulty")
        assert isinstance(number, Number)
        assert number.told(run.value("difficulty")) == "of the target"
        assert isinstance(run.prompt, Roll)
        assert run.prompt.title == "Hope d12 + Fear d12 + Agility 2 against Dire wolf"
        assert (run.prompt.odds, run.prompt.stakes) == (secret_odds(), ())
        run.answer({"hope": 8, "fear": 4})
        run.answer({"damage": [5]})
        facts = run.draft.facts
        assert (facts["outcome"], facts["felt"]) == ("success with hope", ["Dire wolf: major, HP 2 marked"])
        assert run.draft.state["difficulty"] == state["difficulty"]
        card = GAME.card("action/attack", facts)
        assert "14" not in " ".join((card.sum.rpartition("=")[0], card.why, card.short))
        assert "the GM decides" not in card.why

    def test_attack_shows_the_difficulty_if_players_may_see_it(self) -> None:
        run = Run(GAME, GAME.moves["action/attack"], "wren", STATE, [["targets", ["wolf"]]])
        assert isinstance(run.prompt, Roll)
        assert run.prompt.title.endswith("against Dire wolf, 14: 65% success")

    def test_settings_ask_for_both(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            entry = play(table, "gm/settings", "", gm="yes", foes="hidden")
            assert entry["facts"]["changed"] == ["Game Master: yes", "adversaries' numbers: hidden"]
