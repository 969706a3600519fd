"""What the marked abilities of assets give in play: offered as ticks, then applied at the roll and to its outcome.

A boon is what one tick of an ability gives in the move at hand. `ask_boons` keeps those that the player ticked in the
notes of the draft, where the other functions find them.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from typing import Any

from tracker.games.api.asset_abilities import ALLY, ALONE, ANY_MOVE, ITSELF, MARKED, OWN_MOVE, ROLL, Gift, Give, written
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.phrases import signed
from tracker.games.api.prompts import Answer, Choose, Option, Pick, Prompt, Roll, choose_any
from tracker.games.common.members import living
from tracker.games.ironsworn.dice import Outcome
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.state import (
    ABILITIES,
    COUNTS,
    COUNTS_NO_LONGER,
    DEBILITIES,
    OPEN,
    STATS,
    called,
    heal_companions,
    in_line,
    in_lines,
    owe,
    owed_label,
    own_debility,
)
from tracker.records import NamedTuple
from tracker.text import shown_line

_TICKED, _AT_DICE, _REROLLED = "boons", "boons at the dice", "boon of the reroll"
_OPTIONS = "more options"
_LATER_KNOWN = {"bonded", "match", "one", "burned", "rerolled"}
"""Conditions that are known when the dice lie on the table; all others are checked when an ability is offered."""
_CHECKED_ELSEWHERE = {*_LATER_KNOWN, ALLY, ALONE}
_ALL_CHOOSE = frozenset({"make_camp", "sojourn"})
"""Moves in which every character of the party makes the choice."""
_IN_THE_ROLL = {"add", "reroll", "roll", "weapon", "move", "counts"}
_OUTCOMES: Mapping[str, Outcome] = {"strong_hit": "strong hit", "weak_hit": "weak hit", "miss": "miss"}
_LOWERED = {"harm", "stress"}
PATIENT = "patient"
"""Note of the draft with the path of the health of whom the character treats."""
LOSS = "loss"
"""Note of the draft with the number that the move at hand lowers before its roll, and by how much."""


class Boon(NamedTuple):
    """An ability that the player can tick as helping in the current move, with the gifts that can apply to this move.

    `key` is the key of its option, and `owner` the character who has the asset. An ability may have several boons:
    `part` tells them apart. If `guess` is True, a program found the gifts in the text, and nobody has checked them.
    """

    key: str
    owner: str
    asset: str
    ability: str
    part: str
    gifts: tuple[Gift, ...]
    guess: bool = False

    @property
    def at_the_dice(self) -> bool:
        """True if the boon needs no tick before the roll, such as one that only allows a reroll."""
        return all(_comes_late(gift) for gift in self.gifts)

    @property
    def mark(self) -> str:
        """Id of the record in the asset's `used` that says that the boon was used."""
        return f"{self.ability}_{self.part}" if self.part else self.ability

    def record(self, table: Draft) -> Mapping[str, Any]:
        """Return the record of the asset in the state."""
        record: Mapping[str, Any] = table.state["party"][self.owner]["assets"][self.asset]
        return record

    def words(self, table: Draft) -> str:
        """Return the text of the ability, with its paragraphs as lines."""
        return in_lines(self.record(table)[self.ability]["text"])

    def name(self, table: Draft) -> str:
        """Return the name of the asset as the player knows it."""
        return called(self.record(table))


def _comes_late(gift: Gift) -> bool:
    if _acts(gift) and not _before(gift) and (gift.may or _after_reroll(gift)):
        return True
    return gift.after == ROLL or all(give.kind == "reroll" for give in gift.gives)


def _after_reroll(gift: Gift) -> bool:
    """Return True if the gift applies only if the dice were rerolled."""
    return ("rerolled", True) in gift.needs


def _acts(gift: Gift) -> bool:
    """Return True if the gift changes the state. Other gifts change only the roll, or the harm that is suffered."""
    return any(give.kind not in _IN_THE_ROLL and not _lowers(give) for give in gift.gives)


def _lowers(give: Give) -> bool:
    return give.kind == "change" and give.what in _LOWERED and give.points < 0


def _before(gift: Gift) -> bool:
    """Return True if the gift changes the state before the roll: it is a price, or a gain at any outcome."""
    asked_later = any(need in _LATER_KNOWN for need, _ in gift.needs)
    return _acts(gift) and not gift.outcomes and not gift.after and not asked_later


