"""A rule is switched off where it has nothing to say.

## What it does
Reports an entry of `"plancheck-ignore"` that holds nothing back.

## Why is this bad?
It hides the next real finding of that rule, and a reader wonders what is wrong here.

## Fix safety
Safe: nothing is held back by it.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import remove_with_list
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule
from plancheck.plan.dialects.keys import IGNORE


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    title = f"Remove this entry from `{IGNORE}`"
    yield Proposal(title, tuple(remove_with_list(view, finding.place)))


RULE = Rule(
    "unused_suppression",
    Severity.HINT,
    Category.RUN,
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
    remedies=(Remedy("remove the entry", True, _remove),),
)
