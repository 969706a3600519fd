"""The GM's bare d20: whether an adversary resists something, or does what it may fail at."""

from __future__ import annotations

from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.asking import ask_target
from tracker.games.daggerheart.attack import with_experiences
from tracker.games.daggerheart.beings import facing, name
from tracker.games.daggerheart.odds import d20_odds
from tracker.games.daggerheart.outcome import pay_fear
from tracker.games.daggerheart.rolling import ask_difficulty, ask_net
from tracker.games.daggerheart.rolls import Attack
from tracker.games.prompts import Roll
from tracker.games.words import signed


def roll(table: Draft) -> Procedure:
    """A natural 20 succeeds, and nothing more comes of it; Hope, Fear and countdowns stay as they are."""
    who = yield ask_target(table, facing(table.state), "Who rolls", key="adversary")
    one = table.state["adversaries"][who]
    difficulty = yield from ask_difficulty(table, secret=False)
    own = yield from ask_net()
    chosen = yield from with_experiences(table, who)
    pay_fear(table, len(chosen))
    plus = sum(one["experiences"][each]["bonus"] for each in chosen)
    faces = yield Roll(
        key="dice",
        title=f"{name(table.state, who)}: d20 {signed(plus)} against {difficulty}",
        dice={"d20": (20, 20) if own else (20,)},
        odds=d20_odds(difficulty, plus, own),
    )
    lies = Attack(tuple(faces["d20"]), own, plus)
    table.facts |= {
        "adversary": one["name"],
        "d20": list(lies.faces),
        "kept": lies.kept,
        "plus": plus,
        "total": lies.total,
        "difficulty": difficulty,
        "outcome": "success" if lies.hits(difficulty) else "failure",
    }