# -- what is offered ------------------------------------------------------------------------------------


def rolled(move: str, *also: str) -> frozenset[str]:
    """Return the words with which gifts can refer to a move with an action roll.

    `move` is the last part of the move's id, and `also` are other moves that it counts as.
    """
    return frozenset((move, ANY_MOVE, *also))


def offered(table: Draft, scope: Collection[str], stats: Collection[str] = (), own: str = "") -> list[Boon]:
    """Return the boons of all marked abilities that help in a move, including those used already.

    `scope` holds the words with which gifts can refer to the move. `stats` are those that the move can be rolled with;
    empty for any. If the move belongs to an asset, `own` is the asset's id. A companion with 0 health does not help.
    """
    found: list[Boon] = []
    for owner, ident, asset in _held(table):
        if asset["max"] and not asset["health"]:
            continue
        words = scope if ident == own and owner == table.who else frozenset(scope) - {OWN_MOVE}
        for ability in ABILITIES:
            if asset[ability]["on"]:
                found += _of_ability(table, (owner, ident, ability), words, stats)
    return found


def _held(table: Draft) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield (owner's id, asset's id, record) of each asset in play, those of the acting character first."""
    for owner in (table.who, *(one for one in living(table.state) if one != table.who)):
        for ident, asset in table.state["party"][owner]["assets"].items():
            yield owner, ident, asset


def _of_ability(
    table: Draft, place: tuple[str, str, str], scope: Collection[str], stats: Collection[str]
) -> Iterator[Boon]:
    owner, ident, name = place
    ability = table.state["party"][owner]["assets"][ident][name]
    for guess, text in ((False, ability["gives"]), (True, ability["guesses"])):
        gifts = [gift for gift in written(text) if not set(scope).isdisjoint(gift.moves)]
        rolls = {give.what for gift in gifts for give in gift.gives if give.kind == "roll"}
        for part in dict.fromkeys(gift.part for gift in gifts):
            whose = "" if owner == table.who else f"{owner}/"
            key = f"{whose}{ident}.{name}{f'.{part}' if part else ''}{'?' if guess else ''}"
            boon = Boon(key, owner, ident, name, part, (), guess)
            fits = tuple(
                gift
                for gift in gifts
                if gift.part == part
                and (not gift.stats or not stats or not rolls.union(stats).isdisjoint(gift.stats))
                and all(
                    _need(table, boon, need) is wanted for need, wanted in gift.needs if need not in _CHECKED_ELSEWHERE
                )
                and (_meant(table, boon, gift) or (gift.after and not _ALL_CHOOSE.isdisjoint(scope)))
            )
            if fits:
                yield boon._replace(gifts=fits)


def _meant(table: Draft, boon: Boon, gift: Gift) -> bool:
    """Return True if a gift is for the acting character.

    A gift is for the owner of the asset, or for everyone if the party shares it. If the gift has the condition ALLY, it
    is for all but the owner instead; if it must not hold, for the owner only.
    """
    ally = dict(gift.needs).get(ALLY)
    other = boon.owner != table.who
    return not other or bool(boon.record(table)["shared"]) if ally is None else ally is other


def _need(table: Draft, boon: Boon, need: str) -> bool:
    """Return True if the condition `need` of a boon holds now. It must be one that is known before the roll."""
    if need.startswith("its "):
        asset, name = boon.record(table), need.removeprefix("its ")
        if name in asset["flags"]:
            return bool(asset["flags"][name]["on"])
        if name in ABILITIES:
            return bool(asset[name]["on"])
        return _own_number(asset, name) > 0 or any(_as_id(one["value"]) == name for one in asset["options"].values())
    if need == ITSELF:
        return own_debility(boon.asset) in table.state["party"][boon.owner]["debilities"]
    if need == "fight":
        return bool(table.me["initiative"] != "none")
    if need in {"self", "beast"}:
        patient = str(table.notes.get(PATIENT, ""))
        return patient == f"{table.who}.health" if need == "self" else ".assets." in patient
    if need == "companion":
        return any(asset["max"] and asset["health"] for asset in table.me["assets"].values())
    return need in table.me["debilities"] if need in DEBILITIES else _number(table, need) > 0


def _as_id(words: str) -> str:
    """Return a choice in the form that gifts use: "geared for war" becomes `geared_for_war`."""
    return words.lower().replace(" ", "_")


def _number(table: Draft, name: str) -> int:
    """Return a number of the acting character, less what the current move will take of it before the roll."""
    lowered, points = table.notes.get(LOSS, ("", 0))
    number = int(table.state["supply"] if name == "supply" else table.me[name])
    return max(0, number - points) if name == lowered else number


def _own_number(asset: Mapping[str, Any], name: str) -> int:
    """Return the value of an asset's meter with the id `name`, or of its "health"; 0 if it has no such number."""
    if name in asset["meters"]:
        return int(asset["meters"][name]["value"])
    return int(asset["health"]) if name == "health" else 0


