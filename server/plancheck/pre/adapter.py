"""From a plan as Python values to typed steps: the seam at which another source of plans can be put in.

An adapter has a `name`, a `version` and `to_steps`. The one that is built in reads declared plans, and keeps to the
verdict of the reference implementation also where that accepts what the editor would flag: the editor's own, stricter
findings are those of `plancheck.check_text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol, runtime_checkable

from plancheck.plan.model import Grant, Identity, Kind, Outline, Pred, Read, Write


class Grade(str, Enum):
    """How a dependency is known."""

    OBSERVED = "observed"
    DECLARED = "declared"
    INFERRED = "inferred"


class PlanStep(NamedTuple):
    """One step as an adapter hands it over."""

    outline: Outline
    grades: tuple[Grade, ...] = ()
    """How each read with a producer is known, in their order; the ones that are left out are declared."""


@runtime_checkable
class Adapter(Protocol):
    """Turns a source of its own into steps. `id` is what the report names."""

    name: str
    version: str

    def to_steps(self, source: Any) -> Sequence[PlanStep]: ...


_KINDS = {kind.value: kind for kind in Kind}


class DeclaredPlanAdapter:
    """Reads `{"nodes": [...]}`; raises ValueError, naming the node and the field, on anything that is no valid plan."""

    name = "declared_plan"
    version = "v1"

    @property
    def id(self) -> str:
        return f"{self.name}_{self.version}"

    def __call__(self, source: Any) -> list[PlanStep]:
        return self.to_steps(source)

    def to_steps(self, source: Any) -> list[PlanStep]:
        if not source:
            return []
        if not isinstance(source, Mapping) or "nodes" not in source:
            raise ValueError("a declared plan must be a dict with a list under 'nodes'")
        nodes = source["nodes"] or ()
        if not isinstance(nodes, (list, tuple)):
            raise ValueError(f"'nodes' must be a list of nodes, not {type(nodes).__name__}")
        seen: set[int] = set()
        return [PlanStep(_outline(node, position, seen)) for position, node in enumerate(nodes)]


def _outline(node: Any, position: int, seen: set[int]) -> Outline:
    if not isinstance(node, Mapping):
        raise ValueError(f"nodes[{position}]: each node must be a dict, not {type(node).__name__}")
    idx: Any = node.get("idx")
    if not _is_plain_int(idx):
        raise ValueError(f"nodes[{position}]: 'idx' must be a plain int, not {idx!r}")
    if idx in seen:
        raise ValueError(f"node {idx}: 'idx' is there already, each must be unique")
    agent = node.get("agent")
    if not isinstance(agent, str) or not agent:
        raise ValueError(f"node {idx}: 'agent' must be a non-empty string, not {agent!r}")
    kind = node.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"node {idx}: 'kind' must be 'decision' or 'tool_call', not {kind!r}")
    preds = _preds(node.get("control_preds"), idx, seen)
    reads = tuple(_reads(node.get("reads"), idx, seen))
    writes = tuple(Write(name, ("writes", i)) for i, (name, _) in enumerate(_refs(node.get("writes"), idx, "writes")))
    scope = _scope(node.get("scope"), idx)
    seen.add(idx)
    return Outline(idx, _KINDS[kind], preds, reads, writes, scope, True)


def _is_plain_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _preds(preds: Any, idx: int, seen: set[int]) -> tuple[Pred, ...] | None:
    if preds is None:
        return None
    if not isinstance(preds, (list, tuple)):
        raise ValueError(f"node {idx}: 'control_preds' must be a list of ints or left out, not {preds!r}")
    for pred in preds:
        if not _is_plain_int(pred):
            raise ValueError(f"node {idx}: 'control_preds' holds {pred!r}, which is no plain int")
        if pred not in seen:
            raise ValueError(f"node {idx}: 'control_preds' names {pred}, which is no earlier node ([] makes a root)")
    return tuple(Pred(pred, ("control_preds", i)) for i, pred in enumerate(preds))


def _refs(refs: Any, idx: int, field: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """The resources that `reads` or `writes` names. Any iterable will do, as it does for the reference."""
    if not refs:
        return
    if not isinstance(refs, Iterable):
        raise ValueError(f"node {idx}: '{field}' must be a list of resources, not {refs!r}")
    for ref in refs:
        if isinstance(ref, str):
            if not ref:
                raise ValueError(f"node {idx}: '{field}' holds an empty resource id")
            yield ref, {}
            continue
        if not isinstance(ref, Mapping):
            raise ValueError(f"node {idx}: each of '{field}' must be a resource id or a dict, not {ref!r}")
        name = ref.get("id")
        if not isinstance(name, str) or not name:
            raise ValueError(f"node {idx}: each dict of '{field}' needs a non-empty string under 'id', not {name!r}")
        producer = ref.get("producer")
        if producer is not None and not _is_plain_int(producer):
            raise ValueError(f"node {idx}: 'producer' of {name!r} in '{field}' must be a plain int, not {producer!r}")
        yield name, ref


def _reads(refs: Any, idx: int, seen: set[int]) -> Iterable[Read]:
    for i, (name, ref) in enumerate(_refs(refs, idx, "reads")):
        path = ("reads", i)
        if not ref:
            yield Read(name, path)
            continue
        producer: Identity | None = ref.get("producer")
        if producer is not None and producer not in seen:
            raise ValueError(f"node {idx}: 'producer' of {name!r} is {producer}, which is no earlier node")
        flags = (bool(ref.get(flag)) for flag in ("volatile", "pinned", "revalidates"))
        yield Read(name, path, producer, (), *flags)


def _scope(scope: Any, idx: int) -> tuple[Grant, ...] | None:
    if scope is None:
        return None
    if not isinstance(scope, (list, tuple)) or not all(isinstance(grant, str) for grant in scope):
        raise ValueError(f"node {idx}: 'scope' must be a list of resource ids or left out, not {scope!r}")
    return tuple(Grant(grant, ("scope", i)) for i, grant in enumerate(scope))


declared_plan_v1 = DeclaredPlanAdapter()
