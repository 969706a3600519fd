"""Checks an export in JSON against docs/export.schema.json, with the part of JSON Schema that is used there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "export.schema.json").read_text(encoding="utf-8")
)
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def check(value: Any, schema: dict[str, Any] = SCHEMA, at: str = "$") -> None:
    """Raise AssertionError, with the place, if the value does not fit the schema.

    Other programs must take keys that they don't know; here a key that the schema doesn't explain is an error.
    """
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if kinds := schema.get("type"):
        kinds = [kinds] if isinstance(kinds, str) else kinds
        fits = any(isinstance(value, TYPES[kind]) and (kind == "boolean") == isinstance(value, bool) for kind in kinds)
        assert fits, f"{at}: {value!r} is not {kinds}"
    if "enum" in schema:
        assert value in schema["enum"], f"{at}: {value!r}"
    if "pattern" in schema and isinstance(value, str):
        assert re.search(schema["pattern"], value), f"{at}: {value!r}"
    if isinstance(value, dict):
        known = schema.get("properties", {})
        assert set(schema.get("required", ())) <= value.keys(), f"{at}: lacks {set(schema['required']) - value.keys()}"
        if known:
            assert value.keys() <= known.keys(), f"{at}: has {value.keys() - known.keys()}"
        for key, inner in value.items():
            check(inner, known.get(key, {}), f"{at}.{key}")
    if isinstance(value, list):
        for n, inner in enumerate(value):
            check(inner, schema.get("items", {}), f"{at}[{n}]")
