"""Which writes nobody ever sees: the reaching definitions of compilers, in one sweep over the steps."""

from __future__ import annotations

from typing import NamedTuple

from plancheck.plan.graph.facts import PlanGraph, bits
from plancheck.plan.model import Outline, Read


class DeadWrite(NamedTuple):
    """`writer` writes the resource; on every path it is written again, by `overwriter` first, and read by nobody."""

    writer: int
    resource: str
    overwriter: int


class _Sweep:
    """Sets of writes of the resources that several steps write."""

    def __init__(self, graph: PlanGraph) -> None:
        self.graph = graph
        self.writes: list[tuple[int, str]] = []
        self.number_of: dict[tuple[int, str], int] = {}
        self.of_resource: dict[str, int] = {}
        for resource in graph.order.writer_sets:
            for step in graph.order.writers[resource]:
                number = len(self.writes)
                self.number_of[step, resource] = number
                self.of_resource[resource] = self.of_resource.get(resource, 0) | 1 << number
                self.writes.append((step, resource))
        self.readers: dict[str, int] = {}
        """For every such resource, the steps that look at whatever it holds when they run."""
        self.unclear = 0
        """Steps of which it is not known what they read, so that they may read anything."""

    def unseen(self) -> int:
        """The writes that are overwritten on every path, and read on none."""
        settled = self.graph.order.settled
        left = [0] * len(self.graph)
        used = overwritten = surviving = 0
        for position in self.graph.sequence:
            step = self.graph.steps[position]
            reaching = 0
            for pred in self.graph.preds[position]:
                reaching |= left[pred]
            used |= self._used(position, step, reaching)
            remaining = reaching
            for write in step.writes:
                same = self.of_resource.get(write.resource, 0)
                if same:
                    if settled[position]:
                        overwritten |= reaching & same
                    remaining = remaining & ~same | 1 << self.number_of[position, write.resource]
            left[position] = remaining
            if not self.graph.successors[position]:
                surviving |= remaining
        return overwritten & ~used & ~surviving

    def _used(self, position: int, step: Outline, reaching: int) -> int:
        """The writes that the step sees, as far as the control flow tells."""
        used = 0
        if not step.reads_known:
            self.unclear |= 1 << position
            used = reaching
        for read in step.reads:
            same = self.of_resource.get(read.resource, 0)
            if not same:
                continue
            if not _is_fresh(read):
                producer = self.graph.position_of.get(read.producer) if read.producer is not None else None
                if producer is not None:
                    number = self.number_of.get((producer, read.resource))
                    used |= 0 if number is None else 1 << number
                    continue
            used |= reaching & same if self.graph.order.settled[position] else same
            self.readers[read.resource] = self.readers.get(read.resource, 0) | 1 << position
        return used

    def seen_aside(self, writer: int, resource: str) -> bool:
        """Whether a step that runs neither before nor after the writer may read the resource."""
        readers = self.readers.get(resource, 0) | self.unclear
        order = self.graph.order
        return bool(readers & ~(order.ancestors[writer] | order.descendants[writer] | 1 << writer))


def _is_fresh(read: Read) -> bool:
    """Whether the read takes what is there now, not what its producer left."""
    return read.producer is None or read.volatile or read.revalidates


def dead_writes(graph: PlanGraph) -> list[DeadWrite]:
    if not graph.order.writer_sets:
        return []
    sweep = _Sweep(graph)
    found = []
    for number in bits(sweep.unseen()):
        writer, resource = sweep.writes[number]
        if not sweep.seen_aside(writer, resource):
            after = graph.order.writer_sets[resource] & graph.order.descendants[writer]
            found.append(DeadWrite(writer, resource, next(bits(after))))
    return sorted(found)
