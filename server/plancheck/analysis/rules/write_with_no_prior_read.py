"""A step writes a resource that nothing it rests on has read.

## What it does
Reports every write of a resource that is read neither by the step itself nor by any step it rests on, directly or
through others (reads with a `producer`).

## Why is this bad?
The step changes something whose state was never looked at: a payment into a ledger that no step has read.

## What it cannot know
Whether the state matters. For a resource that is only ever appended to, declare the read of its head, or switch the
rule off for that step with `"plancheck-ignore"`.

## Fix safety
There is no fix yet.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.facts import UNKNOWN_RESOURCE, PlanGraph
from plancheck.plan.model import Identity, Place, Write


class Hit(NamedTuple):
    position: int
    write: Write


def hits(graph: PlanGraph) -> Iterator[Hit]:
    bits = graph.resource_bits
    for position in graph.by_identity:
        writes = graph.steps[position].writes
        if not writes:
            continue
        seen = graph.snapshots[position]
        if seen & UNKNOWN_RESOURCE:
            continue
        for write in writes:
            if not seen & bits.get(write.resource, 0):
                yield Hit(position, write)


def message(step: Identity | None, resource: str) -> str:
    return f"Step {step} writes `{resource}`, which neither it nor any step it rests on has read: read it first."


def check(view: PlanView) -> Iterator[Finding]:
    for position, write in hits(view.graph):
        step = view.graph.steps[position].identity
        yield Finding(Place(position, write.path), message(step, write.resource), step, write.resource)


RULE = Rule(
    "write_with_no_prior_read",
    Severity.WARNING,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "reads": ["order"], "writes": ["ledger.entry"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "reads": ["order", "ledger.entry"], "writes": ["ledger.entry"]}
]}
""",
    check=check,
)
