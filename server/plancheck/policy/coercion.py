"""The values of a policy that is made in Python: taken as people write them, refused where they mean nothing.

A policy that is read from a file has been looked at already, and passes at the cost of a type check.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def names(value: Any, field: str) -> tuple[str, ...]:
    """A list of names. A single string is a mistake: it would be taken for the list of its letters."""
    found = _listed(value, field, "a list of names")
    for name in found:
        if not isinstance(name, str) or not name:
            raise ValueError(f"`{field}` must be a list of names, and {name!r} is none")
    return found


def patterns(value: Any, field: str) -> tuple[str, ...]:
    from plancheck.policy.regexes import fault_of

    found = names(value, field)
    for pattern in found:
        fault = fault_of(pattern)
        if fault is not None:
            raise ValueError(f"`{field}` holds {pattern!r}, which is not a valid regular expression: {fault}")
    return found


def count(value: Any, field: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"`{field}` must be a whole number, 0 or more, not {value!r}")
    return value


def number(value: Any, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise ValueError(f"`{field}` must be a number, not {value!r}")
    return value


def switch(value: Any, field: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"`{field}` must be True or False, not {value!r}")
    return value


def records(value: Any, field: str, kind: type[T], make: Callable[[Any, Any], T]) -> tuple[T, ...]:
    """Values of a kind, given as such or as a mapping from their keys."""
    if isinstance(value, Mapping):
        return tuple(make(key, item) for key, item in value.items())
    found = _listed(value, field, "a mapping")
    for item in found:
        if not isinstance(item, kind):
            raise ValueError(f"`{field}` must be a mapping, and {item!r} is no entry of one")
    return found


def argument(key: Any, field: str) -> str:
    """The key of a bound: a tool and the path of an argument."""
    parts = key.split(".") if isinstance(key, str) else ()
    if len(parts) < 2 or not all(parts):
        raise ValueError(f"`{field}`: {key!r} names no argument; write it as in 'payments.transfer.amount'")
    return str(key)


def _listed(value: Any, field: str, what: str) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ValueError(f"`{field}` must be {what}, not {value!r}")
    return value if isinstance(value, tuple) else tuple(value)
