"""Where the steps of a plan stand in its document: as the elements of one list, or each at a path of its own."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from plancheck.syntax.tree import Chunk, Path, Spine, Top, Tree


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

    __slots__ = ("paths", "positions")

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths
        self.positions = {path: position for position, path in enumerate(paths)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scattered) and self.paths == other.paths

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


def chunk_around(tree: Tree, path: Path) -> tuple[int, Chunk, Path]:
    """The chunk that a step stands in: its start, itself, and the step's path inside."""
    found = tree.resolve(path)
    if isinstance(found, Top) and isinstance(found.value, Chunk):
        return found.start, found.value, ()
    if found is None or isinstance(found, (Top, Spine)):
        raise LookupError(f"no step stands at {path}")
    return found
