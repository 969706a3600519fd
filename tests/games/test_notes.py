"""World notes, which every game has: procedures, names, and mentions in a text."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games import toy
from tests.hostile import HOSTILE

from tracker import games
from tracker.campaign.fold import complete, fold, start
from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.games.common import notes
from tracker.games.common.notes import Mention, mentions
from tracker.text import name_problem, shown_line

GAME = games.get("ironsworn")
GAMES = [*(info.load() for info in games.GAMES.values()), toy.GAME]


def note(name: str, kind: str = "person", **more: Any) -> dict[str, Any]:
    ident = name.lower().replace(" ", "_")
    return {"at": "notes", "add": {"id": ident, "name": name, "kind": kind, **more}}


def table(*effects: dict[str, Any], game: Game = GAME) -> Any:
    return fold(game.top, start(game.top), effects)


TABLE = table(note("Tayla", text="A smith."), note("Old Ferry", "place"))


def run(move: str, state: Any = TABLE, game: Game = GAME, **answers: Any) -> Run:
    return Run(game, game.moves[f"notes/{move}"], "", state, answers.items())


def done(move: str, state: Any = TABLE, **answers: Any) -> Any:
    """Play a move to its end and return the notes."""
    played = run(move, state, **answers)
    assert played.prompt is None
    return played.draft.state["notes"]


class TestProcedures:
    @pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])
    def test_make_adds_the_note_in_every_game(self, game: Game) -> None:
        made = run("make", table(game=game), game, name="Bran", kind="thing", text="A clever jackdaw.")
        assert made.draft.state["notes"]["bran"] == {
            "name": "Bran",
            "kind": "thing",
            "text": "A clever jackdaw.",
            "former": {},
        }
        assert game.changes(made.state, made.draft.state, "")

    def test_save_from_before_notes_has_none(self) -> None:
        old = {key: value for key, value in start(GAME.top).items() if key != "notes"}
        assert complete(GAME.top, old)["notes"] == {}

    def test_make_with_a_taken_name_is_refused(self) -> None:
        with pytest.raises(Refused, match="already a note called Tayla"):
            run("make", name="TAYLA")

    def test_paragraph_takes_2000_characters_and_no_more(self) -> None:
        assert done("edit", note="tayla", text="x" * 2000)["tayla"]["text"] == "x" * 2000
        assert run("edit", note="tayla", text="x" * 2001).prompt is not None

    def test_edit_without_a_change_is_refused(self) -> None:
        with pytest.raises(Refused, match="Nothing has changed"):
            run("edit", note="tayla", text="A smith.")

    def test_rename_keeps_the_id_and_remembers_the_name(self) -> None:
        after = done("rename", note="tayla", name="Tayla Reed")
        assert after["tayla"]["name"] == "Tayla Reed"
        assert [one["name"] for one in after["tayla"]["former"].values()] == ["Tayla"]

    def test_rename_to_a_former_name_forgets_it(self) -> None:
        once = run("rename", note="tayla", name="Tayla Reed").draft.state
        twice = done("rename", once, note="tayla", name="Tayla")
        assert [one["name"] for one in twice["tayla"]["former"].values()] == ["Tayla Reed"]

    def test_rename_to_the_name_of_another_note_is_refused(self) -> None:
        with pytest.raises(Refused, match="already a note called Old Ferry"):
            run("rename", note="tayla", name="old ferry")

    def test_kind_changes(self) -> None:
        assert done("kind", note="old_ferry", kind="thing")["old_ferry"]["kind"] == "thing"

    def test_delete_removes_the_note(self) -> None:
        assert list(done("delete", note="tayla")) == ["old_ferry"]

    @pytest.mark.parametrize("move", ["edit", "rename", "kind", "delete"])
    def test_change_without_a_note_is_refused(self, move: str) -> None:
        with pytest.raises(Refused, match="No notes yet"):
            run(move, table())

    def test_changes_never_tell_the_paragraph(self) -> None:
        played = run("edit", note="tayla", text="A smith. " * 200)
        assert GAME.changes(played.state, played.draft.state, "") == ["Tayla: text changed"]

    @pytest.mark.parametrize("name", [text for _, text in HOSTILE], ids=[about for about, _ in HOSTILE])
    def test_hostile_name_is_refused_or_shown_safely(self, name: str) -> None:
        made = run("make", name=name, kind="person", text=name)
        if name_problem(name.strip()):
            assert made.prompt
            assert made.prompt.key == "name"
            return
        if made.prompt:  # the paragraph is blank only for nothing at all
            assert made.prompt.key == "text"
            return
        (ident,) = made.draft.state["notes"].keys() - TABLE["notes"].keys()
        for told in (*GAME.changes(made.state, made.draft.state, ""), notes.told(made.draft.state, ident)):
            assert told == shown_line(told, 200)


class TestMentions:
    def test_known_name_is_found_in_any_case(self) -> None:
        assert mentions(TABLE, "I meet @TAYLA.") == [Mention("TAYLA", "tayla")]

    def test_longest_name_wins(self) -> None:
        state = table(note("Tayla"), note("Tayla Reed"), note("Old Tayla"))
        assert mentions(state, "@Tayla Reed and @Tayla and @old tayla") == [
            Mention("Tayla Reed", "tayla_reed"),
            Mention("Tayla", "tayla"),
            Mention("old tayla", "old_tayla"),
        ]

    def test_name_within_a_longer_word_is_not_the_note(self) -> None:
        assert mentions(TABLE, "@Taylan") == [Mention("Taylan", "")]

    def test_underscore_stands_for_a_space(self) -> None:
        assert mentions(TABLE, "at @old_ferry") == [Mention("old_ferry", "old_ferry")]
        assert mentions(TABLE, "at @the_tall_stone") == [Mention("the tall stone", "")]

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("I meet @Bran.", "Bran"),
            ("@Bran's knife", "Bran"),
            ("@Bran’s Knife", "Bran"),
            ("@Bran Oakheart says no", "Bran Oakheart"),
            ("@bran Oakheart", "bran"),
            ("(@Bran)", "Bran"),
            ("@Bran, Tom", "Bran"),
            ("@Jean-Luc", "Jean-Luc"),
            ("@Ærla", "Ærla"),
            ("@שרה", "שרה"),
        ],
    )
    def test_unknown_name_ends_where_capitals_end(self, text: str, name: str) -> None:
        assert mentions(TABLE, text) == [Mention(name, "")]

    @pytest.mark.parametrize("text", ["", "@", "a@b.example", "@ Tayla", "@@Tayla", "@!", "@_", "Tayla"])
    def test_text_without_a_mention_has_none(self, text: str) -> None:
        assert mentions(TABLE, text) == []

    def test_unknown_name_is_no_longer_than_a_name(self) -> None:
        (one,) = mentions(TABLE, "@" + "X" * 500)
        assert name_problem(one.name) is None

    def test_former_name_still_means_the_note(self) -> None:
        state = run("rename", note="tayla", name="The Smith").draft.state
        assert mentions(state, "@Tayla and @the smith") == [Mention("Tayla", "tayla"), Mention("the smith", "tayla")]

    def test_former_name_that_another_note_takes_means_that_one(self) -> None:
        state = run("rename", note="tayla", name="The Smith").draft.state
        state = fold(GAME.top, state, [{"at": "notes", "add": {"id": "tayla_2", "name": "Tayla"}}])
        assert mentions(state, "@Tayla") == [Mention("Tayla", "tayla_2")]
        assert notes.names(state, "tayla") == ["The Smith"]

    @pytest.mark.parametrize("name", ["a|b", "(", "x" * 60, "[bold]", "\\", "C++", "tab\tbed", "א ב"])
    def test_name_with_odd_characters_is_found(self, name: str) -> None:
        state = table({"at": "notes", "add": {"id": "odd", "name": name}})
        assert [one.note for one in mentions(state, f"see @{name}, then go")] == ["odd"]

    def test_name_that_a_hand_left_empty_matches_nothing(self) -> None:
        state = table({"at": "notes", "add": {"id": "empty", "name": ""}})
        assert mentions(state, "@ nobody @Bran") == [Mention("Bran", "")]

    def test_names_are_read_once_for_all_texts_and_again_when_they_change(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read: list[Any] = []
        known = notes._known

        def counted(there: Any) -> Any:
            read.append(there)
            return known(there)

        monkeypatch.setattr(notes, "_known", counted)
        state = table(note("Tayla"))
        for _ in range(5):
            assert mentions(state, "@Tayla and @Kara Vale") == [Mention("Tayla", "tayla"), Mention("Kara Vale", "")]
        elsewhere = fold(GAME.top, state, [{"at": "scene", "to": "The ford"}])
        assert mentions(elsewhere, "@Tayla")
        assert read == [state["notes"]]
        more = fold(GAME.top, elsewhere, [note("Kara Vale")])
        assert mentions(more, "@Kara Vale") == [Mention("Kara Vale", "kara_vale")]


class TestIsAbout:
    @pytest.mark.parametrize("text", ["@tayla came", "Tayla came", "of Tayla’s house", "Tayla"])
    def test_text_with_the_name_is_about_the_note(self, text: str) -> None:
        assert notes.is_about(TABLE, "tayla", text)

    @pytest.mark.parametrize("text", ["tayla came", "Taylan came", "a@Tayla", ""])
    def test_text_without_the_name_is_not(self, text: str) -> None:
        assert not notes.is_about(TABLE, "tayla", text)

    def test_text_about_a_longer_name_is_not_about_the_shorter_one(self) -> None:
        state = table(note("Tayla"), note("Tayla Reed"))
        assert not notes.is_about(state, "tayla", "Tayla Reed and @tayla reed")
        assert notes.is_about(state, "tayla_reed", "Tayla Reed came")


class TestActions:
    def test_known_name_opens_the_note(self) -> None:
        action = notes.open_or_make(TABLE, "tayla")
        assert (action.opens, action.start.answers) == ("note", (("note", "tayla"),))

    def test_unknown_name_makes_the_note(self) -> None:
        action = notes.open_or_make(TABLE, "Bran")
        assert (action.opens, action.start.procedure, action.start.answers) == ("", notes.MAKE, (("name", "Bran"),))
