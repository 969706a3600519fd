"""What an ability gives, as data: one line of text such as `momentum +1 strike/clash on hit`, and the parser for it.

Content files, readings of packs and saves use the same text. docs/content.md describes it for players.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

from tracker.games.api.schema import is_id
from tracker.records import NamedTuple
from tracker.text import shown_line

ANY_MOVE = "any"
OWN_MOVE, RITUAL, USE, MARKED = "own", "ritual", "use", "marked"
SCOPES = (ANY_MOVE, OWN_MOVE, RITUAL, USE, MARKED)
"""Words in place of a move: any roll, the asset's own move, the own move of any ritual, use by hand, being marked."""
STATS = ("edge", "heart", "iron", "shadow", "wits")
ROLLED = (*STATS, "health", "spirit", "supply")
"""Numbers of a character that can be rolled with."""
NUMBERS = (
    *("momentum", "health", "spirit", "supply", "experience"),
    *("harm", "stress", "progress", "patient", "companions", "bonds", "options"),
    *STATS,
)
"""Numbers that can change.

`harm` is what you inflict if it rises, `patient` the health of whom you Heal, `companions` that of all your companions,
`bonds` the marks of your bonds, `options` how many options Make Camp lets each character choose.
"""
SOURCES = ("momentum", "health", "spirit", "supply", "action", "rank", "d6")
"""Numbers that can say how much another one changes.

`action` is the action die, `rank` that of the move's track, and `d6` a die that is rolled for it.
"""
DICE = ("action", "challenge", "one_challenge", "one", "all")
OUTCOMES = ("strong_hit", "weak_hit", "miss")
DEBILITIES = ("wounded", "shaken", "unprepared", "maimed", "cursed", "encumbered", "corrupted", "tormented")
ITSELF = "itself"
"""After `mark` and `clear`, in place of a debility: the asset itself counts as one. After `if`: it does now."""
PERIODS = ("fight", "scene", "session", "journey", "ever")
ALLY = "ally"
"""After `if`: another character of the party makes the move, or the choice in it, than the one who has the asset."""
ALONE = "alone"
"""After `if`: of the ticks of the asset with this condition, only one can be marked for a roll."""
FACTS = ("bonded", "fight", "match", "one", "burned", "rerolled", "companion", "self", "beast", ALLY, ALONE)
"""Facts about a roll, besides numbers and debilities, that a condition can name.

`one` is a 1 on the action die; `self` and `beast` are who is treated with Heal.
"""
ROLL = "roll"
"""After `after`: help that is chosen when the dice lie on the table."""
TEXT_MOST = 160
_POINTS_MOST = 9
_ADD_MOST = 3

Kind: TypeAlias = Literal[
    "add", "reroll", "roll", "change", "meter", "flag", "option", "most", "weapon", "next", "due", "counts",
    "initiative", "mark", "clear", "move",
]  # fmt: skip


class Give(NamedTuple):
    """One thing that an ability gives.

    `what` names the die, stat, number or move in question. `points` is the amount, negative for a loss. If `source` is
    set, `points` is multiplied by the number that it names, "its NAME" for a number of the asset. With `exact`,
    `points` is the new value instead of a change. `choice` is the new answer to a question of the asset. `whose` is
    "" for the character who makes the move, "all" for all characters in play, "owner" for the one who has the asset.
    A gain of a stat stops at `highest`, if that is not 0.
    """

    kind: Kind
    what: str = ""
    points: int = 0
    source: str = ""
    exact: bool = False
    whose: Literal["", "all", "owner"] = ""
    choice: str = ""
    highest: int = 0


class Gift(NamedTuple):
    """What an ability gives in some moves, and under which conditions.

    The player gets one of `ways`, each a group of things; with `may`, the player can decline. `moves` are last parts of
    ids of moves, or words in SCOPES. If an ability is offered as several check boxes, `part` names the one of this
    gift.

    The conditions: `stats` lists the stats to roll with, `outcomes` the outcomes. `after` is a choice made in the move,
    or ROLL. `needs` holds (fact, True if it must hold or False if it must not). `once` is the period in which the gift
    can be used once.
    """

    ways: tuple[tuple[Give, ...], ...]
    moves: tuple[str, ...]
    part: str = ""
    may: bool = False
    stats: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    after: str = ""
    needs: tuple[tuple[str, bool], ...] = ()
    once: str = ""

    @property
    def gives(self) -> tuple[Give, ...]:
        """The things in all of `ways`."""
        return tuple(give for way in self.ways for give in way)


