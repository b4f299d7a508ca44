"""What became of the re-reads: which actions a re-read misses on some path, and which act as if there had been none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice

from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import bits, descending, set_of
from plancheck.plan.graph.stale import is_action, reached_by, sources_of
from plancheck.plan.graph.touches import Resource
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
    reread = [resource for resource in resources if resource.is_stale_somewhere and resource.is_reread]
    if not reread:
        return
    sweep = _Sweep(steps, order, flow, reread, rank)
    for action, miss, stale in sweep.hits():
        for resource, same in sweep.sources.by_resource(stale):
            yield sweep.misuse(action, miss, resource, same)
