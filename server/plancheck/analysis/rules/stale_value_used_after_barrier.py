"""A resource is read again, and the action acts on the old value all the same.

## What it does
An action is a decision, or a step that writes. Reports each action that rests on a volatile read, with a re-read
(`revalidates`) of that resource on every path in between, if

- the re-read is wasted: neither the action nor a decision on the way to it rests on the step that re-reads; or
- the re-read is overtaken: the resource is written after it, before the action, by a step that the action does not
  rest on.

The action is not reported if it re-reads the resource itself. Where several actions rest on one another, the first is
reported.

## Why is this bad?
The plan looks safe, because the re-read is there, and is not: what was found out never reaches the action.

## What it cannot know
Whether the tool that re-reads stops the run by itself when the value has changed. Let a decision rest on the re-read,
which says so.

## Fix safety
Unsafe: the action comes to act on another value than before, and a further re-read has to be carried out by somebody.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_read, reads_of, set_on_read, step_name
from plancheck.analysis.fix.change import Change, FixView, Proposal, Remedy
from plancheck.analysis.fix.rereads import reread_at, reread_before
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.graph.rereads import Miss, Misuse
from plancheck.plan.model import Place

MOST_RELATED = 10


def check(view: PlanView) -> Iterator[Finding]:
    for misuse in view.graph.misuses:
        step = view.graph.steps[misuse.action].identity
        if misuse.miss is not Miss.BYPASSED and step is not None:
            yield Finding(
                _place(view, misuse), _message(view, misuse), step, misuse.resource, tuple(_related(view, misuse))
            )


def _place(view: PlanView, misuse: Misuse) -> Place:
    """Where the action takes the old value, or the action itself if it has it from others."""
    for read in view.graph.steps[misuse.action].reads:
        if read.resource == misuse.resource and read.producer is not None:
            return Place(misuse.action, read.path)
    return Place(misuse.action, view.plan.steps[misuse.action].identity_path)


def _message(view: PlanView, misuse: Misuse) -> str:
    steps = view.plan.steps
    action, reread, resource = steps[misuse.action].name, steps[misuse.reread].name, misuse.resource
    if misuse.writer is None:
        old = steps[misuse.sources[0]].name
        return (
            f"Step {action} still rests on `{resource}` as step {old} read it, and nothing looks at the re-read by "
            f"step {reread}: take it from there."
        )
    return (
        f"Step {action} rests on `{resource}` as re-read by step {reread}, but step {steps[misuse.writer].name} writes "
        "it after that: re-read it once more."
    )


def _related(view: PlanView, misuse: Misuse) -> Iterator[Related]:
    steps, outlines, resource = view.plan.steps, view.graph.steps, misuse.resource
    for source in misuse.sources[:MOST_RELATED]:
        read = next(r for r in outlines[source].reads if r.volatile and r.resource == resource)
        yield Related(Place(source, read.path), f"Step {steps[source].name} reads the volatile value here.")
    again = next(r for r in outlines[misuse.reread].reads if r.revalidates and r.resource == resource)
    yield Related(Place(misuse.reread, again.path), f"Step {steps[misuse.reread].name} re-reads it here.")
    if misuse.writer is not None:
        write = next(w for w in outlines[misuse.writer].writes if w.resource == resource)
        yield Related(Place(misuse.writer, write.path), f"Step {steps[misuse.writer].name} writes it here.")


def _take_from_reread(view: FixView, finding: Finding) -> Iterator[Proposal]:
    action, resource = finding.place.step, finding.resource
    for misuse in view.graph.misuses:
        if (misuse.action, misuse.resource) != (action, resource) or misuse.miss is not Miss.IGNORED:
            continue
        producer = view.graph.steps[misuse.reread].identity
        reads = [read for read in reads_of(view, misuse.action, misuse.resource) if read.producer is not None]
        changes: list[Change] = []
        for read in reads:
            changes += set_on_read(view, misuse.action, read.path, producer=producer)
        if not reads:
            changes += add_read(view, misuse.action, misuse.resource, producer=producer)
        yield Proposal(f"Take `{misuse.resource}` from the re-read by {step_name(view, misuse.reread)}", tuple(changes))


RULE = Rule(
    "stale_value_used_after_barrier",
    Severity.WARNING,
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
    check=check,
    remedies=(
        Remedy("take the value from the re-read", False, _take_from_reread),
        Remedy("insert a step that re-reads it right before the action", False, reread_before),
        Remedy("re-read it at the action itself", False, reread_at),
    ),
)
