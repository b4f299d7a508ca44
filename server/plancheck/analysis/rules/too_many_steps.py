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

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.dialects.dialect import Limits
from plancheck.plan.model import Place
from plancheck.policy.model import NO_POLICY


def check(view: PlanView) -> Iterator[Finding]:
    most, steps = (view.policy or NO_POLICY).gate.max_steps, view.plan.steps
    if view.plan.dialect.limits is Limits.GATE and len(steps) > most:
        first = steps[most]
        yield Finding(
            Place(most, first.identity_path),
            f"This plan has {len(steps)} steps, and at most {most} are let through: split it before step {first.name}.",
            step=first.outline.identity,
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
    check=check,
)
