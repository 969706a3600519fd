"""Assets: taken from the content or typed in, named, upgraded and lost."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from tracker.games.api.content import Ability, Asset, AssetOption
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Number, Option, Pick, Prompt, Text
from tracker.games.api.schema import is_id
from tracker.games.ironsworn.asset_bonuses import when_marked
from tracker.games.ironsworn.state import (
    ABILITIES,
    KINDS,
    OWN_ASSET,
    TYPED_ABILITIES,
    abilities,
    ability_line,
    called,
    can_upgrade,
    in_lines,
    own_debility,
)
from tracker.text import shown_line


def record(asset: Asset, note: str = "") -> dict[str, Any]:
    """Convert an asset of the content to a record for the state. `note` is the player's note on it.

    The record includes the texts of the abilities, so that a save does not depend on content files.
    """
    new: dict[str, Any] = {
        "name": asset.name,
        "kind": asset.kind,
        "note": note,
        "health": asset.health,
        "max": asset.health,
        **{name: _ability(ability) for name, ability in zip(ABILITIES, asset.abilities, strict=False)},
    }
    if asset.needs:
        new["needs"] = asset.needs
    if asset.shared:
        new["shared"] = True
    if asset.meters:
        new["meters"] = {
            one.id: {"name": one.name, "value": one.value, "least": one.least, "most": one.most, "kind": one.kind}
            for one in asset.meters
        }
    if asset.flags:
        new["flags"] = {one.id: {"name": one.name, "on": one.on} for one in asset.flags}
    if asset.options:
        new["options"] = {one.id: {"name": one.name, "value": ""} for one in asset.options}
    return new


def _ability(ability: Ability) -> dict[str, Any]:
    record: dict[str, Any] = {"text": ability.text, "on": ability.marked, "gives": ", ".join(ability.gives)}
    more = {"name": ability.name, "guesses": ", ".join(ability.guesses)}
    return record | {key: value for key, value in more.items() if value}


def asset_id(table: Draft, ident: str, name: str, held: Mapping[str, Any]) -> str:
    """Return the id for a new asset in the state: `ident`, or if that cannot be used, one made from `name`.

    `ident` is the asset's id in the content, and `held` are the assets that the character has, by id.
    """
    return ident if is_id(ident) and ident not in held else table.new_id(name, held)


def offered(table: Draft) -> tuple[Option, ...]:
    """Return all assets of the content as options, sorted by kind. Those that the character has are disabled."""
    held = {asset["name"] for asset in table.me["assets"].values()} if table.who else set()
    kinds = {kind: n for n, kind in enumerate(KINDS)}
    assets = sorted(table.content().assets.values(), key=lambda asset: (kinds.get(asset.kind, len(kinds)), asset.kind))
    return tuple(
        Option(
            asset.id,
            shown_line(asset.name),
            f"{asset.kind}, health {asset.health}" if asset.health else asset.kind,
            "already yours" if asset.name in held else "",
            about="\n".join(_card(asset)),
        )
        for asset in assets
    )


def _card(asset: Asset) -> Iterator[str]:
    """Yield the lines of an asset's card: its requirement, its abilities, and the work that it was published in."""
    if asset.needs:
        yield in_lines(asset.needs)
    for ability in asset.abilities:
        name = f"{shown_line(ability.name)}: " if ability.name else ""
        yield f"{'■' if ability.marked else '□'} {name}{in_lines(ability.text)}"
    if asset.source.title:
        yield f"From {shown_line(asset.source.title)}."


def ask_new_asset(table: Draft) -> Procedure:
    """Ask for an asset of the content, or for one in the player's words, and add it to the acting character."""
    options = offered(table)
    free = next((option.key for option in options if not option.reason), OWN_ASSET)
    ident = yield Pick(
        key="asset",
        title="Which asset?",
        options=(*options, Option(OWN_ASSET, "one of your own", "you type its text", hot="0")),
        default=free,
    )
    if ident == OWN_ASSET:
        new = yield from _typed_in()
    else:
        new = yield from taken(table.content().assets[ident])
    add_asset(table, table.who, {"id": table.new_id(new["name"], table.me["assets"]), **new})


def add_asset(table: Draft, who: str, new: dict[str, Any]) -> None:
    """Add an asset, a record with its "id", to the character `who`.

    What its marked abilities give at once is applied too.
    """
    table.add(f"{who}.assets", new)
    for ability in ABILITIES:
        if new.get(ability, {}).get("on"):
            when_marked(table, who, new["id"], ability)


