"""Suffer moves: harm, stress, death, desolation, setback and lack of supply."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.phrases import arrow, counted
from tracker.games.api.prompts import Choose, Number, Option, Pick, Roll, Spread
from tracker.games.ironsworn.asset_bonuses import LOSS, after_choice, lowered
from tracker.games.ironsworn.moves.fate import HARM, STRESS, Table, row
from tracker.games.ironsworn.outcomes import (
    OutcomeChoice,
    OutcomeEffect,
    Result,
    make_due,
    no_gain,
    resolve,
)
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.roll import action_roll, ask_help, begin, end_pending
from tracker.games.ironsworn.state import (
    ABILITIES,
    OPEN,
    UNSURE,
    called,
    harm_in_the_fight,
    heal_companion,
    momentum_max,
    momentum_reset,
    owe,
    pay,
)
from tracker.records import NamedTuple
from tracker.text import shown_line

EXCHANGE = "exchange."
"""Key of the option to pay with health, spirit and supply. No track has this id, because ids have no dot."""


_SCALE = ", ".join(f"{name} {rank.number}" for name, rank in RANKS.items())


class Suffering(NamedTuple):
    """The values in which Endure Harm and Endure Stress differ. HARM_MOVE and STRESS_MOVE are the two instances.

    `track` is the number that falls, and `stat` can be rolled instead of it. `marks` are the debilities to choose from
    at 0: one that can be cleared, and a permanent one. `embrace` is the label of the option to gain momentum. `table`
    is the table to roll on at 0.
    """

    move: str
    track: str
    stat: str
    marks: tuple[str, str]
    embrace: str
    table: Table
    owes: dict[int, str]
    """Moves that a row of the table makes due, by the first number of the row."""


HARM_MOVE = Suffering(
    "endure_harm", "health", "iron", ("wounded", "maimed"), "embrace the pain", HARM, {1: "face_death", 11: "heal"}
)
STRESS_MOVE = Suffering(
    "endure_stress",
    "spirit",
    "heart",
    ("shaken", "corrupted"),
    "embrace the darkness",
    STRESS,
    {1: "face_desolation", 11: "forsake_your_vow"},
)


def endure_harm(table: Draft) -> Procedure:
    """Endure Harm: lose health, then roll with the health that is left or with iron, whichever is higher.

    Raise Refused if the move cannot be made now.
    """
    yield from _endure(table, HARM_MOVE)


def endure_stress(table: Draft) -> Procedure:
    """Endure Stress: lose spirit, then roll with the spirit that is left or with heart, whichever is higher.

    Raise Refused if the move cannot be made now.
    """
    yield from _endure(table, STRESS_MOVE)


def _endure(table: Draft, suffering: Suffering) -> Procedure:
    begin(table, suffering.move)
    word = "Harm" if suffering is HARM_MOVE else "Stress"
    usual = harm_in_the_fight(table.state, table.who, stress=suffering is STRESS_MOVE)
    amount = yield Number(key="amount", title=f"{word} ({_SCALE})", low=1, high=9, default=usual or UNSURE)
    table.notes[LOSS] = (suffering.track, amount)
    adds = yield from ask_help(table, suffering.move, stats=(suffering.track, suffering.stat))
    del table.notes[LOSS]
    pay(table, f"{suffering.move}_{amount}")
    amount = lowered(table, word.lower(), amount)
    if not amount:
        end_pending(table)
        table.facts["told"] = f"no {word.lower()} is left"
        return
    before = table.me[suffering.track]
    table.mine(suffering.track, -amount)
    left = table.me[suffering.track]
    stat = suffering.track if left > table.me[suffering.stat] else suffering.stat
    higher = f", the higher of {suffering.track} and {suffering.stat}"
    if before:
        over = f", momentum -{amount - before}" if amount > before else ""
        about = f"{higher} ({suffering.track} {arrow(before, left)}{over})"
    else:
        about = f"{higher} (momentum -{amount}, {suffering.track} is 0 already)"
    outcome = yield from action_roll(table, suffering.move, stat, adds, initiative="suffer", about=about, priced=False)
    if outcome == "strong hit":
        yield from _strong(table, suffering, before)
    elif outcome == "miss":
        table.mine("momentum", -1)
        if table.me[suffering.track] == 0:
            yield from _at_the_end(table, suffering)


def _strong(table: Draft, suffering: Suffering, before: int) -> Procedure:
    now = table.me[suffering.track]
    way = yield Choose(
        key="choose",
        title="You endure it. Choose one",
        options=(
            Option(
                "shake_it_off",
                f"shake it off: momentum -1, {suffering.track} +1",
                arrow(now, min(5, now + 1)),
                reason=no_gain(table, suffering.track) if now else f"{suffering.track} is 0",
            ),
            Option("embrace", f"{suffering.embrace}: momentum +1"),
        ),
    )
    yield from after_choice(table, way)
    if way == ["shake_it_off"]:
        table.mine("momentum", -1)
        table.mine(suffering.track, 1)
        healed = arrow(arrow(before, now), table.me[suffering.track])
        table.facts["chosen"] = f"shaken off, {suffering.track} {healed}"
    else:
        table.mine("momentum", 1)


def _at_the_end(table: Draft, suffering: Suffering) -> Procedure:
    """Ask whether to mark a debility or to roll on the table, and do so.

    The caller uses this for a miss of Endure Harm or Endure Stress while health or spirit is 0.
    """
    way = yield Choose(
        key="choose",
        title=f"Your {suffering.track} is 0. Choose one",
        options=(
            *(
                Option(mark, f"mark {mark}", note, reason="already marked" if mark in table.me["debilities"] else "")
                for mark, note in zip(suffering.marks, _marked(table, suffering), strict=True)
            ),
            Option("table", "roll on the table", "d100"),
        ),
    )
    if way != ["table"]:
        table.add(f"{table.who}.debilities", {"id": way[0]})
        return
    faces = yield Roll(key="fate", title="How bad is it?", dice={"oracle": 100}, at_once=True)
    low, high, words = row(suffering.table, faces["oracle"])
    table.facts |= {"fate": faces["oracle"], "row": [low, high], "fate_words": words}
    if low in suffering.owes:
        owe(table, suffering.owes[low])


def _marked(table: Draft, suffering: Suffering) -> tuple[str, str]:
    """Return two notes for a prompt, one for each debility in `suffering.marks`, in the same order.

    The first says that the track cannot rise until the debility is cleared, the second that the debility is
    permanent. Both say how the debility would change the maximum and the reset of momentum.
    """
    count = len(table.me["debilities"])
    most, reset = (
        arrow(momentum_max(count), momentum_max(count + 1)),
        arrow(momentum_reset(count), momentum_reset(count + 1)),
    )
    held = f"{suffering.track} can't rise until it's cleared"
    lower = f"max momentum {most}, reset {reset}"
    return f"{held}; {lower}", f"permanent; {lower}"


def companion_endure_harm(table: Draft) -> Procedure:
    """Companion Endure Harm: a companion loses health; roll with what it has left or with heart, whichever is higher.

    On a miss with a 1 on the action die, a companion without health dies: the asset is removed, and each of its marked
    abilities gives one experience. Raise Refused if the move cannot be made now.
    """
    begin(table, "companion_endure_harm")
    there = {ident: asset for ident, asset in table.me["assets"].items() if asset["max"]}
    who = yield Pick(
        key="companion",
        title="Which companion?",
        options=tuple(
            Option(ident, shown_line(called(one)), f"{one['health']} of {one['max']}") for ident, one in there.items()
        ),
        default=next(iter(there)),
        quiet=len(there) == 1,
    )
    usual = harm_in_the_fight(table.state, table.who)
    amount = yield Number(key="amount", title=f"Harm ({_SCALE})", low=1, high=9, default=usual or UNSURE)
    adds = yield from ask_help(table, "companion_endure_harm")
    pay(table, f"companion_endure_harm_{amount}")
    amount = lowered(table, "harm", amount)
    table.facts["track"] = called(there[who])
    at = f"{table.who}.assets.{who}"
    table.by(f"{at}.health", -amount)
    left = table.me["assets"][who]["health"]
    stat, value = ("companion", left) if left > table.me["heart"] else ("heart", table.me["heart"])
    about = f"; its health {arrow(there[who]['health'], left)}"
    outcome = yield from action_roll(
        table, "companion_endure_harm", stat, adds, value=value, initiative="suffer", about=about, priced=False
    )
    if outcome == "strong hit":
        heal_companion(table, table.who, who, 1)
        return
    if outcome == "miss":
        table.mine("momentum", -1)
    if left:
        return
    if outcome == "miss" and table.facts["action"] == 1:  # the raw die: ruling I8
        table.facts["xp"] = sum(there[who][ability]["on"] for ability in ABILITIES)
        table.mine("xp", table.facts["xp"])
        table.drop(f"{table.who}.assets", who)
        table.facts["chosen"] = f"{shown_line(table.facts['track'])} dies: a miss, a 1 on the die, no health left"
    else:
        table.to(f"{at}.status", "dying" if outcome == "miss" else "out")


def face_death(table: Draft) -> Procedure:
    """Face Death. Strong hit: live on. Weak hit: die, or live on with a vow that becomes due. Miss: die.

    Raise Refused if the move cannot be made now.
    """
    quest = OutcomeChoice("quest", (make_due("swear_an_iron_vow_cursed"),), "return, and swear to death's own quest")
    yield from _at_the_edge(table, "face_death", "dead", "die", "die, after a last good deed", quest)


def face_desolation(table: Draft) -> Procedure:
    """Face Desolation. Strong hit: go on. Weak hit: be lost, or go on with a vow that becomes due. Miss: be lost.

    Raise Refused if the move cannot be made now.
    """
    vision = OutcomeChoice("vision", (make_due("swear_an_iron_vow_tormented"),), "carry on, and swear against a vision")
    yield from _at_the_edge(table, "face_desolation", "lost", "break", "break, after a last good deed", vision)


def _at_the_edge(table: Draft, move: str, end: str, key: str, words: str, quest: OutcomeChoice) -> Procedure:
    begin(table, move)
    adds = yield from ask_help(table, move, stats=("heart",))
    outcome = yield from action_roll(table, move, "heart", adds, initiative="suffer", priced=False)
    over = OutcomeEffect(words, lambda table, _: table.to(f"{table.who}.status", end))
    if outcome == "miss":
        over.do(table, "")
    elif outcome == "weak hit":
        yield from resolve(table, Result((), (quest, OutcomeChoice(key, (over,))), "Choose one"))


def face_a_setback(table: Draft) -> Procedure:
    """Face a Setback: pay the momentum lost below -6 with health, spirit and supply, or with progress of one track.

    Raise Refused if no setback is due or the character is out of play.
    """
    begin(table, "face_a_setback")
    points = table.me["setback"]
    yield Number(key="amount", title="points", low=points, high=points, default=points, quiet=True)
    tracks = {
        ident: track for ident, track in table.state["tracks"].items() if track["status"] in OPEN and track["ticks"]
    }
    limits = {"health": table.me["health"], "spirit": table.me["spirit"], "supply": table.state["supply"]}
    hold = sum(limits.values())
    way = yield Pick(
        key="track",
        title=f"{points} to pay. What with?",
        default=None if tracks and hold < points else EXCHANGE,
        options=(
            Option(
                EXCHANGE,
                "with health, spirit and supply",
                reason=f"only {hold} left" if tracks and hold < points else "",
            ),
            *(Option(ident, f"with progress: {shown_line(t['name'])}", t["rank"]) for ident, t in tracks.items()),
        ),
    )
    end_pending(table)
    if way != EXCHANGE:
        table.by(f"tracks.{way}.ticks", -points * RANKS[tracks[way]["rank"]].ticks)
    else:
        yield from _exchange(table, points, limits)
    table.mine("setback", -points)


def out_of_supply(table: Draft) -> Procedure:
    """Out of Supply: pay the supply lost below 0 with health, spirit and momentum.

    Raise Refused if no such loss is due or the character is out of play.
    """
    begin(table, "out_of_supply")
    points = table.me["out_of_supply"]
    yield Number(key="amount", title="points", low=points, high=points, default=points, quiet=True)
    end_pending(table)
    limits = {"health": table.me["health"], "spirit": table.me["spirit"], "momentum": table.me["momentum"] + 6}
    yield from _exchange(table, points, limits)
    table.mine("out_of_supply", -points)


def _exchange(table: Draft, points: int, limits: dict[str, int]) -> Procedure:
    """Ask which numbers pay the points, one point each, and subtract them.

    `limits` maps each number to the points that it can pay (rulings I3 and I13). If these are too few, the facts say
    how many points stay unpaid.
    """
    payable = min(points, sum(limits.values()))
    if payable:
        shares = yield Spread(
            key="exchange",
            title=f"Assign {counted(payable, 'point')} of loss",
            points=payable,
            targets=tuple((Option(name, name), limit) for name, limit in limits.items()),
        )
        for name, share in shares.items():
            table.by(name if name == "supply" else f"{table.who}.{name}", -share)
    if payable < points:
        table.facts["told"] = f"{points - payable} can't be paid: say what it costs you instead"
