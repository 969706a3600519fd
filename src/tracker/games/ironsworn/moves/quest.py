"""Quest moves: swear, advance, fulfill and forsake vows; spend experience."""

from __future__ import annotations

from collections.abc import Generator

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import Answer, Choose, Confirm, Option, Pick, Prompt, Text, choose_any, member_option
from tracker.games.common.notes import pointer
from tracker.games.ironsworn.asset_bonuses import ask_boons
from tracker.games.ironsworn.assets import ask_new_asset, ask_upgrade
from tracker.games.ironsworn.outcomes import OutcomeChoice, OutcomeEffect, Result, change, make_due, resolve
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.roll import (
    action_roll,
    ask_bond,
    ask_help,
    ask_track,
    begin,
    end_pending,
    others,
    plus,
    track_roll,
)
from tracker.games.ironsworn.state import ASSET_COST, UPGRADE_COST, experience, no_asset, no_upgrade, owe, owners, pay
from tracker.games.ironsworn.tracks import ask_rank, close, harder, start_again
from tracker.text import shown_line

BURDENS = {"cursed": "dead", "tormented": "lost"}
"""The burdens that a vow can lift, each with the status of a character who misses the roll to swear that vow."""


def swear_an_iron_vow(table: Draft) -> Procedure:
    """Swear an Iron Vow. Strong hit: momentum +2. Weak hit: momentum +1. Miss: an obstacle blocks the vow.

    A vow sworn after Face Death or Face Desolation marks a debility until it is fulfilled; a miss ends the character.
    Raise Refused if the move cannot be made now.
    """
    begin(table, "swear_an_iron_vow")
    name = yield Text(key="track", title="What do you swear to do?", hint="Find the lost heir")
    burden = yield _ask_burden(table)
    bound = "such a vow is formidable or extreme"
    reasons = {rank: bound for rank in RANKS if burden and rank not in {"formidable", "extreme"}}
    rank = yield ask_rank("How hard will it be?", reasons=reasons, vow=True)
    track = table.new_id(name, table.state["tracks"])
    with_you = yield from _ask_sharers(table)
    bond = yield ask_bond("Sworn to someone you share a bond with")
    adds = yield from ask_help(table, "swear_an_iron_vow", stats=("heart",))
    vow = {"id": track, "name": name, "kind": "vow", "rank": rank, "burden": burden, "sworn_by": table.who}
    vow |= pointer(table.state, name)
    table.add("tracks", vow | ({"shared_by": {who: {} for who in with_you}} if with_you else {}))
    if burden:
        pay(table, f"swear_an_iron_vow_{burden}")
    table.facts["track"] = name
    adds += plus(table.facts, "bond", int(bond))
    outcome = yield from action_roll(table, "swear_an_iron_vow", "heart", adds, priced=False, track=track)
    if outcome != "miss":
        table.mine("momentum", 2 if outcome == "strong hit" else 1)
        if burden:
            table.add(f"{table.who}.debilities", {"id": burden})
            table.to(f"{table.who}.debilities.{burden}.vow", track)
        return
    table.to(f"tracks.{track}.status", "blocked")
    if burden:
        table.to(f"{table.who}.status", BURDENS[burden])
        return
    ways = (
        OutcomeChoice("press_on", (change("momentum", -2),), "press on: momentum -2"),
        OutcomeChoice("forsake", (make_due("forsake_your_vow"),), "give up: Forsake Your Vow"),
    )
    yield from resolve(table, Result((), ways, "An obstacle is in your way. Choose one"))


def _ask_sharers(table: Draft) -> Generator[Prompt, Answer, list[str]]:
    """Ask who else of the party swears the vow, and return their ids.

    If nobody else is in play, return [] without asking.
    """
    rest = others(table)
    if not rest:
        return []
    sharers: list[str] = yield choose_any(
        key="shared",
        title="Who swears with you?",
        options=tuple(member_option(table.state, who, label=f"{_name(table, who)} swears too") for who in rest),
    )
    return sharers


def _name(table: Draft, who: str) -> str:
    return shown_line(table.state["party"][who]["name"], 20)


def _ask_burden(table: Draft) -> Pick:
    """Return the prompt for the debility that fulfilling the vow will clear. It is answered by default.

    It is hidden by default unless Face Death or Face Desolation made such a vow due.
    """
    owed = [burden for burden in BURDENS if table.me["owed"].get(f"swear_an_iron_vow_{burden}")]
    return Pick(
        key="burden",
        title="burden",
        options=(
            Option("", "none"),
            Option("cursed", "cursed", "death's quest"),
            Option("tormented", "tormented", "the vision"),
        ),
        default=owed[0] if owed else "",
        quiet=True,
        aside=not owed,
    )


