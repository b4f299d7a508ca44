"""The plan has more steps than the gate allows.

## What it does
Reports a plan with more steps than `max_steps` of the policy's `gate`, or of the policy itself, or 50 where neither is
given, at the first step past the limit. Plans of calls are always looked at, plans of steps where a policy is in force.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows what can be left out, or where the plan can be split.
"""

from collections.abc import Iterator

from plancheck.analysis.facts import DIALECT, GATED, NAMES, POLICY, Names
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Rule, whole_plan
from plancheck.plan.dialects.dialect import Dialect, Limits
from plancheck.policy.model import Policy


def check(policy: Policy, is_gated: bool, dialect: Dialect, steps: Names) -> Iterator[Finding]:
    first = policy.most_steps_at_gate
    if not is_gated or len(steps) <= first or (dialect.limits is Limits.POLICY and len(steps) > policy.most_steps):
        return  # of the last, `max_steps_exceeded` says enough
    yield Finding(
        steps.place(first),
        f"This plan has {len(steps)} steps, and the gate allows {first}: split it before step {steps[first]}.",
        step=steps.identity(first),
    )


RULE = Rule(
    "too_many_steps",
    Severity.ERROR,
    __doc__,
    bad="""\
[
  {"tool_name": "crm.find", "args": {"name": "Ada"}},
  {"tool_name": "crm.find", "args": {"name": "Grace"}}
]
""",
    good="""\
[
  {"tool_name": "crm.find", "args": {"name": "Ada"}}
]
""",
    is_enforced=True,
    policy="gate:\n  max_steps: 1\n",
    checks=(whole_plan(check, POLICY, GATED, DIALECT, NAMES, only_if=GATED),),
)
