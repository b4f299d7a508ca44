"""Keywords about a value alone: its type, and limits for a number, a length or a count."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any

from plancheck.catalogue.fit import Held, Work
from plancheck.catalogue.resolve import TYPE_NAMES, step
from plancheck.catalogue.words import WORDS_OF_TYPES, counted, either, kind_shown, one_of, shown, type_of
from plancheck.syntax.tree import MISSING
from plancheck.tuples import NamedTuple


class LimitKeyword(NamedTuple):
    """A keyword that limits the size of a value."""

    words: str
    holds: Callable[[Any, Any], bool]
    size: Callable[[Any], Any]
    thing: str = ""


def _itself(value: Any) -> Any:
    return value


_OF_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_OF_TEXTS = ("minLength", "maxLength")
_OF_LISTS = ("minItems", "maxItems")
_OF_OBJECTS = ("minProperties", "maxProperties")

LIMITS = {
    "minimum": LimitKeyword("be at least", ge, _itself),
    "maximum": LimitKeyword("be at most", le, _itself),
    "exclusiveMinimum": LimitKeyword("be greater than", gt, _itself),
    "exclusiveMaximum": LimitKeyword("be less than", lt, _itself),
    "minLength": LimitKeyword("have at least", ge, len, "character"),
    "maxLength": LimitKeyword("have at most", le, len, "character"),
    "minItems": LimitKeyword("have at least", ge, len, "element"),
    "maxItems": LimitKeyword("have at most", le, len, "element"),
    "minProperties": LimitKeyword("have at least", ge, len, "member"),
    "maxProperties": LimitKeyword("have at most", le, len, "member"),
}


def assert_all(work: Work, held: Held) -> None:
    """All keywords about the value alone."""
    schema, value = held.schema, held.value
    _assert_choice(work, held)
    for keyword in _limiting(value):
        if keyword in schema and is_number(schema[keyword]) and not held.fit.faults:
            _assert_limit(held, keyword, schema[keyword])
    if is_number(value):
        step = schema.get("multipleOf", 0)
        if is_number(step) and step > 0 and not held.fit.faults and not is_multiple(value, step):
            held.fail("multipleOf", f"be a multiple of {shown(step)}", shown(value))
    elif isinstance(value, str):
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and work.occurs(pattern, value, held.place, held.fit) is False:
            held.fail("pattern", f"match the pattern {shown(pattern)}")
    elif isinstance(value, list) and schema.get("uniqueItems") is True:
        _assert_unique(work, held)


def _limiting(value: Any) -> tuple[str, ...]:
    """The keywords that limit a value of this type."""
    if isinstance(value, str):
        return _OF_TEXTS
    if isinstance(value, list):
        return _OF_LISTS
    if isinstance(value, tuple):
        return _OF_OBJECTS
    return _OF_NUMBERS if is_number(value) else ()


def _assert_limit(held: Held, keyword: str, limit: int | float) -> None:
    rule = LIMITS[keyword]
    size = rule.size(dict(held.value) if isinstance(held.value, tuple) else held.value)
    if not rule.holds(size, limit):
        held.fail(keyword, f"{rule.words} {counted(limit, rule.thing) if rule.thing else shown(limit)}", shown(size))


def _assert_choice(work: Work, held: Held) -> None:
    """At most one of `type`, `const` and `enum` is reported."""
    schema, value = held.schema, held.value
    if "type" in schema:
        types = expected_types(schema["type"])
        if types and not any(fits_type(value, name) for name in types):
            held.fail("type", f"be {either([WORDS_OF_TYPES[name] for name in types])}", kind_shown(value))
            return
    if "const" in schema and not _is_listed(work, held, [schema["const"]]):
        held.fail("const", f"be {one_of([schema['const']])}", shown(value))
    elif isinstance(schema.get("enum"), list) and not _is_listed(work, held, schema["enum"]):
        held.fail("enum", f"be {one_of(schema['enum'])}", shown(value))


def _is_listed(work: Work, held: Held, listed: list[Any]) -> bool:
    """Whether a value is one of a list, or may be."""
    number = work.number(held.value, held.fit)
    if number is None:
        return True
    for choice in listed:
        if choice is MISSING or work.number(choice, held.fit, is_of_schema=True) == number or work.is_over:
            return True
    return False


def _assert_unique(work: Work, held: Held) -> None:
    first: dict[int, int] = {}
    for position, element in enumerate(held.value):
        number = work.number(element, held.fit)
        if work.is_over:
            return
        if number is not None and number in first:
            again, before = step(position, held.place), step(first[number], held.place)
            words = (again, " must be different from ", before)
            held.note("uniqueItems", again, words, step("uniqueItems", held.part.steps))
            return
        if number is not None:
            first[number] = position


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def expected_types(names: Any) -> tuple[str, ...]:
    """The types that `type` allows, by their proper names. None if it allows any, or names one that is not known."""
    listed = names if isinstance(names, list) else [names]
    found = [TYPE_NAMES.get(name.lower(), "") if isinstance(name, str) else "" for name in listed]
    return tuple(found) if all(found) else ()


def fits_type(value: Any, name: str) -> bool:
    own = type_of(value)
    return own == name or (name == "number" and own == "integer")


def is_multiple(value: int | float, step: int | float) -> bool:
    """Whether a number is a multiple of another as they are written: 0.3 is one of 0.1."""
    if isinstance(value, int) and isinstance(step, int):
        return value % step == 0
    from fractions import Fraction

    try:
        exact, unit = (Fraction(number if isinstance(number, int) else repr(number)) for number in (value, step))
    except (ValueError, OverflowError):  # infinite: a number with too many digits
        return True
    return exact % unit == 0
