"""The text is not JSON.

## What it does
Reports every place where the text departs from JSON (RFC 8259): brackets and strings that are never closed, commas
and colons that are missing or one too many, comments, single quotes, bare words, bad escapes. A byte order mark at
the start is tolerated.

## Why is this bad?
Nothing that runs the plan can read it. plancheck reads on behind each fault, so the rest of the plan is still checked.

## What it cannot know
Which bracket you meant. Where several are possible, the indentation decides.

## Fix safety
There is no fix: only the author knows what is missing.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "syntax_error",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision", "reads": ["order"},
  {"idx": 1, "agent": "clerk", "kind": "tool_call", "reads": ["order"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision", "reads": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "tool_call", "reads": ["order"]}
]}
""",
    is_unread=True,
)
