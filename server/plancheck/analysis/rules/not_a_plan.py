"""The document is not a plan.

## What it does
Reports a document that is named like a plan and holds something else: no object with a list of steps.

## Why is this bad?
A file that is thought to be checked is not.

## What it cannot know
Whether the file is meant to be a plan at all. If it is not, rename it, or narrow `include` in `plancheck.toml`.

## Fix safety
Safe if only capitals, hyphens or underscores of the key differ; else unsafe.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import spelt_alike
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RenameKey
from plancheck.analysis.rule import Category, Rule
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.dialects.table import steps_keys


def _respell(_: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _renamed(finding, certain=True)


def _rename(_: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _renamed(finding, certain=False)


def _renamed(finding: Finding, certain: bool) -> Iterator[Proposal]:
    word = str(finding.place.path[-1]) if finding.place.path else ""
    right = nearest(word, steps_keys())
    if right is not None and spelt_alike(word, right) is certain:
        yield Proposal(f"Rename `{word}` to `{right}`", (RenameKey(finding.place, right),))


RULE = Rule(
    "not_a_plan",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"node": [
  {"idx": 0, "agent": "clerk", "kind": "decision"}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision"}
]}
""",
    remedies=(
        Remedy("write the key as it is spelt", True, _respell),
        Remedy("rename the key to the one that was probably meant", False, _rename),
    ),
    is_unread=True,
)
