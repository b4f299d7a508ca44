"""A key looks like a misspelling of a known one.

## What it does
Reports a key of a step or of a resource that nearly is a known key (`write`, `control_pred`, `Reads`), unless the
right one is there too.

## Why is this bad?
A misspelt key is silently ignored, and what is under it is lost: a step with `write` writes nothing.

## What it cannot know
Whether the likeness is chance. Any key that resembles no known one is the author's own business and never reported.

## Fix safety
Safe if only capitals, hyphens or underscores differ from the known key; else unsafe, for the likeness may be chance.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import spelt_alike
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RenameKey
from plancheck.analysis.rule import Category, Rule
from plancheck.plan.dialects.keys import nearest


def _respell(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _renamed(view, finding, certain=True)


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _renamed(view, finding, certain=False)


def _renamed(view: FixView, finding: Finding, certain: bool) -> Iterator[Proposal]:
    word = str(finding.place.path[-1])
    dialect = view.plan.dialect
    known = dialect.vocabulary.shape(finding.place.step is not None, finding.place.path[:-1])
    is_order = finding.place.step is not None and len(finding.place.path) == 1 and word in dialect.other_orders
    right = dialect.preds_key if is_order else nearest(word, known)
    if right is not None and spelt_alike(word, right) is certain:
        yield Proposal(f"Rename `{word}` to `{right}`", (RenameKey(finding.place, right),))


RULE = Rule(
    "unknown_key",
    Severity.WARNING,
    Category.DOCUMENT,
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
    remedies=(
        Remedy("write the key as it is spelt", True, _respell),
        Remedy("rename the key to the one that was probably meant", False, _rename),
    ),
)
