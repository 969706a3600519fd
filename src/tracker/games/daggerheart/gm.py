"""Procedures of the GM: Fear, spotlight, adversaries, Battle Points, settings of the campaign."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from itertools import count, islice
from typing import Any

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import arrow, counted, signed
from tracker.games.api.prompts import Answer, Number, Option, Pick, Prompt, Text, choose_any
from tracker.games.common.members import living
from tracker.games.common.party import ask_settled
from tracker.games.daggerheart.action import gain_fear, pass_spotlight, pay_fear
from tracker.games.daggerheart.battle_points import ADJUSTMENTS, COSTS, budget, cost, fielded
from tracker.games.daggerheart.derived_values import facing, name
from tracker.games.daggerheart.dice import dice
from tracker.games.daggerheart.equipment import encountered
from tracker.games.daggerheart.shared_prompts import ask_own, ask_target
from tracker.games.daggerheart.slots import ask_resistance
from tracker.games.daggerheart.state import ADVERSARY_TYPES, AUTOMATIC, BY_HAND, SORTS, TOP
from tracker.text import shown_line

SPENDS: Mapping[str, tuple[str, str]] = {
    "interrupt": ("take the spotlight from the players", "i"),
    "extra_spotlight": ("spotlight another adversary", "s"),
    "fear_feature": ("use a Fear Feature", "f"),
    "raise_difficulty": ("add an adversary's Experience to a Difficulty", "e"),
    "end_effect": ("end a temporary spell effect", "x"),
}
"""Each use of Fear: what it does, in words, and its hotkey."""


def spend_fear(table: Draft) -> Procedure:
    """Ask what the GM spends Fear on and how much, and subtract it. Raise Refused if the GM has less.

    An interruption also gives the GM the spotlight. Other uses only subtract the Fear.
    """
    fear = table.state["fear"]
    has_it = table.state["spotlight"] == "gm"
    held = {"interrupt": ", but the GM has it already"} if has_it else {}
    on = yield Pick(
        key="on",
        title=f"Spend Fear ({fear} left) on what?",
        options=tuple(
            Option(
                key,
                words,
                f"Fear {arrow(fear, fear - 1)}{held.get(key, '')}",
                "" if fear else "no Fear left",
                hot=hot,
            )
            for key, (words, hot) in SPENDS.items()
        ),
        likely="extra_spotlight" if has_it else None,
    )
    amount = yield Number(key="amount", title="Fear to spend", low=1, high=12, default=1, quiet=True)
    pay_fear(table, amount)
    if on == "interrupt":
        pass_spotlight(table, "gm")
    table.facts |= {"on": on, "told": SPENDS[on][0]}


def take_fear(table: Draft) -> Procedure:
    """Ask how much Fear the GM gains, from the story or a feature, and add it."""
    amount = yield Number(key="amount", title="How much Fear?", low=1, high=12, default=1)
    gain_fear(table, amount)


def spotlight(table: Draft) -> Procedure:
    """Ask whether players or GM get the spotlight, and pass it without a cost."""
    other = "gm" if table.state["spotlight"] == "players" else "players"
    to = yield Pick(
        key="to",
        title="The spotlight goes to",
        options=(Option("players", "the players", hot="p"), Option("gm", "the GM", hot="g")),
        default=other,
    )
    pass_spotlight(table, to)


# -- adversaries ----------------------------------------------------------------------------------------

_NUMBERS = (
    ("difficulty", "Difficulty", 60, (11, 14, 17, 20)),
    ("major", "Major threshold (0: none)", 999, (7, 10, 20, 25)),
    ("severe", "Severe threshold (0: none)", 999, (12, 20, 32, 45)),
    ("hp_max", "HP", 99, (5, 5, 6, 7)),
    ("stress_max", "Stress", 99, (3, 3, 4, 5)),
    ("attack", "Attack modifier", 99, (1, 2, 3, 4)),
)
"""Numbers to ask for an adversary: field, title, maximum, usual values in tiers 1 to 4."""
_LEAST = {"hp_max": 1, "attack": -9}
_MANY = 20
_NO_ENCOUNTER = "none."
"""Key of the option for a single adversary. No encounter has this id, because an id has no dot."""
_OF_THE_FIGHT = {"name", "hp", "stress", "conditions", "tokens", "spotlit", "defeated"}
"""Fields that belong to one adversary in play, and that a copy of it does not take over."""
_OF_A_MINION = {"major": 0, "severe": 0, "hp_max": 1}


def new_adversary(table: Draft) -> Procedure:
    """Ask for adversaries and add them: an encounter or an adversary from the player's files, or one typed in.

    The usual numbers of the tier are the defaults for one typed in. Raise Refused if its damage is not written like
    `d6+4`, if its Severe threshold is below Major, or if an encounter names an adversary that is not in the files.
    """
    encounter = yield from _ask_encounter(table)
    if encounter is not None:
        _bring_in(table, encounter)
        return
    own = yield from ask_own(table, "adversary", "Which adversary?")
    if own is not None:
        named = yield Text(key="name", title="name", default=own["name"], quiet=True)
        many = yield _ask_many()
        _join(table, _on_the_table(own), _numbered(table, named, many) if many > 1 else [named])
        return
    named = yield Text(key="name", title="Which adversary?", hint="Dire wolf")
    sort = yield Pick(
        key="type",
        title="Type",
        options=tuple(Option(t, t, _worth(t)) for t in ADVERSARY_TYPES),
        default=ADVERSARY_TYPES[0],
    )
    tier = yield Pick(
        key="tier",
        title="Tier",
        options=tuple(Option(str(n), f"tier {n}", hot=str(n)) for n in (1, 2, 3, 4)),
        default="1",
    )
    new: dict[str, Any] = {"name": named, "type": sort, "tier": int(tier)}
    for key, title, high, usual in _NUMBERS:
        common = usual[int(tier) - 1]
        default = _OF_A_MINION.get(key, common) if sort == "minion" else common
        new[key] = yield Number(key=key, title=title, low=_LEAST.get(key, 0), high=high, default=default, quiet=True)
    damage = yield Text(key="damage", title="Damage (optional)", most=20, hint="d6+4", empty=True, default="")
    if damage:
        new["damage"] = str(dice(damage))
        new["damage_type"] = yield Pick(
            key="damage_type",
            title="Type of damage",
            options=tuple(Option(sort, sort) for sort in SORTS),
            default=SORTS[0],
            quiet=True,
        )
    yield from _of_its_type(sort, new, usual_count=max(1, len(living(table.state))))
    check_thresholds(new["major"], new["severe"])
    new["note"] = yield Text(key="note", title="Notes", most=200, empty=True, default="", quiet=True)
    many = yield _ask_many("how many groups" if sort == "minion" else "how many")
    _join(table, new, _numbered(table, named, many) if many > 1 else [named])


def _worth(sort: str) -> str:
    """Return what an adversary of this type costs, such as "2 Battle Points"."""
    points = counted(COSTS[sort], "Battle Point")
    return f"{points} for as many as the party" if sort == "minion" else points


def _ask_many(title: str = "how many") -> Number:
    return Number(key="many", title=title, low=1, high=_MANY, default=1, quiet=True, hot="h")


def _numbered(table: Draft, named: str, many: int) -> list[str]:
    """Return `many` unused names for adversaries: "Wolf 1" and "Wolf 2" if `named` is "Wolf" or "Wolf 3".

    A number at the end of `named` is dropped first.
    """
    taken = {one["name"] for one in table.state["adversaries"].values()}
    stem = named.rstrip("0123456789").rstrip() or named
    free = (f"{stem} {n}" for n in count(1 + (stem in taken)))
    return list(islice((name for name in free if name not in taken), many))


def _ask_encounter(table: Draft) -> Generator[Prompt, Answer, Mapping[str, Any] | None]:
    """Ask for an encounter from the player's files and return its fields; None if a single adversary is wanted.

    Return None without asking if the files have no encounter.
    """
    there = table.content().pieces.get("encounter", {})
    if not there:
        return None
    chosen = yield Pick(
        key="encounter",
        title="An encounter from your files?",
        options=(
            Option(_NO_ENCOUNTER, "no, an adversary"),
            *(Option(ident, shown_line(one["name"]), shown_line(one["adversaries"])) for ident, one in there.items()),
        ),
        default=_NO_ENCOUNTER,
    )
    return there.get(chosen)


def _bring_in(table: Draft, encounter: Mapping[str, Any]) -> None:
    """Add all adversaries of an encounter. Raise Refused, and add none, if the player's files lack one of them."""
    known = table.content().pieces.get("adversary", {})
    listed = encountered(encounter["adversaries"])
    if missing := [ident for ident, _ in listed if ident not in known]:
        raise Refused(f"“{missing[0]}” is not among the adversaries in your files.")
    for ident, many in listed:
        one = known[ident]
        _join(table, _on_the_table(one), _numbered(table, one["name"], many) if many > 1 else [one["name"]])
    table.facts["told"] = shown_line(encounter["name"])


