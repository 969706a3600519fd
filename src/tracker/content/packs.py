"""The store of packs: `packs/ID@VERSION-SHA.json` in the data folder, exactly as published, one pack for each id.

SHA is the beginning of the file's SHA-256, which reveals later damage. `index.json` caches what `tracker packs` lists,
by that hash; if it is missing or wrong, it is built again. Links are never followed. `pack_cache` keeps packs as they
were read, so that a campaign need not read the packs themselves.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tracker.content import pack_cache
from tracker.games.api.content import OURS, Asset, Content, PackInfo, Source, link_moves
from tracker.games.api.errors import Refused
from tracker.records import NamedTuple
from tracker.saves.disk import Disk, data_folder, open_regular
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.content.datasworn import Pack

INDEX = "index.json"
INDEX_MOST = 4_000_000
SHA_LENGTH = 16
NPM_NAMES = {
    "classic": "@datasworn/ironsworn-classic",
    "delve": "@datasworn/ironsworn-classic-delve",
    "starforged": "@datasworn/starforged",
    "sundered_isles": "@datasworn/sundered-isles",
}
"""Names of the official packages on npm, by the id of the pack."""
COUNTED = ("moves", "asset moves", "assets", "abilities", "tables", "foes", "truths", "pages")

_NAME = re.compile(r"([a-z0-9][a-z0-9_]{0,39})@([0-9][0-9A-Za-z.+-]{0,50})-([0-9a-f]{16})\.json")
_LICENSE = re.compile(r"https?://creativecommons\.org/(licenses|publicdomain)/([a-z-]{1,20})/([0-9.]{1,5})/?")


class StoredPack(NamedTuple):
    """A pack in the store, as its file name says."""

    id: str
    version: str
    sha: str
    path: str


class PackSummary(NamedTuple):
    """What a pack holds, as `tracker packs` lists it.

    `counts` has the number of pieces of each kind in COUNTED, and `licenses` the number of nodes under each license.
    """

    id: str
    version: str
    sha: str
    title: str
    ruleset: str
    date: str
    url: str
    counts: Mapping[str, int]
    licenses: Mapping[str, int]
    authors: tuple[str, ...]
    problems: int


# -- finding and loading ------------------------------------------------------------------------------------------


def folder() -> str:
    """Return the path of the store; nothing is created. Raise OSError if there is no data folder."""
    return os.path.join(data_folder(), "packs")


def stamp() -> int:
    """Return a number that changes when a pack is added or removed; 0 if there is no store. Reads no pack."""
    try:
        return os.stat(folder()).st_mtime_ns
    except OSError:
        return 0


def stored() -> list[StoredPack]:
    """Return the packs in the store, sorted by id. If several have one id, take the one with the newest format version.

    Other files, and links, are ignored. Raise OSError if the folder exists but cannot be read.
    """
    best = {one.id: one for one in sorted(_all(), key=_age)}
    return [best[ident] for ident in sorted(best)]


def _all() -> Iterator[StoredPack]:
    where = folder()
    try:
        names = sorted(os.listdir(where))
    except FileNotFoundError:
        return
    for name in names:
        found = _NAME.fullmatch(name)
        path = os.path.join(where, name)
        if found and stat.S_ISREG(os.lstat(path).st_mode):
            yield StoredPack(found[1], found[2], found[3], path)


def _age(pack: StoredPack) -> tuple[list[int], str, str]:
    return generation(pack.version), pack.version, pack.sha


def generation(version: str) -> list[int]:
    """Return a version of the format, such as "0.0.10", as a list of its numbers, so that versions can be compared."""
    return [int(part) for part in re.findall(r"\d{1,6}", version)]


def find(ident: str) -> StoredPack | None:
    """Return the pack with this id, or None. Raise OSError if the store cannot be read."""
    return next((one for one in stored() if one.id == ident), None)


def content_of(pack: StoredPack, moves: Collection[str]) -> Content:
    """Return the content of a pack of the store. Only texts of moves in `moves`, the game's ids, are linked to a move.

    Read the pack's copy, in which `problems` is empty, or else the pack itself, and write the copy. Raise Refused if
    there is no copy, and the pack's file cannot be read or is damaged.
    """
    content = pack_cache.find(pack.id, pack.sha)
    if content is None:
        content = load(pack, None).content
        pack_cache.write(pack.id, pack.sha, content, Disk())
    return link_moves(content, moves)


def load(pack: StoredPack, moves: Collection[str] | None = ()) -> Pack:
    """Read a pack of the store from its file and return it.

    Only texts of moves in `moves`, the game's ids, are linked to a move; with None, all that name one. Raise Refused if
    its file cannot be read, is not the one that was stored, or is not a pack.
    """
    from tracker.content.datasworn import SIZE_MOST, NotAPack, read  # a table without packs need not hold the reader

    try:
        with open_regular(pack.path, follow=False) as file:
            data = file.read(SIZE_MOST + 1)
    except OSError as error:
        raise Refused(f"Can't read the pack {pack.id}: {error.strerror or error}.") from None
    again = f"`{how_to_get(pack.id)}` installs it again"
    if _sha(data) != pack.sha:
        raise Refused(f"The file of the pack {pack.id} was changed or damaged; {again}.")
    try:
        made = read(data, moves)
    except NotAPack as error:
        raise Refused(f"The pack {pack.id} can't be read: {error}; {again}.") from None
    if made.id != pack.id:
        raise Refused(f"The file of the pack {pack.id} has another pack in it; {again}.")
    return made


def how_to_get(ident: str) -> str:
    """Return the command that installs the pack with this id; it has FILE in it if npm does not have the pack."""
    return f"tracker packs add {f'npm:{NPM_NAMES[ident]}' if ident in NPM_NAMES else 'FILE'}"


def installed() -> tuple[PackInfo, ...]:
    """Return the packs that a campaign can use, sorted by id; () if the store cannot be read."""
    try:
        there = stored()
        summaries = _index() if there else {}
    except OSError:
        return ()
    return tuple(
        PackInfo(one.id, one.version, one.sha, summaries[one.sha].title if one.sha in summaries else one.id)
        for one in there
    )


def merged(
    base: Content, used: Mapping[str, Mapping[str, Any]], moves: Collection[str], helped: Collection[str] = ()
) -> Content:
    """Return `base` with the content of the packs in `used` added. Where both have an id, that of `base` stays.

    `used` maps the id of each pack to the record of it in the campaign. `moves` are the ids of the game's moves,
    `helped` the last parts of the ids of moves that abilities can help. `problems` of the result has a sentence for
    each pack that is missing, damaged, or not the version that the campaign recorded.
    """
    content = base
    problems: list[str] = []
    for ident, taken in used.items():
        title = f"“{shown_line(str(taken.get('title') or ident))}”"
        try:
            pack = find(ident)
            if pack is None:
                problems.append(f"The pack {title} isn't installed; `{how_to_get(ident)}` installs it.")
                continue
            with _no_collection():
                found = content_of(pack, moves)
        except OSError as error:
            problems.append(f"Can't read the folder of packs: {error.strerror or error}.")
            continue
        except Refused as error:
            problems.append(str(error))
            continue
        if taken.get("sha") != pack.sha:
            problems.append(f"{title} has another version; what you have is unchanged.")
        content = content._replace(
            oracles={**found.oracles, **content.oracles},
            assets=_WithGifts(found.assets, content.assets, helped),
            foes={**found.foes, **content.foes},
            truths={**found.truths, **content.truths},
            texts={**found.texts, **content.texts},
            pages={**found.pages, **content.pages},
        )
    return content._replace(problems=(*content.problems, *problems))


class _WithGifts(Mapping[str, Asset]):
    """A mapping with the assets of a pack and those in `others`. Where both have an id, the one in `others` counts.

    Looking up an asset of the pack fills in what its abilities give. Doing that for all assets of a large pack at once
    would take as long as reading its file.
    """

    def __init__(self, raw: Mapping[str, Asset], others: Mapping[str, Asset], helped: Collection[str]) -> None:
        self._raw, self._others, self._helped = raw, others, helped
        self._made: dict[str, Asset] = {}

    def __getitem__(self, ident: str) -> Asset:
        if ident in self._others:
            return self._others[ident]
        if ident not in self._made:
            self._made |= with_gifts({ident: self._raw[ident]}, self._helped)
        return self._made[ident]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._raw, **dict.fromkeys(self._others)})

    def __len__(self) -> int:
        return len({*self._raw, *self._others})

    def __contains__(self, ident: object) -> bool:
        return ident in self._raw or ident in self._others


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Context manager that turns the garbage collector off while a pack is read, which saves a third of the time.

    A pack is many objects, none of them garbage.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def with_gifts(assets: Mapping[str, Asset], helped: Collection[str]) -> dict[str, Asset]:
    """Return {id: asset} with `gives` or `guesses` filled in for each ability.

    `helped` are the last parts of the ids of moves that abilities can help.
    """
    from tracker.content.pack_abilities import with_gifts as read_gifts

    return {ident: read_gifts(asset, helped) for ident, asset in assets.items()}


# -- adding and removing ------------------------------------------------------------------------------------------


def add(pack: Pack, data: bytes, disk: Disk | None = None) -> tuple[PackSummary, str]:
    """Store the pack that was read from `data`; return (its summary, version of the pack it replaces or "").

    Create the store if it is missing, delete the files of the pack's other versions, and write its copy. Raise Refused
    if a different pack has this id, or if the file cannot be written.
    """
    summary = summarize(pack, _sha(data))
    disk = disk or Disk()
    try:
        where = folder()
        os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
        disk.make_folder(where)
        older = [one for one in _all() if one.id == pack.id]
        known = _index()
        for one in older:
            other = known.get(one.sha)
            if other and other.title != summary.title:
                raise Refused(
                    f"“{shown_line(other.title)}” has the id {pack.id} already; "
                    f"`tracker packs remove {pack.id}` makes room for “{shown_line(summary.title)}”."
                )
        path = os.path.join(where, f"{pack.id}@{pack.version}-{summary.sha}.json")
        disk.replace_file(path, data)
        for one in older:
            if one.path != path:
                disk.unlink(one.path)
        _write_index([*known.values(), summary], disk)
        pack_cache.drop_others(((one.id, one.sha) for one in _all()), disk)
        content_of(StoredPack(pack.id, pack.version, summary.sha, path), ())  # writes the copy
    except OSError as error:
        raise Refused(f"Can't store the pack {pack.id}: {error.strerror or error}.") from None
    replaced = next((one.version for one in older if one.sha != summary.sha), "")
    return summary, replaced


def remove(ident: str, disk: Disk | None = None) -> StoredPack:
    """Delete the pack with this id from the store, with its copy, and return the deleted pack.

    Raise Refused if there is none, or if it cannot be deleted.
    """
    disk = disk or Disk()
    try:
        there = [one for one in _all() if one.id == ident]
        if not there:
            raise Refused(f"No pack “{shown_line(ident)}” is installed; `tracker packs` lists them.")
        for one in there:
            disk.unlink(one.path)
        _write_index(_index().values(), disk)
        pack_cache.drop_others(((one.id, one.sha) for one in _all()), disk)
    except OSError as error:
        raise Refused(f"Can't remove the pack {ident}: {error.strerror or error}.") from None
    return max(there, key=_age)


# -- what packs hold ----------------------------------------------------------------------------------------------


def summarize(pack: Pack, sha: str) -> PackSummary:
    content = pack.content
    asset_moves = sum(bool(text.asset) for text in content.texts.values())
    numbers = (
        len(content.texts) - asset_moves,
        asset_moves,
        len(content.assets),
        sum(len(asset.abilities) for asset in content.assets.values()),
        len(content.oracles),
        len(content.foes),
        len(content.truths),
        len(content.pages),
    )
    sources = [*_sources(content)]
    authors = dict.fromkeys(author for source in (pack.source, *sources) for author in source.authors)
    return PackSummary(
        pack.id,
        pack.version,
        sha,
        pack.title,
        pack.ruleset,
        pack.date,
        pack.source.url,
        dict(zip(COUNTED, numbers, strict=True)),
        dict(Counter(license_name(source.license) for source in sources).most_common()),
        tuple(authors),
        len(content.problems) + sum(1 for _ in unknown_targets(content)),
    )


def summaries() -> list[tuple[StoredPack, PackSummary | str]]:
    """Return (pack, summary) for each pack in the store. If a pack cannot be read, a sentence replaces the summary.

    Summaries that the index lacks are made from the packs, and stored there. Raise OSError if the store cannot be read.
    """
    known = _index()
    made: list[tuple[StoredPack, PackSummary | str]] = []
    fresh = False
    for one in stored():
        summary: PackSummary | str | None = known.get(one.sha)
        if summary is None:
            try:
                summary = summarize(load(one), one.sha)
                fresh = True
            except Refused as error:
                summary = str(error)
        made.append((one, summary))
    if fresh:
        with contextlib.suppress(OSError):  # the index only saves time
            _write_index([summary for _, summary in made if isinstance(summary, PackSummary)], Disk())
    return made


def license_name(address: str) -> str:
    """Return the usual short name of the license with this web address, such as "CC BY 4.0".

    Return the address itself for other licenses, and "no license given" for "".
    """
    found = _LICENSE.fullmatch(address)
    if found is None:
        return address or "no license given"
    if found[1] == "publicdomain":
        return f"CC0 {found[3]}"
    return f"CC {found[2].upper()} {found[3]}"


def unknown_targets(content: Content, others: Iterable[Content] = ()) -> Iterator[str]:
    """Yield a sentence for each link and macro in `content` that names nothing or leads nowhere.

    It leads nowhere if its target is in a pack of `content` or `others`, but that pack does not have it. Links to packs
    that are not among these are passed over.
    """
    from tracker.content.markup import read as read_markup

    all_of = (content, *others)
    known = {
        "text": {ident for one in all_of for ident in one.texts},
        "asset": {ident for one in all_of for ident in one.assets},
        "oracle": {ident for one in all_of for ident in one.oracles},
        "foe": {ident for one in all_of for ident in one.foes},
        "truth": {ident for one in all_of for ident in one.truths},
        "page": {ident for one in all_of for ident in one.pages},
    }
    packs = {ident.partition("/")[0] for there in known.values() for ident in there}
    for ident, text in _texts(content):
        marked = read_markup(text)
        for written in marked.unknown:
            yield f"{ident}: “{shown_line(written, 80)}” links to nothing and is shown as text."
        for link in marked.links:
            if link.id.partition("/")[0] in packs and link.id not in known[link.kind]:
                yield f"{ident}: the link to {link.id} leads nowhere."


def _texts(content: Content) -> Iterator[tuple[str, str]]:
    for text in content.texts.values():
        yield text.id, "\n".join((text.text, text.strong, text.weak, text.miss))
    for asset in content.assets.values():
        yield asset.id, "\n".join((asset.needs, *(ability.text for ability in asset.abilities)))
    for oracle in content.oracles.values():
        for texts in (oracle.rows, *oracle.more, (oracle.about,)):
            if any("[" in text or "{{" in text for text in texts):
                yield oracle.id, "\n".join(texts)
    for foe in content.foes.values():
        yield foe.id, "\n".join((foe.text, foe.quest))
    for truth in content.truths.values():
        yield truth.id, "\n".join((truth.about, *(f"{option.text}\n{option.quest}" for option in truth.options)))
    for page in content.pages.values():
        yield page.id, page.text


def attributions(content: Content, *first: Source) -> list[str]:
    """Return one line for each work that the content comes from: title, authors, license and address.

    The works in `first` come first. Content shipped with tracker and content of players has no line.
    """
    works = (source._replace(page=0) for source in (*first, *_sources(content)))
    return [_attribution(work) for work in dict.fromkeys(works) if work != OURS]


def _attribution(work: Source) -> str:
    by = f" by {', '.join(map(shown_line, work.authors))}" if work.authors else ""
    where = f", {shown_line(work.url, 200)}" if work.url else ""
    terms = shown_line(license_name(work.license), 200)
    address = f" ({shown_line(work.license, 200)})" if terms != work.license and work.license else ""
    return f"{shown_line(work.title or 'Untitled', 200)}{by}{where}. License: {terms}{address}."


def _sources(content: Content) -> Iterator[Source]:
    for texts in (content.texts, content.assets, content.oracles, content.foes, content.truths, content.pages):
        yield from (node.source for node in texts.values())


# -- the index ----------------------------------------------------------------------------------------------------


def _sha(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:SHA_LENGTH]


def _index() -> dict[str, PackSummary]:
    """Return {hash: summary} as stored in the index file. Missing or malformed entries are left out.

    Return {} if the file cannot be read.
    """
    import json

    try:
        with open_regular(os.path.join(folder(), INDEX), follow=False) as file:
            raw = json.loads(file.read(INDEX_MOST))
    except (OSError, ValueError, RecursionError):
        return {}  # made again from the packs
    if not isinstance(raw, list):
        return {}
    made = (_summary_of(one) for one in raw)
    return {one.sha: one for one in made if one}


def _summary_of(raw: Any) -> PackSummary | None:
    if not isinstance(raw, dict) or raw.keys() != {*PackSummary._fields}:
        return None
    words = all(isinstance(raw[key], str) for key in ("id", "version", "sha", "title", "ruleset", "date", "url"))
    counts, licenses, authors = raw["counts"], raw["licenses"], raw["authors"]
    if not words or not _counts(counts) or not _counts(licenses) or {*counts} != {*COUNTED}:
        return None
    if not isinstance(authors, list) or not all(isinstance(one, str) for one in authors):
        return None
    if not isinstance(raw["problems"], int):
        return None
    return PackSummary(**{**raw, "authors": tuple(authors)})


def _counts(raw: Any) -> bool:
    return isinstance(raw, dict) and all(isinstance(value, int) for value in raw.values())


def _write_index(summaries: Iterable[PackSummary], disk: Disk) -> None:
    """Write those of `summaries` whose pack is in the store to the index file. Raise OSError if that fails."""
    import json

    there = {one.sha for one in _all()}
    kept = {one.sha: one._asdict() for one in summaries if one.sha in there}
    disk.replace_file(os.path.join(folder(), INDEX), json.dumps([*kept.values()], indent=1).encode())
