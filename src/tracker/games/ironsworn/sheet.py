"""Sheet, party, tracks and belongings (assets, bonds, experience, a weapon) as view data."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.asset_abilities import USE, written
from tracker.games.api.phrases import signed
from tracker.games.api.schema import State
from tracker.games.api.view import (
    Action,
    Belonging,
    Counter,
    Field,
    Flag,
    Flags,
    Holding,
    Line,
    Mark,
    Member,
    Meter,
    Momentum,
    Pane,
    Row,
    Start,
    Stat,
    Track,
)
from tracker.games.common import clocks, notes
from tracker.games.ironsworn.state import (
    ABILITIES,
    ABOUT_MOST,
    ASSET_COST,
    DEBILITIES,
    OPEN,
    OWN_ASSET,
    READY,
    STATS,
    UPGRADE_COST,
    abilities,
    ability_line,
    called,
    experience,
    foes_harm,
    in_line,
    most_momentum,
    no_asset,
    no_upgrade,
    other_debilities,
    owed_label,
    reset_momentum,
)
from tracker.text import shown_line


def member(ident: str, who: State) -> Member:
    return Member(
        ident,
        shown_line(who["name"]),
        f"health {who['health']}, spirit {who['spirit']}, momentum {signed(who['momentum'])}",
        "" if who["status"] == "alive" else who["status"],
    )


def _is_party(state: State) -> bool:
    return len([who for who in state["party"].values() if who["status"] != "gone"]) > 1


def sheet(state: State, who: str) -> tuple[Pane, ...]:
    me = state["party"][who]
    path = ("party", who, "momentum")
    shared = "shared" if _is_party(state) else ""

    def held(debility: str) -> str:
        return debility if debility in me["debilities"] else ""

    low = -me["momentum"]
    note = f"a {low} on the action die counts as 0" if low > 0 else ""
    return (
        Pane(
            "sheet",
            shown_line(me["name"]),
            (
                *(Stat(f"{who}.{stat}", stat, me[stat], stat[0], _roll(stat)) for stat in STATS),
                Meter(f"{who}.health", "health", me["health"], 5, held("wounded")),
                Meter(f"{who}.spirit", "spirit", me["spirit"], 5, held("shaken")),
                Meter("supply", "supply", state["supply"], 5, held("unprepared") or shared),
                Momentum(
                    f"{who}.momentum",
                    "momentum",
                    me["momentum"],
                    -6,
                    10,
                    most_momentum(state, path),
                    reset_momentum(state, path),
                    note,
                ),
                Flags(
                    (
                        *(Flag(f"{who}.debilities", name, name, name in me["debilities"]) for name in DEBILITIES),
                        *(Flag(f"{who}.debilities", one, name, True) for one, name in other_debilities(me).items()),
                    )
                ),
                Row(
                    (
                        Counter(f"{who}.xp", "xp", me["xp"]),
                        Counter(f"{who}.spent", "xp spent", me["spent"]),
                        Line("", "weapon", "2 harm" if me["weapon"] == "deadly" else "1 harm"),
                    )
                ),
                *_waiting(me),
            ),
        ),
    )


_NEXT = "the next move, if it has an action roll"


def _waiting(me: State) -> Iterator[Field]:
    if me["waiting"]:
        told = (f"+{n} on {_NEXT if to == 'any' else owed_label(to)}" for to, n in me["waiting"].items())
        yield Line("", "bonus", ", ".join(told))


def _roll(stat: str) -> Start:
    return Start("roll/action", (("using", stat),))


def tracks(state: State) -> tuple[Track, ...]:
    """Return tracks and clocks: open fights first, then other tracks, then clocks; closed tracks last.

    Tracks that the players have hidden are left out.
    """
    from tracker.games.ironsworn.dice import progress_odds, shown_odds

    shown = [
        Track(
            ident,
            shown_line(track["name"]),
            track["kind"],
            track["rank"],
            track["ticks"],
            note=_note(state, track),
            closed="" if track["status"] in OPEN else track["status"],
            at=f"tracks.{ident}.ticks",
            ends=_ENDS[track["kind"]],
            odds=shown_odds(progress_odds(track["ticks"])),
            about=shown_line(track["about"], ABOUT_MOST),
        )
        for ident, track in state["tracks"].items()
        if not track["away"]
    ]
    everything = [*shown, *clocks.shown(state)]
    return tuple(sorted(everything, key=lambda track: (bool(track.closed), track.kind != "fight")))


_ENDS = {"vow": "Fulfill Your Vow", "journey": "Reach Your Destination", "fight": "End the Fight"}


def _note(state: State, track: State) -> str:
    """Return the remarks on a track, separated by commas, or "".

    In this order: who swore it (in a party), obstacle, foes, harm, readiness, burden and the last waypoint.
    """
    known = dict.fromkeys((track["sworn_by"], *track["shared_by"])) if _is_party(state) else {}
    names = [shown_line(state["party"][who]["name"], 20) for who in known if who in state["party"]]
    told = [f"sworn by {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))}"] if names else []
    if track["kind"] == "vow" and state["notes"] and (noted := notes.told(state, notes.linked(state, track))):
        told.append(noted)
    if track["status"] == "blocked":
        return ", ".join([*told, "blocked"])
    if track["kind"] == "fight" and track["status"] == "open":
        if track["foes"] > 1:
            told.append(f"{track['foes']} foes")
        told.append(f"deals {foes_harm(track)}")
    if track["status"] == "open" and track["ticks"] >= 40 and track["kind"] != "vow":
        told.append("full")
    elif track["status"] == "open" and track["ticks"] >= READY:
        told.append({"vow": "ready to fulfill", "journey": "near its end", "fight": "nearly beaten"}[track["kind"]])
    if track["burden"]:
        told.append(track["burden"])
    if track["waypoints"]:
        *_, last = track["waypoints"].values()
        told.append(f"at {shown_line(last['name'], 30)}")
    return ", ".join(told)


def waypoints(track: State) -> str:
    """Return the named waypoints of a journey in order, as text; "" if it has none."""
    return ", ".join(shown_line(point["name"], 30) for point in track["waypoints"].values())


# -- belongings -----------------------------------------------------------------------------------------


def belongings(state: State, who: str) -> tuple[Holding, ...]:
    me = state["party"][who]
    return (
        Holding(
            "assets",
            "Assets",
            tuple(thing for ident in me["assets"] for thing in _asset_and_meters(who, me, ident)),
            empty="No assets yet: n adds one.",
            actions=(
                Action("n", "Take an asset", Start("sheet/asset"), "a starting one, or one from the story"),
                Action("w", "Write your own", Start("sheet/asset", (("asset", OWN_ASSET),)), "you type its text"),
            ),
        ),
        Holding(
            "bonds",
            "Bonds",
            tuple(_bond(state, ident, bond) for ident, bond in me["bonds"].items()),
            note=f"{me['bond_ticks']} of 40 ticks" if me["bond_ticks"] else "",
            empty="No bonds yet: Forge a Bond, or k adds one.",
            actions=(Action("k", "Mark a bond", Start("sheet/bond"), "without a move"),),
        ),
        Holding(
            "experience",
            "Experience",
            _experience(who, me),
            f"{experience(me)} to spend",
            actions=_to_buy(me),
            on_sheet=True,
        ),
        Holding("weapon", "Weapon", (_weapon(me),), on_sheet=True),
        *_past_vows(state, who),
    )


def _past_vows(state: State, who: str) -> Iterator[Holding]:
    """Yield one group with the character's fulfilled vows, including hidden ones; nothing if there are none."""
    vows = {i: t for i, t in state["tracks"].items() if t["status"] == "fulfilled" and t["kind"] == "vow"}
    mine = {i: t for i, t in vows.items() if who in {t["sworn_by"] or who, *t["shared_by"]}}
    if mine:
        yield Holding("vows", "Fulfilled vows", tuple(_past_vow(ident, vow) for ident, vow in mine.items()))


