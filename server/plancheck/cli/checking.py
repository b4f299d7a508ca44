"""Checking files, in this process or in several."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.fixpoint import fix_all
from plancheck.analysis.settings import Settings
from plancheck.api import CheckedFinding, checked_findings, dialect_of, is_valid
from plancheck.cli.fixing import Fixing, FixMode, diff, save
from plancheck.workspace.files import ReadError, decode, read_text
from plancheck.workspace.regex_process import shared_process

STANDARD_INPUT = "-"
BYTES_PER_PROCESS = 1_000_000
"""Below this much text for each process, starting processes costs more than they save (see tests/benchmarks)."""


class Target(NamedTuple):
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


class FileResult(NamedTuple):
    path: str
    text: str
    dialect: str | None
    findings: list[CheckedFinding]
    report: dict[str, Any] | None
    fixed: int | None = None
    """How many fixes were applied; None where none were asked for."""
    diff: str = ""

    stopped: tuple[str, ...] = ()
    """The policy's patterns that took too long on this or an earlier file."""
    tools: frozenset[str] = frozenset()
    """The tools that the plan uses."""

    def to_dict(self) -> dict[str, Any]:
        """The file as `--format json` prints it."""
        return {
            "path": self.path.replace(os.sep, "/"),
            "dialect": self.dialect,
            "findings": [finding.to_dict() for finding in self.findings],
            "report": self.report,
            **({} if self.fixed is None else {"fixed": self.fixed}),
        }


def check(target: Target) -> FileResult | ReadError:
    if target.absolute == STANDARD_INPUT:
        text = decode(target.path, sys.stdin.buffer.read())
    else:
        text = read_text(target.absolute)
    if isinstance(text, ReadError):
        return ReadError(target.path, text.message)
    matcher = shared_process()
    snapshot = analyze(text, target.settings, matcher=matcher)
    fixed, changes = None, ""
    if target.fixing is not None:
        done = fix_all(snapshot, unsafe=target.fixing.unsafe)
        if target.fixing.mode is FixMode.DIFF:
            changes = diff(target.path, text, done.snapshot.text)
        else:
            fixed = len(done.applied)
            if fixed and (error := save(target.absolute, text, done)) is not None:
                return ReadError(target.path, error.message)
            text, snapshot = done.snapshot.text, done.snapshot
    dialect = dialect_of(snapshot)
    report = None
    if target.with_report and is_valid(snapshot):
        from plancheck.pre import report_of

        report = report_of(snapshot.graph).to_dict()
    findings = checked_findings(snapshot, with_fixes=target.with_fixes)
    name = dialect and dialect.name
    return FileResult(target.path, text, name, findings, report, fixed, changes, matcher.stopped, snapshot.plan.tools())


@contextmanager
def checked(targets: list[Target], jobs: int) -> Iterator[Iterator[FileResult | ReadError]]:
    """The results of all targets, in their order, as they come. `jobs` 0 chooses how many processes work on them."""
    jobs = min(jobs or _worthwhile(targets), len(targets))
    if jobs <= 1:
        yield map(check, targets)
        return
    from multiprocessing import Pool

    with Pool(jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        yield pool.imap(check, targets, chunksize=max(1, min(64, len(targets) // (4 * jobs))))


def _worthwhile(targets: list[Target]) -> int:
    if len(targets) < 2 or any(target.absolute == STANDARD_INPUT for target in targets):
        return 1
    size = 0
    for target in targets:
        if os.path.exists(target.absolute):
            size += os.stat(target.absolute).st_size
    return max(1, min(_processors(), size // BYTES_PER_PROCESS))


def _processors() -> int:
    """How many processors this process may use, which in a container are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    from signal import SIG_IGN, SIGINT, signal

    signal(SIGINT, SIG_IGN)
