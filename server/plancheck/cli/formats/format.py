"""What a format is, and the words that several of them use."""

from __future__ import annotations

import os
from typing import Protocol

from plancheck.analysis.finding import Severity
from plancheck.checked import UncheckedPlace
from plancheck.cli.results import FileResult, Tally
from plancheck.unknown import Reason

SEVERITIES = tuple(severity.word for severity in Severity)
"""The words for the severities, the worst first."""

_SEVERITY_OF_REASON = {
    Reason.RUNTIME.value: Severity.INFO.word,
    Reason.NOT_UNDERSTOOD.value: Severity.WARNING.word,
    Reason.LIMIT.value: Severity.ERROR.word,
    Reason.FAILURE.value: Severity.ERROR.word,
}


class Format(Protocol):
    """Prints results as they come. Nothing is kept that could be printed at once: there may be many thousands."""

    def file(self, result: FileResult) -> None: ...

    def end(self, tally: Tally) -> None: ...


def exit_code(tally: Tally, fail_on: str) -> int:
    """The code of a run: 2 where the job could not be done somewhere, 1 from a severity on, which may be `never`."""
    if tally.is_blocked:
        return 2
    failing = () if fail_on == "never" else SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    has_failed = any(tally.findings[severity] for severity in failing)
    return int(has_failed or ("warning" in failing and tally.not_understood > 0))


def severity_of(place: UncheckedPlace) -> str:
    """How bad it is that a place was not checked."""
    return _SEVERITY_OF_REASON[place.reason]


def message_of(place: UncheckedPlace) -> str:
    return f"not checked: {place.message}"


def plain_path(path: str) -> str:
    """A path for programs. Bytes of a file's name that are not UTF-8 have no place in their formats."""
    return os.fsencode(path.replace(os.sep, "/")).decode("utf-8", "replace")


def counted(number: int, severity: str) -> str:
    return f"{number:,} {severity}" if number == 1 or severity == "info" else f"{number:,} {severity}s"


def files_checked(number: int) -> str:
    return f"{number:,} file{'s' * (number != 1)} checked"


def verdict(tally: Tally, parts: list[str]) -> str:
    """The end of a summary. That there are no findings is only said where everything was checked."""
    if tally.unchecked:
        parts = [*parts, f"{tally.unchecked:,} not checked"]
    return ", ".join(parts) if parts else "no findings"
