"""A read names a producer that has nothing to do with the resource.

## What it does
Reports each read whose `producer` neither writes the resource nor reads it. A step that only reads a resource may pass
on what it read, so that it counts as a producer. So does a step whose result (`id.result`) is taken.

## Why is this bad?
Either the wrong step is named, and the step that does write the resource is missing from what this one rests on, or the
producer has forgotten to declare its write.

## What it cannot know
Which of the two it is.

## Fix safety
There is no fix yet.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.model import Outline, Place


def check(view: PlanView) -> Iterator[Finding]:
    steps = view.graph.steps
    for position, edges in enumerate(view.graph.dependencies):
        step = steps[position]
        if not edges or step.identity is None:
            continue
        for edge in edges:
            read, producer = step.reads[edge.read], steps[edge.producer]
            resource = read.resource
            if not _provides(producer, resource) and producer.writes_known and producer.reads_known:
                where = Place(edge.producer, view.plan.steps[edge.producer].identity_path)
                yield Finding(
                    Place(position, read.producer_path),
                    f"Step {step.identity} takes `{resource}` from step {producer.identity}, which neither writes nor "
                    "reads it: name the step that writes it.",
                    step.identity,
                    resource,
                    (Related(where, f"Step {producer.identity} stands here."),),
                )


def _provides(step: Outline, resource: str) -> bool:
    for write in step.writes:
        if write.resource == resource:
            return True
    return resource == f"{step.identity}.result" or any(read.resource == resource for read in step.reads)


RULE = Rule(
    "producer_never_writes",
    Severity.WARNING,
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
    check=check,
)
