"""Relationship moves but for Sojourn: compel, bonds, drawing the circle, aid, the epilogue; bonds outside moves."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import counted
from tracker.games.api.prompts import Confirm, Option, Pick, Text, choose_any, member_option
from tracker.games.common.note_moves import link
from tracker.games.common.notes import pointer
from tracker.games.ironsworn.asset_bonuses import other_stat, rolled
from tracker.games.ironsworn.outcomes import (
    APPROACH,
    PRICE,
    OutcomeChoice,
    OutcomeEffect,
    Result,
    StandardMove,
    change,
    do,
    grant_bonus,
    make_due,
    resolve,
    standard_move,
)
from tracker.games.ironsworn.roll import (
    action_roll,
    as_member,
    ask_bond,
    ask_help,
    ask_stat,
    begin,
    end_pending,
    others,
    plus,
    progress_roll,
    set_initiative,
)
from tracker.games.ironsworn.tracks import add_track
from tracker.text import shown_line

_LEARN = OutcomeChoice(
    "gather_information",
    (make_due("gather_information"), grant_bonus("gather_information", "+1")),
    "yes: Gather Information is due, with +1",
)
_COMPLY = Result((change("momentum", 1),), (_LEARN,), "They do it. Did you learn anything?", least=0)

compel = standard_move(
    "compel",
    StandardMove(
        {"heart": "to charm, barter, or persuade", "iron": "to threaten", "shadow": "to lie"},
        strong=_COMPLY,
        weak=_COMPLY._replace(title="They do it, but want something for it. Did you learn anything?"),
        bond="You share a bond with them (heart only)",
        bonded=("heart",),
    ),
)


def draw_the_circle(table: Draft) -> Procedure:
    """Draw the Circle: begin a duel. Strong hit: momentum +1 and up to two boasts. Weak hit: up to one boast.

    Miss: Pay the Price becomes due, and the foe has the initiative. Raise Refused if the move cannot be made now, or if
    so many foes cannot share a track.
    """
    begin(table, "draw_the_circle")
    track = yield from add_track(table, "fight")
    table.facts["track"] = table.state["tracks"][track]["name"]
    bond = yield ask_bond("Witnessed by people you share a bond with")
    adds = yield from ask_help(table, "draw_the_circle", stats=("heart",), track=track)
    adds += plus(table.facts, "bond", int(bond))
    outcome = yield from action_roll(table, "draw_the_circle", "heart", adds, initiative="told", track=track)
    if outcome == "miss":
        set_initiative("foe", table)
        do(table, (PRICE,))
        return
    set_initiative("you", table)
    strong = outcome == "strong hit"
    most = 2 if strong else 1
    title = f"Up to {counted(most, 'boast')}, momentum +1 each"
    certain = (change("momentum", 1),) if strong else ()
    yield from resolve(table, Result(certain, _BOASTS, title, least=0, most=most), track)


def _boast(key: str, words: str, *more: OutcomeEffect) -> OutcomeChoice:
    def boast(table: Draft, track: str) -> None:
        table.add(f"tracks.{track}.boasts", {"id": key})
        table.mine("momentum", 1)

    return OutcomeChoice(key, (OutcomeEffect(words, boast), *more), words)


_BOASTS = (
    _boast(
        "first_strike", "the first blow is theirs", OutcomeEffect("", lambda table, _: set_initiative("foe", table))
    ),
    _boast("bare", "without armor or shield: their harm +1"),
    _boast("no_iron", "without iron: your harm is 1"),
    _boast("bloody", "draw your own blood: Endure Harm (1)", make_due("endure_harm_1")),
    _boast("to_the_death", "only death ends it"),
)


def _record(name: str, note: str = "") -> OutcomeEffect:
    def record(table: Draft, _: str) -> None:
        bond = {"id": table.new_id(name, table.me["bonds"]), "name": name, "note": note}
        table.add(f"{table.who}.bonds", bond | pointer(table.state, name))
        table.mine("bond_ticks", 1)

    return OutcomeEffect("the bond is recorded", record)


_COMFORT = (OutcomeChoice("spirit", (change("spirit", 1),)), OutcomeChoice("momentum", (change("momentum", 2),)))


def forge_a_bond(table: Draft) -> Procedure:
    """Forge a Bond. Strong hit: a bond, and spirit or momentum. Weak hit: a bond if the character does what they ask.

    Miss: Pay the Price becomes due. Raise Refused if the move cannot be made now.
    """
    begin(table, "forge_a_bond")
    name = yield Text(key="with", title="Who is the bond with?", hint="Tayla of the Two Rivers", default="Someone")
    table.facts["track"] = name
    adds = yield from ask_help(table, "forge_a_bond", stats=("heart",))
    outcome = yield from action_roll(table, "forge_a_bond", "heart", adds)
    before = len(table.me["bonds"])
    if outcome == "strong hit":
        yield from resolve(table, Result((_record(name),), _COMFORT, "A bond. Choose one"))
    elif outcome == "weak hit":
        ways = (
            OutcomeChoice("accept", (_record(name),), "you do it, or swear to: the bond is recorded"),
            OutcomeChoice("refuse", (PRICE,), "you refuse, or fail: Pay the Price"),
        )
        yield from resolve(table, Result((), ways, "They ask something of you first. Choose one"))
    else:
        do(table, (PRICE,))
    if len(table.me["bonds"]) > before:
        yield from _share_bond(table, name)


def _share_bond(table: Draft, name: str) -> Procedure:
    """Ask which other members in play mark the same bond, without rolls of their own, and mark it for them.

    `name` is the name of the bond. If nobody else is in play, nothing is asked.
    """
    rest = others(table)
    if not rest:
        return
    party = table.state["party"]
    chosen = yield choose_any(
        key="shared",
        title="Who else marks this bond?",
        options=tuple(Option(who, f"{shown_line(party[who]['name'], 20)} marks this bond too") for who in rest),
    )
    for who in chosen:
        yield from as_member(table, who, _mark(table, name))


def _mark(table: Draft, name: str) -> Procedure:
    _record(name).do(table, "")
    yield from ()


def test_your_bond(table: Draft) -> Procedure:
    """Test Your Bond. Strong hit: the bond holds. Weak hit: it holds if the character proves it, or is lost.

    Miss: the bond is lost, and Pay the Price becomes due. The player may choose this without a roll. Raise Refused if
    the move cannot be made now.
    """
    begin(table, "test_your_bond")
    bond = yield _ask_which(table)
    table.facts["track"] = table.me["bonds"][bond]["name"]
    lost = OutcomeEffect("the bond is lost", lambda table, _: _lose(table, bond))
    let_go = yield Confirm(key="let_go", title="Let it go, no roll", hot="l", default=False, quiet=True)
    if let_go:
        end_pending(table)
        do(table, (lost, PRICE))
        return
    adds = yield from ask_help(table, "test_your_bond", stats=("heart",))
    outcome = yield from action_roll(table, "test_your_bond", "heart", adds)
    if outcome == "strong hit":
        yield from resolve(table, Result((), _COMFORT, "It holds. Choose one"))
    elif outcome == "weak hit":
        ways = (
            OutcomeChoice("prove", words="you prove it, or swear to: the bond holds"),
            OutcomeChoice("refuse", (lost, PRICE), "you refuse, or fail: it is lost; Pay the Price"),
        )
        yield from resolve(table, Result((), ways, "They want proof. Choose one"))
    else:
        do(table, (lost, PRICE))


def _ask_which(table: Draft) -> Pick:
    bonds = table.me["bonds"]
    if not bonds:
        raise Refused("No bonds yet: forge one first.")
    return Pick(
        key="with",
        title="Which bond?",
        options=tuple(Option(ident, shown_line(one["name"])) for ident, one in bonds.items()),
        default=next(iter(bonds)),
        quiet=len(bonds) == 1,
    )


def _ask_kept(default: str = "") -> Text:
    return Text(
        key="note",
        title="A note about it (optional)",
        most=200,
        empty=True,
        default=default,
        hint=default,
    )


def mark_bond(table: Draft) -> Procedure:
    """Ask for the name of a bond and a note; add the bond and one tick of progress for it, without a move."""
    name = yield Text(key="with", title="Who is the bond with?", hint="Tayla of the Two Rivers")
    note = yield _ask_kept()
    _record(name, note).do(table, "")


def drop_bond(table: Draft) -> Procedure:
    """Ask for a bond, and remove it and its tick of progress, without a move. Raise Refused if there is no bond."""
    bond = yield _ask_which(table)
    table.facts["track"] = table.me["bonds"][bond]["name"]
    _lose(table, bond)


def name_bond(table: Draft) -> Procedure:
    """Ask for a bond, its new name and a note, and store both. Raise Refused if there is no bond."""
    bond = yield _ask_which(table)
    now = table.me["bonds"][bond]
    name = yield Text(key="name", title="What is it called?", hint=shown_line(now["name"]), default=now["name"])
    note = yield _ask_kept(now["note"])
    table.to(f"{table.who}.bonds.{bond}.name", name)
    table.to(f"{table.who}.bonds.{bond}.note", note)


def link_bond(table: Draft) -> Procedure:
    """Ask for a bond and the note that it is about, and link them. Raise Refused if there is no bond."""
    bond = yield _ask_which(table)
    name = table.me["bonds"][bond]["name"]
    table.facts["track"] = name
    yield from link(table, f"{table.who}.bonds.{bond}.noted", name)


def _lose(table: Draft, bond: str) -> None:
    """Remove a bond of the acting character, and the tick of progress that it gave (ruling I5)."""
    table.drop(f"{table.who}.bonds", bond)
    table.mine("bond_ticks", -1)


def aid_your_ally(table: Draft) -> Procedure:
    """Aid Your Ally: roll Secure an Advantage; another member of the party gets its benefit.

    On a miss, Pay the Price becomes due for the acting character. Raise Refused if the move cannot be made now.
    """
    begin(table, "aid_your_ally")
    there = others(table)
    target = yield Pick(
        key="target",
        title="Who do you help?",
        options=tuple(member_option(table.state, who) for who in there),
        default=there[0],
        quiet=len(there) == 1,
    )
    table.facts["track"] = table.state["party"][target]["name"]
    scope = rolled("secure_an_advantage", "aid_your_ally")
    adds = yield from ask_help(table, "secure_an_advantage", scope=scope)
    stat, other = "", other_stat(table)
    if not other:
        stat = yield ask_stat(table, "secure_an_advantage", adds, when=APPROACH)
    outcome = yield from action_roll(table, "secure_an_advantage", stat, adds, at_once=not other)
    if table.state["party"][target]["initiative"] != "none":
        yield from as_member(table, target, _share(table))
    if outcome == "strong hit":
        another = OutcomeEffect("another move now with +1", lambda table, _: table.by(f"{target}.waiting.any", 1))
        more = OutcomeEffect("momentum +2", lambda table, _: table.by(f"{target}.momentum", 2))
        ways = (OutcomeChoice("move", (another,)), OutcomeChoice("momentum", (more,)))
        yield from resolve(table, Result((), ways, f"{shown_line(table.facts['track'])} takes one"))
    elif outcome == "weak hit":
        table.by(f"{target}.momentum", 1)
    else:
        do(table, (PRICE,))


def _share(table: Draft) -> Procedure:
    """Set the initiative of the aided member by the helper's outcome. Here the aided member is the acting character.

    If another helper had a strong hit before, a weaker outcome does not take the initiative away (ruling I18).
    """
    if table.facts["outcome"] == "strong hit":
        set_initiative("you", table)
        table.to(f"{table.who}.aided", True)
    elif not table.me["aided"]:
        set_initiative("foe", table)
    yield from ()


def write_your_epilogue(table: Draft) -> Procedure:
    """Write Your Epilogue: make a progress roll on the bonds, and retire the character, whatever the outcome.

    Raise Refused if the move cannot be made now.
    """
    begin(table, "write_your_epilogue")
    yield from progress_roll(table, "bonds", table.me["bond_ticks"], move="write_your_epilogue")
    table.to(f"{table.who}.status", "retired")
