"""Exports: a campaign as Markdown, a web page, an Obsidian vault or JSON. Nothing here imports a frontend."""
