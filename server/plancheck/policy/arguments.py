"""Walking over the arguments of a call, as the syntax tree has them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from unicodedata import normalize

from plancheck.syntax.tree import Path


class Leaf(NamedTuple):
    """A string or a number somewhere inside a value, or the name of a member."""

    path: Path
    key: str
    """The name of the innermost argument that it belongs to."""
    value: Any
    is_key: bool = False
    """Whether it is the name of a member, which `path` leads to."""


def leaves(value: Any, path: Path = (), key: str = "", but: Container[str] = ()) -> Iterator[Leaf]:
    """Every string and number inside a value, and every name of a member that is not among `but`, in the order of the
    text. Repeated keys are all looked at, each at the place of the last."""
    todo: list[tuple[Path, str, Any, bool]] = [(path, key, value, False)]
    while todo:
        path, key, value, is_key = todo.pop()
        if isinstance(value, str):
            yield Leaf(path, key, value, is_key)
        elif isinstance(value, tuple):
            for name, child in reversed(value):
                where = (*path, name)
                todo.append((where, name, child, False))
                if name not in but:
                    todo.append((where, name, name, True))
        elif isinstance(value, list):
            todo += (((*path, number), key, value[number], False) for number in range(len(value) - 1, -1, -1))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield Leaf(path, key, value)


def values_at(value: Any, parts: tuple[str, ...], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """What a dotted argument path leads to. A key may contain dots itself; of a list, a number picks an element, and
    any other word goes on in every one of them. A string on the way is as far as one can see: the run may put an object
    in its place."""
    if not parts:
        yield path, value
    elif isinstance(value, tuple):
        wanted = [_spelling(".".join(parts[:length])) for length in range(1, len(parts) + 1)]
        for name, child in value:
            spelt = _spelling(name)
            for length, right in enumerate(wanted, 1):
                if spelt == right:
                    yield from values_at(child, parts[length:], (*path, name))
    elif isinstance(value, list):
        if parts[0].isdecimal() and int(parts[0]) < len(value):
            number = int(parts[0])
            yield from values_at(value[number], parts[1:], (*path, number))
        else:
            rest = parts[1:] if parts[0] == "*" else parts
            for number, item in enumerate(value):
                yield from values_at(item, rest, (*path, number))
    elif isinstance(value, str):
        yield path, value


@lru_cache(maxsize=4096)
def _spelling(name: str) -> str:
    """A name without capitals and without what cannot be seen: a lenient runner takes either for the other."""
    if not name.isascii():
        name = "".join(char for char in normalize("NFKC", name) if char.isprintable())
    return name.strip().lower()


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
