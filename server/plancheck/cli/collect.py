"""From the paths on the command line to the files to check."""

from __future__ import annotations

import os
from collections.abc import Iterator

from plancheck.cli.checking import STANDARD_INPUT
from plancheck.tuples import NamedTuple
from plancheck.workspace.files import Configurations, ReadError, find_plans


class FoundFile(NamedTuple):
    """A file to check."""

    path: str
    """How it is shown."""
    absolute: str
    """Where it is; of the standard input, the file that it stands for."""
    is_standard_input: bool = False


class Collecting(NamedTuple):
    """How paths become files."""

    configurations: Configurations
    stdin_filename: str | None = None
    """The file that the standard input stands for."""
    force_exclude: bool = False
    """Whether what is excluded is left out although it is named."""

    def leaves_out(self, absolute: str) -> bool:
        return self.force_exclude and self.configurations.excludes(absolute)


def collect(paths: list[str], how: Collecting) -> Iterator[FoundFile | ReadError]:
    """Every file once, in the order of the paths."""
    seen: set[tuple[str, bool]] = set()
    for path in paths:
        for found in _expand(path, how):
            if isinstance(found, ReadError):
                yield found
            elif (key := (found.absolute, found.is_standard_input)) not in seen:
                seen.add(key)
                yield found


def _expand(path: str, how: Collecting) -> Iterator[FoundFile | ReadError]:
    if path == STANDARD_INPUT:
        found = _standard_input(how.stdin_filename)
        if not how.leaves_out(found.absolute):
            yield found
    elif os.path.isdir(path):
        yield from _below(path, how)
    elif not os.path.lexists(path) and any(char in path for char in "*?["):
        yield from _matching(path, how)
    else:
        yield from _named(path, how)


def _standard_input(filename: str | None) -> FoundFile:
    """Standard input is a plan in the working directory, unless it stands for another file."""
    if filename is None:
        return FoundFile("<stdin>", os.path.abspath("stdin.plan.json"), is_standard_input=True)
    return FoundFile(os.path.normpath(filename), os.path.abspath(filename), is_standard_input=True)


def _named(path: str, how: Collecting) -> Iterator[FoundFile]:
    absolute = os.path.abspath(path)
    if not how.leaves_out(absolute):
        yield FoundFile(os.path.normpath(path), absolute)


def _matching(pattern: str, how: Collecting) -> Iterator[FoundFile | ReadError]:
    from glob import glob

    found = sorted(glob(pattern, recursive=True))
    if not found:
        yield ReadError(pattern, "no file matches this glob.")
    for path in found:
        if not os.path.isdir(path):
            yield from _named(path, how)
        elif "**" not in pattern:  # what lies below fits such a glob by itself
            yield from _below(path, how)


def _below(folder: str, how: Collecting) -> Iterator[FoundFile | ReadError]:
    absolute = os.path.abspath(folder)
    if how.leaves_out(absolute):
        return
    shown = os.path.normpath(folder)
    is_empty = True
    for found in find_plans(absolute, how.configurations):
        is_empty = False
        path = found.path if isinstance(found, ReadError) else found
        name = os.path.normpath(os.path.join(shown, os.path.relpath(path, absolute)))
        yield ReadError(name, found.message) if isinstance(found, ReadError) else FoundFile(name, path)
    if is_empty:
        globs = ", ".join(how.configurations.above(absolute).include)
        yield ReadError(shown, f"there are no plan files in this folder (looked for {globs}).")
