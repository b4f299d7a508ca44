"""A key looks like a misspelling of a known one.

## What it does
Reports a key of a step or of a resource that nearly is a known key (`write`, `control_pred`, `Reads`), unless the
right one is there too.

## Why is this bad?
A misspelt key is silently ignored, and what stands under it is lost: a step with `write` writes nothing.

## What it cannot know
Whether the likeness is chance. Any key that resembles no known one is the author's own business and never reported.

## Fix safety
There is no fix yet.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "unknown_key",
    Severity.WARNING,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "Reads": ["order"], "ticket": "T-1"}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "ticket": "T-1"}
]}
""",
)
