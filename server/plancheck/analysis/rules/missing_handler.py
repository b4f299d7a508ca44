"""A step that cannot be undone does not say what happens when it fails.

## What it does
Where the policy has `require_handlers: true`: reports a step that pays, writes, deletes or sends and has no `on_fail`.
What a tool does is known from the policy's `tools`, from the annotations in a catalogue of tools, or else from its name
(`payments.*`, `notify.*`, `db.write`, …) and its SQL.

## Why is this bad?
When it fails half-way, it is not decided whether the later steps run.

## Fix safety
Safe: `abort` is what happens anyway where `on_fail` is left out.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import CLASSES, DIALECT, HAS_POLICY
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetMember
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.model import Place
from plancheck.policy.checks import consequence
from plancheck.policy.classes import ToolClasses

_WORDS = {
    "pay": "moves money",
    "write": "writes",
    "delete": "deletes",
    "destructive": "overwrites or destroys something",
    "send": "sends something out",
}


def check(steps: Iterable[Subject], classes: ToolClasses, dialect: Dialect) -> Iterator[Finding]:
    for position, step in steps if classes.policy.require_handlers and dialect.handler_key is not None else ():
        call = step.call
        if call is None or call.tool is None or call.on_fail_path:
            continue
        family = consequence(call, classes)
        if family is not None:
            yield Finding(
                Place(position, call.tool_path),
                f"Step {step.name} {_WORDS[family.value]} and does not say what happens when it fails: add `on_fail`.",
                step.outline.identity,
                call.tool,
            )


def _add(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (key := view.plan.dialect.handler_key) is not None:
        yield Proposal(f'Add `"{key}": "abort"`', (SetMember(Place(finding.place.step), key, "abort"),))


RULE = Rule(
    "missing_handler",
    Severity.WARNING,
    Category.POLICY,
    __doc__,
    bad="""\
{"goal": "pay the bill", "steps": [
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 10}}
]}
""",
    good="""\
{"goal": "pay the bill", "steps": [
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 10}, "on_fail": "abort"}
]}
""",
    policy="require_handlers: true\n",
    remedies=(Remedy("add `on_fail`", True, _add),),
    checks=(each_step(check, CLASSES, DIALECT, only_if=HAS_POLICY),),
    tags=("CWE-390",),
)
