"""What somebody has: weapons, armor, cards, Experiences, features, things and gold."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.games.base import Draft, Procedure, new_id
from tracker.games.daggerheart.advance import add_card, add_experience
from tracker.games.daggerheart.asking import ask_belonging
from tracker.games.daggerheart.beings import gold_words, loadout
from tracker.games.daggerheart.layout import GOLD_MOST, LOADOUT, REFRESH
from tracker.games.prompts import Number, Option, Pick, Refused, Text
from tracker.games.words import arrow
from tracker.text import shown_line


def take_card(table: Draft) -> Procedure:
    """A domain card: its name, and what you want to remember of it."""
    name = yield Text(key="name", title="Which card", hint="the name on it")
    note = yield Text(key="note", title="What it does, in your words", most=200, empty=True, default="")
    domain = yield Text(key="domain", title="its domain", empty=True, default="", quiet=True)
    level = yield Number(key="level", title="its level", low=1, high=10, default=1, quiet=True)
    recall = yield Number(key="recall", title="its Recall Cost", low=0, high=9, default=0, quiet=True)
    add_card(table, name, note=note, domain=domain, level=level, recall=recall)


def swap_card(table: Draft) -> Procedure:
    """Into the vault, or out of it; outside a rest the Recall Cost is paid in Stress."""
    ident = yield ask_belonging(table, "cards", "card", "Which card")
    card = table.me["cards"][ident]
    if card["vault"]:
        cost = yield Number(key="recall", title="Stress to pay", low=0, high=9, default=card["recall"], quiet=True)
        if cost > table.me["stress_max"] - table.me["stress"]:
            raise Refused(f"This costs {cost} Stress, and that does not fit.")
        if loadout(table.me) >= LOADOUT:
            raise Refused(f"The loadout holds {LOADOUT} cards: put one away first.")
        table.mine("stress", cost)
    table.to(f"{table.who}.cards.{ident}.vault", not card["vault"])


def take_experience(table: Draft) -> Procedure:
    """Something you are good at."""
    name = yield Text(key="name", title="Which Experience", hint="Sailor")
    bonus = yield Number(key="bonus", title="How much it adds", low=1, high=9, default=2)
    add_experience(table, table.who, name, bonus)


def take_feature(table: Draft) -> Procedure:
    """A feature with something to count, or to use now and then."""
    name = yield Text(key="name", title="Which feature", hint="Rally")
    note = yield Text(key="note", title="What it does, in your words", most=200, empty=True, default="")
    refresh = yield Pick(
        key="refresh", title="Fresh again after", options=tuple(Option(r, r) for r in REFRESH), default=REFRESH[0]
    )
    ident = new_id(name, table.me["features"])
    table.add(f"{table.who}.features", {"id": ident, "name": name, "note": note, "refresh": refresh})


def take_item(table: Draft) -> Procedure:
    """Something to carry."""
    name = yield Text(key="name", title="What is it?", hint="minor health potion")
    many = yield Number(key="many", title="How many", low=1, high=99, default=1, quiet=True)
    table.add(f"{table.who}.items", {"id": new_id(name, table.me["items"]), "name": name, "many": many})


_SORTS: Mapping[str, str] = {
    "weapons": "weapon",
    "cards": "card",
    "experiences": "Experience",
    "features": "feature",
    "items": "item",
}


def let_go(table: Draft) -> Procedure:
    """It is gone: lost, given away, forgotten."""
    options = tuple(
        Option(f"{sort}.{ident}", shown_line(one["name"]), word)
        for sort, word in _SORTS.items()
        for ident, one in table.me[sort].items()
    )
    if not options:
        raise Refused("There is nothing to let go of.")
    chosen = yield Pick(key="thing", title="What is gone", options=options)
    sort, ident = chosen.split(".")
    table.drop(f"{table.who}.{sort}", ident)


# -- gold -----------------------------------------------------------------------------------------------


def gold(table: Draft) -> Procedure:
    """Ten handfuls are a bag, ten bags a chest; more than one chest nobody carries."""
    handfuls = yield Number(key="handfuls", title="Handfuls gained", low=0, high=GOLD_MOST, default=0)
    bags = yield Number(key="bags", title="bags", low=0, high=19, default=0, quiet=True)
    chests = yield Number(key="chests", title="chests", low=0, high=1, default=0, quiet=True)
    gained = handfuls + 10 * bags + 100 * chests
    if not gained:
        raise Refused("No gold was named.")
    if table.me["gold"] + gained > GOLD_MOST:
        raise Refused(f"There is no room for it: nobody carries more than {gold_words(GOLD_MOST)}.")
    _told(table, gained)


def spend_gold(table: Draft) -> Procedure:
    """Larger units are changed by themselves."""
    handfuls = yield Number(key="handfuls", title="Handfuls spent", low=0, high=GOLD_MOST, default=0)
    bags = yield Number(key="bags", title="bags", low=0, high=19, default=0, quiet=True)
    spent = handfuls + 10 * bags
    if not spent:
        raise Refused("No gold was named.")
    if spent > table.me["gold"]:
        raise Refused(f"There is only {gold_words(table.me['gold'])}.")
    _told(table, -spent)


def _told(table: Draft, points: int) -> None:
    before = table.me["gold"]
    table.mine("gold", points)
    table.facts["told"] = arrow(gold_words(before), gold_words(table.me["gold"]))
