"""World truths: rolled, chosen, written or skipped, one after the other, and left and continued."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import KARA, QuickDisk, campaign, in_party
from tests.content.small_packs import data, fen

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.content.datasworn import read
from tracker.games.api.content import Content
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Pick, Roll
from tracker.games.ironsworn import GAME
from tracker.games.ironsworn.moves import MOVES, TRUTHS


def pack() -> Content:
    """Return a pack with a truth about water, and one about fire after it."""
    content = read(data(fen()), MOVES).content
    water = content.truths["fen/water"]
    fire = water._replace(id="fen/fire", name="Fire", options=water.options[:1], die=50)
    return content._replace(truths={water.id: water, fire.id: fire})


def begun(content: Content | None = None, *effects: dict[str, Any], **answers: Any) -> Run:
    there = content or pack()
    state = fold(GAME.top, start(GAME.top), effects)
    return Run(GAME, MOVES[TRUTHS], "", state, answers.items(), lambda: there)


def test_truth_is_rolled_and_its_tables_too() -> None:
    run = begun()
    run.answer("roll.")
    assert isinstance(run.prompt, Roll)
    run.answer({"truth": 51})
    assert isinstance(run.prompt, Pick)
    assert run.prompt.title == "Cause?"
    run.answer("roll.")
    run.answer({"truth": 7})
    run.answer("stop.")
    assert run.prompt is None
    assert run.draft.text == "Water: The water falls. Cause: A broken dam."
    assert list(run.draft.state["truths"]) == ["fen_water"]


@pytest.mark.parametrize(("face", "words"), [(1, "Rising"), (50, "Rising"), (51, "falls"), (100, "falls")])
def test_every_face_gives_its_answer(face: int, words: str) -> None:
    run = begun(truth_fen_water="roll.")
    run.answer({"truth": face})
    assert words in str(run.draft.facts["told"])


def test_truths_are_chosen_and_written_by_the_player() -> None:
    run = begun()
    run.answer("0")
    run.answer("own.")
    run.answer("It burns blue.")
    assert run.draft.text == "Water: Rising The water rises.\n\nFire: It burns blue."
    card = GAME.card(TRUTHS, run.draft.facts)
    assert (card.sum, card.short, card.dice) == ("Fire: It burns blue.", "Water, Fire", ())


def test_skipped_truth_stays_open_and_comes_again() -> None:
    run = begun(truth_fen_water="skip.", truth_fen_fire="0")
    assert run.prompt is None
    again = begun(None, *run.draft.effects)
    assert again.prompt
    assert again.prompt.title == "Water (1 of 1)"


def test_face_without_answer_is_chosen() -> None:
    content = pack()
    water = content.truths["fen/water"]
    gap = water._replace(options=(water.options[0]._replace(since=1, upto=10),))
    run = begun(content._replace(truths={water.id: gap}), truth_fen_water="roll.")
    run.answer({"truth": 99})
    assert isinstance(run.prompt, Pick)
    assert run.prompt.title == "No answer for 99. Choose one"
    run.answer("0")
    assert run.draft.text.startswith("Water: Rising")


def test_truths_of_several_sources_are_asked_for_by_source() -> None:
    content = pack()
    fire = content.truths["fen/fire"]
    other = fire._replace(source=fire.source._replace(title="The Moor"))
    run = begun(content._replace(truths={**content.truths, "fen/fire": other}))
    assert isinstance(run.prompt, Pick)
    assert [option.label for option in run.prompt.options] == ["The Fen", "The Moor"]
    run.answer("2")
    assert run.prompt
    assert run.prompt.title == "Fire (1 of 1)"


def test_without_a_pack_is_refused_with_the_way_out() -> None:
    with pytest.raises(Refused, match="tracker packs add"):
        begun(Content({}, {}))


def test_settled_truths_are_not_asked_again() -> None:
    run = begun(truth_fen_water="0", truth_fen_fire="0")
    with pytest.raises(Refused, match="read them in the journal"):
        begun(None, *run.draft.effects)


def test_truths_without_any_dice_can_be_left_and_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session.open(str(campaign(tmp_path, *in_party(KARA))), disk=QuickDisk())
    monkeypatch.setattr(session, "content", pack)
    run = session.begin(TRUTHS, "")
    run.answer("0")
    session.leave(run)
    due = session.owed("kara")
    assert [item.label for item in due] == ["World truths"]
    resumed = session.resume(due[0].run)
    assert resumed.prompt
    assert resumed.prompt.title == "Fire (2 of 2)"
    resumed.answer("stop.")
    entry = session.finish(resumed)
    assert entry["text"] == "Water: Rising The water rises."
    session.undo()
    assert not session.state["truths"]
    session.close()
