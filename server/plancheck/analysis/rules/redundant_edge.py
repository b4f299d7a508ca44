"""A step names a predecessor that it waits for anyway.

## What it does
Reports an entry of `control_preds` that is listed twice, and one that comes before another entry in the control
flow, so that it is waited for in any case. A decision is never reported as such: the direct way from it may be the one
it takes to skip the steps between.

## Why is this bad?
It makes the plan harder to read, and suggests a way around steps that there is none around.

## What it cannot know
Whether the runner starts a step when the first of its predecessors is done, so that the short way counts. A way through
steps whose predecessors could not all be made out implies nothing.

## Fix safety
Removing an entry that is listed twice is safe. Removing one that is waited for through others is unsafe, because of
runners that start a step when the first of its predecessors is done.
"""

from collections.abc import Iterable, Iterator, Mapping

from plancheck.analysis.facts import IDENTITIES, KINDS, NAMES, ORDER, Kinds, Names
from plancheck.analysis.finding import Finding, Related, Severity, Tag
from plancheck.analysis.fix.build import remove_entry
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.order import Order
from plancheck.plan.model import Identity, Outline, Place


def check(
    steps: Iterable[Link], order: Order, position_of: Mapping[Identity, int], kinds: Kinds, names: Names
) -> Iterator[Finding]:
    for step in steps:
        position = step.position
        outline = step.outline
        if outline.preds is None or len(outline.preds) < 2 or outline.identity is None:
            continue
        if len(outline.preds) > len(order.preds[position]):
            yield from _repeated(position, outline)
        implied = order.implied(position)
        if not implied:
            continue
        reported: set[int] = set()
        for entry in outline.preds:
            pred = position_of.get(entry.identity, position)
            is_new = pred != position and pred not in reported
            if not is_new or not implied >> pred & 1 or not kinds.is_tool_call(pred):
                continue
            reported.add(pred)
            through = next(other for other in order.preds[position] if order.ancestors[other] >> pred & 1)
            if not order.certain[through] >> pred & 1:
                continue
            yield Finding(
                Place(position, entry.path),
                f"Step {outline.identity} waits for step {entry.identity} anyway, through step {names[through]}: "
                "remove it here.",
                outline.identity,
                related=(Related(names.place(through), f"Step {names[through]} waits for it."),),
                tags=(Tag.UNNECESSARY,),
            )


def _repeated(position: int, step: Outline) -> Iterator[Finding]:
    first: dict[object, Place] = {}
    for pred in step.preds or ():
        place = Place(position, pred.path)
        if pred.identity in first:
            message = f"Step {step.identity} names step {pred.identity} twice: remove one."
            related = (Related(first[pred.identity], f"Step {pred.identity} is listed here already."),)
            yield Finding(place, message, step.identity, related=related, tags=(Tag.UNNECESSARY,))
        first.setdefault(pred.identity, place)


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
    Category.STEPS,
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
    checks=(each_link(check, ORDER, IDENTITIES, KINDS, NAMES),),
    remedies=(
        Remedy("remove the repeated entry", True, _remove_repeated),
        Remedy("remove the entry that is waited for anyway", False, _remove_implied),
    ),
)
