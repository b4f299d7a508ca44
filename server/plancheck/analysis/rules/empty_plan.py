"""The plan has no steps.

## What it does
Reports a plan of steps or of calls whose list is empty.

## Why is this bad?
It does nothing. An agent that submits an empty plan has failed to plan, and whoever approves it approves nothing.

## Fix safety
There is no fix: only the author knows what was meant to be done.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "empty_plan",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"goal": "refund the order", "steps": []}
""",
    good="""\
{"goal": "refund the order", "steps": [
  {"id": "refund", "tool": "payments.refund", "args": {"order": "A-1"}}
]}
""",
    is_enforced=True,
)
