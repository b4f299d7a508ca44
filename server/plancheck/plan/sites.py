"""Where the steps of a plan stand in its document: as the elements of one list, or each at a path of its own."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Protocol

from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class Sites(Protocol):
    """From the positions of the steps to their paths, and back."""

    def path_of(self, position: int) -> Path:
        """The path of a step from the document's root."""
        ...

    def find(self, path: Path) -> tuple[int, Path] | None:
        """The position of the step that a path leads to or into, and the rest of the path inside that step."""
        ...


class Elements(NamedTuple):
    """The steps are the elements of the list at a path: their paths need not be written down."""

    path: Path
    size: int

    def path_of(self, position: int) -> Path:
        return (*self.path, position)

    def find(self, path: Path) -> tuple[int, Path] | None:
        depth = len(self.path)
        if len(path) <= depth or path[:depth] != self.path:
            return None
        position = path[depth]
        if not isinstance(position, int) or not 0 <= position < self.size:
            return None
        return position, path[depth + 1 :]


class Scattered:
    """Each step stands somewhere: under a key of an object, or in a list that it shares with some of the others."""

    __slots__ = ("_positions", "data", "paths")

    def __init__(self, paths: list[Path], data: tuple[Path, ...] = ()) -> None:
        self.paths = paths
        self.data = data
        """What tools have answered, in a document that is not cut into chunks: data, in which nothing is a call."""
        self._positions: dict[Path, int] | None = None

    @property
    def positions(self) -> dict[Path, int]:
        if self._positions is None:
            self._positions = {path: position for position, path in enumerate(self.paths)}
        return self._positions

    @property
    def is_document(self) -> bool:
        """Whether the document is a step, and the only one."""
        return self.paths[:1] == [()]

    def below(self, path: Path) -> list[Path]:
        """The paths of the steps in an element of a list, from there: they stand in the order of its elements."""
        depth = len(path)
        first = bisect_left(self.paths, path, key=lambda step: step[:depth])
        last = bisect_right(self.paths, path, lo=first, key=lambda step: step[:depth])
        return [step[depth:] for step in self.paths[first:last]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scattered) and (self.paths, self.data) == (other.paths, other.data)

    def __hash__(self) -> int:
        return hash(tuple(self.paths))

    def path_of(self, position: int) -> Path:
        return self.paths[position]

    def find(self, path: Path) -> tuple[int, Path] | None:
        for depth in range(len(path) + 1):
            position = self.positions.get(path[:depth])
            if position is not None:
                return position, path[depth:]
        return None
