"""What holds after any evening of Daggerheart: whoever acts, whatever is answered, however the dice fall."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.answering import fitting
from tests.campaign.playing import within
from tests.games.daggerheart_table import GAME, STATE

from tracker.campaign.fold import fold
from tracker.campaign.log import Log
from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Pick
from tracker.games.api.schema import State
from tracker.games.daggerheart.dice import OUTCOMES
from tracker.games.daggerheart.state import FEAR_MOST

MOVES = tuple(ident for ident in GAME.moves if not ident.startswith("party/"))
ACTIONS = ("action/roll", "action/group", "action/tag_team", "action/attack")
BOUNDED = ("hope", "hp", "stress", "armor")
hardships = st.fixed_dictionaries(
    {f"wren.{at}": st.sampled_from([0, 1, 3, 5, 12, -2]) for at in BOUNDED}
    | {"fear": st.sampled_from([0, -3, 9]), "adversaries.wolf.hp": st.sampled_from([0, 3, 5])}
).map(lambda losses: [{"at": at, "by": points} for at, points in losses.items() if points])
manners = st.fixed_dictionaries(
    {
        "edition": st.sampled_from(["2.0", "1.0"]),
        "massive_damage": st.booleans(),
        "overflow": st.sampled_from(["one", "each"]),
        "tokens": st.sampled_from([0, 3]),
    }
).map(lambda kept: [{"at": f"settings.{name}", "to": value} for name, value in kept.items()])


def evening(data: st.DataObject, moves: Sequence[str] = MOVES, most: int = 5) -> Iterator[Run]:
    state = fold(GAME.top, STATE, [*data.draw(manners, "manners"), *data.draw(hardships, "hardships")])
    for _ in range(data.draw(st.integers(1, most), "moves")):
        who = data.draw(st.sampled_from(list(state["party"])), "who")
        due = [owed.start for owed in GAME.owed(state, who) if owed.start]
        if bool(due) and data.draw(st.booleans(), "owed"):
            procedure, known = data.draw(st.sampled_from(due))
        else:
            procedure, known = data.draw(st.sampled_from(list(moves)), "move"), ()
        try:
            run = Run(GAME, GAME.moves[procedure], "" if GAME.moves[procedure].solo else who, state, known)
            to_the_end(data, run)
        except Refused:
            continue
        yield run
        state = run.draft.state


def to_the_end(data: st.DataObject, run: Run) -> None:
    looked_at = 0
    while True:
        for prompt in run.seen[looked_at:]:
            looked_at += 1
            if prompt.quiet and data.draw(st.booleans(), f"revise {prompt.key}"):
                with suppress(Refused):  # more Hope than is held, say; nothing has changed then
                    run.revise(prompt.key, answer(data, prompt))
                break
        else:
            if run.prompt is None:
                return
            run.answer(answer(data, run.prompt))


def answer(data: st.DataObject, prompt: Any) -> Any:
    if isinstance(prompt, (Pick, Choose)) and all(option.reason for option in prompt.options):
        raise Refused("Nothing can be picked here.")
    if prompt.key in {"roll", "damage", "reduced", "weapon_damage"} and hasattr(prompt, "hint"):
        return data.draw(st.sampled_from(["d8+2", "2d6", "3"]), prompt.key)
    return data.draw(fitting(prompt), prompt.key)


def any_evening(examples: int = 12) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return lambda test: settings(max_examples=examples)(given(st.data())(test))


def wrong(state: State) -> list[str]:
    """Return what no rule allows in this state and no hand has written."""
    found = [] if within(GAME.top, state) else ["something is off its track"]
    if not 0 <= state["fear"] <= FEAR_MOST:
        found.append(f"Fear is {state['fear']}")
    for who, me in state["party"].items():
        found += [
            f"{who} has {at} {me[at]} of {me[f'{at}_max']}" for at in BOUNDED if not 0 <= me[at] <= me[f"{at}_max"]
        ]
    for foe, one in state["adversaries"].items():
        found += [f"{foe} has {at} {one[at]}" for at in ("hp", "stress") if not 0 <= one[at] <= one[f"{at}_max"]]
        if (one["hp"] >= one["hp_max"]) > one["defeated"]:
            found.append(f"{foe} has no HP left and is not beaten")
    return found


class TestState:
    @any_evening(50)
    def test_any_play_stays_within_the_limits(self, data: st.DataObject) -> None:
        for run in evening(data):
            assert not wrong(run.draft.state), run.answers

    @any_evening()
    def test_any_state_can_be_shown_and_told(self, data: st.DataObject) -> None:
        for run in evening(data):
            state = run.draft.state
            assert all(GAME.changes(run.state, state, run.who))
            assert GAME.card(run.move.id, run.draft.facts).title
            assert GAME.gm_side(state)
            GAME.lint(state)
            for who in state["party"]:
                assert GAME.sheet(state, who)
                assert GAME.belongings(state, who)
                assert GAME.now(state, who)
                GAME.fight(state, who)
                for track in GAME.tracks(state):
                    assert GAME.track_moves(state, who, track.id)
                for foe in state["adversaries"]:
                    assert GAME.track_moves(state, who, f"adversaries.{foe}")

    @any_evening()
    def test_undo_restores_the_state_exactly(self, data: st.DataObject) -> None:
        entries: list[dict[str, Any]] = []
        states = []
        first: State = {}
        for n, run in enumerate(evening(data, most=3), 1):
            first = first or run.state
            states.append(run.state)
            entries.append({"id": f"a.{n}", "t": n, "effects": run.draft.effects})
            assert Log(GAME.top, first, entries).state == run.draft.state
        for n in range(len(states), 0, -1):
            entries.append({"id": f"b.{n}", "t": 100 - n, "undoes": f"a.{n}"})
            assert Log(GAME.top, first, entries).state == states[n - 1]


class TestActionRoll:
    @any_evening(37)
    def test_equal_dice_succeed_without_fear(self, data: st.DataObject) -> None:
        for run in evening(data, ACTIONS):
            told = run.draft.facts
            if run.move.id in ACTIONS and told.get("hope") == told.get("fear") and "outcome" in told:
                assert run.draft.state["fear"] == run.state["fear"]
                assert told["outcome"] == OUTCOMES[0]
                assert run.draft.state["spotlight"] == "players"

    @any_evening(37)
    def test_roll_pays_first_and_gains_by_the_higher_die(self, data: st.DataObject) -> None:
        for run in evening(data, ("action/roll",)):
            if run.move.id != "action/roll" or "outcome" not in run.draft.facts:
                continue
            before, after = (state["party"][run.who] for state in (run.state, run.draft.state))
            told = run.draft.facts
            paid = before["hope"] - len(run.value("experiences") or [])
            gained = told["hope"] >= told["fear"]
            assert after["hope"] == min(before["hope_max"], paid + gained)
            assert run.draft.state["fear"] == min(FEAR_MOST, run.state["fear"] + (not gained))
            for one in run.value("help") or []:
                assert run.draft.state["party"][one]["hope"] == run.state["party"][one]["hope"] - 1

    @any_evening(25)
    def test_outcome_follows_from_the_dice(self, data: st.DataObject) -> None:
        for run in evening(data, ACTIONS):
            told = run.draft.facts
            if run.move.id not in ACTIONS or "outcome" not in told:
                continue
            beside = told["beside"] + sum(told.get("extra_dice", []))
            assert told["total"] == told["hope"] + told["fear"] + told["plus"] + beside
            if told["difficulty"] and told["hope"] != told["fear"]:
                success = "success" if told["total"] >= told["difficulty"] else "failure"
                assert told["outcome"] == f"{success} with {'hope' if told['hope'] > told['fear'] else 'fear'}"

    @any_evening(25)
    def test_roll_advances_each_standard_countdown_by_one(self, data: st.DataObject) -> None:
        for run in evening(data, ACTIONS):
            told = run.draft.facts
            if run.move.id in ACTIONS and told.get("outcome") in OUTCOMES and "pack" in (run.value("countdowns") or []):
                was, now = (state["countdowns"]["pack"]["value"] for state in (run.state, run.draft.state))
                assert now == was - 1 or told["fired"] == ["pack"]


class TestReactionRoll:
    @any_evening(30)
    def test_reaction_changes_no_hope_fear_spotlight_or_countdown(self, data: st.DataObject) -> None:
        for run in evening(data, ("action/reaction",)):
            if run.move.id != "action/reaction":
                continue
            before, after = run.state, run.draft.state
            assert (after["fear"], after["spotlight"]) == (before["fear"], before["spotlight"])
            assert after["countdowns"] == before["countdowns"]
            paid = len(run.value("experiences") or [])
            for who in before["party"]:
                was, now = before["party"][who], after["party"][who]
                assert now["hope"] == was["hope"] - (paid if who == run.who else 0)
                assert (now["stress"], now["hp"]) == (was["stress"], was["hp"])


class TestButton:
    @any_evening(10)
    def test_button_is_disabled_exactly_if_refused(self, data: st.DataObject) -> None:
        for run in evening(data, most=3):
            state = run.draft.state
            for who in state["party"]:
                for action in (*GAME.now(state, who), *GAME.rolls(state, who)):
                    assert bool(action.reason) == refused(state, who, action.start), action


def refused(state: State, who: str, begin: Any) -> bool:
    try:
        Run(GAME, GAME.moves[begin.procedure], who, state, begin.answers)
    except Refused:
        return True
    return False
