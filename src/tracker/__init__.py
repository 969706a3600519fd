"""A full-screen terminal tracker for solo and co-op tabletop play."""

__version__ = "0.1.0"
