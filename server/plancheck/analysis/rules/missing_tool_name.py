"""A call does not say which tool it calls.

## What it does
Reports a step of a plan of calls without `tool_name`. If the tool stands under `tool`, or under a misspelt key, that
key is reported.

## Why is this bad?
Whatever looks for blocked tools looks at `tool_name`. A call that names its tool elsewhere slips through, and a runner
that is more lenient carries it out.

## Fix safety
There is no fix yet.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "missing_tool_name",
    Severity.ERROR,
    __doc__,
    bad="""\
[
  {"tool_name": "orders.get", "args": {"id": "A-1"}},
  {"tool": "payments.refund", "args": {"order": "A-1"}}
]
""",
    good="""\
[
  {"tool_name": "orders.get", "args": {"id": "A-1"}},
  {"tool_name": "payments.refund", "args": {"order": "A-1"}}
]
""",
)
