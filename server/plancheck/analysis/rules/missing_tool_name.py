"""A call does not say which tool it calls.

## What it does
Reports a step of a plan of calls without `tool_name`. If the tool is named under `tool`, or under a misspelt key, that
key is reported.

## Why is this bad?
Whatever looks for blocked tools looks at `tool_name`. A call that names its tool elsewhere slips through, and a runner
that is more lenient carries it out.

## Fix safety
Unsafe: a call that was ignored before is then checked, and carried out.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RenameKey
from plancheck.analysis.rule import Category, Rule


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    key = view.plan.dialect.tool_key
    if key is not None and finding.place.path and isinstance(view.value(finding.place), str):
        yield Proposal(f"Rename `{finding.place.path[-1]}` to `{key}`", (RenameKey(finding.place, key),))


RULE = Rule(
    "missing_tool_name",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
[
  {"tool_name": "orders.get", "args": {"id": "A-1"}},
  {"tool": "payments.refund", "args": {"order": "A-1"}}
]
""",
    good="""\
[
  {"tool_name": "orders.get", "args": {"id": "A-1"}},
  {"tool_name": "payments.refund", "args": {"order": "A-1"}}
]
""",
    remedies=(Remedy("rename the key to `tool_name`", False, _rename),),
    is_unread=True,
)
