"""The sheet, the tracks, and what can be done now."""

from __future__ import annotations

from tracker.games.ironsworn.catalogue import MOVES, owed_label
from tracker.games.ironsworn.layout import DEBILITIES, OPEN, STATS, most_momentum, reset_momentum
from tracker.games.ironsworn.odds import action_odds, progress_odds, shown_odds
from tracker.games.schema import State
from tracker.games.sheet import (
    Action,
    Counter,
    Flag,
    Flags,
    Member,
    Meter,
    Momentum,
    Odds,
    Owed,
    Pane,
    Start,
    Stat,
    Track,
)
from tracker.games.words import signed
from tracker.text import shown_line

READY = 32
"""From eight boxes on a vow is worth trying: only one roll in eleven misses."""


def members(state: State) -> tuple[Member, ...]:
    return tuple(
        Member(
            ident,
            shown_line(who["name"]),
            f"h{who['health']} s{who['spirit']} m{signed(who['momentum'])}",
            "" if who["status"] == "alive" else who["status"],
        )
        for ident, who in state["party"].items()
    )


def sheet(state: State, who: str) -> tuple[Pane, ...]:
    me = state["party"][who]
    path = ("party", who, "momentum")
    shared = "shared" if len(state["party"]) > 1 else ""

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
                Flags(tuple(Flag(f"{who}.debilities", name, name, name in me["debilities"]) for name in DEBILITIES)),
                Counter(f"{who}.xp", "xp earned", me["xp"]),
                Counter(f"{who}.spent", "xp spent", me["spent"]),
            ),
        ),
    )


def _roll(stat: str) -> Start:
    return Start("roll/action", (("using", stat),))


def tracks(state: State) -> tuple[Track, ...]:
    """The open ones first, as they were begun; then those that are over."""
    shown = [
        Track(
            ident,
            shown_line(track["name"]),
            track["kind"],
            track["rank"],
            track["ticks"],
            note=_note(track["kind"], track["status"], track["ticks"]),
            closed="" if track["status"] in OPEN else track["status"],
        )
        for ident, track in state["tracks"].items()
    ]
    return tuple(sorted(shown, key=lambda track: bool(track.closed)))


def _note(kind: str, status: str, ticks: int) -> str:
    if status == "blocked":
        return "blocked by an obstacle"
    return "ready to fulfil" if status == "open" and kind == "vow" and ticks >= READY else ""


def track_moves(state: State, track: str) -> tuple[Action, ...]:
    this = state["tracks"][track]
    over = "" if this["status"] in OPEN else f"it is {this['status']}"
    blocked = over or ("its obstacle comes first" if this["status"] == "blocked" else "")
    told = " ".join(f"{name} {n}%" for name, n, _ in shown_odds(progress_odds(this["ticks"])))
    with_track = (("track", track),)
    moves = [
        Action("p", "Progress roll", Start("roll/progress", with_track), told, reason=over),
    ]
    if this["kind"] == "vow":
        moves = [
            Action(
                "m", "Reach a Milestone", Start("quest/reach_a_milestone", with_track), "mark progress", reason=blocked
            ),
            Action("f", "Fulfill Your Vow", Start("quest/fulfill_your_vow", with_track), told, reason=blocked),
            *moves,
            Action("g", "Forsake Your Vow", Start("quest/forsake_your_vow", with_track), "give it up", reason=over),
        ]
        if this["status"] == "blocked":
            moves.insert(
                0, Action("o", "Overcome the Obstacle", Start("quest/overcome", with_track), "it is out of the way")
            )
    return tuple(moves)


def now(state: State, who: str) -> tuple[Action, ...]:
    """First what the table itself calls for, then what always fits."""
    me = state["party"][who]
    fits: list[Action] = []
    vows = {ident: t for ident, t in state["tracks"].items() if t["kind"] == "vow"}
    for track in vows.values():
        if track["status"] == "open" and track["ticks"] >= READY:
            fits.append(
                Action(
                    "",
                    "Fulfill Your Vow",
                    Start("quest/fulfill_your_vow"),
                    shown_line(track["name"]),
                    shown_odds(progress_odds(track["ticks"])),
                )
            )
            break
    if any(track["status"] == "blocked" for track in vows.values()):
        fits.append(Action("", "Overcome the Obstacle", Start("quest/overcome"), "no roll"))
    best = max(STATS, key=lambda stat: int(me[stat]))
    fits.append(Action("", "Face Danger", Start("adventure/face_danger"), best, _odds(me[best], me, "face_danger")))
    swear = Action(
        "", "Swear an Iron Vow", Start("quest/swear_an_iron_vow"), "heart", _odds(me["heart"], me, "swear_an_iron_vow")
    )
    if any(track["status"] == "open" for track in vows.values()):
        fits.append(Action("", "Reach a Milestone", Start("quest/reach_a_milestone"), "no roll"))
        fits.append(swear)
    else:
        fits.insert(0, swear)
    over = "" if me["status"] == "alive" else f"{shown_line(me['name'])} is {me['status']}"
    return tuple(Action(f"m{n}", a.label, a.start, a.note, a.odds, over) for n, a in enumerate(fits[:4], 1))


def _odds(value: int, me: State, move: str) -> Odds:
    adds = me["waiting"].get("any", 0) + me["waiting"].get(move, 0)
    return shown_odds(action_odds(value, adds, me["momentum"]))


def rolls(state: State, who: str) -> tuple[Action, ...]:
    """The rolls that always have a button."""
    over = "" if state["party"][who]["status"] == "alive" else "out of play"
    no_track = "" if any(t["status"] in OPEN for t in state["tracks"].values()) else "no open track"
    return (
        Action("r", "Roll", Start("roll/action"), reason=over),
        Action("v", "Progress roll", Start("roll/progress"), reason=over or no_track),
        Action("o", "Oracle", Start("fate/ask_the_oracle", (("choose", ["yes_no"]),)), reason=over),
    )


def owed(state: State, who: str) -> tuple[Owed, ...]:
    """Every move that is due, as often as it is due."""
    me = state["party"][who]
    due = [Owed(owed_label(name), "", _settles(name)) for name, count in me["owed"].items() for _ in range(count)]
    points = {"setback": "suffer/face_a_setback", "out_of_supply": "suffer/out_of_supply"}
    for name, move in points.items():
        if me[name]:
            due.append(Owed(owed_label(name), f"{me[name]} points", Start(move)))
    return tuple(due)


def _settles(name: str) -> Start:
    """The move that is owed; what there is no move for yet is struck off the list once it is settled."""
    stem, _, amount = name.rpartition("_")
    if amount.isdigit():
        return Start(f"suffer/{stem}", (("amount", int(amount)),))
    moves = {ident.rpartition("/")[2]: ident for ident in MOVES}
    return Start(moves[name]) if name in moves else Start("owed/strike_off", (("owed", name),))


def lint(state: State) -> tuple[str, ...]:
    """What no rule would have brought about; a person may have, and may."""
    lines: list[str] = []
    for ident, me in state["party"].items():
        most = most_momentum(state, ("party", ident, "momentum"))
        if me["momentum"] > most:
            lines.append(f"{me['name']}: momentum {me['momentum']} is above its maximum {most}.")
        if sorted((me[stat] for stat in STATS), reverse=True) != [3, 2, 2, 1, 1] and me["spent"] == 0:
            lines.append(f"{me['name']}: no creation gives these stats.")
        if me["spent"] > me["xp"]:
            lines.append(f"{me['name']}: more experience is spent than earned.")
    return tuple(lines)
