"""The document is no plan.

## What it does
Reports a document that is named like a plan and holds something else: no object with a list of steps.

## Why is this bad?
A file that is thought to be checked is not.

## What it cannot know
Whether the file is meant to be a plan at all. If it is not, rename it, or narrow `include` in `plancheck.toml`.

## Fix safety
There is no fix.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "not_a_plan",
    Severity.ERROR,
    __doc__,
    bad="""\
{"node": [
  {"idx": 0, "agent": "clerk", "kind": "decision"}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision"}
]}
""",
)
