"""A procedure under way: stepped back, left, found again, and never with other dice."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign.playing import (
    BO,
    GAME,
    KARA,
    OATH,
    Quick,
    adds_up_to,
    fresh_folder,
    open_session,
    short_memory,
    whole_file,
)

from tracker import games
from tracker.campaign.fold import fold
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.game import Move
from tracker.games.api.prompts import Choose, Confirm, Number, Option, Pick, Prompt, Roll, Spread, Text
from tracker.games.ironsworn import Ironsworn
from tracker.games.ironsworn.state import TOP
from tracker.saves import toml

# -- a game of few moves ----------------------------------------------------------------------------------


def options(*keys: str) -> tuple[Option, ...]:
    return tuple(Option(key, key) for key in keys)


def march(table: Draft) -> Procedure:
    """Ask for something of every kind: a certain cost, dice, choices, and further dice if wanted."""
    stat = yield Pick(key="using", title="Which stat", options=options("edge", "iron"))
    adds = yield Number(key="adds", title="adds", low=-3, high=3, default=0, quiet=True)
    table.mine("xp", 1)
    faces = yield Roll(key="dice", title="The march", dice={"action": 6})
    table.facts["score"] = faces["action"] + table.me[stat] + adds
    table.mine("momentum", faces["action"] - 3)
    goods = yield Choose(key="choose", title="What do you find", options=options("bread", "rope", "map"), most=2)
    table.facts["found"] = goods
    again = yield Confirm(key="again", title="March on", default=False, quiet=True)
    if again:
        more = yield Roll(key="more", title="The second march", dice={"action": 6})
        table.by("supply", -more["action"])
    shares = yield Spread(
        key="exchange",
        title="It tires you",
        points=2,
        targets=tuple((option, 2) for option in options("health", "spirit")),
    )
    for name, share in shares.items():
        table.mine(name, -share)


def follow(table: Draft) -> Procedure:
    """Ask for a track, roll, and mark the track."""
    track = yield Pick(key="track", title="Which track", options=options(*table.state["tracks"]))
    yield Roll(key="dice", title="Follow it", dice={"action": 6})
    yield Choose(key="choose", title="And then", options=options("on", "off"))
    table.by(f"tracks.{track}.ticks", 4)


def share_out(table: Draft) -> Procedure:
    """Roll dice whose cost depends on the state, as the second dice do."""
    table.mine("xp", table.state["supply"])
    yield Roll(key="dice", title="First", dice={"action": 6})
    yield Choose(key="choose", title="Go on", options=options("on", "off"))
    table.mine("momentum", 1)
    yield Roll(key="more", title="Second", dice={"action": 6 if table.state["supply"] else 4})
    yield Choose(key="last", title="Done", options=options("yes"))
    table.mine("spirit", -1)


def pay(table: Draft) -> Procedure:
    """Refuse in the middle of a move, as rules may."""
    points = yield Number(key="amount", title="How much", low=0, high=9)
    table.mine("xp", points)
    if points > 5:
        raise Refused("Nobody has that much.")
    yield Choose(key="choose", title="For what", options=options("food", "song"))


class Tiny(Ironsworn):
    """Ironsworn's state, with moves that reach what its own moves do not."""

    def __init__(self) -> None:
        self.moves = {
            move.__name__: Move(move.__name__, move.__name__, move) for move in (march, follow, share_out, pay)
        }


@pytest.fixture(scope="module", autouse=True)
def _a_game_of_few_moves() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "get", lambda _: Tiny())
        yield


def a_table(folder: Path) -> Session:
    path = folder / "tale.toml"
    new_campaign(str(path), GAME, Quick())
    table = open_session(path)
    table.do("edit", [KARA, BO, OATH])
    return table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    """A session that a test may close and open again under the same name."""
    table = a_table(tmp_path)
    yield table
    if table.save._lock:
        table.close()


def again(table: Session) -> Session:
    table.close()
    return open_session(table.save.path)


def roll(table: Session, move: str, face: int, who: str = "kara", **answers: Any) -> Run:
    """Return a run whose first dice have been rolled."""
    run = table.begin(move, who, answers.items())
    assert isinstance(run.prompt, Roll)
    table.rolled(run, {"action": face})
    return run


def key(run: Run) -> str:
    return run.prompt.key if run.prompt else ""


