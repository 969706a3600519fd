"""Question about a last entry without its end mark: keep it, or set it aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.content import Content

from tracker.app.screens.base import MinSizeScreen
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import Row
from tracker.campaign.session import Session, Tail, UnmarkedTail
from tracker.text import shown_line

ROWS = (
    Row("Keep it", "keep", "k", "add it to the campaign"),
    Row("Set it aside", "aside", "s", "move it to a separate file"),
)


def tail_question(heading: Heading, question: UnmarkedTail) -> ListScreen:
    """Return the screen that asks what to do with an entry that has no end mark.

    It ends with "keep" or "aside", or with None if the player cancels.
    """
    about = [Content(shown_line(str(question), 300)), Content.styled(f"It says: {question.entry}", "$muted")]
    return ListScreen(heading, "One question first", Choices(ROWS, lambda _: about, filters=False))


def ask_tail(screen: MinSizeScreen[Any], session: Session, then: Callable[[], object]) -> None:
    """Open the question `session.unmarked`, which must not be None, over `screen`, and return at once.

    The player's answer is passed to the session, then `then` is called. If the player cancels, the question stays open
    and `then` is not called.
    """
    question = session.unmarked
    assert question is not None

    def answered(tail: Tail | None) -> None:
        if tail:
            session.answer_tail(question, tail)
            then()

    screen.app.push_screen(tail_question(screen.tracker.heading(), question), answered)
