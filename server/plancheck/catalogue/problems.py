"""What is wrong with a schema itself: keywords that cannot have the value that they have, and a `$ref` to nowhere.

Only schemas are gone through: what is in `default`, `enum` or `examples` is no schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plancheck.catalogue.assertions import is_number
from plancheck.catalogue.patterns import prepared
from plancheck.catalogue.resolve import TYPE_NAMES, Astray, Resolver, SchemaPart, path_of, step
from plancheck.catalogue.schema import Schema, SchemaProblem
from plancheck.catalogue.words import kind_shown, shown
from plancheck.syntax.tree import MISSING, Part

_SCHEMAS = frozenset(
    {
        *("additionalItems", "additionalProperties", "contains", "else", "if", "not", "propertyNames", "then"),
        *("unevaluatedItems", "unevaluatedProperties", "items"),
    }
)
_LISTS_OF_SCHEMAS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_OBJECTS_OF_SCHEMAS = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "dependencies"}
)
_NUMBERS = frozenset({"maximum", "minimum"})
_EXCLUSIVE = frozenset({"exclusiveMaximum", "exclusiveMinimum"})
_COUNTS = frozenset(
    {
        *("maxContains", "maxItems", "maxLength", "maxProperties"),
        *("minContains", "minItems", "minLength", "minProperties"),
    }
)
_SWITCHES = frozenset({"nullable", "uniqueItems"})


def problems(schema: Schema) -> Iterator[SchemaProblem]:
    schemas = Resolver(schema)
    todo = [schemas.start]
    while todo:
        part = schemas.entered(todo.pop())
        if part.value is MISSING or isinstance(part.value, bool):
            continue
        if not isinstance(part.value, tuple):
            message = f"A schema must be an object, true or false, not {kind_shown(part.value)}."
            yield SchemaProblem(path_of(part.steps), Part.VALUE, message)
            continue
        inner: list[SchemaPart] = []
        for keyword, value in schemas.members(part.value).items():
            if value is MISSING:
                continue
            yield from _of_keyword(schemas, part, keyword, value)
            inner += _schemas_in(schemas, part, keyword, value)
        todo += reversed(inner)


def _schemas_in(schemas: Resolver, part: SchemaPart, keyword: str, value: Any) -> Iterator[SchemaPart]:
    if isinstance(value, list) and (keyword in _LISTS_OF_SCHEMAS or keyword == "items"):
        yield from (part.down(schema, keyword, position) for position, schema in enumerate(value))
    elif keyword in _SCHEMAS:
        yield part.down(value, keyword)
    elif keyword in _OBJECTS_OF_SCHEMAS:
        for name, schema in schemas.members(value).items():
            if not (keyword == "dependencies" and isinstance(schema, list)):
                yield part.down(schema, keyword, name)


def _of_keyword(schemas: Resolver, part: SchemaPart, keyword: str, value: Any) -> Iterator[SchemaProblem]:
    place = step(keyword, part.steps)
    message = _fault_of(keyword, value)
    if message is not None:
        yield SchemaProblem(path_of(place), Part.VALUE, message)
    elif keyword == "type":
        listed = enumerate(value) if isinstance(value, list) else [(None, value)]
        for position, name in listed:
            if isinstance(name, str) and name.lower() not in TYPE_NAMES:
                message = f"Unknown type {shown(name)}: use string, number, integer, boolean, array, object or null."
                where = place if position is None else step(position, place)
                yield SchemaProblem(path_of(where), Part.VALUE, message)
    elif keyword == "patternProperties":
        for pattern in schemas.members(value):
            message = _fault_of("pattern", pattern)
            if message is not None:
                yield SchemaProblem(path_of(step(pattern, place)), Part.KEY, message)
    elif keyword == "$ref":
        message = _fault_of_reference(schemas, part, value)
        if message is not None:
            yield SchemaProblem(path_of(place), Part.VALUE, message)


def _fault_of(keyword: str, value: Any) -> str | None:
    """What is wrong with the value of a keyword, in words."""
    wanted = _wanted(keyword, value)
    if wanted is not None:
        return f"`{keyword}` must be {wanted}, not {kind_shown(value)}."
    if keyword == "pattern":
        fault = prepared(value).fault
        if fault is not None:
            return f"{shown(value)} cannot be checked as a regular expression: {fault}."
    return None


def _wanted(keyword: str, value: Any) -> str | None:
    """What the value of a keyword must be, if it is not."""
    is_right, wanted = True, ""
    if keyword in _NUMBERS or keyword in _EXCLUSIVE:
        is_right, wanted = is_number(value) or (keyword in _EXCLUSIVE and isinstance(value, bool)), "a number"
    elif keyword == "multipleOf":
        is_right, wanted = is_number(value) and value > 0, "a number greater than 0"
    elif keyword in _COUNTS:
        is_right = is_number(value) and value >= 0 and value == value // 1
        wanted = "a whole number, 0 or more"
    elif keyword in _SWITCHES:
        is_right, wanted = isinstance(value, bool), "true or false"
    elif keyword in ("pattern", "$ref"):
        is_right, wanted = isinstance(value, str), "a string"
    elif keyword == "type":
        is_right, wanted = _are_names(value if isinstance(value, list) else [value]), "a name or a list of names"
    elif keyword == "required":
        is_right, wanted = isinstance(value, list) and _are_names(value), "a list of names"
    elif keyword == "enum" or keyword in _LISTS_OF_SCHEMAS:
        is_right, wanted = isinstance(value, list), "a list"
    elif keyword in _OBJECTS_OF_SCHEMAS or keyword == "dependentRequired":
        is_right, wanted = isinstance(value, tuple), "an object"
    elif keyword in _SCHEMAS and not (keyword == "items" and isinstance(value, list)):
        return None  # it is gone into
    return None if is_right else wanted


def _are_names(values: list[Any]) -> bool:
    return all(isinstance(value, str) or value is MISSING for value in values)


def _fault_of_reference(schemas: Resolver, part: SchemaPart, reference: str) -> str | None:
    seen = {id(part.value)}
    target: SchemaPart | Astray = part
    following: Any = reference
    while isinstance(following, str) and isinstance(target, SchemaPart):
        target = schemas.follow(target, following)
        if target is Astray.NOWHERE:
            return None if following != reference else f"{shown(reference)} leads nowhere in this document."
        if isinstance(target, SchemaPart):
            if id(target.value) in seen:
                return f"{shown(reference)} leads back to itself."
            seen.add(id(target.value))
            following = schemas.members(target.value).get("$ref")
    return None
