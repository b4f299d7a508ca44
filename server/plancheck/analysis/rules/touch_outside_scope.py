"""A step touches a resource that its own scope does not grant.

## What it does
Reports the first read or write of each resource that the step's `scope` leaves out. An entry with a `*` in it grants
every resource that it matches. A step without a `scope` is not limited; one with an empty list may touch nothing.

## Why is this bad?
The step contradicts itself: whoever enforces the scope stops the run here, and whoever does not has no scope at all.

## What it cannot know
Whether the scope is too narrow or the touch is a mistake.

## Fix safety
Unsafe: granting gives the step a right that it did not have, and dropping the touch hides what it may do all the same.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import add_entry, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveElements
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.model import Place, Read, Write


def check(steps: Iterable[Link]) -> Iterator[Finding]:
    for position, step in steps:
        if step.scope is None or step.identity is None or not step.scope_known:
            continue
        granted = {grant.resource for grant in step.scope}
        patterns = [name.replace("[", "[[]").replace("?", "[?]") for name in granted if "*" in name]
        # what another step returned is handed to this one, not fetched by it
        touches: list[Read | Write] = [*(read for read in step.reads if not read.is_reference), *step.writes]
        for touch in touches:
            name = touch.resource
            if name in granted or any(fnmatchcase(name, pattern) for pattern in patterns):
                continue
            granted.add(name)  # one finding is enough for each resource
            does = "reads" if isinstance(touch, Read) else "writes"
            message = (
                f"Step {step.identity} {does} `{name}`, which its `scope` does not grant: grant it, or leave it alone."
            )
            yield Finding(Place(position, touch.path), message, step.identity, name)


def _grant(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is not None and resource is not None:
        title = f"Grant `{resource}` to {step_name(view, position)}"
        yield Proposal(title, tuple(add_entry(view, position, "scope", resource)))


def _drop(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is None or resource is None:
        return
    step = view.graph.steps[position]
    reads, writes = (
        tuple(number for touch in touches if touch.resource == resource and isinstance(number := touch.path[1], int))
        for touches in (step.reads, step.writes)
    )
    found = (("read", "reads", reads), ("write", "writes", writes))
    removals = tuple(RemoveElements(Place(position, (key,)), numbers) for _, key, numbers in found if numbers)
    words = " and ".join(word for word, _, numbers in found if numbers)
    yield Proposal(f"Drop the {words} of `{resource}`", removals)


RULE = Rule(
    "touch_outside_scope",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order", "customer"], "scope": ["order"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order", "customer"], "scope": ["order", "customer"]}
]}
""",
    checks=(each_link(check),),
    remedies=(
        Remedy("grant it", False, _grant),
        Remedy("drop the read or write", False, _drop),
    ),
    tags=("ASI03", "CWE-250", "CWE-272"),
)
