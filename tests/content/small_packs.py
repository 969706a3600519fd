"""A small Datasworn pack of our own writing, in the three generations of the format."""

import json
from typing import Any

GENERATIONS = ("0.0.10", "0.1.0", "0.2.0")
BY, NC = "https://creativecommons.org/licenses/by/4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0"
KINDS = {
    "move": "moves",
    "asset": "assets",
    "oracle_rollable": "oracles",
    "npc": "npcs",
    "truth": "truths",
    "atlas_entry": "atlas",
    "delve_site": "delve_sites",
    "delve_site_theme": "site_themes",
    "delve_site_domain": "site_domains",
    "rarity": "rarities",
}


def fen(version: str = "0.2.0", ident: str = "fen") -> dict[str, Any]:
    """Return the pack as the JSON of this generation; the same content in each."""
    old = version == "0.0.10"

    def ref(kind: str, path: str) -> str:
        return f"{ident}/{KINDS[kind]}/{path}" if old else f"{kind}:{ident}/{path}"

    def link(label: str, kind: str, path: str) -> str:
        return f"[{label}]({'id' if old else 'datasworn'}:{ref(kind, path)})"

    def source(page: int, license_: str = BY) -> dict[str, Any]:
        return {
            "title": "The Fen",
            "authors": [{"name": "Ada Reed"}, {"name": "Bo Marsh"}],
            "date": "2026-01-01",
            "url": "https://fen.example",
            "license": license_,
            "page": page,
        }

    def row(first: int | None, last: int | None, **more: Any) -> dict[str, Any]:
        if old:
            return {"min": first, "max": last, **more}
        return {"roll": None if first is None else {"min": first, "max": last}, **more}

    def further(path: str | None, times: int = 1, duplicates: str = "reroll", *, auto: bool = True) -> dict[str, Any]:
        oracle = None if path is None else ref("oracle_rollable", path)
        return {"oracle": oracle, "auto": auto, "duplicates": duplicates, "dice": None, "number_of_rolls": times}

    def table(kind: str, path: str, name: str, *rows: dict[str, Any], **more: Any) -> dict[str, Any]:
        made = {"_id": ref(kind, path), "type": "oracle_rollable", "name": name, "rows": list(rows)}
        return {"dice": "1d100", "oracle_type": "table_text", **made, **more}

    depth = ("Shallow", 1, 60), ("Deep", 61, 100)
    sinking = [row(first, last, text=text) for text, first, last in depth]
    wade: dict[str, Any] = {
        "_id": ref("move", "marsh/wade"),
        "name": "Wade",
        "roll_type": "action_roll",
        "text": f"When __you wade__, roll +iron, or {link('Face Danger', 'move', 'adventure/face_danger')}.",
        "outcomes": {
            "strong_hit": {"text": "On a __strong hit__, take +1 momentum."},
            "weak_hit": {"text": "On a __weak hit__, suffer -1 supply."},
            "miss": {"text": "On a __miss__, you sink."},
        },
        "_source": source(3),
    }
    danger = {"_id": ref("move", "adventure/face_danger"), "name": "Face Danger", "text": "Risk.", "outcomes": None}
    moves: dict[str, Any] = {
        "marsh": {"name": "Marsh moves", "_source": source(2), "contents": {"wade": wade}},
        "adventure": {"name": "Adventure", "_source": source(2), "contents": {"face_danger": danger}},
    }
    sink = {
        "_id": f"{ident}/assets/companion/otter/abilities/1/moves/dive"
        if old
        else f"asset.ability.move:{ident}/companion/otter.1.dive",
        "name": "Dive",
        "text": "When your otter dives, roll +wits.",
        "outcomes": {key: {"text": key} for key in ("strong_hit", "weak_hit", "miss")},
    }
    otter = {
        "_id": ref("asset", "companion/otter"),
        "name": "Otter",
        "category": "Companion",
        "shared": False,
        "requirement": "Your otter swims.",
        "options": {
            "name": {"label": "name", "field_type": "text", "value": None},
            "linked stat": {
                "label": "linked stat",
                "field_type": "select_value",
                "choices": {
                    "edge": {"label": "quick", "choice_type": "choice", "stat": "edge", "using": "stat"},
                    "wits": {"label": "clever", "choice_type": "choice", "stat": "wits", "using": "stat"},
                },
            },
        },
        "controls": {
            "health": {
                "label": "health",
                "field_type": "condition_meter",
                "min": 0,
                "max": 4,
                "value": 4,
                "controls": {"lost": {"label": "lost", "field_type": "checkbox", "value": False}},
            },
            "fish": {"label": "fish", "field_type": "condition_meter", "min": 0, "max": 3, "value": 1},
        },
        "abilities": [
            {
                "name": "Swift",
                "text": f"Add +1 when you {link('Wade', 'move', 'marsh/wade')}.",
                "enabled": True,
                "controls": {"tide": {"label": "tide", "field_type": "clock", "min": 0, "max": 6, "value": 0}},
            },
            {"text": "It dives.", "enabled": False, "moves": {"dive": sink}},
        ],
        "_source": source(9),
    }
    bog = {
        "omen": table(
            "oracle_rollable",
            "bog/omen",
            "Omen",
            row(1, 40, text="A light", text2="far off"),
            row(
                41, 90, text=f"See {link('Depth', 'oracle_rollable', 'bog/depth')}", oracle_rolls=[further("bog/depth")]
            ),
            row(91, 100, text="Roll twice", oracle_rolls=[further(None, 2)]),
            summary="What the bog shows.",
            column_labels={"text": "Sign", "text2": "Where"},
            _source=source(20),
        ),
        "depth": table(
            "oracle_rollable",
            "bog/depth",
            "Depth",
            row(1, 6, text="Knee"),
            row(7, 20, text="Chest", oracle_rolls=[further("bog/omen", auto=False)]),
            row(None, None, text="You choose"),
            dice="1d20",
            _source=source(21, NC),
        ),
    }
    names = {
        "name": "Fen Names",
        "oracle_type": "table_shared_rolls",
        "column_labels": {"roll": "Roll"},
        "_source": source(22, NC),
        "contents": {
            key: table(
                "oracle_rollable", f"bog/names/{key}", key.title(), row(1, 100, text=text), oracle_type="column_text"
            )
            for key, text in (("first", "Reed"), ("last", "Moss"))
        },
    }
    oracles: dict[str, Any] = {
        "bog": {"name": "Bog", "_source": source(19), "contents": bog, "collections": {"names": names}}
    }
    if old:
        wade["oracles"] = [ref("oracle_rollable", "moves/sinking")]
        wade["text"] += f"\n\n{{{{table:{ident}/oracles/moves/sinking}}}}"
        inner = table("oracle_rollable", "moves/sinking", "Sinking", *sinking)
        oracles["moves"] = {"name": "Move tables", "contents": {"sinking": inner}}
    else:
        inner = table("oracle_rollable", "", "Sinking", *sinking)
        inner["_id"] = f"move.oracle_rollable:{ident}/marsh/wade.sinking"
        wade["oracles"] = {"sinking": inner}
        wade["text"] += f"\n\n{{{{table>move.oracle_rollable:{ident}/marsh/wade.sinking}}}}"
    eel = {
        "_id": ref("npc", "beasts/eel"),
        "name": "Bog Eel",
        "rank": 3,
        "nature": "Beast",
        "features": ["Long", "Slick"],
        "drives": ["Feed"],
        "tactics": ["Coil"],
        "description": "It waits under the reeds.",
        "quest_starter": "Someone fed it.",
        "variants": {
            "brood": {
                "_id": f"{ident}/npcs/beasts/eel/variants/brood" if old else f"npc.variant:{ident}/beasts/eel.brood",
                "name": "Eel Brood",
                "rank": 1,
                "nature": "Beast",
                "description": "Many small ones.",
            }
        },
        "_source": source(30, NC),
    }
    options: list[dict[str, Any]] = [
        {**row(1, 50, description="The water rises."), "summary": "Rising", "quest_starter": "Why?"},
        {**row(51, 100, description="The water falls."), "quest_starter": "Where to?"},
    ]
    cause = row(1, 100, text="A broken dam")
    if old:
        options[1]["table"] = {"oracle_type": "table_text", "dice": "1d100", "rows": [cause]}
    else:
        options[1]["oracles"] = {"cause": table("oracle_rollable", "", "Cause", cause)}
        options[1]["oracles"]["cause"]["_id"] = f"truth.option.oracle_rollable:{ident}/water.1.cause"
    theme: dict[str, Any] = {"name": "Sunken", "summary": "Under water.", "_source": source(40)}
    theme |= {"features": [row(1, 20, text="A flooded hall")], "dangers": [row(1, 30, text="The roof gives way")]}
    domain: dict[str, Any] = {"name": "Weir", "summary": "A dam.", "_source": source(41)}
    domain |= {"features": [row(21, 100, text="Rotten gates")], "dangers": [row(31, 45, text="A flood")]}
    site = {
        "name": "Old Weir",
        "rank": 2,
        "region": ref("atlas_entry", "lowlands/reeds"),
        "theme": ref("delve_site_theme", "sunken"),
        "domain": ref("delve_site_domain", "weir"),
        "description": "It still holds.",
        "denizens": [
            {**row(1, 60), "npc": ref("npc", "beasts/eel"), "frequency": "very_common"},
            {**row(61, 100), "frequency": "rare"},
        ],
        "_source": source(42, NC),
    }
    pack = {
        "_id": ident,
        "datasworn_version": version,
        "type": "ruleset",
        **source(0),
        "moves": moves,
        "assets": {"companion": {"name": "Companions", "_source": source(8), "contents": {"otter": otter}}},
        "oracles": oracles,
        "npcs": {"beasts": {"name": "Beasts", "contents": {"eel": eel}}},
        "truths": {"water": {"name": "Water", "dice": "1d100", "options": options, "_source": source(50, NC)}},
        "atlas": {
            "lowlands": {
                "name": "Lowlands",
                "contents": {
                    "reeds": {
                        "_id": ref("atlas_entry", "lowlands/reeds"),
                        "name": "The Reeds",
                        "summary": "Wet.",
                        "description": "Reeds and more reeds.",
                        "features": ["Mist"],
                        "quest_starter": "A boat is gone.",
                        "_source": source(60, NC),
                    }
                },
            }
        },
        "rarities": {
            "hook": {
                "_id": ref("rarity", "hook"),
                "name": "Eel Hook",
                "asset": ref("asset", "companion/otter"),
                "xp_cost": 3,
                "description": "It never lets go.",
                "_source": source(70, NC),
            }
        },
        "site_themes": {"sunken": {"_id": ref("delve_site_theme", "sunken"), **theme}},
        "site_domains": {"weir": {"_id": ref("delve_site_domain", "weir"), **domain}},
        "delve_sites": {"old_weir": {"_id": ref("delve_site", "old_weir"), **site}},
    }
    del pack["page"]
    return pack


def data(pack: Any) -> bytes:
    return json.dumps(pack).encode()
