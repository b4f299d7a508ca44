"""A decision rests on a volatile value that is neither pinned nor read again.

## What it does
Reports every read with a `producer` that is `volatile`, not `pinned` and no re-read (`revalidates`), if a decision
rests on the step that reads it.

## Why is this bad?
The value may have changed between the producer and the decision, and the decision may flip with it.

## What it cannot know
Whether it does flip: that needs the values at run time. This is an annotation, not a proof.

## Fix safety
Unsafe: that the value is read again, or held fast, is a promise which the step's tool has to keep.
"""

from collections.abc import Iterable, Iterator, Sequence

from plancheck.analysis.facts import DECISIONS, NAMES, PRODUCERS, Names, Producers
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import set_on_read
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.model import Identity, Place, Read


def is_flippable(read: Read) -> bool:
    """Whether a value from a producer may have changed since, and nothing holds it fast."""
    return read.volatile and not read.pinned and not read.revalidates


def message(step: Identity | None, resource: str) -> str:
    return (
        f"Step {step} hands the volatile `{resource}` on to a decision, neither pinned nor read again: pin it or "
        "re-read it (whether the decision would flip, only runtime values can tell)."
    )


def check(
    steps: Iterable[Link], feeds_decision: Sequence[bool], producers: Producers, names: Names
) -> Iterator[Finding]:
    for step in steps:
        position = step.position
        reads = step.outline.reads
        if not any(is_flippable(read) for read in reads) or not feeds_decision[position]:
            continue
        for number, producer in producers.in_order(position):
            read, identity = reads[number], step.outline.identity
            if is_flippable(read):
                where = Related(names.place(producer), f"Step {names[producer]} produced it.")
                words = message(identity, read.resource)
                yield Finding(Place(position, read.path), words, identity, read.resource, (where,))


def _reread(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        title = f"Mark this read of `{finding.resource}` as a re-read"
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, revalidates=True)))


def _pin(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        title = f"Pin this read of `{finding.resource}`"
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, pinned=True)))


RULE = Rule(
    "flippable_dependency_annotation",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": ["quote"], "writes": ["quote"]},
  {"idx": 1, "agent": "desk", "kind": "decision", "reads": [{"id": "quote", "producer": 0, "volatile": true}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": ["quote"], "writes": ["quote"]},
  {"idx": 1, "agent": "desk", "kind": "decision", "reads": [
    {"id": "quote", "producer": 0, "volatile": true, "revalidates": true}]}
]}
""",
    checks=(each_link(check, DECISIONS, PRODUCERS, NAMES),),
    remedies=(Remedy("mark the read as a re-read", False, _reread), Remedy("pin the read", False, _pin)),
)
