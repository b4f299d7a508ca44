"""Values that cannot be changed: what `@dataclass(frozen=True, slots=True)` makes, without importing `dataclasses`.

That import takes a sixth of the time of `plancheck check`, and its values take four times as long to make as a tuple.
So whatever `plancheck check` needs from its start is a `Frozen`, and other public values are real dataclasses. The two
behave alike: equal by type and fields, hashable, with slots, no items, and `dataclasses.replace` works on both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

if TYPE_CHECKING:
    from dataclasses import Field

    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_):
        """Tells type checkers that the annotations of a class are its fields."""
        return lambda kind: kind


class _DataclassFields:
    """What `dataclasses.replace`, `fields` and `asdict` look for. Whoever calls them has imported `dataclasses`."""

    def __get__(self, _: object, owner: FrozenType) -> dict[str, Field[Any]]:
        from dataclasses import make_dataclass

        made: Any = make_dataclass(owner.__name__, owner.__match_args__)
        fields: dict[str, Field[Any]] = made.__dataclass_fields__
        return fields


@dataclass_transform(frozen_default=True)
class FrozenType(type):
    """Makes a class of values from the annotations in its body."""

    __match_args__: tuple[str, ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, init: bool = True) -> FrozenType:
        """`init=False` tells type checkers that the class has a `__new__` of its own, which hands the fields on."""
        if not bases:
            return super().__new__(mcs, name, bases, namespace)
        if bases != (Frozen,) or init is ("__new__" in namespace):
            raise TypeError(f"{name}: derive it from Frozen alone, and say `init=False` if it has a `__new__`")
        fields = tuple(namespace.get("__annotations__", ()))
        defaults = tuple(namespace.pop(field) for field in fields if field in namespace)
        slots = (*fields, *namespace.pop("__slots__", ()))
        unlocked = type(name, (), {"__slots__": slots})
        _write(unlocked, fields, defaults)
        return super().__new__(mcs, name, (*bases, unlocked), {**namespace, "__slots__": (), "__match_args__": fields})


def _write(unlocked: Any, fields: tuple[str, ...], defaults: tuple[object, ...]) -> None:
    """Write the constructor of a class. A value is made as one that can be changed and becomes what it is in the end:
    to get past its own refusal for each field would take twice as long."""
    assigned = "".join(f"    self.{field} = {field}\n" for field in fields)
    source = (
        f"def __new__(cls, {', '.join(fields)}):\n"
        f"    self = new(unlocked)\n{assigned}    self.__class__ = cls\n    return self\n"
        f"def values(self):\n    return ({''.join(f'self.{field}, ' for field in fields)})\n"
    )
    written: dict[str, Any] = {"new": object.__new__, "unlocked": unlocked}
    exec(source, written)
    written["__new__"].__defaults__ = defaults or None
    written["__new__"].__qualname__ = unlocked.__name__
    unlocked.__new__, unlocked._values = written["__new__"], written["values"]


class Frozen(metaclass=FrozenType):
    """The base of such values: `class Point(Frozen)` with its fields as annotations, those with a default last."""

    __slots__ = ()
    __dataclass_fields__ = _DataclassFields()

    if TYPE_CHECKING:
        __match_args__: ClassVar[tuple[str, ...]]

        def __new__(cls, *values: Any) -> Self: ...
        def _values(self) -> tuple[Any, ...]: ...

    def __setattr__(self, name: str, _: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed: use dataclasses.replace(value, {name}=…)")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed: `{name}` stays")

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        named = (f"{name}={value!r}" for name, value in zip(self.__match_args__, self._values(), strict=True))
        return f"{type(self).__name__}({', '.join(named)})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Copies and pickles are made as the value was, so that they are validated as it was."""
        return type(self), self._values()

    def __replace__(self, **changes: Any) -> Self:
        """For `copy.replace` of Python 3.13, and for `replace`."""
        return type(self)(**{**dict(zip(self.__match_args__, self._values(), strict=True)), **changes})


F = TypeVar("F", bound=Frozen)


def replace(value: F, **changes: Any) -> F:
    """Another value with some fields changed, validated like any other: `dataclasses.replace`, without the import."""
    return value.__replace__(**changes)


def fields_of(value: object) -> tuple[Any, ...]:
    """The fields of a value, in their order; as `default=` of `json.dumps`, a value becomes the list of them."""
    if isinstance(value, Frozen):
        return value._values()
    raise TypeError(f"{type(value).__name__} is not a value with fields")
