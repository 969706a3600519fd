"""Changes by hand: a number, a mark."""

from __future__ import annotations

from tracker.campaign.fold import apply, locate
from tracker.campaign.log import Entry
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.schema import Effect, Integer


def change(session: Session, effect: Effect, who: str = "") -> Entry:
    """Make this change; one that changes nothing is no entry, but Refused with the reason."""
    if apply(session.game.top, session.state, effect) == session.state:
        raise Refused(_why_not(session, effect))
    return session.do("change", [effect], who=who)


def _why_not(session: Session, effect: Effect) -> str:
    label = session.game.label(effect["at"])
    path, kind, value = locate(session.game.top, session.state, effect["at"]) or ((), None, "")
    if not isinstance(kind, Integer):
        return f"{label} stays as it is."
    if effect.get("by", 0) > 0 and kind.blocked and (why := kind.blocked(session.state, path)):
        return f"{label} stays {value}: {why}."
    high = kind.most(session.state, path) if kind.most and "by" in effect else kind.high
    return f"{label} stays {value}; it goes from {kind.low} to {high}."
