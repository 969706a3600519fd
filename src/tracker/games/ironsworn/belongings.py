"""Belongings of a character as view data: assets, bonds, experience to spend, a weapon."""

from __future__ import annotations

from tracker.games.api.schema import State
from tracker.games.api.view import Action, Belonging, Counter, Holding, Mark, Meter, Start
from tracker.games.ironsworn.assets import OWN
from tracker.games.ironsworn.moves.quest import ASSET_COST, UPGRADE_COST, no_asset, no_upgrade
from tracker.games.ironsworn.state import ABILITIES
from tracker.text import shown_line


def belongings(state: State, who: str) -> tuple[Holding, ...]:
    me = state["party"][who]
    return (
        Holding(
            "assets",
            "Assets",
            tuple(_asset(who, me, ident) for ident in me["assets"]),
            empty="No asset yet: n takes one of your first three.",
            actions=(
                Action("n", "Take an asset", Start("sheet/asset"), "one of your first three, or what the story gave"),
                Action("w", "Write your own", Start("sheet/asset", (("asset", OWN),)), "typed in"),
            ),
        ),
        Holding(
            "bonds",
            "Bonds",
            tuple(_bond(ident, bond) for ident, bond in me["bonds"].items()),
            note=f"{me['bond_ticks']} of 40 ticks" if me["bond_ticks"] else "",
            empty="No bond yet: Forge a Bond, or k marks one.",
            actions=(Action("k", "Mark a bond", Start("sheet/bond"), "that no move made"),),
        ),
        Holding(
            "experience",
            "Experience",
            _experience(who, me),
            f"{me['xp'] - me['spent']} to spend",
            actions=_to_buy(me),
            on_sheet=True,
        ),
        Holding("weapon", "Weapon", (_weapon(me),), on_sheet=True),
    )


def _asset(who: str, me: State, ident: str) -> Belonging:
    asset = me["assets"][ident]
    at = f"{who}.assets.{ident}"
    health = None
    if asset["max"]:
        down = "" if asset["health"] else asset["status"]
        health = Meter(f"{at}.health", "health", asset["health"], asset["max"], down)
    this = (("asset", ident),)
    return Belonging(
        ident,
        shown_line(asset["name"]),
        asset["kind"],
        shown_line(asset["note"]),
        tuple(
            Mark(shown_line(asset[name]["text"], 200), asset[name]["on"], f"{at}.{name}.on")
            for name in ABILITIES
            if asset[name]["text"] or asset[name]["on"]
        ),
        health,
        (
            Action(
                "g",
                "Upgrade",
                Start("quest/advance", (("choose", ["upgrade"]), *this)),
                f"one more ability for {UPGRADE_COST} experience",
                reason="every ability is marked" if _whole(asset) else no_upgrade(me),
            ),
            Action("e", "Name it", Start("sheet/name_asset", this), shown_line(asset["note"] or asset["name"])),
            Action("l", "Lose it", Start("sheet/lose_asset", this), "the story has taken it"),
        ),
    )


def _whole(asset: State) -> bool:
    return all(asset[name]["on"] for name in ABILITIES)


def _bond(ident: str, bond: State) -> Belonging:
    this = (("with", ident),)
    return Belonging(
        ident,
        shown_line(bond["name"]),
        note=shown_line(bond["note"], 200),
        actions=(
            Action("t", "Test Your Bond", Start("relationship/test_your_bond", this), "it is strained"),
            Action("e", "Name it", Start("sheet/name_bond", this), "and what is to be remembered of it"),
            Action("l", "Let it go", Start("sheet/drop_bond", this), "without a move; its tick goes too"),
        ),
    )


def _experience(who: str, me: State) -> tuple[Belonging, ...]:
    return (
        Belonging("xp", "earned", number=Counter(f"{who}.xp", "earned", me["xp"])),
        Belonging("spent", "spent", number=Counter(f"{who}.spent", "spent", me["spent"])),
    )


def _to_buy(me: State) -> tuple[Action, ...]:
    return (
        Action(
            "a",
            "New asset",
            Start("quest/advance", (("choose", ["new_asset"]),)),
            f"{ASSET_COST} experience",
            reason=no_asset(me),
        ),
        Action(
            "g",
            "One more ability",
            Start("quest/advance", (("choose", ["upgrade"]),)),
            f"{UPGRADE_COST} experience",
            reason=no_upgrade(me),
        ),
    )


def _weapon(me: State) -> Belonging:
    another = (Action("e", "Take up another", Start("sheet/weapon")),)
    if me["weapon"] == "deadly":
        return Belonging("weapon", "a deadly weapon", note="2 harm", actions=another)
    return Belonging("weapon", "no deadly weapon", note="1 harm", actions=another)
