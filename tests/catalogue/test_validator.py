"""Values held against schemas: the same verdict as that of jsonschema, at the same places, in words."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from catalogue.schema_pairs import Pair, as_tree_value, make_pair, relevant_type
from plancheck.catalogue.schema import Schema, SchemaDoubt, SchemaFault, faults
from plancheck.policy.regexes import search

PAIRS = int(os.environ.get("PAIRS", "20000"))
FIRST = int(os.environ.get("FIRST_PAIR", "0"))


def oracle(pair: Pair) -> Any:
    return (Draft7Validator if pair.is_draft7 else Draft202012Validator)(pair.schema)


def found_in(pair: Pair, **options: Any) -> list[SchemaFault]:
    schema, value = Schema(as_tree_value(pair.schema)), as_tree_value(pair.value)
    found = list(faults(schema, value, ask=search, strict_extras=False, **options))
    assert not any(isinstance(fault, SchemaDoubt) for fault in found)
    return found  # type: ignore[return-value]


def place_of(fault: SchemaFault) -> tuple[Any, ...]:
    """Where jsonschema has it: we point at the extra member, the name and the repeated element themselves, and at what
    is under a schema that is `false`."""
    is_inside = fault.keyword in ("additionalProperties", "uniqueItems") or fault.message.startswith("The name ")
    if fault.keyword == "false":
        *_, holder, last = ("", "", *fault.schema_path)
        is_inside |= (
            last in INNER
            or holder in ("patternProperties", "properties")
            or (isinstance(last, int) and holder in INNER)
        )
    return fault.path[:-1] if is_inside else fault.path


INNER = {"additionalItems", "additionalProperties", "items", "prefixItems"}


def differences(pair: Pair) -> Iterator[str]:
    errors = list(oracle(pair).iter_errors(pair.value))
    ours = {place_of(fault) for fault in found_in(pair)}
    if bool(errors) != bool(ours):
        yield f"jsonschema: {[error.message for error in errors]}, ours: {ours}"
        return
    exact = {tuple(error.path) for error in errors if not error.context}
    unions = {tuple(error.path) for error in errors if error.context}
    yield from (f"jsonschema has an error at {place}" for place in exact - ours)
    for union in unions:
        if not any(place[: len(union)] == union for place in ours):
            yield f"jsonschema has a union at {union}"
    for place in ours - exact:
        if not any(place[: len(union)] == union for union in unions):
            yield f"only we have a fault at {place}"


@pytest.mark.parametrize("block", range(10))
def test_the_same_verdict_at_the_same_places(block: int) -> None:
    for seed in range(FIRST + block, FIRST + PAIRS, 10):
        pair = make_pair(seed)
        assert list(differences(pair)) == [], (seed, pair)


BOTH_DRAFTS = (
    *("$ref", "additionalProperties", "allOf", "anyOf", "const", "contains", "else", "enum", "exclusiveMaximum"),
    *("exclusiveMinimum", "if", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength"),
    *("minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties", "properties"),
    *("propertyNames", "required", "then", "type", "uniqueItems"),
)
KEYWORDS = {
    False: {*BOTH_DRAFTS, "prefixItems", "minContains", "maxContains", "dependentRequired", "dependentSchemas"},
    True: {*BOTH_DRAFTS, "additionalItems", "dependencies"},
}


@pytest.mark.parametrize("is_draft7", [False, True])
def test_the_pairs_have_every_keyword_satisfied_and_not(is_draft7: bool) -> None:
    """Not satisfied is a keyword without which the value would be valid; satisfied one of a valid value of its type."""
    counts: Counter[tuple[str, bool]] = Counter()
    for seed in range(FIRST + int(is_draft7), FIRST + PAIRS, 2):
        pair = make_pair(seed)
        if not isinstance(pair.schema, dict):
            continue
        is_valid = oracle(pair).is_valid(pair.value)
        for keyword in pair.schema.keys() & KEYWORDS[is_draft7]:
            if is_valid:
                counts[keyword, True] += isinstance(pair.value, relevant_type(keyword))
            else:
                rest = {name: value for name, value in pair.schema.items() if name != keyword}
                counts[keyword, False] += oracle(pair._replace(schema=rest)).is_valid(pair.value)
    missing = [(keyword, way) for keyword in KEYWORDS[is_draft7] for way in (True, False) if not counts[keyword, way]]
    assert missing == [], counts
