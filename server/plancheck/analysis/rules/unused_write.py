"""A step writes what a later step overwrites before anybody has read it.

## What it does
Reports each write of a resource that another step writes again on every path after it, if no step in between, or at
the same time, reads it. A read with a `producer` takes what that step left, so it sees the writes of no other step
unless it is `volatile` or marked with `revalidates`. The last write of a resource is never reported: that it is there
is the point.

## Why is this bad?
Work is lost. Typically two steps start from the same old value, and the second one undoes what the first one did.

## What it cannot know
Whether the write is an effect in its own right, such as a message sent. Steps whose reads could not be made out count
as readers of everything.

## Fix safety
Unsafe: the write may be an effect in its own right, and what the later step starts from is for the author to say.
"""

from collections.abc import Iterator, Sequence

from plancheck.analysis.data_facts import OVERWRITING, Overwriting
from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity, Tag
from plancheck.analysis.fix.build import add_read, reads_of, set_on_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveElements
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Place


def check(resources: Sequence[Resource], overwriting: Overwriting, names: Names) -> Iterator[Finding]:
    by_name = {resource.name: resource for resource in resources}
    for position, resource, overwriter in overwriting.dead_writes(resources):
        step, later = names.identity(position), names[overwriter]
        if step is None:
            continue
        paths = {use.step: use.write.path for use in by_name[resource].writers}
        yield Finding(
            Place(position, paths[position]),
            f"Step {step} writes `{resource}`, which step {later} overwrites unread: remove the "
            f"write, or let step {later} take it from here.",
            step,
            resource,
            (Related(Place(overwriter, paths[overwriter]), f"Step {later} overwrites it here."),),
            tags=(Tag.UNNECESSARY,),
        )


def _take_from_here(view: FixView, finding: Finding) -> Iterator[Proposal]:
    later = finding.related[0].place.step if finding.related else None
    if later is None or finding.resource is None:
        return
    reads = reads_of(view, later, finding.resource)
    title = f"Let {step_name(view, later)} take `{finding.resource}` from step {finding.step}"
    if reads:
        yield Proposal(title, tuple(set_on_read(view, later, reads[0].path, producer=finding.step)))
    else:
        yield Proposal(title, tuple(add_read(view, later, finding.resource, producer=finding.step)))


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    if position is None:
        return
    writes = view.graph.steps[position].writes
    which = tuple(n for write in writes if write.resource == finding.resource and isinstance(n := write.path[1], int))
    yield Proposal(f"Remove the write of `{finding.resource}`", (RemoveElements(Place(position, ("writes",)), which),))


RULE = Rule(
    "unused_write",
    Severity.HINT,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "teller", "kind": "tool_call", "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
  {"idx": 2, "agent": "payer", "kind": "tool_call", "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "teller", "kind": "tool_call", "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
  {"idx": 2, "agent": "payer", "kind": "tool_call", "reads": [{"id": "order", "producer": 1}], "writes": ["order"]}
]}
""",
    checks=(each_resource(check, OVERWRITING, NAMES),),
    remedies=(
        Remedy("let the later step take it from here", False, _take_from_here),
        Remedy("remove the write", False, _remove),
    ),
    is_on=False,
)
