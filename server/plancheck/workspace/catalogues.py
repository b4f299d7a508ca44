"""The tool catalogues of a workspace: which files are in force for a plan, every one read once.

Nothing is guessed by the name of a file: a configuration, the command line or the editor's settings name catalogues, by
paths or by globs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from plancheck.frozen import replace
from plancheck.policy.showing import shortened
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown
from plancheck.workspace.problem import ConfigProblem
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, read_text

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.catalogue.model import Catalogue, CatalogueFile, CatalogueProblem, CatalogueSource
    from plancheck.workspace.config_model import NamedFiles
    from plancheck.workspace.files import Configurations, Loaded

ToolsSource: TypeAlias = "Catalogue | str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"
"""A catalogue, or the file or files that it is in."""

MOST_FILES = 200
"""Catalogues that one glob may stand for."""
MOST_ENTRIES = 200_000
"""Files and folders that are looked through for one glob."""
TOO_MANY = "`{}` matches more files than are read: make it match fewer, or name the files themselves."
NO_FILE = "No file matches `{}`: name a file that is there, or remove this entry."


class CheckedCatalogue(NamedTuple):
    """A file of a catalogue, and what is wrong with it, also together with the others."""

    file: CatalogueFile
    problems: list[CatalogueProblem]


class EditorTools(NamedTuple):
    """The catalogues that the editor's settings name, relative to a folder."""

    names: tuple[str, ...]
    folder: str | None
    """None outside of all folders: only absolute paths mean something there."""


class FittingFiles(NamedTuple):
    """The files that a path or a glob means."""

    paths: tuple[str, ...]
    is_complete: bool = True


class _Named(NamedTuple):
    """What is in force for a plan, by names."""

    paths: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """The globs that fit no file."""
    cut: tuple[str, ...] = ()
    """Those that fit too many."""


def read_source(path: str) -> str | ReadError:
    return read_text(path, most=MOST_BYTES_OF_SETTINGS)


class Catalogues:
    """The catalogues below some configurations."""

    def __init__(
        self,
        configurations: Configurations,
        read: Callable[[str], str | ReadError] = read_source,
        named: Sequence[str] | None = None,
        editor: EditorTools | None = None,
        source_of: Callable[[str, str], CatalogueSource] | None = None,
    ) -> None:
        """`source_of` gives the source for a path and a text: one that was read already, if there is one."""
        self._configurations = configurations
        self._read = read
        self._named = named
        """The files that the user names on the command line: they take the place of all others."""
        self._editor = editor
        self._source_of = source_of
        self._in_force: dict[_Named, Catalogue] = {}
        self._fitting: dict[tuple[str, str], FittingFiles] = {}
        self._texts: dict[str, str | ReadError] = {}

    def over(self, settings: Settings, plan: str) -> Settings:
        """The settings for a plan, given by its absolute path, with the catalogue that is in force for it."""
        catalogue = self.for_plan(plan)
        return settings if catalogue is None else replace(settings, catalogue=catalogue)

    def for_plan(self, plan: str) -> Catalogue | None:
        """The catalogue that is in force for a plan; None where nobody names one."""
        named = self._named_for(plan)
        if not any(named):
            return None
        known = self._in_force.get(named)
        if known is None:
            known = self._in_force[named] = self._joined(named)
        return known

    @property
    def in_force(self) -> list[Catalogue]:
        """Every catalogue that was asked for."""
        return list(self._in_force.values())

    @property
    def errors(self) -> list[ReadError]:
        """The files that are named and cannot be read."""
        return [text for text in self._texts.values() if isinstance(text, ReadError)]

    @property
    def checked(self) -> Iterator[CheckedCatalogue]:
        """Every file that was read, once."""
        seen: set[str] = set()
        for catalogue in self._in_force.values():
            for file in catalogue.files:
                if file.path not in seen:
                    seen.add(file.path)
                    yield CheckedCatalogue(file, catalogue.problems_of(file))

    def configuration_problems(self, loaded: Loaded) -> list[ConfigProblem]:
        """The globs of a configuration that fit no file, each at its place."""
        return [] if loaded.config is None else self.unfitting(loaded.config.tools, loaded.folder)

    def unfitting(self, entries: Iterable[NamedFiles], folder: str) -> list[ConfigProblem]:
        from plancheck.workspace.globs import is_glob

        return [
            ConfigProblem(entry.start, entry.end, NO_FILE.format(shortened(entry.text)), entry.pointer)
            for entry in entries
            if entry.folder is None and is_glob(entry.text) and not self._files(entry.text, folder).paths
        ]

    def names(self, path: str) -> bool:
        """Whether a file, given by its absolute path, is a catalogue by some configuration that was read, or by the
        editor's settings."""
        folder = os.path.dirname(path)
        self._configurations.above(folder)
        entries = [
            (entry.text, entry.folder or loaded.folder)
            for loaded in self._configurations.loaded
            if loaded.config is not None
            for entry in loaded.config.tools
        ]
        if self._editor is not None:
            entries += [(name, self._editor.folder or os.sep) for name in self._editor.names]
        return any(_fits(name, folder, path) for name, folder in entries)

    # ---- files

    def _named_for(self, plan: str) -> _Named:
        if self._named is not None:
            return _Named(tuple(dict.fromkeys(os.path.abspath(name) for name in self._named)))
        if self._editor is not None and self._editor.names:
            entries = [(name, self._editor.folder or os.sep) for name in self._editor.names]
        else:
            above = self._configurations.above(os.path.dirname(plan))
            if above.config is None or not above.config.tools:
                return _Named()
            entries = [(entry.text, entry.folder or above.folder) for entry in above.config.tools]
        files = {entry: self._files(*entry) for entry in entries}
        return _Named(
            tuple(dict.fromkeys(path for found in files.values() for path in found.paths)),
            tuple(name for (name, _), found in files.items() if not found.paths),
            tuple(name for (name, _), found in files.items() if not found.is_complete),
        )

    def _files(self, name: str, folder: str) -> FittingFiles:
        """The files that an entry means, by their absolute paths."""
        from plancheck.workspace.globs import is_glob

        if not is_glob(name):
            return FittingFiles((os.path.normpath(os.path.join(folder, name)),))
        known = self._fitting.get((name, folder))
        if known is None:
            known = self._fitting[name, folder] = fitting_files(name, folder)
        return known

    def _joined(self, named: _Named) -> Catalogue:
        from plancheck.catalogue.model import Catalogue, CatalogueSource

        sources: list[CatalogueSource] = []
        faults = [Unknown(Reason.FAILURE, NO_FILE.format(shortened(name))) for name in named.missing]
        faults += (Unknown(Reason.LIMIT, TOO_MANY.format(shortened(name))) for name in named.cut)
        for path in named.paths:
            text = self._texts.get(path)
            if text is None:
                text = self._texts[path] = self._read(path)
            if isinstance(text, ReadError):
                name = os.path.basename(path)
                message = f"The tools in {name} cannot be read, so nothing was checked against them: {text.message}"
                faults.append(Unknown(Reason.FAILURE, message))
            else:
                sources.append((self._source_of or CatalogueSource)(path, text))
        return Catalogue(tuple(sources), tuple(faults))


