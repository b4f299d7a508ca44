"""A rule is switched off that does not exist.

## What it does
Reports an entry of `"plancheck-ignore"` that is the name of no rule, and names the one that was probably meant.

## Why is this bad?
Nothing is held back, although the author thinks so.

## Fix safety
There is no fix yet.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "unknown_rule",
    Severity.WARNING,
    __doc__,
    bad="""\
{"plancheck-ignore": ["scope_vs_snapshots"], "nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "scope": ["order", "customer"]}
]}
""",
    good="""\
{"plancheck-ignore": ["scope_vs_snapshot"], "nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "scope": ["order", "customer"]}
]}
""",
)
