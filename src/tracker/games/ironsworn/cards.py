"""Roll cards from the facts of entries, and phrases for the changes of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tracker.games.api.facts import is_whole, items, text, with_question, word
from tracker.games.api.phrases import Change, Phrases, arrow, owed, signed
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Card, Die, Start, Tone
from tracker.games.common import clocks, notes, scenes
from tracker.games.common.oracle import tables_card
from tracker.games.ironsworn.dice import (
    MARKS,
    ODDS,
    OF_TWO,
    ActionRoll,
    ProgressRoll,
    added,
    told,
    told_burn,
    told_progress,
)
from tracker.games.ironsworn.moves import MOVES, ORACLE, TRUTHS
from tracker.games.ironsworn.ranks import MARK_WORDS
from tracker.games.ironsworn.state import (
    ABILITIES,
    COUNTS,
    COUNTS_NO_LONGER,
    OPEN,
    STATS,
    called,
    other_debilities,
    owed_label,
)
from tracker.text import shown_line

MEANS = {
    ("gather_information", "weak hit"): "say what complicates it",
    ("reach_your_destination", "weak hit"): "say what is there",
    ("compel", "weak hit"): "say what they want for it",
    ("fulfill_your_vow", "weak hit"): "say what is left to do, or what comes out",
    ("write_your_epilogue", "weak hit"): "say what is not as you hoped",
}
"""Hint on what the player has to decide or tell, by move and outcome."""
TRUTH_MOST = 3000
"""Characters shown of the truth that was settled last."""
TONES: dict[str, Tone] = {"strong hit": "good", "weak hit": "mid", "miss": "bad"}


def card(did: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of an entry; `did` is the id of its move. The facts may have been edited by hand.

    If further rolls followed the first one, as in Sojourn, return the card of the last.
    """
    name = MOVES[did].name if did in MOVES else shown_line(did)
    if asset := text(facts, "asset", 60):
        name = asset
    if heading := facts.get("heading"):
        return Card(name, heading=shown_line(str(heading)))
    if is_whole(facts.get("oracle")):
        return _oracle(name, facts)
    if did == TRUTHS:
        return _truths(name, facts)
    if not is_roll(facts):
        if facts.get("tables"):
            return tables_card(name, facts)
        gave = "; ".join(_gave(facts))
        whole, short = (
            "; ".join(filter(None, [with_question(facts, one), gave, _lapsed(facts)])) for one in _told(facts)
        )
        return Card(name, sum=whole or shown_line(str(facts.get("track", "")), 300), short=short)
    first = _rolled(name, facts)
    if facts.get("dire"):
        first = first._replace(reasons=(*first.reasons, "you staked everything: make the price dire"))
    means = MEANS.get((did.rpartition("/")[2], facts["outcome"]), "")
    lapsed, came = _lapsed(facts), _other_consequences(facts)
    in_full = _other_consequences(facts, each=True)
    tired = "3 in a row: time for another approach?" if "repeated" in facts else ""
    reasons = [came] if "fate_words" in facts else [*first.reasons, means, lapsed, in_full, tired]
    first = first._replace(
        reasons=tuple(filter(None, reasons)),
        short="; ".join(filter(None, [first.short, lapsed, came])),
    )
    focused = list(_focused(facts))
    if not focused:
        return first
    shorts = [f"{first.short}, {first.told}", *(one.short for one in focused)]
    # The latest roll is shown; only the journal line has all of them.
    return focused[-1]._replace(short="; ".join(shorts))


