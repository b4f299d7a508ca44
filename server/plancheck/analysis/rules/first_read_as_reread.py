"""The first read of a resource is marked as if it had been read before.

## What it does
Reports a read with `revalidates` if no step that runs before it reads the resource, and a later action (a decision, or
a step that writes) uses what it read, with no further read in between. A step that marks its own first read, because it
checks the value as it acts, is not reported for its own action.

## Why is this bad?
`revalidates` promises that a value which was read before is checked again. On a first read there is nothing to check:
it is an ordinary read that may grow old, and the mark keeps `missing_revalidation_barrier` from saying so.

## What it cannot know
Whether the value was read outside of the plan before.

## Fix safety
Unsafe: the tool has to carry out a further read, and whether the value may change at all, only the author knows.
"""

from collections.abc import Iterator, Sequence

from plancheck.analysis.data_facts import HAS_FLAGS, STALENESS, Staleness
from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import set_on_read, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.fix.rereads import reread_before
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Place

MOST_RELATED = 20


def check(resources: Sequence[Resource], staleness: Staleness, names: Names) -> Iterator[Finding]:
    for resource, use, actions in staleness.first_rereads(resources):
        step, later = names[use.step], names[actions[0]]
        more = f" and {len(actions) - 1} more" if len(actions) > 1 else ""
        message = (
            f"Step {step} is the first to read `{resource.name}`, so `revalidates` checks nothing: re-read it before "
            f"step {later}{more}."
        )
        related = tuple(
            Related(names.place(action), f"Step {names[action]} acts on `{resource.name}`.")
            for action in actions[:MOST_RELATED]
        )
        yield Finding(Place(use.step, use.read.path), message, use.outline.identity, resource.name, related)


def _unmark(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        title = f"Mark the read of `{finding.resource}` by {step_name(view, position)} as `volatile` instead"
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, volatile=True, revalidates=None)))


RULE = Rule(
    "first_read_as_reread",
    Severity.INFO,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true, "revalidates": true}]},
  {"idx": 1, "agent": "desk", "kind": "decision", "reads": [{"id": "quote", "producer": 0}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}]},
  {"idx": 1, "agent": "desk", "kind": "decision", "reads": [
    {"id": "quote", "producer": 0},
    {"id": "quote", "volatile": true, "revalidates": true}]}
]}
""",
    checks=(each_resource(check, STALENESS, NAMES, where=HAS_FLAGS),),
    remedies=(
        Remedy("insert a step that re-reads it right before the action", False, reread_before),
        Remedy("mark the read as `volatile` instead", False, _unmark),
    ),
    since="0.2",
    tags=("CWE-367",),
)
