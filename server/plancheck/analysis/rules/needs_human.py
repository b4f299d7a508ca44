"""A human must look at the plan before it runs.

## What it does
Reports an argument that is above its limit under `needs_human` of the policy's `gate`, and one of which nobody can say
that it is not: it is absent, no number, or known at run time only.

## Why is this bad?
It is not: the plan may be right. It only is not for a program to say so.

## Fix safety
There is no fix: a smaller number would be another plan.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import HAS_POLICY, POLICY, Subject
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Rule, each_step
from plancheck.plan.model import Place
from plancheck.policy.checks import AboveLimit, above_limits
from plancheck.policy.model import Policy
from plancheck.syntax.tree import MISSING


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding]:
    for position, step in steps if policy.gate.needs_human else ():
        for found in above_limits(step, policy):
            place = Place(position, found.path)
            yield Finding(place, _message(found, step.name), step.outline.identity, found.limit.key)


def _message(found: AboveLimit, step: str) -> str:
    above = found.limit.above
    if found.is_known:
        return f"`{found.name}` of step {step} is {found.value}, and above {above} a human must look first."
    if found.value is MISSING:
        return f"Step {step} does not say what `{found.name}` is, and above {above} a human must look: write a number."
    return f"`{found.name}` of step {step} cannot be compared with {above}, so a human must look: write a number."


RULE = Rule(
    "needs_human",
    Severity.WARNING,
    __doc__,
    bad="""\
[
  {"tool_name": "payments.transfer", "args": {"amount": 5000, "to": "ACME"}}
]
""",
    good="""\
[
  {"tool_name": "payments.transfer", "args": {"amount": 400, "to": "ACME"}}
]
""",
    policy="gate:\n  needs_human: {payments.transfer.amount: 1000}\n",
    is_enforced=True,
    checks=(each_step(check, POLICY, only_if=HAS_POLICY),),
)
