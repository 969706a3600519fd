"""Procedures of Wherever We Go, played at a real table: what the scenarios do not reach."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.campaign.playing import open_session
from tests.games.wherever_table import GAME, campaign, give, go, one, play
from tests.hostile import HOSTILE

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Confirm, Option, Pick, Prompt, Roll, Spread
from tracker.games.api.view import Ratings
from tracker.games.wherever.action import OUTSIDER

DICE = {"attribute": 7, "skill": 2}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with campaign(tmp_path) as session:
        yield session


class TestPushAndGamble:
    """A locked bane and a three-way split; at every point one undo takes back all of it."""

    ANSWERS: ClassVar[dict[str, Any]] = {
        "skill": "stealth",
        "push": True,
        "dice": {"attribute": 4, "skill": 5, "stress": [1, 6]},
        "gamble": True,
        "gamble_dice": {"attribute": 10, "skill": 2, "stress": [1, 6]},
        "assign": {"health": 1, "oren.resolve": 2, "lantern": 1},
    }

    def test_costs_gains_and_damage_apply_in_order(self, table: Session) -> None:
        entry = play(table, "action/roll", **self.ANSWERS)
        facts = entry["facts"]
        assert (facts["edges"], facts["outcome"], facts["stress_dice"]) == (3, "great success", [1, 1, 6])
        me = one(table)
        assert (me["wp"], me["stress"], me["health"]) == (3, 3, 17)
        assert me["gear"]["lantern"]["reliability"] == 1
        assert me["marks"]["stealth"] == me["gambled"] == 1
        assert one(table, "oren")["resolve"] == 9
        assert [h["on"] for h in one(table, "oren")["harms"]["mental"].values()] == ["stealth"]

    @pytest.mark.parametrize("upto", ["dice", "gamble_dice", "assign"])
    def test_one_undo_takes_the_whole_roll_back(self, table: Session, upto: str) -> None:
        before = table.state
        keys = list(self.ANSWERS)
        some = {key: self.ANSWERS[key] for key in keys[: keys.index(upto) + 1]}
        run = go(table, table.begin("action/roll", "ilse"), **some)
        if run.prompt is None:
            table.finish(run)
        assert table.state != before
        table.undo()
        assert table.state == before
        assert not list(table.log.open_runs())

    def test_roll_left_before_its_damage_resumes_after_a_restart(self, table: Session) -> None:
        some = {key: value for key, value in self.ANSWERS.items() if key != "assign"}
        run = go(table, table.begin("action/roll", "ilse"), **some)
        assert isinstance(run.prompt, Spread)
        assert (one(table)["wp"], one(table)["stress"]) == (2, 3)
        # No leave and no close: as after a kill.
        table.settle()
        again = open_session(table.save.real, write=False)
        owed = again.owed("ilse")
        again.close()
        assert owed[0].run
        path = table.save.real
        table.close()
        with_open = open_session(path)
        try:
            run = with_open.resume(owed[0].run)
            assert run.draft.facts["stress_dice"] == [1, 1, 6]
            assert isinstance(run.prompt, Spread)
            run.answer(self.ANSWERS["assign"])
            with_open.finish(run)
            assert with_open.state["party"]["oren"]["resolve"] == 9
            with_open.undo()
            assert (with_open.state["party"]["ilse"]["wp"], with_open.state["party"]["oren"]["resolve"]) == (3, 11)
        finally:
            with_open.close()


class TestDeclaration:
    def test_two_helpers_are_both_named(self, table: Session) -> None:
        told = play(table, "action/roll", skill="force", help=["oren", "sefa"], dice={"attribute": 7, "skill": 2})[
            "facts"
        ]
        assert (told["net"], told["pool"]) == (2, ["d8", "d10"])
        assert "helped by Oren, Sefa" in GAME.card("action/roll", told).why

    def test_everybody_helps_a_group_roll_by_default(self, table: Session) -> None:
        told = play(table, "action/group", skill="force", dice={"attribute": 7, "skill": 2})["facts"]
        assert told["net"] == 2

    @pytest.mark.parametrize("points", [-1, 0, 1])
    def test_listed_odds_count_the_situation_and_the_helpers_of_the_roll(self, table: Session, points: int) -> None:
        give(table, "ilse.situation", points)
        best = next(action for action in GAME.now(table.state, "ilse") if action.odds)
        roll = table.begin("action/roll", "ilse", dict(best.start.answers)).prompt
        assert isinstance(roll, Roll)
        assert best.odds == roll.odds
        for move in ("action/roll", "action/group"):
            run = table.begin(move, "ilse")
            assert isinstance(run.prompt, Pick)
            listed = {option.key: option.odds for option in run.prompt.options}
            run.answer("force")
            assert isinstance(run.prompt, Roll)
            assert listed["force"] == run.prompt.odds

    def test_broken_or_retired_characters_cannot_help(self, table: Session) -> None:
        give(table, "oren.resolve", 0)
        give(table, "sefa.status", "retired")
        run = table.begin("action/group", "ilse", {"skill": "force"})
        helpers = next(prompt for prompt in run.quiet() if prompt.key == "help")
        assert isinstance(helpers, Choose)
        assert [option.key for option in helpers.options] == [OUTSIDER]

    def test_harm_on_skill_or_attribute_counts_by_default(self, table: Session) -> None:
        play(table, "sheet/harm", sort="physical", grade="minor", on="force")
        play(table, "sheet/harm", sort="physical", grade="major", on="strength")
        play(table, "sheet/harm", sort="mental", grade="severe", on="stealth")
        assert play(table, "action/roll", skill="force", dice={})["facts"]["net"] == -3
        assert play(table, "action/roll", skill="stealth", dice=DICE)["facts"]["net"] == -2
        assert play(table, "action/roll", skill="medicine", dice={"attribute": 1, "skill": 1})["facts"]["net"] == 0

    def test_counted_harm_can_be_left_out(self, table: Session) -> None:
        play(table, "sheet/harm", sort="physical", grade="minor", on="stealth")
        assert play(table, "action/roll", skill="stealth", harms=[], dice=DICE)["facts"]["net"] == 0

    def test_traits_count_as_bonus_and_penalty(self, table: Session) -> None:
        play(table, "sheet/trait", name="Light-footed", points="+1")
        play(table, "sheet/trait", name="Known to the watch", points="-2")
        chosen = ["light_footed", "known_to_the_watch"]
        assert play(table, "action/roll", skill="stealth", traits=chosen, dice=DICE)["facts"]["net"] == -1

    def test_drive_costs_willpower_and_counts_toward_three(self, table: Session) -> None:
        play(table, "sheet/drive", name="Bring Sefa home", intensity=3)
        told = play(table, "action/roll", skill="stealth", drives=["bring_sefa_home"], bonus=2, dice=DICE)["facts"]
        assert (told["net"], one(table)["wp"]) == (3, 2)
        assert "2 bonuses over the +3 cap" in GAME.card("action/roll", told).why

    def test_drive_and_push_need_two_willpower(self, table: Session) -> None:
        play(table, "sheet/drive", name="Bring Sefa home", intensity=1)
        give(table, "ilse.wp", 1)
        run = table.begin("action/roll", "ilse", {"skill": "stealth"})
        run.revise("drives", ["bring_sefa_home"])
        with pytest.raises(Refused, match="no WP left"):
            run.revise("push", True)
        assert run.value("push") is False

    def test_only_one_talent_is_used(self, table: Session) -> None:
        play(table, "sheet/talent", name="Ghost-step", die="d6")
        play(table, "sheet/talent", name="Iron stomach", die="d10")
        told = play(table, "action/roll", skill="stealth", talent="iron_stomach", dice={**DICE, "talent": 10})["facts"]
        assert (told["talent_die"], told["edges"]) == ("d10", 3)

    @pytest.mark.parametrize(("stress", "wp", "why"), [(0, 3, "stress is 0"), (2, 0, "no WP left")])
    def test_impossible_push_is_disabled_with_a_reason(self, table: Session, stress: int, wp: int, why: str) -> None:
        give(table, "ilse.stress", stress)
        give(table, "ilse.wp", wp)
        run = table.begin("action/roll", "ilse", {"skill": "stealth"})
        push = next(p for p in run.quiet() if p.key == "push")
        assert isinstance(push, Confirm)
        assert push.reason == why
        with pytest.raises(Refused, match=why):
            run.revise("push", True)
        assert isinstance(run.prompt, Roll)


class TestFewKeys:
    def test_common_roll_asks_only_for_the_dice(self, table: Session) -> None:
        action = GAME.now(table.state, "ilse")[0]
        assert (action.label, action.note) == ("Stealth", "d10 + d8")
        run = table.begin(action.start.procedure, "ilse", action.start.answers)
        assert isinstance(run.prompt, Roll)
        table.rolled(run, {"attribute": 7, "skill": 2})
        assert run.prompt is None

    def test_odds_follow_changed_modifiers(self, table: Session) -> None:
        run = table.begin("action/roll", "ilse", {"skill": "stealth"})
        seen = []
        for key, value in (("bonus", 1), ("penalty", -2), ("push", True)):
            assert isinstance(run.prompt, Roll)
            seen.append((run.prompt.title, run.prompt.odds))
            run.revise(key, value)
        assert isinstance(run.prompt, Roll)
        seen.append((run.prompt.title, run.prompt.odds))
        assert [title for title, _ in seen] == [
            "Roll d10 dexterity + d8 stealth",
            "Roll d10 dexterity + d10 stealth, net +1",
            "Roll d8 dexterity + d8 stealth, net -1",
            "Roll d8 dexterity + d8 stealth + 2 stress dice, net -1",
        ]
        assert len({odds for _, odds in seen}) == 4

    def test_gamble_shows_its_stakes(self, table: Session) -> None:
        run = go(table, table.begin("action/roll", "ilse"), skill="stealth", dice={"attribute": 2, "skill": 2})
        gamble = run.quiet()[0]
        assert isinstance(gamble, Confirm)
        assert gamble.note == "stress 2 → 3; better 74%, worse 0%, bane 17%"


class TestAttack:
    def test_attack_has_its_own_limits(self, table: Session) -> None:
        answers = {"skill": "force", "other_attribute": "d8", "other_skill": "d6"}
        dice = {"attribute": 7, "skill": 2, "other_attribute": 1, "other_skill": 1}
        run = go(table, table.begin("action/attack", "ilse"), **answers, dice=dice)
        with pytest.raises(Refused, match="not after a hit"):
            run.revise("gamble", True)
        with pytest.raises(Refused, match="not for a defender"):
            run.revise("other_gamble", True)
        told = table.finish(run)["facts"]
        assert told["winner"] == "acting"
        assert GAME.card("action/attack", told).outcome == "WON"


class TestBroken:
    def test_save_is_due_with_its_damage_then_an_injury(self, table: Session) -> None:
        give(table, "ilse.health", 4)
        play(table, "after/consequence", choose="take_harm", to="health", amount=6)
        due = table.owed("ilse")
        assert due[0].start
        assert due[0].label == "Broken: death save vs 6"
        assert "is Broken and can't act" in GAME.why_not(table.state, "ilse", "action/roll")
        run = table.begin(due[0].start.procedure, "ilse", due[0].start.answers)
        table.rolled(run, {"save": 5})
        table.finish(run)
        (injury,) = table.owed("ilse")
        assert injury.start
        entry = play(table, injury.start.procedure, attribute="strength")
        assert entry["facts"]["changed"] == ["strength d8 → d6", "health maximum 18 → 16"]
        assert not table.owed("ilse")

    @pytest.mark.parametrize(("damage", "stable", "injury"), [(1, 95, 0), (2, 90, 5), (19, 5, 90), (30, 0, 95)])
    def test_save_shows_its_odds(self, table: Session, damage: int, stable: int, injury: int) -> None:
        prompt = table.begin("harm/broken_save", "ilse", {"damage": damage}).prompt
        assert isinstance(prompt, Roll)
        assert [n for _, n, _ in prompt.odds] == [stable, injury, 5]

    def test_broken_save_with_face_1_is_death(self, table: Session) -> None:
        give(table, "ilse.health", 0)
        play(table, "harm/broken_save", damage=4, dice={"save": 1})
        assert one(table)["status"] == "lost"

    def test_injury_that_is_not_due_is_refused(self, table: Session) -> None:
        with pytest.raises(Refused, match="No permanent injury due"):
            table.begin("harm/injury", "ilse")


class TestMontage:
    def test_edges_of_the_last_roll_are_proposed(self, table: Session) -> None:
        play(table, "action/roll", skill="stealth", dice={"attribute": 10, "skill": 8})
        play(table, "montage/montage", choose="clear_stress")
        assert one(table)["stress"] == 0

    def test_another_character_can_be_treated(self, table: Session) -> None:
        play(table, "sheet/harm", "oren", sort="mental", grade="severe", on="force", name="Dread")
        play(table, "montage/montage", choose="recover_mind", edges=2)
        assert one(table, "oren")["harms"]["mental"]["dread"]["grade"] == "minor"
        assert one(table, "oren")["resolve"] == 12

    def test_patient_is_asked_for_among_several(self, table: Session) -> None:
        give(table, "ilse.health", 10)
        give(table, "oren.health", 10)
        play(table, "montage/montage", choose="recover_body", edges=1, target="oren")
        assert (one(table)["recovery"]["physical"], one(table, "oren")["recovery"]["physical"]) == (0, 1)

    def test_gear_is_repaired_up_to_its_maximum(self, table: Session) -> None:
        play(table, "montage/montage", choose="repair", edges=3, item="lantern")
        assert one(table)["gear"]["lantern"]["reliability"] == 3
        run = table.begin("montage/montage", "ilse")
        assert isinstance(run.prompt, Pick)
        assert {o.key: o.reason for o in run.prompt.options}["repair"] == "no damaged gear"

    def test_training_marks_each_edge_with_a_teacher(self, table: Session) -> None:
        told = play(table, "montage/train", train="stealth", teacher="d12", dice={"attribute": [6, 10], "teacher": 12})[
            "facts"
        ]
        assert (told["marks"], one(table)["marks"]["stealth"]) == (5, 5)
        assert GAME.card("montage/train", told).sum == "stealth: 5 marks"

    def test_talent_is_trained_with_a_chosen_attribute(self, table: Session) -> None:
        play(table, "sheet/talent", name="Ghost-step", die="d6")
        play(table, "montage/train", train="talent.ghost_step", attribute="wits", dice={"attribute": [6, 6]})
        assert one(table)["talents"]["ghost_step"]["marks"] == 2


class TestGear:
    def test_item_is_taken_stowed_and_dropped(self, table: Session) -> None:
        play(table, "gear/take", name="Boarding hook", reliability=3)
        assert one(table)["gear"]["boarding_hook"]["max"] == 3
        play(table, "gear/stow", item="boarding_hook", place="stored")
        assert one(table)["gear"]["boarding_hook"]["place"] == "stored"
        play(table, "gear/stow", item="boarding_hook", place="gone")
        assert "boarding_hook" not in one(table)["gear"]

    def test_item_called_health_is_not_the_track(self, table: Session) -> None:
        play(table, "gear/take", name="Health", reliability=3)
        answers = {"skill": "stealth", "push": True, "dice": {"attribute": 7, "skill": 2, "stress": [1, 3]}}
        play(table, "action/roll", **answers, assign={"health_2": 2})
        assert (one(table)["health"], one(table)["gear"]["health_2"]["reliability"]) == (18, 1)

    @pytest.mark.parametrize(("face", "die"), [(1, "d6"), (2, "d6"), (3, "d8"), (8, "d8")])
    def test_supply_steps_down_on_1_and_2(self, table: Session, face: int, die: str) -> None:
        play(table, "gear/take_supply", name="Lamp oil", die="d8")
        play(table, "gear/use_supply", supply="lamp_oil", dice={"supply": face})
        assert one(table)["supplies"]["lamp_oil"]["die"] == die

    def test_last_use_is_not_rolled(self, table: Session) -> None:
        play(table, "gear/take_supply", name="Lamp oil", die="d6")
        play(table, "gear/use_supply", supply="lamp_oil", dice={"supply": 1})
        assert one(table)["supplies"]["lamp_oil"]["die"] == "last use"
        told = play(table, "gear/use_supply", supply="lamp_oil")["facts"]
        assert told["told"] == "the last of the Lamp oil"
        with pytest.raises(Refused, match="No supplies left"):
            table.begin("gear/use_supply", "ilse")


class TestCharacterCreation:
    def test_balanced_character_has_the_budget(self, table: Session) -> None:
        answers: dict[str, Any] = {
            "how": "balanced",
            "name": "Yusra",
            "high": "wits",
            "low": "strength",
            "good": ["craft", "insight"],
            "some": ["force", "stealth", "learning", "medicine"],
            "talent": "Tinker",
            "drive": "See the sea",
            "good_trait": "Curious",
            "bad_trait": "Loud",
        }
        play(table, "character/make", "", **answers)
        me = one(table, "yusra")
        assert [me[a] for a in ("strength", "dexterity", "intuition", "wits")] == ["d6", "d8", "d8", "d10"]
        assert (me["health"], me["health_max"], me["resolve"], me["resolve_max"], me["wp"]) == (14, 14, 18, 18, 3)
        assert (me["skills"]["craft"], me["skills"]["learning"], me["skills"]["menace"]) == ("d8", "d6", "0")
        assert GAME.lint(table.state) == GAME.lint(
            {"party": {k: v for k, v in table.state["party"].items() if k != "yusra"}}
        )

    def test_random_character_is_legal(self, table: Session) -> None:
        dice = {"name": 1, "high": 4, "low": 1, **{f"skill_{n}": 1 for n in range(1, 7)}}
        play(table, "character/make", "", how="random", dice=dice)
        me = list(table.state["party"].values())[-1]
        assert (me["name"], me["wits"], me["strength"]) == ("Ilse", "d10", "d6")
        assert sorted(me["skills"].values()).count("d8") == 2
        assert sorted(me["skills"].values()).count("d6") == 4

    def test_free_character_takes_any_dice(self, table: Session) -> None:
        answers = GAME.creation_answers("Bram", {"strength": 12, "melee": 10, "stealth": 6})
        play(table, "character/make", "", **answers)
        me = one(table, "bram")
        assert (me["strength"], me["wits"], me["skills"]["melee"], me["skills"]["stealth"]) == (
            "d12",
            "d8",
            "d10",
            "d6",
        )
        assert me["health"] == 20

    @pytest.mark.parametrize(
        ("stats", "why"),
        [
            ({"strength": 4}, "strength can't be 4"),
            ({"strength": 0}, "strength can't be 0"),
            ({"melee": 7}, "melee can't be 7"),
            ({"edge": 3}, "“edge” isn't a stat"),
        ],
    )
    def test_unknown_die_is_refused(self, stats: dict[str, int], why: str) -> None:
        with pytest.raises(Refused, match=why):
            GAME.creation_answers("Bram", stats)


class TestManualChanges:
    def test_harm_is_named_eased_and_healed(self, table: Session) -> None:
        play(table, "sheet/harm", sort="physical", grade="severe", on="force")
        play(table, "sheet/name_harm", harm="physical.severe_force", name="Sprained wrist", on="precision")
        harm = one(table)["harms"]["physical"]["severe_force"]
        assert (harm["name"], harm["on"]) == ("Sprained wrist", "precision")
        play(table, "sheet/heal_harm", harm="physical.severe_force", how="less")
        assert one(table)["harms"]["physical"]["severe_force"]["grade"] == "minor"
        entry = play(table, "sheet/heal_harm", harm="physical.severe_force", how="less")
        assert entry["facts"]["changed"] == ["Sprained wrist healed"]

    def test_rating_is_set_and_talent_let_go(self, table: Session) -> None:
        play(table, "sheet/rate", what="wits", die="d12")
        play(table, "sheet/rate", what="learning", die="d6")
        assert (one(table)["wits"], one(table)["skills"]["learning"]) == ("d12", "d6")
        play(table, "sheet/drive", name="Sea", intensity=1)
        play(table, "sheet/let_go", which="drives.sea")
        assert not one(table)["drives"]

    def test_due_item_is_struck_off(self, table: Session) -> None:
        table.do("change", [{"at": "ilse.health", "by": -18}], who="ilse")
        play(table, "owed/strike_off", owed="broken_save_18")
        assert not table.owed("ilse")

    def test_clocks_and_scenes_work_as_in_every_game(self, table: Session) -> None:
        play(table, "clock/begin", name="The watch wakes", segments="6")
        play(table, "clock/fill", clock="the_watch_wakes", times=2)
        (clock,) = GAME.tracks(table.state)
        assert (clock.name, clock.ticks, clock.segments) == ("The watch wakes", 2, 6)
        assert [action.label for action in GAME.track_moves(table.state, "ilse", clock.id)][:2] == [
            "Fill a segment",
            "Empty a segment",
        ]
        play(table, "story/scene", "", title="The harbour office")
        assert table.state["scene"] == "The harbour office"

    def test_character_retires_and_returns(self, table: Session) -> None:
        play(table, "party/retire", "oren")
        assert GAME.members(table.state)[1].status == "retired"
        assert play(table, "party/bring_back", "", whom="oren")["facts"]["changed"] == ["Oren is back in play"]
        play(table, "party/remove", "oren")
        assert [member.id for member in GAME.members(table.state)] == ["ilse", "sefa"]


class TestHostileNames:
    @pytest.mark.parametrize("name", [text for _, text in HOSTILE], ids=[label for label, _ in HOSTILE])
    def test_hostile_names_reach_no_screen_raw(self, name: str) -> None:
        """Everything that is shown is fit to be shown: what a save holds may be anything."""
        thing = {"name": name, "ability": name}
        me = {"id": "ilse", "name": name, "stress": 2, "gear": {"g": thing}, "supplies": {"s": thing}}
        me |= {"talents": {"t": thing}, "traits": {"r": thing}, "drives": {"d": thing}}
        me["harms"] = {"physical": {"h": {"name": name, "on": "force"}}}
        others = [
            {"at": "party", "add": {"id": "oren", "name": name}},
            {"at": "clocks", "add": {"id": "c", "name": name}},
        ]
        state = fold(GAME.top, start(GAME.top), [{"at": "party", "add": me}, *others])
        facts: dict[str, Any] = {
            "skill": name,
            "attribute": name,
            "faces": [7],
            "sides": [10],
            "outcome": "success",
            "told": name,
        }
        facts |= {"helped_by": [name], "net": 1, "base": [name], "pool": [name], "supply": name, "trained": name}
        shown: list[Any] = [GAME.card("action/roll", facts), GAME.card(name, {"told": name, "question": name})]
        shown += [GAME.card("gear/use_supply", {"supply": name, "faces": [1], "sides": [6]})]
        shown += [GAME.members(state), GAME.sheet(state, "ilse"), GAME.belongings(state, "ilse"), GAME.tracks(state)]
        shown += [GAME.now(state, "ilse"), GAME.lint(state), GAME.changes(start(GAME.top), state, "")]
        shown += [GAME.changes(state, start(GAME.top), ""), GAME.member_moves(state, "ilse")]
        run = Run(GAME, GAME.moves["action/roll"], "ilse", state, {"skill": "force", "push": True})
        run.answer({"stress": [1, 1]})
        shown += [*run.seen, run.prompt]
        for text in _texts(shown):
            assert not any(char < " " or "\x7f" <= char <= "\x9f" or char in "\u202e\u2028\u2067" for char in text), (
                text
            )


def _texts(shown: Any) -> Iterator[str]:
    """Yield every string in the view data, except for ids and paths, which players never see."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, Mapping):
        yield from _texts(list(shown.values()))
    elif isinstance(shown, Prompt):
        yield from _texts([value for name, value in vars(shown).items() if name not in {"default", "key"}])
    elif isinstance(shown, Option):
        yield from _texts([value for name, value in shown._asdict().items() if name != "key"])
    elif isinstance(shown, Iterable):
        for one in shown:
            yield from _texts(one)


