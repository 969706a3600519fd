"""Mistakes that other tools make with these rules, each made impossible at a real table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import GAME, campaign, open_session, play

from tracker.campaign.log import Entry
from tracker.campaign.player import Player
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.dice import RandomDice, parse_faces
from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Number, Pick, Roll, Text
from tracker.games.api.view import Momentum, Start
from tracker.games.ironsworn.state import ABILITIES, DEBILITIES, STATS
from tracker.games.ironsworn.tracks import NEW

WEAK = {"action": 5, "challenge": [1, 10]}
STRONG = {"action": 5, "challenge": [1, 2]}
MISS = {"action": 2, "challenge": [9, 10]}
MISS_WITH_A_MATCH = {"action": 2, "challenge": [10, 10]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    """Kara with edge 2 and iron 3, and a dangerous vow."""
    with campaign(tmp_path) as session:
        yield session


def set_to(table: Session, **values: Any) -> None:
    """Set Kara's numbers, as an edit by hand would."""
    table.do("edit", [{"at": f"kara.{name}", "to": value} for name, value in values.items()])


def kara(table: Session) -> Any:
    return table.state["party"]["kara"]


def go(run: Run, dice: dict[str, Any], **answers: Any) -> Run:
    """Answer what is given, and the rest as somebody who only presses Enter."""
    while (prompt := run.prompt) is not None:
        if isinstance(prompt, Roll):
            run.answer({name: dice.get(name, 1) for name in prompt.dice})
        elif prompt.key in answers:
            run.answer(answers[prompt.key])
        elif prompt.default is not None:
            run.answer(prompt.default)
        elif isinstance(prompt, (Pick, Choose)):
            free = [option.key for option in prompt.options if not option.reason]
            run.answer(free[: prompt.least] if isinstance(prompt, Choose) else free[0])
        else:
            run.answer("Somewhere" if isinstance(prompt, Text) else 1)
    return run


def make(table: Session, move: str, dice: dict[str, Any], **answers: Any) -> Entry:
    return table.finish(go(table.begin(move, "kara", answers), dice, **answers))


class TestScore:
    def test_raw_score_of_16_does_not_beat_a_10(self, table: Session) -> None:
        told = play(table, "roll/action", using="iron", adds=7, dice={"action": 6, "challenge": [10, 10]})["facts"]
        assert (told["raw"], told["score"], told["outcome"]) == (16, 10, "miss")

    def test_partly_filled_box_does_not_count(self, table: Session) -> None:
        table.do("edit", [{"at": "tracks.oath.ticks", "to": 26}])
        told = play(table, "roll/progress", track="oath", dice={"challenge": [6, 6]})["facts"]
        assert (told["score"], told["outcome"]) == (6, "miss")


class TestNegativeMomentum:
    @pytest.mark.parametrize("face", range(1, 7))
    def test_cancelled_face_is_told(self, table: Session, face: int) -> None:
        set_to(table, momentum=-face)
        told = play(table, "roll/action", using="iron", dice={"action": face, "challenge": [3, 2]})["facts"]
        assert (told["cancelled"], told["score"], told["outcome"]) == (True, 3, "weak hit")
        card = GAME.card("roll/action", told)
        assert f"momentum {-face} cancels the action die" in card.sum
        assert card.dice[0].word == "canceled"

    def test_cancel_takes_nothing_off_the_capped_10(self, table: Session) -> None:
        set_to(table, momentum=-5)
        told = play(table, "roll/action", using="iron", adds=6, dice={"action": 5, "challenge": [7, 8]})["facts"]
        assert (told["raw"], told["score"], told["outcome"]) == (9, 9, "strong hit")


