"""The plan has more calls than the gate lets through.

## What it does
Reports a plan of calls with more than 50 of them, or than `max_steps` of the policy's `gate`, at the first call past
the limit.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows what can be left out, or where the plan can be split.
"""

from collections.abc import Iterator

from plancheck.analysis.facts import DIALECT, NAMES, POLICY, Names
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Rule, whole_plan
from plancheck.plan.dialects.dialect import Dialect, Limits
from plancheck.policy.model import Policy


def check(policy: Policy, dialect: Dialect, steps: Names) -> Iterator[Finding]:
    first = policy.gate.max_steps
    if dialect.limits is Limits.GATE and len(steps) > first:
        yield Finding(
            steps.place(first),
            f"This plan has {len(steps)} steps, and at most {first} are let through: split it before step "
            f"{steps[first]}.",
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
    policy="gate:\n  max_steps: 1\n",
    checks=(whole_plan(check, POLICY, DIALECT, NAMES),),
)
