"""Every move, from a handful of tables, through every outcome and every choice: none breaks or leaves a loose end.

What keeps the walk short: a path may leave the beaten track (the first answer that can be given, and the default of
what is not asked) at one place, on a fresh table at two. The dice are free: every roll is walked with all its throws.
One path in five is also shown, and the longest of every move and table is played and undone in a real save.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.campaign.playing import GAME, Quick, open_session, within
from tests.scenarios import ironsworn

from tracker.campaign.fold import apply, fits, fold, locate, start
from tracker.campaign.run import Run
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.api.game import Move
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.schema import Collection, Effect, State
from tracker.games.api.schema import Integer as Points
from tracker.games.api.view import DueItem
from tracker.games.ironsworn.state import DEBILITIES
from tracker.saves.entries import effect_problem

THROWS = {
    "strong hit": (5, (1, 2)),
    "weak hit": (5, (1, 10)),
    "miss": (2, (9, 10)),
    "miss with a match": (1, (10, 10)),
    "strong hit with a match": (5, (1, 1)),
}
"""The action die and the challenge dice. A 5 is not cancelled on any of the tables; a 1 kills a companion at 0."""
FACES = (1, 5, 10, 15, 30, 60, 100)
"""Of any other die, as far as it goes."""

# -- the tables -----------------------------------------------------------------------------------------

ROAD = {"kind": "journey", "rank": "dangerous", "ticks": 20}
OATH = {"kind": "vow", "rank": "formidable", "ticks": 22}
WOLF = {"kind": "fight", "rank": "dangerous", "ticks": 24}
STATS = {"edge": 2, "heart": 2, "iron": 3, "shadow": 1, "wits": 1}
NOTHING = {"health": 0, "spirit": 0, "momentum": -6, "debilities": list(DEBILITIES)}

TABLES: dict[str, dict[str, Any]] = {
    "fresh": {},
    "on the road, with much owed": {
        "health": 2,
        "spirit": 2,
        "supply": 1,
        "momentum": 9,
        "bonds": 1,
        "pending_add": {"any": 1},
        "tracks": {
            "road": ROAD,
            "oath": OATH,
            "debt": {**OATH, "status": "blocked"},
            "old": {**OATH, "status": "lost"},
            "kept": {**OATH, "status": "fulfilled", "away": True},
        },
    },
    "in a fight, with initiative": {
        "initiative": "you",
        "weapon": "deadly",
        "tracks": {"wolf": WOLF, "bear": WOLF, "debt": {**OATH, "status": "blocked"}},
    },
    "in a fight, without initiative": {"initiative": "foe", "momentum": -3, "tracks": {"wolf": WOLF, "oath": OATH}},
    "at the bottom": {**NOTHING, "supply": 0},
    "at the bottom, with progress": {**NOTHING, "supply": 0, "tracks": {"oath": OATH, "wolf": WOLF, "road": ROAD}},
    "with a companion": {
        "companion": {"name": "Rook", "health": 1, "max": 2, "abilities": 3},
        "assets": 1,
        "xp_earned": 3,
        "debilities": ["wounded"],
    },
    "with experience": {
        "xp_earned": 9,
        "xp_spent": 2,
        "bonds": 5,
        "debilities": ["cursed"],
        "tracks": {"hers": {**OATH, "sworn_by": "ana"}},
    },
}
ALLIES: dict[str, dict[str, Any]] = {
    "ana": {"health": 3, "spirit": 1, "momentum": 10},
    "bo": {"debilities": ["wounded"]},
}
LANTERN = {
    "id": "lantern",
    "name": "Lantern",
    "kind": "ritual",
    "meters": {"oil": {"name": "Oil", "value": 2, "most": 6}},
    "used": {"three": {"period": "session"}},
    "one": {"on": True, "text": "A rite.", "gives": "move wits, its oil 6 own on strong_hit, due endure_stress_1 own"},
    "two": {"on": True, "text": "Burn oil.", "gives": "its oil -1 and supply +1 use if its oil"},
    "three": {"on": True, "text": "A glow.", "gives": "+1 any if its oil once per session, momentum +1 any on hit"},
}
"""An asset whose abilities act outside the moves of the rules."""
BESIDES: dict[str, list[Effect]] = {
    "fresh": [{"at": "notes", "add": {"id": "tayla", "name": "Tayla", "kind": "person", "text": "A smith."}}],
    "on the road, with much owed": [
        {"at": f"you.owed.{move}", "by": 1}
        for move in (
            *("pay_the_price", "endure_harm_2", "endure_stress_1", "gather_information", "heal"),
            *("forsake_your_vow", "test_your_bond", "swear_an_iron_vow_cursed"),
        )
    ]
    + [{"at": "clocks", "add": {"id": "tide", "name": "The tide turns", "segments": 4, "filled": 1}}],
    "at the bottom": [{"at": "you.momentum", "by": -2}, {"at": "supply", "by": -2}],
    "at the bottom, with progress": [{"at": "you.momentum", "by": -2}, {"at": "supply", "by": -2}],
    "with experience": [{"at": "bo.status", "to": "dead"}, {"at": "you.assets", "add": LANTERN}],
}
"""At the bottom a loss is a setback, and supply that is not there."""


@cache
def table(name: str, party: int) -> State:
    words = {**STATS, **TABLES[name]}
    if party > 1:
        words["allies"] = {ally: {**keys, **_shared(words)} for ally, keys in ALLIES.items()}
    effects: list[Effect] = [*ironsworn.given(words), {"at": "you.latest", "to": "strong hit"}]
    return fold(GAME.top, start(GAME.top), effects + BESIDES.get(name, []))


def _shared(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return what allies share with the character in every state."""
    shared = {key: words[key] for key in ("initiative",) if key in words}
    return {**shared, **NOTHING} if words.get("supply") == 0 else shared


