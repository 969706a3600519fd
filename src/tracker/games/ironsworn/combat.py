"""Combat moves that are more than a roll and its outcome."""

from __future__ import annotations

from tracker.games.base import Draft, Procedure
from tracker.games.ironsworn.deeds import PRICE, Result, Way, do, owes, resolve
from tracker.games.ironsworn.layout import OPEN
from tracker.games.ironsworn.rolling import ask_track, begin, lapse, take, track_roll
from tracker.games.ironsworn.rolls import RANKS
from tracker.games.ironsworn.tracks import close


def turn_the_tide(table: Draft) -> Procedure:
    """Once in a fight: take the initiative for one move with +1; a hit gives momentum +1, a miss is dire."""
    begin(table, "turn_the_tide")
    lapse(table)
    take("you", table)
    table.to(f"{table.who}.tide", True)
    table.to(f"{table.who}.turning", True)
    table.mine("waiting.any", 1)
    yield from ()


def end_the_fight(table: Draft) -> Procedure:
    """Strong: the foe is out of it. Weak: the same, at a price that you choose. Miss: you have lost."""
    begin(table, "end_the_fight")
    which = ask_track(table, "fight", odds=True)
    track = yield which
    outcome = yield from track_roll(table, track, which, initiative="told")
    rank = RANKS[table.state["tracks"][track]["rank"]].number
    close(table, track, "lost" if outcome == "miss" else "won")
    others = any(t["kind"] == "fight" and t["status"] in OPEN for t in table.state["tracks"].values())
    if outcome == "strong hit":
        if others:
            take("you", table)
    elif outcome == "miss":
        if others:
            take("foe", table)
        do(table, (PRICE,))
    else:
        ways = (
            Way("harm", (owes(f"endure_harm_{rank}"),)),
            Way("stress", (owes(f"endure_stress_{rank}"),)),
            Way("new_danger", words="a new or worse danger shows itself"),
            Way("loss", words="something of worth is lost, or somebody pays"),
            Way("objective", words="what you fought for slips away"),
            Way("vengeance", words="somebody will want revenge"),
        )
        yield from resolve(table, Result((), ways, "They are beaten, at a price. Choose one"))
