"""What the `.gitignore` files of a repository exclude. The nearest file that says something about a path decides."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plancheck.tuples import NamedTuple
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, printable, read_bytes

if TYPE_CHECKING:
    from plancheck.workspace.gitignore import IgnoreRules


class IgnoreFiles(NamedTuple):
    """The ignore files in force in a folder, the nearest first, each with the folder that it speaks about."""

    files: tuple[tuple[str, IgnoreRules], ...] = ()
    errors: tuple[ReadError, ...] = ()
    """Those among them that are in force in part only, in the order in which they were read."""

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder, given as an absolute path, is excluded; its folders are known not to be."""
        for folder, rules in self.files:
            below = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            verdict = rules.verdict(below, is_folder)
            if verdict is not None:
                return verdict
        return False

    def with_folder(self, folder: str, has_file: bool = True) -> IgnoreFiles:
        """The ignore files in force inside a folder, its own included."""
        return self.with_file(folder, os.path.join(folder, ".gitignore")) if has_file else self

    def with_file(self, folder: str, path: str) -> IgnoreFiles:
        """These, and the file at a path as the one that decides first; one that cannot be read is none, as in git."""
        raw = read_bytes(path, most=MOST_BYTES_OF_SETTINGS)
        if isinstance(raw, ReadError):
            return self
        from plancheck.workspace.gitignore import IgnoreRules

        rules = IgnoreRules(raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))
        errors = self.errors
        if rules.is_cut:
            errors = (*errors, ReadError(printable(path), _CUT))
        return IgnoreFiles(((folder, rules), *self.files) if rules else self.files, errors)


_CUT = "it is too long, so only its first lines are applied: shorten it."


class IgnoredPaths:
    """Which paths the ignore files of their repositories exclude; the files for each folder are read once."""

    def __init__(self) -> None:
        self._inside: dict[str, IgnoreFiles | None] = {}
        """By folder, the ignore files in force in it, its own included; None where it is itself excluded."""

    def __contains__(self, path: str) -> bool:
        """Whether a file or folder, or a folder that it lies in, is excluded."""
        folder = os.path.dirname(path)
        if folder not in self._inside:
            above = _ignore_files_above(folder)
            self._inside[folder] = above.with_folder(folder) if above is not None else None
        inside = self._inside[folder]
        return inside is None or inside.ignores(path, is_folder=os.path.isdir(path))


def ignore_files_above(folder: str) -> IgnoreFiles:
    """The ignore files of the repository that `folder` is part of, its own excluded.

    A folder that is itself excluded was asked for by name: then what excludes it does not count.
    """
    found = _ignore_files_above(folder)
    return found if found is not None else IgnoreFiles()


def _ignore_files_above(folder: str) -> IgnoreFiles | None:
    """Likewise; None where the folder is itself excluded."""
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
            return None
    return found
