"""Two steps write the same resource, and nothing says which comes first.

## What it does
Reports each write of a resource that an earlier step in the list writes too, if no path of the control flow leads from
the one to the other.

## Why is this bad?
The two may run at the same time or in either order, and what is left behind is the work of whichever was last.

## What it cannot know
Whether the two are alternatives, of which a decision before them picks one: if so, switch the rule off at the later one
with `"plancheck-ignore"`. Steps whose predecessors could not all be made out are left alone.

## Fix safety
Unsafe: which of the two comes first, or whether they are alternatives, only the author knows. The order of the list is
proposed.
"""

from collections.abc import Iterator
from itertools import islice

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_preds, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.facts import bits
from plancheck.plan.model import Place, Write

MOST_RELATED = 10


def check(view: PlanView) -> Iterator[Finding]:
    order = view.graph.order
    for resource, steps in order.writers.items():
        if len(steps) < 2:
            continue
        earlier = 0
        for position in steps:
            rivals = earlier & ~order.ancestors[position] if earlier else 0
            if view.graph.steps[position].identity is not None:
                earlier |= 1 << position
                if rivals and order.settled[position]:
                    yield _finding(view, position, resource, rivals)


def _finding(view: PlanView, position: int, resource: str, rivals: int) -> Finding:
    step = view.graph.steps[position].identity
    others = list(islice(bits(rivals), MOST_RELATED))
    first = view.plan.steps[others[0]].name
    return Finding(
        Place(position, _write(view, position, resource).path),
        f"Step {step} and step {first} both write `{resource}`, and neither waits for the other: put them in order.",
        step,
        resource,
        tuple(
            Related(
                Place(other, _write(view, other, resource).path),
                f"Step {view.plan.steps[other].name} writes it here.",
            )
            for other in others
        ),
    )


def _write(view: PlanView, position: int, resource: str) -> Write:
    return next(write for write in view.graph.steps[position].writes if write.resource == resource)


def _put_in_order(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    rivals = [related.place.step for related in finding.related if related.place.step is not None]
    if position is None or not rivals:
        return
    added = [identity for rival in rivals if (identity := view.graph.steps[rival].identity) is not None]
    others = ", ".join(str(identity) for identity in added)
    title = f"Let {step_name(view, position)} wait for step{'s' * (len(added) > 1)} {others}"
    yield Proposal(title, tuple(add_preds(view, position, added)))


RULE = Rule(
    "parallel_write_race",
    Severity.WARNING,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "control_preds": [0], "reads": ["ledger"], "writes": ["ledger"]},
  {"idx": 2, "agent": "payer", "kind": "tool_call", "control_preds": [0], "reads": ["ledger"], "writes": ["ledger"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "control_preds": [0], "reads": ["ledger"], "writes": ["ledger"]},
  {"idx": 2, "agent": "payer", "kind": "tool_call", "control_preds": [1], "reads": [
    {"id": "ledger", "producer": 1}], "writes": ["ledger"]}
]}
""",
    check=check,
    remedies=(Remedy("let the later one wait for the earlier ones", False, _put_in_order),),
)
