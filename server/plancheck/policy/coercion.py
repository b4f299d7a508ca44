"""The values of a policy that is made in Python: taken as people write them, refused where they mean nothing.

A policy that is read from a file has been looked at already, and passes at the cost of a type check.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from plancheck.policy.names import folded, is_too_long
from plancheck.policy.resources import fault_of_resource
from plancheck.policy.showing import shortened

T = TypeVar("T")


def names(value: Any, field: str, is_needed: bool = False) -> tuple[str, ...]:
    """A list of names. A single string is a mistake: it would be taken for the list of its letters."""
    found = _listed(value, field, "a list of names")
    if is_needed and not found:
        raise ValueError(f"`{field}` must name a tool, and the list is empty")
    return tuple(name(item, field) for item in found)


def name(value: Any, field: str) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"`{field}` must be a list of names, not {value!r}")
    fault = fault_of_name(value)
    if fault is not None:
        raise ValueError(f"`{field}`: {shortened(value)!r} {fault}")
    return str(value)


def resources(value: Any, field: str) -> tuple[str, ...]:
    """A list of names of resources, in which `*` stands for any part of a name."""
    found = _listed(value, field, "a list of names")
    for item in found:
        fault = fault_of_resource(item) if isinstance(item, str) else "is not a name"
        if fault is not None:
            raise ValueError(f"`{field}` must be a list of names, and {item!r} {fault}")
    return tuple(map(str, found))


def recipients(value: Any, field: str) -> tuple[str, ...]:
    """A list of those who may be sent to, in which `*` stands for any part of a name."""
    found = _listed(value, field, "a list of names")
    for item in found:
        if not isinstance(item, str) or not item.strip():
            raise ValueError(f"`{field}` must be a list of names, not of {item!r}")
    return tuple(map(str, found))


def fault_of_name(value: str) -> str | None:
    """Why a name would mean no tool at all, or not those that were meant."""
    if "*" in value:
        return "means no other tools: write each of them out"
    if is_too_long(value):
        return "is too long to be compared with the names in a plan: shorten it"
    if not folded(value):
        return "has no letter and no digit, so it names no tool"
    return None


def patterns(value: Any, field: str) -> tuple[str, ...]:
    from plancheck.policy.regexes import fault_of

    found = _listed(value, field, "a list of names")
    for pattern in found:
        if not isinstance(pattern, str) or not pattern:
            raise ValueError(f"`{field}` must be a list of patterns, not {pattern!r}")
        fault = fault_of(pattern)
        if fault is not None:
            raise ValueError(f"`{field}` holds {pattern!r}, which is not a valid regular expression: {fault}")
    return found


def count(value: Any, field: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"`{field}` must be a whole number, 0 or more, not {value!r}")
    return value


def number(value: Any, field: str) -> float:
    found = plain_number(value)
    if found is None:
        raise ValueError(f"`{field}` must be a number, not {value!r}")
    return found


def plain_number(value: Any) -> float | None:
    """A number of any type, such as Decimal, as it is compared; None for what is none."""
    if isinstance(value, bool) or not hasattr(type(value), "as_integer_ratio"):
        return None
    if isinstance(value, (int, float)):
        return None if math.isnan(value) else value
    try:
        found = float(value)
        return None if math.isnan(found) else found if math.isinf(found) or found != int(value) else int(value)
    except (ArithmeticError, TypeError, ValueError):
        return None


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
            raise ValueError(f"`{field}` must be a mapping, and {item!r} is not an entry of one")
    return found


def pairs(value: Any, field: str, make: Callable[[Any, Any], T]) -> tuple[T, ...]:
    """Values that are made of a key and what belongs to it, given as pairs or as a mapping."""
    found = tuple(value.items()) if isinstance(value, Mapping) else _listed(value, field, "a mapping")
    for item in found:
        if not isinstance(item, tuple) or len(item) != 2:
            raise ValueError(f"`{field}` must be a mapping, and {item!r} is not an entry of one")
    return tuple(make(*item) for item in found)


_SIGNS = frozenset("*[]{}()$")


def argument(key: Any, field: str) -> str:
    """The key of a bound: a tool and the path of an argument."""
    fault = fault_of_argument(key) if isinstance(key, str) else "names no argument; write it as in 'a.b'"
    if fault is not None:
        raise ValueError(f"`{field}`: {key!r} {fault}")
    return str(key)


def fault_of_argument(key: str) -> str | None:
    """Why the key of a bound is about no argument."""
    parts = key.split(".")
    if len(parts) < 2 or not all(parts) or not folded(parts[0]):
        return "names no argument: write `tool.argument`, as in `payments.transfer.amount`"
    sign = next((char for char in key if char in _SIGNS), None)
    if sign is not None:
        return f"has `{sign}` in it, which means nothing here: write `items.0.price`, or `items.price` for all items"
    return None


def _listed(value: Any, field: str, what: str) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ValueError(f"`{field}` must be {what}, not {value!r}")
    return value if type(value) is tuple else tuple(value)
