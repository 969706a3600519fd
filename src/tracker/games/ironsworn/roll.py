"""Parts that moves share: action rolls with reroll and burn, progress rolls, pending bonuses, other members' parts."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from tracker.games.api.draft import Draft
from tracker.games.api.phrases import arrow
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Option, Pick, Prompt, Roll
from tracker.games.api.view import chance, whole
from tracker.games.common.members import living
from tracker.games.ironsworn import asset_bonuses
from tracker.games.ironsworn.dice import (
    MARKS,
    ActionRoll,
    Outcome,
    ProgressRoll,
    action_odds,
    progress_odds,
    shown_odds,
    with_burn,
)
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.state import OPEN, STATS, momentum_reset, owe, pay
from tracker.text import shown_line

T = TypeVar("T")
Part = Generator[Prompt, Answer, Outcome]
Initiative = Literal["other", "suffer", "told"]
"""How a roll changes the initiative in a fight.

"other" is the common rule, "suffer" that of suffer moves. With "told" the roll leaves it alone: the move sets it.
"""


def begin(table: Draft, move: str) -> None:
    """Start the move whose id ends in `move`: if it is due, record that it is due once less.

    Raise Refused if it cannot be made now.
    """
    table.begin(move)
    pay(table, move)


# -- pending bonuses and help ---------------------------------------------------------------------------


def others(table: Draft) -> list[str]:
    """Return the ids of all characters in play except the acting one."""
    return [ident for ident in living(table.state) if ident != table.who]


def as_member(table: Draft, who: str, part: Generator[Prompt, Answer, T]) -> Generator[Prompt, Answer, T]:
    """Run a part of a procedure with the member `who` as the acting character; return the result of the part."""
    me, table.who = table.who, who
    try:
        return (yield from part)
    finally:
        table.who = me


def pending_bonus(table: Draft, move: str) -> int:
    """Return the sum of the bonuses that earlier moves granted to the next roll of this move, and to any next roll.

    `move` is the last part of the move's id. Return 0 if there is none.
    """
    held = table.me["waiting"]
    return int(held.get("any", 0)) + int(held.get(move, 0))


def end_pending(table: Draft) -> None:
    """End everything that lasts only until the next move; call this in a move without an action roll.

    The bonus on any next roll is lost, Turn the Tide and the effect of help by others end, and the latest outcome is
    cleared.
    """
    if lost := table.me["waiting"].get("any", 0):
        table.mine("waiting.any", -lost)
        table.facts["lapsed"] = lost
    _acts(table)
    _turned(table)
    table.to(f"{table.who}.latest", "")


def _acts(table: Draft) -> None:
    """Clear `aided`: the acting character makes a move, so an initiative from others' aid is over (ruling I18)."""
    if table.me["aided"]:
        table.to(f"{table.who}.aided", False)


def _turned(table: Draft) -> bool:
    """End Turn the Tide for the acting character. Return True if it was active, so that it applies to this move."""
    turning = bool(table.me["turning"])
    if turning:
        table.to(f"{table.who}.turning", False)
    return turning


def ask_adds(part: str) -> Number:
    return Number(key=f"{part}adds", title="adds", low=-9, high=9, default=0, quiet=True)


def plus(facts: dict[str, Any], name: str, points: int) -> int:
    """Add (name, points) to the bonuses in the facts, for the roll card, unless `points` is 0; return `points`."""
    if points:
        facts["plus"] = [*facts.get("plus", []), [name, points]]
    return points


def ask_bond(title: str) -> Confirm:
    return Confirm(key="bond", title=f"{title}: +1", hot="k", default=False, quiet=True)


def ask_help(
    table: Draft,
    move: str,
    facts: dict[str, Any] | None = None,
    part: str = "",
    *,
    stats: Collection[str] = (),
    scope: Collection[str] = (),
    track: str = "",
    own: asset_bonuses.Boon | None = None,
) -> Generator[Prompt, Answer, int]:
    """Ask for adds and helping assets; return the sum of their points. `move` is the last part of the move's id.

    For a second roll in the same move, the names of the bonuses go into `facts`, and `part` is the prefix of the prompt
    keys. `stats` are those that the move can be rolled with; () for any. `scope` holds the words with which gifts can
    refer to the move, if they are more than its name. `track` is the id of the move's track. If the move belongs to an
    asset, `own` is the boon of that ability.
    """
    facts = table.facts if facts is None else facts
    adds = yield ask_adds(part)
    words = scope or asset_bonuses.rolled(move)
    asset = own.asset if own else ""
    yield from asset_bonuses.ask_boons(table, words, stats, part=part, own=asset, track=track, always=own)
    for name, points in asset_bonuses.adds(table):
        adds += plus(facts, name, points)
    if helper := asset_bonuses.beside(table):
        facts["beside"] = helper
    return int(adds)