def option(table: Draft, boon: Boon) -> Option:
    text = boon.words(table)
    name = shown_line(boon.name(table), 20)
    if boon.owner != table.who:
        name += f" ({shown_line(table.state['party'][boon.owner]['name'], 12)})"
    if boon.part:
        name += f", {boon.part.replace('_', ' ')}"
    sized = [(give.points, gift) for gift in boon.gifts for give in gift.gives if give.kind == "add"]
    if sized:
        points, gift = max(sized, key=lambda pair: pair[0])
        name += f" {signed(points)}" + (f" with {' or '.join(gift.stats)}" if gift.stats else "")
    label = f"a guess: {name}" if boon.guess else name
    alone = any((ALONE, True) in gift.needs for gift in boon.gifts)
    group = f"{boon.owner}/{boon.asset}" if alone else ""
    return Option(boon.key, label, in_line(text), _used(table, boon), about=text, group=group)


def _used(table: Draft, boon: Boon) -> str:
    """Return the reason why the boon, which was used before, cannot be used again now; "" if it can be used."""
    used = boon.record(table)["used"].get(boon.mark)
    if used is None:
        return ""
    return f"used this {used['period']}" if used["period"] != "ever" else "used already"


# -- before the roll ------------------------------------------------------------------------------------


def ask_boons(
    table: Draft,
    scope: Collection[str],
    stats: Collection[str] = (),
    *,
    part: str = "",
    own: str = "",
    track: str = "",
    always: Boon | None = None,
) -> Procedure:
    """Ask which abilities help in a move, remember them in the draft's notes, and apply what they give before the roll.

    `scope` holds the words with which gifts can refer to the move. `stats` are those that the move can be rolled with;
    empty for any. `part` is the prefix of the prompt keys, and `track` the id of the move's track. If the move belongs
    to an asset, `own` is the asset's id, and `always` the boon of that ability, which applies without being ticked.
    """
    there = offered(table, scope, stats, own)
    free = [boon for boon in there if always and boon.key == always.key]
    ticks = [boon for boon in there if not boon.at_the_dice and boon not in free]
    chosen = list(free)
    if ticks:
        keys = yield choose_any(
            key=f"{part}helped_by",
            title="Assets that help",
            options=tuple(option(table, boon) for boon in ticks),
        )
        chosen += [boon for boon in ticks if boon.key in keys]
    table.notes[_TICKED] = chosen
    table.notes[_REROLLED] = None
    table.notes[_AT_DICE] = [boon for boon in there if boon.at_the_dice and not _used(table, boon)]
    for boon in chosen:
        _use(table, boon)
        for n, gift in enumerate(boon.gifts):
            if _before(gift) and not gift.stats:
                yield from _grant(table, boon, n, table.facts, track, part, now=True)


def _ticked(table: Draft) -> list[Boon]:
    found: list[Boon] = table.notes.get(_TICKED, [])
    return found


def _at_dice(table: Draft) -> list[Boon]:
    found: list[Boon] = table.notes.get(_AT_DICE, [])
    return found


def _use(table: Draft, boon: Boon) -> None:
    """Record in the asset that the boon was used, if it can be used only once in some period."""
    period = next((gift.once for gift in boon.gifts if gift.once), "")
    if period:
        table.add(f"{boon.owner}.assets.{boon.asset}.used", {"id": boon.mark, "period": period})


def _use_at_dice(table: Draft, boon: Boon, facts: dict[str, Any]) -> None:
    """Record that a boon was used that was not ticked before the roll; a companion that gives it shares the risk."""
    _use(table, boon)
    if boon.record(table)["max"]:
        facts["beside"] = boon.name(table)


