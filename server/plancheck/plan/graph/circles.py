"""An order in which steps can run, whatever the order of the list, and the dependencies that make that impossible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from plancheck.tuples import NamedTuple


class Arrangement(NamedTuple):
    sequence: list[int]
    """All steps, each behind those that it needs, closing dependencies aside; as near to the list's order as can be."""
    closing: frozenset[tuple[int, int]]
    """The dependencies that close a circle, each as the step and the one it needs.

    Every circle has a dependency on a later step (or on the step itself), for those on earlier ones only ever lead up
    the list. These are the ones that close it: without them the list's own order is one in which the steps can run.
    """


def arrange(needs: Sequence[Iterable[int]]) -> Arrangement:
    sequence = _sorted(needs, frozenset())
    if len(sequence) == len(needs):
        return Arrangement(sequence, frozenset())
    closing = _closing(needs, set(range(len(needs))).difference(sequence))
    return Arrangement(_sorted(needs, closing), closing)


def _sorted(needs: Sequence[Iterable[int]], left_out: frozenset[tuple[int, int]]) -> list[int]:
    """The steps in an order in which they can run, as far as there is one."""
    needed_by: list[list[int]] = [[] for _ in needs]
    waiting = [0] * len(needs)
    for step, others in enumerate(needs):
        for other in others:
            if (step, other) not in left_out:
                needed_by[other].append(step)
                waiting[step] += 1
    ready = [step for step, number in enumerate(waiting) if not number]
    heapify(ready)
    sequence = []
    while ready:
        step = heappop(ready)
        sequence.append(step)
        for follower in needed_by[step]:
            waiting[follower] -= 1
            if not waiting[follower]:
                heappush(ready, follower)
    return sequence


def _closing(needs: Sequence[Iterable[int]], stuck: set[int]) -> frozenset[tuple[int, int]]:
    import networkx as nx  # hardly any plan has a circle

    edges = [(step, other) for step in sorted(stuck) for other in needs[step] if other in stuck]
    ring_of: dict[int, int] = {}
    for number, ring in enumerate(nx.strongly_connected_components(nx.DiGraph(edges))):
        ring_of.update(dict.fromkeys(ring, number))
    return frozenset((step, other) for step, other in edges if other >= step and ring_of[step] == ring_of[other])


def shortest_way(needs: Sequence[Iterable[int]], start: int, end: int) -> list[int]:
    """From a step through what it needs to another, both included; empty if none leads there."""
    came_from = {start: start}
    todo = [start]
    for step in todo:
        if step == end:
            break
        for other in needs[step]:
            if other not in came_from:
                came_from[other] = step
                todo.append(other)
    else:
        return []
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]
