"""The moves, each read as the rule reads: what is rolled, what is certain, what is chosen, what becomes due."""

from __future__ import annotations

from tracker.games.base import Draft, Procedure, new_id
from tracker.games.ironsworn.catalogue import owed_label
from tracker.games.ironsworn.layout import STATS, TOP
from tracker.games.ironsworn.rolling import (
    action_roll,
    alive,
    ask_adds,
    ask_stat,
    ask_track,
    lapse,
    owe,
    pay,
    progress_roll,
)
from tracker.games.ironsworn.rolls import ODDS, RANKS, oracle_answer, rank_up
from tracker.games.ironsworn.tables import PAY_THE_PRICE, row
from tracker.games.prompts import Choose, Confirm, Option, Pick, Refused, Roll, Text
from tracker.games.words import arrow
from tracker.text import shown_line

MARK_WORDS = {
    "troublesome": "three boxes",
    "dangerous": "two boxes",
    "formidable": "one box",
    "extreme": "two ticks",
    "epic": "one tick",
}


def _loss(table: Draft, field: str, points: int) -> str:
    """What a loss would do to a number, for the line beside the choice."""
    now = table.me[field] if field in table.me else table.state[field]
    low = {"momentum": -6}.get(field, 0)
    return arrow(now, max(low, now - points)) if now > low else f"it is {now} already"


def bare_roll(table: Draft) -> Procedure:
    """An action roll and nothing else."""
    alive(table)
    adds = yield ask_adds()
    stat = yield ask_stat(table, "action_roll", adds)
    yield from action_roll(table, "action_roll", stat, adds, at_once=True)


def bare_progress(table: Draft) -> Procedure:
    """A progress roll and nothing else."""
    alive(table)
    track = yield ask_track(table, ("vow", "journey", "fight"), odds=True)
    yield from progress_roll(table, track)


def face_danger(table: Draft) -> Procedure:
    """Strong: momentum +1. Weak: through, at a small cost. Miss: pay the price."""
    alive(table)
    adds = yield ask_adds()
    stat = yield ask_stat(table, "face_danger", adds)
    outcome = yield from action_roll(table, "face_danger", stat, adds, at_once=True)
    if outcome == "strong hit":
        table.mine("momentum", 1)
    elif outcome == "miss":
        owe(table, "pay_the_price")
    else:
        cost = yield Choose(
            key="choose",
            title="You get through, at a cost. Choose one",
            options=(
                Option("momentum", "momentum -1", _loss(table, "momentum", 1)),
                Option("harm", "Endure Harm (1)", "waits in owed"),
                Option("stress", "Endure Stress (1)", "waits in owed"),
                Option("supply", "supply -1", _loss(table, "supply", 1)),
            ),
        )
        match cost:
            case ["momentum"]:
                table.mine("momentum", -1)
            case ["harm"]:
                owe(table, "endure_harm_1")
            case ["stress"]:
                owe(table, "endure_stress_1")
            case ["supply"]:
                table.by("supply", -1)


def swear_an_iron_vow(table: Draft) -> Procedure:
    """Strong: momentum +2. Weak: momentum +1. Miss: an obstacle stands before the vow."""
    alive(table)
    name = yield Text(key="track", title="What do you swear to do?", hint="Find the lost heir")
    rank = yield Pick(
        key="rank",
        title="How hard will it be?",
        options=tuple(
            Option(rank, rank, f"{MARK_WORDS[rank]} a mark, {RANKS[rank].xp_strong} experience", hot=hot)
            for rank, hot in zip(RANKS, "tdfep", strict=True)
        ),
    )
    track = new_id(name, table.state["tracks"])
    bond = yield Confirm(key="bond", title="Sworn to a bond: +1", hot="k", default=False, quiet=True)
    adds = yield ask_adds()
    table.add("tracks", {"id": track, "name": name, "kind": "vow", "rank": rank})
    pay(table, "swear_an_iron_vow")
    table.facts["track"] = name
    outcome = yield from action_roll(table, "swear_an_iron_vow", "heart", adds + int(bond))
    if outcome == "strong hit":
        table.mine("momentum", 2)
    elif outcome == "weak hit":
        table.mine("momentum", 1)
    else:
        way = yield Choose(
            key="choose",
            title="Something stands in your way. Choose one",
            options=(
                Option("press_on", "press on: momentum -2", _loss(table, "momentum", 2)),
                Option("forsake", "give it up", "Forsake Your Vow waits in owed"),
            ),
        )
        table.to(f"tracks.{track}.status", "blocked")
        if way == ["press_on"]:
            table.mine("momentum", -2)
        else:
            owe(table, "forsake_your_vow")


