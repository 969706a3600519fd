"""Copies of packs as they were read, one file for each pack in `packs-read/` of the data folder, for a fast start.

A copy is JSON of lists, texts and numbers, in the order of the fields, after a line with its form and checksum. It
only saves time: one that is missing, damaged, of another form or with impossible values counts as missing, and is
written again from the pack. As with packs, every value is checked, since the file may come from a stranger.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from tracker.games.api.content import (
    DIE_MOST,
    RANKS,
    Ability,
    Asset,
    AssetOption,
    Content,
    Flag,
    Foe,
    FurtherRoll,
    Meter,
    MoveText,
    Oracle,
    Page,
    Source,
    Truth,
    TruthOption,
)
from tracker.saves.disk import Disk, data_folder, open_regular

FORM = 1
"""Number of the present form. Raise it if reading the same pack gives something else than before."""
MOST = 48_000_000
"""Most bytes of a copy; that of the largest official pack has 1.2 million."""
_NAME = re.compile(r"[a-z0-9_]+-[0-9a-f]{16}\.json")

# Control characters: JSON has those before the space as escapes. Two patterns are faster than one.
_ESCAPES, _C1 = re.compile(rb"\\[ubfrt]"), re.compile(rb"\xc2[\x80-\x9f]")

T = TypeVar("T")
Check = Callable[[Any], Any]


class _Odd(ValueError):
    """Raised for a value that no copy of ours has."""


# -- files --------------------------------------------------------------------------------------------------------


def folder() -> str:
    """Return the path of the folder of copies; nothing is created. Raise OSError if there is no data folder."""
    return os.path.join(data_folder(), "packs-read")


def _path(ident: str, sha: str) -> str:
    return os.path.join(folder(), f"{ident}-{sha}.json")


def find(ident: str, sha: str) -> Content | None:
    """Return the content of the pack with this id and hash from its copy, or None if there is no valid copy."""
    try:
        with open_regular(_path(ident, sha), follow=False) as file:
            data = file.read(MOST + 1)
    except OSError:
        return None
    try:
        return parse(data, ident)
    except (TypeError, ValueError, RecursionError):
        return None


def write(ident: str, sha: str, content: Content, disk: Disk) -> None:
    """Write the copy of the pack with this id and hash; create its folder if it is missing.

    Do nothing if the copy would be too large or have control characters, or if the file cannot be written.
    """
    data = form(content)
    if len(data) > MOST or _has_controls(data):
        return  # `find` would refuse it
    with contextlib.suppress(OSError):  # a copy only saves time
        os.makedirs(os.path.dirname(folder()), mode=0o700, exist_ok=True)
        disk.make_folder(folder())
        disk.replace_file(_path(ident, sha), data)


def drop_others(stored: Iterable[tuple[str, str]], disk: Disk) -> None:
    """Delete copies of all packs but these, each as (id, hash). If a file cannot be deleted, it and the rest stay.

    Files with other names than those of copies, and a folder that is a link, are the player's own.
    """
    kept = {os.path.basename(_path(ident, sha)) for ident, sha in stored}
    with contextlib.suppress(OSError):
        for name in () if os.path.islink(folder()) else os.listdir(folder()):
            if _NAME.fullmatch(name) and name not in kept:
                disk.unlink(os.path.join(folder(), name))


# -- writing ------------------------------------------------------------------------------------------------------


def form(content: Content) -> bytes:
    """Return the bytes of a copy of this content. Its pieces and problems are not in the copy."""
    sources: dict[Source, int] = {}

    def rows(pieces: Mapping[str, Any]) -> list[list[Any]]:
        return [[*piece[:-1], sources.setdefault(piece.source, len(sources))] for piece in pieces.values()]

    kinds = content.oracles, content.assets, content.foes, content.truths, content.texts, content.pages
    made = [rows(kind) for kind in kinds]
    body = json.dumps([[*sources], *made], ensure_ascii=False, separators=(",", ":")).encode()
    return _mark(body) + body


def _has_controls(body: bytes) -> bool:
    """Return True if the bytes of a copy may have control characters in their texts. Packs are read without them."""
    return bool(b"\x7f" in body or _ESCAPES.search(body) or _C1.search(body))


def _mark(body: bytes) -> bytes:
    return f"{FORM} {zlib.crc32(body):08x}\n".encode()


# -- reading ------------------------------------------------------------------------------------------------------


def parse(data: bytes, ident: str) -> Content:
    """Return the content of the pack `ident` in the bytes of a copy.

    Raise ValueError, TypeError or RecursionError if the bytes are not a copy of this pack in the present form.
    """
    mark, _, body = data.partition(b"\n")
    if mark + b"\n" != _mark(body) or _has_controls(body):
        raise _Odd
    sources, *kinds = json.loads(body.decode())  # json would take lone surrogates, and UTF-16
    source = _place_in(_many(_SOURCE)(sources))
    made = [
        {piece.id: piece for piece in _many(_record(kind, *fields, source))(raw)}
        for (kind, *fields), raw in zip(_KINDS, kinds, strict=True)
    ]
    start = f"{ident}/"
    if not all(key.startswith(start) for pieces in made for key in pieces):
        raise _Odd
    oracles, assets, foes, truths, texts, pages = made
    for oracle in oracles.values():
        _check_table(oracle)
    meters = (meter for asset in assets.values() for meter in asset.meters)
    if any(meter.most and not meter.least <= meter.value <= meter.most for meter in meters):
        raise _Odd
    return Content(oracles, assets, foes=foes, truths=truths, texts=texts, pages=pages)


def _check_table(oracle: Oracle) -> None:
    """Raise _Odd if the lists of a table do not fit together."""
    many, wider = len(oracle.rows), max(0, len(oracle.columns) - 1)
    fits = (
        len(oracle.since) == len(oracle.upto) == many > 0
        and len(oracle.more) == (many if wider else 0)
        and len(oracle.rolls) in {0, many}
        and max(oracle.upto) <= oracle.die
        and not any(first > last for first, last in zip(oracle.since, oracle.upto, strict=True))
        and all(len(texts) == wider for texts in oracle.more)
    )
    if not fits or oracle.parts:
        raise _Odd


def _record(kind: Callable[..., T], *checks: Check) -> Callable[[Any], T]:
    """Return a function that takes a list with one value for each check and returns a `kind` of the checked values.

    It raises _Odd for anything else.
    """

    def made(raw: Any) -> T:
        if type(raw) is not list or len(raw) != len(checks):
            raise _Odd
        return kind(*[check(value) for check, value in zip(checks, raw, strict=True)])

    return made


def _many(check: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    def made(raw: Any) -> tuple[T, ...]:
        if type(raw) is not list:
            raise _Odd
        return tuple([check(value) for value in raw])

    return made


def _all_of(kind: type[T]) -> Callable[[Any], tuple[T, ...]]:
    """Return a function that takes a list of values of this plain type and returns it as a tuple.

    It raises _Odd for anything else.
    """

    def made(raw: Any) -> tuple[T, ...]:
        if type(raw) is not list or not {*map(type, raw)} <= {kind}:
            raise _Odd
        return tuple(raw)

    return made


def _text(raw: Any) -> str:
    if type(raw) is not str:
        raise _Odd
    return raw


def _flag(raw: Any) -> bool:
    if type(raw) is not bool:
        raise _Odd
    return raw


def _between(low: int, high: int) -> Check:
    def made(raw: Any) -> Any:
        if type(raw) is not int or not low <= raw <= high:
            raise _Odd
        return raw

    return made


def _one_of(*words: str) -> Check:
    def made(raw: Any) -> Any:
        if raw not in words:
            raise _Odd
        return raw

    return made


def _place_in(sources: tuple[Source, ...]) -> Check:
    def made(raw: Any) -> Source:
        if type(raw) is not int or not 0 <= raw < len(sources):
            raise _Odd
        return sources[raw]

    return made


_texts = _all_of(str)


def _faces(raw: Any) -> tuple[int, ...]:
    faces = _all_of(int)(raw)
    if faces and not 0 <= min(faces) <= max(faces) <= DIE_MOST:
        raise _Odd
    return faces


_face, _small, _amount = _between(0, DIE_MOST), _between(-99, 99), _between(0, 99)
_SOURCE = _record(Source, _text, _texts, _text, _text, _between(0, 99_999))
_FURTHER = _record(FurtherRoll, _text, _between(1, 20), _flag, _flag, _flag)
_ABILITY = _record(Ability, _text, _flag, _texts, _texts, _text)
_METER = _record(Meter, _text, _text, _small, _small, _amount, _one_of("meter", "counter", "clock"))
_FLAG = _record(Flag, _text, _text, _flag)
_OPTION = _record(AssetOption, _text, _text, _texts, _texts)
_TRUTH = _record(TruthOption, _text, _face, _face, _text, _texts)
_KINDS: tuple[tuple[Any, ...], ...] = (
    (
        Oracle,
        *(_text, _text, _text, _texts, _texts, _text, _faces, _faces, _face),
        *(_texts, _many(_texts), _many(_many(_FURTHER)), _text),
    ),
    (
        Asset,
        *(_text, _text, _text, _many(_ABILITY), _amount, _text, _text, _flag),
        *(_many(_METER), _many(_FLAG), _many(_OPTION)),
    ),
    (Foe, _text, _text, _one_of(*RANKS), _text, _texts, _texts, _texts, _text, _text),
    (Truth, _text, _text, _many(_TRUTH), _between(1, DIE_MOST), _text),
    (MoveText, _text, _text, _text, _text, _text, _text, _text, _text, _texts, _text),
    (Page, _text, _text, _text, _text),
)
"""The kinds of pieces in a copy, each with a check for every field but the last one, the source."""
