"""Sets of steps, resources or reads as Python ints with a bit for each, and sweeps that make one for every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias


def bits(mask: int) -> Iterator[int]:
    """The positions of the set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def numbers_of(mask: int) -> list[int]:
    """The same at once, which is faster where many bits are set."""
    return [number for number, digit in enumerate(reversed(f"{mask:b}")) if digit == "1"]


def set_of(positions: Iterable[int]) -> int:
    found = 0
    for position in positions:
        found |= 1 << position
    return found


def last_of(positions: int) -> int | None:
    return positions.bit_length() - 1 if positions else None


def descending(positions: int) -> Iterator[int]:
    """The positions of a set, the last first."""
    while positions:
        last = positions.bit_length() - 1
        yield last
        positions ^= 1 << last


Make: TypeAlias = Callable[[Sequence[int], int], int]
"""The set of one step, given those of the steps before it in the sequence."""


class Sweep(Sequence[int]):
    """A set for every step, made in the order of a sequence and only as far as somebody has asked.

    After an edit, the sets of the steps before the edited one stay as they are.
    """

    __slots__ = ("_done", "_make", "_place_of", "_sequence", "_sets")

    def __init__(self, sequence: Sequence[int], make: Make) -> None:
        self._sequence = sequence
        self._make = make
        self._sets = [0] * len(sequence)
        self._done = 0
        """How many of the sequence have their set."""
        self._place_of: dict[int, int] | None = None
        if not isinstance(sequence, range):
            self._place_of = {position: place for place, position in enumerate(sequence)}

    def edited(self, make: Make, first: int) -> Sweep:
        """The same sweep where the steps from position `first` on may have other sets; the sequence is the list's."""
        new = Sweep(self._sequence, make)
        new._done = min(self._done, first)
        new._sets[: new._done] = self._sets[: new._done]
        return new

    def __len__(self) -> int:
        return len(self._sets)

    def __getitem__(self, position: int) -> int:  # type: ignore[override]
        place = position if self._place_of is None else self._place_of[position]
        if place >= self._done:
            sets, make = self._sets, self._make
            for step in self._sequence[self._done : place + 1]:
                sets[step] = make(sets, step)
            self._done = max(self._done, place + 1)
        return self._sets[position]
