"""Our named tuples are what `typing.NamedTuple` makes, and our cached properties are worked out once."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest

from plancheck.cached import cached_property
from plancheck.tuples import NamedTuple


class Ours(NamedTuple):
    """A point."""

    x: int
    y: int = 2
    """Upwards."""
    names: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.x + self.y

    def moved(self, by: int) -> Ours:
        return self._replace(x=self.x + by)

    @classmethod
    def origin(cls) -> Ours:
        return cls(0, 0)


class Theirs(typing.NamedTuple):
    x: int
    y: int = 2
    names: tuple[str, ...] = ()


def failure(run: Any) -> str:
    with pytest.raises((TypeError, ValueError, AttributeError)) as raised:
        run()
    return f"{raised.type.__name__}: {raised.value}".replace("Theirs", "Ours")


def test_they_are_alike() -> None:
    for name in ("_fields", "_field_defaults", "__match_args__"):
        assert getattr(Ours, name) == getattr(Theirs, name)
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
    one: Any = Ours(1, names=("a",))
    other: Any = Theirs(1, names=("a",))
    assert one == other == (1, 2, ("a",))
    assert hash(one) == hash(other)
    assert repr(one) == repr(other).replace("Theirs", "Ours")
    assert (one.x, one.y, one.names, one[0], len(one)) == (1, 2, ("a",), 1, 3)
    assert one._asdict() == other._asdict()
    assert one._replace(y=5) == other._replace(y=5)
    assert isinstance(one._replace(y=5), Ours)
    assert tuple(Ours._make([1, 2, ()])) == tuple(Theirs._make([1, 2, ()]))
    assert Ours.__doc__ == "A point."
    assert (one.total, one.moved(3).x, Ours.origin()) == (3, 4, (0, 0, ()))


def test_they_are_copied_and_pickled() -> None:
    one = Ours(1, 3)
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other == one
        assert type(other) is Ours


def test_they_are_matched_and_unpacked() -> None:
    match Ours(1, 3):
        case Ours(x, y=3):
            assert x == 1
        case _:
            pytest.fail("it does not match")
    first, *rest = Ours(1, 3)
    assert (first, rest) == (1, [3, ()])


@pytest.mark.parametrize(
    "run",
    [
        lambda kind: kind(),
        lambda kind: kind(1, 2, (), 4),
        lambda kind: kind(1, z=3),
        lambda kind: kind(1)._replace(z=3),
        lambda kind: kind._make([1]),
        lambda kind: setattr(kind(1), "x", 2),
        lambda kind: setattr(kind(1), "other", 2),
    ],
)
def test_they_refuse_the_same(run: Any) -> None:
    assert failure(lambda: run(Ours)) == failure(lambda: run(Theirs))


def test_a_class_without_fields_or_with_a_gap_is_refused() -> None:
    make: Any = type(NamedTuple)
    with pytest.raises(TypeError, match="has no fields"):
        make("Empty", (NamedTuple,), {})
    with pytest.raises(TypeError, match="without a default"):
        make("Gap", (NamedTuple,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})


def test_a_cached_property_is_worked_out_once() -> None:
    asked: list[int] = []

    class Holder:
        @cached_property
        def value(self) -> int:
            """What it is."""
            asked.append(1)
            return len(asked)

    holder = Holder()
    assert (holder.value, holder.value, Holder().value, len(asked)) == (1, 1, 2, 2)
    assert Holder.value.__doc__ == "What it is."
    assert "value" in vars(holder)
