"""A read names a producer that has nothing to do with the resource.

## What it does
Reports each read whose `producer` neither writes the resource nor reads it. A step that only reads a resource may pass
on what it read, so that it counts as a producer. So does a step whose result (`id.result`) is taken.

## Why is this bad?
Either the wrong step is named, and the step that does write the resource is missing from what this one uses, or the
producer has forgotten to declare its write.

## What it cannot know
Which of the two it is.

## Fix safety
Unsafe: whether the wrong step is named or the right one has not declared its write, only the author knows.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.data_facts import PRODUCERS, Producers
from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_entry, drop_producer, set_on_read, source_of, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.model import Outline, Place


def check(steps: Iterable[Link], producers: Producers, names: Names) -> Iterator[Finding]:
    for step in steps:
        position = step.position
        identity, reads = step.outline.identity, step.outline.reads
        if not reads or identity is None:
            continue
        for number, position_of_producer, producer in producers.of(position):
            read = reads[number]
            resource = read.resource
            if read.is_reference:
                continue  # it takes what the step returns
            if not _provides(producer, resource) and producer.writes_known and producer.reads_known:
                where = names.place(position_of_producer)
                yield Finding(
                    Place(position, read.producer_path),
                    f"Step {identity} takes `{resource}` from step {producer.identity}, which neither writes nor "
                    "reads it: name the step that writes it.",
                    identity,
                    resource,
                    (Related(where, f"Step {producer.identity} is here."),),
                )


def _provides(step: Outline, resource: str) -> bool:
    for write in step.writes:
        if write.resource == resource:
            return True
    return resource == f"{step.identity}.result" or any(read.resource == resource for read in step.reads)


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is None or resource is None:
        return
    source = source_of(view, position, resource)
    if source is not None:
        producer = view.graph.steps[source].identity
        title = f"Take `{resource}` from {step_name(view, source)} instead"
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, producer=producer)))


def _declare_write(view: FixView, finding: Finding) -> Iterator[Proposal]:
    producer = finding.related[0].place.step if finding.related else None
    if producer is not None and finding.resource is not None:
        title = f"Declare that {step_name(view, producer)} writes `{finding.resource}`"
        yield Proposal(title, tuple(add_entry(view, producer, "writes", finding.resource)))


RULE = Rule(
    "producer_never_writes",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "teller", "kind": "tool_call", "reads": ["rate"]},
  {"idx": 2, "agent": "payer", "kind": "decision", "reads": [{"id": "order", "producer": 1}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "teller", "kind": "tool_call", "reads": ["rate"]},
  {"idx": 2, "agent": "payer", "kind": "decision", "reads": [{"id": "order", "producer": 0}]}
]}
""",
    checks=(each_link(check, PRODUCERS, NAMES),),
    remedies=(
        Remedy("take it from the step that writes or reads it", False, _rename),
        Remedy("declare the write at the producer", False, _declare_write),
        Remedy("drop the producer", False, drop_producer),
    ),
)
