"""A full-screen terminal tracker for solo and co-op tabletop play."""

__version__ = "0.1.0"
COMMANDS = (
    "play",
    "new",
    "host",
    "join",
    "serve",
    "list",
    "show",
    "log",
    "stats",
    "recap",
    "export",
    "merge",
    "roll",
    "move",
    "oracle",
    "say",
    "undo",
    "check",
    "recover",
    "backups",
    "restore",
    "packs",
    "completion",
)
"""The commands of the command line. No new campaign can have one of these names."""
