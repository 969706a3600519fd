"""The questions that a host must answer, as text: whether to let somebody in, and whether to take waiting entries."""

from __future__ import annotations

from tracker.coop.events import Knock
from tracker.games.api.phrases import counted
from tracker.games.common.seats import SPECTATOR
from tracker.saves.blocks import Entry
from tracker.text import shown_line


def knocks(knock: Knock) -> str:
    """Return the sentence that asks the host to let somebody in, such as "Tayla knocks, key 3f9a-21c0."."""
    seat = f", for {knock.name}'s seat" if knock.returns else ""
    return f"{knock.name} knocks{', to watch' if knock.role == SPECTATOR else seat}, key {knock.mark}."


def about_knock(knock: Knock) -> str:
    """Return what is known of somebody who knocks, for the list of people, as a clause without the name.

    It says what the person asks for, and has the mark of the key and the address.
    """
    new = "to watch" if knock.role == SPECTATOR else "new at this table"
    seat = f"takes {knock.name}'s seat, with another key" if knock.returns else new
    return f"knocks · {seat} · key {knock.mark} · from {knock.address}"


def what_waits(entries: list[Entry]) -> str:
    """Return what a guest with these waiting entries asks for, as a clause after the name: "wants to play Kara"."""
    asked = [effect for entry in entries for effect in entry.get("effects", ())]
    if entries and all(entry.get("did") == "seat" for entry in entries):
        given = [one["add"]["id"] for one in asked if "add" in one and "id" in one["add"]]
        return f"wants to play {' and '.join(shown_line(who, 40) for who in given)}" if given else "wants another seat"
    return f"brings {counted(len(entries), 'entry')} for you to approve"
