"""What holds after any evening of Wherever We Go: whoever acts, whatever is answered, however the dice fall."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.answering import fitting
from tests.campaign.playing import within
from tests.games.wherever_table import GAME, PARTY

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Text
from tracker.games.api.schema import State
from tracker.games.wherever.dice import MARKS_FOR, OUTCOMES, RUNGS
from tracker.games.wherever.state import TRACKS

MOVES = tuple(
    ident for ident, move in GAME.moves.items() if not move.solo and not ident.startswith(("party/", "clock/"))
)
ROLLS = ("action/roll", "action/group", "action/opposed", "action/attack")
MORE: dict[str, Any] = {
    "talents": {"step": {"name": "Ghost-step", "die": "d8"}},
    "traits": {"loud": {"name": "Loud", "points": -1}},
    "drives": {"sea": {"name": "Sea", "intensity": 2}},
    "supplies": {"oil": {"name": "Oil", "die": "d8"}},
}
TABLE = fold(
    GAME.top,
    start(GAME.top),
    [
        {"at": "party", "add": {**PARTY[0]["add"], **MORE}},
        *PARTY[1:],
        {"at": "clocks", "add": {"id": "tide", "name": "Tide"}},
    ],
)
hardships = st.fixed_dictionaries(
    {
        f"ilse.{at}": st.sampled_from([0, -1, -4, -30, 5])
        for at in ("stress", "wp", *TRACKS, "strength", "gear.lantern.reliability", "marks.stealth")
    }
).map(lambda losses: [{"at": at, "by": points} for at, points in losses.items() if points])


def evening(data: st.DataObject, moves: Sequence[str] = MOVES, most: int = 5) -> Iterator[Run]:
    state = fold(GAME.top, TABLE, data.draw(hardships, "hardships"))
    for _ in range(data.draw(st.integers(1, most), "moves")):
        who = data.draw(st.sampled_from(list(state["party"])), "who")
        due = [owed.start for owed in GAME.owed(state, who) if owed.start]
        if bool(due) and data.draw(st.booleans(), "owed"):
            procedure, known = data.draw(st.sampled_from(due))
        else:
            procedure, known = data.draw(st.sampled_from(list(moves)), "move"), ()
        try:
            run = Run(GAME, GAME.moves[procedure], who, state, known)
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
                with suppress(Refused):  # a drive and a push for one WP, say; nothing has changed then
                    run.revise(prompt.key, data.draw(fitting(prompt), prompt.key))
                break
        else:
            if run.prompt is None:
                return
            try:
                run.answer(data.draw(fitting(run.prompt), run.prompt.key))
            except Refused:
                # A note cannot take the name of another one, which the prompt for a text does not know.
                assume(not isinstance(run.prompt, Text))
                raise


def any_evening(examples: int = 15) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return lambda test: settings(max_examples=examples)(given(st.data())(test))


def wrong(state: State) -> list[str]:
    """Return what no rule allows in this state and no hand has written."""
    found = [] if within(GAME.top, state) else ["something is off its track"]
    for who, me in state["party"].items():
        for number in ("wp", *TRACKS):
            if me[number] > me[f"{number}_max"]:
                found.append(f"{who} has {number} {me[number]} of {me[f'{number}_max']}")
        for skill, marks in me["marks"].items():
            if marks and marks >= MARKS_FOR[me["skills"][skill]]:
                found.append(f"{who} has {marks} marks on {skill} {me['skills'][skill]}")
        for item in me["gear"].values():
            if item["reliability"] > item["max"]:
                found.append(f"{who} has {item}")
    return found


class TestState:
    @any_evening(80)
    def test_any_play_stays_legal(self, data: st.DataObject) -> None:
        for run in evening(data):
            assert not wrong(run.draft.state), run.answers

    @any_evening()
    def test_any_state_can_be_told(self, data: st.DataObject) -> None:
        for run in evening(data):
            state = run.draft.state
            told = GAME.changes(run.state, state, run.who)
            assert all(told)
            assert bool(told) <= (state != run.state)
            assert GAME.card(run.move.id, run.draft.facts).title
            for who in state["party"]:
                assert GAME.sheet(state, who)
                assert GAME.belongings(state, who)


class TestRolls:
    @any_evening(50)
    def test_outcome_follows_from_edges_and_banes(self, data: st.DataObject) -> None:
        for run in evening(data, ROLLS):
            told = run.draft.facts
            if "edges" not in told or run.move.id not in ROLLS:
                continue
            stress = told.get("stress_dice", [])
            faces = [*told["faces"], *stress]
            assert told["edges"] == sum(face >= 6 for face in faces) + sum(face >= 10 for face in faces)
            assert told["banes"] == stress.count(1)
            assert told["damage"] == min(6, 2 * stress.count(1))
            assert set(told["pool"]) <= set(RUNGS)
            if "outcome" in told:
                assert told["outcome"] == OUTCOMES[min(3, told["edges"])]
            else:
                more = told["acting_edges"] > told["defending_edges"]
                assert told["winner"] == ("acting" if more else "defending")

    @any_evening(50)
    def test_roll_costs_exactly_what_was_announced(self, data: st.DataObject) -> None:
        for run in evening(data, ROLLS):
            if "edges" not in run.draft.facts or run.move.id not in ROLLS:
                continue
            before, after = (state["party"][run.who] for state in (run.state, run.draft.state))
            gambles = run.draft.facts.get("gambles", 0)
            assert after["stress"] == before["stress"] + gambles
            assert after["gambled"] == before["gambled"] + gambles
            paid = bool(run.value("push")) + len(run.value("drives") or [])
            sixes = run.draft.facts.get("stress_dice", []).count(6)
            assert after["wp"] == max(before["wp"] - paid, min(before["wp"] - paid + sixes, before["wp_max"]))

    @any_evening(60)
    def test_every_point_of_damage_is_assigned(self, data: st.DataObject) -> None:
        for run in evening(data, ROLLS):
            if "damage" in run.draft.facts and run.move.id in ROLLS:
                assert sum((run.value("assign") or {}).values()) == run.draft.facts["damage"]


class TestButton:
    @any_evening(40)
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
