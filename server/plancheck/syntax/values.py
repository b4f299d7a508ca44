"""Walks over the values that a syntax tree has: objects as pairs, at every depth and without recursion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.syntax.tree import Path


class _Inside(str):
    """A name that no member has; it is a string only so that walks over values need not know of it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Inside)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, _Inside)

    def __hash__(self) -> int:
        return id(_Inside)


INSIDE = _Inside()
"""Leads from a string that holds JSON text to what the text holds. A value that has such a string read has in its place
an object with this as its only key."""


def to_plain(value: Any) -> Any:
    """`Pairs` turned into dicts, at every depth and without recursion; JSON text that was read is what it holds."""
    holder: list[Any] = [value]
    todo: list[tuple[Any, Any]] = [(holder, 0)]
    while todo:
        parent, key = todo.pop()
        item = parent[key]
        while isinstance(item, tuple) and len(item) == 1 and item[0][0] == INSIDE:
            item = parent[key] = item[0][1]
        if isinstance(item, tuple):
            item = parent[key] = dict(item)
            todo += ((item, name) for name in item)
        elif isinstance(item, list):
            item = parent[key] = list(item)
            todo += ((item, position) for position in range(len(item)))
    return holder[0]


def depth_of(value: Any) -> int:
    """How many containers lie inside one another, the outermost counted: 0 for a scalar, 1 for `[]`."""
    depth = 0
    level = [value] if isinstance(value, (tuple, list)) else []
    while level:
        depth += 1
        inner: list[Any] = []
        for item in level:
            children = item if isinstance(item, list) else [child for _, child in item]
            inner += [child for child in children if isinstance(child, (tuple, list))]
        level = inner
    return depth


class _Step(NamedTuple):
    """One step from a value into it. Steps link outwards, so that going down a level costs the same at every depth."""

    name: str | int
    outer: _Step | None


def _path_of(step: _Step | None) -> Path:
    names: list[str | int] = []
    while step is not None:
        names.append(step.name)
        step = step.outer
    return tuple(reversed(names))


def repeated_keys(value: Any) -> Iterator[Path]:
    """The path of every key that its object has more than once. Values that a later key replaces are left alone."""
    todo: list[tuple[_Step | None, Any]] = [(None, value)]
    while todo:
        step, item = todo.pop()
        children: Iterable[tuple[str | int, Any]] = ()
        if isinstance(item, tuple):
            last = dict(item)
            if len(last) != len(item):
                seen: set[str] = set()
                again = [key for key, _ in item if key in seen or seen.add(key)]  # type: ignore[func-returns-value]
                yield from ((*_path_of(step), key) for key in dict.fromkeys(again))
            children = last.items()
        elif isinstance(item, list):
            children = enumerate(item)
        todo += ((_Step(name, step), child) for name, child in children if isinstance(child, (tuple, list)))
