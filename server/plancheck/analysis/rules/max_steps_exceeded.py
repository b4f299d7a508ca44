"""The plan has more steps than the policy allows.

## What it does
Reports a plan of steps that has more of them than `max_steps` of the policy (100 unless it says otherwise), at the
first step past the limit. Without a policy there is no limit.

## Why is this bad?
A plan that long is usually one that went astray, and nobody who approves it reads it to the end.

## Fix safety
There is no fix: only the author knows what can be left out.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.dialects.dialect import Limits
from plancheck.plan.model import Place


def check(view: PlanView) -> Iterator[Finding]:
    policy, steps = view.policy, view.plan.steps
    if policy is None or view.plan.dialect.limits is not Limits.POLICY or len(steps) <= policy.max_steps:
        return
    first = steps[policy.max_steps]
    yield Finding(
        Place(policy.max_steps, first.identity_path),
        f"This plan has {len(steps)} steps, and the policy allows {policy.max_steps}: step {first.name} and those "
        "after it are too many.",
        step=first.outline.identity,
    )


RULE = Rule(
    "max_steps_exceeded",
    Severity.ERROR,
    __doc__,
    bad="""\
{"goal": "greet", "steps": [
  {"id": "look", "tool": "crm.find", "args": {"name": "Ada"}},
  {"id": "greet", "tool": "notify.mail", "args": {"to": "ada@example.com"}}
]}
""",
    good="""\
{"goal": "greet", "steps": [
  {"id": "greet", "tool": "notify.mail", "args": {"to": "ada@example.com"}}
]}
""",
    policy="max_steps: 1\n",
    check=check,
)
