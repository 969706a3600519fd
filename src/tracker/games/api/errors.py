"""What the rules do not allow."""

from __future__ import annotations


class Refused(Exception):
    """Something that the rules do not allow, said in one sentence; nothing has changed."""
