"""Facts about the plan as a whole: who follows whom, what rests on what, who touches what.

Steps are positions in the list here; identities are resolved once. A set of steps, resources or reads is a Python int
with a bit for each, so that a fact about all steps is one sweep over the list with a handful of big-int operations
per step, never a walk through the graph per step. A sweep goes along `sequence`, in which every step stands behind
those that it needs: the list itself, unless steps may depend on later ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from plancheck.cached import cached_property
from plancheck.plan.graph.branches import Branches
from plancheck.plan.graph.circles import arrange
from plancheck.plan.graph.flow import UNKNOWN_RESOURCE, Dependency, Flow
from plancheck.plan.graph.numbering import OffByOne, off_by_one
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.sets import bits, set_of
from plancheck.plan.graph.stale import Exposure, Sources, exposed
from plancheck.plan.graph.touches import MentionIndex, TouchIndex
from plancheck.plan.model import Identity, Outline, Read
from plancheck.tuples import NamedTuple

__all__ = ["UNKNOWN_RESOURCE", "Dependency", "PlanGraph", "bits"]


_new = tuple.__new__
"""Makes a named tuple without the detour through its own `__new__`, which a large plan would feel."""


class Totals(NamedTuple):
    """How many of each a plan has."""

    reads: int
    writes: int
    dependencies: int


class PlanGraph:
    """The control and the data flow of a plan.

    Edges to steps that do not exist are left out, as are those to steps that do not come before. With `any_order` a
    step may depend on a later one, and only the edges that close a circle are left out.
    """

    def __init__(self, outlines: Sequence[Outline], any_order: bool = False, named_by_text: bool = False) -> None:
        self.steps = outlines
        self.any_order = any_order
        self.named_by_text = named_by_text
        """Whether references name steps that are known by a number."""
        self.position_of: dict[Identity, int] = {}
        """The step that an identity names: of several with the same one, the first. With `named_by_text` a step is also
        found by what references call it: a name of its own, or else the number as text."""
        names = [step.identity for step in outlines]
        self.position_of.update(zip(names, range(len(names)), strict=True))  # type: ignore[arg-type]
        if None in self.position_of or len(self.position_of) < len(names):
            self.position_of.clear()
            for position, name in enumerate(names):
                if name is not None:
                    self.position_of.setdefault(name, position)
        if named_by_text:
            self._add_texts()
        preds = [
            self._preds_of(i, step) if step.preds is not None or not i else (i - 1,) for i, step in enumerate(outlines)
        ]
        dependencies = [self._dependencies_of(i, step) if step.reads else () for i, step in enumerate(outlines)]
        sequence: Sequence[int] = range(len(outlines))
        self.closing: frozenset[tuple[int, int]] = frozenset()
        """The dependencies that close a circle, each as the step and the one it needs."""
        if any_order and any(_looks_ahead(i, preds[i], dependencies[i]) for i in sequence):
            sequence, self.closing = arrange(_needs(preds, dependencies))
            for i in {step for step, _ in self.closing}:
                preds[i] = tuple(pred for pred in preds[i] if (i, pred) not in self.closing)
                dependencies[i] = tuple(e for e in dependencies[i] if (i, e.producer) not in self.closing)
        self.sequence = sequence
        """The steps in an order in which each comes behind those that it needs."""
        self.order = Order(outlines, preds, sequence, self.position_of, self.closing if any_order else None)
        self.flow = Flow(outlines, dependencies, sequence)

    def edited(self, outlines: Sequence[Outline], changed: Collection[int]) -> PlanGraph:
        """The graph after an edit of some steps, which have the names that they had."""
        if not self.is_in_list_order:  # what is carried over an edit is right before it, and wrong only behind
            return PlanGraph(outlines, self.any_order, self.named_by_text)
        preds, dependencies = self.preds, self.dependencies
        for position in changed:
            new_preds = self._preds_of(position, outlines[position])
            new_edges = self._dependencies_of(position, outlines[position])
            if new_preds != preds[position]:
                preds = preds[:] if preds is self.preds else preds
                preds[position] = new_preds
            if new_edges != dependencies[position]:
                dependencies = dependencies[:] if dependencies is self.dependencies else dependencies
                dependencies[position] = new_edges
        if self.any_order and any(_looks_ahead(i, preds[i], dependencies[i]) for i in changed):
            return PlanGraph(outlines, self.any_order, self.named_by_text)
        new = PlanGraph.__new__(PlanGraph)
        new.steps, new.any_order, new.position_of = outlines, self.any_order, self.position_of
        new.sequence, new.closing, new.named_by_text = self.sequence, self.closing, self.named_by_text
        new.order = self.order.edited(outlines, preds, changed)
        new.flow = self.flow.edited(outlines, dependencies, changed)
        known = self.__dict__
        if "touches" in known:
            new.touches = self.touches.edited(outlines, changed)
        if "mentions" in known:
            new.mentions = self.mentions.edited(outlines, changed)
        if "by_identity" in known:
            new.by_identity = self.by_identity
        if "rank" in known:
            new.rank = self.rank
        if "flagged" in known:
            new.flagged = self._flagged_after(outlines, changed)
        return new

    def _add_texts(self) -> None:
        for position, step in enumerate(self.steps):
            if step.alias is not None:
                self.position_of.setdefault(step.alias.name, position)
        for position, step in enumerate(self.steps):
            if isinstance(step.identity, int):
                self.position_of.setdefault(str(step.identity), position)

    def names_of(self, position: int) -> list[Identity]:
        """All that a step is called: its identity and what references call it, as far as these mean no other step."""
        step = self.steps[position]
        names: list[Identity] = [] if step.alias is None else [step.alias.name]
        names += [] if step.identity is None else [step.identity, str(step.identity)]
        return [name for name in dict.fromkeys(names) if self.position_of.get(name) == position]

    def reference_name(self, position: int) -> str | None:
        """What a reference calls a step; None if it cannot mean this one."""
        return next((name for name in self.names_of(position) if isinstance(name, str)), None)

    @property
    def is_in_list_order(self) -> bool:
        """Whether every step stands, in the list, behind those that it needs. If not, what an edit changes may stand
        before it."""
        return isinstance(self.sequence, range)

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
                edges.append(_new(Dependency, (source, number)))
        return tuple(edges) if edges else ()

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def preds(self) -> list[tuple[int, ...]]:
        return self.order.preds

    @property
    def dependencies(self) -> list[tuple[Dependency, ...]]:
        return self.flow.dependencies

    @property
    def successors(self) -> list[tuple[int, ...]]:
        return self.order.successors

    @cached_property
    def highest_number(self) -> int:
        """The highest number that names a step, or that some step refers to; -1 where there is none."""
        numbers = (name for names in (self.position_of, self.mentions.steps) for name in names)
        return max((number for number in numbers if isinstance(number, int)), default=-1)

    @cached_property
    def needs(self) -> list[tuple[int, ...]]:
        """For every step, those that it waits for or takes something from, circles and all."""
        if not self.closing:
            return _needs(self.preds, self.dependencies)
        preds = [self._preds_of(position, step) for position, step in enumerate(self.steps)]
        return _needs(preds, [self._dependencies_of(position, step) for position, step in enumerate(self.steps)])

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

    @cached_property
    def follower_counts(self) -> list[int]:
        """For every step, how many steps come after it on some path."""
        return self.order.follower_counts

    @cached_property
    def keystone(self) -> int | None:
        """The step that the most others follow; of several the smallest identity; none if nothing follows anything."""
        counts = self.follower_counts
        most = max(counts, default=0)
        if not most:
            return None
        return next(position for position in self.by_identity if counts[position] == most)

    @cached_property
    def first_reader(self) -> int:
        """The first step that reads something, or may; the number of steps where there is none."""
        reading = (i for i, step in enumerate(self.steps) if step.reads or not step.reads_known)
        return next(reading, len(self.steps))

    @cached_property
    def branches(self) -> Branches:
        return Branches(self.steps, self.order)

    def ordered_dependencies(self, position: int) -> Sequence[Dependency]:
        """A step's dependencies by their producers' identities; of one producer, in the order of the reads."""
        edges = self.dependencies[position]
        return edges if len(edges) < 2 else sorted(edges, key=lambda edge: self.rank[edge.producer])

    @cached_property
    def off_by_one(self) -> OffByOne | None:
        """All references of the plan, where each of them names the step before or after the one that it means."""
        has_broken = bool(self.flow.unclear or self.closing)
        return off_by_one(self.steps, self.position_of, self.any_order) if has_broken else None

    @cached_property
    def touches(self) -> TouchIndex:
        """For every resource, who touches it."""
        return TouchIndex(self.steps)

    @cached_property
    def mentions(self) -> MentionIndex:
        """For every identity that some step refers to, where that is."""
        return MentionIndex(self.steps)

    @cached_property
    def totals(self) -> Totals:
        steps = self.steps
        return Totals(
            sum([len(step.reads) for step in steps]),
            sum([len(step.writes) for step in steps]),
            sum([len(edges) for edges in self.dependencies]),
        )

    @cached_property
    def islands(self) -> list[list[int]]:
        """The parts of the plan that neither control nor data flow joins to the rest of it, that is, to the largest.

        Of several largest, the first in the list is the plan. Each part is a list of positions, ascending.
        """
        preds, edges = self.preds, self.dependencies
        starts = [i for i in self.sequence if not preds[i] and not edges[i]]
        if len(starts) < 2:  # each step but the first is joined to an earlier one
            return []
        root = {start: start for start in starts}

        def find(start: int) -> int:
            while root[start] != start:
                root[start] = start = root[root[start]]
            return start

        part_of = [0] * len(self)
        left, is_last_seen = len(starts), False
        for position in self.sequence:
            joined = {part_of[pred] for pred in preds[position]}
            joined.update(part_of[edge.producer] for edge in edges[position])
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

    @property
    def unknown_readers(self) -> int:
        """The steps of which it is not known what they read, so that they may read anything."""
        return set_of(position for position in bits(self.flow.unclear) if not self.steps[position].reads_known)

    # ---- stale reads ---------------------------------------------------------------------------------------------

    @cached_property
    def flagged(self) -> dict[int, tuple[Read, ...]]:
        """The steps that read something volatile, or again, with those reads."""
        found = {}
        for position, step in enumerate(self.steps):
            for read in step.reads:
                if read.volatile or read.revalidates:
                    found[position] = _flagged(step)
                    break
        return found

    def _flagged_after(self, outlines: Sequence[Outline], changed: Collection[int]) -> dict[int, tuple[Read, ...]]:
        found = self.flagged
        for position in changed:
            reads = _flagged(outlines[position])
            if reads != found.get(position, ()):
                found = dict(found) if found is self.flagged else found
                found[position] = reads
                if not reads:
                    del found[position]
        return found

    @cached_property
    def flagged_reads(self) -> list[tuple[int, tuple[Read, ...]]]:
        """The same, by identity."""
        return sorted(self.flagged.items(), key=lambda item: self.rank[item[0]])

    def exposed(self) -> tuple[Sources, list[tuple[int, int]]]:
        """The stale sources, and every action with the set of those that reach it, ordered by identity."""
        sources = Sources(self.flagged_reads)
        if not sources.places:
            return sources, []
        found = exposed(self.steps, self.order, self.flow, sources, self.sequence)
        return sources, sorted(found.items(), key=lambda item: self.rank[item[0]])

    def exposures(self) -> Iterator[Exposure]:
        """Every stale source that reaches an action, ordered by the identities of the actions and the sources."""
        sources, found = self.exposed()
        for action, stale in found:
            for number in bits(stale):
                yield Exposure(action, *sources.places[number])


def _flagged(step: Outline) -> tuple[Read, ...]:
    return tuple([read for read in step.reads if read.volatile or read.revalidates])


def _looks_ahead(position: int, preds: tuple[int, ...], edges: tuple[Dependency, ...]) -> bool:
    """Whether a step needs one that does not come before it in the list."""
    return max(preds, default=-1) >= position or max([edge.producer for edge in edges], default=-1) >= position


def _needs(preds: list[tuple[int, ...]], dependencies: list[tuple[Dependency, ...]]) -> list[tuple[int, ...]]:
    return [
        tuple(dict.fromkeys((*waits_for, *(edge.producer for edge in edges))))
        for waits_for, edges in zip(preds, dependencies, strict=True)
    ]
