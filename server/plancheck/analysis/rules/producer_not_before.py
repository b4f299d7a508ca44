"""A step relies on one that it does not wait for.

## What it does
Reports each read whose `producer` stands earlier in the list, but from which no path of the control flow leads to the
step.

## Why is this bad?
Nothing guarantees that the producer has run: the two may run at the same time, and the value may not be there yet.

## What it cannot know
Whether the runner waits for data dependencies by itself. Steps whose predecessors could not all be made out are left
alone.

## Fix safety
Waiting for the producer is safe: the value cannot be there before, and nothing else changes. Taking the value from
elsewhere, or from nobody, is unsafe.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_preds, drop_producer, is_named, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.model import Place


def check(view: PlanView) -> Iterator[Finding]:
    graph = view.graph
    for position, edges in enumerate(graph.dependencies):
        step = graph.steps[position]
        for edge in edges:
            if step.reads[edge.read].is_reference:
                continue  # `undeclared_dependency` is about those
            if edge.producer in graph.preds[position] or graph.order.ancestors[position] >> edge.producer & 1:
                continue
            if step.identity is None or not graph.order.settled[position]:
                break
            read, producer = step.reads[edge.read], view.plan.steps[edge.producer]
            yield Finding(
                Place(position, read.producer_path),
                f"Step {step.identity} takes `{read.resource}` from step {producer.name}, but does not wait for it: "
                f"make step {producer.name} one of its predecessors.",
                step.identity,
                read.resource,
                (Related(Place(edge.producer, producer.identity_path), f"Step {producer.name} stands here."),),
            )


def _wait(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    producer = finding.related[0].place.step if finding.related else None
    if position is None or producer is None or not is_named(view, producer):
        return
    identity = view.graph.steps[producer].identity
    if identity is not None:
        title = f"Let {step_name(view, position)} wait for {step_name(view, producer)}"
        yield Proposal(title, tuple(add_preds(view, position, [identity])))


RULE = Rule(
    "producer_not_before",
    Severity.WARNING,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision", "reads": ["order"]},
  {"idx": 1, "agent": "teller", "kind": "tool_call", "control_preds": [0], "reads": ["rate"], "writes": ["rate"]},
  {"idx": 2, "agent": "payer", "kind": "tool_call", "control_preds": [0], "reads": [{"id": "rate", "producer": 1}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision", "reads": ["order"]},
  {"idx": 1, "agent": "teller", "kind": "tool_call", "control_preds": [0], "reads": ["rate"], "writes": ["rate"]},
  {"idx": 2, "agent": "payer", "kind": "tool_call", "control_preds": [1], "reads": [{"id": "rate", "producer": 1}]}
]}
""",
    check=check,
    remedies=(
        Remedy("wait for the producer", True, _wait),
        Remedy("drop the producer", False, drop_producer),
    ),
)
