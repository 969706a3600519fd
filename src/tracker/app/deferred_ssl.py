"""TLS, which asyncio imports for encrypted connections that a table without a network does not have.

OpenSSL takes 4 MB of memory and 8 ms of the start. `put_off` imports asyncio without it. The first import of `ssl`
after that loads it and gives it to asyncio, so that whoever needs connections has nothing to do for it.
"""

from __future__ import annotations

import sys
from importlib import import_module, reload
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_HOLDERS = ("asyncio.base_events", "asyncio.selector_events")
"""Modules of asyncio with a name `ssl`, which is None if there is no such module."""
_PROTOCOL = "asyncio.sslproto"
"""The module that defines more if there is `ssl`."""


def put_off() -> None:
    """Import asyncio without `ssl`, which asyncio gets with the first later import of `ssl`.

    Do nothing if one of the two has been imported already.
    """
    if {"asyncio", "ssl"} & sys.modules.keys():
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]  # makes `import ssl` fail
    try:
        import_module("asyncio")
    finally:
        del sys.modules["ssl"]
    sys.meta_path.insert(0, _Finder())


class _Finder:
    """Import finder for the first import of `ssl`: it finds the module with a _Loader, and removes itself."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        if fullname != "ssl":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname)
        if spec and spec.loader:
            spec.loader = cast("Loader", _Loader(spec.loader))
        return spec


class _Loader:
    """Loader of `ssl` that loads it as `real` does, and then gives the module to asyncio.

    Not a subclass of `Loader`, whose import costs time.
    """

    def __init__(self, real: Loader) -> None:
        self._real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._real.exec_module(module)
        for name in _HOLDERS:
            vars(import_module(name))["ssl"] = module
        reload(import_module(_PROTOCOL))
