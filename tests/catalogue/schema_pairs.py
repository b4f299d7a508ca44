"""Pairs of a schema and a value, made by chance from few names and numbers, so that both fit as often as not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
NAMES = ("a", "b", "ab", "c1")
TEXTS = ("", "a", "b", "ab", "abc", "a1", "1", "é😀", "a\nb", "A b")
PATTERNS = ("^a", "a", "b$", "^[a-z]+$", "^a*$", "^$|b", "[0-9]", "^.{2}$", r"\d", r"^\w+$", "x|y|")
NUMBERS = (-1, 0, 1, 2, 3, 4, 1.0, 2.0, 0.5, 2.5, 10**30, -1.5)
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
DEPTH = 3


class Pair(NamedTuple):
    schema: Any
    value: Any
    is_draft7: bool


def as_tree_value(value: Any) -> Any:
    """A value as a syntax tree has it."""
    if isinstance(value, dict):
        return tuple((key, as_tree_value(child)) for key, child in value.items())
    return [as_tree_value(child) for child in value] if isinstance(value, list) else value


def parts_of(value: Any) -> list[Any]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [part for child in children for part in (child, *parts_of(child))]


def make_pair(seed: int) -> Pair:
    """Every other pair is about the keywords of one group, in turn, and a value of a type that they are about."""
    maker = PairMaker(Random(seed), is_draft7=seed % 2 == 1)
    if seed % 4 < 2:
        return Pair(maker.document(), maker.given, maker.is_draft7)
    groups = (*SIMPLE, *LEADING_ON)
    schema = groups[seed // 4 % len(groups)](maker, 1, True)
    kind = relevant_type(next(iter(schema), ""))
    values = (maker.given, *(maker.value() for _ in range(8)))
    value = next((value for value in values if isinstance(value, kind)), maker.given)
    return Pair(maker.finished(schema), value, maker.is_draft7)


def relevant_type(keyword: str) -> type | tuple[type, ...]:
    """Values of other types satisfy a keyword without being looked at."""
    if keyword in ("minLength", "maxLength", "pattern"):
        return str
    if keyword.endswith(("Items", "Contains")) or keyword in ("items", "contains"):
        return list
    if keyword.endswith("roperties") or keyword.startswith("depend") or keyword in ("required", "propertyNames"):
        return dict
    return (int, float) if keyword.endswith("imum") or keyword == "multipleOf" else object


class PairMaker:
    def __init__(self, random: Random, is_draft7: bool) -> None:
        self.random = random
        self.is_draft7 = is_draft7
        self.defined = ("x", "y")
        self.given = self.value()
        self.parts = [self.given, *parts_of(self.given)]

    # ---- values ------------------------------------------------------------------------------------------------------

    def value(self, depth: int = 0) -> Any:
        kind = self.random.choice(("object", "object", "array", "array", "string", "number", "scalar"))
        if depth >= DEPTH or kind in ("string", "number", "scalar"):
            return self.scalar(kind)
        if kind == "array" and self.random.random() < 0.4:
            return [self.random.choice((0, 1, True, "a", 1.0)) for _ in range(self.random.randint(1, 4))]
        if kind == "array":
            return [self.value(depth + self.random.randint(1, 2)) for _ in range(self.random.randint(0, 3))]
        return {name: self.value(depth + 1) for name in self.random.sample(NAMES, self.random.randint(0, 3))}

    def scalar(self, kind: str) -> Any:
        if kind == "number":
            return self.random.choice(NUMBERS)
        return self.random.choice(TEXTS) if kind == "string" else self.random.choice((None, True, False, 0, 1, ""))

    def some_value(self) -> Any:
        """A part of the value that is to be judged, or any other."""
        return self.random.choice(self.parts) if self.random.random() < 0.5 else self.value(1)

    # ---- schemas -----------------------------------------------------------------------------------------------------

    def document(self) -> Any:
        if self.random.random() < 0.02:
            return self.random.random() < 0.5
        schema = self.schema(0, may_refer=True, fewest=1)
        return self.finished(schema if isinstance(schema, dict) else {"not": schema})

    def finished(self, schema: dict[str, Any]) -> Any:
        definitions = "definitions" if self.is_draft7 else "$defs"
        schema[definitions] = {name: self.schema(1, may_refer=False) for name in self.defined}
        return {"$schema": DRAFT_7, **schema} if self.is_draft7 else schema

    def schema(self, depth: int, may_refer: bool = True, fewest: int = 0) -> Any:
        """A definition may lead to a definition only for a value that is deeper in: else it could lead to itself."""
        if depth > 0 and self.random.random() < 0.08:
            return self.random.random() < 0.5
        groups = SIMPLE if depth >= DEPTH else (*SIMPLE, *LEADING_ON)
        schema: dict[str, Any] = {}
        for _ in range(self.random.randint(fewest, 3)):
            schema.update(self.random.choice(groups)(self, depth + 1, may_refer))
        if may_refer and self.random.random() < 0.15:
            schema["$ref"] = self.reference()
        return schema

    def reference(self) -> str:
        name = self.random.choice(self.defined)
        return f"#/definitions/{name}" if self.is_draft7 else f"#/$defs/{name}"

    def count(self) -> int:
        return self.random.randint(0, 3)

    def number(self) -> Any:
        return self.random.choice((-1, 0, 1, 2, 3, 0.5, 2.5))

    def schemas(self, depth: int, may_refer: bool) -> list[Any]:
        return [self.schema(depth, may_refer) for _ in range(self.random.randint(1, 3))]

    def members(self, depth: int) -> dict[str, Any]:
        return {name: self.schema(depth) for name in self.random.sample(NAMES, self.random.randint(0, 3))}

    def patterns(self, depth: int) -> dict[str, Any]:
        return {self.random.choice(PATTERNS): self.schema(depth) for _ in range(self.random.randint(1, 2))}

    def some_names(self) -> list[str]:
        return self.random.sample(NAMES, self.random.randint(0, 2))


Group = Callable[[PairMaker, int, bool], "dict[str, Any]"]


def _bounds(low: str, high: str, *, counts: bool) -> Group:
    def make(maker: PairMaker, _depth: int, _may_refer: bool) -> dict[str, Any]:
        number = maker.count if counts else maker.number
        keywords = maker.random.choice(((low,), (high,), (low, high)))
        return {keyword: number() for keyword in keywords}

    return make


def _type(maker: PairMaker, _depth: int, _may_refer: bool) -> dict[str, Any]:
    names = maker.random.sample(TYPES, maker.random.randint(1, 3))
    return {"type": names[0] if len(names) == 1 else names}


def _choice(maker: PairMaker, _depth: int, _may_refer: bool) -> dict[str, Any]:
    if maker.random.random() < 0.4:
        return {"const": maker.some_value()}
    return {"enum": [maker.some_value() for _ in range(maker.random.randint(1, 4))]}


def _list(maker: PairMaker, depth: int, _may_refer: bool) -> dict[str, Any]:
    first, rest = ("items", "additionalItems") if maker.is_draft7 else ("prefixItems", "items")
    made: dict[str, Any] = {}
    if maker.random.random() < 0.5:
        made[first] = maker.schemas(depth, True)
        if maker.random.random() < 0.6:
            made[rest] = maker.schema(depth) if maker.random.random() < 0.6 else False
    else:
        made["items"] = maker.schema(depth)
    return made


def _contains(maker: PairMaker, depth: int, _may_refer: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"contains": maker.schema(depth)}
    for keyword in ("minContains", "maxContains"):
        if not maker.is_draft7 and maker.random.random() < 0.5:
            made[keyword] = maker.count()
    return made


def _object(maker: PairMaker, depth: int, _may_refer: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"properties": maker.members(depth)} if maker.random.random() < 0.8 else {}
    if maker.random.random() < 0.3:
        made["patternProperties"] = maker.patterns(depth)
    if maker.random.random() < 0.4:
        made["additionalProperties"] = maker.schema(depth) if maker.random.random() < 0.5 else False
    return made


def _dependent(maker: PairMaker, depth: int, may_refer: bool) -> dict[str, Any]:
    names = {name: maker.some_names() for name in maker.some_names()}
    schemas = {name: maker.schema(depth, may_refer) for name in maker.some_names()}
    if maker.is_draft7:
        return {"dependencies": {**names, **schemas}}
    return {"dependentRequired": names, "dependentSchemas": schemas}


def _conditional(maker: PairMaker, depth: int, may_refer: bool) -> dict[str, Any]:
    made = {"if": maker.schema(depth, may_refer)}
    for keyword in ("then", "else"):
        if maker.random.random() < 0.7:
            made[keyword] = maker.schema(depth, may_refer)
    return made


SIMPLE: tuple[Group, ...] = (
    _type,
    _type,
    _choice,
    _bounds("minimum", "maximum", counts=False),
    _bounds("exclusiveMinimum", "exclusiveMaximum", counts=False),
    lambda maker, *_: {"multipleOf": maker.random.choice((1, 2, 3, 0.5, 0.25))},
    _bounds("minLength", "maxLength", counts=True),
    lambda maker, *_: {"pattern": maker.random.choice(PATTERNS)},
    _bounds("minItems", "maxItems", counts=True),
    lambda maker, *_: {"uniqueItems": maker.random.random() < 0.8},
    _bounds("minProperties", "maxProperties", counts=True),
    lambda maker, *_: {"required": maker.some_names()},
)
LEADING_ON: tuple[Group, ...] = (
    _list,
    _list,
    _contains,
    _object,
    _object,
    _object,
    lambda maker, depth, _: {"propertyNames": maker.schema(depth)},
    _dependent,
    lambda maker, depth, may: {"anyOf": maker.schemas(depth, may)},
    lambda maker, depth, may: {"oneOf": maker.schemas(depth, may)},
    lambda maker, depth, may: {"allOf": maker.schemas(depth, may)},
    lambda maker, depth, may: {"not": maker.schema(depth, may)},
    _conditional,
)
