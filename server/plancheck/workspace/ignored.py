"""What the `.gitignore` files of a repository exclude. The nearest file that says something about a path decides."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from plancheck.workspace.gitignore import Pattern


class IgnoreFiles(NamedTuple):
    """The ignore files in force in a folder, the nearest first, each with the folder that it speaks about."""

    files: tuple[tuple[str, tuple[Pattern, ...]], ...] = ()

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder, given as an absolute path, is excluded; its folders are known not to be."""
        if not self.files:
            return False
        from plancheck.workspace.gitignore import verdict

        for folder, patterns in self.files:
            below = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            said = verdict(patterns, below, is_folder)
            if said is not None:
                return said
        return False

    def with_folder(self, folder: str, has_file: bool = True) -> IgnoreFiles:
        """The ignore files in force inside a folder, its own included."""
        return self.with_file(folder, os.path.join(folder, ".gitignore")) if has_file else self

    def with_file(self, folder: str, path: str) -> IgnoreFiles:
        try:
            with open(path, encoding="utf-8-sig", errors="surrogateescape", newline="\n") as file:
                text = file.read()
        except OSError:  # one that cannot be read excludes nothing, as in git
            return self
        from plancheck.workspace.gitignore import parse_gitignore

        patterns = parse_gitignore(text.split("\n"))
        return IgnoreFiles(((folder, patterns), *self.files)) if patterns else self


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
    found = IgnoreFiles().with_file(root, os.path.join(root, ".git", "info", "exclude"))
    for inner in reversed(between):
        found = found.with_folder(os.path.dirname(inner))
        if found.ignores(inner, is_folder=True):
            return IgnoreFiles()
    return found
