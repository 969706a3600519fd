"""Benefits and consequences that the GM picks after a roll; due items settled by hand."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.format import arrow
from tracker.games.api.prompts import Number, Option, Pick
from tracker.games.wherever.availability import begin
from tracker.games.wherever.harm import suffer
from tracker.games.wherever.state import TRACKS

BENEFITS: Mapping[str, str] = {
    "clear_stress": "clear stress",
    "gain_willpower": "gain willpower",
    "better_situation": "a better situation for what comes next",
    "opening": "an opening appears",
    "more_effect": "more effect than expected",
}
CONSEQUENCES: Mapping[str, str] = {
    "take_stress": "take stress",
    "take_harm": "take harm",
    "worse_situation": "a worse situation for what comes next",
    "complication": "a complication, a threat or an obstacle",
    "less_effect": "less effect than expected",
    "opening_gone": "the opening is gone; another approach is needed",
}
_HOTS = {"clear_stress": "s", "gain_willpower": "w", "take_stress": "s", "take_harm": "h"}


def benefit(table: Draft) -> Procedure:
    """Pick a benefit of a roll and apply it."""
    begin(table, "benefit")
    me = table.me
    notes = {
        "clear_stress": f"stress {arrow(me['stress'], me['stress'] - 1)}" if me["stress"] else "nothing: stress is 0",
        "gain_willpower": f"WP {arrow(me['wp'], me['wp'] + 1)}" if me["wp"] < me["wp_max"] else "nothing: WP is full",
    }
    chosen = yield _ask("What is the benefit?", BENEFITS, notes)
    table.facts["told"] = BENEFITS[chosen]
    if chosen == "clear_stress":
        table.mine("stress", -1)
    elif chosen == "gain_willpower":
        table.mine("wp", 1)


def consequence(table: Draft) -> Procedure:
    """Pick a consequence of a roll and apply it."""
    begin(table, "consequence")
    notes = {"take_stress": "1, or as much as the GM says", "take_harm": "damage to Health or Resolve"}
    chosen = yield _ask("What is the consequence?", CONSEQUENCES, notes)
    table.facts["told"] = CONSEQUENCES[chosen]
    if chosen == "take_stress":
        amount = yield Number(key="amount", title="how much stress", low=1, high=20, default=1, quiet=True)
        table.mine("stress", amount)
    elif chosen == "take_harm":
        track = yield Pick(
            key="to",
            title="What does it come off?",
            options=tuple(Option(one, one, f"{table.me[one]} left", hot=one[0]) for one in TRACKS),
        )
        amount = yield Number(key="amount", title="How much damage?", low=1, high=99, default=2)
        yield from suffer(table, table.who, track, amount)


def _ask(title: str, named: Mapping[str, str], notes: Mapping[str, str]) -> Pick:
    options = (
        Option(key, words, notes.get(key, "the story tells it"), hot=_HOTS.get(key, "")) for key, words in named.items()
    )
    return Pick(key="choose", title=title, options=tuple(options))


def strike_off(table: Draft) -> Procedure:
    """Remove a due item that was settled by the players."""
    from tracker.games.wherever.moves import owed_label

    begin(table, "strike_off")
    name = yield Pick(
        key="owed",
        title="What is settled?",
        options=tuple(Option(name, owed_label(name)) for name in table.me["owed"]),
    )
    table.mine(f"owed.{name}", -1)
    table.facts["told"] = owed_label(name)
