"""A step is granted more than it has looked at.

## What it does
Reports each entry of a `scope` that is not among the resources read by the step or by what it rests on, if the scope
strictly contains all of those.

## Why is this bad?
The grant is wider than the state that was checked: the step may act on something nobody looked at.

## What it cannot know
What the tool behind the step really touches. A scope that leaves out one resource it does read is not compared at all.

## Fix safety
Unsafe: a grant that the tool behind the step does need would be missed at run time, and a read that is declared has to
be carried out. Where the step writes the resource, declaring the read comes first.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import add_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveElements
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Grant, Identity, Place


class Hit(NamedTuple):
    position: int
    grant: Grant


def hits(graph: PlanGraph) -> Iterator[Hit]:
    for position in graph.by_identity:
        scope = graph.steps[position].scope
        if not scope:
            continue
        bits, granted = graph.resource_bits, 0
        for grant in scope:
            granted |= bits.get(grant.resource, 0)
        seen = graph.snapshots[position]
        if granted & seen == seen:  # an unknown resource is never granted, so it ends the comparison
            extra = {grant.resource: grant for grant in reversed(scope) if not bits.get(grant.resource, 0) & seen}
            yield from (Hit(position, extra[resource]) for resource in sorted(extra))


def message(step: Identity | None, resource: str) -> str:
    return f"Step {step} is granted `{resource}`, which it never looked at: drop the grant, or read it."


def check(view: PlanView) -> Iterator[Finding]:
    for position, grant in hits(view.graph):
        step = view.graph.steps[position].identity
        yield Finding(Place(position, grant.path), message(step, grant.resource), step, grant.resource)


def _drop(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is None or resource is None:
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


def _declare_for_write(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """The step writes it, so that the grant is needed."""
    position = finding.place.step
    if position is not None and any(w.resource == finding.resource for w in view.graph.steps[position].writes):
        yield from _declare(view, finding)


def _extras(graph: PlanGraph, position: int) -> Iterator[Grant]:
    seen = graph.snapshots[position]
    for grant in graph.steps[position].scope or ():
        if not graph.resource_bits.get(grant.resource, 0) & seen:
            yield grant


RULE = Rule(
    "scope_vs_snapshot",
    Severity.WARNING,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "scope": ["order", "customer"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "scope": ["order"]}
]}
""",
    check=check,
    remedies=(
        Remedy("declare the read that it was granted for", False, _declare_for_write),
        Remedy("drop the grant", False, _drop),
        Remedy("drop all grants that are too many", False, _drop_all),
        Remedy("declare the read that it was granted for", False, _declare),
    ),
)
