"""What checking a file comes to, and the sum of it over a run."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from plancheck.checked import CONFIGURATION_FAULT, UNREADABLE_FILE, CheckedFinding, UncheckedPlace, unchecked_file
from plancheck.cli.terminal import one_line
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason
from plancheck.workspace.files import ReadError

if TYPE_CHECKING:
    from plancheck.cli.cache import CacheEntry

_OF_THE_RUN = frozenset({UNREADABLE_FILE, CONFIGURATION_FAULT})


class BaselineTally(NamedTuple):
    """What the baselines of a run come to."""

    known: int
    """The findings that do not count, because a baseline has them."""
    enforced: int
    """How many of these are against the policy."""
    gone: int
    """What baselines have that is not found any more."""
    written: tuple[str, ...]
    """The baselines that were written, all known findings in them."""
    not_recorded: Counter[str]
    """The rules of findings that are not written into a baseline."""


class FileResult(NamedTuple):
    path: str
    """How it is shown."""
    text: str
    dialect: str | None
    findings: list[CheckedFinding]
    unchecked: list[UncheckedPlace]
    report: dict[str, Any] | None = None
    has_tried_fixes: bool = True
    """Whether the findings list their fixes."""
    fixed: int | None = None
    """How many fixes were applied; None where none were asked for."""
    known: list[CheckedFinding] | None = None
    """The findings that do not count, because a baseline has them; None where there is none."""
    ignored: int | None = None
    """How many ignores were written into it; None where none were asked for."""
    diff: str = ""
    stopped: tuple[str, ...] = ()
    """The policy's patterns that took too long on this or an earlier file."""
    tools: frozenset[str] = frozenset()
    """The tools that the plan uses."""
    entry: CacheEntry | None = None
    """What the cache should keep of it."""
    unsafe_fixes: int = 0
    """How many findings nothing but an unsafe fix would mend, where fixes were asked for and unsafe ones were not."""

    @property
    def is_checked(self) -> bool:
        """Whether the file was looked at. If not, standard error says why, whatever the format."""
        return not any(place.rule in _OF_THE_RUN for place in self.unchecked)

    def to_dict(self) -> dict[str, Any]:
        """The file as `--format json` prints it."""
        return {
            "path": self.path.replace(os.sep, "/"),
            "dialect": self.dialect,
            "findings": [finding.to_dict() for finding in self.findings],
            "unchecked": [place.to_dict() for place in self.unchecked],
            "report": self.report,
            **({} if self.fixed is None else {"fixed": self.fixed}),
            **({} if self.ignored is None else {"ignored": self.ignored}),
        }


def from_here(path: str) -> str:
    """A path as it is shown: relative, where it lies below the working directory."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def unreadable(error: ReadError) -> FileResult:
    """The result for a file, or for what should have been one, that could not be read."""
    return FileResult(error.path, "", None, [], [unchecked_file(UNREADABLE_FILE, error.message)])


def announce(result: FileResult) -> None:
    """Say on standard error why a file was not checked."""
    path = one_line(result.path)
    for place in result.unchecked:
        start = place.range.start
        where = f"{path}:{start.line + 1}:{start.character + 1}" if result.text else f"plancheck: {path}"
        print(f"{where}: {one_line(place.message)}", file=sys.stderr)


class Tally:
    """How much was found in a run, and how much of it could not be checked."""

    def __init__(self) -> None:
        self.files = 0
        """The files that were checked, well or badly."""
        self.findings: Counter[str] = Counter()
        """How many findings there are of each severity."""
        self.by_rule: Counter[tuple[str, str]] = Counter()
        """The same of each rule and severity."""
        self.unsafe_fixes = 0
        self.unchecked = 0
        self.not_understood = 0
        """How many of these count as warnings: somebody has to look, and it need not wait for the run."""
        self.is_blocked = False
        """Whether the job could not be done somewhere."""
        self.known: Counter[str] = Counter()
        """The rules of the findings that a baseline has."""
        self.baseline: BaselineTally | None = None
        """What the baselines come to; None where there is none."""
        self.ignored: int | None = None
        """How many ignores were written; None where none were asked for."""
        self.not_ignored: Counter[str] = Counter()
        """The rules of the findings that are left then: no plan can switch these off."""

    def counts_of_rules(self) -> dict[str, int]:
        """How many findings each rule has, the most first."""
        counts: Counter[str] = Counter()
        for (rule, _), count in self.by_rule.items():
            counts[rule] += count
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def add(self, result: FileResult) -> None:
        self.files += result.is_checked
        for finding in result.findings:
            self.findings[finding.severity] += 1
            self.by_rule[finding.rule, finding.severity] += 1
        self.unsafe_fixes += result.unsafe_fixes
        self.unchecked += len(result.unchecked)
        for place in result.unchecked:
            self.not_understood += place.reason == Reason.NOT_UNDERSTOOD.value
            self.is_blocked |= place.is_blocking
        for finding in result.known or ():
            self.known[finding.rule] += 1
        if result.ignored is not None:
            self.ignored = (self.ignored or 0) + result.ignored
            self.not_ignored.update(finding.rule for finding in result.findings)
