"""A folder that opens as an Obsidian vault: journal, characters, tracks and world notes as linked notes.

For a game that the plugin Iron Vault knows, moves are its mechanics blocks, and characters and tracks have its front
matter. For other games they are plain notes, which need no plugin: a move is a callout that unfolds, and the numbers of
sheets and tracks are properties.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping

from tracker.campaign.chronicle import Change, Moment, with_changes
from tracker.campaign.session import Step
from tracker.export import markdown
from tracker.export.file_names import NameBook, plain_name
from tracker.export.parts import TITLE_MOST, Document, Mechanics, Passage, SceneStart, SessionStart, date, parts
from tracker.games.api.iron_vault import Link, Node, Value, Vault, line
from tracker.games.api.plain_text import clauses, numbers, spoken
from tracker.games.api.plain_text import track as track_line
from tracker.games.api.view import NO_RATING, Field, Foe, Track, each
from tracker.games.common.notes import listed
from tracker.text import shown, shown_line

File = tuple[str, Iterator[str]]
"""A file of the vault: its path in the folder, and the pieces of its text."""
KIND = "iron-vault-kind"
_CALLOUTS = {"good": "success", "mid": "warning", "bad": "failure"}
"""Callouts of Obsidian by the tone of an outcome."""
_MOST_NAMES = 2000
"""Most names that are looked for in the words of changes."""
_TRACK_TYPES = {"vow": "Vow", "journey": "Journey", "fight": "Combat"}


def files(document: Document, step: Step | None = None) -> Iterator[File]:
    """Yield (path, pieces of text) for each file of a vault. Use up the pieces of one file before the next file.

    A path is relative to the folder of the vault. `step` is called with the progress, from 0 to 1, and may raise to
    cancel. Raise OSError if the save cannot be read.
    """
    return _Folder(document).files(step)


class _Folder:
    """A vault while it is written, with the path of the note for each character, track and world note."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._vault: Vault | None = document.game.vault
        self._names = NameBook()
        self._tracks = document.game.tracks(document.state)
        side = document.game.gm_side(document.state)
        self._foes = side.foes if side else ()
        state = document.state
        self._home = self._names.take("", document.name)
        self._paths: dict[tuple[str, str], str] = {}
        for ident, who in state["party"].items():
            self._paths["character", ident] = self._names.take("Characters", who["name"])
        for track in self._tracks:
            place = "Clocks" if track.segments else "Progress"
            self._paths["track", track.id] = self._names.take(place, track.name)
        for foe in self._foes:
            self._paths["foe", foe.id] = self._names.take("Adversaries", foe.name)
        for ident, note in state["notes"].items():
            self._paths["note", ident] = self._names.take("World", note["name"])
        self._titles: dict[str, str] = {}
        """Titles of sessions, by the paths of their notes, once these are written."""
        self._known = self._named()
        words = "|".join(re.escape(name) for name in sorted(self._known, key=len, reverse=True)[:_MOST_NAMES])
        self._names_in_words = re.compile(rf"(?<!\w)({words})(?!\w)") if words else None

    def _named(self) -> dict[str, tuple[str, str]]:
        """Return (kind, id) of everything that has a note, by its name. Names of one or two characters are left out.

        Of several things with one name, characters come first, then adversaries, tracks and world notes.
        """
        state = self._document.state
        there = [("note", ident, one["name"]) for ident, one in state["notes"].items()]
        there += [("track", one.id, one.name) for one in self._tracks]
        there += [("foe", one.id, one.name) for one in self._foes]
        there += [("character", ident, one["name"]) for ident, one in state["party"].items()]
        return {shown_line(name): (kind, ident) for kind, ident, name in there if len(name) > 2}

    def link(self, kind: str, ident: str, name: str) -> Link:
        """Return the link to the note of a thing, shown as `name`.

        `kind` is "character", "track", "foe" or "note", and `ident` the thing's id. For an unknown thing, link to a
        note called `name`, which need not exist.
        """
        path = self._paths.get((kind, ident))
        plain = plain_name(name)
        return Link(f"[[{path}|{plain}]]" if path else f"[[{plain}|{plain}]]")

    def files(self, step: Step | None) -> Iterator[File]:
        sessions: list[str] = []
        for number, moments in itertools.groupby(self._moments(step), lambda pair: pair[0].session):
            path = self._names.take("Journal", f"Session {number}")
            yield f"{path}.md", self._session(moments, path, sessions[-1] if sessions else "")
            sessions.append(path)
        yield from self._characters()
        for track in self._tracks:
            yield f"{self._paths['track', track.id]}.md", self._track(track)
        for foe in self._foes:
            yield f"{self._paths['foe', foe.id]}.md", self._foe(foe)
        for ident in self._document.state["notes"]:
            yield f"{self._paths['note', ident]}.md", self._note(ident)
        yield f"{self._home}.md", self._home_note(sessions)

    def _moments(self, step: Step | None) -> Iterator[tuple[Moment, tuple[Change, ...]]]:
        selection = self._document.request.selection._replace(undone=False, unfinished=False, struck=False)
        return with_changes(self._document.session, selection, step)

    # -- the journal ------------------------------------------------------------------------------------

    def _session(self, moments: Iterable[tuple[Moment, tuple[Change, ...]]], path: str, before: str) -> Iterator[str]:
        """Yield the text of a session's note, in pieces.

        `moments` has each moment with the changes of its entries. `path` is the path of the note, without extension,
        and `before` that of the session before it, or "".
        """
        document, speaker, is_begun, quoting = self._document, "", False, False
        for moment, changes in moments:
            who = str(moment.line.entry.get("who", ""))
            for part in parts(document.state, [moment], story=document.request.story):
                told = ""
                match part:
                    case SessionStart():
                        if not is_begun or moment.begins_session:
                            yield self._head(part, path, "" if is_begun else before, again=is_begun)
                        is_begun = True
                    case SceneStart():
                        speaker = ""
                        told = f"## {markdown.escaped(part.title)}"
                    case Passage():
                        known, speaker = part.who == speaker, part.who
                        told = self._passage(part._replace(who="" if known else part.who), who)
                    case Mechanics():
                        speaker = speaker if part.who == speaker else ""
                        told = self._mechanics(part, changes, who)
                is_quote = told.startswith("> ") and not told.startswith("> [!")
                if told:
                    yield f"{'>' if quoting and is_quote else ''}\n{told}\n"
                    quoting = is_quote

    def _head(self, part: SessionStart, path: str, before: str, *, again: bool) -> str:
        """Return the lines at the top of a session: front matter, title, date, and links to other notes.

        `path` is the path of its note, and `before` that of the session before it, or "". A title that only repeats the
        number of the session is left out. `again` is True for a title further down in the same note: only the title is
        returned.
        """
        title = "" if part.title == f"Session {part.number}" else f"# {markdown.escaped(part.title)}\n\n"
        if again:
            return f"\n{title}"
        self._titles[path] = ": ".join(filter(None, (part.title if title else "", date(part.when))))
        matter: dict[str, Value | list[str]] = {"session": part.number}
        if part.when:
            matter["date"] = f"{part.when:%Y-%m-%d}"
        home = f"[[{self._home}]]"
        back = f"after [[{before}|{before.partition('/')[2]}]]" if before else ""
        told = " · ".join(filter(None, (date(part.when), home, back)))
        return f"{front_matter(matter)}{title}*{told}*\n"

    def _passage(self, part: Passage, who: str) -> str:
        """Return a passage of the player's text as Markdown. Its speaker and mentions of world notes become links.

        `who` is the id of the speaker, or "".
        """
        speaker = self.link("character", who, part.who) if who in self._document.state["party"] else ""
        return markdown.passage(part, lambda piece: self.link("note", piece.note, piece.text), speaker)

    def _mechanics(self, part: Mechanics, changes: tuple[Change, ...], who: str) -> str:
        """Return a move or a change by hand as a mechanics block, or as a callout for a game that has none.

        `changes` are (state before, state after) for each entry, and `who` is the id of the character, or "".
        """
        if self._vault is None:
            return self._callout(part, who)
        nodes = self._nodes(self._vault, part, changes)
        return "```iron-vault-mechanics\n" + "".join(map(emit, nodes)) + "```"

    def _callout(self, part: Mechanics, who: str) -> str:
        """Return a move as a callout with its outcome, which unfolds; as a block quote if it has no outcome.

        `who` is the id of the character, or "".
        """
        mine = f"{self.link('character', who, part.who)}: " if part.who and who in self._document.state["party"] else ""
        changed = self._linked(", ".join(part.changes))
        if not (part.name and part.outcome):
            told = [f"{mine}{markdown.escaped(part.name) if part.name else changed}", *map(self._linked, part.in_words)]
            told += [changed] if part.name and changed else []
            return f"> {' · '.join(told)}"
        first, *rest = sorted(part.in_words, key=lambda told: not part.outcome.startswith(told))
        tone = part.line.card.tone if part.line.card else ""
        kind = "question" if part.kind == "oracle" else _CALLOUTS.get(tone, "example")
        lines = [f"[!{kind}]- {mine}{markdown.escaped(part.name)} · {markdown.escaped(first)}"]
        lines += filter(None, (" · ".join(map(self._linked, rest)), changed))
        return "\n".join(f"> {line}" for line in lines)

    def _linked(self, words: str) -> str:
        """Return a phrase of the program, such as a change, as Markdown, with a link for each name that has a note."""
        if not self._names_in_words:
            return markdown.escaped(words)
        told = ""
        for n, piece in enumerate(self._names_in_words.split(words)):
            told += self.link(*self._known[piece], piece) if n % 2 else markdown.escaped_piece(piece, first=not told)
        return told

    def _nodes(self, vault: Vault, part: Mechanics, changes: tuple[Change, ...]) -> list[Node]:
        """Return the nodes of a mechanics block for a move or a change by hand.

        `changes` are (state before, state after) for each entry of it. There is always at least one node.
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
            path, member = f"{self._paths['character', ident]}.md", members.get(ident)
            blocks = list(markdown.character(self._document, member))[1:] if member else ["*no longer in the party*"]
            block = ["```iron-vault-character\n```"] if self._vault else []
            matter: dict[str, Value | list[str]] = {"name": shown_line(who["name"])}
            if self._vault:
                matter = {KIND: "character", **matter, **self._vault.character(self._document.state, ident)}
            elif member:
                about = {"kind": member.kind, "status": member.status}
                matter |= {key: told for key, told in about.items() if told}
                matter |= _properties(one for pane in self._document.sheet(ident) for one in each(pane.fields))
            yield path, iter([front_matter(matter), "\n\n".join([*block, *blocks]), "\n"])

    def _track(self, track: Track) -> Iterator[str]:
        matter: dict[str, Value | list[str]] = {"name": track.name}
        block = ""
        done = track.closed or (track.segments and track.ticks >= track.segments and not track.counts_down)
        matter |= {"progress": track.ticks, "tags": ["complete" if done else "incomplete"]}
        if self._vault and track.segments:
            matter = {KIND: "clock", **matter, "segments": track.segments}
            block = "```iron-vault-clock\n```\n\n"
        elif self._vault:
            kind = _TRACK_TYPES.get(track.kind, track.kind.capitalize())
            matter = {KIND: "progress", **matter, "rank": track.rank, "track-type": kind}
            block = "```iron-vault-track\n```\n\n"
        else:
            matter |= {"kind": "countdown" if track.counts_down else track.kind}
            matter |= {} if track.hidden else {"segments": track.segments}
        about = f"\n{markdown.escaped(track.about)}\n" if track.about else ""
        drawn = f"\n{_drawn(track)}\n" if not track.hidden else ""
        yield f"{front_matter(matter)}{block}{markdown.escaped(track_line(track))}\n{drawn}{about}"

    def _foe(self, foe: Foe) -> Iterator[str]:
        """Yield the text of an adversary's note, in pieces: its numbers, and what is known about it."""
        told = {"name": foe.name, "kind": foe.kind, "status": foe.out}
        matter: dict[str, Value | list[str]] = {key: words for key, words in told.items() if words or key == "name"}
        yield front_matter(matter | _properties(foe.meters))
        yield f"{markdown.escaped(clauses(foe.kind, foe.note, foe.out))}\n\n"
        yield "".join(f"- {line}\n" for line in (*map(markdown.labeled, foe.meters), *map(_told, foe.words)))

    def _note(self, ident: str) -> Iterator[str]:
        note = self._document.state["notes"][ident]
        aliases = [shown_line(old["name"]) for old in note["former"].values()]
        matter: dict[str, Value | list[str]] = {"name": shown_line(note["name"]), "kind": note["kind"]}
        yield front_matter(matter | ({"aliases": aliases} if aliases else {}))
        yield f"{markdown.escaped(shown(note['text']))}\n"

    def _home_note(self, sessions: list[str]) -> Iterator[str]:
        """Yield the text of the campaign's own note, which links to all others, in pieces.

        `sessions` has the paths of session notes, without extension.
        """
        document = self._document
        matter: dict[str, Value | list[str]] = {"name": document.name}
        if self._vault:
            matter = {KIND: "campaign", **matter}
        playset = f"ironvault:\n  playset:\n    type: registry\n    key: {self._vault.playset}\n" if self._vault else ""
        yield f"{front_matter(matter)[:-5]}{playset}---\n\n*{markdown.escaped(document.about)}*\n"
        state = document.state
        if state["scene"].strip():
            yield f"\nThe story is at: **{markdown.escaped(shown_line(state['scene'], TITLE_MOST))}**\n"
        yield _links("Journal", [self._session_link(path) for path in sessions])
        yield _links("Characters", [self.link("character", one.id, one.name) for one in document.members])
        yield _links("Tracks", [self.link("track", one.id, one.name) for one in self._tracks])
        for block in list(markdown.gm_side(document, foes=False)):
            yield f"\n{block}\n"
        yield _links("Adversaries", [self.link("foe", one.id, one.name) for one in self._foes])
        yield _links("World", [self.link("note", ident, state["notes"][ident]["name"]) for ident in listed(state)])
        for credit in document.credits():
            yield f"\n*{markdown.escaped(credit)}*\n"

    def _session_link(self, path: str) -> str:
        title = self._titles.get(path, "")
        return f"[[{path}|{path.partition('/')[2]}]]{f' · {markdown.escaped(title)}' if title else ''}"