def reach_a_milestone(table: Draft) -> Procedure:
    """No roll: mark progress on the vow, by its rank."""
    alive(table)
    track = yield ask_track(table, ("vow",), odds=False, blocked="its obstacle comes first")
    lapse(table)
    rank = table.state["tracks"][track]["rank"]
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.by(f"tracks.{track}.ticks", RANKS[rank].ticks)


def fulfill_your_vow(table: Draft) -> Procedure:
    """Strong: experience by rank. Weak: one less, and more is left to do. Miss: not yet, or never."""
    alive(table)
    track = yield ask_track(table, ("vow",), odds=True, blocked="its obstacle comes first")
    outcome = yield from progress_roll(table, track)
    vow = table.state["tracks"][track]
    rank = RANKS[vow["rank"]]
    xp = {"strong hit": rank.xp_strong, "weak hit": rank.xp_weak, "miss": 0}[outcome]
    table.facts["xp"] = xp
    if outcome != "miss":
        table.mine("xp", xp)
        table.to(f"tracks.{track}.status", "fulfilled")
        if vow["burden"]:
            table.drop(f"{table.who}.debilities", vow["burden"])
    if outcome == "weak hit":
        table.mine("waiting.swear_an_iron_vow", 1)
    if outcome == "miss":
        harder = rank_up(vow["rank"])
        left = min(vow["ticks"], 4)
        way = yield Choose(
            key="choose",
            title="The vow is not fulfilled. Choose one",
            options=(
                Option("recommit", "recommit", f"progress {arrow(vow['ticks'] // 4, left // 4)} boxes, {harder}"),
                Option("forsake", "give it up", "Forsake Your Vow waits in owed"),
            ),
        )
        if way == ["recommit"]:
            table.by(f"tracks.{track}.ticks", left - vow["ticks"])
            table.to(f"tracks.{track}.rank", harder)
        else:
            owe(table, "forsake_your_vow")


def forsake_your_vow(table: Draft) -> Procedure:
    """No roll: the vow ends, and its rank is owed as stress."""
    alive(table)
    track = yield ask_track(table, ("vow",), odds=False)
    lapse(table)
    pay(table, "forsake_your_vow")
    vow = table.state["tracks"][track]
    table.facts["track"] = vow["name"]
    table.to(f"tracks.{track}.status", "forsaken")
    owe(table, f"endure_stress_{RANKS[vow['rank']].number}")


def overcome(table: Draft) -> Procedure:
    """The obstacle before a blocked vow is out of the way; that is not a milestone."""
    alive(table)
    blocked = tuple(
        Option(ident, shown_line(track["name"]), f"{track['rank']} {track['kind']}")
        for ident, track in table.state["tracks"].items()
        if track["status"] == "blocked"
    )
    if not blocked:
        raise Refused("No vow is blocked.")
    track = yield Pick(key="track", title="Whose obstacle is overcome", options=blocked)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.status", "open")


def pay_the_price(table: Draft) -> Procedure:
    """The most obvious bad outcome, one of two, or one from the table."""
    alive(table)
    way = yield Choose(
        key="choose",
        title="What is the price?",
        options=(
            Option("obvious", "the most obvious bad outcome", "you say what it is"),
            Option("two_outcomes", "one of two you name", "the likelier one, on 26 or more"),
            Option("table", "roll on the table", "d100"),
        ),
    )
    lapse(table)
    pay(table, "pay_the_price")
    if way == ["obvious"]:
        table.facts["answer"] = "the most obvious bad outcome"
        return
    faces = yield Roll(key="dice", title="The price", dice={"oracle": 100}, at_once=True)
    table.facts["oracle"] = faces["oracle"]
    if way == ["two_outcomes"]:
        likely = oracle_answer(faces["oracle"], "likely")
        table.facts["answer"] = "the likelier one" if likely.answer == "yes" else "the other one"
        table.facts["match"] = likely.match
        return
    low, high, words = row(PAY_THE_PRICE, faces["oracle"])
    table.facts |= {"row": [low, high], "answer": words}
    for _ in range({1: 1, 99: 2}.get(low, 0)):
        owe(table, "pay_the_price")


