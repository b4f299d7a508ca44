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

from collections.abc import Iterable, Iterator, Sequence

from plancheck.analysis.facts import SNAPSHOTS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import add_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveElements
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.flow import Flow
from plancheck.plan.model import Grant, Identity, Place


def extra_grants(scope: Sequence[Grant], flow: Flow, position: int) -> list[Grant]:
    """The grants of a scope that contains all that was read, and more: those that nobody looked at, by name."""
    bits, granted = flow.resource_bits, 0
    for grant in scope:
        granted |= bits.get(grant.resource, 0)
    seen = flow.snapshots[position]
    if granted & seen != seen:  # an unknown resource is never granted, so it ends the comparison
        return []
    extra = {grant.resource: grant for grant in reversed(scope) if not bits.get(grant.resource, 0) & seen}
    return [extra[resource] for resource in sorted(extra)]


def message(step: Identity | None, resource: str) -> str:
    return f"Step {step} is granted `{resource}`, which it never looked at: drop the grant, or read it."


def check(steps: Iterable[Link], flow: Flow) -> Iterator[Finding]:
    for step in steps:
        position = step.position
        if step.outline.scope:
            identity = step.outline.identity
            for grant in extra_grants(step.outline.scope, flow, position):
                words = message(identity, grant.resource)
                yield Finding(Place(position, grant.path), words, identity, grant.resource)


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
    flow = graph.flow
    for grant in graph.steps[position].scope or ():
        if not flow.resource_bits.get(grant.resource, 0) & flow.snapshots[position]:
            yield grant


RULE = Rule(
    "scope_vs_snapshot",
    Severity.WARNING,
    Category.DATA,
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
    checks=(each_link(check, SNAPSHOTS),),
    remedies=(
        Remedy("declare the read that it was granted for", False, _declare_for_write),
        Remedy("drop the grant", False, _drop),
        Remedy("drop all grants that are too many", False, _drop_all),
        Remedy("declare the read that it was granted for", False, _declare),
    ),
    tags=("ASI03", "CWE-250", "CWE-272"),
)