def _properties(fields: Iterable[Field]) -> dict[str, int | str]:
    """Return the values of fields as properties of a note, by name; a stat without a rating is left out.

    So are values whose name cannot be that of a property.
    """
    there = {key: value for one in fields for key, value in numbers(one).items()}
    return {
        key: int(value) if re.fullmatch(r"[+-]?[0-9]{1,9}", str(value)) else value
        for key, value in there.items()
        if value != NO_RATING and re.fullmatch(r"[a-z][a-z0-9_]*", key)
    }


def _told(words: str) -> str:
    return markdown.escaped(spoken(words))


def _drawn(track: Track) -> str:
    """Return the boxes or segments of a track as a line of full and empty squares."""
    full, most = (track.ticks, track.segments) if track.segments else (track.ticks // 4, 10)
    return "■" * min(full, most) + "□" * (most - full)


def _links(title: str, links: Iterable[str]) -> str:
    told = "".join(f"- {link}\n" for link in links)
    return f"\n## {title}\n\n{told}" if told else ""


def _beyond_the_dice(part: Mechanics) -> str:
    """Return the results of a roll that its dice and outcome do not show; "" if there are none."""
    return "" if part.kind == "oracle" else part.roll.partition("; ")[2]


# -- writing --------------------------------------------------------------------------------------------


def emit(node: Node, depth: int = 0) -> str:
    """Return a node, with the nodes inside it, as lines of KDL, indented by four spaces for each of `depth`.

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
    text = value if isinstance(value, Link) else markdown.escaped(value).replace("\\{", "&#123;").replace('"', "&quot;")
    return quoted(text)


def quoted(text: str) -> str:
    """Return a text as a string in double quotes, valid in KDL and YAML. Line ends become spaces."""
    return '"' + " ".join(text.splitlines()).replace("\\", "\\\\").replace('"', '\\"') + '"'


def front_matter(matter: Mapping[str, Value | list[str]]) -> str:
    """Return the front matter of a note: a line of YAML for each key, between two rules, then an empty line."""
    lines = "\n".join(f"{key}: {_yaml(value)}" for key, value in matter.items())
    return f"---\n{lines}\n---\n\n"


def _yaml(value: Value | list[str]) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(quoted, value))}]"
    return _value(value) if not isinstance(value, str) else quoted(value)
