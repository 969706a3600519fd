"""What Lantern shows."""

from collections.abc import Mapping
from typing import Any

from tests.games.toy import MOVES

from tracker.games.api import facts as facts_
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Card, Die, Meter, Pane, Start
from tracker.games.common import clocks
from tracker.text import shown_line


def sheet(state: State, who: str) -> tuple[Pane, ...]:
    me = state["party"][who]
    return (Pane("sheet", shown_line(me["name"]), (Meter(f"{who}.light", "light", me["light"], 6),)),)


def card(did: str, facts: Mapping[str, Any]) -> Card:
    title = MOVES[did].name if did in MOVES else shown_line(did)
    face, outcome = facts_.number(facts, "face"), facts_.word(facts, "outcome", ("safe", "darker"))
    if not outcome:
        return Card(title, heading=facts_.text(facts, "heading"))
    return Card(title, str(face), outcome.upper(), "good" if outcome == "safe" else "bad", dice=(Die(face, 6),))


def now(state: State, who: str) -> tuple[Action, ...]:
    return (Action("m1", MOVES["dark/step"].name, Start("dark/step"), f"light {state['party'][who]['light']}"),)


def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:
    return clocks.actions(state, track)
