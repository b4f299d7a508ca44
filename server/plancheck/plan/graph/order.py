"""Which step certainly runs before which, and which certainly does not.

A set of steps is a Python int with a bit for each position. All sets of one kind are made in one sweep over the list,
the first time that somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plancheck.plan.graph.facts import PlanGraph


class Order:
    """The order that the control flow of a plan gives its steps."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    @cached_property
    def ancestors(self) -> list[int]:
        """For every step, those that come before it on some path."""
        found: list[int] = []
        for preds in self._graph.preds:
            before = 0
            for pred in preds:
                before |= found[pred] | (1 << pred)
            found.append(before)
        return found

    @cached_property
    def descendants(self) -> list[int]:
        """For every step, those that come after it on some path."""
        found = [0] * len(self._graph)
        for position in range(len(found) - 1, -1, -1):
            own = found[position] | (1 << position)
            for pred in self._graph.preds[position]:
                found[pred] |= own
        return found

    @cached_property
    def slices(self) -> list[int]:
        """For every step, itself and what it rests on."""
        found: list[int] = []
        for position, edges in enumerate(self._graph.dependencies):
            rests_on = 1 << position
            for edge in edges:
                rests_on |= found[edge.producer]
            found.append(rests_on)
        return found

    @cached_property
    def settled(self) -> list[bool]:
        """For every step, whether all that it waits for, directly or through others, could be made out.

        Of a step that is not settled, it is not known what comes before it: an entry of its predecessors is no step,
        comes later, or names two steps at once.
        """
        graph = self._graph
        names = Counter(step.identity for step in graph.steps)
        ambiguous = {name for name, count in names.items() if count > 1} if len(names) < len(graph) else set()
        position_of = graph.position_of
        found: list[bool] = []
        for position, (step, preds) in enumerate(zip(graph.steps, graph.preds, strict=True)):
            known = step.preds_known and all(found[pred] for pred in preds)
            if known and step.preds is not None:
                known = all(
                    position_of.get(pred.identity, position) < position and pred.identity not in ambiguous
                    for pred in step.preds
                )
            found.append(known)
        return found

    @cached_property
    def writers(self) -> dict[str, list[int]]:
        """For every resource that is written, the steps that do, each once, in the order of the list."""
        found: dict[str, list[int]] = {}
        for position, step in enumerate(self._graph.steps):
            for write in step.writes:
                steps = found.setdefault(write.resource, [])
                if not steps or steps[-1] != position:
                    steps.append(position)
        return found

    @cached_property
    def writer_sets(self) -> dict[str, int]:
        """The same as sets, for the resources that more than one step writes."""
        found: dict[str, int] = {}
        for resource, steps in self.writers.items():
            if len(steps) > 1:
                found[resource] = set_of(steps)
        return found

    def last_writer(self, resource: str, position: int) -> int | None:
        """The last step in the list that writes the resource and comes before this one in the control flow."""
        steps = self.writer_sets.get(resource)
        if steps is None:
            steps = 1 << self.writers[resource][0]
        return last_of(steps & self.ancestors[position])

    @cached_property
    def islands(self) -> list[list[int]]:
        """The parts of the plan that neither control nor data flow joins to the rest of it, that is, to the largest.

        Of several largest, the first in the list is the plan. Each part is a list of positions, ascending.
        """
        root = list(range(len(self._graph)))

        def find(position: int) -> int:
            while root[position] != position:
                root[position] = position = root[root[position]]
            return position

        for position, (preds, edges) in enumerate(zip(self._graph.preds, self._graph.dependencies, strict=True)):
            for other in preds:
                root[find(other)] = find(position)
            for edge in edges:
                root[find(edge.producer)] = find(position)
        parts: dict[int, list[int]] = {}
        for position in range(len(root)):
            parts.setdefault(find(position), []).append(position)
        if len(parts) < 2:
            return []
        main = max(parts.values(), key=len)
        return [part for part in parts.values() if part is not main]


def set_of(positions: Iterable[int]) -> int:
    found = 0
    for position in positions:
        found |= 1 << position
    return found


def last_of(positions: int) -> int | None:
    return positions.bit_length() - 1 if positions else None
