"""Two steps write the same resource, and nothing says which comes first.

## What it does
Reports each write of a resource that an earlier step in the list writes too, if no path of the control flow leads from
the one to the other. Steps on different ways out of one decision are not reported: only one of them runs.

## Why is this bad?
The two may run at the same time or in either order, and what is left behind is the work of whichever was last.

## What it cannot know
Whether a decision that is not in the plan picks one of the two. Steps whose predecessors could not all be made out are
left alone.

## Fix safety
Unsafe: which of the two comes first, or whether they are alternatives, only the author knows. The order of the list is
proposed.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from plancheck.analysis.facts import BRANCHES, NAMES, OPTIONS, ORDER, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_preds, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_resource, most_related
from plancheck.plan.graph.branches import Branches
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.touches import Resource, WriteUse
from plancheck.plan.model import Place


def check(
    resources: Iterable[Resource], order: Order, branches: Branches, names: Names, options: Mapping[str, int]
) -> Iterator[Finding]:
    most = RULE.option("related", options)
    for resource in resources:
        if len(resource.writers) > 1:
            for use, others in _races(resource, order, branches, most):
                yield _finding(use, others, names)


def _races(
    resource: Resource, order: Order, branches: Branches, most: int
) -> Iterator[tuple[WriteUse, list[WriteUse]]]:
    """The writes that may come before an earlier one or after it, each with some of those."""
    writes = {use.step: use for use in resource.writers}
    rivals: dict[int, int] = {}
    earlier = 0
    for use in resource.writers:
        if use.outline.identity is not None:
            if (unordered := earlier & ~order.ancestors[use.step]) and order.settled[use.step]:
                rivals[use.step] = unordered
            earlier |= 1 << use.step
    exclusive = branches.exclusive(list(writes)) if rivals else {}
    for step, unordered in rivals.items():
        if racing := unordered & ~exclusive[step]:
            yield writes[step], [writes[other] for other in islice(bits(racing), most)]


def _finding(use: WriteUse, others: list[WriteUse], names: Names) -> Finding:
    step, resource, first = use.outline.identity, use.write.resource, names[others[0].step]
    return Finding(
        Place(use.step, use.write.path),
        f"Steps {first} and {step} both write `{resource}`, and neither waits for the other: put them in order.",
        step,
        resource,
        tuple(
            Related(Place(other.step, other.write.path), f"Step {names[other.step]} writes it here.")
            for other in others
        ),
    )


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
    Category.DATA,
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
    checks=(each_resource(check, ORDER, BRANCHES, NAMES, OPTIONS),),
    remedies=(Remedy("let the later one wait for the earlier ones", False, _put_in_order),),
    tags=("CWE-362",),
    options=most_related(10, "other writes"),
)