# -- the answers ----------------------------------------------------------------------------------------


def answers(prompt: Prompt) -> list[Answer]:
    """Return the possible answers, the usual one first. No answer at all is a dead end."""
    match prompt:
        case Pick():
            return free(prompt)
        case Choose():
            return choices(free(prompt), prompt.least, prompt.most)
        case Spread():
            return spreads(prompt.points, {option.key: limit for option, limit in prompt.targets if not option.reason})
        case Number():
            middle = prompt.default if prompt.default is not None else (prompt.low + prompt.high) // 2
            return list(dict.fromkeys([middle, prompt.low, prompt.high]))
        case Text():
            return ["oath", *([""] if prompt.empty else [])]
        case Confirm():
            return [False, True]
        case Roll():
            return throws(prompt.dice)
    raise AssertionError(f"nobody knows how to answer {prompt}")


def free(prompt: Pick | Choose) -> list[str]:
    return [option.key for option in prompt.options if not option.reason]


def choices(keys: list[str], least: int, most: int) -> list[list[str]]:
    """Return lists of keys: each key alone, filled up if one is not enough; as many as possible; none if allowed."""
    few, many = max(least, 1), min(most, len(keys))
    sets = [[*keys[n:], *keys[:n]][:few] for n in range(len(keys))] if len(keys) >= few else []
    return sets + ([keys[:many]] if many > few else []) + ([[]] if least == 0 else [])


def spreads(points: int, limits: dict[str, int]) -> list[dict[str, int]]:
    """Return shares: all points on one target, wherever they fit, and a mixture."""
    mix = dict.fromkeys(limits, 0)
    left = points
    while left and any(mix[key] < limits[key] for key in mix):
        for key in mix:
            share = min(left, 1, limits[key] - mix[key])
            mix[key] += share
            left -= share
    return [{key: points} for key, limit in limits.items() if limit >= points] + ([] if left else [mix])


def throws(dice: Mapping[str, int | tuple[int, ...]]) -> list[Answer]:
    if set(dice) <= {"action", "challenge"}:
        faces = ({"action": action, "challenge": list(challenge)} for action, challenge in THROWS.values())
        wanted = [{name: throw[name] for name in dice} for throw in faces]
        return [throw for n, throw in enumerate(wanted) if throw not in wanted[:n]]
    return [
        {
            name: min(n, sides) if isinstance(sides, int) else [min(n, each) for each in sides]
            for name, sides in dice.items()
        }
        for n in FACES
        if n == 1 or any(n <= (sides if isinstance(sides, int) else max(sides)) for sides in dice.values())
    ]


# -- the walk -------------------------------------------------------------------------------------------


class Fork(NamedTuple):
    """A run that waits for an answer, and how many unusual answers it may still get."""

    run: Run
    strays: int
    noted: int
    """How many of the prompts it has seen were forks already."""


def walk(move: Move, who: str, state: State, *, strays: int) -> Iterator[Run]:
    """Yield every way through this move, to its end; nothing if it is refused at the start."""
    try:
        forks = [Fork(Run(GAME, move, who, state), strays, 0)]
    except Refused:
        return
    while forks:
        run, strays, noted = forks.pop()
        for prompt in run.seen[noted:] if strays else ():
            if prompt.quiet and (other := next((a for a in answers(prompt) if a != prompt.default), None)) is not None:
                forks += [Fork(on, strays - 1, noted) for on in step(run, prompt, Run.revise, prompt.key, other)]
        if run.prompt is None:
            yield run
            continue
        ways = answers(run.prompt)
        assert ways, f"a dead end: {run.prompt.title} after {run.answers}"
        for answer in ways if strays or isinstance(run.prompt, Roll) else ways[:1]:
            stray = 0 if isinstance(run.prompt, Roll) or answer == ways[0] else 1
            forks += [Fork(on, strays - stray, len(run.seen)) for on in step(run, run.prompt, Run.answer, answer)]


