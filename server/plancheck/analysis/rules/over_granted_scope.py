"""A scope grants a resource that the step has nothing to do with.

## What it does
Reports each entry of a `scope` that is read neither by the step nor by anything it rests on, and not written by the
step. An entry with a `*` in it stands for every resource that it matches, and is reported if it matches none of those,
or if it is `*` alone. What `scope_vs_snapshot` reports is not reported again.

## Why is this bad?
The step may touch more than it needs. `scope_vs_snapshot` compares a scope only if it contains everything that was
read, so one read that is not granted hides all grants that are too many.

## What it cannot know
What the tool behind the step really touches. If it does need the grant, declare the read or the write.

## Fix safety
Unsafe: a grant that the tool behind the step does need would be missed at run time, and a read that is declared has to
be carried out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import add_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveElements, SetValue
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.facts import UNKNOWN_RESOURCE, PlanGraph
from plancheck.plan.model import Grant, Outline, Place

MOST_PATTERNS = 100


def check(view: PlanView) -> Iterator[Finding]:
    graph = view.graph
    matches = _Matches(graph)
    for position, step in enumerate(graph.steps):
        if not step.scope or step.identity is None or not step.writes_known:
            continue
        seen = graph.snapshots[position]
        if seen & UNKNOWN_RESOURCE or _is_superset(graph, step, seen):
            continue
        told: set[str] = set()
        for grant in step.scope:
            if grant.resource not in told and _is_extra(graph, matches, position, grant):
                told.add(grant.resource)
                yield Finding(
                    Place(position, grant.path), _message(step, grant.resource), step.identity, grant.resource
                )


def _is_superset(graph: PlanGraph, step: Outline, seen: int) -> bool:
    """Whether the scope contains all that was read, so that `scope_vs_snapshot` compares it."""
    granted = 0
    for grant in step.scope or ():
        granted |= graph.resource_bits.get(grant.resource, 0)
    return granted & seen == seen


def _is_extra(graph: PlanGraph, matches: _Matches, position: int, grant: Grant) -> bool:
    name, seen = grant.resource, graph.snapshots[position]
    if "*" not in name:
        written = any(write.resource == name for write in graph.steps[position].writes)
        return not written and not seen & graph.resource_bits.get(name, 0)
    if not name.strip("*"):
        return True
    pattern = _pattern(name)
    if any(fnmatchcase(write.resource, pattern) for write in graph.steps[position].writes):
        return False
    return not seen & matches.of(pattern)


class _Matches:
    """The resources that patterns match, each pattern compared with all resources once."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph
        self._known: dict[str, int] = {}

    def of(self, pattern: str) -> int:
        """The bits of the resources; of all of them, once there are so many patterns that looking would take long."""
        if pattern not in self._known:
            if len(self._known) >= MOST_PATTERNS:
                return -1
            found = 0
            for resource, bit in self._graph.resource_bits.items():
                if fnmatchcase(resource, pattern):
                    found |= bit
            self._known[pattern] = found
        return self._known[pattern]


def _pattern(name: str) -> str:
    """The grant as a pattern in which only `*` has a meaning."""
    return name.replace("[", "[[]").replace("?", "[?]")


def _message(step: Outline, resource: str) -> str:
    if not resource.strip("*"):
        return f"Step {step.identity} is granted `{resource}`, which is everything: name the resources that it touches."
    return (
        f"Step {step.identity} is granted `{resource}`, which it neither reads nor writes: drop the grant, or declare "
        "what it does with it."
    )


def _drop(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is None or resource is None or not resource.strip("*"):
        return
    scope = view.graph.steps[position].scope or ()
    which = tuple(number for grant in scope if grant.resource == resource and isinstance(number := grant.path[-1], int))
    yield Proposal(f"Drop the grant of `{resource}`", (RemoveElements(Place(position, ("scope",)), which),))


def _drop_all(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    if position is None:
        return
    which = tuple(number for grant in _extras(view.graph, position) if isinstance(number := grant.path[-1], int))
    if len(which) > 1:
        title = f"Drop all {len(which)} grants that {step_name(view, position)} has no use for"
        yield Proposal(title, (RemoveElements(Place(position, ("scope",)), which),))


def _declare(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is not None and resource is not None and "*" not in resource:
        title = f"Declare that {step_name(view, position)} reads `{resource}`"
        yield Proposal(title, tuple(add_read(view, position, resource)))


def _extras(graph: PlanGraph, position: int) -> Iterator[Grant]:
    return (grant for grant in graph.steps[position].scope or () if _is_extra(graph, _Matches(graph), position, grant))


def _name_all(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """A grant of everything hides what is meant: the step's own reads and writes say it."""
    position = finding.place.step
    if position is None or finding.resource is None or finding.resource.strip("*"):
        return
    step = view.graph.steps[position]
    granted = [grant.resource for grant in step.scope or () if grant.resource.strip("*")]
    touched = [*(read.resource for read in step.reads), *(write.resource for write in step.writes)]
    scope = list(dict.fromkeys([*granted, *touched]))
    title = f"Grant {step_name(view, position)} what it touches instead of `{finding.resource}`"
    yield Proposal(title, (SetValue(Place(position, ("scope",)), scope),))


RULE = Rule(
    "over_granted_scope",
    Severity.WARNING,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "reads": [{"id": "order", "producer": 0}, "ledger"],
   "writes": ["ledger"], "scope": ["ledger", "vault"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "reads": [{"id": "order", "producer": 0}, "ledger"],
   "writes": ["ledger"], "scope": ["order", "ledger"]}
]}
""",
    check=check,
    remedies=(
        Remedy("name what the step touches instead of `*`", False, _name_all),
        Remedy("drop the grant", False, _drop),
        Remedy("drop all grants that are too many", False, _drop_all),
        Remedy("declare the read that it was granted for", False, _declare),
    ),
)
