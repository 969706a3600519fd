"""Short and long rests with downtime moves and the GM's Fear; new scenes and sessions."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Confirm, Option, Pick, Prompt, Roll
from tracker.games.common.members import living
from tracker.games.daggerheart.action import advance, gain_fear, gain_hope, tell_fired
from tracker.games.daggerheart.derived_values import facing, name, standing
from tracker.games.daggerheart.dice import tier
from tracker.records import NamedTuple
from tracker.text import shown_line

NOTHING = "nothing"
TRACKS: Mapping[str, str] = {"tend_to_wounds": "hp", "clear_stress": "stress", "repair_armor": "armor"}
MOVES: Mapping[str, str] = {
    "tend_to_wounds": "tend to wounds",
    "clear_stress": "clear Stress",
    "repair_armor": "repair armor",
    "prepare": "prepare: Hope +1",
    "prepare_together": "prepare together: Hope +2 each",
    "work_on_project": "work on a project",
    NOTHING: "nothing",
}
_NO_COUNTDOWN = "none."
"""Key of the option for no countdown. No countdown has this id, because an id has no dot."""


class DowntimeMove(NamedTuple):
    """A downtime move that the player chose for the character `who` in a rest; `move` is its key."""

    who: str
    move: str
    target: str
    """Id of the character whom the move helps, who may be the same."""
    countdown: str
    """Id of the countdown of a project, or "" for other moves."""
    die: str
    """Name of the d4 that a short rest rolls for this move, or "" if none is rolled."""


def rest(table: Draft) -> Procedure:
    """Take a rest with the party: two downtime moves for each who can act, then Fear for the GM.

    An interrupted short rest gives nothing, and an interrupted long rest counts as a short one. Raise Refused if a
    death move is due, if nobody can rest, or if adversaries are present and the players decide not to rest.
    """
    table.begin("rest")
    if foes := facing(table.state):
        there = name(table.state, foes[0]) if len(foes) == 1 else f"{len(foes)} adversaries"
        anyway = yield Confirm(key="anyway", title=f"You still face {there}. Rest anyway?")
        if not anyway:
            raise Refused("No rest yet: finish the fight, or remove the adversaries first.")
    kind = yield Pick(
        key="kind",
        title=f"{table.state['short_rests']} of 3 short rests used. Which rest?",
        options=(
            Option("short", "a short rest", "an hour", table.why_not("short"), hot="s"),
            Option("long", "a long rest", "a night", hot="l"),
        ),
    )
    interrupted = yield Confirm(key="interrupted", title="Interrupted", hot="i", default=False, quiet=True)
    table.facts |= {"kind": kind, "interrupted": interrupted, "fear_gained": 0}
    if interrupted and kind == "short":
        table.facts["told"] = "interrupted: no benefits"
        return
    long = kind == "long" and not interrupted
    doing: list[DowntimeMove] = []
    for who in standing(table.state):
        doing += yield from _moves_of(table, who, long=long)
    doing = _prepared(doing)
    countdown = (yield from _ask_countdown(table)) if long else ""
    dice: dict[str, int | tuple[int, ...]] = {"fear": 4, **{one.die: 4 for one in doing if one.die}}
    called = {one.die: f"{name(table.state, one.who)} {one.die[-1]}" for one in doing if one.die}
    title = f"{_told(table, doing)}; the GM's Fear" if doing else "The GM's Fear"
    faces = yield Roll(key="dice", title=title, dice=dice, called=called)
    for one in doing:
        _do(table, one, faces.get(one.die, 0))
    table.facts["told"] = _told(table, doing, faces)
    gained = faces["fear"] + (len(living(table.state)) if long else 0)
    table.facts |= {"fear_die": faces["fear"], "fear_gained": gained}
    gain_fear(table, gained)
    if long:
        _long(table, countdown)
    else:
        table.by("short_rests", 1)
    _refresh(table, {"rest", "long rest"} if long else {"rest"})


def _moves_of(table: Draft, who: str, *, long: bool) -> Generator[Prompt, Answer, list[DowntimeMove]]:
    doing = []
    for n in ("1", "2"):
        part = f"{who}.{n}"
        move = yield Pick(
            key=part,
            title=f"{name(table.state, who)}, downtime move {n} of 2",
            options=_options(table, who, long=long),
            default=NOTHING,
        )
        if move == NOTHING:
            break
        target, countdown = who, ""
        if move in {"tend_to_wounds", "repair_armor"} and len(living(table.state)) > 1:
            target = yield Pick(
                key=f"{part}.target",
                title=f"{name(table.state, who)}'s downtime move {n} helps",
                options=tuple(
                    Option(one, name(table.state, one), _marked(table, one, TRACKS[move]))
                    for one in living(table.state)
                ),
                default=who,
                quiet=True,
            )
        if move == "work_on_project":
            countdown = yield Pick(key=f"{part}.countdown", title="Which project?", options=_projects(table))
        die = f"{who}_{n}" if move in TRACKS and not long else ""
        doing.append(DowntimeMove(who, move, target, countdown, die))
    return doing


def _options(table: Draft, who: str, *, long: bool) -> tuple[Option, ...]:
    me = table.state["party"][who]
    how = "clears all" if long else f"clears d4 + {tier(me['level'])}"
    reasons = {
        "work_on_project": "only on a long rest" if not long else "" if _projects(table) else "no countdown to work on",
    }
    return tuple(
        Option(
            move,
            words,
            f"{how}, {_marked(table, who, TRACKS[move])}" if move in TRACKS else "",
            reasons.get(move, ""),
            hot=hot,
        )
        for (move, words), hot in zip(MOVES.items(), "tsapgwn", strict=True)
    )


def _marked(table: Draft, who: str, track: str) -> str:
    me = table.state["party"][who]
    return f"{me[track]} of {me[f'{track}_max']} marked"


def _projects(table: Draft) -> tuple[Option, ...]:
    return tuple(
        Option(ident, shown_line(one["name"]), f"{one['value']} left")
        for ident, one in table.state["countdowns"].items()
        if one["kind"] in {"long_term", "custom", "progress"} and not one["ended"]
    )


def _prepared(doing: list[DowntimeMove]) -> list[DowntimeMove]:
    """Return the moves, but with "prepare" in place of "prepare together" if only one character chose that."""
    if len({one.who for one in doing if one.move == "prepare_together"}) != 1:
        return doing
    return [one._replace(move="prepare") if one.move == "prepare_together" else one for one in doing]


def _ask_countdown(table: Draft) -> Generator[Prompt, Answer, str]:
    """Ask which long-term countdown the GM advances, and return its id, or "" if the GM chooses none.

    Return "" without asking if no such countdown is running.
    """
    there = {i: one for i, one in table.state["countdowns"].items() if one["kind"] == "long_term" and not one["ended"]}
    if not there:
        return ""
    chosen = yield Pick(
        key="countdown",
        title="Long-term countdown for the GM to advance",
        options=(
            Option(_NO_COUNTDOWN, "none"),
            *(Option(ident, shown_line(one["name"]), f"{one['value']} left") for ident, one in there.items()),
        ),
        default=_NO_COUNTDOWN,
        quiet=True,
    )
    return "" if chosen == _NO_COUNTDOWN else str(chosen)


def _told(table: Draft, doing: list[DowntimeMove], faces: Mapping[str, int] | None = None) -> str:
    """Return the downtime moves in words, or "no downtime moves". `faces` has the faces of rolled dice by name."""
    words: dict[str, list[str]] = {}
    for one in doing:
        word = MOVES[one.move].partition(":")[0]
        word += f" for {name(table.state, one.target)}" if one.target != one.who else ""
        if faces and one.die:
            word += f" {faces[one.die]} + {tier(table.state['party'][one.who]['level'])}"
        words.setdefault(name(table.state, one.who), []).append(word)
    return "; ".join(f"{who}: {', '.join(moves)}" for who, moves in words.items()) or "no downtime moves"


def _do(table: Draft, one: DowntimeMove, face: int) -> None:
    if one.move in TRACKS:
        track = TRACKS[one.move]
        points = face + tier(table.state["party"][one.who]["level"]) if one.die else 12
        table.by(f"{one.target}.{track}", -points)
    elif one.move == "work_on_project":
        _advance(table, one.countdown)
    else:
        gain_hope(table, one.who, 1 if one.move == "prepare" else 2)


def _advance(table: Draft, countdown: str) -> None:
    fired = table.facts.get("fired", [])
    tell_fired(table, [*fired, countdown] if advance(table, countdown, 1) else fired)


def _long(table: Draft, countdown: str) -> None:
    """Apply what only a long rest does: advance the GM's countdown, reset the short rests, wake the unconscious.

    `countdown` is the id of a countdown, or "" for none.
    """
    if countdown:
        _advance(table, countdown)
    table.to("short_rests", 0)
    for who in living(table.state):
        if table.state["party"][who]["down"]:
            table.to(f"{who}.down", "")


def _refresh(table: Draft, sorts: set[str]) -> None:
    for who in living(table.state):
        for ident, feature in table.state["party"][who]["features"].items():
            if feature["used"] and feature["refresh"] in sorts:
                table.to(f"{who}.features.{ident}.used", False)


def new_session(table: Draft) -> Procedure:
    """Begin a session, and refresh Tag Team, spotlight tokens, and the features that a session refreshes."""
    from tracker.games.common import scenes

    yield from scenes.new_session(table)
    tokens = table.state["settings"]["tokens"]
    for who, me in table.state["party"].items():  # also those out of play, who may come back
        if me["tag_team"]:
            table.to(f"{who}.tag_team", False)
        if tokens and me["tokens"] != tokens:
            table.to(f"{who}.tokens", tokens)
    _refresh(table, {"session"})


def new_scene(table: Draft) -> Procedure:
    """Begin a scene: ask for its title, and set the Fear spent in the scene to 0."""
    from tracker.games.common import scenes

    yield from scenes.new_scene(table)
    if table.state["fear_spent"]:
        table.to("fear_spent", 0)
