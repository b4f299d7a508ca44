"""From the paths on the command line to the files to check."""

from __future__ import annotations

import os
from collections.abc import Iterator

from plancheck.cli.checking import STANDARD_INPUT
from plancheck.workspace.files import Configurations, ReadError, find_plans


def collect(paths: list[str], configurations: Configurations) -> Iterator[tuple[str, str] | ReadError]:
    """Every file once, as it is shown and as an absolute path, in the order of the paths."""
    seen: set[str] = set()
    for path in paths:
        for found in _expand(path, configurations):
            if isinstance(found, ReadError):
                yield found
            elif found[1] not in seen:
                seen.add(found[1])
                yield found


def _expand(path: str, configurations: Configurations) -> Iterator[tuple[str, str] | ReadError]:
    if path == STANDARD_INPUT:
        yield "<stdin>", STANDARD_INPUT
    elif os.path.isdir(path):
        yield from _below(path, configurations)
    elif not os.path.lexists(path) and any(char in path for char in "*?["):
        yield from _matching(path, configurations)
    else:
        yield os.path.normpath(path), os.path.abspath(path)


def _matching(pattern: str, configurations: Configurations) -> Iterator[tuple[str, str] | ReadError]:
    from glob import glob

    found = sorted(glob(pattern, recursive=True))
    if not found:
        yield ReadError(pattern, "no file matches this glob.")
    for path in found:
        if not os.path.isdir(path):
            yield os.path.normpath(path), os.path.abspath(path)
        elif "**" not in pattern:  # what lies below fits such a glob by itself
            yield from _below(path, configurations)


def _below(folder: str, configurations: Configurations) -> Iterator[tuple[str, str] | ReadError]:
    absolute = os.path.abspath(folder)
    shown = os.path.normpath(folder)
    is_empty = True
    for found in find_plans(absolute, configurations):
        is_empty = False
        path = found.path if isinstance(found, ReadError) else found
        name = os.path.normpath(os.path.join(shown, os.path.relpath(path, absolute)))
        yield ReadError(name, found.message) if isinstance(found, ReadError) else (name, path)
    if is_empty:
        globs = ", ".join(configurations.above(absolute).include)
        yield ReadError(shown, f"there are no plan files in this folder (looked for {globs}).")
