"""Errors that a game can raise. They have their own module so that the first frame need not import the prompts."""

from __future__ import annotations


class Refused(Exception):
    """Raised when the rules do not allow something. The message is one sentence for the player; nothing was changed."""
