"""A step is granted more than it has looked at.

## What it does
Reports each entry of a `scope` that is not among the resources read by the step or by what it rests on, if the scope
strictly contains all of those.

## Why is this bad?
The grant is wider than the state that was checked: the step may act on something nobody looked at.

## What it cannot know
What the tool behind the step really touches. A scope that leaves out one resource it does read is not compared at all.

## Fix safety
There is no fix yet.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Grant, Identity, Place


class Hit(NamedTuple):
    position: int
    grant: Grant


def hits(graph: PlanGraph) -> Iterator[Hit]:
    bits = graph.resource_bits
    for position in graph.by_identity:
        scope = graph.steps[position].scope
        if not scope:
            continue
        granted = 0
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
)
