"""NamedTuple and Record: base classes for values, made for fast creation of the classes.

A start of the program creates about a hundred such classes. `typing.NamedTuple` checks every annotation, which takes
ten times as long, and `dataclasses` imports `inspect`.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NoReturn, Self, dataclass_transform

__all__ = ["NamedTuple", "Record"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class _Maker(type):
        """Metaclass that makes a tuple class whose fields are the annotated names of the class body, in order."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if bases and bases[0]._fields:
                return super().__new__(cls, name, bases, body)  # a subclass with more methods
            fields = tuple(body.get("__annotations__", ()))
            body["_fields"] = body["__match_args__"] = fields
            body["_field_defaults"] = {field: body[field] for field in fields if field in body}
            body |= {field: _getter(n) for n, field in enumerate(fields)}
            return super().__new__(cls, name, (tuple,) if bases else (), {"__slots__": (), **_SHARED, **body})

    def _getter(n: int) -> property:
        return _GETTERS[n] if n < len(_GETTERS) else property(itemgetter(n))

    _GETTERS = [property(itemgetter(n)) for n in range(16)]

    def _new(cls: type, /, *values: Any, **named: Any) -> Any:
        fields = cls._fields
        if len(values) != len(fields) or named:
            defaults = cls._field_defaults
            left = fields[len(values) :]
            try:
                values += tuple([named.pop(field) if field in named else defaults[field] for field in left])
            except KeyError as missing:
                raise TypeError(f"{cls.__name__} needs {missing}") from None
            if named or len(values) != len(fields):
                raise TypeError(f"{cls.__name__} does not know {', '.join(named) or 'so many values'}")
        return tuple.__new__(cls, values)

    def _replace(self: Any, /, **changes: Any) -> Any:
        values = [*self]
        for field, value in changes.items():
            if field not in self._fields:
                raise ValueError(f"{type(self).__name__} does not know {field}")
            values[self._fields.index(field)] = value
        return tuple.__new__(type(self), values)

    _SHARED = {
        "__new__": _new,
        "__repr__": lambda self: f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._asdict().items())})",
        "__getnewargs__": lambda self: (*self,),
        "_make": classmethod(lambda cls, values: cls(*values)),
        "_replace": _replace,
        "_asdict": lambda self: dict(zip(self._fields, self, strict=True)),
    }

    class NamedTuple(metaclass=_Maker):
        """Base of a class whose annotated names are the fields of a tuple."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """Base of immutable values with named fields.

    A subclass inherits the fields and adds annotated ones, which may have defaults. Values are given by name; raise
    TypeError if one is missing or unknown. Two records are equal if they have the same class and equal fields.
    """

    _defaults: Mapping[str, Any] = {}
    _required: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        own = cls.__annotations__
        cls._defaults = {**cls._defaults, **{name: cls.__dict__[name] for name in own if name in cls.__dict__}}
        cls._required = (cls._required | {*own}) - {*cls._defaults}

    if not TYPE_CHECKING:  # a type checker derives the arguments from the fields

        def __init__(self, **given: Any) -> None:
            wrong = self._required - given.keys() or given.keys() - self._defaults.keys() - self._required
            if wrong:
                raise TypeError(f"{type(self).__name__} misses or does not know {', '.join(sorted(wrong))}")
            self.__dict__.update(self._defaults)
            self.__dict__.update(given)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with the fields named in `changes` changed. Raise TypeError if there is no such field."""
        return type(self)(**{**self.__dict__, **changes})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} can't be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"