class TestStepBack:
    def test_step_back_asks_the_last_question_again_up_to_the_first(self, table: Session) -> None:
        run = table.begin("march", "kara")
        assert not run.back()
        run.answer("iron")
        assert key(run) == "dice"
        assert run.back()
        assert key(run) == "using"
        assert not run.back()

    def test_stops_at_the_dice(self, table: Session) -> None:
        run = roll(table, "march", 4, using="iron")
        assert not run.back()
        run.answer(["rope"])
        assert key(run) == "exchange"
        assert run.back()
        assert key(run) == "choose"
        assert not run.back()
        assert run.value("dice") == {"action": 4}

    def test_stops_at_the_last_dice(self, table: Session) -> None:
        run = roll(table, "march", 4, using="iron")
        run.answer(["rope"])
        run.revise("again", True)
        table.rolled(run, {"action": 2})
        assert key(run) == "exchange"
        assert not run.back()

    def test_step_back_reverts_effects(self, table: Session) -> None:
        run = roll(table, "march", 4, using="iron")
        before = run.draft.state
        run.answer(["rope"])
        run.answer({"health": 2})
        assert run.prompt is None
        assert run.draft.state != before
        run.back()
        run.back()
        assert run.draft.state == before


class TestUnfinishedRun:
    def test_run_left_before_the_dice_never_happened(self, table: Session) -> None:
        entries = list(table.log.entries)
        run = table.begin("march", "kara")
        run.answer("iron")
        table.leave(run)
        assert table.log.entries == entries
        assert table.owed("kara") == ()

    def test_run_left_after_the_dice_is_due_and_resumes_with_them(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        table.leave(run)
        table = again(table)
        (owed,) = table.owed("kara")
        assert owed.label == "march"
        run = table.resume(owed.run)
        assert key(run) == "choose"
        assert run.value("dice") == {"action": 6}
        assert run.draft.facts["score"] == 9
        run.answer(["map"])
        run.answer({"spirit": 1, "health": 1})
        entry = table.finish(run)
        assert entry["closes"] == owed.run
        assert "whole" not in entry
        assert table.owed("kara") == ()
        kara = table.state["party"]["kara"]
        assert (kara["xp"], kara["momentum"], kara["health"], kara["spirit"]) == (1, 5, 4, 4)
        table = again(table)
        assert table.state["party"]["kara"] == kara
        table.close()

    def test_certain_effects_apply_and_the_rest_wait(self, table: Session) -> None:
        roll(table, "march", 6, using="iron")
        assert table.state["party"]["kara"]["xp"] == 1
        assert table.state["party"]["kara"]["momentum"] == 2

    def test_run_can_be_resumed_after_a_crash(self, table: Session, tmp_path: Path) -> None:
        roll(table, "march", 6, using="iron")
        killed = shutil.copy(table.save.path, tmp_path / "killed.toml")
        after = open_session(killed)
        assert key(after.resume(after.owed("kara")[0].run)) == "choose"
        after.close()

    def test_answers_since_the_dice_are_kept(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        run.answer(["map", "rope"])
        table.leave(run)
        table = again(table)
        run = table.resume(table.owed("kara")[0].run)
        assert key(run) == "exchange"
        assert run.value("choose") == ["map", "rope"]
        run.back()
        table.leave(run)
        table = again(table)
        assert key(table.resume(table.owed("kara")[0].run)) == "choose"
        table.close()

    def test_changed_answer_replaces_the_first(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        run.answer(["map"])
        table.leave(run)
        run.back()
        run.answer(["bread"])
        table.leave(run)
        table = again(table)
        assert table.resume(table.owed("kara")[0].run).value("choose") == ["bread"]
        table.close()

    def test_run_without_new_answers_is_not_written_again(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        entries = list(table.log.entries)
        table.leave(run)
        table.leave(table.resume(run.opened))
        assert table.log.entries == entries

    def test_run_stays_due_whatever_else_is_played(self, table: Session) -> None:
        opened = roll(table, "march", 6, using="iron").opened
        with short_memory(keep=2, compact_after=4):
            for _ in range(12):
                table.do("edit", [{"at": "bo.xp", "by": 1}])
            table = again(table)
            assert [owed.run for owed in table.owed("kara")] == [opened]
            assert key(table.resume(opened)) == "choose"
            table.close()

    def test_run_without_its_character_cannot_resume(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        table.do("edit", [{"at": "party", "drop": "kara"}])
        with pytest.raises(Refused, match="can't be resumed"):
            table.resume(run.opened)
        table.undo()
        assert key(table.resume(run.opened)) == "choose"


class TestOneOpenRun:
    def test_character_has_at_most_one_open_run(self, table: Session) -> None:
        roll(table, "march", 3, using="iron")
        with pytest.raises(Refused, match="undo your open roll"):
            table.begin("follow", "kara")
        table = again(table)
        with pytest.raises(Refused, match="undo your open roll"):
            table.begin("follow", "kara")
        assert table.begin("follow", "bo")
        table.close()

    def test_second_open_run_gets_its_dice(self, table: Session) -> None:
        first, second = (table.begin("march", "kara", {"using": "iron"}.items()) for _ in range(2))
        table.rolled(first, {"action": 3})
        with pytest.raises(Refused, match="undo your open roll"):
            table.rolled(second, {"action": 6})
        assert not second.rolled

    def test_resuming_a_finished_run_is_refused(self, table: Session) -> None:
        run = roll(table, "march", 3, using="iron")
        other = table.resume(run.opened)
        for one in (run, other):
            one.answer(["map"])
            one.answer({"health": 2})
        table.finish(run)
        with pytest.raises(Refused, match="already finished or undone"):
            table.finish(other)
        assert table.state["party"]["kara"]["health"] == 3

    def test_run_needs_a_move_and_a_character(self, table: Session) -> None:
        with pytest.raises(Refused, match="has no “fly”"):
            table.begin("fly", "kara")
        with pytest.raises(Refused, match="Make a character first"):
            table.begin("march", "ana")


class TestUndo:
    def test_undo_takes_dice_and_consequences_as_one(self, table: Session) -> None:
        before = table.state
        run = roll(table, "march", 6, using="iron")
        opened = run.opened
        run.answer(["map"])
        table.leave(run)
        run.answer({"health": 2})
        closing = table.finish(run)["id"]
        after = table.state
        for ident in (closing, run.opened, opened, None):
            table.undo(ident)
            assert table.state == before
            table = again(table)
            assert table.state == before
            table.redo()
            assert table.state == after
        table.close()

    def test_undo_of_an_open_run_ends_it(self, table: Session) -> None:
        before = table.state
        run = roll(table, "march", 6, using="iron")
        table.undo()
        assert table.state == before
        assert table.owed("kara") == ()
        with pytest.raises(Refused, match="already finished or undone"):
            table.resume(run.opened)
        run.answer(["map"])
        run.answer({"health": 2})
        with pytest.raises(Refused, match="already finished or undone"):
            table.finish(run)
        table.leave(run)
        assert table.state == before
        table.redo()
        assert key(table.resume(run.opened)) == "choose"


class TestChangedState:
    ROAD: ClassVar = {"at": "tracks", "add": {"id": "road", "name": "The road"}}

    def test_answer_that_no_longer_fits_is_asked_again_with_the_same_dice(self, table: Session) -> None:
        table.do("edit", [self.ROAD])
        run = roll(table, "follow", 5, track="road")
        table.do("edit", [{"at": "tracks", "drop": "road"}])
        run = table.resume(run.opened)
        assert key(run) == "track"
        run.answer("oath")
        assert key(run) == "choose"
        assert run.value("dice") == {"action": 5}
        run.answer(["on"])
        table.finish(run)
        assert table.state["tracks"]["oath"]["ticks"] == 4

    def test_leaving_before_the_new_answer_keeps_the_dice(self, table: Session) -> None:
        table.do("edit", [self.ROAD])
        opened = roll(table, "follow", 5, track="road").opened
        table.do("edit", [{"at": "tracks", "drop": "road"}])
        for _ in range(2):
            run = table.resume(opened)
            assert key(run) == "track"
            assert not run.back()
            table.leave(run)
            table = again(table)
        run = table.resume(opened)
        run.answer("oath")
        assert run.value("dice") == {"action": 5}
        table.close()

    def test_ended_run_asks_again_before_it_is_written(self, table: Session) -> None:
        table.do("edit", [self.ROAD])
        run = roll(table, "follow", 5, track="road")
        run.answer(["on"])
        table.do("edit", [{"at": "tracks", "drop": "road"}])
        with pytest.raises(Refused, match="Something changed"):
            table.finish(run)
        assert key(run) == "track"
        run.answer("oath")
        assert run.prompt is None
        table.finish(run)
        assert table.state["tracks"]["oath"]["ticks"] == 4

    def test_run_whose_character_is_gone_is_refused(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        table.do("edit", [{"at": "party", "drop": "kara"}])
        with pytest.raises(Refused, match="has left the table"):
            table.renew(run)

    def test_undone_run_is_refused_and_can_still_be_read(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        told = table.changes(run)
        table.undo()
        with pytest.raises(Refused, match="already finished or undone"):
            table.renew(run)
        assert table.changes(run) == told

    def test_dice_that_no_longer_fit_are_not_rolled_again(self, table: Session) -> None:
        run = roll(table, "share_out", 3)
        run.answer(["on"])
        table.rolled(run, {"action": 6})
        table.do("edit", [{"at": "supply", "to": 0}])  # now the second die is a d4
        with pytest.raises(Refused, match="dice no longer fit"):
            table.resume(run.opened)
        table.undo(run.opened)
        assert table.owed("kara") == ()

    def test_closing_entry_is_whole_if_certain_effects_changed(self, table: Session) -> None:
        run = roll(table, "share_out", 3)
        opened = run.opened
        table.do("edit", [{"at": "supply", "to": 2}])
        run = table.resume(opened)
        run.answer(["on"])
        table.rolled(run, {"action": 1})
        run.answer(["yes"])
        entry = table.finish(run)
        held = next(e for e in table.log.entries if e["id"] == entry["closes"])
        assert held["whole"] is True
        assert [effect["by"] for effect in held["effects"]] == [2, 1]
        assert not table.log.counts(next(e for e in table.log.entries if e["id"] == opened))
        assert table.log.counts(held)
        assert table.log.counts(entry)
        kara = table.state["party"]["kara"]
        assert (kara["xp"], kara["momentum"], kara["spirit"]) == (2, 3, 4)
        table = again(table)
        assert table.state["party"]["kara"] == kara
        table.undo()
        assert table.state["party"]["kara"]["xp"] == 0
        table.redo()
        assert table.state["party"]["kara"] == kara
        table.close()

    def test_closing_entry_is_whole_if_the_difference_shows_at_the_end(self, table: Session) -> None:
        run = roll(table, "share_out", 3)
        run.answer(["on"])
        table.rolled(run, {"action": 1})
        run.answer(["yes"])
        table.do("edit", [{"at": "supply", "to": 2}])
        with pytest.raises(Refused, match="here is the new result"):
            table.finish(run)
        entry = table.finish(run)
        assert entry["whole"] is True
        assert [effect["by"] for effect in entry["effects"]] == [2, 1, -1]
        assert table.state["party"]["kara"]["xp"] == 2

    def test_closing_entry_has_only_the_rest_if_nothing_relevant_changed(self, table: Session) -> None:
        run = roll(table, "share_out", 3)
        run.answer(["on"])
        table.rolled(run, {"action": 1})
        run.answer(["yes"])
        table.do("edit", [{"at": "scene", "to": "A storm"}])
        entry = table.finish(run)
        assert "whole" not in entry
        assert [effect["by"] for effect in entry["effects"]] == [-1]
        assert table.state["party"]["kara"]["xp"] == 5


class TestQuietPrompts:
    def test_quiet_prompts_take_their_default_unasked(self, table: Session) -> None:
        run = table.begin("march", "kara", {"using": "iron"}.items())
        assert key(run) == "dice"
        assert run.value("adds") == 0
        assert [prompt.key for prompt in run.quiet()] == ["adds"]

    def test_quiet_prompts_can_be_revised_until_the_dice_fall(self, table: Session) -> None:
        run = table.begin("march", "kara", {"using": "iron"}.items())
        run.revise("adds", 2)
        assert run.value("adds") == 2
        table.rolled(run, {"action": 1})
        assert run.draft.facts["score"] == 6
        with pytest.raises(Refused, match="decided before the roll"):
            run.revise("adds", 3)
        assert run.value("adds") == 2

    def test_do_not_take_what_does_not_fit(self, table: Session) -> None:
        run = table.begin("march", "kara", {"using": "iron"}.items())
        run.revise("adds", 2)
        with pytest.raises(Refused, match="-3 to 3"):
            run.revise("adds", 9)
        assert run.value("adds") == 2

    def test_revised_quiet_prompts_keep_the_answers_that_fit(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        run.answer(["map"])
        run.answer({"health": 2})
        assert run.prompt is None
        run.revise("again", True)
        assert key(run) == "more"
        table.rolled(run, {"action": 2})
        assert run.prompt is None
        assert run.value("exchange") == {"health": 2}

    def test_quiet_prompts_after_the_dice_can_be_revised_after_a_restart(self, table: Session) -> None:
        run = roll(table, "march", 6, using="iron")
        run.answer(["map"])
        table.leave(run)
        table = again(table)
        run = table.resume(table.owed("kara")[0].run)
        run.revise("again", True)
        assert key(run) == "more"
        table.close()


class TestRefusals:
    def test_refusal_by_the_rules_midway_changes_nothing(self, table: Session) -> None:
        run = table.begin("pay", "kara")
        with pytest.raises(Refused, match="Nobody has that much"):
            run.answer(7)
        assert key(run) == "amount"
        assert run.draft.effects == []
        run.answer(5)
        run.answer(["song"])
        table.finish(run)
        assert table.state["party"]["kara"]["xp"] == 5

    def test_refusal_by_a_prompt_changes_nothing(self, table: Session) -> None:
        run = table.begin("pay", "kara")
        with pytest.raises(Refused, match="from 0 to 9"):
            run.answer("a lot")
        assert (key(run), run.answers) == ("amount", [])


SOME = (Option("edge", "edge 2"), Option("iron", "iron 3"), Option("wits", "wits 1", reason="she sleeps"))

KINDS: list[tuple[Prompt, list[Any], list[tuple[Any, str]]]] = [
    (
        Pick(key="k", title="Which", options=SOME),
        ["edge", "iron"],
        [
            ("wits", "wits 1: she sleeps."),
            ("luck", "“luck” isn't an option; choose from: edge 2, iron 3, wits 1."),
            (["edge"], "“['edge']” isn't an option; choose from: edge 2, iron 3, wits 1."),
            (None, "“None” isn't an option; choose from: edge 2, iron 3, wits 1."),
        ],
    ),
    (
        Choose(key="k", title="Choose", options=SOME, least=1, most=2),
        [["edge"], ["iron", "edge"]],
        [
            ("edge", "Choose from the list."),
            ([], "Choose 1 to 2, not 0."),
            (["edge", "edge"], "You can't choose the same thing twice."),
            (["wits"], "wits 1: she sleeps."),
            (["luck"], "“luck” isn't an option; choose from: edge 2, iron 3, wits 1."),
        ],
    ),
    (
        Choose(key="k", title="Choose", options=SOME[:2], least=2, most=2),
        [["iron", "edge"]],
        [(["edge"], "Choose 2, not 1.")],
    ),
    (
        Spread(key="k", title="Spread", points=3, targets=((SOME[0], 2), (SOME[1], 3), (SOME[2], 3))),
        [{"edge": 1, "iron": 2}, {"iron": 3, "edge": 0}],
        [
            ([1, 2], "Type a name and a number of points."),
            ({"edge": 3}, "edge 2 takes at most 2, not 3."),
            ({"edge": 1, "iron": 1}, "Assign 3 points in all, not 2."),
            ({"edge": -1, "iron": 3}, "edge 2: -1 is not a number of points."),
            ({"edge": True, "iron": 2}, "edge 2: True is not a number of points."),
            ({"wits": 3}, "wits 1: she sleeps."),
            ({"luck": 3}, "“luck” isn't an option; choose from: edge 2, iron 3, wits 1."),
        ],
    ),
    (
        Number(key="k", title="How many", low=0, high=3),
        [0, 3],
        [(n, "Type a number from 0 to 3.") for n in (-1, 4, "2", 1.0, True, None)],
    ),
    (
        Text(key="k", title="Your name", most=5),
        ["Kara", "  Kara  "],
        [
            (7, "text"),
            ("   ", "something"),
            ("Karalin", "limit is 5"),
            ("a\nb", "one line"),
        ],
    ),
    (Text(key="k", title="A note", empty=True), ["", "x"], [(None, "text")]),
    (
        Roll(key="k", title="Roll", dice={"action": 6, "challenge": (10, 10)}),
        [{"action": 6, "challenge": [1, 10]}],
        [
            (6, "Type a result for each die."),
            ({"challenge": [1, 2]}, "Missing a result for the action die."),
            ({"action": 6, "challenge": [1]}, "challenge takes 2 results."),
            ({"action": 7, "challenge": [1, 2]}, "The action die goes from 1 to 6, not 7."),
            ({"action": 0, "challenge": [1, 2]}, "The action die goes from 1 to 6, not 0."),
            ({"action": 1, "challenge": [1, 11]}, "The challenge die goes from 1 to 10, not 11."),
            ({"action": 1, "challenge": [1, 2], "oracle": 3}, "This roll has no die called oracle."),
        ],
    ),
    (
        Confirm(key="k", title="Burn"),
        [True, False],
        [(answer, "Type yes or no.") for answer in (1, "yes", None, [True])],
    ),
]


class TestPromptKinds:
    @pytest.mark.parametrize(("prompt", "good", "bad"), KINDS, ids=[type(kind[0]).__name__ for kind in KINDS])
    def test_prompt_accepts_what_fits_and_says_why_it_refuses_the_rest(
        self, prompt: Prompt, good: list[Any], bad: list[tuple[Any, str]]
    ) -> None:
        for answer in good:
            assert prompt.check(answer) is not None
        for answer, why in bad:
            with pytest.raises(Refused) as refused:
                prompt.check(answer)
            assert why.lower() in str(refused.value).lower()
            assert str(refused.value).endswith(".")

    @settings(max_examples=150)
    @given(
        st.sampled_from([kind[0] for kind in KINDS]),
        st.recursive(
            st.sampled_from(["edge", "iron", "wits", "", " x", "action", 0, 1, 2, 3, 6, -1, True, False, 1.5])
            | st.text(max_size=6),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["edge", "iron", "wits", "action", "challenge"]), inner, max_size=3)
            ),
            max_leaves=4,
        ),
    )
    def test_checked_answer_can_be_saved_and_fits_again(self, prompt: Prompt, answer: Any) -> None:
        try:
            taken = prompt.check(answer)
        except Refused:
            return
        assert prompt.check(taken) == taken
        assert toml.parse(toml.emit_entry({"answers": [["k", taken]]}))["entry"] == [{"answers": [["k", taken]]}]


# -- whatever a driver does -------------------------------------------------------------------------------

doing = st.lists(
    st.tuples(
        st.sampled_from(["answer", "answer", "answer", "back", "revise", "leave", "restart", "meanwhile", "undo"]),
        st.integers(0, 5),
    ),
    min_size=8,
    max_size=40,
)


def an_answer(prompt: Prompt, n: int) -> Any:
    match prompt:
        case Pick(options=choices):
            return choices[n % len(choices)].key
        case Choose(options=choices):
            return [choices[n % len(choices)].key]
        case Spread(targets=targets, points=points):
            return {targets[n % len(targets)][0].key: points}
        case Confirm():
            return n % 2 == 0
        case _:
            return n % 4


class TestWhateverADriverDoes:
    @settings(max_examples=80)
    @given(st.sampled_from(["march", "share_out"]), doing)
    def test_dice_stay_as_they_fell_and_the_table_is_the_fold(
        self, tmp_path_factory: pytest.TempPathFactory, move: str, doing: list[tuple[str, int]]
    ) -> None:
        with short_memory(keep=3, compact_after=5):
            self.drive(a_table(fresh_folder(tmp_path_factory)), move, doing)

    def drive(self, table: Session, move: str, doing: list[tuple[str, int]]) -> None:
        run = table.begin(move, "kara")
        fallen: dict[str, Any] = {}
        for what, n in doing:
            if run.prompt is None:
                table.renew(run)  # the last look at what would happen
                table.finish(run)
                fallen, run = {}, table.begin(move, "kara")
            match what:
                case "answer" if isinstance(run.prompt, Roll):
                    assert run.prompt.key not in fallen
                    fallen[run.prompt.key] = {"action": n % 4 + 1}
                    table.rolled(run, fallen[run.prompt.key])
                case "answer":
                    assert run.prompt
                    run.answer(an_answer(run.prompt, n))
                case "back":
                    run.back()
                case "revise" if run.quiet():
                    prompt = run.quiet()[n % len(run.quiet())]
                    run.revise(prompt.key, an_answer(prompt, n))
                case "leave" | "restart":
                    table.leave(run)
                    if what == "restart":
                        table = again(table)
                    assert bool(table.owed("kara")) == bool(run.opened)
                    if run.opened:
                        run = table.resume(table.owed("kara")[0].run)
                    else:
                        fallen, run = {}, table.begin(move, "kara")
                case "meanwhile":
                    table.do("edit", [{"at": "kara.xp", "by": n}], who="bo")
                case "undo" if n == 0 and run.opened:
                    table.undo(run.opened)
                    fallen, run = {}, table.begin(move, "kara")
            assert {key: run.value(key) for key in fallen} == fallen
            assert run.draft.state == fold(TOP, run.state, run.draft.effects)
        table.close()
        assert table.state == adds_up_to(whole_file(table.save.path))
