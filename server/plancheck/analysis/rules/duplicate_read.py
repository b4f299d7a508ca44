"""A step lists the same read twice.

## What it does
Reports an entry of `reads` that names the resource and the producer of an earlier entry of the same step. If the two
have other flags, it is a warning: one of them is `volatile`, say, and the other `revalidates`, and both count.
Otherwise it is a hint. The same resource from two producers, and references in arguments, are not reported.

## Why is this bad?
Only one of the entries is what the author meant. With `revalidates` on one of them, no rule asks for a fresh value of
the other one any more.

## What it cannot know
Which of the two was meant.

## Fix safety
Safe: an entry that is the same as another one is removed. Entries with other flags are left to the author.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.finding import Finding, Related, Severity, Tag
from plancheck.analysis.fix.build import entry_of, remove_entry
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.model import Identity, Place, Read


def check(steps: Iterable[Link]) -> Iterator[Finding]:
    for step in steps:
        if len(step.outline.reads) > 1:
            yield from _repeated(step)


def _repeated(step: Link) -> Iterator[Finding]:
    first: dict[tuple[str, Identity | None], Read] = {}
    for read in step.outline.reads:
        if read.is_reference:
            continue
        known = first.setdefault((read.resource, read.producer), read)
        if known is read:
            continue
        place, resource, identity = Place(step.position, read.path), read.resource, step.outline.identity
        related = (Related(Place(step.position, known.path), f"The read of `{resource}` is listed here already."),)
        if _flags(read) == _flags(known):
            message = f"Step {step.name} lists its read of `{resource}` twice: remove this entry."
            tags = (Tag.UNNECESSARY,)
            yield Finding(place, message, identity, resource, related, tags=tags, at_most=Severity.HINT)
        else:
            message = f"Step {step.name} reads `{resource}` twice, with other flags: keep the entry that is meant."
            yield Finding(place, message, identity, resource, related)


def _flags(read: Read) -> tuple[bool, ...]:
    return read.volatile, read.pinned, read.revalidates


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, others = finding.place.step, finding.related
    if position is None or not others:
        return
    entries = [view.value(place._replace(path=entry_of(place.path))) for place in (finding.place, others[0].place)]
    plain = [{"id": entry} if isinstance(entry, str) else entry for entry in entries]
    if plain[0] == plain[1]:
        yield Proposal("Remove this entry", tuple(remove_entry(position, finding.place.path)))


RULE = Rule(
    "duplicate_read",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": ["quote", "order", "order"]},
  {"idx": 1, "agent": "desk", "kind": "decision", "reads": [
    {"id": "quote", "volatile": true},
    {"id": "quote", "revalidates": true}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": ["quote", "order"]},
  {"idx": 1, "agent": "desk", "kind": "decision", "reads": [
    {"id": "quote", "volatile": true, "revalidates": true}]}
]}
""",
    checks=(each_link(check),),
    remedies=(Remedy("remove the repeated entry", True, _remove),),
    since="0.2",
)
