"""A step that cannot be undone does not say what happens when it fails.

## What it does
Where the policy has `require_handlers: true`: reports a step that pays, writes, deletes or sends and has no `on_fail`.
What a tool does is told by its name (`payments.*`, `notify.*`, `db.write`, …), by its SQL, or by the policy's `tools`.

## Why is this bad?
When it fails half-way, the steps behind it run on or do not, and nobody decided which.

## Fix safety
Safe: `abort` is what happens anyway where nothing is said.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetMember
from plancheck.analysis.rule import PartView, Rule
from plancheck.plan.model import Place
from plancheck.policy.checks import consequence

_WORDS = {"pay": "moves money", "write": "writes", "delete": "deletes", "send": "sends something out"}


def check(view: PartView) -> Iterator[Finding]:
    step, policy = view.step, view.policy
    if step is None or policy is None or not policy.require_handlers or view.dialect.handler_key is None:
        return
    call = step.call
    if call is None or call.tool is None or call.on_fail_path:
        return
    family = consequence(call, policy)
    if family is not None:
        yield Finding(
            Place(0, call.tool_path),
            f"Step {step.name} {_WORDS[family.value]} and does not say what happens when it fails: add `on_fail`.",
            resource=call.tool,
        )


def _add(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (key := view.plan.dialect.handler_key) is not None:
        yield Proposal(f'Add `"{key}": "abort"`', (SetMember(Place(finding.place.step), key, "abort"),))


RULE = Rule(
    "missing_handler",
    Severity.WARNING,
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
    check_part=check,
)
