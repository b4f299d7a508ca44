"""Which writes nobody ever sees: the reaching definitions of compilers, in one sweep over the steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Identity, Outline, Read
from plancheck.tuples import NamedTuple


class DeadWrite(NamedTuple):
    """`writer` writes the resource; on every path it is written again, by `overwriter` first, and read by nobody."""

    writer: int
    resource: str
    overwriter: int


class _Sweep:
    """Sets of writes of resources that several steps write."""

    def __init__(
        self,
        steps: Sequence[Outline],
        order: Order,
        position_of: Mapping[Identity, int],
        resources: Sequence[Resource],
    ) -> None:
        self.steps = steps
        self.order = order
        self.position_of = position_of
        self.writes: list[tuple[int, str]] = []
        self.number_of: dict[tuple[int, str], int] = {}
        self.of_resource: dict[str, int] = {}
        self.writers = {resource.name: [use.step for use in resource.writers] for resource in resources}
        for resource in resources:
            for use in resource.writers:
                number = len(self.writes)
                self.number_of[use.step, resource.name] = number
                self.of_resource[resource.name] = self.of_resource.get(resource.name, 0) | 1 << number
                self.writes.append((use.step, resource.name))
        touching = [position for resource in resources for position in resource.steps]
        self.window: Sequence[int] = order.sequence
        """The steps to look at: outside of them nothing happens to these resources."""
        if isinstance(order.sequence, range):
            self.window = range(min(touching), max(touching) + 1)
        self.readers: dict[str, int] = {}
        """For every such resource, the steps that look at whatever it holds when they run."""

    def unseen(self) -> int:
        """The writes that are overwritten on every path, and read on none."""
        order, settled = self.order, self.order.settled
        left = [0] * len(self.steps)
        end = self.window[-1] if isinstance(self.window, range) else len(self.steps)
        used = overwritten = surviving = 0
        for position in self.window:
            step = self.steps[position]
            reaching = 0
            for pred in order.preds[position]:
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
            after = order.successors[position]
            if not after or after[-1] > end:  # what is left here is left at the end of the plan
                surviving |= remaining
        return overwritten & ~used & ~surviving

    def _used(self, position: int, step: Outline, reaching: int) -> int:
        """The writes that the step sees, as far as the control flow tells."""
        used = reaching if not step.reads_known else 0
        for read in step.reads:
            same = self.of_resource.get(read.resource, 0)
            if not same:
                continue
            if not _is_fresh(read):
                producer = self.position_of.get(read.producer) if read.producer is not None else None
                if producer is not None:
                    number = self.number_of.get((producer, read.resource))
                    used |= 0 if number is None else 1 << number
                    continue
            used |= reaching & same if self.order.settled[position] else same
            self.readers[read.resource] = self.readers.get(read.resource, 0) | 1 << position
        return used

    def is_seen_aside(self, writer: int, readers: int) -> bool:
        """Whether a step that runs neither before nor after the writer may read the resource."""
        ancestors = self.order.ancestors
        aside = readers & ~(ancestors[writer] | 1 << writer)
        return any(not ancestors[reader] >> writer & 1 for reader in bits(aside))


def _is_fresh(read: Read) -> bool:
    """Whether the read takes what is there now, not what its producer left."""
    return read.producer is None or read.volatile or read.revalidates


def dead_writes(
    steps: Sequence[Outline],
    order: Order,
    position_of: Mapping[Identity, int],
    unknown_readers: int,
    resources: Iterable[Resource],
) -> Iterator[DeadWrite]:
    """The writes of these resources that nobody sees. `unknown_readers` are the steps that may read anything."""
    several = [resource for resource in resources if len(resource.writers) > 1]
    if not several:
        return
    sweep = _Sweep(steps, order, position_of, several)
    for number in bits(sweep.unseen()):
        writer, resource = sweep.writes[number]
        if not sweep.is_seen_aside(writer, sweep.readers.get(resource, 0) | unknown_readers):
            after = next(step for step in sweep.writers[resource] if order.ancestors[step] >> writer & 1)
            yield DeadWrite(writer, resource, after)
