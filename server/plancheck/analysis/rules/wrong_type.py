"""A value is of the wrong type.

## What it does
Reports a value whose type does not fit its key: `idx` and `producer` are integers (not `true`, `1.0` or `"1"`),
`agent` and resource ids are strings, `control_preds`, `reads`, `writes` and `scope` are lists, flags are `true` or
`false`, a step is an object.

## Why is this bad?
Readers that do not refuse such a plan take something else from it than its author meant: a string where a list
belongs becomes a list of its letters, and `"false"` is true.

## Fix safety
There is no fix yet.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "wrong_type",
    Severity.ERROR,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": "0", "agent": "clerk", "kind": "decision", "reads": "order"}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision", "reads": ["order"]}
]}
""",
)
