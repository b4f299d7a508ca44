"""A call names a tool that no plan may use.

## What it does
In a plan of calls: reports each use of a blocked tool. Those are `execute_shell`, `run_command`, `drop_database` and
`delete_all`, unless the policy's `gate` has other `blocked_tools`.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows how else to do it.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import PartView, Rule
from plancheck.plan.dialects.dialect import Limits
from plancheck.plan.model import Place
from plancheck.policy.model import NO_POLICY


def check(view: PartView) -> Iterator[Finding]:
    call = view.step.call if view.step is not None else None
    if view.step is None or call is None or call.tool is None or view.dialect.limits is not Limits.GATE:
        return
    if call.tool in (view.policy or NO_POLICY).gate.blocked_tools:
        yield Finding(
            Place(0, call.tool_path),
            f"Step {view.step.name} calls `{call.tool}`, which no plan may use: find another way.",
            resource=call.tool,
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
    check_part=check,
)
