"""A rule is switched off where it has nothing to say.

## What it does
Reports an entry of `"plancheck-ignore"` that holds nothing back.

## Why is this bad?
It hides the next real finding of that rule, and a reader wonders what is wrong here.

## Fix safety
There is no fix yet.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "unused_suppression",
    Severity.HINT,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "plancheck-ignore": ["scope_vs_snapshot"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "scope": ["order", "customer"],
   "plancheck-ignore": ["scope_vs_snapshot"]}
]}
""",
)
