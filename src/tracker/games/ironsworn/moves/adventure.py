"""Adventure moves: face danger, secure an advantage, gather information, heal, resupply, make camp, journeys."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import Number, Option, Pick, member_option
from tracker.games.ironsworn.asset_bonuses import PATIENT, more_options
from tracker.games.ironsworn.outcomes import (
    ANOTHER_MOVE,
    APPROACH,
    MARK,
    PRICE,
    OutcomeChoice,
    OutcomeEffect,
    Result,
    StandardMove,
    change,
    do,
    each_in_turn,
    grant_bonus,
    make_due,
    no_gain,
    resolve,
    standard_move,
)
from tracker.games.ironsworn.roll import action_roll, ask_help, ask_track, begin, others, track_roll
from tracker.games.ironsworn.state import called, heal_companion, heal_companions
from tracker.text import shown_line

face_danger = standard_move(
    "face_danger",
    StandardMove(
        APPROACH,
        strong=Result((change("momentum", 1),)),
        weak=Result(
            title="You get through, at a cost. Choose one",
            ways=(
                OutcomeChoice("momentum", (change("momentum", -1),)),
                OutcomeChoice("harm", (make_due("endure_harm_1"),)),
                OutcomeChoice("stress", (make_due("endure_stress_1"),)),
                OutcomeChoice("supply", (change("supply", -1),)),
            ),
        ),
    ),
)

secure_an_advantage = standard_move(
    "secure_an_advantage",
    StandardMove(
        APPROACH,
        strong=Result(
            title="You have the upper hand. Choose one",
            ways=(OutcomeChoice("move", (ANOTHER_MOVE,)), OutcomeChoice("momentum", (change("momentum", 2),))),
        ),
        weak=Result((change("momentum", 1),)),
    ),
)

_WITS = {"wits": ""}

gather_information = standard_move(
    "gather_information",
    StandardMove(
        _WITS,
        strong=Result((change("momentum", 2),)),
        weak=Result((change("momentum", 1),)),
        bond="Among people you share a bond with",
    ),
)

undertake_a_journey = standard_move(
    "undertake_a_journey",
    StandardMove(
        _WITS,
        strong=Result(
            title="You make good progress. Choose one",
            ways=(
                OutcomeChoice("progress", (MARK,)),
                OutcomeChoice("speed", (MARK, change("momentum", 1), change("supply", -1))),
            ),
        ),
        weak=Result((MARK, change("supply", -1))),
        bond="Setting out from a place you share a bond with",
        track="journey",
        may_begin=True,
    ),
)


def heal(table: Draft) -> Procedure:
    """Heal. Strong hit: wounded is cleared and health rises. Weak hit: the same, for supply or momentum.

    Miss: Pay the Price becomes due. Raise Refused if the move cannot be made now.
    """
    begin(table, "heal")
    target = yield _ask_patient(table)
    patient = table.who if target == "self" else target.rstrip(".")
    beast = f"{table.who}.assets.{_companion(table, target)}" if _is_beast(target) else ""
    table.notes[PATIENT] = f"{beast or patient}.health"
    own = target == "self" and table.me["iron"] < table.me["wits"]
    adds = yield from ask_help(table, "heal", stats=("iron" if own else "wits",))
    about = f", to treat {_patient(table, target)}"
    outcome = yield from action_roll(table, "heal", "iron" if own else "wits", adds, about=about)
    if outcome == "miss":
        do(table, (PRICE,))
        return
    amount = yield Number(key="amount", title="health gained", low=0, high=2, default=2, quiet=True)
    if not _is_beast(target):
        if "wounded" in table.state["party"][patient]["debilities"]:
            table.drop(f"{patient}.debilities", "wounded")
        if table.state["party"][patient]["owed"].get("heal"):
            table.by(f"{patient}.owed.heal", -1)
        table.by(f"{patient}.health", amount)
    else:
        heal_companion(table, table.who, _companion(table, target), amount)
    if outcome == "weak hit":
        cost = (OutcomeChoice("supply", (change("supply", -1),)), OutcomeChoice("momentum", (change("momentum", -1),)))
        yield from resolve(table, Result((), cost, "It has a cost. Choose one"))


def _ask_patient(table: Draft) -> Pick:
    """Return the prompt for the patient: the character, a companion or another member of the party.

    The default is the patient with the greatest loss of health. The first companion has the key `companion`, each
    further one `companion.<id>`.
    """
    people = {"self": table.who} | {_key(ident): ident for ident in others(table)}
    marks = {key: table.state["party"][ident] for key, ident in people.items()}
    beasts = {
        f"companion.{ident}" if n else "companion": asset
        for n, (ident, asset) in enumerate((i, a) for i, a in table.me["assets"].items() if a["max"])
    }
    lost = {key: (who["health"] - 5, "wounded" not in who["debilities"]) for key, who in marks.items()}
    lost |= {key: (one["health"] - one["max"], True) for key, one in beasts.items()}

    def person(key: str) -> str:
        return f"health {marks[key]['health']} of 5" + (", wounded" if "wounded" in marks[key]["debilities"] else "")

    options = (
        Option("self", "yourself", f"{person('self')}; with the lower of wits and iron", hot="y"),
        *(Option(k, shown_line(called(a)), f"health {a['health']} of {a['max']}") for k, a in beasts.items()),
        *(member_option(table.state, people[key], person(key))._replace(key=key) for key in marks if key != "self"),
    )
    worst = min((option.key for option in options), key=lost.__getitem__)
    return Pick(key="target", title="Who are you treating?", options=options, default=worst, quiet=len(options) == 1)


def _patient(table: Draft, target: str) -> str:
    """Return the name of the patient with the option key `target`, safe to show, or "yourself"."""
    if target == "self":
        return "yourself"
    if _is_beast(target):
        beast = table.me["assets"][_companion(table, target)]
        return shown_line(called(beast))
    return shown_line(table.state["party"][target.rstrip(".")]["name"])


def _key(ident: str) -> str:
    """Return the option key of a member of the party: the id, with a dot added if the id is "self" or "companion".

    Without the dot, those are the keys of the acting character and of a companion.
    """
    return f"{ident}." if ident in {"self", "companion"} else ident


def _is_beast(target: str) -> bool:
    """Return True if this option key stands for a companion, False if it stands for a character."""
    return target == "companion" or (target.startswith("companion.") and target != "companion.")


def _companion(table: Draft, target: str) -> str:
    _, _, ident = target.partition(".")
    return ident or next(i for i, a in table.me["assets"].items() if a["max"])


SUPPLY_MOST = 5


def resupply(table: Draft) -> Procedure:
    """Resupply. Strong hit: up to 2 supply. Weak hit: the same for 1 momentum each. Miss: Pay the Price is due.

    Raise Refused if the move cannot be made now.
    """
    begin(table, "resupply")
    adds = yield from ask_help(table, "resupply", stats=("wits",))
    held = no_gain(table, "supply")
    warning = f"; supply can't rise while {held}" if held else ""
    outcome = yield from action_roll(table, "resupply", "wits", adds, about=warning)
    if outcome == "strong hit":
        amount = yield Number(key="amount", title="supply gained:", low=0, high=2, default=2, quiet=True)
        table.by("supply", amount)
    elif outcome == "weak hit":
        title = f"How much supply, for 1 momentum each{warning}"
        fits = 0 if held else min(2, SUPPLY_MOST - table.state["supply"])
        amount = yield Number(key="amount", title=title, low=0, high=fits, default=fits, quiet=not fits)
        table.by("supply", amount)
        table.mine("momentum", -amount)
    else:
        do(table, (PRICE,))


def _recuperate(words: str) -> OutcomeEffect:
    """Return the effect that gives 1 health to the acting character and to all companions.

    `words` describes it. A wounded character gains no health; then the effect can be chosen only with a companion.
    """

    def rest(table: Draft, _: str) -> None:
        table.mine("health", 1)
        heal_companions(table, table.who, 1)

    def reason(table: Draft, _: str) -> str:
        return no_gain(table, "health") if not any(a["max"] for a in table.me["assets"].values()) else ""

    return OutcomeEffect(words, rest, lambda table, track: change("health", 1).now(table, track), reason, "health")


CAMP = (
    OutcomeChoice(
        "recuperate", (_recuperate("health +1, for companions too"),), "recuperate: health +1, companions too"
    ),
    OutcomeChoice(
        "partake", (change("supply", -1), _recuperate("health +1")), "partake: supply -1, health +1, companions too"
    ),
    OutcomeChoice("relax", (change("spirit", 1),), "relax: spirit +1"),
    OutcomeChoice("focus", (change("momentum", 1),), "focus: momentum +1"),
    OutcomeChoice("prepare", (grant_bonus("undertake_a_journey", "+1"),), "prepare: +1 on the next leg of a journey"),
)


def make_camp(table: Draft) -> Procedure:
    """Make Camp. Strong hit: each character recovers in two ways. Weak hit: in one. Miss: Pay the Price is due.

    Raise Refused if the move cannot be made now.
    """
    begin(table, "make_camp")
    adds = yield from ask_help(table, "make_camp", stats=("supply",))
    outcome = yield from action_roll(table, "make_camp", "supply", adds, value=table.state["supply"])
    if outcome == "miss":
        do(table, (PRICE,))
        return
    picks = (2 if outcome == "strong hit" else 1) + more_options(table)
    result = Result((), CAMP, "Choose one" if picks == 1 else f"Choose {picks}", least=picks, most=picks)
    yield from each_in_turn(table, result)


def reach_your_destination(table: Draft) -> Procedure:
    """Reach Your Destination. Strong hit: the journey ends with a benefit. Weak hit: it ends.

    Miss: continue at a higher rank with most progress lost, or give up. Raise Refused if the move cannot be made now.
    """
    from tracker.games.ironsworn.tracks import close, harder, start_again

    begin(table, "reach_your_destination")
    which = ask_track(table, "journey", odds=True)
    track = yield which
    outcome = yield from track_roll(table, "reach_your_destination", track, which)
    if outcome != "miss":
        close(table, track, "arrived")
    if outcome == "strong hit":
        ways = (OutcomeChoice("move", (ANOTHER_MOVE,)), OutcomeChoice("momentum", (change("momentum", 1),)))
        yield from resolve(table, Result((), ways, "It favors you. Choose one"))
    elif outcome == "miss":
        go_on = OutcomeEffect("the way is longer than it seemed", start_again, harder)
        give_up = OutcomeEffect("the journey ends here", lambda table, track: close(table, track, "abandoned"))
        ways = (OutcomeChoice("go_on", (go_on,), "continue"), OutcomeChoice("abandon", (give_up,), "give up"))
        yield from resolve(table, Result((), ways, "You aren't there yet. Choose one"), track)
