"""From the description of a dialect's keys to its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.dialects.vocabulary import PLAN, Key, Slot

Schema = dict[str, Any]

_NAME: Schema = {"type": "string", "minLength": 1}
_SCALARS: Mapping[Slot, Schema] = {
    Slot.RESOURCE: _NAME,
    Slot.RULE: {"type": "string"},
    Slot.FLAG: {"type": "boolean", "default": False},
    Slot.ARGUMENTS: {"type": "object"},
    Slot.OBJECT: {"type": "object"},
    Slot.JSON_TEXT: {"type": ["object", "string"]},
    Slot.NAME: _NAME,
    Slot.TEXT: {"type": "string"},
}


def document(dialect: Dialect) -> Schema:
    """A whole plan; shapes below the document's own are in `definitions`."""
    head = {"title": dialect.title, "description": dialect.summary}
    plan = _object(dialect, PLAN)
    if not dialect.bare:
        return {**head, **plan}
    elements = [_reference(dialect, shape) for shape in dialect.bare_shapes]
    items = elements[0] if len(elements) == 1 else {"anyOf": elements}
    return {**head, "anyOf": [{"type": "array", "items": items}, plan]}


def definitions(dialect: Dialect) -> Schema:
    """The shapes that documents refer to, by names that no other dialect uses."""
    return {_name(dialect, shape): _object(dialect, shape) for shape in dialect.vocabulary.shapes if shape != PLAN}


def _name(dialect: Dialect, shape: str) -> str:
    return f"{dialect.name}-{shape}"


def _reference(dialect: Dialect, shape: str) -> Schema:
    return {"$ref": f"#/$defs/{_name(dialect, shape)}"}


def _object(dialect: Dialect, shape: str) -> Schema:
    keys = dialect.vocabulary.shapes[shape]
    required = [name for name, key in keys.items() if key.is_required]
    properties = {name: _member(dialect, key) for name, key in keys.items()}
    return {"type": "object", **({"required": required} if required else {}), "properties": properties}


def _member(dialect: Dialect, key: Key) -> Schema:
    value = _value(dialect, key)
    if key.many:
        value = {"type": "array", "items": value}
    elif key.named:
        value = {"type": "object", "additionalProperties": value}
    if key.may_be_text:
        value = {"anyOf": [value, {"type": "string"}]}
    if key.may_be_null:
        value = _or_null(value)
    return {"description": key.page, **value}


def _value(dialect: Dialect, key: Key) -> Schema:
    """One value; a list has many of them."""
    forms = [_scalar(dialect, key)] if key.slot is not None else []
    forms += [_reference(dialect, key.shape)] if key.shape is not None else []
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


def _scalar(dialect: Dialect, key: Key) -> Schema:
    if key.slot in (Slot.IDENTITY, Slot.STEP):
        return _identity(dialect)
    if key.slot is Slot.CHOICE:
        words = list(key.choices)
        return {"enum": words, **({"default": words[0]} if key.has_default else {})}
    assert key.slot is not None
    return _SCALARS[key.slot]


def _identity(dialect: Dialect) -> Schema:
    if dialect.identities.are_numbers:
        return {"type": "integer"}
    return {"type": ["string", "integer"]} if dialect.identities.are_counted else _NAME


def _or_null(value: Schema) -> Schema:
    if "enum" in value:
        return {**value, "enum": [*value["enum"], None]}
    if "type" in value:
        types = value["type"] if isinstance(value["type"], list) else [value["type"]]
        return {**value, "type": [*types, "null"]}
    return {"anyOf": [value, {"type": "null"}]}