def _more(table: Draft, stat: str, facts: Mapping[str, Any]) -> int:
    return sum(points for _, points in asset_bonuses.adds_with(table, stat, facts))


def ask_stat(
    table: Draft,
    move: str,
    adds: int,
    stats: tuple[str, ...] = STATS,
    bonded: tuple[str, ...] = (),
    when: Mapping[str, str] = MappingProxyType({}),
) -> Pick:
    """Return the prompt for one of `stats`, with exact odds that include adds, pending bonus and negative momentum.

    `move` is the last part of the move's id, and `adds` the sum of adds with any stat. A bond adds 1 to the stats in
    `bonded`. `when` describes the situation in which each stat is used.
    """
    bonus, momentum = adds + pending_bonus(table, move), table.me["momentum"]
    counted = pending_bonus(table, move)
    title = "Roll with" + (f" (includes your +{counted} bonus)" if counted else "")
    options = []
    for stat in stats:
        value, plus = table.me[stat], bonus + (stat in bonded) + _more(table, stat, table.facts)
        better = with_burn(value, plus, momentum)
        strong = f"with burn: strong {whole(shown_odds(better)[0][1])}%"
        burn = "" if better == action_odds(value, plus, momentum) else strong
        odds = shown_odds(action_odds(value, plus, momentum))
        options.append(Option(stat, f"{stat} {value}", burn, hot=stat[0], odds=odds, about=when.get(stat, "")))
    best = max(options, key=lambda option: chance(option.odds))
    return Pick(key="using", title=title, options=tuple(options), likely=best.key)


# -- the action roll ------------------------------------------------------------------------------------


def action_roll(
    table: Draft,
    move: str,
    stat: str,
    adds: int,
    *,
    value: int | None = None,
    at_once: bool = False,
    initiative: Initiative = "other",
    about: str = "",
    priced: bool = True,
    track: str = "",
) -> Part:
    """Make an action roll: apply pending bonuses, roll, offer reroll and burn, set the initiative.

    Return the final outcome. `move` is the last part of the move's id, `stat` the name of the stat, and `adds` the sum
    of the adds, without pending bonuses. `value` replaces the value of the stat; `about` is added to the title; with
    `at_once` the dice are rolled without a prompt. `initiative` is the rule by which the roll changes the initiative.
    `priced` is True if the caller makes Pay the Price due on a miss; if it is False, this function does so for a miss
    after Turn the Tide. `track` is the id of the move's track. Boons that were ticked before can change the stat and
    the outcome, and add to what the outcome gives.
    """
    bonus = plus(table.facts, "bonus", pending_bonus(table, move))
    table.mine("waiting.any", -table.me["waiting"].get("any", 0))
    table.mine(f"waiting.{move}", -table.me["waiting"].get(move, 0))
    if other := asset_bonuses.other_stat(table):
        stat, value = other
    value = table.me[stat] if value is None else value
    yield from asset_bonuses.before_the_roll(table, stat, track)
    for name, points in list(asset_bonuses.adds_with(table, stat, table.facts)):
        adds += plus(table.facts, name, points)
    title = f"Roll +{stat} {value}{f', with your +{bonus} bonus' if bonus else ''}{about}"
    outcome = yield from throw(table, move, table.facts, title, (stat, value, adds + bonus), at_once=at_once)
    table.to(f"{table.who}.latest", outcome)
    yield from asset_bonuses.gains(table, table.facts, track)
    yield from _companion_at_risk(table, outcome)
    if initiative != "suffer":
        _count_repeats(table, move)
    _acts(table)
    if _turned(table):
        if outcome != "miss":
            table.mine("momentum", 1)
        else:
            table.facts["dire"] = True
            if not priced:
                owe(table, "pay_the_price")
    yield from _initiative(table, outcome, initiative)
    return outcome


TOO_OFTEN = 3
"""Number of times in a row after which the card of a move suggests another approach."""
_LEG_BY_LEG = "undertake_a_journey"


