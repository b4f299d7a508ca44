"""An object has the same key more than once.

## What it does
Reports a repeated key at its last occurrence, in steps and around them, at any depth.

## Why is this bad?
JSON readers keep the last one and drop the others without a word. A step with two `reads` has lost the first.

## Fix safety
Removing the earlier ones is safe if they say the same as the last one, which is the one that counts. Joining lists, and
removing what differs, is unsafe: only the author knows which one was meant.
"""

from collections.abc import Iterator
from typing import Any

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, KeepLast, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule


def _remove_same(view: FixView, finding: Finding) -> Iterator[Proposal]:
    values = view.repeated(finding.place)
    if all(value == values[-1] for value in values):
        yield Proposal(f"Keep one `{finding.place.path[-1]}`", (KeepLast(finding.place),))


def _join(view: FixView, finding: Finding) -> Iterator[Proposal]:
    joined: list[Any] = []
    for value in view.repeated(finding.place):
        if not isinstance(value, list):
            return
        known = list(joined)
        joined += (entry for entry in value if entry not in known)
    yield Proposal("Join the lists", (KeepLast(finding.place), SetValue(finding.place, joined)))


def _keep_last(view: FixView, finding: Finding) -> Iterator[Proposal]:
    values = view.repeated(finding.place)
    if any(value != values[-1] for value in values):
        yield Proposal("Keep only the last one, which is used", (KeepLast(finding.place),))


RULE = Rule(
    "duplicate_key",
    Severity.ERROR,
    Category.DOCUMENT,
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
    remedies=(
        Remedy("remove the earlier ones, if they say the same", True, _remove_same),
        Remedy("join the lists", False, _join),
        Remedy("keep the last one only", False, _keep_last),
    ),
    is_unread=True,
)
