"""A human must look at the plan before it runs.

## What it does
Reports an argument that is above its limit under `needs_human` of the policy's `gate`, and one that cannot be shown
to be below it: it is absent (also in one element of a list), not a number, or known at run time only. Calls inside
arguments and beside the steps count.

## Why is this bad?
It is not: the plan may be right. It only is not for a program to say so.

## Fix safety
There is no fix: a smaller number would be another plan.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import HAS_POLICY, POLICY
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Place
from plancheck.policy.checks import Concern, judged_calls
from plancheck.policy.limits import AboveLimit, above_limits
from plancheck.policy.model import Policy
from plancheck.syntax.tree import MISSING


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding]:
    concern = Concern(policy.human_limits_of)
    for position, step in steps if policy.gate.needs_human else ():
        for judged in judged_calls(step, concern):
            for found in above_limits(judged, policy):
                message = _message(found, f" of step {step.name}", f"Step {step.name}")
                yield Finding(Place(position, found.path), message, step.outline.identity, found.limit.key)


def check_beside(members: Iterable[TopMember], policy: Policy) -> Iterator[Finding]:
    concern = Concern(policy.human_limits_of)
    for member in members if policy.gate.needs_human else ():
        for judged in member.judged_for(concern):
            for found in above_limits(judged, policy):
                yield Finding(Place(None, found.path), _message(found, "", "The plan"), None, found.limit.key)


def _message(found: AboveLimit, of: str, subject: str) -> str:
    above = found.limit.above
    if found.is_known:
        return f"`{found.name}`{of} is {found.value}, and above {above} a human must look first."
    if found.value is MISSING:
        return f"{subject} does not say what `{found.name}` is, and above {above} a human must look: write a number."
    return f"`{found.name}`{of} cannot be compared with {above}, so a human must look: write a number."


RULE = Rule(
    "needs_human",
    Severity.WARNING,
    Category.POLICY,
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
    checks=(each_step(check, POLICY, only_if=HAS_POLICY), each_member(check_beside, POLICY, only_if=HAS_POLICY)),
    since="0.2",
    tags=("ASI02", "ASI09"),
)
