"""JSON Schemas of tools: what a schema says about a value, and about what may be written where.

This is what others call; the work is done in `keywords` (does a value fit?), `outline` (what may be written?) and
`problems` (is the schema itself well formed?), which are imported when they are needed. Values are those of a syntax
tree: objects are tuples of pairs, and MISSING stands for what was not written yet.

JSON Schema 2020-12 and draft-07 (`$schema` tells, 2020-12 unless it does). What a schema says in a way that we do not
know (another keyword, a remote `$ref`, a pattern that Python cannot run) is no constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from plancheck.policy.regexes import Ask, refusing_matcher
from plancheck.syntax.tree import MISSING, Part, Path
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason


class Schema:
    """A JSON Schema as it was written. Two are equal if they are parts of the same document that was read once."""

    __slots__ = ("root", "value")

    def __init__(self, value: Any, root: Any = None) -> None:
        self.value = value
        self.root = value if root is None else root
        """The value of the whole document, in which a local `$ref` leads somewhere."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self.value is other.value and self.root is other.root

    def __hash__(self) -> int:
        return hash((id(self.value), id(self.root)))

    def __repr__(self) -> str:
        return f"Schema({describe(self) or 'anything'})"


class SchemaFault(NamedTuple):
    """A keyword of a schema that a value does not satisfy."""

    keyword: str
    path: Path
    """Inside the value: the object that lacks a member, the extra member itself."""
    part: Part
    message: str
    schema_path: Path
    """Where the keyword is, inside `Schema.value`."""
    name: str | None = None
    """The member concerned: the one that is missing, the one that is too many."""
    is_lenient: bool = False
    """Whether it is an extra member where the schema does not forbid any."""
    is_in_root: bool = False
    """Whether `schema_path` is inside `Schema.root` instead: a `$ref` led there."""
    expected: str = ""
    """What would be right, in words: `an integer`, `at most 100`."""


class SchemaDoubt(NamedTuple):
    """A place that could not be checked."""

    path: Path
    reason: Reason
    message: str


class PropertyInfo(NamedTuple):
    """A member that an object may have."""

    schema: Schema
    is_required: bool
    schema_path: Path
    """Where its schema is, inside `Schema.value`."""
    is_in_root: bool
    """Whether it is inside `Schema.root` instead."""


class SchemaProblem(NamedTuple):
    """Something that is wrong with a schema itself."""

    path: Path
    part: Part
    message: str


def fits_nothing_else(_: Any) -> bool:
    """No value fits just anything."""
    return False


def faults(
    schema: Schema,
    value: Any,
    *,
    fits: Callable[[Any], bool] = fits_nothing_else,
    ask: Ask = refusing_matcher,
    strict_extras: bool = True,
) -> Iterator[SchemaFault | SchemaDoubt]:
    """What is wrong with a value, and what could not be looked at. `fits` says which values fit anything, for what they
    will be is only known in the run. Members that a schema does not name, where it does not forbid them either, are
    reported as lenient faults if `strict_extras`."""
    from plancheck.catalogue.keywords import judge

    return judge(schema, value, fits, ask, strict_extras)


def property_schemas(schema: Schema, value: Any = MISSING) -> dict[str, PropertyInfo]:
    """The members that an object may have, in the order of the schema: through `$ref`, `allOf`, `anyOf` and `oneOf`;
    of a union those of the branches that an object with the members of `value` may be meant for."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).properties(value)


def choices(schema: Schema) -> list[Any]:
    """The values that a schema lists (`enum`, `const`), if it lists all that it allows; else none."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).choices()


def type_names(schema: Schema) -> tuple[str, ...]:
    """The types that a value may have, by their proper names; none if it may have any."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).types()


def describe(schema: Schema) -> str:
    """What a schema allows, in a few words: `integer, 1 to 100`; empty if it allows anything."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).words()


def annotation(schema: Schema, keyword: str) -> Any:
    """What a schema says under a keyword that constrains nothing, such as `description`; None if it does not."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).annotation(keyword)


def placeholder(schema: Schema) -> Any:
    """A value to begin with: the default, the first choice, an example, or an empty value of the right type."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).placeholder()


def member(schema: Schema, path: Path) -> Schema | Any | None:
    """What a schema says about a value inside its values; None if it says nothing, MISSING if there is no such value
    (also where the schema names the members of an object and does not forbid others)."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).member(path)


def member_path(schema: Schema, path: Path) -> Path | None:
    """Where the document of a schema, which begins with it, says something about a value inside its values; None if
    nowhere."""
    from plancheck.catalogue.outline import Outliner

    return Outliner(schema).member_path(path)


def schema_problems(schema: Schema) -> Iterator[SchemaProblem]:
    """What is wrong with the schema itself: a keyword with a value that it cannot have, a `$ref` that leads nowhere."""
    from plancheck.catalogue.problems import problems

    return problems(schema)


__all__ = [
    "MISSING",
    "PropertyInfo",
    "Schema",
    "SchemaDoubt",
    "SchemaFault",
    "SchemaProblem",
    "annotation",
    "choices",
    "describe",
    "faults",
    "member",
    "member_path",
    "placeholder",
    "property_schemas",
    "schema_problems",
    "type_names",
]
