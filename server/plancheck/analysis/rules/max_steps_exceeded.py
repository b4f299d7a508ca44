"""The plan has more steps than the policy allows.

## What it does
Reports a plan of steps that has more of them than `max_steps` of the policy (100 unless it says otherwise), at the
first step past the limit. Without a policy there is no limit.

## Why is this bad?
A plan that long has usually gone astray, and whoever approves it does not read it to the end.

## Fix safety
There is no fix: only the author knows what can be left out.
"""

from collections.abc import Iterator

from plancheck.analysis.facts import DIALECT, HAS_POLICY, NAMES, POLICY, Names
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.plan.dialects.dialect import Dialect, Limits
from plancheck.policy.model import Policy


def check(policy: Policy, dialect: Dialect, steps: Names) -> Iterator[Finding]:
    first = policy.most_steps
    if dialect.limits is Limits.POLICY and len(steps) > first:
        yield Finding(
            steps.place(first),
            f"This plan has {len(steps)} steps, and the policy allows {first}: split it before step {steps[first]}.",
            step=steps.identity(first),
        )


RULE = Rule(
    "max_steps_exceeded",
    Severity.ERROR,
    Category.POLICY,
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
    is_enforced=True,
    checks=(whole_plan(check, POLICY, DIALECT, NAMES, only_if=HAS_POLICY),),
    tags=("CWE-770",),
)
