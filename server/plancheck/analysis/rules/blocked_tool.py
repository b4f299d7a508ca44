"""A call names a tool that no plan may use.

## What it does
In a plan of calls: reports each use of a blocked tool. Those are `execute_shell`, `run_command`, `drop_database` and
`delete_all`, unless the policy's `gate` has other `blocked_tools`.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows how else to do it.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import DIALECT, POLICY, Subject
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Rule, each_step
from plancheck.plan.dialects.dialect import Dialect, Limits
from plancheck.plan.model import Place
from plancheck.policy.model import Policy


def check(steps: Iterable[Subject], policy: Policy, dialect: Dialect) -> Iterator[Finding]:
    if dialect.limits is not Limits.GATE:
        return
    for position, step in steps:
        if step.call is not None and step.call.tool in policy.gate.blocked_tools:
            yield Finding(
                Place(position, step.call.tool_path),
                f"Step {step.name} calls `{step.call.tool}`, which no plan may use: find another way.",
                step.outline.identity,
                step.call.tool,
            )


RULE = Rule(
    "blocked_tool",
    Severity.ERROR,
    __doc__,
    bad="""\
[
  {"tool_name": "execute_shell", "args": {"command": "rm -r /tmp/report"}}
]
""",
    good="""\
[
  {"tool_name": "files.remove", "args": {"path": "/tmp/report"}}
]
""",
    checks=(each_step(check, POLICY, DIALECT),),
)