class TestDebilities:
    def test_every_debility_lowers_the_maximum_of_momentum(self, table: Session) -> None:
        set_to(table, momentum=10)
        for count, name in enumerate(DEBILITIES, 1):
            table.do("edit", [{"at": "kara.debilities", "add": {"id": name}}, {"at": "kara.momentum", "by": 9}])
            shown = next(f for p in GAME.sheet(table.state, "kara") for f in p.fields if isinstance(f, Momentum))
            assert shown.value == shown.most == kara(table)["momentum"] == 10 - count

    @pytest.mark.parametrize(("count", "reset"), [(0, 2), (1, 1), (2, 0), (3, 0), (8, 0)])
    def test_debilities_lower_the_reset_to_1_and_then_0(self, table: Session, count: int, reset: int) -> None:
        marks = [{"at": "kara.debilities", "add": {"id": name}} for name in DEBILITIES[:count]]
        table.do("edit", [*marks, {"at": "kara.momentum", "to": 2}])
        shown = next(f for p in GAME.sheet(table.state, "kara") for f in p.fields if isinstance(f, Momentum))
        play(table, "roll/action", using="heart", adds=-2, burn=True, dice={"action": 1, "challenge": [1, 9]})
        assert shown.reset == kara(table)["momentum"] == reset


class TestBurn:
    def test_burn_resets_momentum_before_the_better_outcome(self, table: Session) -> None:
        set_to(table, momentum=9)
        entry = play(table, "adventure/face_danger", using="edge", burn=True, dice={"action": 2, "challenge": [7, 8]})
        assert (entry["facts"]["before_burn"], entry["facts"]["outcome"]) == ("miss", "strong hit")
        assert kara(table)["momentum"] == 3
        assert not kara(table)["owed"]

    @pytest.mark.parametrize(
        ("momentum", "challenge"), [(7, [7, 9]), (10, [10, 10]), (1, [9, 9]), (-4, [9, 9]), (10, [4, 10]), (10, [3, 4])]
    )
    def test_burn_without_improvement_is_not_offered(self, table: Session, momentum: int, challenge: list[int]) -> None:
        set_to(table, momentum=momentum)
        dice = {"action": 2, "challenge": challenge}
        run = table.begin("roll/action", "kara", {"using": "iron", "burn": True, "dice": dice})
        assert run.prompt is None
        assert run.value("burn") is None
        assert run.draft.facts["burn_offered"] is False

    def test_burn_shows_no_match_that_the_dice_lack(self, table: Session) -> None:
        set_to(table, momentum=9)
        told = play(table, "roll/action", using="edge", burn=True, dice={"action": 2, "challenge": [7, 8]})["facts"]
        assert (told["outcome"], told["match"], told["challenge"]) == ("strong hit", False, [7, 8])
        card = GAME.card("roll/action", told)
        assert [die.face for die in card.dice[1:]] == [7, 8]
        assert "match" not in " ".join([card.sum, card.why, card.short])


class TestD100:
    def test_d100_ranges_from_1_to_100(self, table: Session) -> None:
        dice = RandomDice(seed=1)
        faces = {dice.roll({"oracle": 100})["oracle"] for _ in range(3000)}
        assert faces == set(range(1, 101))
        assert parse_faces("00", {"oracle": 100}) == {"oracle": 100}
        run = table.begin("fate/ask_the_oracle", "kara", {"choose": ["yes_no"], "odds": "likely"})
        with pytest.raises(Refused, match="1 to 100"):
            run.answer({"oracle": 0})

    @pytest.mark.parametrize(
        ("odds", "chance"),
        [("almost_certain", 90), ("likely", 75), ("fifty_fifty", 50), ("unlikely", 25), ("small_chance", 10)],
    )
    def test_yes_is_as_frequent_as_the_odds_promise(self, table: Session, odds: str, chance: int) -> None:
        asked = {"choose": ["yes_no"], "odds": odds}
        runs = [
            table.begin("fate/ask_the_oracle", "kara", {**asked, "dice": {"oracle": face}}) for face in range(1, 101)
        ]
        assert sum(run.draft.facts["answer"] == "yes" for run in runs) == chance