@lru_cache(maxsize=2048)
def gift(text: str) -> Gift:
    """Parse a gift such as `+1 face_danger` or `momentum +1 strike/clash with edge on hit`.

    Raise ValueError for any other text; its message tells the player what is wrong.
    """
    if len(text) > TEXT_MOST:
        raise ValueError(f"What an ability gives has at most {TEXT_MOST} characters; this has {len(text)}.")
    if "," in text:
        raise ValueError(f"{_quoted(text)} has a comma; write each thing that an ability gives in quotes of its own.")
    return _Words(text).gift()


def written(gives: str) -> Iterator[Gift]:
    """Parse the gifts of an ability as a save has them, separated by commas. Invalid ones are skipped."""
    for text in gives.split(", "):
        try:
            yield gift(text)
        except ValueError:
            continue


class _Words:
    """A parser that reads the words of a gift from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = text.split()
        self._at = 0

    def gift(self) -> Gift:
        part = ""
        if self._next.endswith(":"):
            part = self._id(self._take().removesuffix(":"))
        may = self._skip("may")
        ways = [self._way()]
        while self._skip("or"):
            ways.append(self._way())
        moves = self._moves(ways)
        found = Gift(tuple(ways), moves, part, may)
        while self._next:
            found = self._condition(found)
        if problem := _problem(found):
            raise self._wrong(problem)
        return found

    # -- words ------------------------------------------------------------------------------------------

    @property
    def _next(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _take(self) -> str:
        word = self._next
        self._at += 1
        return word

    def _skip(self, word: str) -> bool:
        found = self._next == word
        self._at += found
        return found

    def _wrong(self, why: str) -> ValueError:
        return ValueError(f"{_quoted(self._text)}: {why}.")

    def _of(self, words: tuple[str, ...], what: str) -> str:
        if self._next not in words:
            raise self._wrong(f"{what} should be {', '.join(words[:-1])} or {words[-1]}, not {_quoted(self._next)}")
        return self._take()

    def _id(self, word: str) -> str:
        if not is_id(word):
            raise self._wrong(f"{_quoted(word)} should be a name of a-z, 0-9 and _" if word else "a name is missing")
        return word

    def _its(self) -> str:
        return f"its {self._id(self._take())}"

    def _whole(self, most: int) -> int:
        word = self._take()
        if not (word.isascii() and word.isdigit()) or int(word[:3]) > most:
            raise self._wrong(f"{_quoted(word)} should be a number up to {most}")
        return int(word)

    # -- gives ------------------------------------------------------------------------------------------

    def _way(self) -> tuple[Give, ...]:
        gives = [self._give()]
        while self._skip("and"):
            gives.append(self._give())
        return tuple(gives)

    def _give(self) -> Give:
        word = self._next
        if word[:1] in {"+", "-"} and word:
            points, source = self._amount(_ADD_MOST)
            return Give("add", "", points, source)
        if word in NUMBERS:
            return self._change()
        self._at += 1
        match word:
            case "all" | "owner":
                return self._change()._replace(whose=word)
            case "reroll":
                return Give("reroll", self._take() if self._next in DICE else "any")
            case "roll":
                return self._stat()
            case "its":
                return self._own()
            case "most":
                return self._sized("most", self._id(self._take()))
            case "weapon":
                return Give("weapon", "", self._whole(_POINTS_MOST))
            case "next":
                return self._later()
            case "due":
                return Give("due", self._id(self._take()))
            case "counts":
                return Give("counts", self._of(OUTCOMES, "what the roll counts as"))
            case "initiative":
                return Give("initiative", self._of(("you", "foe"), "who has initiative"))
            case "mark" | "clear":
                return Give(word, self._of((*DEBILITIES, ITSELF), "the debility"))
            case "move":
                return Give("move", "/".join(self._listed(ROLLED, "the stat of the move")))
        raise self._wrong(_HOW if word else f"something is missing at the end; {_HOW}")

    def _change(self) -> Give:
        what = self._of(NUMBERS, "the number that changes")
        points, source = self._amount(_POINTS_MOST)
        highest = self._whole(_POINTS_MOST) if what in STATS and points > 0 and self._skip("to") else 0
        return Give("change", what, points, source, highest=highest)

    def _amount(self, most: int) -> tuple[int, str]:
        """Read an amount and return (points, source): (2, "") for `+2`, (1, "its health") for `+its health`.

        Raise ValueError for anything else, and for a number above `most`.
        """
        word = self._take()
        sign, size = word[:1], word[1:]
        if sign not in {"+", "-"}:
            raise self._wrong(f"{_quoted(word)} should be a change such as +1 or -1")
        factor = 1 if sign == "+" else -1
        if size == "its":
            return factor, self._its()
        if size in SOURCES:
            return factor, size
        if not (size.isascii() and size.isdigit()) or not 1 <= int(size[:3]) <= most:
            raise self._wrong(f"{_quoted(word)} should be a change from {sign}1 to {sign}{most}")
        return factor * int(size), ""

    def _stat(self) -> Give:
        if self._skip("its"):
            return Give("roll", self._its())
        if self._next.isdigit():
            return Give("roll", "", self._whole(_POINTS_MOST))
        return Give("roll", self._of(ROLLED, "the stat to roll"))

    def _own(self) -> Give:
        name = self._id(self._take())
        if self._next in {"on", "off"}:
            return Give("flag", name, int(self._take() == "on"))
        if is_id(self._next) and not self._next.isdigit():
            return Give("option", name, choice=self._take())
        return self._sized("meter", name)

    def _sized(self, kind: Kind, name: str) -> Give:
        if self._next.isdigit():
            return Give(kind, name, self._whole(99), exact=True)
        points, source = self._amount(_POINTS_MOST)
        return Give(kind, name, points, source)

    def _later(self) -> Give:
        what = self._id(self._take())
        points, source = self._amount(_ADD_MOST)
        if points < 1 or source:
            raise self._wrong("a bonus on a later move should be +1, +2 or +3")
        return Give("next", what, points)

    # -- moves and conditions ---------------------------------------------------------------------------

    def _moves(self, ways: list[tuple[Give, ...]]) -> tuple[str, ...]:
        if any(give.kind == "move" for way in ways for give in way):
            return (OWN_MOVE,)
        if not self._next:
            raise self._wrong("a move is missing, such as face_danger or any")
        return tuple(self._id(move) for move in self._take().split("/"))

    def _condition(self, found: Gift) -> Gift:
        word = self._take()
        match word:
            case "with":
                return found._replace(stats=(*found.stats, *self._listed(ROLLED, "the stat")))
            case "on":
                return found._replace(outcomes=(*found.outcomes, *self._outcomes()))
            case "after":
                return found._replace(after=self._id(self._take()))
            case "if":
                return found._replace(needs=(*found.needs, self._need()))
            case "once":
                period = self._of(PERIODS, "the time after per") if self._skip("per") else "ever"
                return found._replace(once=period)
        raise self._wrong(f"{_quoted(word)} should be with, on, after, if or once")

    def _listed(self, words: tuple[str, ...], what: str) -> tuple[str, ...]:
        listed = tuple(self._take().split("/"))
        for word in listed:
            if word not in words:
                raise self._wrong(f"{what} should be {', '.join(words[:-1])} or {words[-1]}, not {_quoted(word)}")
        return listed

    def _outcomes(self) -> tuple[str, ...]:
        words = self._take()
        if words in {"strong", "weak"} and self._skip("hit"):
            words += "_hit"
        if words == "any":
            return OUTCOMES
        if words == "hit":
            return OUTCOMES[:2]
        if not words or any(word not in OUTCOMES for word in words.split("/")):
            raise self._wrong(f"an outcome should be hit, strong_hit, weak_hit, miss or any, not {_quoted(words)}")
        return tuple(words.split("/"))

    def _need(self) -> tuple[str, bool]:
        wanted = not self._skip("not")
        if self._skip("its"):
            return self._its(), wanted
        word = self._take()
        if word not in {*FACTS, *DEBILITIES, ITSELF, "health", "spirit", "supply", "momentum"}:
            raise self._wrong(f"{_quoted(word)} isn't a condition that tracker can check")
        return word, wanted


_HOW = "write it like “+1 face_danger”, “reroll strike” or “momentum +1 clash on hit”"


def _problem(found: Gift) -> str:
    """Return the reason, as a clause, why a gift that could be parsed makes no sense, or "" if it makes sense."""
    before = {give.kind for give in found.gives} & {"add", "reroll", "roll", "move", "weapon"}
    if before and (len(found.ways) > 1 or found.may):
        return "only what happens after the roll can be chosen with or and may"
    if {"add", "roll", "move"} & before and found.outcomes:
        return "a bonus or a stat comes before the roll, so it has no outcome"
    if any(give.source == "d6" and (give.kind != "change" or give.points < 0) for give in found.gives):
        return "a d6 can only say how much you gain"
    if found.after and found.after != ROLL and before:
        return "a bonus, a stat or a reroll can only come after roll, not after a choice"
    return ""


def _quoted(text: str) -> str:
    return f"“{shown_line(text, 40)}”"
