"""Combat moves with rules beyond the roll and its outcome."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.ironsworn.asset_bonuses import ask_boons
from tracker.games.ironsworn.dice import RANKS
from tracker.games.ironsworn.outcomes import PRICE, OutcomeChoice, Result, do, make_due, resolve
from tracker.games.ironsworn.roll import ask_track, begin, end_pending, set_initiative, track_roll
from tracker.games.ironsworn.state import OPEN
from tracker.games.ironsworn.tracks import close


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