class TestFulfillYourVow:
    @pytest.mark.parametrize("way", ["recommit", "forsake"])
    def test_miss_leaves_the_vow_open_and_pays_nothing(self, table: Session, way: str) -> None:
        table.do("edit", [{"at": "tracks.oath.ticks", "to": 30}])
        play(table, "quest/fulfill_your_vow", track="oath", choose=[way], dice={"challenge": [7, 8]})
        assert (table.state["tracks"]["oath"]["status"], kara(table)["xp"]) == ("open", 0)

    @pytest.mark.parametrize(("challenge", "experience"), [([1, 2], 2), ([1, 9], 1)])
    def test_hit_pays_experience(self, table: Session, challenge: list[int], experience: int) -> None:
        table.do("edit", [{"at": "tracks.oath.ticks", "to": 30}])
        play(table, "quest/fulfill_your_vow", track="oath", dice={"challenge": challenge})
        assert (table.state["tracks"]["oath"]["status"], kara(table)["xp"]) == ("fulfilled", experience)


class TestBonds:
    def test_more_than_half_a_track_survives_a_restart(self, table: Session) -> None:
        for n in range(25):
            make(table, "relationship/forge_a_bond", STRONG, **{"with": f"Friend {n}"})
        make(table, "quest/forsake_your_vow", {})
        before = table.state
        table.close()
        again = open_session(table.save.path)
        try:
            assert again.state == before
            told = make(again, "relationship/write_your_epilogue", {"challenge": [5, 6]})["facts"]
        finally:
            again.close()
        assert (told["ticks"], told["score"], told["outcome"]) == (25, 6, "weak hit")


class TestMoveText:
    @pytest.mark.parametrize("move", ["adventure/make_camp", "relationship/sojourn"])
    def test_choose_two_is_asked_enforced_and_applied(self, table: Session, move: str) -> None:
        table.do("edit", [{"at": "kara.health", "by": -3}, {"at": "kara.spirit", "by": -3}, {"at": "supply", "by": -2}])
        run = table.begin(move, "kara")
        while isinstance(run.prompt, Roll):
            run.answer(STRONG)
        assert isinstance(run.prompt, Choose)
        free = [option.key for option in run.prompt.options if not option.reason]
        for wrong in ([], free[:1], free[:3], [free[0], free[0]]):
            with pytest.raises(Refused):
                run.answer(wrong)
        before = table.state
        run.answer(["recuperate", "relax" if "relax" in free else "consort"])
        table.finish(go(run, STRONG))
        assert kara(table)["health"] > before["party"]["kara"]["health"]
        assert kara(table)["spirit"] > before["party"]["kara"]["spirit"]

    def test_harm_beyond_health_costs_momentum_at_once(self, table: Session) -> None:
        set_to(table, health=2, momentum=-5)
        play(table, "suffer/endure_harm", amount=5, dice={"action": 5, "challenge": [1, 10]})
        assert (kara(table)["health"], kara(table)["momentum"], kara(table)["setback"]) == (0, -6, 2)

    def test_due_move_survives_a_restart(self, table: Session) -> None:
        set_to(table, momentum=-6)
        play(table, "adventure/face_danger", using="edge", choose=["harm"], dice=WEAK)
        play(table, "adventure/face_danger", using="edge", choose=["momentum"], dice=WEAK)
        play(table, "adventure/face_danger", using="edge", dice=MISS)
        table.close()
        again = open_session(table.save.path)
        due = [owed.label for owed in again.owed("kara")]
        again.close()
        assert due == ["Face a Setback", "Endure Harm (1)", "Pay the Price"]


class TestMatch:
    def test_match_on_a_miss_still_owes_the_price(self, table: Session) -> None:
        told = play(table, "adventure/face_danger", using="edge", dice=MISS_WITH_A_MATCH)["facts"]
        assert (told["match"], told["outcome"]) == (True, "miss")
        assert [owed.label for owed in table.owed("kara")] == ["Pay the Price"]

    def test_match_changes_no_effect_of_a_miss(self, table: Session) -> None:
        table.do("edit", [{"at": "tracks.oath.ticks", "to": 20}, {"at": "kara.momentum", "to": 0}])
        compared = []
        for move in GAME.moves:
            try:
                plain = go(table.begin(move, "kara"), {**MISS, "oracle": 40, "array": 1})
            except Refused:  # not a move for this moment
                continue
            matched = go(table.begin(move, "kara"), {**MISS_WITH_A_MATCH, "oracle": 40, "array": 1})
            assert matched.draft.effects == plain.draft.effects, move
            compared.append(move)
        assert {"adventure/face_danger", "quest/swear_an_iron_vow", "quest/fulfill_your_vow"} <= set(compared)