def taken(asset: Asset, part: str = "") -> Generator[Prompt, Answer, dict[str, Any]]:
    """Return the record of a new asset. Ask for its note, the answers to its questions and its first ability, if any.

    The first ability is asked for only if none is marked from the start.
    `part` is the prefix of the prompt keys, so that a procedure can take several assets.
    """
    note = ""
    if asset.asks:
        note = yield Text(key=f"{part}note", title=_details(asset), empty=True, default="")
    new = record(asset, note)
    for option in asset.options:
        new["options"][option.id]["value"] = yield _ask_option(asset, option, part)
    if asset.abilities and not any(ability.marked for ability in asset.abilities):
        first = yield Pick(
            key=f"{part}ability",
            title=f"{shown_line(asset.name)}: which ability first?",
            options=tuple(
                Option(name, shown_line(ability_line(ability.name, ability.text)), about=in_lines(ability.text))
                for name, ability in zip(ABILITIES, asset.abilities, strict=False)
            ),
            default=ABILITIES[0],
        )
        new[first]["on"] = True
    return new


def _ask_option(asset: Asset, option: AssetOption, part: str) -> Prompt:
    title = f"{shown_line(asset.name)}: {shown_line(option.name)}"
    key = f"{part}{option.id}"
    if not option.choices:
        return Text(key=key, title=title, most=200, empty=True, default="")
    choices = tuple(Option(choice, shown_line(choice)) for choice in option.choices)
    return Pick(key=key, title=title, options=choices, default=option.choices[0])


def _typed_in() -> Generator[Prompt, Answer, dict[str, Any]]:
    name = yield Text(key="name", title="What is it called?")
    kinds = tuple(Option(kind, kind, hot=hot) for kind, hot in zip(KINDS, "cptr", strict=True))
    kind = yield Pick(key="kind", title="What kind?", options=kinds)
    new: dict[str, Any] = {"name": name, "kind": kind}
    if kind == "companion":
        health = yield Number(key="health", title="Its health?", low=1, high=5, default=4)
        new |= {"health": health, "max": health}
    for number, ability in enumerate(TYPED_ABILITIES, 1):
        text = yield Text(
            key=ability,
            title=f"Ability {number}, in your words{' (optional)' if number > 1 else ''}",
            most=200,
            empty=number > 1,
            default="",
        )
        new[ability] = {"text": text, "on": number == 1}
    return new


def _held_options(held: Mapping[str, Any]) -> tuple[Option, ...]:
    return tuple(Option(key, shown_line(called(one)), shown_line(one["kind"])) for key, one in held.items())


def ask_upgrade(table: Draft) -> Procedure:
    """Ask for an asset and an unmarked ability of it, and mark the ability.

    The acting character must have an asset with an unmarked ability.
    """
    open_ones = can_upgrade(table.me)
    ident = yield Pick(
        key="asset",
        title="Which asset?",
        options=_held_options(open_ones),
        default=next(iter(open_ones)),
    )
    unmarked = [name for name in abilities(open_ones[ident]) if not open_ones[ident][name]["on"]]
    ability = yield Pick(
        key="ability",
        title="Which ability?",
        options=tuple(
            Option(name, shown_line(ability_line(one["name"], one["text"])) or name, about=in_lines(one["text"]))
            for name in unmarked
            for one in [open_ones[ident][name]]
        ),
        default=unmarked[0],
    )
    table.to(f"{table.who}.assets.{ident}.{ability}.on", True)
    when_marked(table, table.who, ident, ability)
    table.facts["track"] = called(open_ones[ident])


def _ask_held(table: Draft, title: str) -> Pick:
    """Return the prompt for one of the character's assets. Raise Refused if there is none."""
    held = table.me["assets"]
    if not held:
        raise Refused("No assets yet: take one first.")
    return Pick(
        key="asset",
        title=title,
        options=_held_options(held),
        default=next(iter(held)),
        quiet=len(held) == 1,
    )


def name_asset(table: Draft) -> Procedure:
    """Ask for an asset and a name for it, such as that of a companion. An empty answer removes the old name.

    Raise Refused if there is no asset.
    """
    ident = yield _ask_held(table, "Which asset?")
    asset = table.me["assets"][ident]
    name = yield Text(
        key="note",
        title=f"What is the {shown_line(asset['name'])} called?",
        hint=shown_line(asset["note"]),
        default=asset["note"],
        empty=True,
    )
    table.to(f"{table.who}.assets.{ident}.note", name)


def lose_asset(table: Draft) -> Procedure:
    """Ask for an asset and remove it. The experience spent on it stays spent. Raise Refused if there is no asset."""
    ident = yield _ask_held(table, "Which asset do you lose?")
    table.facts["track"] = called(table.me["assets"][ident])
    if own_debility(ident) in table.me["debilities"]:
        table.drop(f"{table.who}.debilities", own_debility(ident))
    table.drop(f"{table.who}.assets", ident)


def _details(asset: Asset) -> str:
    """Return the title of the prompt for the player's note on an asset: "What's the Moor Pony's name? (optional)"."""
    name, asks = shown_line(asset.name), shown_line(asset.asks)
    if asks == "Its name":
        return f"What's the {name}'s name? (optional)"
    return f"{asks if asks.endswith('?') else f'{name}: {asks}'} (optional)"
