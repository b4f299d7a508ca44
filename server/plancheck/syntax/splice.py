"""What two versions of a list have in common: an edit leaves a head and a tail of the very same objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import indexOf, is_

from plancheck.tuples import NamedTuple


class Splice(NamedTuple):
    """How one list becomes another: `head` objects stay, then others take the place of some, then `tail` stay."""

    head: int
    tail: int


def splice(old: Sequence[object], new: Sequence[object]) -> Splice:
    head = common_head(old, new)
    most = min(len(old), len(new)) - head
    return Splice(head, min(common_tail(old, new), most) if most else 0)


def common_head(one: Sequence[object], other: Sequence[object]) -> int:
    """How many objects two lists begin with that are the same."""
    return _run_length(map(is_, one, other), min(len(one), len(other)))


def common_tail(one: Sequence[object], other: Sequence[object]) -> int:
    """How many objects two lists end with that are the same."""
    return _run_length(map(is_, reversed(one), reversed(other)), min(len(one), len(other)))


def _run_length(are_same: Iterator[bool], most: int) -> int:
    try:
        return indexOf(are_same, False)
    except ValueError:
        return most
