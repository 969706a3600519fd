"""Progress tracks: choose, begin, mark, change, close."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from types import MappingProxyType
from typing import Any

from tracker.games.api.content import Foe, plain
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import arrow
from tracker.games.api.prompts import Answer, Number, Option, Pick, Prompt, Text
from tracker.games.common.note_moves import link
from tracker.games.common.notes import pointer
from tracker.games.ironsworn.asset_bonuses import give_back
from tracker.games.ironsworn.ranks import MARK_WORDS, RANKS, rank_up
from tracker.games.ironsworn.roll import begin
from tracker.games.ironsworn.state import ABOUT_MOST, OPEN, owners
from tracker.text import shown_line

NEW = "new."
"""Key of the option for a new track. No track has this id, because ids have no dot."""
_ASKED = {"journey": "Where are you going?", "fight": "Who are you fighting?", "vow": "What do you swear to do?"}
_HINTS = {"journey": "The salt marshes", "fight": "A broken man with an axe", "vow": "Find the lost heir"}


def ask_rank(
    title: str,
    *,
    offered: Collection[str] = tuple(RANKS),
    reasons: Mapping[str, str] = MappingProxyType({}),
    vow: bool = False,
    foe: bool = False,
    default: str | None = None,
) -> Pick:
    """Return the prompt for one of the ranks in `offered`. `reasons` maps a disabled rank to the reason.

    With `vow`, each option shows the experience for a vow of its rank; with `foe`, the harm that such a foe deals.
    `default` is the default answer, or None for none.
    """
    options = tuple(
        Option(
            rank,
            rank,
            f"{MARK_WORDS[rank]} each time you mark progress"
            + (f", {worth.xp_strong} experience" if vow else f", deals {worth.number} harm" if foe else ""),
            reasons.get(rank, ""),
            hot,
        )
        for (rank, worth), hot in zip(RANKS.items(), "tdfep", strict=True)
        if rank in offered
    )
    return Pick(key="rank", title=title, options=options, default=default)


def chosen_or_new(table: Draft, kind: str) -> Generator[Prompt, Answer, tuple[str, bool]]:
    """Ask for an open track of this kind, or begin a new one; return (id of the track, True if it is new).

    A new fight may get several foes, each with its own track; then return the id of the first. Raise Refused if the
    foes on a new track are too many or too dangerous to share it.
    """
    there = tuple(
        Option(ident, shown_line(track["name"]), track["rank"])
        for ident, track in table.state["tracks"].items()
        if track["kind"] == kind and track["status"] in OPEN
    )
    track = yield Pick(
        key="track",
        title=kind if len(there) < 2 else f"Which {kind}?",
        options=(*there, Option(NEW, f"a new {kind}", hot="n")),
        default=there[0].key if there else NEW,
        quiet=len(there) < 2,
    )
    if track != NEW:
        return track, False
    first = yield from add_track(table, kind)
    if kind == "fight":
        yield from _more_foes(table)
    return first, True


def _more_foes(table: Draft) -> Procedure:
    """Ask how many further foes are in the fight, and begin a track for each.

    Raise Refused if the foes on one track are too many or too dangerous to share it.
    """
    more = yield Number(key="more", title="more foes, asked next", low=0, high=8, default=0, quiet=True)
    for number in range(2, more + 2):
        yield from add_track(table, "fight", f"_{number}")


def add_track(table: Draft, kind: str, part: str = "") -> Generator[Prompt, Answer, str]:
    """Ask for the name and the rank of a track, and for a fight also how many foes; add it and return its id.

    A foe from a pack has a name and a rank, and brings a text about itself. Several foes on one track raise its rank.
    Raise Refused if they are too many or too dangerous to share a track. `part` is appended to the prompt keys, so that
    a procedure can begin several tracks.
    """
    foe = (yield from _ask_foe(table, part)) if kind == "fight" else None
    known = shown_line(plain(foe.name)) if foe else None
    from_pack = foe is not None
    name = yield Text(
        key=f"name{part}", title=_ASKED[kind], hint=_HINTS[kind], default=known, quiet=from_pack, aside=from_pack
    )
    pack = 1
    title = "How hard will it be?" if kind != "fight" else "How dangerous is the foe?"
    asked = ask_rank(title, vow=kind == "vow", foe=kind == "fight", default=foe.rank if foe else None)
    rank = yield asked.replace(key=f"rank{part}", quiet=from_pack, aside=from_pack)
    if kind == "fight":
        means = {n: f"as one {_of_pack(rank, n)}" for n in range(3, _PACK_MOST + 1)} if rank in _IN_PACKS else {}
        pack = yield Number(
            key=f"pack{part}", title="how many of them", low=1, high=99, default=1, quiet=True, means=means
        )
        rank = _of_pack(rank, pack)
    track = table.new_id(name, table.state["tracks"])
    more: dict[str, Any] = {"foes": pack} if pack > 1 else {"sworn_by": table.who} if kind == "vow" else {}
    more |= {"about": about_foe(foe)} if foe else {}
    table.add("tracks", {"id": track, "name": name, "kind": kind, "rank": rank} | more | pointer(table.state, name))
    return track


def _ask_foe(table: Draft, part: str) -> Generator[Prompt, Answer, Foe | None]:
    """Ask for one of the foes in the campaign's packs; return None for a foe that the player names.

    Without such packs, return None and ask nothing.
    """
    foes = {ident: foe for ident, foe in table.content().foes.items() if foe.rank in RANKS}
    if not foes:
        return None
    named = sorted(foes.items(), key=lambda one: one[1].name.casefold())
    options = (
        Option(ident, shown_line(plain(foe.name)), f"{foe.rank} {shown_line(foe.nature)}".strip(), about=about_foe(foe))
        for ident, foe in named
    )
    chosen = yield Pick(
        key=f"foe{part}",
        title=_ASKED["fight"],
        options=(Option(NEW, "someone else", "you name them"), *options),
    )
    return foes.get(chosen)


def about_foe(foe: Foe) -> str:
    """Return the features, drives and tactics of a foe as one line of text."""
    parts = (("Features", foe.features), ("Drives", foe.drives), ("Tactics", foe.tactics))
    told = (f"{name}: {', '.join(map(plain, texts))}" for name, texts in parts if texts)
    return shown_line(". ".join(told), ABOUT_MOST)


_IN_PACKS = ("troublesome", "dangerous")
_PACK_MOST = 10


def _of_pack(rank: str, foes: int) -> str:
    """Return the rank for a track that stands for `foes` foes, given the rank of one of them.

    Raise Refused if there are more than 10, or if several foes have a rank above dangerous.
    """
    if foes == 1:
        return rank
    if rank not in _IN_PACKS:
        raise Refused("Only troublesome and dangerous foes form packs; give others their own track.")
    if foes > _PACK_MOST:
        raise Refused("A pack has 10 foes at most: start another track.")
    for _ in range((foes > 2) + (foes > 5)):
        rank = rank_up(rank)
    return rank


def close(table: Draft, track: str, status: str) -> None:
    """Close a track with this status, such as "won". If it was the last open fight, every character leaves the fight.

    Abilities that work once per fight or journey can then be used again.
    """
    table.to(f"tracks.{track}.status", status)
    if table.state["tracks"][track]["kind"] == "journey":
        give_back(table, "journey")
    fights = [t for t in table.state["tracks"].values() if t["kind"] == "fight"]
    if table.state["tracks"][track]["kind"] == "fight" and not any(t["status"] in OPEN for t in fights):
        for ident in table.state["party"]:
            for field, calm in (("initiative", "none"), ("tide", False), ("turning", False), ("aided", False)):
                table.to(f"{ident}.{field}", calm)
        give_back(table, "fight")


def start_again(table: Draft, track: str) -> None:
    """Clear all but one box of a track, and raise its rank. This follows a miss of the move that ends it."""
    table.to(f"tracks.{track}.ticks", "one_box")
    table.to(f"tracks.{track}.rank", rank_up(table.state["tracks"][track]["rank"]))


def harder(table: Draft, track: str) -> str:
    """Return in words what it means to clear all but one box of a track and raise its rank: "progress 7 → 1; …"."""
    this = table.state["tracks"][track]
    left = min(this["ticks"], 4)
    rank = rank_up(this["rank"])
    risen = f"rank rises to {rank}" if rank != this["rank"] else f"still {rank}"
    return f"progress {arrow(this['ticks'] // 4, left // 4)}; {risen}"


def start_track(table: Draft) -> Procedure:
    """Ask for a vow, journey, foe or clock, and begin it without a move.

    Raise Refused if several foes are too many or too dangerous to share a track.
    """
    kinds = (*(Option(kind, kind, hot=kind[0]) for kind in _ASKED), Option("clock", "clock", "segments", hot="c"))
    kind = yield Pick(key="kind", title="What kind?", options=kinds)
    if kind == "clock":
        from tracker.games.common import clock_moves

        yield from clock_moves.begin(table)
        return
    track = yield from add_track(table, kind)
    table.facts["track"] = table.state["tracks"][track]["name"]


def overcome(table: Draft) -> Procedure:
    """Ask for a blocked vow and remove its obstacle; mark no progress.

    Raise Refused if no vow is blocked or the character is out of play.
    """
    begin(table, "overcome")
    blocked = tuple(
        Option(ident, shown_line(track["name"]), f"{track['rank']} {track['kind']}")
        for ident, track in table.state["tracks"].items()
        if track["status"] == "blocked"
    )
    track = yield Pick(key="track", title="Which vow was blocked?", options=blocked)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.status", "open")


ENDS = {"vow": ("fulfilled", "forsaken"), "journey": ("arrived", "abandoned"), "fight": ("won", "lost")}
"""Statuses with which a track can be closed, by its kind: success, then failure."""


def mark_progress(table: Draft) -> Procedure:
    """Ask for an open track and how often to mark progress, 1 by default, and mark it without a move.

    Raise Refused if no track is open.
    """
    track = yield _which_open(table)
    yield from _progress(table, track, 1)


def clear_progress(table: Draft) -> Procedure:
    """Ask for an open track and how many marks of progress to clear, 1 by default, and clear them without a move.

    Raise Refused if no track is open.
    """
    track = yield _which_open(table)
    yield from _progress(table, track, -1)


def _progress(table: Draft, track: str, sign: int) -> Procedure:
    this = table.state["tracks"][track]
    times = yield Number(key="times", title="how many marks", low=1, high=40, default=1, quiet=True)
    table.facts["track"] = this["name"]
    table.by(f"tracks.{track}.ticks", sign * times * RANKS[this["rank"]].ticks)


def change_rank(table: Draft) -> Procedure:
    """Ask for an open track and its new rank; the progress stays. Raise Refused if no track is open."""
    track = yield _which_open(table)
    this = table.state["tracks"][track]
    rank = yield ask_rank("How hard is it?", reasons={this["rank"]: "no change"}, vow=this["kind"] == "vow")
    table.facts["track"] = this["name"]
    table.to(f"tracks.{track}.rank", rank)


def join_vow(table: Draft) -> Procedure:
    """Ask for an open vow of other characters, and let the acting character share it. Raise Refused if none is left."""
    free = {
        ident: track
        for ident, track in table.state["tracks"].items()
        if track["kind"] == "vow" and track["status"] in OPEN and table.who not in owners(table.state, track)
    }
    track = yield _which(free, "No vow to join: every open one is yours too.")
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.add(f"tracks.{track}.shared_by", {"id": table.who})


def rename_track(table: Draft) -> Procedure:
    track = yield _which(table.state["tracks"])
    old = table.state["tracks"][track]["name"]
    name = yield Text(key="name", title="What is it called?", default=old)
    table.facts["track"] = name
    table.to(f"tracks.{track}.name", name)


def link_track(table: Draft) -> Procedure:
    """Ask for a track and the note that it is about, and link them. Raise Refused if there is no track."""
    track = yield _which(table.state["tracks"])
    name = table.state["tracks"][track]["name"]
    table.facts["track"] = name
    yield from link(table, f"tracks.{track}.noted", name)


def name_waypoint(table: Draft) -> Procedure:
    """Ask for a journey and the name of a waypoint, and record it; no progress. Raise Refused without a journey."""
    journeys = {i: t for i, t in table.state["tracks"].items() if t["kind"] == "journey"}
    track = yield _which(journeys, "No journey yet: Undertake a Journey first.")
    name = yield Text(key="name", title="Where are you now?", hint="The old ferry")
    table.facts["track"] = table.state["tracks"][track]["name"]
    there = table.state["tracks"][track]["waypoints"]
    table.add(f"tracks.{track}.waypoints", {"id": table.new_id(name, there), "name": name})


def close_track(table: Draft) -> Procedure:
    """Ask for an open track and how it ends, and close it without a roll. Raise Refused if no track is open."""
    track = yield _which_open(table)
    this = table.state["tracks"][track]
    status = yield Pick(
        key="status",
        title="How does it end?",
        options=tuple(Option(status, status) for status in ENDS[this["kind"]]),
    )
    table.facts["track"] = this["name"]
    close(table, track, status)


def reopen_track(table: Draft) -> Procedure:
    """Ask for a closed track and reopen it. Changes that came with its end, such as experience, stay.

    Raise Refused if no track is closed.
    """
    track = yield _which_over(table)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.status", "open")
    table.to(f"tracks.{track}.away", False)


def show_track(table: Draft) -> Procedure:
    """Ask for a hidden track and show it again; it stays closed. Raise Refused if no track is hidden."""
    hidden = {i: t for i, t in table.state["tracks"].items() if t["away"]}
    track = yield _which(hidden, "No track is hidden.")
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.away", False)


def put_away(table: Draft) -> Procedure:
    """Ask for a closed track and hide it. Raise Refused if no track is closed."""
    track = yield _which_over(table)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.away", True)


def _which_open(table: Draft) -> Pick:
    return _which(
        {i: t for i, t in table.state["tracks"].items() if t["status"] in OPEN}, "No open track: start one first."
    )


def _which_over(table: Draft) -> Pick:
    over = {i: t for i, t in table.state["tracks"].items() if t["status"] not in OPEN}
    return _which(over, "No track is closed yet.")


def _which(there: Mapping[str, Any], none: str = "No track yet: start one first.") -> Pick:
    if not there:
        raise Refused(none)
    options = (Option(ident, shown_line(t["name"]), f"{t['rank']} {t['kind']}") for ident, t in there.items())
    return Pick(key="track", title="Which track?", options=tuple(options))
