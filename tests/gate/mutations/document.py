"""JSON as it was written: repeated keys, their order and the spelling of numbers survive reading and writing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, Union

Value: TypeAlias = Union["Members", list["Value"], str, "Number", bool, None]
Path: TypeAlias = tuple[int, ...]
"""Where a value stands: the position of a member in its object or of an item in its list, level by level."""

ARGUMENT_KEYS = ("args", "parameters")


@dataclass(frozen=True, slots=True)
class Number:
    text: str


@dataclass(frozen=True, slots=True)
class Members:
    """The members of an object, in order, whether or not their keys are repeated."""

    pairs: tuple[tuple[str, Value], ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key for key, _ in self.pairs)

    @property
    def has_repeated_keys(self) -> bool:
        return len(set(self.keys)) < len(self.pairs)

    def get(self, key: str) -> Value:
        return next((value for name, value in self.pairs if name == key), None)

    def renamed(self, names: dict[str, str]) -> Members:
        return Members(tuple((names.get(key, key), value) for key, value in self.pairs))

    def inserted(self, position: int, key: str, value: Value) -> Members:
        return Members((*self.pairs[:position], (key, value), *self.pairs[position:]))


def read(text: str) -> Value:
    """Raises ValueError for what is not strict JSON."""
    document: Value = json.loads(
        text,
        object_pairs_hook=lambda pairs: Members(tuple(pairs)),
        parse_int=Number,
        parse_float=Number,
        parse_constant=_refuse,
    )
    return document


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def write(value: Value) -> str:
    if isinstance(value, Members):
        return "{" + ", ".join(f"{_quoted(key)}: {write(member)}" for key, member in value.pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write, value)) + "]"
    return value.text if isinstance(value, Number) else _quoted(value)


def _quoted(value: str | bool | None) -> str:
    return json.dumps(value, ensure_ascii=False)


def walk(value: Value, path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """Every value, the outer ones first."""
    yield path, value
    for position, child in enumerate(_children(value)):
        yield from walk(child, (*path, position))


def _children(value: Value) -> list[Value]:
    if isinstance(value, Members):
        return [member for _, member in value.pairs]
    return value if isinstance(value, list) else []


def replaced(value: Value, path: Path, new: Value) -> Value:
    """The same document with another value at a path."""
    if not path:
        return new
    position, *rest = path
    child = replaced(_children(value)[position], tuple(rest), new)
    if isinstance(value, Members):
        key, _ = value.pairs[position]
        return Members((*value.pairs[:position], (key, child), *value.pairs[position + 1 :]))
    assert isinstance(value, list)
    return [*value[:position], child, *value[position + 1 :]]


def key_at(document: Value, path: Path) -> str | None:
    """The key of the member at a path, None for an item of a list and for the document itself."""
    if not path:
        return None
    parent = value_at(document, path[:-1])
    return parent.pairs[path[-1]][0] if isinstance(parent, Members) else None


def value_at(document: Value, path: Path) -> Value:
    for position in path:
        document = _children(document)[position]
    return document


def step_lists(document: Value) -> list[tuple[Path, list[Value]]]:
    """The lists of steps of a plan: one, none where it is no plan of calls or steps, several under repeated keys."""
    if isinstance(document, list):
        return [((), document)]
    if not isinstance(document, Members):
        return []
    found = [((position,), value) for position, (key, value) in enumerate(document.pairs) if key == "steps"]
    return [(path, value) for path, value in found if isinstance(value, list)]


def steps(document: Value) -> list[tuple[Path, Members]]:
    """The steps that are objects, each with its path."""
    found = [((*path, position), step) for path, items in step_lists(document) for position, step in enumerate(items)]
    return [(path, step) for path, step in found if isinstance(step, Members)]


def arguments(document: Value) -> list[tuple[Path, Value]]:
    """What stands under `args` or `parameters` in each step."""
    return [
        ((*path, position), value)
        for path, step in steps(document)
        for position, (key, value) in enumerate(step.pairs)
        if key in ARGUMENT_KEYS
    ]


def is_of_calls(document: Value) -> bool:
    """Whether steps of this plan name their tool under `tool_name`; any list counts, as it does for the judge."""
    if isinstance(document, Members) and "event_type" not in document.keys:
        return any("tool_name" in step.keys for _, step in steps(document))
    return True
