"""Changes of the party: rename, retire, remove, bring back. No character is ever deleted.

The schema of every game has a `status` for each member that starts as `alive` and allows `retired` and `gone`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from typing import TypeAlias

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Option, Pick, Prompt, Text, member_option
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Start
from tracker.text import shown_line

Make: TypeAlias = Callable[[Draft], Procedure]


def member_moves(state: State, who: str) -> tuple[Action, ...]:
    """Return the actions on the member with the id `who`, and one that brings back removed members if there are any.

    Return only the latter, or (), if there is no such member.
    """
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


def begin_character(first: Option, *others: Option, dice: str, hint: str) -> Generator[Prompt, Answer, tuple[str, str]]:
    """Ask for the way to make a character, then for a name; return (key of the way, name).

    The ways are dice and the options `first` and `others`. By dice, the name is not asked for: return ("random", "").
    `dice` is the note that says what the dice choose; `hint` is an example of a name.
    """
    by_dice = Option("random", "roll one up", dice, hot="d")
    how: str = yield Pick(key="how", title="New character", options=(first, by_dice, *others))
    if how == by_dice.key:
        return how, ""
    name: str = yield Text(key="name", title="What is your character's name?", hint=hint)
    return how, name


def rename(table: Draft) -> Procedure:
    """Ask for a new name of the character. Past entries keep the old one. Raise Refused if the name is the same."""
    now = table.me["name"]
    name = yield Text(key="name", title="New name?", hint=shown_line(now), default=now)
    if name == now:
        raise Refused(f"{shown_line(now)} is already the name; type another.")
    table.to(f"{table.who}.name", name)


def leaving(
    due: Callable[[State], list[str]], stays: str, holds: Callable[[State], Iterable[str]] = lambda _: ()
) -> tuple[Make, Make]:
    """Return two procedures (retire, remove): retire the acting character, or hide the character from the party.

    Both ask for confirmation first. The prompt lists what leaves with the character: the things that `holds` returns
    and the due moves that `due` returns, as labels; both get the character's record. `stays` is a clause that says what
    remains.
    """

    def burdens(me: State) -> Iterator[str]:
        yield from holds(me)
        if owed := due(me):
            yield f"due: {', '.join(owed)}"

    def retire(table: Draft) -> Procedure:
        """Ask for confirmation and take the character out of play, but keep the sheet visible.

        Raise Refused if the status is not alive.
        """
        if table.me["status"] != "alive":
            raise Refused(f"{shown_line(table.me['name'])} is already {table.me['status']}.")
        yield from _ask_to_leave(table, "retires", burdens(table.me), stays)
        table.to(f"{table.who}.status", "retired")

    def remove(table: Draft) -> Procedure:
        """Ask for confirmation and hide the character from the party. The record stays: `bring_back` can undo this."""
        yield from _ask_to_leave(table, "leaves the table", burdens(table.me), stays)
        table.to(f"{table.who}.status", "gone")

    return retire, remove


def due(me: State, label: Callable[[str], str]) -> list[str]:
    """Return the labels of the due moves of a character, each as often as the move is due.

    `label` turns the name of a counter in `owed` into a label.
    """
    return [label(name) for name, times in me["owed"].items() for _ in range(times)]


def ask_settled(owed: Mapping[str, int], label: Callable[[str], str]) -> Pick:
    """Return the prompt for a due item that the players settled themselves. Raise Refused if nothing is due.

    `owed` says how often each item is due; `label` turns its name into a label.
    """
    if not owed:
        raise Refused("Nothing is due.")
    return Pick(
        key="owed",
        title="Which one is done?",
        options=tuple(Option(name, label(name), f"{count} due") for name, count in owed.items()),
    )


def check_name(name: str) -> None:
    """Raise Refused if the name of a character is blank."""
    if not name.strip():
        raise Refused("A character needs a name.")


def check_stats(stats: Collection[str], there: Collection[str], word: str) -> None:
    """Raise Refused unless `stats` has exactly the names in `there`. `word` is what the game calls a stat."""
    if unknown := [stat for stat in stats if stat not in there]:
        raise Refused(f"“{shown_line(unknown[0])}” isn't a {word}; use {', '.join(there)}.")
    if missing := [stat for stat in there if stat not in stats]:
        raise Refused(f"Missing {word}{'' if len(missing) == 1 else 's'}: {', '.join(missing)}.")


def _ask_to_leave(table: Draft, does: str, burdens: Iterable[str], stays: str) -> Procedure:
    """Ask for confirmation that the acting character leaves. "Yes" is the only answer: to decline is to cancel the run.

    `does` is the verb, such as "retires". `burdens` are labels of what leaves with the character, and `stays` is a
    clause that says what remains.
    """
    with_them = ", ".join(burdens)
    waits = f" Goes with them: {with_them}." if with_them else ""
    name = shown_line(table.me["name"])
    yield Pick(
        key="sure",
        title=f"{name} {does}.{waits} {stays}. You can bring {name} back later. Go ahead?",
        options=(Option("yes", "yes", hot="y"),),
        default="yes",
    )


def bring_back(table: Draft) -> Generator[Prompt, Answer, str]:
    """Ask who comes back into play, set the status to alive, and return the id. Raise Refused if all are in play."""
    away = {ident: one for ident, one in table.state["party"].items() if one["status"] != "alive"}
    if not away:
        raise Refused("Everyone is in play.")
    whom: str = yield Pick(
        key="whom",
        title="Who comes back?",
        options=tuple(member_option(table.state, ident, _told(one["status"])) for ident, one in away.items()),
        default=next(iter(away)),
    )
    table.to(f"{whom}.status", "alive")
    return whom


def _told(status: str) -> str:
    return {"gone": "removed"}.get(status, status)
