"""View data in plain words, without drawn symbols: a field, a track, a belonging as one clause."""

from __future__ import annotations

import re

from tracker.games.api.view import (
    Belonging,
    Clock,
    Counter,
    Field,
    Flags,
    Line,
    Meter,
    Momentum,
    Ratings,
    Row,
    Stat,
    Track,
)
from tracker.text import shown_line


def spoken(words: str) -> str:
    """Return text of the screen in a form for screen readers.

    Drawn boxes are removed, wide gaps become commas, and arrows and drawn thresholds (┤5├) become words such as "7+".
    """
    words = re.sub(r"\s*─*┤(\d+)├─*\s*", r", \1+ ", words).replace(" → ", " to ")
    return re.sub(r"\s{2,}", ", ", re.sub(r"[■□]+", "", words).strip())


def clauses(*words: str) -> str:
    return ", ".join(filter(None, words))


def explained(label: str, *words: str) -> str:
    """Return the label, a colon and the words that explain it, separated by commas; only the label if they are empty.

    A comma takes the place of the colon if the label has one itself.
    """
    about = clauses(*words)
    return clauses(label, about) if ":" in label or not about else f"{label}: {about}"


def field(this: Field) -> str:
    """Return a field of the sheet as one line of text; "" for a Line without a value, or a Row of such lines."""
    match this:
        case Stat() | Counter():
            return f"{this.label} {this.value}"
        case Ratings():
            return f"{field(this.head)}: {', '.join(map(field, this.stats))}"
        case Meter():
            return clauses(f"{this.label} {amount(this)}", meter_note(this))
        case Momentum():
            return clauses(f"{this.label} {this.value}", f"maximum {this.most}", f"reset {this.reset}", this.note)
        case Clock():
            return f"{this.label} {this.value} of {this.segments}"
        case Flags():
            return f"marked: {', '.join(flag.label for flag in this.flags if flag.on) or 'nothing'}"
        case Line():
            return (
                ": ".join(filter(None, (this.label or this.called, spoken(shown_line(this.value, 300)))))
                if this.value
                else ""
            )
        case Row():
            return clauses(*map(field, this.fields))


def amount(this: Meter) -> str:
    """Return the number of a meter in words, such as "2 of 5", or "2 of 6 marked" for a meter that counts marks."""
    return f"{this.value} of {this.high}{' marked' if this.marks and this.high else ''}"


def meter_note(this: Meter) -> str:
    """Return the note of a meter; "" if it only repeats that the meter counts marks."""
    return "" if this.marks and this.note == "marked" else this.note


def belonging(this: Belonging, *, marks: bool = True) -> str:
    """Return a belonging as one clause: name, kind, number, and with `marks` how many of its abilities are marked.

    If the thing has a number and a note, as a companion has, the note is the name that the player gave it: it comes
    first, and the thing's own name in place of the kind. A thing with a signed number, such as a trait, is only its
    name and that number.
    """
    number = field(this.number) if this.number else ""
    if this.number and str(this.number.value)[:1] in {"+", "-"}:
        return f"{this.name} {this.number.value}"
    marked = f"{sum(mark.on for mark in this.marks)} of {len(this.marks)} marked" if this.marks else ""
    named = this.note if this.number else ""
    kind = this.name if named else "" if marked else this.kind
    return clauses(named or this.name, kind, number, marked if marks else "")


def segments(this: Track) -> str:
    """Return how far a clock or a countdown is in words, such as "2 of 6 segments" or "2 of 6 left"."""
    return f"{this.ticks} of {this.segments} {'left' if this.counts_down else 'segments'}"


def track(this: Track) -> str:
    if this.hidden:
        return clauses(f"{this.name}: {this.kind}", f"{this.rank} {this.ticks}", this.note, this.closed)
    if this.segments:
        kind = f"{this.kind} countdown" if this.counts_down else this.kind
        return clauses(f"{this.name}: {kind}", segments(this), this.note, this.closed)
    boxes, ticks = divmod(this.ticks, 4)
    more = f" and {ticks} {'tick' if ticks == 1 else 'ticks'}" if ticks else ""
    return clauses(f"{this.name}: {this.rank} {this.kind}", f"{boxes} of 10 boxes{more}", this.note, this.closed)


def numbers(this: Field) -> dict[str, int | str]:
    """Return the values of a field by name, such as "health" and "health_max", for formats and scripts.

    Return {} for texts and flags.
    """
    match this:
        case Ratings():
            return {_key(stat.label): stat.value for stat in (this.head, *this.stats)}
        case Row():
            return {key: value for one in this.fields for key, value in numbers(one).items()}
        case Meter():
            return {_key(this.label): this.value, f"{_key(this.label)}_max": this.high}
        case Momentum():
            name = _key(this.label)
            return {name: this.value, f"{name}_max": this.most, f"{name}_reset": this.reset}
        case Clock():
            return {_key(this.label): this.value, f"{_key(this.label)}_max": this.segments}
        case Stat() | Counter():
            return {_key(this.label): this.value}
    return {}


def _key(label: str) -> str:
    return re.sub(r"\W+", "_", label.casefold()).strip("_")
