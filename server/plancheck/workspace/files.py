"""Files: reading them, finding the plans below a folder, and the configuration that is in force there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from plancheck.analysis.settings import Settings
from plancheck.syntax.tree import Problem

if TYPE_CHECKING:
    from plancheck.workspace.config import Config
    from plancheck.workspace.ignored import IgnoreFiles

NAMES = ("plancheck.toml", "pyproject.toml")
SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"})


class ReadError(NamedTuple):
    """A file or folder that could not be read, and why, in words."""

    path: str
    message: str


def read_text(path: str) -> str | ReadError:
    """The text of a UTF-8 file, without a byte order mark."""
    try:
        with open(path, "rb") as file:
            raw = file.read()
    except OSError as error:
        return ReadError(path, _why(error))
    return decode(path, raw)


def decode(path: str, raw: bytes) -> str | ReadError:
    try:
        return raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            return ReadError(path, "this is UTF-16 text: save it as UTF-8.")
        return ReadError(path, f"byte {error.start} (0x{raw[error.start]:02x}) is not UTF-8: save the file as UTF-8.")


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder."
    if isinstance(error, IsADirectoryError):
        return "this is a folder, not a file."
    if isinstance(error, PermissionError):
        return "it may not be read: permission denied."
    return f"it cannot be read: {error.strerror or error}."


class Loaded(NamedTuple):
    """A configuration and where it comes from."""

    path: str | None
    """The file; None where there is none above, so that the defaults apply."""
    folder: str
    """What the globs are relative to."""
    config: Config | None
    """None stands for the defaults: a plan without a configuration does not pay for the reader of TOML."""
    text: str = ""
    problems: tuple[Problem, ...] = ()

    def settings_for(self, path: str) -> Settings:
        return self.config.settings_for(relative(path, self.folder)) if self.config is not None else Settings()

    def is_plan(self, path: str) -> bool:
        return self._or_default().is_plan(relative(path, self.folder))

    def is_excluded(self, path: str) -> bool:
        return self.config is not None and self.config.is_excluded(relative(path, self.folder))

    @property
    def include(self) -> tuple[str, ...]:
        return self._or_default().include

    def _or_default(self) -> Config:
        from plancheck.workspace.config import Config

        return self.config if self.config is not None else Config()


def relative(path: str, folder: str) -> str:
    """An absolute path as seen from a folder, with forward slashes."""
    prefix = folder if folder.endswith(os.sep) else folder + os.sep
    found = path[len(prefix) :] if path.startswith(prefix) else os.path.relpath(path, folder)
    return found.replace(os.sep, "/")


def load_config(path: str, folder: str | None = None) -> Loaded | ReadError:
    """The configuration in a file."""
    from plancheck.workspace.config import parse_config

    text = read_text(path)
    if isinstance(text, ReadError):
        return text
    config, problems = parse_config(text, os.path.basename(path) == "pyproject.toml")
    return Loaded(path, folder if folder is not None else os.path.dirname(path), config, text, tuple(problems))


class Configurations:
    """The configuration in force in each folder, every file read once."""

    def __init__(self, everywhere: Loaded | None = None) -> None:
        self._everywhere = everywhere
        self._known: dict[str, Loaded] = {}
        self.loaded: list[Loaded] = [] if everywhere is None else [everywhere]
        """Every file that was read, in the order in which it was met."""
        self.errors: list[ReadError] = []
        """Configuration files that are there and cannot be read."""

    def above(self, folder: str) -> Loaded:
        """The nearest configuration in `folder`, given as an absolute path, or above it."""
        if self._everywhere is not None:
            return self._everywhere
        passed: list[str] = []
        found: Loaded | None = None
        while found is None:
            found = self._known.get(folder) or self._in(folder)
            passed.append(folder)
            parent = os.path.dirname(folder)
            if found is None and parent == folder:
                found = Loaded(None, folder, None)
            folder = parent
        self._known.update(dict.fromkeys(passed, found))
        return found

    def _in(self, folder: str) -> Loaded | None:
        for name in NAMES:
            path = os.path.join(folder, name)
            if not os.path.isfile(path) or (name == "pyproject.toml" and not _configures_plancheck(path)):
                continue
            loaded = load_config(path)
            if isinstance(loaded, Loaded):
                self.loaded.append(loaded)
                return loaded
            self.errors.append(loaded)
        return None


def _configures_plancheck(pyproject: str) -> bool:
    """A `pyproject.toml` of somebody else is no configuration: the search goes on above it."""
    text = read_text(pyproject)
    if isinstance(text, ReadError) or "plancheck" not in text:
        return False
    from plancheck.workspace.config import has_section

    return has_section(text)


def find_plans(folder: str, configurations: Configurations) -> Iterator[str | ReadError]:
    """The plan files below a folder (an absolute path), in the order of their names.

    Whatever .gitignore excludes is left out, and so are folders of tools. A symbolic link to a folder is not followed:
    it may lead in a circle, and what it leads to is found under its own name where it matters.
    """
    from plancheck.workspace.ignored import ignore_files_above

    todo: list[tuple[str, bool, IgnoreFiles]] = [(folder, True, ignore_files_above(folder))]
    while todo:
        path, is_folder, ignores = todo.pop()
        if not is_folder:
            yield path
            continue
        try:
            with os.scandir(path) as found:
                entries = sorted(found, key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            yield ReadError(path, _why(error))
            continue
        loaded = configurations.above(path)
        ignores = ignores.with_folder(path, any(entry.name == ".gitignore" for entry in entries))
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name in SKIPPED_FOLDERS or loaded.is_excluded(entry.path):
                    continue
                if not ignores.ignores(entry.path, is_folder=True):
                    todo.append((entry.path, True, ignores))
            elif loaded.is_plan(entry.path) and entry.is_file() and not ignores.ignores(entry.path, is_folder=False):
                todo.append((entry.path, False, ignores))
