"""An object has the same key more than once.

## What it does
Reports a repeated key at its last occurrence, in steps and around them, at any depth.

## Why is this bad?
JSON readers keep the last one and drop the others without a word. A step with two `reads` has lost the first.

## Fix safety
There is no fix: only the author knows which one was meant, or how to join them.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "duplicate_key",
    Severity.ERROR,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "reads": ["customer"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order", "customer"]}
]}
""",
)
