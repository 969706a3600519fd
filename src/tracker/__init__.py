"""A full-screen terminal tracker for solo and co-op tabletop play."""

__version__ = "0.1.0"
COMMANDS = ("play", "new", "list", "show", "log", "check", "recover", "backups", "restore")
"""The words that no campaign can be called, because the command line knows them."""
