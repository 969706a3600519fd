"""The vocabulary of outcomes: certain effects, choices, due moves.

Most moves are data: stats to roll with, and a `Result` for each of the three outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from tracker.games.api import schema
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.phrases import arrow, signed
from tracker.games.api.prompts import Choose, Option
from tracker.games.ironsworn.asset_bonuses import after_choice, weapon
from tracker.games.ironsworn.dice import RANKS
from tracker.games.ironsworn.roll import set_initiative
from tracker.games.ironsworn.state import CHARACTER, TOP, owe, owed_label
from tracker.records import NamedTuple


def _nothing(_: Draft, __: str) -> str:
    return ""


class OutcomeEffect(NamedTuple):
    """One consequence of a move's outcome, such as "momentum +1", described to players by `words`.

    The functions get the draft and the id of the move's track, or "". `do` applies the effect. `now` describes the
    change that it would make, and `reason` says why it cannot be chosen; both may return "". `name` is the number that
    changes; it tells apart the effects of one choice.
    """

    words: str
    do: Callable[[Draft, str], None]
    now: Callable[[Draft, str], str] = _nothing
    reason: Callable[[Draft, str], str] = _nothing
    name: str = ""


class OutcomeChoice(NamedTuple):
    """One of the options that an outcome offers to the player. Choosing it applies the effects `deeds`.

    `words` describes the option to the player; if it is "", the words of the effects are shown.
    """

    key: str
    deeds: tuple[OutcomeEffect, ...] = ()
    words: str = ""

    def option(self, table: Draft, track: str) -> Option:
        """Return the option for this choice, with what it would change now; disabled if an effect has a reason."""
        reason = next(filter(None, (deed.reason(table, track) for deed in self.deeds)), "")
        notes = [(deed.name, now) for deed in self.deeds if (now := deed.now(table, track))]
        if len(notes) > 1:
            notes = [(name, f"{name} {now}".strip()) for name, now in notes]
        note = ", ".join(now for _, now in notes)
        return Option(self.key, self.words or ", ".join(deed.words for deed in self.deeds), note, reason)

    def idle(self, table: Draft, track: str) -> bool:
        """Return True if at least one effect would change nothing now, such as a gain of health that is full."""
        trial = table.trial()
        for deed in self.deeds:
            before = trial.state
            deed.do(trial, track)
            if trial.state == before:
                return True
        return False


class Result(NamedTuple):
    """Everything that one outcome of a move brings: effects that always apply, and options for the player.

    `resolve` applies the effects `deeds`, then asks for at least `least` and at most `most` of the options `ways`.
    `title` is the title of that prompt.
    """

    deeds: tuple[OutcomeEffect, ...] = ()
    ways: tuple[OutcomeChoice, ...] = ()
    title: str = "Choose one"
    least: int = 1
    most: int = 1


def resolve(table: Draft, result: Result, track: str = "") -> Procedure:
    """Apply the effects in `result.deeds`, then ask for options in `result.ways`, if there are any, and apply them.

    `track` is the id of the track that the effects act on.
    """
    do(table, result.deeds, track)
    if result.ways:
        yield from choose(table, result, track)


def choose(table: Draft, result: Result, track: str = "", *, key: str = "choose") -> Procedure:
    """Ask for options in `result.ways` and apply them; ignore `result.deeds`. `key` is the prompt's key."""
    options = tuple(way.option(table, track) for way in result.ways)
    idle = [way.key for way in result.ways if way.idle(table, track)]
    chosen = yield Choose(
        key=key,
        title=result.title,
        options=options,
        least=result.least,
        most=result.most,
        default=None if result.least else [],
        likely=first_useful(options, idle),
    )
    yield from after_choice(table, chosen)
    for way in result.ways:
        if way.key in chosen:
            do(table, way.deeds, track)
            if not way.deeds:  # no number shows such a choice
                table.facts["chosen"] = way.words


def first_useful(options: Iterable[Option], idle: Collection[str]) -> str | None:
    """Return the key of the first enabled option that is not in `idle`, or None if there is no such option.

    `idle` holds the keys of options that would change nothing.
    """
    return next((option.key for option in options if not option.reason and option.key not in idle), None)