class TestCharacterCreation:
    @pytest.mark.parametrize("name", ["", "   ", "\t"])
    def test_empty_name_is_refused(self, table: Session, name: str) -> None:
        run = table.begin("character/make", "", {"how": "choose", "name": name})
        assert run.prompt is not None
        assert run.prompt.key == "name"
        with pytest.raises(Refused):
            run.answer(name)

    @pytest.mark.parametrize("array", range(1, 31))
    def test_random_character_has_a_name_and_legal_stats(self, table: Session, array: int) -> None:
        made = go(table.begin("character/make", ""), {"array": array}, how="random").draft.state["party"]
        (newcomer,) = (who for ident, who in made.items() if ident != "kara")
        assert newcomer["name"].strip()
        assert sorted(newcomer[stat] for stat in STATS) == [1, 1, 2, 2, 3]

    @pytest.mark.parametrize("three", STATS)
    def test_only_legal_stats_are_accepted(self, table: Session, three: str) -> None:
        run = table.begin("character/make", "", {"name": "Bo", "how": "choose", "three": three})
        others = [stat for stat in STATS if stat != three]
        for wrong in ([], others[:1], others[:3], others, [three, others[0]], [others[0]] * 2):
            with pytest.raises(Refused):
                run.answer(wrong)
        run.answer(others[:2])
        made = go(run, {}).draft.state["party"]["bo"]
        assert [made[stat] for stat in (three, *others)] == [3, 2, 2, 1, 1]

    def test_lint_reports_illegal_starting_stats(self, table: Session) -> None:
        assert not any("stats" in line for line in GAME.lint(legal(table).state))
        set_to(table, **dict.fromkeys(STATS, 4))
        assert any("Kara" in line and "stats" in line for line in GAME.lint(table.state))


def legal(table: Session) -> Draft:
    """Return a state with one character, made by the game."""
    run = table.begin("character/make", "", {"name": "Bo", "how": "choose", "three": "edge", "twos": ["iron", "wits"]})
    go(run, {})
    run.draft.drop("party", "kara")
    return run.draft


