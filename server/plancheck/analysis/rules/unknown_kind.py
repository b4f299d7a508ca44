"""A step is of a kind that does not exist.

## What it does
Reports a `kind` other than `decision` and `tool_call`, and names the one that was probably meant.

## Why is this bad?
What a step may do depends on its kind: the checks of decisions never look at a `Decision`.

## Fix safety
There is no fix yet.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "unknown_kind",
    Severity.ERROR,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool-call"}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call"}
]}
""",
)
