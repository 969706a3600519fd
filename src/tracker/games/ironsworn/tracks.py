"""Tracks: begun, chosen, closed."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from types import MappingProxyType

from tracker.games.base import Draft, Procedure, new_id
from tracker.games.ironsworn.layout import OPEN
from tracker.games.ironsworn.rolling import begin
from tracker.games.ironsworn.rolls import RANKS, rank_up
from tracker.games.prompts import Answer, Number, Option, Pick, Prompt, Refused, Text
from tracker.games.words import arrow
from tracker.text import shown_line

MARK_WORDS = {
    "troublesome": "three boxes",
    "dangerous": "two boxes",
    "formidable": "one box",
    "extreme": "two ticks",
    "epic": "one tick",
}
NEW = "new."
"""No track has this id: an id has no dot."""
_ASKED = {"journey": "Where are you going?", "fight": "Who do you fight?", "vow": "What do you swear to do?"}
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
    """The rank of a track; one with a reason is greyed. That of a vow says what it is worth, a foe's what it deals."""
    options = tuple(
        Option(
            rank,
            rank,
            f"{MARK_WORDS[rank]} a mark"
            + (f", {worth.xp_strong} experience" if vow else f", deals {worth.number} harm" if foe else ""),
            reasons.get(rank, ""),
            hot,
        )
        for (rank, worth), hot in zip(RANKS.items(), "tdfep", strict=True)
        if rank in offered
    )
    return Pick(key="rank", title=title, options=options, default=default)


def chosen_or_new(table: Draft, kind: str) -> Generator[Prompt, Answer, tuple[str, bool]]:
    """A track of this kind that is open, or a new one; and whether it is new."""
    there = tuple(
        Option(ident, shown_line(track["name"]), track["rank"])
        for ident, track in table.state["tracks"].items()
        if track["kind"] == kind and track["status"] in OPEN
    )
    track = yield Pick(
        key="track",
        title=f"Which {kind}",
        options=(*there, Option(NEW, f"a new {kind}", hot="n")),
        default=there[0].key if there else NEW,
        quiet=len(there) < 2,
    )
    if track != NEW:
        return track, False
    return (yield from begun(table, kind)), True


def begun(table: Draft, kind: str) -> Generator[Prompt, Answer, str]:
    """A new track, by name and rank; of foes there may be a pack, which counts as one of a higher rank."""
    name = yield Text(key="name", title=_ASKED[kind], hint=_HINTS[kind])
    pack = 1
    title = "How hard will it be?" if kind != "fight" else "How dangerous is one of them?"
    rank = yield ask_rank(title, vow=kind == "vow", foe=kind == "fight")
    if kind == "fight":
        means = {n: f"as one {_of_pack(rank, n)}" for n in range(3, _PACK_MOST + 1)} if rank in _IN_PACKS else {}
        pack = yield Number(key="pack", title="how many foes", low=1, high=99, default=1, quiet=True, means=means)
        rank = _of_pack(rank, pack)
    track = new_id(name, table.state["tracks"])
    table.add("tracks", {"id": track, "name": name, "kind": kind, "rank": rank} | ({"foes": pack} if pack > 1 else {}))
    return track


_IN_PACKS = ("troublesome", "dangerous")
_PACK_MOST = 10


def _of_pack(rank: str, foes: int) -> str:
    if foes == 1:
        return rank
    if rank not in _IN_PACKS:
        raise Refused("Only troublesome and dangerous foes come in packs; each of the others has its own track.")
    if foes > _PACK_MOST:
        raise Refused("More than ten foes are several packs: begin a track for each.")
    for _ in range((foes > 2) + (foes > 5)):
        rank = rank_up(rank)
    return rank


def close(table: Draft, track: str, status: str) -> None:
    """The track is over. After the last foe nobody is in a fight any more."""
    table.to(f"tracks.{track}.status", status)
    fights = [t for t in table.state["tracks"].values() if t["kind"] == "fight"]
    if table.state["tracks"][track]["kind"] == "fight" and not any(t["status"] in OPEN for t in fights):
        for ident in table.state["party"]:
            for field, calm in (("initiative", "none"), ("tide", False), ("turning", False)):
                table.to(f"{ident}.{field}", calm)


def start_again(table: Draft, track: str) -> None:
    """All but one filled box is cleared, and it is one rank harder than it seemed."""
    table.to(f"tracks.{track}.ticks", "one_box")
    table.to(f"tracks.{track}.rank", rank_up(table.state["tracks"][track]["rank"]))


def harder(table: Draft, track: str) -> str:
    """What starting again would make of it."""
    this = table.state["tracks"][track]
    left = min(this["ticks"], 4)
    return f"progress {arrow(this['ticks'] // 4, left // 4)} boxes, {rank_up(this['rank'])}"


def start_track(table: Draft) -> Procedure:
    """A track outside a move: a second foe, a journey under way; or a clock."""
    kinds = (*(Option(kind, kind, hot=kind[0]) for kind in _ASKED), Option("clock", "clock", "segments", hot="c"))
    kind = yield Pick(key="kind", title="What kind", options=kinds)
    if kind == "clock":
        from tracker.games import ticking

        yield from ticking.begun(table)
        return
    track = yield from begun(table, kind)
    table.facts["track"] = table.state["tracks"][track]["name"]


def overcome(table: Draft) -> Procedure:
    """The obstacle before a blocked vow is out of the way; that is not a milestone."""
    begin(table, "overcome")
    blocked = tuple(
        Option(ident, shown_line(track["name"]), f"{track['rank']} {track['kind']}")
        for ident, track in table.state["tracks"].items()
        if track["status"] == "blocked"
    )
    track = yield Pick(key="track", title="Whose obstacle is overcome", options=blocked)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.status", "open")
