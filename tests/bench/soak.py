"""Plays for a long time in a real terminal and prints how much memory the program has: `python -m tests.bench.soak`.

The exit status is 1 if the program ever has more than 1.5 times the memory that it had after the first minute.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.terminal.helpers import environment, tracker
from tests.terminal.pty import Pty

LIMIT = 1.5
"""Largest ratio of memory to that after the first minute."""
SIZES = ((40, 120), (24, 80), (50, 200), (34, 130))
"""Rows and columns of the windows that are played in."""
AT_TABLE = "q Campaigns"
"""What the last row shows only at the table without a dialog, in every window above."""
AT_START = "╭─ Journal "
"""What every window above shows as soon as a campaign is open, also behind a dialog."""
AT_LIST = "^q Quit"
"""What the last row shows only at the list of campaigns."""
ESCAPE = "\x1b[27u"
"""Esc as newer terminals send it: of the old form, with the next key behind it, a busy program makes Alt and that key."""
PATIENCE = (20.0, 20.0, 60.0)
"""Seconds to wait for a key to be answered, each time that it is pressed."""
SLOW = 3.0
"""Seconds in which a busy machine answers a key."""
ABOUT = "╭─ About "
"""The top left corner of the text behind F1."""
EXAMPLES = Path(__file__).parents[2] / "saves"
WORDS = ("the", "ford", "is", "cold", "and", "riders", "wait", "beyond", "old", "stones", "where", "nobody", "winter")
MOVES = ("face d", "secure", "gather", "heal", "make c", "aid", "resupp", "swear", "strike", "action", "risk", "rest")


class Soak:
    """One program that is played for a long time. `keys` counts the keys typed."""

    def __init__(self, program: Pty, luck: random.Random, rate: float) -> None:
        """`rate` is the number of keys a second that is typed at most."""
        self.program = program
        self.keys = 0
        self._luck = luck
        self._rate = rate
        self._began = time.monotonic()

    # -- keys -------------------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Type keys without waiting for what they do."""
        for key in keys:
            self.program.send(ESCAPE if key == "escape" else key)
            self.keys += 1

    def type(self, text: str) -> None:
        self.program.send(text)
        self.keys += len(text)

    def wait(self) -> None:
        """Wait until all keys have done what they do, and longer if typing is ahead of its rate.

        Keys are taken in order, and F1 opens and closes a text over any screen: where that is seen, the others are through.
        Like any key, F1 is dropped if it was pressed before rolled dice were on the screen, and is pressed again then.
        """
        late = False
        for patience in PATIENCE:
            self.press("f1")
            try:
                self.program.wait_for(ABOUT, patience)
                break
            except TimeoutError:
                if patience is PATIENCE[-1]:
                    raise
                late = True
        for patience in (*PATIENCE, *PATIENCE):
            if late:  # the first F1 may have been slow and not dropped, and the last one then opened the text again
                self.program.settle(SLOW)
            if ABOUT not in self.program.text():
                break
            self.press("f1")
            try:
                self.program.wait_gone(ABOUT, patience)
            except TimeoutError:
                late = True
            if not late:
                break
        else:
            raise TimeoutError(f"F1 does not close its text:\n{self.program.text()}")
        time.sleep(max(0.0, self.keys / self._rate - (time.monotonic() - self._began)))

    def sentence(self) -> str:
        return " ".join(self._luck.choices(WORDS, k=self._luck.randint(4, 14)))

    def shows(self, foot: str) -> bool:
        """Return whether the last row shows this."""
        return foot in self.program.rows()[-1]

    def to_table(self) -> None:
        """Leave whatever is open, or open the first campaign if the list is shown."""
        for _ in range(20):
            self.wait()
            if self.shows(AT_TABLE):
                return
            self.press("enter" if self.shows(AT_LIST) else "escape")
        raise AssertionError(f"no key leads back to the table:\n{self.program.text()}")

    # -- what is done -----------------------------------------------------------------------------------

    def write(self) -> None:
        self.press("j")
        self.type(self.sentence() + "\r")
        self.press("escape")

    def change(self) -> None:
        """Move the cursor over the sheet, and change numbers up and down."""
        for _ in range(self._luck.randint(4, 10)):
            self.press(self._luck.choice(("down", "down", "up", "tab", "left", "right")))
            self.press(*self._luck.choice(("+", "-", "-+", "+-", "++", "space")))

    def move(self) -> None:
        """Make a move from the picker, with the first answer to whatever is asked."""
        self.press("m")
        self.type(self._luck.choice(MOVES))
        self.answer()

    def answer(self) -> None:
        for _ in range(self._luck.randint(4, 9)):
            self.press("enter")
            self.wait()
            if self.shows(AT_TABLE):
                return
            if self._luck.random() < 0.3:
                self.press(self._luck.choice(("1", "2", "3", "down", "space", "+", "e", "i")))

    def roll(self) -> None:
        # Not heart: without the dialog, as r is dropped while dice are shown, h would host, which loads other libraries.
        self.press("r", self._luck.choice("reisw"))
        self.answer()

    def do_owed(self) -> None:
        self.press("x")
        self.answer()

    def undo(self) -> None:
        times = self._luck.randint(1, 6)
        self.press(*"u" * times)
        for _ in range(self._luck.randint(0, times)):
            self.press("ctrl+r")

    def oracle(self) -> None:
        self.press("o")
        for _ in range(self._luck.randint(1, 4)):
            self.press(*self._luck.choices(("down", "right", "enter", "r", "pagedown"), k=3))

    def look_around(self) -> None:
        """Open the screens that only show something, and move in them."""
        opens, inside = self._luck.choice(
            (
                ("J", ("up", "pageup", "home", "end", "pagedown", "f")),
                ("p", ("down", "right", "tab")),
                ("b", ("down", "tab")),
                ("?", ("pagedown", "down")),
                ("t", ("down", "enter", "escape")),
                ("g", ("down", "tab")),
                ("s", ("down",)),
                ("m", ("down", "pagedown", "a", "backspace")),
            )
        )
        self.press(opens)
        for _ in range(self._luck.randint(2, 6)):
            self.press(self._luck.choice(inside))

    def palette(self) -> None:
        self.press("ctrl+p")
        self.type(self._luck.choice(("odds", "theme", "iron", "oracle", "x", "jour")))
        self.press("down", "up")

    def find(self) -> None:
        self.press("/")
        self.type(self._luck.choice(WORDS))
        self.press("down", "down")

    def resize(self) -> None:
        self.program.resize(*self._luck.choice(SIZES))

    def speak(self) -> None:
        self.press(self._luck.choice("1234"), "f", "l", "d", "d")

    def change_campaign(self) -> None:
        """Go back to the list and open one of the campaigns."""
        self.press("q")
        self.program.wait_until(lambda: self.shows(AT_LIST), PATIENCE[-1])
        self.press(*self._luck.choices(("down", "up"), k=3))
        self.press("enter")

    def play(self) -> Iterator[Callable[[], None]]:
        """Yield what is done next, without an end; several hundred make an evening."""
        often = {
            self.write: 6,
            self.change: 6,
            self.move: 8,
            self.roll: 5,
            self.do_owed: 2,
            self.undo: 3,
            self.oracle: 4,
            self.look_around: 8,
            self.palette: 2,
            self.find: 2,
            self.speak: 2,
            self.resize: 1,
            self.change_campaign: 1,
        }
        while True:
            yield from self._luck.choices(list(often), list(often.values()), k=20)


