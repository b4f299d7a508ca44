"""A policy: what the plans of a workspace may do. A frozen value without a file, a place or a pattern that is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple


class Family(str, Enum):
    """What kind of tool a tool is."""

    READ = "read"
    QUERY = "query"  # reads or writes: the SQL decides
    WRITE = "write"
    DELETE = "delete"
    PAY = "pay"
    SEND = "send"
    FILE = "file"
    OTHER = "other"


CONSEQUENTIAL = frozenset({Family.WRITE, Family.DELETE, Family.PAY, Family.SEND})
"""What such a tool has done cannot be taken back by doing nothing."""

_SQL = ("db", "sql")
_VERBS = {
    "delete": Family.DELETE,
    "remove": Family.DELETE,
    "drop": Family.DELETE,
    "purge": Family.DELETE,
    "write": Family.WRITE,
    "send": Family.SEND,
    "pay": Family.PAY,
    "refund": Family.PAY,
    "transfer": Family.PAY,
}


class Bound(NamedTuple):
    """The numbers that an argument may be, ends included."""

    key: str
    """`<tool>.<argument path>`; which part of it is the tool depends on the tools that a plan uses."""
    low: float
    high: float


class Uses(NamedTuple):
    """At most so many steps may use one of these tools."""

    tools: tuple[str, ...]
    at_most: int


class Required(NamedTuple):
    """One of these tools must be used; with `before`, ahead of each use of one of those."""

    tools: tuple[str, ...]
    before: tuple[str, ...] = ()


class HumanLimit(NamedTuple):
    """An argument above this needs a human."""

    key: str
    above: float


DEFAULT_BLOCKED = ("execute_shell", "run_command", "drop_database", "delete_all")


class GateRules(NamedTuple):
    """What the gate asks of a whole plan before it runs."""

    max_steps: int = 50
    blocked_tools: tuple[str, ...] = DEFAULT_BLOCKED
    at_most: tuple[Uses, ...] = ()
    not_first: tuple[str, ...] = ()
    required: tuple[Required, ...] = ()
    needs_human: tuple[HumanLimit, ...] = ()


class ToolBound(NamedTuple):
    """A bound as it applies to the steps of one tool."""

    bound: Bound
    path: tuple[str, ...]


class _Fields(NamedTuple):
    allow_tools: tuple[str, ...] = ()
    """Empty allows every tool."""
    bounds: tuple[Bound, ...] = ()
    deny_tokens_regex: tuple[str, ...] = ()
    max_steps: int = 100
    risk_weights: tuple[tuple[str, float], ...] = ()
    fail_risk_threshold: float = 0.8
    require_handlers: bool = False
    """Whether a step that pays, writes, deletes or sends must say what happens when it fails."""
    tools: tuple[tuple[str, Family], ...] = ()
    """Families of tools whose names do not tell."""
    gate: GateRules = GateRules()


class Policy(_Fields):
    """A policy, with what is derived from it kept."""

    @cached_property
    def digest(self) -> str:
        """Names this policy: two that differ in anything have different ones."""
        import hashlib
        import json

        text = json.dumps(self)
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    @cached_property
    def families(self) -> dict[str, Family]:
        return dict(self.tools)

    def family(self, tool: str) -> Family:
        return self.families.get(tool) or family_by_name(tool)

    @cached_property
    def _bounds_by_tool(self) -> dict[str, tuple[ToolBound, ...]]:
        return _bounds_by_tool(self.bounds)

    def bounds_of(self, tool: str) -> tuple[ToolBound, ...]:
        """The bounds that apply to the steps of a tool."""
        return self._bounds_by_tool.get(tool, ())

    def known_tools(self) -> list[str]:
        """Every tool that the policy names, in its order."""
        return list(dict.fromkeys((*self.allow_tools, *self.families)))


NO_POLICY = Policy()


@lru_cache(maxsize=4096)
def family_by_name(tool: str) -> Family:
    """The family that a tool's name tells of."""
    first, _, rest = tool.partition(".")
    last = tool.rpartition(".")[2].lower()
    if first in _SQL and rest:
        return {"query_ro": Family.READ, "query": Family.QUERY, "write": Family.WRITE}.get(rest, _by_verb(last))
    if first == "payments" and rest:
        return Family.PAY
    if first == "notify" and rest:
        return Family.SEND
    found = _by_verb(last)
    return Family.FILE if first == "file" and rest and found is Family.OTHER else found


def _by_verb(name: str) -> Family:
    if name.endswith("_ro"):
        return Family.READ
    return next((_VERBS[word] for word in name.split("_") if word in _VERBS), Family.OTHER)


def _bounds_by_tool(bounds: Iterable[Bound]) -> dict[str, tuple[ToolBound, ...]]:
    """The bounds of every tool that one could be about. Tools have dots in their names, so that each way to split a
    key counts: whether a bound applies to a step depends on that step's tool and on no other step."""
    found: dict[str, list[ToolBound]] = {}
    for bound in bounds:
        for tool in _prefixes(bound.key):
            found.setdefault(tool, []).append(ToolBound(bound, tuple(bound.key[len(tool) + 1 :].split("."))))
    return {tool: tuple(applied) for tool, applied in found.items()}


def split_key(key: str, tools: frozenset[str]) -> tuple[str, tuple[str, ...]] | None:
    """A key as the tool it is about and the argument's path; None where it is about none of the tools."""
    for tool in _prefixes(key):
        if tool in tools:
            return tool, tuple(key[len(tool) + 1 :].split("."))
    return None


def _prefixes(key: str) -> Iterator[str]:
    """What may be a key's tool, the longest first."""
    end = key.rfind(".")
    while end > 0:
        yield key[:end]
        end = key.rfind(".", 0, end)