class TestNewcomers:
    @staticmethod
    def foe(table: Session, rank: str = "formidable", **more: Any) -> None:
        wolf = {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": rank, **more}
        table.do("edit", [{"at": "tracks", "add": wolf}, {"at": "kara.initiative", "to": "foe"}])

    @pytest.mark.parametrize(("face", "move"), [(60, "endure_harm"), (76, "endure_stress")])
    def test_painful_price_offers_the_suffer_move(self, table: Session, face: int, move: str) -> None:
        run = table.begin("fate/pay_the_price", "kara", {"choose": ["table"]})
        run.answer({"oracle": face})
        assert isinstance(run.prompt, Choose)
        assert run.prompt.likely == f"{move}_2"
        run.revise("amount", 3)
        run.answer([f"{move}_3"])
        assert table.finish(run)["effects"][-1] == {"at": f"kara.owed.{move}_3", "by": 1}

    def test_harm_in_a_fight_defaults_to_that_of_the_foe(self, table: Session) -> None:
        self.foe(table)
        run = table.begin("fate/pay_the_price", "kara", {"choose": ["table"]})
        run.answer({"oracle": 60})
        assert isinstance(run.prompt, Choose)
        assert run.prompt.likely == "endure_harm_3"
        harm = table.begin("suffer/endure_harm", "kara").prompt
        assert harm
        assert harm.default == 3

    def test_harm_outside_a_fight_is_not_that_of_the_foe(self, table: Session) -> None:
        self.foe(table)
        set_to(table, initiative="none")
        harm = table.begin("suffer/endure_harm", "kara").prompt
        assert harm
        assert harm.default == 2

    def test_character_called_companion_is_not_a_companion(self, table: Session) -> None:
        new = {"id": "companion_bo", "name": "Companion Bo", "health": 0}
        table.do("edit", [{"at": "party", "add": new}])
        make(table, "adventure/heal", STRONG, target="companion_bo")
        assert table.state["party"]["companion_bo"]["health"] == 2

    def test_heal_defaults_to_the_most_hurt(self, table: Session) -> None:
        table.do("edit", [{"at": "party", "add": {"id": "bo", "name": "Bo", "health": 0}}])
        run = table.begin("adventure/heal", "kara")
        assert isinstance(run.prompt, Pick)
        assert run.prompt.default == "bo"
        assert {o.label: o.note.split(";")[0] for o in run.prompt.options} == {
            "yourself": "health 5 of 5",
            "Bo": "health 0 of 5",
        }
        run.answer("bo")
        assert run.prompt
        assert run.prompt.title == "Roll +wits 1, to treat Bo"
        set_to(table, health=0)
        alike = table.begin("adventure/heal", "kara").prompt
        assert alike
        assert alike.default == "self"

    def test_pack_shows_its_rank_before_and_after(self, table: Session) -> None:
        told = {"track": NEW, "name": "Raiders", "rank": "dangerous"}
        run = table.begin("combat/enter_the_fray", "kara", told)
        run.revise("pack", 4)
        pack = next(prompt for prompt in run.quiet() if prompt.key == "pack")
        assert isinstance(pack, Number)
        assert [pack.told(n) for n in (2, 3, 6)] == ["2", "3, as one formidable", "6, as one extreme"]
        table.finish(go(run, STRONG, using="heart"))
        (raiders,) = (track for track in GAME.tracks(table.state) if track.kind == "fight")
        assert (raiders.rank, raiders.note) == ("formidable", "4 foes, deals 3")

    def test_cursor_starts_on_the_stat_with_the_best_odds(self, table: Session) -> None:
        stat = table.begin("adventure/face_danger", "kara").prompt
        assert isinstance(stat, Pick)
        assert (stat.likely, stat.default) == ("iron", None)

    def test_roll_title_shows_the_track_after_the_loss(self, table: Session) -> None:
        run = table.begin("suffer/endure_stress", "kara", {"amount": 2})
        assert run.prompt
        assert run.prompt.title == "Roll +spirit 3, the higher of spirit and heart (spirit 5 → 3)"

    def test_new_character_is_named_once_with_bonds(self, table: Session) -> None:
        made = {
            "name": "Bo",
            "how": "choose",
            "three": "edge",
            "twos": ["iron", "wits"],
            "bond_1": "Aren",
            "bond_2": "",
        }
        chosen = go(table.begin("character/make", "", made), {})
        assert table.changes(chosen)[0].endswith("wits 2; bonds: Aren")
        entry = table.finish(go(table.begin("character/make", ""), {}, how="random"))
        assert not GAME.card("character/make", entry["facts"]).short

    def test_double_enter_on_a_closed_or_full_track_changes_nothing(self, table: Session) -> None:
        clock = {"id": "tide", "name": "The tide", "segments": 4, "filled": 4}
        table.do("edit", [{"at": "tracks.oath.status", "to": "fulfilled"}, {"at": "clocks", "add": clock}])
        for track in ("oath", "clocks.tide"):
            first = next(act for act in GAME.track_moves(table.state, "kara", track) if not act.reason)
            assert first.label == "Rename"

    def test_mark_is_told_apart_from_a_tick(self, table: Session) -> None:
        marks = {act.key: act.note for act in GAME.track_moves(table.state, "kara", "oath")}
        assert marks["+"] == marks["-"] == "2 boxes, without a move"


class TestOracleInAMove:
    """The oracle can be asked while a roll is unfinished, because a question is no move."""

    def rolled(self, table: Session) -> Run:
        run = table.begin("adventure/face_danger", "kara", {"using": "iron"})
        table.rolled(run, {"action": 5, "challenge": [1, 10]})
        return run

    def test_oracle_with_an_unfinished_roll_is_asked_and_the_roll_goes_on(self, table: Session) -> None:
        run = self.rolled(table)
        entry = play(table, "fate/ask_the_oracle", choose=["yes_no"], odds="likely", dice={"oracle": 80})
        assert entry["facts"]["answer"] == "yes"
        run = table.resume(run.opened)
        run.answer(["momentum"])
        assert table.finish(run)["facts"]["changed"] == ["momentum 2 → 1"]

    def test_other_moves_with_an_unfinished_roll_are_still_refused(self, table: Session) -> None:
        self.rolled(table)
        with pytest.raises(Refused):
            table.begin("adventure/face_danger", "kara")

    def test_oracle_by_the_player_with_an_unfinished_roll_begins(self, table: Session) -> None:
        self.rolled(table)
        player = Player(table)
        assert player.busy
        run = player.start(Start("fate/ask_the_oracle", (("choose", ["yes_no"]),)))
        assert run.prompt is not None
        assert run.prompt.key == "odds"

    @pytest.mark.parametrize(("challenge", "match"), [([7, 7], True), ([7, 8], False)])
    def test_match_on_the_card_offers_the_oracle(self, table: Session, challenge: list[int], match: bool) -> None:
        entry = play(table, "roll/action", using="iron", dice={"action": 1, "challenge": challenge})
        offers = GAME.card(entry["did"], entry["facts"]).offers
        assert [offer.start.procedure for offer in offers] == (["fate/ask_the_oracle"] if match else [])


@pytest.mark.parametrize("move", ["endure_harm", "endure_stress", "companion_endure_harm"])
def test_amount_to_endure_outside_a_fight_proposes_2(table: Session, move: str) -> None:
    held = {"id": "brak", "name": "Ash Hound", "kind": "companion", "health": 4, "max": 4}
    table.do("edit", [{"at": "kara.assets", "add": held}])
    prompt = table.begin(f"suffer/{move}", "kara").prompt
    assert prompt is not None
    assert (prompt.key, prompt.default) == ("amount", 2)


def test_several_foes_enter_the_fray_in_one_move(table: Session) -> None:
    run = table.begin("combat/enter_the_fray", "kara")
    run.answer("Wolf")
    run.answer("dangerous")
    run.revise("more", 2)
    run.answer("Raiders")
    run.answer("troublesome")
    run.revise("pack_2", 4)
    run.answer("Bear")
    run.answer("extreme")
    run.answer("heart")
    table.rolled(run, STRONG)
    entry = table.finish(run)
    foes = {t["name"]: (t["rank"], t["foes"]) for t in table.state["tracks"].values() if t["kind"] == "fight"}
    assert foes == {"Wolf": ("dangerous", 1), "Raiders": ("dangerous", 4), "Bear": ("extreme", 1)}
    assert entry["facts"]["track"] == "Wolf"
    assert kara(table)["initiative"] == "you"


def test_oracle_answers_when_the_character_is_dead(table: Session) -> None:
    table.do("edit", [{"at": "kara.status", "to": "dead"}])
    reasons = {action.label: action.reason for action in GAME.rolls(table.state, "kara")}
    assert reasons == {"Roll": "out of play", "Progress roll": "out of play", "Oracle": ""}
    entry = play(table, "fate/ask_the_oracle", choose=["yes_no"], odds="likely", dice={"oracle": 80})
    assert entry["facts"]["answer"] == "yes"


class TestManyDue:
    def fill(self, table: Session, times: int) -> None:
        for _ in range(times):
            play(table, "adventure/face_danger", using="edge", dice=MISS)

    def labels(self, table: Session) -> list[str]:
        return [item.label for item in GAME.owed(table.state, "kara")]

    def test_more_than_nine_of_one_move_are_counted_and_none_is_lost(self, table: Session) -> None:
        self.fill(table, 9)
        assert self.labels(table) == ["Pay the Price"] * 9
        self.fill(table, 3)
        assert self.labels(table) == ["Pay the Price ×12"]
        for left in range(11, -1, -1):
            play(table, "fate/pay_the_price", choose=["obvious"], said="", then=["story"])
            assert len(self.labels(table)) == (left if left <= 9 else 1)
        assert self.labels(table) == []

    def test_setback_of_a_move_comes_before_what_the_move_makes_due(self, table: Session) -> None:
        table.do("edit", [{"at": "kara.momentum", "to": -6}, {"at": "kara.health", "to": 1}])
        run = table.begin("suffer/endure_harm", "kara")
        run.answer(2)
        table.rolled(run, MISS)
        run.answer(["table"])
        table.rolled(run, {"oracle": 1})
        table.finish(run)
        assert self.labels(table) == ["Face a Setback", "Face Death"]

    def test_count_is_told_when_one_is_cleared_and_when_the_character_leaves(self, table: Session) -> None:
        self.fill(table, 12)
        prompt = table.begin("party/retire", "kara").prompt
        assert prompt is not None
        assert "Pay the Price ×12" in prompt.title
        entry = play(table, "owed/strike_off", owed="pay_the_price")
        assert entry["facts"]["changed"] == ["done: Pay the Price"]
        assert self.labels(table) == ["Pay the Price ×11"]


def test_experience_spent_beyond_earned_is_named_by_the_rules_check(table: Session) -> None:
    set_to(table, xp=2, spent=5)
    assert "Kara: 5 experience spent, but only 2 earned." in GAME.lint(table.state)
    set_to(table, xp=5)
    assert not any("experience" in line for line in GAME.lint(table.state))


class TestAdvance:
    @staticmethod
    def marked(*, all_of_them: bool) -> dict[str, Any]:
        abilities = {each: {"text": "", "on": all_of_them or each == "one"} for each in ABILITIES}
        return {"at": "kara.assets", "add": {"id": "alchemist", "name": "Alchemist", "kind": "path", **abilities}}

    def test_two_experience_without_unmarked_ability_is_refused_with_the_reason(self, table: Session) -> None:
        set_to(table, xp=2)
        table.do("edit", [self.marked(all_of_them=True)])
        reason = "costs 3 xp; you have 2"
        assert GAME.why_not(table.state, "kara", "quest/advance") == reason
        with pytest.raises(Refused, match="Costs 3 xp; you have 2"):
            table.begin("quest/advance", "kara")
        assert "Advance" not in [action.label for action in GAME.now(table.state, "kara")]

    @pytest.mark.parametrize(("xp", "all_of_them"), [(2, False), (3, True)])
    def test_advance_is_suggested_if_something_can_be_bought(self, table: Session, xp: int, all_of_them: bool) -> None:
        set_to(table, xp=xp)
        table.do("edit", [self.marked(all_of_them=all_of_them)])
        assert GAME.why_not(table.state, "kara", "quest/advance") == ""
        assert "Advance" in [action.label for action in GAME.now(table.state, "kara")]


class TestSameMoveAgain:
    TOLD = "3 in a row: time for another approach?"

    def tells(self, table: Session, move: str, **answers: Any) -> bool:
        entry = play(table, move, **answers)
        return self.TOLD in GAME.card(entry["did"], entry["facts"]).why

    def danger(self, table: Session) -> bool:
        return self.tells(table, "adventure/face_danger", using="edge", dice=MISS)

    def test_third_time_in_a_row_gets_one_line(self, table: Session) -> None:
        assert [self.danger(table) for _ in range(6)] == [False, False, True, False, False, False]

    def test_consequence_of_a_move_does_not_end_a_series_of_the_same_move(self, table: Session) -> None:
        self.danger(table)
        play(table, "fate/pay_the_price", choose=["obvious"], said="", then=["story"])
        play(table, "suffer/endure_harm", amount=1, dice=WEAK)
        self.danger(table)
        play(table, "fate/ask_the_oracle", choose=["decide"])
        assert self.danger(table)

    def test_another_move_ends_the_row_and_legs_of_a_journey_make_none(self, table: Session) -> None:
        self.danger(table)
        self.danger(table)
        play(table, "adventure/gather_information", dice=MISS)
        assert not self.danger(table)
        road = {"track": NEW, "name": "The road", "rank": "epic"}
        assert not self.tells(table, "adventure/undertake_a_journey", **road, dice=MISS)
        assert not any(
            self.tells(table, "adventure/undertake_a_journey", track="the_road", dice=MISS) for _ in range(4)
        )
