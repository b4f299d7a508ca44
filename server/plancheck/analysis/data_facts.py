"""Facts about data: who takes what from whom, which values may have changed since, and which writes nobody sees.

What a fact is, `facts` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from plancheck.analysis.change import Fact, StateChange, never
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.rereads import Misuse, first_rereads, misuses
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.stale import Sources, exposed, is_flippable, reached_by, sources_of
from plancheck.plan.graph.touches import ReadUse, Resource
from plancheck.plan.graph.writes import DeadWrite, dead_writes
from plancheck.plan.model import Outline, Read

# ---- data flow -------------------------------------------------------------------------------------------------------


def _flow_of_steps(change: StateChange) -> Iterator[int]:
    yield from change.rewired
    for step in change.outlines:
        yield from change.new.graph.flow.consumers[step]


def _flow_of_resources(change: StateChange) -> Iterator[str]:
    yield from change.touched(change.resliced)
    before, after = change.old.graph.flow, change.new.graph.flow
    if change.unclear or (change.resliced and (before.unclear | after.unclear)):
        steps = change.new.graph.steps
        edited = (*change.rewired, *change.unclear)
        for position in before.downstream(edited) | after.downstream(edited):
            yield from (write.resource for write in steps[position].writes)


FLOW: Fact = Fact(
    "flow",
    lambda state: state.graph.flow,
    _flow_of_steps,
    _flow_of_resources,
    lambda change: bool(change.rewired or change.unclear),
)
"""Which step rests on which."""


class Producers:
    """What the steps do that others take something from."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    def of(self, position: int) -> Iterator[tuple[int, int, Outline]]:
        """For each dependency of a step, the number of the read, the producer and its outline."""
        for producer, read in self._graph.dependencies[position]:
            yield read, producer, self._graph.steps[producer]

    def in_order(self, position: int) -> Iterator[tuple[int, int]]:
        """The same without the outlines, by the identities of the producers."""
        for producer, read in self._graph.ordered_dependencies(position):
            yield read, producer


PRODUCERS: Fact = Fact("producers", lambda state: Producers(state.graph), _flow_of_steps)


def _decisions_of_steps(change: StateChange) -> Iterable[int]:
    if not (change.rewired or change.retyped):
        return ()
    before, after = change.old.graph.flow.feeds_decision, change.new.graph.flow.feeds_decision
    return [step for step in change.new.graph.flagged if before[step] is not after[step]]


DECISIONS: Fact = Fact("decisions", lambda state: state.graph.flow.feeds_decision, _decisions_of_steps)
"""For the steps that read something volatile, or again, whether a decision rests on them."""


def _snapshots_of_steps(change: StateChange) -> Iterator[int]:
    first = min(change.outlines, default=None)
    if first is None:
        return
    before, after, steps = change.old.graph.flow, change.new.graph.flow, change.new.graph.steps
    scoped = [position for position in range(first, len(steps)) if steps[position].scope]
    if scoped and before.resource_bits is not after.resource_bits and not _is_extended(before, after):
        yield from scoped  # the sets of the two cannot be compared
        return
    for position in scoped:
        if before.snapshots[position] != after.snapshots[position]:
            yield position


def _is_extended(before: Flow, after: Flow) -> bool:
    return before.resource_bits.items() <= after.resource_bits.items()


SNAPSHOTS: Fact = Fact("snapshots", lambda state: state.graph.flow, _snapshots_of_steps)
"""For the steps with a scope, the resources read by them or by what they rest on."""


def _off_by_one_of_steps(change: StateChange) -> Iterable[int]:
    before, after = change.old.graph.off_by_one, change.new.graph.off_by_one
    if (before is None) is (after is None):
        return ()
    return [position for position, step in enumerate(change.new.graph.steps) if step.reads]


OFF_BY_ONE: Fact = Fact(
    "off_by_one",
    lambda state: state.graph.off_by_one,
    _off_by_one_of_steps,
    plan=lambda change: change.old.graph.off_by_one != change.new.graph.off_by_one,
)
"""All references, where every one names the step before or after the one that is meant."""


def _first_reader_of_resources(change: StateChange) -> Iterable[str]:
    ends = (change.old.graph.first_reader, change.new.graph.first_reader)
    return change.touched(range(min(ends), min(max(ends), len(change.new.graph.steps)))) if ends[0] != ends[1] else ()


FIRST_READER: Fact = Fact("first_reader", lambda state: state.graph.first_reader, resources=_first_reader_of_resources)
"""The first step that reads something: before it, the plan says nothing about reads."""


