"""What the key of a bound is about: a tool and the path of an argument, though tools have dots in their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from plancheck.policy.names import folded, heads, spellings

T = TypeVar("T")


class Keyed(Protocol):
    """A bound, or a limit."""

    @property
    def key(self) -> str: ...


K = TypeVar("K", bound=Keyed)


def by_tool(entries: Iterable[K], make: Callable[[K, tuple[str, ...]], T]) -> dict[str, tuple[T, ...]]:
    """What applies to each tool that a key could be about. Tools have dots in their names, so that each way to split a
    key counts: whether something applies to a step depends on that step's tool and on no other step."""
    found: dict[str, list[T]] = {}
    for entry in entries:
        for tool, path in splits(entry.key):
            found.setdefault(folded(tool), []).append(make(entry, path))
    return {tool: tuple(applied) for tool, applied in found.items()}


def applying(by_tool: dict[str, tuple[T, ...]], tool: str) -> tuple[T, ...]:
    """What applies to a tool, also where a prefix stands before its name, or something behind it."""
    found: tuple[T, ...] = ()
    for head in heads(tool):
        found += tuple(one for one in by_tool.get(folded(head), ()) if one not in found)
    for spelling in spellings(tool)[1:]:
        found += tuple(one for one in by_tool.get(spelling, ()) if one not in found and _is_namespaced(one))
    return found


def _is_namespaced(applied: Any) -> bool:
    """Whether the tool that something applies to has a namespace of its own: with a bare name, one with a prefix is
    another tool."""
    key = applied[0].key
    return "." in key[: -len(".".join(applied.path)) - 1]


def split_key(key: str, tools: frozenset[str]) -> tuple[str, tuple[str, ...]] | None:
    """A key as the tool it is about and the argument's path; None where it is about none of the tools."""
    return next((split for split in splits(key) if split[0] in tools), None)


def splits(key: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each way to split a key into a tool and the path of an argument, the longest tool first."""
    end = key.rfind(".")
    while end > 0:
        yield key[:end], tuple(key[end + 1 :].split("."))
        end = key.rfind(".", 0, end)
