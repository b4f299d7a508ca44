"""The document holds two plans in two formats.

## What it does
Reports a member of the document that would be the steps of another format than the one that it is read as: `nodes`
beside `steps`, tool calls as models and protocols emit them beside either, and any list of calls beside the steps.

## Why is this bad?
Half of the document goes unread here, and may be the half that is carried out.

## Fix safety
There is no fix: only the author knows which of the two is meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "mixed_formats",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"goal": "look", "steps": [{"id": "look", "tool": "crm.find", "args": {"name": "Ada"}}],
 "tool_calls": [{"function": {"name": "payments.refund", "arguments": "{}"}}]}
""",
    good="""\
{"goal": "look", "steps": [{"id": "look", "tool": "crm.find", "args": {"name": "Ada"}}]}
""",
    is_unread=True,
    since="0.2",
)
