"""The tables of the game: its ranges, our words."""

from __future__ import annotations

Table = tuple[tuple[int, int, str], ...]

PAY_THE_PRICE: Table = (
    (1, 2, "roll again, and it is worse; twice in a row, and it turns the quest on its head"),
    (3, 5, "somebody you trusted lets you down, or turns on you"),
    (6, 9, "somebody you care about is in danger now"),
    (10, 16, "you lose sight of somebody or something"),
    (17, 23, "what you did has a side you had not thought of"),
    (24, 32, "something of worth is gone or broken"),
    (33, 41, "your position gets worse"),
    (42, 50, "a new danger or a new foe shows its face"),
    (51, 59, "it takes too long, or somebody else is ahead"),
    (60, 68, "it hurts: harm"),
    (69, 76, "it weighs on you: stress"),
    (77, 85, "a surprise tangles up your quest"),
    (86, 90, "supplies or efforts go to waste"),
    (91, 94, "you have to act against what you meant to do"),
    (95, 98, "a friend, a companion or an ally is at risk; alone, you are"),
    (99, 100, "roll twice: both happen; the same twice, and it is worse"),
)


HARM: Table = (
    (1, 10, "a mortal wound: face death"),
    (11, 20, "you are dying: be healed within the hour or two, or face death"),
    (21, 35, "you black out; left alone you wake in an hour or two, but a cruel foe makes it face death"),
    (36, 50, "you reel; before you strain yourself again, rest, or roll here once more"),
    (51, 100, "battered, but on your feet"),
)

STRESS: Table = (
    (1, 10, "it is too much: face desolation"),
    (11, 25, "you give up: forsake a vow"),
    (26, 50, "a fear or an urge gets the better of you"),
    (51, 100, "you hold on"),
)


def row(table: Table, face: int) -> tuple[int, int, str]:
    """The row that this face hits."""
    return next(entry for entry in table if entry[0] <= face <= entry[1])
