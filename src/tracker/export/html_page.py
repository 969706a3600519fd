"""A web page: one file without outside references, with dice and tracks drawn, and mechanics that can be folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files

from tracker.campaign.session import Step
from tracker.export import html_drawings as draw
from tracker.export.parts import Document, Mechanics, Part, Passage, Piece, SceneStart, SessionStart, date
from tracker.games.api.plain_text import amount, belonging, clauses, field, meter_note, segments, spoken
from tracker.games.api.view import (
    Belonging,
    Clock,
    Counter,
    Field,
    Flags,
    Line,
    Member,
    Meter,
    Momentum,
    Pane,
    Ratings,
    Stat,
    Track,
    each,
)
from tracker.games.common.notes import listed
from tracker.text import shown_line

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load for the page: nothing. A script that got into it would not run."""


def write(document: Document, step: Step | None = None) -> Iterator[str]:
    """Yield a campaign as the pieces of one HTML page, in order.

    `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the save cannot be read.
    """
    page = _Page(document)
    yield page.top()
    for part in document.parts(step):
        yield page.block(part)
    yield page.end_of_session()
    if document.request.characters:
        yield from page.appendix()
    yield page.bottom()


class _Page:
    """An HTML page while it is written. It collects the headings for the table of contents.

    The contents are at the end of the file, so that the page can be streamed; the style sheet shows them first.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._contents: list[tuple[str, str, list[tuple[str, str]]]] = []
        """(id, title, scenes) of each session, with (id, title) of each scene."""
        self._scenes = 0
        self._is_open = False
        self._has_notes = document.request.characters

    def top(self) -> str:
        name, about = escape(self._document.name), escape(self._document.about)
        style = files("tracker.export").joinpath("page.css").read_text(encoding="utf-8")
        fold = '<p class="fold"><label><input type="checkbox" id="moves" checked>Show moves and rolls</label></p>\n'
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            f"<title>{name}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
            f'<header>\n<h1>{name}</h1>\n<p class="about">{about}</p>\n</header>\n'
            f"{'' if self._document.request.story else fold}<main>\n"
        )

    def bottom(self) -> str:
        thanks = "".join(f'<p class="credits">{escape(line)}</p>\n' for line in self._document.credits())
        contents = "".join(
            f'<li><a href="#{ident}">{title}</a>{_scenes(scenes)}</li>\n' for ident, title, scenes in self._contents
        )
        nav = f'<nav aria-label="Contents">\n<h2>Contents</h2>\n<ol>\n{contents}</ol>\n</nav>\n' if contents else ""
        return f"{thanks}</main>\n{nav}</body>\n</html>\n"

    # -- the story --------------------------------------------------------------------------------------

    def block(self, part: Part) -> str:
        """Return a part of the export as HTML, and note its heading for the contents if it has one.

        Parts must be given in order: a scene belongs to the last session.
        """
        match part:
            case SessionStart():
                return self._session(part)
            case SceneStart():
                self._scenes += 1
                ident, title = f"scene-{self._scenes}", escape(part.title)
                self._contents[-1][2].append((ident, title))
                return f'<h3 id="{ident}">{title}</h3>\n'
            case Passage():
                return self._passage(part)
            case Mechanics():
                return mechanics(part)

    def _session(self, part: SessionStart) -> str:
        ident, title = f"session-{len(self._contents) + 1}", escape(part.title)
        before = self.end_of_session()
        self._contents.append((ident, title, []))
        self._is_open = True
        when = (
            f'<p class="date"><time datetime="{part.when:%Y-%m-%d}">{date(part.when)}</time></p>\n' if part.when else ""
        )
        return f'{before}<section class="session" id="{ident}">\n<h2>{title}</h2>\n{when}'

    def end_of_session(self) -> str:
        """Return the HTML that closes the section of the open session; "" if none is open. None is open afterwards."""
        before, self._is_open = ("</section>\n" if self._is_open else ""), False
        return before

    def _passage(self, part: Passage) -> str:
        paragraphs = ["<br>\n".join(map(self._line, lines)) for lines in part.paragraphs]
        if part.who:
            paragraphs[0] = f'<b class="who">{escape(part.who)}</b> {paragraphs[0]}'
        return "".join(f"<p>{lines}</p>\n" for lines in paragraphs)

    def _line(self, pieces: Iterable[Piece]) -> str:
        return "".join(map(self._piece, pieces))

    def _piece(self, piece: Piece) -> str:
        text = escape(piece.text)
        if piece.note and self._has_notes:
            text = f'<a href="#note-{escape(piece.note)}">{text}</a>'
        return f"<em>{text}</em>" if piece.emphasized else text

    # -- characters -------------------------------------------------------------------------------------

    def appendix(self) -> Iterator[str]:
        """Yield the HTML of the characters, the GM's side, tracks and world notes in their present state, in pieces."""
        game, state = self._document.game, self._document.state
        side, tracks, told = game.gm_side(state), game.tracks(state), state["notes"]
        yield '<section class="appendix">\n'
        if self._document.members:
            yield self._heading("characters", "Characters")
            yield from map(self._character, self._document.members)
        if side:
            yield self._heading("gm", "The GM")
            foes = (clauses(foe.name, foe.kind, foe.note, foe.out, *map(field, foe.meters)) for foe in side.foes)
            listed_foes = "".join(f"<li>{escape(foe)}</li>\n" for foe in foes)
            yield f'<div class="sheet">\n{_fields([side.pool])}{_list("things", listed_foes)}</div>\n'
        if tracks:
            yield self._heading("tracks", "Tracks")
            yield f'<div class="sheet">\n{_list("tracks", "".join(map(_track, tracks)))}</div>\n'
        if told:
            yield self._heading("notes", "People, places and things")
            yield _list("things", "".join(_note(ident, told[ident]) for ident in listed(state)))
        yield "</section>\n"

    def _heading(self, ident: str, title: str) -> str:
        self._contents.append((ident, title, []))
        return f'<h2 id="{ident}">{title}</h2>\n'

    def _character(self, member: Member) -> str:
        document = self._document
        kind = ", ".join(filter(None, (member.kind, member.status)))
        about = f'<p class="note">{escape(kind)}</p>\n' if kind else ""
        panes = "".join(map(_pane, document.sheet(member.id)))
        held = "".join(
            f"<h4>{escape(holding.title)}</h4>\n{_list('things', ''.join(map(_thing, holding.things)))}"
            for holding in document.game.belongings(document.state, member.id)
            if holding.things and not holding.on_sheet
        )
        return f'<h3>{escape(member.name)}</h3>\n<div class="sheet">\n{about}{panes}{held}</div>\n'


