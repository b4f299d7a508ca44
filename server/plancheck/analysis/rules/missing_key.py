"""A key that must be there is missing.

## What it does
Reports a step without `idx`, `agent` or `kind`, and an entry of `reads` or `writes` without `id`.

## Why is this bad?
Without its `idx` no other step can name it, without its `agent` nobody carries it out, and without its `kind` it is
not known whether it decides or acts.

## Fix safety
There is no fix yet.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "missing_key",
    Severity.ERROR,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "reads": [{"volatile": true}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": [{"id": "order", "volatile": true}]}
]}
""",
)
