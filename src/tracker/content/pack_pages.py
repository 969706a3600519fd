"""Pieces of packs as pages to read: moves, tables, assets, foes, truths and other texts, with links between them."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.content.markup import Link, read
from tracker.games.api.content import Asset, Content, Foe, MoveText, Oracle, Source, Truth, from_pack, row_lines
from tracker.records import NamedTuple
from tracker.text import shown_line

UNPLAYED = "tracker doesn't play this move for you: roll without a move (r), and change the numbers by hand."
LICENSES = {
    "https://creativecommons.org/licenses/by/4.0": "CC BY 4.0",
    "https://creativecommons.org/licenses/by-nc-sa/4.0": "CC BY-NC-SA 4.0",
}
_BULLET, _SHOWN_BULLET = "• ", "· "
"""The bullet of `markup`, and the one that every terminal can draw."""


class TextLine(NamedTuple):
    """A paragraph of a page. `lead` stands before its first line, such as a bullet or the faces of a row."""

    text: str
    lead: str = ""
    heading: bool = False


class TextPage(NamedTuple):
    """A page to read. `place` names the group that the piece belongs to; `links` lead to pages of installed packs."""

    title: str
    place: str
    lines: tuple[TextLine, ...]
    links: tuple[Link, ...] = ()


class PageName(NamedTuple):
    """A page that can be read: its kind and id, its name, and a few words about it."""

    kind: str
    id: str
    name: str
    note: str


def page_names(content: Content) -> Iterator[PageName]:
    """Yield every page that can be read, except tables, which have lists of their own, and assets not from packs."""
    for text in content.texts.values():
        yield PageName("text", text.id, shown_line(text.name), "move" if text.move else "move, to read")
    for asset in content.assets.values():
        if from_pack(asset.id):
            yield PageName("asset", asset.id, shown_line(asset.name), "asset")
    for foe in content.foes.values():
        yield PageName("foe", foe.id, shown_line(foe.name), f"foe, {foe.rank}")
    for truth in content.truths.values():
        yield PageName("truth", truth.id, shown_line(truth.name), "truth")
    for page in content.pages.values():
        yield PageName("page", page.id, shown_line(page.name), shown_line(page.kind, 20))


def page_of(content: Content, kind: str, ident: str) -> TextPage | None:
    """Return the page of the piece with this id, or None if the content does not have it.

    `kind` is "text" (of a move), "oracle", "asset", "foe", "truth" or "page".
    """
    pages = _Pages(content)
    match kind:
        case "text" if ident in content.texts:
            return pages.move(content.texts[ident])
        case "oracle" if ident in content.oracles:
            return pages.table(content.oracles[ident])
        case "asset" if ident in content.assets:
            return pages.asset(content.assets[ident])
        case "foe" if ident in content.foes:
            return pages.foe(content.foes[ident])
        case "truth":
            # A link to an option of a truth leads to the truth.
            there = (known for known in (ident, ident.rpartition("/")[0]) if known in content.truths)
            return pages.truth(content.truths[found]) if (found := next(there, "")) else None
        case "page" if ident in content.pages:
            page = content.pages[ident]
            return pages.done(page.name, page.kind.capitalize(), pages.text(page.text), page.source)
    return None


class _Pages:
    """Builder of one page. `link` collects the page's links."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._links: dict[tuple[str, str], Link] = {}

    def done(self, title: str, place: str, lines: Iterator[TextLine], source: Source) -> TextPage:
        made = (*lines, *_attributed(source))
        return TextPage(shown_line(title), shown_line(place, 120), made, tuple(self._links.values()))

    def text(self, text: str) -> Iterator[TextLine]:
        marked = read(text, self._content)
        for link in marked.links:
            self.link(link.kind, link.id, link.label)
        for line in marked.lines:
            words = line.lstrip()
            lead = line[: len(line) - len(words)]
            if words.startswith(_BULLET):
                lead, words = lead + _SHOWN_BULLET, words.removeprefix(_BULLET)
            yield TextLine(words, lead)

    def introduction(self, text: str) -> Iterator[TextLine]:
        """Yield the text and an empty line; nothing if the text is empty."""
        if text:
            yield from self.text(text)
            yield TextLine("")

    def led(self, lead: str, text: str, name: str = "") -> Iterator[TextLine]:
        """Yield the lines of the text, with `lead` and `name` before the first; nothing if the text is empty."""
        for number, line in enumerate(self.text(text)):
            yield line if number else TextLine(name + line.text, lead)

    def link(self, kind: str, ident: str, label: str) -> None:
        """Add a link with the text `label` to the piece of this kind and id, but only if the content has that piece."""
        content = self._content
        there = {
            "text": content.texts,
            "oracle": content.oracles,
            "asset": content.assets,
            "foe": content.foes,
            "page": content.pages,
        }
        known = ident in there[kind] if kind in there else page_of(content, kind, ident) is not None
        if known:
            self._links.setdefault((kind, ident), Link(label, kind, ident))

    def part(self, heading: str, *texts: str) -> Iterator[TextLine]:
        """Yield a blank line, a heading and the texts under it; nothing if all texts are empty.

        Several texts get a bullet each.
        """
        if not any(texts):
            return
        yield TextLine("")
        yield TextLine(heading, heading=True)
        for text in texts:
            for line in self.text(text):
                yield line._replace(lead=_SHOWN_BULLET) if len(texts) > 1 and line.text and not line.lead else line

    def move(self, move: MoveText) -> TextPage:
        def lines() -> Iterator[TextLine]:
            if not move.move:
                yield TextLine(UNPLAYED)
                yield TextLine("")
            yield from self.text(move.text)
            for heading, words in (("Strong hit", move.strong), ("Weak hit", move.weak), ("Miss", move.miss)):
                if words.strip() and words.strip() not in move.text:
                    yield from self.part(heading, words)
            for ident in move.tables:
                if ident in self._content.oracles:
                    table = self._content.oracles[ident]
                    yield TextLine("")
                    yield TextLine(f"{table.name}, d{table.sides}", heading=True)
                    yield from _rows(table)
                    self.link("oracle", ident, table.name)

        asset = self._content.assets.get(move.asset)
        return self.done(move.name, f"{asset.name}: move" if asset else move.group, lines(), move.source)

    def table(self, table: Oracle) -> TextPage:
        def lines() -> Iterator[TextLine]:
            if table.about:
                yield from self.text(table.about)
                yield TextLine("")
            yield from _rows(table)
            for text in (text for row, texts in zip(table.rows, table.more or ((),) * len(table.rows), strict=True)
                         for text in (row, *texts)):  # fmt: skip
                if "](" in text:
                    for link in read(text, self._content).links:
                        self.link(link.kind, link.id, link.label)
            for further in (one for rolls in table.rolls for one in rolls):
                if further.table in self._content.oracles and further.table != table.id:
                    self.link("oracle", further.table, self._content.oracles[further.table].name)
            for part in table.parts:
                self.link("oracle", part, self._content.oracles[part].name)

        die = f"d{table.sides}" if table.sides else "no die"
        return self.done(table.name, f"{table.group}, {die}", lines(), table.source)

    def asset(self, asset: Asset) -> TextPage:
        def lines() -> Iterator[TextLine]:
            yield from self.introduction(asset.needs)
            for ability in asset.abilities:
                name = f"{ability.name}: " if ability.name else ""
                yield from self.led("■ " if ability.marked else "□ ", ability.text, name)
            for text in self._content.texts.values():
                if text.asset == asset.id:
                    self.link("text", text.id, text.name)

        return self.done(asset.name, asset.kind, lines(), asset.source)

    def foe(self, foe: Foe) -> TextPage:
        def lines() -> Iterator[TextLine]:
            yield TextLine(f"{foe.rank}{f' {foe.nature}' if foe.nature else ''}")
            yield from self.part("Features", *foe.features)
            yield from self.part("Drives", *foe.drives)
            yield from self.part("Tactics", *foe.tactics)
            yield from self.part("About", foe.text)
            yield from self.part("Quest", foe.quest)

        return self.done(foe.name, "Foe", lines(), foe.source)

    def truth(self, truth: Truth) -> TextPage:
        def lines() -> Iterator[TextLine]:
            yield from self.introduction(truth.about)
            for option in truth.options:
                faces = f"{option.since}-{option.upto}" if option.upto else "–"
                yield from self.led(f"{faces:>6}  ", option.text)
                yield from self.text(f"Quest: {option.quest}" if option.quest else "")
                yield TextLine("")
                for ident in option.tables:
                    if ident in self._content.oracles:
                        self.link("oracle", ident, self._content.oracles[ident].name)

        return self.done(truth.name, f"Truth, d{truth.die}", lines(), truth.source)


def _rows(table: Oracle) -> Iterator[TextLine]:
    if table.columns:
        yield TextLine(" · ".join(filter(None, table.columns)), heading=True)
    wide = 2 * len(str(table.sides)) + 1
    for faces, text in row_lines(table):
        yield TextLine(text, f"{faces or '–':>{wide}}  ")


def _attributed(source: Source) -> Iterator[TextLine]:
    """Yield a blank line and one with title, page, authors and license of a piece; nothing if none of them is known."""
    page = f", page {source.page}" if source.page else ""
    license_name = LICENSES.get(source.license.rstrip("/"), source.license)
    parts = (f"{source.title}{page}" if source.title else "", ", ".join(source.authors), license_name)
    if words := " · ".join(filter(None, parts)):
        yield TextLine("")
        yield TextLine(shown_line(words, 300))
