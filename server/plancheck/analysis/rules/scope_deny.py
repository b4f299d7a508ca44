"""A step has something in its scope, or touches something, that the policy does not allow in any scope.

## What it does
Reports entries of `scope`, `reads` and `writes` that `allow_scope` of the policy does not cover, and a step without a
`scope` in a plan that names no tools: such a step is not limited at all. In `allow_scope`, `*` stands for any part of a
name, but for no `..`, no blank and no placeholder. An entry of the plan with a `*` must be allowed with all that it can
mean.

## Why is this bad?
A step with a wider scope than it may have can do what nobody approved.

## Fix safety
There is no fix: only the author knows what the step needs.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import DIALECT, HAS_POLICY, POLICY
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.model import Grant, Place, Read, Write
from plancheck.policy.model import Policy
from plancheck.policy.showing import shortened


def check(steps: Iterable[Subject], policy: Policy, dialect: Dialect) -> Iterator[Finding]:
    if policy.allow_scope is None:
        return
    for position, step in steps:
        outline = step.outline
        if outline.scope is None and outline.scope_known and dialect.tool_key is None:
            message = f"Step {step.name} has no `scope`, and the policy asks for one: list what it may touch."
            yield Finding(Place(position, step.identity_path), message, outline.identity)
        reads = (read for read in outline.reads if not read.is_reference)
        touches: list[Grant | Read | Write] = [*(outline.scope or ()), *reads, *outline.writes]
        for touch in touches:
            if not policy.allows_in_scope(touch.resource):
                does = {"scope": "may touch", "reads": "reads", "writes": "writes"}.get(str(touch.path[0]), "touches")
                message = f"Step {step.name} {does} `{shortened(touch.resource)}`, which `allow_scope` does not cover"
                yield Finding(
                    Place(position, touch.path), f"{message}: leave it out.", outline.identity, touch.resource
                )


RULE = Rule(
    "scope_deny",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["orders/17"], "scope": ["orders/17", "payroll"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["orders/17"], "scope": ["orders/17"]}
]}
""",
    policy="allow_scope: ['orders/*']\n",
    is_enforced=True,
    checks=(each_step(check, POLICY, DIALECT, only_if=HAS_POLICY),),
    since="0.2",
    tags=("ASI03", "CWE-250", "CWE-272"),
)