def copy(table: Draft) -> Procedure:
    """Ask for an adversary and a number, and add that many copies with nothing marked.

    Raise Refused if there is no adversary.
    """
    who = yield ask_target(table, list(table.state["adversaries"]), "Copy which adversary?", key="adversary")
    many = yield _ask_many()
    one = table.state["adversaries"][who]
    fresh = {key: value for key, value in one.items() if key not in _OF_THE_FIGHT}
    _join(table, {**fresh, "count": max(1, one["count"])}, _numbered(table, one["name"], many))


def check_thresholds(major: int, severe: int) -> None:
    """Raise Refused if the Severe threshold is below the Major one. A Severe of 0 means none and is allowed."""
    if severe and severe < major:
        raise Refused("Severe can't be below Major, unless it is 0 for none.")


def _on_the_table(own: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an adversary from the player's files to a record for the state.

    In the files, `hp` and `stress` are numbers of slots. In the state, those are `hp_max` and `stress_max`, and `hp`
    and `stress` count the marked slots.
    """
    one = {key: value for key, value in own.items() if key not in {"hp", "stress", "resist", "immune", "reduce"}}
    less: dict[str, dict[str, Any]] = {
        key: {sort: {} for sort in SORTS if own[key] in {sort, "both"}} for key in ("resist", "immune")
    }
    slots = {"hp_max": own["hp"], "stress_max": own["stress"]}
    return {**one, **slots, **less, "reduce": dict.fromkeys(SORTS, own["reduce"])}


def _join(table: Draft, new: Mapping[str, Any], names: Iterable[str]) -> None:
    """Add one adversary for each of these names to the state, all with the other fields of `new`."""
    for named in names:
        taken = {**table.state["adversaries"], **table.state["party"]}
        table.add("adversaries", {"id": table.new_id(named, taken, *TOP.fields), **new, "name": named})


def _of_its_type(
    sort: str, new: dict[str, Any], one: Mapping[str, Any] | None = None, *, usual_count: int = 1
) -> Generator[Prompt, Answer, None]:
    """Ask for the numbers that only a minion or a horde has, and add them to `new`. For other types, ask nothing.

    `sort` is the type. For an adversary in play, `one` is its record, whose values then are the default answers. For
    new minions, `usual_count` is the default of their number. Raise Refused if the damage of a reduced horde is not
    written like `d4+1`.
    """
    known = one or {}
    if sort == "minion":
        flat = new.get("damage", "")
        for key, title, low, usual in (
            ("minion", "Damage to defeat each extra minion", 1, 3),
            ("count", "Minions in the group", 1, usual_count),
            ("damage_each", "Damage of each in a group attack", 0, int(flat) if flat.isdigit() else 2),
        ):
            default = max(low, known.get(key, usual))
            new[key] = yield Number(key=key, title=title, low=low, high=99, default=default, quiet=bool(one))
    elif sort == "horde":
        default = max(1, known.get("density", 2))
        new["density"] = yield Number(
            key="density", title="Creatures for each HP", low=1, high=99, default=default, quiet=bool(one)
        )
        reduced = yield Text(
            key="reduced",
            title="Damage at half HP (optional)",
            most=20,
            hint="d4+1",
            empty=True,
            default=known.get("reduced", ""),
            quiet=bool(one),
        )
        new["reduced"] = str(dice(reduced)) if reduced else ""


def renumber(table: Draft) -> Procedure:
    """Ask for the numbers of an undefeated adversary, and set those that differ.

    Raise Refused if there is no such adversary, if the damage is not written like `d6+4`, if Severe is below Major, or
    if more HP or Stress are marked than the new numbers allow.
    """
    who = yield ask_target(table, facing(table.state), "Whose numbers?", key="adversary")
    one = table.state["adversaries"][who]
    given: dict[str, Any] = {}
    for key, title, high, _ in _NUMBERS:
        given[key] = yield Number(key=key, title=title, low=_LEAST.get(key, 0), high=high, default=one[key], quiet=True)
    damage = yield Text(
        key="damage", title="Damage (optional)", most=20, hint="d6+4", empty=True, default=one["damage"]
    )
    given["damage"] = str(dice(damage)) if damage else ""
    yield from _of_its_type(one["type"], given, one)
    check_thresholds(given["major"], given["severe"])
    if one["hp"] and given["hp_max"] <= one["hp"]:
        raise Refused(f"{one['hp']} HP are marked: clear some first, or defeat it.")
    if given["stress_max"] < one["stress"]:
        raise Refused(f"{one['stress']} Stress is marked: clear some first.")
    for key, value in given.items():
        if value != one[key]:
            table.to(f"adversaries.{who}.{key}", value)
    yield from ask_resistance(table, who)


def experience(table: Draft) -> Procedure:
    """Ask for an adversary and an Experience with its bonus, and add it. Raise Refused if there is no adversary."""
    who = yield ask_target(table, facing(table.state), "Which adversary?", key="adversary")
    named = yield Text(key="name", title="What is it good at?", hint="ambusher")
    bonus = yield Number(key="bonus", title="Bonus", low=1, high=9, default=2)
    known = table.state["adversaries"][who]["experiences"]
    table.add(f"adversaries.{who}.experiences", {"id": table.new_id(named, known), "name": named, "bonus": bonus})


def feature(table: Draft) -> Procedure:
    """Ask for an adversary and a feature, and add it as a note that the program does not interpret.

    Raise Refused if there is no adversary.
    """
    who = yield ask_target(table, facing(table.state), "Which adversary?", key="adversary")
    named = yield Text(key="name", title="What is the feature called?", hint="Maul")
    note = yield Text(key="note", title="What does it do (optional)", most=200, empty=True, default="")
    price = yield Text(key="cost", title="Cost (optional)", most=20, hint="1 Fear", empty=True, default="")
    known = table.state["adversaries"][who]["features"]
    table.add(
        f"adversaries.{who}.features", {"id": table.new_id(named, known), "name": named, "note": note, "cost": price}
    )


def remove(table: Draft) -> Procedure:
    """Ask for an adversary, defeated or not, and remove it. Raise Refused if there is none."""
    who = yield ask_target(table, list(table.state["adversaries"]), "Who leaves?", key="adversary")
    table.facts["told"] = name(table.state, who)
    table.drop("adversaries", who)


def battle_points(table: Draft) -> Procedure:
    """Ask for the size of the party, adjustments and adversaries; store budget and cost of the fight in the facts.

    The state does not change.
    """
    there = fielded(table.state)
    pcs = yield Number(key="pcs", title="How many PCs?", low=1, high=12, default=max(1, len(living(table.state))))
    adjust = yield choose_any(
        key="adjust",
        title="Adjustments",
        options=tuple(Option(key, words, signed(by)) for key, (words, by) in ADJUSTMENTS.items()),
        quiet=False,
    )
    many = {}
    for sort in ADVERSARY_TYPES:
        many[sort] = yield Number(key=sort, title=sort, low=0, high=99, default=min(99, there.get(sort, 0)), quiet=True)
    points, spent = budget(pcs, adjust), cost(pcs, many)
    table.facts |= {"budget": points, "cost": spent, "left": points - spent}
    table.facts["told"] = f"{spent} of {points} Battle Points, {points - spent} left"


# -- how the campaign is played -------------------------------------------------------------------------

_CHOICES: Mapping[str, tuple[str, Mapping[str, tuple[str, str]]]] = {
    "edition": (
        "Edition",
        {"2.0": ("2.0", "the best of all d6 counts"), "1.0": ("1.0", "your d6 and the best helper's")},
    ),
    "massive_damage": ("Massive damage", {"no": ("no", ""), "yes": ("yes", "twice Severe marks 4 HP")}),
    "hope_and_fear": (
        "Hope and Fear",
        {AUTOMATIC: (AUTOMATIC, "rolls update them"), BY_HAND: (BY_HAND, "you update them, and Stress")},
    ),
    "countdowns": (
        "Countdowns",
        {AUTOMATIC: (AUTOMATIC, "they advance with rolls"), BY_HAND: (BY_HAND, "you advance them")},
    ),
    "overflow": (
        "Excess Stress",
        {"one": ("1 HP", "whatever the amount"), "each": ("1 HP each", "one for one")},
    ),
    "gm": ("Game Master", {"no": ("no", "you play without one"), "yes": ("yes", "one of you runs the game")}),
    "foes": (
        "Adversaries' numbers",
        {
            AUTOMATIC: (AUTOMATIC, "hidden from players if you have a GM"),
            "shown": ("shown", "players see Difficulty and HP"),
            "hidden": ("hidden", "only the GM side shows them"),
        },
    ),
}
"""Settings of the campaign: the title of each, and a label and a meaning for each of its values."""


def settings(table: Draft) -> Procedure:
    """Ask for all settings of the campaign and store those that change. The current ones are the default answers.

    If the number of spotlight tokens changes, every living character gets the new number at once.
    """
    now = table.state["settings"]
    for key, (title, words) in _CHOICES.items():
        held = ("no", "yes")[now[key]] if isinstance(now[key], bool) else now[key]
        options = tuple(Option(k, label, note) for k, (label, note) in words.items())
        value = yield Pick(key=key, title=title, options=options, default=held, quiet=True)
        if value != held:
            table.to(f"settings.{key}", value == "yes" if isinstance(now[key], bool) else value)
    tokens = yield Number(key="tokens", title="Spotlight tokens each", low=0, high=9, default=now["tokens"], quiet=True)
    if tokens != now["tokens"]:
        table.to("settings.tokens", tokens)
        for one in living(table.state):
            table.to(f"{one}.tokens", tokens)


def strike_off(table: Draft) -> Procedure:
    """Ask for a due item that the players have settled in the story, and remove it from the acting character.

    Raise Refused if nothing is due.
    """
    from tracker.games.daggerheart.moves import owed_label

    due = {key: many for key, many in table.me["owed"].items() if many}
    key = yield ask_settled(due, owed_label)
    table.mine(f"owed.{key}", -1)
    table.facts["told"] = shown_line(owed_label(key))
