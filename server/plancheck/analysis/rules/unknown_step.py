"""A step names another one that does not exist.

## What it does
Reports an entry of `control_preds`, or a `producer`, that is the identity of no step.

## Why is this bad?
The plan waits for something, or relies on something, that nobody does.

## Fix safety
There is no fix yet.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.model import Place


def check(view: PlanView) -> Iterator[Finding]:
    known = view.graph.position_of
    for position, step in enumerate(view.plan.steps):
        outline = step.outline
        for pred in outline.preds or ():
            if pred.identity not in known:
                message = (
                    f"Step {step.name} waits for step {pred.identity}, which does not exist: name an earlier step."
                )
                yield Finding(Place(position, pred.path), message, step=outline.identity)
        for read in outline.reads:
            if read.producer is not None and read.producer not in known:
                message = (
                    f"Step {step.name} takes `{read.resource}` from step {read.producer}, which does not exist: "
                    "name an earlier step, or leave `producer` out."
                )
                yield Finding(Place(position, read.producer_path), message, outline.identity, read.resource)


RULE = Rule(
    "unknown_step",
    Severity.ERROR,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "decision", "control_preds": [7], "reads": [{"id": "order", "producer": 7}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "decision", "control_preds": [0], "reads": [{"id": "order", "producer": 0}]}
]}
""",
    check=check,
)
