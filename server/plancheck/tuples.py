"""Named tuples, made faster than by `typing.NamedTuple`.

That compiles the annotation of every field and writes six functions for every class, which takes a sixth of the time of
`plancheck check`: there are more than a hundred such classes. These have one function of their own, and the rest in
common. What they are and do is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from operator import itemgetter

    try:
        from _collections import _tuplegetter as _field
    except ImportError:  # of another Python than CPython

        def _field(index, doc):
            return property(itemgetter(index), doc=doc)

    _new = tuple.__new__

    class _Named(tuple):
        """What all of them have in common."""

        __slots__ = ()
        _fields = ()
        _numbers = {}  # noqa: RUF012 - of the fields; each class has its own

        @classmethod
        def _make(cls, iterable):
            made = _new(cls, iterable)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            values, numbers = list(self), self._numbers
            try:
                for name in changes:
                    values[numbers[name]] = changes[name]
            except KeyError:
                unexpected = [name for name in changes if name not in numbers]
                raise ValueError(f"Got unexpected field names: {unexpected!r}") from None
            return _new(type(self), values)

        __replace__ = _replace

        def _asdict(self):
            return dict(zip(self._fields, self, strict=False))

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            shown = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=False))
            return f"{type(self).__name__}({', '.join(shown)})"

    class _Maker(type):
        def __new__(mcs, name, bases, namespace):
            if not bases:
                return super().__new__(mcs, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            if not fields:  # from Python 3.14 on they are there only if they are text
                raise TypeError(f"{name}: it has no fields, or its module lacks `from __future__ import annotations`")
            defaults = {field: namespace[field] for field in fields if field in namespace}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one that has one")
            listed = ", ".join(fields)
            make = eval(f"lambda _cls, {listed}: _new(_cls, ({listed},))", {"_new": _new, "__name__": __name__})
            make.__name__, make.__qualname__ = "__new__", f"{name}.__new__"
            make.__defaults__ = tuple(defaults.values()) or None
            parts = {
                **namespace,
                **{field: _field(number, None) for number, field in enumerate(fields)},
                "__slots__": (),
                "__new__": make,
                "__match_args__": fields,
                "_fields": fields,
                "_numbers": {field: number for number, field in enumerate(fields)},
                "_field_defaults": defaults,
            }
            return type(name, (_Named,), parts)

    class NamedTuple(metaclass=_Maker):
        """The base of a class whose annotations are the fields of a tuple."""


__all__ = ["NamedTuple"]
