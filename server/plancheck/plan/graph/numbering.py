"""Whether the references of a plan count its steps from another number than the plan does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from plancheck.lazy_regex import regex
from plancheck.plan.model import Identity, Outline, Read
from plancheck.tuples import NamedTuple

FEWEST = 2
"""References that it takes to be sure: a single one is merely wrong."""

_NUMBERED = regex(r"(.{0,60}?)(\d{1,6})", re.DOTALL)


class Shifted(NamedTuple):
    """A reference that names the wrong step, and the name that it should have."""

    step: int
    read: Read
    right: str


class OffByOne(NamedTuple):
    """All references of a plan, where each names the step before or after the one that is meant."""

    shifted: tuple[Shifted, ...]
    first: int
    """The number of the first of them that names no step before its own."""


def off_by_one(steps: Sequence[Outline], position_of: Mapping[Identity, int], any_order: bool) -> OffByOne | None:
    """The references of a plan if all of them are off by one in the same direction: as they are, most lead nowhere, or
    one names the number before the first; counted on or back by one, each leads to an earlier step."""
    found = [(position, read) for position, step in enumerate(steps) for read in step.reads if read.is_reference]
    if len(found) < FEWEST:
        return None
    broken = [number for number, use in enumerate(found) if _is_broken(*use, position_of, any_order)]
    if not broken:
        return None
    for by in (-1, 1):
        shifted = _shifted(found, by, position_of)
        if shifted is None:
            continue
        is_from_zero = by == 1 and any(_number(found[number][1]) == 0 for number in broken)
        if is_from_zero or 2 * len(broken) > len(found):
            return OffByOne(shifted, broken[0])
    return None


def _is_broken(position: int, read: Read, position_of: Mapping[Identity, int], any_order: bool) -> bool:
    target = position_of.get(read.producer) if read.producer is not None else None
    return target is None or target == position or (target > position and not any_order)


def _number(read: Read) -> int | None:
    match = _NUMBERED.fullmatch(str(read.producer))
    return None if match is None else int(match[2])


def _shifted(
    found: Sequence[tuple[int, Read]], by: int, position_of: Mapping[Identity, int]
) -> tuple[Shifted, ...] | None:
    shifted: list[Shifted] = []
    for position, read in found:
        names = _counted_on(str(read.producer), by)
        right = next((name for name in names if position_of.get(name, position) < position), None)
        if right is None:
            return None
        shifted.append(Shifted(position, read, right))
    return tuple(shifted)


def _counted_on(name: str, by: int) -> tuple[str, ...]:
    """The name with another number at its end, with and without zeros before it: `s2` for `s1`, `s09` for `s10`."""
    match = _NUMBERED.fullmatch(name)
    if match is None or int(match[2]) + by < 0:
        return ()
    number = str(int(match[2]) + by)
    return match[1] + number, match[1] + number.zfill(len(match[2]))
