"""A scope grants a resource that the step has nothing to do with.

## What it does
Reports each entry of a `scope` that is read neither by the step nor by a step whose data it uses, and not written by
it. An entry with a `*` in it stands for every resource that it matches, and is reported if it matches none of those,
or if it is `*` alone. What `scope_vs_snapshot` reports is not reported again.

## Why is this bad?
The step may touch more than it needs. `scope_vs_snapshot` compares a scope only if it contains everything that was
read, so one read that is not granted hides all grants that are too many.

## What it cannot know
What the tool behind the step really touches. If it does need the grant, declare the read or the write.

## Fix safety
Unsafe: a grant that the tool behind the step does need would be missed at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from plancheck.analysis.data_facts import SNAPSHOTS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveElements, SetValue
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.flow import UNKNOWN_RESOURCE, Flow
from plancheck.plan.model import Grant, Outline, Place

MOST_COMPARED = 1_000
"""Of a step that rests on more resources, a pattern is taken to match one: looking would take too long."""


def check(steps: Iterable[Link], flow: Flow) -> Iterator[Finding]:
    for position, outline in steps:
        if not outline.scope or outline.identity is None or not outline.writes_known:
            continue
        seen = flow.snapshots[position]
        if seen & UNKNOWN_RESOURCE or _is_superset(outline, flow, seen):
            continue
        reported: set[str] = set()
        for grant in outline.scope:
            if grant.resource not in reported and _is_extra(outline, flow, position, grant):
                reported.add(grant.resource)
                words = _message(outline, grant.resource)
                yield Finding(Place(position, grant.path), words, outline.identity, grant.resource)


def _is_superset(step: Outline, flow: Flow, seen: int) -> bool:
    """Whether the scope contains all that was read, so that `scope_vs_snapshot` compares it."""
    granted = 0
    for grant in step.scope or ():
        granted |= flow.resource_bits.get(grant.resource, 0)
    return granted & seen == seen


def _is_extra(step: Outline, flow: Flow, position: int, grant: Grant) -> bool:
    name, seen = grant.resource, flow.snapshots[position]
    if "*" not in name:
        written = any(write.resource == name for write in step.writes)
        return not written and not seen & flow.resource_bits.get(name, 0)
    if not name.strip("*"):
        return True
    pattern = _pattern(name)
    if any(fnmatchcase(write.resource, pattern) for write in step.writes):
        return False
    return seen.bit_count() <= MOST_COMPARED and not any(
        fnmatchcase(resource, pattern) for resource in flow.seen_by(position)
    )


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
    which = tuple(number for grant in _extras(view, position) if isinstance(number := grant.path[-1], int))
    if len(which) > 1:
        title = f"Drop all {len(which)} grants that {step_name(view, position)} has no use for"
        yield Proposal(title, (RemoveElements(Place(position, ("scope",)), which),))


def _extras(view: FixView, position: int) -> Iterator[Grant]:
    step, flow = view.graph.steps[position], view.graph.flow
    return (grant for grant in step.scope or () if _is_extra(step, flow, position, grant))


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
    Category.DATA,
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
    checks=(each_link(check, SNAPSHOTS),),
    remedies=(
        Remedy("name what the step touches instead of `*`", False, _name_all),
        Remedy("drop the grant", False, _drop),
        Remedy("drop all grants that are too many", False, _drop_all),
    ),
    tags=("ASI03", "CWE-250", "CWE-272"),
)
