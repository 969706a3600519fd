"""The command `export`: a campaign as Markdown, a web page, an Obsidian vault or JSON."""

from __future__ import annotations

import argparse
import os
import sys

from tracker.arguments import Misuse
from tracker.commands.campaign_lookup import path_of, quoted
from tracker.commands.output import Bar, fail, say
from tracker.streams import encodable
from tracker.text import shown_line


def export(asked: argparse.Namespace) -> int:
    """Write a campaign to the file or folder `asked.to`, or print it if that is None or "-".

    Return 1 if the save is damaged, since parts may be missing; else 0. Raise Misuse if `asked.to` is "", if no format
    has its ending and none is named, or if an export that is a folder has none; SaveError if there is no such
    campaign; and Refused if `asked.session` is unknown, or if `asked.to` exists or cannot be written.
    """
    from tracker.campaign.chronicle import select
    from tracker.campaign.session import Session
    from tracker.export import formats
    from tracker.export.parts import Document, Request

    to_file = asked.to not in {None, "-"}
    if asked.to == "":
        raise Misuse("Name a file or folder after --to.")
    form = asked.form or formats.format_of(asked.to if to_file else "")
    if not form:
        ending = shown_line(os.path.splitext(asked.to)[1])
        raise Misuse(f"No format has the ending {ending}; use .html, .md or .json, or say which with --as.")
    if not to_file and not formats.FORMATS[form].ending:
        raise Misuse(f"An export for {formats.FORMATS[form].name} is a folder; say which with --to FOLDER.")
    session = Session.open(path_of(asked), write=False, tail="keep")
    request = Request(select(session, asked.session or ""), asked.story, asked.characters)
    document = Document(session, request)
    if to_file:
        with Bar() as bar:
            formats.save(document, form, asked.to, bar.step)
        say(f"Exported {shown_line(asked.name)} to {shown_line(asked.to, 300)}.")
    else:
        for piece in formats.text(document, form):
            sys.stdout.write(encodable(piece, sys.stdout))
    if session.save.read.bad:
        return fail(f"{session.save.read.damage}: see `tracker check {quoted(asked.name)}`.")
    return 0