# ---- stale values ----------------------------------------------------------------------------------------------------


HAS_FLAGS: Fact = Fact("has_flags", lambda state: bool(state.graph.flagged), plan=never)
"""Whether some step reads something volatile, or again."""


class Staleness:
    """Where a value that may have changed is used."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    def exposed(self, resources: Sequence[Resource]) -> tuple[Sources, dict[int, int]]:
        """The volatile reads of these resources, and for every action those that reach it unrefreshed."""
        graph = self._graph
        sources = sources_of((resource for resource in resources if resource.is_stale_somewhere), graph.rank)
        if not sources.places:
            return sources, {}
        return sources, exposed(graph.steps, graph.order, graph.flow, sources, reached_by(sources, graph.flow))

    def misuses(self, resources: Sequence[Resource]) -> Iterator[Misuse]:
        graph = self._graph
        return misuses(graph.steps, graph.order, graph.flow, resources, graph.rank)

    def first_rereads(self, resources: Sequence[Resource]) -> Iterator[tuple[Resource, ReadUse, list[int]]]:
        """Reads that are marked as re-reads although nothing was read before, with the actions that need one for it."""
        graph = self._graph
        for resource in resources:
            yield from first_rereads(resource, graph.steps, graph.order, graph.flow, graph.rank)

    def is_settled(self, action: int) -> bool:
        return self._graph.order.settled[action]

    def may_flip_a_decision(self, position: int, read: Read) -> bool:
        """Whether a volatile read takes a value from another step on to a decision, and nothing freezes it."""
        graph = self._graph
        return read.producer is not None and is_flippable(read) and graph.flow.feeds_decision[position]


def _volatile(change: StateChange) -> dict[str, int]:
    """The resources that some step reads as volatile, or again, with the first step that does, now or before."""
    found: dict[str, int] = {}
    for graph in (change.old.graph, change.new.graph):
        for position, reads in graph.flagged.items():
            for read in reads:
                if read.volatile or read.revalidates:
                    found[read.resource] = min(found.get(read.resource, position), position)
    return found


def _has_flags(change: StateChange) -> bool:
    return bool(change.old.graph.flagged or change.new.graph.flagged)


def _staleness_of_resources(change: StateChange) -> Iterable[str]:
    if not _has_flags(change):
        return ()
    if change.unclear or change.resettled:
        return _volatile(change)
    moved = (*change.moved, *change.reordered, *change.resliced)
    if not moved and not change.retyped:
        return ()
    found = change.touched(moved)
    found |= change.touched(moved, change.old.graph.steps)
    for step in change.retyped:
        rested_on = change.old.graph.flow.slices[step] | change.new.graph.flow.slices[step]
        found |= change.touched(bits(rested_on))
    return found & _volatile(change).keys()


STALENESS: Fact = Fact("staleness", lambda state: Staleness(state.graph), resources=_staleness_of_resources)
"""Which volatile reads of a resource reach which actions."""


def _rereads_of_resources(change: StateChange) -> Iterable[str]:
    if change.unclear:
        return _volatile(change)
    edited = (*change.moved, *change.rewired, *change.retyped, *change.resettled)
    if not edited or not _has_flags(change):
        return ()
    last = max(edited)
    return [resource for resource, first in _volatile(change).items() if first <= last]


REREADS: Fact = Fact("rereads", lambda state: Staleness(state.graph), resources=_rereads_of_resources)
"""What became of the re-reads of a resource, along every path."""


class Overwriting:
    """Which writes nobody ever sees."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    def dead_writes(self, resources: Sequence[Resource]) -> Iterator[DeadWrite]:
        graph = self._graph
        return dead_writes(graph.steps, graph.order, graph.position_of, graph.unknown_readers, resources)


_MANY = 50
"""Where more steps than this changed, each resource is looked at again rather than asked whether it must be."""


def _overwriting_of_resources(change: StateChange) -> Iterable[str]:
    before, after, touches = change.old.graph, change.new.graph, change.new.graph.touches.steps
    if any(before.steps[step].reads_known != after.steps[step].reads_known for step in change.outlines):
        return list(touches)
    found = change.touched(change.reordered)
    edited = {*change.moved, *change.resettled}
    if len(edited) > _MANY:
        return list(touches)
    for step in edited:
        first = min(step, *before.preds[step], *after.preds[step], step)  # from here paths lead to the step
        found.update(name for name, steps in touches.items() if steps[0] <= step and first <= steps[-1])
    return found


OVERWRITING: Fact = Fact("overwriting", lambda state: Overwriting(state.graph), resources=_overwriting_of_resources)
