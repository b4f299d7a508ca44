"""What a schema says about what may be written, and what is wrong with a schema itself."""

from __future__ import annotations

from typing import Any

import pytest

from catalogue.schema_pairs import as_tree_value
from plancheck.catalogue.schema import (
    MISSING,
    Schema,
    choices,
    describe,
    member,
    placeholder,
    property_schemas,
    schema_problems,
    type_names,
)
from plancheck.syntax.tree import Part


def made(schema: Any) -> Schema:
    return Schema(as_tree_value(schema))


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, ""),
        (True, ""),
        (False, "nothing"),
        ({"type": "integer", "minimum": 1, "maximum": 100}, "integer, 1 to 100"),
        ({"type": "number", "exclusiveMinimum": 0}, "number, greater than 0"),
        ({"type": "string", "minLength": 2}, "string, at least 2 characters"),
        ({"type": "string", "pattern": "^a"}, "string matching `^a`"),
        ({"enum": ["C", "F"]}, "one of `C`, `F`"),
        ({"const": 3}, "3"),
        ({"type": "array", "items": {"type": "string"}}, "list of strings"),
        ({"type": "array", "items": {"enum": [1, 2]}, "maxItems": 3}, "list of one of 1, 2, at most 3 elements"),
        ({"type": "array"}, "list"),
        ({"type": "bool"}, "true or false"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, "integer or null"),
        ({"oneOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}, "integer, at least 1 or string"),
        ({"type": "object", "properties": {"a": {}, "b": {}}}, "object with `a`, `b`"),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "integer"}}}, "integer"),
        ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, "integer, at least 3"),
        ({"type": "string", "nullable": True}, "string or null"),
        ({"$ref": "#"}, ""),
        ({"type": "array", "items": {"$ref": "#"}}, "list of list of list of list of list"),
    ],
)
def test_a_schema_in_words(schema: Any, words: str) -> None:
    assert describe(made(schema)) == words


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"default": {"a": 1}}, {"a": 1}),
        ({"enum": ["C", "F"]}, "C"),
        ({"const": 3}, 3),
        ({"examples": ["Paris"], "type": "string"}, "Paris"),
        ({"type": "string"}, ""),
        ({"type": ["null", "integer"]}, 0),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "boolean"}, False),
        ({"type": "array", "items": {}}, []),
        ({"type": "null"}, None),
        ({}, ""),
        ({"anyOf": [{"type": "null"}, {"enum": ["a"]}]}, "a"),
        ({"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}, {"a": 0}),
        ({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}, {"a": {"a": {"a": {"a": {}}}}}),
    ],
)
def test_a_value_to_begin_with(schema: Any, value: Any) -> None:
    assert placeholder(made(schema)) == value


def test_choices_and_types() -> None:
    assert choices(made({"anyOf": [{"enum": ["a"]}, {"const": "b"}, {"type": "null"}]})) == ["a", "b", None]
    assert choices(made({"anyOf": [{"enum": ["a"]}, {"type": "string"}]})) == []
    assert choices(Schema((("enum", ["a", MISSING]),))) == ["a"]
    assert type_names(made({"type": "dict"})) == ("object",)
    assert type_names(made({"anyOf": [{"type": "string"}, {"type": ["null", "string"]}]})) == ("string", "null")
    assert type_names(made({"anyOf": [{"type": "string"}, {}]})) == ()


SHAPES = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "oneOf": [
        {"properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
        {"$ref": "#/$defs/square"},
        {"type": "null"},
    ],
    "$defs": {"square": {"properties": {"kind": {"const": "square"}, "side": {}}, "required": ["kind"]}},
}


def test_members_of_an_object() -> None:
    found = property_schemas(made(SHAPES))
    assert [(name, info.is_required) for name, info in found.items()] == [
        ("name", True),
        ("kind", True),
        ("r", False),
        ("side", False),
    ]
    assert found["side"].schema_path == ("$defs", "square", "properties", "side")
    assert found["r"].schema_path == ("oneOf", 0, "properties", "r")
    assert describe(found["r"].schema) == "number"


@pytest.mark.parametrize(("kind", "names"), [("circle", "name kind r"), ("square", "name kind side")])
def test_with_a_value_the_members_of_the_branch_that_it_means(kind: str, names: str) -> None:
    value = as_tree_value({"kind": kind})
    assert list(property_schemas(made(SHAPES), value)) == names.split()


OUTPUT = {
    "type": "object",
    "properties": {
        "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}},
        "free": {"type": "object"},
        "open": {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
        "typed": {"additionalProperties": {"type": "integer"}},
        "pair": {"prefixItems": [{"type": "string"}], "items": False},
        "either": {"anyOf": [{"properties": {"a": {"type": "string"}}}, {"type": "null"}]},
        "far": {"$ref": "https://example.com/x.json"},
        "both": {"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {}}}]},
    },
    "$defs": {"row": {"properties": {"id": {"type": "integer"}}, "additionalProperties": False}},
}


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ((), "object with `rows`, `free`, `open`, `typed`"),
        (("rows", 0, "id"), "integer"),
        (("rows", 3, "name"), MISSING),
        (("rows", "id"), MISSING),
        (("nothing",), MISSING),
        (("rows", 0, "id", "x"), MISSING),
        (("free", "x"), None),
        (("free", "x", "y"), None),
        (("free", 0), MISSING),
        (("open", "x"), None),
        (("typed", "x"), "integer"),
        (("pair", 0), "string"),
        (("pair", 1), MISSING),
        (("either", "a"), "string"),
        (("either", "b"), MISSING),
        (("far", "x"), None),
        (("both", "a"), "string"),
        (("both", "c"), MISSING),
    ],
)
def test_what_a_schema_says_about_a_value_inside(path: Any, says: Any) -> None:
    found = member(made(OUTPUT), path)
    assert (describe(found) if isinstance(found, Schema) else found) == says


