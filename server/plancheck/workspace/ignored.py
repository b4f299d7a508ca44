"""What `.gitignore` files exclude. The nearest file that says something about a path decides, as in git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class IgnoreFiles(NamedTuple):
    """The ignore files in force in a folder, the nearest first, each with the folder that it speaks about."""

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder, given as an absolute path, is excluded; its folders are known not to be."""
        for folder, spec in self.specs:
            below = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            verdict = spec.check_file(f"{below}/" if is_folder else below).include
            if verdict is not None:
                return verdict
        return False

    def with_folder(self, folder: str, has_file: bool) -> IgnoreFiles:
        """The ignore files in force inside a folder, its own included."""
        return self._with(folder, os.path.join(folder, ".gitignore")) if has_file else self

    def _with(self, folder: str, path: str) -> IgnoreFiles:
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                lines = file.read().split("\n")
        except OSError:  # one that cannot be read excludes nothing, as in git
            return self
        if not any(line.strip() for line in lines):
            return self
        from pathspec import GitIgnoreSpec

        return IgnoreFiles(((folder, GitIgnoreSpec.from_lines(lines)), *self.specs))


def ignore_files_above(folder: str) -> IgnoreFiles:
    """The ignore files of the repository that `folder` is part of, its own excluded.

    A folder that is itself excluded was asked for by name: then what excludes it does not count.
    """
    between: list[str] = []
    root = folder
    while not os.path.exists(os.path.join(root, ".git")):
        between.append(root)
        parent = os.path.dirname(root)
        if parent == root:
            return IgnoreFiles()
        root = parent
    found = IgnoreFiles()._with(root, os.path.join(root, ".git", "info", "exclude"))
    for inner in reversed(between):
        outer = os.path.dirname(inner)
        found = found.with_folder(outer, has_file=True)
        if found.ignores(inner, is_folder=True):
            return IgnoreFiles()
    return found
