"""Moves of the common form, as data: stats to roll with, and a result for each outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tracker.games.api.draft import Draft, Procedure
from tracker.games.ironsworn.asset_bonuses import other_stat
from tracker.games.ironsworn.outcomes import (
    MARK,
    PRICE,
    OutcomeChoice,
    Result,
    change,
    grant_bonus,
    inflict,
    initiative,
    make_due,
    resolve,
)
from tracker.games.ironsworn.roll import Initiative, action_roll, ask_bond, ask_help, ask_stat, ask_track, begin, plus
from tracker.games.ironsworn.state import STATS
from tracker.records import NamedTuple

APPROACH = {
    "edge": "with speed or precision",
    "heart": "with charm or courage",
    "iron": "with force or endurance",
    "shadow": "with stealth or deceit",
    "wits": "with knowledge or sharp eyes",
}
WITS = {"wits": ""}
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


face_danger = standard_move(
    "face_danger",
    StandardMove(
        APPROACH,
        strong=Result((change("momentum", 1),)),
        weak=Result(
            title="You get through, at a cost. Choose one",
            ways=(
                OutcomeChoice("momentum", (change("momentum", -1),)),
                OutcomeChoice("harm", (make_due("endure_harm_1"),)),
                OutcomeChoice("stress", (make_due("endure_stress_1"),)),
                OutcomeChoice("supply", (change("supply", -1),)),
            ),
        ),
    ),
)

secure_an_advantage = standard_move(
    "secure_an_advantage",
    StandardMove(
        APPROACH,
        strong=Result(
            title="You have the upper hand. Choose one",
            ways=(OutcomeChoice("move", (ANOTHER_MOVE,)), OutcomeChoice("momentum", (change("momentum", 2),))),
        ),
        weak=Result((change("momentum", 1),)),
    ),
)

gather_information = standard_move(
    "gather_information",
    StandardMove(
        WITS,
        strong=Result((change("momentum", 2),)),
        weak=Result((change("momentum", 1),)),
        bond="Among people you share a bond with",
    ),
)

undertake_a_journey = standard_move(
    "undertake_a_journey",
    StandardMove(
        WITS,
        strong=Result(
            title="You make good progress. Choose one",
            ways=(
                OutcomeChoice("progress", (MARK,)),
                OutcomeChoice("speed", (MARK, change("momentum", 1), change("supply", -1))),
            ),
        ),
        weak=Result((MARK, change("supply", -1))),
        bond="From a place you share a bond with",
        track="journey",
        may_begin=True,
    ),
)

_LEARN = OutcomeChoice(
    "gather_information",
    (make_due("gather_information"), grant_bonus("gather_information", "+1")),
    "yes: Gather Information is due, with +1",
)
_COMPLY = Result((change("momentum", 1),), (_LEARN,), "They do it. Did you learn anything?", least=0)

compel = standard_move(
    "compel",
    StandardMove(
        {"heart": "to charm, barter or persuade", "iron": "to threaten", "shadow": "to lie"},
        strong=_COMPLY,
        weak=_COMPLY._replace(title="They do it, but want something for it. Did you learn anything?"),
        bond="You share a bond (heart only)",
        bonded=("heart",),
    ),
)

enter_the_fray = standard_move(
    "enter_the_fray",
    StandardMove(
        {
            "heart": "if you face them openly",
            "shadow": "if you take them by surprise",
            "wits": "if they take you by surprise",
        },
        strong=Result((change("momentum", 2), initiative("you"))),
        weak=Result(
            title="Choose one",
            ways=(
                OutcomeChoice("momentum", (change("momentum", 2), initiative("foe"))),
                OutcomeChoice("initiative", (initiative("you"),)),
            ),
        ),
        miss=Result((PRICE, initiative("foe"))),
        track="fight",
        may_begin=True,
        initiative="told",
    ),
)

strike = standard_move(
    "strike",
    StandardMove(
        {"iron": "at arm's length", "edge": "at range"},
        strong=Result((inflict(1),)),
        weak=Result((inflict(), initiative("foe"))),
        miss=Result((PRICE, initiative("foe"))),
        track="fight",
        initiative="told",
    ),
)

clash = standard_move(
    "clash",
    StandardMove(
        {"iron": "at arm's length", "edge": "at range, or at a foe who comes at you"},
        strong=Result(
            (inflict(), initiative("you")),
            (OutcomeChoice("momentum", (change("momentum", 1),)), OutcomeChoice("harm", (inflict(1, only=True),))),
            "You turn it against them. Choose one",
        ),
        weak=Result((inflict(), PRICE, initiative("foe"))),
        miss=Result((PRICE, initiative("foe"))),
        track="fight",
        initiative="told",
    ),
)

battle = standard_move(
    "battle",
    StandardMove(
        {
            "edge": "with speed, range or terrain",
            "heart": "with courage and allies",
            "iron": "with sheer force",
            "shadow": "with tricks",
            "wits": "with a better plan",
        },
        strong=Result((change("momentum", 2),)),
        weak=MISS,
        initiative="told",
    ),
)
