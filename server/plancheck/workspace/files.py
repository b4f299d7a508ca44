"""The plans below a folder, and the configuration that is in force there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from plancheck.analysis.settings import Settings
from plancheck.tuples import NamedTuple
from plancheck.workspace.problem import ConfigProblem
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, decode, is_utf8, printable, read_text, why

if TYPE_CHECKING:
    from plancheck.workspace.config import Config
    from plancheck.workspace.extending import ConfigFile, ConfigFiles, MayFollow
    from plancheck.workspace.ignored import IgnoredPaths, IgnoreFiles

__all__ = [
    "NAMES",
    "SKIPPED_FOLDERS",
    "Configurations",
    "Loaded",
    "ReadError",
    "decode",
    "find_plans",
    "read_text",
    "relative",
]

NAMES = ("plancheck.toml", "pyproject.toml")
SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"})


class Loaded(NamedTuple):
    """A configuration and where it comes from."""

    path: str | None
    """The file; None where there is none above, so that the defaults apply."""
    folder: str
    """What the globs are relative to."""
    config: Config | None
    """None stands for the defaults: a plan without a configuration does not pay for the reader of TOML."""
    text: str = ""
    problems: tuple[ConfigProblem, ...] = ()

    def settings_for(self, path: str) -> Settings:
        return self.config.settings_for(relative(path, self.folder)) if self.config is not None else Settings()

    def is_plan(self, path: str) -> bool:
        return self._or_default().is_plan(relative(path, self.folder))

    def is_excluded(self, path: str) -> bool:
        return self.config is not None and self.config.is_excluded(relative(path, self.folder))

    @property
    def include(self) -> tuple[str, ...]:
        config = self._or_default()
        return (*config.include, *config.around.include_too)

    @property
    def fail_on(self) -> str:
        """From which severity on findings fail."""
        return (self.config.fail_on if self.config is not None else None) or "error"

    def _or_default(self) -> Config:
        from plancheck.workspace.config import Config

        return self.config if self.config is not None else Config()


def relative(path: str, folder: str) -> str:
    """An absolute path as seen from a folder, with forward slashes."""
    prefix = folder if folder.endswith(os.sep) else folder + os.sep
    try:
        found = path[len(prefix) :] if path.startswith(prefix) else os.path.relpath(path, folder)
    except ValueError:  # on another drive: as far outside as can be
        found = os.path.join(os.pardir, path.replace(":", ""))
    return found.replace(os.sep, "/")


class Configurations:
    """The configuration in force in each folder, every file read once."""

    def __init__(self, may_follow: MayFollow | None = None) -> None:
        self._may_follow = may_follow
        self._files: ConfigFiles | None = None
        self._everywhere: Loaded | None = None
        self._ignored: IgnoredPaths | None = None
        self._known: dict[str, Loaded] = {}
        self._in_force: list[Loaded] = []
        self.errors: list[ReadError] = []
        """Configuration files that are there and cannot be read."""

    def put_everywhere(self, path: str, folder: str) -> ReadError | None:
        """Have a file in force in all folders, with its globs relative to `folder`; the error if it cannot be read."""
        loaded = self.load(path, folder)
        if isinstance(loaded, ReadError):
            return loaded
        self._everywhere = loaded
        self._in_force.append(loaded)
        return None

    @property
    def loaded(self) -> list[Loaded]:
        """Every file that was read, in the order in which it was met, and then those that they extend."""
        found = {loaded.path: loaded for loaded in list(self._in_force)}
        extended = self._files.extended if self._files is not None else {}
        for path, file in list(extended.items()):  # another thread may be reading on
            if path in found:  # it is in force somewhere, too
                problems = sorted({*found[path].problems, *file.problems})
                found[path] = found[path]._replace(problems=tuple(problems))
            else:
                found[path] = _loaded(file)
        return list(found.values())

    @property
    def files(self) -> ConfigFiles:
        """The files of the configurations, whichever folders they are in force in."""
        from plancheck.workspace.extending import ConfigFiles

        if self._files is None:
            self._files = ConfigFiles(self._may_follow)
        return self._files

    @property
    def refused(self) -> list[str]:
        """The files that extend one to which they may not lead."""
        return sorted(self._files.refused if self._files is not None else ())

    @property
    def extended(self) -> Mapping[str, set[str]]:
        """The files that others extend, be they there or not, each with the files with which the ways to it begin."""
        return self._files.roots if self._files is not None else {}

    def load(self, path: str, folder: str | None = None) -> Loaded | ReadError:
        """The configuration in a file, with what it extends."""
        file = self.files.load(path)
        return file if isinstance(file, ReadError) else _loaded(file, folder)

    def above(self, folder: str) -> Loaded:
        """The nearest configuration in `folder`, given as an absolute path, or above it."""
        if self._everywhere is not None:
            return self._everywhere
        found = self._known.get(folder)
        if found is not None:
            return found
        passed: list[str] = []
        while found is None:
            found = self._known.get(folder) or self._in(folder)
            passed.append(folder)
            parent = os.path.dirname(folder)
            if found is None and parent == folder:
                found = Loaded(None, folder, None)
            folder = parent
        self._known.update(dict.fromkeys(passed, found))
        return found

    def excludes(self, path: str) -> bool:
        """Whether a search would leave out a file or folder, given by its absolute path, because `exclude` or
        .gitignore excludes it or a folder that it lies in."""
        from plancheck.workspace.ignored import IgnoredPaths

        if self._ignored is None:
            self._ignored = IgnoredPaths()
        inner = path
        while (folder := os.path.dirname(inner)) != inner:
            loaded = self.above(folder)
            if inner.startswith(os.path.join(loaded.folder, "")) and loaded.is_excluded(inner):
                return True
            inner = folder
        return path in self._ignored

    def _in(self, folder: str) -> Loaded | None:
        for name in NAMES:
            path = os.path.join(folder, name)
            if not os.path.lexists(path):
                continue
            if name == "pyproject.toml" and not _may_configure_plancheck(path):
                continue
            loaded = self.load(path)
            if isinstance(loaded, Loaded):
                self._in_force.append(loaded)
                return loaded
            self.errors.append(loaded)
        return None


def _loaded(file: ConfigFile, folder: str | None = None) -> Loaded:
    if folder is None:
        return Loaded(file.path, os.path.dirname(file.path), file.config, file.text, file.problems)
    around = file.config.around._replace(folder=folder.replace(os.sep, "/"))
    config = file.config._replace(around=around)
    return Loaded(file.path, folder, config, file.text, file.problems)


def _may_configure_plancheck(pyproject: str) -> bool:
    """A `pyproject.toml` of somebody else is no configuration: the search goes on above it. Of one that cannot be read
    nobody knows."""
    text = read_text(pyproject, most=MOST_BYTES_OF_SETTINGS)
    if isinstance(text, ReadError):
        return True
    if "plancheck" not in text and "\\" not in text:
        return False
    from plancheck.workspace.config import has_section

    return has_section(text)


class _Folder(NamedTuple):
    """A folder that is still to be looked through."""

    path: str
    loaded: Loaded
    """What is in force above it."""
    ignores: IgnoreFiles
    is_nameable: bool
    """Whether it, and all above it up to where the search began, have names that are text."""


def find_plans(folder: str, configurations: Configurations) -> Iterator[str | ReadError]:
    """The plan files below a folder (an absolute path), in the order of their names.

    Whatever .gitignore excludes is left out, and so are folders of tools. A symbolic link to a folder is not followed:
    it may lead in a circle, and what it leads to is found under its own name where it matters. A plan whose name is not
    text, or which is a link in a circle, is an error of its own and hides no other.
    """
    from plancheck.workspace.ignored import ignore_files_above

    ignores = ignore_files_above(folder)
    yield from ignores.errors
    todo: list[_Folder | str | ReadError] = [_Folder(folder, configurations.above(folder), ignores, is_nameable=True)]
    while todo:
        item = todo.pop()
        if not isinstance(item, _Folder):
            yield item
            continue
        try:
            with os.scandir(item.path) as found:
                entries = sorted(found, key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            yield ReadError(printable(item.path), why(error))
            continue
        ignores = item.ignores.with_folder(item.path, any(entry.name == ".gitignore" for entry in entries))
        yield from ignores.errors[len(item.ignores.errors) :]
        loaded = configurations.above(item.path) if item.is_nameable else item.loaded
        inside = _Folder(item.path, loaded, ignores, item.is_nameable)
        todo += (looked for entry in entries if (looked := _look_at(entry, inside)) is not None)


def _look_at(entry: os.DirEntry[str], folder: _Folder) -> _Folder | str | ReadError | None:
    """What an entry of a folder is to the search; None for nothing."""
    loaded, ignores = folder.loaded, folder.ignores
    is_nameable = folder.is_nameable and is_utf8(entry.name)
    if entry.is_dir(follow_symlinks=False):
        if entry.name in SKIPPED_FOLDERS or loaded.is_excluded(entry.path):
            return None
        is_ignored = ignores.ignores(entry.path, is_folder=True)
        return None if is_ignored else folder._replace(path=entry.path, is_nameable=is_nameable)
    if not loaded.is_plan(entry.path) or ignores.ignores(entry.path, is_folder=False):
        return None
    try:
        if not entry.is_file():
            return _what_is_no_file(entry)
    except OSError as error:
        return ReadError(printable(entry.path), why(error))
    if not is_nameable:
        return ReadError(printable(entry.path), "its name is not UTF-8, so it was not checked: rename it.")
    return entry.path


def _what_is_no_file(entry: os.DirEntry[str]) -> ReadError | None:
    """Why something that is named like a plan cannot be checked. A link to a folder is no plan, and neither is the link
    to nowhere by which Emacs marks a file that is being edited."""
    if entry.is_dir() or entry.name.startswith(".#"):
        return None
    read = read_text(entry.path, most=0)
    return ReadError(printable(read.path), read.message) if isinstance(read, ReadError) else None
