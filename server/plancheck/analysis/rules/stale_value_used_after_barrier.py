"""A value is read again, and the action uses an old one all the same.

## What it does
An action is a decision, or a step that writes. Reports each action that uses a value though the resource was read again
(`revalidates`) on every path in between, if

- the second read is wasted: neither the action nor a decision on the way to it uses data of the step that reads again;
- the second read is overtaken: the resource is written after it, before the action, by a step whose data the action
  does not use. That goes for an action that uses the value of the second read itself, too.

The action is not reported if it reads the resource again itself. Where several actions use data of one another, the
first is reported.

## Why is this bad?
The plan looks safe, because the second read is there, and is not: what was found out never reaches the action.

## What it cannot know
Whether the tool that reads again stops the run by itself when the value has changed. Let a decision use the second
read, which says so.

## Fix safety
Unsafe: the action comes to use another value than before, and the tool has to carry out a further read.
"""

from collections.abc import Iterator, Sequence

from plancheck.analysis.data_facts import HAS_FLAGS, REREADS, Staleness
from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_read, reads_of, set_on_read, step_name
from plancheck.analysis.fix.change import Change, FixView, Proposal, Remedy
from plancheck.analysis.fix.rereads import reread_at, reread_before
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.rereads import Miss, Misuse, misuses
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Place

MOST_RELATED = 10


def check(resources: Sequence[Resource], rereads: Staleness, names: Names) -> Iterator[Finding]:
    by_name = {resource.name: resource for resource in resources}
    for misuse in rereads.misuses(resources):
        step, resource = names.identity(misuse.action), by_name[misuse.resource]
        if misuse.miss is not Miss.BYPASSED and step is not None:
            yield Finding(
                _place(resource, misuse, names),
                _message(misuse, names),
                step,
                misuse.resource,
                tuple(_related(resource, misuse, names)),
            )


def _place(resource: Resource, misuse: Misuse, names: Names) -> Place:
    """Where the action takes the old value, or the action itself if it has it from others."""
    for use in resource.reads:
        if use.step == misuse.action and use.read.producer is not None:
            return Place(misuse.action, use.read.path)
    return names.place(misuse.action)


def _message(misuse: Misuse, names: Names) -> str:
    action, reread, resource = names[misuse.action], names[misuse.reread], misuse.resource
    if misuse.writer is None:
        old = f"`{resource}` as step {names[misuse.sources[0]]} read it"
        return f"Step {action} uses {old}, though step {reread} reads it again: take it from step {reread}."
    return (
        f"Step {action} uses `{resource}` as step {reread} read it, but step {names[misuse.writer]} writes it after "
        "that: read it once more."
    )


def _related(resource: Resource, misuse: Misuse, names: Names) -> Iterator[Related]:
    volatile = {use.step: use.read for use in reversed(resource.reads) if use.read.volatile}
    for source in misuse.sources[:MOST_RELATED]:
        yield Related(Place(source, volatile[source].path), f"Step {names[source]} reads the volatile value here.")
    again = next(use.read for use in resource.reads if use.step == misuse.reread and use.read.revalidates)
    yield Related(Place(misuse.reread, again.path), f"Step {names[misuse.reread]} reads it again here.")
    if misuse.writer is not None:
        write = next(use.write for use in resource.writes if use.step == misuse.writer)
        yield Related(Place(misuse.writer, write.path), f"Step {names[misuse.writer]} writes it here.")


def _take_from_reread(view: FixView, finding: Finding) -> Iterator[Proposal]:
    action, resource = finding.place.step, finding.resource
    graph = view.graph
    touched = graph.touches.resource(resource or "")
    for misuse in misuses(graph.steps, graph.order, graph.flow, [touched], graph.rank):
        if (misuse.action, misuse.resource) != (action, resource) or misuse.miss is not Miss.IGNORED:
            continue
        producer = view.graph.steps[misuse.reread].identity
        reads = [read for read in reads_of(view, misuse.action, misuse.resource) if read.producer is not None]
        changes: list[Change] = []
        for read in reads:
            changes += set_on_read(view, misuse.action, read.path, producer=producer)
        if not reads:
            changes += add_read(view, misuse.action, misuse.resource, producer=producer)
        yield Proposal(
            f"Take `{misuse.resource}` from {step_name(view, misuse.reread)}, which reads it again", tuple(changes)
        )


RULE = Rule(
    "stale_value_used_after_barrier",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}]},
  {"idx": 1, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true, "revalidates": true}]},
  {"idx": 2, "agent": "desk", "kind": "decision", "reads": [{"id": "quote", "producer": 0}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}]},
  {"idx": 1, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true, "revalidates": true}]},
  {"idx": 2, "agent": "desk", "kind": "decision", "reads": [{"id": "quote", "producer": 1}]}
]}
""",
    checks=(each_resource(check, REREADS, NAMES, where=HAS_FLAGS),),
    remedies=(
        Remedy("take the value from the second read", False, _take_from_reread),
        Remedy("insert a step that re-reads it right before the action", False, reread_before),
        Remedy("re-read it at the action itself", False, reread_at),
    ),
)
