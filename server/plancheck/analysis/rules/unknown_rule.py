"""A rule is switched off that does not exist.

## What it does
Reports an entry of `"plancheck-ignore"` that is the name of no rule, and names the one that was probably meant.

## Why is this bad?
Nothing is held back, although the author thinks so.

## Fix safety
Safe if only capitals, hyphens or underscores differ from a rule that there is; else unsafe: what is held back then may
be something else than was meant.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import remove_with_list, spelt_alike
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule
from plancheck.plan.dialects.keys import IGNORE, nearest


def _respell(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _renamed(view, finding, certain=True)


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _renamed(view, finding, certain=False)


def _renamed(view: FixView, finding: Finding, certain: bool) -> Iterator[Proposal]:
    word = view.value(finding.place)
    right = nearest(word, view.rules) if isinstance(word, str) else None
    if right is not None and spelt_alike(word, right) is certain:
        yield Proposal(f"Name `{right}` instead", (SetValue(finding.place, right),))


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    title = f"Remove this entry from `{IGNORE}`"
    yield Proposal(title, tuple(remove_with_list(view, finding.place)))


RULE = Rule(
    "unknown_rule",
    Severity.WARNING,
    Category.RUN,
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
    remedies=(
        Remedy("write the rule as it is spelt", True, _respell),
        Remedy("name the rule that was probably meant", False, _rename),
        Remedy("remove the entry", False, _remove),
    ),
)
