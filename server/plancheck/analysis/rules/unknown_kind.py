"""A step is of a kind that does not exist.

## What it does
Reports a `kind` other than `decision` and `tool_call`, and names the one that was probably meant.

## Why is this bad?
What a step may do depends on its kind: the checks of decisions never look at a `Decision`.

## Fix safety
Safe if only capitals, hyphens or underscores differ from a kind that there is; else unsafe.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import spelt_alike
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.model import Kind


def _respell(view: FixView, finding: Finding) -> Iterator[Proposal]:
    word = view.value(finding.place)
    for kind in Kind:
        if isinstance(word, str) and spelt_alike(word, kind.value):
            yield Proposal(f"Write `{kind.value}`", (SetValue(finding.place, kind.value),))


def _choose(view: FixView, finding: Finding) -> Iterator[Proposal]:
    word = view.value(finding.place)
    if not isinstance(word, str) or any(spelt_alike(word, kind.value) for kind in Kind):
        return
    likely = nearest(word, [kind.value for kind in Kind])
    for kind in sorted(Kind, key=lambda kind: kind.value != likely):
        yield Proposal(f"Make it a `{kind.value}`", (SetValue(finding.place, kind.value),))


RULE = Rule(
    "unknown_kind",
    Severity.ERROR,
    Category.DOCUMENT,
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
    remedies=(
        Remedy("write the kind as it is spelt", True, _respell),
        Remedy("make it the kind that was probably meant", False, _choose),
    ),
)