def reach_a_milestone(table: Draft) -> Procedure:
    """Reach a Milestone: ask for a vow and mark progress by its rank, without a roll.

    Raise Refused if the move cannot be made now.
    """
    begin(table, "reach_a_milestone")
    track = yield ask_track(table, "vow", odds=False, blocked="overcome its obstacle first")
    end_pending(table)
    yield from ask_boons(table, {"reach_a_milestone"}, track=track)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.by(f"tracks.{track}.ticks", RANKS[table.state["tracks"][track]["rank"]].ticks)


def fulfill_your_vow(table: Draft) -> Procedure:
    """Fulfill Your Vow. Strong hit: experience by rank. Weak hit: one point less, and +1 on the next vow.

    Miss: recommit to the vow at a higher rank, or give it up. All who share the vow get the experience. Raise Refused
    if the move cannot be made now.
    """
    begin(table, "fulfill_your_vow")
    which = ask_track(table, "vow", odds=True, blocked="overcome its obstacle first")
    track = yield which
    outcome = yield from track_roll(table, "fulfill_your_vow", track, which)
    vow = table.state["tracks"][track]
    rank = RANKS[vow["rank"]]
    xp = {"strong hit": rank.xp_strong, "weak hit": rank.xp_weak, "miss": 0}[outcome]
    table.facts["xp"] = xp
    if outcome == "miss":
        recommit = OutcomeEffect("recommit", start_again, harder)
        ways = (
            OutcomeChoice("recommit", (recommit,)),
            OutcomeChoice("forsake", (make_due("forsake_your_vow"),), "give up: Forsake Your Vow"),
        )
        yield from resolve(table, Result((), ways, "The vow isn't fulfilled. Choose one"), track)
        return
    sharers = owners(table.state, vow) or [table.who]
    for who in sharers:
        table.by(f"{who}.xp", xp)
    if xp and others(table):
        names = ", ".join(_name(table, who) for who in sharers)
        table.facts["chosen"] = f"{xp} experience for {names}"
    close(table, track, "fulfilled")
    for ident, one in table.state["party"].items():
        for burden, bound in one["debilities"].items():
            untied = ident == table.who and burden == vow["burden"] and not bound["vow"]
            if bound["vow"] == track or untied:
                table.drop(f"{ident}.debilities", burden)
    if outcome == "weak hit":
        table.mine("waiting.swear_an_iron_vow", 1)


def forsake_your_vow(table: Draft) -> Procedure:
    """Forsake Your Vow, without a roll: the vow ends, and Endure Stress by its rank becomes due.

    If it was sworn to a bond, Test Your Bond becomes due as well. Raise Refused if the move cannot be made now.
    """
    begin(table, "forsake_your_vow")
    track = yield ask_track(table, "vow", odds=False)
    bond = yield Confirm(
        key="bond",
        title="Sworn to someone you share a bond with; the bond will be tested",
        hot="k",
        default=False,
        quiet=True,
        aside=not table.me["bonds"],
    )
    end_pending(table)
    yield from ask_boons(table, {"forsake_your_vow"}, track=track)
    vow = table.state["tracks"][track]
    table.facts["track"] = vow["name"]
    close(table, track, "forsaken")
    owe(table, f"endure_stress_{RANKS[vow['rank']].number}")
    if bond:
        owe(table, "test_your_bond")


def advance(table: Draft) -> Procedure:
    """Advance, without a roll: buy a new asset for 3 experience, or one more ability of an asset for 2.

    Raise Refused if the move cannot be made now.
    """
    begin(table, "advance")
    way = yield Choose(
        key="choose",
        title=f"You have {experience(table.me)} experience. Choose one",
        options=(
            Option("new_asset", "a new asset", f"{ASSET_COST} experience", no_asset(table.me)),
            Option("upgrade", "one more ability of an asset", f"{UPGRADE_COST} experience", no_upgrade(table.me)),
        ),
    )
    end_pending(table)
    if way == ["new_asset"]:
        yield from ask_new_asset(table)
        table.mine("spent", ASSET_COST)
    else:
        yield from ask_upgrade(table)
        table.mine("spent", UPGRADE_COST)
