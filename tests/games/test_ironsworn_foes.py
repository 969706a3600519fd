"""A foe of a pack begins a fight with its name, its rank and a text about it."""

from __future__ import annotations

from typing import Any

from tests.content.small_packs import data, fen

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.content.datasworn import read
from tracker.games.api.content import Content, Foe
from tracker.games.api.prompts import Pick, Text
from tracker.games.ironsworn import GAME
from tracker.games.ironsworn.moves import MOVES
from tracker.games.ironsworn.tracks import about_foe

KARA = {"at": "party", "add": {"id": "kara", "name": "Kara"}}
PACK = read(data(fen()), MOVES).content


def begun(move: str = "combat/enter_the_fray", content: Content = PACK, **answers: Any) -> Run:
    state = fold(GAME.top, start(GAME.top), [KARA])
    return Run(GAME, MOVES[move], "kara", state, answers.items(), lambda: content)


def fight(run: Run) -> Any:
    (track,) = run.draft.state["tracks"].values()
    return track


def test_foe_of_a_pack_brings_name_rank_and_text() -> None:
    run = begun(foe="fen/beasts/eel")
    assert (fight(run)["name"], fight(run)["rank"], fight(run)["kind"]) == ("Bog Eel", "formidable", "fight")
    assert fight(run)["about"] == "Features: Long, Slick. Drives: Feed. Tactics: Coil"
    assert run.prompt
    assert run.prompt.title == "Roll with"


def test_foes_are_listed_by_name_with_rank_and_nature() -> None:
    prompt = begun().prompt
    assert isinstance(prompt, Pick)
    assert [(one.label, one.note) for one in prompt.options] == [
        ("someone else", "you name them"),
        ("Bog Eel", "formidable Beast"),
        ("Eel Brood", "troublesome Beast"),
    ]


def test_someone_else_is_named_and_ranked_by_the_player() -> None:
    run = begun(foe="new.")
    assert isinstance(run.prompt, Text)
    run.answer("A heron")
    run.answer("dangerous")
    assert (fight(run)["name"], fight(run)["rank"], fight(run)["about"]) == ("A heron", "dangerous", "")


def test_name_and_rank_of_a_foe_can_be_changed() -> None:
    run = begun(foe="fen/beasts/eel")
    run.revise("name", "Old Coil")
    run.revise("rank", "epic")
    assert (fight(run)["name"], fight(run)["rank"]) == ("Old Coil", "epic")


def test_several_foes_of_a_pack_share_a_track() -> None:
    run = begun(foe="fen/beasts/eel/brood", pack=3)
    assert (fight(run)["foes"], fight(run)["rank"]) == (3, "dangerous")


def test_without_a_pack_the_name_is_asked_first() -> None:
    assert isinstance(begun(content=Content({}, {})).prompt, Text)


def test_duel_can_be_with_a_foe_of_a_pack() -> None:
    assert fight(begun("relationship/draw_the_circle", foe="fen/beasts/eel"))["name"] == "Bog Eel"


def test_run_goes_on_when_the_pack_is_gone() -> None:
    answers = dict(begun(foe="fen/beasts/eel").answers)
    run = begun(content=Content({}, {}), **answers)
    assert (fight(run)["name"], fight(run)["rank"]) == ("Bog Eel", "formidable")


def test_text_about_a_foe_is_one_plain_line() -> None:
    foe = Foe("a/b", "x", "epic", features=("__Big__ \x1b[2Jteeth",), tactics=("[Bite](datasworn:move:a/b/c)\nrun",))
    told = about_foe(foe)
    assert told.startswith("Features: Big ")
    assert told.endswith("Tactics: Bite run")
    assert "\x1b" not in told
