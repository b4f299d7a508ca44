"""A name is empty.

## What it does
Reports an `agent` or a resource id that is the empty string.

## Why is this bad?
An empty name names nothing, and every other empty name looks the same.

## Fix safety
There is no fix: only the author knows the name.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "empty_name",
    Severity.ERROR,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "", "kind": "tool_call", "reads": [""]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]}
]}
""",
)
