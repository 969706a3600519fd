"""The death move, due when a character marks the last HP."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import Option, Pick, Roll, Spread
from tracker.games.api.view import whole
from tracker.games.daggerheart.dice import FACES

LOST = "lost"


def death_move(table: Draft) -> Procedure:
    """Ask which death move the acting character makes, and apply it. Raise Refused if none is due.

    It is not an action roll, so it brings no Hope or Fear and advances no countdown.
    """
    table.begin("death_move")
    me = table.me
    chance = whole(100 * me["level"] / FACES)
    way = yield Pick(
        key="choose",
        title="Which death move?",
        options=(
            Option("avoid_death", "Avoid Death", f"unconscious; scar {chance}%", hot="a"),
            Option("risk_it_all", "Risk It All", "up 46%, all cleared 8%, dead 46%", hot="k"),
            Option("blaze_of_glory", "Blaze of Glory", "one last deed, a critical success; then death", hot="b"),
        ),
    )
    table.facts["choice"] = way
    if way == "blaze_of_glory":
        table.facts["told"] = "one last deed, a critical success"
        _dies(table)
    elif way == "avoid_death":
        yield from _avoid(table)
    else:
        yield from _risk(table)


def _dies(table: Draft) -> None:
    table.to(f"{table.who}.down", "")
    table.to(f"{table.who}.status", "dead")


def _avoid(table: Draft) -> Procedure:
    """Make the character unconscious and roll a Hope Die.

    A face up to the level brings a scar, which costs a Hope slot.
    """
    faces = yield Roll(key="dice", title="Hope Die: a scar at your level or lower", dice={"hope": FACES})
    scar = faces["hope"] <= table.me["level"]
    table.facts |= {"hope": faces["hope"], "scar": scar, "told": "a scar" if scar else "no scar"}
    table.to(f"{table.who}.down", "unconscious")
    if scar:
        table.mine("scars", 1)
        table.mine("hope_max", -1)


def _risk(table: Draft) -> Procedure:
    """Roll a Hope Die against a Fear Die. If the Fear Die is higher, the character dies.

    If they are equal, all HP and Stress are cleared. If the Hope Die is higher, ask how to split its face between
    clearing HP and clearing Stress.
    """
    faces = yield Roll(key="dice", title="Hope Die vs Fear Die", dice={"hope": FACES, "fear": FACES})
    hope, fear = faces["hope"], faces["fear"]
    table.facts |= {"hope": hope, "fear": fear}
    if fear > hope:
        table.facts["told"] = "dead"
        _dies(table)
        return
    table.to(f"{table.who}.down", "")
    if hope == fear:
        table.facts["told"] = "up, all cleared"
        table.mine("hp", -12)
        table.mine("stress", -12)
        return
    table.facts["told"] = "up again"
    me = table.me
    shares = yield Spread(
        key="clear",
        title=f"Clear {hope}",
        points=hope,
        targets=(
            (Option("hp", "HP", f"{me['hp']} marked; clear none and you stay at your last"), hope),
            (Option("stress", "Stress", f"{me['stress']} marked"), hope),
            (Option(LOST, "leave unused"), hope),
        ),
    )
    for track in ("hp", "stress"):
        table.mine(track, -shares.get(track, 0))
    if not shares.get("hp"):
        table.facts["warning"] = "every HP is still marked"
