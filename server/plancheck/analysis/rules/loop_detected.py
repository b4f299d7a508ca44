"""A step waits for itself through a cycle of dependencies.

## What it does
Reports each dependency that closes a cycle: an entry of `depends_on`, or a reference to another step's result, through
which a step comes to wait for itself. Of those on a cycle, the ones on a later step, or on the step itself, are
reported: there is no cycle without one. Several steps that wait for the same one are not a cycle.

## Why is this bad?
No step of the cycle can ever start. A runner hangs, refuses the plan, or runs the steps in an arbitrary order.

## Fix safety
Unsafe: only the author knows which step goes first. A reference is never removed, for then its value would be missing.
"""

from collections.abc import Iterator
from itertools import islice, pairwise

from plancheck.analysis.data_facts import OFF_BY_ONE
from plancheck.analysis.facts import NAMES, WHOLE, Names, Whole
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import remove_entry, set_preds
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.plan.graph.circles import shortest_way
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.numbering import OffByOne
from plancheck.plan.model import Place

MOST_NAMED = 8
"""Of a longer circle only the first steps are named."""
MOST_CIRCLES = 100
"""How many circles are followed; of a plan with more, the rest is only said to be on one."""


def check(whole: Whole, names: Names, off: OffByOne | None) -> Iterator[Finding]:
    graph = whole.graph
    closing = graph.closing
    followed = 0
    for position in sorted({step for step, _ in closing}):
        step = graph.steps[position]
        places: dict[int, list[Place]] = {}
        for pred in step.preds or ():
            places.setdefault(graph.position_of.get(pred.identity, -1), []).append(Place(position, pred.path))
        for read in step.reads:
            if read.producer is not None and not (off is not None and read.is_reference):
                target = graph.position_of.get(read.producer, -1)
                places.setdefault(target, []).append(Place(position, read.producer_path))
        for target, (place, *others) in places.items():
            if (position, target) in closing:
                followed += 1
                circle = shortest_way(graph.needs, target, position) if followed <= MOST_CIRCLES else []
                related = [Related(other, "The same dependency again.") for other in others]
                related += _on_circle(names, circle[:-1])
                yield Finding(
                    place, _message(graph, names, position, target, circle), step.identity, related=tuple(related)
                )


def _on_circle(names: Names, circle: list[int]) -> Iterator[Related]:
    for position in circle[:MOST_NAMED]:
        yield Related(names.place(position), f"Step {names[position]} is part of the cycle.")


def _message(graph: PlanGraph, names: Names, position: int, target: int, circle: list[int]) -> str:
    name = names[position]
    if position == target:
        return f"`{name}` can never start, because it {_verb(graph, position, target)} itself: remove this dependency."
    links = f"`{name}` can never start, because it {_verb(graph, position, target)} `{names[target]}`"
    if not circle:
        return f"{links}, which waits for `{name}` through others: remove one dependency."
    for number, (step, other) in enumerate(pairwise(circle)):
        if number >= MOST_NAMED and other != position:
            continue
        cut = "… and so on, until one " if number >= MOST_NAMED else "which "
        links += f", {cut}{_verb(graph, step, other)} `{names[other]}`"
    return f"{links}: remove one dependency."


def _verb(graph: PlanGraph, position: int, target: int) -> str:
    """How a step depends on another one: it may wait for it, follow it in the list, or need its result."""
    outline, identity = graph.steps[position], graph.steps[target].identity
    if outline.preds is None:
        if target == position - 1:
            return "comes after"
    elif any(pred.identity == identity for pred in outline.preds):
        return "waits for"
    return "needs the result of"


def _break(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """Let one of the steps on the circle no longer wait for the next, where it only waits and needs no result."""
    graph, position, named = view.graph, finding.place.step, view.value(finding.place)
    target = graph.position_of.get(named) if isinstance(named, str) else None
    if position is None or target is None:
        return
    circle = [position, *shortest_way(graph.needs, target, position)]
    for step, other in islice(pairwise(circle), MOST_NAMED):
        outline, identity = graph.steps[step], graph.steps[other].identity
        if any(read.producer == identity for read in outline.reads):
            continue
        title = f"Let `{outline.identity}` no longer wait for `{identity}`"
        entries = [pred.path for pred in outline.preds or () if pred.identity == identity]
        if outline.preds is None:
            yield Proposal(title, tuple(set_preds(view, step, [])))
        elif len(entries) == 1:
            yield Proposal(title, tuple(remove_entry(step, entries[0])))


RULE = Rule(
    "loop_detected",
    Severity.ERROR,
    Category.STEPS,
    __doc__,
    bad="""\
{"goal": "pay the invoice", "steps": [
  {"id": "approve", "tool": "approvals.ask", "args": {"receipt": "{{pay.result.receipt}}"}, "depends_on": []},
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 120}, "depends_on": ["approve"]}
]}
""",
    good="""\
{"goal": "pay the invoice", "steps": [
  {"id": "approve", "tool": "approvals.ask", "args": {"amount": 120}, "depends_on": []},
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 120}, "depends_on": ["approve"]}
]}
""",
    checks=(whole_plan(check, WHOLE, NAMES, OFF_BY_ONE),),
    invalidates=True,
    remedies=(Remedy("remove one of the dependencies", False, _break),),
    tags=("CWE-835",),
)
