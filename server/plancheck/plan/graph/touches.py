"""Who names what: for every resource the steps that touch it, for every step those that refer to it.

Collected in one sweep and kept with the graph, so that a question about one name costs what its answer does.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

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


def touches_of(outlines: Sequence[Outline]) -> dict[str, Touches]:
    found: dict[str, Touches] = {}

    def of(resource: str) -> Touches:
        touches = found.get(resource)
        if touches is None:
            touches = found[resource] = Touches([], [], [], [], [])
        return touches

    def note(steps: list[int], position: int) -> None:
        if not steps or steps[-1] != position:
            steps.append(position)

    for position, outline in enumerate(outlines):
        for read in outline.reads:
            touches = of(read.resource)
            touches.places.append(Touch(position, read.path, Use.READ))
            note(touches.readers, position)
            if read.revalidates:
                note(touches.rereaders, position)
            if read.volatile:
                note(touches.volatile_readers, position)
        for write in outline.writes:
            touches = of(write.resource)
            touches.places.append(Touch(position, write.path, Use.WRITE))
            note(touches.writers, position)
        for grant in outline.scope or ():
            of(grant.resource).places.append(Touch(position, grant.path, Use.GRANT))
    return found


def mentions_of(outlines: Sequence[Outline]) -> dict[Identity, list[Mention]]:
    found: dict[Identity, list[Mention]] = {}
    for position, outline in enumerate(outlines):
        for pred in outline.preds or ():
            found.setdefault(pred.identity, []).append(Mention(position, pred.path, None))
        for read in outline.reads:
            if read.producer is not None:
                found.setdefault(read.producer, []).append(Mention(position, read.producer_path, read.resource))
    return found
