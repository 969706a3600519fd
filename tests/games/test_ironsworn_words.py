"""What players read of a move in Ironsworn: before it is made, on its card, and in the journal."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import GAME, campaign, play

from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused

WEAK = {"action": 5, "challenge": [1, 10]}
STRONG = {"action": 5, "challenge": [1, 2]}
MISS = {"action": 2, "challenge": [9, 10]}
WOLF = {"at": "tracks", "add": {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "dangerous"}}
BO = {"at": "party", "add": {"id": "bo", "name": "Bo"}}
ANA = {"at": "party", "add": {"id": "ana", "name": "Ana"}}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    """Kara with edge 2 and iron 3, and a dangerous vow."""
    with campaign(tmp_path) as session:
        yield session


def edit(table: Session, *effects: dict[str, Any]) -> None:
    table.do("edit", list(effects))


def kara(table: Session) -> Any:
    return table.state["party"]["kara"]


def short(entry: Entry) -> str:
    """Return what the journal and the last line say about the entry, without its changes."""
    return GAME.card(entry["did"], entry["facts"]).short


def asked(run: Run) -> Any:
    assert run.prompt is not None
    return run.prompt


class TestPendingBonus:
    def test_unused_bonus_is_told_as_lost(self, table: Session) -> None:
        edit(table, {"at": "kara.waiting.any", "by": 1})
        for move, answers in (
            ("quest/reach_a_milestone", {}),
            ("quest/fulfill_your_vow", {"track": "oath", "choose": ["recommit"], "dice": {"challenge": [9, 9]}}),
        ):
            edit(table, {"at": "kara.waiting.any", "to": 1})
            entry = play(table, move, **answers)
            assert "the +1 bonus is lost: it needs an action roll" in short(entry)
            assert "+1 bonus is used up" in entry["facts"]["changed"]

    def test_used_bonus_is_not_told_as_lost(self, table: Session) -> None:
        edit(table, {"at": "kara.waiting.any", "by": 1})
        assert "lost" not in short(play(table, "roll/action", using="iron", dice=WEAK))

    def test_sheet_says_what_the_bonus_waits_for(self, table: Session) -> None:
        edit(table, {"at": "kara.waiting.any", "by": 1})
        assert "if it has an action roll" in str(GAME.sheet(table.state, "kara"))


class TestPrice:
    def named(self, table: Session, said: str = "") -> Run:
        run = table.begin("fate/pay_the_price", "kara", {"choose": ["obvious"]})
        run.answer(said)
        return run

    def of_two(self, table: Session, face: int) -> Run:
        run = table.begin("fate/pay_the_price", "kara", {"choose": ["two_outcomes"]})
        run.answer("The dog is gone")
        run.answer("It rains")
        table.rolled(run, {"oracle": face})
        return run

    def test_cursor_starts_on_the_foes_harm_in_a_fight(self, table: Session) -> None:
        wolf = {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "extreme"}
        edit(table, {"at": "tracks", "add": wolf}, {"at": "kara.initiative", "to": "foe"})
        for run in (self.named(table), self.named(table, "It bites"), self.of_two(table, 80)):
            assert asked(run).likely == "endure_harm_4"

    def test_cursor_starts_on_a_cost_unless_the_price_was_named(self, table: Session) -> None:
        assert asked(self.named(table)).likely == "momentum_2"
        assert asked(self.named(table, "The dog is gone")).likely == "story"

    def test_price_may_be_harm_stress_momentum_supply_or_story(self, table: Session) -> None:
        run = self.named(table)
        for size in range(1, 6):
            run.revise("amount", size)
            costs = [f"{cost}_{size}" for cost in ("endure_harm", "endure_stress", "momentum", "supply")]
            assert [option.key for option in asked(run).options] == [*costs, "story"]
        with pytest.raises(Refused):
            run.revise("amount", 6)
        run = self.named(table)
        run.answer(["momentum_2"])
        assert table.finish(run)["facts"]["changed"] == ["momentum 2 → 0"]

    def test_companion_alone_pays_with_harm_only(self, table: Session) -> None:
        held = {"id": "brak", "name": "Ash Hound", "note": "Brak", "kind": "companion", "health": 4, "max": 4}
        edit(table, {"at": "kara.assets", "add": held})
        run = self.named(table)
        run.revise("payers", ["companion."])
        open_ones = [option.key for option in asked(run).options if not option.reason]
        assert open_ones == ["endure_harm_2", "story"]
        run.answer(["endure_harm_2"])
        assert table.finish(run)["facts"]["changed"] == ["due: Companion Endure Harm (2)"]

    def test_row_that_does_not_fit_is_rolled_again(self, table: Session) -> None:
        run = table.begin("fate/pay_the_price", "kara", {"choose": ["table"]})
        table.rolled(run, {"oracle": 100})
        run.revise("again_1", True)
        table.rolled(run, {"oracle": 88})
        assert asked(run).likely == "supply_2"
        run.answer(["supply_2"])
        entry = table.finish(run)
        assert entry["facts"]["row"] == [86, 90]
        assert entry["facts"]["changed"] == ["supply 5 → 3"], "what the first row made due is gone"

    def test_named_price_is_in_the_next_question_and_in_the_story(self, table: Session) -> None:
        for run in (self.named(table, "The dog is gone"), self.of_two(table, 26)):
            assert asked(run).title == "The dog is gone: what does it cost?"
            run.note = "Oh no."
            run.answer(["story"])
            entry = table.finish(run)
            assert entry["text"] == "The dog is gone\nOh no."
            assert "The dog" in GAME.card(entry["did"], entry["facts"]).sum
            assert "The dog" not in short(entry), "the text of the entry says it"


class TestTextWithoutNumbers:
    """Text of a card without numbers: the same on the card, in the last line and in the journal."""

    def test_row_of_the_harm_table_is_told(self, table: Session) -> None:
        edit(table, {"at": "kara.health", "to": 0})
        run = table.begin("suffer/endure_harm", "kara", {"amount": 1})
        table.rolled(run, MISS)
        run.answer(["table"])
        table.rolled(run, {"oracle": 5})
        entry = table.finish(run)
        assert short(entry).endswith("; 5 on the table: a mortal wound: Face Death")

    def test_choice_without_effects_is_told(self, table: Session) -> None:
        wolf = {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "dangerous", "ticks": 40}
        mine = ({"at": "kara.initiative", "to": "you"}, {"at": "kara.latest", "to": "strong hit"})
        edit(table, {"at": "tracks", "add": wolf}, *mine)
        run = table.begin("combat/end_the_fight", "kara", {"track": "wolf"})
        table.rolled(run, {"challenge": [3, 10]})
        run.answer(["vengeance"])
        entry = table.finish(run)
        assert short(entry).endswith("; someone will want revenge")
        assert GAME.card(entry["did"], entry["facts"]).why.endswith("; someone will want revenge")

    def test_choice_with_a_number_is_not_told_twice(self, table: Session) -> None:
        entry = play(table, "adventure/face_danger", using="iron", choose=["supply"], dice=WEAK)
        assert short(entry) == "8 (+iron) vs 1 and 10"


class TestSufferStrongHit:
    @pytest.mark.parametrize("move", ["suffer/endure_harm", "suffer/endure_stress"])
    def test_initiative_is_taken_back_unless_declined(self, table: Session, move: str) -> None:
        wolf = {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "dangerous"}
        edit(table, {"at": "tracks", "add": wolf}, {"at": "kara.initiative", "to": "foe"})
        run = table.begin(move, "kara", {"amount": 1})
        table.rolled(run, STRONG)
        (offer,) = (prompt for prompt in run.quiet() if prompt.key == "take_initiative")
        assert "Strike" in getattr(offer, "note", "")
        run.answer(["embrace"])
        assert "Kara has initiative" in table.changes(run)
        run.revise("take_initiative", False)
        assert "Kara has initiative" not in table.changes(run)


class TestSojourn:
    def chosen(self, table: Session, *picks: str) -> Run:
        run = table.begin("relationship/sojourn", "kara")
        table.rolled(run, STRONG if len(picks) == 2 else WEAK)
        run.answer(list(picks))
        return run

    def test_blocked_pick_shows_its_effect_after_clearing(self, table: Session) -> None:
        shaken = {"at": "kara.debilities", "add": {"id": "shaken"}}
        edit(table, {"at": "supply", "to": 0}, {"at": "kara.spirit", "to": 1}, shaken)
        edit(table, {"at": "kara.debilities", "add": {"id": "unprepared"}})
        run = table.begin("relationship/sojourn", "kara")
        table.rolled(run, STRONG)
        notes = {option.key: option.note for option in asked(run).options}
        assert notes["consort"] == "with hearten 2 → 4, else no change"
        assert notes["provision"] == "with equip 1 → 3, else no change"
        run.answer(["hearten", "consort"])
        run.answer("none")
        assert kara(table)["spirit"] == 1
        table.finish(run)
        assert kara(table)["spirit"] == 4

    def test_focus_shows_gains_and_stakes(self, table: Session) -> None:
        edit(table, {"at": "kara.spirit", "to": 1})
        run = self.chosen(table, "consort", "plan")
        assert table.changes(run) == ["spirit 1 → 3", "momentum 2 → 4"]
        assert "a miss loses it" in asked(run).title
        run.answer("consort")
        assert table.changes(run) == ["momentum 2 → 4"], "what is at stake is not there yet"

    def test_card_draws_the_focus_dice_and_tells_their_result(self, table: Session) -> None:
        edit(table, {"at": "kara.spirit", "to": 1})
        run = self.chosen(table, "consort")
        run.answer("consort")
        table.rolled(run, MISS)
        card = GAME.card(run.move.id, run.draft.facts)
        assert [die.face for die in card.dice] == [2, 9, 10]
        assert (card.title, card.outcome) == ("focus on consort +heart", "FOCUS: MISS")
        assert card.why.startswith("consort is lost; ")
        entry = table.finish(run)
        assert kara(table)["spirit"] == 1
        assert (
            short(entry)
            == "6 (+heart) vs 1 and 10, weak hit; focus on consort: 3 (+heart) vs 9 and 10, miss, consort is lost"
        )

    @pytest.mark.parametrize("move", ["relationship/sojourn", "adventure/make_camp"])
    def test_each_member_is_named_in_a_party(self, table: Session, move: str) -> None:
        def titles() -> list[str]:
            found, run = [], table.begin(move, "kara")
            table.rolled(run, WEAK)
            while run.prompt:
                found.append(run.prompt.title)
                relax = "consort" if "sojourn" in move else "relax"
                run.answer([relax] if run.prompt.key.startswith("choose") else "none")
            table.finish(run)
            return found

        assert not any("Kara" in title for title in titles())
        edit(table, BO)
        told = titles()
        assert all(title.startswith(("Kara", "Bo")) for title in told)
        assert len(told) >= 2


class TestTrackPrompt:
    def test_track_has_the_same_number_in_every_move(self, table: Session) -> None:
        bell = {"id": "bell", "name": "Bring back the bell", "kind": "vow", "rank": "dangerous", "ticks": 36}
        edit(table, {"at": "tracks", "add": bell})
        moves = ("quest/reach_a_milestone", "quest/fulfill_your_vow", "quest/forsake_your_vow")
        listed = [asked(table.begin(move, "kara")) for move in moves]
        assert [[option.key for option in prompt.options] for prompt in listed] == [["oath", "bell"]] * 3
        assert listed[1].likely == "bell", "the cursor stands on the ripest"

    @pytest.mark.parametrize(
        ("kind", "move"),
        [
            ("vow", "quest/fulfill_your_vow"),
            ("journey", "adventure/reach_your_destination"),
            ("journey", "adventure/undertake_a_journey"),
            ("fight", "combat/end_the_fight"),
        ],
    )
    def test_single_track_is_not_asked_and_odds_come_before_the_roll(
        self, table: Session, kind: str, move: str
    ) -> None:
        edit(table, {"at": "tracks", "drop": "oath"}, {"at": "kara.latest", "to": "strong hit"})
        edit(table, {"at": "tracks", "add": {"id": "one", "name": "This one", "kind": kind, "rank": "dangerous"}})
        run = table.begin(move, "kara")
        assert (asked(run).key, asked(run).at_once) == ("dice", False)
        assert asked(run).odds
        assert run.value("track") == "one"

    def test_new_journey_can_be_chosen_beside_an_open_one(self, table: Session) -> None:
        road = {"id": "road", "name": "The road", "kind": "journey", "rank": "dangerous"}
        edit(table, {"at": "tracks", "add": road})
        run = table.begin("adventure/undertake_a_journey", "kara")
        run.revise("track", "new.")
        assert asked(run).key == "name"


class TestRollCard:
    def test_card_names_what_helped(self, table: Session) -> None:
        crane = {"text": "It scouts", "on": True, "gives": "+1 gather_information"}
        held = {"id": "crane", "name": "Marsh Crane", "kind": "companion", "health": 3, "max": 3, "one": crane}
        edit(table, {"at": "kara.assets", "add": held}, {"at": "kara.waiting.any", "by": 1})
        helped = {"adds": -2, "bond": True, "helped_by": ["crane.one"]}
        entry = play(table, "adventure/gather_information", **helped, dice=WEAK)
        card = GAME.card(entry["did"], entry["facts"])
        assert card.sum == "5 + wits 1 + Marsh Crane 1 + bond 1 + bonus 1 - 2 = 7"
        assert card.between[0] == "+ wits 1 + Marsh Crane 1 + bond 1 + bonus 1 - 2 = 7"
        assert card.short == "7 (+wits) vs 1 and 10, Marsh Crane +1, bond +1, bonus +1"
        edit(table, {"at": "kara.assets.crane.note", "to": "Old Tuck"})
        assert "Old Tuck +1" in short(play(table, "adventure/gather_information", **helped, dice=WEAK))

    def test_edited_facts_are_told_as_far_as_possible(self, table: Session) -> None:
        entry = play(table, "roll/action", using="iron", dice=WEAK)
        for wrong in (3, ["x"], [["x"]], [["x", "y"]], [[1, 2, 3]]):
            assert short({**entry, "facts": {**entry["facts"], "plus": wrong}}) == "8 (+iron) vs 1 and 10"

    def test_strike_tells_the_harm_it_did(self, table: Session) -> None:
        wolf = {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "dangerous"}
        edit(table, {"at": "tracks", "add": wolf}, {"at": "kara.initiative", "to": "you"})
        entry = play(table, "combat/strike", using="iron", dice=STRONG)
        assert short(entry) == "8 (+iron) vs 1 and 2; 2 harm"
        assert GAME.card(entry["did"], entry["facts"]).why == "8 beats both; 2 harm, 2 boxes per harm"

    def test_shake_it_off_tells_the_loss_before(self, table: Session) -> None:
        entry = play(table, "suffer/endure_harm", amount=1, choose=["shake_it_off"], dice=STRONG)
        assert "shaken off, health 5 → 4 → 5" in short(entry)
        assert "shaken off, health 5 → 4 → 5" in GAME.card(entry["did"], entry["facts"]).why

    def test_burn_is_told_before_its_effects(self, table: Session) -> None:
        edit(table, {"at": "kara.momentum", "to": 8})
        dice = {"action": 1, "challenge": [6, 7]}
        run = table.begin("adventure/gather_information", "kara")
        table.rolled(run, dice)
        (burn,) = (prompt for prompt in run.quiet() if prompt.key == "burn")
        assert "momentum 8 → 2, then the result applies" in getattr(burn, "note", "")
        run.revise("burn", True)
        entry = table.finish(run)
        assert short(entry) == "2 (+wits) vs 6 and 7, burned momentum, 8, beats the 6 and the 7"
        assert entry["facts"]["changed"] == ["momentum 8 → 4"]

    @pytest.mark.parametrize(
        ("momentum", "dice", "said"),
        [
            (8, {"action": 1, "challenge": [7, 5]}, "burned momentum, 8, beats the 7 and the 5 (was a miss)"),
            (8, {"action": 5, "challenge": [7, 5]}, "burned momentum, 8, beats the 7 and the 5 (was a weak hit)"),
            (6, {"action": 1, "challenge": [9, 5]}, "burned momentum, 6, beats the 5 but not the 9 (was a miss)"),
            (
                8,
                {"action": 1, "challenge": [7, 7]},
                "burned momentum, 8, beats both 7s (was a miss); a match: expect a twist or an opening",
            ),
        ],
    )
    def test_burned_roll_says_what_momentum_beats(
        self, table: Session, momentum: int, dice: dict[str, Any], said: str
    ) -> None:
        edit(table, {"at": "kara.momentum", "to": momentum})
        entry = play(table, "adventure/gather_information", dice=dice, burn=True)
        card = GAME.card(entry["did"], entry["facts"])
        assert card.why.startswith(said)
        assert said.partition(" (")[0] in card.short
        assert (", a match" in card.short) is (dice["challenge"] == [7, 7])
        assert (card.title, card.score) == (f"Gather Information +wits, momentum {momentum}", momentum)
        beaten = [die.word == "beaten" for die in card.dice[1:]]
        assert beaten == [momentum > face for face in dice["challenge"]]


class TestPartyHotkeys:
    @pytest.mark.parametrize("move", ["relationship/aid_your_ally", "adventure/heal"])
    def test_members_have_the_digit_of_their_place(self, table: Session, move: str) -> None:
        edit(table, BO, ANA)
        keys = {option.label: option.hot for option in asked(table.begin(move, "bo")).options}
        assert (keys["Kara"], keys["Ana"]) == ("1", "3")

    def test_returning_members_have_theirs_unless_removed(self, table: Session) -> None:
        edit(table, BO, ANA, {"at": "bo.status", "to": "gone"}, {"at": "ana.status", "to": "retired"})
        keys = {option.label: option.hot for option in asked(table.begin("party/bring_back", "")).options}
        assert keys == {"Bo": "", "Ana": "2"}


class TestWords:
    def test_changes_omit_lost_initiative_when_fight_ends(self, table: Session) -> None:
        edit(table, WOLF, {"at": "kara.initiative", "to": "you"})
        before = table.state
        edit(table, {"at": "tracks.wolf.status", "to": "won"}, {"at": "kara.initiative", "to": "none"})
        assert GAME.changes(before, table.state, "kara") == ["“Wolf” is beaten; the fight is over"]

    def test_new_rank_and_progress_are_one_phrase(self, table: Session) -> None:
        edit(table, {"at": "tracks.oath.ticks", "to": 24})
        before = table.state
        edit(table, {"at": "tracks.oath.rank", "to": "extreme"}, {"at": "tracks.oath.ticks", "to": 4})
        assert GAME.changes(before, table.state, "kara") == ["The oath: now extreme, progress 6 → 1"]

    @pytest.mark.parametrize(("before", "words"), [("you", "Kara lost initiative"), ("none", "foe has initiative")])
    def test_initiative_is_lost_only_by_those_who_had_it(self, table: Session, before: str, words: str) -> None:
        edit(table, WOLF, {"at": "kara.initiative", "to": before})
        state = table.state
        edit(table, {"at": "kara.initiative", "to": "foe"})
        assert GAME.changes(state, table.state, "kara") == [words]

    def test_outcome_can_be_read_without_the_one_before(self) -> None:
        told = {move.name: [words for _, words in move.outcomes] for move in GAME.moves.values()}
        alone = re.compile(r"momentum [+-]\d|the same\b.*|in one way|one of the two|up to \d boasts?")
        assert not {name for name, outcomes in told.items() if any(alone.fullmatch(words) for words in outcomes)}

    def test_finished_journey_is_not_told_as_an_arriving_place(self, table: Session) -> None:
        edit(table, {"at": "tracks.oath.kind", "to": "journey"})
        before = table.state
        edit(table, {"at": "tracks.oath.status", "to": "arrived"})
        assert GAME.changes(before, table.state, "kara") == ["“The oath” is reached"]

    def test_fight_says_who_is_without_the_initiative(self, table: Session) -> None:
        edit(table, WOLF, {"at": "kara.initiative", "to": "foe"})
        fight = GAME.fight(table.state, "kara")
        assert fight
        assert "Kara no initiative" in str([f"{side[0]} {side[1]}" for side in fight.sides])

    def test_debility_option_says_effect_and_duration(self, table: Session) -> None:
        edit(table, {"at": "kara.spirit", "to": 0})
        run = table.begin("suffer/endure_stress", "kara", {"amount": 1})
        table.rolled(run, MISS)
        notes = {option.key: option.note for option in asked(run).options}
        lower = "max momentum 10 → 9, reset 2 → 1"
        assert notes["shaken"] == f"spirit can't rise until it's cleared; {lower}"
        assert notes["corrupted"] == f"permanent; {lower}"

    def test_amount_prompt_gives_its_scale(self, table: Session) -> None:
        for move in ("endure_harm", "endure_stress"):
            assert "troublesome 1, dangerous 2" in asked(table.begin(f"suffer/{move}", "kara")).title
        run = table.begin("combat/enter_the_fray", "kara")
        run.answer("Wolf")
        notes = {option.key: option.note for option in asked(run).options}
        assert notes["dangerous"] == "2 boxes each time you mark progress, deals 2 harm"

    def test_losses_are_counted_with_the_right_plural(self, table: Session) -> None:
        edit(table, {"at": "kara.out_of_supply", "to": 1})
        assert GAME.owed(table.state, "kara")[0].note == "1 point to pay"
        run = table.begin("suffer/out_of_supply", "kara")
        assert asked(run).title == "Assign 1 point of loss"
        with pytest.raises(Refused, match="Assign 1 point in all, not 0"):
            run.answer({})

    def test_note_with_two_numbers_labels_both(self, table: Session) -> None:
        edit(table, {"at": "kara.health", "to": 5})
        run = table.begin("adventure/make_camp", "kara")
        table.rolled(run, WEAK)
        notes = {option.key: option.note for option in asked(run).options}
        assert notes["partake"] == "supply 5 → 4, health already 5"
        assert notes["recuperate"] == "already 5"

    def test_burn_note_gives_the_chance_of_a_strong_hit(self, table: Session) -> None:
        edit(table, {"at": "kara.momentum", "to": 8})
        prompt = asked(table.begin("adventure/face_danger", "kara"))
        assert prompt.title == "Roll with"
        assert all(option.note.startswith("with burn: strong ") for option in prompt.options)

    def test_chance_with_a_burn_is_rounded_and_not_made_to_fit_a_sum(self, table: Session) -> None:
        edit(table, {"at": "kara.momentum", "to": 4}, {"at": "kara.heart", "to": 1})
        options = asked(table.begin("adventure/face_danger", "kara")).options
        assert [option.note for option in options if option.key == "heart"] == ["with burn: strong 17%"]  # 17.33


class TestCompanion:
    @pytest.fixture(autouse=True)
    def _hound(self, table: Session) -> None:
        bites = {"text": "It bites", "on": True, "gives": "+1 face_danger"}
        hound = {"id": "hound", "name": "Ash Hound", "note": "Brak", "kind": "companion", "health": 4, "max": 4}
        edit(table, {"at": "kara.assets", "add": {**hound, "one": bites}})

    @pytest.mark.parametrize(
        ("face", "challenge", "told"), [(1, [9, 9], True), (1, [1, 9], True), (1, [1, 1], False), (2, [9, 9], False)]
    )
    def test_helping_companion_is_at_risk_on_a_1(
        self, table: Session, face: int, challenge: list[int], told: bool
    ) -> None:
        cost = {"choose": ["momentum"]} if challenge == [1, 9] else {}
        dice = {"action": face, "challenge": challenge}
        entry = play(table, "adventure/face_danger", using="iron", helped_by=["hound.one"], **cost, dice=dice)
        risk = "a 1 with Brak's help: it suffers what goes wrong too"
        assert (risk in short(entry)) is told
        assert (risk in GAME.card(entry["did"], entry["facts"]).why) is told

    @pytest.mark.parametrize(
        ("action", "challenge", "offered"),
        [(1, [9, 10], True), (1, [1, 9], True), (1, [1, 2], False), (2, [9, 10], False)],
    )
    def test_1_with_its_help_offers_its_harm(
        self, table: Session, action: int, challenge: list[int], offered: bool
    ) -> None:
        run = table.begin("adventure/face_danger", "kara")
        run.revise("helped_by", ["hound.one"])
        run.answer("iron")
        table.rolled(run, {"action": action, "challenge": challenge})
        assert any(prompt.key == "companion_hurt" for prompt in run.quiet()) is offered
        if offered:
            run.revise("companion_hurt", True)
            assert "due: Companion Endure Harm" in table.changes(run)

    def test_companion_that_did_not_help_is_not_at_risk(self, table: Session) -> None:
        entry = play(table, "adventure/face_danger", using="iron", dice={"action": 1, "challenge": [9, 9]})
        assert "Brak" not in short(entry)

    def test_dead_companion_is_told_by_name_with_the_reason(self, table: Session) -> None:
        entry = play(table, "suffer/companion_endure_harm", amount=4, dice={"action": 1, "challenge": [9, 9]})
        assert short(entry).endswith("; Brak dies: a miss, a 1 on the die, no health left")
        assert "asset lost: Brak, Ash Hound" in entry["facts"]["changed"]


class TestParty:
    def forged(self, table: Session, dice: dict[str, Any], way: str) -> Run:
        run = table.begin("relationship/forge_a_bond", "kara", {"with": "Old Marna"})
        table.rolled(run, dice)
        run.answer([way])
        return run

    @pytest.mark.parametrize(("dice", "way"), [(STRONG, "momentum"), (WEAK, "accept")])
    def test_forged_bond_is_shared_with_those_who_mark_it(self, table: Session, dice: dict[str, Any], way: str) -> None:
        edit(table, BO, ANA)
        run = self.forged(table, dice, way)
        run.revise("shared", ["ana"])
        table.finish(run)
        ticks = {who: (len(one["bonds"]), one["bond_ticks"]) for who, one in table.state["party"].items()}
        assert ticks == {"kara": (1, 1), "bo": (0, 0), "ana": (1, 1)}

    def test_refused_bond_is_not_shared_and_solo_is_not_asked(self, table: Session) -> None:
        alone = self.forged(table, STRONG, "momentum")
        assert alone.value("shared") is None
        table.finish(alone)
        edit(table, BO)
        assert self.forged(table, WEAK, "refuse").value("shared") is None

    def test_preview_says_who_gets_the_experience(self, table: Session) -> None:
        edit(table, BO, {"at": "tracks.oath.ticks", "to": 40})
        run = table.begin("quest/fulfill_your_vow", "kara")
        table.rolled(run, {"challenge": [1, 2]})
        assert "2 experience for Kara, Bo" in GAME.card(run.move.id, run.draft.facts).why

    def test_vow_shows_who_swore_it(self, table: Session) -> None:
        play(table, "quest/swear_an_iron_vow", track="Find the well", rank="dangerous", dice=STRONG)
        notes = [track.note for track in GAME.tracks(table.state)]
        assert notes == ["", ""], "where there is one, it is theirs"
        edit(table, BO)
        assert [track.note for track in GAME.tracks(table.state)] == ["", "sworn by Kara"]
        edit(table, {"at": "tracks.find_the_well.shared_by", "add": {"id": "bo"}})
        assert GAME.tracks(table.state)[1].note == "sworn by Kara and Bo"

    def test_vow_menu_offers_to_join_whoever_does_not_share_it(self, table: Session) -> None:
        edit(table, BO, {"at": "tracks.oath.sworn_by", "to": "kara"})

        def joins(who: str) -> bool:
            return any(action.start.procedure == "track/join" for action in GAME.track_moves(table.state, who, "oath"))

        assert (joins("kara"), joins("bo")) == (False, True)
        run = table.begin("track/join", "bo", {"track": "oath"})
        assert table.finish(run)["facts"]["changed"] == ["Bo shares The oath"]
        assert not joins("bo")

    def test_swearing_asks_others_of_the_party_only(self, table: Session) -> None:
        def offered() -> list[str]:
            run = table.begin("quest/swear_an_iron_vow", "kara", {"track": "Find the well", "rank": "dangerous"})
            return [option.label for p in run.quiet() if p.key == "shared" for option in getattr(p, "options", ())]

        assert offered() == []
        edit(table, BO)
        assert offered() == ["Bo swears too"]


class TestPastVowsAndWaypoints:
    def changed(self, table: Session, procedure: str, **answers: Any) -> list[str]:
        changed: list[str] = play(table, procedure, **answers)["facts"]["changed"]
        return changed

    def test_hidden_fulfilled_vow_can_be_read_and_shown_again(self, table: Session) -> None:
        edit(table, {"at": "tracks.oath.status", "to": "fulfilled"}, {"at": "tracks.oath.away", "to": True})
        assert GAME.tracks(table.state) == ()
        (vows,) = (one for one in GAME.belongings(table.state, "kara") if one.title == "Fulfilled vows")
        ((name, kind, (show,)),) = ((one.name, one.kind, one.actions) for one in vows.things)
        assert (name, kind) == ("The oath", "dangerous")
        assert self.changed(table, show.start.procedure, **dict(show.start.answers)) == ["“The oath” shown"]
        assert [track.closed for track in GAME.tracks(table.state)] == ["fulfilled"]

    def test_waypoints_of_a_journey_are_named_and_read_in_order(self, table: Session) -> None:
        road = {"id": "road", "name": "The road", "kind": "journey", "rank": "dangerous"}
        edit(table, {"at": "tracks", "add": road})
        assert self.changed(table, "track/waypoint", track="road", name="Greyford") == ["waypoint: Greyford"]
        play(table, "track/waypoint", track="road", name="The old ferry")
        (track,) = (one for one in GAME.tracks(table.state) if one.id == "road")
        assert track.note == "at The old ferry"
        (name,) = (one for one in GAME.track_moves(table.state, "kara", "road") if one.key == "w")
        assert name.note == "Greyford, The old ferry"
