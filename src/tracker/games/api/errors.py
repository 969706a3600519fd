"""Errors that a game can raise. They have their own module so that the first frame need not import the prompts."""

from __future__ import annotations


class Refused(Exception):
    """Raised when the rules do not allow something. The message is one sentence for the player; nothing was changed."""


class Malformed(Refused):
    """Raised for a typed word that means nothing in any campaign, such as a session called “x”. Nothing was changed."""
