"""Where the data of some steps gets to, and what stops it on the way.

One sweep along the sequence, with a set of sources for every step. Only data edges carry anything: that a step comes
after another one proves nothing. A check stops what passes through it as data, and what is behind it in the control
flow on every way from the source.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.sets import bits, set_of
from plancheck.plan.model import Kind

MOST_ON_PATH = 10
_MOST_PRODUCERS = 50
"""Of one step, as far as a path is looked for."""


def ways_into(graph: PlanGraph, position: int) -> Sequence[int]:
    """The steps from which one comes to a step: those that it waits for, but for those that it also waits for through
    another one. A decision may lead there directly."""
    preds = graph.preds[position]
    implied = graph.order.implied(position)
    if not implied:
        return preds
    return [pred for pred in preds if not implied >> pred & 1 or graph.steps[pred].kind is Kind.DECISION]


class Spread:
    """For every step, the sources whose data it takes, directly or through others, unchecked."""

    def __init__(self, graph: PlanGraph, sources: Collection[int], checks: Collection[int]) -> None:
        self._graph = graph
        self._sources = set_of(sources)
        self._checks = checks
        self._leaving = [0] * len(graph)
        """For every step, the sources whose data its result holds."""
        self._taken = [0] * len(graph)
        if sources:
            self._sweep()
        self._stopped = self._behind_checks() if sources and checks else None

    def _sweep(self) -> None:
        taken, leaving, dependencies = self._taken, self._leaving, self._graph.dependencies
        checks, sources = self._checks, self._sources
        for position in self._graph.sequence:
            found = 0
            for edge in dependencies[position]:
                found |= leaving[edge.producer]
            taken[position] = found
            if position not in checks:
                leaving[position] = found | sources & 1 << position

    def _behind_checks(self) -> list[int]:
        """For every step, the sources before it from which every way leads through a check."""
        graph, sources = self._graph, self._sources
        before, unchecked = [0] * len(graph), [0] * len(graph)
        for position in graph.sequence:
            for pred in ways_into(graph, position):
                own = sources & 1 << pred
                before[position] |= before[pred] | own
                unchecked[position] |= own if pred in self._checks else unchecked[pred] | own
        return [every & ~some for every, some in zip(before, unchecked, strict=True)]

    def into(self, position: int, of: int) -> int | None:
        """One of the sources in a set whose data a step takes unchecked, the first in the list; None where there is
        none."""
        found = self._taken[position] & of
        if found and self._stopped is not None:
            found &= ~self._stopped[position]
        return next(bits(found), None)

    def path(self, source: int, position: int) -> list[int]:
        """The steps on one way from a source to a step, these included; of a long one the source and the last."""
        found = [position]
        while found[-1] != source and len(found) < MOST_ON_PATH:
            edges = islice(self._graph.dependencies[found[-1]], _MOST_PRODUCERS)
            found.append(next((edge.producer for edge in edges if self._leaving[edge.producer] >> source & 1), source))
        return found[::-1] if found[-1] == source else [source, *found[::-1]]
