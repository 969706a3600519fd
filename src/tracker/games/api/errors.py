"""Errors that a game can raise; apart from the prompts, which the first frame does without."""

from __future__ import annotations


class Refused(Exception):
    """Raised when the rules do not allow something. The message is one sentence for the player; nothing was changed."""
