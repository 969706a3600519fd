"""What stands beside the question of a dialog and can be changed: quiet answers, and shares that are spread."""

from __future__ import annotations

from tracker.app.screens.dialog.body import CardScreen
from tracker.app.screens.dialog.forms import OFFER, is_offer, offered
from tracker.app.widgets.options import Row
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Roll, Spread


class Revises(CardScreen):
    """Nothing of this answers the question; the odds follow at once."""

    _digits = ""
    """What was typed of a number so far."""

    async def go_on(self) -> None:
        """Roll what is to be rolled at once, then show the prompt."""
        raise NotImplementedError

    def action_aside(self) -> None:
        """Such as dice rolled again where no asset says so."""
        if offered(self.run, aside=True) == offered(self.run):
            self.say("There is nothing more to offer.")
        else:
            self.aside, self.message = not self.aside, ""
            self.show()

    async def revise(self, row: Row, *, stay: bool = False) -> None:
        """Flip a quiet answer; the cursor goes back to the question unless it is to stay."""
        key, _, option = str(row.value).removeprefix(OFFER).partition(":")
        prompt = next((p for p in self.run.quiet() if p.key == key), None)
        now = self.run.value(key)
        if isinstance(prompt, Confirm):
            revised = self._revised(key, not now)
        elif isinstance(prompt, Choose):
            revised = self._revised(key, [o.key for o in prompt.options if (o.key in now) != (o.key == option)])
        elif isinstance(prompt, Pick):
            revised = self._revised(key, option)
        elif isinstance(prompt, Number) and prompt.hot and not stay:
            self.picker.show(self.picker.data, at=row.value)
            self.touched = key
            revised = self._revised(key, prompt.pressed(now))
        else:  # a number has + and -: with it done, on to what is asked
            revised, self.message = False, ""
            self.show(fresh=True)
        if not revised:
            return
        due = isinstance(self.run.prompt, Roll) and self.run.prompt.at_once
        if stay and not due and any(other.value == row.value for other in self.rows()):
            self.show()
        else:
            await self.go_on()

    def _revised(self, key: str, value: Answer) -> bool:
        try:
            self.run.revise(key, value)
        except Refused as error:
            self.say(str(error))
            return False
        self.message = ""
        return True

    def action_add(self, by: int) -> None:
        """More or less of the number that this prompt, or the roll ahead, has."""
        prompt, row = self.run.prompt, self.picker.row
        if isinstance(prompt, Spread) and row and not is_offer(row):
            self._share(prompt, row, by)
        elif number := self.number_now(by):
            value = self.run.value(number.key) + by
            if not number.low <= value <= number.high:
                self.say(f"{number.title[0].upper()}{number.title[1:]}: from {number.low} to {number.high}.")
            elif self._revised(number.key, value):
                self.show()
        elif isinstance(prompt, Number):
            now = self.line.value.strip()
            value = int(now) + by if now.isdecimal() and len(now) < 9 else prompt.low
            self.line.value = str(max(prompt.low, min(value, prompt.high)))
            self.line.select_all()
        elif beside := self.number_beside(row, by):
            self.say(f"Faces are being typed: go up to “{beside.title}”, and + and - change it.")

    def type_number(self, digit: str) -> bool:
        """A digit for the number under the cursor, behind those that were typed before it; False if there is none."""
        row = self.picker.row if self.among_rows else None
        number = next((p for p in self.run.quiet() if row and row.value == OFFER + p.key), None)
        if not digit.isdecimal() or not isinstance(number, Number):
            self._digits = ""
            return False
        together = self._digits + digit
        self._digits = together if int(together) <= number.high else digit
        value = int(self._digits)
        if number.low <= value <= number.high and self._revised(number.key, value):
            self.show()
        return True

    def _share(self, prompt: Spread, row: Row, by: int) -> None:
        shares, limits = self.begun.shares(prompt), {option.key: limit for option, limit in prompt.targets}
        left = prompt.points - sum(shares.values())
        now = shares.get(row.value, 0)
        self.message = ""
        if by > 0 and not left:
            self.message = f"All {prompt.points} are spread: take one back first, with -."
        elif by > 0 and now >= limits[row.value]:
            self.message = f"{row.label} can take {limits[row.value]}."
        else:
            self.begun.keep(prompt, {**shares, row.value: max(0, now + by)})
        self.show()