def _scenes(scenes: list[tuple[str, str]]) -> str:
    told = "".join(f'<li><a href="#{ident}">{title}</a></li>' for ident, title in scenes)
    return f"<ol>{told}</ol>" if told else ""


def mechanics(part: Mechanics) -> str:
    """Return a move, or a change by hand, as an HTML block.

    If a roll has dice, the reader can unfold them; the same goes for the first values of a character who joins.
    """
    card = part.line.card
    who = f"{escape(part.who)}: " if part.who else ""
    name = f"<b>{escape(part.name)}</b>" if part.name else ""
    dice = f'<span class="dice">{"".join(map(draw.die, card.dice))}</span>' if card and card.dice else ""
    outcome = f'<span class="outcome">{escape(part.outcome)}</span>' if part.outcome else ""
    rolled = " · ".join(outcome if words == part.outcome else escape(words) for words in part.result)
    changed = "".join(f'<span class="change">{escape(change)}</span>' for change in part.changes)
    if not part.name and (joins := _joins(part)):
        return joins
    head = " ".join(filter(None, (f"{who}{name}", dice, rolled)))
    told = f"{head}{'<br>' if part.result and changed else ' '}{changed}".strip()
    tone = f" {card.tone}" if card and card.tone else ""
    more = _whole_roll(part)
    if more:
        return f'<details class="move{tone}">\n<summary>{told}</summary>\n{more}</details>\n'
    return f'<p class="move{tone}">{told}</p>\n'


def _joins(part: Mechanics) -> str:
    """Return the HTML for a character that joins, whose first values the reader can unfold; "" for anything else."""
    who, joins, values = part.changes[0].partition(" joins: ")
    if not joins:
        return ""
    more = "".join(f'<span class="change">{escape(change)}</span>' for change in (values, *part.changes[1:]))
    summary = f"<summary>{escape(who)} joins</summary>"
    return f'<details class="move">\n{summary}\n<div class="full"><p>{more}</p></div></details>\n'


