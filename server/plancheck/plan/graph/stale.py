"""Where a value that may have changed is used: volatile reads that reach an action with no re-read in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Kind, Outline, Read
from plancheck.tuples import NamedTuple


class Exposure(NamedTuple):
    """A volatile read `source` of `resource` that reaches `action` with no re-read in between."""

    action: int
    source: int
    resource: str


class Sources:
    """Volatile reads that are no re-reads themselves, and the re-reads of the same resources. A set of sources has a
    bit for each, by its number in `places`."""

    def __init__(self, flagged: Iterable[tuple[int, Iterable[Read]]]) -> None:
        """From the steps that read something volatile, or again, with those reads; in the order of the steps given."""
        self.places: list[tuple[int, str]] = []
        self.of_resource: dict[str, int] = {}
        self.own: dict[int, int] = {}
        """The sources at a step."""
        rereads: list[tuple[int, str]] = []
        for position, reads in flagged:
            again = {read.resource for read in reads if read.revalidates}
            if again:
                rereads += [(position, resource) for resource in again]
            stale = {read.resource for read in reads if read.volatile and read.resource not in again}
            for resource in stale if len(stale) < 2 else sorted(stale):
                bit = 1 << len(self.places)
                self.places.append((position, resource))
                self.own[position] = self.own.get(position, 0) | bit
                self.of_resource[resource] = self.of_resource.get(resource, 0) | bit
        self.rereaders: dict[str, list[int]] = {}
        """The steps that re-read a resource which is volatile elsewhere, ascending."""
        self.refreshed: dict[int, int] = {}
        """The sources that a step reads again, if they were read before."""
        for position, resource in sorted(rereads):
            if resource in self.of_resource:
                self.rereaders.setdefault(resource, []).append(position)
                self.refreshed[position] = self.refreshed.get(position, 0) | self.of_resource[resource]

    def by_resource(self, sources: int) -> Iterator[tuple[str, int]]:
        """A set of sources, taken apart by their resources."""
        found: dict[str, int] = {}
        while sources:
            resource = self.places[next(bits(sources))][1]
            found[resource] = same = sources & self.of_resource[resource]
            sources ^= same
        yield from sorted(found.items())


def sources_of(resources: Iterable[Resource], rank: Sequence[int]) -> Sources:
    """The sources and re-reads of some resources, ordered by the identities of the steps."""
    flagged: dict[int, list[Read]] = {}
    for resource in resources:
        for use in resource.reads:
            if use.read.volatile or use.read.revalidates:
                flagged.setdefault(use.step, []).append(use.read)
    return Sources(sorted(flagged.items(), key=lambda item: rank[item[0]]))


def reached_by(sources: Sources, flow: Flow) -> Sequence[int]:
    """The steps to look at for what comes of the sources: from the first of them to the last that rests on one."""
    if not isinstance(flow.sequence, range):
        return flow.sequence
    steps = flow.downstream(sources.own)
    return range(min(steps, default=0), max(steps, default=-1) + 1)


def exposed(
    steps: Sequence[Outline], order: Order, flow: Flow, sources: Sources, positions: Iterable[int]
) -> dict[int, int]:
    """Every action with the set of stale sources that reach it unrefreshed.

    Three sweeps at once, in sets of sources: `carried` are the sources a step rests on (data flow), `before` those
    at the step or at those that run before it, `fresh` those that were re-read by then.
    """
    own, refreshed = sources.own, sources.refreshed
    carried, before, fresh = [0] * len(steps), [0] * len(steps), [0] * len(steps)
    found: dict[int, int] = {}
    for position in positions:
        inherited = own.get(position, 0)
        for edge in flow.dependencies[position]:
            inherited |= carried[edge.producer]
        carried[position] = stale = inherited
        if refreshed:
            ran = renewed = 0
            for pred in order.preds[position]:
                ran |= before[pred]
                renewed |= fresh[pred]
            again = refreshed.get(position, 0)
            before[position] = ran | own.get(position, 0)
            fresh[position] = renewed | again & ran
            stale &= ~(renewed | again)
        if stale and is_action(steps[position]):
            found[position] = stale
    return found


def is_flippable(read: Read) -> bool:
    """Whether a value from a producer may have changed since, and is not frozen."""
    return read.volatile and not read.pinned and not read.revalidates


class StaleActions(NamedTuple):
    """Actions that are reached by the same stale reads, or by some of the same."""

    actions: dict[int, int]
    """The sources that reach each."""
    sources: int


def groups(stale: Mapping[int, int]) -> list[StaleActions]:
    """Actions, given with the sources that reach them, by what they have in common."""
    group_of: dict[int, int] = {}  # of a source: the number of its group when it was first seen
    joined: list[int] = []  # of a group: the one that it was joined to, or itself
    found: list[StaleActions] = []

    def current(number: int) -> int:
        while joined[number] != number:
            joined[number] = number = joined[joined[number]]
        return number

    seen = 0
    for action, sources in stale.items():
        number, known = len(found), sources & seen
        joined.append(number)
        mine = StaleActions({action: sources}, sources)
        while known:
            other = current(group_of[next(bits(known))])
            known &= ~found[other].sources
            smaller, larger = sorted((mine, found[other]), key=lambda one: len(one.actions))
            larger.actions.update(smaller.actions)
            mine = StaleActions(larger.actions, mine.sources | found[other].sources)
            joined[other] = number
        found.append(mine)
        group_of.update(dict.fromkeys(bits(sources & ~seen), number))
        seen |= sources
    return [group for number, group in enumerate(found) if joined[number] == number]


def is_action(step: Outline) -> bool:
    """Whether a step does something that an old value could spoil."""
    return bool(step.writes) or step.kind is Kind.DECISION
