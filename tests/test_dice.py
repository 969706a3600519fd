"""Dice that a player rolls and types in."""

from __future__ import annotations

import pytest

from tracker.dice import Wanted, parse_faces

ACTION: Wanted = {"action": 6, "challenge": (10, 10)}


@pytest.mark.parametrize("text", ["5 9 2", "5,9,2", "592", " 592 "])
def test_typed_faces_of_three_dice_need_no_spaces(text: str) -> None:
    assert parse_faces(text, ACTION) == {"action": 5, "challenge": [9, 2]}


def test_typed_zero_without_spaces_is_ten() -> None:
    assert parse_faces("570", ACTION) == {"action": 5, "challenge": [7, 10]}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("12", {"hope": 12, "fear": 12}, id="one die of twelve sides"),
        pytest.param("10", {"challenge": (10, 10)}, id="one ten"),
        pytest.param("59", ACTION, id="a die is missing"),
    ],
)
def test_typed_faces_without_spaces_are_refused_if_they_can_mean_fewer_dice(text: str, wanted: Wanted) -> None:
    with pytest.raises(ValueError, match=r"Type [23] "):
        parse_faces(text, wanted)