class TestFate:
    @pytest.mark.parametrize(
        ("odds", "face", "answer"),
        [
            ("likely", 2, "no"),
            ("likely", 3, "yes"),
            ("even", 3, "no"),
            ("even", 4, "yes"),
            ("unlikely", 4, "no"),
            ("unlikely", 5, "yes"),
        ],
    )
    def test_answer_is_yes_from_its_face_on(self, table: Session, odds: str, face: int, answer: str) -> None:
        told = play(table, "fate/ask", choose=["yes_no"], odds=odds, question="Is she here?", dice={"fate": face})[
            "facts"
        ]
        assert told["answer"] == answer
        assert GAME.card("fate/ask", told).sum.startswith("Is she here? ")

    def test_tables_of_the_campaign_are_offered(self, table: Session) -> None:
        told = play(table, "fate/ask", choose=["spark"], tables=["name"], spark={"name": 3})["facts"]
        assert told["told"] == "Oren"
        assert GAME.card("fate/ask", told).sum == "Name: Oren"

    def test_every_question_can_be_started(self, table: Session) -> None:
        fate = GAME.oracles()
        for action in fate.questions:
            assert sum(n for _, n, _ in action.odds) == 100
            assert isinstance(table.begin(action.start.procedure, "ilse", action.start.answers).prompt, Roll)


