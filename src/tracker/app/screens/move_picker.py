"""Choices for the pickers over the table: moves, breaks of the story, actions on a track."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from textual.content import Content

from tracker.app.drawings import fit_words, odds_bar, tone_style
from tracker.app.screens.base import PageToRead
from tracker.app.screens.dialog.body import odds_line
from tracker.app.screens.list_screen import Choices, MissingPack, missing_rows
from tracker.app.widgets.options import Row
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.games.api import content as games_content
from tracker.games.api.content import plain
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Odds, Option, Pick, Prompt, Roll, Text
from tracker.games.api.view import Action, Start, Track, chance, whole
from tracker.text import shown_line

LABEL, BAR, WORD, NUMBER = 18, 10, 14, 5
"""Widths in cells: a stat, its odds bar, a word before a percentage, and a percentage."""
STEPS, BRANCHES = 2, 6
"""How far to look for the odds of a move: answers ahead, and options of each question."""
ROOM = 34
"""Cells beside the list of moves in a window of 80 columns."""


def move_choices(session: Session, who: str) -> Choices:
    """Return the list of moves for the character with the id `who`: suggested moves with digits, then all by group.

    The value of a move's row is a Start. Moves that are not possible now are disabled, with the reason. Below are texts
    of packs to read, each with a PageToRead, and packs that are not installed.
    """
    game = session.game
    now = game.now(session.state, who)
    rows = [Row("Now")]
    rows += [_row(action, action.key.removeprefix("m")) for action in now]
    group = ""
    for move in game.moves.values():
        if move.solo:
            continue
        if move.group != group:
            group = move.group
            rows.append(Row(group.capitalize()))
        rows.append(Row(move.name, Start(move.id), reason=game.why_not(session.state, who, move.id)))
    content = session.content()
    rows += _to_read(content) if content.texts else ()
    missing = session.missing_packs()
    rows += [Row("Packs"), *missing_rows(missing)] if missing else []

    fits = {action.start: _told(action.note, action.odds) for action in now}

    def missing_note(row: Row) -> str:
        return "" if not isinstance(row.value, Start) else fits.get(row.value) or best(row.value)

    @cache
    def best(start: Start) -> str:
        """Return the best stat for a move with its chance of success, such as "edge 63%"; "" if no odds are known."""
        prompt = _first_odds(session, who, start)
        if isinstance(prompt, Roll):
            return _told("", prompt.odds)
        likely = max((o for o in _rollable(prompt)), key=lambda option: chance(option.odds), default=None)
        if likely is None:
            return ""
        return _told(likely.key if likely.label.startswith(likely.key) else "", likely.odds)

    def full_text(value: Any) -> PageToRead | None:
        if not isinstance(value, Start):
            return value if isinstance(value, PageToRead) else None
        text = games_content.text_of_move(content, value.procedure)
        return PageToRead("text", text.id) if text else None

    def about(start: Any) -> list[Content]:
        if isinstance(start, PageToRead):
            from tracker.app.screens.pack_page import drawn
            from tracker.content.pack_pages import page_of

            page = page_of(content, *start)
            return [part for line in page.lines for part in drawn(line, ROOM)] if page else []
        if isinstance(start, MissingPack):
            return [Content(start.title)]
        move = game.moves[start.procedure]
        lines = [
            Content.assemble((move.name, "bold"), (f"   {move.group}", "$faint")),
            Content.styled(move.trigger, "$muted"),
            Content(),
            *(Content.assemble((f"{mark} " if mark else "", "$key"), words) for mark, words in move.outcomes),
        ]
        prompt = _first_odds(session, who, start)
        if isinstance(prompt, Roll) and prompt.odds:
            return [*lines, Content(), Content(prompt.title), *_table([("", prompt.odds)])]
        options = [option for option in _rollable(prompt) if not option.reason]
        if options:
            lines += [Content(), *_table([(f"{o.hot:<1} {o.label[:LABEL]} ", o.odds) for o in options])]
            lines.append(Content.styled("; ".join(f"{o.key} {o.about}" for o in options if o.about), "$muted"))
        return lines

    return Choices(
        tuple(rows),
        about,
        explained=game.chance_told(session.state)[0],
        missing_note=missing_note,
        full_text=full_text if content.texts else None,
        words=lambda start: game.moves[start.procedure].trigger if isinstance(start, Start) else "",
    )


def _to_read(content: games_content.Content) -> Iterator[Row]:
    """Yield rows for the packs' moves that tracker cannot play, only show, under the title of their source."""
    title = ""
    for text in games_content.unplayed(content):
        if text.source.title != title:
            title = text.source.title
            yield Row(f"{shown_line(title)}, to read")
        yield Row(shown_line(text.name), PageToRead("text", text.id), note="read only")


def _first_odds(session: Session, who: str, start: Start) -> Prompt | None:
    """Return the first prompt of a procedure that shows odds; None if that is refused or the odds depend on answers.

    Names that the move asks for first, and choices that change no odds, are answered for the player.
    """
    try:
        return _odds_ahead(session.begin(start.procedure, who, start.answers), STEPS)
    except Refused:
        return None


