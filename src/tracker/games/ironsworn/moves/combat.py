"""Combat moves: enter the fray, strike, clash, turn the tide, end the fight, battle."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.ironsworn.asset_bonuses import ask_boons
from tracker.games.ironsworn.outcomes import (
    MISS,
    PRICE,
    OutcomeChoice,
    Result,
    StandardMove,
    change,
    do,
    inflict,
    initiative,
    make_due,
    resolve,
    standard_move,
)
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.roll import ask_track, begin, end_pending, set_initiative, track_roll
from tracker.games.ironsworn.state import OPEN
from tracker.games.ironsworn.tracks import close

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
            "edge": "with speed, range, or terrain",
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


def turn_the_tide(table: Draft) -> Procedure:
    """Turn the Tide, once in a fight and without a roll: take the initiative, and +1 on the next move.

    A hit on the next move gives momentum +1; after a miss, its card tells the player to make the price dire. Raise
    Refused if the move cannot be made now.
    """
    begin(table, "turn_the_tide")
    end_pending(table)
    set_initiative("you", table)
    table.to(f"{table.who}.tide", True)
    table.to(f"{table.who}.turning", True)
    table.mine("waiting.any", 1)
    yield from ask_boons(table, {"turn_the_tide"})


def end_the_fight(table: Draft) -> Procedure:
    """End the Fight. Strong hit: the foe is beaten. Weak hit: the foe is beaten, and the player chooses a price.

    Miss: the fight against this foe is lost, and Pay the Price becomes due. Raise Refused if the move cannot be made
    now.
    """
    begin(table, "end_the_fight")
    which = ask_track(table, "fight", odds=True)
    track = yield which
    outcome = yield from track_roll(table, "end_the_fight", track, which, initiative="told")
    rank = RANKS[table.state["tracks"][track]["rank"]].number
    close(table, track, "lost" if outcome == "miss" else "won")
    others = any(t["kind"] == "fight" and t["status"] in OPEN for t in table.state["tracks"].values())
    if others:
        set_initiative("you" if outcome == "strong hit" else "foe", table)
    if outcome == "miss":
        do(table, (PRICE,))
    elif outcome == "weak hit":
        ways = (
            OutcomeChoice("harm", (make_due(f"endure_harm_{rank}"),)),
            OutcomeChoice("stress", (make_due(f"endure_stress_{rank}"),)),
            OutcomeChoice("new_danger", words="a new or worse danger shows itself"),
            OutcomeChoice("loss", words="something of worth is lost, or someone else pays"),
            OutcomeChoice("objective", words="what you fought for slips away"),
            OutcomeChoice("vengeance", words="someone will want revenge"),
        )
        yield from resolve(table, Result((), ways, "They are beaten, at a price. Choose one"))
