"""The files of a Rego policy on the disk: one file, or all of a folder that are no tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from plancheck.workspace.reading import ReadError, why

EXTENSION = ".rego"
TESTS = "_test.rego"
MOST_FILES = 500
"""Of one policy."""
MOST_ENTRIES = 20_000
"""Of a folder that is looked through for them."""


def is_rego(path: str) -> bool:
    """Whether a file is Rego, by its name."""
    return path.endswith(EXTENSION)


def is_policy_in_rego(path: str) -> bool:
    """Whether a policy that somebody names is Rego: a folder stands for the Rego files in it."""
    return is_rego(path) or (os.path.isdir(path) and not path.endswith((".yaml", ".yml")))


def read_rego_files(
    path: str, read: Callable[[str], str | ReadError], *, may_be_folder: bool
) -> tuple[tuple[str, str], ...] | ReadError:
    """The paths and texts of a policy. One file that cannot be read makes all of it unreadable: nobody knows which
    rules were in it."""
    paths = rego_paths(path) if may_be_folder and os.path.isdir(path) else [path]
    if isinstance(paths, ReadError):
        return paths
    found: list[tuple[str, str]] = []
    for each in paths:
        text = read(each)
        if isinstance(text, ReadError):
            return text
        found.append((each, text))
    return tuple(found)


def rego_paths(folder: str) -> list[str] | ReadError:
    """The policy files below a folder, in the order of their names."""
    try:
        found = sorted(_below(folder))
    except _UnreadableError as error:
        return error.found
    except OSError as error:
        return ReadError(error.filename or folder, why(error))
    if not found:
        return ReadError(folder, "this folder has no .rego file that is not a test: add one, or name another folder.")
    if len(found) > MOST_FILES:
        return ReadError(folder, f"this folder has more than {MOST_FILES} .rego files: name a smaller one.")
    return found


class _UnreadableError(Exception):
    def __init__(self, path: str, message: str) -> None:
        self.found = ReadError(path, message)


def _below(folder: str) -> Iterator[str]:
    """What is hidden is left out, as OPA users know it; a link to a folder would be missed, so it is an error."""
    todo, left = [folder], MOST_ENTRIES
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                left -= 1
                if left < 0:
                    raise _UnreadableError(
                        folder, f"this folder has more than {MOST_ENTRIES:,} entries: name a smaller one."
                    )
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                elif entry.is_dir():
                    message = "this is a link to a folder, inside a folder of policies: name it as a policy of its own."
                    raise _UnreadableError(entry.path, message)
                elif is_rego(entry.name) and not entry.name.endswith(TESTS):
                    yield entry.path
