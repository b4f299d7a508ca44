"""From a plan as Python values to typed steps: the seam at which another source of plans can be put in.

An adapter has a `name`, a `version` and `to_steps`. The one that is built in reads declared plans, and keeps to the
verdict of the reference implementation also where that accepts what the editor would flag: the editor's own, stricter
findings are those of `plancheck.check_text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Protocol, runtime_checkable

from plancheck.plan.model import Grant, Identity, Kind, Outline, Pred, Read, Write
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class Grade(str, Enum):
    """How a dependency is known."""

    OBSERVED = "observed"
    DECLARED = "declared"
    INFERRED = "inferred"


class PlanStep(NamedTuple):
    """One step as an adapter hands it over."""

    outline: Outline
    """Who the step is, what it waits for, reads and writes."""
    grades: tuple[Grade, ...] = ()
    """How each read with a producer is known, in their order; the ones that are left out are declared."""


@runtime_checkable
class Adapter(Protocol):
    """Turns a source of its own into steps. `id` is what the report names."""

    name: str
    """What the source is called."""
    version: str
    """Which version of it the adapter reads."""

    def to_steps(self, source: Any) -> Sequence[PlanStep]:
        """The steps of a source; ValueError where it is not valid."""


_NOWHERE: Path = ()
"""What an adapter hands over stands in no text."""
_new = tuple.__new__
"""Makes a named tuple without the detour through its own `__new__`, a third of the time to read a plan."""

_KINDS = {kind.value: kind for kind in Kind}


class DeclaredPlanAdapter:
    """Reads `{"nodes": [...]}`; raises ValueError, naming the node and the field, on anything that is no valid plan."""

    name = "declared_plan"
    """What the source is called."""
    version = "v1"
    """Which version of it the adapter reads."""

    @property
    def id(self) -> str:
        """What the report names: `declared_plan_v1`."""
        return f"{self.name}_{self.version}"

    def __call__(self, source: Any) -> list[PlanStep]:
        return self.to_steps(source)

    def to_steps(self, source: Any) -> list[PlanStep]:
        """The steps of a plan, in its order."""
        return [_new(PlanStep, (outline, ())) for outline in self.outlines(source)]

    def outlines(self, source: Any) -> list[Outline]:
        """The steps without their grades, which all are declared."""
        if not source:
            return []
        if not isinstance(source, dict) or "nodes" not in source:
            raise ValueError("a declared plan must be a dict with a list under 'nodes'")
        nodes = source["nodes"] or ()
        if not isinstance(nodes, (list, tuple)):
            raise ValueError(f"'nodes' must be a list of nodes, not {type(nodes).__name__}")
        seen: set[int] = set()
        return [_outline(node, position, seen) for position, node in enumerate(nodes)]


def _outline(node: Any, position: int, seen: set[int]) -> Outline:
    if not isinstance(node, dict):
        raise ValueError(f"nodes[{position}]: each node must be a dict, not {type(node).__name__}")
    get = node.get
    idx: Any = get("idx")
    if type(idx) is not int and not _is_plain_int(idx):
        raise ValueError(f"nodes[{position}]: 'idx' must be a plain int, not {idx!r}")
    if idx in seen:
        raise ValueError(f"node {idx}: 'idx' is there already, each must be unique")
    agent = get("agent")
    if not agent or not isinstance(agent, str):
        raise ValueError(f"node {idx}: 'agent' must be a non-empty string, not {agent!r}")
    kind = get("kind")
    known_kind = _KINDS.get(kind) if isinstance(kind, str) else None
    if known_kind is None:
        raise ValueError(f"node {idx}: 'kind' must be 'decision' or 'tool_call', not {kind!r}")
    preds, reads, writes, scope = get("control_preds"), get("reads"), get("writes"), get("scope")
    fields = (
        idx,
        known_kind,
        None if preds is None else _preds(preds, idx, seen),
        _reads(reads, idx, seen) if reads else (),
        _writes(writes, idx) if writes else (),
        None if scope is None else _scope(scope, idx),
        True,
    )
    seen.add(idx)
    return _new(Outline, fields)


def _is_plain_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _preds(preds: Any, idx: int, seen: set[int]) -> tuple[Pred, ...]:
    if not isinstance(preds, (list, tuple)):
        raise ValueError(f"node {idx}: 'control_preds' must be a list of ints or left out, not {preds!r}")
    for pred in preds:
        if not _is_plain_int(pred):
            raise ValueError(f"node {idx}: 'control_preds' holds {pred!r}, which is not a plain int")
        if pred not in seen:
            raise ValueError(
                f"node {idx}: 'control_preds' names {pred}, which is not an earlier node ([] makes a root)"
            )
    return tuple([_new(Pred, (pred, _NOWHERE)) for pred in preds])


def _listed(refs: Any, idx: int, field: str) -> Sequence[Any]:
    """The entries of `reads` or `writes`. Any iterable will do, as it does for the reference."""
    if isinstance(refs, (list, tuple)):
        return refs
    if isinstance(refs, Iterable):
        return list(refs)
    raise ValueError(f"node {idx}: '{field}' must be a list of resources, not {refs!r}")


def _resource(ref: Any, idx: int, field: str) -> str:
    """The resource that an entry of `reads` or `writes` names."""
    if isinstance(ref, str):
        if not ref:
            raise ValueError(f"node {idx}: '{field}' holds an empty resource id")
        return ref
    if not isinstance(ref, dict):
        raise ValueError(f"node {idx}: each of '{field}' must be a resource id or a dict, not {ref!r}")
    name = ref.get("id")
    if not isinstance(name, str) or not name:
        raise ValueError(f"node {idx}: each dict of '{field}' needs a non-empty string under 'id', not {name!r}")
    producer = ref.get("producer")
    if producer is not None and type(producer) is not int and not _is_plain_int(producer):
        raise ValueError(f"node {idx}: 'producer' of {name!r} in '{field}' must be a plain int, not {producer!r}")
    return name


def _reads(refs: Any, idx: int, seen: set[int]) -> tuple[Read, ...]:
    found: list[Read] = []
    add = found.append
    for ref in refs if type(refs) is list else _listed(refs, idx, "reads"):
        if type(ref) is str and ref:
            add(_new(Read, (ref, _NOWHERE, None, _NOWHERE, False, False, False)))
            continue
        name = ref.get("id") if type(ref) is dict else None
        if type(name) is not str or not name:
            name = _resource(ref, idx, "reads")
            if isinstance(ref, str):  # a string of a class of its own
                add(_new(Read, (name, _NOWHERE, None, _NOWHERE, False, False, False)))
                continue
        producer: Identity | None = ref.get("producer")
        if producer is not None:
            if type(producer) is not int:
                _resource(ref, idx, "reads")
            if producer not in seen:
                raise ValueError(f"node {idx}: 'producer' of {name!r} is {producer}, which is not an earlier node")
            if len(ref) == 2:
                add(_new(Read, (name, _NOWHERE, producer, _NOWHERE, False, False, False)))
                continue
        flags = (bool(ref.get("volatile")), bool(ref.get("pinned")), bool(ref.get("revalidates")))
        add(_new(Read, (name, _NOWHERE, producer, _NOWHERE, *flags)))
    return tuple(found)


def _writes(refs: Any, idx: int) -> tuple[Write, ...]:
    refs = refs if type(refs) is list else _listed(refs, idx, "writes")
    if len(refs) == 1 and type(refs[0]) is str and refs[0]:
        return (_new(Write, (refs[0], _NOWHERE)),)
    return tuple(
        [_new(Write, (ref if type(ref) is str and ref else _resource(ref, idx, "writes"), _NOWHERE)) for ref in refs]
    )


def _scope(scope: Any, idx: int) -> tuple[Grant, ...]:
    if not isinstance(scope, (list, tuple)) or not all(isinstance(grant, str) for grant in scope):
        raise ValueError(f"node {idx}: 'scope' must be a list of resource ids or left out, not {scope!r}")
    return tuple([_new(Grant, (grant, _NOWHERE)) for grant in scope])


declared_plan_v1 = DeclaredPlanAdapter()
"""Reads declared plans: what `analyze_plan` uses where it is given no other one."""
