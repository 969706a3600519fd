"""Moves as data: the stats to roll with, and for each of the three outcomes certain effects, choices and due moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from tracker.games.api import schema
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.phrases import arrow, signed
from tracker.games.api.prompts import Choose, Option
from tracker.games.ironsworn.asset_bonuses import after_choice, other_stat, weapon
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.roll import (
    Initiative,
    action_roll,
    as_member,
    ask_bond,
    ask_help,
    ask_stat,
    ask_track,
    begin,
    others,
    plus,
    set_initiative,
)
from tracker.games.ironsworn.state import CHARACTER, STATS, TOP, owe, owed_label
from tracker.records import NamedTuple
from tracker.text import shown_line


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
    """Ask for options in `result.ways` and apply them; ignore `result.deeds`. `key` is the prompt's key.

    `track` is the id of the track that the effects act on.
    """
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


def each_in_turn(table: Draft, result: Result) -> Procedure:
    """Ask each character in play, the acting one first, to choose from the result's options; apply each choice."""

    def named(who: str) -> Result:
        name = shown_line(table.state["party"][who]["name"])
        return result._replace(title=f"{name}: {result.title[0].lower()}{result.title[1:]}")

    rest = others(table)
    yield from choose(table, named(table.who) if rest else result)
    for who in rest:
        yield from as_member(table, who, choose(table, named(who), key=f"choose.{who}"))


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
    """Return the name of the debility that now prevents a gain in this number of the acting character, or "" if none.

    `field` is the name of the number, such as "health" or "supply".
    """
    number = TOP.fields.get(field) or CHARACTER.fields[field]
    blocked = number.blocked if isinstance(number, schema.Integer) else None
    return blocked(table.state, ("party", table.who, field)) if blocked else ""


def preview_change(table: Draft, field: str, points: int) -> str:
    """Return in words the change that a gain or loss of `points` would make to a number, such as "3 → 5".

    `field` is the name of the number, such as "health". If nothing would change, return the reason.
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
    return OutcomeEffect(owed_label(move), lambda table, _: owe(table, move), lambda *_: "your next move")


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


APPROACH = {
    "edge": "with speed or precision",
    "heart": "with charm or courage",
    "iron": "with force or endurance",
    "shadow": "with stealth or deceit",
    "wits": "with knowledge or sharp eyes",
}
ANOTHER_MOVE = grant_bonus("any", "another move now with +1")
MISS = Result((PRICE,))


class StandardMove(NamedTuple):
    """The description of a move of the common form: one action roll and a result for each outcome.

    `standard_move` makes a procedure of it. `strong`, `weak` and `miss` are the results of the three outcomes. `bond`
    is the title of the prompt for +1 from a bond, "" if there is none; the +1 counts only with the stats in `bonded`.
    `track` is the kind of track that the move is about, "" if none. With `may_begin` the player may begin a new
    track, and the bond is offered only for a new one. `initiative` is the rule by which the roll changes the
    initiative.
    """

    stats: Mapping[str, str]
    """Stats to roll with, each with a description of the situation in which it is used."""
    strong: Result
    weak: Result
    miss: Result = MISS
    bond: str = ""
    bonded: tuple[str, ...] = STATS
    track: str = ""
    may_begin: bool = False
    initiative: Initiative = "other"


def standard_move(move: str, form: StandardMove) -> Callable[[Draft], Procedure]:
    """Return the procedure of the move that `form` describes. `move` is the last part of its id."""

    def procedure(table: Draft) -> Procedure:
        begin(table, move)
        track, new = "", True
        if form.may_begin:
            from tracker.games.ironsworn.tracks import chosen_or_new

            track, new = yield from chosen_or_new(table, form.track)
        elif form.track:
            track = yield ask_track(table, form.track, odds=False)
        if track:
            table.facts["track"] = table.state["tracks"][track]["name"]
        bond = (yield ask_bond(form.bond)) if form.bond and new else False
        bonded = form.bonded if bond else ()
        stats = tuple(form.stats)
        adds = yield from ask_help(table, move, stats=stats, track=track)
        stat = stats[0]
        asked = len(stats) > 1 and not other_stat(table)
        if asked:
            stat = yield ask_stat(table, move, adds, stats, bonded, form.stats)
        adds += plus(table.facts, "bond", int(stat in bonded))
        outcome = yield from action_roll(
            table, move, stat, adds, at_once=asked, initiative=form.initiative, track=track
        )
        yield from resolve(table, {"strong hit": form.strong, "weak hit": form.weak, "miss": form.miss}[outcome], track)

    return procedure
