"""A step names a predecessor that it waits for anyway.

## What it does
Reports an entry of `control_preds` that stands there twice, and one that comes before another entry in the control
flow, so that it is waited for in any case. A decision is never reported as such: the direct way from it may be the one
it takes to skip the steps between.

## Why is this bad?
It makes the plan harder to read, and suggests a way around steps that there is none around.

## What it cannot know
Whether the runner starts a step when the first of its predecessors is done, so that the short way counts. A way through
steps whose predecessors could not all be made out implies nothing.

## Fix safety
Removing an entry that stands there twice is safe. Removing one that is waited for through others is unsafe, because of
runners that start a step when the first of its predecessors is done.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Related, Severity, Tag
from plancheck.analysis.fix.build import remove_entry
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.model import Kind, Outline, Place


def check(view: PlanView) -> Iterator[Finding]:
    graph = view.graph
    for position, step in enumerate(graph.steps):
        if step.preds is None or len(step.preds) < 2 or step.identity is None:
            continue
        if len(step.preds) > len(graph.preds[position]):
            yield from _repeated(position, step)
        if position in graph.order.implied:
            yield from _implied(view, position, step)


def _repeated(position: int, step: Outline) -> Iterator[Finding]:
    first: dict[object, Place] = {}
    for pred in step.preds or ():
        place = Place(position, pred.path)
        if pred.identity in first:
            message = f"Step {step.identity} names step {pred.identity} twice: remove one."
            related = (Related(first[pred.identity], "It stands here already."),)
            yield Finding(place, message, step.identity, related=related, tags=(Tag.UNNECESSARY,))
        first.setdefault(pred.identity, place)


def _implied(view: PlanView, position: int, step: Outline) -> Iterator[Finding]:
    graph = view.graph
    ancestors, implied = graph.order.ancestors, graph.order.implied[position]
    told: set[int] = set()
    for entry in step.preds or ():
        pred = graph.position_of.get(entry.identity, position)
        if pred == position or pred in told or not implied >> pred & 1 or graph.steps[pred].kind is not Kind.TOOL_CALL:
            continue
        told.add(pred)
        through = next(other for other in graph.preds[position] if ancestors[other] >> pred & 1)
        if not graph.order.certain[through] >> pred & 1:
            continue
        name = view.plan.steps[through].name
        yield Finding(
            Place(position, entry.path),
            f"Step {step.identity} waits for step {entry.identity} anyway, through step {name}: remove it here.",
            step.identity,
            related=(Related(Place(through, view.plan.steps[through].identity_path), f"Step {name} waits for it."),),
            tags=(Tag.UNNECESSARY,),
        )


def _remove_repeated(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if _is_repeated(view, finding):
        yield from _removal(finding)


def _remove_implied(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if not _is_repeated(view, finding):
        yield from _removal(finding)


def _removal(finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        yield Proposal("Remove this entry", tuple(remove_entry(position, finding.place.path)))


def _is_repeated(view: FixView, finding: Finding) -> bool:
    """Whether the same step is named further up in the list."""
    position = finding.place.step
    preds = (view.graph.steps[position].preds if position is not None else None) or ()
    entry = next((number for number, pred in enumerate(preds) if pred.path == finding.place.path), 0)
    return any(pred.identity == preds[entry].identity for pred in preds[:entry])


RULE = Rule(
    "redundant_edge",
    Severity.HINT,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "tool_call", "reads": ["rate"]},
  {"idx": 2, "agent": "payer", "kind": "decision", "control_preds": [0, 1], "reads": ["order"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "tool_call", "reads": ["rate"]},
  {"idx": 2, "agent": "payer", "kind": "decision", "control_preds": [1], "reads": ["order"]}
]}
""",
    check=check,
    remedies=(
        Remedy("remove the repeated entry", True, _remove_repeated),
        Remedy("remove the entry that is waited for anyway", False, _remove_implied),
    ),
)