TYPES = "use string, number, integer, boolean, array, object or null."
SCHEMA = "A schema must be an object, true or false"
PATTERN = "cannot be checked as a regular expression"


@pytest.mark.parametrize(
    ("schema", "path", "message"),
    [
        ("x", (), f"{SCHEMA}, not a string."),
        ({"type": "strnig"}, ("type",), f"Unknown type `strnig`: {TYPES}"),
        ({"type": ["string", "nul"]}, ("type", 1), f"Unknown type `nul`: {TYPES}"),
        ({"type": 3}, ("type",), "`type` must be a name or a list of names, not 3."),
        ({"minimum": "1"}, ("minimum",), "`minimum` must be a number, not a string."),
        ({"multipleOf": 0}, ("multipleOf",), "`multipleOf` must be a number greater than 0, not 0."),
        ({"maxLength": -1}, ("maxLength",), "`maxLength` must be a whole number, 0 or more, not -1."),
        ({"minItems": 1.5}, ("minItems",), "`minItems` must be a whole number, 0 or more, not 1.5."),
        ({"required": True}, ("required",), "`required` must be a list of names, not true."),
        ({"required": ["a", 1]}, ("required",), "`required` must be a list of names, not a list."),
        ({"properties": []}, ("properties",), "`properties` must be an object, not a list."),
        ({"properties": {"a": "string"}}, ("properties", "a"), f"{SCHEMA}, not a string."),
        ({"enum": "a"}, ("enum",), "`enum` must be a list, not a string."),
        ({"anyOf": {}}, ("anyOf",), "`anyOf` must be a list, not an object."),
        ({"uniqueItems": "yes"}, ("uniqueItems",), "`uniqueItems` must be true or false, not a string."),
        ({"pattern": "("}, ("pattern",), f"`(` {PATTERN}: missing ), unterminated subpattern at character 1."),
        ({"pattern": 3}, ("pattern",), "`pattern` must be a string, not 3."),
        ({"patternProperties": {"[": {}}}, ("patternProperties", "["),
         f"`[` {PATTERN}: unterminated character set at character 1."),
        ({"$ref": "#/$defs/no"}, ("$ref",), "`#/$defs/no` leads nowhere in this document."),
        ({"$ref": "#"}, ("$ref",), "`#` leads back to itself."),
        ({"items": [{"type": "x"}]}, ("items", 0, "type"), f"Unknown type `x`: {TYPES}"),
        ({"allOf": [{"not": {"if": 3}}]}, ("allOf", 0, "not", "if"), f"{SCHEMA}, not 3."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_schema(schema: Any, path: Any, message: str) -> None:
    [problem] = schema_problems(made(schema))
    assert (problem.path, problem.message) == (path, message)
    assert problem.part is (Part.KEY if "patternProperties" in path else Part.VALUE)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"type": "float", "exclusiveMinimum": True, "minimum": 3},
        {"default": {"type": 3}, "enum": [{"type": 3}], "const": {"$ref": "#/no"}, "examples": [{"minimum": "x"}]},
        {"$ref": "https://example.com/x.json"},
        {"properties": {"type": {"type": "string"}, "required": {"type": "array"}, "$ref": {"type": "string"}}},
        {"properties": {"next": {"$ref": "#"}}},
        {"x-own": 3, "format": "date", "title": "A", "unevaluatedProperties": False},
        {"pattern": "^a*$", "dependencies": {"a": ["b"], "c": {}}},
        {"pattern": "^$"},
    ],
)
def test_what_is_right_with_a_schema(schema: Any) -> None:
    assert list(schema_problems(made(schema))) == []


def test_a_half_typed_schema_has_no_problems_of_its_own() -> None:
    assert list(schema_problems(Schema((("type", MISSING), ("required", ["a", MISSING]), ("items", MISSING))))) == []


def test_deep_and_wide_schemas_are_outlined_in_bounded_work() -> None:
    """Deeper than Python's stack, and unions that would double 60 times."""
    deep: Any = (("type", "integer"),)
    for _ in range(3_000):
        deep = (("anyOf", [deep, deep]), ("properties", (("a", deep),)), ("required", ["a"]))
    for answer in (describe, placeholder, choices, type_names, property_schemas):
        answer(Schema(deep))
    assert member(Schema(deep), ("a",) * 3) is None  # too much to look at: it may be there
    assert member(Schema((("allOf", [(("properties", ()),)] * 1 + [deep]),)), ("b",)) is None
    wide = (("anyOf", [(("$ref", "#"),)] * 30),)
    for answer in (describe, placeholder, choices, type_names, property_schemas):
        answer(Schema(wide))
