"""Which step certainly runs before which, and which certainly does not.

A set of steps is a Python int with a bit for each position. All sets of one kind are made in one sweep over the list,
the first time that somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import proxy

if TYPE_CHECKING:
    from plancheck.plan.graph.facts import PlanGraph


class Order:
    """The order that the control flow of a plan gives its steps."""

    def __init__(self, graph: PlanGraph) -> None:
        # Weak, for the graph keeps this object: a circle would leave the sets of every edit, some ten megabytes at
        # 10,000 steps, to the garbage collector.
        self._graph: PlanGraph = proxy(graph)

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
        return _ancestors(preds, graph.sequence)[0]

    @cached_property
    def _sets(self) -> tuple[list[int], dict[int, int]]:
        return _ancestors(self._graph.preds, self._graph.sequence)

    @cached_property
    def descendants(self) -> list[int]:
        """For every step, those that come after it on some path."""
        found = [0] * len(self._graph)
        for position in reversed(self._graph.sequence):
            own = found[position] | (1 << position)
            for pred in self._graph.preds[position]:
                found[pred] |= own
        return found

    @cached_property
    def slices(self) -> list[int]:
        """For every step, itself and what it rests on."""
        found = [0] * len(self._graph)
        for position in self._graph.sequence:
            rests_on = 1 << position
            for edge in self._graph.dependencies[position]:
                rests_on |= found[edge.producer]
            found[position] = rests_on
        return found

    @cached_property
    def settled(self) -> list[bool]:
        """For every step, whether all that it waits for, directly or through others, could be made out.

        Of a step that is not settled, it is not known what comes before it: an entry of its predecessors is no step,
        cannot come before, or names two steps at once.
        """
        graph = self._graph
        names = Counter(step.identity for step in graph.steps)
        ambiguous = {name for name, count in names.items() if count > 1} if len(names) < len(graph) else set()
        position_of, closing = graph.position_of, graph.closing
        found = [False] * len(graph)
        for position in graph.sequence:
            step = graph.steps[position]
            known = step.preds_known and all(found[pred] for pred in graph.preds[position])
            if known and step.preds is not None:
                targets = [position_of.get(pred.identity, position) for pred in step.preds]
                known = all(
                    target < position or (graph.any_order and target != position and (position, target) not in closing)
                    for target in targets
                ) and not any(pred.identity in ambiguous for pred in step.preds)
            found[position] = known
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
        starts = [i for i in graph.sequence if not graph.preds[i] and not graph.dependencies[i]]
        if len(starts) < 2:  # each step but the first is joined to an earlier one
            return []
        root = {start: start for start in starts}

        def find(start: int) -> int:
            while root[start] != start:
                root[start] = start = root[root[start]]
            return start

        part_of = [0] * len(graph)
        left, is_last_seen = len(starts), False
        for position in graph.sequence:
            joined = {part_of[pred] for pred in graph.preds[position]}
            joined.update(part_of[edge.producer] for edge in graph.dependencies[position])
            part, *others = {find(start) for start in joined} or (position,)
            for other in others:
                root[other] = part
            left -= len(others)
            is_last_seen = is_last_seen or position == starts[-1]
            if left == 1 and is_last_seen:
                return []
            part_of[position] = part
        parts: dict[int, list[int]] = {}
        for position, start in enumerate(part_of):
            parts.setdefault(find(start), []).append(position)
        main = max(parts.values(), key=len)
        return [part for part in parts.values() if part is not main]


def _ancestors(edges: Sequence[tuple[int, ...]], sequence: Sequence[int]) -> tuple[list[int], dict[int, int]]:
    """The sets of ancestors, and of the direct predecessors that come before another one of them."""
    found = [0] * len(edges)
    implied: dict[int, int] = {}
    last: tuple[int, ...] = ()
    before = twice = 0
    for position in sequence:
        preds = edges[position]
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
        found[position] = before
        if twice:
            implied[position] = twice
    return found, implied


def follower_counts(preds: Sequence[tuple[int, ...]]) -> list[int]:
    """For every step, how many steps come after it on some path; each comes behind its predecessors in the list."""
    last = len(preds) - 1
    counts = [0] * len(preds)
    sets: dict[int, int] = {}
    followed_by_all = bytearray(len(preds) + 1)
    if last >= 0:
        followed_by_all[last] = 1  # by all that come later in the list: none
    for position in range(last, -1, -1):
        direct, later = preds[position], last - position
        if followed_by_all[position]:
            counts[position] = later
            sets.pop(position, None)
            if direct == (position - 1,):  # nearly every step of a mostly linear plan: no set is needed
                followed_by_all[position - 1] = 1
                continue
            reached = (2 << later) - 1
        else:
            # counted from the end, the sets of late steps stay short
            reached = sets.pop(position, 0)
            counts[position] = reached.bit_count()
            reached |= 1 << later
        for pred in direct:
            if pred == position - 1 and followed_by_all[position]:
                followed_by_all[pred] = 1
            else:
                sets[pred] = sets.get(pred, 0) | reached
    return counts


def set_of(positions: Iterable[int]) -> int:
    found = 0
    for position in positions:
        found |= 1 << position
    return found


def last_of(positions: int) -> int | None:
    return positions.bit_length() - 1 if positions else None


def descending(positions: int) -> Iterator[int]:
    """The positions of a set, the last first."""
    while positions:
        last = positions.bit_length() - 1
        yield last
        positions ^= 1 << last
