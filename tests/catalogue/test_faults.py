"""What is said about values that do not fit: the words, the place, and what is left unsaid."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from catalogue.schema_pairs import DRAFT_7, as_tree_value
from plancheck.catalogue.fit import MOST_STEPS
from plancheck.catalogue.schema import Schema, SchemaDoubt, SchemaFault, faults
from plancheck.policy.regexes import Hits, Outcome, search
from plancheck.syntax.tree import MISSING, Part
from plancheck.unknown import Reason


def found(schema: Any, value: Any, **options: Any) -> list[SchemaFault | SchemaDoubt]:
    return list(faults(Schema(as_tree_value(schema)), as_tree_value(value), **{"ask": search, **options}))


def said(schema: Any, value: Any, **options: Any) -> list[str]:
    return [one.message for one in found(schema, value, **options)]


def fault(schema: Any, value: Any, **options: Any) -> SchemaFault:
    [one] = found(schema, value, **options)
    assert isinstance(one, SchemaFault)
    return one


def of(schema: Any) -> Any:
    return {"properties": {"x": schema}}


def is_reference(value: Any) -> bool:
    return isinstance(value, str) and "{{" in value


# ---- words -----------------------------------------------------------------------------------------------------------

MESSAGES: list[tuple[Any, Any, str]] = [
    ({"type": "number"}, "7", "`x` must be a number, not a string"),
    ({"type": "integer"}, 1.5, "`x` must be an integer, not 1.5"),
    ({"type": "number"}, True, "`x` must be a number, not true"),
    ({"type": ["string", "null"]}, [], "`x` must be a string or null, not a list"),
    ({"type": ["string", "integer", "null"]}, {}, "`x` must be a string, an integer or null, not an object"),
    ({"type": "dict"}, 3, "`x` must be an object, not 3"),
    ({"type": "ARRAY"}, None, "`x` must be a list, not null"),
    ({"type": "bool"}, "yes", "`x` must be true or false, not a string"),
    ({"enum": ["C", "F"]}, "K", "`x` must be one of `C`, `F`, not `K`"),
    ({"enum": list("abcdefgh")}, "z", "`x` must be one of `a`, `b`, `c`, `d`, `e`, `f`, … (8 in all), not `z`"),
    ({"enum": ["a"]}, "b" * 50, f"`x` must be `a`, not `{'b' * 39}…`"),
    ({"const": 1}, True, "`x` must be 1, not true"),
    ({"type": "string", "enum": ["a"]}, 3, "`x` must be a string, not 3"),
    ({"maximum": 100}, 250, "`x` must be at most 100, not 250"),
    ({"minimum": 1}, 0.5, "`x` must be at least 1, not 0.5"),
    ({"exclusiveMinimum": 0}, 0, "`x` must be greater than 0, not 0"),
    ({"exclusiveMaximum": 9}, 9.0, "`x` must be less than 9, not 9.0"),
    ({"maximum": 5}, 10**5000, "`x` must be at most 5, not a very large number"),
    ({"multipleOf": 0.1}, 0.25, "`x` must be a multiple of 0.1, not 0.25"),
    ({"minLength": 1}, "", "`x` must have at least 1 character, not 0"),
    ({"maxLength": 3}, "😀😀😀😀", "`x` must have at most 3 characters, not 4"),
    ({"pattern": "^[a-z]+$"}, "A", "`x` must match the pattern `^[a-z]+$`"),
    ({"minItems": 2}, [1], "`x` must have at least 2 elements, not 1"),
    ({"prefixItems": [{}, {}], "items": False}, [1, 2, 3], "`x` must have at most 2 elements, not 3"),
    ({"uniqueItems": True}, [1, 2, 1.0], "`x[2]` must be different from `x[0]`"),
    ({"items": {"type": "string"}}, ["a", 3], "`x[1]` must be a string, not 3"),
    ({"minProperties": 1}, {}, "`x` must have at least 1 member, not 0"),
    ({"required": ["city"]}, {}, "`x.city` is missing"),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "`x.b` is missing: `x.a` needs it"),
    ({"additionalProperties": False}, {"y": 1}, "`x.y` is not allowed here"),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"y": 1}, "`x.y` is not allowed here: use `a`"),
    ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "The name `x.ab` must have at most 1 character, not 2"),
    (False, 1, "`x` is not allowed here"),
    ({"contains": {"type": "integer"}}, ["a"], "`x` must contain at least 1 element of this form: integer"),
    (
        {"contains": {"const": 1}, "minContains": 2},
        [1],
        "`x` must contain at least 2 elements of this form: 1",
    ),
    ({"contains": {"const": 1}, "maxContains": 1}, [1, 1], "`x` must contain at most 1 element of this form: 1"),
    ({"not": {"type": "string"}}, "a", "`x` must not be of this form: string"),
    ({"oneOf": [{}, {"type": "string"}]}, "a", "`x` must fit exactly one of 2 forms, but fits forms 1 and 2"),
]


@pytest.mark.parametrize(("schema", "value", "message"), MESSAGES, ids=[message for *_, message in MESSAGES])
def test_messages(schema: Any, value: Any, message: str) -> None:
    assert said(of(schema), {"x": value}) == [message]


def test_a_long_path_is_cut_at_its_start() -> None:
    schema: Any = {"type": "string"}
    value: Any = 1
    for _ in range(12):
        schema, value = {"properties": {"member": schema}}, {"member": value}
    [message] = said(schema, value)
    assert message.startswith("`…")
    assert message.endswith("member.member` must be a string, not 1")


def test_the_whole_value() -> None:
    assert said({"type": "object"}, [1]) == ["The value must be an object, not a list"]


# ---- places ----------------------------------------------------------------------------------------------------------


def test_places_in_the_value_and_in_the_schema() -> None:
    schema = {
        "properties": {"to": {"items": {"$ref": "#/$defs/mail"}}},
        "required": ["subject"],
        "additionalProperties": False,
        "$defs": {"mail": {"type": "string"}},
    }
    answers = [one for one in found(schema, {"to": [3], "cc": 1}) if isinstance(one, SchemaFault)]
    assert [(one.keyword, one.path, one.part, one.schema_path, one.name) for one in answers] == [
        ("required", (), Part.VALUE, ("required",), "subject"),
        ("type", ("to", 0), Part.VALUE, ("$defs", "mail", "type"), None),
        ("additionalProperties", ("cc",), Part.KEY, ("additionalProperties",), "cc"),
    ]


def test_a_schema_in_a_document_is_pointed_at_from_where_it_is_and_a_definition_from_the_root() -> None:
    root = as_tree_value({"tools": [{"in": {"properties": {"a": {"$ref": "#/defs/n"}, "b": {"type": "string"}}}}],
                          "defs": {"n": {"type": "number"}}})  # fmt: skip
    schema = dict(dict(root)["tools"][0])["in"]
    one, two = faults(Schema(schema, root), as_tree_value({"a": "x", "b": 1}))
    assert isinstance(one, SchemaFault)
    assert isinstance(two, SchemaFault)
    assert (one.schema_path, one.is_in_root) == (("defs", "n", "type"), True)
    assert (two.schema_path, two.is_in_root) == (("properties", "b", "type"), False)


def test_of_repeated_keys_the_last_one_counts() -> None:
    schema = Schema((("type", "string"), ("type", "object"), ("required", ["a"]), ("maxProperties", 1)))
    assert list(faults(schema, (("a", 1), ("a", 2)))) == []


# ---- extra members ---------------------------------------------------------------------------------------------------


def test_an_extra_member_that_is_not_forbidden_is_lenient() -> None:
    schema: Any = {"properties": {"city": {}}}
    one = fault(schema, {"city": 1, "town": 2})
    assert (one.message, one.path, one.part, one.name) == ("`town` is not in the schema", ("town",), Part.KEY, "town")
    assert one.is_lenient
    assert found(schema, {"town": 2}, strict_extras=False) == []
    assert not fault({**schema, "additionalProperties": False}, {"town": 2}).is_lenient


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"properties": {"a": {}}, "additionalProperties": True},
        {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
        {"properties": {"a": {}}, "patternProperties": {"^t": {}}},
        {"properties": {"a": {}}, "unevaluatedProperties": True},
        {"allOf": [{"properties": {"a": {}}}, {"properties": {"town": {}}}]},
        {"properties": {"a": {}}, "$ref": "#/$defs/d", "$defs": {"d": {"properties": {"town": {}}}}},
        {"properties": {"a": {}}, "$ref": "https://example.com/other.json"},
        {"anyOf": [{"properties": {"a": {}}}, {"properties": {"town": {}}}]},
        {"properties": {"a": {}}, "if": {"required": ["town"]}, "then": {"properties": {"town": {}}}},
        {"properties": {"a": {}}, "dependentSchemas": {"town": {"properties": {"town": {}}}}},
    ],
)
def test_a_member_that_some_part_of_the_schema_knows_is_no_extra(schema: Any) -> None:
    assert said(schema, {"town": 2}) == []


def test_an_extra_member_does_not_decide_a_union() -> None:
    schema = {"oneOf": [{"properties": {"a": {"items": {"properties": {"n": {}}}}}}, {"type": "string"}]}
    assert said(schema, {"a": [{"n": 1, "m": 2}]}) == ["`a[0].m` is not in the schema"]


# ---- unions ----------------------------------------------------------------------------------------------------------

CIRCLE = {"properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]}
SQUARE = {"properties": {"kind": {"const": "square"}, "side": {"type": "number", "minimum": 1}}, "required": ["kind"]}


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize(
    ("branches", "value", "message", "blamed"),
    [
        ([{"type": "string"}, {"type": "integer"}], [], "`x` must be a string or an integer, not a list", "type"),
        ([{"type": "string", "minLength": 3}, {"type": "null"}], "a", "`x` must have at least 3 characters, not 1", ""),
        ([{"enum": ["C", "F"]}, {"type": "null"}], "K", "`x` must be one of `C`, `F` or null, not `K`", "union"),
        ([{"const": "a"}, {"const": "b"}], "c", "`x` must be `a` or `b`, not `c`", "union"),
        ([CIRCLE, SQUARE], {"kind": "circle"}, "`x.r` is missing", "required"),
        ([CIRCLE, SQUARE], {"kind": "square", "side": 0}, "`x.side` must be at least 1, not 0", "minimum"),
        ([CIRCLE, SQUARE], {"kind": "line"}, "`x.kind` must be `square`, not `line`", "const"),
        ([CIRCLE, {"type": "string"}], {"kind": "circle", "r": "1"}, "`x.r` must be a number, not a string", "type"),
        ([{"items": {"type": "string"}}, {"type": "string"}], ["a", 1], "`x[1]` must be a string, not 1", "type"),
    ],
)
def test_a_union_is_explained_by_its_closest_branch(
    keyword: str, branches: Any, value: Any, message: str, blamed: str
) -> None:
    one = fault(of({keyword: branches}), {"x": value}, strict_extras=False)
    assert one.message == message
    assert not blamed or one.keyword == (keyword if blamed == "union" else blamed)


# ---- what is left open -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["{{a.result}}", MISSING])
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer"},
        {"enum": [1]},
        False,
        {"not": {}},
        {"oneOf": [{}, {}]},
        {"anyOf": [{"type": "null"}, {"type": "integer"}]},
        {"minLength": 99},
    ],
)
def test_a_reference_and_a_half_typed_value_fit_anything(schema: Any, value: Any) -> None:
    assert said(of(schema), {"x": value}, fits=is_reference) == []
    assert said({"prefixItems": [schema]}, [value], fits=is_reference) == []
    assert said({"additionalProperties": schema}, {"x": value}, fits=is_reference) == (
        ["`x` is not allowed here"] if schema is False and value is not MISSING else []
    )


@pytest.mark.parametrize("value", ["{{a.result}}", MISSING])
@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"properties": {"kind": {"const": "a"}}}},
        {"oneOf": [{"properties": {"kind": {"const": "a"}}}, {"properties": {"kind": {"const": "b"}}}]},
        {"oneOf": [{"required": ["kind"]}, {"properties": {"kind": {"const": "b"}}}]},
        {"if": {"properties": {"kind": {"const": "a"}}}, "then": False, "else": False},
        {"enum": [{"kind": "a"}]},
        {"const": {"kind": "a"}},
    ],
)
def test_what_such_a_value_decides_is_left_open(schema: Any, value: Any) -> None:
    assert said(schema, {"kind": value}, fits=is_reference) == []


def test_elements_that_are_not_known_are_not_compared_or_counted() -> None:
    assert said({"uniqueItems": True}, ["{{a}}", "{{a}}", MISSING, MISSING], fits=is_reference) == []
    assert said({"uniqueItems": True}, ["{{a}}", "b", "b"], fits=is_reference) == ["`[2]` must be different from `[1]`"]
    contains = {"contains": {"const": 1}, "minContains": 2, "maxContains": 2}
    assert said(contains, [1, "{{a}}"], fits=is_reference) == []
    assert said(contains, [1, 1, "{{a}}"], fits=is_reference) == []
    assert said(contains, [1, 1, 1, "{{a}}"], fits=is_reference) != []
    assert said(contains, [1, 2, 3], fits=is_reference) != []


def test_a_half_typed_member_is_there() -> None:
    schema = {"properties": {"a": {}}, "required": ["a", "b"], "additionalProperties": False}
    assert said(schema, {"a": MISSING, "c": MISSING}) == ["`b` is missing"]


def test_a_name_in_a_schema_is_never_a_reference() -> None:
    assert said(of({"enum": ["{{a}}"]}), {"x": "b"}, fits=is_reference) == ["`x` must be `{{a}}`, not `b`"]


def test_a_half_typed_schema_says_what_it_can() -> None:
    schema = Schema(
        (("type", MISSING), ("properties", (("a", MISSING), ("b", (("type", "string"),)))), ("enum", MISSING))
    )
    assert [one.message for one in faults(schema, (("a", 1), ("b", 2)))] == ["`b` must be a string, not 2"]


WRONG: list[Any] = [None, True, False, 0, -1, 1.5, "x", [], {}, [1], [None], [{}], {"x": 1}, {"x": []}, [[]]]
ALL_KEYWORDS = [
    "$schema",
    "$id",
    "$ref",
    "$anchor",
    "$dynamicRef",
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "maxContains",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "nullable",
    "unevaluatedProperties",
    "default",
    "examples",
]


@pytest.mark.parametrize("keyword", ALL_KEYWORDS)
@pytest.mark.parametrize("draft", [None, DRAFT_7])
def test_wrong_values_of_keywords_are_no_constraint_and_no_crash(keyword: str, draft: str | None) -> None:
    """Each keyword with each kind of value, held against each kind of value: an answer, whatever it is."""
    for wrong in [*WRONG, MISSING]:
        for value in (None, True, 3, "x", [1], {"x": 1}):
            schema = {"$schema": draft, "contains": {}, keyword: wrong}
            assert all(one.message for one in found(schema, value))
    number_wanted = {"minimum": "3", "maxLength": [3], "multipleOf": 0, "required": "a", "pattern": 3, "properties": []}
    assert said(number_wanted, {}) + said(number_wanted, 1) + said(number_wanted, "abcdef") == []


# ---- drafts and loose names ------------------------------------------------------------------------------------------


def test_drafts_differ() -> None:
    pair = {"items": [{"type": "string"}], "additionalItems": False}
    assert said({"$schema": DRAFT_7, **pair}, ["a", 1]) == ["The value must have at most 1 element, not 2"]
    beside = {"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {}}}
    assert said({"$schema": DRAFT_7, **beside}, 1) == []
    assert said(beside, 1) == ["The value must be a string, not 1"]
    assert said({"$schema": DRAFT_7, "dependencies": {"a": ["b"]}}, {"a": 1}) == ["`b` is missing: `a` needs it"]
    assert said({"dependencies": {"a": ["b"]}}, {"a": 1}) == []
    assert said({"$schema": DRAFT_7, "dependentRequired": {"a": ["b"]}}, {"a": 1}) == []
    assert said({"maximum": 3, "exclusiveMaximum": True}, 3) == []


def test_nullable() -> None:
    schema = of({"type": "string", "nullable": True, "enum": ["a"]})
    assert said(schema, {"x": None}) == []
    assert said(schema, {"x": "b"}) == ["`x` must be `a`, not `b`"]


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("any", object, True),
        ("float", 1, True),
        ("float", "1", False),
        ("tuple", [1], True),
        ("str", "a", True),
        ("INTEGER", 1.0, True),
        ("int", 1.5, False),
        ("List[str]", 1, True),
    ],
)
def test_loose_names_of_types(name: str, value: Any, fits: bool) -> None:
    assert (said({"type": name}, "x" if value is object else value) == []) is fits


@pytest.mark.parametrize(
    ("value", "step", "fits"),
    [
        (0.3, 0.1, True),
        (1.1, 0.1, True),
        (0.35, 0.1, False),
        (10**400, 10, True),
        (10**400 + 1, 10, False),
        (7, 3.5, True),
    ],
)
def test_multiples_are_those_of_the_numbers_as_they_are_written(value: Any, step: Any, fits: bool) -> None:
    assert (said({"multipleOf": step}, value) == []) is fits


# ---- $ref ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "document"),
    [
        ("#/$defs/a~1b", {"$defs": {"a/b": {"type": "string"}}}),
        ("#/$defs/a%20b", {"$defs": {"a b": {"type": "string"}}}),
        ("#/anyOf/0", {"anyOf": [{"type": "string"}, {}]}),
        ("#name", {"$defs": {"x": {"$anchor": "name", "type": "string"}}}),
        ("#name", {"$schema": DRAFT_7, "definitions": {"x": {"$id": "#name", "type": "string"}}}),
        ("item.json", {"$id": "https://e.com/root.json", "$defs": {"x": {"$id": "item.json", "type": "string"}}}),
        ("https://e.com/item.json", {"$defs": {"x": {"$id": "https://e.com/item.json", "type": "string"}}}),
        ("item.json#/$defs/y", {"$defs": {"x": {"$id": "item.json", "$defs": {"y": {"type": "string"}}}}}),
        ("item.json", {"$defs": {"x": {"$id": "item.json", "$ref": "#/$defs/y", "$defs": {"y": {"type": "string"}}}}}),
    ],
)
def test_where_a_reference_leads(reference: str, document: Any) -> None:
    schema = {**document, "properties": {"x": {"$ref": reference}}}
    assert said(schema, {"x": 1}) == ["`x` must be a string, not 1"]
    assert said(schema, {"x": "a"}) == []


@pytest.mark.parametrize("reference", ["https://example.com/x.json", "#/nowhere", "#nowhere", "other.json#/a", 3])
def test_a_reference_to_elsewhere_says_nothing(reference: Any) -> None:
    assert said({"$defs": {}, "properties": {"x": {"$ref": reference}}}, {"x": 1}) == []
    assert said({"$defs": {}, "properties": {"x": {"not": {"$ref": reference}}}}, {"x": 1}) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"not": {"$ref": "#"}},
        {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]},
        {"if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}},
    ],
)
def test_a_reference_in_a_circle_says_nothing(schema: Any) -> None:
    assert said(schema, {"x": 1}) == []


def test_a_tree_of_its_own_schema() -> None:
    tree = {"type": "object", "properties": {"n": {"type": "integer"}, "next": {"$ref": "#"}}, "required": ["n"]}
    assert said(tree, {"n": 1, "next": {"n": 2, "next": {"n": "3"}}}) == [
        "`next.next.n` must be an integer, not a string"
    ]


# ---- patterns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("^a*$", "", True),
        ("^a*$", "b", False),
        ("a*", "b", True),
        ("^$|^x", "y", False),
        ("b*$", "a", True),
        ("a$", "a\n", False),
        (r"^\d+$", "١٢", False),
        (r"^\w+$", "é", False),
        (r"^\s$", "\u00a0", True),
        (r"^[\s]$", "\u00a0", True),
        (r"^\S$", "\u00a0", False),
        ("^.$", "\u2028", False),
        (r"^(?<y>\d)-\k<y>$", "1-1", True),
        (r"^(?<y>\d)-\k<y>$", "1-2", False),
        (r"^\u{1F600}$", "😀", True),
        ("^[^]$", "\n", True),
        ("a[]", "a", False),
        ("^[a[]$", "[", True),
        ("^[.$]$", "$", True),
        ("^[.$]$", "x", False),
        ("(?i)^abc$", "ABC", True),
        (r"^\/x\-y$", "/x-y", True),
        (r"\p{L}", "1", True),
        ("(", "x", True),
        ("^(?=.*[A-Z])(?=.*[^A-Za-z0-9]).{3,}$", "Aab", False),
    ],
)
def test_patterns_are_those_of_ecmascript(pattern: str, text: str, fits: bool) -> None:
    assert (said({"pattern": pattern}, text) == []) is fits


def stopping(pattern: str, value: str) -> Hits | Outcome:  # noqa: ARG001 - a Matcher
    return Outcome.STOPPED


def test_a_pattern_that_is_stopped_is_a_doubt() -> None:
    schema = of({"pattern": "^(a+)+$"})
    [doubt] = found(schema, {"x": "a" * 30 + "b"}, ask=stopping)
    assert isinstance(doubt, SchemaDoubt)
    assert (doubt.path, doubt.reason) == (("x",), Reason.LIMIT)
    assert doubt.message == "`x` was not checked: the pattern `^(a+)+$` takes too long."
    either = {"anyOf": [{"pattern": "^(a+)+$"}, {"const": "b"}]}
    assert said(of(either), {"x": "b"}, ask=stopping) == []
    assert said(of(either), {"x": "aab"}, ask=stopping) == [doubt.message]
    assert said(of({"not": either["anyOf"][0]}), {"x": "aab"}, ask=stopping) == [doubt.message]


def test_a_pattern_that_is_being_run_says_nothing_yet() -> None:
    def pending(pattern: str, value: str) -> Outcome:  # noqa: ARG001 - a Matcher
        return Outcome.PENDING

    assert said({"pattern": "^(a+)+$"}, "aab", ask=pending) == []


# ---- hostile ---------------------------------------------------------------------------------------------------------


def nested(depth: int, wrap: Callable[[Any], Any], inner: Any) -> Any:
    for _ in range(depth):
        inner = wrap(inner)
    return inner


BINARY = {"$ref": "#/$defs/d0", "$defs": {
    **{f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"$ref": f"#/$defs/d{i + 1}"}]} for i in range(60)},
    "d60": {"type": "string"}}}  # fmt: skip
TREE = {"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}], "type": "array"}
HOSTILE: dict[str, tuple[Any, Any, bool]] = {
    "a union that doubles 60 times": (BINARY, 1, True),
    "a recursive union": (TREE, nested(400, lambda inner: [inner], 1), True),
    "60,000 different numbers": ({"uniqueItems": True}, list(range(60_000)), False),
    "100,000 objects": ({"uniqueItems": True}, [{"a": i, "b": [i]} for i in range(100_000)], True),
    "40,000 wrong elements": ({"items": {"type": "string"}}, list(range(40_000)), False),
    "a long enum": ({"items": {"enum": list(range(10_000))}}, ["x"] * 10_000, True),
    "many patterns": ({"patternProperties": {f"^{i}$": {} for i in range(600)}}, {str(i): 1 for i in range(600)}, True),
    "a large number": ({"multipleOf": 0.1, "maximum": 3, "enum": [1]}, 10**100_000, False),
    "many members and many schemas": (
        {"allOf": [{"properties": {"a": {}}, "minProperties": 1}] * 2_000}, {str(i): i for i in range(2_000)}, True
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_work_is_bounded(name: str) -> None:
    """Of what is larger than can be checked one doubt remains."""
    schema, value, is_too_much = HOSTILE[name]
    schema, value = Schema(as_tree_value(schema)), as_tree_value(value)
    answers = list(faults(schema, value))
    limits = [one for one in answers if isinstance(one, SchemaDoubt)]
    assert len(limits) == is_too_much
    assert len(answers) <= MOST_STEPS + 1
    assert all(one.reason is Reason.LIMIT for one in limits)


def test_nesting_does_not_overflow() -> None:
    depth = 5_000
    schema = Schema(nested(depth, lambda inner: (("properties", (("a", inner),)),), (("type", "string"),)))
    value = nested(depth, lambda inner: (("a", inner),), 1)
    [one] = faults(schema, value)
    assert len(one.path) == depth
    for keyword in ("allOf", "anyOf", "oneOf"):
        [two] = faults(Schema(nested(depth, lambda inner: ((keyword, [inner]),), (("type", "string"),))), 1)  # noqa: B023
        assert two.message == "The value must be a string, not 1"
    deep = nested(depth, lambda inner: [inner], 1)
    other = nested(depth, lambda inner: [inner], 2)
    [three] = faults(Schema((("enum", [other]),)), deep)
    assert three.message == "The value must be a list, not a list"
    assert list(faults(Schema((("const", deep),)), nested(depth, lambda inner: [inner], 1.0))) == []


def test_the_words_of_a_json_text() -> None:
    """From text to fault, as a caller does it."""
    from plancheck.syntax.json import read

    tree = read('[{"limit": 250, "units": "K", "city": }]')  # half-typed
    value = tree.root.chunks[0].value  # type: ignore[union-attr]
    text = '{"properties": {"limit": {"maximum": 100}, "units": {"enum": ["C", "F"]}, "city": {"type": "string"}}}'
    schema = Schema(as_tree_value(json.loads(text)))
    assert [one.message for one in faults(schema, value)] == [
        "`limit` must be at most 100, not 250",
        "`units` must be one of `C`, `F`, not `K`",
    ]
