"""What became of the re-reads: which actions a re-read misses on some path, and which act as if there had been none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from typing import NamedTuple

from plancheck.plan.graph.facts import PlanGraph, bits
from plancheck.plan.graph.order import descending, set_of
from plancheck.plan.model import Kind

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

    def __init__(self, graph: PlanGraph) -> None:
        self.graph = graph
        self.rereaders: dict[str, list[int]] = {}
        volatile = graph.sources_of_resource
        for position, step in enumerate(graph.steps):
            for read in step.reads:
                if read.revalidates and read.resource in volatile:
                    self.rereaders.setdefault(read.resource, []).append(position)
        self.sources = [source for source in graph.stale_sources if source[1] in self.rereaders]
        self.own: dict[int, int] = {}
        self.of_resource: dict[str, int] = {}
        for number, (position, resource) in enumerate(self.sources):
            self.own[position] = self.own.get(position, 0) | 1 << number
            self.of_resource[resource] = self.of_resource.get(resource, 0) | 1 << number
        self.refreshes = _union((step, mask) for r, mask in self.of_resource.items() for step in self.rereaders[r])
        writers = graph.order.writers
        self.writes = _union((step, mask) for r, mask in self.of_resource.items() for step in writers.get(r, ()))
        self.fresh = [0] * len(graph)
        self._rereader_sets: dict[str, int] = {}

    def hits(self) -> Iterator[tuple[int, Miss, int]]:
        """Every action with a set of sources, by the reason why their re-reads are of no use to it.

        Along the control flow: `before` are the sources at steps that ran, `fresh` those re-read since, `around` those
        that come along a path on which nobody knows of a re-read, `soiled` those re-read and then written, `gated`
        those whose re-read a decision on the way has looked at. Along the data flow: `carried` are the sources that
        a step rests on, `informed` those whose re-read it rests on, `knows` those whose later write it rests on, `told`
        those that were reported at a step it rests on.
        """
        graph = self.graph
        own, refreshes, writes = self.own, self.refreshes, self.writes
        along = [(0, 0, 0, 0, 0)] * len(graph)  # what a step hands on to the steps after it
        resting = [(0, 0, 0, 0)] * len(graph)  # what a step hands on to the steps that rest on it
        for position in graph.sequence:
            before = fresh = around = soiled = gated = 0
            for pred in graph.preds[position]:
                ran = along[pred]
                before |= ran[0]
                fresh |= ran[1]
                around |= ran[2]
                soiled |= ran[3]
                gated |= ran[4]
            mine, reread, written = own.get(position, 0), refreshes.get(position, 0), writes.get(position, 0)
            carried, informed, knows, told = mine, reread & before, 0, 0
            for edge in graph.dependencies[position]:
                from_there = resting[edge.producer]
                carried |= from_there[0]
                informed |= from_there[1]
                knows |= from_there[2]
                told |= from_there[3]
            self.fresh[position] = fresh
            step = graph.steps[position]
            decides = step.kind is Kind.DECISION
            if (step.writes or decides) and (stale := carried & fresh & ~reread & ~told):
                bypassed = stale & around & ~informed
                ignored = stale & ~bypassed & ~informed & ~gated
                overtaken = stale & ~bypassed & ~ignored & soiled & ~knows
                for miss, found in zip(Miss, (bypassed, ignored, overtaken), strict=True):
                    if found:
                        yield position, miss, found
                told |= bypassed | ignored | overtaken
            along[position] = (
                before | mine,
                fresh | reread & before,
                (around | mine) & ~informed,
                (soiled | written & fresh) & ~reread,
                gated | informed if decides else gated,
            )
            resting[position] = (carried, informed, knows | written & fresh, told)

    def misuse(self, action: int, miss: Miss, resource: str, stale: int) -> Misuse:
        order = self.graph.order
        numbers = list(islice(bits(stale), MOST_SOURCES))
        sources = [self.sources[number][0] for number in numbers]
        first, source = numbers[0], sources[0]
        writer = None
        if miss is Miss.OVERTAKEN:
            writers = order.ancestors[action] & set_of(order.writers[resource])
            writer = next(step for step in descending(writers) if self.fresh[step] >> first & 1)
        between = order.ancestors[action if writer is None else writer] & self._rereader_set(resource)
        reread = next(step for step in descending(between) if order.ancestors[step] >> source & 1)
        return Misuse(action, resource, miss, sources, reread, writer)

    def _rereader_set(self, resource: str) -> int:
        if resource not in self._rereader_sets:
            self._rereader_sets[resource] = set_of(self.rereaders[resource])
        return self._rereader_sets[resource]


def _union(masks: Iterable[tuple[int, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for position, mask in masks:
        found[position] = found.get(position, 0) | mask
    return found


def misuses(graph: PlanGraph) -> list[Misuse]:
    """Every re-read that is of no use to an action, one for each action, resource and reason."""
    sweep = _Sweep(graph) if graph.stale_sources else None
    if sweep is None or not sweep.sources:
        return []
    found: list[Misuse] = []
    for action, miss, stale in sweep.hits():
        by_resource: dict[str, int] = {}
        while stale:
            resource = sweep.sources[next(bits(stale))][1]
            by_resource[resource] = same = stale & sweep.of_resource[resource]
            stale ^= same
        found += (sweep.misuse(action, miss, resource, same) for resource, same in sorted(by_resource.items()))
    return found