def step(run: Run, prompt: Prompt, take: Callable[..., None], *given: Answer) -> list[Run]:
    """Return the run after this answer, or None if a number is refused. Other prompts must take what they offer."""
    on = copy(run)
    try:
        take(on, *given)
    except Exception as error:
        if isinstance(error, Refused) and isinstance(prompt, Number):
            return []
        error.add_note(f"{run.move.id} by {run.who}, after {run.answers}: {prompt.key} = {given[-1]}")
        raise
    return [on]


def idle(state: State, effects: list[Effect]) -> Iterator[Effect]:
    """Yield the effects that change nothing in this state."""
    for effect in effects:
        found = locate(GAME.top, state, effect["at"])
        taken = False
        if found and effect_problem(effect) is None:
            _, kind, _ = found
            if "by" in effect:
                taken = isinstance(kind, Points)
            elif "to" in effect:
                taken = kind is not None and (fits(kind, effect["to"]) or effect["to"] in getattr(kind, "words", ()))
            else:
                taken = isinstance(kind, Collection)
        if not taken:
            yield effect
        state = apply(GAME.top, state, effect)


def loose_ends(state: State) -> Iterator[str]:
    """Yield the moves that are due in this state and cannot be started."""
    for who in state["party"]:
        for owed in GAME.owed(state, who):
            if why := stuck(state, who, owed):
                yield f"{who} owes {owed.label}: {why}"


def stuck(state: State, who: str, owed: DueItem) -> str:
    if owed.start is None:
        return "nothing starts it"
    try:
        run = Run(GAME, GAME.moves[owed.start.procedure], who, state, owed.start.answers)
    except Refused as why:
        return str(why)
    asked = {prompt.key for prompt in (*run.seen, *([run.prompt] if run.prompt else []))}
    in_vain = [key for key, value in owed.start.answers if key in asked and run.value(key) != value]
    return f"{owed.start.procedure} does not take its {' and '.join(in_vain)}" if in_vain else ""


def problems(run: Run) -> Iterator[str]:
    """Yield what is wrong with a move that was walked to its end."""
    before, after = run.state, run.draft.state
    if left_out := list(idle(before, run.draft.effects)):
        yield f"no room on the table for {left_out}"
    if fold(GAME.top, before, run.draft.effects) != after:
        yield "the effects do not make the table that the move saw"
    if not within(GAME.top, after):
        yield "the table is not legal afterwards"
    again = Run(GAME, run.move, run.who, before, run.answers)
    if again.prompt or (again.draft.effects, again.draft.facts) != (run.draft.effects, run.draft.facts):
        yield "a replay of the answers does something else"
    if twice := [key for key, n in Counter(key for key, _ in run.answers).items() if n > 1]:
        yield f"two prompts have the key {twice}"
    for prompt in run.seen:
        options = Counter(option.key for option in prompt.options) if isinstance(prompt, (Pick, Choose)) else Counter()
        if twice := [key for key, n in options.items() if n > 1]:
            yield f"two options of {prompt.key} have the key {twice}"
        hot = Counter(o.hot for o in prompt.options if o.hot) if isinstance(prompt, (Pick, Choose)) else Counter()
        if twice := [letter for letter, n in hot.items() if n > 1]:
            yield f"two options of {prompt.key} have the letter {twice}"
    yield from loose_ends(after)


def shown(run: Run) -> None:
    """Make the card, the phrases and the sheet after a move, which must not raise."""
    after = run.draft.state
    GAME.card(run.move.id, run.draft.facts)
    GAME.changes(run.state, after, run.who)
    GAME.tracks(after)
    for who in after["party"]:
        GAME.sheet(after, who)
        GAME.now(after, who)
        GAME.rolls(after, who)


WALKS = [
    pytest.param(move, name, party, id=f"{move.id} {name}, {'alone' if party == 1 else 'three'}")
    for move in GAME.moves.values()
    for name in (list(TABLES)[:1] if move.solo else TABLES)
    for party in (1, 3)
]
"""Who makes a character does not look at the table."""


