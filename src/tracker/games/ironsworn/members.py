"""Who is at the table: another name, out of play and back, off the table. Nobody is ever lost by it."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.base import Draft, Procedure
from tracker.games.ironsworn.catalogue import owed_label
from tracker.games.ironsworn.rolling import take
from tracker.games.prompts import Option, Pick, Refused, Text
from tracker.games.schema import State
from tracker.games.sheet import Action, Start
from tracker.text import shown_line


def member_moves(state: State, who: str) -> tuple[Action, ...]:
    """What can be done with this member, and who could come back to the table."""
    me = state["party"].get(who)
    moves: list[Action] = []
    if me:
        moves.append(Action("n", "Name", Start("party/rename"), "another name"))
        if me["status"] == "alive":
            moves.append(Action("r", "Retire", Start("party/retire"), "out of play, still shown"))
        else:
            back = Start("party/bring_back", (("whom", who),))
            moves.append(Action("r", "Bring back", back, f"{me['status']} now"))
        moves.append(Action("k", "Take off", Start("party/remove"), "no longer shown; nothing is lost"))
    gone = [one for one in state["party"].values() if one["status"] == "gone"]
    if gone:
        names = ", ".join(shown_line(one["name"], 20) for one in gone)
        moves.append(Action("f", "Fetch back", Start("party/bring_back"), names))
    return tuple(moves)


def rename(table: Draft) -> Procedure:
    """What is written in the journal keeps the words it has."""
    now = table.me["name"]
    name = yield Text(key="name", title="What is the name now?", hint=shown_line(now), default=now)
    table.to(f"{table.who}.name", name)


def retire(table: Draft) -> Procedure:
    """Out of play, and still to be seen."""
    if table.me["status"] != "alive":
        raise Refused(f"{shown_line(table.me['name'])} is {table.me['status']} already.")
    yield from _ask_to_leave(table, "retires")
    _leave(table, "retired")


def remove(table: Draft) -> Procedure:
    """Off the table: no longer shown, and all of it kept for the day they come back."""
    yield from _ask_to_leave(table, "leaves the table")
    _leave(table, "gone")


def _ask_to_leave(table: Draft, does: str) -> Procedure:
    """Says first what waits with them, and what stays."""
    with_them = ", ".join(_burdens(table.me))
    waits = f" Set aside with them: {with_them}." if with_them else ""
    name = shown_line(table.me["name"])
    yield Pick(
        key="sure",
        title=f"{name} {does}.{waits} Vows, journeys and fights stay on the table, and {name} can be brought back",
        options=(Option("yes", "so be it", hot="y"),),
        default="yes",
    )


def _burdens(me: State) -> Iterator[str]:
    for word, held in (("asset", me["assets"]), ("bond", me["bonds"])):
        if held:
            yield f"{len(held)} {word}{'s' if len(held) > 1 else ''}"
    due = [owed_label(name) for name, n in me["owed"].items() for _ in range(n)]
    due += [f"{owed_label(name)} ({me[name]})" for name in ("setback", "out_of_supply") if me[name]]
    if due:
        yield f"owed {', '.join(due)}"


def _leave(table: Draft, status: str) -> None:
    if table.me["initiative"] != "none":
        take("none", table)
    table.to(f"{table.who}.status", status)


def bring_back(table: Draft) -> Procedure:
    """Somebody is in play again. What is shared, they share."""
    away = {ident: one for ident, one in table.state["party"].items() if one["status"] != "alive"}
    if not away:
        raise Refused("Everybody is in play.")
    whom = yield Pick(
        key="whom",
        title="Who comes back",
        options=tuple(Option(ident, shown_line(one["name"]), _told(one["status"])) for ident, one in away.items()),
        default=next(iter(away)),
    )
    table.to(f"{whom}.status", "alive")
    unprepared = "unprepared" in away[whom]["debilities"]
    if not table.state["supply"] and not unprepared:
        table.add(f"{whom}.debilities", {"id": "unprepared"})
    elif table.state["supply"] and unprepared:
        table.drop(f"{whom}.debilities", "unprepared")


def _told(status: str) -> str:
    return {"gone": "off the table"}.get(status, status)
