"""Named tuples and records of our own behave like those of Python."""

import copy
import pickle
from typing import Any

import pytest

from tracker.records import NamedTuple, Record


class Point(NamedTuple):
    """A point."""

    x: int
    y: int = 0
    label: str = ""

    @property
    def far(self) -> bool:
        return self.x + self.y > 10


class Marked(Point):
    """A point with a method more."""

    def twice(self) -> int:
        return 2 * self.x


class Shape(Record):
    """A shape."""

    key: str
    size: int = 1


class Box(Shape):
    """A shape with a field more."""

    depth: int


class TestNamedTuple:
    def test_fields_come_by_position_by_name_and_by_default(self) -> None:
        assert Point(1, 2, "a") == Point(label="a", y=2, x=1) == (1, 2, "a")
        assert Point(1) == (1, 0, "")
        assert (Point(3).x, Point(3).far, Point(9, 9).far) == (3, False, True)

    @pytest.mark.parametrize(("values", "named"), [((), {}), ((1, 2, "a", 4), {}), ((1,), {"x": 2}), ((1,), {"z": 2})])
    def test_wrong_fields_are_an_error(self, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        with pytest.raises(TypeError):
            Point(*values, **named)

    def test_copy_with_other_fields(self) -> None:
        point = Point(1, 2)
        assert point._replace(y=5) == (1, 5, "")
        assert point._asdict() == {"x": 1, "y": 2, "label": ""}
        assert Point._make([1, 2, "b"]).label == "b"
        with pytest.raises(ValueError):
            point._replace(z=1)  # type: ignore[call-arg]

    def test_values_are_immutable_and_can_be_matched_copied_and_pickled(self) -> None:
        point = Point(1, 2, "a")
        with pytest.raises(AttributeError):
            point.x = 2  # type: ignore[misc]
        match point:
            case Point(x, y):
                assert (x, y) == (1, 2)
        assert copy.copy(point) == pickle.loads(pickle.dumps(point)) == point
        assert repr(point) == "Point(x=1, y=2, label='a')"

    def test_subclass_with_methods_keeps_the_fields(self) -> None:
        assert Marked(4, 5).twice() == 8
        assert Marked(4)._fields == Point._fields


class TestRecord:
    def test_fields_are_inherited_with_their_defaults(self) -> None:
        box = Box(key="a", depth=3)
        assert (box.key, box.size, box.depth) == ("a", 1, 3)
        assert box == Box(depth=3, key="a", size=1) != Shape(key="a")
        assert hash(box) == hash(Box(key="a", depth=3))

    @pytest.mark.parametrize("named", [{}, {"key": "a", "depth": 1, "width": 2}, {"key": "a"}])
    def test_wrong_fields_are_an_error(self, named: dict[str, Any]) -> None:
        with pytest.raises(TypeError):
            Box(**named)

    def test_records_are_immutable_and_can_be_copied(self) -> None:
        box = Box(key="a", depth=3)
        with pytest.raises(AttributeError):
            box.depth = 4  # type: ignore[misc]
        assert box.replace(depth=4).depth == 4
        assert "depth=3" in repr(box)
