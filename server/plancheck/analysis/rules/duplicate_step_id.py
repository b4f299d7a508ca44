"""Two steps have the same identity.

## What it does
Reports every step whose identity (`idx`, or `id` in a plan of steps) an earlier step already has.

## Why is this bad?
A step that names the identity means one of the two, and nothing says which.

## Fix safety
Safe if no step refers to the identity, for then no reference can mean the wrong one; else unsafe.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice

from plancheck.analysis.facts import IDENTITIES, NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import free_identity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.model import Identity, Place


def check(steps: Iterable[Link], first_of: Mapping[Identity, int], names: Names) -> Iterator[Finding]:
    for step in steps:
        position = step.position
        identity = step.outline.identity
        if identity is None or first_of[identity] == position:
            continue
        yield Finding(
            names.place(step.position),
            f"Step {identity} already exists: give this one an `{names.place(step.position).path[-1]}` of its own.",
            step=identity,
            related=(Related(names.place(first_of[identity]), f"Step {identity} is here first."),),
        )


def _rename_unmentioned(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if not _mentions(view, finding):
        yield from _rename(view, finding, (), "")


def _rename_with_later(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    later = [place for place in _mentions(view, finding) if place.step is not None and place.step > (position or 0)]
    if later:
        yield from _rename(view, finding, later, ", and what refers to it below")


def _rename_alone(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if _mentions(view, finding):
        yield from _rename(view, finding, (), ", and leave the references with the first one")


def _mentions(view: FixView, finding: Finding) -> list[Place]:
    if finding.step is None:
        return []
    return [Place(mention.step, mention.path) for mention in view.graph.mentions.of(finding.step)]


def _free_name(view: FixView, taken: str) -> str:
    """The name with the first number behind it that no step has and none refers to."""
    used = {*view.graph.position_of, *view.graph.mentions.steps}
    free = (name for name in (f"{taken}_{number}" for number in count(2)) if name not in used)
    return next(islice(free, view.spare, None))


def _rename(view: FixView, finding: Finding, places: Iterable[Place], more: str) -> Iterator[Proposal]:
    identity = _free_name(view, finding.step) if isinstance(finding.step, str) else free_identity(view)
    changes = (SetValue(place, identity) for place in (finding.place, *places))
    yield Proposal(f"Make this step {identity}{more}", tuple(changes))


RULE = Rule(
    "duplicate_step_id",
    Severity.ERROR,
    Category.STEPS,
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
    checks=(each_link(check, IDENTITIES, NAMES),),
    invalidates=True,
    remedies=(
        Remedy("give the step a free identity, if none refers to it", True, _rename_unmentioned),
        Remedy("give the step a free identity, with the references below it", False, _rename_with_later),
        Remedy("give the step a free identity, all references staying with the first", False, _rename_alone),
    ),
    tags=("CWE-694",),
)
