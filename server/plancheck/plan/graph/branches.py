"""Which steps exclude one another, because they are on different ways out of one decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plancheck.cached import cached_property
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import bits, descending, set_of
from plancheck.plan.model import Kind, Outline

MOST_FORKS = 64
"""Decisions that are looked at for some steps, the last ones first."""
MOST_WAYS = 64
"""A step that comes after more ways out of one decision than this is taken for one that joins them."""


class Branches:
    def __init__(self, steps: Sequence[Outline], order: Order) -> None:
        self._steps = steps
        self._order = order

    def is_fork(self, position: int) -> bool:
        """Whether a step is a decision with several ways out."""
        return self._steps[position].kind is Kind.DECISION and len(self._order.successors[position]) > 1

    @cached_property
    def _forks(self) -> int:
        return set_of(filter(self.is_fork, range(len(self._steps))))

    def exclusive(self, positions: Sequence[int]) -> dict[int, int]:
        """For some steps, which of them are not run if they are."""
        ancestors, found = self._order.ancestors, dict.fromkeys(positions, 0)
        before = 0
        for position in positions:
            before |= ancestors[position]
        for _, fork in zip(range(MOST_FORKS), descending(before & self._forks), strict=False):
            ways_out = set_of(self._order.successors[fork])
            reached, by_way = 0, dict[int, int]()
            ways = {position: ways_out & (ancestors[position] | 1 << position) for position in positions}
            ways = {position: those for position, those in ways.items() if 0 < those.bit_count() <= MOST_WAYS}
            for position, those in ways.items():
                reached |= 1 << position
                for way in bits(those):
                    by_way[way] = by_way.get(way, 0) | 1 << position
            for position, those in ways.items():
                same = 0
                for way in bits(those):
                    same |= by_way[way]
                found[position] |= reached & ~same
        return found

    def behind(self, positions: Iterable[int]) -> set[int]:
        """These steps, and all that come after them."""
        found = set(positions)
        todo = list(found)
        while todo:
            new = [step for step in self._order.successors[todo.pop()] if step not in found]
            found.update(new)
            todo += new
        return found