def _count_repeats(table: Draft, move: str) -> None:
    """Count how often in a row the acting character made this move; at TOO_OFTEN times, store the count in the facts.

    Legs of a journey do not count, because they are meant to repeat.
    """
    if move == _LEG_BY_LEG:
        return
    times = table.me["times"] + 1 if table.me["repeated"] == move else 1
    if table.me["repeated"] != move:
        table.to(f"{table.who}.repeated", move)
    if times != table.me["times"] and times <= TOO_OFTEN + 1:  # no card shows a higher count
        table.to(f"{table.who}.times", times)
    if times == TOO_OFTEN:
        table.facts["repeated"] = times


def _companion_at_risk(table: Draft, outcome: Outcome) -> Generator[Prompt, Answer, None]:
    """If a companion helped and the action die shows 1, offer to make Companion Endure Harm due.

    After a strong hit, offer nothing.
    """
    if outcome == "strong hit" or table.facts["action"] != 1 or "beside" not in table.facts:
        return
    hurt = yield Confirm(
        key="companion_hurt",
        title=f"{shown_line(table.facts['beside'], 20)} is hurt too",
        note="due: Companion Endure Harm",
        hot="c",
        default=False,
        quiet=True,
    )
    if hurt:
        owe(table, "companion_endure_harm")


def throw(
    table: Draft,
    move: str,
    facts: dict[str, Any],
    title: str,
    rolled: tuple[str, int, int],
    *,
    at_once: bool,
    part: str = "",
) -> Part:
    """Ask for the dice of one action roll, with reroll and burn; return the outcome.

    A match is determined by the final faces, and a burn resets momentum before the outcome applies (rulings I1 and I7).
    `move` is the last part of the move's id. `rolled` is (name of the stat, its value, sum of adds). With `at_once` the
    dice are rolled without a prompt. For a second roll in the same move, `part` is the prefix of the prompt keys. The
    results go into `facts`.
    """
    stat, value, adds = rolled
    momentum = table.me["momentum"]
    faces = yield Roll(
        key=f"{part}dice",
        title=title,
        dice={"action": 6, "challenge": (10, 10)},
        odds=shown_odds(action_odds(value, adds, momentum)),
        at_once=at_once,
    )
    action, challenge = faces["action"], list(faces["challenge"])
    roll = ActionRoll(action, (challenge[0], challenge[1]), value, adds, momentum)
    facts |= _roll_facts(roll, stat)
    again = yield _ask_reroll(table, move, facts, part)
    if again:
        sides = {"action": 6, "challenge_1": 10, "challenge_2": 10}
        reason = _REASONS.get(move, "")
        boon, by = yield from asset_bonuses.ask_reroll_by(table, facts, again, len(sides), part, reason)
        new = yield Roll(
            key=f"{part}reroll_dice",
            title="Reroll these; the new results count",
            dice={name: sides[name] for name in sides if name in again},
            at_once=True,
        )
        old = {"action": action, "challenge_1": challenge[0], "challenge_2": challenge[1]}
        lie = old | new
        roll = ActionRoll(lie["action"], (lie["challenge_1"], lie["challenge_2"]), value, adds, momentum)
        asset_bonuses.reroll_used(table, boon, facts)
        facts |= _roll_facts(roll, stat)
        facts["rerolled"] = [f"{name.partition('_')[0]} {arrow(old[name], lie[name])}" for name in new]
        facts["rerolled_by"] = shown_line(by, REASON_MOST)
    late = yield from asset_bonuses.ask_late(table, facts, part)
    if late:
        adds += sum(plus(facts, name, points) for name, points in late)
        roll = ActionRoll(roll.action, roll.challenge, value, adds, momentum)
        facts |= _roll_facts(roll, stat)
    outcome = roll.outcome
    if roll.burn_helps:
        reset = momentum_reset(len(table.me["debilities"]))
        better = f"{MARKS[roll.burned_outcome]} {roll.burned_outcome.upper()}"
        note = f"{better}  momentum {arrow(momentum, reset)}, then the result applies"
        burn = yield Confirm(key=f"{part}burn", title="Burn momentum", note=note, hot="b", default=False, quiet=True)
        if burn:
            table.to(f"{table.who}.momentum", "reset")
            facts |= {"before_burn": outcome, "reset": reset}
            facts["outcome"] = outcome = roll.burned_outcome
    else:
        table.not_offered[f"{part}burn"] = f"burning momentum {momentum} doesn't improve this {outcome}"
    if counted := asset_bonuses.counted_as(table, facts):
        facts["outcome"] = outcome = counted
    return outcome


