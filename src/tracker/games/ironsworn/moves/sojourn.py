"""Sojourn: each character recovers in a community, and may roll again to gain more of one thing or lose it."""

from __future__ import annotations

from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import Choose, Option, Pick
from tracker.games.common.members import living
from tracker.games.ironsworn.asset_bonuses import after_choice, other_stat
from tracker.games.ironsworn.outcomes import PRICE, do, first_useful, preview_change
from tracker.games.ironsworn.roll import action_roll, as_member, ask_bond, ask_help, begin, others, plus, throw
from tracker.games.ironsworn.state import heal_companions
from tracker.records import NamedTuple
from tracker.text import shown_line


class _Clear(NamedTuple):
    debility: str
    field: str


class _Recover(NamedTuple):
    field: str
    words: str


CLEARS = {
    "mend": _Clear("wounded", "health"),
    "hearten": _Clear("shaken", "spirit"),
    "equip": _Clear("unprepared", "supply"),
}
RECOVERS = {
    "recuperate": _Recover("health", "health +2, companions too"),
    "consort": _Recover("spirit", "spirit +2"),
    "provision": _Recover("supply", "supply +2"),
    "plan": _Recover("momentum", "momentum +2"),
}
NO_FOCUS = "none"


def sojourn(table: Draft) -> Procedure:
    """Sojourn. Strong hit: each character picks two ways to recover. Weak hit: one way. A bond adds one way.

    Miss: Pay the Price becomes due. Raise Refused if the move cannot be made now.
    """
    begin(table, "sojourn")
    bond = yield ask_bond("You share a bond here (one more pick)")
    adds = yield from ask_help(table, "sojourn", stats=("heart",))
    outcome = yield from action_roll(table, "sojourn", "heart", adds + plus(table.facts, "bond", int(bond)))
    if outcome == "miss":
        do(table, (PRICE,))
        return
    picks = (2 if outcome == "strong hit" else 1) + int(bond)
    yield from _recover(table, picks, int(bond), "")
    for who in others(table):
        yield from as_member(table, who, _recover(table, picks, int(bond), who))


def _recover(table: Draft, picks: int, bond: int, other: str) -> Procedure:
    """Ask the acting character for `picks` ways to recover, apply them, then offer the focus roll.

    Debilities are cleared before numbers rise. `bond` is the bonus of a bond on the focus roll, 1 or 0. `other` is ""
    for the character who made the move; for others it is their id, which is appended to the prompt keys.
    """
    suffix = f".{other}" if other else ""
    several = len(living(table.state)) > 1
    name = shown_line(table.me["name"])
    number = "one" if picks == 1 else picks
    options = _options(table)
    chosen = yield Choose(
        key=f"choose{suffix}",
        title=f"{name}: choose {number}" if several else f"Choose {number}",
        options=options,
        least=picks,
        most=picks,
        likely=first_useful(options, _idle(table)),
    )
    yield from after_choice(table, chosen)
    for pick, clear in CLEARS.items():
        if pick in chosen:
            _clear(table, clear)
    if "quest" in chosen:
        table.mine("waiting.swear_an_iron_vow", 1)
    recovers = [pick for pick in RECOVERS if pick in chosen]
    cleared = table.here()
    for pick in recovers:
        _gain(table, RECOVERS[pick].field, 2)
    focus = NO_FOCUS
    if recovers:
        again = f"{name}: roll again" if several else "Roll again"
        focus = yield Pick(
            key=f"focus{suffix}",
            title=f"{again} to focus on one (a hit adds 2 or 1 more, a miss loses it)?",
            options=(
                Option(NO_FOCUS, "no", "keep what you have", hot="n"),
                *(Option(pick, pick, f"{RECOVERS[pick].words}, at stake") for pick in recovers),
            ),
            default=NO_FOCUS,
        )
    if focus == NO_FOCUS:
        return
    table.roll_back_to(cleared)
    for pick in recovers:
        if pick != focus:
            _gain(table, RECOVERS[pick].field, 2)
    facts: dict[str, Any] = {}
    part = f"focus{suffix}_"
    adds = yield from ask_help(table, "sojourn", facts, part, stats=("heart",))
    stat, value = other_stat(table) or ("heart", table.me["heart"])
    rolled = (stat, value, adds + plus(facts, "bond", bond))
    title = f"Focus on {focus}: roll +{stat}"
    outcome = yield from throw(table, "sojourn", facts, title, rolled, at_once=False, part=part)
    more = {"strong hit": 4, "weak hit": 3, "miss": 0}[outcome]
    _gain(table, RECOVERS[focus].field, more)
    told = {"pick": focus, "name": table.me["name"], **facts}
    table.facts |= {"focus_of": {**table.facts.get("focus_of", {}), other: told}} if other else {"focus": told}


def _options(table: Draft) -> tuple[Option, ...]:
    return (
        *(
            Option(
                pick,
                f"{pick}: clear {clear.debility}, {clear.field} +1",
                "" if clear.debility in table.me["debilities"] else f"no change: not {clear.debility}",
            )
            for pick, clear in CLEARS.items()
        ),
        *(Option(pick, f"{pick}: {one.words}", _would(table, one.field)) for pick, one in RECOVERS.items()),
        Option("quest", "take a quest: +1 to swear it", "they tell you their trouble"),
    )


def _would(table: Draft, field: str) -> str:
    """Return in words the change that a gain of 2 would make to a number, such as "3 → 5".

    If a debility blocks the gain, name the way to recover that clears it, and the change after that.
    """
    for pick, clear in CLEARS.items():
        if clear.field == field and clear.debility in table.me["debilities"]:
            trial = table.trial()
            _clear(trial, clear)
            return f"with {pick} {preview_change(trial, field, 2)}, else no change"
    return preview_change(table, field, 2)


def _idle(table: Draft) -> list[str]:
    """Return the keys of the ways to recover that would change nothing for the acting character now."""
    trials = {pick: table.trial() for pick in (*CLEARS, *RECOVERS)}
    for pick, clear in CLEARS.items():
        _clear(trials[pick], clear)
    for pick, one in RECOVERS.items():
        _gain(trials[pick], one.field, 2)
    return [pick for pick, trial in trials.items() if trial.state == table.state]


def _clear(table: Draft, clear: _Clear) -> None:
    """Clear the debility of `clear` and gain one point of its number, such as health for wounded.

    If the acting character does not have it, change nothing.

    Unprepared is cleared for all characters in play, because supply is shared.
    """
    if clear.debility not in table.me["debilities"]:
        return
    for who in living(table.state) if clear.field == "supply" else [table.who]:
        table.drop(f"{who}.debilities", clear.debility)
    _gain(table, clear.field, 1, companions=False)


def _gain(table: Draft, field: str, points: int, *, companions: bool = True) -> None:
    if field == "supply":
        table.by("supply", points)
        return
    table.mine(field, points)
    if field == "health" and companions:
        heal_companions(table, table.who, points)
