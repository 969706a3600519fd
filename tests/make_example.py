"""Plays the evenings that saves/example-*.toml tell: `python -m tests.make_example` writes them anew.

Everything goes through the session that the app uses, with answers and dice laid down here; ids and times too, so that
the same evening gives the same file.
"""

from __future__ import annotations

import os
import sys
import tempfile
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest
from tests import example_daggerheart, example_wherever

from tracker import games
from tracker.campaign import session as table
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.prompts import Roll
from tracker.games.ironsworn.tracks import NEW

SAVES = Path(__file__).parents[1] / "saves"
BEGIN = datetime(2026, 11, 14, 19, 2, 11, tzinfo=UTC)
BOY = "bring_the_miller_s_boy_home"
JOURNEY = "up_the_gray_run_to_ravencliff"
RIDERS = "riders_of_the_ashen_crown"
DICE = "dice"


def action(die: int, *challenge: int) -> dict[str, Any]:
    return {"action": die, "challenge": list(challenge)}


def make(name: str, three: str, twos: list[str], **more: Any) -> tuple[str, str, dict[str, Any]]:
    return "", "character/make", {"name": name, "how": "choose", "three": three, "twos": twos, **more}


EVENING: list[tuple[Any, ...]] = [
    make(
        "Kara",
        "edge",
        ["heart", "iron"],
        assets=["ash_hound", "javelin_runner", "ferry_keeper"],
        bond_1="Old Ferrin, the miller",
        **{"ash_hound.note": "Brak", "ash_hound.ability": "three"},
    ),
    make("Tayla", "heart", ["shadow", "wits"], assets=["bone_setter", "hall_singer"], weapon="simple", bond_1="Kara"),
    ("", "story/scene", {"title": "The drowned mill"}),
    ("kara", "The mill at Harrow's Ford has stood empty since the flood. Tonight a light moves in the loft."),
    ("tayla", "I heard the boy call from inside, and then I did not hear him any more."),
    (
        "kara",
        "quest/swear_an_iron_vow",
        {"track": "Bring the miller's boy home", "rank": "dangerous", DICE: action(5, 3, 6)},
    ),
    ("kara", "I put my palm on the wheel's iron rim and said it aloud, so that Tayla would hold me to it."),
    ("kara", "adventure/face_danger", {"using": "edge", DICE: action(2, 4, 5), "choose": ["supply"]}),
    ("kara", "The stair gives way behind us. Our pack goes with it."),
    (
        "kara",
        "fate/ask_the_oracle",
        {"question": "Does somebody live up here?", "choose": ["yes_no"], "odds": "likely", DICE: {"oracle": 44}},
    ),
    ("kara", "Yes: somebody has been living up here."),
    ("kara", "quest/reach_a_milestone", {"track": BOY}),
    ("tayla", "adventure/face_danger", {"using": "shadow", DICE: action(1, 7, 9)}),
    ("tayla", "fate/pay_the_price", {"choose": ["table"], DICE: {"oracle": 47}}),
    ("tayla", "Six of them, out of the loft. They wear the Ashen Crown's gray."),
    ("kara", "adventure/face_danger", {"using": "edge", DICE: action(4, 5, 3)}),
    ("kara", "I leap the gap with the boy on my back. The ladder does not follow."),
    ("kara", "quest/reach_a_milestone", {"track": BOY}),
    (
        "kara",
        "quest/swear_an_iron_vow",
        {"track": "Break the Ashen Crown", "rank": "epic", DICE: action(3, 2, 8)},
    ),
    ("tayla", {"at": "tayla.health", "by": -1}),
    ("tayla", "I am bleeding, and I say that I am not."),
    (
        "kara",
        "adventure/undertake_a_journey",
        {
            "track": NEW,
            "name": "Up the Gray Run to Ravencliff",
            "rank": "dangerous",
            DICE: action(4, 2, 3),
            "choose": ["progress"],
        },
    ),
    ("kara", "We follow the Run by night. Brak goes ahead and comes back, and goes ahead again."),
    (
        "tayla",
        "adventure/undertake_a_journey",
        {"track": JOURNEY, DICE: action(4, 3, 9)},
    ),
    ("tayla", "adventure/face_danger", {"using": "heart", DICE: action(3, 5, 9), "choose": ["stress"]}),
    ("tayla", "We lie in the reeds until the torches have gone by. The boy has a name, and he told it to me."),
    ("", "story/session", {}),
    ("", "story/scene", {"title": "The ford below Ravencliff"}),
    (
        "kara",
        "combat/enter_the_fray",
        {
            "track": NEW,
            "name": "Riders of the Ashen Crown",
            "rank": "formidable",
            "using": "heart",
            DICE: action(4, 3, 5),
        },
    ),
    ("kara", "combat/strike", {"track": RIDERS, "using": "iron", DICE: action(4, 5, 9)}),
    ("kara", "Three of them at the ford. Brak has the first one by the wrist before I can call him back."),
]


EVENINGS = {
    "ironsworn": EVENING,
    "wherever": example_wherever.EVENING,
    "daggerheart": example_daggerheart.EVENING,
}
IDS = {"ironsworn": ("y1ww6c", "xyhw9wnf"), "wherever": ("h4rb0r", "tq7n2kce"), "daggerheart": ("w0lfrd", "s9eq4xma")}


class Clock(datetime):
    """Every look at it is a minute and a bit later."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        cls.looks += 1
        return BEGIN + cls.looks * timedelta(seconds=97)


def example(game: str) -> Path:
    return SAVES / f"example-{game}.toml"


def write(target: Path, game: str) -> None:
    """Play the evening in a new save and leave it here."""
    names = iter(IDS[game])
    Clock.looks = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "random_id", lambda length=8: next(names))
        patch.setattr(table, "datetime", Clock)
        new_campaign(str(target), games.get(game))
        session = Session.open(str(target))
        for who, what, *answers in EVENINGS[game]:
            if answers:
                _play(session, who, what, answers[0])
            elif isinstance(what, dict):
                session.do("change", [what], who=who)
            else:
                session.write(what, who)
        session.close()


def _play(session: Session, who: str, move: str, answers: dict[str, Any]) -> None:
    run = session.begin(move, who)
    while True:
        wanted = (p.key for p in run.quiet() if p.key in answers and run.value(p.key) != answers[p.key])
        if quiet := next(wanted, None):
            run.revise(quiet, answers[quiet])
        elif (prompt := run.prompt) is None:
            break
        elif isinstance(prompt, Roll):
            session.rolled(run, answers[prompt.key])
        elif prompt.key in answers or prompt.default is not None:
            run.answer(answers.get(prompt.key, prompt.default))
        else:
            raise LookupError(f"{move} asks for {prompt}")
    session.finish(run)


def main() -> None:
    for game in EVENINGS:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_DATA_HOME"] = folder  # backups of this evening are nobody's
            fresh = Path(folder) / example(game).name
            write(fresh, game)
            example(game).write_bytes(fresh.read_bytes())
        print(f"{example(game).name} is written anew.", file=sys.stderr)


if __name__ == "__main__":
    main()
