"""The commands of the command line, a module for each or for a few that belong together.

A command takes the parsed arguments as `asked`, prints its result and returns the exit code. It may raise SaveError or
Refused, which `cli` prints as one line, and Misuse of `tracker.arguments`. Only `play` imports the full-screen app.
`tracker.arguments.COMMANDS` names the function of each command.
"""
