"""Play a procedure in lines: print each prompt as a block, read each answer as a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.dice import Dice
from tracker.games.api import plain_text
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Pick, Prompt, Roll, Text
from tracker.games.api.schema import State
from tracker.games.api.view import Card
from tracker.plain import prompts, text_lines
from tracker.plain.console import Console, InputClosed
from tracker.text import shown_line


class PromptDriver:
    """Plays one run in plain mode: prints each prompt, reads a line, and answers the prompt with it.

    It is the counterpart of the app's dialog. If `by_hand` is True, the player types the faces of real dice.
    """

    def __init__(
        self,
        talk: Console,
        session: Session,
        run: Run,
        dice: Dice,
        read: Callable[[str], bool],
        refusal: Callable[[str], str],
        *,
        by_hand: bool,
        untold: Callable[[], list[str]] = list,
    ) -> None:
        """Make a driver that plays `run` on the console `talk`.

        `read` is called with each line that does not answer the prompt. For a command that only prints something, such
        as `sheet`, it obeys and returns True; it returns False for any other line. `refusal` returns why a line that
        answers nothing is refused, if it is a command for between moves; else "". `untold` returns sentences to print
        before each prompt: what others at a shared table have done.
        """
        self._untold = untold
        self._talk = talk
        self._session = session
        self._run = run
        self._dice = dice
        self._read = read
        self._refusal = refusal
        self._by_hand = by_hand
        self._told: Card | None = None
        """The card of the roll as last printed; a card is printed only if it differs."""
        self._heard: list[str] = []
        """The lines of the prompt as last printed. After a revised answer only the lines that differ are printed."""

    def drive(self) -> Entry | None:
        """Play the run to its end and return the new entry, or None if the player left the run.

        Raise InputClosed if input ends or the player quits, and OSError if a line cannot be read or printed. If dice
        were rolled before the run ends early in any of these ways, it stays open and becomes a due item.
        """
        try:
            return self._drive()
        except (InputClosed, OSError):
            self._session.leave(self._run)
            raise

    def _drive(self) -> Entry | None:
        run = self._run
        whole = True
        while True:
            while isinstance(run.prompt, Roll) and run.prompt.at_once and not self._typed(run.prompt):
                self._roll(self._dice.roll(run.prompt.dice))
            for sentence in self._untold():
                self._talk.say(sentence)
            if whole:
                self._say_block()
            self._talk.say(self._how())
            before = self._session.state
            line = self._talk.ask().strip()
            whole = True
            try:
                if self._session.state is not before and self._is_another(before):
                    continue
                if line == "leave" or (line == "back" and not self._back()):
                    self._session.leave(run)
                    return None
                if line == "back":
                    continue
                if self._aside(line):
                    whole = False
                    continue
                if run.prompt is None and not line:
                    return self._session.finish(run)
                whole = self._take(line)
            except Refused as error:
                self._talk.say(self._refusal(line) or str(error))
                whole = not line  # an empty line was to apply it: show what has to be answered again

    def _is_another(self, before: State) -> bool:
        """Replay the run on the state that others have changed while a line was awaited; `before` is the one before.

        Return True, after saying so, if the line answers something else now: the prompt has to be answered again. Raise
        Refused if the run cannot go on.
        """
        self._session.renew(self._run)
        told = self._told
        same = self._run.state == before or not any(line not in self._heard for line in self._block())
        self._told = told
        if same:
            return False
        self._talk.say("Something changed: please answer this again.")
        return True

    def _aside(self, line: str) -> bool:
        """Handle a line that does not answer the prompt: help, a note, or a command that prints something.

        Return True if the line was handled, False if it is an answer or unknown. A prompt for a text takes any line but
        help as its answer. Raise InputClosed for quit, and Refused if the command that prints something raises it.
        """
        if line.casefold() in {"help", "?"}:
            self._help()
        elif isinstance(self._run.prompt, Text):
            return False
        elif line == "quit":
            raise InputClosed
        elif line.partition(" ")[0] == "note":
            self._note(line.removeprefix("note").strip())
        else:
            return not self._is_option(line) and self._read(line)
        return True

    def _is_option(self, line: str) -> bool:
        """Return True if the line is exactly a name of an option, or of a prompt answered by default, ignoring case."""
        prompt = self._run.prompt
        options = prompt.options if isinstance(prompt, (Pick, Choose)) else ()
        names = {name.casefold() for option in options for name in (option.label, option.key, option.hot)}
        return line.casefold() in names | {name for quiet in self._run.quiet() for name in prompts.names(quiet)}

    def _typed(self, roll: Roll) -> bool:
        """Return True if the player types the faces of this roll; False if the program rolls."""
        return self._by_hand and not roll.ours

    def _back(self) -> bool:
        """Take back the last answer and return True; return False if there is none.

        Raise Refused if dice have been rolled and nothing was answered since.
        """
        if self._run.back():
            return True
        if self._run.rolled:
            raise Refused("The dice are rolled; you can't go back past them. Type leave to finish later.")
        return False

    def _take(self, line: str) -> bool:
        """Use a line as the answer to the prompt.

        If it begins with a name of a prompt that is answered by default, change that answer instead. Return True if the
        whole prompt has to be printed again, else False. Raise Refused if the line is not a valid answer.
        """
        prompt = self._run.prompt
        if revised := None if isinstance(prompt, Text) else self._revised(line):
            self._run.revise(*revised)
            return self._say_revised(prompt, revised[0])
        if prompt is None:
            raise Refused(f"Nothing left to answer; “{line}” was ignored.")
        if isinstance(prompt, Roll) and not self._typed(prompt):
            if line:
                raise Refused("tracker rolls these. For real dice, type dice before a move.")
            self._roll(self._dice.roll(prompt.dice))
        elif line:
            self._answer(prompts.parsed(prompt, line))
        elif (default := prompts.when_empty(prompt)) is not None:
            self._answer(default)
        return True

    def _revised(self, line: str) -> tuple[str, Answer] | None:
        """Return (key, new answer) if the line begins with a name of a prompt answered by default, else None.

        Raise Refused if the rest of the line is not a valid answer.
        """
        for prompt in self._run.quiet():
            for name in prompts.names(prompt):
                if line.casefold() == name or line.casefold().startswith(f"{name} "):
                    rest = line[len(name) :] or ("yes" if isinstance(prompt, Confirm) else "")
                    return prompt.key, prompts.parsed(prompt, rest)
        return None

    def _answer(self, value: Answer) -> None:
        if isinstance(self._run.prompt, Roll):
            self._roll(value)
        else:
            self._run.answer(value)

    def _roll(self, faces: Answer) -> None:
        """Answer the present roll with these faces, and block until they are saved or saving has failed.

        In the latter case print a warning. Raise Refused if the faces do not fit.
        """
        sign = self._session.rolled(self._run, faces)
        if sign.word != "saved":
            self._talk.say(f"These dice are {text_lines.sign(sign)}")

    # -- output -----------------------------------------------------------------------------------------

    def _say_block(self) -> None:
        self._heard = list(self._block())
        for line in self._heard:
            self._talk.say(line)

    def _say_revised(self, before: Prompt | None, key: str) -> bool:
        """Print the new answer of the prompt with the key `key` and the lines that changed with it; return False.

        `before` is the prompt before the change. If the run is at another prompt now, print nothing and return True.
        """
        prompt = self._run.prompt
        if (prompt and prompt.key) != (before and before.key):
            return True
        changed = next((one for one in self._run.quiet() if one.key == key), None)
        if changed:
            self._talk.say(prompts.present(changed, self._run.value(key)))
        heard, self._heard = self._heard, list(self._block())
        offers = set(self._offers())
        for line in self._heard:
            if line not in heard and line not in offers:
                self._talk.say(line)
        return False

    def _block(self) -> Iterator[str]:
        run = self._run
        card = self._session.game.card(run.move.id, run.draft.facts)
        if run.rolled and card != self._told:
            self._told = card
            yield from text_lines.card(card, run.move.name)
        if run.prompt:
            yield from prompts.block(run.prompt)
        else:
            if card.sum and not run.rolled:
                yield plain_text.spoken(card.sum)
            if run.rolled and (means := run.move.meaning(card.mark)):
                yield plain_text.spoken(means)
            changes = self._session.changes(run)
            yield from (f"Change: {plain_text.spoken(text_lines.reword_due(change))}" for change in changes)
            if not changes and not _is_answer(card):
                yield "No change."
        if not isinstance(run.prompt, Text):
            yield from self._offers()

    def _offers(self) -> Iterator[str]:
        """Yield lines about each prompt that is answered by default: its present answer, and what to type to change it.

        Prompts that are hidden by default are left out.
        """
        quiet = (prompt for prompt in self._run.quiet() if not prompt.aside)
        for prompt in quiet:
            yield from prompts.offer(prompt, self._run.value(prompt.key))

    def _note(self, text: str) -> None:
        """Set the player's own line on this move for the journal, and print it; an empty text removes the line."""
        self._run.note = text
        self._talk.say(f"Note: {shown_line(text, 300)}" if text else "No note.")

    def _help(self) -> None:
        """Print what the move is about, and the words that always work."""
        self._talk.say(f"{self._run.move.name}: {self._run.move.trigger}")
        if self._run.prompt:
            for line in prompts.about(self._run.prompt):
                self._talk.say(line)
        if isinstance(self._run.prompt, Text):
            self._talk.say('To answer with a word such as help, put it in quotes: "help".')
        else:
            self._talk.say("note TEXT adds your own line to the journal entry.")
        ends = "" if isinstance(self._run.prompt, Text) else ", quit ends"
        self._talk.say(f"back goes back a step, leave stops here{ends}; rolled dice are kept.")

    def _how(self) -> str:
        run = self._run
        saves = run.prompt is None and _is_answer(self._session.game.card(run.move.id, run.draft.facts))
        end = "Enter saves it" if saves and not self._session.changes(run) else "Enter applies it"
        words = prompts.how(run.prompt, by_hand=self._by_hand) if run.prompt else end
        return f"{words}. Also: back, help, leave{' (keeps the dice)' if run.rolled else ''}."


def _is_answer(card: Card) -> bool:
    """Return True for a card with a text but no roll with an outcome, such as an answer of the oracle."""
    return bool(card.sum or card.short or card.outcome) and not card.tone
