"""Montages, in which time passes: clear stress, recover, repair gear, train."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import Number, Option, Pick, Roll, member_option
from tracker.games.common.members import living
from tracker.games.wherever.dice import MARKS_FOR, NONE, RUNGS, edges_of, marks_in_words, sides
from tracker.games.wherever.harm import reduce_harm
from tracker.games.wherever.state import ATTRIBUTE_OF, ATTRIBUTES, HOT, is_hurt
from tracker.text import shown_line

_FITTING = {
    "clear_stress": ("clear stress", "", "edges + 1"),
    "recover_body": ("recover from physical harm", "medicine", "a segment per edge"),
    "recover_mind": ("recover from mental harm", "connection", "a segment per edge"),
    "repair": ("repair gear", "precision", "a point per edge"),
}
"""Uses of a montage: label, skill of the roll before it ("" for any), and what its edges bring."""
_CLOCK = {"recover_body": "physical", "recover_mind": "mental"}


def montage(table: Draft) -> Procedure:
    """Ask how the acting character spends the time, and how many edges the roll for it had; apply these edges.

    Edges clear stress, fill a recovery clock, or repair gear. Raise Refused if the character is out of play.
    """
    table.begin("montage")
    chosen = yield Pick(
        key="choose",
        title="How do you spend the time?",
        options=tuple(
            Option(key, words, f"{brings}, after {_roll_with(skill)}", reason=_no_use(table, key), hot=hot)
            for (key, (words, skill, brings)), hot in zip(_FITTING.items(), "spmr", strict=True)
        ),
    )
    words, skill, _ = _FITTING[chosen]
    latest = table.me["edges"] if table.me["rolled"] and skill in {"", table.me["rolled"]} else 0
    last = f"your last roll, {table.me['rolled'].capitalize()}, had {latest}" if latest else "make it first"
    edges = yield Number(
        key="edges",
        title=f"Edges on {_roll_with(skill, 'the')} ({last})",
        low=1,
        high=30,
        default=latest or None,
    )
    table.facts["told"] = f"{words}, {edges} {'edge' if edges == 1 else 'edges'}"
    if chosen == "clear_stress":
        table.mine("stress", -(edges + 1))
    elif chosen == "repair":
        yield from _repair(table, edges)
    else:
        yield from _recover(table, _CLOCK[chosen], edges)


def _roll_with(skill: str, article: str = "") -> str:
    if skill:
        return f"{article or 'a'} {skill.capitalize()} roll"
    return f"{article or 'any'} fitting roll"


def _no_use(table: Draft, key: str) -> str:
    if key == "repair" and not _damaged(table):
        return "no damaged gear"
    if key in _CLOCK and not _hurt(table, _CLOCK[key]):
        return f"no one has {_CLOCK[key]} harm"
    return ""


def _damaged(table: Draft) -> list[tuple[str, str]]:
    """Return the damaged gear of the party as (owner's id, item's id). The acting character's gear comes first."""
    owners = sorted(living(table.state), key=lambda one: one != table.who)
    return [
        (owner, ident)
        for owner in owners
        for ident, item in table.state["party"][owner]["gear"].items()
        if item["reliability"] < item["max"]
    ]


def _hurt(table: Draft, sort: str) -> list[str]:
    """Return the ids of the characters in play who can recover from this sort of harm.

    `sort` is "physical" or "mental".
    """
    return [one for one in living(table.state) if is_hurt(table.state["party"][one], sort)]


def _repair(table: Draft, edges: int) -> Procedure:
    """Ask for a damaged item of any character in play, and restore one point of its reliability for each edge.

    `edges` is the number of edges. There must be a damaged item.
    """
    party = table.state["party"]
    worn = {ident if owner == table.who else f"{owner}.{ident}": (owner, ident) for owner, ident in _damaged(table)}

    def option(key: str, owner: str, ident: str) -> Option:
        item = party[owner]["gear"][ident]
        whose = "" if owner == table.who else f"{shown_line(party[owner]['name'], 16)}: "
        return Option(key, f"{whose}{shown_line(item['name'])}", f"{item['reliability']} of {item['max']}")

    options = tuple(option(key, *where) for key, where in worn.items())
    chosen = yield Pick(key="item", title="Which item?", options=options)
    owner, ident = worn[chosen]
    table.by(f"{owner}.gear.{ident}.reliability", edges)


def _recover(table: Draft, sort: str, edges: int) -> Procedure:
    """Ask who recovers from this sort of harm, and fill one segment of the recovery clock for each edge.

    `sort` is "physical" or "mental", and `edges` the number of edges.
    """
    party = table.state["party"]
    there = _hurt(table, sort)
    patient = yield Pick(
        key="target",
        title="Who recovers?",
        options=tuple(member_option(table.state, one, f"{party[one]['recovery'][sort]} of 2") for one in there),
        default=there[0],
        quiet=len(there) == 1,
    )
    yield from reduce_harm(table, patient, sort, f"{patient}.recovery.{sort}", edges)


def train(table: Draft) -> Procedure:
    """Ask for a skill or talent of the acting character and train it: each edge of the training roll is a mark on it.

    The roll is two dice of the attribute, and a teacher's skill die if there is a teacher. Raise Refused if the
    character cannot act now.
    """
    table.begin("train")
    me = table.me
    skills = [
        Option(
            skill,
            f"{skill} {me['skills'][skill]}",
            marks_in_words(me["marks"][skill], me["skills"][skill]),
            _elite(me["skills"][skill]),
            hot=HOT[skill],
        )
        for skill in ATTRIBUTE_OF
    ]
    talents = [
        Option(
            f"talent.{ident}",
            f"{shown_line(one['name'])} {one['die']}",
            marks_in_words(one["marks"], one["die"]),
            _elite(one["die"]),
        )
        for ident, one in me["talents"].items()
    ]
    what = yield Pick(key="train", title="Train what?", options=(*skills, *talents))
    if what in ATTRIBUTE_OF:
        attribute, path = ATTRIBUTE_OF[what], f"marks.{what}"
    else:
        attribute = yield Pick(
            key="attribute", title="With which attribute?", options=tuple(Option(a, f"{a} {me[a]}") for a in ATTRIBUTES)
        )
        path = f"talents.{what.partition('.')[2]}.marks"
    teacher = yield Pick(
        key="teacher",
        title="Teacher's skill die",
        options=tuple(Option(die, "no teacher" if die == NONE else die) for die in RUNGS),
        default=NONE,
        quiet=True,
    )
    size = sides(me[attribute])
    dice: dict[str, int | tuple[int, ...]] = {"attribute": (size, size)}
    if teacher != NONE:
        dice["teacher"] = sides(teacher)
    faces = yield Roll(
        key="dice", title=f"Two {me[attribute]}" + (f" and {teacher}" if teacher != NONE else ""), dice=dice
    )
    shown = [*faces["attribute"], *([faces["teacher"]] if teacher != NONE else [])]
    marks = sum(map(edges_of, shown))
    table.facts |= {"trained": what.partition(".")[2] or what, "faces": shown, "marks": marks}
    table.facts["sides"] = [size, size, *([sides(teacher)] if teacher != NONE else [])]
    table.mine(path, marks)


def _elite(die: str) -> str:
    return "" if MARKS_FOR[die] else "d12 is the highest"
