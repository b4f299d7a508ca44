"""What rests on what: the data flow of a plan, along reads that name their producer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from plancheck.cached import cached_property
from plancheck.plan.graph.sets import Make, Sweep, bits
from plancheck.plan.model import Kind, Outline
from plancheck.tuples import NamedTuple

UNKNOWN_RESOURCE = 1
"""The bit that stands for resources that could not be made out."""


class Dependency(NamedTuple):
    """One data edge: the step relies on what `producer` left in the resource of its read number `read`."""

    producer: int
    read: int


class Flow:
    """The data flow of the steps. Edges that close a circle are not among `dependencies`."""

    def __init__(
        self, steps: Sequence[Outline], dependencies: list[tuple[Dependency, ...]], sequence: Sequence[int]
    ) -> None:
        self._steps = steps
        self.dependencies = dependencies
        self.sequence = sequence
        self._names_at_first = 0
        """How many resources there were when `resource_bits` was made."""

    def edited(
        self, steps: Sequence[Outline], dependencies: list[tuple[Dependency, ...]], changed: Collection[int]
    ) -> Flow:
        """The flow after an edit of some steps, all of which take something from earlier ones only."""
        new = Flow(steps, dependencies, self.sequence)
        known = self.__dict__
        moved = sorted(position for position in changed if new.producers_of(position) != self.producers_of(position))
        if "slices" in known:
            new.slices = self.slices.edited(_slice_by(dependencies), moved[0]) if moved else self.slices
        if "consumers" in known:
            new.consumers = self._consumers_after(new, moved)
        if "unclear" in known:
            new.unclear = self._unclear_after(new, changed)
        if "feeds_decision" in known and not moved and all(steps[p].kind is self._steps[p].kind for p in changed):
            new.feeds_decision = self.feeds_decision
        if "snapshots" in known and len(self.resource_bits) <= 2 * self._names_at_first + 1_000:
            new._names_at_first = self._names_at_first
            new.resource_bits = self._bits_after(new, changed)
            new.snapshots = self.snapshots.edited(new._snapshot_by(), min(changed, default=len(steps)))
        return new

    # ---- who takes something from whom

    def producers_of(self, position: int) -> tuple[int, ...]:
        """The steps that a step takes something from, each once, in the order of its reads."""
        edges = self.dependencies[position]
        if len(edges) == 1:
            return (edges[0].producer,)
        return tuple(dict.fromkeys([edge.producer for edge in edges]))

    @cached_property
    def consumers(self) -> list[tuple[int, ...]]:
        """For every step, those that take something from it."""
        found: list[list[int]] = [[] for _ in self.dependencies]
        for position, edges in enumerate(self.dependencies):
            for edge in edges:
                steps = found[edge.producer]
                if not steps or steps[-1] != position:
                    steps.append(position)
        return [tuple(steps) for steps in found]

    def _consumers_after(self, new: Flow, moved: Collection[int]) -> list[tuple[int, ...]]:
        found = self.consumers[:] if moved else self.consumers
        for position in moved:
            for producer in self.producers_of(position):
                found[producer] = tuple(step for step in found[producer] if step != position)
            for producer in new.producers_of(position):
                found[producer] = tuple(sorted((*found[producer], position)))
        return found

    def downstream(self, positions: Iterable[int]) -> set[int]:
        """These steps and all that rest on them."""
        found = set(positions)
        todo = list(found)
        while todo:
            for step in self.consumers[todo.pop()]:
                if step not in found:
                    found.add(step)
                    todo.append(step)
        return found

    @cached_property
    def slices(self) -> Sweep:
        """For every step, itself and what it rests on."""
        return Sweep(self.sequence, _slice_by(self.dependencies))

    # ---- what was read on the way

    @cached_property
    def unclear(self) -> int:
        """The steps of which it is not known what was read: by themselves, or by a producer that is no earlier step."""
        found = 0
        for position in range(len(self._steps)):
            if self._is_unclear(position):
                found |= 1 << position
        return found

    def _is_unclear(self, position: int) -> bool:
        step = self._steps[position]
        if not step.reads_known:
            return True
        named = 0
        for read in step.reads:
            named += read.producer is not None
        return named > len(self.dependencies[position])

    def _unclear_after(self, new: Flow, changed: Collection[int]) -> int:
        found = self.unclear
        for position in changed:
            bit = 1 << position
            found = found | bit if new._is_unclear(position) else found & ~bit
        return found

    def may_have_read(self, position: int, readers: int) -> bool:
        """Whether the step or what it rests on is one of the readers of a resource, or could be: some reads may not
        be known."""
        return bool(self.slices[position] & (readers | self.unclear))

    @cached_property
    def resource_bits(self) -> dict[str, int]:
        """A bit for every resource that some step reads."""
        names = dict.fromkeys([read.resource for step in self._steps for read in step.reads])
        self._names_at_first = len(names)
        return {resource: 2 << number for number, resource in enumerate(names)}

    def _bits_after(self, new: Flow, changed: Collection[int]) -> dict[str, int]:
        """The same bits, and more for the names that are new. Those that are gone keep theirs, which harms nobody."""
        found = self.resource_bits
        for position in changed:
            for read in new._steps[position].reads:
                if read.resource not in found:
                    if found is self.resource_bits:
                        found = dict(found)
                    found[read.resource] = 2 << len(found)
        return found

    @cached_property
    def snapshots(self) -> Sweep:
        """For every step, the resources read by it or by what it rests on, and whether some could not be made out."""
        return Sweep(self.sequence, self._snapshot_by())

    def _snapshot_by(self) -> Make:
        steps, dependencies, bit = self._steps, self.dependencies, self.resource_bits

        def snapshot(sets: Sequence[int], position: int) -> int:
            step, edges = steps[position], dependencies[position]
            seen = 0 if step.reads_known else UNKNOWN_RESOURCE
            named = 0
            for read in step.reads:
                seen |= bit[read.resource]
                named += read.producer is not None
            for edge in edges:
                seen |= sets[edge.producer]
            if named > len(edges):  # some producer is no earlier step, so what it read is not known
                seen |= UNKNOWN_RESOURCE
            return seen

        return snapshot

    def seen_by(self, position: int) -> Iterator[str]:
        """The resources of a step's snapshot that could be made out."""
        names = list(self.resource_bits)
        for bit in bits(self.snapshots[position] & ~UNKNOWN_RESOURCE):
            yield names[bit - 1]

    @cached_property
    def feeds_decision(self) -> list[bool]:
        """Whether a step is a decision or one rests on it."""
        feeds = [step.kind is Kind.DECISION for step in self._steps]
        for position in reversed(self.sequence):
            if feeds[position]:
                for edge in self.dependencies[position]:
                    feeds[edge.producer] = True
        return feeds


def _slice_by(dependencies: Sequence[tuple[Dependency, ...]]) -> Make:
    def slice_of(sets: Sequence[int], position: int) -> int:
        found = 1 << position
        for edge in dependencies[position]:
            found |= sets[edge.producer]
        return found

    return slice_of
