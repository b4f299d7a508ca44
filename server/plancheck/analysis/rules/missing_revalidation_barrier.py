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

from collections.abc import Iterator
from itertools import islice

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.fix.rereads import reread_at, reread_before, reread_on_the_way
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.facts import PlanGraph, bits
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


def check(view: PlanView) -> Iterator[Finding]:
    """One finding for each action and resource, with every volatile read that reaches it as related."""
    graph = view.graph
    for action, stale in graph.exposed():
        by_resource: dict[str, int] = {}
        while stale:
            resource = graph.stale_sources[next(bits(stale))][1]
            by_resource[resource] = same = stale & graph.sources_of_resource[resource]
            stale ^= same
        for resource, same in sorted(by_resource.items()):
            yield _finding(view, action, resource, same)


def _finding(view: PlanView, action: int, resource: str, stale: int) -> Finding:
    step = view.graph.steps[action].identity
    own = _volatile_read(view.graph, action, resource)
    place = Place(action, view.plan.steps[action].identity_path if own is None else own.path)
    count = stale.bit_count()
    sources = [view.graph.stale_sources[number][0] for number in islice(bits(stale), MOST_RELATED + 1)]
    others = [source for source in sources if source != action][:MOST_RELATED]
    related = [_related(view, source, resource) for source in others]
    more = count - (own is not None) - len(others)
    if more:
        related[-1] = related[-1]._replace(message=f"{related[-1].message[:-1]}, as do {more} more.")
    if count == 1:
        words = message(step, resource, view.graph.steps[sources[0]].identity)
    else:
        words = (
            f"Step {step} acts on the volatile `{resource}` read by {count} steps with no re-read in between: "
            "re-read it before (whether it drifted, only runtime values can tell)."
        )
    return Finding(place, words, step, resource, tuple(related))


def _related(view: PlanView, source: int, resource: str) -> Related:
    read = _volatile_read(view.graph, source, resource)
    words = f"Step {view.plan.steps[source].name} reads the volatile `{resource}` here."
    return Related(Place(source, read.path if read is not None else ()), words)


def _volatile_read(graph: PlanGraph, position: int, resource: str) -> Read | None:
    return next((read for read in graph.steps[position].reads if read.volatile and read.resource == resource), None)


def _mark_own(view: FixView, finding: Finding) -> Iterator[Proposal]:
    action, resource = finding.place.step, finding.resource
    if action is not None and resource is not None and _volatile_read(view.graph, action, resource) is not None:
        yield from reread_at(view, finding)


RULE = Rule(
    "missing_revalidation_barrier",
    Severity.WARNING,
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
    check=check,
    remedies=(
        Remedy("mark the action's own read as a re-read", False, _mark_own),
        Remedy("insert a step that re-reads it right before the action", False, reread_before),
        Remedy("re-read it at the action itself", False, reread_at),
        Remedy("make a re-read of a read on the way", False, reread_on_the_way),
    ),
)
