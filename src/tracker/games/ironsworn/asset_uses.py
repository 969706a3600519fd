"""Uses of assets: outside the moves of the rules, and when what is used up can be used again."""

from __future__ import annotations

from tracker.games.api.asset_abilities import ANY_MOVE, OWN_MOVE, RITUAL, USE
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Option, Pick
from tracker.games.common import scenes
from tracker.games.ironsworn.asset_bonuses import Boon, give_back, offered, option, other_stat, use_by_hand
from tracker.games.ironsworn.roll import action_roll, ask_help, ask_stat
from tracker.games.ironsworn.state import called
from tracker.text import shown_line


def use_asset(table: Draft) -> Procedure:
    """Ask for an ability that can be used outside the moves of the rules, and use it.

    If the ability has a move of its own, that move is made; else what the ability gives is applied. Raise Refused if no
    marked ability can be used so, or if the character is out of play.
    """
    table.begin("use_asset")
    there = {boon.key: boon for boon in _usable(table)}
    if not there:
        raise Refused("No ability of your assets is used outside moves.")
    options = tuple(option(table, boon) for boon in there.values())
    key = yield Pick(
        key="ability",
        title="Which ability?",
        options=options,
        default=next((one.key for one in options if not one.reason), None) if len(options) == 1 else None,
        quiet=len(options) == 1 and not options[0].reason,
    )
    boon = there[key]
    table.facts["asset"] = boon.name(table)
    if stats := _stats(boon):
        yield from _own_move(table, boon, stats)
    else:
        yield from use_by_hand(table, boon)


def _usable(table: Draft) -> list[Boon]:
    own = [boon for asset in table.me["assets"] for boon in offered(table, {OWN_MOVE}, own=asset) if _stats(boon)]
    return [*own, *offered(table, {USE})]


def _stats(boon: Boon) -> tuple[str, ...]:
    """Return the stats that the boon's own move can be rolled with; () if it has no move."""
    gives = (give for gift in boon.gifts for give in gift.gives)
    return next((tuple(give.what.split("/")) for give in gives if give.kind == "move"), ())


def _own_move(table: Draft, boon: Boon, stats: tuple[str, ...]) -> Procedure:
    """Make the move that the asset of a boon brings. The gifts of that ability apply without being ticked."""
    scope = {OWN_MOVE, ANY_MOVE} | ({RITUAL} if boon.record(table)["kind"] == "ritual" else set())
    adds = yield from ask_help(table, "", stats=stats, scope=scope, own=boon)
    stat, other = stats[0], other_stat(table)
    asked = len(stats) > 1 and not other
    if asked:
        stat = yield ask_stat(table, "", adds, stats)
    value = table.state["supply"] if stat == "supply" else None
    move = f"own_{boon.asset}"
    yield from action_roll(table, move, stat, adds, value=value, at_once=asked, priced=False)


def ready_asset(table: Draft) -> Procedure:
    """Ask for an asset with used abilities, and make them usable again. Raise Refused if there is none."""
    used = {ident: asset for ident, asset in table.me["assets"].items() if asset["used"]}
    if not used:
        raise Refused("No ability is used up.")
    ident = yield Pick(
        key="asset",
        title="Which asset?",
        options=tuple(Option(key, shown_line(called(asset)), asset["kind"]) for key, asset in used.items()),
        default=next(iter(used)),
        quiet=len(used) == 1,
    )
    table.facts["track"] = called(used[ident])
    for mark in used[ident]["used"]:
        table.drop(f"{table.who}.assets.{ident}.used", mark)


def new_scene(table: Draft) -> Procedure:
    """Begin a scene: ask for its title, and give back the uses of abilities that work once per scene."""
    yield from scenes.new_scene(table)
    give_back(table, "scene")


def new_session(table: Draft) -> Procedure:
    """Begin a session, and give back the uses of abilities that work once per session."""
    yield from scenes.new_session(table)
    give_back(table, "session")
