"""An action rests on a volatile value that nobody reads again in between.

## What it does
An action is a decision, or a step that writes. Reports each action and resource for which a volatile read, by the
action itself or by what it rests on, is followed by no re-read (`revalidates`) before the action: neither at the
reading step, nor at the action, nor at a step between the two in the control flow.

## Why is this bad?
Between the read and the action the world moves on: the quote is old, the balance is gone, and the action still acts.

## What it cannot know
Whether the value did change: drift can be confirmed with runtime values only. `pinned` does not matter here, for a
pinned value is just as old.

## Fix safety
Unsafe: a re-read has to be carried out by somebody, and what to do when the value has changed is for the author to say.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from plancheck.analysis.facts import NAMES, STALENESS, Names, Staleness
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import reads_of
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.fix.rereads import reread_at, reread_before, reread_on_the_way
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.stale import Sources
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Identity, Place, Read

MOST_RELATED = 100


def message(step: Identity | None, resource: str, source: Identity | None) -> str:
    """The words for one volatile read."""
    if source == step:
        return (
            f"Step {step} acts on its own volatile read of `{resource}`: mark that read as a re-read, or re-read it "
            "just before (whether it drifted, only runtime values can tell)."
        )
    return (
        f"Step {step} acts on the volatile `{resource}` read by step {source} with no re-read in between: re-read it "
        "before (whether it drifted, only runtime values can tell)."
    )


def check(resources: Sequence[Resource], staleness: Staleness, names: Names) -> Iterator[Finding]:
    """One finding for each action and resource, with every volatile read that reaches it as related."""
    volatile = {
        resource.name: {use.step: use.read for use in reversed(resource.reads) if use.read.volatile}
        for resource in resources
    }
    sources, exposed = staleness.exposed(resources)
    for action, stale in exposed.items():
        for resource, same in sources.by_resource(stale):
            yield _finding(action, resource, same, sources, volatile[resource], names)


def _finding(
    action: int, resource: str, stale: int, sources: Sources, volatile: dict[int, Read], names: Names
) -> Finding:
    step, own = names.identity(action), volatile.get(action)
    place = names.place(action) if own is None else Place(action, own.path)
    count = stale.bit_count()
    steps = [sources.places[number][0] for number in islice(bits(stale), MOST_RELATED + 1)]
    others = [source for source in steps if source != action][:MOST_RELATED]
    related = [
        Related(Place(source, volatile[source].path), f"Step {names[source]} reads the volatile `{resource}` here.")
        for source in others
    ]
    more = count - (own is not None) - len(others)
    if more:
        related[-1] = related[-1]._replace(message=f"{related[-1].message[:-1]}, as do {more} more.")
    if count == 1:
        words = message(step, resource, names.identity(steps[0]))
    else:
        words = (
            f"Step {step} acts on the volatile `{resource}` read by {count} steps with no re-read in between: "
            "re-read it before (whether it drifted, only runtime values can tell)."
        )
    return Finding(place, words, step, resource, tuple(related))


def _mark_own(view: FixView, finding: Finding) -> Iterator[Proposal]:
    action, resource = finding.place.step, finding.resource
    reads = reads_of(view, action, resource) if action is not None and resource is not None else ()
    if any(read.volatile for read in reads):
        yield from reread_at(view, finding)


RULE = Rule(
    "missing_revalidation_barrier",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}, "order"]},
  {"idx": 1, "agent": "desk", "kind": "tool_call", "reads": [{"id": "quote", "producer": 0}], "writes": ["quote"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}, "order"], "writes": []},
  {"idx": 1, "agent": "desk", "kind": "tool_call", "reads": [
    {"id": "quote", "volatile": true, "revalidates": true}], "writes": ["quote"]}
]}
""",
    checks=(each_resource(check, STALENESS, NAMES),),
    remedies=(
        Remedy("mark the action's own read as a re-read", False, _mark_own),
        Remedy("insert a step that re-reads it right before the action", False, reread_before),
        Remedy("re-read it at the action itself", False, reread_at),
        Remedy("make a re-read of a read on the way", False, reread_on_the_way),
    ),
    tags=("CWE-367",),
)
