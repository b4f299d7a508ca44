"""What became of the re-reads: which actions a re-read misses on some path, and which act as if there had been none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice

from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import bits, descending, set_of
from plancheck.plan.graph.stale import Sources, exposed, is_action, reached_by, sources_of
from plancheck.plan.graph.touches import ReadUse, Resource
from plancheck.plan.model import Kind, Outline
from plancheck.tuples import NamedTuple

MOST_SOURCES = 10
"""How many volatile reads of one action and resource are named; any further one tells the author nothing new."""


class Miss(Enum):
    """Why a re-read between a volatile read and an action does not help the action."""

    BYPASSED = "some path avoids it"
    IGNORED = "nobody looks at what it found"
    OVERTAKEN = "the resource is written after it"


class Misuse(NamedTuple):
    """An action that rests on volatile reads of a resource, all re-read in vain for the same reason."""

    action: int
    resource: str
    miss: Miss
    sources: list[int]
    reread: int
    writer: int | None
    """The step that wrote the resource after the re-read."""


class _Sweep:
    """Sets of stale sources (volatile reads of resources that somebody re-reads), swept over the steps."""

    def __init__(
        self, steps: Sequence[Outline], order: Order, flow: Flow, resources: Sequence[Resource], rank: Sequence[int]
    ) -> None:
        self.steps = steps
        self.order = order
        self.flow = flow
        self.sources = sources_of(resources, rank)
        self.writers = {resource.name: {use.step for use in resource.writes} for resource in resources}
        masks = self.sources.of_resource
        self.written = _union((step, mask) for name, mask in masks.items() for step in self.writers.get(name, ()))
        self.rereaders = {name: set_of(steps) for name, steps in self.sources.rereaders.items()}
        self.fresh = [0] * len(steps)

    def hits(self) -> Iterator[tuple[int, Miss, int]]:
        """Every action with a set of sources, by the reason why their re-reads are of no use to it.

        Along the control flow: `before` are the sources at steps that ran, `fresh` those re-read since, `around` those
        that come along a path on which nobody knows of a re-read, `soiled` those re-read and then written, `gated`
        those whose re-read a decision on the way has looked at. Along the data flow: `carried` are the sources that
        a step rests on, `informed` those whose re-read it rests on, `knows` those whose later write it rests on,
        `reported` those that were reported at a step it rests on.
        """
        own, refreshed = self.sources.own, self.sources.refreshed
        along = [(0, 0, 0, 0, 0)] * len(self.steps)  # what a step passes on to the steps after it
        resting = [(0, 0, 0, 0)] * len(self.steps)  # what a step passes on to the steps that rest on it
        for position in reached_by(self.sources, self.flow):
            before = fresh = around = soiled = gated = 0
            for pred in self.order.preds[position]:
                ran = along[pred]
                before |= ran[0]
                fresh |= ran[1]
                around |= ran[2]
                soiled |= ran[3]
                gated |= ran[4]
            mine, reread, written = own.get(position, 0), refreshed.get(position, 0), self.written.get(position, 0)
            carried, informed, knows, reported = mine, reread & before, 0, 0
            for edge in self.flow.dependencies[position]:
                from_there = resting[edge.producer]
                carried |= from_there[0]
                informed |= from_there[1]
                knows |= from_there[2]
                reported |= from_there[3]
            self.fresh[position] = fresh
            step = self.steps[position]
            if is_action(step) and (stale := carried & fresh & ~reread & ~reported):
                bypassed = stale & around & ~informed
                ignored = stale & ~bypassed & ~informed & ~gated
                overtaken = stale & ~bypassed & ~ignored & soiled & ~knows
                for miss, found in zip(Miss, (bypassed, ignored, overtaken), strict=True):
                    if found:
                        yield position, miss, found
                reported |= bypassed | ignored | overtaken
            along[position] = (
                before | mine,
                fresh | reread & before,
                (around | mine) & ~informed,
                (soiled | written & fresh) & ~reread,
                gated | informed if step.kind is Kind.DECISION else gated,
            )
            resting[position] = (carried, informed, knows | written & fresh, reported)

    def misuse(self, action: int, miss: Miss, resource: str, stale: int) -> Misuse:
        ancestors = self.order.ancestors
        numbers = list(islice(bits(stale), MOST_SOURCES))
        sources = [self.sources.places[number][0] for number in numbers]
        first, source = numbers[0], sources[0]
        writer = None
        if miss is Miss.OVERTAKEN:
            writers = ancestors[action] & set_of(self.writers[resource])
            writer = next(step for step in descending(writers) if self.fresh[step] >> first & 1)
        between = ancestors[action if writer is None else writer] & self.rereaders[resource]
        reread = next(step for step in descending(between) if ancestors[step] >> source & 1)
        return Misuse(action, resource, miss, sources, reread, writer)


def _union(masks: Iterable[tuple[int, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for position, mask in masks:
        found[position] = found.get(position, 0) | mask
    return found


def misuses(
    steps: Sequence[Outline], order: Order, flow: Flow, resources: Iterable[Resource], rank: Sequence[int]
) -> Iterator[Misuse]:
    """Every re-read of these resources that is of no use to an action, one for each action, resource and reason."""
    resources = list(resources)
    reported: set[tuple[int, str]] = set()
    yield from _in_vain(steps, order, flow, resources, rank, reported)
    yield from _outdated(steps, order, flow, resources, reported)


def _in_vain(
    steps: Sequence[Outline],
    order: Order,
    flow: Flow,
    resources: Sequence[Resource],
    rank: Sequence[int],
    reported: set[tuple[int, str]],
) -> Iterator[Misuse]:
    """What actions use of volatile reads, though the resource was read again since."""
    reread = [resource for resource in resources if resource.is_stale_somewhere and resource.is_reread]
    if not reread:
        return
    sweep = _Sweep(steps, order, flow, reread, rank)
    for action, miss, stale in sweep.hits():
        for resource, same in sweep.sources.by_resource(stale):
            reported.add((action, resource))
            yield sweep.misuse(action, miss, resource, same)


class _Outdated:
    """Re-reads whose value somebody acts on, though another step has written the resource since."""

    def __init__(self, resources: Sequence[Resource]) -> None:
        self.places: list[tuple[int, str]] = []
        self.own: dict[int, int] = {}
        self.of_resource: dict[str, int] = {}
        for resource in resources:
            for step in dict.fromkeys(use.step for use in resource.reads if use.read.revalidates):
                bit = 1 << len(self.places)
                self.places.append((step, resource.name))
                self.own[step] = self.own.get(step, 0) | bit
                self.of_resource[resource.name] = self.of_resource.get(resource.name, 0) | bit
        masks = self.of_resource
        self.written = _union((use.step, masks[one.name]) for one in resources for use in one.writes)
        self.renewed = _union((step, masks[name]) for step, name in self.places)

    def hits(self, steps: Sequence[Outline], order: Order, flow: Flow) -> Iterator[tuple[int, int]]:
        """Every action with the re-reads in question. Along the control flow: `ran` are the re-reads that ran, and
        `outdated` those whose resource was written since. Along the data flow: `used` are the re-reads that a step uses
        data of, `known` those whose later write it uses data of, `reported` those that were reported there. Where it is
        not clear what a step uses, nothing is."""
        along = [(0, 0)] * len(steps)
        resting = [(0, 0, 0)] * len(steps)
        unclear = flow.unclear
        for position in flow.sequence:
            ran = outdated = 0
            for pred in order.preds[position]:
                ran |= along[pred][0]
                outdated |= along[pred][1]
            mine, written = self.own.get(position, 0), self.written.get(position, 0) & ran
            used, known, reported = mine, 0, -1 if unclear >> position & 1 else 0
            for edge in flow.dependencies[position]:
                from_there = resting[edge.producer]
                used |= from_there[0]
                known |= from_there[1]
                reported |= from_there[2]
            old = used & outdated & ~known & ~reported & ~self.renewed.get(position, 0)
            if old and is_action(steps[position]):
                old = self._without_renewed(old, used & ~outdated)
                if old:
                    yield position, old
                    reported |= old
            along[position] = (ran | mine, outdated | written)
            resting[position] = (used, known | written, reported)

    def _without_renewed(self, old: int, fresh: int) -> int:
        """Those of which no later re-read is used, too."""
        for mask in {self.of_resource[self.places[number][1]] for number in bits(old)}:
            if mask & fresh:
                old &= ~mask
        return old


def _outdated(
    steps: Sequence[Outline], order: Order, flow: Flow, resources: Sequence[Resource], reported: set[tuple[int, str]]
) -> Iterator[Misuse]:
    """What actions use of re-reads, though the resource was written after them."""
    written = [resource for resource in resources if resource.is_reread and resource.writes]
    if not written:
        return
    found, ancestors = _Outdated(written), order.ancestors
    writers = {resource.name: resource.writing_steps for resource in written}
    for action, old in found.hits(steps, order, flow):
        for reread, name in dict.fromkeys(found.places[number] for number in bits(old)):
            later = (step for step in descending(ancestors[action] & writers[name]) if ancestors[step] >> reread & 1)
            if (action, name) not in reported and (writer := next(later, None)) is not None:
                reported.add((action, name))
                yield Misuse(action, name, Miss.OVERTAKEN, [], reread, writer)


def first_rereads(
    resource: Resource, steps: Sequence[Outline], order: Order, flow: Flow, rank: Sequence[int]
) -> Iterator[tuple[Resource, ReadUse, list[int]]]:
    """Reads that are marked as re-reads although nothing was read before, with the actions that act on the value later,
    and would need another read."""
    firsts = {
        use.step: use
        for use in reversed(resource.reads)
        if use.read.revalidates
        and order.settled[use.step]
        and not (resource.readers | flow.unclear) & order.ancestors[use.step]
    }
    if not firsts:
        return
    flagged = {use.step: [use.read._replace(volatile=True, revalidates=False)] for use in firsts.values()}
    for use in resource.reads:
        if use.step not in firsts and use.read.revalidates:
            flagged.setdefault(use.step, []).append(use.read)
    sources = Sources(sorted(flagged.items(), key=lambda item: rank[item[0]]))
    stale = exposed(steps, order, flow, sources, reached_by(sources, flow))
    for number, (step, _) in enumerate(sources.places):
        actions = [action for action, old in stale.items() if action != step and old >> number & 1]
        if actions:
            yield resource, firsts[step], actions