SAMPLE = [walk for n, walk in enumerate(WALKS) if n // 2 % 2 == n % 2 and not n % 5]
_SAMPLED = {walk.values[0] for walk in SAMPLE}
SAMPLE += {walk.values[0]: walk for walk in WALKS if walk.values[0] not in _SAMPLED}.values()
"""Walks of the usual run: every move at least once, at every table, alone and with two more."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Walk each move alone in one state, with two others in the next; with `--whole`, in both ways."""
    if "move" in metafunc.fixturenames:
        metafunc.parametrize(("move", "name", "party"), WALKS if metafunc.config.getoption("whole") else SAMPLE)


def test_every_path_through_a_move_is_sound(move: Move, name: str, party: int, tmp_path: Path) -> None:
    state = table(name, party)
    known = set(loose_ends(state))
    found: dict[str, Any] = {}
    longest: Run | None = None
    for n, run in enumerate(walk(move, "you", state, strays=2 if (name, party) == ("fresh", 1) else 1)):
        for problem in problems(run):
            if problem not in known:
                found.setdefault(problem, run.answers)
        if n % 5 == 0:
            shown(run)
        if longest is None or len(run.answers) > len(longest.answers):
            longest = run
    assert not found, "\n".join(f"{problem} after {path}" for problem, path in found.items())
    if longest and party > 1:
        played_and_undone(longest, tmp_path)


def played_and_undone(run: Run, folder: Path) -> None:
    """Play the run in a real save: leave and resume it at every roll, then undo it."""
    path = str(folder / "tale.toml")
    new_campaign(path, GAME, Quick())
    session = open_session(path)
    try:
        session.do("given", [{"at": at, "to": value} for at, value in run.state.items()])
        assert session.state == run.state
        _play(session, run)
        assert session.state == run.draft.state
        session.settle()
        assert open_session(path, write=False).state == session.state
        session.undo()
        assert session.state == run.state
    finally:
        session.close()


def _play(session: Session, run: Run) -> None:
    on = session.begin(run.move.id, run.who)
    for prompt, (key, value) in zip(run.seen, run.answers, strict=True):
        if on.value(key) != value:
            if prompt.quiet:
                on.revise(key, value)
            elif isinstance(prompt, Roll):
                session.rolled(on, value)
                on = session.resume(on.opened)
            else:
                on.answer(value)
    session.finish(on)


@pytest.fixture
def namesakes() -> State:
    """Characters, an asset and vows whose names prompts use for something else."""
    state = table("fresh", 1)
    for name in ("Self", "Dice", "Companion"):
        state = by_default("character/make", "", state, how="choose", name=name).draft.state
    for name in ("New", "Exchange"):
        state = by_default("quest/swear_an_iron_vow", "you", state, track=name).draft.state
    state = by_default("sheet/asset", "you", state, asset="own", name="Self", kind="companion").draft.state
    marks: list[Effect] = [{"at": f"tracks.{track}.ticks", "by": 4} for track in state["tracks"]]
    return fold(GAME.top, state, [*marks, {"at": "you.momentum", "by": -20}])


def test_move_works_with_any_name(namesakes: State) -> None:
    known = set(loose_ends(namesakes))
    found = {
        f"{move.id}: {problem}"
        for move in GAME.moves.values()
        for run in walk(move, "you", namesakes, strays=0 if move.solo else 1)
        for problem in {*problems(run)} - known
    }
    assert not found


def test_sojourn_focus_works_with_any_name(namesakes: State) -> None:
    ally = next(ident for ident, one in namesakes["party"].items() if one["name"] == "Dice")
    picks = ["consort", "plan"]
    given = {"choose": picks, "focus": "consort", f"choose.{ally}": picks}
    run = by_default("relationship/sojourn", "you", namesakes, **given)
    assert not list(problems(run))
    assert run.draft.state["party"][ally]["momentum"] > namesakes["party"][ally]["momentum"]


def by_default(move: str, who: str, state: State, **given: Answer) -> Run:
    """Return the finished move with these answers, and the first possible answer for all other prompts."""
    run = Run(GAME, GAME.moves[move], who, state, given)
    while run.prompt is not None:
        run.answer(answers(run.prompt)[0])
    return run


NEEDS_A_PACK = {"story/truths", "packs/use"}
"""Moves that are refused without a pack; tests/app/test_packs.py and test_packs_in_play.py make them."""


def test_every_move_is_walked() -> None:
    for move in GAME.moves.values():
        if move.id in NEEDS_A_PACK:
            continue
        assert any(next(walk(move, "you", table(name, 3), strays=0), None) for name in TABLES), (
            f"{move.id} is refused everywhere"
        )


def test_sample_walks_every_move_at_every_table_alone_and_in_company() -> None:
    moves, names, parties = (set(column) for column in zip(*(walk.values for walk in SAMPLE), strict=True))
    assert moves == {*GAME.moves.values()}
    assert names == {*TABLES}
    assert parties == {1, 3}
