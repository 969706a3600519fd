"""Statistics in sentences: for plain mode, the command line, and beside the plots of the app."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.campaign.statistics import DieTally, FeatTally, MoveTally, RollTally, Series, Statistics, Streak
from tracker.games.api.phrases import arrow, counted
from tracker.text import shown_line

_LUCKY = ((0.03, "very lucky"), (0.2, "lucky"), (0.8, "about average"), (0.97, "unlucky"), (2.0, "very unlucky"))
"""Words for the chance of at least this much luck, up to each limit."""
RARE_DIE = 0.01
"""Chance of a fair die below which a die is called suspicious."""
NONE = "Nothing to count yet: make a move, and it shows up here."


def percent(chance: float) -> str:
    """Return a chance in percent, with as many digits as a very small or very large chance needs."""
    if chance < 0.0001:
        return "less than 0.01%"
    if chance < 0.01:
        return f"{100 * chance:.2g}%"
    return "more than 99%" if 0.99 < chance < 1 else f"{100 * chance:.0f}%"


def number(value: float) -> str:
    """Return a number as text with one digit after the point and commas in thousands, such as "1,209.4"."""
    return f"{value:,.1f}"


def luck_in_a_word(chance: float) -> str:
    """Return the word for rolls that have this chance of at least as much luck, such as "unlucky"."""
    return next(words for limit, words in _LUCKY if chance <= limit)


def luck(rolls: RollTally) -> str:
    """Return a sentence about the luck of the rolls, or that they are too few to judge; "" if no odds are known."""
    if not rolls.luck:
        return ""
    chance = rolls.luck.chance
    if chance is None:
        return "Too few rolls to judge."
    word, often = luck_in_a_word(chance), percent(chance)
    return f"The dice were {word}: rolls like these go this well or better {often} of the time."


def points(rolls: RollTally) -> str:
    """Return a sentence that explains the points by which luck is measured; "" if no odds are known."""
    if not rolls.luck:
        return ""
    names = [outcome.name for outcome in reversed(rolls.outcomes)]
    worth = ", ".join(f"{name} {n}" for n, name in enumerate(names))
    return f"{counted(rolls.luck.points, 'point')}, expected {number(rolls.luck.expected)} ({worth})."


def streaks(rolls: RollTally) -> str:
    """Return a sentence about the longest series of good and of bad outcomes; "" if there is none of two or more."""
    told = [
        f"{word}: {streak.length} ({_how_rare(streak)})"
        for word, streak in (("longest good streak", rolls.best), ("longest bad streak", rolls.worst))
        if streak.length > 1
    ]
    return f"{'; '.join(told)}.".capitalize() if told else ""


def _how_rare(streak: Streak) -> str:
    return f"chance in these rolls: {percent(streak.chance)}"


def matches(rolls: RollTally) -> str:
    """Return a sentence about matching dice; "" if this kind of roll has none."""
    if not rolls.kind.match:
        return ""
    several = {"match": "matches"}.get(rolls.kind.match, f"{rolls.kind.match}s")
    word = rolls.kind.match if rolls.matches == 1 else several
    return f"{rolls.matches} {word}, expected {number(rolls.matches_expected)}."


def outcomes(rolls: RollTally) -> str:
    """Return a sentence that says how often the dice gave each outcome, before any change, and how often is expected.

    It begins with `title`.
    """
    told = ", ".join(f"{one.name} {one.fell} (expected {number(one.expected)})" for one in rolls.outcomes)
    return f"{title(rolls)} {told}."


def title(rolls: RollTally) -> str:
    """Return the heading of a kind of roll, such as "12 action rolls:"."""
    first, *rest = rolls.kind.name.split(" ")
    plural = rolls.kind.name if rolls.times == 1 else _plural(first, rest)
    unknown = rolls.times - rolls.known
    return f"{rolls.times} {plural}{f', {unknown} of them with unknown odds' if unknown else ''}:"


def _plural(first: str, rest: list[str]) -> str:
    """Return the plural of the name of a kind of roll, given as its first word and the rest: "action rolls".

    A name that begins with "roll" has the plural there: "rolls against a secret Difficulty".
    """
    return " ".join([f"{first}s", *rest]) if first == "roll" else " ".join([first, *rest]) + "s"


def changed(rolls: RollTally) -> str:
    """Return a sentence with the number of each outcome after rerolls and other changes.

    Return "" if these changed no number, or if the odds of some rolls are unknown.
    """
    if all(one.times == one.fell for one in rolls.outcomes) or rolls.known < rolls.times:
        return ""
    told = ", ".join(f"{one.name} {one.times}" for one in rolls.outcomes)
    return f"After rerolls and other changes: {told}."


def die(one: DieTally) -> str:
    """Return a phrase about a die: how often it was rolled, its mean, and how it compares with a fair one."""
    fair = (len(one.faces) + 1) / 2
    told = f"{one.name}{f' ({one.source})' if one.source else ''}: {counted(one.times, 'roll')}"
    told += f", average {number(one.mean)} (fair {number(fair)})"
    if one.stray is None:
        return f"{told}; too few to judge"
    if one.stray < RARE_DIE:
        return f"{told}; suspicious: a fair die strays this far {percent(one.stray)} of the time"
    return f"{told}; a fair die strays this far {percent(one.stray)} of the time"


def faces(one: DieTally) -> str:
    """Return how often each face came up, such as "1: 4, 2: 6".

    The faces of a die with more than 20 sides are counted in at most ten groups: "1 to 10: 8".
    """
    step = 1 if len(one.faces) <= 20 else -(-len(one.faces) // 10)
    told = []
    for at in range(0, len(one.faces), step):
        last = min(at + step, len(one.faces))
        told.append(f"{at + 1 if step == 1 else f'{at + 1} to {last}'}: {sum(one.faces[at:last])}")
    return ", ".join(told)


def move(one: MoveTally) -> str:
    """Return a phrase about a move: its name, how often it was made, and how often each kind of outcome came up."""
    ends = [f"{many} {word}" for many, word in ((one.good, "good"), (one.mid, "mixed"), (one.bad, "bad")) if many]
    told = f" ({', '.join(ends)})" if ends else ""
    return f"{one.name} {one.times}{told}"


def feat(one: FeatTally) -> str:
    """Return a phrase about something that was done, such as burning momentum: how often, its cost, up to 6 results."""
    cost = f" for {one.paid} {one.unit}" if one.paid else ""
    what = ", ".join(f"{words} {times}" for words, times in one.what[:6])
    return f"{one.name} {one.times}{cost}{f': {what}' if what else ''}"


def series(one: Series) -> str:
    """Return a phrase about a number over time: its first and last, lowest and highest values."""
    values = [value for _, value in one.points]
    whose = f"{one.who}: " if one.who else ""
    return f"{whose}{one.label} {arrow(values[0], values[-1])}, lowest {min(values)}, highest {max(values)}"


def scope(found: Statistics) -> str:
    """Return which sessions and which character the statistics cover, such as "Session 3, Kara"."""
    numbers = [number for number, _ in found.sessions]
    several = (
        f"Sessions {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"Session {numbers[0]}" if numbers else ""
    )
    return ", ".join(filter(None, (several, shown_line(found.who))))


def sentences(found: Statistics) -> Iterator[str]:
    """Yield the statistics as lines of text: what they cover, then rolls, dice, moves, feats and changed numbers.

    If there is nothing to count, yield only NONE.
    """
    if found.is_empty:
        yield NONE
        return
    told = f"{counted(found.moves_made, 'move')} and {counted(found.passages, 'journal line')}"
    yield f"{scope(found)}: {told}."
    for rolls in found.rolls:
        parts = (outcomes(rolls), changed(rolls), luck(rolls), points(rolls), matches(rolls), streaks(rolls))
        yield " ".join(filter(None, parts))
    for each_die in found.dice:
        yield f"{die(each_die)}." + (f" {faces(each_die)}." if each_die.stray is not None else "")
    rolled = [one for one in found.moves if one.good + one.mid + one.bad]
    for heading, some in (("Moves with a roll", rolled), ("Other moves", [m for m in found.moves if m not in rolled])):
        if some:
            yield f"{heading}: {'; '.join(map(move, some))}."
    for done in found.feats:
        words = feat(done)
        yield f"{words[:1].upper()}{words[1:]}."
    for one in found.series:
        if len(one.points) > 1:
            yield f"{series(one)}."
