"""The procedures of Lantern."""

from collections.abc import Mapping
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Number, Option, Pick, Roll, Text

NEEDED = {"slow": 3, "fast": 5}


def make(table: Draft) -> Procedure:
    name = yield Text(key="name", title="What is the name?")
    table.add("party", {"id": table.new_id(name, table.state["party"], *table.state), "name": name})


def step(table: Draft) -> Procedure:
    options = tuple(Option(pace, pace, f"{least} or more", hot=pace[0]) for pace, least in NEEDED.items())
    pace = yield Pick(key="pace", title="How do you go?", options=options)
    faces = yield Roll(key="dice", title="Into the dark", dice={"dark": 6})
    safe = faces["dark"] >= NEEDED[pace]
    table.mine("light", 0 if safe else -1)
    table.facts |= {"face": faces["dark"], "outcome": "safe" if safe else "darker"}


def refill(table: Draft) -> Procedure:
    if table.me["light"] == 6:
        raise Refused("The lantern is full.")
    table.mine("light", (yield Number(key="oil", title="How much oil?", low=1, high=3, default=1)))


def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
    if not name.strip() or stats:
        raise Refused("A character has a name and no stats.")
    return {"name": name}
