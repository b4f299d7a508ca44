"""What two versions of a list have in common: an edit leaves a head and a tail of the very same objects."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

from plancheck.tuples import NamedTuple


class Splice(NamedTuple):
    """How one list becomes another: `head` objects stay, then others take the place of some, then `tail` stay."""

    head: int
    tail: int


def splice(old: Sequence[object], new: Sequence[object]) -> Splice:
    head = common_head(old, new)
    return Splice(head, common_head(old[head:][::-1], new[head:][::-1]))


def common_head(one: Sequence[object], other: Sequence[object]) -> int:
    """How many objects two lists begin with that are the same; they are compared by pieces, which is fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if all(map(is_, one[low:middle], other[low:middle])):
            low = middle
        else:
            high = middle - 1
    return low
