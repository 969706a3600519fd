"""The command `show`: the present state of a campaign, for people, for scripts and for status lines."""

from __future__ import annotations

import argparse
import re
from typing import Any

from tracker.campaign.session import Session
from tracker.commands.campaign_lookup import path_of
from tracker.commands.output import due_in_json, say, say_json, warn_of_damage
from tracker.games.api.errors import Refused
from tracker.games.api.view import each
from tracker.text import shown_line


def show(asked: argparse.Namespace) -> int:
    """Print the sheets, due items and tracks, with `--json` as one object, or the one line that `--format` describes.

    Return the exit code: 1 if the save is damaged, else 0. Raise SaveError if there is no such campaign, and Refused if
    `--who` or `--format` names something unknown.
    """
    session = Session.open(path_of(asked), write=False, tail="keep")
    who = ""
    if asked.who:
        from tracker.commands.turn import member_called

        who = member_called(session, asked.who)
    if asked.format is not None:
        say(_filled(asked.format, _values(session, who)))
    elif asked.json:
        say_json(_in_json(session, who))
    else:
        _print_sheets(session, who)
    return warn_of_damage(session)


def _in_json(session: Session, only: str) -> dict[str, Any]:
    """Return the present state as data for JSON. If `only` is the id of a character, leave the others out."""
    from tracker.campaign.fold import written
    from tracker.export.json_data import character, track
    from tracker.export.parts import Document

    document = Document(session)
    state = written(session.game.top, session.state)
    if only:
        state["party"] = {only: state["party"][only]}
    characters = [
        {
            **character(document, member),
            "due": [due_in_json(item) for item in session.owed(member.id)],
        }
        for member in document.members
        if only in {"", member.id}
    ]
    return {
        "name": session.save.name.removesuffix(".toml"),
        "game": session.game.id,
        "session": session.state["session"],
        "scene": session.state["scene"],
        "characters": characters,
        "tracks": [track(one) for one in session.game.tracks(session.state)],
        "state": state,
    }


def _print_sheets(session: Session, only: str) -> None:
    from tracker.games.api.plain_text import track
    from tracker.plain import text_lines

    state, game = session.state, session.game
    say(f"{shown_line(session.save.name.removesuffix('.toml'))}  {game.name}")
    side = game.gm_side(state)
    for member in game.members(state):
        if only not in {"", member.id}:
            continue
        say()
        say(member.title)
        for line in (*text_lines.sheet(session, member.id, gm=side), *text_lines.due_items(session.owed(member.id))):
            say(f"  {line}")
    parts = ([*text_lines.other_side(side)] if side else [], [track(one) for one in game.tracks(state)])
    for part in filter(None, parts) if not only else ():
        say()
        for line in part:
            say(line)


# -- one line -------------------------------------------------------------------------------------------


def _values(session: Session, who: str) -> dict[str, Any]:
    """Return the values for `--format` by name: those of the campaign, and of the character with the id `who`.

    "" stands for the active character; if the party is empty, only the campaign has values. A meter has a second value,
    such as health_max.
    """
    from tracker.campaign.player import Player
    from tracker.games.api.plain_text import numbers

    state, game = session.state, session.game
    who = who or Player(session).active
    values: dict[str, Any] = {
        "campaign": shown_line(session.save.name.removesuffix(".toml")),
        "game": game.name,
        "session": state["session"],
        "scene": shown_line(state["scene"]),
        "character": "",
        "due": "",
    }
    values |= {key: one for key, one in state.items() if _is_plain(one) and key not in values}
    if not who:
        return values
    me = state["party"][who]
    for pane in game.sheet(state, who):
        for field in each(pane.fields):
            values |= numbers(field)
    values |= {key: shown_line(one) if isinstance(one, str) else one for key, one in me.items() if _is_plain(one)}
    values["character"] = shown_line(me["name"])
    values["due"] = ", ".join(item.label for item in session.owed(who))
    return values


def _is_plain(value: object) -> bool:
    return isinstance(value, (int, str))


class _Known(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        from tracker.similar_names import most_similar

        found = most_similar(name, self)
        there = f"did you mean {found}?" if found else f"choose from: {', '.join(self)}."
        raise Refused(f"Nothing here is called “{shown_line(name)}”; {there}")


def _filled(line: str, values: dict[str, Any]) -> str:
    """Return the text of `--format` with values in place of the names in braces, which may have a format as in Python.

    Raise Refused if a name is unknown or missing, if the braces are not balanced, or if a value would be made thousands
    of characters wide.
    """
    for escape, char in (("\\n", "\n"), ("\\t", "\t")):
        line = line.replace(escape, char)
    if re.search(r"(?<!\{)(?:\{\{)*\{\d*[}:!]", line):
        raise Refused(f"Put a name between the braces: {', '.join(values)}.")
    from string import Formatter

    try:
        for _, name, form, _ in Formatter().parse(line):
            if re.search(r"[.\[]", name or "") or re.search(r"\d{4}|\{", form or ""):
                raise Refused("Between braces there is a name, and after a colon at most three digits, as {name:>20}.")
        return line.format_map(_Known(values))
    except (ValueError, IndexError, AttributeError, KeyError, TypeError, OverflowError) as error:
        raise Refused(f"--format {shown_line(line)}: {error}.") from None