def _roll_facts(roll: ActionRoll, stat: str) -> dict[str, Any]:
    """Return the values of a roll to store in the facts, with the outcome before any burn.

    `stat` is the stat's name.
    """
    return {
        "stat_used": stat,
        "stat": roll.stat,
        "adds": roll.adds,
        "momentum": roll.momentum,
        "action": roll.action,
        "challenge": list(roll.challenge),
        "cancelled": roll.cancelled,
        "raw": roll.raw,
        "score": roll.score,
        "match": roll.match,
        "burn_offered": roll.burn_helps,
        "outcome": roll.outcome,
    }


_REASONS = {"forge_a_bond": "after fulfilling a vow for them"}
"""For each move that itself can give a reroll, the reason in words."""
REASON_MOST = 40


def _rerolls(table: Draft, move: str, facts: Mapping[str, Any], die: str = "") -> list[str]:
    """Return the labels of everything that allows a reroll in this move: abilities, or the move itself; [] for none.

    If `die` is "action" or "challenge", return only what allows a reroll of that die.
    """
    offered = [
        shown_line(boon.name(table), 20) + (": all dice" if dice == "all" else "")
        for boon, dice in asset_bonuses.rerolls(table, facts)
        if not die or dice in {"any", "one", "all", die, f"one_{die}"}
    ]
    return [*offered, *([_REASONS[move]] if move in _REASONS else [])]


def _ask_reroll(table: Draft, move: str, facts: Mapping[str, Any], part: str) -> Choose:
    """Return the prompt for dice to reroll. It is hidden by default unless the move or an asset allows a reroll.

    The prompt is never left out, because players may agree on a reroll.
    """
    offered = _rerolls(table, move, facts)
    action, challenge = (", ".join(_rerolls(table, move, facts, die)) for die in ("action", "challenge"))
    beside = challenge if challenge != action else ""
    texts = [
        f"{boon.name(table)}: {boon.record(table)[boon.ability]['text']}"
        for boon, _ in asset_bonuses.rerolls(table, facts)
    ]
    about = shown_line(" ".join(texts), 1200)
    return Choose(
        key=f"{part}reroll",
        title="Reroll",
        options=(
            Option("action", "reroll the action die", action, hot="a", about=about),
            Option("challenge_1", "reroll the first challenge die", beside, hot="f", about=about),
            Option("challenge_2", "reroll the second challenge die", beside, hot="s", about=about),
        ),
        least=0,
        most=3,
        default=[],
        quiet=True,
        aside=not offered,
    )


def _initiative(table: Draft, outcome: Outcome, rule: Initiative) -> Generator[Prompt, Answer, None]:
    """Set the acting character's initiative after a roll, as `rule` says; change nothing outside a fight.

    A strong hit takes the initiative, and anything less loses it. In a suffer move the player decides whether to take
    it.
    """
    if table.me["initiative"] == "none" or rule == "told":
        return
    if outcome != "strong hit":
        set_initiative("foe", table)
    elif rule == "other":
        set_initiative("you", table)
    elif table.me["initiative"] == "foe":
        wanted = yield Confirm(
            key="take_initiative",
            title="Take back initiative",
            note="then you can Strike; otherwise Clash",
            hot="i",
            default=True,
            quiet=True,
        )
        if wanted:
            set_initiative("you", table)


def set_initiative(whose: str, table: Draft) -> None:
    """Record the initiative of the acting character. `whose` is "you", "foe", or "none" for outside a fight."""
    table.to(f"{table.who}.initiative", whose)


# -- progress -------------------------------------------------------------------------------------------


def ask_track(table: Draft, kind: str, *, odds: bool, blocked: str = "") -> Pick:
    """Return the prompt for an open track of this kind. If there is only one, the prompt is answered by default.

    Tracks with an obstacle are disabled if `blocked` gives a reason. With `odds`, options show the odds of a progress
    roll, and the cursor starts on the track with the most ticks.
    """
    options = tuple(
        Option(
            ident,
            shown_line(track["name"]),
            _after_mark(track) if odds else track["rank"],
            reason=blocked if track["status"] == "blocked" else "",
            odds=shown_odds(progress_odds(track["ticks"])) if odds else (),
        )
        for ident, track in table.state["tracks"].items()
        if track["kind"] == kind and track["status"] in OPEN
    )
    alone = len(options) == 1 and not options[0].reason
    free = [option.key for option in options if not option.reason]
    ripest = max(free, key=lambda ident: int(table.state["tracks"][ident]["ticks"]), default=None)
    return Pick(
        key="track",
        title=kind if alone else f"Which {kind}?",
        options=options,
        default=options[0].key if alone else None,
        quiet=alone,
        likely=ripest if odds else None,
    )


