"""The plan has more steps than the gate allows.

## What it does
Reports a plan with more steps than `max_steps` of the policy's `gate`, or of the policy itself, or 50 where neither is
given, at the first step past the limit. Calls beside the steps count; where only those inside arguments pass the limit,
that is reported as not checked. Plans of calls are always looked at, plans of steps where a policy is in force.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows what can be left out, or where the plan can be split.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.calls import ToolUse, ToolUses
from plancheck.analysis.facts import DIALECT, GATED, NAMES, POLICY, TOOL_USES, Names
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.plan.dialects.dialect import Dialect, Limits
from plancheck.policy.model import Policy
from plancheck.unknown import Reason


def check(
    policy: Policy, is_gated: bool, dialect: Dialect, steps: Names, uses: ToolUses
) -> Iterator[Finding | Unchecked]:
    most, count = policy.most_steps_at_gate, len(steps)
    if not is_gated or (dialect.limits is Limits.POLICY and count > policy.most_steps):
        return  # of the last, `max_steps_exceeded` says enough
    if count > most:
        identity = steps.identity(most)
        is_counted = dialect.identities.are_counted and identity == most
        first = f"call {most + 1} of {count}" if is_counted else f"step {steps[most]}"
        message = f"This plan has {count} steps, and the gate allows {most}: split it before {first}."
        yield Finding(steps.place(most), message, step=identity)
        return
    beside = _clear(uses.beside)
    inside = _clear(uses.inside)
    if count + len(beside) > most:
        message = (
            f"This plan has {count} steps and {len(beside)} calls beside them, and the gate allows {most}: split it."
        )
        yield Finding(beside[most - count].place, message)
    elif count + len(beside) + len(inside) > most:
        message = f"This plan may make {count + len(beside) + len(inside)} calls, and the gate allows {most}: split it."
        yield Unchecked(RULE.name, inside[most - count - len(beside)].place, Reason.NOT_UNDERSTOOD, message)


def _clear(uses: Iterable[ToolUse]) -> list[ToolUse]:
    return [use for use in uses if use.is_clear]


RULE = Rule(
    "too_many_steps",
    Severity.ERROR,
    Category.POLICY,
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
    checks=(whole_plan(check, POLICY, GATED, DIALECT, NAMES, TOOL_USES, only_if=GATED),),
    tags=("CWE-770",),
)
