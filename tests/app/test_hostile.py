"""Text from outside is shown as typed, whatever it is, on every screen, and no terminal acts on it."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn
from tests.hostile import HOSTILE

from tracker.saves.errors import SaveError
from tracker.saves.saves_folder import name_problem

SAFE = [(label, text) for label, text in HOSTILE if text.strip() and "\udc80" not in text]
SOME = [SAFE[n::3] for n in range(3)]
"""Many at a time: a start of the app costs more than a name."""


def acts_on_a_terminal(char: str) -> bool:
    return (
        char != "\n" and unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}
    ) or char in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"


def harmless(player: Player) -> None:
    acting = {char for char in set(player.text) if acts_on_a_terminal(char)}
    assert not acting, f"{acting} on {player.screen}"


async def through_every_screen(player: Player) -> None:
    for keys in (
        ("m", "f", "a", "escape", "escape"),
        ("question_mark", "escape"),
        ("r", "escape"),
        ("t", "enter", "escape"),
        ("v", "escape"),
        ("x", "escape"),
        ("u", "ctrl+r"),
        ("J", "up", "k", "e", "escape", "f", "f", "escape"),
        ("b", "down", "enter", "escape", "escape"),
        ("p", "right", "k", "escape", "escape"),
        ("o", "down", "escape"),
        ("/", "a", "escape", "escape"),
        ("s", "escape"),
        ("n", "escape"),
        ("l", "l", "l", "l"),
        ("ctrl+p", "a", "escape", "escape"),
    ):
        for key in keys:
            await player.press(key)
            harmless(player)
    for size in ((60, 18), (50, 15), (120, 40)):
        await player.pilot.resize_terminal(*size)
        await player.rest()
        harmless(player)
    await player.press("q")
    harmless(player)


@pytest.mark.part(3)
@pytest.mark.parametrize("names", SOME, ids=[names[0][0] for names in SOME])
def test_hostile_names_and_journal_lines_are_shown_safely(names: list[tuple[str, str]], tmp_path: Path) -> None:
    people = [{**KARA, "id": f"p{n}", "name": text} for n, (_, text) in enumerate(names)]
    vows = [{**HEIR, "id": f"v{n}", "name": text} for n, (_, text) in enumerate(names)]

    async def act(player: Player) -> None:
        for n, (_, text) in enumerate(names):
            player.session.write(text, f"p{n}")
            player.table.player.active = f"p{n}"
            player.table.show(f"{n}")
            await player.rest()
            harmless(player)
        await through_every_screen(player)

    play(campaign(tmp_path, *in_party(*people), *sworn(*vows)), act)


def test_brackets_are_shown_as_typed(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.session.write("a [/oops] and [bold red]b", "kara")
        player.table.show()
        await player.rest()
        assert "a [/oops] and [bold red]b" in player.text
        assert "Ana [/oops]" in player.text
        assert "[bold]Find[/]" in player.text

    name, vow = {**KARA, "name": "Ana [/oops]"}, {**HEIR, "name": "[bold]Find[/]"}
    play(campaign(tmp_path, *in_party(name), *sworn(vow)), act)


def test_journal_holds_the_line_as_typed(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for _, text in [one for one in SAFE if len(one[1]) < 200][::2]:
            await player.press("j")
            await player.type(text)
            harmless(player)
            await player.press("enter")
            harmless(player)
            if kept := "\n".join(" ".join(line.split()) for line in text.splitlines()).strip():
                assert player.entries()[-1]["text"] == kept

    play(campaign(tmp_path, *in_party(KARA)), act, size=(80, 24))


def test_hostile_file_names_are_listed_safely(tmp_path: Path) -> None:
    made = 0
    for _, text in HOSTILE:
        try:
            campaign(tmp_path, *in_party(KARA), name=text)
        except (SaveError, OSError, ValueError):
            continue  # no file can be called this
        made += 1
    assert made > 10

    async def act(player: Player) -> None:
        harmless(player)
        for _ in range(made + 2):
            await player.press("down")
            harmless(player)

    play(tmp_path, act, size=(80, 24))


def test_invalid_campaign_names_are_refused_in_one_safe_sentence() -> None:
    for _, text in HOSTILE:
        problem: Any = name_problem(text)
        if problem is not None:
            assert not any(map(acts_on_a_terminal, problem)), repr(text)
            assert "\n" not in problem, repr(text)
