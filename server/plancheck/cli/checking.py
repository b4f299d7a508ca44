"""Checking files, in this process or in several."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.checked import checked_findings, dialect_name, is_valid, unchecked_places
from plancheck.cli.results import FileResult, unreadable
from plancheck.policy.regexes import Matcher, refusing_matcher
from plancheck.tuples import NamedTuple
from plancheck.workspace.asking import asker_for
from plancheck.workspace.files import ReadError, decode, read_text

if TYPE_CHECKING:
    from plancheck.cli.cache import ResultCache
    from plancheck.cli.fixing import Fixing

STANDARD_INPUT = "-"
BYTES_PER_PROCESS = 1_000_000
"""Below this much text for each process, starting processes costs more than they save (see tests/benchmarks)."""

MOST_PROCESSES = 60
"""Windows cannot wait for more of them at once."""

SAMPLE = 16
"""So many files are looked up in the cache before processes are started for all of them."""


class CheckTask(NamedTuple):
    """A file to check."""

    path: str
    """How it is shown."""
    absolute: str
    """Where it is; of the standard input, the file that it stands for."""
    settings: Settings
    with_report: bool
    with_fixes: bool = True
    """Whether to list the fixes of findings, which have to be tried first."""
    with_fingerprints: bool = False
    """Whether to say by what findings are known again."""
    fixing: Fixing | None = None
    cache: ResultCache | None = None
    """The results of earlier runs; None where the file is to be looked at in any case."""
    opa: str | None = None
    """The program that evaluates Rego policies, if the user names one."""
    baseline: str | None = None
    """The file with the findings that do not count, if there is one."""
    is_standard_input: bool = False
    settings_key: str = ""
    """All of the settings, for the cache; needed where there is one."""


def check(task: CheckTask) -> FileResult:
    text = _text(task)
    if isinstance(text, ReadError):
        return unreadable(ReadError(task.path, text.message))
    return _checked_once(task, text, task.cache) if task.cache is not None else _checked(task, text)


def _checked_once(task: CheckTask, text: str, cache: ResultCache) -> FileResult:
    """The result of an earlier run, if there is one; if not, one that says what the cache should keep."""
    from plancheck.cli.cache import CacheEntry
    from plancheck.cli.entries import decode, encode, is_worth_keeping

    key = _key(task, text, cache)
    payload = cache.payload(key)
    if payload is not None:
        found = decode(payload, task.path, text, has_tried_fixes=task.with_fixes)
        if found is not None:
            return found
    result = _checked(task, text)
    return result._replace(entry=CacheEntry(key, encode(result))) if is_worth_keeping(result) else result


def _key(task: CheckTask, text: str, cache: ResultCache) -> str:
    return cache.key(task.settings_key, f"{task.with_report} {task.with_fixes} {task.with_fingerprints}", text)


def analyzed(text: str, settings: Settings, opa: str | None = None) -> Snapshot:
    """A document with all that its policy and its catalogue ask for; `opa` evaluates Rego policies."""
    return analyze(text, settings, matcher=_matcher(settings), rego=asker_for(settings.policy, opa))


def _checked(task: CheckTask, text: str) -> FileResult:
    snapshot = analyzed(text, task.settings, task.opa)
    matcher = snapshot.matcher
    if task.fixing is None:
        return _result(task, snapshot, matcher.stopped)
    from plancheck.cli.fixing import FixMode, changed, diff, save

    now = changed(snapshot, task.fixing)
    if task.fixing.mode is FixMode.DIFF:
        changes = diff(task.path, text, now.snapshot.text)
        return _result(task, snapshot, matcher.stopped)._replace(diff=changes, unsafe_fixes=now.unsafe_fixes)
    if now.changes and (error := save(task.absolute, text, now.snapshot.text)) is not None:
        return unreadable(ReadError(task.path, error.message))
    result = _result(task, now.snapshot, matcher.stopped)._replace(unsafe_fixes=now.unsafe_fixes)
    return result._replace(ignored=now.changes) if task.fixing.ignores else result._replace(fixed=now.changes)


def _matcher(settings: Settings) -> Matcher:
    """Who runs the patterns of the policy and of the catalogue; most plans have none, and do not pay for starting
    processes."""
    has_patterns = settings.policy is not None and bool(settings.policy.deny_tokens_regex)
    if not has_patterns and settings.catalogue is None:
        return refusing_matcher
    from plancheck.workspace.regex_process import shared_process

    return shared_process()


def _text(task: CheckTask) -> str | ReadError:
    return (
        decode(task.path, sys.stdin.buffer.read())
        if task.is_standard_input
        else read_text(task.absolute, may_wait=True)
    )


def _result(task: CheckTask, snapshot: Snapshot, stopped: tuple[str, ...]) -> FileResult:
    report = None
    if task.with_report and is_valid(snapshot):
        from plancheck.pre import report_of

        report = report_of(snapshot.graph).to_dict()
    return FileResult(
        task.path,
        snapshot.text,
        dialect_name(snapshot),
        checked_findings(snapshot, with_fixes=task.with_fixes, with_fingerprints=task.with_fingerprints),
        unchecked_places(snapshot),
        report,
        has_tried_fixes=task.with_fixes,
        stopped=stopped,
        tools=snapshot.plan.tools(),
    )


@contextmanager
def checked(tasks: list[CheckTask], jobs: int) -> Iterator[Iterator[FileResult]]:
    """The results of all tasks, in their order, as they come. `jobs` 0 chooses how many processes work on them."""
    jobs = min(jobs or _worthwhile(tasks), len(tasks), MOST_PROCESSES)
    if jobs <= 1:
        yield map(check, tasks)
        return
    from multiprocessing import Pool

    with Pool(jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        yield pool.imap(check, tasks, chunksize=max(1, min(64, len(tasks) // (4 * jobs))))


def _worthwhile(tasks: list[CheckTask]) -> int:
    """How many processes are worth starting, by how much there is to check."""
    if len(tasks) < 2 or any(task.is_standard_input for task in tasks):
        return 1
    size = 0
    for task in tasks:
        if os.path.exists(task.absolute):
            size += os.stat(task.absolute).st_size
    most = min(_processors(), size // BYTES_PER_PROCESS)
    return max(1, min(most, int(size * _share_to_check(tasks)) // BYTES_PER_PROCESS)) if most > 1 else 1


def _share_to_check(tasks: list[CheckTask]) -> float:
    """The share of the tasks that no earlier run has done, as far as a sample can tell."""
    sample = tasks[:: max(1, len(tasks) // SAMPLE)]
    return sum(not _is_done(task) for task in sample) / len(sample)


def _is_done(task: CheckTask) -> bool:
    if task.cache is None:
        return False
    text = read_text(task.absolute)
    return isinstance(text, str) and task.cache.payload(_key(task, text, task.cache)) is not None


def _processors() -> int:
    """How many processors this process may use, which in a container are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    from signal import SIG_IGN, SIGINT, signal

    signal(SIGINT, SIG_IGN)