def _rolled(name: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of one action roll or progress roll. `is_roll` must be true for the facts."""
    outcome = facts["outcome"]
    stat = shown_line(str(facts.get("stat_used", "")))
    roll: ActionRoll | ProgressRoll
    challenge = tuple(facts["challenge"])
    if "action" in facts:
        roll = _action(facts)
        title = f"{name} +{stat}"
        plus = _plus(facts)
        total, *reasons = told(roll, stat, plus)
        between: tuple[str, ...] = (f"+ {stat} {roll.stat}{added(roll, plus)} = {roll.score}", "against")
        dice = [Die(roll.action, 6, "canceled" if roll.cancelled else "action")]
    else:
        roll = ProgressRoll(facts["ticks"], challenge)
        title = f"{name}: {shown_line(facts['track'])}"
        total, *reasons = told_progress(roll)
        between, dice = (), []
    with_stat = f" (+{stat})" if "action" in facts else ""
    short = f"{roll.score}{with_stat} vs {challenge[0]} and {challenge[1]}" + (", a match" if roll.match else "")
    short += "".join(f", {name} {signed(points)}" for name, points in _plus(facts))
    score, beaten = roll.score, roll.beaten
    if "before_burn" in facts and isinstance(roll, ActionRoll):
        burned = told_burn(roll)
        said, _, match = burned.partition("; ")
        reasons = [f"{said} (was a {shown_line(str(facts['before_burn']))})", match]
        short += f", {burned.partition(';')[0]}"
        title += f", momentum {roll.momentum}"
        score, beaten = max(roll.score, roll.momentum), roll.burned_beaten
    if again := _rerolled(facts):
        reasons, short = [*reasons, again], f"{short}, {again}"
    dice += [
        Die(face, 10, "beaten" if won else "holds", counts=not won, group="challenge")
        for face, won in zip(challenge, beaten, strict=True)
    ]
    return Card(
        title,
        MARKS[outcome],
        outcome.upper(),
        TONES[outcome],
        total,
        tuple(filter(None, reasons)),
        tuple(dice),
        between,
        short,
        score,
        banner=MATCH if roll.match else "",
        offers=_ASK_MEANING if roll.match else (),
    )


MATCH = "MATCH"
_ASK_MEANING = (
    Action("o", "Ask the Oracle", Start(ORACLE, (("choose", ["yes_no"]),)), "what the match means", opens="oracle"),
)


def _rerolled(facts: Mapping[str, Any]) -> str:
    """Return in words which dice were rerolled and what allowed it; "" if none was."""
    dice, by = facts.get("rerolled"), shown_line(str(facts.get("rerolled_by", "")), 60)
    words = ", ".join(shown_line(str(die), 20) for die in dice) if isinstance(dice, list) else ""
    return f"rerolled {words}{f' ({by})' if by else ''}" if words else ""


_FOCUS = {"strong hit": "2 more of {}", "weak hit": "1 more of {}", "miss": "{} is lost"}


def _focused(facts: Mapping[str, Any]) -> Iterator[Card]:
    """Yield a card for each focus roll of Sojourn: the acting character's, then those of others, with their names."""
    others = facts.get("focus_of")
    several = list(others.values()) if isinstance(others, Mapping) else []
    for focus in (facts.get("focus"), *several):
        if isinstance(focus, Mapping) and "pick" in focus and "action" in focus and is_roll(focus):
            name = f"{shown_line(str(focus.get('name', '')), 20)}: " if focus in several else ""
            pick = shown_line(str(focus["pick"]), 20)
            brings = _FOCUS[focus["outcome"]].format(pick)
            roll = _rolled(f"{name}focus on {pick}", focus)
            short = f"{name}focus on {pick}: {roll.short}, {roll.told}, {brings}"
            yield roll._replace(outcome=f"FOCUS: {roll.outcome}", reasons=(brings, *roll.reasons), short=short)


def _plus(facts: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return (name, points) of each named bonus of a roll; [] if there are none.

    Malformed ones, from an edit by hand, are left out.
    """
    pairs = [pair for pair in items(facts, "plus") if isinstance(pair, list) and len(pair) == 2]
    return [(shown_line(str(name), 20), points) for name, points in pairs if is_whole(points) and points]


def _other_consequences(facts: Mapping[str, Any], *, each: bool = False) -> str:
    """Describe the consequences that no change of a number shows: harm, a table's row, a choice, risk to a companion.

    Return "" if there are none. With `each`, say how much progress one harm is.
    """
    if "fate_words" in facts:
        return shown_line(f"{facts.get('fate', '')} on the table: {facts['fate_words']}", 300)
    harm = f"{facts['harm']} harm" if "harm" in facts else ""
    if harm and each and (mark := MARK_WORDS.get(word(facts, "foe", MARK_WORDS))):
        harm += f", {mark}" if facts["harm"] == 1 else f", {mark} per harm"
    at_risk = ""
    if "beside" in facts and facts.get("action") == 1 and facts["outcome"] != "strong hit":
        at_risk = f"a 1 with {shown_line(str(facts['beside']), 20)}'s help: it suffers what goes wrong too"
    return shown_line("; ".join(filter(None, [harm, str(facts.get("chosen", "")), *_gave(facts), at_risk])), 300)


def _gave(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each ability gave, such as "Marsh Crane: momentum +1"; malformed facts are left out.

    An ability that decided the outcome comes first, such as "counts as a weak hit (Marsh Crane)".
    """
    if by := text(facts, "counted_by", 20):
        yield f"counts as a {facts.get('outcome', '')} ({by})"
    for pair in items(facts, "gave"):
        if isinstance(pair, list) and len(pair) == 2:
            yield f"{shown_line(str(pair[0]), 20)}: {shown_line(str(pair[1]), 80)}"


def _told(facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return (result with the words that the player typed, result without them).

    The second is for the journal, which shows the player's words anyway.
    """
    told_in, said = (shown_line(str(facts.get(key, "")), 300) for key in ("told", "said"))
    return ": ".join(filter(None, [told_in, said])), told_in


def _lapsed(facts: Mapping[str, Any]) -> str:
    """Return a clause on the bonus that this move lost because it had no action roll; "" if none was lost."""
    lost = shown_line(str(facts.get("lapsed", "")), 20)
    return f"the +{lost} bonus is lost: it needs an action roll" if lost else ""


def _action(facts: Mapping[str, Any]) -> ActionRoll:
    return ActionRoll(facts["action"], tuple(facts["challenge"]), facts["stat"], facts["adds"], facts["momentum"])


def is_roll(facts: Mapping[str, Any]) -> bool:
    """Return True if the facts are those of a roll, with all its values in the right types.

    An edit of the save by hand may have removed values or changed their types.
    """
    numbers = ("action", "stat", "adds", "momentum") if "action" in facts else ("ticks",)
    words = ("stat_used",) if "action" in facts else ("track",)
    dice = facts.get("challenge")
    return (
        bool(word(facts, "outcome", MARKS))
        and isinstance(dice, list)
        and len(dice) == 2
        and all(map(is_whole, (*dice, *(facts.get(name) for name in numbers))))
        and all(isinstance(facts.get(name), str) for name in words)
    )


def _truths(name: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of world truths.

    In full it shows the last truth, with its die if rolled; `short` lists all names.
    """
    face, sides = facts.get("face"), facts.get("sides")
    dice = (Die(face, sides, "truth"),) if is_whole(face) and is_whole(sides) else ()
    told = text(facts, "told", TRUTH_MOST)
    return Card(name, sum=told, dice=dice, short=", ".join(map(str, items(facts, "truths"))) or told)


def _oracle(name: str, facts: Mapping[str, Any]) -> Card:
    """Return the card of an oracle's answer or of a d100 table, with the player's question first."""
    match = bool(facts.get("match"))
    words, short = _told(facts)
    answer = "" if words else shown_line(str(facts.get("answer", "")))
    odds = shown_line(str(facts.get("odds", "")))
    lapsed = _lapsed(facts)
    of_two = f"{ODDS['likely'][1]}+ is {OF_TWO['yes']}" if words.startswith(tuple(OF_TWO.values())) else ""
    means = "a match: an extreme answer, or a twist" if match else ""
    return Card(
        name,
        mark=f"{facts['oracle']:>2}",
        outcome=answer.upper(),
        sum=with_question(facts, words or odds),
        reasons=tuple(filter(None, [of_two, means, lapsed])),
        dice=(Die(facts["oracle"], 100, "oracle"),),
        short=", ".join(filter(None, [with_question(facts, short or odds), "a match" if match else "", lapsed])),
        banner=MATCH if match else "",
    )


# -- changes --------------------------------------------------------------------------------------------


def _due(change: Change) -> str:
    """Return the phrase for points that make a move due: a setback, or lost supply."""
    name = owed_label(change.path[-1])
    return f"{change.whose}due: {name} ({change.new})" if change.new else f"{change.whose}done: {name}"


def _debility(change: Change) -> str:
    """Return the phrase for a marked or cleared debility, or for an asset that begins or ends to count as one."""
    marked = change.form == "+"
    ident, me = change.path[-1], (change.after if marked else change.before)["party"][change.path[1]]
    if name := other_debilities(me).get(ident):
        return f"{change.whose}{shown_line(name)} {COUNTS if marked else COUNTS_NO_LONGER}"
    return f"{change.whose}{ident} {'marked' if marked else 'cleared'}"


def _waiting(change: Change) -> str:
    """Return the phrase for a bonus on a later roll that is granted, used or lost."""
    move = change.path[-1]
    named = move != "any"
    if change.new > change.old:
        return f"{change.whose}+{change.new} on {owed_label(move) if named else 'the next move'}"
    # Only the card knows whether the next move could use it.
    return f"{change.whose}+{change.old} {'used' if named else 'bonus is used up'}"


def _initiative(change: Change) -> str:
    """Return the phrase for a change of initiative; "" if no fight is open any more."""
    if not _fighting(change.after):
        return ""
    match change.new:
        case "you":
            return f"{change.name} has initiative"
        case "foe":
            return f"{change.name} lost initiative" if change.old == "you" else f"{change.whose}foe has initiative"
    return f"{change.name} is out of the fight"


def _fighting(state: State) -> bool:
    return any(track["kind"] == "fight" and track["status"] in OPEN for track in state["tracks"].values())


_BECAME = {
    "open": "“{}” is open again",
    "arrived": "“{}” is reached",
    "won": "“{}” is beaten",
    "lost": "“{}” beat you",
}


def _track_became(change: Change) -> str:
    new = change.new
    over = "; the fight is over" if new in {"won", "lost"} and not _fighting(change.after) else ""
    return _BECAME.get(new, f"“{{}}” is {new}").replace("{}", change.name) + over


def _hidden(change: Change) -> str:
    """Return the phrase for a track that is hidden or shown; "" if it is reopened, because that has its own phrase."""
    if change.new:
        return f"“{change.name}” hidden"
    return "" if change.after["tracks"][change.path[1]]["status"] in OPEN else f"“{change.name}” shown"


def _boxes(ticks: int) -> str:
    full, part = divmod(ticks, 4)
    return f"{full if full or not part else ''}{['', '¼', '½', '¾'][part]}"


def _new_track(change: Change) -> str:
    track = change.new
    marked = f", progress {_boxes(track['ticks'])}" if track.get("ticks") else ""
    party = change.after["party"]
    names = [shown_line(party[who]["name"], 20) for who in track.get("shared_by", {}) if who in party]
    shared = f", shared with {', '.join(names)}" if names else ""
    return f"new {track['kind']}: {change.name} ({track['rank']}{marked}){shared}"


def _progress(change: Change) -> str:
    """Return the phrase for marked or lost progress; "" if the phrase for a new rank says it too."""
    before, after = (state["tracks"][change.path[1]]["rank"] for state in (change.before, change.after))
    return f"{change.name}: progress {arrow(_boxes(change.old), _boxes(change.new))}" if before == after else ""


def _rank(change: Change) -> str:
    """Return the phrase for a new rank, with the progress if that has changed too."""
    before, after = (state["tracks"][change.path[1]]["ticks"] for state in (change.before, change.after))
    moved = f", progress {arrow(_boxes(before), _boxes(after))}" if before != after else ""
    return f"{change.name}: now {change.new}{moved}"


def _shares(change: Change) -> str:
    vow, who = change.after["tracks"][change.path[1]], change.after["party"].get(change.path[-1])
    return f"{shown_line(who['name'])} shares {shown_line(vow['name'])}" if who else ""


def _joins(change: Change) -> str:
    who = change.new
    stats = ", ".join(f"{stat} {who[stat]}" for stat in STATS)
    assets, bonds = (
        ", ".join(shown_line(one["name"]) for one in who.get(held, {}).values()) for held in ("assets", "bonds")
    )
    with_them = (f"; assets: {assets}" if assets else "") + (f"; bonds: {bonds}" if bonds else "")
    return f"{change.name} joins: {stats}{with_them}"


def _remembered(change: Change) -> str:
    return f"{change.whose}note on {change.name}: {shown_line(change.new, 200) or '–'}"


def _of_asset(words: str) -> Callable[[Change], str]:
    """Return a function that describes a change of an asset by the template `words`.

    In `words`, {} is the asset's name as the player knows it, and {old}, {new} and {marked} are filled in too. The
    function returns "" if the asset is gone.
    """

    def phrase(change: Change) -> str:
        one = change.after["party"].get(change.path[1], {"assets": {}})
        asset = one["assets"].get(change.path[3])
        if not asset:
            return ""
        marked = "marked" if change.new else "cleared"
        return change.whose + words.format(shown_line(called(asset)), old=change.old, new=change.new, marked=marked)

    return phrase


def _asset_lost(change: Change) -> str:
    called = f"{shown_line(change.old['note'])}, " if change.old["note"] else ""
    return f"{change.whose}asset lost: {called}{change.name}"


def _linked(change: Change) -> str:
    return f"{change.name}: {notes.told(change.after, change.new) or 'no note'}"


PHRASES: Phrases = {
    **scenes.PHRASES,
    "tracks.*.noted": _linked,
    "party.*.bonds.*.noted": _linked,
    **clocks.PHRASES,
    "+party": _joins,
    "-party": "",
    "party.*.name": "{old} is now called {new}",
    "party.*.status": {
        "alive": "{name} is back in play",
        "retired": "{name} retires",
        "dead": "{name} is dead",
        "lost": "{name} is lost",
        "gone": "{name} is removed",
    },
    "party.*.latest": "",
    "party.*.repeated": "",
    "party.*.times": "",
    "party.*.tide": "",
    "party.*.turning": "",
    "party.*.aided": "",
    "party.*.setback": _due,
    "party.*.out_of_supply": _due,
    "party.*.initiative": _initiative,
    "party.*.owed.*": owed(owed_label),
    "party.*.owed_beyond.*": owed(owed_label),
    "party.*.waiting.*": _waiting,
    "+party.*.debilities": _debility,
    "-party.*.debilities": _debility,
    "party.*.debilities.*.vow": "{whose}vow {old} → {new}",
    "-party.*.bonds": "{whose}bond lost: {name}",
    "party.*.bonds.*.name": "{whose}bond: {name}",
    "party.*.bonds.*.note": _remembered,
    "-party.*.assets": _asset_lost,
    "party.*.assets.*.meters.*.value": "{whose}{name} {old} → {new}",
    "party.*.assets.*.flags.*.on": {True: "{whose}{name} marked", False: "{whose}{name} cleared"},
    "+party.*.assets.*.used": "",
    "-party.*.assets.*.used": _of_asset("{} is ready again"),
    "party.*.assets.*.health": _of_asset("{} health {old} → {new}"),
    "party.*.assets.*.max": _of_asset("{} max {old} → {new}"),
    "party.*.assets.*.status": _of_asset("{} status {old} → {new}"),
    "party.*.assets.*.note": {"": "{whose}{name} has no name now", None: "{whose}{name} is now called {new}"},
    **{f"party.*.assets.*.{ability}.on": _of_asset(f"{{}}: ability {ability} {{marked}}") for ability in ABILITIES},
    "+tracks": _new_track,
    "-tracks": "",
    "tracks.*.name": "{old} is now called {new}",
    "tracks.*.rank": _rank,
    "tracks.*.ticks": _progress,
    "tracks.*.status": _track_became,
    "tracks.*.away": _hidden,
    **{f"tracks.*.{field}": f"{{name}} {field} {{new}}" for field in ("kind", "burden", "foes", "sworn_by")},
    "tracks.*.about": "{name}: {new}",
    "+truths": "truth: {name}",
    "-truths": "",
    "+tracks.*.shared_by": _shares,
    "-tracks.*.shared_by": "",
    "+tracks.*.waypoints": "waypoint: {name}",
    "-tracks.*.waypoints": "",
    "+tracks.*.boasts": "boast: {id}",
    "-tracks.*.boasts": "",
}
