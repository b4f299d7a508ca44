"""How many steps follow each step, counted from the end of the list and counted again only where an edit matters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


class Followers:
    """For every step, how many steps come after it on some path; each comes behind its predecessors in the list.

    A *gate* is a step that all later steps follow and past which no other set of followers is under way: what comes
    before it in the list depends on nothing behind it but their number. Between two gates an edit stays local.
    """

    __slots__ = ("counts", "gates")

    def __init__(self, preds: Sequence[tuple[int, ...]]) -> None:
        self.counts = [0] * len(preds)
        self.gates: list[int] = []
        """Ascending."""
        gates = _count(preds, self.counts, len(preds) - 1, -1)
        self.gates = gates[::-1]

    def edited(
        self, preds: Sequence[tuple[int, ...]], old: Sequence[tuple[int, ...]], moved: Sequence[int]
    ) -> Followers:
        """The counts after some steps came to wait for others."""
        lowest = min(min(moved), *(pred for step in moved for pred in (*preds[step], *old[step])), len(preds))
        above, below = bisect_left(self.gates, max(moved)), bisect_right(self.gates, lowest) - 1
        start = self.gates[above] if above < len(self.gates) else len(preds) - 1
        stop = self.gates[below] if below >= 0 else -1
        new = Followers.__new__(Followers)
        new.counts = self.counts[:]
        between = _count(preds, new.counts, start, stop)
        if stop >= 0 and (not between or between[-1] != stop):  # it is no gate any more: nothing is local here
            return Followers(preds)
        new.gates = [*self.gates[: max(below, 0)], *between[::-1], *self.gates[above + 1 :]]
        return new


def _count(preds: Sequence[tuple[int, ...]], counts: list[int], start: int, stop: int) -> list[int]:
    """Count from `start`, the last step or a gate, down to `stop`, a gate or none; the gates met, descending."""
    last = len(preds) - 1
    sets: dict[int, int] = {}
    gates: list[int] = []
    is_followed_by_all = True
    """Whether all later steps follow the one at hand: then it needs no set."""
    for position in range(start, max(stop - 1, -1), -1):
        direct, later = preds[position], last - position
        reached = sets.pop(position, 0)  # counted from the end, the sets of late steps stay short
        if not is_followed_by_all:
            counts[position] = reached.bit_count()
            is_followed_by_all = counts[position] == later
        if is_followed_by_all:
            counts[position] = later
            if not sets:
                gates.append(position)
            if direct == (position - 1,):  # nearly every step of a mostly linear plan
                continue
            reached = (1 << later) - 1
        reached |= 1 << later
        is_next_followed = False
        for pred in direct:
            if is_followed_by_all and pred == position - 1:
                is_next_followed = True
            else:
                sets[pred] = sets.get(pred, 0) | reached
        is_followed_by_all = is_next_followed
    return gates
