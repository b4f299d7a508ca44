"""Why a value fits none of several schemas: explained by the one that it comes closest to."""

from __future__ import annotations

from collections.abc import Sequence

from plancheck.catalogue.fit import NotedFault
from plancheck.catalogue.resolve import Steps
from plancheck.catalogue.words import either

_CHOICES = ("const", "enum")


def explained(branches: Sequence[Sequence[NotedFault]], place: Steps | None) -> NotedFault | None:
    """What the closest branch misses. None where all branches want another kind of value: what they want is to be said
    in one message."""
    if all(_wants_another_value(found, place) for found in branches):
        return None
    closest = min(branches, key=lambda found: _distance(found, place))
    return min(closest, key=lambda fault: (fault.keyword not in _CHOICES, -_depth(fault)))


def alternatives(branches: Sequence[Sequence[NotedFault]]) -> str:
    """What the branches want, in words."""
    return either([found[0].expected for found in branches])


def _wants_another_value(found: Sequence[NotedFault], place: Steps | None) -> bool:
    return all(fault.place is place and fault.keyword in ("type", *_CHOICES) and fault.expected for fault in found)


def _distance(found: Sequence[NotedFault], place: Steps | None) -> tuple[bool, bool, bool, int, int]:
    """Another type is furthest, then another choice, then another discriminator, then more faults; of as many the
    deeper ones are closer."""
    here = {fault.keyword for fault in found if fault.place is place}
    members = {fault.keyword for fault in found if fault.place is not None and fault.place.outer is place}
    return (
        "type" in here or "false" in here,
        not here.isdisjoint(_CHOICES),
        not members.isdisjoint(_CHOICES),
        len(found),
        -max(_depth(fault) for fault in found),
    )


def _depth(fault: NotedFault) -> int:
    return 0 if fault.place is None else fault.place.depth
