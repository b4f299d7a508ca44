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

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from unicodedata import normalize

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.model import Grant, Outline, Place, Read, Write


def check(view: PlanView) -> Iterator[Finding]:
    steps = view.graph.steps
    names = {*view.graph.read_resources, *view.graph.order.writers}
    names.update(grant.resource for step in steps if step.scope for grant in step.scope)
    if len({_fold(name) for name in names}) == len(names):
        return
    names = {touch.resource for step in steps for touch in _touches(step)}
    right_of, first_place = _spellings(steps, names)
    for position, step in enumerate(steps):
        told: set[str] = set()
        for touch in _touches(step):
            name = touch.resource
            right = right_of.get(name)
            if right is None or name in told or step.identity is None:
                continue
            told.add(name)
            yield Finding(
                Place(position, touch.path),
                f"Step {step.identity} names `{name}`, which differs from `{right}` only in how it is written: write "
                f"`{right}`.",
                step.identity,
                name,
                (Related(first_place[right], f"`{right}` stands here."),),
            )


def _spellings(steps: Sequence[Outline], names: set[str]) -> tuple[dict[str, str], dict[str, Place]]:
    """For every misspelt name the right one, and for every right one where it stands first."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_fold(name), []).append(name)
    alike = {name for group in groups.values() if len(group) > 1 for name in group}
    counts: Counter[str] = Counter()
    first_place: dict[str, Place] = {}
    for position, step in enumerate(steps):
        for touch in _touches(step):
            if touch.resource in alike:
                counts[touch.resource] += 1
                first_place.setdefault(touch.resource, Place(position, touch.path))
    appearance = {name: number for number, name in enumerate(first_place)}
    right_of: dict[str, str] = {}
    for group in groups.values():
        if len(group) > 1:
            right = max(group, key=lambda name: (counts[name], -appearance[name]))
            right_of.update((name, right) for name in group if name != right)
    return right_of, first_place


def _touches(step: Outline) -> list[Read | Write | Grant]:
    """What the step declares; a reference to a step's result names no resource of its own."""
    return [*(read for read in step.reads if not read.is_reference), *step.writes, *(step.scope or ())]


@lru_cache(maxsize=1 << 16)  # after an edit, all names but one are as they were
def _fold(name: str) -> str:
    if not name.isascii():
        name = normalize("NFKC", name)
    return name.strip().replace("-", "_").replace(" ", "_").casefold()


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
    check=check,
    remedies=(
        Remedy("write it as elsewhere, in this step", False, _rewrite_here),
        Remedy("write it as elsewhere, in the whole plan", False, _rewrite_everywhere),
    ),
)
