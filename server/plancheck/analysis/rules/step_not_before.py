"""A step names one that does not come before it.

## What it does
Reports an entry of `control_preds`, a `producer` or, in a plan of calls, a reference such as `{{2.result}}`, that names
the step itself or a later one.

## Why is this bad?
A declared plan is listed in the order in which it can run. A later step has not run yet, so it can be neither
waited for nor relied on. "Before" means earlier in the list, never a smaller `idx`. In a plan of steps (`depends_on`) a
step may wait for a later one; there `loop_detected` reports what can never run.

## Fix safety
Unsafe: moving a step changes what follows it by default where that cannot be spelt out, and the wrong step may be
named.
"""

from collections.abc import Iterable, Iterator, Mapping

from plancheck.analysis.data_facts import OFF_BY_ONE
from plancheck.analysis.facts import ANY_ORDER, IDENTITIES, NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import drop_producer, remove_entry, spell_out, step_name
from plancheck.analysis.fix.change import FixView, MoveStep, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.numbering import OffByOne
from plancheck.plan.model import Identity, Place


def check(
    steps: Iterable[Link], any_order: bool, known: Mapping[Identity, int], names: Names, off: OffByOne | None
) -> Iterator[Finding]:
    for step in () if any_order else steps:
        position = step.position
        outline = step.outline
        for pred in outline.preds or ():
            if (target := known.get(pred.identity, -1)) >= position:
                message = f"Step {step.name} waits for {_who(pred.identity, target, position)}: list it earlier."
                yield Finding(
                    Place(position, pred.path), message, outline.identity, related=_related(names, target, position)
                )
        for read in outline.reads:
            if read.producer is None or (target := known.get(read.producer, -1)) < position:
                continue
            if read.is_reference and off is not None:
                continue  # `bad_reference` is about those
            who = _who(read.producer, target, position)
            if read.is_reference:
                whose = "its own result" if target == position else f"the result of {who}"
                message = f"Step {step.name} uses {whose}: name an earlier step."
            else:
                message = (
                    f"Step {step.name} takes `{read.resource}` from {who}: list it earlier, or leave `producer` out."
                )
            related = _related(names, target, position)
            yield Finding(Place(position, read.producer_path), message, outline.identity, read.resource, related)


def _who(identity: Identity, target: int, position: int) -> str:
    return "itself" if target == position else f"step {identity}, which comes later in the list"


def _related(names: Names, target: int, position: int) -> tuple[Related, ...]:
    return () if target == position else (Related(names.place(target), f"Step {names[target]} is here."),)


def _move_down(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, target = finding.place.step, _target(finding)
    if position is not None and target is not None:
        changes = [MoveStep(position, target + 1), *spell_out(view, position), *spell_out(view, target + 1)]
        yield Proposal(f"Move {step_name(view, position)} after {step_name(view, target)}", tuple(changes))


def _move_up(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, target = finding.place.step, _target(finding)
    if position is not None and target is not None:
        changes = [MoveStep(target, position), *spell_out(view, target + 1)]
        yield Proposal(f"Move {step_name(view, target)} before {step_name(view, position)}", tuple(changes))


def _target(finding: Finding) -> int | None:
    return finding.related[0].place.step if finding.related else None


def _remove(_: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    if position is not None and finding.resource is None:
        yield Proposal("Remove this entry", tuple(remove_entry(position, finding.place.path)))


RULE = Rule(
    "step_not_before",
    Severity.ERROR,
    Category.STEPS,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision", "control_preds": [1]},
  {"idx": 1, "agent": "clerk", "kind": "tool_call", "reads": ["order"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 1, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 0, "agent": "clerk", "kind": "decision", "control_preds": [1]}
]}
""",
    checks=(each_link(check, ANY_ORDER, IDENTITIES, NAMES, OFF_BY_ONE),),
    invalidates=True,
    remedies=(
        Remedy("move the step after what it needs", False, _move_down),
        Remedy("move what it needs before the step", False, _move_up),
        Remedy("remove the entry", False, _remove),
        Remedy("drop the producer", False, drop_producer),
    ),
)
