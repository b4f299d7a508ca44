"""Where a value that may have changed can be read again before an action: three ways that several rules propose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plancheck.analysis.finding import Finding
from plancheck.analysis.fix.build import add_read, insert_reader, reads_of, set_on_read, step_name
from plancheck.analysis.fix.change import Change, FixView, Proposal
from plancheck.plan.graph.sets import set_of


def action_of(view: FixView, finding: Finding) -> int | None:
    """The action that a finding is about. One that is shown at a read has the actions as related places: of several, it
    is the one that comes before all others; None where there is no such one."""
    related = [other.place for other in finding.related]
    if finding.place.path[:1] != ("reads",) or not related or any(place.path[:1] == ("reads",) for place in related):
        return finding.place.step
    actions = [place.step for place in related if place.step is not None]
    ancestors = view.graph.order.ancestors
    return next((one for one in actions if all(one == other or ancestors[other] >> one & 1 for other in actions)), None)


def reread_before(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """Insert a step right before the action that reads the resource again, and let the action take it from there."""
    action, resource = action_of(view, finding), finding.resource
    if action is None or resource is None or view.plan.dialect.new_reader is None:
        return
    sources = _volatile_readers(view, action, resource)
    agent = view.plan.steps[sources[0] if sources else action].agent
    again = {"id": resource, "volatile": True, "revalidates": True}
    identity, changes = insert_reader(view, action, agent, [again])
    old = reads_of(view, action, resource)
    for read in old:
        changes += set_on_read(view, action, read.path, producer=identity, volatile=None)
    if not old:
        changes += add_read(view, action, resource, producer=identity)
    title = f"Insert a step that re-reads `{resource}` before {step_name(view, action)}"
    yield Proposal(title, tuple(changes))


def reread_at(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """Let the action itself read the resource again."""
    action, resource = action_of(view, finding), finding.resource
    if action is None or resource is None:
        return
    reads = reads_of(view, action, resource)
    changes: list[Change] = []
    if reads:
        volatile = next((read for read in reads if read.volatile), reads[0])
        title = f'Add `"revalidates": true` to the read of `{resource}` by {step_name(view, action)}'
        changes += set_on_read(view, action, volatile.path, revalidates=True)
    else:
        title = f"Let {step_name(view, action)} itself re-read `{resource}`"
        changes += add_read(view, action, resource, volatile=True, revalidates=True)
    yield Proposal(title, tuple(changes))


def reread_on_the_way(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """Make a re-read of what a step between the volatile reads and the action reads anyway."""
    action, resource = action_of(view, finding), finding.resource
    if action is None or resource is None:
        return
    sources = _volatile_readers(view, action, resource)
    order = view.graph.order
    for position in reversed(view.graph.touches.of(resource).readers):
        if not order.ancestors[action] >> position & 1 or position in sources:
            continue
        start = set_of(sources)
        if order.ancestors[position] & start == start:
            read = reads_of(view, position, resource)[-1]
            if read.revalidates:
                continue
            title = f'Add `"revalidates": true` to the read of `{resource}` by {step_name(view, position)}'
            yield Proposal(title, tuple(set_on_read(view, position, read.path, revalidates=True)))
            return


def _volatile_readers(view: FixView, action: int, resource: str) -> Sequence[int]:
    """The steps that the action rests on and that read the resource as volatile, never again."""
    slices = view.graph.flow.slices[action]
    return [
        position
        for position in view.graph.touches.of(resource).volatile_readers
        if slices >> position & 1 and not any(read.revalidates for read in reads_of(view, position, resource))
    ]
