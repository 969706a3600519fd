"""Companions: assets with a health of their own."""

from __future__ import annotations

from tracker.games.base import Draft


def heal_companion(table: Draft, who: str, asset: str, points: int) -> None:
    """Up to its own maximum; with any health it is back on its feet."""
    if points:
        table.by(f"{who}.assets.{asset}.health", points)
        table.to(f"{who}.assets.{asset}.status", "active")


def heal_companions(table: Draft, who: str, points: int) -> None:
    for asset, one in table.state["party"][who]["assets"].items():
        if one["max"]:
            heal_companion(table, who, asset, points)