def beside(table: Draft) -> str:
    """Return the name of the companion that helps in this move, or ""."""
    names = [boon.name(table) for boon in _ticked(table) if boon.record(table)["max"]]
    return names[-1] if names else ""


def adds(table: Draft) -> Iterator[tuple[str, int]]:
    """Yield (name of the asset, points) of each ticked bonus that depends neither on the stat nor on the roll."""
    for boon in _ticked(table):
        if points := _add(table, boon, [gift for gift in boon.gifts if not gift.stats and not _asks_later(gift)]):
            yield boon.name(table), points


def adds_with(table: Draft, stat: str, facts: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield (name of the asset, points) of what each ticked boon adds because of this stat or the facts of the roll.

    Points that it adds with any stat and whatever the roll brings are not counted.
    """
    for boon in _ticked(table):
        base = _add(table, boon, [gift for gift in boon.gifts if not gift.stats and not _asks_later(gift)])
        whole = _add(table, boon, [gift for gift in boon.gifts if _holds(table, boon, gift, facts, stat)])
        if whole > base:
            yield boon.name(table), whole - base


def _asks_later(gift: Gift) -> bool:
    return any(need in _LATER_KNOWN for need, _ in gift.needs)


def _add(table: Draft, boon: Boon, gifts: Iterable[Gift], after: str = "") -> int:
    """Return the sum that a boon adds by these gifts: the highest fixed number, and all meters that it adds.

    Only gifts with this value of `after` count.
    """
    gives = [give for gift in gifts if gift.after == after for give in gift.gives if give.kind == "add"]
    fixed = [give.points for give in gives if not give.source]
    return (max(fixed) if fixed else 0) + sum(_size(table, boon, give, {}, "") for give in gives if give.source)


def other_stat(table: Draft) -> tuple[str, int] | None:
    """Return (name, value) of the highest number that ticked boons let the player roll with instead of a stat.

    Return None if they allow none.
    """
    found: list[tuple[str, int]] = []
    for boon in _ticked(table):
        for give in (give for gift in boon.gifts for give in gift.gives if give.kind == "roll"):
            asset, name = boon.record(table), give.what.removeprefix("its ")
            if not give.what:
                found.append((boon.name(table), give.points))
            elif give.what == name:
                found.append((name, _number(table, name)))
            elif (stat := asset["options"].get(name, {}).get("value", "").lower()) in STATS:
                found.append((stat, _number(table, stat)))
            elif name == "health":
                found.append((f"{boon.name(table)}'s health", _own_number(asset, name)))
            else:
                meter = asset["meters"].get(name, {"name": name})
                found.append((str(meter["name"]).lower(), _own_number(asset, name)))
    return max(found, key=lambda pair: pair[1], default=None)


def before_the_roll(table: Draft, stat: str, track: str) -> Procedure:
    """Apply what ticked boons give before the roll, but only if they are for this stat. `track` is the move's track."""
    for boon in _ticked(table):
        for n, gift in enumerate(boon.gifts):
            if _before(gift) and gift.stats and stat in gift.stats:
                yield from _grant(table, boon, n, table.facts, track, "", now=True)


def lowered(table: Draft, what: str, amount: int) -> int:
    """Return what is left of `amount` after ticked boons have reduced it, at least 0. `what` is "harm" or "stress"."""
    gives = ((boon, give) for boon in _ticked(table) for gift in boon.gifts for give in gift.gives)
    less = sum(-_size(table, boon, give, {}, "") for boon, give in gives if give.what == what and _lowers(give))
    return max(0, amount - less)


def weapon(table: Draft) -> int | None:
    """Return the harm that ticked boons set for the weapon in this roll, the lowest if they differ.

    Return None if none of them sets it.
    """
    found = [
        give.points
        for boon in _ticked(table)
        for gift in boon.gifts
        if _holds(table, boon, gift, table.facts, str(table.facts.get("stat_used", "")))
        for give in gift.gives
        if give.kind == "weapon"
    ]
    return min(found, default=None)


# -- at the dice ----------------------------------------------------------------------------------------


def rerolls(table: Draft, facts: Mapping[str, Any]) -> list[tuple[Boon, str]]:
    """Return (boon, dice) for each boon that allows a reroll of the roll in `facts`.

    `dice` is a word of DICE or "any".
    """
    stat = str(facts.get("stat_used", ""))
    found = []
    for boon in (*_ticked(table), *_at_dice(table)):
        dice = [
            give.what
            for gift in boon.gifts
            if _holds(table, boon, gift, facts, stat) and (boon in _ticked(table) or _is_left(table, boon, gift))
            for give in gift.gives
            if give.kind == "reroll"
        ]
        if dice:
            found.append((boon, dice[0]))
    return found


def _is_left(table: Draft, boon: Boon, gift: Gift) -> bool:
    """Return True if the asset still has what a gift needs of it, which a ticked boon may have used up."""
    return all(_need(table, boon, need) is wanted for need, wanted in gift.needs if need.startswith("its "))


def ask_reroll_by(
    table: Draft, facts: dict[str, Any], again: Collection[str], all_dice: int, part: str, reason: str = ""
) -> Generator[Prompt, Answer, tuple[Boon | None, str]]:
    """Ask which boon gives the reroll of the dice in `again`; return (boon, what gives the reroll in words).

    `reason` is one that the move itself has, or "". The result is (None, `reason`) if that counts, and (None, "") if
    the players have another reason. Nothing is asked if the answer makes no difference. `facts` are those of the roll,
    `all_dice` is the number of its dice, and `part` the prefix of the prompt keys.
    """
    there = [boon for boon, dice in rerolls(table, facts) if _allows(dice, again, all_dice)]
    if not there:
        return None, reason
    alone = there[0] if len(there) == 1 else None
    if alone and not reason and not _has_price(table, alone):
        return alone, alone.name(table)
    options = [option(table, boon)._replace(reason="") for boon in there]  # a ticked one is used just now
    key = yield Pick(
        key=f"{part}reroll_by",
        title="Which ability gives the reroll?",
        options=(*options, *([Option("move", reason)] if reason else []), Option("none", "none of them")),
        likely=next((boon.key for boon in there if boon in _ticked(table)), None),
    )
    found = next((boon for boon in there if boon.key == key), None)
    return found, found.name(table) if found else reason if key == "move" else ""


def _allows(dice: str, again: Collection[str], all_dice: int) -> bool:
    """Return True if an ability that allows to reroll `dice` allows to reroll exactly the dice named in `again`.

    `dice` is a word of DICE or "any"; `all_dice` is the number of dice of the roll, for the word "all".
    """
    if len(again) != (all_dice if dice == "all" else 1 if dice.startswith("one") else len(again)):
        return False
    kind = dice.removeprefix("one_")
    return kind not in {"action", "challenge"} or all(name.startswith(kind) for name in again)


def _has_price(table: Draft, boon: Boon) -> bool:
    """Return True if anything but the dice changes when this boon gives a reroll."""
    late = boon in _at_dice(table)
    return any(_after_reroll(gift) or (late and (gift.once or _acts(gift))) for gift in boon.gifts)


def reroll_used(table: Draft, boon: Boon | None, facts: dict[str, Any]) -> None:
    """Remember the boon that gave a reroll, None for another reason.

    If the boon was not ticked before, mark it as used, and apply its price. `facts` are those of the roll.
    """
    table.notes[_REROLLED] = boon
    if boon is None or boon in _ticked(table):
        return
    _use_at_dice(table, boon, facts)
    for gift in boon.gifts:
        if _acts(gift) and any(give.kind == "reroll" for give in gift.gives):
            _give(table, boon, gift.ways[0], facts, "", now=True)


def ask_late(table: Draft, facts: dict[str, Any], part: str) -> Generator[Prompt, Answer, list[tuple[str, int]]]:
    """Ask for help that can be taken after the roll, and apply its price; return (name, points) of each add.

    `facts` are those of the roll, and `part` is the prefix of the prompt keys. Return [] without asking if nobody can
    help then.
    """
    stat = str(facts.get("stat_used", ""))
    late = []
    for boon in (*_ticked(table), *_at_dice(table)):
        gifts = tuple(gift for gift in boon.gifts if gift.after == ROLL and _holds(table, boon, gift, facts, stat))
        if points := _add(table, boon, gifts, ROLL):
            late.append((boon, gifts, points))
    if not late:
        return []
    keys = yield choose_any(
        key=f"{part}late_help",
        title="Help after the roll",
        options=tuple(
            Option(boon.key, f"{shown_line(boon.name(table), 20)} {signed(points)}", about=boon.words(table))
            for boon, _, points in late
        ),
    )
    found = []
    for boon, gifts, points in late:
        if boon.key in keys:
            if boon not in _ticked(table):
                _use_at_dice(table, boon, facts)
            found.append((boon.name(table), points))
            for gift in gifts:
                if _acts(gift):
                    yield from _grant(table, boon, boon.gifts.index(gift), facts, "", part, now=True)
    return found


def counted_as(table: Draft, facts: dict[str, Any]) -> Outcome | None:
    """Return the outcome that a ticked boon puts in place of the roll's, or None if none does.

    If there is one, the name of the asset is stored in the fact `counted_by`.
    """
    for boon in _ticked(table):
        for gift in boon.gifts:
            for give in gift.gives:
                if give.kind == "counts" and _holds(table, boon, gift, facts, str(facts.get("stat_used", ""))):
                    facts["counted_by"] = boon.name(table)
                    return _OUTCOMES[give.what]
    return None


# -- after the roll -------------------------------------------------------------------------------------


def gains(table: Draft, facts: dict[str, Any], track: str = "", part: str = "") -> Procedure:
    """Apply what boons give for the outcome in the facts.

    A change of a number is deferred, so that it is added to the change that the move itself makes. `track` is the id of
    the move's track, and `part` the prefix of the prompt keys.
    """
    stat = str(facts.get("stat_used", ""))
    for boon in (*_ticked(table), *_at_dice(table)):
        for n, gift in enumerate(boon.gifts):
            wanted = gift.may or _after_reroll(gift) or boon in _ticked(table)
            now = wanted and _acts(gift) and not _before(gift) and not gift.after
            if now and _holds(table, boon, gift, facts, stat):
                yield from _grant(table, boon, n, facts, track, part, now=False)


def more_options(table: Draft) -> int:
    """Return how many more options than usual each character can choose in the move, because of ticked boons."""
    return int(table.notes.get(_OPTIONS, 0))


def after_choice(table: Draft, chosen: Collection[str]) -> Procedure:
    """Apply what ticked boons give for the acting character's choices in the move; `chosen` holds their keys."""
    for boon in _ticked(table):
        for n, gift in enumerate(boon.gifts):
            if gift.after in chosen and _meant(table, boon, gift) and _holds(table, boon, gift, table.facts, ""):
                yield from _grant(table, boon, n, table.facts, "", f"{table.who}_", now=False)


def _holds(table: Draft, boon: Boon, gift: Gift, facts: Mapping[str, Any], stat: str) -> bool:
    """Return True if a boon's gift applies to the roll in the facts, with its outcome and conditions, and this stat.

    The dice count as rerolled only for the boon that gave the reroll.
    """
    outcome = str(facts.get("outcome", "")).replace(" ", "_")
    if (gift.outcomes and outcome not in gift.outcomes) or (gift.stats and stat and stat not in gift.stats):
        return False
    known = {
        "bonded": any(name == "bond" for name, _ in facts.get("plus", [])),
        "match": bool(facts.get("match")),
        "one": facts.get("action") == 1,
        "burned": "before_burn" in facts,
        "rerolled": "rerolled" in facts and table.notes.get(_REROLLED) == boon,
    }
    return all(known[need] is wanted for need, wanted in gift.needs if need in known)


def _grant(
    table: Draft, boon: Boon, number: int, facts: dict[str, Any], track: str, part: str, *, now: bool
) -> Procedure:
    """Apply the gift at the index `number` of a boon. If it has several ways or is optional, ask first.

    `facts` are those of the roll, `track` the id of the move's track or "", and `part` the prefix of the prompt keys.
    If `now` is False, changes of numbers are deferred and added to those that the move makes.
    """
    gift = boon.gifts[number]
    way = gift.ways[0]
    if len(gift.ways) > 1 or gift.may:
        name = shown_line(boon.name(table), 20)
        keys = yield Choose(
            key=f"{part}given.{boon.key}.{number}",
            title=f"{name}: choose one" if len(gift.ways) > 1 else name,
            options=tuple(
                Option(str(n), f"{name}: {_told(table, boon, one, facts, track)}", about=boon.words(table))
                for n, one in enumerate(gift.ways, 1)
            ),
            least=0 if gift.may else 1,
            most=1,
            default=[] if gift.may else None,
            quiet=gift.may and len(gift.ways) == 1,
            likely="1",
        )
        if not keys:
            return
        way = gift.ways[int(keys[0]) - 1]
        if boon in _at_dice(table):
            _use_at_dice(table, boon, facts)
    if any(give.kind == "change" and give.what == "harm" for give in way):
        track = yield from _ask_foe(table, boon, track, part)
    if any(give.source == "d6" for give in way):
        faces = yield Roll(
            key=f"{part}d6.{boon.key}", title=f"{shown_line(boon.name(table), 20)}: how much?", dice={"d6": 6}
        )
        facts["d6"] = faces["d6"]
    _give(table, boon, way, facts, track, now=now)
    facts.pop("d6", None)


def _ask_foe(table: Draft, boon: Boon, track: str, part: str) -> Generator[Prompt, Answer, str]:
    """Return the id of the fight in which harm is inflicted: `track` if it is a fight, else the only open one.

    Ask if several are open. Return "" if there is none.
    """
    fights = {i: t for i, t in table.state["tracks"].items() if t["kind"] == "fight" and t["status"] in OPEN}
    if track in fights or len(fights) < 2:
        return track if track in fights else next(iter(fights), "")
    foe: str = yield Pick(
        key=f"{part}foe.{boon.key}",
        title="Which foe is harmed?",
        options=tuple(Option(ident, shown_line(fight["name"]), fight["rank"]) for ident, fight in fights.items()),
        default=next(iter(fights)),
    )
    return foe


def _give(table: Draft, boon: Boon, way: Iterable[Give], facts: dict[str, Any], track: str, *, now: bool) -> None:
    """Apply the things in `way`, and add them to the fact `gave`.

    If `now` is False, changes of numbers are deferred and added to those that the move makes.
    """
    said = _told(table, boon, way, facts, track)
    for give in way:
        _apply(table, boon, give, facts, track, now=now)
    facts["gave"] = [*facts.get("gave", []), [boon.name(table), said]]


def _size(table: Draft, boon: Boon, give: Give, facts: Mapping[str, Any], track: str) -> int:
    """Return the points of one thing given, multiplied by the number in its `source`, and within its limit.

    The number may be a die's face in `facts`, or the rank of the track with the id `track`; without them it is 0.
    """
    if give.highest:
        whose = boon.owner if give.whose == "owner" else table.who
        now = int(table.state["party"][whose][give.what])
        return max(0, min(_size(table, boon, give._replace(highest=0), facts, track), give.highest - now))
    source = give.source
    if not source:
        return give.points
    if source.startswith("its "):
        return give.points * _own_number(boon.record(table), source.removeprefix("its "))
    if source in {"action", "d6"}:
        return give.points * int(facts.get(source, 0))
    if source == "rank":
        return give.points * (RANKS[table.state["tracks"][track]["rank"]].number if track else 0)
    return give.points * _number(table, source)


def _apply(table: Draft, boon: Boon, give: Give, facts: dict[str, Any], track: str, *, now: bool) -> None:
    points = _size(table, boon, give, facts, track)
    at = f"{boon.owner}.assets.{boon.asset}"
    match give.kind:
        case "change":
            everyone = give.whose == "all" and give.what != "supply"
            one = boon.owner if give.whose == "owner" else table.who
            for who in living(table.state) if everyone else [one]:
                _change(table, who, give.what, points, facts, track, now=now)
        case "meter" | "most":
            field = {"meter": "value", "most": "most"}[give.kind]
            own = {"meter": "health", "most": "max"}[give.kind]
            companion = give.what == "health" and boon.record(table)["max"]
            path = f"{at}.{own}" if companion else f"{at}.meters.{give.what}.{field}"
            table.to(path, points) if give.exact else table.by(path, points)
        case "flag":
            table.to(f"{at}.flags.{give.what}.on", bool(points))
        case "option":
            table.to(f"{at}.options.{give.what}.value", give.choice.replace("_", " "))
        case "next":
            table.mine(f"waiting.{give.what}", points)
        case "due":
            owe(table, give.what)
        case "initiative":
            begun = bool(track) and table.state["tracks"][track]["kind"] == "fight"
            if begun or table.me["initiative"] != "none":
                table.finally_to(f"{table.who}.initiative", give.what)
        case "mark" | "clear":
            itself = give.what == ITSELF
            whose, debility = (boon.owner, own_debility(boon.asset)) if itself else (table.who, give.what)
            there = debility in table.state["party"][whose]["debilities"]
            if give.kind == "mark" and not there:
                table.add(f"{whose}.debilities", {"id": debility})
            elif give.kind == "clear" and there:
                table.drop(f"{whose}.debilities", debility)


_FIELDS = {"experience": "xp", "bonds": "bond_ticks"}
"""Fields of a character that have another name in gifts."""


def _change(table: Draft, who: str, what: str, points: int, facts: dict[str, Any], track: str, *, now: bool) -> None:
    if what == "stress":
        owe(table, f"endure_stress_{points}")
        return
    if what in {"harm", "progress"}:
        if not track:
            return
        rank = table.state["tracks"][track]["rank"]
        path = f"tracks.{track}.ticks"
        if what == "harm":
            facts["harm"] = facts.get("harm", 0) + points
            facts.setdefault("foe", rank)
        points *= RANKS[rank].ticks
    elif what == "patient":
        path = str(table.notes.get(PATIENT, ""))
        if not path:
            return
    elif what == "options":
        table.notes[_OPTIONS] = more_options(table) + points
        return
    elif what == "companions":
        heal_companions(table, who, points)
        return
    else:
        path = "supply" if what == "supply" else f"{who}.{_FIELDS.get(what, what)}"
    (table.by if now else table.gain)(path, points)


def _told(table: Draft, boon: Boon, way: Iterable[Give], facts: Mapping[str, Any], track: str) -> str:
    gives = (give for give in way if give.kind not in _IN_THE_ROLL)
    return ", ".join(_said(table, boon, give, _size(table, boon, give, facts, track)) for give in gives)


def _said(table: Draft, boon: Boon, give: Give, points: int) -> str:
    """Return one thing given, with these points, in a few words for the player, such as "momentum +1"."""
    match give.kind:
        case "change":
            words = {"patient": "their health", "companions": "companions’ health"}.get(give.what, give.what)
            size = "+d6" if give.source == "d6" and not points else signed(points)
            owner = shown_line(table.state["party"][boon.owner]["name"], 20)
            whose = {"all": "everyone: ", "owner": f"{owner}: "}.get(give.whose, "")
            return f"{whose}{words} {size}"
        case "meter" | "most":
            meter = boon.record(table)["meters"].get(give.what, {"name": give.what})
            most = "most " if give.kind == "most" else ""
            return f"{most}{shown_line(str(meter['name']), 20).lower()} {points if give.exact else signed(points)}"
        case "flag":
            flag = boon.record(table)["flags"].get(give.what, {"name": give.what})
            return f"{shown_line(str(flag['name']), 20).lower()} {'marked' if points else 'cleared'}"
        case "option":
            return give.choice.replace("_", " ")
        case "next":
            return f"+{points} on {'the next move' if give.what == ANY_MOVE else owed_label(give.what)}"
        case "due":
            return f"due: {owed_label(give.what)}"
        case "initiative":
            return "you have initiative" if give.what == "you" else "foe has initiative"
        case "mark" | "clear" if give.what == ITSELF:
            return COUNTS if give.kind == "mark" else COUNTS_NO_LONGER
        case _:
            return f"{give.what} {'marked' if give.kind == 'mark' else 'cleared'}"


# -- outside rolls --------------------------------------------------------------------------------------


def use_by_hand(table: Draft, boon: Boon) -> Procedure:
    """Record that a boon was used outside a move, and apply what it gives; ask where it leaves a choice."""
    _use(table, boon)
    for n in range(len(boon.gifts)):
        yield from _grant(table, boon, n, table.facts, "", "", now=True)


def give_back(table: Draft, period: str) -> None:
    """End a period such as "fight": let all characters use again what could be used once in it."""
    for who, one in table.state["party"].items():
        for ident, asset in one["assets"].items():
            for mark, used in asset["used"].items():
                if used["period"] == period:
                    table.drop(f"{who}.assets.{ident}.used", mark)


def when_marked(table: Draft, who: str, asset: str, ability: str) -> None:
    """Apply what an ability gives at once when it is marked. `asset` is the id of an asset of the character `who`.

    `ability` is one of ABILITIES. If an ability gives one of several ways, the first applies; guesses do not.
    """
    me, table.who = table.who, who
    for boon in _of_ability(table, (who, asset, ability), {MARKED}, ()):
        if not boon.guess:
            for gift in boon.gifts:
                _give(table, boon, gift.ways[0], {}, "", now=True)
    table.who = me