def ask_the_oracle(table: Draft) -> Procedure:
    """Yes or no, at odds that you name; or two answers, the first of them likely."""
    alive(table)
    way = yield Choose(
        key="choose",
        title="Ask the oracle",
        options=(
            Option("yes_no", "yes or no", "you name the odds"),
            Option("pick_two", "one of two you name", "the likelier one, on 26 or more"),
            Option("decide", "you know the answer", "no roll"),
        ),
    )
    lapse(table)
    if way == ["decide"]:
        table.facts["answer"] = "decided"
        return
    odds = "likely"
    if way == ["yes_no"]:
        odds = yield Pick(
            key="odds",
            title="How likely is a yes?",
            options=tuple(
                Option(key, label, f"yes from {yes} on, {101 - yes} in 100", hot=hot)
                for (key, (label, yes)), hot in zip(ODDS.items(), "alfus", strict=True)
            ),
        )
    faces = yield Roll(key="dice", title="The oracle", dice={"oracle": 100}, at_once=True)
    said = oracle_answer(faces["oracle"], odds)
    answer = said.answer if way == ["yes_no"] else "the likelier one" if said.answer == "yes" else "the other one"
    table.facts |= {"oracle": faces["oracle"], "odds": ODDS[odds][0], "answer": answer, "match": said.match}


def strike_off(table: Draft) -> Procedure:
    """Take something off the list of what is owed: it was settled at the table, or forgotten."""
    owed = {name: count for name, count in table.me["owed"].items() if count}
    owed |= {name: table.me[name] for name in ("setback", "out_of_supply") if table.me[name]}
    if not owed:
        raise Refused("Nothing is owed.")
    name = yield Pick(
        key="owed",
        title="What is settled?",
        options=tuple(Option(name, owed_label(name), f"{count} of it") for name, count in owed.items()),
    )
    if name in table.me["owed"]:
        table.mine(f"owed.{name}", -1)
    else:
        table.mine(name, -owed[name])
    table.facts["answer"] = owed_label(name)


ARRAYS = tuple(
    (three, a, b) for three in STATS for n, a in enumerate(STATS) for b in STATS[n + 1 :] if three not in {a, b}
)
"""The thirty ways to lay 3, 2, 2, 1, 1 over the five stats."""


def make_character(table: Draft) -> Procedure:
    """A name, and 3, 2, 2, 1, 1 over the five stats; or the dice lay them out."""
    name = yield Text(key="name", title="What is your character called?", hint="Kara")
    how = yield Pick(
        key="how",
        title="Lay 3, 2, 2, 1, 1 over edge, heart, iron, shadow and wits",
        options=(Option("choose", "choose", hot="c"), Option("random", "let the dice do it", hot="d")),
    )
    if how == "random":
        faces = yield Roll(key="dice", title="A character", dice={"array": len(ARRAYS)}, at_once=True)
        best, *good = ARRAYS[faces["array"] - 1]
    else:
        meaning = {
            "edge": "quick, agile, good at range",
            "heart": "brave, loyal, good with people",
            "iron": "strong, tough, good up close",
            "shadow": "sly, quiet, good at deceit",
            "wits": "clever, watchful, good at finding out",
        }
        best = yield Pick(
            key="three",
            title="Which stat is 3?",
            options=tuple(Option(stat, stat, meaning[stat], hot=stat[0]) for stat in STATS),
        )
        good = yield Choose(
            key="twos",
            title="Which two are 2?",
            options=tuple(Option(stat, stat, meaning[stat], hot=stat[0]) for stat in STATS if stat != best),
            least=2,
            most=2,
        )
    stats = {stat: 3 if stat == best else 2 if stat in good else 1 for stat in STATS}
    ident = new_id(name, table.state["party"], *TOP.fields)
    table.add("party", {"id": ident, "name": name, **stats})
