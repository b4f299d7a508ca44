"""Who names what: for every resource the steps that touch it, for every step those that refer to it.

One sweep notes the steps by the names they use; what they do with one name is made out when it is asked for. So a
question about one name costs what its answer does, and an edit costs the names it touches.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Generic, TypeVar
from unicodedata import normalize

from plancheck.cached import cached_property
from plancheck.plan.graph.sets import set_of
from plancheck.plan.model import Grant, Identity, Outline, Read, Write
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class Use(Enum):
    READ = "read"
    WRITE = "write"
    GRANT = "grant"


class Touch(NamedTuple):
    step: int
    path: Path
    use: Use


class Touches(NamedTuple):
    """What is done with one resource; steps as positions, each once, in the order of the list."""

    places: list[Touch]
    readers: list[int]
    writers: list[int]
    rereaders: list[int]
    """Those of the readers that make sure of the value again (`revalidates`)."""
    volatile_readers: list[int]


class ReadUse(NamedTuple):
    step: int
    outline: Outline
    read: Read


class WriteUse(NamedTuple):
    step: int
    outline: Outline
    write: Write


class GrantUse(NamedTuple):
    step: int
    outline: Outline
    grant: Grant


class Resource:
    """Everything that steps do with one resource, in the order of the list."""

    def __init__(self, name: str, steps: Sequence[int], outlines: Sequence[Outline]) -> None:
        self.name = name
        self.steps = steps
        self.reads: list[ReadUse] = []
        self.writes: list[WriteUse] = []
        self.grants: list[GrantUse] = []
        for position in steps:
            outline = outlines[position]
            for read in outline.reads:
                if read.resource == name:
                    self.reads.append(ReadUse(position, outline, read))
            for write in outline.writes:
                if write.resource == name:
                    self.writes.append(WriteUse(position, outline, write))
            for grant in outline.scope or ():
                if grant.resource == name:
                    self.grants.append(GrantUse(position, outline, grant))

    @cached_property
    def readers(self) -> int:
        return set_of(use.step for use in self.reads)

    @cached_property
    def writing_steps(self) -> int:
        return set_of(use.step for use in self.writes)

    @cached_property
    def writers(self) -> list[WriteUse]:
        """The first write of every step that writes it."""
        if len(self.writes) < 2:
            return self.writes
        return list({use.step: use for use in reversed(self.writes)}.values())[::-1]

    @cached_property
    def is_stale_somewhere(self) -> bool:
        """Whether some step reads it as something that may change."""
        return any(use.read.volatile for use in self.reads)

    @cached_property
    def is_reread(self) -> bool:
        return any(use.read.revalidates for use in self.reads)


Name = TypeVar("Name", str, Identity)


class _Index(Generic[Name]):
    """For every name, the steps that use it."""

    def __init__(self, outlines: Sequence[Outline], names_of: Callable[[Outline], Iterable[Name]]) -> None:
        self._outlines = outlines
        self._names_of: Callable[[Outline], Iterable[Name]] = names_of
        self._is_in_order = True
        """Whether the names stand in the order in which the plan first uses them."""
        self.steps: dict[Name, list[int]] = {}
        """The positions, ascending; they are never changed in place once somebody sees them."""
        for position, outline in enumerate(outlines):
            for name in names_of(outline):
                known = self.steps.get(name)
                if known is None:
                    self.steps[name] = [position]
                elif known[-1] != position:
                    known.append(position)

    def _patch(self, old: _Index[Name], outlines: Sequence[Outline], changed: Collection[int]) -> None:
        """Become the index of `old` after an edit of some steps."""
        self._outlines, self._names_of, self._is_in_order = outlines, old._names_of, old._is_in_order
        self.steps = old.steps
        for position in changed:
            before, after = set(self._names_of(old._outlines[position])), set(self._names_of(outlines[position]))
            if before == after:
                self._is_in_order = False  # they may stand in another order
                continue
            if self.steps is old.steps:
                self.steps, self._is_in_order = dict(old.steps), False
            for name in before - after:
                left = [step for step in self.steps[name] if step != position]
                if left:
                    self.steps[name] = left
                else:
                    del self.steps[name]
            for name in after - before:
                more = self.steps.get(name, [])[:]
                insort(more, position)
                self.steps[name] = more

    def names(self) -> list[Name]:
        """All names, in the order in which the plan first uses them."""
        if self._is_in_order:
            return list(self.steps)
        return list(dict.fromkeys(name for outline in self._outlines for name in self._names_of(outline)))


def resources_of(outline: Outline) -> Iterator[str]:
    """The resources that a step touches."""
    for read in outline.reads:
        yield read.resource
    for write in outline.writes:
        yield write.resource
    for grant in outline.scope or ():
        yield grant.resource


def _mentioned_by(outline: Outline) -> Iterator[Identity]:
    for pred in outline.preds or ():
        yield pred.identity
    for read in outline.reads:
        if read.producer is not None:
            yield read.producer


class TouchIndex(_Index[str]):
    """The touches of every resource."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        super().__init__(outlines, resources_of)
        self._touches: dict[str, Touches] = {}

    def edited(self, outlines: Sequence[Outline], changed: Collection[int]) -> TouchIndex:
        new = TouchIndex(())
        new._patch(self, outlines, changed)
        if "spellings" in self.__dict__:
            new.spellings = self._spellings_after(new, changed)
        return new

    def resource(self, name: str) -> Resource:
        return Resource(name, self.steps.get(name, ()), self._outlines)

    def of(self, resource: str) -> Touches:
        """What is done with a resource, made out once."""
        touches = self._touches.get(resource)
        if touches is None:
            touches = self._touches[resource] = Touches([], [], [], [], [])
            for position in self.steps.get(resource, ()):
                self._collect(touches, position, resource)
        return touches

    def _collect(self, touches: Touches, position: int, resource: str) -> None:
        outline = self._outlines[position]
        reads = [read for read in outline.reads if read.resource == resource]
        writes = [write for write in outline.writes if write.resource == resource]
        touches.places.extend(Touch(position, read.path, Use.READ) for read in reads)
        touches.places.extend(Touch(position, write.path, Use.WRITE) for write in writes)
        for grant in outline.scope or ():
            if grant.resource == resource:
                touches.places.append(Touch(position, grant.path, Use.GRANT))
        if reads:
            touches.readers.append(position)
        if writes:
            touches.writers.append(position)
        if any(read.revalidates for read in reads):
            touches.rereaders.append(position)
        if any(read.volatile for read in reads):
            touches.volatile_readers.append(position)

    @cached_property
    def spellings(self) -> dict[str, tuple[str, ...]]:
        """The names that differ only in how they are written, by what they have in common."""
        found: dict[str, tuple[str, ...]] = {}
        for name in self.steps:
            folded = fold(name)
            found[folded] = (*found.get(folded, ()), name)
        return found

    def _spellings_after(self, new: TouchIndex, changed: Collection[int]) -> dict[str, tuple[str, ...]]:
        before = {name for position in changed for name in resources_of(self._outlines[position])}
        after = {name for position in changed for name in resources_of(new._outlines[position])}
        came_or_went = [name for name in before ^ after if (name in self.steps) is not (name in new.steps)]
        if not came_or_went:
            return self.spellings
        found = dict(self.spellings)
        for name in came_or_went:
            folded = fold(name)
            others = tuple(other for other in found.get(folded, ()) if other != name)
            group = (*others, name) if name in new.steps else others
            if group:
                found[folded] = group
            else:
                found.pop(folded, None)
        return found


@lru_cache(maxsize=1 << 16)
def fold(name: str) -> str:
    """What the spellings of one name have in common: capitals, `-`, `_` and spaces do not count."""
    if not name.isascii():
        name = normalize("NFKC", name)
    return name.strip().replace("-", "_").replace(" ", "_").casefold()


class Mention(NamedTuple):
    """A place that names a step: as one to wait for or, with a resource, as the one that produced it."""

    step: int
    path: Path
    resource: str | None


class MentionIndex(_Index[Identity]):
    """The places that name a step other than by being it."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        super().__init__(outlines, _mentioned_by)

    def edited(self, outlines: Sequence[Outline], changed: Collection[int]) -> MentionIndex:
        new = MentionIndex(())
        new._patch(self, outlines, changed)
        return new

    def of(self, identity: Identity) -> list[Mention]:
        found: list[Mention] = []
        for position in self.steps.get(identity, ()):
            outline = self._outlines[position]
            found += (Mention(position, pred.path, None) for pred in outline.preds or () if pred.identity == identity)
            found += (
                Mention(position, read.producer_path, read.resource)
                for read in outline.reads
                if read.producer == identity
            )
        return found