class TestView:
    def test_every_belonging_has_actions_that_start(self, table: Session) -> None:
        play(table, "sheet/talent", name="Ghost-step", die="d6", ability="Nobody hears you.")
        play(table, "sheet/trait", name="Loud", points="-1")
        play(table, "sheet/drive", name="Sea", intensity=1)
        play(table, "sheet/harm", sort="mental", grade="minor", on="force")
        play(table, "gear/take_supply", name="Oil", die="d8")
        holdings = GAME.belongings(table.state, "ilse")
        assert all(holding.things for holding in holdings)
        for holding in holdings:
            for action in (*holding.actions, *(a for thing in holding.things for a in thing.actions)):
                assert not action.reason
                table.begin(action.start.procedure, "ilse", action.start.answers)

    def test_sheet_has_four_columns_of_four_skills(self, table: Session) -> None:
        ratings = [field for field in GAME.sheet(table.state, "ilse")[0].fields if isinstance(field, Ratings)]
        assert [field.head.label for field in ratings] == ["strength", "dexterity", "intuition", "wits"]
        letters = [stat.hot for field in ratings for stat in field.stats]
        assert len(set(letters)) == len(letters) == 16
        stealth = ratings[1].stats[3]
        assert (stealth.label, stealth.value, stealth.note) == ("stealth", "d8", "0 of 10")

    def test_every_enabled_button_starts(self, table: Session) -> None:
        for who in table.state["party"]:
            for action in (*GAME.now(table.state, who), *GAME.rolls(table.state, who)):
                assert not action.reason
                table.begin(action.start.procedure, who, action.start.answers)
        give(table, "ilse.health", 0)
        for action in GAME.now(table.state, "ilse"):
            try:
                table.begin(action.start.procedure, "ilse", action.start.answers)
            except Refused:
                assert action.reason, action
            else:
                assert not action.reason, action

    def test_edited_facts_still_make_a_card(self) -> None:
        good = {
            "skill": "stealth",
            "attribute": "dexterity",
            "faces": [7, 2, 0],
            "sides": [10, 8, 0],
            "outcome": "success",
        }
        for key, value in (
            ("faces", "x"),
            ("sides", [1]),
            ("outcome", 3),
            ("edges", "many"),
            ("stress_dice", ["a"]),
            ("helped_by", 3),
            ("net", "up"),
        ):
            assert GAME.card("action/roll", {**good, key: value}).title
        assert GAME.card("harm/broken_save", {"save": 3, "result": "gold"}).title

    def test_empty_choice_is_never_asked(self, table: Session) -> None:
        run = table.begin("action/roll", "oren", {"skill": "force"})
        assert not [p for p in run.seen if isinstance(p, Choose) and not p.options]


def test_patients_have_the_digit_of_their_place(table: Session) -> None:
    table.do("edit", [{"at": f"{who}.health", "by": -2} for who in ("oren", "sefa")])
    run = go(table, table.begin("montage/montage", "ilse", {"choose": "recover_body", "edges": 1}))
    prompt = next(prompt for prompt in run.seen if prompt.key == "target")
    assert isinstance(prompt, Pick)
    assert {option.label: option.hot for option in prompt.options} == {"Oren": "2", "Sefa": "3"}