def do(table: Draft, deeds: Iterable[OutcomeEffect], track: str = "") -> None:
    for deed in deeds:
        deed.do(table, track)


# -- numbers --------------------------------------------------------------------------------------------


def _path(table: Draft, field: str) -> str:
    return field if field in TOP.fields else f"{table.who}.{field}"


def _value(table: Draft, field: str) -> int:
    return int(table.state[field] if field in TOP.fields else table.me[field])


def no_gain(table: Draft, field: str) -> str:
    """Return the debility that now prevents a gain in this number of the acting character, or ""."""
    number = TOP.fields.get(field) or CHARACTER.fields[field]
    blocked = number.blocked if isinstance(number, schema.Integer) else None
    return blocked(table.state, ("party", table.who, field)) if blocked else ""


def preview_change(table: Draft, field: str, points: int) -> str:
    """Return the change that a gain or loss would make to a number, such as "3 → 5".

    If there would be none, return the reason.
    """
    trial = table.trial()
    trial.by(_path(table, field), points)
    old, new = _value(table, field), _value(trial, field)
    if old != new:
        return arrow(old, new)
    held = no_gain(table, field) if points > 0 else ""
    return f"no change while {held}" if held else f"already {old}"


def change(field: str, points: int) -> OutcomeEffect:
    """Return the effect that changes a number of the acting character, or the shared supply, by `points`.

    A gain that a debility blocks cannot be chosen.
    """
    return OutcomeEffect(
        f"{field} {signed(points)}",
        lambda table, _: table.by(_path(table, field), points),
        lambda table, _: preview_change(table, field, points),
        (lambda table, _: no_gain(table, field)) if points > 0 else _nothing,
        field,
    )


# -- due moves and pending bonuses ----------------------------------------------------------------------


def make_due(move: str) -> OutcomeEffect:
    return OutcomeEffect(owed_label(move), lambda table, _: owe(table, move), lambda *_: "due next")


PRICE = make_due("pay_the_price")


def grant_bonus(move: str, words: str) -> OutcomeEffect:
    """Return the effect that grants +1 on the next roll of a move; `words` describes the effect.

    `move` is the last part of the move's id, or "any" for whatever move comes next.
    """
    return OutcomeEffect(words, lambda table, _: table.mine(f"waiting.{move}", 1))


# -- tracks and fights ----------------------------------------------------------------------------------


def _mark(table: Draft, track: str) -> None:
    table.by(f"tracks.{track}.ticks", RANKS[table.state["tracks"][track]["rank"]].ticks)


def _marked(table: Draft, track: str) -> str:
    this = table.state["tracks"][track]
    after = min(40, this["ticks"] + RANKS[this["rank"]].ticks)
    return f"{arrow(this['ticks'] / 4, after / 4)} boxes".replace(".0", "")


MARK = OutcomeEffect("mark progress", _mark, _marked)


def initiative(whose: str) -> OutcomeEffect:
    words = {"you": "you have initiative", "foe": "foe has initiative"}[whose]
    return OutcomeEffect(words, lambda table, _: set_initiative(whose, table))


def my_harm(table: Draft, track: str) -> int:
    """Return the harm that the acting character inflicts on the foe of this track.

    It is 2 with a deadly weapon, unless the character boasted to fight without iron; otherwise it is 1. A helping
    ability can set another number.
    """
    if (given := weapon(table)) is not None:
        return given
    bare_handed = "no_iron" in table.state["tracks"][track]["boasts"]
    return 2 if table.me["weapon"] == "deadly" and not bare_handed else 1


def inflict(more: int = 0, *, only: bool = False) -> OutcomeEffect:
    """Return the effect that inflicts harm on a foe: the harm of the weapon plus `more`; with `only`, just `more`.

    Each point of harm is one mark of progress on the foe's track.
    """

    def strike(table: Draft, track: str) -> None:
        harm = more if only else my_harm(table, track) + more
        rank = table.state["tracks"][track]["rank"]
        table.facts["harm"] = table.facts.get("harm", 0) + harm
        table.facts["foe"] = rank
        table.by(f"tracks.{track}.ticks", harm * RANKS[rank].ticks)

    return OutcomeEffect(f"{more} more harm" if only else f"inflict your harm{f' +{more}' if more else ''}", strike)