def _odds_ahead(run: Run, steps: int) -> Prompt | None:
    """Return the next prompt of the run that shows odds, at most `steps` answers ahead.

    Return None if there is none so near, or if the answers until then change its odds.
    """
    prompt = run.prompt
    if isinstance(prompt, Roll) or _rollable(prompt):
        return prompt
    if not steps:
        return None
    if isinstance(prompt, Text):
        return _odds_ahead(run.trial(prompt.hint or "…"), steps - 1)
    if not isinstance(prompt, Pick) or len(prompt.options) > BRANCHES:
        return None
    ways = [_odds_ahead(run.trial(option.key), steps - 1) for option in prompt.options if not option.reason]
    same = (
        ways and ways[0] is not None and all(way is not None and _told_odds(way) == _told_odds(ways[0]) for way in ways)
    )
    return ways[0] if same else None


def _told_odds(prompt: Prompt) -> list[tuple[str, Odds]]:
    """Return the odds that a prompt shows: (key of the option, odds) for each, or one pair for a roll."""
    if isinstance(prompt, Roll):
        return [("", prompt.odds)]
    return [(option.key, option.odds) for option in _rollable(prompt)]


def _rollable(prompt: Prompt | None) -> list[Option]:
    """Return the options of a prompt that have odds; [] if the prompt is not a Pick."""
    return [option for option in prompt.options if option.odds] if isinstance(prompt, Pick) else []


def _told(word: str, odds: Odds) -> str:
    """Return a word with the chance of success, such as "edge 63%"; the word alone if there are no odds.

    Beside a chance the word is cut to WORD cells.
    """
    return f"{fit_words(word, WORD).plain} {whole(chance(odds))}%".strip() if odds else word


def _table(chances: list[tuple[str, Odds]]) -> list[Content]:
    """Return a table of odds with a row of headings. `chances` has a label and odds for each row.

    If the table is too wide, the bars are left out. A single row that is still too wide is shown as one line for
    each outcome.
    """
    label = max(len(word) for word, _ in chances)
    names = [name for name, _, _ in chances[0][1]]
    # Two cells between heads, so that “great success” is not read as one, if there is room for them.
    gap = 2 if label + sum(max(len(name) + 2, NUMBER) for name in names) <= ROOM else 1
    cells = [max(len(name) + gap, NUMBER) for name in names]
    beside_bar = [NUMBER, *cells[1:]]  # the first head reaches back over the bar
    if label + BAR + sum(beside_bar) <= ROOM:
        bar, cells = BAR, beside_bar
    else:
        bar = 0
    if label + bar + sum(cells) <= ROOM:
        words = "".join(name.rjust(width) for name, width in zip(names[1:], cells[1:], strict=True))
        head = Content.styled(names[0].rjust(label + bar + cells[0]) + words, "$faint")
    elif len(chances) == 1:
        wide = max(map(len, names))
        return [
            Content.assemble((name.ljust(wide), "$muted"), (f"{whole(n):>4}%", tone_style(tone)))
            for name, n, tone in chances[0][1]
        ]
    else:
        cells = [NUMBER] * len(names)
        head = Content.styled(", ".join(names) + ":", "$faint")
    rows = (
        Content.assemble(
            word.ljust(label),
            odds_bar(odds, bar) if bar else "",
            *((f"{whole(n)}%".rjust(width), tone_style(tone)) for (_, n, tone), width in zip(odds, cells, strict=True)),
        )
        for word, odds in chances
    )
    return [head, *rows]


def new_part_choices(session: Session) -> Choices:
    """Return the list of actions that begin a new part of the story now, such as a scene or a session.

    The value of a row is a Start.
    """
    rows = tuple(_row(action, action.key) for action in session.game.breaks(session.state))
    return Choices(rows, lambda _: [], filters=False)


def track_choices(session: Session, who: str, track: Track) -> Choices:
    """Return the list of actions of the character with the id `who` on a track.

    The value of a row is a Start, or the Action itself if it opens a screen. The description shows the odds of a roll
    against the track, now and after one more mark.
    """
    game, state = session.game, session.state
    actions = game.track_moves(state, who, track.id)
    # An action that opens a screen is picked as a whole.
    rows = tuple(Row(a.label, a if a.opens else a.start, a.key, a.note, a.reason, odds=a.odds) for a in actions)
    words = f"{track.rank} {track.kind}".strip() + (f", {track.closed}" if track.closed else "")
    changed = "fill or empty 1 segment" if track.segments else "mark or clear 1 tick"
    by_hand = "" if track.closed else f"; on the table, + and - {changed}"
    told = [Content.styled(words + by_hand, "$muted")]
    odds = game.track_odds(state, track.id)
    wide = max((len(word) for word, _ in odds), default=0)
    for word, of_it in odds:
        told.append(Content.assemble((f"{word:<{wide}}  ", "$muted"), odds_line(of_it)))
    if not track.about:
        return Choices(rows, lambda _: told, filters=False)
    told += [Content(), Content(track.about)]
    foes = session.content().foes.values()
    foe = next((foe for foe in foes if shown_line(plain(foe.name)) == track.name), None)
    reading = PageToRead("foe", foe.id) if foe else None
    return Choices(rows, lambda _: told, filters=False, full_text=(lambda _: reading) if reading else None)


def _row(action: Action, key: str) -> Row:
    return Row(action.label, action.start, key, _told(action.note, action.odds), action.reason)
