"""From the described keys of a file that people write by hand to its JSON Schema."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from plancheck.policy.described import DescribedKey, FormId, KeyTable, Named, SingleValue, ValueForm

Names = Mapping[Named, Collection[str]]
"""The names that are known whichever workspace it is, such as those of rules."""

_TYPES: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_OF_ARGUMENTS = r"^[^.*$()\[\]{}]+(\.[^.*$()\[\]{}]+)+$"


def table_schema(table: KeyTable, names: Names) -> dict[str, Any]:
    """What a schema can say about such a file. Whether a glob or a pattern can be used, only plancheck can tell."""
    forms = {form_id: form for form_id, form in table.forms.items() if form_id != table.root}
    return {
        **_shape(table.forms[table.root], names),
        "$defs": {_name(form_id): _shape(form, names) for form_id, form in forms.items()},
    }


def _shape(form: ValueForm, names: Names) -> dict[str, Any]:
    shapes = list(_shapes(form, names))
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _shapes(form: ValueForm, names: Names) -> Iterator[dict[str, Any]]:
    """The kinds of values that there may be."""
    if form.scalar is not None:
        yield _scalar(form.scalar)
    elif form.words:
        yield {"enum": list(form.words)}
    if form.is_table:
        yield _table(form, names)
    if form.items is not None:
        most = {} if form.most_items is None else {"maxItems": form.most_items}
        least = {"minItems": form.least_items} if form.least_items else {}
        yield {"type": "array", "items": _reference(form.items), **least, **most}


def _scalar(scalar: SingleValue) -> dict[str, Any]:
    limits = {"minimum": scalar.least, "maximum": scalar.most, "pattern": scalar.pattern}
    return {"type": _TYPES[scalar.kind], **{name: limit for name, limit in limits.items() if limit is not None}}


def _table(form: ValueForm, names: Names) -> dict[str, Any]:
    named = {key.name: _member(key) for key in form.keys}
    named.update((name, _reference(form_id)) for name, form_id in form.particular.items())
    required = [key.name for key in form.keys if key.is_required]
    shape: dict[str, Any] = {
        "type": "object",
        "properties": named,
        "additionalProperties": False if form.members is None else _reference(form.members),
    }
    if required:
        shape["required"] = required
    if form.one_of_keys:
        shape["anyOf"] = [{"required": [name]} for name in form.one_of_keys]
    of_names = _property_names(form, names)
    return shape if of_names is None else {**shape, "propertyNames": of_names}


def _property_names(form: ValueForm, names: Names) -> dict[str, Any] | None:
    if form.key_words:  # in capitals or not
        return {"enum": [spelling for word in form.key_words for spelling in (word, word.upper())]}
    if form.key_names is Named.ARGUMENT:
        return {"pattern": _OF_ARGUMENTS}
    known = names.get(form.key_names) if form.key_names is not None else None
    return None if known is None else {"enum": list(known)}


def _member(key: DescribedKey) -> dict[str, Any]:
    without = f" Without it: {key.without}." if key.without else ""
    return {"description": f"{key.summary}.{without}", **_reference(key.form)}


def _reference(form_id: FormId) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{_name(form_id)}"}


def _name(form_id: FormId) -> str:
    """A name that needs no escaping in a reference."""
    return (form_id if isinstance(form_id, str) else str(form_id.value)).replace(" ", "-")
