"""A decision uses a value that may have changed, and is neither frozen nor read again.

## What it does
Reports every read with a `producer` that is `volatile` and neither `pinned` nor marked with `revalidates`, if a
decision uses data of the step that reads it. Where `missing_revalidation_barrier` reports the same read, that finding
explains both, and this one is not shown.

## Why is this bad?
The value may have changed between the producer and the decision, and the decision may flip with it.

## What it cannot know
Whether it does flip: that needs the values at run time. This is an annotation, not a proof.

## Fix safety
Unsafe: that the value is read again, or frozen, is a promise which the step's tool has to keep.
"""

from collections.abc import Iterable, Iterator, Sequence

from plancheck.analysis.data_facts import DECISIONS, HAS_FLAGS, PRODUCERS, Producers
from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import set_on_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.stale import is_flippable
from plancheck.plan.model import Identity, Kind, Outline, Place


def detail(step: Identity | None, resource: str) -> str:
    """What the PRE report says."""
    return (
        f"Step {step} passes `{resource}` on to a decision, though it may have changed and is neither frozen "
        "(`pinned`) nor read again (`revalidates`): confirming that the decision would flip needs runtime values."
    )


def _message(step: Outline, resource: str, producer: str) -> str:
    way = "re-read it (`revalidates`) or freeze it (`pinned`)."
    if step.kind is Kind.DECISION:
        return f"Decision {step.identity} uses `{resource}` from step {producer}, which may have changed: {way}"
    return f"Step {step.identity} passes `{resource}` of step {producer} on to a decision, and it may change: {way}"


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
                words = _message(step.outline, read.resource, names[producer])
                yield Finding(Place(position, read.path), words, identity, read.resource, (where,))


def _reread(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        title = f'Add `"revalidates": true` to the read of `{finding.resource}` by {step_name(view, position)}'
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, revalidates=True)))


def _pin(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        title = f"Freeze the read of `{finding.resource}` by {step_name(view, position)} (`pinned`)"
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, pinned=True)))


RULE = Rule(
    "flippable_dependency_annotation",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": ["quote"], "writes": ["quote"]},
  {"idx": 1, "agent": "desk", "kind": "tool_call", "reads": [{"id": "quote", "producer": 0, "volatile": true}]},
  {"idx": 2, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true, "revalidates": true}]},
  {"idx": 3, "agent": "desk", "kind": "decision", "reads": [
    {"id": "quote", "producer": 1}, {"id": "quote", "producer": 2}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": ["quote"], "writes": ["quote"]},
  {"idx": 1, "agent": "desk", "kind": "tool_call", "reads": [
    {"id": "quote", "producer": 0, "volatile": true, "pinned": true}]},
  {"idx": 2, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true, "revalidates": true}]},
  {"idx": 3, "agent": "desk", "kind": "decision", "reads": [
    {"id": "quote", "producer": 1}, {"id": "quote", "producer": 2}]}
]}
""",
    checks=(each_link(check, DECISIONS, PRODUCERS, NAMES, where=HAS_FLAGS),),
    remedies=(
        Remedy("mark the read with `revalidates`", False, _reread),
        Remedy("freeze the read with `pinned`", False, _pin),
    ),
)
