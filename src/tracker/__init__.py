"""A full-screen terminal tracker for solo and co-op tabletop play."""

__version__ = "0.1.0"
COMMANDS = ("play", "new", "list", "show", "log", "export", "check", "recover", "backups", "restore", "packs")
"""The commands of the command line. No campaign can have one of these names."""
