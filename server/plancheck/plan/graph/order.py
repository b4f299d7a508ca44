"""Which step certainly runs before which, and which certainly does not: the control flow of a plan.

All sets of one kind are made in one sweep, as far as somebody asks, and carried over an edit as far as it allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heappush

from plancheck.cached import cached_property
from plancheck.plan.graph.followers import Followers
from plancheck.plan.graph.sets import Make, Sweep, set_of
from plancheck.plan.model import Identity, Outline


class Order:
    """The order that the control flow gives the steps. Edges that close a circle are not among `preds`."""

    def __init__(
        self,
        steps: Sequence[Outline],
        preds: list[tuple[int, ...]],
        sequence: Sequence[int],
        position_of: dict[Identity, int],
        closing: frozenset[tuple[int, int]] | None,
    ) -> None:
        self._steps = steps
        self.preds = preds
        self.sequence = sequence
        self._position_of = position_of
        self._closing = closing
        """The dependencies that close a circle; None where a step can only wait for earlier ones."""

    def edited(self, steps: Sequence[Outline], preds: list[tuple[int, ...]], changed: Collection[int]) -> Order:
        """The order after an edit of some steps, all of which wait for earlier ones and have the names they had."""
        new = Order(steps, preds, self.sequence, self._position_of, self._closing)
        known = self.__dict__
        moved = sorted(position for position in changed if preds[position] != self.preds[position])
        if "_ambiguous" in known:
            new._ambiguous = self._ambiguous
        if "ancestors" in known:
            new.ancestors = self.ancestors.edited(_ancestors_by(preds), moved[0]) if moved else self.ancestors
        if "followers" in known:
            new.followers = self.followers.edited(preds, self.preds, moved) if moved else self.followers
        if "successors" in known:
            new.successors = self._successors_after(preds, moved)
        if "settled" in known:
            new.settled = self._settled_after(new, changed)
        if "guessed" in known:
            new.guessed = frozenset({*(self.guessed - set(changed)), *filter(new._is_guessed, changed)})
        return new

    # ---- who waits for whom

    @cached_property
    def successors(self) -> list[tuple[int, ...]]:
        found: list[list[int]] = [[] for _ in self.preds]
        for position, preds in enumerate(self.preds):
            for pred in preds:
                found[pred].append(position)
        return [tuple(steps) for steps in found]

    def _successors_after(self, preds: list[tuple[int, ...]], moved: Collection[int]) -> list[tuple[int, ...]]:
        found = self.successors[:] if moved else self.successors
        for position in moved:
            for pred in self.preds[position]:
                found[pred] = tuple(step for step in found[pred] if step != position)
            for pred in preds[position]:
                found[pred] = tuple(sorted((*found[pred], position)))
        return found

    @cached_property
    def followers(self) -> Followers:
        """How many steps come after each; only where the list is a sequence in which the steps can run."""
        return Followers(self.preds)

    @cached_property
    def follower_counts(self) -> list[int]:
        """For every step, how many steps come after it on some path."""
        if isinstance(self.sequence, range):
            return self.followers.counts
        place_of = {position: place for place, position in enumerate(self.sequence)}
        preds = [tuple(place_of[pred] for pred in self.preds[position]) for position in self.sequence]
        counts = Followers(preds).counts
        return [counts[place_of[position]] for position in range(len(preds))]

    # ---- who comes before whom

    @cached_property
    def ancestors(self) -> Sweep:
        """For every step, those that come before it on some path."""
        return Sweep(self.sequence, _ancestors_by(self.preds))

    @cached_property
    def guessed(self) -> frozenset[int]:
        """The steps that follow the one before them only because what they wait for could not be made out."""
        return frozenset(filter(self._is_guessed, range(len(self._steps))))

    def _is_guessed(self, position: int) -> bool:
        step = self._steps[position]
        return step.preds is None and not step.preds_known

    @cached_property
    def certain(self) -> Sweep:
        """The ancestors again, without those that only the linear default leads to where something else was meant."""
        if not self.guessed:
            return self.ancestors
        preds = [() if position in self.guessed else preds for position, preds in enumerate(self.preds)]
        return Sweep(self.sequence, _ancestors_by(preds))

    def implied(self, position: int) -> int:
        """The direct predecessors of a step that come before another one of them as well."""
        preds = self.preds[position]
        if len(preds) < 2:
            return 0
        before = 0
        for pred in preds:
            before |= self.ancestors[pred]
        return before & set_of(preds)

    # ---- what is known for certain

    @cached_property
    def _ambiguous(self) -> frozenset[Identity | None]:
        """Names that several steps have."""
        names = Counter(step.identity for step in self._steps)
        if len(names) == len(self._steps):
            return frozenset()
        return frozenset(name for name, count in names.items() if count > 1)

    @cached_property
    def settled(self) -> list[bool]:
        """For every step, whether all that it waits for, directly or through others, could be made out.

        Of a step that is not settled, it is not known what comes before it: an entry of its predecessors is no step,
        cannot come before, or names two steps at once.
        """
        found = [False] * len(self._steps)
        for position in self.sequence:
            found[position] = self._is_settled(found, position)
        return found

    def _is_settled(self, found: Sequence[bool], position: int) -> bool:
        step = self._steps[position]
        if not step.preds_known or not all(found[pred] for pred in self.preds[position]):
            return False
        if step.preds is None:
            return True
        return all(self._is_clear(position, pred.identity) for pred in step.preds)

    def _is_clear(self, position: int, name: Identity) -> bool:
        """Whether a predecessor's name means one step, and one that can come before."""
        target = self._position_of.get(name, position)
        if name in self._ambiguous or target == position:
            return False
        return target < position or (self._closing is not None and (position, target) not in self._closing)

    def _settled_after(self, new: Order, changed: Collection[int]) -> list[bool]:
        found = self.settled[:]
        todo = list(changed)
        heapify(todo)
        while todo:
            position = heappop(todo)
            is_settled = new._is_settled(found, position)
            if is_settled != found[position]:
                found[position] = is_settled
                for step in new.successors[position]:
                    heappush(todo, step)
        return found


def _ancestors_by(preds: Sequence[tuple[int, ...]]) -> Make:
    def ancestors(sets: Sequence[int], position: int) -> int:
        before = 0
        for pred in preds[position]:
            before |= sets[pred] | 1 << pred
        return before

    return ancestors
