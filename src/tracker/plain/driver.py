"""Play a procedure in lines: print each prompt as a block, read each answer as a line."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.dice import Dice
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Confirm, Roll, Text
from tracker.games.api.view import Card
from tracker.plain import prompts, words
from tracker.plain.console import Console, InputClosed
from tracker.text import shown_line


class PromptDriver:
    """Frontend for one run, the counterpart of the app's dialog. With `by_hand` the player types the dice."""

    def __init__(self, talk: Console, session: Session, run: Run, dice: Dice, *, by_hand: bool) -> None:
        self._talk = talk
        self._session = session
        self._run = run
        self._dice = dice
        self._by_hand = by_hand
        self._told: Card | None = None
        """The roll as last printed; printed again only if it changed."""

    def drive(self) -> Entry | None:
        """Play to the end and return the new entry, or None if the player left.

        A run with rolled dice stays open and becomes a due item, also when InputClosed or OSError is raised.
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
            if whole:
                for line in self._block():
                    self._talk.say(line)
            self._talk.say(self._how())
            line = self._talk.ask().strip()
            whole = True
            try:
                if line == "leave" or (line == "back" and not self._back()):
                    self._session.leave(run)
                    return None
                if line == "back":
                    continue
                if line == "quit" and not isinstance(run.prompt, Text):
                    raise InputClosed
                if line in {"help", "?"} and not isinstance(run.prompt, Text):
                    self._help()
                    whole = False
                    continue
                if line.partition(" ")[0] == "note" and not isinstance(run.prompt, Text):
                    self._note(line.removeprefix("note").strip())
                    whole = False
                    continue
                if run.prompt is None and not line:
                    return self._session.finish(run)
                self._take(line)
            except Refused as error:
                self._talk.say(str(error))
                whole = not line  # an empty line was to apply it: show what has to be answered again

    def _typed(self, roll: Roll) -> bool:
        """Return True if the player types the faces of this roll."""
        return self._by_hand and not roll.ours

    def _back(self) -> bool:
        """Step back; return False at the first prompt. Raise Refused if dice have been rolled."""
        if self._run.back():
            return True
        if self._run.rolled:
            raise Refused("The dice lie: no step leads back before them. Type leave, and they wait under owed.")
        return False

    def _take(self, line: str) -> None:
        """Use a line as the answer to the prompt, or to a quiet prompt named by its key. Raise Refused if neither."""
        prompt = self._run.prompt
        if revised := None if isinstance(prompt, Text) else self._revised(line):
            self._run.revise(*revised)
        elif prompt is None:
            raise Refused(f"There is nothing more to answer, and “{line}” was not taken.")
        elif isinstance(prompt, Roll) and not self._typed(prompt):
            if line:
                raise Refused("The dice are rolled here; before a move the word dice changes that.")
            self._roll(self._dice.roll(prompt.dice))
        elif line:
            self._answer(prompts.parsed(prompt, line))
        elif (default := prompts.when_empty(prompt)) is not None:
            self._answer(default)

    def _revised(self, line: str) -> tuple[str, Answer] | None:
        """Return the key and parsed answer if the line begins with the key of a quiet prompt, else None."""
        for prompt in self._run.quiet():
            for name in (prompt.key, prompt.key.replace("_", " ")):
                if line == name or line.startswith(f"{name} "):
                    rest = line.removeprefix(name) or ("yes" if isinstance(prompt, Confirm) else "")
                    return prompt.key, prompts.parsed(prompt, rest)
        return None

    def _answer(self, value: Answer) -> None:
        if isinstance(self._run.prompt, Roll):
            self._roll(value)
        else:
            self._run.answer(value)

    def _roll(self, faces: Answer) -> None:
        """Answer a roll. The faces are durable before they are printed, or a warning says that they are not."""
        sign = self._session.rolled(self._run, faces)
        if sign.word != "saved":
            self._talk.say(f"These dice are {words.sign(sign)}")

    # -- what is said -----------------------------------------------------------------------------------

    def _block(self) -> Iterator[str]:
        run = self._run
        card = self._session.game.card(run.move.id, run.draft.facts)
        if run.rolled and card != self._told:
            self._told = card
            yield from words.card(card)
        if run.prompt:
            yield from prompts.block(run.prompt)
        else:
            if card.sum and not run.rolled:
                yield card.sum
            changes = self._session.changes(run)
            yield from (f"Will change: {change}" for change in changes)
            if not changes:
                yield "Nothing will change."
        if not isinstance(run.prompt, Text):
            offers = (prompts.offer(prompt, run.value(prompt.key)) for prompt in run.quiet() if not prompt.aside)
            yield from filter(None, offers)

    def _note(self, text: str) -> None:
        """Set the player's own journal line for this run; an empty text removes it."""
        self._run.note = text
        self._talk.say(f"Note: {shown_line(text, 300)}" if text else "There is no note.")

    def _help(self) -> None:
        """Print what the move is about, and the words that always work."""
        self._talk.say(f"{self._run.move.name}: {self._run.move.trigger}")
        if self._run.prompt:
            for line in prompts.about(self._run.prompt):
                self._talk.say(line)
        self._talk.say("note and a text keeps a line of your own with it in the journal.")
        self._talk.say("back is one step back, leave leaves it, quit ends the evening; nothing rolled is lost.")

    def _how(self) -> str:
        run = self._run
        words = prompts.how(run.prompt, by_hand=self._by_hand) if run.prompt else "Enter applies it"
        return f"{words}; or back, help, or leave{': the dice then wait under owed' if run.rolled else ''}."
