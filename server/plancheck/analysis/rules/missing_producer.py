"""A step reads what an earlier step wrote, and does not say so.

## What it does
Reports each read without a `producer` of a resource that a step before it in the control flow writes. The last such
step counts. Nothing is reported if the step rests on that one anyway, if it names a producer in another read of the
same resource, or if the read is `volatile` or a re-read (`revalidates`), for these look at the world afresh.

## Why is this bad?
The dependency is there, but forgotten, and what this step rests on is cut off at it: a stale value further up is no
longer followed to this step, and its snapshot is too small.

## What it cannot know
Whether the read is meant to look at the world afresh. If it is, mark it as `volatile`. Where it
could not be made out what a step waits for, nothing is concluded from the order of the list.

## Fix safety
Unsafe: the read may be meant to look at the world afresh.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import set_on_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Place, Read


def check(view: PlanView) -> Iterator[Finding]:
    graph = view.graph
    writers = graph.order.writers
    for position, step in enumerate(graph.steps):
        for read in step.reads:
            if read.producer is not None or read.volatile or read.revalidates:
                continue
            steps = writers.get(read.resource)
            if (
                steps is None
                or (steps[0] >= position and not graph.any_order)
                or step.identity is None
                or not step.reads_known
            ):
                continue
            writer = _forgotten(graph, position, read)
            if writer is not None:
                yield _finding(view, position, read, writer)


def _forgotten(graph: PlanGraph, position: int, read: Read) -> int | None:
    """The last step before this one that writes the resource, if the step does not rest on it."""
    reads = graph.steps[position].reads
    mine = [other for other in reads if other.resource == read.resource]
    if mine[0] is not read or any(other.producer is not None for other in mine):
        return None
    last = graph.order.last_writer(read.resource, position)
    if last is None or graph.steps[last].identity is None or graph.order.slices[position] >> last & 1:
        return None
    return last


def _finding(view: PlanView, position: int, read: Read, writer: int) -> Finding:
    step, producer = view.graph.steps[position].identity, view.graph.steps[writer]
    write = next(write for write in producer.writes if write.resource == read.resource)
    name = f'"{producer.identity}"' if isinstance(producer.identity, str) else producer.identity
    return Finding(
        Place(position, read.path),
        f"Step {step} reads `{read.resource}`, which step {producer.identity} wrote, and does not say so: add "
        f'`"producer": {name}`.',
        step,
        read.resource,
        (Related(Place(writer, write.path), f"Step {producer.identity} writes it here."),),
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
    check=check,
    remedies=(
        Remedy("name the step that wrote it as the producer", False, _name_producer),
        Remedy("mark the read as volatile", False, _mark_volatile),
    ),
)
