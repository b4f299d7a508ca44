"""Two names of resources differ only in how they are written.

## What it does
Reports a resource whose name is that of another one up to capitals, spaces around it, and `-`, `_` or a space between
words: `Order.1` and `order.1`. The rarer spelling is reported, or the later one if both are as frequent, at its first
place in each step.

## Why is this bad?
Names are compared letter by letter. The two count as two resources, so a read no longer meets the write it was meant
for, and every check that follows a resource loses it there.

## What it cannot know
Whether they really are two. If they are, switch the rule off with `"plancheck-ignore"`.

## Fix safety
Unsafe: they may be two resources after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, each_spelling
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Outline, Place
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class _Spelled(NamedTuple):
    """A place that names a resource, ordered as in the plan."""

    step: int
    list_number: int
    entry: int
    path: Path
    outline: Outline


def check(groups: Iterable[tuple[Resource, ...]]) -> Iterator[Finding]:
    for group in groups:
        places = {resource.name: spelled for resource in group if (spelled := _places(resource))}
        if len(places) < 2:
            continue
        right = max(places, key=lambda name: (len(places[name]), tuple(-n for n in places[name][0][:3])))
        first = Place(places[right][0].step, places[right][0].path)
        for name, spelled in places.items():
            if name != right:
                yield from _misspelt(name, right, spelled, first)


def _places(resource: Resource) -> list[_Spelled]:
    """Where steps declare to do something with the resource; a reference to a step's result names none of its own."""
    found = [
        _Spelled(use.step, 0, _entry(use.read.path), use.read.path, use.outline)
        for use in resource.reads
        if not use.read.is_reference
    ]
    found += (_Spelled(use.step, 1, _entry(use.write.path), use.write.path, use.outline) for use in resource.writes)
    found += (_Spelled(use.step, 2, _entry(use.grant.path), use.grant.path, use.outline) for use in resource.grants)
    return sorted(found)


def _entry(path: Path) -> int:
    return path[1] if len(path) > 1 and isinstance(path[1], int) else 0


def _misspelt(name: str, right: str, spelled: list[_Spelled], first: Place) -> Iterator[Finding]:
    reported: set[int] = set()
    for place in spelled:
        identity = place.outline.identity
        if place.step in reported or identity is None:
            continue
        reported.add(place.step)
        yield Finding(
            Place(place.step, place.path),
            f"Step {identity} names `{name}`, which differs from `{right}` only in how it is written: write `{right}`.",
            identity,
            name,
            (Related(first, f"`{right}` is used here."),),
        )


def _rewrite_here(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _rewrite(view, finding, finding.place.step, "here")


def _rewrite_everywhere(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if finding.resource is not None and len(view.graph.touches.steps[finding.resource]) > 1:
        yield from _rewrite(view, finding, None, "everywhere")


def _rewrite(view: FixView, finding: Finding, step: int | None, where: str) -> Iterator[Proposal]:
    right = view.value(finding.related[0].place) if finding.related else None
    if finding.resource is None or not isinstance(right, str):
        return
    places = (
        Place(touch.step, touch.path)
        for touch in view.graph.touches.of(finding.resource).places
        if step is None or touch.step == step
    )
    yield Proposal(f"Write `{right}` {where}", tuple(SetValue(place, right) for place in places))


RULE = Rule(
    "near_duplicate_resource",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order.1"], "writes": ["order.1"]},
  {"idx": 1, "agent": "payer", "kind": "decision", "reads": ["Order.1"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order.1"], "writes": ["order.1"]},
  {"idx": 1, "agent": "payer", "kind": "decision", "reads": [{"id": "order.1", "producer": 0}]}
]}
""",
    checks=(each_spelling(check),),
    remedies=(
        Remedy("write it as elsewhere, in this step", False, _rewrite_here),
        Remedy("write it as elsewhere, in the whole plan", False, _rewrite_everywhere),
    ),
)
