"""Changes of the party: rename, retire, remove, bring back. No character is ever deleted.

The schema of every game has a `status` for each member that starts as `alive` and allows `retired` and `gone`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Confirm, Option, Pick, Prompt, Roll, Text
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Start
from tracker.text import shown_line

Make: TypeAlias = Callable[[Draft], Procedure]


def member_moves(state: State, who: str) -> tuple[Action, ...]:
    """Return the actions on this member, and the one that brings back members taken off the table."""
    me = state["party"].get(who)
    moves: list[Action] = []
    if me:
        moves.append(Action("n", "Rename", Start("party/rename"), "change the name"))
        if me["status"] == "alive":
            moves.append(Action("r", "Retire", Start("party/retire"), "out of play, still shown"))
        else:
            back = Start("party/bring_back", (("whom", who),))
            moves.append(Action("r", "Bring back", back, f"{me['status']} now"))
        moves.append(Action("k", "Remove", Start("party/remove"), "hidden, nothing is lost"))
    gone = [one for one in state["party"].values() if one["status"] == "gone"]
    if gone:
        names = ", ".join(shown_line(one["name"], 20) for one in gone)
        moves.append(Action("f", "Rejoin", Start("party/bring_back"), names))
    return tuple(moves)


def place(state: State, who: str) -> str:
    """Return the hotkey of a member: the digit of the place in the party, the same in every prompt; "" beyond nine."""
    shown = [ident for ident, one in state["party"].items() if one["status"] != "gone"]
    number = shown.index(who) + 1 if who in shown else 0
    return str(number) if 1 <= number <= 9 else ""


def begin_character(first: Option, *others: Option, dice: str, hint: str) -> Generator[Prompt, Answer, tuple[str, str]]:
    """Ask how a character is made, by dice or in one of the given ways, and for a name.

    `dice` says what dice choose, and `hint` is a name. Return the way and the name; by dice, ("random", "").
    """
    by_dice = Option("random", "roll one up", dice, hot="d")
    how: str = yield Pick(key="how", title="New character", options=(first, by_dice, *others))
    if how == by_dice.key:
        return how, ""
    name: str = yield Text(key="name", title="What is your character's name?", hint=hint)
    return how, name


def thrown(roll: Roll) -> Generator[Prompt, Answer, Any]:
    """Roll a random character; offer rerolls until the player accepts. Return the last faces."""
    faces, throws = (yield roll), 1
    while (
        yield Confirm(
            key=f"again_{throws}",
            title="Reroll",
            note="a different random character",
            hot="a",
            default=False,
            quiet=True,
        )
    ):
        throws += 1
        faces = yield replace(roll, key=f"{roll.key}_{throws}")
    return faces


def rename(table: Draft) -> Procedure:
    """Change the character's name. The journal keeps the old name in past entries."""
    now = table.me["name"]
    name = yield Text(key="name", title="New name?", hint=shown_line(now), default=now)
    if name == now:
        raise Refused(f"{shown_line(now)} is already the name; type another.")
    table.to(f"{table.who}.name", name)


def leaving(
    due: Callable[[State], list[str]], stays: str, holds: Callable[[State], Iterable[str]] = lambda _: ()
) -> tuple[Make, Make]:
    """Return the procedures that retire a character and that take one off the table.

    `due` and `holds` list the due moves and the things that go along with a character; `stays` names what remains.
    """

    def burdens(me: State) -> Iterator[str]:
        yield from holds(me)
        if owed := due(me):
            yield f"due: {', '.join(owed)}"

    def retire(table: Draft) -> Procedure:
        """Retire the character: out of play, but still shown. Raise Refused if the character is not alive."""
        if table.me["status"] != "alive":
            raise Refused(f"{shown_line(table.me['name'])} is already {table.me['status']}.")
        yield from _ask_to_leave(table, "retires", burdens(table.me), stays)
        table.to(f"{table.who}.status", "retired")

    def remove(table: Draft) -> Procedure:
        """Take the character off the table: no longer shown, but kept for a return."""
        yield from _ask_to_leave(table, "leaves the table", burdens(table.me), stays)
        table.to(f"{table.who}.status", "gone")

    return retire, remove


def due(me: State, label: Callable[[str], str]) -> list[str]:
    """Return the labels of the due moves of a character, one for each time."""
    return [label(name) for name, times in me["owed"].items() for _ in range(times)]


def ask_settled(owed: Mapping[str, int], label: Callable[[str], str]) -> Pick:
    """Return the prompt for a due item that the players settled, with counts. Raise Refused if nothing is due."""
    if not owed:
        raise Refused("Nothing is due.")
    return Pick(
        key="owed",
        title="What is done?",
        options=tuple(Option(name, label(name), f"{count} due") for name, count in owed.items()),
    )


def check_name(name: str) -> None:
    """Raise Refused if this is no name for a character."""
    if not name.strip():
        raise Refused("A character needs a name.")


def check_stats(stats: Collection[str], there: Collection[str], word: str) -> None:
    """Raise Refused if an unknown stat is given, or one is missing. `word` is what the game calls a stat."""
    if unknown := [stat for stat in stats if stat not in there]:
        raise Refused(f"“{shown_line(unknown[0])}” isn't a {word}; use {', '.join(there)}.")
    if missing := [stat for stat in there if stat not in stats]:
        raise Refused(f"Missing {word}{'' if len(missing) == 1 else 's'}: {', '.join(missing)}.")


def _ask_to_leave(table: Draft, does: str, burdens: Iterable[str], stays: str) -> Procedure:
    """Ask for confirmation, with what goes along and what stays."""
    with_them = ", ".join(burdens)
    waits = f" Goes with them: {with_them}." if with_them else ""
    name = shown_line(table.me["name"])
    yield Pick(
        key="sure",
        title=f"{name} {does}.{waits} {stays}. You can bring {name} back",
        options=(Option("yes", "yes", hot="y"),),
        default="yes",
    )


def bring_back(table: Draft) -> Generator[Prompt, Answer, str]:
    """Bring a character back into play and return the id. Raise Refused if all are in play."""
    away = {ident: one for ident, one in table.state["party"].items() if one["status"] != "alive"}
    if not away:
        raise Refused("Everyone is in play.")
    whom: str = yield Pick(
        key="whom",
        title="Who comes back?",
        options=tuple(
            Option(ident, shown_line(one["name"]), _told(one["status"]), hot=place(table.state, ident))
            for ident, one in away.items()
        ),
        default=next(iter(away)),
    )
    table.to(f"{whom}.status", "alive")
    return whom


def _told(status: str) -> str:
    return {"gone": "removed"}.get(status, status)
