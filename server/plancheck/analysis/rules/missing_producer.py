"""A step reads what an earlier step wrote, and does not say so.

## What it does
Reports each read without a `producer` of a resource that a step before it in the control flow writes. The last such
step counts. Nothing is reported if the step uses data of that one anyway, if it names a producer in another read of the
same resource, or if the read is `volatile` or marked with `revalidates`, for these look at the world afresh.

## Why is this bad?
The dependency is there, but forgotten, and what this step's data comes from is cut off at it: a stale value further up
is no longer followed to this step, and its snapshot is too small.

## What it cannot know
Whether the read is meant to look at the world afresh. If it is, mark it as `volatile`. Where it
could not be made out what a step waits for, nothing is concluded from the order of the list.

## Fix safety
Unsafe: the read may be meant to look at the world afresh.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.data_facts import FLOW
from plancheck.analysis.facts import ORDER
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import set_on_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import last_of, set_of
from plancheck.plan.graph.touches import ReadUse, Resource, WriteUse
from plancheck.plan.model import Place


def check(resources: Iterable[Resource], order: Order, flow: Flow) -> Iterator[Finding]:
    for resource in resources:
        if resource.writes and resource.reads:
            yield from _forgotten(resource, order, flow)


def _forgotten(resource: Resource, order: Order, flow: Flow) -> Iterator[Finding]:
    writes = {use.step: use for use in resource.writers}
    writers = set_of(writes)
    with_producer = {use.step for use in resource.reads if use.read.producer is not None}
    looked_at: set[int] = set()
    for use in resource.reads:
        is_first = use.step not in looked_at
        looked_at.add(use.step)
        if not is_first or use.step in with_producer or use.read.volatile or use.read.revalidates:
            continue
        if use.outline.identity is None or not use.outline.reads_known:
            continue
        last = last_of(writers & order.certain[use.step])
        if last is not None and writes[last].outline.identity is not None and not flow.slices[use.step] >> last & 1:
            yield _finding(use, writes[last])


def _finding(reader: ReadUse, writer: WriteUse) -> Finding:
    step, producer, resource = reader.outline.identity, writer.outline.identity, reader.read.resource
    name = f'"{producer}"' if isinstance(producer, str) else producer
    return Finding(
        Place(reader.step, reader.read.path),
        f'Step {step} reads `{resource}`, which step {producer} wrote, and does not say so: add `"producer": {name}`.',
        step,
        resource,
        (Related(Place(writer.step, writer.write.path), f"Step {producer} writes it here."),),
    )


def _name_producer(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    writer = finding.related[0].place.step if finding.related else None
    if position is not None and writer is not None:
        title = f"Take `{finding.resource}` from {step_name(view, writer)}"
        producer = view.graph.steps[writer].identity
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, producer=producer)))


def _mark_volatile(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        title = f"Mark this read of `{finding.resource}` as volatile"
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, volatile=True)))


RULE = Rule(
    "missing_producer",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "decision", "reads": ["order"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "decision", "reads": [{"id": "order", "producer": 0}]}
]}
""",
    checks=(each_resource(check, ORDER, FLOW),),
    remedies=(
        Remedy("name the step that wrote it as the producer", False, _name_producer),
        Remedy("mark the read as volatile", False, _mark_volatile),
    ),
    is_on=False,
)
