"""Walking over the arguments of a call, as the syntax tree has them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from enum import Enum
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from plancheck.plan.carried import ARGUMENT_NAMES, TOOL_NAMES, folded_key
from plancheck.plan.embedded import json_in, may_hold_json
from plancheck.plan.model import Call
from plancheck.syntax.tree import INSIDE, MISSING, Path
from plancheck.tuples import NamedTuple


class Leaf(NamedTuple):
    """A string or a number somewhere inside a value, or the name of a member."""

    path: Path
    key: str
    """The name of the innermost argument that it belongs to."""
    value: Any
    is_key: bool = False
    """Whether it is the name of a member, which `path` leads to."""


def leaves(
    value: Any, path: Path = (), key: str = "", but: Container[str] = (), *, with_names: bool = True
) -> Iterator[Leaf]:
    """Every string and number inside a value and, unless they are not wanted, every name of a member that is not among
    `but`, in the order of the text. Repeated keys are all looked at, each at the place of the last."""
    todo: list[tuple[Path, str, Any, bool]] = [(path, key, value, False)]
    while todo:
        path, key, value, is_key = todo.pop()
        if isinstance(value, str):
            yield Leaf(path, key, value, is_key)
        elif isinstance(value, tuple):
            for name, child in reversed(value):
                where = (*path, name)
                todo.append((where, name, child, False))
                if with_names and name not in but and name != INSIDE:
                    todo.append((where, name, name, True))
        elif isinstance(value, list):
            todo += [((*path, number), key, value[number], False) for number in range(len(value) - 1, -1, -1)]
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield Leaf(path, key, value)


def values_at(value: Any, parts: tuple[str, ...], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """What a dotted argument path leads to; MISSING wherever it leads nowhere, in each element of a list. A key may
    contain dots itself; of a list, a number picks an element, and any other word goes on in every one of them. A string
    on the way is as far as one can see: the run may put an object in its place."""
    if not parts:
        yield path, value
    elif isinstance(value, tuple):
        wanted = [spelling(".".join(parts[:length])) for length in range(1, len(parts) + 1)]
        is_there = False
        for name, child in value:
            spelt = spelling(name)
            for length, right in enumerate(wanted, 1):
                if spelt == right:
                    is_there = True
                    yield from values_at(child, parts[length:], (*path, name))
        if not is_there:
            yield path, MISSING
    elif isinstance(value, list) and value:
        number = _index(parts[0], len(value))
        if number is not None:
            yield from values_at(value[number], parts[1:], (*path, number))
        else:
            rest = parts[1:] if parts[0] == "*" else parts
            for position, item in enumerate(value):
                yield from values_at(item, rest, (*path, position))
    else:
        yield path, value if isinstance(value, str) else MISSING


def _index(word: str, size: int) -> int | None:
    """The element that a word picks from a list of that size."""
    digits = word.lstrip("0") or "0"
    if not word.isdecimal() or len(digits) > len(str(size)) or int(digits) >= size:
        return None
    return int(digits)


@lru_cache(maxsize=4096)
def spelling(name: str) -> str:
    """A name without capitals and without what cannot be seen: a lenient runner takes either for the other."""
    if not name.isascii():
        name = "".join(char for char in normalize("NFKC", name) if char.isprintable())
    return name.strip().lower()


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# ---- where the arguments of a call may be ----------------------------------------------------------------------------


class Whence(Enum):
    """Where something is that may be arguments."""

    ARGUMENTS = "where arguments belong"
    WRAPPED = "inside the arguments, once more under a name of arguments"
    BESIDE = "beside the arguments"


class Given(NamedTuple):
    """Something that may be the arguments of a call, to a runner that is lenient enough."""

    value: Any
    """A string where a text was not understood: what it holds is not known."""
    path: Path
    whence: Whence
    within: Path | None = None
    """The string that holds it as JSON text."""


def given_to(call: Call) -> Iterator[Given]:
    """Everything that may be the arguments of a call, the arguments themselves first."""
    yield Given(call.arguments, call.arguments_path, Whence.ARGUMENTS)
    given = call.arguments
    if isinstance(given, list) or (isinstance(given, tuple) and any(_may_hold_more(value) for _, value in given)):
        yield from _inside(call.arguments, call.arguments_path, Whence.WRAPPED)
    for path, members in call.beside:
        yield Given(members, path, Whence.BESIDE)
        yield from _inside(members, path, Whence.BESIDE)


def _inside(value: Any, path: Path, whence: Whence) -> Iterator[Given]:
    """The objects, lists and texts at any depth inside a value; inside arguments, those under a name of arguments.
    Calls are left out: they have arguments of their own."""
    todo: list[tuple[Any, Path, bool]] = [(value, path, False)]
    while todo:
        item, where, is_candidate = todo.pop()
        if isinstance(item, str):
            if is_candidate:
                yield from _in_text(item, where, whence)
            continue
        if is_candidate:
            yield Given(item, where, whence)
        if isinstance(item, list):
            todo += ((child, (*where, i), is_candidate) for i, child in enumerate(item) if _may_hold_more(child))
        elif where == path or not _is_call(item):
            for key, child in item:
                if _may_hold_more(child):
                    is_named_so = whence is Whence.BESIDE or folded_key(key) in ARGUMENT_NAMES
                    todo.append((child, (*where, key), is_named_so))


def _in_text(text: str, path: Path, whence: Whence) -> Iterator[Given]:
    found = [value for value in json_in(text) if value is not None]
    yield from (Given(value, path, whence, path) for value in found)
    for value in found:
        yield from (inner._replace(within=path) for inner in _inside(value, path, whence))
    if not found:
        yield Given(text, path, whence, path)


def _may_hold_more(value: Any) -> bool:
    return may_hold_json(value) if isinstance(value, str) else isinstance(value, (tuple, list))


def _is_call(members: tuple[tuple[str, Any], ...]) -> bool:
    return any(folded_key(key) in TOOL_NAMES and isinstance(value, str) for key, value in members)