def _whole_roll(part: Mechanics) -> str:
    """Return the HTML of a roll in detail: large dice, the sum and the reason of the outcome; "" if it has no dice."""
    card = part.line.card
    if not card or not card.dice:
        return ""
    groups: list[str] = []
    for n, one in enumerate(card.dice):
        drawn = f'<span class="one">{draw.die(one)}{escape(one.word)}</span>'
        if n and card.dice[n - 1].group == one.group:
            groups[-1] += drawn
        else:
            groups.append(drawn)
    between = "".join(f"<span>{escape(words)}</span>" for words in card.between)
    told = " · ".join(escape(line) for line in (card.title, card.sum, *card.reasons) if line)
    return f'<div class="full"><div class="dice">{groups[0]}{between}{"".join(groups[1:])}</div><p>{told}</p></div>\n'


def _pane(pane: Pane) -> str:
    stats = [one for one in pane.fields if isinstance(one, Stat)]
    tiles = "".join(f"<li><b>{escape(str(one.value))}</b>{escape(one.label)}</li>" for one in stats)
    return _list("stats", tiles) + _fields(one for one in each(pane.fields) if not isinstance(one, Stat))


def _fields(fields: Iterable[Field]) -> str:
    """Return fields of a sheet as an HTML list of labels and values, with drawings.

    Return "" if no field has anything to show.
    """
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{value}</dd>\n" for label, value in map(_field, fields) if value)
    return f'<dl class="fields">\n{rows}</dl>\n' if rows else ""


def _field(this: Field) -> tuple[str, str]:
    """Return (label, value as HTML) of a field; the value is "" if the field has nothing to show."""
    match this:
        case Meter():
            words = meter_note(this)
            note = f' <span class="note">{escape(words)}</span>' if words else ""
            drawn = draw.pips(this.value, this.high, marks=this.marks)
            return this.label, f"{drawn}{amount(this)}{note}"
        case Momentum():
            told = f'<span class="note">maximum {this.most}, reset {this.reset}</span>'
            return this.label, f"{draw.momentum(this)}<br>{this.value} {told}"
        case Clock():
            return this.label, f"{draw.clock(this.value, this.segments)}{this.value} of {this.segments}"
        case Flags():
            return "marked", escape(", ".join(flag.label for flag in this.flags if flag.on))
        case Ratings():
            label, _, skills = field(this).partition(": ")
            return label, escape(skills)
        case Counter():
            return this.label, escape(str(this.value)) if this.value else ""
        case Line():
            return this.label or this.called, escape(spoken(shown_line(this.value, 300)))
        case _:
            return "", escape(field(this))


def _thing(this: Belonging) -> str:
    marks = "".join(f"<li>{escape(mark.text)}</li>" for mark in this.marks if mark.on and mark.text.strip())
    return f"<li>{escape(belonging(this, marks=not marks))}{f'<ul>{marks}</ul>' if marks else ''}</li>\n"


def _track(this: Track) -> str:
    name = f"<b>{escape(this.name)}</b>"
    if this.segments and not this.hidden:
        drawn = draw.clock(this.segments - this.ticks if this.counts_down else this.ticks, this.segments)
        far = segments(this)
    elif this.segments:
        drawn, far = "", str(this.ticks)
    else:
        drawn, far = draw.boxes(this.ticks), ""
    kind = f"{this.kind} countdown" if this.counts_down else f"{this.rank} {this.kind}".strip()
    about = clauses(kind, far, this.note, this.closed)
    return f'<li class="track">{name} <span class="note">{escape(about)}</span>{drawn}</li>\n'


def _note(ident: str, note: dict[str, str]) -> str:
    text = shown_line(note["text"], 2000)
    about = f": {escape(text)}" if text.strip() else ""
    return (
        f'<li id="note-{escape(ident)}"><b>{escape(shown_line(note["name"]))}</b>, {escape(note["kind"])}{about}</li>\n'
    )


def _list(kind: str, items: str) -> str:
    return f'<ul class="{kind}">\n{items}</ul>\n' if items else ""
