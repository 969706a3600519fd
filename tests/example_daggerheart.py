"""The evening of saves/example-daggerheart.toml: Wren and Boro on the wolf road."""

from __future__ import annotations

from typing import Any


def duality(hope: int, fear: int, **more: int) -> dict[str, int]:
    return {"hope": hope, "fear": fear, **more}


EVENING: list[tuple[Any, ...]] = [
    (
        "",
        "character/make",
        {
            "how": "choose",
            "name": "Wren",
            "class": "ranger",
            "two": "agility",
            "ones": ["finesse", "instinct"],
            "minus": "knowledge",
            "experience_1": "Wolf-road guide",
            "experience_2": "Reads a lie",
            "armor": "leather",
            "weapon": "Longbow",
            "weapon_trait": "agility",
            "weapon_damage": "d8+3",
            "weapon_range": "very far",
        },
    ),
    (
        "",
        "character/make",
        {
            "how": "choose",
            "name": "Boro",
            "class": "guardian",
            "two": "strength",
            "ones": ["presence", "instinct"],
            "minus": "finesse",
            "experience_1": "Sled-hauler",
            "experience_2": "Nobody's fool",
            "armor": "chainmail",
            "weapon": "Ice axe",
            "weapon_trait": "strength",
            "weapon_damage": "d8+1",
        },
    ),
    ("wren", "sheet/item", {"name": "minor health potion"}),
    (
        "wren",
        "sheet/card",
        {"name": "Snowblind", "note": "one of them loses sight of me for a while", "domain": "sage"},
    ),
    ("", "story/scene", {"title": "the wolf road"}),
    ("wren", "Three days over the pass with a sled full of salt. On the second, something began to follow."),
    (
        "",
        "gm/adversary",
        {
            "name": "The gray one",
            "type": "leader",
            "difficulty": 14,
            "major": 8,
            "severe": 14,
            "hp_max": 6,
            "stress_max": 4,
            "attack": 2,
            "damage": "d8+3",
            "note": "limps, and hates us for it",
        },
    ),
    (
        "",
        "gm/adversary",
        {
            "name": "Snow wolves",
            "type": "skulk",
            "difficulty": 12,
            "major": 5,
            "severe": 9,
            "hp_max": 4,
            "attack": 1,
            "damage": "d6+2",
        },
    ),
    ("", "gm/experience", {"adversary": "the_gray_one", "name": "Ambush", "bonus": 2}),
    ("", "countdown/begin", {"name": "The pack closes in", "kind": "standard", "start": 6}),
    ("", "countdown/begin", {"name": "The storm breaks", "kind": "long_term", "start": 4}),
    ("boro", "action/roll", {"trait": "strength", "difficulty": 13, "dice": duality(7, 8)}),
    ("boro", "The sled holds. My shoulder does not: I will feel that tomorrow."),
    (
        "",
        "gm/attack",
        {"adversary": "snow_wolves", "targets": ["boro"], "dice": {"d20": [14]}, "damage": {"damage": [4]}},
    ),
    ("boro", "harm/take", {"amount": 6, "armor": "slot_1"}),
    ("", "gm/spotlight", {"to": "players"}),
    (
        "wren",
        "action/attack",
        {
            "targets": ["the_gray_one"],
            "experiences": ["wolf_road_guide"],
            "help": ["boro"],
            "dice": duality(9, 4, help_boro=3),
            "damage": {"damage": [6]},
        },
    ),
    ("wren", "I am up on the rock before the gray one can turn. The arrow goes in behind the shoulder."),
    ("wren", "action/roll", {"trait": "agility", "difficulty": 15, "dice": duality(3, 5)}),
    ("wren", "The rock is ice. I go down on the wrong side of it."),
    ("", "gm/spend_fear", {"on": "extra_spotlight"}),
    (
        "",
        "gm/attack",
        {
            "adversary": "the_gray_one",
            "targets": ["wren"],
            "experiences": ["ambush"],
            "dice": {"d20": [12]},
            "damage": {"damage": [5]},
        },
    ),
    ("wren", "harm/take", {"amount": 8, "armor": "take"}),
    ("wren", "harm/stress", {"amount": 1}),
    ("", "gm/spotlight", {"to": "players"}),
    ("wren", "It stands over me and does not bite. Boro is shouting its name, as if it had one."),
]
