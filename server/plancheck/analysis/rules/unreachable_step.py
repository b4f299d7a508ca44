"""A step is connected to no other step of the plan.

## What it does
Reports each part of the plan that neither waits for the rest nor is waited for by it, and with which it exchanges no
data, at the first step of that part. The largest such part is the plan; of several, the one that is listed first. A
second start (`"control_preds": []`) whose work is taken up later is connected to the plan and not reported.

In a plan of steps (`depends_on`) a step without connections may run at any time, and nothing is reported.

## Why is this bad?
A run that follows the plan from its start never gets there, and nothing would miss it. Usually a predecessor was
forgotten, or the step was left behind when the plan was changed.

## What it cannot know
Whether the plan is two plans in one file on purpose. As long as some step names another one that is not there, nothing
is reported: that may be the missing link.

## Fix safety
Unsafe: where the step belongs, or that it is not needed, only the author knows.
"""

from collections.abc import Iterator

from plancheck.analysis.facts import ANY_ORDER, DIALECT, NAMES, WHOLE, Names, Whole
from plancheck.analysis.finding import Finding, Related, Severity, Tag
from plancheck.analysis.fix.build import add_preds, is_named, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveSteps
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.plan.dialects.dialect import Dialect

MOST_RELATED = 10


def check(dialect: Dialect, any_order: bool, whole: Whole, names: Names) -> Iterator[Finding]:
    if any_order or dialect.preds_key is None or not whole.islands or not whole.is_clear():
        return
    for island in whole.islands:
        identity, others = names.identity(island[0]), len(island) - 1
        along = "" if not others else f" and the {others} after it" if others > 1 else " and the one after it"
        yield Finding(
            names.place(island[0]),
            f"Step {identity}{along} {'are' if others else 'is'} connected to no other step: let a step wait "
            "for it, or remove it.",
            identity,
            related=tuple(
                Related(names.place(position), f"Step {names[position]} belongs to it.")
                for position in island[1 : MOST_RELATED + 1]
            ),
            tags=(Tag.UNNECESSARY,),
        )


def _connect(view: FixView, finding: Finding) -> Iterator[Proposal]:
    first = finding.place.step
    island = _island(view, first)
    if first is None or not island:
        return
    before = next((p for p in range(first - 1, -1, -1) if p not in island and is_named(view, p)), None)
    after = next((p for p in range(first + 1, len(view.graph)) if p not in island), None)
    waiting, waited_for = (first, before) if before is not None else (after, max(island))
    if waiting is None or waited_for is None or not is_named(view, waited_for):
        return
    identity = view.graph.steps[waited_for].identity
    if identity is not None:
        title = f"Let {step_name(view, waiting)} wait for {step_name(view, waited_for)}"
        yield Proposal(title, tuple(add_preds(view, waiting, [identity])))


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    island = _island(view, finding.place.step)
    if island:
        names = ", ".join(view.plan.steps[position].name for position in sorted(island))
        yield Proposal(f"Remove step{'s' * (len(island) > 1)} {names}", (RemoveSteps(tuple(sorted(island))),))


def _island(view: FixView, first: int | None) -> set[int]:
    return next((set(island) for island in view.graph.islands if island[0] == first), set())


RULE = Rule(
    "unreachable_step",
    Severity.HINT,
    Category.STEPS,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "decision", "reads": ["order"]},
  {"idx": 2, "agent": "porter", "kind": "tool_call", "control_preds": [], "reads": ["parcel"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "decision", "reads": ["order"]},
  {"idx": 2, "agent": "porter", "kind": "tool_call", "control_preds": [1], "reads": ["parcel"]}
]}
""",
    checks=(whole_plan(check, DIALECT, ANY_ORDER, WHOLE, NAMES),),
    remedies=(
        Remedy("let it wait for the step before it", False, _connect),
        Remedy("remove it", False, _remove),
    ),
)
