"""A step relies on one that it does not wait for.

## What it does
Reports each read whose `producer` is earlier in the list, but from which no path of the control flow leads to the
step.

## Why is this bad?
Nothing guarantees that the producer has run: the two may run at the same time, and the value may not be there yet.

## What it cannot know
Whether the runner waits for data dependencies by itself. Steps whose predecessors are not all known are left
alone.

## Fix safety
Waiting for the producer is safe: the value cannot be there before, and nothing else changes. Taking the value from
elsewhere, or from no step, is unsafe.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.data_facts import PRODUCERS, Producers
from plancheck.analysis.facts import NAMES, ORDER, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_preds, drop_producer, is_named, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.order import Order
from plancheck.plan.model import Place


def check(steps: Iterable[Link], producers: Producers, order: Order, names: Names) -> Iterator[Finding]:
    for step in steps:
        position = step.position
        identity, reads = step.outline.identity, step.outline.reads
        if not reads or identity is None:
            continue
        for number, producer, _ in producers.of(position):
            if reads[number].is_reference:
                continue  # `undeclared_dependency` is about those
            if producer in order.preds[position] or order.ancestors[position] >> producer & 1:
                continue
            if not order.settled[position]:
                break
            read, name = reads[number], names[producer]
            yield Finding(
                Place(position, read.producer_path),
                f"Step {identity} takes `{read.resource}` from step {name}, but does not wait for it: make step {name} "
                "one of its predecessors.",
                identity,
                read.resource,
                (Related(names.place(producer), f"Step {name} is here."),),
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
    Category.DATA,
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
    checks=(each_link(check, PRODUCERS, ORDER, NAMES),),
    remedies=(
        Remedy("wait for the producer", True, _wait),
        Remedy("drop the producer", False, drop_producer),
    ),
)
