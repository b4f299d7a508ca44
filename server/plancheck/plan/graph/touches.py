"""Who names what: for every resource the steps that touch it, for every step those that refer to it.

One sweep notes the steps by the names they use; what they do with one name is made out when it is first asked for. So
a question about one name costs what its answer does, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple, TypeVar

from plancheck.plan.model import Identity, Outline
from plancheck.syntax.tree import Path


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


class Mention(NamedTuple):
    """A place that names a step: as one to wait for or, with a resource, as the one that produced it."""

    step: int
    path: Path
    resource: str | None


class TouchIndex:
    """The touches of every resource."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = outlines
        self._known: dict[str, Touches] = {}
        self.steps: dict[str, list[int]] = {}
        """For every resource, in the order in which the plan first names them, the steps that touch it."""
        for position, outline in enumerate(outlines):
            _note(self.steps, position, (read.resource for read in outline.reads))
            _note(self.steps, position, (write.resource for write in outline.writes))
            if outline.scope:
                _note(self.steps, position, (grant.resource for grant in outline.scope))

    def of(self, resource: str) -> Touches:
        touches = self._known.get(resource)
        if touches is None:
            touches = self._known[resource] = Touches([], [], [], [], [])
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


class MentionIndex:
    """The places that name a step other than by being it."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = outlines
        self.steps: dict[Identity, list[int]] = {}
        """For every identity that is referred to, whether a step has it or not, the steps that do."""
        for position, outline in enumerate(outlines):
            if outline.preds:
                _note(self.steps, position, (pred.identity for pred in outline.preds))
            _note(self.steps, position, (read.producer for read in outline.reads if read.producer is not None))

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


_Name = TypeVar("_Name", str, Identity)


def _note(steps: dict[_Name, list[int]], position: int, names: Iterable[_Name]) -> None:
    for name in names:
        known = steps.get(name)
        if known is None:
            steps[name] = [position]
        elif known[-1] != position:
            known.append(position)
