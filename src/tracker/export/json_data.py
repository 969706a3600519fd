"""JSON: everything in a campaign, for other programs; docs/export.md explains the keys.

Texts are as they are in the save, not made safe to show; but every character that a terminal would act on is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tracker.campaign.chronicle import Moment, chronicle
from tracker.campaign.fold import written
from tracker.campaign.session import Step
from tracker.export.parts import Document
from tracker.games.api.plain_text import numbers
from tracker.games.api.view import (
    Belonging,
    Clock,
    Field,
    Flags,
    Holding,
    Member,
    Meter,
    Momentum,
    Ratings,
    Track,
    each,
)
from tracker.games.common.notes import listed
from tracker.json_values import as_text, finite

VERSION = 1
"""Version of the keys; a change that could break a reader makes it one higher."""


def write(document: Document, step: Step | None = None) -> Iterator[str]:
    """Yield a campaign as the pieces of one JSON text, in order. Each entry is on a line of its own.

    `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the save cannot be read.
    """
    session, state = document.session, document.state
    top = {
        "tracker_export": VERSION,
        "campaign": {
            "id": session.save.head.id,
            "name": session.save.name.removesuffix(".toml"),
            "game": document.game.id,
            "game_name": document.game.name,
            "rules": document.game.rules,
            "session": state["session"],
            "scene": state["scene"],
        },
    }
    yield f"{dumps(top)[:-1]},\n"
    yield '"entries": ['
    before = "\n"
    wanted = document.request.selection._replace(undone=True, unfinished=True, struck=True)
    for moment in chronicle(session, wanted, step):
        told = entry(moment, state["party"], story=document.request.story)
        if told:
            yield f"{before}{dumps(told)}"
            before = ",\n"
    yield "\n],\n"
    now = {
        "characters": [character(document, member) for member in document.members],
        "tracks": [track(one) for one in document.game.tracks(state)],
        "notes": [_note(state["notes"], ident) for ident in listed(state)],
        "credits": document.credits(),
        "state": written(document.game.top, state),
    }
    yield f"{dumps(now)[1:]}\n"


def entry(moment: Moment, party: Mapping[str, Any], *, story: bool = False) -> dict[str, Any]:
    """Return an entry as data for JSON: its id, time, place in the story and text; its move, changes, roll and effects.

    `party` has the characters by id. If `story` is True, leave out mechanics, and return {} for an entry that has no
    heading or text, or does not count.
    """
    one = moment.line
    raw, card = one.entry, one.card
    status = "unfinished" if moment.unfinished else one.status
    told: dict[str, Any] = {
        "id": raw["id"],
        "at": raw.get("at"),
        "session": moment.session,
        "scene": moment.scene,
        "kind": moment.kind,
        "who": raw.get("who", ""),
        "who_name": party.get(raw.get("who", ""), {}).get("name", ""),
        "did": raw.get("did", ""),
        "heading": one.heading,
        "text": one.text,
        "status": status,
    }
    if story:
        return told if (one.heading or one.text) and not status else {}
    told |= {"move": one.name if card else "", "changes": one.phrases}
    if card and not one.heading and (card.dice or any((card.told, card.sum, card.why, card.short))):
        told["roll"] = {
            "title": card.title,
            "outcome": card.outcome_alone,
            "tone": card.tone,
            "sum": card.sum,
            "why": card.why,
            "short": card.short,
            "match": bool(card.banner),
            "dice": [die._asdict() for die in card.dice],
        }
    told |= {key: raw.get(key, empty) for key, empty in (("answers", []), ("facts", {}), ("effects", []))}
    return told


def character(document: Document, member: Member) -> dict[str, Any]:
    """Return a character as data for JSON: id, name, kind, status, values, the panes of the sheet, and belongings."""
    who = member.id
    panes = document.sheet(who)
    return {
        "id": who,
        "name": document.state["party"][who]["name"],
        "kind": member.kind,
        "status": member.status,
        "values": {key: value for pane in panes for one in each(pane.fields) for key, value in numbers(one).items()},
        "sheet": [{"title": pane.title, "fields": [_field(one) for one in each(pane.fields)]} for pane in panes],
        "belongings": [_holding(one) for one in document.game.belongings(document.state, who)],
    }


def _field(this: Field) -> dict[str, Any]:
    """Return a field of a sheet as data for JSON. Its `type` is the kind of the field, such as "meter"."""
    told: dict[str, Any] = {"type": type(this).__name__.lower()}
    match this:
        case Flags():
            return told | {"marked": [flag.label for flag in this.flags if flag.on]}
        case Ratings():
            stats = [_field(stat) for stat in this.stats]
            return told | {"label": this.head.label, "value": this.head.value, "stats": stats}
        case Meter():
            return told | {"label": this.label, "value": this.value, "high": this.high}
        case Momentum():
            told |= {"label": this.label, "value": this.value, "low": this.low, "high": this.high}
            return told | {"most": this.most, "reset": this.reset}
        case Clock():
            return told | {"label": this.label, "value": this.value, "segments": this.segments}
        case _:
            label = getattr(this, "label", "") or getattr(this, "called", "")
            return told | {"label": label, "value": getattr(this, "value", "")}


def _holding(this: Holding) -> dict[str, Any]:
    return {"title": this.title, "note": this.note, "things": [_thing(one) for one in this.things]}


def _thing(this: Belonging) -> dict[str, Any]:
    told: dict[str, Any] = {"id": this.id, "name": this.name, "kind": this.kind, "note": this.note}
    told["marks"] = [{"text": mark.text, "on": mark.on} for mark in this.marks]
    return told | ({"number": _field(this.number)} if this.number else {})


def track(this: Track) -> dict[str, Any]:
    """Return a track, clock or countdown as data for JSON."""
    return {
        "id": this.id,
        "name": this.name,
        "kind": this.kind,
        "rank": this.rank,
        "ticks": this.ticks,
        "segments": this.segments,
        "counts_down": this.counts_down,
        "note": this.note,
        "closed": this.closed,
    }


def _note(all_notes: Any, ident: str) -> dict[str, Any]:
    note = all_notes[ident]
    former = [old["name"] for old in note["former"].values()]
    return {"id": ident, "name": note["name"], "kind": note["kind"], "text": note["text"], "former": former}


def dumps(value: Any) -> str:
    r"""Return a value as JSON on one line.

    Letters stay readable; characters that a terminal would act on become \u escapes. Times become texts in ISO format;
    numbers that JSON lacks (nan, infinity) become null.
    """
    try:
        text = _ENCODER.encode(value)
    except ValueError:  # nan or infinity, which are rare
        text = _ENCODER.encode(finite(value))
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=as_text)
