"""A step may touch what nobody has looked at.

## What it does
Reports each entry of a `scope` that is not among the resources read by the step or by a step whose data it uses, if the
scope strictly contains all of those. What the step creates (`{"id": …, "creates": true}` among its `writes`) is not
reported, nor is what `write_with_no_prior_read` reports at the same step.

## Why is this bad?
The grant is wider than the state that was checked: the step may act on something nobody looked at.

## What it cannot know
What the tool behind the step really touches. A scope that leaves out one resource it does read is not compared at all.

## Fix safety
Unsafe: a grant that the tool behind the step does need would be missed at run time.
"""

from collections.abc import Iterable, Iterator, Sequence

from plancheck.analysis.data_facts import SNAPSHOTS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveElements
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.flow import Flow
from plancheck.plan.model import Grant, Identity, Outline, Place


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


def detail(step: Identity | None, resource: str) -> str:
    """What the PRE report says."""
    return f"Step {step} may touch `{resource}`, which neither it nor a step whose data it uses has read."


def _message(step: Outline, resource: str) -> str:
    if any(write.resource == resource for write in step.writes):
        return f"Step {step.identity} may write `{resource}` but never reads it first: add it to `reads`."
    return f"Step {step.identity} may touch `{resource}` but never reads it: remove it from `scope`, or read it."


def check(steps: Iterable[Link], flow: Flow) -> Iterator[Finding]:
    for step in steps:
        position = step.position
        if step.outline.scope:
            outline = step.outline
            created = {write.resource for write in outline.writes if write.creates}
            for grant in extra_grants(outline.scope or (), flow, position):
                if grant.resource not in created:
                    words = _message(outline, grant.resource)
                    yield Finding(Place(position, grant.path), words, outline.identity, grant.resource)


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
        Remedy("drop the grant", False, _drop),
        Remedy("drop all grants that are too many", False, _drop_all),
    ),
    tags=("ASI03", "CWE-250", "CWE-272"),
)
