"""Markdown: sessions and scenes as headings, passages as paragraphs, mechanics as block quotes.

Everything that a player typed is escaped, so that it reads as typed and can begin nothing: no link, tag or heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tracker.campaign.session import Step
from tracker.export.parts import Document, Line, Mechanics, Part, Passage, Piece, SceneStart, SessionStart, date
from tracker.games.api.plain_text import belonging, clauses, field, track
from tracker.games.api.view import NO_RATING, Counter, Field, Flags, Holding, Member, Pane, Ratings, Stat, Track, each
from tracker.games.common.notes import listed
from tracker.text import shown_line

_SIGNS = re.compile(r"[\\`*_{}\[\]<>|~$#^]|&(?=[#\w])|==|%%|(?<=:):|(?<=!)!|!(?=$|!)")
_LINE_START = re.compile(r"^(\s*)([-+=:]|\d{1,9}(?=[.)]))")
_AUTOLINK = re.compile(r"(?i)(?<![a-z])(?:https?|ftp|mailto|xmpp|obsidian|file|javascript|data)(?=:)|(?<!\w)www(?=\.)")
BREAK = "\\\n"
"""The end of a line inside a paragraph."""


def escaped_piece(text: str, *, first: bool) -> str:
    """Return a part of a line escaped for Markdown, so that it reads as typed; a space at either end is kept.

    `first` is True for the part that begins the line, where more signs have to be escaped.
    """
    made = escaped(text) if first else escaped(f"x{text}")[1:]
    return f"{' ' if text[:1] == ' ' and first else ''}{made}{' ' if text.endswith(' ') else ''}"


def escaped(text: str) -> str:
    """Return a text escaped for Markdown, including GitHub's and Obsidian's, so that it reads exactly as typed.

    Line ends become spaces, and spaces at its ends are cut.
    """
    line = " ".join(text.splitlines()).strip()
    line = _SIGNS.sub(lambda sign: "".join(f"\\{char}" for char in sign[0]), line)
    line = _AUTOLINK.sub(lambda word: f"{word[0]}\u2060", line)
    return _LINE_START.sub(lambda start: f"{start[1]}{_at_the_start(start[2])}", line)


def _at_the_start(word: str) -> str:
    """Return the sign or number `word` escaped, so that it does not begin a list, a rule or a heading."""
    return f"{word}\\" if word.isdigit() else f"\\{word}"


def write(document: Document, step: Step | None = None) -> Iterator[str]:
    """Yield a campaign as the pieces of one Markdown text, in order.

    `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the save cannot be read.
    """
    yield f"# {escaped(document.name)}\n\n*{escaped(document.about)}*\n"
    yield from blocks(document.parts(step))
    if document.request.characters:
        for one in appendix(document):
            yield f"\n{one}\n"
    for line in document.credits():
        yield f"\n*{escaped(line)}*\n"


def blocks(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the parts as blocks of Markdown, each with a line end before and after it.

    Moves without a text between them share a block quote.
    """
    quoting = False
    for part in parts:
        yield f"{'>' if quoting and isinstance(part, Mechanics) else ''}\n{block(part)}\n"
        quoting = isinstance(part, Mechanics)


def block(part: Part) -> str:
    """Return a part of the export as a block of Markdown, without a line end after it."""
    match part:
        case SessionStart():
            when = f"\n\n*{date(part.when)}*" if part.when else ""
            return f"## {escaped(part.title)}{when}"
        case SceneStart():
            return f"### {escaped(part.title)}"
        case Passage():
            return passage(part)
        case Mechanics():
            return "\n".join(f"> {line}" for line in mechanics(part).split("\n"))


def passage(part: Passage, link: Callable[[Piece], str] = lambda _: "", speaker: str = "") -> str:
    """Return a passage of the player's text as paragraphs, with the character's name in bold before the first.

    `link` is called with each piece that mentions a world note, and returns the link to the note, or "". `speaker` is
    the link to the character, or "".
    """
    paragraphs = [BREAK.join(line(one, link) for one in lines) for lines in part.paragraphs]
    if part.who:
        paragraphs[0] = f"**{speaker or escaped(part.who)}:** {paragraphs[0]}"
    return "\n\n".join(paragraphs)


def line(pieces: Line, link: Callable[[Piece], str]) -> str:
    """Return a line of a passage as Markdown.

    `link` is called with each piece that mentions a world note, and returns the link to the note, or "".
    """
    made = ""
    for n, piece in enumerate(pieces):
        told = (link(piece) if piece.note else "") or escaped_piece(piece.text, first=not n)
        made += f"*{told}*" if piece.emphasized and told == told.strip() else told
    return made


def mechanics(part: Mechanics) -> str:
    """Return a move as one or two lines: its name, outcome and roll, the outcome in bold; then its changes.

    For a change by hand, return only its changes.
    """
    who = f"{escaped(part.who)}: " if part.who else ""
    rolled = [f"**{escaped(told)}**" if part.outcome.startswith(told) else escaped(told) for told in part.in_words]
    changed = escaped(", ".join(part.changes))
    head = " · ".join(filter(None, (who + escaped(part.name), *rolled))) if part.name else f"{who}{changed}"
    if not part.name or not changed:
        return head
    return BREAK.join((head, changed)) if rolled else f"{head} · {changed}"


def appendix(document: Document) -> Iterator[str]:
    """Yield the characters, the GM's side, tracks and world notes in their present state, as blocks of Markdown.

    A heading begins each group. Yield nothing for a group that is empty.
    """
    if document.members:
        yield "## Characters"
    for member in document.members:
        yield from character(document, member)
    yield from gm_side(document)
    if tracks := document.game.tracks(document.state):
        yield "## Tracks"
        yield "\n".join(f"- **{escaped(one.name)}**{escaped_piece(_after_name(one), first=False)}" for one in tracks)
    told = document.state["notes"]
    if told:
        yield "## People, places and things"
        yield "\n".join(f"- {note_line(told[ident])}" for ident in listed(document.state))


def _after_name(one: Track) -> str:
    return track(one).removeprefix(one.name)


def gm_side(document: Document, *, foes: bool = True) -> Iterator[str]:
    """Yield the GM's numbers, and with `foes` the adversaries, as a heading and a list.

    Yield nothing for a game without a GM's side.
    """
    if side := document.game.gm_side(document.state):
        yield "## The GM"
        there = side.foes if foes else ()
        told = (clauses(foe.name, foe.kind, foe.note, foe.out, *map(field, foe.meters)) for foe in there)
        yield "\n".join(f"- {line}" for line in (labeled(side.pool), *map(escaped, told)))


def character(document: Document, member: Member) -> Iterator[str]:
    """Yield a character's name, kind and status, sheet, and belongings, as blocks of Markdown.

    Belongings that the sheet shows are left out.
    """
    yield f"### {escaped(member.name)}"
    if about := ", ".join(filter(None, (member.kind, member.status))):
        yield f"*{escaped(about)}*"
    lines = [line for pane in document.sheet(member.id) for line in _fields(pane)]
    yield "\n".join(f"- {line}" for line in lines)
    for holding in document.game.belongings(document.state, member.id):
        if holding.things and not holding.on_sheet:
            yield _holding(holding)


def _fields(pane: Pane) -> Iterator[str]:
    """Yield the fields of a pane, one line each; its stats are one line together. What is empty or 0 is left out."""
    if stats := [labeled(one) for one in pane.fields if isinstance(one, Stat)]:
        yield ", ".join(stats)
    for one in each(pane.fields):
        match one:
            case Stat() | Counter(value=0):
                continue
            case Flags() if not any(flag.on for flag in one.flags):
                continue
            case Ratings():
                rated = [field(stat) for stat in one.stats if stat.value != NO_RATING]
                told = labeled(one.head) + (f": {escaped(', '.join(rated))}" if rated else "")
            case _:
                told = labeled(one)
        if told:
            yield told


def labeled(one: Field) -> str:
    """Return a field as Markdown, with its label in bold; "" if it is empty."""
    words, label = field(one), getattr(one, "label", "") or getattr(one, "called", "")
    if not label or not words.startswith(label):
        return escaped(words)
    rest = words.removeprefix(label)
    colon = rest[:1] == ":"
    return f"**{escaped(label)}{':' if colon else ''}**{escaped_piece(rest[colon:], first=False)}"


def _holding(holding: Holding) -> str:
    lines = [f"**{escaped(holding.title)}**", ""]
    for thing in holding.things:
        marked = [f"  - {escaped(mark.text)}" for mark in thing.marks if mark.on and mark.text.strip()]
        lines += (f"- {escaped(belonging(thing, marks=not marked))}", *marked)
    return "\n".join(lines)


def note_line(note: dict[str, str]) -> str:
    """Return a world note as one line: its name in bold, its kind, and its text if it has any.

    `note` is the note as the state has it.
    """
    text = shown_line(note["text"], 2000)
    return f"**{escaped(shown_line(note['name']))}**, {note['kind']}{f': {escaped(text)}' if text.strip() else ''}"