def _after_mark(track: Any) -> str:
    if track["ticks"] >= 40:
        return f"{track['rank']}, full"
    ticks = min(40, track["ticks"] + RANKS[track["rank"]].ticks)
    return f"{track['rank']}; {whole(shown_odds(progress_odds(ticks))[0][1])}% strong after 1 more mark"


def progress_roll(
    table: Draft,
    name: str,
    ticks: int,
    *,
    move: str,
    track: str = "",
    initiative: Initiative = "other",
    at_once: bool = True,
    about: str = "",
) -> Part:
    """Roll the full boxes of a track against two challenge dice, without momentum; return the outcome.

    A bonus that waits for any next roll is lost, because only an action roll takes it. `name` and `ticks` are those of
    the track, and `track` is its id. With `at_once` the dice are rolled without a prompt. `about` is added to the
    title. `initiative` is the rule by which the roll changes the initiative. `move` is the last part of the move's id,
    for assets that help in it.
    """
    end_pending(table)
    yield from asset_bonuses.ask_boons(table, {move}, track=track)
    faces = yield Roll(
        key="dice",
        title=f"Progress roll: {shown_line(name)}{about}",
        dice={"challenge": (10, 10)},
        odds=shown_odds(progress_odds(ticks)),
        at_once=at_once,
    )
    roll = ProgressRoll(ticks, tuple(faces["challenge"]))
    table.facts |= {"track": name, "ticks": ticks, "burn_offered": False, **_shows(roll)}
    if asset_bonuses.rerolls(table, table.facts):
        roll = yield from _reroll_challenge(table, roll)
    outcome = asset_bonuses.counted_as(table, table.facts) or roll.outcome
    table.facts["outcome"] = outcome
    table.to(f"{table.who}.latest", outcome)
    yield from asset_bonuses.gains(table, table.facts, track)
    yield from _initiative(table, outcome, initiative)
    return outcome


def _shows(roll: ProgressRoll) -> dict[str, Any]:
    return {"challenge": list(roll.challenge), "score": roll.score, "match": roll.match, "outcome": roll.outcome}


def _reroll_challenge(table: Draft, roll: ProgressRoll) -> Generator[Prompt, Answer, ProgressRoll]:
    """Offer to reroll challenge dice of a progress roll, and return the roll with its final faces.

    After a reroll, the facts hold the new faces and what gave the reroll.
    """
    asked = _ask_reroll(table, "", table.facts, "")
    by = ", ".join(_rerolls(table, "", table.facts, "challenge"))
    again = yield asked.replace(options=tuple(option._replace(note=by) for option in asked.options[1:]), most=2)
    if not again:
        return roll
    dice = ("challenge_1", "challenge_2")
    boon, by = yield from asset_bonuses.ask_reroll_by(table, table.facts, again, len(dice), "")
    new = yield Roll(
        key="reroll_dice",
        title="Reroll these; the new results count",
        dice={name: 10 for name in dice if name in again},
        at_once=True,
    )
    asset_bonuses.reroll_used(table, boon, table.facts)
    old = {"challenge_1": roll.challenge[0], "challenge_2": roll.challenge[1]}
    lie = old | new
    roll = ProgressRoll(roll.ticks, (lie["challenge_1"], lie["challenge_2"]))
    table.facts |= _shows(roll)
    table.facts["rerolled"] = [f"challenge {arrow(old[name], lie[name])}" for name in new]
    table.facts["rerolled_by"] = shown_line(by, REASON_MOST)
    return roll


def track_roll(table: Draft, move: str, track: str, asked: Pick, *, initiative: Initiative = "other") -> Part:
    """Make the progress roll of a track and return the outcome. `move` is the last part of the move's id.

    `asked` is the prompt in which the track was chosen. If that was answered by default, another prompt shows the odds
    before the roll. `initiative` is the rule by which the roll changes the initiative.
    """
    this = table.state["tracks"][track]
    about = f" ({_after_mark(this)})" if asked.quiet else ""
    return (
        yield from progress_roll(
            table,
            this["name"],
            this["ticks"],
            move=move,
            track=track,
            initiative=initiative,
            at_once=not asked.quiet,
            about=about,
        )
    )
