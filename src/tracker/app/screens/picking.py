"""What the pickers over the table offer."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from tracker.app.draw import odds_bar
from tracker.app.screens.picker import Choices
from tracker.app.widgets.options import Row
from tracker.games.sheet import Action, Start, Track
from tracker.table.session import Session


def moves(session: Session, who: str) -> Choices:
    """First the moves that fit this moment, by number; then all of them, by group."""
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

    def about(start: Any) -> list[Content]:
        move = game.moves[start.procedure]
        fits = next((action for action in now if action.start == start and action.odds), None)
        lines = [
            Content.assemble((move.name, "bold"), (f"   {move.group}", "$faint")),
            Content.styled(move.trigger, "$muted"),
        ]
        lines.append(Content())
        lines += [Content.assemble((f"{mark} " if mark else "", "$key"), words) for mark, words in move.outcomes]
        if fits:
            lines += [Content(), Content.styled(f"with {fits.note}", "$muted"), odds_bar(fits.odds, 20)]
            lines.append(Content.assemble(*[(f"{name} {n}%  ", f"${tone}") for name, n, tone in fits.odds]))
        return lines

    return Choices(tuple(rows), about)


def parts(session: Session) -> Choices:
    """The breaks that the story can have now."""
    rows = tuple(_row(action, action.key) for action in session.game.breaks(session.state))
    return Choices(rows, lambda _: [], filters=False)


def for_track(session: Session, who: str, track: Track) -> Choices:
    """What can be done with it, and how a roll against it would stand, now and after another mark."""
    game, state = session.game, session.state
    actions = game.track_moves(state, who, track.id)
    rows = tuple(Row(a.label, a.start, a.key, a.note, a.reason, odds=a.odds) for a in actions)
    words = f"{track.rank} {track.kind}".strip() + (f", {track.closed}" if track.closed else "")
    by_hand = "" if track.closed else "; + and - in the list change it by hand"
    told = [Content.styled(words + by_hand, "$muted")]
    odds = game.track_odds(state, track.id)
    wide = max((len(word) for word, _ in odds), default=0)
    for word, of_it in odds:
        numbers = [(f"  {name} {n:>2}%", f"${tone}") for name, n, tone in of_it]
        told.append(Content.assemble((f"{word:<{wide}}  ", "$muted"), odds_bar(of_it, 20), *numbers))
    return Choices(rows, lambda _: told, filters=False)


def _row(action: Action, key: str) -> Row:
    hit = f"{100 - action.odds[-1][1]}%" if action.odds else action.note
    return Row(action.label, action.start, key, hit, action.reason)
