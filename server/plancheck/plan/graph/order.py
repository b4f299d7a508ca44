"""Which step certainly runs before which, and which certainly does not.

A set of steps is a Python int with a bit for each position. All sets of one kind are made in one sweep over the list,
the first time that somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
        return self._sets[0]

    @cached_property
    def implied(self) -> dict[int, int]:
        """For the steps that have such, the direct predecessors that come before another one of them as well."""
        return self._sets[1]

    @cached_property
    def certain(self) -> list[int]:
        """The ancestors again, without those that only the linear default leads to where something else was meant."""
        graph = self._graph
        guessed = [i for i, step in enumerate(graph.steps) if step.preds is None and not step.preds_known]
        if not guessed:
            return self.ancestors
        preds = list(graph.preds)
        for position in guessed:
            preds[position] = ()
        return _ancestors(preds)[0]

    @cached_property
    def _sets(self) -> tuple[list[int], dict[int, int]]:
        return _ancestors(self._graph.preds)

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
                steps = found.get(write.resource)
                if steps is None:
                    found[write.resource] = [position]
                elif steps[-1] != position:
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
        """The last step in the list that writes the resource and certainly comes before this one."""
        steps = self.writer_sets.get(resource)
        if steps is None:
            steps = 1 << self.writers[resource][0]
        return last_of(steps & self.certain[position])

    @cached_property
    def islands(self) -> list[list[int]]:
        """The parts of the plan that neither control nor data flow joins to the rest of it, that is, to the largest.

        Of several largest, the first in the list is the plan. Each part is a list of positions, ascending.
        """
        graph = self._graph
        starts = [i for i, preds in enumerate(graph.preds) if not preds and not graph.dependencies[i]]
        if len(starts) < 2:  # each step but the first is joined to an earlier one
            return []
        root = {start: start for start in starts}

        def find(start: int) -> int:
            while root[start] != start:
                root[start] = start = root[root[start]]
            return start

        part_of: list[int] = []
        left = len(starts)
        for position, (preds, edges) in enumerate(zip(graph.preds, graph.dependencies, strict=True)):
            joined = {part_of[pred] for pred in preds}
            joined.update(part_of[edge.producer] for edge in edges)
            part, *others = {find(start) for start in joined} or (position,)
            for other in others:
                root[other] = part
            left -= len(others)
            if left == 1 and position >= starts[-1]:
                return []
            part_of.append(part)
        parts: dict[int, list[int]] = {}
        for position, start in enumerate(part_of):
            parts.setdefault(find(start), []).append(position)
        main = max(parts.values(), key=len)
        return [part for part in parts.values() if part is not main]


def _ancestors(edges: Sequence[tuple[int, ...]]) -> tuple[list[int], dict[int, int]]:
    """The sets of ancestors, and of the direct predecessors that come before another one of them."""
    found: list[int] = []
    implied: dict[int, int] = {}
    last: tuple[int, ...] = ()
    before = twice = 0
    for position, preds in enumerate(edges):
        if preds != last:  # steps side by side often wait for the same ones
            last = preds
            before = direct = 0
            lowest = min(preds, default=0)
            for pred in preds:
                before |= found[pred]
                direct |= 1 << (pred - lowest)
            direct <<= lowest
            twice = before & direct
            before |= direct
        found.append(before)
        if twice:
            implied[position] = twice
    return found, implied


def set_of(positions: Iterable[int]) -> int:
    found = 0
    for position in positions:
        found |= 1 << position
    return found


def last_of(positions: int) -> int | None:
    return positions.bit_length() - 1 if positions else None
