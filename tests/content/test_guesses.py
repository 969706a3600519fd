"""Guesses about abilities that nobody has read, and the key that finds a reading."""

from __future__ import annotations

import pytest

from tracker.content import pack_abilities
from tracker.content.pack_abilities import Reading, guesses, key_of, with_gifts
from tracker.games.api.content import Ability, Asset, Flag, Meter

MOVES = ("strike", "clash", "face_danger", "secure_an_advantage")
STRIKE = "[Strike](datasworn:move:classic/combat/strike)"
CLASH = "[Clash](id:classic/moves/combat/clash)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"When you {STRIKE} from the left, add +1.", ["+1 strike"]),
        (f"When you {STRIKE} or {CLASH}, add +2 and take +1 momentum on a hit.",
         ["+2 strike/clash", "momentum +1 strike/clash on hit"]),
        (f"If you {CLASH} in the mud, __reroll any dice__.", ["reroll clash"]),
        (f"If you {CLASH} in the mud, reroll one challenge die.", ["reroll one_challenge clash"]),
        (f"If you {CLASH} in the mud, reroll one die.", ["reroll one clash"]),
        (f"If you {CLASH} in the mud, reroll your action die.", ["reroll action clash"]),
        (f"You may {STRIKE} by surprise: roll +shadow. On a strong hit, inflict +1 harm.",
         ["roll shadow strike", "harm +1 strike on strong_hit"]),
        (f"After you {STRIKE}, on a weak hit, add +1 to what comes next.", []),
        ("Add +1 when the moon is up.", []),
        ("When you [Dance](datasworn:move:other/dance), add +1.", []),
        (f"When you {STRIKE}, take +1 momentum.", []),
    ],
)  # fmt: skip
def test_guesses_take_only_common_phrases_about_known_moves(text: str, found: list[str]) -> None:
    assert list(guesses(text, MOVES)) == found


def test_key_depends_on_the_words_only() -> None:
    same = [f"When you {STRIKE}, __add +1__.", "when  you Strike, add +1", "When you *Strike* {{table:x}} add +1!"]
    assert len({key_of(text) for text in same}) == 1
    assert key_of("When you Strike, add +2.") != key_of(same[0])


def test_ability_without_a_reading_gives_nothing_by_itself() -> None:
    ability = Ability(f"When you {STRIKE}, add +1.", marked=True)
    asset = with_gifts(Asset("x/y", "Mine", "path", (ability,)), MOVES)
    assert asset.abilities == (Ability("When you Strike, add +1.", marked=True, guesses=("+1 strike",)),)


def test_reading_adds_the_boxes_and_numbers_that_the_card_does_not_print(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "When you tie the knot, it holds until the dice say otherwise."
    reading = Reading(
        ("its tight_knot on own on hit", "its charge 2 own on hit", "its health +1 use", "its worn off use")
    )
    monkeypatch.setattr(pack_abilities, "known", lambda: {key_of(words): reading})
    card = Asset("x/knot", "Knot", "ritual", (Ability(words),), flags=(Flag("worn", "worn out"),))
    asset = with_gifts(card, MOVES)
    assert asset.abilities[0].gives == reading.gives
    assert asset.flags == (Flag("worn", "worn out"), Flag("tight_knot", "tight knot"))
    assert asset.meters == (Meter("charge", "charge", kind="counter"),)
