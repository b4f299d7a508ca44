"""Facts about the plan as a whole: who follows whom, what rests on what, where a stale value is used.

Steps are positions in the list here; identities are resolved once. A set of steps, resources or reads is a Python int
with a bit for each, so that a fact about all steps is one sweep over the list with a handful of big-int operations
per step, never a walk through the graph per step. A sweep goes along `sequence`, in which every step stands behind
those that it needs: the list itself, unless steps may depend on later ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from plancheck.plan.graph.circles import arrange
from plancheck.plan.graph.order import Order, follower_counts
from plancheck.plan.graph.touches import MentionIndex, TouchIndex
from plancheck.plan.model import Identity, Kind, Outline, Read

if TYPE_CHECKING:
    from plancheck.plan.graph.rereads import Misuse

UNKNOWN_RESOURCE = 1
"""The bit that stands for resources that could not be made out."""
_FEW_WALKS = 8


class Dependency(NamedTuple):
    """One data edge: the step relies on what `producer` left in the resource of its read number `read`."""

    producer: int
    read: int


class Exposure(NamedTuple):
    """A volatile read `source` of `resource` that reaches `action` with no re-read in between."""

    action: int
    source: int
    resource: str


def bits(mask: int) -> Iterator[int]:
    """The positions of the set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class PlanGraph:
    """The control and the data flow of a plan.

    Edges to steps that do not exist are left out, as are those to steps that do not come before. With `any_order` a
    step may depend on a later one, and only the edges that close a circle are left out.
    """

    def __init__(self, outlines: Sequence[Outline], any_order: bool = False, old: PlanGraph | None = None) -> None:
        """The graph of these steps. What did not change since `old`, a graph of as many steps, is taken from it."""
        self.steps = outlines
        self.any_order = any_order
        self.sequence: Sequence[int] = range(len(outlines))
        """The steps in an order in which each comes behind those that it needs."""
        self.closing: frozenset[tuple[int, int]] = frozenset()
        """The dependencies that close a circle, each as the step and the one it needs."""
        self.memo: dict[object, Any] = {}
        """What later layers derived from this graph alone, so that it is derived once. Keyed by who derived it."""
        self._walks = 0
        self.position_of: dict[Identity, int]
        """The step that an identity names: of several with the same one, the first."""
        self.preds: list[tuple[int, ...]]
        self.dependencies: list[tuple[Dependency, ...]]
        changed = None if old is None else old._changed(outlines, any_order)
        if old is None or changed is None:
            self.position_of = {}
            for position, step in enumerate(outlines):
                if step.identity is not None:
                    self.position_of.setdefault(step.identity, position)
            self.preds = [self._preds_of(*row) for row in enumerate(outlines)]
            self.dependencies = [
                self._dependencies_of(i, step) if step.reads else () for i, step in enumerate(outlines)
            ]
            looked_at: Iterable[int] = range(len(outlines)) if any_order else ()
        else:
            self.position_of, self.preds, self.dependencies = old.position_of, old.preds[:], old.dependencies[:]
            for position in changed:
                self.preds[position] = self._preds_of(position, outlines[position])
                self.dependencies[position] = self._dependencies_of(position, outlines[position])
            looked_at = changed
        if any(self._looks_ahead(position) for position in looked_at):
            self._arrange()

    def _changed(self, outlines: Sequence[Outline], any_order: bool) -> list[int] | None:
        """The steps that are others now; None if too much changed to build on: identities, or steps out of order."""
        if len(outlines) != len(self.steps) or any_order != self.any_order or not isinstance(self.sequence, range):
            return None
        changed = [i for i, (old, new) in enumerate(zip(self.steps, outlines, strict=True)) if old is not new]
        if any(self.steps[i].identity != outlines[i].identity for i in changed):
            return None
        return changed

    def _preds_of(self, position: int, step: Outline) -> tuple[int, ...]:
        if step.preds is None:
            return (position - 1,) if position else ()
        position_of, last = self.position_of, len(self.steps) if self.any_order else position
        found = [position_of.get(pred.identity, last) for pred in step.preds]
        return tuple(dict.fromkeys([pred for pred in found if pred < last]))

    def _dependencies_of(self, position: int, step: Outline) -> tuple[Dependency, ...]:
        position_of, last = self.position_of, len(self.steps) if self.any_order else position
        edges = []
        for number, read in enumerate(step.reads):
            producer = read.producer
            if producer is not None and (source := position_of.get(producer, last)) < last:
                edges.append(Dependency(source, number))
        return tuple(edges)

    def _looks_ahead(self, position: int) -> bool:
        """Whether a step needs one that does not come before it in the list."""
        preds, edges = self.preds[position], self.dependencies[position]
        return max(preds, default=-1) >= position or max([edge.producer for edge in edges], default=-1) >= position

    def _arrange(self) -> None:
        """Find the sequence, which is not the list's own, and leave out what closes a circle."""
        self.sequence, self.closing = arrange(self.needs)
        for position in {step for step, _ in self.closing}:
            preds, edges_here = self.preds[position], self.dependencies[position]
            self.preds[position] = tuple(pred for pred in preds if (position, pred) not in self.closing)
            self.dependencies[position] = tuple(e for e in edges_here if (position, e.producer) not in self.closing)

    @cached_property
    def read_resources(self) -> dict[str, None]:
        """Every resource that some step reads, in the order of the first reads."""
        return dict.fromkeys([read.resource for step in self.steps for read in step.reads])

    @cached_property
    def needs(self) -> list[tuple[int, ...]]:
        """For every step, those that it waits for or takes something from, circles and all."""
        return [
            tuple(dict.fromkeys((*preds, *(edge.producer for edge in edges))))
            for preds, edges in zip(self.preds, self.dependencies, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.steps)

    @cached_property
    def by_identity(self) -> list[int]:
        """All positions, ordered by identity where that is a number; steps without one come last."""
        names = [step.identity for step in self.steps]
        types = set(map(type, names))
        if types == {int}:
            return sorted(range(len(names)), key=names.__getitem__)  # type: ignore[arg-type]
        if int not in types:
            return list(range(len(names)))
        return sorted(range(len(names)), key=lambda i: (0, name) if isinstance(name := names[i], int) else (1, i))

    @cached_property
    def rank(self) -> list[int]:
        """The inverse of `by_identity`."""
        found = [0] * len(self.steps)
        for number, position in enumerate(self.by_identity):
            found[position] = number
        return found

    # ---- control flow --------------------------------------------------------------------------------------------

    @cached_property
    def successors(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.steps]
        for position, preds in enumerate(self.preds):
            for pred in preds:
                found[pred].append(position)
        return found

    @cached_property
    def follower_counts(self) -> list[int]:
        """For every step, how many steps come after it on some path."""
        sequence = self.sequence
        if isinstance(sequence, range):
            return follower_counts(self.preds)
        place_of = {position: place for place, position in enumerate(sequence)}
        counts = follower_counts([tuple(place_of[pred] for pred in self.preds[position]) for position in sequence])
        return [counts[place_of[position]] for position in range(len(sequence))]

    @cached_property
    def keystone(self) -> int | None:
        """The step that the most others follow; of several the smallest identity; none if nothing follows anything."""
        counts = self.follower_counts
        most = max(counts, default=0)
        if not most:
            return None
        return next(position for position in self.by_identity if counts[position] == most)

    @cached_property
    def order(self) -> Order:
        return Order(self)

    # ---- data flow -----------------------------------------------------------------------------------------------

    @cached_property
    def producers(self) -> list[tuple[int, ...]]:
        """For every step, those that it takes something from, each once, in the order of its reads."""
        return [tuple(dict.fromkeys(edge.producer for edge in edges)) for edges in self.dependencies]

    @cached_property
    def slice_counts(self) -> list[int]:
        """For every step, how many others it rests on."""
        sets = [0] * len(self.steps)
        for position in self.sequence:
            rests_on = 1 << position
            for producer in self.producers[position]:
                rests_on |= sets[producer]
            sets[position] = rests_on
        return [rests_on.bit_count() - 1 for rests_on in sets]

    def ordered_dependencies(self, position: int) -> Sequence[Dependency]:
        """A step's dependencies by their producers' identities; of one producer, in the order of the reads."""
        edges = self.dependencies[position]
        return edges if len(edges) < 2 else sorted(edges, key=lambda edge: self.rank[edge.producer])

    @cached_property
    def snapshots(self) -> list[int]:
        """For every step, the resources read by it or by what it rests on, and whether some could not be made out."""
        bit = self.resource_bits
        found = [0] * len(self.steps)
        for position in self.sequence:
            step, edges = self.steps[position], self.dependencies[position]
            seen = 0 if step.reads_known else UNKNOWN_RESOURCE
            with_producer = 0
            for read in step.reads:
                seen |= bit[read.resource]
                with_producer += read.producer is not None
            for edge in edges:
                seen |= found[edge.producer]
            if with_producer > len(edges):  # some producer is no earlier step, so what it read is not known
                seen |= UNKNOWN_RESOURCE
            found[position] = seen
        return found

    def may_have_read(self, position: int, resource: str) -> bool:
        """Whether the step or what it rests on read the resource, or could have: some reads may not be known.

        The snapshots of all steps cost a sweep; while only a few questions are asked, a walk for each is cheaper.
        """
        if "snapshots" not in self.__dict__ and self._walks < _FEW_WALKS:
            self._walks += 1
            return self._walk_for(position, resource)
        seen = self.snapshots[position]
        return bool(seen & (UNKNOWN_RESOURCE | self.resource_bits.get(resource, 0)))

    def _walk_for(self, position: int, resource: str) -> bool:
        met = {position}
        todo = [position]
        while todo:
            at = todo.pop()
            step, edges = self.steps[at], self.dependencies[at]
            with_producer = 0
            for read in step.reads:
                if read.resource == resource:
                    return True
                with_producer += read.producer is not None
            if not step.reads_known or with_producer > len(edges):
                return True
            for edge in edges:
                if edge.producer not in met:
                    met.add(edge.producer)
                    todo.append(edge.producer)
        return False

    @cached_property
    def resource_bits(self) -> dict[str, int]:
        """A bit for every resource that some step reads."""
        return {resource: 2 << number for number, resource in enumerate(self.read_resources)}

    @cached_property
    def resource_names(self) -> list[str]:
        """The resource of each bit but the lowest, by which `snapshots` can be read without going through them all."""
        return list(self.read_resources)

    @cached_property
    def feeds_decision(self) -> list[bool]:
        """Whether a step is a decision or one rests on it."""
        feeds = [step.kind is Kind.DECISION for step in self.steps]
        for position in reversed(self.sequence):
            if feeds[position]:
                for edge in self.dependencies[position]:
                    feeds[edge.producer] = True
        return feeds

    @cached_property
    def touches(self) -> TouchIndex:
        """For every resource, who touches it."""
        return TouchIndex(self.steps)

    @cached_property
    def mentions(self) -> MentionIndex:
        """For every identity that some step refers to, where that is."""
        return MentionIndex(self.steps)

    # ---- stale reads ---------------------------------------------------------------------------------------------

    @cached_property
    def stale_sources(self) -> list[tuple[int, str]]:
        """Every volatile read that is no re-read itself, as (step, resource), by identity and name."""
        found: list[tuple[int, str]] = []
        for position, reads in self.flagged_reads:
            volatile = {read.resource for read in reads if read.volatile}
            volatile.difference_update(read.resource for read in reads if read.revalidates)
            found += ((position, resource) for resource in sorted(volatile))
        return found

    @cached_property
    def flagged_reads(self) -> list[tuple[int, list[Read]]]:
        """The steps that read something volatile, or again, by identity, with those reads."""
        found = []
        for position, step in enumerate(self.steps):
            reads = [read for read in step.reads if read.volatile or read.revalidates]
            if reads:
                found.append((position, reads))
        return sorted(found, key=lambda item: self.rank[item[0]])

    @cached_property
    def sources_of_resource(self) -> dict[str, int]:
        """For every resource, its volatile reads, as a set of positions in `stale_sources`."""
        found: dict[str, int] = {}
        for number, (_, resource) in enumerate(self.stale_sources):
            found[resource] = found.get(resource, 0) | (1 << number)
        return found

    def exposed(self) -> Iterator[tuple[int, int]]:
        """Every action with the set of stale sources that reach it unrefreshed, ordered by identity.

        Three sweeps at once, in sets of sources: `carried` are the sources a step rests on (data flow), `before` those
        at steps that run before it, `fresh` those that some re-read between the source and this step refreshed.
        """
        if not self.stale_sources:
            return
        size = len(self.steps)
        own, carried, before, fresh = [0] * size, [0] * size, [0] * size, [0] * size
        for number, (position, _) in enumerate(self.stale_sources):
            own[position] |= 1 << number
        refreshes = [self._refreshed_by(step.reads) for step in self.steps]
        for position in self.sequence:
            rests_on = own[position]
            for edge in self.dependencies[position]:
                rests_on |= carried[edge.producer]
            carried[position] = rests_on
            ran = renewed = 0
            for pred in self.preds[position]:
                ran |= before[pred] | own[pred]
                renewed |= fresh[pred] | (refreshes[pred] & before[pred])
            before[position] = ran
            fresh[position] = renewed
        for position in self.by_identity:
            step = self.steps[position]
            if step.writes or step.kind is Kind.DECISION:
                stale = carried[position] & ~fresh[position] & ~refreshes[position]
                if stale:
                    yield position, stale

    def _refreshed_by(self, reads: Sequence[Read]) -> int:
        mask = 0
        for read in reads:
            if read.revalidates:
                mask |= self.sources_of_resource.get(read.resource, 0)
        return mask

    def exposures(self) -> Iterator[Exposure]:
        for action, stale in self.exposed():
            for number in bits(stale):
                yield Exposure(action, *self.stale_sources[number])

    @cached_property
    def misuses(self) -> list[Misuse]:
        """Every re-read that does not help an action which rests on a stale source."""
        from plancheck.plan.graph.rereads import misuses  # it builds on this module

        return misuses(self)
