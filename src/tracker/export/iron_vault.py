"""A folder that opens as an Obsidian vault: journal, characters, tracks and world notes as linked notes.

For a game that the plugin Iron Vault knows, moves are its mechanics blocks, and characters and tracks have its front
matter. For other games they are plain notes, which need no plugin.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

from tracker.campaign.chronicle import Change, Moment, with_changes
from tracker.campaign.session import Step
from tracker.export import markdown
from tracker.export.file_names import NameBook
from tracker.export.parts import Document, Mechanics, Passage, SceneStart, SessionStart, date, parts
from tracker.games.api.iron_vault import Link, Node, Value, Vault, line
from tracker.games.api.plain_text import track as track_line
from tracker.games.api.view import Track
from tracker.games.common.notes import listed
from tracker.text import shown, shown_line

File = tuple[str, Iterator[str]]
"""A file of the vault: its path in the folder, and the pieces of its text."""
KIND = "iron-vault-kind"
_TRACK_TYPES = {"vow": "Vow", "journey": "Journey", "fight": "Combat"}


def files(document: Document, step: Step | None = None) -> Iterator[File]:
    """Yield (path, pieces of text) for each file of a vault. Use up the pieces of one file before the next file.

    `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the save cannot be read.
    """
    return _Folder(document).files(step)


class _Folder:
    """A vault while it is written. It knows the path of the note for each character, track and world note."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._vault: Vault | None = document.game.vault
        self._names = NameBook()
        self._tracks = document.game.tracks(document.state)
        state = document.state
        self._home = self._names.take("", document.name)
        self._paths: dict[tuple[str, str], str] = {}
        for ident, who in state["party"].items():
            self._paths["character", ident] = self._names.take("Characters", who["name"])
        for track in self._tracks:
            place = "Clocks" if track.segments else "Progress"
            self._paths["track", track.id] = self._names.take(place, track.name)
        for ident, note in state["notes"].items():
            self._paths["note", ident] = self._names.take("World", note["name"])

    def link(self, kind: str, ident: str, name: str) -> Link:
        """Return the link to the note of a thing, shown as `name`.

        `kind` is "character", "track" or "note", and `ident` the thing's id. For an unknown thing, link to a note
        called `name`, which need not exist.
        """
        path = self._paths.get((kind, ident))
        plain = self._names.plain(name)
        return Link(f"[[{path}|{plain}]]" if path else f"[[{plain}|{plain}]]")

    def files(self, step: Step | None) -> Iterator[File]:
        sessions: list[str] = []
        for number, moments in itertools.groupby(self._moments(step), lambda pair: pair[0].session):
            sessions.append(self._names.take("Journal", f"Session {number}"))
            yield f"{sessions[-1]}.md", self._session(moments)
        yield from self._characters()
        for track in self._tracks:
            yield f"{self._paths['track', track.id]}.md", self._track(track)
        for ident in self._document.state["notes"]:
            yield f"{self._paths['note', ident]}.md", self._note(ident)
        yield f"{self._home}.md", self._home_note(sessions)

    def _moments(self, step: Step | None) -> Iterator[tuple[Moment, tuple[Change, ...]]]:
        selection = self._document.request.selection._replace(undone=False, unfinished=False, struck=False)
        return with_changes(self._document.session, selection, step)

    # -- the journal ------------------------------------------------------------------------------------

    def _session(self, moments: Iterable[tuple[Moment, tuple[Change, ...]]]) -> Iterator[str]:
        document, speaker, is_begun = self._document, "", False
        for moment, changes in moments:
            for part in parts(document.state, [moment], story=document.request.story):
                match part:
                    case SessionStart():
                        if not is_begun or moment.begins_session:
                            yield _head(part)
                        is_begun = True
                    case SceneStart():
                        speaker = ""
                        yield f"\n## {markdown.escaped(part.title)}\n"
                    case Passage():
                        who, speaker = ("" if part.who == speaker else part.who), part.who
                        yield f"\n{self._passage(part._replace(who=who))}\n"
                    case Mechanics():
                        speaker = speaker if part.who == speaker else ""
                        yield f"\n{self._mechanics(part, changes)}\n"

    def _passage(self, part: Passage) -> str:
        """Return a passage of the player's text as Markdown. Mentions of world notes become links."""
        return markdown.passage(part, lambda piece: self.link("note", piece.note, piece.text))

    def _mechanics(self, part: Mechanics, changes: tuple[Change, ...]) -> str:
        """Return a move or a change by hand as a mechanics block, or as a block quote for a game that has none."""
        if self._vault is None:
            return markdown.block(part)
        nodes = self._nodes(self._vault, part, changes)
        return "```iron-vault-mechanics\n" + "".join(map(emit, nodes)) + "```"

    def _nodes(self, vault: Vault, part: Mechanics, changes: tuple[Change, ...]) -> list[Node]:
        """Return the nodes of a mechanics block for a move or a change by hand.

        `changes` has the states before and after.
        """
        entry = part.line.entry
        who = str(entry.get("who", ""))
        did, facts = str(entry.get("did", "")), entry.get("facts", {})
        told = "; ".join(part.result)
        link = vault.move(did)
        rolled = vault.rolls(facts) if link and isinstance(facts, Mapping) else []
        mine: list[Node] = []
        others: dict[str, list[Node]] = {}
        for before, after in changes:
            of_me, of_others = vault.changes(before, after, who, self.link)
            mine += of_me
            for ident, nodes in of_others.items():
                others.setdefault(ident, []).extend(nodes)
        words = _beyond_the_dice(part) if rolled else told
        after = changes[-1][1] if changes else self._document.state
        left = ", ".join(change for change in part.changes if not vault.tells(change, after))
        said = [line(text) for text in (words, left) if text]
        inside = (*rolled, *mine, *said)
        if link and inside:
            return self._by(who, [Node("move", (Link(f"[{part.name}](datasworn:{link})"),), inside=inside)], others)
        return self._by(who, [*([line(part.name)] if part.name else []), *inside] or [line("–")], others)

    def _by(self, who: str, nodes: list[Node], others: Mapping[str, list[Node]]) -> list[Node]:
        """Return the nodes of the character `who` and then those of `others`, each under its character's name.

        A party of one has no name around the nodes of `who`.
        """
        party = self._document.state["party"]
        if len(party) > 1 and who in party and nodes:
            nodes = [self._actor(who, nodes)]
        return [*nodes, *(self._actor(ident, theirs) for ident, theirs in others.items() if ident in party)]

    def _actor(self, who: str, nodes: Iterable[Node]) -> Node:
        name = self._document.state["party"][who]["name"]
        return Node("actor", (), {"name": self.link("character", who, name)}, tuple(nodes))

    # -- characters, tracks, notes ----------------------------------------------------------------------

    def _characters(self) -> Iterator[File]:
        members = {member.id: member for member in self._document.members}
        for ident, who in self._document.state["party"].items():
            path = f"{self._paths['character', ident]}.md"
            if ident in members:
                blocks = list(markdown.character(self._document, members[ident]))[1:]
            else:
                blocks = ["*no longer in the party*"]
            block = ["```iron-vault-character\n```"] if self._vault else []
            matter: dict[str, Value | list[str]] = {"name": shown_line(who["name"])}
            if self._vault:
                matter = {KIND: "character", **matter, **self._vault.character(self._document.state, ident)}
            yield path, iter([front_matter(matter), "\n\n".join([*block, *blocks]), "\n"])

    def _track(self, track: Track) -> Iterator[str]:
        matter: dict[str, Value | list[str]] = {"name": track.name}
        block = ""
        if self._vault:
            done = track.closed or (track.segments and track.ticks >= track.segments)
            matter |= {"progress": track.ticks, "tags": ["complete" if done else "incomplete"]}
            if track.segments:
                matter = {KIND: "clock", **matter, "segments": track.segments}
                block = "```iron-vault-clock\n```\n\n"
            else:
                kind = _TRACK_TYPES.get(track.kind, track.kind.capitalize())
                matter = {KIND: "progress", **matter, "rank": track.rank, "track-type": kind}
                block = "```iron-vault-track\n```\n\n"
        about = f"\n{markdown.escaped(track.about)}\n" if track.about else ""
        yield f"{front_matter(matter)}{block}{markdown.escaped(track_line(track))}\n{about}"

    def _note(self, ident: str) -> Iterator[str]:
        note = self._document.state["notes"][ident]
        aliases = [shown_line(old["name"]) for old in note["former"].values()]
        matter: dict[str, Value | list[str]] = {"name": shown_line(note["name"]), "kind": note["kind"]}
        yield front_matter(matter | ({"aliases": aliases} if aliases else {}))
        yield f"{markdown.escaped(shown(note['text']))}\n"

    def _home_note(self, sessions: list[str]) -> Iterator[str]:
        """Yield the text of the campaign's own note, which links to all others.

        `sessions` has the paths of session notes.
        """
        document = self._document
        matter: dict[str, Value | list[str]] = {"name": document.name}
        if self._vault:
            matter = {KIND: "campaign", **matter}
        playset = f"ironvault:\n  playset:\n    type: registry\n    key: {self._vault.playset}\n" if self._vault else ""
        yield f"{front_matter(matter)[:-5]}{playset}---\n\n*{markdown.escaped(document.about)}*\n"
        state = document.state
        yield _links("Journal", [f"[[{path}|{path.partition('/')[2]}]]" for path in sessions])
        yield _links("Characters", [self.link("character", one.id, one.name) for one in document.members])
        yield _links("Tracks", [self.link("track", one.id, one.name) for one in self._tracks])
        for block in markdown.gm_side(document):
            yield f"\n{block}\n"
        yield _links("World", [self.link("note", ident, state["notes"][ident]["name"]) for ident in listed(state)])
        for credit in document.credits():
            yield f"\n*{markdown.escaped(credit)}*\n"


def _head(part: SessionStart) -> str:
    """Return the lines at the top of a session: its title, unless that is the name of its note, and its date."""
    title = "" if part.title == f"Session {part.number}" else f"# {markdown.escaped(part.title)}\n\n"
    return f"{title}*{date(part.when)}*\n" if part.when else title


def _links(title: str, links: Iterable[str]) -> str:
    told = "".join(f"- {link}\n" for link in links)
    return f"\n## {title}\n\n{told}" if told else ""


def _beyond_the_dice(part: Mechanics) -> str:
    """Return the results of a roll that its dice and outcome do not show; "" if there are none."""
    return "" if part.kind == "oracle" else part.roll.partition("; ")[2]


# -- writing --------------------------------------------------------------------------------------------


def emit(node: Node, depth: int = 0) -> str:
    """Return a node as lines of KDL, indented by `depth`.

    Named values are in alphabetical order, as the plugin has them.
    """
    named = (f"{name}={_value(value)}" for name, value in sorted(node.named.items()))
    head = "    " * depth + " ".join((node.name, *map(_value, node.values), *named))
    if not node.inside:
        return f"{head}\n"
    return f"{head} {{\n{''.join(emit(one, depth + 1) for one in node.inside)}{'    ' * depth}}}\n"


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = value if isinstance(value, Link) else markdown.escaped(value).replace("\\{", "&#123;")
    return quoted(text)


def quoted(text: str) -> str:
    """Return a text as a string in double quotes, valid in KDL and YAML. Line ends become spaces."""
    return '"' + " ".join(text.splitlines()).replace("\\", "\\\\").replace('"', '\\"') + '"'


def front_matter(matter: Mapping[str, Value | list[str]]) -> str:
    """Return the front matter of a note: YAML between two rules, then an empty line."""
    lines = "\n".join(f"{key}: {_yaml(value)}" for key, value in matter.items())
    return f"---\n{lines}\n---\n\n"


def _yaml(value: Value | list[str]) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(quoted, value))}]"
    return _value(value) if not isinstance(value, str) else quoted(value)
