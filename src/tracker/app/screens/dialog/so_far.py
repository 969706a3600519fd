"""The character so far, beside the questions that make one."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from tracker.app.widgets.base import Lines
from tracker.campaign.run import Run
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.text import shown_line

INDENT = 2
LEAST_WIDTH = 100
"""Width of a window with room beside a dialog."""


class SoFar(Lines):
    """Pane beside the dialog that makes a character: the answers given so far, each below its question.

    It is hidden in a window narrower than LEAST_WIDTH.
    """

    def show(self, run: Run) -> None:
        """Show the answers of this run.

        If they do not all fit, show the first answer, the name, and the newest ones.
        """
        width = max(10, self.content_size.width or 22)
        height = max(1, (self.app.size.height - 6) if self.is_attached else 20)
        blocks = [list(_block(prompt, said, width)) for prompt, said in _answers(run)]
        while len(blocks) > 1 and sum(map(len, blocks)) > height:
            del blocks[1]  # the first is the name
        lines = [line for block in blocks for line in block]
        self.update(tuple(lines) or (Content.styled("No answers yet.", "$faint"),))
        self.display = self.app.size.width >= LEAST_WIDTH
        self.styles.height = self.app.size.height - 2  # 1fr would reach below the footer


def _answers(run: Run) -> Iterator[tuple[Prompt, str]]:
    for prompt, (_, value) in list(zip(run.seen, run.answers, strict=True))[1:]:  # the first is how to make one
        if not prompt.quiet and (said := _answer_text(prompt, value)):
            yield prompt, shown_line(said, 120)


def _answer_text(prompt: Prompt, value: Answer) -> str:
    """Return an answer as text, options by their labels; "" for a roll or an empty line."""
    match prompt:
        case Pick():
            return next(option.label for option in prompt.options if option.key == value)
        case Choose() if isinstance(value, (list, tuple)):
            return ", ".join(option.label for option in prompt.options if option.key in value) or "none"
        case Spread() if isinstance(value, dict):
            return ", ".join(
                f"{target.label} {value[target.key]}" for target, _ in prompt.targets if target.key in value
            )
        case Number() | Text():
            return str(value)
        case Confirm():
            return "yes" if value else "no"
        case Roll() | _:
            return ""


def _block(prompt: Prompt, said: str, width: int) -> Iterator[Content]:
    yield from Content.styled(shown_line(prompt.title, 120), "$muted").wrap(width)
    for row in Content.styled(said, "bold").wrap(width - INDENT):
        yield row.pad_left(INDENT)
