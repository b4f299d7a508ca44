"""`plancheck check --watch`: check, and check again whenever a file changes that the outcome depends on.

Changes are found by asking the system for the times of files, again and again: that works on every system and on every
kind of disk. Asking takes at most a tenth of the time. What did not change is not checked again: the cache has it.
"""

from __future__ import annotations

import os
import stat
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from time import monotonic, sleep, strftime
from typing import TYPE_CHECKING, NoReturn

from plancheck.cli.cache import forget
from plancheck.cli.check import CACHE_FOLDER
from plancheck.policy.reading import NAMES as POLICY_NAMES
from plancheck.policy.reading import OTHER_NAMES
from plancheck.workspace.files import NAMES, SKIPPED_FOLDERS

if TYPE_CHECKING:
    from plancheck.cli.catalogues import CheckedCatalogues
    from plancheck.cli.checking import CheckTask
    from plancheck.cli.policies import CheckedPolicies
    from plancheck.workspace.files import Configurations

SECONDS_BETWEEN = 0.5
TIMES_AS_LONG = 10
"""How many times as long as asking takes nothing is done before the next time."""
SETTLING_SECONDS = 0.05
MOST_SETTLING = 60
"""A change is often one of several: a file is emptied and then written, a branch has many files. So often at most it is
looked whether anything is still changing."""
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_FOUND_BY_NAME = frozenset({*NAMES, *POLICY_NAMES, *OTHER_NAMES, ".gitignore"})
"""Files that count wherever they turn up, at the plans or above."""

Times = dict[str, tuple[int, int, int]]
"""When files were changed, how large they are, and which they are: all that tells one state from another."""


class Watched:
    """What the runs so far looked at, and what the next one would look at if it were there."""

    def __init__(self, args: Namespace) -> None:
        named = (*args.paths, *(path for path in (args.config, args.baseline) if path is not None))
        self.files = set(map(os.path.abspath, named))
        self.known: Times = {}
        """The state of which the last run told."""
        self._fits: Callable[[str], bool] = lambda _path: False
        self._folders = [os.path.abspath(_fixed_part(path)) for path in args.paths]
        self._cache = os.path.abspath(args.cache_dir or CACHE_FOLDER)
        above = {folder for start in (os.getcwd(), *self._folders) for folder in _above(start)}
        self._found_above = [os.path.join(folder, name) for folder in sorted(above) for name in sorted(_FOUND_BY_NAME)]

    def note(
        self,
        tasks: list[CheckTask],
        configurations: Configurations,
        policies: CheckedPolicies,
        catalogues: CheckedCatalogues,
    ) -> None:
        """What a run is about to look at; what of it lies elsewhere was not known before."""
        files = {task.absolute for task in tasks}
        files.update(task.baseline for task in tasks if task.baseline is not None)
        files.update(loaded.path for loaded in configurations.loaded if loaded.path is not None)
        files.update((*policies.paths, *catalogues.paths))
        found = {path: time for path in files - self.known.keys() if (time := _time_of(path)) is not None}
        self.known = found | self.known
        self.files |= files
        self._fits = lambda path: configurations.above(os.path.dirname(path)).is_plan(path) or catalogues.names(path)

    def times(self) -> Times:
        """Of every file below the folders, and of those that are elsewhere."""
        found: Times = {}
        for folder in self._folders:
            found.update(_times_below(folder, self._cache))
        for path in (*self._found_above, *self.files):
            if path not in found and (one := _time_of(path)) is not None:
                found[path] = one
        return found

    def matters(self, path: str) -> bool:
        """Whether a change of a file can change the outcome."""
        name = os.path.basename(path)
        return path in self.files or name in _FOUND_BY_NAME or name.endswith(".rego") or self._fits(path)


def watch(args: Namespace, check: Callable[[Watched], int]) -> NoReturn:
    """Check and wait, until somebody interrupts it."""
    stream = sys.stdout
    is_first = True
    watched = Watched(args)
    try:
        while True:
            watched.known = watched.times()
            if stream.isatty():
                stream.write(_CLEAR)
            elif not is_first:
                stream.write(f"--- {strftime('%H:%M:%S')} ---\n")
            stream.flush()
            is_first = False
            started = monotonic()
            check(watched)
            if not args.quiet:
                stream.write(f"Checked at {strftime('%H:%M:%S')} in {monotonic() - started:.1f} s. ")
                stream.write("Waiting for changes, until Ctrl-C.\n")
            stream.flush()
            _wait(watched)
            forget()
    except KeyboardInterrupt:
        if stream.isatty():
            stream.write("\n")
            stream.flush()
        raise


def _wait(watched: Watched) -> None:
    """Come back when something changes that matters, also if it changed while it was being checked."""
    known = watched.known
    while True:
        started = monotonic()
        now = watched.times()
        changed = (path for path in known.keys() | now.keys() if known.get(path) != now.get(path))
        if any(watched.matters(path) for path in changed):
            _settle(watched, now)
            return
        known = now
        sleep(max(SECONDS_BETWEEN, TIMES_AS_LONG * (monotonic() - started)))


def _settle(watched: Watched, known: Times) -> None:
    """Come back when nothing changes any more, or something always does."""
    for _ in range(MOST_SETTLING):
        sleep(SETTLING_SECONDS)
        now = watched.times()
        if now == known:
            return
        known = now


def _times_below(folder: str, cache: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    todo = [folder]
    while todo:
        for entry in _entries(todo.pop()):
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in (*SKIPPED_FOLDERS, CACHE_FOLDER) and entry.path != cache:
                    todo.append(entry.path)
            elif (one := _time_of_entry(entry)) is not None:
                yield entry.path, one


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # it is gone, or it was never a folder
        return []


def _time_of_entry(entry: os.DirEntry[str]) -> tuple[int, int, int] | None:
    try:
        return _as_time(entry.stat())
    except OSError:
        return None


def _time_of(path: str) -> tuple[int, int, int] | None:
    """Of a file; what is in a folder is looked at one by one."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return None if stat.S_ISDIR(found.st_mode) else _as_time(found)


def _as_time(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_mtime_ns, found.st_size, found.st_ino


def _above(folder: str) -> Iterator[str]:
    """A folder and all above it."""
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _fixed_part(path: str) -> str:
    """The folder in which everything is that a glob can mean; a path that is no glob is meant itself."""
    if os.path.lexists(path):
        return path
    while any(char in path for char in "*?["):
        path = os.path.dirname(path)
    return path or os.curdir
