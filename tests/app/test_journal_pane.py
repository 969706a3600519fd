"""The journal pane: the story has room, mechanics are quiet."""

from __future__ import annotations

from pathlib import Path

from tests.app.helpers import KARA, Player, QuickDisk, campaign, in_party, play

from tracker.app.widgets.journal_pane import IN_FULL, JournalView, journal, wrap_entry
from tracker.campaign.session import Session
from tracker.dice import ScriptedDice


def rows(session: Session) -> list[str]:
    """Return the rows of the journal, oldest first."""
    return [row for item in reversed(list(journal(session))) for row in item.plain.split("\n")]


def opened(tmp_path: Path) -> Session:
    return Session.open(str(campaign(tmp_path, *in_party(KARA))), disk=QuickDisk())


def test_passages_have_a_blank_row_between_them(tmp_path: Path) -> None:
    session = opened(tmp_path)
    try:
        session.write("Rain.", "kara")
        session.write("The ford is cold.", "kara")
        assert rows(session)[-4:] == ["", "Rain.", "", "The ford is cold."]
    finally:
        session.close()


def test_emphasis_is_shown_without_its_asterisks(tmp_path: Path) -> None:
    session = opened(tmp_path)
    try:
        session.write("She *never* came, 2 * 3 * 4 times.", "kara")
        item = next(journal(session))
        assert item.plain.strip() == "She never came, 2 * 3 * 4 times."
        assert [item.plain[span.start : span.end] for span in item.spans if "italic" in str(span.style)] == ["never"]
    finally:
        session.close()


def test_roll_is_told_in_one_line(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.app.dice = ScriptedDice({"action": 6, "challenge": [2, 3]})
        await player.press("m", *"face danger", "enter", "e", "enter")
        newest = next(journal(player.session)).plain
        assert newest.startswith("  ■■ strong hit  Face Danger  ")
        assert "momentum 2 → 3" in newest
        assert "\n" not in newest

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_short_journal_is_shown_in_full(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.app.dice = ScriptedDice({"action": 6, "challenge": [2, 3]})
        await player.press("m", *"face danger", "enter", "e", "enter")
        await player.settle()
        pane = " ".join(row.plain.strip() for row in player.table.query_one(JournalView).text_rows())
        assert "strong hit" in pane
        assert "momentum 2 → 3" in pane

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_older_mechanics_have_one_row_in_the_pane_and_all_words_in_the_full_journal(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for n in range(30):
            player.session.write(f"Line {n}.", "kara")
        player.app.dice = ScriptedDice({"action": 6, "challenge": [2, 3]})
        await player.press("m", *"face danger", "enter", "e", "enter", "l")
        await player.settle()
        pane = player.table.query_one(JournalView)

        def told() -> list[str]:
            rows = (row.plain for row in pane.text_rows())
            return [row for row in rows if "strong hit" in row or "momentum" in row]

        assert told()[-1].endswith("momentum 2 → 3")
        for _ in range(IN_FULL):
            await player.press("j", "x", "enter")
        await player.settle()
        assert len(told()) == 1
        assert told()[0].endswith("…")
        await player.press("J")
        await player.sees("momentum 2 → 3")

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_newest_entry_is_whole_after_the_pane_has_shown_others(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for n in range(30):
            player.session.write(f"Line {n}.", "kara")
        await player.press("l")
        await player.settle()
        pane = player.table.query_one(JournalView)
        pane.text_rows()
        player.app.dice = ScriptedDice({"action": 6, "challenge": [2, 3]})
        await player.press("m", *"face danger", "enter", "e", "enter")
        await player.settle()
        assert pane.text_rows()[-1].plain.endswith("momentum 2 → 3")

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_name_of_a_move_comes_before_the_words_of_its_outcome(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.app.dice = ScriptedDice({"action": 6, "challenge": [2, 3]})
        await player.press("m", *"face danger", "enter", "e", "enter")
        newest = next(journal(player.session))
        assert wrap_entry(newest, 32, brief=True)[0].plain == "  ■■ strong hit  Face Danger  9…"
        assert wrap_entry(newest, 27, brief=True)[0].plain == "  ■■ Face Danger  9 (+edge…"
        player.app.dice = ScriptedDice({"oracle": 44})
        await player.press("o", "3", "enter")
        [answer] = wrap_entry(next(journal(player.session)), 20, brief=True)
        assert answer.plain.startswith("  44 no")

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_hand_edits_of_one_number_are_joined(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for at, by in (("supply", -1), ("kara.momentum", 1), ("supply", -1), ("supply", -1)):
            player.table.change({"at": at, "by": by})
        assert rows(player.session)[-1].strip() == "supply 5 → 2, momentum 2 → 3"

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_undone_line_is_only_in_the_full_journal(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("j", *"Rain", "enter", "u")
        await player.settle()
        pane = player.table.query_one(JournalView)
        assert "Rain" not in "".join(row.plain for row in pane.text_rows())
        await player.press("J")
        await player.sees("Rain  undone")

    play(campaign(tmp_path, *in_party(KARA)), act, size=(120, 40))
