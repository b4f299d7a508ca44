"""Two steps have the same identity.

## What it does
Reports every step whose identity (`idx`) an earlier step has already.

## Why is this bad?
A step that names the identity means one of the two, and nothing says which.

## Fix safety
There is no fix yet.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.model import Place


def check(view: PlanView) -> Iterator[Finding]:
    first_of = view.graph.position_of
    for position, step in enumerate(view.plan.steps):
        identity = step.outline.identity
        if identity is None or first_of[identity] == position:
            continue
        first = first_of[identity]
        yield Finding(
            Place(position, step.identity_path),
            f"Step {identity} is there already: give this one an `idx` of its own.",
            step=identity,
            related=(Related(Place(first, view.plan.steps[first].identity_path), f"The first step {identity}."),),
        )


RULE = Rule(
    "duplicate_step_id",
    Severity.ERROR,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call"},
  {"idx": 0, "agent": "clerk", "kind": "decision"}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call"},
  {"idx": 1, "agent": "clerk", "kind": "decision"}
]}
""",
    check=check,
)