def soak(folder: Path, *, minutes: float, keys: int | None, rate: float, seed: int) -> int:
    """Play, print a row each minute, and return the exit status."""
    for example in EXAMPLES.glob("example-*.toml"):
        shutil.copyfile(example, folder / re.sub("^example-", "", example.name))
    luck = random.Random(seed)
    with Pty(tracker(folder, "ironsworn", seed=seed), env=environment(), colours=False) as program:
        program.wait_for(AT_START)
        program.settle()
        played = Soak(program, luck, rate)
        played.to_table()  # of an example that was last played hours ago, a recap is shown first
        began = time.monotonic()
        print(f"minute   keys  RSS (MB)  ratio\n{0:6d} {0:6d} {program.rss_mb():9.1f}", flush=True)
        first, worst, minute = 0.0, 0.0, 0
        for act in played.play():
            played.to_table()
            act()
            past = (time.monotonic() - began) / 60
            over = past >= minutes or (keys is not None and played.keys >= keys)
            if int(past) > minute or over:
                minute = int(past)
                program._raw.clear()
                memory = program.rss_mb()
                first = first or memory
                worst = max(worst, memory / first)
                print(f"{past:6.1f} {played.keys:6d} {memory:9.1f} {memory / first:6.2f}", flush=True)
            if over:
                break
        played.to_table()
        program.send("ctrl+q")
        status = program.wait_end(60)
    print(f"largest ratio to the first minute: {worst:.2f} (limit {LIMIT}); exit status of the program: {status}")
    return int(worst > LIMIT or status != 0)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=60.0, help="how long to play")
    asked.add_argument("--keys", type=int, help="stop after this many keys, if that is earlier")
    asked.add_argument("--keys-per-second", type=float, default=40.0, help="the most that are typed")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="tracker-soak-") as folder:
        try:
            return soak(
                Path(folder), minutes=given.minutes, keys=given.keys, rate=given.keys_per_second, seed=given.seed
            )
        finally:
            for fault in Path(folder).glob(".last-fault.txt"):
                print(fault.read_text("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