def loaded_catalogue(tools: ToolsSource | None) -> Catalogue | None:
    """The catalogue that a program hands in: one, or the path of a file, or several paths. A file that cannot be read
    is a fault of the catalogue: nothing is checked against it, and the answer says so."""
    from plancheck.catalogue.model import Catalogue

    if tools is None or isinstance(tools, Catalogue):
        return tools
    names = [tools] if isinstance(tools, (str, os.PathLike)) else list(tools)
    paths = [os.path.abspath(os.fspath(name)) for name in names]
    from plancheck.workspace.files import Configurations

    return Catalogues(Configurations(), named=paths).for_plan("") or Catalogue()


# ---- globs -----------------------------------------------------------------------------------------------------------


def _fits(name: str, folder: str, path: str) -> bool:
    from plancheck.workspace.files import relative
    from plancheck.workspace.globs import GlobSet, is_glob

    if not is_glob(name):
        return os.path.realpath(os.path.join(folder, name)) == os.path.realpath(path)

    inside = relative(path, folder)
    return not inside.startswith("../") and GlobSet((name,)).fits(inside)


def fitting_files(glob: str, folder: str) -> FittingFiles:
    """The files below a folder that fit a glob, in the order of their names. Folders of tools are left out, and links
    to folders are not followed."""
    from plancheck.workspace.files import SKIPPED_FOLDERS, relative
    from plancheck.workspace.globs import GlobSet

    globs, looked_at = GlobSet((glob,)), 0
    found: list[str] = []
    todo = [os.path.join(folder, *_fixed_part(glob))]
    while todo:
        current = todo.pop()
        try:
            with os.scandir(current) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except (OSError, ValueError):
            continue
        looked_at += len(listed)
        found += (
            entry.path
            for entry in listed
            if not entry.is_dir(follow_symlinks=False) and entry.is_file() and globs.fits(relative(entry.path, folder))
        )
        if looked_at > MOST_ENTRIES or len(found) > MOST_FILES:
            return FittingFiles(tuple(found[:MOST_FILES]), is_complete=False)
        todo += (
            entry.path
            for entry in reversed(listed)
            if entry.is_dir(follow_symlinks=False) and entry.name not in SKIPPED_FOLDERS
        )
    return FittingFiles(tuple(found))


def _fixed_part(glob: str) -> list[str]:
    """The folders that a glob begins with."""
    from plancheck.workspace.globs import is_glob

    *folders, _ = glob.removeprefix("./").split("/")
    found: list[str] = []
    for name in folders:
        if is_glob(name):
            break
        found.append(name)
    return found
