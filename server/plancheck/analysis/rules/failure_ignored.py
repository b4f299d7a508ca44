"""A step may fail unnoticed, and a later one uses its result.

## What it does
Reports `"on_fail": "continue"` on a step whose result another step uses, and shows where.

## Why is this bad?
If the step fails, there is no result: the later step is called with nothing, or with the text of the reference.

## What it cannot know
Whether the later step's tool can do without. What uses the result without a reference or a producer is not seen.

## Fix safety
Unsafe: with `abort`, a plan ends that was meant to go on.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import HAS_TOOLS, NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.flows import CONSUMERS, Consumers
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Place

MOST_RELATED = 10


def check(steps: Iterable[Subject], consumers: Consumers, names: Names) -> Iterator[Finding]:
    for position, step in steps:
        call = step.call
        using = consumers.of(position) if call is not None and call.on_fail == "continue" else ()
        if call is None or not using:
            continue
        message = (
            f"Step {names[using[0]]} uses the result of step {step.name}, which may fail unnoticed: "
            "end the plan when it fails."
        )
        related = tuple(
            Related(consumers.place(user, position), f"Step {names[user]} uses it here.")
            for user in using[:MOST_RELATED]
        )
        yield Finding(Place(position, call.on_fail_path), message, step.outline.identity, related=related)


def _abort(_: FixView, finding: Finding) -> Iterator[Proposal]:
    yield Proposal("Change it to `abort`", (SetValue(finding.place, "abort"),))


RULE = Rule(
    "failure_ignored",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "tell the customer", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}, "on_fail": "continue"},
  {"id": "note", "tool": "crm.note", "args": {"id": "{{find.result.id}}"}, "depends_on": ["find"]}
]}
""",
    good="""\
{"goal": "tell the customer", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}, "on_fail": "abort"},
  {"id": "note", "tool": "crm.note", "args": {"id": "{{find.result.id}}"}, "depends_on": ["find"]}
]}
""",
    checks=(each_step(check, CONSUMERS, NAMES, only_if=HAS_TOOLS),),
    remedies=(Remedy("let the plan end when the step fails", False, _abort),),
    since="0.2",
    tags=("CWE-390",),
    security_severity=3.5,
)
