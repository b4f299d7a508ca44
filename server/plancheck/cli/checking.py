"""Checking files, in this process or in several."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.fixpoint import fix_all
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.checked import checked_findings, dialect_name, is_valid, unchecked_places
from plancheck.cli.fixing import Fixing, FixMode, diff, save
from plancheck.cli.results import FileResult, unreadable
from plancheck.policy.regexes import Matcher, refusing_matcher
from plancheck.workspace.files import ReadError, decode, read_text

STANDARD_INPUT = "-"
BYTES_PER_PROCESS = 1_000_000
"""Below this much text for each process, starting processes costs more than they save (see tests/benchmarks)."""


class CheckTask(NamedTuple):
    """A file to check."""

    path: str
    """How it is shown."""
    absolute: str
    """Where it is; `-` is the standard input."""
    settings: Settings
    with_report: bool
    with_fixes: bool = True
    """Whether to list the fixes of findings, which have to be tried first."""
    fixing: Fixing | None = None


def check(task: CheckTask) -> FileResult:
    text = _text(task)
    if isinstance(text, ReadError):
        return unreadable(ReadError(task.path, text.message))
    matcher = _matcher(task.settings)
    snapshot = analyze(text, task.settings, matcher=matcher)
    if task.fixing is None:
        return _result(task, snapshot, matcher.stopped)
    fixed = fix_all(snapshot, unsafe=task.fixing.unsafe)
    if task.fixing.mode is FixMode.DIFF:
        changes = diff(task.path, text, fixed.snapshot.text)
        return _result(task, snapshot, matcher.stopped)._replace(diff=changes)
    if fixed.applied and (error := save(task.absolute, text, fixed)) is not None:
        return unreadable(ReadError(task.path, error.message))
    return _result(task, fixed.snapshot, matcher.stopped)._replace(fixed=len(fixed.applied))


def _matcher(settings: Settings) -> Matcher:
    """Who runs the policy's patterns; most plans have none, and do not pay for starting processes."""
    if settings.policy is None or not settings.policy.deny_tokens_regex:
        return refusing_matcher
    from plancheck.workspace.regex_process import shared_process

    return shared_process()


def _text(task: CheckTask) -> str | ReadError:
    return decode(task.path, sys.stdin.buffer.read()) if task.absolute == STANDARD_INPUT else read_text(task.absolute)


def _result(task: CheckTask, snapshot: Snapshot, stopped: tuple[str, ...]) -> FileResult:
    report = None
    if task.with_report and is_valid(snapshot):
        from plancheck.pre import report_of

        report = report_of(snapshot.graph).to_dict()
    return FileResult(
        task.path,
        snapshot.text,
        dialect_name(snapshot),
        checked_findings(snapshot, with_fixes=task.with_fixes),
        unchecked_places(snapshot),
        report,
        has_tried_fixes=task.with_fixes,
        stopped=stopped,
        tools=snapshot.plan.tools(),
    )


@contextmanager
def checked(tasks: list[CheckTask], jobs: int) -> Iterator[Iterator[FileResult]]:
    """The results of all tasks, in their order, as they come. `jobs` 0 chooses how many processes work on them."""
    jobs = min(jobs or _worthwhile(tasks), len(tasks))
    if jobs <= 1:
        yield map(check, tasks)
        return
    from multiprocessing import Pool

    with Pool(jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        yield pool.imap(check, tasks, chunksize=max(1, min(64, len(tasks) // (4 * jobs))))


def _worthwhile(tasks: list[CheckTask]) -> int:
    if len(tasks) < 2 or any(task.absolute == STANDARD_INPUT for task in tasks):
        return 1
    size = 0
    for task in tasks:
        if os.path.exists(task.absolute):
            size += os.stat(task.absolute).st_size
    return max(1, min(_processors(), size // BYTES_PER_PROCESS))


def _processors() -> int:
    """How many processors this process may use, which in a container are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    from signal import SIG_IGN, SIGINT, signal

    signal(SIGINT, SIG_IGN)
