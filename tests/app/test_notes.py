"""World notes in the app: made from the journal, from the oracle and from a foe; found, renamed, undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn
from tests.hostile import HOSTILE

from tracker.app.widgets.line_input import LineInput
from tracker.campaign.session import Session

TAYLA = {"id": "tayla", "name": "Tayla", "kind": "person", "text": "A smith with burned hands."}
FERRY = {"id": "old_ferry", "name": "Old Ferry", "kind": "place", "text": "It crosses at dusk."}


def noted(*notes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"at": "notes", "add": note} for note in notes]


def notes(player: Player) -> Any:
    return player.session.state["notes"]


async def write(player: Player, text: str) -> None:
    await player.press("j")
    await player.type(text)
    await player.press("enter")


async def searched(player: Player) -> None:
    await player.until(lambda: "Searching the journal" not in player.text)


class TestMaking:
    def test_unknown_name_in_a_line_is_offered_and_made_with_one_key(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await write(player, "I meet @Bran at the gate.")
            assert player.notice == "No note on Bran yet: W makes one."
            await player.press("W")
            await player.sees("What do you know about Bran")
            await player.type("A jackdaw keeper.")
            await player.press("enter")
            await player.sees("new note: Bran (person)")
            await player.press("enter")
            assert notes(player)["bran"]["text"] == "A jackdaw keeper."
            assert player.entries()[-2]["text"] == "I meet @Bran at the gate."
            await player.press("u")
            assert not notes(player)
            await player.press("ctrl+r")
            assert notes(player)["bran"]["kind"] == "person"

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_known_name_in_a_line_is_linked(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await write(player, "@TAYLA waits at the @old ferry.")
            assert player.notice == "Linked: Tayla, Old Ferry."

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA, FERRY)), act)

    def test_offer_goes_to_the_next_name_after_the_first_is_made(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await write(player, "@Bran and @Odd")
            await player.press("W", "enter", "enter", "W")
            await player.sees("What do you know about Odd")

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_new_note_without_an_offer_asks_for_the_name(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("W")
            await player.sees("Who, where, or what is it?")
            await player.type("Bran")
            await player.press("enter", "enter", "l", "enter")
            assert notes(player)["bran"]["kind"] == "place"

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_line_of_the_full_journal_offers_too(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("J")
            await write(player, "@Bran")
            await player.sees("No note on Bran yet: W makes one.")
            await player.press("W", "enter", "enter")
            assert list(notes(player)) == ["bran"]

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_command_line_writes_and_offers(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press(":")
            await player.type("say @Bran is here")
            await player.press("enter")
            assert player.notice == "No note on Bran yet: W makes one."

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_read_only_campaign_makes_no_note(self, tmp_path: Path) -> None:
        path = campaign(tmp_path, *in_party(KARA), *noted(TAYLA))
        holder = Session.open(str(path))

        async def act(player: Player) -> None:
            await player.press("W")
            assert player.screen == "TableScreen"
            await player.press("w")
            assert "Make a note" in player.text
            await player.press("end", "enter")
            assert player.screen == "NoteScreen"
            await player.press("d")
            assert list(notes(player)) == ["tayla"]

        try:
            play(path, act)
        finally:
            holder.close()


class TestElsewhere:
    def test_answer_of_the_oracle_becomes_the_text_of_a_note(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "3")
            await player.sees("w Make note")
            await player.press("w")
            await player.sees("Who, where, or what is it?")
            await player.type("The gate")
            await player.press("enter", "l", "enter")
            await player.until(lambda: player.screen == "TableScreen")
            assert notes(player)["the_gate"]["kind"] == "place"
            assert notes(player)["the_gate"]["text"]

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_note_of_an_answer_does_not_begin_with_the_name_of_another_note(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("W", *"Grell", "escape", "o", "3", "w")
            await player.sees("Who, where, or what is it?")
            assert player.app.screen.query_one(LineInput).value == ""
            await player.press("escape", "W")
            await player.sees("Who, where, or what is it?")
            assert player.app.screen.query_one(LineInput).value == "Grell"

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_leaving_the_note_keeps_the_answer(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "3", "w", "escape")
            await player.until(lambda: player.screen == "TableScreen")
            assert player.entries()[-1]["did"] == "fate/ask_the_oracle"
            assert not player.entries()[-1].get("open")

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_foe_becomes_a_note_and_opens_it_afterwards(self, tmp_path: Path) -> None:
        bear = {"id": "bear", "name": "Bear", "kind": "fight", "rank": "dangerous"}

        async def act(player: Player) -> None:
            track = player.session.game.tracks(player.session.state)[0]
            player.table.pick_for_track(track)
            await player.rest()
            await player.press("@")
            await player.sees("What do you know about Bear")
            await player.press("enter", "t", "enter")
            assert notes(player)["bear"]["kind"] == "thing"
            player.table.pick_for_track(track)
            await player.rest()
            await player.press("@")
            await player.sees("Bear, thing")

        play(campaign(tmp_path, *in_party(KARA), *sworn(bear)), act)

    def test_vow_is_linked_and_keeps_its_note_when_that_is_renamed(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            track = player.session.game.tracks(player.session.state)[0]
            player.table.pick_for_track(track)
            await player.rest()
            await player.press("@")
            await player.sees("Which note is it about?")
            await player.press("enter")
            await player.until(lambda: player.screen == "TableScreen")
            assert player.session.state["tracks"]["heir"]["noted"] == "tayla"
            rename = player.session.begin("notes/rename", "", (("note", "tayla"), ("name", "The Smith")))
            player.session.finish(rename)
            (vow,) = player.session.game.tracks(player.session.state)
            assert "@The Smith, person" in vow.note
            await player.press("u", "u")
            assert player.session.state["tracks"]["heir"]["noted"] == ""

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR), *noted(TAYLA)), act)

    def test_bond_with_the_name_of_a_note_points_to_it_and_opens_it(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            run = player.session.begin("sheet/bond", "kara", (("with", "tayla"), ("note", "owes me")))
            player.session.finish(run)
            assert player.kara["bonds"]["tayla"]["noted"] == "tayla"
            await player.press("b")
            await player.sees("owes me, @Tayla, person")
            for holding in player.session.game.belongings(player.session.state, "kara"):
                for thing in holding.things:
                    if thing.id == "tayla":
                        (action,) = (one for one in thing.actions if one.key == "@")
                        player.app.screen.begin(action)  # type: ignore[attr-defined]
            await player.sees("A smith with burned hands.")

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act, size=(120, 40))


class TestList:
    def test_list_groups_notes_and_shows_the_paragraph(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("w")
            await player.sees("A smith with burned hands.")
            text = player.text
            assert text.index("People") < text.index("1 Tayla") < text.index("Places") < text.index("2 Old Ferry")

        play(campaign(tmp_path, *in_party(KARA), *noted(FERRY, TAYLA)), act, size=(120, 40))

    def test_letters_search_names_and_paragraphs(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("w", "f", "e", "r", "r")
            assert "Old Ferry" in player.text
            assert "Tayla" not in player.text
            await player.press("escape", *"burned")
            assert "Tayla" in player.text
            await player.press("enter")
            assert player.screen == "NoteScreen"

        play(campaign(tmp_path, *in_party(KARA), *noted(FERRY, TAYLA)), act)

    def test_typed_name_that_no_note_has_is_made(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("w", *"Bran", "enter")
            await player.sees("What do you know about Bran")
            await player.press("enter", "t", "enter")
            assert notes(player)["bran"]["kind"] == "thing"
            await player.until(lambda: player.screen == "NotesScreen")
            await player.press("enter")
            await player.sees("Bran, thing")

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act)

    @pytest.mark.parametrize("way", ["notes", "palette"])
    def test_list_opens_by_command_and_palette(self, tmp_path: Path, way: str) -> None:
        async def act(player: Player) -> None:
            if way == "notes":
                await player.press(":")
                await player.type("notes")
            else:
                await player.press("ctrl+p", *"world notes")
            await player.press("enter")
            await player.until(lambda: player.screen == "NotesScreen")

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act)

    def test_find_lists_notes(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("/")
            await player.type("old ferry")
            await player.sees("World notes")
            await player.press("enter")
            await player.until(lambda: player.screen == "NoteScreen")

        play(campaign(tmp_path, *in_party(KARA), *noted(FERRY)), act)

    def test_find_lists_notes_whose_text_has_the_word(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("/")
            await player.type("burned hands")
            await player.sees("Tayla: A smith with burned hands.")

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act)


class TestNote:
    def test_journal_lines_are_listed_newest_first_and_open_the_journal(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            for line in ("First @Tayla.", "Nobody.", "Last Tayla."):
                await write(player, line)
            await player.press("w", "enter")
            await searched(player)
            text = player.text
            assert text.index("A smith") < text.index("Last Tayla.") < text.index("First @Tayla.")
            assert "Nobody." not in text
            await player.press("down", "down", "enter")
            await player.until(lambda: player.screen == "JournalScreen")
            await player.settle()
            item = player.app.screen.reader.here  # type: ignore[attr-defined]
            assert item.text == "First @Tayla."
            await player.press("w")
            await player.until(lambda: player.screen == "NoteScreen")

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act)

    def test_lines_from_before_the_snapshot_are_listed(self, tmp_path: Path) -> None:
        path = campaign(tmp_path, *in_party(KARA), *noted(TAYLA))
        session = Session.open(str(path))
        session.write("Long ago @Tayla sang.")
        for n in range(700):
            session.write(f"Line {n}")
        session.close()

        async def act(player: Player) -> None:
            assert player.session.log.upto
            await player.press("w", "enter")
            await player.sees("Long ago @Tayla sang.")
            await player.press("end", "up", "enter")
            await player.until(lambda: player.screen == "JournalScreen")
            await player.settle()
            assert player.app.screen.reader.here.text == "Long ago @Tayla sang."  # type: ignore[attr-defined]

        play(path, act)

    def test_rename_keeps_lines_and_undo_restores_the_name(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await write(player, "I meet @Tayla.")
            await player.press("w", "enter", "n")
            await player.sees("New name?")
            await player.press("ctrl+u")
            await player.type("The Smith")
            await player.press("enter")
            await player.sees("Tayla is now called The Smith")
            await player.press("enter")
            await player.sees("formerly Tayla")
            await searched(player)
            assert "I meet @Tayla." in player.text
            await player.press("u")
            await player.sees("Tayla, person")
            assert notes(player)["tayla"]["former"] == {}

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act)

    def test_edit_kind_and_delete_change_the_note(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("w", "enter", "e")
            await player.press("ctrl+u")
            await player.type("She left.")
            await player.press("enter", "enter")
            assert notes(player)["tayla"]["text"] == "She left."
            await player.press("k", "t", "enter")
            assert notes(player)["tayla"]["kind"] == "thing"
            await player.press("d", "enter")
            assert not notes(player)
            await player.sees("This note is gone")
            await player.press("u")
            await player.sees("She left.")

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act)

    def test_long_paragraph_scrolls_to_its_end(self, tmp_path: Path) -> None:
        long = {**TAYLA, "text": " ".join(f"word{n}" for n in range(250))}

        async def act(player: Player) -> None:
            await write(player, "@Tayla")
            await player.press("w", "enter")
            await searched(player)
            assert "word0 " in player.text
            assert "word249" not in player.text
            await player.press("end", "up")
            await player.sees("word249")

        play(campaign(tmp_path, *in_party(KARA), *noted(long)), act)

    def test_search_runs_in_a_thread_and_the_screen_shows_at_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import threading

        from tracker.campaign import mentions

        free, real = threading.Event(), mentions.lines_about

        def held(*arguments: Any) -> Any:
            assert free.wait(30)
            return real(*arguments)

        monkeypatch.setattr(mentions, "lines_about", held)

        async def act(player: Player) -> None:
            await write(player, "I meet @Tayla.")
            await player.press("w", "enter")
            try:
                await player.sees("A smith with burned hands.")
                assert "Searching the journal" in player.text
            finally:
                free.set()
            await player.sees("I meet @Tayla.")

        play(campaign(tmp_path, *in_party(KARA), *noted(TAYLA)), act)


@pytest.mark.parametrize("size", [(80, 24)])
def test_hostile_notes_are_shown_safely_everywhere(tmp_path: Path, size: tuple[int, int]) -> None:
    hostile: list[dict[str, Any]] = [
        {"id": f"n{n}", "name": text, "kind": "thing", "text": text * 3, "former": {"a": {"name": text}}}
        for n, (_, text) in enumerate(HOSTILE)
        if text == text.encode("utf-8", "replace").decode()  # no save holds half a character
    ]

    async def act(player: Player) -> None:
        def check() -> None:
            text = player.text
            assert not [char for char in text if ord(char) < 32 and char != "\n"], text
            assert "\u202e" not in text

        await player.press("w")
        check()
        for note in hostile:
            player.table.open_note(note["id"])
            await player.rest()
            check()
            player.app.pop_screen()
            await player.rest()
        await player.press("escape")
        for name in ("x\u202ey", "[bold]Ana[/]", "\x1b[31m", "A" * 500):
            await write(player, f"I meet @{name} today.")
            check()
            assert len(player.notice) <= 400

    play(campaign(tmp_path, *in_party(KARA), *noted(*hostile)), act, size=size)