def _past_vow(ident: str, vow: State) -> Belonging:
    show = Action("o", "Show", Start("track/show", (("track", ident),)), "on the table again")
    return Belonging(ident, shown_line(vow["name"]), vow["rank"], actions=(show,) if vow["away"] else ())


def _asset_and_meters(who: str, me: State, ident: str) -> Iterator[Belonging]:
    """Yield the asset with the id `ident` as a belonging, then each of its meters and boxes as one of its own."""
    yield _asset(who, me, ident)
    asset = me["assets"][ident]
    at, of = f"{who}.assets.{ident}", f"of {shown_line(called(asset))}"
    for key, meter in asset["meters"].items():
        name, path = shown_line(meter["name"]), f"{at}.meters.{key}.value"
        number: Meter | Counter = (
            Meter(path, name, meter["value"], meter["most"])
            if meter["most"] and meter["least"] >= 0
            else Counter(path, name, meter["value"])
        )
        yield Belonging(f"{ident}:{key}", name, of, number=number)
    for key, flag in asset["flags"].items():
        name = shown_line(flag["name"])
        yield Belonging(f"{ident}:{key}", name, of, marks=(Mark(name, flag["on"], f"{at}.flags.{key}.on"),))


def _noted(asset: State) -> str:
    """Return the remark on an asset: its name by the player, the answers to its questions, and its requirement.

    For a companion, return only the name that the player gave it, or "".
    """
    if asset["max"]:
        return shown_line(called(asset)) if called(asset) != asset["name"] else ""
    options = (one for one in asset["options"].values() if one["value"])
    told = (f"{shown_line(one['name'])}: {shown_line(one['value'])}" for one in options)
    return ", ".join(filter(None, [shown_line(asset["note"]), *told, in_line(asset["needs"])]))


