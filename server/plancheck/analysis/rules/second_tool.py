"""A step names two tools.

## What it does
Reports a step that names its tool as its format does, and another one as another format does: `tool` beside
`tool_name`, `function`, `tool_calls`, or `name` together with `arguments` or `input`. A plain `name` or `title` is a
label, and nothing is said about it.

## Why is this bad?
One reader checks the first tool, another one runs the second.

## Fix safety
There is no fix: only the author knows which of the two is meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "second_tool",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
[
  {"tool_name": "crm.find", "tool": "payments.refund", "args": {"name": "Ada"}}
]
""",
    good="""\
[
  {"tool_name": "crm.find", "args": {"name": "Ada"}}
]
""",
    is_enforced=True,
    since="0.2",
)
