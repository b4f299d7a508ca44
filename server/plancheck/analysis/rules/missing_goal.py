"""The plan does not say what it is for.

## What it does
Reports a plan of steps without a `goal`, or with an empty one.

## Why is this bad?
Whoever reviews the plan can see what it does, but not whether that is what was asked for.

## Fix safety
There is no fix: only the author knows the goal.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "missing_goal",
    Severity.HINT,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"steps": [
  {"id": "refund", "tool": "payments.refund", "args": {"order": "A-1"}}
]}
""",
    good="""\
{"goal": "refund the order", "steps": [
  {"id": "refund", "tool": "payments.refund", "args": {"order": "A-1"}}
]}
""",
)