def _ability_text(asset: State, name: str) -> str:
    """Return the text of an ability, and the reason if it cannot be used now."""
    text = ability_line(asset[name]["name"], asset[name]["text"])
    used = next((used for mark, used in asset["used"].items() if mark.partition("_")[0] == name), None)
    if used is None:
        return text
    return f"{text} (used{'' if used['period'] == 'ever' else ' this ' + shown_line(used['period'], 20)})"


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
        shown_line(asset["kind"]),
        _noted(asset),
        tuple(
            Mark(_ability_text(asset, name), asset[name]["on"], f"{at}.{name}.on")
            for name in ABILITIES
            if asset[name]["text"] or asset[name]["on"]
        ),
        health,
        (
            Action(
                "g",
                "Upgrade",
                Start("quest/advance", (("choose", ["upgrade"]), *this)),
                f"one more ability, {UPGRADE_COST} experience",
                reason="every ability is marked" if _whole(asset) else no_upgrade(me),
            ),
            *_uses(asset, this),
            Action("e", "Name it", Start("sheet/name_asset", this), shown_line(asset["note"] or asset["name"])),
            Action("l", "Lose it", Start("sheet/lose_asset", this), "it is gone from the story"),
        ),
    )


def _uses(asset: State, this: tuple[tuple[str, str], ...]) -> Iterator[Action]:
    gifts = [gift for name in ABILITIES if asset[name]["on"] for gift in written(asset[name]["gives"])]
    if any(USE in gift.moves or gift.gives[0].kind == "move" for gift in gifts):
        yield Action("x", "Use it", Start("sheet/use_asset"), "its own move, or what it does outside moves")
    if asset["used"]:
        yield Action("y", "Ready it", Start("sheet/ready_asset", this), "what was used can be used again")


def _whole(asset: State) -> bool:
    return all(asset[name]["on"] for name in abilities(asset))


def _bond(state: State, ident: str, bond: State) -> Belonging:
    this = (("with", ident),)
    return Belonging(
        ident,
        shown_line(bond["name"]),
        note=", ".join(filter(None, (shown_line(bond["note"], 200), notes.told(state, notes.linked(state, bond))))),
        actions=(
            Action("t", "Test Your Bond", Start("relationship/test_your_bond", this), "it is strained"),
            Action("e", "Name it", Start("sheet/name_bond", this), "and a note about it"),
            notes.open_or_link(state, bond, Start("sheet/bond_note", this)),
            Action("l", "Let it go", Start("sheet/drop_bond", this), "without a move; its tick is lost"),
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
    another = (Action("e", "Change weapon", Start("sheet/weapon")),)
    if me["weapon"] == "deadly":
        return Belonging("weapon", "a deadly weapon", note="2 harm", actions=another)
    return Belonging("weapon", "no deadly weapon", note="1 harm", actions=another)
